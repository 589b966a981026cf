//! Executing blocks: one after the other, while the next one is translated and ends in time.

use crate::block::{Blocks, Rest};
use crate::bus::{Bus, Plain};
use crate::cache;
use crate::cpu::{Cpu, PC};
use crate::execute::Next;
use crate::micro::{BlockState, READS};
use crate::waits::{Clock, Entry};

impl Cpu {
    /// Executes blocks from the PC on; why it stopped.
    pub(crate) fn run_blocks<B: Bus>(&mut self, bus: &mut B, limit: u64, stop: u32) -> Rest {
        let start = self.regs[PC];
        let lines = match bus.plain() {
            Some(plain) if plain.has_code(start) && self.buffered <= self.cycles => plain.lines,
            _ => return Rest::Decoded,
        };
        let due = self.attention.min(limit);
        if lines.wait == 0 {
            self.run_free_blocks(bus, due, stop)
        } else {
            self.run_waiting_blocks(bus, due, stop)
        }
    }

    /// Translates the block at the PC. It does so only if the first instruction has been executed
    /// before: code that runs once is not worth a translation.
    #[cold]
    #[inline(never)]
    pub(crate) fn translate<B: Bus>(&mut self, bus: &mut B) -> bool {
        let start = self.regs[PC];
        if self.cache.slot(start).tag != start {
            return false;
        }
        let mut slots = Vec::with_capacity(Blocks::longest());
        let (mut pc, mut wait) = (start, 0);
        while slots.len() < Blocks::longest() {
            match bus.plain() {
                Some(plain) if plain.has_code(pc) && plain.has_code(pc.wrapping_add(3)) => {
                    wait = plain.lines.wait
                }
                _ => break,
            }
            let mut slot = self.cache.slot(pc);
            if slot.tag != pc {
                match self.decode(pc, bus) {
                    Ok(decoded) => slot = decoded,
                    Err(_) => break,
                }
            }
            slots.push(slot);
            pc = pc.wrapping_add(cache::length(slot.meta));
        }
        self.cache.blocks.insert(start, &slots, &self.timing, wait);
        true
    }

