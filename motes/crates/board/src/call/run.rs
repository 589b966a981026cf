//! The run of a called function, whatever its CPU: instruction by instruction until it returns.

use super::CallError;
use crate::elf::Elf;
use crate::fault::MoteFault;

/// A CPU in the middle of a call. Addresses are those of ELF files.
pub(super) trait Running {
    /// Address of the next instruction.
    fn pc(&self) -> u32;

    /// Cycles since the call began.
    fn cycles(&self) -> u64;

    /// The CPU sleeps: nothing would wake it.
    fn asleep(&self) -> bool;

    /// Executes one instruction and lets the tracer see what it did. An error is the address of
    /// the instruction and what is wrong with it.
    fn step(&mut self) -> Result<(), (u32, String)>;

    /// The lowest SP since the call began.
    fn lowest_sp(&self) -> u32;
}

/// Where a call ends, and what it must not do.
pub(super) struct Bounds<'a> {
    pub elf: &'a Elf,
    /// Return address that ends the call.
    pub trap: u32,
    /// Lowest value that SP may take.
    pub floor: u32,
    /// Cycles after which it is given up.
    pub cycles: u64,
}

/// Runs until the function returns. The result is the number of its instructions.
pub(super) fn run(call: &mut impl Running, bounds: &Bounds) -> Result<u64, CallError> {
    let mut instructions = 0;
    let mut previous = call.pc();
    let stop = |pc: u32, previous: u32, cycles: u64, reason: &str| {
        MoteFault::new(bounds.elf, pc, previous, cycles, reason)
    };
    while call.pc() != bounds.trap {
        if call.cycles() > bounds.cycles {
            let at = stop(call.pc(), previous, call.cycles(), "still running");
            let limit = bounds.cycles;
            return Err(CallError::CycleLimit { limit, at });
        }
        let pc = call.pc();
        if let Err((pc, reason)) = call.step() {
            return Err(stop(pc, previous, call.cycles(), &reason).into());
        }
        previous = pc;
        instructions += 1;
        let reason = if call.lowest_sp() < bounds.floor {
            "the stack has grown into the data below it"
        } else if call.asleep() {
            "the CPU was put to sleep inside a call"
        } else {
            continue;
        };
        return Err(stop(call.pc(), previous, call.cycles(), reason).into());
    }
    Ok(instructions)
}

/// Refuses a function that returned at `cycles` with registers `changed` that the ABI keeps. `also`
/// says what else it must leave behind.
pub(super) fn check_kept(
    elf: &Elf,
    function: u32,
    cycles: u64,
    changed: &[String],
    also: &str,
) -> Result<(), CallError> {
    if changed.is_empty() {
        return Ok(());
    }
    let changed = changed.join(", ");
    let reason = format!("the function returned with {changed} changed; the ABI keeps them{also}");
    Err(MoteFault::new(elf, function, function, cycles, reason).into())
}
