//! Calling one function of an executable: arguments by the CPU's ABI, run to return, count
//! everything.
//!
//! No start-up code runs: memory is put into the state it would leave, once. It then persists from
//! call to call, like on a board, until [`Callee::reset`].

mod armv7m;
mod avr;
mod caller;
mod follow;
mod heap;
mod msp430;
mod owned;
mod record;

use crate::elf::{Elf, ElfError, Machine};
use crate::fault::MoteFault;
pub use cpu_armv7m::Core;
use std::sync::Arc;
pub use taint::{Dependence, Kind, Secrets};
use thiserror::Error;

/// One argument by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its bits; what exceeds `octets` is dropped.
    pub bits: u64,
    /// Octets of the parameter's type: 1, 2, 4 or 8. One octet is widened with zeros, as an
    /// unsigned type is.
    pub octets: u8,
}

/// Where arguments go: registers in order, and words of stack, the lowest first.
#[derive(Debug, Default, PartialEq, Eq)]
struct Placement<W> {
    registers: Vec<W>,
    stack: Vec<W>,
}

/// How much of the run to record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trace {
    /// Results only.
    #[default]
    Off,
    /// A 64-bit hash of the program counters and one of the data accesses.
    Hash,
    /// The hashes, both lists, and how often each conditional jump was taken.
    Full,
}

/// Timing of a CPU whose exact timing is not published: which end of the band, and with which
/// memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// The quick end, no wait states.
    Low,
    /// The slow end, no wait states.
    #[default]
    High,
    /// The slow end, with the wait states of the board's flash at its slow end.
    Flash,
}

/// Octets that a function may touch besides its own objects and stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// First address.
    pub address: u32,
    /// Octets.
    pub octets: u32,
    /// What people call it.
    pub name: String,
    /// What its octets depend on; `None`: what they did before.
    pub secrets: Option<Secrets>,
}

/// What to follow through a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Follow {
    /// What each argument depends on, in their order.
    pub arguments: Vec<Secrets>,
    /// All buffers there are.
    pub buffers: Vec<Buffer>,
    /// Addresses of functions whose results are public, whatever they were made of.
    pub published: Vec<u32>,
}

/// Conditions of a call.
#[derive(Clone, Debug)]
pub struct CallOptions {
    /// A function that runs longer than this many cycles is stopped.
    pub cycle_limit: u64,
    /// What to record.
    pub trace: Trace,
    /// Secrets and buffers to follow. If there are, the hashes are recorded, accesses to octets
    /// that belong to nobody are faults, and `trace` does not matter.
    pub follow: Option<Follow>,
}

impl Default for CallOptions {
    fn default() -> CallOptions {
        CallOptions {
            cycle_limit: 100_000_000,
            trace: Trace::Off,
            follow: None,
        }
    }
}

/// One data access of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its address.
    pub address: u32,
    /// Write, else read.
    pub write: bool,
    /// Address of the instruction.
    pub pc: u32,
}

/// One conditional jump of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its address.
    pub address: u32,
    /// Times it jumped.
    pub taken: u64,
    /// Times it did not.
    pub not_taken: u64,
}

/// What a call did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallResult {
    /// The result registers, the first one in the lowest bits. The type of the result tells the
    /// caller which of them to use. On the AVR these are R18 to R25, and a short result is in the
    /// last ones.
    pub value: u64,
    /// Cycles from the function's first instruction to its return, without the call instruction.
    pub cycles: u64,
    /// Instructions in the same span.
    pub instructions: u64,
    /// Octets of stack below the caller's arguments: return address if it is there, saved
    /// registers, locals, callees.
    pub stack_octets: u32,
    /// Hash over every program counter in order; 0 when not recorded.
    pub pc_trace_hash: u64,
    /// Hash over every data access in order, address and direction; 0 when not recorded.
    pub address_trace_hash: u64,
    /// Every program counter; empty unless recorded in full.
    pub pc_trace: Vec<u32>,
    /// Cycles since the call began, after each instruction of `pc_trace`; empty unless recorded in
    /// full.
    pub cycle_trace: Vec<u64>,
    /// Stack pointer after each instruction of `pc_trace`; empty unless recorded in full.
    pub sp_trace: Vec<u32>,
    /// Every data access; empty unless recorded in full.
    pub address_trace: Vec<Access>,
    /// Every conditional jump met, by address; empty unless recorded in full or followed.
    pub branches: Vec<Branch>,
    /// What depends on secrets, by address; empty unless followed.
    pub dependences: Vec<Dependence>,
}

