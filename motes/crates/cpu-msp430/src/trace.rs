//! Watching a run: program counter and data addresses.

/// Sees what an instruction does. All methods do nothing unless overridden; with [`NoTrace`] they
/// cost nothing.
pub trait Tracer {
    /// An instruction starts at `pc`.
    #[inline(always)]
    fn pc(&mut self, pc: u16) {
        let _ = pc;
    }

    /// Data is read at `addr` (even for words). Immediates, indices and instruction words are not
    /// data.
    #[inline(always)]
    fn read(&mut self, addr: u16) {
        let _ = addr;
    }

    /// Data is written at `addr` (even for words), pushes included.
    #[inline(always)]
    fn write(&mut self, addr: u16) {
        let _ = addr;
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Tracer for NoTrace {}
