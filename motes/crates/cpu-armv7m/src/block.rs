//! Blocks: straight runs of instructions whose time is counted once, when they are translated.
//!
//! That time is right where neither fetches nor data wait ([`crate::Bus::plain`]). Besides the
//! block itself it depends only on the instruction before the block and on the operands of
//! divisions.

use crate::cache::{self, Slot};
use crate::cycles::{self, DIVIDE, LONG_ACCUMULATE, LONG_MULTIPLY};
use crate::micro::{self, BlockState, Micro, READS, Shape};
use crate::op::Op;
use crate::prefetch;
use crate::timing::Timing;
use crate::translate::{Step, translate};
use crate::waits::KnownTimes;

/// The most instructions that a block has.
const LONGEST: usize = 128;
/// Entries of the table that finds a block by its address.
const PLACES: usize = 0x4000;

/// Position of an instruction of a block: in the program, in time and among the reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    pub pc: u32,
    /// Cycles from the beginning of the block.
    pub at: u32,
    /// `meta` of the instruction before it; 0 for the first.
    pub before: u32,
    /// Address of its last word.
    pub word: u32,
    /// Number of reads in the block before it.
    pub reads: usize,
}

/// One block. If it has no instructions, the instruction at its address needs a full step.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its number.
    pub number: usize,
    /// Address of the first instruction.
    pub start: u32,
    /// Address behind the last instruction.
    pub end: u32,
    code: Box<[Micro]>,
    marks: Box<[Mark]>,
    /// Cycles if no branch is taken and the instruction before the block costs nothing.
    pub cycles: u32,
    /// An upper bound of its cycles.
    pub worst: u32,
    /// Cycles that a jump to it costs beyond P.
    pub straddle: u32,
    /// Address and `meta` of the last instruction.
    pub last: (u32, u32),
    /// The first instruction.
    first: (Op, u32),
    /// One bit for each read: set if no fetch lies between it and the read before it (for the
    /// first read: between it and the beginning of the block).
    pub close: u64,
}

impl Block {
    /// The block of these instructions, from `start` up to the first that has no
    /// micro-operation. An access to code memory waits at most `wait` cycles.
    fn new(number: usize, start: u32, slots: &[Slot], timing: &Timing, wait: u32) -> Block {
        let translated = if wait == 0 {
            translate::<false>
        } else {
            translate::<true>
        };
        let mut steps: Vec<Step> = Vec::new();
        let mut marks: Vec<Mark> = Vec::new();
        let mut mark = Mark {
            pc: start,
            ..Mark::default()
        };
        let (mut worst, mut last, mut close, mut apart) = (0, (start, 0), 0, false);
        for slot in slots {
            mark.word = cache::last_word(slot.tag, slot.meta);
            let fetched = marks.last().is_some_and(|before| before.word != mark.word);
            let reads = reads(&slot.op);
            let step = translated(slot.op, slot.meta, slot.tag, timing)
                .filter(|_| mark.reads + reads <= READS);
            let Some(step) = step else { break };
            apart |= fetched;
            for read in mark.reads..mark.reads + reads {
                close |= u64::from(!std::mem::take(&mut apart)) << read;
            }
            marks.push(mark);
            let cycles = cost(&slot.op, slot.meta, mark.before, timing);
            worst += cycles + longest_by_operands(&slot.op) + reads as u32 * wait;
            worst += u32::from(wait != 0 && (fetched || marks.len() == 1)) * (1 + wait);
            last = (slot.tag, slot.meta);
            mark = Mark {
                pc: slot.tag.wrapping_add(cache::length(slot.meta)),
                at: mark.at + cycles,
                before: slot.meta,
                word: mark.word,
                reads: mark.reads + reads,
            };
            steps.push(step);
            if step.last {
                break;
            }
        }
        // A straddling target, a stalled address at the beginning, a jump at the end.
        let ends = 1 + timing.address_stall + timing.refill.max(timing.refill_load) + wait;
        marks.push(mark);
        let first = slots.first();
        Block {
            number,
            start,
            end: mark.pc,
            code: linked(&steps),
            marks: marks.into(),
            cycles: mark.at,
            worst: worst + ends,
            straddle: first.map_or(0, |slot| prefetch::straddle(slot, start)) as u32,
            last,
            first: first.map_or((Op::Undefined, 0), |slot| (slot.op, slot.meta)),
            close,
        }
    }

