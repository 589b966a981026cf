//! A core on a small memory with wait states, and programs as halfwords.

#![expect(dead_code, reason = "each test program uses a part of it")]

use cpu_armv7m::{Bus, BusError, Cpu, Fault, Step, Timed, Timing};

pub const FLASH: u32 = 0;
pub const RAM: u32 = 0x2000_0000;
pub const DEVICE: u32 = 0x4000_0000;
/// Where programs start, a multiple of 8.
pub const START: u32 = 0x400;
/// First value of SP.
pub const STACK: u32 = RAM + 0x1000;

const SIZE: usize = 0x2000;

/// Flash, RAM and one block of device registers.
#[derive(Clone)]
pub struct Memory {
    pub flash: Vec<u8>,
    pub ram: Vec<u8>,
    pub device: Vec<u8>,
    /// Wait states of each fetch.
    pub fetch_wait: u32,
    /// Wait states of each read and write of RAM.
    pub data_wait: u32,
    /// Whether the bus says that fetches are free.
    pub free: bool,
    /// Words fetched, in order.
    pub fetches: Vec<u32>,
    /// Cycles told before device accesses.
    pub told: Vec<u64>,
}

impl Memory {
    pub fn new() -> Memory {
        Memory {
            flash: vec![0; SIZE],
            ram: vec![0; SIZE],
            device: vec![0; SIZE],
            fetch_wait: 0,
            data_wait: 0,
            free: false,
            fetches: Vec::new(),
            told: Vec::new(),
        }
    }

    pub fn block(&mut self, addr: u32) -> Option<(&mut Vec<u8>, usize)> {
        let offset = (addr & 0x0fff_ffff) as usize;
        let block = match addr >> 28 {
            0 => &mut self.flash,
            2 => &mut self.ram,
            4 => &mut self.device,
            _ => return None,
        };
        (offset < SIZE).then_some((block, offset))
    }

    pub fn bytes<const N: usize>(&mut self, addr: u32) -> Result<&mut [u8; N], BusError> {
        let (block, offset) = self.block(addr).ok_or(BusError::Unmapped(addr))?;
        block
            .get_mut(offset..)
            .and_then(|rest| rest.first_chunk_mut())
            .ok_or(BusError::Unmapped(addr))
    }

    pub fn word(&mut self, addr: u32) -> u32 {
        u32::from_le_bytes(*self.bytes(addr).expect("mapped"))
    }

    pub fn put(&mut self, addr: u32, word: u32) {
        *self.bytes(addr).expect("mapped") = word.to_le_bytes();
    }

    pub fn halves(&mut self, addr: u32, halves: &[u16]) {
        for (at, half) in (addr..).step_by(2).zip(halves) {
            *self.bytes(at).expect("mapped") = half.to_le_bytes();
        }
    }

    fn wait(&self, addr: u32) -> u32 {
        if addr >= RAM { self.data_wait } else { 0 }
    }
}

impl Bus for Memory {
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        self.fetches.push(addr);
        Ok(Timed {
            value: u32::from_le_bytes(*self.bytes(addr)?),
            wait: self.fetch_wait,
        })
    }
    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        Ok(u32::from_le_bytes(*self.bytes(addr)?))
    }
    fn free_code(&mut self, _addr: u32) -> bool {
        self.free
    }
    fn now(&mut self, cycles: u64) {
        self.told.push(cycles);
    }
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
        Ok(Timed {
            value: self.bytes::<1>(addr)?[0],
            wait: self.wait(addr),
        })
    }
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
        Ok(Timed {
            value: u16::from_le_bytes(*self.bytes(addr)?),
            wait: self.wait(addr),
        })
    }
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        Ok(Timed {
            value: u32::from_le_bytes(*self.bytes(addr)?),
            wait: self.wait(addr),
        })
    }
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError> {
        *self.bytes(addr)? = [value];
        Ok(self.wait(addr))
    }
    fn write16(&mut self, addr: u32, value: u16) -> Result<u32, BusError> {
        *self.bytes(addr)? = value.to_le_bytes();
        Ok(self.wait(addr))
    }
    fn write32(&mut self, addr: u32, value: u32) -> Result<u32, BusError> {
        *self.bytes(addr)? = value.to_le_bytes();
        Ok(self.wait(addr))
    }
}

/// Core and memory; vector n points at `0x100 + 0x10 n`.
pub struct Machine {
    pub cpu: Cpu,
    pub memory: Memory,
}

impl Machine {
    pub fn new(timing: Timing, program: &[u16]) -> Machine {
        let mut memory = Memory::new();
        memory.put(0, STACK);
        memory.put(4, START | 1);
        for number in 2..20 {
            memory.put(4 * number, handler(number as usize) | 1);
        }
        memory.halves(START, program);
        let mut machine = Machine {
            cpu: Cpu::new(timing),
            memory,
        };
        machine.cpu.reset(&mut machine.memory, 0).expect("vectors");
        machine
    }

    pub fn low(program: &[u16]) -> Machine {
        Machine::new(Timing::low(), program)
    }

    pub fn try_step(&mut self) -> Result<u32, Fault> {
        self.cpu.step(&mut self.memory)
    }

    pub fn step(&mut self) -> u32 {
        self.try_step().expect("no fault")
    }

    /// Cycles of so many steps.
    pub fn steps(&mut self, count: usize) -> u32 {
        (0..count).map(|_| self.step()).sum()
    }

    pub fn pc(&self) -> u32 {
        self.cpu.regs[15]
    }
}

/// Where the handler of an exception starts.
pub fn handler(number: usize) -> u32 {
    0x100 + 0x10 * number as u32
}

/// NOP.
pub const NOP: u16 = 0xbf00;

/// The cycles of the last instruction of a program after the others have run.
pub fn last(timing: Timing, program: &[u16], count: usize, prepare: impl Fn(&mut Machine)) -> u32 {
    let mut machine = Machine::new(timing, program);
    prepare(&mut machine);
    machine.steps(count - 1);
    machine.step()
}

/// The two ends of the band.
pub fn both() -> [Timing; 2] {
    [Timing::low(), Timing::high()]
}

/// R0 and R1 point into RAM, R2 is 8, R3 is 3.
pub fn pointers(machine: &mut Machine) {
    machine.cpu.regs[..4].copy_from_slice(&[RAM + 0x100, RAM + 0x200, 8, 3]);
}
