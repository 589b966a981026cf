//! Micro-operations: instructions of a block in the form that is quickest to execute, each with the
//! function that does it. Time is not their business: [`crate::block`] has counted it before.

use crate::alu::Flags;
use crate::bus::Plain;
use std::any::TypeId;

/// A register number, of which the compiler knows that it is below 16.
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

/// What micro-operations work on: a copy of the core's registers, and memory that needs no asking.
pub(crate) struct World<'a> {
    /// R0–R14.
    pub regs: [u32; 16],
    /// N, Z, C, V.
    pub flags: Flags,
    /// Where the block leads.
    pub pc: u32,
    /// It leads there by a jump.
    pub jumped: bool,
    /// Cycles beyond those counted before: of a taken branch, of a division.
    pub extra: u32,
    /// A handler executes: some values of the PC return from it.
    pub handler: bool,
    /// A division by zero is a fault.
    pub traps_division: bool,
    /// First address and length of what may hold decoded code in RAM.
    pub guard: (u32, u32),
    /// Memory.
    pub plain: Plain<'a>,
    /// Addresses of the words and parts of words that were read, if the loads of the block are
    /// watched.
    pub addresses: [u32; READS],
    /// How many.
    pub reads: usize,
}

/// Reads of a block at most.
pub(crate) const READS: usize = 64;

/// Executes micro-operations to the end of the block. Returns how many are left: not 0 if the first
/// of them needs the long way; then nothing of it has happened.
pub(crate) type Run = for<'a, 'b> fn(&mut World<'a>, &'b [Micro]) -> usize;

/// One micro-operation; what the fields mean is for its form to say.
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
    /// Does it; false, and nothing has happened, if it needs the long way.
    fn act(world: &mut World<'_>, micro: &Micro) -> bool;
}

/// The functions of a form: for one, two, four and eight in a row.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    kind: TypeId,
    runs: [Run; 4],
}

impl Shape {
    /// Of a form that often comes in groups.
    pub fn many<F: Form>() -> Shape {
        Shape {
            kind: TypeId::of::<F>(),
            runs: [run::<F, 1>, run::<F, 2>, run::<F, 4>, run::<F, 8>],
        }
    }

    /// Of a form that does not.
    pub fn single<F: Form>() -> Shape {
        Shape {
            kind: TypeId::of::<F>(),
            runs: [run::<F, 1>; 4],
        }
    }
}

impl Shape {
    /// The function for one.
    pub fn first(&self) -> Run {
        self.runs[0]
    }
}

/// Gives each micro-operation its function: neighbours of the same form share one, so that the way
/// from one to the next is taken once for up to eight.
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

fn run<F: Form, const N: usize>(world: &mut World<'_>, code: &[Micro]) -> usize {
    let Some((group, rest)) = code.split_first_chunk::<N>() else {
        return code.len();
    };
    for (at, micro) in group.iter().enumerate() {
        if !F::act(world, micro) {
            return code.len() - at;
        }
    }
    // The last thing a function does is to call the next: the compiler makes that a jump.
    match rest.first() {
        Some(micro) => (micro.run)(world, rest),
        None => 0,
    }
}

impl World<'_> {
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

    /// Goes on elsewhere.
    #[inline(always)]
    pub fn jump(&mut self, target: u32, cycles: u8) {
        self.pc = target;
        self.jumped = true;
        self.extra += u32::from(cycles);
    }

    /// Remembers where something was read.
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
