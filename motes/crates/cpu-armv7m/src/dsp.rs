//! The DSP extension of ARMv7E-M: decoding (ARM DDI0403E, sections A5.3.1, A5.3.3, A5.3.11 to
//! A5.3.16) and what its instructions compute.

use crate::cpu::Cpu;
use crate::decode32::bits;
use crate::op::{Lanes, LongProduct, Op, Product, Rounding};

/// The registers that most of these instructions name: Rn, Rd, Rm, and Ra where Rd is not.
struct Fields {
    n: u8,
    a: u8,
    d: u8,
    m: u8,
}

/// Decodes an instruction of the extension; `None` if it is none.
pub fn decode(first: u16, second: u16) -> Option<Op> {
    let fields = Fields {
        n: bits(first, 0, 4),
        a: bits(second, 12, 4),
        d: bits(second, 8, 4),
        m: bits(second, 0, 4),
    };
    match first >> 4 {
        0xeac => pack(second, &fields),
        0xf32 | 0xf3a => saturate_halves(first, second, &fields),
        0xfa0..=0xfa5 => extend_and_add(first, second, &fields),
        0xfa8..=0xfaf => parallel(first, second, &fields),
        0xfb1..=0xfb7 => product(first, second, &fields),
        0xfbc..=0xfbe => long_product(first, second, &fields),
        _ => None,
    }
}

/// PKHBT, PKHTB.
fn pack(second: u16, f: &Fields) -> Option<Op> {
    let amount = bits(second, 12, 3) << 2 | bits(second, 6, 2);
    if second & 0x8010 != 0 || f.n == 15 || f.d == 15 || f.m == 15 {
        return None;
    }
    let (rd, rn, rm) = (f.d, f.n, f.m);
    Some(if second & 0x20 == 0 {
        Op::Pkhbt { rd, rn, rm, amount }
    } else {
        let amount = if amount == 0 { 32 } else { amount };
        Op::Pkhtb { rd, rn, rm, amount }
    })
}

/// SSAT16, USAT16.
fn saturate_halves(first: u16, second: u16, f: &Fields) -> Option<Op> {
    if second & 0xf0f0 != 0 || f.n == 15 || f.d == 15 {
        return None;
    }
    let (rd, rn) = (f.d, f.n);
    Some(if first & 0x80 == 0 {
        Op::Ssat16 {
            rd,
            rn,
            bits: f.m + 1,
        }
    } else {
        Op::Usat16 { rd, rn, bits: f.m }
    })
}

/// SXTAH, SXTAB, SXTAB16, SXTB16 and the unsigned ones. Those without an addition and with one
/// extension only are in ARMv7-M.
#[rustfmt::skip]
fn extend_and_add(first: u16, second: u16, f: &Fields) -> Option<Op> {
    if f.a != 15 || second & 0xc0 != 0x80 || f.d == 15 || f.m == 15 {
        return None;
    }
    let (rd, rn, rm, rotate) = (f.d, f.n, f.m, bits(second, 4, 2) * 8);
    Some(match bits(first, 4, 3) {
        2 => Op::Sxtab16 { rd, rn, rm, rotate },
        3 => Op::Uxtab16 { rd, rn, rm, rotate },
        _ if rn == 15 => return None,
        0 => Op::Sxtah { rd, rn, rm, rotate },
        1 => Op::Uxtah { rd, rn, rm, rotate },
        4 => Op::Sxtab { rd, rn, rm, rotate },
        _ => Op::Uxtab { rd, rn, rm, rotate },
    })
}

/// Parallel additions and subtractions, QADD and its like, SEL.
#[rustfmt::skip]
fn parallel(first: u16, second: u16, f: &Fields) -> Option<Op> {
    let (rd, rn, rm) = (f.d, f.n, f.m);
    if f.a != 15 || rd == 15 || rn == 15 || rm == 15 {
        return None;
    }
    let opcode = bits(first, 4, 3);
    if second & 0x80 != 0 {
        return match (opcode, bits(second, 4, 3)) {
            (0, how @ 0..=3) => Some(Op::SaturatedSum {
                rd, rn, rm, double: how & 1 != 0, subtract: how & 2 != 0,
            }),
            (2, 0) => Some(Op::Sel { rd, rn, rm }),
            _ => None,
        };
    }
    let lanes = match opcode {
        0 => Lanes::Add8,
        1 => Lanes::Add16,
        2 => Lanes::AddSubtract,
        4 => Lanes::Subtract8,
        5 => Lanes::Subtract16,
        6 => Lanes::SubtractAdd,
        _ => return None,
    };
    let rounding = match bits(second, 4, 2) {
        0 => Rounding::Modulo,
        1 => Rounding::Saturate,
        2 => Rounding::Halve,
        _ => return None,
    };
    Some(Op::Parallel { lanes, rounding, signed: second & 0x40 == 0, rd, rn, rm })
}

