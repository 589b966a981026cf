//! The 32-bit instructions: ARM DDI0403E, section A5.3. Encodings that the manual calls
//! UNPREDICTABLE because of R15 as an operand are decoded as undefined, so that a program which
//! relies on one is noticed.

use crate::memory32;
use crate::op::{F_CARRY, F_CARRY_DEFINED, F_SET, Op, Shift};

/// `count` bits of a halfword from bit `low`.
pub const fn bits(word: u16, low: u32, count: u32) -> u8 {
    (word >> low & ((1 << count) - 1)) as u8
}

/// Decodes one 32-bit instruction.
pub fn decode(first: u16, second: u16) -> Op {
    let op2 = bits(first, 4, 7);
    match (first >> 11 & 3, second >> 15) {
        (1, _) if op2 & 0x64 == 0 => memory32::multiple(first, second),
        (1, _) if op2 & 0x64 == 4 => memory32::double_exclusive_table(first, second),
        (1, _) if op2 & 0x60 == 0x20 => shifted_register(first, second),
        (2, 0) if op2 & 0x20 == 0 => modified_immediate(first, second),
        (2, 0) => plain_immediate(first, second),
        (2, _) => branch_or_control(first, second),
        (3, _) if op2 & 0x71 == 0 => memory32::store(first, second),
        (3, _) if op2 & 0x61 == 1 => memory32::load(first, second),
        (3, _) if op2 & 0x70 == 0x20 => register(first, second),
        (3, _) if op2 & 0x78 == 0x30 => multiply(first, second),
        (3, _) if op2 & 0x78 == 0x38 => long_multiply(first, second),
        (1 | 3, _) if op2 & 0x40 != 0 => Op::Coprocessor,
        _ => Op::Undefined,
    }
}

/// The four register fields: bits 3:0 of the first halfword, then bits 15:12, 11:8 and 3:0 of the
/// second.
fn registers(first: u16, second: u16) -> [u8; 4] {
    [
        bits(first, 0, 4),
        bits(second, 12, 4),
        bits(second, 8, 4),
        bits(second, 0, 4),
    ]
}

/// Type and amount of an immediate shift (A7.4.2).
fn shift(kind: u8, amount: u8) -> (Shift, u8) {
    match (kind, amount) {
        (0, _) => (Shift::Lsl, amount),
        (1, 0) => (Shift::Lsr, 32),
        (1, _) => (Shift::Lsr, amount),
        (2, 0) => (Shift::Asr, 32),
        (2, _) => (Shift::Asr, amount),
        (_, 0) => (Shift::Rrx, 1),
        _ => (Shift::Ror, amount),
    }
}

/// The immediate of A5.3.2, and its flags: carry is defined when the immediate is rotated.
fn expand(imm12: u32) -> (u32, u8) {
    let octet = imm12 & 0xff;
    match imm12 >> 8 {
        0 => (octet, 0),
        1 => (octet << 16 | octet, 0),
        2 => (octet << 24 | octet << 8, 0),
        3 => (octet * 0x0101_0101, 0),
        _ => {
            let value = (0x80 | imm12 & 0x7f).rotate_right(imm12 >> 7);
            let carry = if value >> 31 != 0 { F_CARRY } else { 0 };
            (value, carry | F_CARRY_DEFINED)
        }
    }
}

/// i:imm3:imm8.
fn imm12(first: u16, second: u16) -> u32 {
    u32::from(bits(first, 10, 1)) << 11
        | u32::from(bits(second, 12, 3)) << 8
        | u32::from(bits(second, 0, 8))
}

