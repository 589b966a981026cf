//! The 16-bit instructions: ARM DDI0403E (ARMv7-M Architecture Reference Manual), section A5.2.

use crate::op::{F_SET, Op, Shift, Width};

/// A decoded 16-bit instruction, and whether the flags it sets stay untouched inside an IT block.
pub type Narrow = (Op, bool);

const fn bits(word: u16, low: u32, count: u32) -> u8 {
    (word >> low & ((1 << count) - 1)) as u8
}

/// Whether this first halfword belongs to a 32-bit instruction (A5.1).
pub const fn is_wide(word: u16) -> bool {
    word >> 11 >= 0b11101
}

/// Decodes one 16-bit instruction.
pub fn decode(word: u16) -> Narrow {
    match word >> 11 {
        0b00000..=0b00111 => (basic(word), word >> 11 != 0b00101),
        0b01000 if word & 0x0400 == 0 => data_processing(word),
        0b01000 => (high_registers(word), false),
        0b01001 => (literal(word), false),
        0b01010 | 0b01011 => (register_offset(word), false),
        0b01100..=0b10011 => (immediate_offset(word), false),
        0b10100 => (
            Op::Adr {
                rd: bits(word, 8, 3),
                imm: i16::from(bits(word, 0, 8)) * 4,
            },
            false,
        ),
        0b10101 => (
            add_imm(bits(word, 8, 3), 13, u32::from(bits(word, 0, 8)) * 4, false),
            false,
        ),
        0b10110 | 0b10111 => (miscellaneous(word), false),
        0b11000 => (multiple(word, false), false),
        0b11001 => (multiple(word, true), false),
        0b11010 | 0b11011 => (conditional(word), false),
        0b11100 => (
            Op::B {
                offset: i32::from((word << 5) as i16 >> 4),
            },
            false,
        ),
        _ => (Op::Undefined, false),
    }
}

const fn add_imm(rd: u8, rn: u8, imm: u32, s: bool) -> Op {
    Op::AddImm {
        rd,
        rn,
        f: if s { F_SET } else { 0 },
        imm,
    }
}

/// Shift, add, subtract, move and compare with immediates (A5.2.1).
fn basic(word: u16) -> Op {
    let (low, middle) = (bits(word, 0, 3), bits(word, 3, 3));
    let (rd8, imm8) = (bits(word, 8, 3), u32::from(bits(word, 0, 8)));
    let amount = bits(word, 6, 5);
    let right = |shift| Op::MovShift {
        rd: low,
        rm: middle,
        shift,
        amount: if amount == 0 { 32 } else { amount },
        s: true,
    };
    match word >> 11 {
        0b00000 if amount == 0 => Op::MovReg {
            rd: low,
            rm: middle,
            s: true,
        },
        0b00000 => Op::MovShift {
            rd: low,
            rm: middle,
            shift: Shift::Lsl,
            amount,
            s: true,
        },
        0b00001 => right(Shift::Lsr),
        0b00010 => right(Shift::Asr),
        0b00011 => add_or_subtract(word),
        0b00100 => Op::MovImm {
            rd: rd8,
            f: F_SET,
            imm: imm8,
        },
        0b00101 => Op::CmpImm { rn: rd8, imm: imm8 },
        0b00110 => add_imm(rd8, rd8, imm8, true),
        _ => Op::SubImm {
            rd: rd8,
            rn: rd8,
            f: F_SET,
            imm: imm8,
        },
    }
}

/// Add and subtract with a register or an immediate of 3 bits.
fn add_or_subtract(word: u16) -> Op {
    let (rd, rn, rm) = (bits(word, 0, 3), bits(word, 3, 3), bits(word, 6, 3));
    let (s, imm) = (true, u32::from(rm));
    match bits(word, 9, 2) {
        0 => Op::AddReg { rd, rn, rm, s },
        1 => Op::SubReg { rd, rn, rm, s },
        2 => add_imm(rd, rn, imm, s),
        _ => {
            let f = F_SET;
            Op::SubImm { rd, rn, f, imm }
        }
    }
}

