//! Decoding of the 32-bit loads and stores: ARM DDI0403E, sections A5.3.5 to A5.3.10.

use crate::decode32::bits;
use crate::op::{Index, Op, Width};

/// LDM, STM, POP, PUSH (A5.3.5).
pub fn multiple(first: u16, second: u16) -> Op {
    let (rn, wback, load) = (bits(first, 0, 4), first & 0x20 != 0, first & 0x10 != 0);
    let before = match bits(first, 7, 2) {
        1 => false,
        2 => true,
        _ => return Op::Undefined,
    };
    // SP in the list, R15 as base, PC with LR, PC stored, fewer than two registers, and a base that
    // is both loaded and written back are unpredictable.
    let wrong = second & 0x2000 != 0
        || rn == 15
        || second.count_ones() < 2
        || (wback && second >> rn & 1 != 0)
        || (if load {
            second >> 14 == 3
        } else {
            second >> 15 != 0
        });
    match load {
        _ if wrong => Op::Undefined,
        true => Op::Ldm {
            rn,
            wback,
            before,
            list: second,
        },
        false => Op::Stm {
            rn,
            wback,
            before,
            list: second,
        },
    }
}

/// LDRD, STRD, LDREX, STREX and their sizes, TBB, TBH (A5.3.6).
pub fn double_exclusive_table(first: u16, second: u16) -> Op {
    let (rn, rt, rd, rm, imm) = (
        bits(first, 0, 4),
        bits(second, 12, 4),
        bits(second, 8, 4),
        bits(second, 0, 4),
        second as u8,
    );
    let (p, u, w, load) = (
        first & 0x100 != 0,
        first & 0x80 != 0,
        first & 0x20 != 0,
        first & 0x10 != 0,
    );
    if p || w {
        let offset = i16::from(imm) * if u { 4 } else { -4 };
        return match (p, w) {
            (true, false) => double(load, [rt, rd], rn, Index::Offset, offset),
            (true, true) => double(load, [rt, rd], rn, Index::Pre, offset),
            _ => double(load, [rt, rd], rn, Index::Post, offset),
        };
    }
    let bad = rn == 15 || rt == 15;
    match (u, load) {
        (false, true) if !bad && rd == 15 => Op::Ldrex {
            width: Width::Word,
            rt,
            rn,
            imm,
        },
        (false, false) if !bad && rd != 15 => Op::Strex {
            width: Width::Word,
            rd,
            rt,
            rn,
            imm,
        },
        (true, _) => exclusive_or_table(rn, rt, rd, rm, bits(second, 4, 4), load),
        _ => Op::Undefined,
    }
}

/// LDRD and STRD.
fn double(load: bool, [rt, rt2]: [u8; 2], rn: u8, index: Index, imm: i16) -> Op {
    let wrong_base = index != Index::Offset && (rn == 15 || rn == rt || rn == rt2);
    match load {
        _ if rt == 15 || rt2 == 15 || wrong_base || rt == 13 || rt2 == 13 => Op::Undefined,
        true if rt == rt2 => Op::Undefined,
        true => Op::Ldrd {
            rt,
            rt2,
            rn,
            index,
            imm,
        },
        false if rn == 15 => Op::Undefined,
        false => Op::Strd {
            rt,
            rt2,
            rn,
            index,
            imm,
        },
    }
}

fn exclusive_or_table(rn: u8, rt: u8, rd: u8, rm: u8, op3: u8, load: bool) -> Op {
    let bad = rn == 15 || rt == 15;
    match (op3, load) {
        (0, true) if rt == 15 && rd == 0 && rm != 15 => Op::Tbb { rn, rm },
        (1, true) if rt == 15 && rd == 0 && rm != 15 => Op::Tbh { rn, rm },
        (4, true) if !bad && rd == 15 && rm == 15 => Op::Ldrex {
            width: Width::Byte,
            rt,
            rn,
            imm: 0,
        },
        (5, true) if !bad && rd == 15 && rm == 15 => Op::Ldrex {
            width: Width::Half,
            rt,
            rn,
            imm: 0,
        },
        (4, false) if !bad && rd == 15 && rm != 15 => Op::Strex {
            width: Width::Byte,
            rd: rm,
            rt,
            rn,
            imm: 0,
        },
        (5, false) if !bad && rd == 15 && rm != 15 => Op::Strex {
            width: Width::Half,
            rd: rm,
            rt,
            rn,
            imm: 0,
        },
        _ => Op::Undefined,
    }
}

/// The second halfword of a single load or store without a 12-bit offset.
enum Form {
    Register { rm: u8, lsl: u8 },
    Negative { imm: i16 },
    Indexed { imm: i16, post: bool },
    Unprivileged { imm: u8 },
    Wrong,
}

fn form(second: u16) -> Form {
    let imm = i16::from(second as u8);
    let signed = if second & 0x200 != 0 { imm } else { -imm };
    match bits(second, 8, 4) {
        _ if second & 0x0fc0 == 0 => Form::Register {
            rm: bits(second, 0, 4),
            lsl: bits(second, 4, 2),
        },
        0b1100 => Form::Negative { imm: -imm },
        0b1110 => Form::Unprivileged { imm: second as u8 },
        0b1001 | 0b1011 => Form::Indexed {
            imm: signed,
            post: true,
        },
        0b1101 | 0b1111 => Form::Indexed {
            imm: signed,
            post: false,
        },
        _ => Form::Wrong,
    }
}

