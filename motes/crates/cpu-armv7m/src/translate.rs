//! From decoded instructions to micro-operations.

use crate::alu;
use crate::cache;
use crate::execute::literal_base;
use crate::forms::*;
use crate::forms_memory::*;
use crate::micro::{Micro, Reg, Shape};
use crate::op::{F_SET, Index, Op, Shift, Width};
use crate::timing::{LongMultiply, Timing};

/// A micro-operation with its functions.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub micro: Micro,
    pub shape: Shape,
    /// The block ends with it.
    pub last: bool,
}

/// A step after which the block goes on.
fn step(shape: Shape, [a, b, c]: [u8; 3], d: u8, imm: u32) -> Option<Step> {
    let micro = Micro {
        run: shape.first(),
        imm,
        a: Reg::of(a),
        b: Reg::of(b),
        c: Reg::of(c),
        d,
    };
    Some(Step {
        micro,
        shape,
        last: false,
    })
}

/// A step that ends the block.
fn last(shape: Shape, b: u8, imm: u32, cycles: u32) -> Option<Step> {
    step(shape, [0, b, 0], u8::try_from(cycles).ok()?, imm).map(|step| Step { last: true, ..step })
}

/// `a = b operation immediate`.
fn immediate<O: Operation>(rd: u8, rn: u8, f: u8, imm: u32) -> Option<Step> {
    let shape = if f & F_SET != 0 {
        Shape::single::<Data<O, Imm, true>>()
    } else {
        Shape::many::<Data<O, Imm, false>>()
    };
    step(shape, [rd, rn, 0], f, imm)
}

/// `a = b operation c`.
fn plain<O: Operation>(rd: u8, rn: u8, rm: u8, s: bool) -> Option<Step> {
    let shape = if s {
        Shape::single::<Data<O, Plain, true>>()
    } else {
        Shape::many::<Data<O, Plain, false>>()
    };
    step(shape, [rd, rn, rm], 0, 0)
}

/// `a = b operation c shifted`.
fn shifted<O: Operation>(registers: [u8; 3], shift: Shift, amount: u8, s: bool) -> Option<Step> {
    let shape = match (shift, s) {
        (Shift::Lsl, false) => Shape::many::<Data<O, Lsl, false>>(),
        (Shift::Lsr, false) => Shape::many::<Data<O, Lsr, false>>(),
        (Shift::Asr, false) => Shape::many::<Data<O, Asr, false>>(),
        (Shift::Ror, false) => Shape::many::<Data<O, Ror, false>>(),
        (Shift::Rrx, false) => Shape::single::<Data<O, Rrx, false>>(),
        (Shift::Lsl, true) => Shape::single::<Data<O, Lsl, true>>(),
        (Shift::Lsr, true) => Shape::single::<Data<O, Lsr, true>>(),
        (Shift::Asr, true) => Shape::single::<Data<O, Asr, true>>(),
        (Shift::Ror, true) => Shape::single::<Data<O, Ror, true>>(),
        (Shift::Rrx, true) => Shape::single::<Data<O, Rrx, true>>(),
    };
    step(shape, registers, amount, 0)
}

/// Flags of `b operation c shifted`.
fn compare<O: Operation>(rn: u8, rm: u8, shift: Shift, amount: u8) -> Option<Step> {
    let shape = match shift {
        Shift::Lsl => Shape::single::<Compare<O, Lsl>>(),
        Shift::Lsr => Shape::single::<Compare<O, Lsr>>(),
        Shift::Asr => Shape::single::<Compare<O, Asr>>(),
        Shift::Ror => Shape::single::<Compare<O, Ror>>(),
        Shift::Rrx => Shape::single::<Compare<O, Rrx>>(),
    };
    step(shape, [0, rn, rm], amount, 0)
}

/// The micro-operation of the instruction at `pc`; none if it needs a full step. `W`: accesses may
/// wait. Then loads are watched, and instructions whose time depends on their operands need a full
/// step too.
pub(crate) fn translate<const W: bool>(
    op: Op,
    meta: u32,
    pc: u32,
    timing: &Timing,
) -> Option<Step> {
    if meta & cache::WRITES_SP != 0 || W && matches!(op, Op::Udiv { .. } | Op::Sdiv { .. }) {
        return None;
    }
    immediate_operand(op, pc)
        .or_else(|| register_operand(op))
        .or_else(|| shifted_operand(op))
        .or_else(|| product(op, timing))
        .or_else(|| rearranged(op))
        .or_else(|| load::<W>(op, pc))
        .or_else(|| store(op))
        .or_else(|| branch::<W>(op, pc, timing))
}