/// Data processing on low registers (A5.2.2).
fn data_processing(word: u16) -> Narrow {
    let (rd, rm) = (bits(word, 0, 3), bits(word, 3, 3));
    let (rn, s) = (rd, true);
    let op = match bits(word, 6, 4) {
        0 => Op::AndReg { rd, rn, rm, s },
        1 => Op::EorReg { rd, rn, rm, s },
        2 => Op::LslReg { rd, rn, rm, s },
        3 => Op::LsrReg { rd, rn, rm, s },
        4 => Op::AsrReg { rd, rn, rm, s },
        5 => Op::AdcReg { rd, rn, rm, s },
        6 => Op::SbcReg { rd, rn, rm, s },
        7 => Op::RorReg { rd, rn, rm, s },
        8 => return (Op::TstReg { rn, rm }, false),
        9 => Op::RsbImm {
            rd,
            rn: rm,
            f: F_SET,
            imm: 0,
        },
        10 => return (Op::CmpReg { rn, rm }, false),
        11 => {
            return (
                Op::CmnShift {
                    rn,
                    rm,
                    shift: Shift::Lsl,
                    amount: 0,
                },
                false,
            );
        }
        12 => Op::OrrReg { rd, rn, rm, s },
        13 => Op::Mul {
            rd,
            rn: rm,
            rm: rd,
            s,
        },
        14 => Op::BicReg { rd, rn, rm, s },
        _ => Op::MvnReg { rd, rm, s },
    };
    (op, true)
}

/// ADD, CMP, MOV of any register, BX and BLX (A5.2.3).
fn high_registers(word: u16) -> Op {
    let (rd, rm) = (bits(word, 0, 3) | bits(word, 7, 1) << 3, bits(word, 3, 4));
    match (bits(word, 8, 2), rd, rm) {
        (0, 15, 15) => Op::Undefined,
        (0, 15, _) => Op::AddToPc { rm },
        (0, _, 15) => Op::AddFromPc { rd },
        (0, ..) => Op::AddReg {
            rd,
            rn: rd,
            rm,
            s: false,
        },
        (1, 15, _) | (1, _, 15) => Op::Undefined,
        (1, ..) => Op::CmpReg { rn: rd, rm },
        (2, 15, 15) => Op::Undefined,
        (2, 15, _) => Op::MovToPc { rm },
        (2, _, 15) => Op::MovFromPc { rd },
        (2, ..) => Op::MovReg { rd, rm, s: false },
        _ if word & 7 != 0 || (rm == 15 && word & 0x80 != 0) => Op::Undefined,
        _ if word & 0x80 != 0 => Op::Blx { rm },
        _ => Op::Bx { rm },
    }
}

fn literal(word: u16) -> Op {
    Op::LoadLiteral {
        width: Width::Word,
        rt: bits(word, 8, 3),
        imm: i16::from(bits(word, 0, 8)) * 4,
    }
}

/// Loads and stores with a register as offset (A5.2.4).
fn register_offset(word: u16) -> Op {
    let (rt, rn, rm, lsl) = (bits(word, 0, 3), bits(word, 3, 3), bits(word, 6, 3), 0);
    match bits(word, 9, 3) {
        0 => Op::StrReg { rt, rn, rm, lsl },
        1 => Op::StrhReg { rt, rn, rm, lsl },
        2 => Op::StrbReg { rt, rn, rm, lsl },
        3 => Op::LdrsbReg { rt, rn, rm, lsl },
        4 => Op::LdrReg { rt, rn, rm, lsl },
        5 => Op::LdrhReg { rt, rn, rm, lsl },
        6 => Op::LdrbReg { rt, rn, rm, lsl },
        _ => Op::LdrshReg { rt, rn, rm, lsl },
    }
}