/// Stores of one register (A5.3.10).
pub fn store(first: u16, second: u16) -> Op {
    let (rn, rt) = (bits(first, 0, 4), bits(second, 12, 4));
    let width = match bits(first, 5, 2) {
        0 => Width::Byte,
        1 => Width::Half,
        2 => Width::Word,
        _ => return Op::Undefined,
    };
    if rn == 15 || rt == 15 {
        return Op::Undefined;
    }
    let at = |imm| match width {
        Width::Word => Op::StrImm { rt, rn, imm },
        Width::Half => Op::StrhImm { rt, rn, imm },
        _ => Op::StrbImm { rt, rn, imm },
    };
    if first & 0x80 != 0 {
        return at((second & 0xfff) as i16);
    }
    match (form(second), width) {
        (Form::Register { rm: 15, .. }, _) => Op::Undefined,
        (Form::Register { rm, lsl }, Width::Word) => Op::StrReg { rt, rn, rm, lsl },
        (Form::Register { rm, lsl }, Width::Half) => Op::StrhReg { rt, rn, rm, lsl },
        (Form::Register { rm, lsl }, _) => Op::StrbReg { rt, rn, rm, lsl },
        (Form::Negative { imm }, _) => at(imm),
        (Form::Indexed { imm, post }, _) if rn != rt => Op::StoreIndexed {
            width,
            rt,
            rn,
            post,
            imm,
        },
        (Form::Unprivileged { imm }, _) => Op::StoreUnprivileged { width, rt, rn, imm },
        _ => Op::Undefined,
    }
}

/// Loads of one register, and the memory hints, which are loads to R15 of less than a word (A5.3.7
/// to A5.3.9).
pub fn load(first: u16, second: u16) -> Op {
    let (rn, rt) = (bits(first, 0, 4), bits(second, 12, 4));
    let signed = first & 0x100 != 0;
    let width = match (bits(first, 5, 2), signed) {
        (0, false) => Width::Byte,
        (1, false) => Width::Half,
        (2, false) => Width::Word,
        (0, true) => Width::SignedByte,
        (1, true) => Width::SignedHalf,
        _ => return Op::Undefined,
    };
    let imm12 = (second & 0xfff) as i16;
    if rn == 15 {
        let imm = if first & 0x80 != 0 { imm12 } else { -imm12 };
        return match (rt, width) {
            (15, Width::Word) => Op::LdrPcImm {
                rn,
                index: Index::Offset,
                imm,
            },
            (15, _) => Op::Nop,
            _ => Op::LoadLiteral { width, rt, imm },
        };
    }
    let parsed = if first & 0x80 != 0 {
        Form::Negative { imm: imm12 }
    } else {
        form(second)
    };
    match (parsed, rt) {
        (Form::Wrong, _) | (Form::Register { rm: 15, .. }, _) => Op::Undefined,
        (parsed, 15) if width == Width::Word => load_pc(&parsed, rn),
        (Form::Negative { .. } | Form::Register { .. }, 15) => Op::Nop,
        (_, 15) => Op::Undefined,
        (Form::Negative { imm }, _) => load_immediate(width, rt, rn, imm),
        (Form::Register { rm, lsl }, _) => load_register(width, rt, rn, rm, lsl),
        (Form::Unprivileged { imm }, _) => Op::LoadUnprivileged { width, rt, rn, imm },
        (Form::Indexed { imm, post }, _) if rn != rt => Op::LoadIndexed {
            width,
            rt,
            rn,
            post,
            imm,
        },
        _ => Op::Undefined,
    }
}

fn load_pc(form: &Form, rn: u8) -> Op {
    match *form {
        Form::Negative { imm } => Op::LdrPcImm {
            rn,
            index: Index::Offset,
            imm,
        },
        Form::Indexed { imm, post: true } => Op::LdrPcImm {
            rn,
            index: Index::Post,
            imm,
        },
        Form::Indexed { imm, post: false } => Op::LdrPcImm {
            rn,
            index: Index::Pre,
            imm,
        },
        Form::Register { rm, lsl } => Op::LdrPcReg { rn, rm, lsl },
        Form::Unprivileged { .. } | Form::Wrong => Op::Undefined,
    }
}

fn load_immediate(width: Width, rt: u8, rn: u8, imm: i16) -> Op {
    match width {
        Width::Word => Op::LdrImm { rt, rn, imm },
        Width::Byte => Op::LdrbImm { rt, rn, imm },
        Width::Half => Op::LdrhImm { rt, rn, imm },
        Width::SignedByte => Op::LdrsbImm { rt, rn, imm },
        Width::SignedHalf => Op::LdrshImm { rt, rn, imm },
    }
}

fn load_register(width: Width, rt: u8, rn: u8, rm: u8, lsl: u8) -> Op {
    match width {
        Width::Word => Op::LdrReg { rt, rn, rm, lsl },
        Width::Byte => Op::LdrbReg { rt, rn, rm, lsl },
        Width::Half => Op::LdrhReg { rt, rn, rm, lsl },
        Width::SignedByte => Op::LdrsbReg { rt, rn, rm, lsl },
        Width::SignedHalf => Op::LdrshReg { rt, rn, rm, lsl },
    }
}
