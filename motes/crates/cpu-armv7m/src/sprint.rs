//! Many instructions at a time: blocks where nothing waits, else decoded instructions one after the
//! other with the PC and the cycles at hand. Both do exactly what [`Cpu::step`] would.

use crate::block::Rest;
use crate::bus::{Bus, Fault};
use crate::cache::{self, Slot};
use crate::cpu::{Cpu, PC, Sleep, Stop};
use crate::execute::Next;
use crate::prefetch::{Prefetch, straddle};
use crate::trace::NoTrace;

impl Cpu {
    /// Steps until `cycles >= limit`, an access to a device, sleep, or until the PC is `stop`
    /// (looked at after each instruction). The quickest way to execute.
    pub fn run<B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
        stop: Option<u32>,
    ) -> Result<Stop, Fault> {
        // No PC is odd.
        let stop = stop.unwrap_or(1);
        self.touched = false;
        while self.cycles < limit {
            // One instruction with all checks, then as many as go without.
            self.step(bus)?;
            if self.regs[PC] != stop && self.cycles < self.attention.min(limit) && self.it == 0 {
                self.hurry(bus, limit, stop)?;
            }
            if self.regs[PC] == stop {
                return Ok(Stop::Address);
            }
            if self.touched {
                return Ok(Stop::Device);
            }
            if self.sleep != Sleep::Awake {
                return Ok(Stop::Sleep);
            }
        }
        Ok(Stop::Limit)
    }

    /// Blocks as far as they go, then single instructions where there are none.
    fn hurry<B: Bus>(&mut self, bus: &mut B, limit: u64, stop: u32) -> Result<(), Fault> {
        loop {
            match self.glide(bus, limit, stop) {
                Rest::Step => return Ok(()),
                Rest::Unknown => {
                    if !self.translate(bus) {
                        return Ok(());
                    }
                }
                Rest::Sprint => break,
            }
        }
        if self.regs[PC] == stop {
            return Ok(());
        }
        if Prefetch::is_free(self.regs[PC], bus) {
            self.sprint::<true, B>(bus, limit, stop)
        } else {
            self.sprint::<false, B>(bus, limit, stop)
        }
    }

    /// Executes decoded instructions outside IT blocks until something else is to be done, or a
    /// jump leads to memory with other fetches or with blocks. The PC and the cycles are kept at
    /// hand; the prefetch unit is asked only if fetches are not `FREE`.
    #[inline(never)]
    fn sprint<const FREE: bool, B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
        stop: u32,
    ) -> Result<(), Fault> {
        let mut next = Next {
            cycles: self.cycles,
            pc: self.regs[PC],
            jumped: false,
        };
        let mut last = self.last_pc;
        let blocks = bus
            .plain()
            .map(|plain| (plain.code_start, 4 * plain.code.len() as u32));
        let in_blocks =
            |pc: u32| blocks.is_some_and(|(start, length)| pc.wrapping_sub(start) < length);
        // Where fetches are free the unit is asked for the first instruction only.
        let (mut moved, mut left) = (false, false);
        let outcome = loop {
            let Slot { tag: pc, op, meta } = self.cache.slot(next.pc);
            let due = next.cycles >= self.attention.min(limit);
            if left || pc != next.pc || meta & cache::WRITES_SP != 0 || due || pc == stop {
                break Ok(());
            }
            if !FREE || !moved {
                next.cycles =
                    self.prefetch
                        .wait_for(pc, cache::last_word(pc, meta), next.cycles, bus);
            } else if next.jumped {
                next.cycles += straddle(&Slot { tag: pc, op, meta }, pc);
            }
            (last, moved) = (pc, true);
            match self.execute(op, meta, pc, next.cycles, bus, &mut NoTrace) {
                Ok(after) => next = after,
                Err(cause) => break Err(cause),
            }
            self.previous = meta;
            if next.jumped {
                self.previous = 0;
                left = Prefetch::is_free(next.pc, bus) != FREE || in_blocks(next.pc);
                if !FREE || left {
                    next.cycles = self.prefetch.refill(next.pc, next.cycles, bus);
                }
            }
        };
        // What the unit holds is known unless it was asked last.
        if FREE && moved && !left {
            self.prefetch.after_free_fetches(&next);
        }
        self.last_pc = last;
        (self.cycles, self.regs[PC]) = (next.cycles, next.pc);
        match outcome {
            Ok(()) => Ok(()),
            Err(cause) => self.fault(cause, last, bus, &mut NoTrace),
        }
    }
}
