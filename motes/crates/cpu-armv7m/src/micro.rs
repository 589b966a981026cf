//! Micro-operations: the instructions of a block, each with the function that executes it. They do
//! not count time: [`crate::block`] has done so before.

use crate::alu::Flags;
use crate::bus::Plain;
use std::any::TypeId;

/// A register number. The type tells the compiler that it is below 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
#[repr(u8)]
pub(crate) enum Reg { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15 }

impl Reg {
    /// From the field of an instruction.
    pub fn of(number: u8) -> Reg {
        use Reg::*;
        const ALL: [Reg; 16] = [
            R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15,
        ];
        ALL[usize::from(number & 15)]
    }
}

/// The state that micro-operations work on: a copy of the core's registers, and memory without the
/// bus.
pub(crate) struct BlockState<'a> {
    /// R0–R14.
    pub regs: [u32; 16],
    /// N, Z, C, V.
    pub flags: Flags,
    /// Address at which execution goes on after the block.
    pub pc: u32,
    /// A jump leads there.
    pub jumped: bool,
    /// Cycles that the block's own count does not have: of a taken branch, of a division.
    pub extra: u32,
    /// A handler executes, so some values of the PC mean a return from it.
    pub handler: bool,
    /// A division by zero is a fault.
    pub traps_division: bool,
    /// First address and length of the RAM that may hold decoded code.
    pub guard: (u32, u32),
    /// Memory.
    pub plain: Plain<'a>,
    /// Addresses that were read, if the loads of the block are watched.
    pub addresses: [u32; READS],
    /// Number of reads.
    pub reads: usize,
}

/// The most reads that a block makes.
pub(crate) const READS: usize = 64;

/// Executes micro-operations to the end of the block. Returns how many are left. If it is not 0,
/// the first of these needs a full step, and nothing of it has happened.
pub(crate) type Run = for<'a, 'b> fn(&mut BlockState<'a>, &'b [Micro]) -> usize;

/// One micro-operation. Its form says what the fields mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Micro {
    pub run: Run,
    pub imm: u32,
    pub a: Reg,
    pub b: Reg,
    pub c: Reg,
    pub d: u8,
}

/// What one kind of micro-operation does.
pub(crate) trait Form: 'static {
    /// Executes it. False if it needs a full step: then nothing has happened.
    fn act(state: &mut BlockState<'_>, micro: &Micro) -> bool;
}

/// The functions of a form: for one, two, four and eight in a row.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    kind: TypeId,
    runs: [Run; 4],
}

impl Shape {
    /// For a form that often comes in groups.
    pub fn many<F: Form>() -> Shape {
        Shape {
            kind: TypeId::of::<F>(),
            runs: [run::<F, 1>, run::<F, 2>, run::<F, 4>, run::<F, 8>],
        }
    }

    /// For a form that seldom comes in groups.
    pub fn single<F: Form>() -> Shape {
        Shape {
            kind: TypeId::of::<F>(),
            runs: [run::<F, 1>; 4],
        }
    }
}

impl Shape {
    /// The function for a single micro-operation.
    pub fn first(&self) -> Run {
        self.runs[0]
    }
}

/// Gives each micro-operation its function. One function executes up to eight neighbours of the same
/// form, so that there are fewer calls from one to the next.
pub(crate) fn link(code: &mut [Micro], shapes: &[Shape]) {
    let mut at = 0;
    while at < code.len() {
        let same = shapes[at..]
            .iter()
            .take_while(|shape| shape.kind == shapes[at].kind)
            .count();
        let power = same.ilog2().min(3);
        for offset in 0..1 << power {
            code[at + offset].run = shapes[at].runs[0];
        }
        code[at].run = shapes[at].runs[power as usize];
        at += if shapes[at].runs[0] as usize == shapes[at].runs[3] as usize {
            1
        } else {
            1 << power
        };
    }
}

fn run<F: Form, const N: usize>(state: &mut BlockState<'_>, code: &[Micro]) -> usize {
    let Some((group, rest)) = code.split_first_chunk::<N>() else {
        return code.len();
    };
    for (at, micro) in group.iter().enumerate() {
        if !F::act(state, micro) {
            return code.len() - at;
        }
    }
    // A call at the end of a function: the compiler makes it a jump.
    match rest.first() {
        Some(micro) => (micro.run)(state, rest),
        None => 0,
    }
}

