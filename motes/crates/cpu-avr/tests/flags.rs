//! Results and flags of the arithmetic, for all operands, against ordinary integers.

mod common;

use common::Flat;
use cpu_avr::{Cpu, Step};
use cpu_avr::{SREG_C as C, SREG_H as H, SREG_N as N, SREG_S as S, SREG_V as V, SREG_Z as Z};

const ALL: u8 = C | Z | N | V | S | H;

/// Executes one word with R16 = a, R17 = b; R16 and SREG after it.
fn run(word: u16, a: u8, b: u8, sreg: u8) -> (u8, u8, Cpu) {
    let mut cpu = Cpu::new();
    (cpu.regs[16], cpu.regs[17], cpu.sreg) = (a, b, sreg);
    // One word is enough of a program memory: allocating 128 KiB a million times is not.
    assert!(cpu.step(&mut OneWord(word)).is_ok());
    (cpu.regs[16], cpu.sreg, cpu)
}

struct OneWord(u16);

impl cpu_avr::Bus for OneWord {
    fn fetch(&mut self, _: u16) -> Result<u16, cpu_avr::BusError> {
        Ok(self.0)
    }

    fn read(&mut self, addr: u16) -> Result<u8, cpu_avr::BusError> {
        Err(cpu_avr::BusError::Unmapped(addr))
    }

    fn write(&mut self, addr: u16, _: u8) -> Result<(), cpu_avr::BusError> {
        Err(cpu_avr::BusError::Unmapped(addr))
    }
}

fn flag(condition: bool, bit: u8) -> u8 {
    if condition { bit } else { 0 }
}

/// Z, N, V, S for an octet result whose exact signed value is `exact`.
fn signed(result: u8, exact: i32) -> u8 {
    let overflow = exact != i32::from(result as i8);
    flag(result == 0, Z) | flag(result >= 0x80, N) | flag(overflow, V) | flag(exact < 0, S)
}

#[test]
fn additions() {
    for (word, with_carry) in [(0x0f01, false), (0x1f01, true)] {
        for (a, b, sreg) in operands() {
            let carry = i32::from(with_carry && sreg & C != 0);
            let sum = i32::from(a) + i32::from(b) + carry;
            let exact = i32::from(a as i8) + i32::from(b as i8) + carry;
            let half = i32::from(a & 15) + i32::from(b & 15) + carry > 15;
            let flags = signed(sum as u8, exact) | flag(sum > 255, C) | flag(half, H);
            let (result, after, _) = run(word, a, b, sreg);
            assert_eq!(
                (result, after),
                (sum as u8, sreg & !ALL | flags),
                "{word:04x} {a} {b} {sreg}"
            );
        }
    }
}

#[test]
fn subtractions_and_comparisons() {
    // Word, whether C takes part, whether the result is stored. SUB, SBC, CP, CPC of R16, R17.
    for (word, with_carry, stored) in [
        (0x1b01, false, true),
        (0x0b01, true, true),
        (0x1701, false, false),
        (0x0701, true, false),
    ] {
        for (a, b, sreg) in operands() {
            subtracts(word, [a, b, b], sreg, with_carry, stored);
        }
    }
}

#[test]
fn subtractions_of_immediates() {
    // CPI, SBCI, SUBI of R16.
    for (base, with_carry, stored) in [
        (0x3000, false, false),
        (0x4000, true, true),
        (0x5000, false, true),
    ] {
        for (a, k, sreg) in operands() {
            let word = base | u16::from(k & 0xf0) << 4 | u16::from(k & 0xf);
            subtracts(word, [a, 0, k], sreg, with_carry, stored);
        }
    }
}

/// The word subtracts `subtrahend` from R16 = a, R17 = b; `stored`: it keeps the difference.
fn subtracts(word: u16, [a, b, subtrahend]: [u8; 3], sreg: u8, with_carry: bool, stored: bool) {
    let (difference, flags) = difference(a, subtrahend, sreg, with_carry);
    let (result, after, _) = run(word, a, b, sreg);
    let expected = if stored { difference } else { a };
    assert_eq!(
        (result, after),
        (expected, flags),
        "{word:04x} {a} {b} {sreg}"
    );
}

fn difference(a: u8, b: u8, sreg: u8, with_carry: bool) -> (u8, u8) {
    let carry = i32::from(with_carry && sreg & C != 0);
    let exact = i32::from(a as i8) - i32::from(b as i8) - carry;
    let unsigned = i32::from(a) - i32::from(b) - carry;
    let half = i32::from(a & 15) - i32::from(b & 15) - carry < 0;
    let mut flags = signed(exact as u8, exact) | flag(unsigned < 0, C) | flag(half, H);
    if with_carry && sreg & Z == 0 {
        flags &= !Z;
    }
    (exact as u8, sreg & !ALL | flags)
}

/// All pairs of octets, each with C and Z in all four ways; H, S, V, N, T, I vary.
fn operands() -> impl Iterator<Item = (u8, u8, u8)> {
    (0..=u8::MAX).flat_map(|a| {
        (0..=u8::MAX)
            .flat_map(move |b| (0..4).map(move |low| (a, b, (a.wrapping_mul(29) ^ b) & 0xfc | low)))
    })
}

