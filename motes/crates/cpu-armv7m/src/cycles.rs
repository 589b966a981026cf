//! How long every instruction takes before the pipeline rules: the manual's table as data. Also
//! which registers an instruction writes, since that decides how long the next one takes.
//!
//! Source: ARM DDI0337I "Cortex-M3 Technical Reference Manual", section 3.3 "Instruction set
//! summary", table "Cortex-M3 instruction set cycle timings" (zero wait states). P, B, W and the
//! ranges are in [`Timing`].

use crate::op::{Op, Width};
use crate::timing::{Divide, LongMultiply, Timing};

/// Rows of the table, in the order of [`BASE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Move, add, subtract, logic, compare, shift, extend, bit field, saturate, count, reverse,
    /// hints, CLREX.
    Simple,
    /// MUL.
    Multiply,
    /// MLA, MLS.
    MultiplyAccumulate,
    /// UMULL, SMULL, UMLAL, SMLAL: the range is added when the operands are known.
    Long,
    /// UDIV, SDIV: the range is added when the operands are known.
    Divide,
    /// LDR and its sizes, LDREX, STREX; LDR to PC (P is added).
    Load,
    /// STR with a register offset, a base update or without privilege.
    Store,
    /// STR with an immediate offset: the table says 2, the text 1; see [`Timing::store_immediate`].
    StoreImmediate,
    /// LDRD, STRD: 1+N.
    Double,
    /// LDM, STM, PUSH, POP: 1 here, N is added (and P).
    Multiple,
    /// B, BL, BX, BLX, CBZ, MOV and ADD to PC: 1 here, P is added when taken.
    Branch,
    /// TBB, TBH: 2 here, P is added.
    Table,
    /// MRS, MSR, CPS: 1–2; see [`Timing::special_register`].
    Special,
    /// DMB, DSB, ISB: 1 here, B is added.
    Barrier,
    /// WFI, WFE, SVC, BKPT and undefined instructions: 1 here. W or the cost of the exception is
    /// added.
    Wait,
    /// IT: 1, or 0 when folded.
    It,
}

/// Cycles of each [`Group`], in its order, without added cycles.
pub const BASE: [u32; 16] = [1, 1, 2, 0, 0, 2, 2, 2, 3, 1, 1, 2, 1, 1, 1, 1];

/// Range of UMULL and SMULL.
pub const LONG_MULTIPLY: [u32; 2] = [3, 5];
/// Range of UMLAL and SMLAL.
pub const LONG_ACCUMULATE: [u32; 2] = [4, 7];
/// Range of UDIV and SDIV.
pub const DIVIDE: [u32; 2] = [2, 12];
/// Words that the prefetch unit can hold (DDI0337I, section 1.3: "a 3-word entry prefetch unit").
pub const PREFETCH_WORDS: usize = 3;

/// The row of an instruction.
pub const fn group(op: &Op) -> Group {
    match op {
        Op::Mul { .. } => Group::Multiply,
        Op::Mla { .. } | Op::Mls { .. } => Group::MultiplyAccumulate,
        Op::Umull { .. } | Op::Smull { .. } | Op::Umlal { .. } | Op::Smlal { .. } => Group::Long,
        Op::Udiv { .. } | Op::Sdiv { .. } => Group::Divide,
        Op::StrImm { .. } | Op::StrbImm { .. } | Op::StrhImm { .. } => Group::StoreImmediate,
        Op::StrReg { .. } | Op::StrbReg { .. } | Op::StrhReg { .. } => Group::Store,
        Op::StoreIndexed { .. } | Op::StoreUnprivileged { .. } => Group::Store,
        Op::Ldrd { .. } | Op::Strd { .. } => Group::Double,
        Op::Ldm { .. } | Op::Stm { .. } => Group::Multiple,
        Op::Vldm { .. } | Op::Vstm { .. } => Group::Multiple,
        Op::Tbb { .. } | Op::Tbh { .. } => Group::Table,
        Op::B { .. } | Op::Bcc { .. } | Op::Bl { .. } | Op::Bx { .. } | Op::Blx { .. } => {
            Group::Branch
        }
        Op::Cbz { .. } | Op::MovToPc { .. } | Op::AddToPc { .. } => Group::Branch,
        Op::Mrs { .. } | Op::Msr { .. } | Op::Cps { .. } => Group::Special,
        Op::Dmb | Op::Dsb | Op::Isb => Group::Barrier,
        Op::Wfi | Op::Wfe | Op::Svc | Op::Bkpt { .. } | Op::Undefined | Op::Coprocessor => {
            Group::Wait
        }
        Op::It { .. } => Group::It,
        _ if loaded(op).is_some() => Group::Load,
        Op::LdrPcImm { .. } | Op::LdrPcReg { .. } | Op::LoadIndexed { .. } => Group::Load,
        Op::LoadUnprivileged { .. } | Op::Strex { .. } => Group::Load,
        _ => Group::Simple,
    }
}

