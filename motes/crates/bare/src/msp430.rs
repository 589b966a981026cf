//! The MSP430 on 64 KiB of memory. Nothing answers in the peripheral space, 0 to 0x1ff.
//!
//! | own command | answer |
//! | --- | --- |
//! | `trace N` | runs N instructions on a copy; the state before each, one a line; `end` |
//!
//! A state of `trace` is the three words at the PC, then R0 … R15. The line `end` names the fault,
//! if there was one.

use board::elf;
use cpu_msp430::{Bus, BusError, Cpu, Fault, Step};

use crate::machine::{Answer, Machine, copy_in, copy_out, number, registers, run};

/// Peripherals are below this address on every MSP430.
const PERIPHERALS_END: u16 = 0x0200;

/// R0 … R15.
#[derive(Clone)]
pub struct Msp430 {
    cpu: Cpu,
    memory: Memory,
}

#[derive(Clone)]
struct Memory(Box<[u8; 0x1_0000]>);

impl Memory {
    #[inline(always)]
    fn at<const N: usize>(&mut self, addr: u16) -> Result<&mut [u8; N], BusError> {
        let octets = self.0[usize::from(addr)..].first_chunk_mut();
        octets
            .filter(|_| addr >= PERIPHERALS_END)
            .ok_or(BusError::Unmapped(addr))
    }
}

impl Bus for Memory {
    #[inline(always)]
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        self.at(addr).copied().map(u8::from_le_bytes)
    }

    #[inline(always)]
    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        self.at(addr).copied().map(u16::from_le_bytes)
    }

    #[inline(always)]
    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.at(addr).map(|octets| *octets = value.to_le_bytes())
    }

    #[inline(always)]
    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        self.at(addr).map(|octets| *octets = value.to_le_bytes())
    }
}

impl Machine for Msp430 {
    const ELF: elf::Machine = elf::Machine::MSP430;
    type Fault = Fault;

    fn new() -> Msp430 {
        Msp430 {
            cpu: Cpu::new(),
            memory: Memory(Box::new([0; 0x1_0000])),
        }
    }

    fn place(&mut self, addr: u32, octets: &[u8]) -> bool {
        copy_in(&mut self.memory.0[..], addr as usize, octets)
    }

    fn octets(&mut self, addr: u32, length: usize) -> Option<Vec<u8>> {
        copy_out(&self.memory.0[..], addr as usize, length)
    }

    fn registers(&self) -> Vec<(u32, usize)> {
        self.cpu.regs.map(|value| (value.into(), 4)).to_vec()
    }

    fn set(&mut self, register: usize, value: u32) -> Result<(), String> {
        let value = u16::try_from(value).map_err(|_| format!("`{value}` does not fit 16 bits"))?;
        *self
            .cpu
            .regs
            .get_mut(register)
            .ok_or("registers are 0 to 15")? = value;
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Fault> {
        self.cpu.reset(&mut self.memory)
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), Fault> {
        self.cpu.step(&mut self.memory).map(|_| ())
    }

    fn pc(&self) -> u32 {
        self.cpu.regs[0].into()
    }

    fn last_pc(&self) -> Option<u32> {
        Some(self.cpu.last_pc().into())
    }

    fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    fn own_command(&mut self, words: &[&str]) -> Option<Answer> {
        match words {
            ["trace", count] => Some(number(count).map(|count| trace(self.clone(), count))),
            _ => None,
        }
    }
}

/// The states before each of `count` instructions.
fn trace(mut copy: Msp430, count: u64) -> String {
    let mut lines = String::new();
    for _ in 0..count {
        let words = [0, 2, 4].map(|offset| {
            let at = usize::from(copy.cpu.regs[0].wrapping_add(offset) & !1);
            let octets = [copy.memory.0[at], copy.memory.0[at + 1]];
            format!("{:04x}", u16::from_le_bytes(octets))
        });
        let state = format!("{} {}\n", words.join(" "), registers(&copy));
        if let Err(error) = run(&mut copy, 1, None) {
            return format!("{lines}end {error}");
        }
        lines += &state;
    }
    lines + "end"
}
