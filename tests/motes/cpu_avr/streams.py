# SPDX-License-Identifier: BSD-3-Clause
"""Random programs that stay inside what both simulators define: every access in SRAM, registers or
GPIOR.

A program fills the 128 KiB of the ATmega1281 with groups; control flow enters a group at its
beginning only and goes forward (with short jumps back inside a group), and the last word jumps to
the first.
"""

import random

from tests.motes.cpu_avr.exclusions import taken_for_two_words
from tests.motes.cpu_avr.forms import FORMS

WORDS = 0x1_0000
DATA = 0x2200
# I/O registers (data addresses) that are plain memory on the ATmega1281: GPIOR0, GPIOR1, GPIOR2.
GPIOR = (0x3E, 0x4A, 0x4B)
RAMPZ, SPL, SPH, SREG = 0x5B, 0x5D, 0x5E, 0x5F
# One word, any operands, no memory, no control flow. SPM is not here: simavr's flash programming
# differs by design.
PLAIN = (
    "add", "adc", "sub", "sbc", "and", "or", "eor", "mov", "cp", "cpc", "mul", "movw", "muls", "mulsu", "fmul",
    "fmuls", "fmulsu", "cpi", "sbci", "subi", "ori", "andi", "ldi", "adiw", "sbiw", "com", "neg", "swap", "inc",
    "asr", "lsr", "ror", "dec", "bset", "bclr", "bst", "bld", "nop", "sleep", "break", "wdr", "lpm", "lpm_r0",
    "lpm_z+", "elpm", "elpm_r0",
)  # fmt: skip
POINTERS = {"x": 26, "y": 28, "z": 30}
INDIRECT = [name for name in FORMS if name.startswith(("ld_", "st_", "ldd_", "std_"))]
# Groups and how often they come.
GROUPS = {
    "plain": 40, "indirect": 16, "registers": 3, "direct": 4, "io": 4, "io_bit": 2, "skip": 8, "branch": 8, "jump": 3,
    "back": 2, "indirect_jump": 2, "far": 3, "return": 3, "stack": 4, "set_stack": 1, "extended": 2,
}  # fmt: skip