#[rustfmt::skip]
fn immediate_operand(op: Op, pc: u32) -> Option<Step> {
    match op {
        Op::AndImm { rd, rn, f, imm } => immediate::<And>(rd, rn, f, imm),
        Op::BicImm { rd, rn, f, imm } => immediate::<Bic>(rd, rn, f, imm),
        Op::OrrImm { rd, rn, f, imm } => immediate::<Orr>(rd, rn, f, imm),
        Op::OrnImm { rd, rn, f, imm } => immediate::<Orn>(rd, rn, f, imm),
        Op::EorImm { rd, rn, f, imm } => immediate::<Eor>(rd, rn, f, imm),
        Op::AddImm { rd, rn, f, imm } => immediate::<Add>(rd, rn, f, imm),
        Op::AdcImm { rd, rn, f, imm } => immediate::<Adc>(rd, rn, f, imm),
        Op::SbcImm { rd, rn, f, imm } => immediate::<Sbc>(rd, rn, f, imm),
        Op::SubImm { rd, rn, f, imm } => immediate::<Sub>(rd, rn, f, imm),
        Op::RsbImm { rd, rn, f, imm } => immediate::<Rsb>(rd, rn, f, imm),
        Op::MovImm { rd, f, imm } => immediate::<Mov>(rd, 0, f, imm),
        Op::MvnImm { rd, f, imm } => immediate::<Mvn>(rd, 0, f, imm),
        Op::TstImm { rn, f, imm } => step(Shape::single::<Compare<And, Imm>>(), [0, rn, 0], f, imm),
        Op::TeqImm { rn, f, imm } => step(Shape::single::<Compare<Eor, Imm>>(), [0, rn, 0], f, imm),
        Op::CmpImm { rn, imm } => step(Shape::single::<Compare<Sub, Imm>>(), [0, rn, 0], 0, imm),
        Op::CmnImm { rn, imm } => step(Shape::single::<Compare<Add, Imm>>(), [0, rn, 0], 0, imm),
        Op::Movt { rd, imm } => step(Shape::many::<Movt>(), [rd, 0, 0], 0, u32::from(imm) << 16),
        Op::Adr { rd, imm } => immediate::<Mov>(rd, 0, 0, literal_base(pc).wrapping_add_signed(i32::from(imm))),
        Op::MovFromPc { rd } => immediate::<Mov>(rd, 0, 0, pc.wrapping_add(4)),
        Op::AddFromPc { rd } => immediate::<Add>(rd, rd, 0, pc.wrapping_add(4)),
        _ => None,
    }
}

#[rustfmt::skip]
fn register_operand(op: Op) -> Option<Step> {
    match op {
        Op::AndReg { rd, rn, rm, s } => plain::<And>(rd, rn, rm, s),
        Op::BicReg { rd, rn, rm, s } => plain::<Bic>(rd, rn, rm, s),
        Op::OrrReg { rd, rn, rm, s } => plain::<Orr>(rd, rn, rm, s),
        // As a rotation by 0 it has the form of its neighbours, which rotate.
        Op::EorReg { rd, rn, rm, s: false } => shifted::<Eor>([rd, rn, rm], Shift::Ror, 0, false),
        Op::EorReg { rd, rn, rm, s } => plain::<Eor>(rd, rn, rm, s),
        Op::AddReg { rd, rn, rm, s } => plain::<Add>(rd, rn, rm, s),
        Op::AdcReg { rd, rn, rm, s } => plain::<Adc>(rd, rn, rm, s),
        Op::SbcReg { rd, rn, rm, s } => plain::<Sbc>(rd, rn, rm, s),
        Op::SubReg { rd, rn, rm, s } => plain::<Sub>(rd, rn, rm, s),
        Op::MovReg { rd, rm, s } => plain::<Mov>(rd, 0, rm, s),
        Op::MvnReg { rd, rm, s } => plain::<Mvn>(rd, 0, rm, s),
        Op::TstReg { rn, rm } => step(Shape::single::<Compare<And, Plain>>(), [0, rn, rm], 0, 0),
        Op::CmpReg { rn, rm } => step(Shape::single::<Compare<Sub, Plain>>(), [0, rn, rm], 0, 0),
        _ => None,
    }
}

