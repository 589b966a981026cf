//! Executing blocks, one after the other, as long as the next one is known and ends in time.

use crate::block::{Blocks, Rest};
use crate::bus::{Bus, Lines, Plain};
use crate::cache;
use crate::cpu::{Cpu, PC};
use crate::execute::Next;
use crate::micro::{READS, World};
use crate::waits::{Clock, Entry};

impl Cpu {
    /// Executes blocks from the PC on.
    pub(crate) fn glide<B: Bus>(&mut self, bus: &mut B, limit: u64, stop: u32) -> Rest {
        let start = self.regs[PC];
        let lines = match bus.plain() {
            Some(plain) if plain.has_code(start) && self.buffered <= self.cycles => plain.lines,
            _ => return Rest::Sprint,
        };
        let due = self.attention.min(limit);
        if lines.wait == 0 {
            self.glide_freely(bus, due, stop)
        } else {
            self.glide_with_waits(bus, lines, due, stop)
        }
    }

    /// Translates the block at the PC, if its first instruction has been executed before: what
    /// executes once is not worth it.
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

    /// What micro-operations work on.
    fn world<'a>(&self, plain: Plain<'a>) -> World<'a> {
        World {
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

    /// Where nothing waits: the time of a block is known.
    #[inline(never)]
    fn glide_freely<B: Bus>(&mut self, bus: &mut B, due: u64, stop: u32) -> Rest {
        let start = self.regs[PC];
        let mut block = match self.cache.blocks.next(start, self.cycles, due, stop) {
            Ok(block) => block,
            Err(rest) => return rest,
        };
        // The first instruction may wait for its second word.
        let mut wait = self
            .prefetch
            .wait_for(start, block.first_word(), self.cycles, bus)
            - self.cycles;
        let Some(plain) = bus.plain() else {
            return Rest::Sprint;
        };
        let mut world = self.world(plain);
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
            if let Some(index) = block.run(&mut world) {
                if let Some(before) = index.checked_sub(1) {
                    let mark = block.marks()[index];
                    (previous, last_pc, moved) = (mark.before, block.marks()[before].pc, true);
                    next = Next {
                        cycles: begun + u64::from(mark.at + world.extra),
                        pc: mark.pc,
                        jumped: false,
                    };
                }
                break Rest::Step;
            }
            next = Next {
                cycles: begun + u64::from(block.cycles + world.extra),
                pc: world.pc,
                jumped: world.jumped,
            };
            (last_pc, moved) = (block.last.0, true);
            previous = if next.jumped { 0 } else { block.last.1 };
            block = match self.cache.blocks.next(next.pc, next.cycles, due, stop) {
                Ok(block) => block,
                Err(rest) => break rest,
            };
            wait = if next.jumped {
                block.straddle.into()
            } else {
                0
            };
        };
        (self.regs, self.flags) = (world.regs, world.flags);
        self.regs[PC] = next.pc;
        (self.previous, self.last_pc) = (previous, last_pc);
        match (moved, next.jumped) {
            // Its first instruction is there, and takes the long way.
            (false, _) => self.cycles += wait,
            (true, true) => self.cycles = self.prefetch.refill(next.pc, next.cycles, bus),
            (true, false) => {
                self.cycles = next.cycles;
                self.prefetch.after_free_fetches(&next);
            }
        }
        rest
    }

    /// Where accesses wait for lines: the time of a block is remembered, or worked out.
    #[inline(never)]
    fn glide_with_waits<B: Bus>(&mut self, bus: &mut B, lines: Lines, due: u64, stop: u32) -> Rest {
        let mut pc = self.regs[PC];
        let Some(jumped) = self.prefetch.reached(pc) else {
            return Rest::Step;
        };
        let Some(plain) = bus.plain() else {
            return Rest::Sprint;
        };
        let (unit, timing) = (self.prefetch.clone(), self.timing);
        let mut memories = std::mem::take(&mut self.cache.blocks.memories);
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
        let mut world = self.world(plain);
        let mut abroad = false;
        let rest = loop {
            let block = match self.cache.blocks.next(pc, clock.cycles, due, stop) {
                Ok(block) => block,
                Err(rest) => break rest,
            };
            let failed = block.run(&mut world);
            let reads = &world.addresses[..world.reads & (2 * READS - 1)];
            if let Some(index) = failed {
                if let Some(before) = index.checked_sub(1) {
                    clock.count_some(block, index, reads);
                    (pc, self.last_pc) = (block.marks()[index].pc, block.marks()[before].pc);
                }
                break Rest::Step;
            }
            clock.count(block, reads, &mut memories[block.number]);
            (pc, self.last_pc) = (world.pc, block.last.0);
            if world.jumped {
                abroad = !world.plain.has_code(pc);
                if abroad {
                    break Rest::Sprint;
                }
                clock.jump(pc, world.extra);
            }
        };
        let extra = world.extra;
        (self.regs, self.flags) = (world.regs, world.flags);
        (self.regs[PC], self.cycles) = (pc, clock.cycles);
        if clock.lines.line != lines.line {
            bus.fetch_wait(clock.lines.line << lines.shift);
        }
        if abroad {
            self.previous = 0;
            self.cycles = self
                .prefetch
                .refill(pc, clock.cycles + u64::from(extra), bus);
        } else {
            self.previous = clock.entry.previous;
            self.prefetch = unit.of_ages(clock.entry.ages, pc, clock.entry.jumped, clock.cycles);
        }
        self.cache.blocks.memories = memories;
        rest
    }
}
