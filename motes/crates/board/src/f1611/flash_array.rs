//! The flash array of the F1611 over a power cut: what it holds when power fails while it is busy,
//! and how worn it is.
//!
//! A write takes effect in memory at its beginning, since nothing can read the array until it is
//! over. The old contents are kept until then. No data sheet describes an operation that is cut
//! short, so the model assumes: each cut draws one probability between 0 and 1; with it, each bit
//! that had to change has changed, independently of the others. A bit stays as it then reads.

use super::memory::{self, Memory};
use crate::board::{CutMoment, PowerCut, Wear};
use crate::load::ERASED;
use device::Ps;
use device::f1611::{FlashAction, FlashWrite};
use device::random::split_mix;
use std::collections::BTreeMap;

/// What the operation under way replaced.
#[derive(Clone)]
struct Replaced {
    first: u16,
    octets: Vec<u8>,
    until: Ps,
}

/// The array's history, and the power cut that is planned.
#[derive(Clone, Default)]
pub(super) struct FlashArray {
    replaced: Option<Replaced>,
    /// By segment: erasures, programmed octets and words.
    wear: BTreeMap<u16, (u32, u32)>,
    cut: Option<PowerCut>,
    /// When power fails, once that is known.
    fails_at: Option<Ps>,
}

impl FlashArray {
    /// Power is to fail as `cut` says.
    pub fn plan(&mut self, cut: PowerCut) {
        self.fails_at = match cut.moment {
            CutMoment::At(at) => Some(at),
            CutMoment::InFlash { .. } => None,
        };
        self.cut = Some(cut);
    }

    /// When power fails, as far as that is known.
    pub fn fails_at(&self) -> Option<Ps> {
        self.fails_at
    }

    /// The CPU's write of `octets` to `addr` at `now`, with its outcome.
    pub fn write(
        &mut self,
        memory: &mut Memory,
        now: Ps,
        addr: u16,
        octets: &[u8],
        outcome: FlashWrite,
    ) {
        let (first, last) = match outcome.action {
            FlashAction::Program => (addr, addr + (octets.len() as u16 - 1)),
            FlashAction::Erase { first, last } => (first, last),
            FlashAction::AccessViolation => return,
        };
        let old: Vec<u8> = (first..=last).map(|at| memory.get8(at)).collect();
        let (erasures, programmed) = self.wear.entry(segment(first)).or_default();
        if outcome.action == FlashAction::Program {
            *programmed += 1;
            for ((at, octet), old) in (first..=last).zip(octets).zip(&old) {
                memory.set8(at, old & octet);
            }
        } else {
            *erasures += 1;
            (first..=last).for_each(|at| memory.set8(at, ERASED));
        }
        self.replaced = Some(Replaced {
            first,
            octets: old,
            until: outcome.busy_until,
        });
        self.count_down(now, outcome.busy_until);
    }

    /// One operation less until the one in which power fails.
    fn count_down(&mut self, begin: Ps, end: Ps) {
        if let Some(PowerCut {
            moment: CutMoment::InFlash { operation, part },
            ..
        }) = &mut self.cut
            && self.fails_at.is_none()
        {
            if *operation == 0 {
                let length = u128::from(end.0.saturating_sub(begin.0));
                self.fails_at = Some(Ps(begin.0 + ((length * u128::from(*part)) >> 32) as u64));
            } else {
                *operation -= 1;
            }
        }
    }

    /// Power fails now: an operation under way has done a part of its work.
    pub fn fail(&mut self, memory: &mut Memory, now: Ps) {
        let mut state = self.cut.take().map_or(0, |cut| cut.seed);
        self.fails_at = None;
        let Some(replaced) = self.replaced.take().filter(|replaced| now < replaced.until) else {
            return;
        };
        let odds = split_mix(&mut state);
        for (at, old) in (replaced.first..=u16::MAX).zip(replaced.octets) {
            let new = memory.get8(at);
            let stayed = (0..8).fold(0, |bits, bit| {
                bits | u8::from(split_mix(&mut state) >= odds) << bit
            });
            memory.set8(at, new ^ ((old ^ new) & stayed));
        }
    }

    /// Segments that were written, in order.
    pub fn wear(&self) -> Vec<Wear> {
        let row = |(first, (erasures, programmed)): (&u16, &(u32, u32))| Wear {
            first: u32::from(*first),
            erasures: *erasures,
            programmed: *programmed,
        };
        self.wear.iter().map(row).collect()
    }
}

/// First address of the segment that contains `addr`. A mass erasure counts for its first segment.
fn segment(addr: u16) -> u16 {
    addr & !(if addr < memory::FLASH_START {
        0x7F
    } else {
        0x1FF
    })
}