class Program:
    """The words of one random program."""

    def __init__(self, seed: int) -> None:
        """Generates it."""
        self._random = random.Random(seed)
        self.words: list[int] = []
        names, weights = list(GROUPS), list(GROUPS.values())
        while len(self.words) < WORDS - 100:
            getattr(self, f"_{self._random.choices(names, weights)[0]}")()
        self._emit("jmp", k=0)
        self.words += [0] * (WORDS - len(self.words))

    def image(self) -> bytes:
        """Program memory."""
        return b"".join(word.to_bytes(2, "little") for word in self.words)

    def data(self) -> bytes:
        """Data space to begin with: random registers and SRAM; I/O registers are 0 except SP, SREG
        and GPIOR."""
        octets = bytearray(self._random.randbytes(DATA))
        octets[0x20:0x200] = bytes(0x1E0)
        for addr in (*GPIOR, SREG):
            octets[addr] = self._random.randrange(256)
        octets[SPL], octets[SPH] = 0x00, 0x18
        return bytes(octets)

    def _emit(self, name: str, **operands: int) -> None:
        form = FORMS[name]
        given = {letter: self._random.getrandbits(form.width(letter)) for letter in form.fields}
        self.words.append(form.word(**given | operands))
        if name in ("jmp", "call", "lds", "sts"):
            self.words.append(operands["k"])
        if name in ("jmp", "call"):
            self.words[-2] = form.value

    def _load(self, register: int, value: int) -> None:
        self._emit("ldi", d=register - 16, k=value & 0xFF)

    def _load_pair(self, register: int, value: int) -> None:
        self._load(register, value)
        self._load(register + 1, value >> 8)

    def _plain(self) -> None:
        self._emit(self._random.choice(PLAIN))

    def _skipped(self) -> None:
        """One word that may be skipped, but not one that simavr takes for two words, see
        `exclusions.py`."""
        self._plain()
        while taken_for_two_words(self.words[-1]):
            self.words.pop()
            self._plain()

    def _filler(self, most: int) -> int:
        count = self._random.randint(0, most)
        for _ in range(count):
            self._plain()
        return count

    def _address(self, name: str) -> int:
        places = [
            self._random.randrange(0x300, 0x2100),
            self._random.randrange(32),
            self._random.choice(GPIOR),
            SREG,
        ]
        if name == "lds":
            places += [SPL, SPH, RAMPZ]
        return self._random.choice(places)

    def _indirect(self) -> None:
        name = self._random.choice(INDIRECT)
        pointer = POINTERS[name.strip("+")[-1]]
        self._load(pointer + 1, self._random.randrange(0x03, 0x21))
        self._emit(name)

    def _registers(self) -> None:
        name = self._random.choice([name for name in INDIRECT if name[:3] in ("ld_", "st_")])
        self._load_pair(POINTERS[name.strip("+")[-1]], self._random.randrange(1, 32))
        self._emit(name)

    def _direct(self) -> None:
        name = self._random.choice(("lds", "sts"))
        self._emit(name, k=self._address(name))

    def _io(self) -> None:
        if self._random.random() < 0.5:
            self._emit("out", a=self._random.choice((*GPIOR, SREG)) - 0x20)
        else:
            self._emit("in", a=self._random.choice((*GPIOR, SREG, SPL, SPH, RAMPZ)) - 0x20)

    def _io_bit(self) -> None:
        self._emit(self._random.choice(("sbi", "cbi")), a=GPIOR[0] - 0x20)

    def _skip(self) -> None:
        name = self._random.choice(("cpse", "sbrc", "sbrs", "sbic", "sbis"))
        operands = {"a": GPIOR[0] - 0x20} if name in ("sbic", "sbis") else {}
        if name == "cpse" and self._random.random() < 0.5:
            register = self._random.randrange(32)
            operands = {"d": register, "r": register}
        self._emit(name, **operands)
        target = len(self.words) + 2
        self._random.choice(
            (
                self._skipped,
                self._direct,
                lambda: self._emit("jmp", k=target),
                lambda: self._emit("call", k=target),
            )
        )()

    def _branch(self) -> None:
        name, at = self._random.choice(("brbs", "brbc")), len(self.words)
        self.words.append(0)
        count = self._filler(self._random.choice((3, 63)))
        self.words[at] = FORMS[name].word(k=count, s=self._random.randrange(8))

    def _jump(self) -> None:
        name, at = self._random.choice(("rjmp", "rcall")), len(self.words)
        self.words.append(0)
        self.words[at] = FORMS[name].word(k=self._filler(20))

    def _back(self) -> None:
        """Over a piece that ends by jumping out, then back into it."""
        at = len(self.words)
        self.words.append(0)
        inner = self._filler(20)
        out = len(self.words)
        self.words.append(0)
        self.words[at] = FORMS["rjmp"].word(k=inner + 1)
        if self._random.random() < 0.5:
            self._emit(self._random.choice(("rjmp", "rcall")), k=-inner - 2)
            self.words[out] = FORMS["rjmp"].word(k=1)
        else:
            bit = self._random.randrange(8)
            self._emit("bset", s=bit)
            self._emit("brbs", k=-inner - 3, s=bit)
            self.words[out] = FORMS["rjmp"].word(k=2)

    def _indirect_jump(self) -> None:
        self._load_pair(30, len(self.words) + 3)
        self._emit(self._random.choice(("ijmp", "icall")))

    def _far(self) -> None:
        name, at = self._random.choice(("jmp", "call")), len(self.words)
        self._emit(name, k=0)
        self._filler(9)
        self.words[at + 1] = len(self.words)

    def _return(self) -> None:
        target = len(self.words) + 5
        for octet in (target, target >> 8):
            self._load(16, octet)
            self._emit("push", d=16)
        self._emit(self._random.choice(("ret", "reti")))

    def _stack(self) -> None:
        self._emit(self._random.choice(("push", "pop")))

    def _set_stack(self) -> None:
        self._load_pair(16, self._random.randrange(0x1000, 0x2000))
        self._emit("out", a=SPH - 0x20, d=17)
        self._emit("out", a=SPL - 0x20, d=16)

    def _extended(self) -> None:
        """RAMPZ, then ELPM Z+; in one case of four across the border of the two halves."""
        border = self._random.random() < 0.25
        self._load(16, 0 if border else self._random.randrange(2))
        self._emit("out", a=RAMPZ - 0x20, d=16)
        self._load_pair(30, 0xFFFF if border else self._random.randrange(0xFFFF))
        self._emit("elpm_z+")
