//! Watching a CPU: program counter and data addresses, the same for all CPUs.
//!
//! Addresses are those of ELF files and count octets. So the data space of an AVR begins at
//! 0x800000, and its program counter is told doubled.

mod outside;
mod step;

pub use outside::{Outside, Watched};
pub use step::Step;

/// Sees what an instruction does. All methods do nothing unless overridden; with [`NoTrace`] they
/// cost nothing.
pub trait Tracer {
    /// An instruction starts at `pc`.
    #[inline(always)]
    fn pc(&mut self, pc: u32) {
        let _ = pc;
    }

    /// Data is read at `addr`, one call for each bus transaction. Literals and tables in program
    /// memory are data; instructions with their immediates and indices are not.
    #[inline(always)]
    fn read(&mut self, addr: u32) {
        let _ = addr;
    }

    /// Data is written at `addr`, one call for each bus transaction, pushes included.
    #[inline(always)]
    fn write(&mut self, addr: u32) {
        let _ = addr;
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Tracer for NoTrace {}
