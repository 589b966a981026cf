//! Function calls in any executable: symbols, arguments that are octets, and what comes back.

pub use board::call::{
    Access, Branch, Buffer, CallError, CallOptions, CallResult, Callee, Core, Dependence, Follow,
    Kind, Secrets, Timing, Trace, Value,
};
use board::call::{MACHINES, callee};
use board::elf::{Elf, ElfError, Machine, Symbol};
use std::sync::Arc;
use thiserror::Error;

/// Distance between buffers that are passed for the length of one call; it keeps them from
/// touching.
const GAP: usize = 8;
/// Alignment of such buffers: that of the widest type of any target.
const ALIGN: usize = 8;

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// By value.
    Value(Value),
    /// A pointer to these octets, which lie in RAM for the length of the call.
    Octets(Vec<u8>),
}

/// A result and what the function left in the buffers, in the order of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the call did.
    pub result: CallResult,
    /// Contents of every [`Argument::Octets`] after the call.
    pub buffers: Vec<Vec<u8>>,
}

/// Why a program could not be loaded or called.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The file is damaged, or no executable for a modelled CPU.
    #[error("{0}")]
    Elf(#[from] ElfError),
    /// No such symbol.
    #[error("this ELF has no symbol {0}")]
    NoSymbol(String),
    /// The symbol is data.
    #[error("{0} is not a function")]
    NotAFunction(String),
    /// The call failed.
    #[error("{symbol}: {error}")]
    Call {
        /// Function.
        symbol: String,
        /// Why.
        error: Box<CallError>,
    },
    /// An end of a timing band was chosen for a CPU with exact timing.
    #[error("{0} has no timing band: its timing is exact")]
    NoBand(String),
    /// A core was chosen for a CPU that is no Cortex-M.
    #[error("{0} has one core: none can be chosen")]
    NoCore(Machine),
    /// Memory could not be reached.
    #[error("{0}")]
    Memory(#[from] CallError),
}

/// What an executable takes, in octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Code and constants.
    pub text: u32,
    /// Initialised variables: in flash and in RAM.
    pub data: u32,
    /// Variables that begin as zero.
    pub bss: u32,
}

impl Sizes {
    /// Flash it takes.
    pub fn flash(&self) -> u32 {
        self.text + self.data
    }

    /// RAM it takes, stack not counted.
    pub fn ram(&self) -> u32 {
        self.data + self.bss
    }
}

/// An executable whose functions can be called. Its memory persists from call to call.
pub struct Program {
    elf: Arc<Elf>,
    callee: Box<dyn Callee>,
}

impl Program {
    /// Loads an ELF file. `timing` is for CPUs whose timing is a band, `core` for those of ARM; a
    /// Cortex-M3 if there is none.
    pub fn new(
        file: &[u8],
        core: Option<Core>,
        timing: Option<Timing>,
    ) -> Result<Program, ProgramError> {
        let elf = Arc::new(Elf::parse(file, "a function call", MACHINES)?);
        let arm = elf.machine == Machine::ARM;
        if !arm && core.is_some() {
            return Err(ProgramError::NoCore(elf.machine));
        }
        let exact = match core {
            Some(core @ Core::CortexM0Plus) => Some(core.name().into()),
            _ => (!arm).then(|| elf.machine.to_string()),
        };
        if let (Some(name), true) = (exact, timing.is_some()) {
            return Err(ProgramError::NoBand(name));
        }
        let (core, timing) = (core.unwrap_or_default(), timing.unwrap_or_default());
        let callee = callee(elf.clone(), core, timing)?;
        Ok(Program { elf, callee })
    }

    /// The executable.
    pub fn elf(&self) -> &Elf {
        &self.elf
    }

    /// The memory and allocations.
    pub fn memory(&mut self) -> &mut dyn Callee {
        self.callee.as_mut()
    }

    /// The symbol of that name.
    pub fn symbol(&self, name: &str) -> Result<Symbol, ProgramError> {
        self.elf
            .symbol(name)
            .ok_or_else(|| ProgramError::NoSymbol(name.into()))
    }

    /// What the executable takes.
    pub fn sizes(&self) -> Sizes {
        let mut sizes = Sizes::default();
        for section in &self.elf.sections {
            match (section.in_flash, section.in_ram) {
                (true, false) => sizes.text += section.size,
                (true, true) => sizes.data += section.size,
                (false, true) => sizes.bss += section.size,
                (false, false) => {}
            }
        }
        sizes
    }

    /// Calls a function.
    pub fn call(
        &mut self,
        symbol: &str,
        arguments: &[Argument],
        options: &CallOptions,
    ) -> Result<Outcome, ProgramError> {
        let function = self.symbol(symbol)?;
        if !function.function {
            return Err(ProgramError::NotAFunction(symbol.into()));
        }
        let mark = self.callee.mark();
        let outcome = self.call_at(function.address, arguments, options);
        self.callee.release(mark);
        outcome.map_err(|error| ProgramError::Call {
            symbol: symbol.into(),
            error: error.into(),
        })
    }

    fn call_at(
        &mut self,
        address: u32,
        arguments: &[Argument],
        options: &CallOptions,
    ) -> Result<Outcome, CallError> {
        let mut values = Vec::with_capacity(arguments.len());
        let mut places = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(value) => values.push(*value),
                Argument::Octets(octets) => {
                    let place = self.callee.allocate(octets.len() + GAP, ALIGN)?;
                    self.callee.write(place, octets)?;
                    places.push((place, octets.len()));
                    values.push(Value {
                        bits: place.into(),
                        octets: self.callee.pointer_octets(),
                    });
                }
            }
        }
        let result = self.callee.call(address, &values, options)?;
        let buffers = places
            .into_iter()
            .map(|(place, length)| self.callee.read(place, length));
        Ok(Outcome {
            result,
            buffers: buffers.collect::<Result<_, _>>()?,
        })
    }
}
