//! The time of blocks where fetches and reads wait for a line of code memory.
//!
//! It follows from the instructions, from what the prefetch unit holds at the beginning, and from
//! which accesses meet the line of the access before. Reads outside the lines of the block itself
//! never meet a line that was fetched, and no fetch meets theirs: then which reads go to code
//! memory, and which of them meet each other's lines, says all. So the time is worked out once for
//! each such pattern, instruction by instruction with the very rules of [`Prefetch`], and
//! remembered. Anything else is worked out each time.

use crate::block::Block;
use crate::bus::Lines;
use crate::cache;
use crate::prefetch::{Ages, Prefetch};
use crate::timing::Timing;

/// Patterns of a block that are remembered.
const PATTERNS: usize = 16;

/// Everything that the time of a block depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pattern {
    /// Bits of the reads that go to code memory.
    code: u64,
    /// Bits of those that meet the line of the read before.
    meets: u64,
    entry: Entry,
    /// The line in the buffer is that of the code before the block.
    same_line: bool,
}

/// How a block is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Times of the prefetch unit.
    pub ages: Ages,
    /// By a jump.
    pub jumped: bool,
    /// `meta` of the instruction before.
    pub previous: u32,
}

/// What a block leaves behind.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    cycles: u32,
    ages: Ages,
    line: Line,
}

/// Whose line is in the buffer after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// That of before.
    Before,
    /// That of the block's last word.
    Fetched,
    /// That of a read.
    Read(u8),
}

/// What is known of the time of a block: the patterns seen, the most frequent ones before long at
/// the front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Vec<(Pattern, Outcome)>);

impl Memory {
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
    /// The rules.
    pub unit: &'a Prefetch,
    pub timing: &'a Timing,
}

impl Clock<'_> {
    /// Counts a block that went through and read at these addresses. The jump that
    /// may end it is not counted.
    #[inline(always)]
    pub fn count(&mut self, block: &Block, reads: &[u32], memory: &mut Memory) {
        let pattern = self.pattern(block, reads);
        let known = pattern.as_ref().and_then(|pattern| memory.find(pattern));
        let outcome = match known {
            Some(outcome) => outcome,
            None => self.learn(block, reads, pattern, memory),
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

    /// The pattern; none if a line of the block's code is read, or in the buffer without having
    /// been fetched last.
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
        memory: &mut Memory,
    ) -> Outcome {
        let outcome = self.work_out(block, block.marks().len() - 1, reads);
        if let Some(pattern) = pattern {
            memory.learn(pattern, outcome);
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

    /// Counts the first instructions of a block, of which the next one takes the long way.
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

/// What of an instruction matters for the time of the next.
#[inline(always)]
const fn relevant(meta: u32) -> u32 {
    if meta & (cache::LOAD | cache::COMPUTE) != 0 {
        meta
    } else {
        0
    }
}
