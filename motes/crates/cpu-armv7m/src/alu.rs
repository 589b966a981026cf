//! Flags, shifts and sums.

use crate::op::{F_CARRY, F_CARRY_DEFINED, F_SET, Shift};

/// N, Z, C and V, as they are quickest to set.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    /// N is its bit 31.
    pub n: u32,
    /// Z is set when this is 0.
    pub z: u32,
    /// C.
    pub c: bool,
    /// V is its bit 31.
    pub v: u32,
}

impl Flags {
    /// From bits 31:28 of a PSR.
    pub const fn from_psr(psr: u32) -> Flags {
        Flags {
            n: psr,
            z: !psr & 1 << 30,
            c: psr >> 29 & 1 != 0,
            v: psr << 3,
        }
    }

    /// As bits 31:28 of a PSR.
    pub const fn psr(self) -> u32 {
        self.n & 1 << 31
            | ((self.z == 0) as u32) << 30
            | (self.c as u32) << 29
            | self.v >> 3 & 1 << 28
    }

    /// N and Z of a result.
    #[inline(always)]
    pub fn nz(&mut self, result: u32) {
        self.n = result;
        self.z = result;
    }

    /// The flags of a logic operation with an immediate.
    #[inline(always)]
    pub fn logic_immediate(&mut self, result: u32, f: u8) -> u32 {
        if f & F_SET != 0 {
            self.nz(result);
            if f & F_CARRY_DEFINED != 0 {
                self.c = f & F_CARRY != 0;
            }
        }
        result
    }

    /// The flags of a logic operation with a register.
    #[inline(always)]
    pub fn logic(&mut self, result: u32, carry: bool, s: bool) -> u32 {
        if s {
            self.nz(result);
            self.c = carry;
        }
        result
    }

    /// N and Z if `s`.
    #[inline(always)]
    pub fn result(&mut self, result: u32, s: bool) -> u32 {
        if s {
            self.nz(result);
        }
        result
    }

    /// AddWithCarry of the manual: a + b + carry. A subtraction adds the complement with carry 1.
    #[inline(always)]
    pub fn add(&mut self, a: u32, b: u32, carry: bool, s: bool) -> u32 {
        let (partial, first) = a.overflowing_add(b);
        let (sum, second) = partial.overflowing_add(u32::from(carry));
        if s {
            self.nz(sum);
            self.c = first | second;
            self.v = (a ^ sum) & (b ^ sum);
        }
        sum
    }

    /// Whether a condition code holds (A7.3).
    #[inline(always)]
    pub const fn holds(self, cond: u8) -> bool {
        let holds = match cond >> 1 {
            0 => self.z == 0,
            1 => self.c,
            2 => self.n >> 31 != 0,
            3 => self.v >> 31 != 0,
            4 => self.c && self.z != 0,
            5 => (self.n ^ self.v) >> 31 == 0,
            6 => (self.n ^ self.v) >> 31 == 0 && self.z != 0,
            _ => return true,
        };
        holds != (cond & 1 != 0)
    }

    /// A register operand with a constant shift, and the carry out of it.
    #[inline(always)]
    pub const fn shift(self, value: u32, shift: Shift, amount: u8) -> (u32, bool) {
        let amount = amount as u32;
        match shift {
            Shift::Lsl if amount == 0 => (value, self.c),
            Shift::Lsl => (
                value << (amount & 31),
                value >> ((32 - amount) & 31) & 1 != 0,
            ),
            Shift::Lsr => (
                ((value as u64) >> amount) as u32,
                (value as u64) >> ((amount - 1) & 63) & 1 != 0,
            ),
            Shift::Asr => (
                ((value as i32 as i64) >> amount) as u32,
                (value as i64) >> ((amount - 1) & 63) & 1 != 0,
            ),
            Shift::Ror => (
                value.rotate_right(amount),
                value >> (amount.wrapping_sub(1) & 31) & 1 != 0,
            ),
            Shift::Rrx => ((self.c as u32) << 31 | value >> 1, value & 1 != 0),
        }
    }

    /// A shift by the low octet of a register, and its carry: amounts are 0–255.
    pub const fn shift_by_register(self, value: u32, shift: Shift, amount: u32) -> (u32, bool) {
        let amount = amount & 0xff;
        if amount == 0 {
            return (value, self.c);
        }
        let limited = if amount > 33 { 33 } else { amount };
        match shift {
            Shift::Lsl => {
                let wide = (value as u64) << limited;
                (wide as u32, wide >> 32 & 1 != 0)
            }
            Shift::Lsr => {
                let wide = (value as u64) << 1 >> limited;
                ((value as u64 >> limited) as u32, wide & 1 != 0)
            }
            Shift::Asr => {
                let signed = value as i32 as i64;
                ((signed >> limited) as u32, signed >> (limited - 1) & 1 != 0)
            }
            Shift::Ror | Shift::Rrx => {
                let rotated = value.rotate_right(amount & 31);
                (rotated, rotated >> 31 != 0)
            }
        }
    }
}

/// Signed saturation to `bits` bits, and whether it changed the value.
pub fn saturate_signed(value: i32, bits: u8) -> (u32, bool) {
    let most = (1_i64 << (bits - 1)) - 1;
    let result = i64::from(value).clamp(-most - 1, most);
    (result as u32, result != i64::from(value))
}

/// Unsigned saturation of a signed value to `bits` bits, and whether it changed the value.
pub fn saturate_unsigned(value: i32, bits: u8) -> (u32, bool) {
    let result = i64::from(value).clamp(0, (1_i64 << bits) - 1);
    (result as u32, result != i64::from(value))
}

/// A mask of `width` bits from bit `lsb`; `lsb + width` is at most 32.
#[inline(always)]
pub const fn field(lsb: u8, width: u8) -> u32 {
    (((1_u64 << width) - 1) as u32) << lsb
}
