//! Arithmetic and flags, pure: operands and status register in, result and status register out.
//!
//! `BYTE` is the B/W bit. Operands of byte instructions have a clear high octet, and so has every
//! result. Flags follow the instruction descriptions of SLAU049.

use crate::status::{SR_C, SR_N, SR_V, SR_Z};

const FLAGS: u16 = SR_C | SR_Z | SR_N | SR_V;

/// All ones of the operand width.
pub(crate) const fn mask<const BYTE: bool>() -> u16 {
    if BYTE { 0x00ff } else { 0xffff }
}

/// Bit number of the sign.
const fn sign<const BYTE: bool>() -> u32 {
    if BYTE { 7 } else { 15 }
}

/// Puts N and Z of `result`, and the given C and V (each 0 or 1), into `sr`.
#[inline(always)]
fn flags<const BYTE: bool>(sr: u16, result: u16, carry: u16, overflow: u16) -> u16 {
    let negative = result >> sign::<BYTE>() & 1;
    (sr & !FLAGS) | carry | u16::from(result == 0) << 1 | negative << 2 | overflow << 8
}

/// `dst + src + carry`: ADD, ADDC and, with the source inverted, SUB, SUBC, CMP.
#[inline(always)]
pub(crate) fn add<const BYTE: bool>(src: u16, dst: u16, carry: u16, sr: u16) -> (u16, u16) {
    let sum = u32::from(src) + u32::from(dst) + u32::from(carry);
    let result = sum as u16 & mask::<BYTE>();
    let carry = (sum >> (sign::<BYTE>() + 1)) as u16 & 1;
    let overflow = ((src ^ result) & (dst ^ result)) >> sign::<BYTE>() & 1;
    (result, flags::<BYTE>(sr, result, carry, overflow))
}

/// `dst + not src + carry`.
#[inline(always)]
pub(crate) fn subtract<const BYTE: bool>(src: u16, dst: u16, carry: u16, sr: u16) -> (u16, u16) {
    add::<BYTE>(src ^ mask::<BYTE>(), dst, carry, sr)
}

/// Decimal `dst + src + C`, one digit at a time. V is undefined in the guide; here it is cleared. A
/// digit above 9 is no BCD: its sum is corrected like any other and carries at most 1.
pub(crate) fn add_decimal<const BYTE: bool>(src: u16, dst: u16, sr: u16) -> (u16, u16) {
    let digits = if BYTE { 2 } else { 4 };
    let mut carry = sr & SR_C;
    let mut result = 0;
    for digit in 0..digits {
        let shift = 4 * digit;
        let sum = (src >> shift & 0xf) + (dst >> shift & 0xf) + carry;
        carry = u16::from(sum > 9);
        result |= ((sum + 6 * carry) & 0xf) << shift;
    }
    (result, flags::<BYTE>(sr, result, carry, 0))
}

/// AND and BIT: C is the inverse of Z, V is cleared.
#[inline(always)]
pub(crate) fn and<const BYTE: bool>(src: u16, dst: u16, sr: u16) -> (u16, u16) {
    let result = src & dst;
    (result, flags::<BYTE>(sr, result, u16::from(result != 0), 0))
}

/// XOR: C is the inverse of Z, V is set if both operands were negative.
#[inline(always)]
pub(crate) fn xor<const BYTE: bool>(src: u16, dst: u16, sr: u16) -> (u16, u16) {
    let result = src ^ dst;
    let overflow = (src & dst) >> sign::<BYTE>() & 1;
    (
        result,
        flags::<BYTE>(sr, result, u16::from(result != 0), overflow),
    )
}

/// Rotate right through carry: C enters at the top. V is cleared.
#[inline(always)]
pub(crate) fn rotate_through_carry<const BYTE: bool>(value: u16, sr: u16) -> (u16, u16) {
    let result = value >> 1 | (sr & SR_C) << sign::<BYTE>();
    (result, flags::<BYTE>(sr, result, value & 1, 0))
}

/// Rotate right arithmetically: the sign stays. V is cleared.
#[inline(always)]
pub(crate) fn rotate_arithmetic<const BYTE: bool>(value: u16, sr: u16) -> (u16, u16) {
    let result = value >> 1 | (value & 1 << sign::<BYTE>());
    (result, flags::<BYTE>(sr, result, value & 1, 0))
}

/// Sign extension of the low octet: C is the inverse of Z, V is cleared.
#[inline(always)]
pub(crate) fn sign_extend(value: u16, sr: u16) -> (u16, u16) {
    let result = value as u8 as i8 as u16;
    (
        result,
        flags::<false>(sr, result, u16::from(result != 0), 0),
    )
}

/// Exchange of the two octets; no flag changes.
#[inline(always)]
pub(crate) fn swap(value: u16, sr: u16) -> (u16, u16) {
    (value.swap_bytes(), sr)
}