/// Multiplications of halves, of two pairs, of the most significant word; sums of differences.
fn product(first: u16, second: u16, f: &Fields) -> Option<Op> {
    if second & 0xc0 != 0 || f.n == 15 || f.d == 15 || f.m == 15 {
        return None;
    }
    let (product, single) = match bits(first, 4, 3) {
        1 => (Product::Halves, false),
        2 => (Product::DualAdd, true),
        3 => (Product::WordByHalf, true),
        4 => (Product::DualSubtract, true),
        5 => (Product::MostSignificant, true),
        // Without an accumulator it is unpredictable.
        6 if f.a != 15 => (Product::MostSignificantSubtract, true),
        7 if second & 0x30 == 0 => (Product::AbsoluteDifferences, true),
        _ => return None,
    };
    if single && second & 0x20 != 0 {
        return None;
    }
    Some(Op::Product {
        product,
        variant: bits(second, 4, 2),
        rd: f.d,
        rn: f.n,
        rm: f.m,
        ra: f.a,
    })
}

/// SMLALxy, SMLALD, SMLSLD, UMAAL.
fn long_product(first: u16, second: u16, f: &Fields) -> Option<Op> {
    let (lo, hi) = (f.a, f.d);
    if f.n == 15 || f.m == 15 || lo == 15 || hi == 15 || lo == hi {
        return None;
    }
    let (product, variant) = match (bits(first, 4, 3), bits(second, 4, 4)) {
        (4, how @ 8..=11) => (LongProduct::Halves, how & 3),
        (4, how @ 12..=13) => (LongProduct::DualAdd, how & 1),
        (5, how @ 12..=13) => (LongProduct::DualSubtract, how & 1),
        (6, 6) => (LongProduct::AccumulateTwice, 0),
        _ => return None,
    };
    Some(Op::LongProduct {
        product,
        variant,
        lo,
        hi,
        rn: f.n,
        rm: f.m,
    })
}

/// A signed half of a register: the upper one if `top`.
const fn half(value: u32, top: bool) -> i64 {
    if top {
        (value as i32 >> 16) as i64
    } else {
        value as i16 as i64
    }
}

/// The products of the lower and of the upper halves; with `exchange`, those of `b` change places.
const fn dual(a: u32, b: u32, exchange: bool) -> (i64, i64) {
    (
        half(a, false) * half(b, exchange),
        half(a, true) * half(b, !exchange),
    )
}

/// Two octets of a rotated register, each in its half, extended by sign or not.
const fn octets(value: u32, rotate: u8, signed: bool) -> [u32; 2] {
    let rotated = value.rotate_right(rotate as u32);
    let (low, high) = (rotated as u8, (rotated >> 16) as u8);
    if signed {
        [low as i8 as u32, high as i8 as u32]
    } else {
        [low as u32, high as u32]
    }
}

/// The sums of two pairs of halves.
const fn halves(a: u32, [low, high]: [u32; 2]) -> u32 {
    a.wrapping_add(low) & 0xffff | (a >> 16).wrapping_add(high) << 16
}

/// The lane of `width` bits with this number.
const fn lane(value: u32, number: u32, width: u32, signed: bool) -> i32 {
    let at_top = value << (32 - width - number * width);
    if signed {
        at_top as i32 >> (32 - width)
    } else {
        (at_top >> (32 - width)) as i32
    }
}

/// What a lane becomes, and whether it sets its GE bits.
fn rounded(sum: i32, rounding: Rounding, signed: bool, width: u32, subtract: bool) -> (u32, bool) {
    let least = if signed { -1 << (width - 1) } else { 0 };
    let most = least + ((1 << width) - 1);
    let carries = if signed || subtract {
        sum >= 0
    } else {
        sum > most
    };
    let result = match rounding {
        Rounding::Modulo => sum,
        Rounding::Saturate => sum.clamp(least, most),
        Rounding::Halve => sum >> 1,
    };
    (result as u32 & ((1 << width) - 1), carries)
}

