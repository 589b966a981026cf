//! The registers of the FPU of a Cortex-M4 (FPv4-SP): moves, loads and stores, as code uses them
//! that keeps words there (ARM DDI0403E, sections A6.4 to A6.7). Arithmetic is not modelled:
//! such an instruction ends the run as one of a coprocessor that is not there.
//!
//! The FPU is always on: CPACR is not modelled. Lazy stacking is not modelled either; only calls of
//! functions, which take no exception, run on this core.

use crate::alu::Flags;
use crate::bus::Cause;
use crate::cpu::Cpu;
use crate::decode32::bits;
use crate::op::{Index, Op};
use crate::outside::Outside;
use crate::transfer::{Base, Done};

/// Number of single registers.
pub const SINGLES: u8 = 32;
/// Bits of FPSCR that can be written.
const FPSCR: u32 = 0xf7c0_009f;

/// Decodes an instruction of the FPU; `None` if it is none or not modelled.
pub fn decode(first: u16, second: u16) -> Option<Op> {
    match (first >> 8, bits(second, 9, 3)) {
        (0xec | 0xed, 5) => Some(memory(first, second)),
        (0xee, 5) if second & 0x10 != 0 => Some(move_word(first, second)),
        (0xee, 5) => move_register(first, second),
        _ => None,
    }
}

/// The number of a single register from its four bits and the bit beside them; of the first half
/// of a double register.
fn register(second: u16, at: u32, more: bool, double: bool) -> Option<u8> {
    let (field, more) = (bits(second, at, 4), u8::from(more));
    match double {
        false => Some(field << 1 | more),
        true if more == 0 => Some(field << 1),
        true => None,
    }
}

/// VLDR, VSTR, VLDM, VSTM, VPUSH, VPOP, and VMOV of two words.
fn memory(first: u16, second: u16) -> Op {
    let (p, u, w, load) = (
        first & 0x100 != 0,
        first & 0x80 != 0,
        first & 0x20 != 0,
        first & 0x10 != 0,
    );
    let (double, extra) = (second & 0x100 != 0, first & 0x40 != 0);
    if !p && !u && !w {
        return if extra {
            pair(first, second, load, double)
        } else {
            Op::Undefined
        };
    }
    let (rn, imm8) = (bits(first, 0, 4), second as u8);
    let Some(s) = register(second, 12, extra, double) else {
        return Op::Undefined;
    };
    if p && !w {
        let imm = i16::from(imm8) * if u { 4 } else { -4 };
        let words = 1 + u8::from(double);
        return match load {
            true => Op::Vldr { s, words, rn, imm },
            false if rn != 15 => Op::Vstr { s, words, rn, imm },
            false => Op::Undefined,
        };
    }
    let wrong = p == u || rn == 15 || imm8 == 0 || (double && imm8 & 1 != 0);
    if wrong || imm8 > SINGLES - s {
        return Op::Undefined;
    }
    let (count, before, wback) = (imm8, p, w);
    match load {
        true => Op::Vldm {
            s,
            count,
            rn,
            wback,
            before,
        },
        false => Op::Vstm {
            s,
            count,
            rn,
            wback,
            before,
        },
    }
}

/// VMOV of two core registers and two single registers or a double one.
fn pair(first: u16, second: u16, out: bool, double: bool) -> Op {
    let (rt, rt2) = (bits(second, 12, 4), bits(first, 0, 4));
    let more = second & 0x20 != 0;
    let wrong = second & 0xd0 != 0x10 || rt == 15 || rt2 == 15 || (out && rt == rt2);
    match register(second, 0, more, double) {
        Some(s) if !wrong && s < SINGLES - 1 && out => Op::VmovPairOut { rt, rt2, s },
        Some(s) if !wrong && s < SINGLES - 1 => Op::VmovPairIn { rt, rt2, s },
        _ => Op::Undefined,
    }
}

/// VMOV of one word, VMRS, VMSR.
fn move_word(first: u16, second: u16) -> Op {
    let (rt, out) = (bits(second, 12, 4), first & 0x10 != 0);
    let (half, more) = (second & 0x100 != 0, second & 0x80 != 0);
    let s = match (bits(first, 5, 3), half) {
        (7, false) if bits(first, 0, 4) == 1 => {
            return match out {
                true => Op::Vmrs { rt },
                false if rt != 15 => Op::Vmsr { rt },
                false => Op::Undefined,
            };
        }
        (0, false) => bits(first, 0, 4) << 1 | u8::from(more),
        (0 | 1, true) if !more && second & 0x60 == 0 => bits(first, 0, 4) << 1 | bits(first, 5, 1),
        _ => return Op::Undefined,
    };
    match out {
        _ if rt == 15 => Op::Undefined,
        true => Op::VmovOut { rt, s },
        false => Op::VmovIn { rt, s },
    }
}