/// Cycles before what is added at run time.
pub const fn base(op: &Op, timing: &Timing) -> u32 {
    match group(op) {
        Group::Multiply => timing.multiply,
        Group::MultiplyAccumulate => timing.multiply_accumulate,
        Group::StoreImmediate => timing.store_immediate,
        Group::Special if matches!(op, Op::Cps { .. }) => timing.masks,
        Group::Special => timing.special_register,
        Group::Branch if matches!(op, Op::Bl { .. }) => BASE[Group::Branch as usize] + timing.link,
        Group::Wait if matches!(op, Op::Wfi | Op::Wfe) => timing.wait,
        Group::Simple => match *op {
            // The FPU: two words take a cycle more.
            Op::Vldr { words, .. } | Op::Vstr { words, .. } => 1 + words as u32,
            Op::VmovPairIn { .. } | Op::VmovPairOut { .. } => 2,
            _ => BASE[Group::Simple as usize],
        },
        Group::Load if matches!(op, Op::LoadLiteral { .. }) => {
            BASE[Group::Load as usize] + timing.literal_contention
        }
        group => BASE[group as usize],
    }
}

/// The register that a load writes, if the next load or store can pipeline behind that load ("LDR
/// \[any\] are pipelined when possible"; not with base update, not to PC).
pub const fn loaded(op: &Op) -> Option<u8> {
    match *op {
        Op::LdrImm { rt, .. } | Op::LdrbImm { rt, .. } | Op::LdrhImm { rt, .. } => Some(rt),
        Op::LdrsbImm { rt, .. } | Op::LdrshImm { rt, .. } | Op::LoadLiteral { rt, .. } => Some(rt),
        Op::LdrReg { rt, .. } | Op::LdrbReg { rt, .. } | Op::LdrhReg { rt, .. } => Some(rt),
        Op::LdrsbReg { rt, .. } | Op::LdrshReg { rt, .. } | Op::Ldrex { rt, .. } => Some(rt),
        Op::LoadUnprivileged { rt, .. } => Some(rt),
        Op::Strex { rd, .. } => Some(rd),
        _ => None,
    }
}

/// The cycles of a long multiplication of large operands.
pub const fn longest_multiply(rule: LongMultiply, range: [u32; 2]) -> u32 {
    match rule {
        LongMultiply::One => 1,
        LongMultiply::Shortest => range[0],
        LongMultiply::Longest | LongMultiply::ByBothOperands => range[1],
    }
}

/// The registers that a data-processing instruction writes, as a bit mask.
pub const fn computed(op: &Op) -> u32 {
    match *op {
        Op::Umull { lo, hi, .. }
        | Op::Smull { lo, hi, .. }
        | Op::Umlal { lo, hi, .. }
        | Op::LongProduct { lo, hi, .. }
        | Op::VmovPairOut {
            rt: lo, rt2: hi, ..
        }
        | Op::Smlal { lo, hi, .. } => 1 << lo | 1 << hi,
        _ => match result(op) {
            Some(rd) => 1 << rd,
            None => 0,
        },
    }
}

