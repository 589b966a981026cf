//! Calls by the base standard of ARM's "Procedure Call Standard for the Arm Architecture" (AAPCS32,
//! IHI 0042).
//!
//! Arguments go to r0–r3, one word each; 64 bits take an even pair. What does not fit goes to the
//! stack, first one lowest, 64 bits at multiples of 8, and then nothing more goes to registers
//! (rules C.3 to C.8). The result is in r0, or r0 and r1. A function keeps r4–r11 and SP, which is
//! a multiple of 8 at every call.

mod arguments;
#[cfg(test)]
mod tests;

use super::heap::Heap;
use super::record::{Recorder, Watch};
use super::run::{Bounds, Running, check_kept, run};
use super::{CallError, CallOptions, CallResult, Callee, Timing, Trace, Value};
use crate::board::Band;
use crate::cc2538::bus::memory_access;
use crate::cc2538::flash::{FlashTiming, LineBuffer, core_timing};
use crate::cc2538::memory::{self, Memory, RAM_END, RAM_START, Region};
use crate::elf::{Elf, ElfError};
use crate::fault::{self, MoteFault};
use crate::load::Loadable;
use arguments::{Placement, place};
use cpu_armv7m::{Bus, BusError, Cpu, Timed};
use std::sync::Arc;
use trace::{NoTrace, Tracer};

/// Return address that means "done". It lies in ROM; nothing else of the ROM is there for calls.
const TRAP: u32 = 0x0001_0000;
/// Octets at [`TRAP`] that can be fetched: what the prefetch unit may want besides the first.
const TRAP_OCTETS: u32 = 64;
/// Two NOPs.
const NOPS: u32 = 0xBF00_BF00;
/// What the core reads on its reset: SP and PC. Each call sets its own.
const VECTORS: [u32; 2] = [RAM_END, TRAP | 1];
/// T of xPSR.
const THUMB: u32 = 1 << 24;
/// Who asks, in messages.
const CHIP: &str = "the CC2538";
/// Numbers of SP, LR and PC.
const SP: usize = 13;
const LR: usize = 14;
const PC: usize = 15;
/// Registers a function must keep.
const KEPT: std::ops::RangeInclusive<usize> = 4..=11;
/// Registers a caller may leave anything in where nothing is passed, and what it leaves.
const OTHERS: [usize; 5] = [0, 1, 2, 3, 12];
const fn stale(register: usize) -> u32 {
    0x5A3C_96E1 ^ (register as u32).wrapping_mul(0x0101_1237)
}
/// N, Z, C, V and Q.
const FLAGS: u32 = 0xF800_0000;
/// Contents of those registers, so that a swap shows.
const fn kept(register: usize) -> u32 {
    0xA5A5_A500 | register as u32
}
const SEED: u64 = 0x6D77;

/// A Cortex-M3 with the CC2538's memory and no peripherals.
pub struct Armv7mCallee {
    elf: Arc<Elf>,
    fresh: Memory,
    machine: Machine,
    cpu: Cpu,
    heap: Heap,
}

struct Machine {
    memory: Memory,
    flash: LineBuffer,
}

impl Machine {
    /// The aligned word that holds `address`, and its wait states.
    #[inline(always)]
    fn word(&mut self, address: u32) -> Result<Timed<u32>, BusError> {
        if memory::is_ram(address) {
            return Ok(Timed::free(self.memory.ram32(address)));
        }
        if memory::is_flash(address) {
            let wait = self.flash.wait(address);
            return Ok(Timed {
                value: self.memory.flash32(address),
                wait,
            });
        }
        match memory::region(address) {
            Region::Rom => Ok(Timed::free(self.memory.rom32(address))),
            _ => Err(unreachable(address)),
        }
    }
}

/// What an access outside memory is.
#[cold]
fn unreachable(address: u32) -> BusError {
    match memory::region(address) {
        Region::Rom | Region::Flash => BusError::ReadOnly(address),
        Region::Peripherals => BusError::NotModelled(address),
        Region::Ram | Region::Unmapped => BusError::Unmapped(address),
    }
}

impl Machine {
    /// There is nothing to write outside RAM.
    fn write_elsewhere(&mut self, addr: u32, _value: u32, _octets: u32) -> Result<u32, BusError> {
        Err(unreachable(addr))
    }
}

