//! One instruction at a time.

use crate::{NoTrace, Tracer};

/// A CPU that executes instructions against a bus, one by one.
pub trait Step<B> {
    /// Why an instruction could not be executed.
    type Fault;

    /// Executes one instruction and tells `tracer` what happens. Returns the cycles it took, which
    /// the CPU has added to its counter.
    fn step_traced<T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<u32, Self::Fault>;

    /// [`Step::step_traced`] with nobody watching.
    #[inline]
    fn step(&mut self, bus: &mut B) -> Result<u32, Self::Fault> {
        self.step_traced(bus, &mut NoTrace)
    }
}