/// Loads and stores with an immediate offset, from a low register or SP (A5.2.4).
#[rustfmt::skip]
fn immediate_offset(word: u16) -> Op {
    let (rt, rn, imm) = (
        bits(word, 0, 3),
        bits(word, 3, 3),
        i16::from(bits(word, 6, 5)),
    );
    let (sp_rt, sp_imm) = (bits(word, 8, 3), i16::from(bits(word, 0, 8)) * 4);
    match word >> 11 {
        0b01100 => Op::StrImm { rt, rn, imm: imm * 4 },
        0b01101 => Op::LdrImm { rt, rn, imm: imm * 4 },
        0b01110 => Op::StrbImm { rt, rn, imm },
        0b01111 => Op::LdrbImm { rt, rn, imm },
        0b10000 => Op::StrhImm { rt, rn, imm: imm * 2 },
        0b10001 => Op::LdrhImm { rt, rn, imm: imm * 2 },
        0b10010 => Op::StrImm { rt: sp_rt, rn: 13, imm: sp_imm },
        _ => Op::LdrImm { rt: sp_rt, rn: 13, imm: sp_imm },
    }
}

/// Miscellaneous instructions (A5.2.5).
fn miscellaneous(word: u16) -> Op {
    let (rd, rm) = (bits(word, 0, 3), bits(word, 3, 3));
    let imm7 = u32::from(bits(word, 0, 7)) * 4;
    let list = word & 0xff;
    match bits(word, 8, 4) {
        0 if word & 0x80 == 0 => add_imm(13, 13, imm7, false),
        0 => Op::SubImm {
            rd: 13,
            rn: 13,
            f: 0,
            imm: imm7,
        },
        1 | 3 | 9 | 11 => Op::Cbz {
            rn: rd,
            nonzero: word & 0x0800 != 0,
            offset: bits(word, 3, 5) << 1 | bits(word, 9, 1) << 6,
        },
        2 => match bits(word, 6, 2) {
            0 => Op::Sxth { rd, rm, rotate: 0 },
            1 => Op::Sxtb { rd, rm, rotate: 0 },
            2 => Op::Uxth { rd, rm, rotate: 0 },
            _ => Op::Uxtb { rd, rm, rotate: 0 },
        },
        4 | 5 => Op::Stm {
            rn: 13,
            wback: true,
            before: true,
            list: list | (word & 0x100) << 6,
        },
        6 if word & 0xffec == 0xb660 => Op::Cps {
            disable: word & 0x10 != 0,
            primask: word & 2 != 0,
            faultmask: word & 1 != 0,
        },
        10 => match bits(word, 6, 2) {
            0 => Op::Rev { rd, rm },
            1 => Op::Rev16 { rd, rm },
            3 => Op::Revsh { rd, rm },
            _ => Op::Undefined,
        },
        12 | 13 => Op::Ldm {
            rn: 13,
            wback: true,
            before: false,
            list: list | (word & 0x100) << 7,
        },
        14 => Op::Bkpt { number: list as u8 },
        15 => hint(word),
        _ => Op::Undefined,
    }
}

/// IT and the hints (A5.2.5).
fn hint(word: u16) -> Op {
    if word & 0xf != 0 {
        return if word & 0xf0 == 0xf0 {
            Op::Undefined
        } else {
            Op::It { state: word as u8 }
        };
    }
    match bits(word, 4, 4) {
        2 => Op::Wfe,
        3 => Op::Wfi,
        4 => Op::Sev,
        _ => Op::Nop,
    }
}

/// LDM and STM of low registers; LDM writes the base back unless it loads it.
fn multiple(word: u16, load: bool) -> Op {
    let (rn, list) = (bits(word, 8, 3), word & 0xff);
    if load {
        Op::Ldm {
            rn,
            wback: list >> rn & 1 == 0,
            before: false,
            list,
        }
    } else {
        Op::Stm {
            rn,
            wback: true,
            before: false,
            list,
        }
    }
}

/// B<c>, UDF, SVC (A5.2.6).
fn conditional(word: u16) -> Op {
    match bits(word, 8, 4) {
        14 => Op::Undefined,
        15 => Op::Svc,
        cond => Op::Bcc {
            cond,
            offset: i32::from(word as u8 as i8) * 2,
        },
    }
}
