//! The outside of the CPU: the memory bus, and the ways an access or an instruction can fail.

use thiserror::Error;

/// Memory as the CPU sees it. The CPU clears bit 0 of every word address before it calls (the chip
/// does not drive it), so word addresses are even. Errors carry no PC: the CPU adds it.
pub trait Bus {
    /// Reads one octet.
    fn read8(&mut self, addr: u16) -> Result<u8, BusError>;

    /// Reads one little-endian word; `addr` is even.
    fn read16(&mut self, addr: u16) -> Result<u16, BusError>;

    /// Writes one octet.
    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError>;

    /// Writes one little-endian word; `addr` is even.
    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError>;

    /// Fetches an instruction word, an immediate or an index; `addr` is even. By default the same
    /// as [`Bus::read16`].
    fn fetch(&mut self, addr: u16) -> Result<u16, BusError> {
        self.read16(addr)
    }
}

/// Why the bus refused an access. Four octets, so that a fallible access costs the host nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BusError {
    /// Nothing answers at this address.
    #[error("nothing is mapped at 0x{0:04x}")]
    Unmapped(u16),
    /// The address holds memory that cannot be written now.
    #[error("memory at 0x{0:04x} is read-only")]
    ReadOnly(u16),
    /// A register was accessed with the wrong width.
    #[error("access of the wrong width at 0x{0:04x}")]
    Misaligned(u16),
    /// The chip has this function, the model does not.
    #[error("the function at 0x{0:04x} is not modelled")]
    NotModelled(u16),
    /// The device at the address refused; the bus that returned this knows why.
    #[error("the device at 0x{0:04x} refused the access")]
    Refused(u16),
    /// Code was fetched from an address that holds no code.
    #[error("no code can be fetched from 0x{0:04x}")]
    NotExecutable(u16),
}

/// Why an instruction could not be executed. `pc` is the address of its first word; the register PC
/// holds it too. Other registers and memory may be half changed: a fault ends a run, it is not an
/// interrupt of the chip.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// An access of the instruction at `pc` was refused.
    #[error("instruction at 0x{pc:04x}: {error}")]
    Bus {
        /// First word of the instruction.
        pc: u16,
        /// What the bus said.
        error: BusError,
    },
    /// The word at `pc` is no instruction of the MSP430 (MSP430X instructions are none either).
    #[error("illegal instruction word 0x{word:04x} at 0x{pc:04x}")]
    IllegalInstruction {
        /// Where it was fetched.
        pc: u16,
        /// The word.
        word: u16,
    },
    /// Execution arrived at an odd address.
    #[error("the program counter is odd: 0x{pc:04x}")]
    OddPc {
        /// The odd address.
        pc: u16,
    },
}

impl Fault {
    /// The address of the instruction that faulted.
    pub const fn pc(self) -> u16 {
        match self {
            Fault::Bus { pc, .. } | Fault::IllegalInstruction { pc, .. } | Fault::OddPc { pc } => {
                pc
            }
        }
    }
}
