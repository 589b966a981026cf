//! Decoded instructions, remembered by address: every instruction is decoded once.

use crate::block::Blocks;
use crate::cycles;
use crate::decode16;
use crate::op::Op;
use crate::timing::Timing;

/// Slots of the cache. A program of up to twice as many octets is decoded only once.
const SLOTS: usize = 0x4000;

/// A tag that no instruction has: instructions stand at even addresses.
const EMPTY: u32 = 1;

/// Bits 15:0 of [`Slot::meta`]: registers that the instruction loads ([`LOAD`]) or computes
/// ([`COMPUTE`]).
pub const REGISTERS: u32 = 0xffff;
/// A load behind which the next access can pipeline.
pub const LOAD: u32 = 1 << 16;
/// A data-processing instruction.
pub const COMPUTE: u32 = 1 << 17;
/// 16 bits long.
pub const NARROW: u32 = 1 << 18;
/// Sets flags outside IT blocks only.
pub const FLAGS_OUTSIDE_IT: u32 = 1 << 19;
/// May write bits 1:0 of SP.
pub const WRITES_SP: u32 = 1 << 20;
/// Cycles before what is added at run time are in the bits from here.
pub const CYCLES_SHIFT: u32 = 24;

/// The cycle after an access, by the rules for the instruction before it ("Load/store timings").
/// After a load that does not change the address registers, the access takes one cycle. If a
/// data-processing instruction has just computed an address register, the access stalls.
#[inline(always)]
pub fn neighbour(before: u32, address_registers: u32, meta: u32, cycles: u64, stall: u32) -> u64 {
    if before & address_registers & REGISTERS != 0 {
        cycles
            + if before & COMPUTE != 0 {
                u64::from(stall)
            } else {
                0
            }
    } else if before & LOAD != 0 {
        cycles + 1 - u64::from(meta >> CYCLES_SHIFT)
    } else {
        cycles
    }
}

/// Octets of an instruction.
#[inline(always)]
pub const fn length(meta: u32) -> u32 {
    if meta & NARROW != 0 { 2 } else { 4 }
}

/// The last word of an instruction.
#[inline(always)]
pub const fn last_word(pc: u32, meta: u32) -> u32 {
    pc.wrapping_add(length(meta) - 2) & !3
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its address.
    pub tag: u32,
    /// What it does.
    pub op: Op,
    /// What is known of its time and effects before it runs.
    pub meta: u32,
}

/// Direct-mapped by address.
#[derive(Clone, Debug)]
pub struct Cache {
    slots: Box<[Slot; SLOTS]>,
    /// For each eighth of the address space the first address and the length of the decoded code.
    decoded: [(u32, u32); 8],
    /// The translated blocks.
    pub blocks: Blocks,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Cache {
        let empty = Slot {
            tag: EMPTY,
            op: Op::Undefined,
            meta: 0,
        };
        Cache {
            slots: Box::new([empty; SLOTS]),
            decoded: [(0, 0); 8],
            blocks: Blocks::new(),
        }
    }

    /// The slot in which the instruction at `pc` would be. It is copied field by field, which is
    /// faster on the host than one copy.
    #[inline(always)]
    pub fn slot(&self, pc: u32) -> Slot {
        let slot = &self.slots[pc as usize >> 1 & (SLOTS - 1)];
        let (tag, meta) = (slot.tag, slot.meta);
        Slot {
            tag,
            op: slot.op,
            meta,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Cache::new();
    }

    /// Remembers an instruction.
    pub fn insert(&mut self, slot: Slot) {
        self.slots[slot.tag as usize >> 1 & (SLOTS - 1)] = slot;
        let (first, length) = &mut self.decoded[slot.tag as usize >> 29];
        // From the beginning of the word: a write of the word gives only that address.
        let begin = slot.tag & !3;
        let last = if *length == 0 {
            0
        } else {
            *first + (*length - 1)
        }
        .max(slot.tag + 3);
        *first = if *length == 0 {
            begin
        } else {
            (*first).min(begin)
        };
        *length = last - *first + 1;
    }

    /// Whether a write at `addr` may hit decoded code. A fast test that may say yes too often.
    #[inline(always)]
    pub fn may_hold(&self, addr: u32) -> bool {
        let (first, length) = self.decoded[addr as usize >> 29];
        addr.wrapping_sub(first) < length
    }

    /// First address and length of the decoded code in the eighth of the address space with `addr`.
    pub fn decoded(&self, addr: u32) -> (u32, u32) {
        self.decoded[addr as usize >> 29]
    }

    /// Forgets the instructions that overlap a range.
    #[cold]
    pub fn invalidate(&mut self, addr: u32, octets: u32) {
        self.blocks.invalidate(addr, octets);
        if octets as usize >= 2 * SLOTS {
            return self.clear();
        }
        // A 32-bit instruction that begins two octets earlier overlaps the range too.
        let first = (addr & !1).wrapping_sub(2);
        for at in (0..octets.saturating_add(4))
            .step_by(2)
            .map(|offset| first.wrapping_add(offset))
        {
            let slot = &mut self.slots[at as usize >> 1 & (SLOTS - 1)];
            if slot.tag == at {
                slot.tag = EMPTY;
            }
        }
    }
}

/// Decodes the instruction at `pc` from its halfwords (`second` counts if `first` begins a 32-bit
/// one).
pub fn decode(pc: u32, first: u16, second: u16, timing: &Timing) -> Slot {
    let wide = decode16::is_wide(first);
    let (op, outside_it) = timing.core.decode(first, second);
    let mut meta = cycles::base(&op, timing) << CYCLES_SHIFT;
    if timing.pipelined {
        let computed = cycles::computed(&op);
        if computed != 0 {
            meta |= computed | COMPUTE;
        }
        if let Some(register) = cycles::loaded(&op) {
            meta |= 1 << register | LOAD;
        }
    }
    for (flag, holds) in [
        (NARROW, !wide),
        (FLAGS_OUTSIDE_IT, outside_it),
        (WRITES_SP, cycles::writes_sp(&op)),
    ] {
        if holds {
            meta |= flag;
        }
    }
    Slot { tag: pc, op, meta }
}
