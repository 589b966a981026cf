//! The prefetch unit: in which cycle the words of an instruction have been fetched.
//!
//! The unit fetches aligned words one after the other, each in one cycle and its wait states. It
//! runs up to [`PREFETCH_WORDS`] ahead of execution; an instruction waits for its last word. A
//! taken branch empties the unit. So without wait states only one thing waits: a 32-bit branch
//! target that straddles two words.

use crate::bus::Bus;
use crate::cache::{self, Slot};
use crate::cycles::PREFETCH_WORDS;
use crate::execute::Next;
use crate::timing::Timing;

/// Code from here on is fetched over the system bus.
const SYSTEM_BUS: u32 = 0x2000_0000;

/// Memory that tells how long a fetch waits.
pub(crate) trait Fetches {
    /// The wait states of the fetch of a word.
    fn fetch_wait(&mut self, addr: u32) -> u32;
}

impl<B: Bus> Fetches for B {
    #[inline(always)]
    fn fetch_wait(&mut self, addr: u32) -> u32 {
        Bus::fetch_wait(self, addr)
    }
}

/// The times of the unit as cycles before now, at most [`LONG_AGO`]: [`Prefetch::done`], then
/// [`Prefetch::used`]. An event that old delays nothing.
pub(crate) type Ages = [u8; PREFETCH_WORDS + 1];
/// More cycles than the unit looks back.
const LONG_AGO: u64 = 64;
/// The ages when the pipeline has just been reloaded.
pub(crate) const RELOADED: Ages = [0, LONG_AGO as u8, LONG_AGO as u8, 0];

/// The words that the unit has fetched, and their times.
#[derive(Clone, Debug)]
pub(crate) struct Prefetch {
    /// The last word that was fetched; an address that no word has after reset.
    word: u32,
    /// Where the pipeline was reloaded last.
    target: u32,
    /// A branch target that straddles two words waits for the second one.
    straddles: bool,
    /// Cycles that a fetch over the system bus waits for its register stage
    /// ([`crate::Timing::system_bus_fetch`]).
    registered: u32,
    /// The cycle in which the last word was there.
    done: u64,
    /// When the last words were first used, oldest first: from then on there is room for one more.
    used: [u64; PREFETCH_WORDS],
}

impl Prefetch {
    /// Empty.
    pub(crate) fn new(timing: &Timing) -> Prefetch {
        Prefetch {
            word: 1,
            target: 1,
            straddles: timing.pipelined,
            registered: timing.system_bus_fetch,
            done: 0,
            used: [0; PREFETCH_WORDS],
        }
    }

    /// Waits until `last`, the last word of the instruction at `pc`, has been fetched. Returns that
    /// cycle.
    #[inline(always)]
    pub(crate) fn wait_for<F: Fetches>(
        &mut self,
        pc: u32,
        last: u32,
        cycles: u64,
        bus: &mut F,
    ) -> u64 {
        if last == self.word {
            return cycles;
        }
        let next = self.word.wrapping_add(4);
        if last == next {
            return self.next_word(pc, cycles, bus);
        }
        self.elsewhere(pc, last, cycles, bus)
    }

    /// The PC was not set by a branch of this core, but by a reset, an exception or the board.
    #[cold]
    #[inline(never)]
    fn elsewhere<F: Fetches>(&mut self, pc: u32, last: u32, cycles: u64, bus: &mut F) -> u64 {
        let cycles = self.refill(pc, cycles, bus);
        if last == self.word {
            cycles
        } else {
            self.next_word(pc, cycles, bus)
        }
    }

    /// Fetches the word after the last one. Without wait states it arrives in time, even for a
    /// folded IT, which takes no cycle. The second word of a branch target does not.
    #[inline(always)]
    fn next_word<F: Fetches>(&mut self, pc: u32, cycles: u64, bus: &mut F) -> u64 {
        self.word = self.word.wrapping_add(4);
        let wait = self.wait(bus);
        let [oldest, second, third] = self.used;
        let in_time = wait == 0 && self.done <= cycles && (pc != self.target || !self.straddles);
        let done = self.done.max(oldest) + 1 + wait;
        self.done = if in_time { done.min(cycles) } else { done };
        let cycles = cycles.max(self.done);
        self.used = [second, third, cycles];
        cycles
    }

    /// Empties the unit and fetches the word with `target`. Returns the cycle in which it arrives.
    /// Without wait states that takes P cycles, which the caller adds.
    #[inline(always)]
    pub(crate) fn refill<F: Fetches>(&mut self, target: u32, cycles: u64, bus: &mut F) -> u64 {
        self.word = target & !3;
        self.target = target;
        self.done = cycles + self.wait(bus);
        self.used = [0, 0, self.done];
        self.done
    }

    /// Wait states of the fetch of `word`.
    #[inline(always)]
    fn wait<F: Fetches>(&self, bus: &mut F) -> u64 {
        u64::from(
            bus.fetch_wait(self.word)
                + if self.word >= SYSTEM_BUS {
                    self.registered
                } else {
                    0
                },
        )
    }

    /// Whether fetches from `pc` on are free, so that the unit need not be asked.
    #[inline(always)]
    pub(crate) fn is_free<B: Bus>(pc: u32, bus: &mut B) -> bool {
        pc < SYSTEM_BUS && bus.free_code(pc)
    }

    /// The unit with these ages, before the instruction at `pc`.
    pub(crate) fn of_ages(&self, ages: Ages, pc: u32, jumped: bool, cycles: u64) -> Prefetch {
        let [done, used @ ..] = ages.map(|age| cycles.saturating_sub(age.into()));
        let (word, target) = if jumped {
            (pc & !3, pc)
        } else {
            (pc.wrapping_sub(2) & !3, 1)
        };
        let (straddles, registered) = (self.straddles, self.registered);
        Prefetch {
            word,
            target,
            straddles,
            registered,
            done,
            used,
        }
    }

    /// The last word that was fetched.
    pub(crate) fn word(&self) -> u32 {
        self.word
    }

    /// The ages of its times at a cycle.
    pub(crate) fn ages(&self, cycles: u64) -> Ages {
        let [first, second, third] = self.used;
        [self.done, first, second, third].map(|at| cycles.saturating_sub(at).min(LONG_AGO) as u8)
    }

    /// True if the pipeline has just been reloaded at `pc`, false if the unit holds the word before
    /// it, `None` if the PC was set otherwise.
    pub(crate) fn reached(&self, pc: u32) -> Option<bool> {
        match (self.word, self.target) {
            (word, target) if target == pc => (word == pc & !3).then_some(true),
            (word, _) => (word == pc.wrapping_sub(2) & !3).then_some(false),
        }
    }

    /// Brings the unit to its state after free fetches, before the next instruction: it holds the
    /// last word that was used, and runs ahead unless the pipeline was reloaded.
    pub(crate) fn after_free_fetches(&mut self, next: &Next) {
        let (word, target, done) = if next.jumped {
            (next.pc & !3, next.pc, next.cycles)
        } else {
            (
                next.pc.wrapping_sub(2) & !3,
                1,
                next.cycles.saturating_sub(1),
            )
        };
        (self.word, self.target, self.done, self.used) =
            (word, target, done, [done; PREFETCH_WORDS]);
    }
}

/// Cycles that a jump costs beyond P where fetches are free: one if the target is a 32-bit
/// instruction that straddles two words, else none.
#[inline(always)]
pub(crate) fn straddle(target: &Slot, pc: u32) -> u64 {
    u64::from(pc & 2 != 0 && target.tag == pc && target.meta & cache::NARROW == 0)
}
