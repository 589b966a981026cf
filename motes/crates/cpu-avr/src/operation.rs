//! Instructions, decoded: which one it is, and its fields where executing it needs them.

use crate::bus::{Bus, BusError};
use crate::memory::{X, Y, Z};
use crate::registers::place;

/// An instruction, decoded. Four octets, so that a bus can keep one for each word of its program
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation(pub(crate) Kind);

/// Names are those of the manual. `d` and `r` say where registers lie, of pairs the lower one; bits
/// are masks, I/O registers data addresses, targets of jumps relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The word is no instruction.
    Illegal(u16),
    /// NOP, BREAK.
    Nop,
    Add {
        d: u8,
        r: u8,
    },
    Adc {
        d: u8,
        r: u8,
    },
    Sub {
        d: u8,
        r: u8,
    },
    Sbc {
        d: u8,
        r: u8,
    },
    And {
        d: u8,
        r: u8,
    },
    Or {
        d: u8,
        r: u8,
    },
    Eor {
        d: u8,
        r: u8,
    },
    Cp {
        d: u8,
        r: u8,
    },
    Cpc {
        d: u8,
        r: u8,
    },
    Cpse {
        d: u8,
        r: u8,
    },
    Mov {
        d: u8,
        r: u8,
    },
    Movw {
        d: u8,
        r: u8,
    },
    Mul {
        d: u8,
        r: u8,
    },
    Muls {
        d: u8,
        r: u8,
    },
    Mulsu {
        d: u8,
        r: u8,
    },
    Fmul {
        d: u8,
        r: u8,
    },
    Fmuls {
        d: u8,
        r: u8,
    },
    Fmulsu {
        d: u8,
        r: u8,
    },
    Subi {
        d: u8,
        k: u8,
    },
    Sbci {
        d: u8,
        k: u8,
    },
    Andi {
        d: u8,
        k: u8,
    },
    Ori {
        d: u8,
        k: u8,
    },
    Cpi {
        d: u8,
        k: u8,
    },
    Ldi {
        d: u8,
        k: u8,
    },
    Adiw {
        d: u8,
        k: u8,
    },
    Sbiw {
        d: u8,
        k: u8,
    },
    Com(u8),
    Neg(u8),
    Swap(u8),
    Inc(u8),
    Dec(u8),
    Asr(u8),
    Lsr(u8),
    Ror(u8),
    /// BSET and BCLR by bit.
    Bset(u8),
    Bclr(u8),
    Bst {
        d: u8,
        bit: u8,
    },
    Bld {
        d: u8,
        bit: u8,
    },
    Sbrc {
        d: u8,
        bit: u8,
    },
    Sbrs {
        d: u8,
        bit: u8,
    },
    Brbs {
        bit: u8,
        by: i16,
    },
    Brbc {
        bit: u8,
        by: i16,
    },
    Rjmp(i16),
    Rcall(i16),
    Jmp(u16),
    Call(u16),
    Ijmp,
    Icall,
    Ret,
    Reti,
    In {
        d: u8,
        io: u8,
    },
    Out {
        io: u8,
        r: u8,
    },
    Cbi {
        io: u8,
        bit: u8,
    },
    Sbi {
        io: u8,
        bit: u8,
    },
    Sbic {
        io: u8,
        bit: u8,
    },
    Sbis {
        io: u8,
        bit: u8,
    },
    Lds {
        d: u8,
        addr: u16,
    },
    Sts {
        addr: u16,
        r: u8,
    },
    LdX(u8),
    StX(u8),
    /// LD and ST through a pointer that moves up after the access, or down before it.
    LdPlus {
        d: u8,
        pointer: u8,
    },
    LdMinus {
        d: u8,
        pointer: u8,
    },
    StPlus {
        pointer: u8,
        r: u8,
    },
    StMinus {
        pointer: u8,
        r: u8,
    },
    /// LD and LDD through Y and Z with a displacement.
    LddY {
        d: u8,
        q: u8,
    },
    LddZ {
        d: u8,
        q: u8,
    },
    StdY {
        q: u8,
        r: u8,
    },
    StdZ {
        q: u8,
        r: u8,
    },
    Push(u8),
    Pop(u8),
    Lpm(u8),
    LpmPlus(u8),
    Elpm(u8),
    ElpmPlus(u8),
    Spm,
    Sleep,
    Wdr,
}

/// Whether an instruction has two words: LDS, STS, JMP, CALL.
#[inline(always)]
pub(crate) fn has_two_words(word: u16) -> bool {
    word & 0xfc0f == 0x9000 || word & 0xfe0c == 0x940c
}

/// Field d of the forms with 32 registers.
fn field_d(word: u16) -> u8 {
    place((word >> 4 & 0x1f) as u8)
}

