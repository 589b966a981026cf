//! The time of blocks where fetches and reads wait for a line of code memory.
//!
//! The time follows from the instructions, from the state of the prefetch unit at the beginning,
//! and from which accesses hit the line of the access before them.
//!
//! A read outside the lines of the block never hits a line that was fetched, and no fetch hits the
//! line of such a read. Then two facts settle the time: which reads go to code memory, and which of
//! them hit the line of the read before. These two and the state at the beginning are a
//! [`Pattern`]. The time of each pattern is computed once, instruction by instruction with the
//! rules of [`Prefetch`], and kept. If the block reads its own lines there is no pattern, and the
//! time is computed again.

use crate::block::Block;
use crate::bus::Lines;
use crate::cache;
use crate::prefetch::{Ages, Prefetch};
use crate::timing::Timing;

/// The most patterns that are kept for a block.
const PATTERNS: usize = 16;

/// Everything that the time of a block depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pattern {
    /// One bit for each read: set if it goes to code memory.
    code: u64,
    /// One bit for each read: set if it hits the line of the read before.
    meets: u64,
    entry: Entry,
    /// The buffer holds the line of the code before the block.
    same_line: bool,
}

/// The state in which a block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Times of the prefetch unit.
    pub ages: Ages,
    /// A jump led to it.
    pub jumped: bool,
    /// `meta` of the instruction before.
    pub previous: u32,
}

/// Time of a block, and the state in which it ends.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    cycles: u32,
    ages: Ages,
    line: Line,
}

/// Whose line is in the buffer after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// The same as before the block.
    Before,
    /// The line of the block's last word.
    Fetched,
    /// The line of the read with this number.
    Read(u8),
}

/// The times of a block by pattern. A pattern moves one place to the front whenever it is found, so
/// frequent ones are found fast.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTimes(Vec<(Pattern, Outcome)>);

impl KnownTimes {
    #[inline(always)]
    fn find(&mut self, pattern: &Pattern) -> Option<Outcome> {
        let first = self.0.first()?;
        if first.0 == *pattern {
            return Some(first.1);
        }
        let at = self.0.iter().position(|(known, _)| known == pattern)?;
        self.0.swap(at, at - 1);
        Some(self.0[at - 1].1)
    }

    fn learn(&mut self, pattern: Pattern, outcome: Outcome) {
        if self.0.len() >= PATTERNS {
            self.0.pop();
        }
        self.0.push((pattern, outcome));
    }
}

/// Clock, prefetch unit and line buffer while blocks execute.
pub(crate) struct Clock<'a> {
    pub cycles: u64,
    pub entry: Entry,
    pub lines: Lines,
    /// First address behind code memory.
    pub code_end: u32,
    /// The rules of the prefetch unit.
    pub unit: &'a Prefetch,
    pub timing: &'a Timing,
}

