//! The forms of loads and stores. Only aligned accesses to plain memory are executed here; others need a full step.

use crate::forms::exchanges;
use crate::micro::{BlockState, Form, Micro};
use std::marker::PhantomData;

/// How the address is computed.
pub(crate) trait Address: 'static {
    fn of(state: &BlockState<'_>, micro: &Micro) -> u32;
}

/// Base `b` and `imm`.
pub(crate) struct Offset;
/// Base `b` and register `c`, shifted left by `d`.
pub(crate) struct Indexed;
/// `imm` itself: a literal.
pub(crate) struct Literal;

impl Address for Offset {
    #[inline(always)]
    fn of(state: &BlockState<'_>, micro: &Micro) -> u32 {
        state.get(micro.b).wrapping_add(micro.imm)
    }
}

impl Address for Indexed {
    #[inline(always)]
    fn of(state: &BlockState<'_>, micro: &Micro) -> u32 {
        state
            .get(micro.b)
            .wrapping_add(state.get(micro.c) << (micro.d & 31))
    }
}

impl Address for Literal {
    #[inline(always)]
    fn of(_: &BlockState<'_>, micro: &Micro) -> u32 {
        micro.imm
    }
}

/// Size and extension.
pub(crate) trait Size: 'static {
    fn load(state: &BlockState<'_>, addr: u32) -> Option<u32>;
    fn store(state: &mut BlockState<'_>, addr: u32, value: u32) -> bool;
}

macro_rules! sizes {
    ($($name:ident $read:ident $write:ident $extend:expr;)*) => {$(
        pub(crate) struct $name;
        impl Size for $name {
            #[inline(always)]
            fn load(state: &BlockState<'_>, addr: u32) -> Option<u32> {
                let extend: fn(u32) -> u32 = $extend;
                state.$read(addr).map(extend)
            }
            #[inline(always)]
            fn store(state: &mut BlockState<'_>, addr: u32, value: u32) -> bool {
                state.$write(addr, value)
            }
        }
    )*};
}
sizes! {
    Word read32 write32 |value| value;
    Half read16 write16 |value| value;
    Byte read8 write8 |value| value;
    SignedHalf read16 write16 |value| value as i16 as u32;
    SignedByte read8 write8 |value| value as i8 as u32;
}

/// Loads into `a`. If `WATCHED`, it notes the address, as all loads do.
pub(crate) struct Load<W, A, const WATCHED: bool>(PhantomData<(W, A)>);
impl<W: Size, A: Address, const WATCHED: bool> Form for Load<W, A, WATCHED> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let addr = A::of(state, micro);
        let Some(value) = W::load(state, addr) else {
            return false;
        };
        if WATCHED {
            state.note(addr);
        }
        state.set(micro.a, value);
        true
    }
}

/// Stores `a`.
pub(crate) struct Store<W, A>(PhantomData<(W, A)>);
impl<W: Size, A: Address> Form for Store<W, A> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        W::store(state, A::of(state, micro), state.get(micro.a))
    }
}

/// Into `a`; the base `b` moves by `imm`, before the access unless `POST`.
pub(crate) struct LoadMoving<W, const POST: bool, const WATCHED: bool>(PhantomData<W>);
impl<W: Size, const POST: bool, const WATCHED: bool> Form for LoadMoving<W, POST, WATCHED> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let base = state.get(micro.b);
        let moved = base.wrapping_add(micro.imm);
        let addr = if POST { base } else { moved };
        let Some(value) = W::load(state, addr) else {
            return false;
        };
        if WATCHED {
            state.note(addr);
        }
        state.set(micro.b, moved);
        state.set(micro.a, value);
        true
    }
}

/// From `a`, likewise.
pub(crate) struct StoreMoving<W, const POST: bool>(PhantomData<W>);
impl<W: Size, const POST: bool> Form for StoreMoving<W, POST> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let base = state.get(micro.b);
        let moved = base.wrapping_add(micro.imm);
        let stored = W::store(state, if POST { base } else { moved }, state.get(micro.a));
        if stored {
            state.set(micro.b, moved);
        }
        stored
    }
}

