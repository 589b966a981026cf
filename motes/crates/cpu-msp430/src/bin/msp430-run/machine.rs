//! A CPU on 64 KiB of flat memory without peripherals.

use cpu_msp430::{Bus, BusError, Cpu, Fault};

/// Addresses below belong to peripherals on every MSP430.
pub const IO_END: u16 = 0x0200;

/// RAM from `first` to the end of the address space; nothing answers below.
#[derive(Clone)]
pub struct FlatMemory {
    octets: Box<[u8; 0x1_0000]>,
    first: u16,
}

impl FlatMemory {
    /// All octets, peripheral space included.
    pub fn octets(&self) -> &[u8] {
        &self.octets[..]
    }

    /// Copies octets into memory; false if they do not fit.
    pub fn place(&mut self, addr: usize, octets: &[u8]) -> bool {
        match addr
            .checked_add(octets.len())
            .and_then(|end| self.octets.get_mut(addr..end))
        {
            Some(room) => {
                room.copy_from_slice(octets);
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn check(&self, addr: u16) -> Result<(), BusError> {
        if addr < self.first {
            Err(BusError::Unmapped(addr))
        } else {
            Ok(())
        }
    }

    #[inline(always)]
    fn word(&self, addr: u16) -> u16 {
        u16::from_le_bytes([
            self.octets[usize::from(addr)],
            self.octets[usize::from(addr | 1)],
        ])
    }
}

impl Bus for FlatMemory {
    #[inline(always)]
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        self.check(addr)?;
        Ok(self.octets[usize::from(addr)])
    }

    #[inline(always)]
    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        self.check(addr)?;
        Ok(self.word(addr))
    }

    #[inline(always)]
    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.check(addr)?;
        self.octets[usize::from(addr)] = value;
        Ok(())
    }

    #[inline(always)]
    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        self.check(addr)?;
        [
            self.octets[usize::from(addr)],
            self.octets[usize::from(addr | 1)],
        ] = value.to_le_bytes();
        Ok(())
    }
}

/// CPU and memory.
#[derive(Clone)]
pub struct Machine {
    /// The core.
    pub cpu: Cpu,
    /// Its memory.
    pub memory: FlatMemory,
}

/// How a run ended.
pub struct Run {
    /// Instructions that completed.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
    /// What stopped it before its time, if anything did.
    pub fault: Option<Fault>,
}

impl Machine {
    /// Everything zero; memory answers from address `first` on.
    pub fn new(first: u16) -> Machine {
        Machine {
            cpu: Cpu::new(),
            memory: FlatMemory {
                octets: Box::new([0; 0x1_0000]),
                first,
            },
        }
    }

    /// Executes up to `limit` instructions, ending early at the address `stop` and at a fault.
    pub fn run(&mut self, limit: u64, stop: Option<u16>) -> Run {
        let before = self.cpu.cycles;
        let stop = stop.map_or(u32::MAX, u32::from);
        let mut instructions = 0;
        let mut fault = None;
        while instructions < limit && u32::from(self.cpu.regs[0]) != stop {
            match self.cpu.step(&mut self.memory) {
                Ok(_) => instructions += 1,
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        Run {
            instructions,
            cycles: self.cpu.cycles - before,
            fault,
        }
    }

    /// The word at an even address, peripheral space included, for display.
    pub fn peek(&self, addr: u16) -> u16 {
        self.memory.word(addr & !1)
    }
}