impl Cpu {
    /// An instruction of the DSP extension; false if it is none.
    #[inline(always)]
    #[rustfmt::skip]
    pub(crate) fn of_the_dsp_extension(&mut self, op: Op) -> bool {
        match op {
            Op::Pkhbt { rd, rn, rm, amount } => self.set(rd, self.r(rn) & 0xffff | self.r(rm) << amount & 0xffff_0000),
            Op::Pkhtb { rd, rn, rm, amount } => self.set(rd, self.r(rn) & 0xffff_0000 | (i64::from(self.r(rm) as i32) >> amount) as u32 & 0xffff),
            Op::Sxtah { rd, rn, rm, rotate } => self.set(rd, self.r(rn).wrapping_add(self.r(rm).rotate_right(rotate.into()) as i16 as u32)),
            Op::Uxtah { rd, rn, rm, rotate } => self.set(rd, self.r(rn).wrapping_add(self.r(rm).rotate_right(rotate.into()) & 0xffff)),
            Op::Sxtab { rd, rn, rm, rotate } => self.set(rd, self.r(rn).wrapping_add(self.r(rm).rotate_right(rotate.into()) as i8 as u32)),
            Op::Uxtab { rd, rn, rm, rotate } => self.set(rd, self.r(rn).wrapping_add(self.r(rm).rotate_right(rotate.into()) & 0xff)),
            Op::Sxtab16 { rd, rn, rm, rotate } => self.set(rd, halves(self.addend(rn), octets(self.r(rm), rotate, true))),
            Op::Uxtab16 { rd, rn, rm, rotate } => self.set(rd, halves(self.addend(rn), octets(self.r(rm), rotate, false))),
            Op::Ssat16 { .. } | Op::Usat16 { .. } => self.saturate_halves(op),
            Op::Sel { rd, rn, rm } => { let mask = self.selected(); self.set(rd, self.r(rn) & mask | self.r(rm) & !mask); }
            Op::SaturatedSum { rd, rn, rm, double, subtract } => self.saturated_sum(rd, [rn, rm], double, subtract),
            Op::Parallel { lanes, rounding, signed, rd, rn, rm } => self.parallel(lanes, rounding, signed, [rd, rn, rm]),
            Op::Product { product, variant, rd, rn, rm, ra } => self.product(product, variant, rd, [rn, rm, ra]),
            Op::LongProduct { product, variant, lo, hi, rn, rm } => self.long_halves(product, variant, [lo, hi, rn, rm]),
            _ => return false,
        }
        true
    }

    /// A register to add to; R15 stands for nothing to add.
    fn addend(&self, register: u8) -> u32 {
        if register == 15 { 0 } else { self.r(register) }
    }

    /// The octets that SEL takes from its first operand.
    fn selected(&self) -> u32 {
        (0..4).fold(0, |mask, octet| {
            mask | ((u32::from(self.ge) >> octet & 1) * 0xff) << (8 * octet)
        })
    }

    #[inline(never)]
    fn saturate_halves(&mut self, op: Op) {
        let (rd, rn, bits, signed) = match op {
            Op::Ssat16 { rd, rn, bits } => (rd, rn, bits, true),
            Op::Usat16 { rd, rn, bits } => (rd, rn, bits, false),
            _ => return,
        };
        let value = self.r(rn);
        let least = if signed { -1_i64 << (bits - 1) } else { 0 };
        let most = least + (1_i64 << bits) - 1;
        let mut result = 0;
        for top in [false, true] {
            let before = half(value, top);
            let after = before.clamp(least, most);
            self.q |= before != after;
            result |= (after as u32 & 0xffff) << (16 * u32::from(top));
        }
        self.set(rd, result);
    }

    #[inline(never)]
    fn saturated_sum(&mut self, rd: u8, [rn, rm]: [u8; 2], double: bool, subtract: bool) {
        let (a, b) = (self.r(rm) as i32, self.r(rn) as i32);
        let mut exact = |sum: i64| {
            let kept = sum.clamp(i32::MIN.into(), i32::MAX.into());
            self.q |= kept != sum;
            kept
        };
        let b = if double {
            exact(2 * i64::from(b))
        } else {
            b.into()
        };
        let sum = exact(i64::from(a) + if subtract { -b } else { b });
        self.set(rd, sum as u32);
    }