/// Also shifts by a register.
#[rustfmt::skip]
fn shifted_operand(op: Op) -> Option<Step> {
    match op {
        Op::AndShift { rd, rn, rm, shift, amount, s } => shifted::<And>([rd, rn, rm], shift, amount, s),
        Op::BicShift { rd, rn, rm, shift, amount, s } => shifted::<Bic>([rd, rn, rm], shift, amount, s),
        Op::OrrShift { rd, rn, rm, shift, amount, s } => shifted::<Orr>([rd, rn, rm], shift, amount, s),
        Op::OrnShift { rd, rn, rm, shift, amount, s } => shifted::<Orn>([rd, rn, rm], shift, amount, s),
        Op::EorShift { rd, rn, rm, shift, amount, s } => shifted::<Eor>([rd, rn, rm], shift, amount, s),
        Op::AddShift { rd, rn, rm, shift, amount, s } => shifted::<Add>([rd, rn, rm], shift, amount, s),
        Op::AdcShift { rd, rn, rm, shift, amount, s } => shifted::<Adc>([rd, rn, rm], shift, amount, s),
        Op::SbcShift { rd, rn, rm, shift, amount, s } => shifted::<Sbc>([rd, rn, rm], shift, amount, s),
        Op::SubShift { rd, rn, rm, shift, amount, s } => shifted::<Sub>([rd, rn, rm], shift, amount, s),
        Op::RsbShift { rd, rn, rm, shift, amount, s } => shifted::<Rsb>([rd, rn, rm], shift, amount, s),
        Op::TstShift { rn, rm, shift, amount } => compare::<And>(rn, rm, shift, amount),
        Op::TeqShift { rn, rm, shift, amount } => compare::<Eor>(rn, rm, shift, amount),
        Op::CmpShift { rn, rm, shift, amount } => compare::<Sub>(rn, rm, shift, amount),
        Op::CmnShift { rn, rm, shift, amount } => compare::<Add>(rn, rm, shift, amount),
        Op::MovShift { rd, rm, shift: Shift::Lsr, amount: amount @ 1..=31, s: false } => extract(rd, rm, amount, u32::MAX),
        Op::MovShift { rd, rm, shift, amount, s } => shifted::<Mov>([rd, 0, rm], shift, amount, s),
        Op::MvnShift { rd, rm, shift, amount, s } => shifted::<Mvn>([rd, 0, rm], shift, amount, s),
        Op::LslReg { rd, rn, rm, s } => step(Shape::single::<LslBy>(), [rd, rn, rm], s.into(), 0),
        Op::LsrReg { rd, rn, rm, s } => step(Shape::single::<LsrBy>(), [rd, rn, rm], s.into(), 0),
        Op::AsrReg { rd, rn, rm, s } => step(Shape::single::<AsrBy>(), [rd, rn, rm], s.into(), 0),
        Op::RorReg { rd, rn, rm, s } => step(Shape::single::<RorBy>(), [rd, rn, rm], s.into(), 0),
        _ => None,
    }
}