/// Field r of the forms with two registers.
fn field_r(word: u16) -> u8 {
    place((word >> 5 & 0x10 | word & 0xf) as u8)
}

/// Field d of the forms with R16 to R31.
fn field_high(word: u16) -> u8 {
    place((0x10 | word >> 4 & 0xf) as u8)
}

/// Immediate octet K.
fn field_k(word: u16) -> u8 {
    (word >> 4 & 0xf0 | word & 0xf) as u8
}

/// Bit number b as a mask.
fn field_bit(word: u16) -> u8 {
    1 << (word & 7)
}

/// Data address of the I/O register of SBI, CBI, SBIC and SBIS.
fn field_io_low(word: u16) -> u8 {
    (0x20 + (word >> 3 & 0x1f)) as u8
}

/// Data address of the I/O register of IN and OUT.
fn field_io(word: u16) -> u8 {
    (0x20 + (word >> 5 & 0x30 | word & 0xf)) as u8
}

impl Operation {
    /// The instruction that begins with `word`; `second` is the word after it.
    pub fn decode(word: u16, second: u16) -> Operation {
        let (d, r, k) = (field_d(word), field_r(word), field_k(word));
        let (high, bit) = (field_high(word), field_bit(word));
        Operation(match word >> 10 {
            0x00 => low_group(word),
            0x01 => Kind::Cpc { d, r },
            0x02 => Kind::Sbc { d, r },
            0x03 => Kind::Add { d, r },
            0x04 => Kind::Cpse { d, r },
            0x05 => Kind::Cp { d, r },
            0x06 => Kind::Sub { d, r },
            0x07 => Kind::Adc { d, r },
            0x08 => Kind::And { d, r },
            0x09 => Kind::Eor { d, r },
            0x0a => Kind::Or { d, r },
            0x0b => Kind::Mov { d, r },
            0x0c..=0x0f => Kind::Cpi { d: high, k },
            0x10..=0x13 => Kind::Sbci { d: high, k },
            0x14..=0x17 => Kind::Subi { d: high, k },
            0x18..=0x1b => Kind::Ori { d: high, k },
            0x1c..=0x1f => Kind::Andi { d: high, k },
            0x20..=0x23 | 0x28..=0x2b => displacement(word),
            0x24 => load_store(word, second),
            0x25 if word & 0x0200 == 0 => one_operand(word, second),
            0x25 => word_immediate(word),
            0x26 => io_bit(word),
            0x27 => Kind::Mul { d, r },
            0x2c | 0x2d => Kind::In {
                d,
                io: field_io(word),
            },
            0x2e | 0x2f => Kind::Out {
                io: field_io(word),
                r: d,
            },
            0x30..=0x33 => Kind::Rjmp((word << 4) as i16 >> 4),
            0x34..=0x37 => Kind::Rcall((word << 4) as i16 >> 4),
            0x38..=0x3b => Kind::Ldi { d: high, k },
            0x3c => Kind::Brbs {
                bit,
                by: (word << 6) as i16 >> 9,
            },
            0x3d => Kind::Brbc {
                bit,
                by: (word << 6) as i16 >> 9,
            },
            _ if word & 8 != 0 => Kind::Illegal(word),
            0x3e if word & 0x0200 == 0 => Kind::Bld { d, bit },
            0x3e => Kind::Bst { d, bit },
            _ if word & 0x0200 == 0 => Kind::Sbrc { d, bit },
            _ => Kind::Sbrs { d, bit },
        })
    }

    /// The instruction at word address `pc` of a program memory.
    #[inline(always)]
    pub(crate) fn fetch<B: Bus + ?Sized>(bus: &mut B, pc: u16) -> Result<Operation, BusError> {
        let word = bus.fetch(pc)?;
        let second = match has_two_words(word) {
            true => bus.fetch(pc.wrapping_add(1))?,
            false => 0,
        };
        Ok(Operation::decode(word, second))
    }
}

/// 0000 00..: NOP, MOVW, and the multiplications of R16 to R31 or R16 to R23.
fn low_group(word: u16) -> Kind {
    let (d, r) = (
        place(0x10 | (word >> 4 & 7) as u8),
        place(0x10 | (word & 7) as u8),
    );
    match (word >> 8, word & 0x88) {
        (0, _) if word == 0 => Kind::Nop,
        (1, _) => Kind::Movw {
            d: place((word >> 4 & 0xf) as u8 * 2),
            r: place((word & 0xf) as u8 * 2),
        },
        (2, _) => Kind::Muls {
            d: field_high(word),
            r: place(0x10 | (word & 0xf) as u8),
        },
        (3, 0x00) => Kind::Mulsu { d, r },
        (3, 0x08) => Kind::Fmul { d, r },
        (3, 0x80) => Kind::Fmuls { d, r },
        (3, _) => Kind::Fmulsu { d, r },
        _ => Kind::Illegal(word),
    }
}