/// The one register that a data-processing instruction writes.
#[rustfmt::skip]
const fn result(op: &Op) -> Option<u8> {
    match *op {
        Op::AndImm { rd, .. } | Op::BicImm { rd, .. } | Op::OrrImm { rd, .. }
        | Op::OrnImm { rd, .. } | Op::EorImm { rd, .. } | Op::AddImm { rd, .. }
        | Op::AdcImm { rd, .. } | Op::SbcImm { rd, .. } | Op::SubImm { rd, .. }
        | Op::RsbImm { rd, .. } | Op::MovImm { rd, .. } | Op::MvnImm { rd, .. }
        | Op::Movt { rd, .. } | Op::AndReg { rd, .. } | Op::BicReg { rd, .. }
        | Op::OrrReg { rd, .. } | Op::EorReg { rd, .. } | Op::AddReg { rd, .. }
        | Op::AdcReg { rd, .. } | Op::SbcReg { rd, .. } | Op::SubReg { rd, .. }
        | Op::MovReg { rd, .. } | Op::MvnReg { rd, .. } | Op::AndShift { rd, .. }
        | Op::BicShift { rd, .. } | Op::OrrShift { rd, .. } | Op::OrnShift { rd, .. }
        | Op::EorShift { rd, .. } | Op::AddShift { rd, .. } | Op::AdcShift { rd, .. }
        | Op::SbcShift { rd, .. } | Op::SubShift { rd, .. } | Op::RsbShift { rd, .. }
        | Op::MovShift { rd, .. } | Op::MvnShift { rd, .. } | Op::LslReg { rd, .. }
        | Op::LsrReg { rd, .. } | Op::AsrReg { rd, .. } | Op::RorReg { rd, .. }
        | Op::Adr { rd, .. } | Op::MovFromPc { rd, .. } | Op::AddFromPc { rd, .. }
        | Op::Mul { rd, .. } | Op::Mla { rd, .. } | Op::Mls { rd, .. }
        | Op::Udiv { rd, .. } | Op::Sdiv { rd, .. } | Op::Clz { rd, .. }
        | Op::Rbit { rd, .. } | Op::Rev { rd, .. } | Op::Rev16 { rd, .. }
        | Op::Revsh { rd, .. } | Op::Sxtb { rd, .. } | Op::Sxth { rd, .. }
        | Op::Uxtb { rd, .. } | Op::Uxth { rd, .. } | Op::Bfi { rd, .. }
        | Op::Bfc { rd, .. } | Op::Sbfx { rd, .. } | Op::Ubfx { rd, .. }
        | Op::Ssat { rd, .. } | Op::Usat { rd, .. }
        | Op::Pkhbt { rd, .. } | Op::Pkhtb { rd, .. } | Op::Ssat16 { rd, .. }
        | Op::Usat16 { rd, .. } | Op::Sxtah { rd, .. } | Op::Uxtah { rd, .. }
        | Op::Sxtab { rd, .. } | Op::Uxtab { rd, .. } | Op::Sxtab16 { rd, .. }
        | Op::Uxtab16 { rd, .. } | Op::SaturatedSum { rd, .. } | Op::Sel { rd, .. }
        | Op::Parallel { rd, .. } | Op::Product { rd, .. }
        | Op::VmovOut { rt: rd, .. } => Some(rd),
        _ => None,
    }
}

/// Whether the instruction writes SP with anything but a multiple of 4, so that bits 1:0 must be
/// cleared after it.
pub const fn writes_sp(op: &Op) -> bool {
    const SP: u8 = 13;
    match *op {
        Op::AddImm {
            rd: SP,
            rn: SP,
            imm,
            ..
        }
        | Op::SubImm {
            rd: SP,
            rn: SP,
            imm,
            ..
        } if imm & 3 == 0 => false,
        Op::Ldm { wback: true, .. } | Op::Stm { wback: true, .. } => false,
        Op::LoadIndexed { rn: SP, .. }
        | Op::StoreIndexed { rn: SP, .. }
        | Op::LdrPcImm { rn: SP, .. } => true,
        Op::Ldrd { rn: SP, .. } | Op::Strd { rn: SP, .. } => false,
        _ => {
            computed(op) >> SP & 1 != 0
                || matches!(loaded(op), Some(SP))
                || matches!(op, Op::LoadIndexed { rt: SP, .. })
        }
    }
}

/// Cycles of a long multiplication of these operands.
pub fn long_multiply(rule: LongMultiply, range: [u32; 2], a: u32, b: u32) -> u32 {
    let longest = match rule {
        LongMultiply::One => return 1,
        LongMultiply::Shortest => false,
        LongMultiply::Longest => true,
        LongMultiply::ByBothOperands => (a | b) >> 16 != 0,
    };
    range[usize::from(longest)]
}

/// Cycles of a division of these magnitudes.
pub fn divide(rule: Divide, dividend: u32, divisor: u32) -> u32 {
    if divisor == 0 || dividend < divisor {
        return DIVIDE[0];
    }
    let quotient_bits = divisor.leading_zeros() - dividend.leading_zeros() + 1;
    (rule.base + quotient_bits.div_ceil(rule.bits_per_cycle)).min(DIVIDE[1])
}

/// The quotient that UDIV or SDIV writes (0 for a division by zero), and its cycles.
pub fn quotient(rule: Divide, a: u32, b: u32, signed: bool) -> (u32, u32) {
    if signed {
        let (a, b) = (a as i32, b as i32);
        // The one quotient that does not fit is that of the smallest number and -1.
        let quotient = a
            .checked_div(b)
            .unwrap_or(if b == 0 { 0 } else { i32::MIN });
        (
            quotient as u32,
            divide(rule, a.unsigned_abs(), b.unsigned_abs()),
        )
    } else {
        (a.checked_div(b).unwrap_or(0), divide(rule, a, b))
    }
}

/// Octets that a load or store of this width moves.
pub const fn octets(width: Width) -> u32 {
    match width {
        Width::Word => 4,
        Width::Half | Width::SignedHalf => 2,
        Width::Byte | Width::SignedByte => 1,
    }
}
