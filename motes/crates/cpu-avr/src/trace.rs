//! Watching a run: program counter, data addresses, and table reads from flash.

/// Sees what an instruction does. All methods do nothing unless overridden; with [`NoTrace`] they
/// cost nothing.
pub trait Tracer {
    /// An instruction starts at word address `pc`.
    #[inline(always)]
    fn pc(&mut self, pc: u16) {
        let _ = pc;
    }

    /// LD, LDD, LDS, POP and returns read the octet at data address `addr`.
    #[inline(always)]
    fn read(&mut self, addr: u16) {
        let _ = addr;
    }

    /// ST, STD, STS, PUSH, calls and interrupts write the octet at data address `addr`.
    #[inline(always)]
    fn write(&mut self, addr: u16) {
        let _ = addr;
    }

    /// LPM and ELPM read the octet at address `addr` of the program memory.
    #[inline(always)]
    fn program(&mut self, addr: u32) {
        let _ = addr;
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Tracer for NoTrace {}
