//! Why a mote stopped: the reason, the place and the cycle.

use crate::cc2538::memory::Memory;
use crate::elf::Elf;
use crate::f1611::memory::{Region, region};
use crate::load::ERASED;
use cpu_msp430::{BusError, Fault};
use thiserror::Error;

/// A stop of the program, with everything needed to find it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("PC 0x{pc:04X} ({symbol}), cycle {cycle}: {reason}{}", came_from(.from))]
pub struct MoteFault {
    /// Address of the instruction.
    pub pc: u32,
    /// Function it is in, with the offset; `no symbol` outside every function.
    pub symbol: String,
    /// CPU cycles since reset.
    pub cycle: u64,
    /// What went wrong.
    pub reason: String,
    /// Where the program was before, when `pc` is outside every function.
    pub from: Option<(u32, String)>,
}

fn came_from(from: &Option<(u32, String)>) -> String {
    from.as_ref()
        .map(|(pc, symbol)| format!("; came from 0x{pc:04X} ({symbol})"))
        .unwrap_or_default()
}

impl MoteFault {
    /// A stop at `pc`, reached from the instruction at `previous`.
    pub fn new(
        elf: &Elf,
        pc: u32,
        previous: u32,
        cycle: u64,
        reason: impl Into<String>,
    ) -> MoteFault {
        let lost = elf.function_at(pc).is_none();
        MoteFault {
            pc,
            symbol: elf.describe(pc),
            cycle,
            reason: reason.into(),
            from: lost.then(|| (previous, elf.describe(previous))),
        }
    }
}

/// What an MSP430's fault says, without the PC.
pub fn reason(fault: Fault) -> String {
    match fault {
        Fault::Bus {
            error: BusError::NotExecutable(at),
            ..
        } if region(at) == Region::Flash => {
            format!("erased flash executed at 0x{at:04X}: the program jumped to where no code is")
        }
        Fault::Bus {
            error: BusError::NotExecutable(at),
            ..
        } => {
            format!("the program jumped to 0x{at:04X}, where no code can be")
        }
        Fault::Bus { error, .. } => error.to_string(),
        Fault::IllegalInstruction { word, .. } => format!("0x{word:04X} is no instruction"),
        Fault::OddPc { .. } => "the program counter is odd".to_string(),
    }
}

/// What an AVR's fault says, without the PC.
pub fn avr_reason(fault: cpu_avr::Fault) -> String {
    use cpu_avr::Fault;
    match fault {
        Fault::IllegalInstruction { word: 0xFFFF, pc } => {
            let at = u32::from(pc) * 2;
            format!("erased flash executed at 0x{at:04X}: the program jumped to where no code is")
        }
        Fault::IllegalInstruction { word, .. } => format!("0x{word:04X} is no instruction"),
        Fault::Bus { error, .. } => error.to_string(),
    }
}

/// What an ARMv7-M core's fault says, without the PC.
pub fn armv7m_reason(fault: cpu_armv7m::Fault, memory: &Memory) -> String {
    use cpu_armv7m::{BusError, Cause, Fault};
    let cause = match fault {
        Fault::Exception { cause, .. } | Fault::Lockup { cause, .. } => cause,
        Fault::NotModelled { error, .. } => Cause::Data(error),
        Fault::NoVectors { .. } => return fault.to_string(),
    };
    let pc = fault.pc();
    match cause {
        Cause::Undefined | Cause::NoCoprocessor
            if memory.read(pc, 4).is_some_and(|code| code == [ERASED; 4]) =>
        {
            format!("erased flash executed at 0x{pc:08X}: the program jumped to where no code is")
        }
        Cause::Undefined => format!("{} is no instruction", code_at(memory, pc)),
        Cause::Fetch(BusError::NotExecutable(at)) | Cause::ExecuteNever(at) => {
            format!("the program jumped to 0x{at:08X}, where no code can be")
        }
        Cause::Data(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// The half-words at `pc`, for messages.
fn code_at(memory: &Memory, pc: u32) -> String {
    let octets = memory.read(pc, 4).unwrap_or_default();
    let words: Vec<String> = octets
        .chunks_exact(2)
        .map(|w| format!("0x{:02X}{:02X}", w[1], w[0]))
        .collect();
    words.join(" ")
}