/// Multiplication and division.
#[rustfmt::skip]
fn product(op: Op, timing: &Timing) -> Option<Step> {
    match op {
        Op::Mul { rd, rn, rm, s } => step(Shape::single::<Mul>(), [rd, rn, rm], s.into(), 0),
        Op::Mla { rd, rn, rm, ra } => step(Shape::single::<Mla>(), [rd, rn, rm], ra, 0),
        Op::Mls { rd, rn, rm, ra } => step(Shape::single::<Mls>(), [rd, rn, rm], ra, 0),
        // Here the time depends on the operands, so the block cannot count it.
        Op::Umull { .. } | Op::Smull { .. } | Op::Umlal { .. } | Op::Smlal { .. }
            if timing.long_multiply == LongMultiply::ByBothOperands => None,
        Op::Umull { lo, hi, rn, rm } => step(Shape::single::<Umull>(), [lo, rn, rm], 0, hi.into()),
        Op::Smull { lo, hi, rn, rm } => step(Shape::single::<Smull>(), [lo, rn, rm], 0, hi.into()),
        Op::Umlal { lo, hi, rn, rm } => step(Shape::single::<Umlal>(), [lo, rn, rm], 0, hi.into()),
        Op::Smlal { lo, hi, rn, rm } => step(Shape::single::<Smlal>(), [lo, rn, rm], 0, hi.into()),
        Op::Udiv { rd, rn, rm } => divide(Shape::single::<Division<false>>(), [rd, rn, rm], timing),
        Op::Sdiv { rd, rn, rm } => divide(Shape::single::<Division<true>>(), [rd, rn, rm], timing),
        _ => None,
    }
}

/// Bits and octets in another order or extended, and NOP.
#[rustfmt::skip]
fn rearranged(op: Op) -> Option<Step> {
    match op {
        Op::Clz { rd, rm } => step(Shape::single::<Clz>(), [rd, rm, 0], 0, 0),
        Op::Rbit { rd, rm } => step(Shape::single::<Rbit>(), [rd, rm, 0], 0, 0),
        Op::Rev { rd, rm } => step(Shape::many::<Rev>(), [rd, rm, 0], 0, 0),
        Op::Rev16 { rd, rm } => step(Shape::single::<Rev16>(), [rd, rm, 0], 0, 0),
        Op::Revsh { rd, rm } => step(Shape::single::<Revsh>(), [rd, rm, 0], 0, 0),
        Op::Sxtb { rd, rm, rotate } => step(Shape::single::<Sxtb>(), [rd, rm, 0], rotate, 0),
        Op::Sxth { rd, rm, rotate } => step(Shape::single::<Sxth>(), [rd, rm, 0], rotate, 0),
        Op::Uxtb { rd, rm, rotate } => extract(rd, rm, rotate, 0xff),
        Op::Uxth { rd, rm, rotate: 24 } => step(Shape::single::<UxthTurned>(), [rd, rm, 0], 24, 0),
        Op::Uxth { rd, rm, rotate } => extract(rd, rm, rotate, 0xffff),
        Op::Bfi { rd, rn, lsb, width } => step(Shape::single::<Bfi>(), [rd, rn, 0], lsb, alu::field(lsb, width)),
        Op::Bfc { rd, lsb, width } => immediate::<Bic>(rd, rd, 0, alu::field(lsb, width)),
        Op::Ubfx { rd, rn, lsb, width } => extract(rd, rn, lsb, alu::field(0, width)),
        Op::Sbfx { rd, rn, lsb, width } => step(Shape::single::<Sbfx>(), [rd, rn, 0], 32 - lsb - width, 32 - u32::from(width)),
        Op::Nop => step(Shape::single::<Nothing>(), [0, 0, 0], 0, 0),
        _ => None,
    }
}

fn extract(rd: u8, rn: u8, lsb: u8, mask: u32) -> Option<Step> {
    step(Shape::many::<Extract>(), [rd, rn, 0], lsb, mask)
}

fn divide(shape: Shape, registers: [u8; 3], timing: &Timing) -> Option<Step> {
    let bits = u8::try_from(timing.divide.bits_per_cycle).ok()?;
    step(shape, registers, bits, timing.divide.base)
}

