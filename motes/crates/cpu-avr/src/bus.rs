//! The outside of the CPU: program memory, data space, and the ways an access or an instruction can
//! fail.

use crate::operation::Operation;
use thiserror::Error;

/// Memories and devices. Data addresses are those of LD and ST: the registers of IN and OUT begin
/// at 0x20. The core has R0 to R31, RAMPZ, SP and SREG itself and never asks the bus for them.
/// Errors carry no PC: the CPU adds it.
pub trait Bus {
    /// The instruction word at word address `pc`.
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError>;

    /// The instruction at word address `pc`. By default it is decoded anew each time; a bus that
    /// keeps the instructions of its program memory decoded is faster.
    #[inline(always)]
    fn operation(&mut self, pc: u16) -> Result<Operation, BusError> {
        Operation::fetch(self, pc)
    }

    /// An instruction begins, `cycle` of the CPU's. By default nobody wants to know.
    #[inline(always)]
    fn begin(&mut self, cycle: u64) {
        let _ = cycle;
    }

    /// Whether [`crate::Cpu::run`] is to stop after this instruction. By default nothing stops it.
    #[inline(always)]
    fn attention(&self) -> bool {
        false
    }

    /// Reads one octet of the data space.
    fn read(&mut self, addr: u16) -> Result<u8, BusError>;

    /// Writes one octet of the data space.
    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError>;

    /// Reads one octet of the program memory (LPM, ELPM), `addr` below 0x20000. By default half of
    /// a fetched word.
    #[inline(always)]
    fn read_program(&mut self, addr: u32) -> Result<u8, BusError> {
        let word = self.fetch((addr >> 1) as u16)?;
        Ok(word.to_le_bytes()[addr as usize & 1])
    }

    /// SPM at word address `pc`: gives address RAMPZ:Z and word R1:R0 to the self-programming logic.
    /// Returns the cycles for which that halts the CPU. By default it is not modelled.
    fn store_program(&mut self, pc: u16, addr: u32, word: u16) -> Result<u32, BusError> {
        let _ = (pc, word);
        Err(BusError::NotModelled((addr >> 1) as u16))
    }

    /// SBI and CBI. By default the whole register is read and written, as the ATmega128 does; the
    /// ATmega1281 touches only the one bit, which matters for flags that are cleared by writing 1.
    #[inline(always)]
    fn write_bit(&mut self, addr: u16, mask: u8, set: bool) -> Result<(), BusError> {
        let value = self.read(addr)?;
        self.write(addr, if set { value | mask } else { value & !mask })
    }

    /// Whether SLEEP is enabled (bit SE). By default it is.
    fn sleep_enabled(&mut self) -> bool {
        true
    }

    /// WDR. By default it does nothing.
    fn watchdog_reset(&mut self) {}
}

/// Why the bus refused an access. Four octets, so that a fallible access costs the host nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BusError {
    /// Nothing answers at this data address.
    #[error("nothing is mapped at data address 0x{0:04x}")]
    Unmapped(u16),
    /// The data address cannot be written.
    #[error("data address 0x{0:04x} is read-only")]
    ReadOnly(u16),
    /// The chip has this function, the model does not.
    #[error("the function at 0x{0:04x} is not modelled")]
    NotModelled(u16),
    /// The device at the data address refused; the bus that returned this knows why.
    #[error("the device at data address 0x{0:04x} refused the access")]
    Refused(u16),
    /// There is no program memory at this word address.
    #[error("no program memory at word 0x{0:04x}")]
    NoProgram(u16),
}

/// Why an instruction could not be executed. `pc` is the word address of its first word; the CPU's
/// `pc` holds it too. Registers and memory may be half changed: a fault ends a run, it is not an
/// interrupt of the chip. The text shows addresses of code in octets, as linkers and debuggers do.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// An access of the instruction at `pc` was refused.
    #[error("instruction at 0x{:05x}: {error}", u32::from(*pc) * 2)]
    Bus {
        /// First word of the instruction.
        pc: u16,
        /// What the bus said.
        error: BusError,
    },
    /// The word at `pc` is no instruction of these chips (EIJMP, EICALL, DES, XCH, LAS, LAC, LAT
    /// are none).
    #[error("illegal instruction word 0x{word:04x} at 0x{:05x}", u32::from(*pc) * 2)]
    IllegalInstruction {
        /// Where it was fetched.
        pc: u16,
        /// The word.
        word: u16,
    },
}

impl Fault {
    /// The word address of the instruction that faulted.
    pub const fn pc(self) -> u16 {
        match self {
            Fault::Bus { pc, .. } | Fault::IllegalInstruction { pc, .. } => pc,
        }
    }
}
