//! The cores of the Cortex-M family on 4 MiB of code memory at 0 and 1 MiB of RAM at 0x20000000. Both can be
//! written, so that programs may be anywhere. Faults end a run: there are no handlers.
//!
//! Registers are R0 … R15 and xPSR without the exception number. `all` empties the pipeline and the
//! line buffer too.
//!
//! | own command | answer |
//! | --- | --- |
//! | `run ADDR N` | runs to ADDR in blocks, at most N cycles; cycles, registers |
//! | `run_decoded ADDR N` | the same without blocks: one decoded instruction after the other |
//! | `timing END FETCH LINE` | sets the timing, see below; `ok` |
//! | `reset ADDR` | resets, with the vector table at ADDR; `ok` |
//! | `core NAME` | the core becomes `armv7m` (a Cortex-M3, as at first), `cortex-m0plus` or `cortex-m4`, with the quick end of its timing; `ok` |
//! | `singles VALUE …` | sets S0 … S31 and FPSCR of the FPU, without values it only shows them; all of them |
//! | `decode FIRST SECOND` | what two halfwords mean |
//! | `decode_all` | decodes every pattern; patterns, defined ones, sum of their cycles |
//!
//! `timing`: END of the band is `low` or `high`. FETCH are the wait states of every fetch, LINE
//! those of an access to code memory outside the line of 8 octets that was accessed last.

use board::elf;
use cpu_armv7m::{Bus, BusError, Core, Cpu, Fault, Lines, Op, Plain, Step, Stop};
use cpu_armv7m::{Timed, Timing, cycles};

use crate::machine::{Answer, Machine, arrived, copy_in, copy_out, failed, number, registers};

const CODE: usize = 0x0040_0000;
const RAM_START: u32 = 0x2000_0000;
const RAM: usize = 0x0010_0000;
/// log2 of the octets of a line of code memory.
const LINE_SHIFT: u32 = 3;
/// A line that no address has.
const NO_LINE: u32 = u32::MAX;

/// R0 … R15, xPSR.
pub struct Armv7m {
    cpu: Cpu,
    memory: Memory,
}

/// Code memory and RAM.
struct Memory {
    /// Wait states of every fetch.
    fetch_wait: u32,
    /// A buffer of one line between the core and its code memory.
    lines: Lines,
    /// Whether the core may use the memory directly, and so execute blocks.
    direct: bool,
    code: Vec<u8>,
    ram: Vec<u8>,
}

impl Memory {
    /// The memory that holds an address, and the offset of the address in it.
    #[inline(always)]
    fn part(&mut self, addr: u32) -> (&mut [u8], usize) {
        match addr.checked_sub(RAM_START) {
            None => (&mut self.code, addr as usize),
            Some(offset) => (&mut self.ram, offset as usize),
        }
    }

    /// Wait states that the line buffer costs an access.
    #[inline(always)]
    fn line_wait(&mut self, addr: u32) -> u32 {
        if addr >= RAM_START || self.lines.wait == 0 {
            return 0;
        }
        let line = addr >> self.lines.shift;
        let hit = std::mem::replace(&mut self.lines.line, line) == line;
        if hit { 0 } else { self.lines.wait }
    }

    #[inline(always)]
    fn at<const N: usize>(&mut self, addr: u32) -> Result<&mut [u8; N], BusError> {
        let (part, offset) = self.part(addr);
        part.get_mut(offset..)
            .and_then(|rest| rest.first_chunk_mut())
            .ok_or(BusError::Unmapped(addr))
    }

    #[inline(always)]
    fn read<const N: usize>(&mut self, addr: u32) -> Result<Timed<[u8; N]>, BusError> {
        let value = *self.at(addr)?;
        let wait = self.line_wait(addr);
        Ok(Timed { value, wait })
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, addr: u32, value: [u8; N]) -> Result<u32, BusError> {
        *self.at(addr)? = value;
        Ok(0)
    }
}

/// Keeps the wait states and makes a number of the octets.
#[inline(always)]
fn timed<const N: usize, T>(read: Timed<[u8; N]>, number: fn([u8; N]) -> T) -> Timed<T> {
    Timed {
        value: number(read.value),
        wait: read.wait,
    }
}