/// VMOV from one single register to another, and of an immediate.
fn move_register(first: u16, second: u16) -> Option<Op> {
    let single = second & 0x100 == 0;
    let to = register(second, 12, first & 0x40 != 0, false)?;
    let from = register(second, 0, second & 0x20 != 0, false)?;
    match (first & 0xbf, second & 0xd0) {
        (0xb0, 0x40) if single => Some(Op::Vmov { to, from }),
        (0xb0..=0xbf, 0x00) if single && second & 0x20 == 0 => Some(Op::VmovImm {
            s: to,
            imm: bits(first, 0, 4) << 4 | bits(second, 0, 4),
        }),
        _ => None,
    }
}

/// The single-precision number of an immediate of eight bits (A6.4.1).
const fn expand(imm: u8) -> u32 {
    let imm = imm as u32;
    let exponent = if imm & 0x40 != 0 {
        0x3e00_0000
    } else {
        0x4000_0000
    };
    (imm & 0x80) << 24 | exponent | (imm & 0x3f) << 19
}

impl Cpu {
    /// A move of the FPU; false if it is none.
    #[inline(always)]
    #[rustfmt::skip]
    pub(crate) fn of_the_fpu(&mut self, op: Op) -> bool {
        match op {
            Op::VmovIn { rt, s } => self.singles[usize::from(s & 31)] = self.r(rt),
            Op::VmovOut { rt, s } => self.set(rt, self.single(s)),
            Op::VmovPairIn { rt, rt2, s } => { self.set_single(s, self.r(rt)); self.set_single(s + 1, self.r(rt2)); }
            Op::VmovPairOut { rt, rt2, s } => { self.set(rt, self.single(s)); self.set(rt2, self.single(s + 1)); }
            Op::Vmov { to, from } => self.set_single(to, self.single(from)),
            Op::VmovImm { s, imm } => self.set_single(s, expand(imm)),
            Op::Vmsr { rt } => self.fpscr = self.r(rt) & FPSCR,
            Op::Vmrs { rt: 15 } => self.flags = Flags::from_psr(self.fpscr),
            Op::Vmrs { rt } => self.set(rt, self.fpscr),
            _ => return false,
        }
        true
    }

    fn single(&self, number: u8) -> u32 {
        self.singles[usize::from(number & 31)]
    }

    fn set_single(&mut self, number: u8, value: u32) {
        self.singles[usize::from(number & 31)] = value;
    }

    /// VLDR and VSTR of one or two words.
    pub(crate) fn transfer_singles(&mut self, op: Op, pc: u32, out: &mut impl Outside) -> Done {
        let (load, s, words, rn, imm) = match op {
            Op::Vldr { s, words, rn, imm } => (true, s, words, rn, imm),
            Op::Vstr { s, words, rn, imm } => (false, s, words, rn, imm),
            _ => return Err(Cause::Undefined),
        };
        let index = Index::Offset;
        let (addr, _) = self.address(pc, Base { rn, index, imm });
        self.move_singles(load, s, words, addr, out)
    }

    /// VLDM and VSTM.
    pub(crate) fn transfer_many(&mut self, op: Op, out: &mut impl Outside) -> Done {
        let (load, s, count, rn, wback, before) = match op {
            Op::Vldm {
                s,
                count,
                rn,
                wback,
                before,
            } => (true, s, count, rn, wback, before),
            Op::Vstm {
                s,
                count,
                rn,
                wback,
                before,
            } => (false, s, count, rn, wback, before),
            _ => return Err(Cause::Undefined),
        };
        let size = 4 * i16::from(count);
        let (index, imm) = match before {
            true => (Index::Pre, -size),
            false => (Index::Post, size),
        };
        let (addr, moved) = self.address(0, Base { rn, index, imm });
        self.cycles += u64::from(count);
        self.move_singles(load, s, count, addr, out)?;
        if wback {
            self.set(rn, moved);
        }
        Ok(())
    }

    fn move_singles(
        &mut self,
        load: bool,
        s: u8,
        words: u8,
        addr: u32,
        out: &mut impl Outside,
    ) -> Done {
        if addr & 3 != 0 {
            return Err(Cause::Unaligned(addr));
        }
        for word in 0..words {
            let at = addr.wrapping_add(4 * u32::from(word));
            if load {
                let value = self.load32(at, out)?;
                self.set_single(s + word, value);
            } else {
                self.store32(at, self.single(s + word), out)?;
            }
        }
        Ok(())
    }
}