#[rustfmt::skip]
fn load<const W: bool>(op: Op, pc: u32) -> Option<Step> {
    let offset = |imm: i16| i32::from(imm) as u32;
    let literal = |imm: i16| literal_base(pc).wrapping_add_signed(i32::from(imm));
    match op {
        Op::LdrImm { rt, rn, imm } => step(Shape::many::<Load<Word, Offset, W>>(), [rt, rn, 0], 0, offset(imm)),
        Op::LdrbImm { rt, rn, imm } => step(Shape::many::<Load<Byte, Offset, W>>(), [rt, rn, 0], 0, offset(imm)),
        Op::LdrhImm { rt, rn, imm } => step(Shape::many::<Load<Half, Offset, W>>(), [rt, rn, 0], 0, offset(imm)),
        Op::LdrsbImm { rt, rn, imm } => step(Shape::single::<Load<SignedByte, Offset, W>>(), [rt, rn, 0], 0, offset(imm)),
        Op::LdrshImm { rt, rn, imm } => step(Shape::single::<Load<SignedHalf, Offset, W>>(), [rt, rn, 0], 0, offset(imm)),
        Op::LdrReg { rt, rn, rm, lsl } => step(Shape::many::<Load<Word, Indexed, W>>(), [rt, rn, rm], lsl, 0),
        Op::LdrbReg { rt, rn, rm, lsl } => step(Shape::many::<Load<Byte, Indexed, W>>(), [rt, rn, rm], lsl, 0),
        Op::LdrhReg { rt, rn, rm, lsl } => step(Shape::single::<Load<Half, Indexed, W>>(), [rt, rn, rm], lsl, 0),
        Op::LdrsbReg { rt, rn, rm, lsl } => step(Shape::single::<Load<SignedByte, Indexed, W>>(), [rt, rn, rm], lsl, 0),
        Op::LdrshReg { rt, rn, rm, lsl } => step(Shape::single::<Load<SignedHalf, Indexed, W>>(), [rt, rn, rm], lsl, 0),
        Op::LoadLiteral { width, rt, imm } => {
            let shape = match width {
                Width::Word => Shape::single::<Load<Word, Literal, W>>(),
                Width::Half => Shape::single::<Load<Half, Literal, W>>(),
                Width::Byte => Shape::single::<Load<Byte, Literal, W>>(),
                Width::SignedHalf => Shape::single::<Load<SignedHalf, Literal, W>>(),
                Width::SignedByte => Shape::single::<Load<SignedByte, Literal, W>>(),
            };
            step(shape, [rt, 0, 0], 0, literal(imm))
        }
        Op::LoadIndexed { width, rt, rn, post, imm } => {
            let shape = match (width, post) {
                (Width::Word, false) => Shape::single::<LoadMoving<Word, false, W>>(),
                (Width::Word, true) => Shape::single::<LoadMoving<Word, true, W>>(),
                (Width::Half, false) => Shape::single::<LoadMoving<Half, false, W>>(),
                (Width::Half, true) => Shape::single::<LoadMoving<Half, true, W>>(),
                (Width::Byte, false) => Shape::single::<LoadMoving<Byte, false, W>>(),
                (Width::Byte, true) => Shape::single::<LoadMoving<Byte, true, W>>(),
                (Width::SignedHalf, false) => Shape::single::<LoadMoving<SignedHalf, false, W>>(),
                (Width::SignedHalf, true) => Shape::single::<LoadMoving<SignedHalf, true, W>>(),
                (Width::SignedByte, false) => Shape::single::<LoadMoving<SignedByte, false, W>>(),
                (Width::SignedByte, true) => Shape::single::<LoadMoving<SignedByte, true, W>>(),
            };
            step(shape, [rt, rn, 0], 0, offset(imm))
        }
        Op::Ldrd { rn: 15, .. } => None,
        Op::Ldrd { rt, rt2, rn, index, imm } => step(Shape::single::<LoadDouble<W>>(), [rt, rn, rt2], moves(index), offset(imm)),
        Op::Ldm { rn, wback, before, list } if list & 1 << 15 == 0 && list != 0 => {
            step(Shape::single::<LoadMultiple<false, W>>(), [0, rn, 0], multiple(wback, before), list.into())
        }
        _ => None,
    }
}

fn moves(index: Index) -> u8 {
    match index {
        Index::Offset => 0,
        Index::Pre => PRE,
        Index::Post => POST,
    }
}

fn multiple(wback: bool, before: bool) -> u8 {
    (if wback { WRITE_BACK } else { 0 }) | if before { BEFORE } else { 0 }
}