    /// A copy of what micro-operations work on.
    fn state<'a>(&self, plain: Plain<'a>) -> BlockState<'a> {
        BlockState {
            regs: self.regs,
            flags: self.flags,
            pc: self.regs[PC],
            jumped: false,
            extra: 0,
            handler: self.ipsr != 0,
            traps_division: self.scb.traps_division(),
            guard: self.cache.decoded(plain.ram_start),
            plain,
            addresses: [0; READS],
            reads: 0,
        }
    }

    /// Where nothing waits: the time of a block was counted when it was translated.
    #[inline(never)]
    fn run_free_blocks<B: Bus>(&mut self, bus: &mut B, due: u64, stop: u32) -> Rest {
        let start = self.regs[PC];
        let mut block = match self.cache.blocks.next(start, self.cycles, due, stop) {
            Ok(block) => block,
            Err(rest) => return rest,
        };
        // The first instruction may wait for its second word.
        let word = block.first_word();
        let mut wait = self.prefetch.wait_for(start, word, self.cycles, bus) - self.cycles;
        let Some(plain) = bus.plain() else {
            return Rest::Decoded;
        };
        let mut state = self.state(plain);
        let mut next = Next {
            cycles: self.cycles,
            pc: start,
            jumped: false,
        };
        let (mut previous, mut last_pc, mut moved) = (self.previous, self.last_pc, false);
        let rest = loop {
            let mut begun = next.cycles + wait;
            if previous & (cache::LOAD | cache::COMPUTE) != 0 {
                begun = begun.wrapping_add_signed(block.delay(previous, &self.timing));
            }
            if let Some(index) = block.run(&mut state) {
                if let Some(before) = index.checked_sub(1) {
                    let mark = block.marks()[index];
                    (previous, last_pc, moved) = (mark.before, block.marks()[before].pc, true);
                    next = Next {
                        cycles: begun + u64::from(mark.at + state.extra),
                        pc: mark.pc,
                        jumped: false,
                    };
                }
                break Rest::Step;
            }
            next = Next {
                cycles: begun + u64::from(block.cycles + state.extra),
                pc: state.pc,
                jumped: state.jumped,
            };
            (last_pc, moved) = (block.last.0, true);
            previous = if next.jumped { 0 } else { block.last.1 };
            block = match self.cache.blocks.next(next.pc, next.cycles, due, stop) {
                Ok(block) => block,
                Err(rest) => break rest,
            };
            wait = u64::from(next.jumped) * u64::from(block.straddle);
        };
        (self.regs, self.flags) = (state.regs, state.flags);
        (self.previous, self.last_pc) = (previous, last_pc);
        if !moved {
            // The first instruction has been fetched, and needs a full step.
            self.cycles += wait;
        }
        self.leave_free_blocks(bus, next, moved);
        rest
    }

    /// PC, cycles and prefetch unit as `next` says; `moved`: an instruction has been executed.
    #[inline(always)]
    fn leave_free_blocks<B: Bus>(&mut self, bus: &mut B, next: Next, moved: bool) {
        self.regs[PC] = next.pc;
        if moved && next.jumped {
            self.cycles = self.prefetch.refill(next.pc, next.cycles, bus);
        } else if moved {
            self.cycles = next.cycles;
            self.prefetch.after_free_fetches(&next);
        }
    }

    /// Where accesses wait for a line of code memory: the time of a block is looked up among the
    /// known times, or computed.
    #[inline(never)]
    fn run_waiting_blocks<B: Bus>(&mut self, bus: &mut B, due: u64, stop: u32) -> Rest {
        let mut pc = self.regs[PC];
        let Some(jumped) = self.prefetch.reached(pc) else {
            return Rest::Step;
        };
        let Some(plain) = bus.plain() else {
            return Rest::Decoded;
        };
        let lines = plain.lines;
        let (unit, timing) = (self.prefetch.clone(), self.timing);
        let mut known_times = std::mem::take(&mut self.cache.blocks.known_times);
        let mut clock = Clock {
            cycles: self.cycles,
            entry: Entry {
                ages: unit.ages(self.cycles),
                jumped,
                previous: self.previous,
            },
            lines,
            code_end: plain.ram_start,
            unit: &unit,
            timing: &timing,
        };
        let mut state = self.state(plain);
        let mut left_code = false;
        let rest = loop {
            let block = match self.cache.blocks.next(pc, clock.cycles, due, stop) {
                Ok(block) => block,
                Err(rest) => break rest,
            };
            let failed = block.run(&mut state);
            let reads = &state.addresses[..state.reads & (2 * READS - 1)];
            if let Some(index) = failed {
                if let Some(before) = index.checked_sub(1) {
                    clock.count_some(block, index, reads);
                    (pc, self.last_pc) = (block.marks()[index].pc, block.marks()[before].pc);
                }
                break Rest::Step;
            }
            clock.count(block, reads, &mut known_times[block.number]);
            (pc, self.last_pc) = (state.pc, block.last.0);
            if state.jumped {
                left_code = !state.plain.has_code(pc);
                if left_code {
                    break Rest::Decoded;
                }
                clock.jump(pc, state.extra);
            }
        };
        let extra = state.extra;
        (self.regs, self.flags) = (state.regs, state.flags);
        (self.regs[PC], self.cycles) = (pc, clock.cycles);
        if clock.lines.line != lines.line {
            bus.fetch_wait(clock.lines.line << lines.shift);
        }
        self.leave_waiting_blocks(bus, &clock, left_code.then_some(extra));
        self.cache.blocks.known_times = known_times;
        rest
    }

    /// Cycles and prefetch unit as `clock` says; `jump`: the cycles that a jump out of code memory
    /// adds.
    #[inline(always)]
    fn leave_waiting_blocks<B: Bus>(&mut self, bus: &mut B, clock: &Clock<'_>, jump: Option<u32>) {
        let pc = self.regs[PC];
        if let Some(extra) = jump {
            self.previous = 0;
            let from = clock.cycles + u64::from(extra);
            self.cycles = self.prefetch.refill(pc, from, bus);
        } else {
            let Entry {
                ages,
                jumped,
                previous,
            } = clock.entry;
            self.previous = previous;
            self.prefetch = clock.unit.of_ages(ages, pc, jumped, clock.cycles);
        }
    }
}
