//! The forms of micro-operations: one type for each kind of instruction. So the compiler makes a
//! function for each, without decisions at run time.

use crate::alu;
use crate::cycles;
use crate::micro::{BlockState, Form, Micro};
use crate::op::{F_CARRY, F_CARRY_DEFINED, Shift};
use crate::timing::Divide;
use std::marker::PhantomData;

/// The second operand, and the carry out of its shift.
pub(crate) trait Second: 'static {
    fn value(state: &BlockState<'_>, micro: &Micro) -> (u32, bool);
}

/// `imm`; bits of `d` say what it makes of the carry.
pub(crate) struct Imm;
/// Register `c`.
pub(crate) struct Plain;
/// Register `c`, shifted by the constant `d`.
pub(crate) struct Lsl;
pub(crate) struct Lsr;
pub(crate) struct Asr;
pub(crate) struct Ror;
pub(crate) struct Rrx;

impl Second for Imm {
    #[inline(always)]
    fn value(state: &BlockState<'_>, micro: &Micro) -> (u32, bool) {
        let carry = if micro.d & F_CARRY_DEFINED != 0 {
            micro.d & F_CARRY != 0
        } else {
            state.flags.c
        };
        (micro.imm, carry)
    }
}

impl Second for Plain {
    #[inline(always)]
    fn value(state: &BlockState<'_>, micro: &Micro) -> (u32, bool) {
        (state.get(micro.c), state.flags.c)
    }
}

macro_rules! shifted {
    ($($name:ident)*) => {$(
        impl Second for $name {
            #[inline(always)]
            fn value(state: &BlockState<'_>, micro: &Micro) -> (u32, bool) {
                state.flags.shift(state.get(micro.c), Shift::$name, micro.d)
            }
        }
    )*};
}
shifted!(Lsl Lsr Asr Ror Rrx);

/// A data-processing operation of two operands.
pub(crate) trait Operation: 'static {
    /// The result; with the flags if `SET`.
    fn result<const SET: bool>(flags: &mut alu::Flags, a: u32, b: (u32, bool)) -> u32;
}

macro_rules! logic {
    ($($(#[$doc:meta])* $name:ident $function:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn result<const SET: bool>(flags: &mut alu::Flags, a: u32, b: (u32, bool)) -> u32 {
                let function: fn(u32, u32) -> u32 = $function;
                flags.logic(function(a, b.0), b.1, SET)
            }
        }
    )*};
}
logic! {
    And |a, b| a & b;
    Bic |a, b| a & !b;
    Orr |a, b| a | b;
    Orn |a, b| a | !b;
    Eor |a, b| a ^ b;
    /// The second operand alone.
    Mov |_, b| b;
    Mvn |_, b| !b;
}

macro_rules! sum {
    ($($name:ident $function:expr;)*) => {$(
        pub(crate) struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn result<const SET: bool>(flags: &mut alu::Flags, a: u32, b: (u32, bool)) -> u32 {
                let function: fn(u32, u32, bool) -> (u32, u32, bool) = $function;
                let (a, b, carry) = function(a, b.0, flags.c);
                flags.add(a, b, carry, SET)
            }
        }
    )*};
}
sum! {
    Add |a, b, _| (a, b, false);
    Adc |a, b, c| (a, b, c);
    Sbc |a, b, c| (a, !b, c);
    Sub |a, b, _| (a, !b, true);
    Rsb |a, b, _| (!a, b, true);
}

/// `a = b operation second`.
pub(crate) struct Data<O, S, const SET: bool>(PhantomData<(O, S)>);
impl<O: Operation, S: Second, const SET: bool> Form for Data<O, S, SET> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let second = S::value(state, micro);
        let first = state.get(micro.b);
        let result = O::result::<SET>(&mut state.flags, first, second);
        state.set(micro.a, result);
        true
    }
}

/// Flags of `b operation second`.
pub(crate) struct Compare<O, S>(PhantomData<(O, S)>);
impl<O: Operation, S: Second> Form for Compare<O, S> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let second = S::value(state, micro);
        let first = state.get(micro.b);
        O::result::<true>(&mut state.flags, first, second);
        true
    }
}

/// Forms that consist of one closure over the state and the micro-operation.
macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident |$state:ident, $micro:ident| $body:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;
        impl Form for $name {
            #[inline(always)]
            fn act($state: &mut BlockState<'_>, $micro: &Micro) -> bool {
                $body;
                true
            }
        }
    )*};
}

/// A shift by a register: `a = b shifted by c`.
#[inline(always)]
fn by_register(state: &mut BlockState<'_>, micro: &Micro, shift: Shift) {
    let (result, carry) =
        state
            .flags
            .shift_by_register(state.get(micro.b), shift, state.get(micro.c));
    state.flags.logic(result, carry, micro.d != 0);
    state.set(micro.a, result);
}

/// The products of a long multiplication, into `a` (low) and the register whose number is `imm`.
#[inline(always)]
fn long(state: &mut BlockState<'_>, micro: &Micro, product: u64) {
    state.set(micro.a, product as u32);
    state.regs[(micro.imm & 15) as usize] = (product >> 32) as u32;
}

#[inline(always)]
fn unsigned(state: &BlockState<'_>, micro: &Micro) -> u64 {
    u64::from(state.get(micro.b)) * u64::from(state.get(micro.c))
}

