//! What a program did against a data sheet, and where.

use crate::elf::Elf;
use device::Ps;
use std::fmt;

/// More of them between two looks are not kept: a program that repeats one for ever would fill
/// memory.
const MOST: usize = 4096;

/// A use of a chip that its data sheet forbids. It has no effect or an undefined one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse {
    /// When.
    pub at: Ps,
    /// What.
    pub what: &'static str,
    /// The instruction that did it, or the last one before the chip noticed.
    pub pc: u32,
    /// Function it is in.
    pub symbol: String,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misuse {
            what, pc, symbol, ..
        } = self;
        write!(f, "{what}; PC 0x{pc:04X} ({symbol})")
    }
}

/// The misuse of one board since the last look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(Vec<Misuse>);

impl Notes {
    /// The instruction at `pc` did this.
    pub(crate) fn add(&mut self, elf: &Elf, pc: u32, list: Vec<(Ps, &'static str)>) {
        for (at, what) in list {
            if self.0.len() < MOST {
                let symbol = elf.describe(pc);
                self.0.push(Misuse {
                    at,
                    what,
                    pc,
                    symbol,
                });
            }
        }
    }

    /// All, in the order in which they were noticed.
    pub(crate) fn take(&mut self) -> Vec<Misuse> {
        std::mem::take(&mut self.0)
    }
}