impl Clock<'_> {
    /// Counts a block that was executed whole and read at these addresses, without the jump that
    /// may end it.
    #[inline(always)]
    pub fn count(&mut self, block: &Block, reads: &[u32], known: &mut KnownTimes) {
        let pattern = self.pattern(block, reads);
        let seen = pattern.as_ref().and_then(|pattern| known.find(pattern));
        let outcome = match seen {
            Some(outcome) => outcome,
            None => self.learn(block, reads, pattern, known),
        };
        self.cycles += u64::from(outcome.cycles);
        self.entry = Entry {
            ages: outcome.ages,
            jumped: false,
            previous: block.last.1,
        };
        match outcome.line {
            Line::Before => {}
            Line::Fetched => self.lines.line = self.lines.of(block.end.wrapping_sub(2)),
            Line::Read(index) => self.lines.line = self.lines.of(reads[usize::from(index)]),
        }
    }

    /// The pattern. There is none if the block reads a line of its own code, or if the buffer holds
    /// such a line although another one was fetched last.
    #[inline(always)]
    fn pattern(&self, block: &Block, reads: &[u32]) -> Option<Pattern> {
        let lines = &self.lines;
        let own = lines.of(block.start.wrapping_sub(2));
        let length = lines.of(block.end.wrapping_sub(2)) - own;
        let same_line = lines.line
            == lines.of(if self.entry.jumped {
                block.start
            } else {
                block.start.wrapping_sub(2)
            });
        let mut near = !same_line && lines.line.wrapping_sub(own) <= length;
        let (mut code, mut meets) = (0, 0);
        if block.close == 0 {
            for (index, &addr) in reads.iter().enumerate() {
                code |= u64::from(addr < self.code_end) << (index & 63);
                near |= lines.of(addr).wrapping_sub(own) <= length;
            }
        } else {
            let mut line = lines.line;
            for (index, &addr) in reads.iter().enumerate() {
                if addr < self.code_end {
                    code |= 1 << (index & 63);
                    meets |= u64::from(lines.of(addr) == line) << (index & 63);
                    line = lines.of(addr);
                    near |= line.wrapping_sub(own) <= length;
                }
            }
            meets &= block.close;
        }
        let entry = Entry {
            previous: relevant(self.entry.previous),
            ..self.entry
        };
        (!near).then_some(Pattern {
            code,
            meets,
            entry,
            same_line,
        })
    }

    #[cold]
    #[inline(never)]
    fn learn(
        &self,
        block: &Block,
        reads: &[u32],
        pattern: Option<Pattern>,
        known: &mut KnownTimes,
    ) -> Outcome {
        let outcome = self.work_out(block, block.marks().len() - 1, reads);
        if let Some(pattern) = pattern {
            known.learn(pattern, outcome);
        }
        outcome
    }

    /// The time of the first `count` instructions of a block.
    fn work_out(&self, block: &Block, count: usize, reads: &[u32]) -> Outcome {
        let mut unit =
            self.unit
                .of_ages(self.entry.ages, block.start, self.entry.jumped, self.cycles);
        let mut lines = self.lines;
        let mut line = Line::Before;
        let mut cycles = self.cycles;
        for pair in block.marks()[..=count].windows(2) {
            let [mark, after] = pair else { continue };
            if unit.word() != mark.word {
                line = Line::Fetched;
            }
            cycles = unit.wait_for(mark.pc, mark.word, cycles, &mut lines)
                + u64::from(after.at - mark.at);
            if mark.pc == block.start {
                cycles = cycles.wrapping_add_signed(block.delay(self.entry.previous, self.timing));
            }
            for (index, &addr) in (mark.reads..after.reads).zip(&reads[mark.reads..after.reads]) {
                if addr < self.code_end {
                    cycles += u64::from(lines.access(addr));
                    line = Line::Read(index as u8);
                }
            }
        }
        Outcome {
            cycles: (cycles - self.cycles) as u32,
            ages: unit.ages(cycles),
            line,
        }
    }

    /// Counts the first `count` instructions of a block; the next one needs a full step.
    #[cold]
    #[inline(never)]
    pub fn count_some(&mut self, block: &Block, count: usize, reads: &[u32]) {
        let outcome = self.work_out(block, count, reads);
        self.cycles += u64::from(outcome.cycles);
        let marks = block.marks();
        self.entry = Entry {
            ages: outcome.ages,
            jumped: false,
            previous: marks[count].before,
        };
        match outcome.line {
            Line::Before => {}
            Line::Fetched => self.lines.line = self.lines.of(marks[count].pc.wrapping_sub(2)),
            Line::Read(index) => self.lines.line = self.lines.of(reads[usize::from(index)]),
        }
    }

    /// Counts a jump to code memory.
    #[inline(always)]
    pub fn jump(&mut self, target: u32, cycles: u32) {
        self.cycles += u64::from(cycles + self.lines.access(target));
        self.entry = Entry {
            ages: crate::prefetch::RELOADED,
            jumped: true,
            previous: 0,
        };
    }
}

/// The part of `meta` that matters for the time of the next instruction.
#[inline(always)]
const fn relevant(meta: u32) -> u32 {
    if meta & (cache::LOAD | cache::COMPUTE) != 0 {
        meta
    } else {
        0
    }
}