    /// Whether it has no instructions.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// Address of the last word of its first instruction.
    pub fn first_word(&self) -> u32 {
        cache::last_word(self.start, self.first.1)
    }

    /// Whether an address lies in the block, the first octet excepted.
    #[inline(always)]
    pub fn holds(&self, addr: u32) -> bool {
        addr.wrapping_sub(self.start).wrapping_sub(1)
            < self.end.wrapping_sub(self.start).wrapping_sub(1)
    }

    /// Cycles that the instruction before the block adds (negative: saves).
    pub fn delay(&self, before: u32, timing: &Timing) -> i64 {
        let (op, meta) = &self.first;
        i64::from(cost(op, *meta, before, timing)) - i64::from(cost(op, *meta, 0, timing))
    }

    /// Executes it. Returns the index of the instruction that needs a full step, if there is one:
    /// those before it have been executed.
    #[inline(always)]
    pub fn run(&self, state: &mut BlockState<'_>) -> Option<usize> {
        (state.pc, state.jumped, state.extra, state.reads) = (self.end, false, 0, 0);
        let left = match self.code.first() {
            Some(micro) => (micro.run)(state, &self.code),
            None => 0,
        };
        if left == 0 {
            None
        } else {
            Some(self.code.len() - left)
        }
    }

    /// The mark of each instruction, then one for the end of the block.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

/// The micro-operations of steps, each with the form that those after it allow.
fn linked(steps: &[Step]) -> Box<[Micro]> {
    let mut code: Vec<Micro> = steps.iter().map(|step| step.micro).collect();
    let shapes: Vec<Shape> = steps.iter().map(|step| step.shape).collect();
    micro::link(&mut code, &shapes);
    code.into()
}

/// Cycles of an instruction after another one, without the cycles that its operands or a jump add.
fn cost(op: &Op, meta: u32, before: u32, timing: &Timing) -> u32 {
    let cycles = (meta >> cache::CYCLES_SHIFT) + added(op, timing);
    let neighbour = |registers: u32| {
        cache::neighbour(before, registers, meta, cycles.into(), timing.address_stall) as u32
    };
    let stalled = |registers: u32| {
        let stalls = before & cache::COMPUTE != 0 && before & registers & cache::REGISTERS != 0;
        cycles + if stalls { timing.address_stall } else { 0 }
    };
    match *op {
        Op::LdrImm { rn, .. } | Op::LdrbImm { rn, .. } | Op::LdrhImm { rn, .. } => {
            neighbour(1 << rn)
        }
        Op::LdrsbImm { rn, .. } | Op::LdrshImm { rn, .. } => neighbour(1 << rn),
        Op::StrImm { rn, .. } | Op::StrbImm { rn, .. } | Op::StrhImm { rn, .. } => {
            neighbour(1 << rn)
        }
        Op::LdrReg { rn, rm, .. } | Op::LdrbReg { rn, rm, .. } => neighbour(1 << rn | 1 << rm),
        Op::LdrhReg { rn, rm, .. } | Op::LdrsbReg { rn, rm, .. } => neighbour(1 << rn | 1 << rm),
        Op::LdrshReg { rn, rm, .. } | Op::StrReg { rn, rm, .. } => neighbour(1 << rn | 1 << rm),
        Op::StrbReg { rn, rm, .. } | Op::StrhReg { rn, rm, .. } => neighbour(1 << rn | 1 << rm),
        Op::LoadLiteral { .. } => neighbour(0),
        Op::LoadIndexed { rn, .. } | Op::StoreIndexed { rn, .. } => stalled(1 << rn),
        Op::Ldrd { rn, .. } | Op::Strd { rn, .. } => stalled(1 << rn),
        Op::Ldm { rn, .. } | Op::Stm { rn, .. } => stalled(1 << rn),
        _ => cycles,
    }
}

/// The table gives a sum for this instruction: its cycles beyond the base.
fn added(op: &Op, timing: &Timing) -> u32 {
    let longest = |range| cycles::longest_multiply(timing.long_multiply, range);
    match op {
        Op::Ldm { list, .. } | Op::Stm { list, .. } => list.count_ones(),
        Op::Umull { .. } | Op::Smull { .. } => longest(LONG_MULTIPLY),
        Op::Umlal { .. } | Op::Smlal { .. } => longest(LONG_ACCUMULATE),
        _ => 0,
    }
}

/// Number of reads (words, halfwords or octets) that an instruction makes.
fn reads(op: &Op) -> usize {
    match op {
        Op::Ldm { list, .. } => list.count_ones() as usize,
        Op::Ldrd { .. } => 2,
        Op::LoadIndexed { .. } => 1,
        _ => usize::from(cycles::loaded(op).is_some()),
    }
}

/// The most cycles that operands can add.
fn longest_by_operands(op: &Op) -> u32 {
    if matches!(cycles::group(op), cycles::Group::Divide) {
        DIVIDE[1]
    } else {
        0
    }
}

/// Why no further block is executed, and so how to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The next instruction needs a full step.
    Step,
    /// The code at the PC has not been translated.
    Unknown,
    /// Go on with decoded instructions: the next block could end too late, or holds the address at
    /// which to stop, or this memory has no blocks.
    Decoded,
}

