# SPDX-License-Identifier: BSD-3-Clause
"""Random programs: straight code of all forms, IT blocks, forward branches of every kind, and
exclusive accesses.

All accesses stay in RAM around the pointers (see `forms.py`), which are set anew now and then
because base updates move them.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from tests.motes.bare_run import Stream
from tests.motes.cpu_armv7m.emulators import (
    FLAGS,
    LR,
    NZCVQ,
    PC,
    RAM_LENGTH,
    RAM_START,
    SP,
)
from tests.motes.cpu_armv7m.forms import (
    DESTINATIONS,
    INDEX,
    LOW_DESTINATIONS,
    WRITABLE,
    Form,
    compile_forms,
)

# Literals reach 4 KiB before and after the code.
FIRST_STREAM = 0x2000
MIDDLE = RAM_START + RAM_LENGTH // 2
# Items between two settings of the pointers: the largest base update is 1020 octets.
RENEWAL = 150


@dataclass(frozen=True, slots=True)
class Batch:
    """Streams in one image, to be run one after the other on the same memory."""

    image: bytes
    streams: list[Stream]
    names: Counter[str]


@dataclass
class Builder:
    """Emits random instructions of a core as halfwords from address 0 on."""

    rng: random.Random
    core: str = "armv7m"
    halves: list[int] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.forms = compile_forms(self.rng, self.core)

    @property
    def here(self) -> int:
        """Address of the next instruction."""
        return 2 * len(self.halves)

    def narrow(self, name: str, word: int) -> None:
        """A 16-bit instruction."""
        self.names[name] += 1
        self.halves.append(word)

    def wide(self, name: str, word: int) -> None:
        """A 32-bit instruction, first halfword high."""
        self.names[name] += 1
        self.halves += [word >> 16, word & 0xFFFF]

    def form(self, form: Form) -> None:
        """An instruction of this form."""
        (self.wide if form.wide else self.narrow)(form.name, form.encode())

    def plain(self) -> None:
        """An instruction of any form."""
        self.form(self.rng.choice(self.forms))

    def constant(self, register: int, value: int) -> None:
        """MOVW and MOVT."""
        for name, opcode, half in (
            ("MOVW", 0xF240_0000, value & 0xFFFF),
            ("MOVT", 0xF2C0_0000, value >> 16),
        ):
            fields = (
                (half >> 12) << 16 | (half >> 11 & 1) << 26 | (half >> 8 & 7) << 12 | half & 0xFF
            )
            self.wide(name, opcode | fields | register << 8)

    def pointers(self) -> None:
        """Sets the pointers, the index and SP (which MOV from R0 reaches)."""
        self.constant(6, MIDDLE + 4 * self.rng.randrange(1024))
        self.constant(10, MIDDLE + 4 * self.rng.randrange(1024))
        self.constant(WRITABLE, MIDDLE + self.rng.randrange(4096))
        self.constant(INDEX, self.rng.randrange(256))
        self.constant(0, MIDDLE + 4 * self.rng.randrange(1024))
        self.narrow("MOV-sp", 0x4685)

    # -- branches over a few instructions

    def skip(self, place: Callable[[int], None], reserve: int) -> None:
        """Reserves halfwords, emits what is jumped over, then lets `place` write the jump to
        here."""
        at = self.here
        self.halves += [0] * reserve
        for _ in range(self.rng.randrange(1, 5)):
            self.plain()
        target, rest = self.here, self.halves[at // 2 + reserve :]
        del self.halves[at // 2 :]
        place(target - at)
        self.halves += rest

    def conditional(self) -> None:
        """B<c>, short."""
        cond = self.rng.randrange(14)
        self.skip(lambda distance: self.narrow("B<c>", 0xD000 | cond << 8 | (distance - 4) // 2), 1)

    def conditional_wide(self) -> None:
        """B<c>.W."""
        cond = self.rng.randrange(14)
        self.skip(
            lambda distance: self.wide("B<c>.W", 0xF000_8000 | cond << 22 | (distance - 4) // 2), 2
        )

    def always(self) -> None:
        """B, B.W, BL."""
        match self.rng.randrange(3):
            case 0:
                self.skip(lambda distance: self.narrow("B", 0xE000 | (distance - 4) // 2), 1)
            case 1:
                self.skip(lambda distance: self.wide("B.W", 0xF000_B800 | (distance - 4) // 2), 2)
            case _:
                self.skip(lambda distance: self.wide("BL", 0xF000_F800 | (distance - 4) // 2), 2)

    def compare_and_branch(self) -> None:
        """CBZ, CBNZ."""
        nonzero, register = self.rng.getrandbits(1), self.rng.choice(LOW_DESTINATIONS)

        def place(distance: int) -> None:
            half = (distance - 4) // 2
            self.narrow(
                "CBZ", 0xB100 | nonzero << 11 | (half >> 5) << 9 | (half & 31) << 3 | register
            )

        self.skip(place, 1)

    def by_register(self) -> None:
        """BX, BLX and MOV PC to an address made by MOVW and MOVT; ADD PC; LDR PC from a literal;
        POP with PC."""
        register = self.rng.choice((8, 9, 12))
        way = self.rng.randrange(3)
        name, jump, thumb = (("BX", 0x4700, 1), ("BLX", 0x4780, 1), ("MOV-pc", 0x4687, 0))[way]

        def place(distance: int) -> None:
            self.constant(register, self.here + distance | thumb)
            self.narrow(name, jump | register << 3)

        self.skip(place, 5)

    def add_to_pc(self) -> None:
        """ADD PC, Rm."""
        register = self.rng.choice(LOW_DESTINATIONS)

        def place(distance: int) -> None:
            self.narrow("MOV-imm8", 0x2000 | register << 8 | distance - 6)
            self.narrow("ADD-pc", 0x4487 | register << 3)

        self.skip(place, 2)

    def from_memory(self) -> None:
        """POP {.., PC} or LDR PC of an address pushed or stored before."""
        pop = self.rng.getrandbits(1)
        saved = self.rng.choice((0, 1, 2))

        def place(distance: int) -> None:
            self.constant(3, self.here + distance | 1)
            if pop:
                self.narrow("PUSH", 0xB408 | saved)
                self.narrow("POP-pc", 0xBD00 | saved)
            else:
                self.wide("STR.W", 0xF8CA_3000 | 8)
                self.wide("LDR-pc", 0xF8DA_F000 | 8)

        self.skip(place, 6 if pop else 8)

    def table(self) -> None:
        """TBB or TBH through a table behind the instruction."""
        half = self.rng.getrandbits(1)
        index = self.rng.randrange(2)
        register = self.rng.choice(LOW_DESTINATIONS)

        def place(distance: int) -> None:
            entry = (distance - 6) // 2
            self.narrow("MOV-imm8", 0x2000 | register << 8 | index)
            self.wide("TBH" if half else "TBB", 0xE8DF_F000 | half << 4 | register)
            self.halves += [entry, entry] if half else [entry | entry << 8]

        self.skip(place, 5 if half else 4)

    # -- IT blocks and exclusive accesses

    def conditional_plain(self) -> None:
        """An instruction in an IT block. Not ISB: unicorn loses the IT state behind it (see
        test_directed.py)."""
        form = self.rng.choice(self.forms)
        while form.name == "ISB":
            form = self.rng.choice(self.forms)
        self.form(form)

    def it_block(self) -> None:
        """IT and one to four instructions, half of the conditions inverted."""
        count = self.rng.randrange(1, 5)
        cond = self.rng.randrange(14)
        # A one marks the end; above it bit 0 of the condition of each further instruction.
        mask = (self.rng.getrandbits(count - 1) << 1 | 1) << (4 - count) if count > 1 else 8
        self.narrow("IT", 0xBF00 | cond << 4 | mask)
        for _ in range(count - 1):
            self.conditional_plain()
        if self.rng.random() < 0.2:
            # As the last one, a branch over one narrow instruction.
            self.narrow("B", 0xE000)
            self.narrow("NOP", 0xBF00)
        else:
            self.conditional_plain()

    def exclusive(self) -> None:
        """LDREX and STREX of one width at one address, sometimes with CLREX between; then a STREX
        that fails."""
        rt, stored, rd = self.rng.sample(LOW_DESTINATIONS, 3)
        width, base = self.rng.randrange(3), self.rng.choice((6, 10))
        if width == 0:
            offset = self.rng.getrandbits(8)
            load = 0xE850_0F00 | base << 16 | rt << 12 | offset
            store = 0xE840_0000 | base << 16 | stored << 12 | rd << 8 | offset
        else:
            size = (0x40, 0x50)[width - 1]
            load = 0xE8D0_0F0F | base << 16 | rt << 12 | size
            store = 0xE8C0_0F00 | base << 16 | stored << 12 | size | rd
        self.wide(("LDREX", "LDREXB", "LDREXH")[width], load)
        if self.rng.random() < 0.3:
            self.wide("CLREX", 0xF3BF_8F2F)
        self.wide(("STREX", "STREXB", "STREXH")[width], store)
        self.wide(("STREX", "STREXB", "STREXH")[width], store)

    def item(self) -> None:
        """One plain instruction or one of the structures."""
        choice = self.rng.random()
        if choice < 0.80:
            self.plain()
            return
        structures = (
            self.conditional,
            self.conditional_wide,
            self.always,
            self.compare_and_branch,
            self.by_register,
            self.add_to_pc,
            self.from_memory,
            self.table,
            self.it_block,
            self.it_block,
            self.it_block,
            self.exclusive,
        )
        self.rng.choice(structures)()


class SmallBuilder(Builder):
    """Instructions of a Cortex-M0+, which has no MOVW, IT, CBZ and TBB, and aligned accesses
    only."""

    def constant(self, register: int, value: int) -> None:
        """A literal that the program jumps over."""
        if self.here % 4:
            self.narrow("NOP", 0xBF00)
        self.narrow("LDR-lit", 0x4800 | (register & 7) << 8)
        self.narrow("B", 0xE001)
        self.halves += [value & 0xFFFF, value >> 16]

    def pointers(self) -> None:
        """Sets the pointer, the index and SP (which MOV from R0 reaches)."""
        self.constant(6, MIDDLE + 4 * self.rng.randrange(1024))
        self.constant(INDEX, 4 * self.rng.randrange(64))
        self.constant(0, MIDDLE + 4 * self.rng.randrange(1024))
        self.narrow("MOV-sp", 0x4685)

    def always(self) -> None:
        """B, BL."""
        if self.rng.getrandbits(1):
            self.skip(lambda distance: self.narrow("B", 0xE000 | (distance - 4) // 2), 1)
        else:
            self.skip(lambda distance: self.wide("BL", 0xF000_F800 | (distance - 4) // 2), 2)

    def by_register(self) -> None:
        """BX, BLX, MOV PC, and POP with PC, to an address made from the PC."""
        register = self.rng.choice(LOW_DESTINATIONS)
        way = self.rng.randrange(4)
        jumps = [("BX", 0x4700 | register << 3), ("BLX", 0x4780 | register << 3)]
        jumps += [("MOV-pc", 0x4687 | register << 3), ("POP-pc", 0xBD00)]

        def place(distance: int) -> None:
            self.narrow("MOV-from-pc", 0x4678 | register)
            self.narrow("ADD-imm8", 0x3000 | register << 8 | distance - 3)
            if way == 3:
                # The address is pushed as LR.
                self.narrow("MOV-HIGH", 0x4686 | register << 3)
                self.narrow("PUSH", 0xB500)
            self.narrow(*jumps[way])

        self.skip(place, 5 if way == 3 else 3)

    def item(self) -> None:
        """One plain instruction or one of the structures."""
        structures = (self.conditional, self.always, self.by_register, self.add_to_pc)
        if self.rng.random() < 0.85:
            self.plain()
        else:
            self.rng.choice(structures)()


def directed(seed: int, core: str = "armv7m", length: int = 2000) -> Batch:
    """Each form with each value that matters in each of its fields, in streams of this length."""
    rng = random.Random(f"directed {seed}")
    builder = (SmallBuilder if core == "cortex-m0plus" else Builder)(rng, core)
    builder.halves = [rng.getrandbits(16) for _ in range(FIRST_STREAM // 2)]
    words = [(form, word) for form in builder.forms for word in form.directed()]
    rng.shuffle(words)

    def emit(rest: list[tuple[Form, int]]) -> None:
        for number, (form, word) in enumerate(rest):
            if number % RENEWAL == 0:
                builder.pointers()
            (builder.wide if form.wide else builder.narrow)(form.name, word)

    done = [
        stream(builder, rng, core, partial(emit, words[at : at + length]))
        for at in range(0, len(words), length)
    ]
    return finished(builder, rng, done)


def stream(builder: Builder, rng: random.Random, core: str, emit: Callable[[], None]) -> Stream:
    """What `emit` emits as a program with random registers."""
    start = builder.here
    if core == "cortex-m4":
        # unicorn sets GE by an instruction only.
        builder.wide("MSR-GE", 0xF380_8C00)
    emit()
    end = builder.here
    builder.narrow("NOP", 0xBF00)
    state = [rng.getrandbits(32) for _ in range(17)]
    state[SP], state[LR], state[PC] = MIDDLE, rng.getrandbits(32), start
    state[FLAGS] &= NZCVQ
    return Stream(start, end, tuple(state))


def finished(builder: Builder, rng: random.Random, done: list[Stream]) -> Batch:
    """The image of all streams."""
    tail = [rng.getrandbits(16) for _ in range(0x1000)]
    image = b"".join(half.to_bytes(2, "little") for half in builder.halves + tail)
    return Batch(image, done, builder.names)


def batch(seed: int, streams: int = 13, items: int = 1550, core: str = "armv7m") -> Batch:
    """Random programs of a seed."""
    rng = random.Random(seed)
    builder = (SmallBuilder if core == "cortex-m0plus" else Builder)(rng, core)
    builder.halves = [rng.getrandbits(16) for _ in range(FIRST_STREAM // 2)]

    def emit() -> None:
        for number in range(items):
            if number % RENEWAL == 0:
                builder.pointers()
            builder.item()

    return finished(builder, rng, [stream(builder, rng, core, emit) for _ in range(streams)])


assert set(LOW_DESTINATIONS) <= set(DESTINATIONS)