#[inline(always)]
fn signed(state: &BlockState<'_>, micro: &Micro) -> u64 {
    (i64::from(state.get(micro.b) as i32) * i64::from(state.get(micro.c) as i32)) as u64
}

#[inline(always)]
fn accumulator(state: &BlockState<'_>, micro: &Micro) -> u64 {
    u64::from(state.regs[(micro.imm & 15) as usize]) << 32 | u64::from(state.get(micro.a))
}

forms! {
    /// Bits of `b` from bit `d` on, under a mask: UXTB, UXTH, UBFX and LSR.
    Extract |w, m| w.set(m.a, w.get(m.b) >> (m.d & 31) & m.imm);
    UxthTurned |w, m| w.set(m.a, w.get(m.b).rotate_right(m.d.into()) & 0xffff);
    Sxtb |w, m| w.set(m.a, w.get(m.b).rotate_right(m.d.into()) as i8 as u32);
    Sxth |w, m| w.set(m.a, w.get(m.b).rotate_right(m.d.into()) as i16 as u32);
    /// `d` bits to the left, `imm` to the right.
    Sbfx |w, m| w.set(m.a, ((w.get(m.b) as i32) << (m.d & 31) >> (m.imm & 31)) as u32);
    Bfi |w, m| w.set(m.a, w.get(m.a) & !m.imm | w.get(m.b) << (m.d & 31) & m.imm);
    Movt |w, m| w.set(m.a, w.get(m.a) & 0xffff | m.imm);
    Clz |w, m| w.set(m.a, w.get(m.b).leading_zeros());
    Rbit |w, m| w.set(m.a, w.get(m.b).reverse_bits());
    Rev |w, m| w.set(m.a, w.get(m.b).swap_bytes());
    Rev16 |w, m| w.set(m.a, w.get(m.b).swap_bytes().rotate_left(16));
    Revsh |w, m| w.set(m.a, (w.get(m.b) as u16).swap_bytes() as i16 as u32);
    LslBy |w, m| by_register(w, m, Shift::Lsl);
    LsrBy |w, m| by_register(w, m, Shift::Lsr);
    AsrBy |w, m| by_register(w, m, Shift::Asr);
    RorBy |w, m| by_register(w, m, Shift::Ror);
    Mul |w, m| {
        let product = w.get(m.b).wrapping_mul(w.get(m.c));
        w.flags.result(product, m.d != 0);
        w.set(m.a, product);
    };
    Mla |w, m| {
        let sum = w.get(m.b).wrapping_mul(w.get(m.c)).wrapping_add(w.regs[usize::from(m.d & 15)]);
        w.set(m.a, sum);
    };
    Mls |w, m| {
        let rest = w.regs[usize::from(m.d & 15)].wrapping_sub(w.get(m.b).wrapping_mul(w.get(m.c)));
        w.set(m.a, rest);
    };
    Umull |w, m| long(w, m, unsigned(w, m));
    Smull |w, m| long(w, m, signed(w, m));
    Umlal |w, m| long(w, m, unsigned(w, m).wrapping_add(accumulator(w, m)));
    Smlal |w, m| long(w, m, signed(w, m).wrapping_add(accumulator(w, m)));
    Branch |w, m| w.jump(m.imm, m.d);
    /// BL: the way back is in LR; `c` is 0 there.
    BranchLink |w, m| {
        w.regs[14] = w.pc | 1;
        w.jump(m.imm, m.d);
    };
    BranchZero |w, m| if w.get(m.b) == 0 { w.jump(m.imm, m.d); };
    BranchNonzero |w, m| if w.get(m.b) != 0 { w.jump(m.imm, m.d); };
}

/// NOP.
pub(crate) struct Nothing;
impl Form for Nothing {
    #[inline(always)]
    fn act(_: &mut BlockState<'_>, _: &Micro) -> bool {
        true
    }
}

/// A branch on a condition.
pub(crate) struct BranchIf<const CONDITION: u8>;
impl<const CONDITION: u8> Form for BranchIf<CONDITION> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        if state.flags.holds(CONDITION) {
            state.jump(micro.imm, micro.d);
        }
        true
    }
}

/// BX, and BLX if `LINK`: the long way if it leaves Thumb state or a handler.
pub(crate) struct Exchange<const LINK: bool>;
impl<const LINK: bool> Form for Exchange<LINK> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let target = state.get(micro.b);
        if !exchanges(state, target) {
            return false;
        }
        if LINK {
            state.regs[14] = state.pc | 1;
        }
        state.jump(target & !1, micro.d);
        true
    }
}

/// Whether a value may be loaded into the PC without further ado: Thumb state, no return from an
/// exception.
#[inline(always)]
pub(crate) fn exchanges(state: &BlockState<'_>, target: u32) -> bool {
    target & 1 != 0 && !(state.handler && target >= crate::control::EXC_RETURN)
}

/// UDIV and SDIV. Its cycles depend on the operands; `imm` is the base of the law and `d` the bits
/// per cycle.
pub(crate) struct Division<const SIGNED: bool>;
impl<const SIGNED: bool> Form for Division<SIGNED> {
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let (a, b) = (state.get(micro.b), state.get(micro.c));
        if b == 0 && state.traps_division {
            return false;
        }
        let law = Divide {
            base: micro.imm,
            bits_per_cycle: micro.d.into(),
        };
        let (quotient, cycles) = cycles::quotient(law, a, b, SIGNED);
        state.extra += cycles;
        state.set(micro.a, quotient);
        true
    }
}
