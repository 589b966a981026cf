//! A core on flat memory without peripherals: code and RAM where a Cortex-M3 has them.

use cpu_armv7m::{Bus, BusError, Cpu, Fault, Lines, Plain, Stop, Timed, Timing};

/// Code memory from address 0 (writable, so that programs may live anywhere).
const CODE: usize = 0x0040_0000;
/// RAM from here.
const RAM_START: u32 = 0x2000_0000;
const RAM: usize = 0x0010_0000;

/// Code memory and RAM; data without wait states.
#[derive(Clone)]
pub struct FlatMemory {
    /// Wait states of every fetch.
    pub fetch_wait: u32,
    /// A buffer of one line between the core and its code memory.
    pub lines: Lines,
    /// Offers itself for direct use.
    pub plain: bool,
    code: Box<[u8; CODE]>,
    ram: Box<[u8; RAM]>,
}

/// A block of zeros without a copy on the stack.
fn zeros<const N: usize>() -> Box<[u8; N]> {
    let block: Result<Box<[u8; N]>, _> = vec![0; N].into_boxed_slice().try_into();
    block.unwrap_or_else(|_| Box::new([0; N]))
}

impl FlatMemory {
    /// Octets from an address, if they are there.
    pub fn octets(&self, addr: u32, length: usize) -> Option<&[u8]> {
        let (block, offset): (&[u8], usize) = if addr < RAM_START {
            (&self.code[..], addr as usize)
        } else {
            (&self.ram[..], (addr - RAM_START) as usize)
        };
        block.get(offset..offset.checked_add(length)?)
    }

    /// Copies octets into memory; false if they do not fit.
    pub fn place(&mut self, addr: u32, octets: &[u8]) -> bool {
        let (block, offset): (&mut [u8], usize) = if addr < RAM_START {
            (&mut self.code[..], addr as usize)
        } else {
            (&mut self.ram[..], (addr - RAM_START) as usize)
        };
        match offset
            .checked_add(octets.len())
            .and_then(|end| block.get_mut(offset..end))
        {
            Some(room) => {
                room.copy_from_slice(octets);
                true
            }
            None => false,
        }
    }

    /// Wait states that the buffer of one line costs an access.
    #[inline(always)]
    fn line_wait(&mut self, addr: u32) -> u32 {
        if addr >= RAM_START || self.lines.wait == 0 {
            return 0;
        }
        let line = addr >> self.lines.shift;
        let wait = if line == self.lines.line {
            0
        } else {
            self.lines.wait
        };
        self.lines.line = line;
        wait
    }

    #[inline(always)]
    fn read<const N: usize>(&self, addr: u32) -> Result<[u8; N], BusError> {
        let found = if addr < RAM_START {
            self.code
                .get(addr as usize..)
                .and_then(|rest| rest.first_chunk())
        } else {
            self.ram
                .get((addr - RAM_START) as usize..)
                .and_then(|rest| rest.first_chunk())
        };
        found.copied().ok_or(BusError::Unmapped(addr))
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, addr: u32, value: [u8; N]) -> Result<u32, BusError> {
        let found = if addr < RAM_START {
            self.code
                .get_mut(addr as usize..)
                .and_then(|rest| rest.first_chunk_mut())
        } else {
            self.ram
                .get_mut((addr - RAM_START) as usize..)
                .and_then(|rest| rest.first_chunk_mut())
        };
        *found.ok_or(BusError::Unmapped(addr))? = value;
        Ok(0)
    }
}

impl Bus for FlatMemory {
    #[inline(always)]
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        let value = self.read(addr).map(u32::from_le_bytes)?;
        let wait = Bus::fetch_wait(self, addr);
        Ok(Timed { value, wait })
    }

    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        self.read(addr).map(u32::from_le_bytes)
    }

    #[inline(always)]
    fn fetch_wait(&mut self, addr: u32) -> u32 {
        self.fetch_wait + self.line_wait(addr)
    }

    #[inline(always)]
    fn free_code(&mut self, _addr: u32) -> bool {
        self.fetch_wait + self.lines.wait == 0
    }

    #[inline(always)]
    fn plain(&mut self) -> Option<Plain<'_>> {
        (self.plain && self.fetch_wait == 0).then_some(Plain {
            code_start: 0,
            code: self.code.as_chunks().0,
            ram_start: RAM_START,
            ram: self.ram.as_chunks_mut().0,
            lines: self.lines,
        })
    }

    #[inline(always)]
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
        let [value] = self.read(addr)?;
        let wait = self.line_wait(addr);
        Ok(Timed { value, wait })
    }

    #[inline(always)]
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
        let value = self.read(addr).map(u16::from_le_bytes)?;
        let wait = self.line_wait(addr);
        Ok(Timed { value, wait })
    }

    #[inline(always)]
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        let value = self.read(addr).map(u32::from_le_bytes)?;
        let wait = self.line_wait(addr);
        Ok(Timed { value, wait })
    }

    #[inline(always)]
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError> {
        self.write(addr, [value])
    }

    #[inline(always)]
    fn write16(&mut self, addr: u32, value: u16) -> Result<u32, BusError> {
        self.write(addr, value.to_le_bytes())
    }

    #[inline(always)]
    fn write32(&mut self, addr: u32, value: u32) -> Result<u32, BusError> {
        self.write(addr, value.to_le_bytes())
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
    /// Instructions that completed; 0 if they were not counted.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
    /// What stopped it before its time, if anything did.
    pub fault: Option<Fault>,
}

impl Machine {
    /// Everything zero. Faults end a run: there are no handlers.
    pub fn new(timing: Timing) -> Machine {
        let mut cpu = Cpu::new(timing);
        cpu.halt.faults = true;
        cpu.halt.breakpoints = true;
        Machine {
            cpu,
            memory: FlatMemory {
                fetch_wait: 0,
                lines: Lines::FREE,
                plain: true,
                code: zeros(),
                ram: zeros(),
            },
        }
    }

    /// Executes up to `limit` instructions, ending early at the address `stop`, at a fault and
    /// asleep.
    pub fn run(&mut self, limit: u64, stop: Option<u32>) -> Run {
        let before = self.cpu.cycles;
        let mut instructions = 0;
        let mut fault = None;
        while instructions < limit && Some(self.cpu.regs[15]) != stop && !self.cpu.sleeping() {
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

    /// Executes to the address `stop` as quickly as possible, at most for `limit` cycles.
    pub fn race(&mut self, limit: u64, stop: u32) -> Run {
        let before = self.cpu.cycles;
        let mut fault = None;
        loop {
            match self
                .cpu
                .run(&mut self.memory, before.saturating_add(limit), Some(stop))
            {
                Ok(Stop::Device) => {}
                Ok(_) => break,
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        Run {
            instructions: 0,
            cycles: self.cpu.cycles - before,
            fault,
        }
    }
}
