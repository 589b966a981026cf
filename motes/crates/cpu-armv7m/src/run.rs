//! Many instructions at a time. There are three ways, and all give the state and the cycles of
//! [`Cpu::step`]: blocks of translated instructions, decoded instructions one after the other, and
//! single steps for everything else.

use crate::block::Rest;
use crate::bus::{Bus, Fault};
use crate::cache::{self, Slot};
use crate::cpu::{Cpu, PC, Sleep, Stop};
use crate::execute::Next;
use crate::prefetch::{Prefetch, straddle};
use trace::{NoTrace, Step, Watched};

impl Cpu {
    /// Executes until `cycles >= limit`, an access to a device, sleep, or until the PC is `stop`
    /// (compared after each instruction). This is the fastest way to execute.
    pub fn run<B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
        stop: Option<u32>,
    ) -> Result<Stop, Fault> {
        // No PC is odd, so this one is never reached.
        let stop = stop.unwrap_or(1);
        self.touched = false;
        while self.cycles < limit {
            // One instruction with all checks, then as many as need no check.
            self.step(bus)?;
            // What runs fast knows the pipeline of the Cortex-M3 and the Cortex-M4.
            let fast = self.timing.pipelined && self.it == 0 && self.regs[PC] != stop;
            if fast && self.cycles < self.attention.min(limit) {
                self.run_fast(bus, limit, stop)?;
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

    /// Executes blocks while there are any, then decoded instructions.
    fn run_fast<B: Bus>(&mut self, bus: &mut B, limit: u64, stop: u32) -> Result<(), Fault> {
        loop {
            match self.run_blocks(bus, limit, stop) {
                Rest::Step => return Ok(()),
                Rest::Unknown => {
                    if !self.translate(bus) {
                        return Ok(());
                    }
                }
                Rest::Decoded => break,
            }
        }
        if self.regs[PC] == stop {
            return Ok(());
        }
        if Prefetch::is_free(self.regs[PC], bus) {
            self.run_decoded::<true, B>(bus, limit, stop)
        } else {
            self.run_decoded::<false, B>(bus, limit, stop)
        }
    }

    /// Executes decoded instructions outside IT blocks. It ends when an instruction is not decoded
    /// or needs a full step, when `limit` or `stop` is reached, and when a jump leads to memory
    /// that has blocks or whose fetches are free where these are not, or the reverse. The PC and
    /// the cycles stay in local variables. If fetches are `FREE`, the prefetch unit is not asked.
    #[inline(never)]
    fn run_decoded<const FREE: bool, B: Bus>(
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
        // Where fetches are free, only the first instruction asks the prefetch unit.
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
        // If the unit was not asked last, its content follows from the last instruction.
        if FREE && moved && !left {
            self.prefetch.after_free_fetches(&next);
        }
        self.last_pc = last;
        (self.cycles, self.regs[PC]) = (next.cycles, next.pc);
        match outcome {
            Ok(()) => Ok(()),
            Err(cause) => {
                let tracer = &mut NoTrace;
                self.fault(cause, last, &mut Watched { bus, tracer })
            }
        }
    }
}