/// Data processing with a modified immediate (A5.3.1).
fn modified_immediate(first: u16, second: u16) -> Op {
    let (rn, rd, s) = (bits(first, 0, 4), bits(second, 8, 4), bits(first, 4, 1));
    let (imm, carry) = expand(imm12(first, second));
    let f = carry | (s * F_SET);
    let opcode = bits(first, 5, 4);
    if rd == 15 {
        return match (opcode, s) {
            _ if rn == 15 => Op::Undefined,
            (0, 1) => Op::TstImm { rn, f, imm },
            (4, 1) => Op::TeqImm { rn, f, imm },
            (8, 1) => Op::CmnImm { rn, imm },
            (13, 1) => Op::CmpImm { rn, imm },
            _ => Op::Undefined,
        };
    }
    match opcode {
        2 if rn == 15 => Op::MovImm { rd, f, imm },
        3 if rn == 15 => Op::MvnImm { rd, f, imm },
        _ if rn == 15 => Op::Undefined,
        0 => Op::AndImm { rd, rn, f, imm },
        1 => Op::BicImm { rd, rn, f, imm },
        2 => Op::OrrImm { rd, rn, f, imm },
        3 => Op::OrnImm { rd, rn, f, imm },
        4 => Op::EorImm { rd, rn, f, imm },
        8 => Op::AddImm { rd, rn, f, imm },
        10 => Op::AdcImm { rd, rn, f, imm },
        11 => Op::SbcImm { rd, rn, f, imm },
        13 => Op::SubImm { rd, rn, f, imm },
        14 => Op::RsbImm { rd, rn, f, imm },
        _ => Op::Undefined,
    }
}

/// Data processing with a plain immediate (A5.3.3).
#[rustfmt::skip]
fn plain_immediate(first: u16, second: u16) -> Op {
    let (rn, rd) = (bits(first, 0, 4), bits(second, 8, 4));
    let imm = imm12(first, second);
    let imm16 = (u32::from(rn) << 12 | imm) as u16;
    let lsb = bits(second, 12, 3) << 2 | bits(second, 6, 2);
    let low = bits(second, 0, 5);
    let saturate = shift(bits(first, 5, 1) << 1, lsb);
    let opcode = bits(first, 4, 5);
    if rd == 15 {
        return Op::Undefined;
    }
    match opcode {
        0x00 if rn == 15 => Op::Adr { rd, imm: imm as i16 },
        0x00 => Op::AddImm { rd, rn, f: 0, imm },
        0x04 => Op::MovImm { rd, f: 0, imm: u32::from(imm16) },
        0x0a if rn == 15 => Op::Adr { rd, imm: -(imm as i16) },
        0x0a => Op::SubImm { rd, rn, f: 0, imm },
        0x0c => Op::Movt { rd, imm: imm16 },
        0x16 if rn == 15 && low >= lsb => Op::Bfc { rd, lsb, width: low + 1 - lsb },
        0x16 if rn != 15 && low >= lsb => Op::Bfi { rd, rn, lsb, width: low + 1 - lsb },
        _ if rn == 15 => Op::Undefined,
        // With shift type 1 and amount 0 these are SSAT16 and USAT16 of the DSP extension.
        0x12 | 0x1a if lsb == 0 => Op::Undefined,
        0x10 | 0x12 => Op::Ssat { rd, rn, shift: saturate.0, amount: saturate.1, bits: low + 1 },
        0x14 if lsb + low < 32 => Op::Sbfx { rd, rn, lsb, width: low + 1 },
        0x18 | 0x1a => Op::Usat { rd, rn, shift: saturate.0, amount: saturate.1, bits: low },
        0x1c if lsb + low < 32 => Op::Ubfx { rd, rn, lsb, width: low + 1 },
        _ => Op::Undefined,
    }
}