/// Why a call did not come to its end.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// The program did something impossible.
    #[error("{0}")]
    Fault(#[from] MoteFault),
    /// It ran too long.
    #[error("no return within {limit} cycles; {at}")]
    CycleLimit {
        /// The limit.
        limit: u64,
        /// Where it was then.
        at: MoteFault,
    },
    /// RAM is used up.
    #[error("{wanted} octets of RAM wanted, {left} left")]
    OutOfMemory {
        /// Octets that were wanted.
        wanted: usize,
        /// Octets there are.
        left: usize,
    },
    /// Reading or writing where there is no memory.
    #[error("no memory at 0x{address:04X}..0x{:04X}", address + length)]
    NoMemory {
        /// First address.
        address: usize,
        /// Octets.
        length: usize,
    },
    /// An argument of a width the ABI does not have.
    #[error("an argument of {0} octets cannot be passed")]
    ArgumentWidth(u8),
}

/// A CPU with an executable in its memory, ready to be called. One implementation for each ABI.
pub trait Callee: Send {
    /// Octets of an address.
    fn pointer_octets(&self) -> u8;

    /// Memory as start-up code leaves it; allocations are gone.
    fn reset(&mut self);

    /// Allocates RAM above that of the program. `align` is a power of two. It stays until
    /// [`Callee::release`] or [`Callee::reset`].
    fn allocate(&mut self, octets: usize, align: usize) -> Result<u32, CallError>;

    /// The first free address. Pass it to [`Callee::release`] to free all later allocations.
    fn mark(&self) -> u32;

    /// Drops every allocation made since `mark`.
    fn release(&mut self, mark: u32);

    /// Copies octets out of memory.
    fn read(&self, address: u32, length: usize) -> Result<Vec<u8>, CallError>;

    /// Copies octets into memory. They depend on no secret.
    fn write(&mut self, address: u32, octets: &[u8]) -> Result<(), CallError>;

    /// Octets of memory depend on these secrets from now on.
    fn mark_secret(&mut self, address: u32, octets: u32, secrets: Secrets);

    /// Calls the function at `function`.
    fn call(
        &mut self,
        function: u32,
        arguments: &[Value],
        options: &CallOptions,
    ) -> Result<CallResult, CallError>;
}

/// The CPUs whose functions can be called.
pub const MACHINES: &[Machine] = &[Machine::MSP430, Machine::ARM, Machine::AVR];

/// The implementation for this executable's CPU, which is one of [`MACHINES`]. The MSP430 and the
/// AVR have exact timing, so `timing` does not apply to them. `core` is that of an ARM.
pub fn callee(elf: Arc<Elf>, core: Core, timing: Timing) -> Result<Box<dyn Callee>, ElfError> {
    match elf.machine {
        Machine::MSP430 => Ok(Box::new(msp430::load(elf)?)),
        Machine::ARM => Ok(Box::new(armv7m::load(elf, core, timing)?)),
        Machine::AVR => Ok(Box::new(avr::load(elf)?)),
        other => Err(ElfError::OtherCpu {
            found: other.to_string(),
            board: "a function call".into(),
            wanted: MACHINES
                .iter()
                .map(Machine::to_string)
                .collect::<Vec<_>>()
                .join(" or "),
        }),
    }
}
