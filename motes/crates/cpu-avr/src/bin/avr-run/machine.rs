//! A CPU with 128 KiB of program memory and the ATmega1281's data space, where all I/O is plain
//! memory.

use cpu_avr::{Bus, BusError, Cpu, Fault};

/// Octets of program memory.
pub const PROGRAM: usize = 0x2_0000;
/// Octets of data space: registers, I/O, and SRAM up to RAMEND 0x21ff.
pub const DATA: usize = 0x2200;

/// Program memory and data space.
pub struct Memory {
    program: Box<[u16; PROGRAM / 2]>,
    data: Box<[u8; DATA]>,
}

impl Memory {
    /// Copies octets into program memory from octet address `addr`; false if they do not fit.
    pub fn place_program(&mut self, addr: usize, octets: &[u8]) -> bool {
        if addr
            .checked_add(octets.len())
            .is_none_or(|end| end > PROGRAM)
        {
            return false;
        }
        for (i, octet) in (addr..).zip(octets) {
            let word = &mut self.program[i / 2];
            let mut pair = word.to_le_bytes();
            pair[i % 2] = *octet;
            *word = u16::from_le_bytes(pair);
        }
        true
    }
}

impl Bus for Memory {
    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        Ok(self.program[usize::from(pc)])
    }

    #[inline(always)]
    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        self.data
            .get(usize::from(addr))
            .copied()
            .ok_or(BusError::Unmapped(addr))
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        let octet = self.data.get_mut(usize::from(addr));
        *octet.ok_or(BusError::Unmapped(addr))? = value;
        Ok(())
    }
}

/// CPU and memory.
pub struct Machine {
    /// The core.
    pub cpu: Cpu,
    /// Its memories.
    pub memory: Memory,
}

/// How a run ended.
pub struct Run {
    /// Instructions that completed.
    pub instructions: u64,
    /// What stopped it before its time, if anything did.
    pub fault: Option<Fault>,
}

impl Machine {
    /// Everything zero.
    pub fn new() -> Machine {
        Machine {
            cpu: Cpu::new(),
            memory: Memory {
                program: Box::new([0; PROGRAM / 2]),
                data: Box::new([0; DATA]),
            },
        }
    }

    /// Fills the data space from address 0, the CPU's registers included; false if the octets do
    /// not fit.
    pub fn set_data(&mut self, octets: &[u8]) -> bool {
        octets.len() <= DATA
            && (0..).zip(octets).all(|(addr, octet)| {
                let written = self.cpu.write(addr, *octet, &mut self.memory);
                written.is_ok()
            })
    }

    /// The whole data space, the CPU's registers included.
    pub fn data(&mut self) -> Vec<u8> {
        (0..DATA as u16)
            .map(|addr| self.cpu.read(addr, &mut self.memory).unwrap_or(0))
            .collect()
    }

    /// Executes up to `limit` instructions, ending early at the word address `stop` and at a fault.
    pub fn run(&mut self, limit: u64, stop: Option<u16>) -> Run {
        let stop = stop.map_or(u32::MAX, u32::from);
        let mut instructions = 0;
        while instructions < limit && u32::from(self.cpu.pc) != stop {
            match self.cpu.step(&mut self.memory) {
                Ok(_) => instructions += 1,
                Err(fault) => {
                    return Run {
                        instructions,
                        fault: Some(fault),
                    };
                }
            }
        }
        Run {
            instructions,
            fault: None,
        }
    }

    /// The state after one instruction, as [`crate::RECORD`] octets: cycles (8), PC in octets (4),
    /// SP (2), SREG, RAMPZ, R0 to R31; numbers are little-endian.
    pub fn record(&self, record: &mut Vec<u8>) {
        record.extend(self.cpu.cycles.to_le_bytes());
        record.extend((u32::from(self.cpu.pc) * 2).to_le_bytes());
        record.extend(self.cpu.sp.to_le_bytes());
        record.extend([self.cpu.sreg, self.cpu.rampz]);
        record.extend(self.cpu.regs);
    }
}