impl Bus for Memory {
    #[inline(always)]
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        let value = self.code32(addr)?;
        let wait = Bus::fetch_wait(self, addr);
        Ok(Timed { value, wait })
    }

    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        self.at(addr).map(|octets| u32::from_le_bytes(*octets))
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
        (self.direct && self.fetch_wait == 0).then_some(Plain {
            code_start: 0,
            code: self.code.as_chunks().0,
            ram_start: RAM_START,
            ram: self.ram.as_chunks_mut().0,
            lines: self.lines,
        })
    }

    #[inline(always)]
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
        self.read(addr).map(|read| timed(read, u8::from_le_bytes))
    }

    #[inline(always)]
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
        self.read(addr).map(|read| timed(read, u16::from_le_bytes))
    }

    #[inline(always)]
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        self.read(addr).map(|read| timed(read, u32::from_le_bytes))
    }

    #[inline(always)]
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError> {
        self.write(addr, value.to_le_bytes())
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

impl Armv7m {
    /// Runs to an address by [`Cpu::run`]; with `direct`, in blocks.
    fn run(&mut self, addr: &str, limit: &str, direct: bool) -> Answer {
        let (stop, cycles) = (number(addr)?, number::<u64>(limit)?);
        let before = self.cpu.cycles;
        self.memory.direct = direct;
        loop {
            let end = before.saturating_add(cycles);
            match self.cpu.run(&mut self.memory, end, Some(stop)) {
                Ok(Stop::Device) => {}
                Ok(_) => break,
                Err(fault) => return Err(failed(self, self.cpu.cycles - before, &fault)),
            }
        }
        arrived(self, addr, &format!("{limit} cycles"))?;
        Ok(format!("{} {}", self.cpu.cycles - before, registers(self)))
    }

    fn set_timing(&mut self, end: &str, fetch_wait: &str, line_wait: &str) -> Answer {
        let timing = match end {
            "low" => Timing::of(self.core(), true),
            "high" => Timing::of(self.core(), false),
            _ => return Err(format!("`{end}` is neither `low` nor `high`")),
        };
        self.memory.fetch_wait = number(fetch_wait)?;
        self.memory.lines = Lines {
            wait: number(line_wait)?,
            shift: LINE_SHIFT,
            line: NO_LINE,
        };
        self.cpu.set_timing(timing);
        Ok("ok".into())
    }

    fn core(&self) -> Core {
        self.cpu.timing().core
    }

    fn set_core(&mut self, name: &str) -> Answer {
        let core = Core::named(name).ok_or_else(|| {
            let names = Core::ALL.map(|(name, _)| name).join(", ");
            format!("`{name}` is none of {names}")
        })?;
        self.cpu = new_cpu(core);
        Ok("ok".into())
    }

    fn singles(&mut self, values: &[&str]) -> Answer {
        let cpu = &mut self.cpu;
        let words = cpu.singles.iter_mut().chain([&mut cpu.fpscr]);
        for (word, value) in words.zip(values) {
            *word = number(value)?;
        }
        let shown = cpu.singles.iter().chain([&cpu.fpscr]);
        Ok(shown
            .map(|word| format!("{word:08x}"))
            .collect::<Vec<_>>()
            .join(" "))
    }

    fn reset_to(&mut self, vectors: u32) -> Result<(), Fault> {
        self.cpu.reset(&mut self.memory, vectors)
    }
}

impl Machine for Armv7m {
    const ELF: elf::Machine = elf::Machine::ARM;
    type Fault = Fault;

    fn new() -> Armv7m {
        Armv7m {
            cpu: new_cpu(Core::CortexM3),
            memory: Memory {
                fetch_wait: 0,
                lines: Lines::FREE,
                direct: true,
                code: vec![0; CODE],
                ram: vec![0; RAM],
            },
        }
    }

    fn place(&mut self, addr: u32, octets: &[u8]) -> bool {
        self.cpu.invalidate_code(addr, octets.len() as u32);
        let (part, offset) = self.memory.part(addr);
        copy_in(part, offset, octets)
    }

    fn octets(&mut self, addr: u32, length: usize) -> Option<Vec<u8>> {
        let (part, offset) = self.memory.part(addr);
        copy_out(part, offset, length)
    }

    fn registers(&self) -> Vec<(u32, usize)> {
        let values = self.cpu.regs.into_iter().chain([self.cpu.xpsr()]);
        values.map(|value| (value, 8)).collect()
    }

    fn set(&mut self, register: usize, value: u32) -> Result<(), String> {
        match register {
            0..=15 => self.cpu.regs[register] = value,
            16 => self.cpu.set_xpsr(value),
            _ => return Err("registers are 0 to 16".into()),
        }
        Ok(())
    }

    fn flush(&mut self) {
        self.cpu.flush_pipeline();
        self.memory.lines.line = NO_LINE;
    }

    fn reset(&mut self) -> Result<(), Fault> {
        self.reset_to(0)
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), Fault> {
        self.cpu.step(&mut self.memory).map(|_| ())
    }

    fn pc(&self) -> u32 {
        self.cpu.regs[15]
    }

    /// A fault names its instruction, and the core does not keep the one before.
    fn last_pc(&self) -> Option<u32> {
        None
    }

    fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    fn sleeping(&self) -> bool {
        self.cpu.sleeping()
    }

    fn own_command(&mut self, words: &[&str]) -> Option<Answer> {
        Some(match words {
            ["run", addr, limit] => self.run(addr, limit, true),
            ["run_decoded", addr, limit] => self.run(addr, limit, false),
            ["timing", end, fetch, line] => self.set_timing(end, fetch, line),
            ["reset", addr] => number(addr).and_then(|addr| {
                let done = self.reset_to(addr);
                done.map_or_else(|fault| Err(fault.to_string()), |()| Ok("ok".into()))
            }),
            ["core", name] => self.set_core(name),
            ["singles", values @ ..] => self.singles(values),
            ["decode", first, second] => decode(self.core(), first, second),
            ["decode_all"] => Ok(decode_all(self.core())),
            _ => return None,
        })
    }
}

fn new_cpu(core: Core) -> Cpu {
    let mut cpu = Cpu::new(Timing::of(core, true));
    cpu.halt.faults = true;
    cpu.halt.breakpoints = true;
    cpu
}

fn decode(core: Core, first: &str, second: &str) -> Answer {
    let (op, _) = core.decode(number(first)?, number(second)?);
    Ok(format!("{op:?}"))
}

/// Decodes all 16-bit patterns, and all pairs that begin a 32-bit instruction.
fn decode_all(core: Core) -> String {
    let timing = Timing::of(core, false);
    let (mut patterns, mut defined, mut cycles) = (0_u64, 0_u64, 0_u64);
    for first in 0..=u16::MAX {
        // From here on the first halfword of a 32-bit instruction.
        let seconds = if first < 0xe800 { 0..=0 } else { 0..=u16::MAX };
        for second in seconds {
            let (op, _) = core.decode(first, second);
            patterns += 1;
            defined += u64::from(op != Op::Undefined);
            cycles += u64::from(cycles::base(&op, &timing));
        }
    }
    format!("{patterns} {defined} {cycles}")
}