/// Data processing with a shifted register (A5.3.11).
#[rustfmt::skip]
fn shifted_register(first: u16, second: u16) -> Op {
    let ([rn, _, rd, rm], s) = (registers(first, second), first & 0x10 != 0);
    let (shift, amount) = shift(
        bits(second, 4, 2),
        bits(second, 12, 3) << 2 | bits(second, 6, 2),
    );
    let plain = shift == Shift::Lsl && amount == 0;
    let opcode = bits(first, 5, 4);
    if rm == 15 {
        return Op::Undefined;
    }
    if rd == 15 {
        return match opcode {
            _ if rn == 15 || !s => Op::Undefined,
            0 => Op::TstShift { rn, rm, shift, amount },
            4 => Op::TeqShift { rn, rm, shift, amount },
            8 => Op::CmnShift { rn, rm, shift, amount },
            13 if plain => Op::CmpReg { rn, rm },
            13 => Op::CmpShift { rn, rm, shift, amount },
            _ => Op::Undefined,
        };
    }
    match opcode {
        2 if rn == 15 && plain => Op::MovReg { rd, rm, s },
        2 if rn == 15 => Op::MovShift { rd, rm, shift, amount, s },
        3 if rn == 15 && plain => Op::MvnReg { rd, rm, s },
        3 if rn == 15 => Op::MvnShift { rd, rm, shift, amount, s },
        _ if rn == 15 => Op::Undefined,
        0 if plain => Op::AndReg { rd, rn, rm, s },
        1 if plain => Op::BicReg { rd, rn, rm, s },
        2 if plain => Op::OrrReg { rd, rn, rm, s },
        4 if plain => Op::EorReg { rd, rn, rm, s },
        8 if plain => Op::AddReg { rd, rn, rm, s },
        10 if plain => Op::AdcReg { rd, rn, rm, s },
        11 if plain => Op::SbcReg { rd, rn, rm, s },
        13 if plain => Op::SubReg { rd, rn, rm, s },
        0 => Op::AndShift { rd, rn, rm, shift, amount, s },
        1 => Op::BicShift { rd, rn, rm, shift, amount, s },
        2 => Op::OrrShift { rd, rn, rm, shift, amount, s },
        3 => Op::OrnShift { rd, rn, rm, shift, amount, s },
        4 => Op::EorShift { rd, rn, rm, shift, amount, s },
        8 => Op::AddShift { rd, rn, rm, shift, amount, s },
        10 => Op::AdcShift { rd, rn, rm, shift, amount, s },
        11 => Op::SbcShift { rd, rn, rm, shift, amount, s },
        13 => Op::SubShift { rd, rn, rm, shift, amount, s },
        14 => Op::RsbShift { rd, rn, rm, shift, amount, s },
        _ => Op::Undefined,
    }
}

/// Data processing on registers (A5.3.12, without the DSP extension).
fn register(first: u16, second: u16) -> Op {
    let ([rn, _, rd, rm], s) = (registers(first, second), first & 0x10 != 0);
    let rotate = bits(second, 4, 2) * 8;
    let op1 = bits(first, 4, 4);
    if rd == 15 || rm == 15 || second >> 12 != 15 {
        return Op::Undefined;
    }
    match (op1, bits(second, 4, 4)) {
        (0..=7, 0) if rn == 15 => Op::Undefined,
        (0 | 1, 0) => Op::LslReg { rd, rn, rm, s },
        (2 | 3, 0) => Op::LsrReg { rd, rn, rm, s },
        (4 | 5, 0) => Op::AsrReg { rd, rn, rm, s },
        (6 | 7, 0) => Op::RorReg { rd, rn, rm, s },
        (0, 8..=11) if rn == 15 => Op::Sxth { rd, rm, rotate },
        (1, 8..=11) if rn == 15 => Op::Uxth { rd, rm, rotate },
        (4, 8..=11) if rn == 15 => Op::Sxtb { rd, rm, rotate },
        (5, 8..=11) if rn == 15 => Op::Uxtb { rd, rm, rotate },
        // These name their operand twice; other pairs are unpredictable.
        (9, 8) if rn == rm => Op::Rev { rd, rm },
        (9, 9) if rn == rm => Op::Rev16 { rd, rm },
        (9, 10) if rn == rm => Op::Rbit { rd, rm },
        (9, 11) if rn == rm => Op::Revsh { rd, rm },
        (11, 8) if rn == rm => Op::Clz { rd, rm },
        _ => Op::Undefined,
    }
}