#[test]
fn logic() {
    let kept = !(S | V | N | Z);
    for (a, b, sreg) in operands() {
        let flags = |result: u8| sreg & kept | signed(result, i32::from(result as i8));
        let immediate = u16::from(b & 0xf0) << 4 | u16::from(b & 0xf);
        for (word, result) in [
            (0x2301, a & b),
            (0x2701, a ^ b),
            (0x2b01, a | b),
            (0x7000 | immediate, a & b),
            (0x6000 | immediate, a | b),
        ] {
            let (got, after, _) = run(word, a, b, sreg);
            assert_eq!((got, after), (result, flags(result)), "{word:04x} {a} {b}");
        }
    }
}

#[test]
fn one_operand() {
    for (a, _, sreg) in operands() {
        let signed_a = i32::from(a as i8);
        let kept = sreg & !(S | V | N | Z);
        // V of the right shifts is N xor C, so S is C.
        let shifted = |result: u8| {
            let (c, n) = (a & 1 != 0, result >= 0x80);
            kept & !C | flag(c, C | S) | flag(n, N) | flag(n != c, V) | flag(result == 0, Z)
        };
        let negated = 0_u8.wrapping_sub(a);
        let ror = a >> 1 | sreg << 7;
        let asr = (signed_a >> 1) as u8;
        for (word, result, after) in [
            (0x9500, !a, kept | C | signed(!a, i32::from(!a as i8))),
            (0x9501, negated, difference(0, a, sreg, false).1),
            (0x9502, a.rotate_right(4), sreg),
            (
                0x9503,
                a.wrapping_add(1),
                kept | signed(a.wrapping_add(1), signed_a + 1),
            ),
            (
                0x950a,
                a.wrapping_sub(1),
                kept | signed(a.wrapping_sub(1), signed_a - 1),
            ),
            (0x9505, asr, shifted(asr)),
            (0x9506, a >> 1, shifted(a >> 1)),
            (0x9507, ror, shifted(ror)),
        ] {
            let (got, got_sreg, _) = run(word, a, 0, sreg);
            assert_eq!(
                (got, got_sreg),
                (result, after),
                "{word:04x} {a} {sreg:08b}"
            );
        }
    }
}

#[test]
fn word_additions() {
    for a in 0..=u16::MAX {
        for k in [0, 1, 2, 31, 32, 63_u16] {
            for (base, sign) in [(0x9600, 1), (0x9700, -1)] {
                let mut cpu = Cpu::new();
                cpu.set_pair(28, a);
                cpu.sreg = if a & 1 == 0 { 0xff } else { 0 };
                let before = cpu.sreg;
                let word = base | 2 << 4 | (k & 0x30) << 2 | k & 0xf;
                assert_eq!(cpu.step(&mut OneWord(word)), Ok(2));
                let exact = i32::from(a as i16) + sign * i32::from(k);
                let unsigned = i32::from(a) + sign * i32::from(k);
                let result = exact as u16;
                let flags = flag(result == 0, Z)
                    | flag(result >= 0x8000, N)
                    | flag(exact != i32::from(result as i16), V)
                    | flag(exact < 0, S)
                    | flag(!(0..0x1_0000).contains(&unsigned), C);
                assert_eq!(
                    (cpu.pair(28), cpu.sreg),
                    (result, before & !(C | Z | N | V | S) | flags),
                    "{a} {k}"
                );
            }
        }
    }
}

#[test]
fn products() {
    // MUL, MULS, MULSU, FMUL, FMULS, FMULSU of R16, R17.
    for (word, signs, fraction) in [
        (0x9f01, (false, false), false),
        (0x0201, (true, true), false),
        (0x0301, (true, false), false),
        (0x0309, (false, false), true),
        (0x0381, (true, true), true),
        (0x0389, (true, false), true),
    ] {
        for (a, b, sreg) in operands() {
            let value = |octet: u8, signed| {
                if signed {
                    i32::from(octet as i8)
                } else {
                    i32::from(octet)
                }
            };
            let product = value(a, signs.0) * value(b, signs.1);
            let result = (if fraction { product * 2 } else { product }) as u16;
            let flags = flag(product as u16 >= 0x8000, C) | flag(result == 0, Z);
            let (_, after, cpu) = run(word, a, b, sreg);
            assert_eq!(
                (cpu.pair(0), after),
                (result, sreg & !(C | Z) | flags),
                "{word:04x} {a} {b}"
            );
        }
    }
}

#[test]
fn bits() {
    for bit in 0..8_u16 {
        for sreg in [0, 0xff] {
            assert_eq!(run(0x9408 | bit << 4, 0, 0, sreg).1, sreg | 1 << bit);
            assert_eq!(run(0x9488 | bit << 4, 0, 0, sreg).1, sreg & !(1 << bit));
            for a in 0..=u8::MAX {
                let taken = a >> bit & 1;
                assert_eq!(run(0xfb00 | bit, a, 0, sreg).1, sreg & 0xbf | taken << 6);
                let t = sreg >> 6 & 1;
                assert_eq!(run(0xf900 | bit, a, 0, sreg).0, a & !(1 << bit) | t << bit);
            }
        }
    }
}

#[test]
fn bit_instructions_touch_one_bit() {
    for bit in 0..8_u16 {
        let mut bus = Flat::new(0, &[0x9af0 | bit, 0x98f0 | bit]);
        bus.data[0x3e] = 0x55;
        let mut cpu = Cpu::new();
        assert_eq!(cpu.step(&mut bus), Ok(2));
        assert_eq!(bus.data[0x3e], 0x55 | 1 << bit);
        assert_eq!(cpu.step(&mut bus), Ok(2));
        assert_eq!(bus.data[0x3e], 0x55 & !(1 << bit));
    }
}