impl Bus for Machine {
    memory_access!();

    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        match memory::region(addr) {
            Region::Flash => Ok(self.memory.flash32(addr)),
            Region::Ram => Ok(self.memory.ram32(addr)),
            Region::Rom if addr.wrapping_sub(TRAP) < TRAP_OCTETS => Ok(NOPS),
            _ => Err(BusError::NotExecutable(addr)),
        }
    }
}

/// A call under way.
struct Armv7mRunning<'a, T> {
    cpu: &'a mut Cpu,
    machine: &'a mut Machine,
    tracer: &'a mut T,
    /// Cycle of the CPU at which the call began.
    start: u64,
    lowest_sp: u32,
}

impl<T: Tracer + Watch> Running for Armv7mRunning<'_, T> {
    #[inline(always)]
    fn pc(&self) -> u32 {
        self.cpu.regs[PC]
    }

    #[inline(always)]
    fn cycles(&self) -> u64 {
        self.cpu.cycles - self.start
    }

    #[inline(always)]
    fn asleep(&self) -> bool {
        self.cpu.sleeping()
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), (u32, String)> {
        if let Err(fault) = self.cpu.step_traced(self.machine, self.tracer) {
            let reason = fault::armv7m_reason(fault, &self.machine.memory);
            return Err((fault.pc(), reason));
        }
        let sp = self.cpu.regs[SP];
        self.tracer.retired(self.cycles(), sp);
        self.lowest_sp = self.lowest_sp.min(sp);
        Ok(())
    }

    #[inline(always)]
    fn lowest_sp(&self) -> u32 {
        self.lowest_sp
    }
}

/// What a finished run counted besides the CPU.
struct Finished {
    instructions: u64,
    lowest_sp: u32,
}

/// Octets of the conditional branch that begins with `first`, if it is one: B<c> in both sizes,
/// CBZ, CBNZ. A branch that an IT instruction makes conditional is not in it.
fn conditional_branch(first: u16, second: u16) -> Option<u32> {
    let always = |condition: u16| condition & 0xE == 0xE;
    if first & 0xF000 == 0xD000 && !always(first >> 8 & 0xF) || first & 0xF500 == 0xB100 {
        return Some(2);
    }
    (first & 0xF800 == 0xF000 && second & 0xD000 == 0x8000 && !always(first >> 6 & 0xF))
        .then_some(4)
}

impl Armv7mCallee {
    /// Loads an executable.
    pub fn new(elf: Arc<Elf>, timing: Timing) -> Result<Armv7mCallee, ElfError> {
        let mut fresh = Memory::new(SEED, &VECTORS);
        fresh.program(&elf, CHIP)?;
        fresh.start_up(&elf, CHIP)?;
        let ends = elf
            .segments
            .iter()
            .map(|s| s.address.saturating_add(s.memory_size));
        let used = ends.filter(|end| (RAM_START..=RAM_END).contains(end)).max();
        let first = used.unwrap_or(RAM_START).next_multiple_of(8);
        let (core, flash) = match timing {
            Timing::Low => (Band::Low, FlashTiming::LOW),
            Timing::High => (Band::High, FlashTiming::LOW),
            Timing::Flash => (Band::High, FlashTiming::HIGH),
        };
        let mut cpu = Cpu::new(core_timing(core));
        cpu.halt.faults = true;
        cpu.halt.breakpoints = true;
        Ok(Armv7mCallee {
            elf,
            machine: Machine {
                memory: fresh.clone(),
                flash: LineBuffer::new(flash),
            },
            fresh,
            cpu,
            heap: Heap::new(first, RAM_END),
        })
    }

    fn run<T: Tracer + Watch>(
        &mut self,
        tracer: &mut T,
        cycles: u64,
    ) -> Result<Finished, CallError> {
        let bounds = Bounds {
            elf: &self.elf,
            trap: TRAP,
            floor: self.heap.mark(),
            cycles,
        };
        let mut running = Armv7mRunning {
            start: self.cpu.cycles,
            lowest_sp: self.cpu.regs[SP],
            cpu: &mut self.cpu,
            machine: &mut self.machine,
            tracer,
        };
        let instructions = run(&mut running, &bounds)?;
        Ok(Finished {
            instructions,
            lowest_sp: running.lowest_sp,
        })
    }