/// MUL, MLA, MLS (A5.3.14).
#[rustfmt::skip]
fn multiply(first: u16, second: u16) -> Op {
    let [rn, ra, rd, rm] = registers(first, second);
    if bits(first, 4, 3) != 0 || rn == 15 || rd == 15 || rm == 15 {
        return Op::Undefined;
    }
    match bits(second, 4, 4) {
        0 if ra == 15 => Op::Mul { rd, rn, rm, s: false },
        0 => Op::Mla { rd, rn, rm, ra },
        1 if ra != 15 => Op::Mls { rd, rn, rm, ra },
        _ => Op::Undefined,
    }
}

/// Long multiplies and divisions (A5.3.15).
fn long_multiply(first: u16, second: u16) -> Op {
    let [rn, lo, hi, rm] = registers(first, second);
    if rn == 15 || hi == 15 || rm == 15 {
        return Op::Undefined;
    }
    match (bits(first, 4, 3), bits(second, 4, 4)) {
        (1, 15) if lo == 15 => Op::Sdiv { rd: hi, rn, rm },
        (3, 15) if lo == 15 => Op::Udiv { rd: hi, rn, rm },
        _ if lo == 15 || lo == hi => Op::Undefined,
        (0, 0) => Op::Smull { lo, hi, rn, rm },
        (2, 0) => Op::Umull { lo, hi, rn, rm },
        (4, 0) => Op::Smlal { lo, hi, rn, rm },
        (6, 0) => Op::Umlal { lo, hi, rn, rm },
        _ => Op::Undefined,
    }
}

/// Branches and miscellaneous control (A5.3.4).
fn branch_or_control(first: u16, second: u16) -> Op {
    let sign = i32::from(bits(first, 10, 1));
    let (j1, j2) = (
        i32::from(bits(second, 13, 1)),
        i32::from(bits(second, 11, 1)),
    );
    let imm11 = i32::from(second & 0x7ff) << 1;
    // I1 and I2 of B.W and BL: not (J eor S).
    let (i1, i2) = (1 ^ j1 ^ sign, 1 ^ j2 ^ sign);
    let far = -sign << 24 | i1 << 23 | i2 << 22 | i32::from(first & 0x3ff) << 12 | imm11;
    match (second >> 14 & 1, second >> 12 & 1) {
        (1, 1) => Op::Bl { offset: far },
        (0, 1) => Op::B { offset: far },
        (1, _) => Op::Undefined,
        _ if bits(first, 7, 3) == 7 => control(first, second),
        _ => {
            let near = -sign << 20 | j2 << 19 | j1 << 18 | i32::from(first & 0x3f) << 12 | imm11;
            Op::Bcc {
                cond: bits(first, 6, 4),
                offset: near,
            }
        }
    }
}

/// MSR, MRS, hints, barriers, CLREX, UDF.
fn control(first: u16, second: u16) -> Op {
    let (rn, rd, register) = (bits(first, 0, 4), bits(second, 8, 4), second as u8);
    match bits(first, 4, 7) {
        0x38 | 0x39 if rn != 15 && rn != 13 => Op::Msr {
            rn,
            register,
            mask: bits(second, 10, 2),
        },
        0x3a if rd & 7 == 0 => match register {
            2 => Op::Wfe,
            3 => Op::Wfi,
            4 => Op::Sev,
            _ => Op::Nop,
        },
        0x3b => match bits(second, 4, 4) {
            2 => Op::Clrex,
            4 => Op::Dsb,
            5 => Op::Dmb,
            6 => Op::Isb,
            _ => Op::Undefined,
        },
        0x3e | 0x3f if rd != 15 && rd != 13 => Op::Mrs { rd, register },
        _ => Op::Undefined,
    }
}