/// LDD, STD; LD and ST through Y or Z have displacement 0.
fn displacement(word: u16) -> Kind {
    let q = (word >> 8 & 0x20 | word >> 7 & 0x18 | word & 7) as u8;
    let d = field_d(word);
    match (word & 0x0200 != 0, word & 8 != 0) {
        (false, true) => Kind::LddY { d, q },
        (false, false) => Kind::LddZ { d, q },
        (true, true) => Kind::StdY { q, r: d },
        (true, false) => Kind::StdZ { q, r: d },
    }
}

/// Words 1001 00..: all loads and stores but LDD and STD.
fn load_store(word: u16, second: u16) -> Kind {
    let (d, stores) = (field_d(word), word & 0x0200 != 0);
    let pointer = match word & 0xc {
        0x0 => Z,
        0x8 => Y,
        _ => X,
    };
    match (word & 0xf, stores) {
        (0x0, false) => Kind::Lds { d, addr: second },
        (0x0, true) => Kind::Sts { addr: second, r: d },
        (0x1 | 0x9 | 0xd, false) => Kind::LdPlus { d, pointer },
        (0x1 | 0x9 | 0xd, true) => Kind::StPlus { pointer, r: d },
        (0x2 | 0xa | 0xe, false) => Kind::LdMinus { d, pointer },
        (0x2 | 0xa | 0xe, true) => Kind::StMinus { pointer, r: d },
        (0xc, false) => Kind::LdX(d),
        (0xc, true) => Kind::StX(d),
        (0xf, false) => Kind::Pop(d),
        (0xf, true) => Kind::Push(d),
        (0x4, false) => Kind::Lpm(d),
        (0x5, false) => Kind::LpmPlus(d),
        (0x6, false) => Kind::Elpm(d),
        (0x7, false) => Kind::ElpmPlus(d),
        _ => Kind::Illegal(word),
    }
}

/// ADIW, SBIW.
fn word_immediate(word: u16) -> Kind {
    let d = place((24 + (word >> 3 & 6)) as u8);
    let k = (word >> 2 & 0x30 | word & 0xf) as u8;
    match word & 0x0100 {
        0 => Kind::Adiw { d, k },
        _ => Kind::Sbiw { d, k },
    }
}

/// CBI, SBIC, SBI, SBIS.
fn io_bit(word: u16) -> Kind {
    let (io, bit) = (field_io_low(word), field_bit(word));
    match word >> 8 & 3 {
        0 => Kind::Cbi { io, bit },
        1 => Kind::Sbic { io, bit },
        2 => Kind::Sbi { io, bit },
        _ => Kind::Sbis { io, bit },
    }
}

/// 1001 010.: one register, or an operation without one. Bits 21 to 16 of the target of JMP and CALL
/// lie beyond these chips' program memory and are ignored.
fn one_operand(word: u16, second: u16) -> Kind {
    let d = field_d(word);
    match word & 0xf {
        0x0 => Kind::Com(d),
        0x1 => Kind::Neg(d),
        0x2 => Kind::Swap(d),
        0x3 => Kind::Inc(d),
        0x5 => Kind::Asr(d),
        0x6 => Kind::Lsr(d),
        0x7 => Kind::Ror(d),
        0xa => Kind::Dec(d),
        0xc | 0xd => Kind::Jmp(second),
        0xe | 0xf => Kind::Call(second),
        0x8 | 0x9 => control(word),
        _ => Kind::Illegal(word),
    }
}

/// 1001 010. .... 100.: BSET, BCLR, returns, indirect jumps, and instructions without operand.
fn control(word: u16) -> Kind {
    match word {
        0x9508 => Kind::Ret,
        0x9518 => Kind::Reti,
        0x9409 => Kind::Ijmp,
        0x9509 => Kind::Icall,
        0x9588 => Kind::Sleep,
        0x9598 => Kind::Nop,
        0x95a8 => Kind::Wdr,
        0x95c8 => Kind::Lpm(place(0)),
        0x95d8 => Kind::Elpm(place(0)),
        0x95e8 => Kind::Spm,
        _ if word & 0xff8f == 0x9408 => Kind::Bset(1 << (word >> 4 & 7)),
        _ if word & 0xff8f == 0x9488 => Kind::Bclr(1 << (word >> 4 & 7)),
        _ => Kind::Illegal(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_takes_four_octets() {
        assert_eq!(size_of::<Operation>(), 4);
    }
}