/// LDRD and STRD of `a` and `c`. Bits of `d`: the base moves before, after.
pub(crate) const PRE: u8 = 1;
pub(crate) const POST: u8 = 2;

/// Where a double access is and where its base goes.
#[inline(always)]
fn double(state: &BlockState<'_>, micro: &Micro) -> (u32, u32) {
    let base = state.get(micro.b);
    let moved = base.wrapping_add(micro.imm);
    (
        if micro.d & POST != 0 { base } else { moved },
        if micro.d & (PRE | POST) != 0 {
            moved
        } else {
            base
        },
    )
}

pub(crate) struct LoadDouble<const WATCHED: bool>;
impl<const WATCHED: bool> Form for LoadDouble<WATCHED> {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let (addr, base) = double(state, micro);
        let Some(&[first, second]) = state.read_words(addr, 2) else {
            return false;
        };
        state.set(micro.b, base);
        state.set(micro.a, u32::from_le_bytes(first));
        state.set(micro.c, u32::from_le_bytes(second));
        if WATCHED {
            state.note(addr);
            state.note(addr + 4);
        }
        true
    }
}

pub(crate) struct StoreDouble;
impl Form for StoreDouble {
    #[inline(always)]
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let (addr, base) = double(state, micro);
        let values = [state.get(micro.a), state.get(micro.c)];
        let Some([first, second]) = state.words_mut(addr, 2) else {
            return false;
        };
        (*first, *second) = (values[0].to_le_bytes(), values[1].to_le_bytes());
        state.set(micro.b, base);
        true
    }
}

/// LDM and STM of the registers in `imm`. Bits of `d`: the base `b` is written back, the words lie
/// before it; the cycles of a jump from bit 2.
pub(crate) const WRITE_BACK: u8 = 1;
/// The words lie before the base.
pub(crate) const BEFORE: u8 = 2;
/// From this bit on, the cycles of a jump.
pub(crate) const JUMP_SHIFT: u8 = 2;

/// Where a multiple access begins, how many words it has, and where its base goes.
#[inline(always)]
fn multiple(state: &BlockState<'_>, micro: &Micro) -> (u32, usize, u32) {
    let count = micro.imm.count_ones();
    let base = state.get(micro.b);
    let (addr, moved) = if micro.d & BEFORE != 0 {
        (base.wrapping_sub(4 * count), base.wrapping_sub(4 * count))
    } else {
        (base, base.wrapping_add(4 * count))
    };
    (
        addr,
        count as usize,
        if micro.d & WRITE_BACK != 0 {
            moved
        } else {
            base
        },
    )
}

/// LDM, and with the PC in the list if `PC`.
pub(crate) struct LoadMultiple<const PC: bool, const WATCHED: bool>;
impl<const PC: bool, const WATCHED: bool> Form for LoadMultiple<PC, WATCHED> {
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let (addr, count, base) = multiple(state, micro);
        let mut values = [0; 16];
        match state.read_words(addr, count) {
            Some(words) => {
                for (value, word) in values.iter_mut().zip(words) {
                    *value = u32::from_le_bytes(*word);
                }
            }
            None => return false,
        }
        let last = values[(count - 1) & 15];
        if PC && !exchanges(state, last) {
            return false;
        }
        state.set(micro.b, base);
        let mut rest = micro.imm & 0x7fff;
        for value in values {
            if rest == 0 {
                break;
            }
            state.regs[rest.trailing_zeros() as usize & 15] = value;
            rest &= rest - 1;
        }
        if WATCHED {
            for word in 0..count as u32 {
                state.note(addr + 4 * word);
            }
        }
        if PC {
            state.jump(last & !1, micro.d >> JUMP_SHIFT);
        }
        true
    }
}

/// STM and PUSH.
pub(crate) struct StoreMultiple;
impl Form for StoreMultiple {
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool {
        let (addr, count, base) = multiple(state, micro);
        let regs = state.regs;
        let Some(words) = state.words_mut(addr, count) else {
            return false;
        };
        let mut rest = micro.imm;
        for word in words {
            *word = regs[rest.trailing_zeros() as usize & 15].to_le_bytes();
            rest &= rest.wrapping_sub(1);
        }
        state.set(micro.b, base);
        true
    }
}
