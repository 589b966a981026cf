//! Results and flags. Every function takes SREG and returns the new SREG; bits that an instruction
//! does not define stay as they are.

use crate::status::{SREG_C, SREG_H, SREG_N, SREG_S, SREG_V, SREG_Z};

/// N, S and Z of each result, where V is clear.
const SIGNS: [u8; 256] = {
    let mut signs = [0; 256];
    let mut result = 0;
    while result < 256 {
        let zero = if result == 0 { SREG_Z } else { 0 };
        signs[result] = zero | if result < 0x80 { 0 } else { SREG_N | SREG_S };
        result += 1;
    }
    signs
};
/// C, H and V of a sum, by the carries into bits 4 to 8. Where V is set, so is S: there it is that of
/// [`SIGNS`] turned over.
const CARRIES: [u8; 32] = {
    let mut flags = [0; 32];
    let mut carries = 0;
    while carries < 32 {
        let half = if carries & 1 != 0 { SREG_H } else { 0 };
        let carry = if carries & 16 != 0 { SREG_C } else { 0 };
        let overflows = (carries ^ carries >> 1) & 8 != 0;
        flags[carries] = half | carry | if overflows { SREG_V | SREG_S } else { 0 };
        carries += 1;
    }
    flags
};

/// N, V, S and Z from a result and V, which is 0 or 1.
#[inline(always)]
fn signs(result: u8, overflow: u8) -> u8 {
    SIGNS[usize::from(result)] ^ (overflow * (SREG_V | SREG_S))
}

const LOGIC: u8 = SREG_S | SREG_V | SREG_N | SREG_Z;
const SHIFT: u8 = LOGIC | SREG_C;
const SUM: u8 = SHIFT | SREG_H;

/// A sum or difference of `a` and `b` with nine bits: eight of result, and the carry or borrow.
#[inline(always)]
fn sum(a: u8, b: u8, wide: u16, sreg: u8) -> (u8, u8) {
    let (result, carries) = (wide as u8, wide ^ u16::from(a ^ b));
    let flags = SIGNS[usize::from(result)] ^ CARRIES[usize::from(carries >> 4 & 31)];
    (result, sreg & !SUM | flags)
}

/// `a + b + carry`.
#[inline(always)]
pub fn add(a: u8, b: u8, carry: u8, sreg: u8) -> (u8, u8) {
    let wide = u16::from(a) + u16::from(b) + u16::from(carry);
    sum(a, b, wide, sreg)
}

/// `a - b - carry`.
#[inline(always)]
pub fn subtract(a: u8, b: u8, carry: u8, sreg: u8) -> (u8, u8) {
    let wide = u16::from(a)
        .wrapping_sub(u16::from(b))
        .wrapping_sub(u16::from(carry));
    sum(a, b, wide, sreg)
}

/// `a - b - C`, where Z stays clear if it was: the high octets of a long subtraction or comparison.
#[inline(always)]
pub fn subtract_with_carry(a: u8, b: u8, sreg: u8) -> (u8, u8) {
    let (result, flags) = subtract(a, b, sreg & SREG_C, sreg);
    (result, flags & (sreg | !SREG_Z))
}

/// Flags of AND, OR, EOR and their result.
#[inline(always)]
pub fn logic(result: u8, sreg: u8) -> u8 {
    sreg & !LOGIC | signs(result, 0)
}

/// COM.
#[inline(always)]
pub fn complement(a: u8, sreg: u8) -> (u8, u8) {
    (!a, logic(!a, sreg) | SREG_C)
}

/// INC.
#[inline(always)]
pub fn increment(a: u8, sreg: u8) -> (u8, u8) {
    let result = a.wrapping_add(1);
    (
        result,
        sreg & !LOGIC | signs(result, u8::from(result == 0x80)),
    )
}

/// DEC.
#[inline(always)]
pub fn decrement(a: u8, sreg: u8) -> (u8, u8) {
    let result = a.wrapping_sub(1);
    (
        result,
        sreg & !LOGIC | signs(result, u8::from(result == 0x7f)),
    )
}

/// ASR, LSR, ROR: `top` (0 or 0x80) becomes bit 7, bit 0 becomes C, and V is N xor C.
#[inline(always)]
pub fn shift_right(a: u8, top: u8, sreg: u8) -> (u8, u8) {
    let result = a >> 1 | top;
    let carry = a & 1;
    (
        result,
        sreg & !SHIFT | signs(result, result >> 7 ^ carry) | carry,
    )
}

/// Flags of ADIW and SBIW: `carry` and `overflow` are 0 or 1.
#[inline(always)]
fn word_flags(result: u16, carry: u16, overflow: u16, sreg: u8) -> u8 {
    let n = (result >> 15) as u8;
    let (c, v) = (carry as u8, overflow as u8);
    sreg & !SHIFT | c | u8::from(result == 0) << 1 | n << 2 | v << 3 | (n ^ v) << 4
}

/// ADIW.
#[inline(always)]
pub fn add_word(a: u16, b: u16, sreg: u8) -> (u16, u8) {
    let result = a.wrapping_add(b);
    (
        result,
        word_flags(result, (a & !result) >> 15, (!a & result) >> 15, sreg),
    )
}

/// SBIW.
#[inline(always)]
pub fn subtract_word(a: u16, b: u16, sreg: u8) -> (u16, u8) {
    let result = a.wrapping_sub(b);
    (
        result,
        word_flags(result, (!a & result) >> 15, (a & !result) >> 15, sreg),
    )
}

/// Product and flags of the MUL family: C is bit 15 of the product, and Z tells whether the stored
/// result is 0. FMUL, FMULS and FMULSU (`fraction`) shift the result left by one.
#[inline(always)]
pub fn multiply(product: u16, fraction: bool, sreg: u8) -> (u16, u8) {
    let result = product << u32::from(fraction);
    let flags = (product >> 15) as u8 | u8::from(result == 0) << 1;
    (result, sreg & !(SREG_C | SREG_Z) | flags)
}