/// The blocks of a program, by address.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    /// Number of the block plus 1, by address; 0 if there is none.
    places: Box<[u32; PLACES]>,
    /// First address and length of the range that all blocks cover.
    range: (u32, u32),
    /// The known times of each block, where accesses wait.
    pub known_times: Vec<KnownTimes>,
}

impl Blocks {
    /// No blocks.
    pub fn new() -> Blocks {
        Blocks {
            blocks: Vec::new(),
            places: Box::new([0; PLACES]),
            range: (0, 0),
            known_times: Vec::new(),
        }
    }

    /// The block that begins at an address.
    #[inline(always)]
    fn find(&self, pc: u32) -> Option<&Block> {
        let number = self.places[pc as usize >> 1 & (PLACES - 1)] as usize;
        let block = self.blocks.get(number.wrapping_sub(1))?;
        (block.start == pc).then_some(block)
    }

    /// The block to execute next, if it ends before the cycle `due`.
    #[inline(always)]
    pub fn next(&self, pc: u32, cycles: u64, due: u64, stop: u32) -> Result<&Block, Rest> {
        let block = self.find(pc).ok_or(Rest::Unknown)?;
        if block.is_empty() || pc == stop {
            return Err(Rest::Step);
        }
        if cycles + u64::from(block.worst) >= due || block.holds(stop) {
            return Err(Rest::Decoded);
        }
        Ok(block)
    }

    /// Translates instructions that follow each other from `start` on.
    pub fn insert(&mut self, start: u32, slots: &[Slot], timing: &Timing, wait: u32) {
        let place = &mut self.places[start as usize >> 1 & (PLACES - 1)];
        if *place == 0 {
            *place = self.blocks.len() as u32 + 1;
        }
        let number = *place as usize - 1;
        let block = Block::new(number, start, slots, timing, wait);
        let (first, end) = match self.range {
            (_, 0) => (start, start),
            (first, length) => (first.min(start), first + length),
        };
        // An empty block stands for one instruction.
        self.range = (
            first,
            end.max(block.end).max(start.saturating_add(4)) - first,
        );
        if let Some(old) = self.blocks.get_mut(number) {
            *old = block;
            self.known_times[number] = KnownTimes::default();
        } else {
            self.blocks.push(block);
            self.known_times.push(KnownTimes::default());
        }
    }

    /// The most instructions that a block has.
    pub const fn longest() -> usize {
        LONGEST
    }

    /// Forgets all if a range overlaps one of them: code is seldom written.
    pub fn invalidate(&mut self, addr: u32, octets: u32) {
        let (first, length) = self.range;
        if length != 0 && addr < first.saturating_add(length) && addr.saturating_add(octets) > first
        {
            *self = Blocks::new();
        }
    }
}
