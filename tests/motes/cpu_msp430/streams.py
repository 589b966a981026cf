# SPDX-License-Identifier: BSD-3-Clause
"""Random programs that stay inside their data, their stack and what both simulators define alike.

The builder knows the value of four pointer registers and of SP at every point, so every access has
a known address: word accesses are even, nothing leaves its region. What a stream avoids, and why,
is listed in `exclusions.py`.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.motes.bare_run import Stream
from tests.motes.cpu_msp430 import encoding
from tests.motes.cpu_msp430.encoding import FORMAT_I, Kind, Operand, constant, immediate, register
from tests.motes.cpu_msp430.state import (
    CPUOFF,
    MEMORY_LENGTH,
    MEMORY_START,
    PC,
    R3,
    SP,
    SR,
    Registers,
)

DATA_START, DATA_END = 0x0400, 0x1800
STACK_START, STACK_END = 0x2000, 0x3000
CODE_START, CODE_END = 0x4000, 0xFE00
STACK_MIDDLE = (STACK_START + STACK_END) // 2

SR_BITS = 0x1FF & ~CPUOFF

Row = tuple[str, bool, Kind, Kind | None]


@dataclass(frozen=True, slots=True)
class Batch:
    """Streams in one memory image, to be run one after the other on the same memory."""

    image: bytes
    streams: list[Stream]
    rows: Counter[Row]


@dataclass
class Builder:
    """Emits random instructions from address `at` on."""

    rng: random.Random
    at: int
    rows: Counter[Row]
    words: list[int] = field(default_factory=list)
    # Known values. While `frozen` (code that may be skipped or repeated) nothing changes them.
    pointers: dict[int, int] = field(default_factory=dict)
    sp: int = STACK_MIDDLE
    frozen: bool = False
    # Registers with any value; a loop takes its counter out.
    free: list[int] = field(default_factory=list)

    def begin(self) -> Registers:
        """Chooses the registers' roles and first values."""
        general = self.rng.sample(range(4, 16), 12)
        self.pointers = {number: self.data_addr(word=False) for number in general[:4]}
        self.free = general[4:]
        registers = [self.rng.getrandbits(16) for _ in range(16)]
        registers[PC], registers[SP], registers[R3] = self.at, self.sp, 0
        registers[SR] = self.rng.getrandbits(9) & SR_BITS
        for number, value in self.pointers.items():
            registers[number] = value
        return tuple(registers)

    # -- addresses and operands

    def data_addr(self, word: bool) -> int:
        """An address in the data region, even for words."""
        addr = self.rng.randrange(DATA_START, DATA_END - 2)
        return addr & ~1 if word else addr

    def pointers_for(self, word: bool) -> list[int]:
        """The registers that may be dereferenced as they are; SP too unless a return address may be
        on top."""
        usable = [number for number, value in self.pointers.items() if not (word and value & 1)]
        return usable if self.frozen else [*usable, SP]

    def indexed(self, word: bool) -> Operand:
        """x(Rn) into the data, or x(SP) into the stack."""
        if not self.frozen and self.rng.random() < 0.2:
            return Operand(Kind.INDEXED, SP, self.rng.randrange(-64, 64, 2 if word else 1))
        number = self.rng.choice(list(self.pointers))
        return Operand(Kind.INDEXED, number, self.data_addr(word) - self.pointers[number])

    def memory(self, word: bool) -> Operand:
        """An operand in memory that the destination can be."""
        kind = self.rng.choice((Kind.INDEXED, Kind.SYMBOLIC, Kind.ABSOLUTE))
        return (
            self.indexed(word)
            if kind is Kind.INDEXED
            else Operand(kind, value=self.data_addr(word))
        )

    def indirect(self, word: bool) -> Operand:
        """@Rn or, where values may change, @Rn+; any memory if no pointer is even."""
        usable = self.pointers_for(word)
        if not usable:
            return self.memory(word)
        number = self.rng.choice(usable)
        if self.frozen or self.rng.random() < 0.4 or (number == SP and not word):
            return Operand(Kind.INDIRECT, number)
        return Operand(Kind.AUTOINCREMENT, number)

    def source(self, word: bool) -> Operand:
        """Any source operand."""
        pick = self.rng.randrange(10)
        if pick < 2:
            return register(self.rng.choice([*range(16), *self.free]))
        if pick == 2:
            return constant(self.rng.choice(list(encoding.CONSTANTS)))
        if pick < 5:
            corner = self.rng.choice((0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF))
            return immediate(corner if self.rng.random() < 0.3 else self.rng.getrandbits(16))
        return self.memory(word) if pick < 7 else self.indirect(word)

    def account(self, operand: Operand, word: bool) -> None:
        """Follows an autoincrement; keeps SP in the middle of its region."""
        if operand.kind is Kind.AUTOINCREMENT and operand.register == SP:
            self.sp += 2
        elif operand.kind is Kind.AUTOINCREMENT:
            self.pointers[operand.register] += 2 if word else 1

    def not_by_sp(self, operand: Operand) -> Operand:
        """Returns the operand, or an operand in memory if it involves SP. mspdebug forms the operands
        of PUSH and CALL from the SP before the decrement, the chip after it (test_directed.py)."""
        if operand.register != SP:
            return operand
        return Operand(Kind.ABSOLUTE, value=self.data_addr(word=True))

    # -- instructions

    def emit(self, words: list[int]) -> None:
        """Appends words."""
        self.words += words
        self.at += 2 * len(words)

    def two(self, name: str, src: Operand, dst: Operand, byte: bool = False) -> None:
        """A format-I instruction, counted."""
        self.rows[name, byte, src.kind, dst.kind] += 1
        self.emit(encoding.two(self.at, name, src, dst, byte))

    def one(self, name: str, operand: Operand, byte: bool = False) -> None:
        """A format-II instruction, counted."""
        self.rows[name, byte, operand.kind, None] += 1
        self.emit(encoding.one(self.at, name, operand, byte))

    def double_operand(self) -> None:
        """Any opcode but DADD, from anywhere to a free register or memory."""
        name = self.rng.choice([name for name in FORMAT_I if name != "DADD"])
        byte = self.rng.random() < 0.4
        src = self.source(not byte)
        self.account(src, not byte)
        if self.rng.random() < 0.5:
            dst = self.memory(not byte)
        elif name in ("CMP", "BIT"):
            dst = register(self.rng.randrange(16))
        else:
            dst = register(self.rng.choice([*self.free, R3]))
        self.two(name, src, dst, byte)

    def status(self) -> None:
        """Writes SR without CPUOFF and reserved bits."""
        name, src = self.rng.choice(
            (
                ("MOV", immediate(self.rng.getrandbits(9) & SR_BITS)),
                ("BIS", constant(self.rng.choice((0, 1, 2, 4, 8)))),
                ("XOR", constant(self.rng.choice((0, 1, 2, 4, 8)))),
                ("BIC", register(self.rng.choice(self.free))),
                ("AND", register(self.rng.choice(self.free))),
            )
        )
        self.two(name, src, register(SR))

    def decimal(self) -> None:
        """DADD of valid digits, to a register or memory."""
        byte = self.rng.random() < 0.4
        dst = (
            register(self.rng.choice(self.free))
            if self.rng.random() < 0.5
            else self.memory(word=not byte)
        )
        helper = register(self.rng.choice([n for n in self.free if n != dst.register]))
        self.two("MOV", immediate(self.bcd()), dst, byte)
        for _ in range(self.rng.randrange(1, 4)):
            self.two("MOV", immediate(self.bcd()), helper)
            src = self.rng.choice(
                (helper, immediate(self.bcd()), constant(self.rng.choice((0, 1, 2, 4, 8))))
            )
            self.two("DADD", src, dst, byte)

    def bcd(self) -> int:
        """Four decimal digits."""
        return int(f"{self.rng.randrange(10_000):04d}", 16)

    def modify(self) -> None:
        """RRC, RRA, SWPB or SXT of a free register or memory."""
        name = self.rng.choice(encoding.MODIFIERS)
        byte = name in ("RRC", "RRA") and self.rng.random() < 0.4
        pick = self.rng.randrange(3)
        if pick == 0:
            operand = register(self.rng.choice([*self.free, R3]))
        else:
            operand = self.memory(not byte) if pick == 1 else self.indirect(not byte)
        self.account(operand, not byte)
        self.one(name, operand, byte)

    def push(self) -> None:
        """PUSH of any word whose operand does not involve SP."""
        operand = self.not_by_sp(self.source(word=True))
        self.account(operand, word=True)
        self.one("PUSH", operand)
        self.sp -= 2

    def repoint(self) -> None:
        """Gives a pointer a new value."""
        number = self.rng.choice(list(self.pointers))
        self.pointers[number] = self.data_addr(word=self.rng.random() < 0.7)
        self.two("MOV", immediate(self.pointers[number]), register(number))

    def restack(self) -> None:
        """Moves SP back to the middle, by MOV, ADD or SUB."""
        distance = STACK_MIDDLE - self.sp
        name, value = self.rng.choice(
            (("MOV", STACK_MIDDLE), ("ADD", distance), ("SUB", -distance))
        )
        self.two(name, immediate(value), register(SP))
        self.sp = STACK_MIDDLE

    # -- control flow

    def straight(self) -> None:
        """One instruction, or a few, without control flow."""
        safe: list[tuple[int, Callable[[], None]]] = [
            (70, self.double_operand),
            (10, self.modify),
            (6, self.decimal),
        ]
        moving = [(8, self.push), (4, self.repoint), (3, self.status)]
        table = safe if self.frozen else safe + moving
        weights, actions = zip(*table, strict=True)
        self.rng.choices(actions, weights)[0]()
        if not self.frozen and abs(self.sp - STACK_MIDDLE) > 512:
            self.restack()

    def frozen_body(self, instructions: int) -> list[int]:
        """Words of instructions that change no known value; emits nothing."""
        outer_words, outer_frozen, self.words, self.frozen = self.words, self.frozen, [], True
        for _ in range(instructions):
            self.straight()
        body, self.words, self.frozen = self.words, outer_words, outer_frozen
        self.at -= 2 * len(body)
        return body

    def skip(self) -> None:
        """A conditional jump over a few instructions. (Symbolic operands in it count from their
        place.)"""
        self.at += 2
        body = self.frozen_body(self.rng.randrange(1, 4))
        self.at -= 2
        self.emit([encoding.jump(self.rng.choice(encoding.JUMPS), len(body)), *body])

    def loop(self) -> None:
        """A few turns of a loop that ends with a conditional jump back."""
        counter = self.free.pop(self.rng.randrange(len(self.free)))
        self.two("MOV", immediate(self.rng.randrange(1, 5)), register(counter))
        body = self.frozen_body(self.rng.randrange(1, 5))
        self.emit(body)
        self.two("SUB", constant(1), register(counter))
        self.emit([encoding.jump("JNE", -(len(body) + 2))])
        self.free.append(counter)

    def target_operand(self, size_in_words: int, name: str) -> None:
        """CALL or BR to just behind itself, the address taken from a register, memory, an immediate
        or, for BR, the stack."""
        pick = self.rng.randrange(5)
        number = self.rng.choice(self.free)
        if pick == 4:
            self.one_or_branch(name, immediate(self.at + 2 * size_in_words))
            return
        operand = [
            register(number),
            self.memory(word=True),
            self.indirect(word=True),
            self.indexed(word=True),
        ][pick]
        if name == "CALL":
            operand = self.not_by_sp(operand)
        into = operand
        if operand.kind in (Kind.INDIRECT, Kind.AUTOINCREMENT):
            into = Operand(Kind.INDEXED, operand.register, 0)
        length = 1 + len(operand.fields(0)[2])
        move = 2 + len(into.fields(0)[2])
        self.two("MOV", immediate(self.at + 2 * (move + length)), into)
        self.account(operand, word=True)
        self.one_or_branch(name, operand)

    def one_or_branch(self, name: str, operand: Operand) -> None:
        """CALL, or MOV to the PC."""
        if name == "CALL":
            self.one(name, operand)
            self.sp -= 2
        else:
            self.two("MOV", operand, register(PC))

    def transfer(self) -> None:
        """A call, a branch, an addition to the PC, an idle operation on it, or RETI."""
        pick = self.rng.randrange(5)
        if pick == 0:
            self.target_operand(2, "CALL")
        elif pick == 1:
            self.target_operand(2, "BR")
        elif pick == 2:
            junk = [self.rng.getrandbits(16) for _ in range(self.rng.randrange(1, 5))]
            self.two("ADD", immediate(2 * len(junk)), register(PC))
            self.emit(junk)
        elif pick == 3:
            name, value = self.rng.choice(
                (("AND", -1), ("BIS", 0), ("BIC", 0), ("XOR", 0), ("ADD", 0), ("SUB", 0))
            )
            self.two(name, constant(value), register(PC))
        else:
            self.one("PUSH", immediate(self.at + 12))
            self.one("PUSH", immediate(self.rng.getrandbits(9) & SR_BITS))
            self.emit([encoding.RETI, self.rng.getrandbits(16)])

    def subroutine(self) -> None:
        """A call of a subroutine that stands behind it and returns."""
        self.at += 6
        body = self.frozen_body(self.rng.randrange(1, 4))
        self.at -= 6
        self.one("CALL", immediate(self.at + 6))
        self.emit([encoding.jump("JMP", len(body) + 1), *body])
        self.two("MOV", Operand(Kind.AUTOINCREMENT, SP), register(PC))

    def item(self) -> None:
        """The next piece of the program."""
        pick = self.rng.random()
        if pick < 0.80:
            self.straight()
        else:
            self.rng.choice((self.skip, self.loop, self.transfer, self.transfer, self.subroutine))()


def batch(seed: int, items: int = 60, streams: int | None = None) -> Batch:
    """As many streams as fit into the code region (or `streams`), in memory that is random
    elsewhere."""
    rng = random.Random(seed)
    image = bytearray(rng.randbytes(MEMORY_LENGTH))
    rows: Counter[Row] = Counter()
    built: list[Stream] = []
    at = CODE_START
    while streams is None or len(built) < streams:
        builder = Builder(rng, at, rows)
        registers = builder.begin()
        for _ in range(items):
            builder.item()
        if builder.at > CODE_END:
            break
        offset = at - MEMORY_START
        image[offset : offset + 2 * len(builder.words)] = encoding.octets(builder.words)
        built.append(Stream(at, builder.at, registers))
        at = builder.at + 2
    return Batch(bytes(image), built, rows)
