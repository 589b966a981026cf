//! Defects that a test gives to an encryption engine, to see what firmware makes of it.

use crate::Ps;

/// How an engine fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// It ignores what would start it.
    Deaf,
    /// Each of its steps takes [`LATE`] more; it says that it is busy.
    Late,
    /// The engine reports that it has finished, but leaves data and tag unchanged.
    Echo,
    /// From the next power-down on the engine gets no clock, although firmware asks for one. An
    /// engine with a permanent clock ignores its start command.
    Dark,
}

/// Longer than any driver can wait.
pub const LATE: Ps = Ps::from_micros(1_000_000);

impl EngineFault {
    /// By its name.
    pub fn named(name: &str) -> Option<EngineFault> {
        match name {
            "deaf" => Some(EngineFault::Deaf),
            "late" => Some(EngineFault::Late),
            "echo" => Some(EngineFault::Echo),
            "dark" => Some(EngineFault::Dark),
            _ => None,
        }
    }
}

/// What a step of `span` takes.
pub(crate) fn span_with(fault: Option<EngineFault>, span: Ps) -> Ps {
    match fault {
        Some(EngineFault::Late) => span + LATE,
        _ => span,
    }
}