impl BlockState<'_> {
    /// A register.
    #[inline(always)]
    pub fn get(&self, register: Reg) -> u32 {
        self.regs[register as usize]
    }

    /// Sets a register.
    #[inline(always)]
    pub fn set(&mut self, register: Reg, value: u32) {
        self.regs[register as usize] = value;
    }

    /// Ends the block with a jump.
    #[inline(always)]
    pub fn jump(&mut self, target: u32, cycles: u8) {
        self.pc = target;
        self.jumped = true;
        self.extra += u32::from(cycles);
    }

    /// Notes the address of a read.
    #[inline(always)]
    pub fn note(&mut self, addr: u32) {
        self.addresses[self.reads & (READS - 1)] = addr;
        self.reads += 1;
    }

    /// The words that hold an address, and its offset from the first of them.
    #[inline(always)]
    fn words(&self, addr: u32) -> (&[[u8; 4]], u32) {
        if addr < self.plain.ram_start {
            (self.plain.code, addr.wrapping_sub(self.plain.code_start))
        } else {
            (self.plain.ram, addr.wrapping_sub(self.plain.ram_start))
        }
    }

    /// An aligned word. An offset that is not a multiple of 4 rotates to one that no memory has.
    #[inline(always)]
    pub fn read32(&self, addr: u32) -> Option<u32> {
        let (words, offset) = self.words(addr);
        words
            .get(offset.rotate_right(2) as usize)
            .map(|word| u32::from_le_bytes(*word))
    }

    /// Aligned words.
    #[inline(always)]
    pub fn read_words(&self, addr: u32, count: usize) -> Option<&[[u8; 4]]> {
        let (words, offset) = self.words(addr);
        let first = offset.rotate_right(2) as usize;
        words.get(first..first + count)
    }

    /// An aligned halfword.
    #[inline(always)]
    pub fn read16(&self, addr: u32) -> Option<u32> {
        let (words, offset) = self.words(addr);
        let half = offset.rotate_right(1);
        let [a, b, c, d] = *words.get((half >> 1) as usize)?;
        let octets = if half & 1 == 0 { [a, b] } else { [c, d] };
        Some(u16::from_le_bytes(octets).into())
    }

    /// An octet.
    #[inline(always)]
    pub fn read8(&self, addr: u32) -> Option<u32> {
        let (words, offset) = self.words(addr);
        let word = words.get((offset >> 2) as usize)?;
        Some(word[(offset & 3) as usize].into())
    }

    /// Whether a write at an address may hit decoded code.
    #[inline(always)]
    fn guarded(&self, addr: u32) -> bool {
        addr.wrapping_sub(self.guard.0) < self.guard.1
    }

    /// Stores an aligned word in RAM.
    #[inline(always)]
    pub fn write32(&mut self, addr: u32, value: u32) -> bool {
        let at = addr.wrapping_sub(self.plain.ram_start).rotate_right(2) as usize;
        match self.plain.ram.get_mut(at) {
            Some(word) if addr.wrapping_sub(self.guard.0) >= self.guard.1 => {
                *word = value.to_le_bytes();
                true
            }
            _ => false,
        }
    }

    /// Aligned words of RAM that hold no code.
    #[inline(always)]
    pub fn words_mut(&mut self, addr: u32, count: usize) -> Option<&mut [[u8; 4]]> {
        let first = addr.wrapping_sub(self.plain.ram_start).rotate_right(2) as usize;
        if self.guard.1 != 0 {
            return None;
        }
        self.plain.ram.get_mut(first..first + count)
    }

    /// Stores an aligned halfword in RAM.
    #[inline(always)]
    pub fn write16(&mut self, addr: u32, value: u32) -> bool {
        let half = addr.wrapping_sub(self.plain.ram_start).rotate_right(1);
        let guarded = self.guarded(addr);
        match self.plain.ram.get_mut((half >> 1) as usize) {
            Some(word) if !guarded => {
                let [low, high, ..] = value.to_le_bytes();
                let [a, b, c, d] = *word;
                *word = if half & 1 == 0 {
                    [low, high, c, d]
                } else {
                    [a, b, low, high]
                };
                true
            }
            _ => false,
        }
    }

    /// Stores an octet in RAM.
    #[inline(always)]
    pub fn write8(&mut self, addr: u32, value: u32) -> bool {
        let offset = addr.wrapping_sub(self.plain.ram_start);
        let guarded = self.guarded(addr);
        match self.plain.ram.get_mut((offset >> 2) as usize) {
            Some(word) if !guarded => {
                word[(offset & 3) as usize] = value as u8;
                true
            }
            _ => false,
        }
    }
}