    /// Registers and stack as the caller leaves them; returns SP.
    fn enter(&mut self, function: u32, placed: &Placement) -> Result<u32, CallError> {
        let size = (4 * placed.stack.len() as u32).next_multiple_of(8);
        self.heap.check_stack(size as usize, RAM_END)?;
        self.machine.flash.forget();
        if let Err(fault) = self.cpu.reset(&mut self.machine, 0) {
            let reason = fault::armv7m_reason(fault, &self.machine.memory);
            return Err(MoteFault::new(&self.elf, fault.pc(), TRAP, 0, reason).into());
        }
        let sp = RAM_END - size;
        for (at, word) in (sp..).step_by(4).zip(&placed.stack) {
            self.machine.memory.set_ram32(at, *word);
        }
        for register in KEPT {
            self.cpu.regs[register] = kept(register);
        }
        for register in OTHERS {
            self.cpu.regs[register] = stale(register);
        }
        self.cpu.regs[..placed.registers.len()].copy_from_slice(&placed.registers);
        self.cpu.regs[SP] = sp;
        self.cpu.regs[LR] = TRAP | 1;
        self.cpu.regs[PC] = function & !1;
        self.cpu.set_xpsr(THUMB | FLAGS);
        Ok(sp)
    }

    /// The registers that the function should have kept and has not.
    fn changed(&self, sp: u32) -> Vec<String> {
        let registers = KEPT.filter(|&register| self.cpu.regs[register] != kept(register));
        let mut changed: Vec<String> = registers.map(|register| format!("r{register}")).collect();
        if self.cpu.regs[SP] != sp {
            changed.push("SP".into());
        }
        changed
    }

    /// Octets of the conditional branch at `pc`, if there is one.
    fn branch_at(&self, pc: u32) -> Option<u32> {
        let code = self.machine.memory.read(pc, 4)?;
        conditional_branch(
            u16::from_le_bytes([code[0], code[1]]),
            u16::from_le_bytes([code[2], code[3]]),
        )
    }
}

impl Callee for Armv7mCallee {
    fn pointer_octets(&self) -> u8 {
        4
    }

    fn reset(&mut self) {
        self.machine.memory = self.fresh.clone();
        self.cpu.invalidate_code(RAM_START, RAM_END - RAM_START);
        self.heap.reset();
    }

    fn allocate(&mut self, octets: usize, align: usize) -> Result<u32, CallError> {
        self.heap.allocate(octets, align)
    }

    fn mark(&self) -> u32 {
        self.heap.mark()
    }

    fn release(&mut self, mark: u32) {
        self.heap.release(mark);
    }

    fn read(&self, address: u32, length: usize) -> Result<Vec<u8>, CallError> {
        self.machine
            .memory
            .read(address, length)
            .ok_or(CallError::NoMemory {
                address: address as usize,
                length,
            })
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> Result<(), CallError> {
        let length = octets.len();
        if !self.machine.memory.write(address, octets) {
            return Err(CallError::NoMemory {
                address: address as usize,
                length,
            });
        }
        self.cpu.invalidate_code(address, length as u32);
        Ok(())
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Value],
        options: &CallOptions,
    ) -> Result<CallResult, CallError> {
        let sp = self.enter(function, &place(arguments)?)?;
        let start = self.cpu.cycles;
        let mut recorder = Recorder::new(options.trace);
        let run = match options.trace {
            Trace::Off => self.run(&mut NoTrace, options.cycle_limit)?,
            Trace::Hash | Trace::Full => self.run(&mut recorder, options.cycle_limit)?,
        };
        let cycles = self.cpu.cycles - start;
        check_kept(&self.elf, function, cycles, &self.changed(sp), "")?;
        let branches = recorder.branches(TRAP, |pc| self.branch_at(pc));
        Ok(CallResult {
            value: u64::from(self.cpu.regs[1]) << 32 | u64::from(self.cpu.regs[0]),
            cycles,
            instructions: run.instructions,
            stack_octets: sp - run.lowest_sp,
            ..recorder.result(branches)
        })
    }
}
