//! The AVR on the memories of an ATmega1281: 128 KiB of program memory, and the data space, where
//! all I/O is plain memory.
//!
//! Program memory is at 0 and the data space at 0x800000, as in ELF files. Registers are PC (in
//! octets), SP, SREG, RAMPZ, R0 … R31.
//!
//! | own command | answer |
//! | --- | --- |
//! | `records N FILE` | executes N instructions, writes the state after each to FILE; `ok` |
//!
//! A state in FILE has the form of [`Avr::record`].

use board::elf;
use cpu_avr::{Bus, BusError, Cpu, DATA_START, Fault, Step};

use crate::machine::{Answer, Machine, copy_in, copy_out, number, run, write};

/// Octets of program memory.
const PROGRAM: usize = 0x2_0000;
/// Octets of data space: registers, I/O, and SRAM up to RAMEND 0x21ff.
const DATA: usize = 0x2200;

/// PC, SP, SREG, RAMPZ, R0 … R31.
pub struct Avr {
    cpu: Cpu,
    memory: Memory,
}

struct Memory {
    program: Box<[u8; PROGRAM]>,
    data: Box<[u8; DATA]>,
}

impl Bus for Memory {
    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        let (words, _) = self.program.as_chunks();
        Ok(u16::from_le_bytes(words[usize::from(pc)]))
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

impl Avr {
    /// Appends the state as 48 octets: cycles (8), PC in octets (4), SP (2), SREG, RAMPZ, R0 to
    /// R31. Numbers are little-endian.
    fn record(&self, record: &mut Vec<u8>) {
        record.extend(self.cpu.cycles.to_le_bytes());
        record.extend(self.pc().to_le_bytes());
        record.extend(self.cpu.sp.to_le_bytes());
        record.extend([self.cpu.sreg, self.cpu.rampz]);
        record.extend(self.cpu.regs.to_array());
    }

    fn records(&mut self, count: u64, file: &str) -> Answer {
        let mut octets = Vec::new();
        let mut done = Ok(());
        for _ in 0..count {
            done = run(self, 1, None).map(|_| ());
            if done.is_err() {
                break;
            }
            self.record(&mut octets);
        }
        write(file, &octets)?;
        done.map(|()| "ok".into())
    }

    /// Sets the PC to an address in octets.
    fn set_pc(&mut self, addr: u32) -> Result<(), String> {
        if !addr.is_multiple_of(2) {
            return Err(format!("code does not lie at the odd address 0x{addr:x}"));
        }
        self.cpu.pc =
            u16::try_from(addr / 2).map_err(|_| format!("0x{addr:x} lies outside 128 KiB"))?;
        Ok(())
    }
}

impl Machine for Avr {
    const ELF: elf::Machine = elf::Machine::AVR;
    type Fault = Fault;

    fn new() -> Avr {
        Avr {
            cpu: Cpu::new(),
            memory: Memory {
                program: Box::new([0; PROGRAM]),
                data: Box::new([0; DATA]),
            },
        }
    }

    fn place(&mut self, addr: u32, octets: &[u8]) -> bool {
        if let Some(first) = addr.checked_sub(DATA_START) {
            // Through the CPU, whose registers are in the data space.
            return first as usize + octets.len() <= DATA
                && (first as u16..)
                    .zip(octets)
                    .all(|(addr, octet)| self.cpu.write(addr, *octet, &mut self.memory).is_ok());
        }
        copy_in(&mut self.memory.program[..], addr as usize, octets)
    }

    fn octets(&mut self, addr: u32, length: usize) -> Option<Vec<u8>> {
        let Some(first) = addr.checked_sub(DATA_START) else {
            return copy_out(&self.memory.program[..], addr as usize, length);
        };
        (first..first.checked_add(length as u32)?)
            .map(|addr| self.cpu.read(addr.try_into().ok()?, &mut self.memory).ok())
            .collect()
    }

    fn registers(&self) -> Vec<(u32, usize)> {
        let cpu = &self.cpu;
        let special = [
            (self.pc(), 5),
            (cpu.sp.into(), 4),
            (cpu.sreg.into(), 2),
            (cpu.rampz.into(), 2),
        ];
        let general = cpu.regs.to_array().map(|value| (value.into(), 2));
        [&special[..], &general[..]].concat()
    }

    fn set(&mut self, register: usize, value: u32) -> Result<(), String> {
        if register == 0 {
            return self.set_pc(value);
        }
        let wide = |_| format!("`{value}` does not fit register {register}");
        if register == 1 {
            self.cpu.sp = value.try_into().map_err(wide)?;
            return Ok(());
        }
        let octet = value.try_into().map_err(wide)?;
        match register {
            2 => self.cpu.sreg = octet,
            3 => self.cpu.rampz = octet,
            4..36 => self.cpu.regs[register - 4] = octet,
            _ => return Err("registers are 0 to 35".into()),
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Fault> {
        self.cpu.reset(0);
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), Fault> {
        self.cpu.step(&mut self.memory).map(|_| ())
    }

    fn pc(&self) -> u32 {
        u32::from(self.cpu.pc) * 2
    }

    fn last_pc(&self) -> Option<u32> {
        Some(u32::from(self.cpu.last_pc()) * 2)
    }

    fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    fn own_command(&mut self, words: &[&str]) -> Option<Answer> {
        match words {
            ["records", count, file] => {
                Some(number(count).and_then(|count| self.records(count, file)))
            }
            _ => None,
        }
    }
}