    #[inline(never)]
    fn parallel(&mut self, lanes: Lanes, rounding: Rounding, signed: bool, [rd, rn, rm]: [u8; 3]) {
        let (a, b) = (self.r(rn), self.r(rm));
        let width = match lanes {
            Lanes::Add8 | Lanes::Subtract8 => 8,
            _ => 16,
        };
        let crossed = matches!(lanes, Lanes::AddSubtract | Lanes::SubtractAdd);
        let (mut result, mut ge) = (0, 0);
        for number in 0..32 / width {
            let subtract = match lanes {
                Lanes::Add8 | Lanes::Add16 => false,
                Lanes::Subtract8 | Lanes::Subtract16 => true,
                Lanes::AddSubtract => number == 0,
                Lanes::SubtractAdd => number == 1,
            };
            let other = if crossed { 1 - number } else { number };
            let (x, y) = (
                lane(a, number, width, signed),
                lane(b, other, width, signed),
            );
            let sum = if subtract { x - y } else { x + y };
            let (value, carries) = rounded(sum, rounding, signed, width, subtract);
            result |= value << (number * width);
            let octets = width / 8;
            ge |= (u8::from(carries) * ((1 << octets) - 1)) << (number * octets);
        }
        if rounding == Rounding::Modulo {
            self.ge = ge;
        }
        self.set(rd, result);
    }

    /// The sum of a product and its accumulator; it sets Q if 32 bits do not hold it.
    fn accumulated(&mut self, product: i64, ra: u8) -> u32 {
        let sum = product + i64::from(self.addend(ra) as i32);
        self.q |= sum != i64::from(sum as i32);
        sum as u32
    }

    #[inline(never)]
    fn product(&mut self, product: Product, variant: u8, rd: u8, [rn, rm, ra]: [u8; 3]) {
        let (a, b) = (self.r(rn), self.r(rm));
        let (low, high) = (variant & 1 != 0, variant & 2 != 0);
        let word = i64::from(a as i32) * i64::from(b as i32);
        let most = i64::from(self.addend(ra) as i32) << 32;
        let half_unit = if low { 0x8000_0000 } else { 0 };
        let result = match product {
            Product::Halves => self.accumulated(half(a, high) * half(b, low), ra),
            Product::WordByHalf => self.accumulated((i64::from(a as i32) * half(b, low)) >> 16, ra),
            Product::DualAdd => {
                let (first, second) = dual(a, b, low);
                self.accumulated(first + second, ra)
            }
            Product::DualSubtract => {
                let (first, second) = dual(a, b, low);
                self.accumulated(first - second, ra)
            }
            Product::MostSignificant => {
                (most.wrapping_add(word).wrapping_add(half_unit) >> 32) as u32
            }
            Product::MostSignificantSubtract => {
                (most.wrapping_sub(word).wrapping_add(half_unit) >> 32) as u32
            }
            Product::AbsoluteDifferences => {
                let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
                let sum: u32 = pairs.map(|(x, y)| u32::from(x.abs_diff(y))).sum();
                sum.wrapping_add(self.addend(ra))
            }
        };
        self.set(rd, result);
    }

    #[inline(never)]
    fn long_halves(&mut self, product: LongProduct, variant: u8, [lo, hi, rn, rm]: [u8; 4]) {
        let (a, b) = (self.r(rn), self.r(rm));
        let (low, high) = (variant & 1 != 0, variant & 2 != 0);
        let before = self.accumulator(lo, hi);
        let (first, second) = dual(a, b, low);
        let after = match product {
            LongProduct::Halves => before.wrapping_add((half(a, high) * half(b, low)) as u64),
            LongProduct::DualAdd => before.wrapping_add((first + second) as u64),
            LongProduct::DualSubtract => before.wrapping_add((first - second) as u64),
            LongProduct::AccumulateTwice => {
                u64::from(a) * u64::from(b) + u64::from(self.r(lo)) + u64::from(self.r(hi))
            }
        };
        self.set(lo, after as u32);
        self.set(hi, (after >> 32) as u32);
    }
}
