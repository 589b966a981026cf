# SPDX-License-Identifier: BSD-3-Clause
"""Where mspdebug 0.22 cannot be the judge: instructions after which it and the chip (or our core)
differ on purpose.

Each rule is a function of the state before one instruction. `DEVIATIONS` in
test_against_mspdebug.py holds an example of each and checks what both machines do, so that a rule
that is no longer needed is noticed.
"""

from tests.motes.cpu_msp430.state import PC, R3, SP, SR, Registers, Step

_DADD, _CMP, _BIT, _MOV = 10, 9, 11, 4
# MOV, ADD, ADDC, SUBC, SUB, DADD, BIS, XOR can set reserved bits of SR; BIC and AND cannot.
_MAY_SET_BITS = {4, 5, 6, 7, 8, 10, 13, 14}


def excluded(step: Step) -> bool:
    """Whether this instruction must not be compared."""
    word, registers = step.words[0], step.registers
    if registers[PC] > 0xFFF8:
        return True  # its words may wrap around to the peripheral space
    if word >> 12 >= 4:
        return _format_i(step)
    if word >> 12 == 1:
        return _format_ii(step)
    return False


def _is_constant(mode: int, number: int) -> bool:
    return (number == R3 and mode > 0) or (number == SR and mode > 1)


def _address(mode: int, number: int, index: int, registers: Registers, pc: int) -> int | None:
    """The address of an operand in memory; `pc` is that of its index."""
    if mode == 0 or _is_constant(mode, number) or (mode == 3 and number == PC):
        return None
    base = {PC: pc, SR: 0 if mode == 1 else registers[SR]}.get(number, registers[number])
    return (base + (index if mode == 1 else 0)) & 0xFFFF


def _format_i(step: Step) -> bool:
    word, registers = step.words[0], step.registers
    opcode, src, dst = word >> 12, word >> 8 & 15, word & 15
    mode, byte, to_memory = word >> 4 & 3, bool(word & 0x40), bool(word & 0x80)
    src_address = _address(mode, src, step.words[1], registers, registers[PC] + 2)
    if _stack_byte_increment(mode, src, byte) or _odd_word(src_address, byte):
        return True
    src_has_word = (mode == 1 and src != R3) or (mode == 3 and src == PC)
    if to_memory:
        # mspdebug does not fetch the index of x(R3) as a destination.
        if dst == R3:
            return True
        after = list(registers)
        if mode == 3 and src_address is not None:
            after[src] += 1 if byte and src != SP else 2
        index = step.words[2 if src_has_word else 1]
        dst_address = _address(
            1, dst, index, tuple(after), registers[PC] + (4 if src_has_word else 2)
        )
        return opcode == _DADD or (opcode != _MOV and _odd_word(dst_address, byte))
    if opcode == _DADD and not _decimal_registers(mode, src, dst, step, byte):
        return True
    if opcode in (_CMP, _BIT):
        return False
    # mspdebug keeps bit 0 of SP and the reserved bits of SR.
    return dst == SP or (dst == SR and not byte and opcode in _MAY_SET_BITS)


def _format_ii(step: Step) -> bool:
    word, registers = step.words[0], step.registers
    operation, byte, mode, number = word >> 7 & 7, bool(word & 0x40), word >> 4 & 3, word & 15
    push, call, reti = 4, 5, 6
    if operation == reti:
        return True  # it would load SR with any bits
    address = _address(mode, number, step.words[1], registers, registers[PC] + 2)
    if _stack_byte_increment(mode, number, byte) or _odd_word(address, byte):
        return True
    if operation in (push, call):
        # mspdebug forms the operand from the SP before the decrement, and clears the high octet
        # after PUSH.B.
        return byte or number == SP
    # As above for SP and SR; the modifiers of SR can all set reserved bits.
    return operation < push and mode == 0 and number in (SP, SR)


def _stack_byte_increment(mode: int, number: int, byte: bool) -> bool:
    """`@SP+` of a byte instruction: mspdebug adds 1, the chip 2."""
    return byte and mode == 3 and number == SP


def _odd_word(address: int | None, byte: bool) -> bool:
    """A word read at an odd address: mspdebug reads across two words, the chip clears bit 0."""
    return address is not None and not byte and address % 2 == 1


def _decimal_registers(mode: int, src: int, dst: int, step: Step, byte: bool) -> bool:
    """Whether DADD has operands that are known here, and valid: mspdebug's sums of other digits
    make no sense."""
    if _is_constant(mode, src):
        value = 8 if (mode, src) != (3, R3) else 0xF
    elif mode == 3 and src == PC:
        value = step.words[1]
    elif mode == 0:
        # As a source, PC is two ahead of the instruction.
        value = step.registers[src] + (2 if src == PC else 0)
    else:
        return False
    operands = value, step.registers[dst]
    digits = range(2 if byte else 4)
    return dst != PC and all(
        operand >> 4 * digit & 15 < 10 for operand in operands for digit in digits
    )