#[rustfmt::skip]
fn store(op: Op) -> Option<Step> {
    let offset = |imm: i16| i32::from(imm) as u32;
    match op {
        Op::StrImm { rt, rn, imm } => step(Shape::many::<Store<Word, Offset>>(), [rt, rn, 0], 0, offset(imm)),
        Op::StrbImm { rt, rn, imm } => step(Shape::many::<Store<Byte, Offset>>(), [rt, rn, 0], 0, offset(imm)),
        Op::StrhImm { rt, rn, imm } => step(Shape::single::<Store<Half, Offset>>(), [rt, rn, 0], 0, offset(imm)),
        Op::StrReg { rt, rn, rm, lsl } => step(Shape::single::<Store<Word, Indexed>>(), [rt, rn, rm], lsl, 0),
        Op::StrbReg { rt, rn, rm, lsl } => step(Shape::single::<Store<Byte, Indexed>>(), [rt, rn, rm], lsl, 0),
        Op::StrhReg { rt, rn, rm, lsl } => step(Shape::single::<Store<Half, Indexed>>(), [rt, rn, rm], lsl, 0),
        Op::StoreIndexed { width, rt, rn, post, imm } => {
            let shape = match (width, post) {
                (Width::Word, false) => Shape::single::<StoreMoving<Word, false>>(),
                (Width::Word, true) => Shape::single::<StoreMoving<Word, true>>(),
                (Width::Half | Width::SignedHalf, false) => Shape::single::<StoreMoving<Half, false>>(),
                (Width::Half | Width::SignedHalf, true) => Shape::single::<StoreMoving<Half, true>>(),
                (Width::Byte | Width::SignedByte, false) => Shape::single::<StoreMoving<Byte, false>>(),
                (Width::Byte | Width::SignedByte, true) => Shape::single::<StoreMoving<Byte, true>>(),
            };
            step(shape, [rt, rn, 0], 0, offset(imm))
        }
        Op::Strd { rt, rt2, rn, index, imm } => step(Shape::single::<StoreDouble>(), [rt, rn, rt2], moves(index), offset(imm)),
        Op::Stm { rn, wback, before, list } if list != 0 => {
            step(Shape::single::<StoreMultiple>(), [0, rn, 0], multiple(wback, before), list.into())
        }
        _ => None,
    }
}

fn branch<const W: bool>(op: Op, pc: u32, timing: &Timing) -> Option<Step> {
    let to = |offset: i32| pc.wrapping_add(4).wrapping_add_signed(offset) & !1;
    let refill = timing.refill;
    match op {
        Op::B { offset } => last(Shape::single::<Branch>(), 0, to(offset), refill),
        Op::Bl { offset } => last(Shape::single::<BranchLink>(), 0, to(offset), refill),
        Op::Bcc { cond, offset } => last(condition(cond), 0, to(offset), refill),
        Op::Cbz {
            rn,
            nonzero,
            offset,
        } => {
            let shape = if nonzero {
                Shape::single::<BranchNonzero>()
            } else {
                Shape::single::<BranchZero>()
            };
            last(shape, rn, to(offset.into()), refill)
        }
        Op::Bx { rm } if rm != 15 => last(Shape::single::<Exchange<false>>(), rm, 0, refill),
        Op::Blx { rm } if rm != 15 => last(Shape::single::<Exchange<true>>(), rm, 0, refill),
        Op::Ldm {
            rn,
            wback,
            before,
            list,
        } if list >> 15 != 0 => {
            let flags = multiple(wback, before);
            let cycles = timing.refill_load << JUMP_SHIFT | u32::from(flags);
            last(
                Shape::single::<LoadMultiple<true, W>>(),
                rn,
                list.into(),
                cycles,
            )
        }
        _ => None,
    }
}

fn condition(cond: u8) -> Shape {
    match cond {
        0 => Shape::single::<BranchIf<0>>(),
        1 => Shape::single::<BranchIf<1>>(),
        2 => Shape::single::<BranchIf<2>>(),
        3 => Shape::single::<BranchIf<3>>(),
        4 => Shape::single::<BranchIf<4>>(),
        5 => Shape::single::<BranchIf<5>>(),
        6 => Shape::single::<BranchIf<6>>(),
        7 => Shape::single::<BranchIf<7>>(),
        8 => Shape::single::<BranchIf<8>>(),
        9 => Shape::single::<BranchIf<9>>(),
        10 => Shape::single::<BranchIf<10>>(),
        11 => Shape::single::<BranchIf<11>>(),
        12 => Shape::single::<BranchIf<12>>(),
        13 => Shape::single::<BranchIf<13>>(),
        _ => Shape::single::<Branch>(),
    }
}
