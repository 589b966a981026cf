//! Calls by the base standard of ARM's "Procedure Call Standard for the Arm Architecture" (AAPCS32,
//! IHI 0042).
//!
//! Arguments go to r0–r3, one word each; 64 bits take an even pair. The first argument that does
//! not fit goes to the stack, and so do all arguments after it (rules C.3 to C.8). The first one
//! has the lowest address; 64-bit arguments lie at multiples of 8. The result is in r0, or r0 and
//! r1. A function keeps r4–r11 and SP, which is a multiple of 8 at every call.

mod arguments;
#[cfg(test)]
mod tests;

use super::caller::{Abi, Caller, SEED};
use super::follow::Window;
use super::heap::Heap;
use super::{CallError, Timing, Value};
use crate::cc2538::bus::memory_access;
use crate::cc2538::flash::{FlashTiming, LineBuffer};
use crate::cc2538::memory::{self, FLASH_SIZE, FLASH_START, Memory, RAM_END, RAM_START, Region};
use crate::elf::{Elf, ElfError};
use crate::fault::{self, MoteFault};
use crate::load::Loadable;
use arguments::place;
use cpu_armv7m::{
    Bus, BusError, Cause, Core, Cpu, Fault, Shadow, Step, Timed, Timing as CoreTiming,
};
use std::ops::Range;
use std::sync::Arc;
use taint::Taint;
use trace::Tracer;

/// Return address that means "done". It lies in ROM; nothing else of the ROM is there for calls.
const TRAP: u32 = 0x0001_0000;
/// Octets at [`TRAP`] that the CPU can fetch. The prefetch unit may read beyond the first one.
const TRAP_OCTETS: u32 = 64;
/// Two NOPs.
const NOPS: u32 = 0xBF00_BF00;
/// What the core reads on its reset: SP and PC. Each call sets its own.
const VECTORS: [u32; 2] = [RAM_END, TRAP | 1];
/// T of xPSR.
const THUMB: u32 = 1 << 24;
/// The chip, as messages name it.
const CHIP: &str = "the CC2538";
/// Numbers of SP, LR and PC.
const SP: usize = 13;
const LR: usize = 14;
const PC: usize = 15;
/// Registers a function must keep.
const KEPT: std::ops::RangeInclusive<usize> = 4..=11;
/// Registers of the FPU that a function must keep.
const KEPT_SINGLES: std::ops::RangeInclusive<usize> = 16..=31;
/// Registers that may hold any value if they pass no argument, and the values put there.
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

/// A Cortex-M with the CC2538's memory and no peripherals.
pub(super) struct Armv7m {
    elf: Arc<Elf>,
    /// Memory as start-up code leaves it.
    fresh: Memory,
    machine: Machine,
    cpu: Cpu,
    /// Cycle of the CPU at which the call began.
    start: u64,
}

struct Machine {
    memory: Memory,
    flash: LineBuffer,
}

impl Machine {
    /// The aligned word that holds `address`, and its wait states.
    #[inline(always)]
    fn word(&mut self, address: u32) -> Result<Timed<u32>, BusError> {
        let word = self.flash.word(&self.memory, address);
        word.ok_or_else(|| unreachable(address))
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

    /// The trap in ROM is the only code outside flash and RAM.
    fn code_elsewhere(&mut self, region: Region, addr: u32) -> Result<u32, BusError> {
        if region == Region::Rom && addr.wrapping_sub(TRAP) < TRAP_OCTETS {
            return Ok(NOPS);
        }
        Err(BusError::NotExecutable(addr))
    }
}

impl Bus for Machine {
    memory_access!();
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

/// Loads an executable.
pub(super) fn load(elf: Arc<Elf>, core: Core, timing: Timing) -> Result<Caller<Armv7m>, ElfError> {
    let mut fresh = Memory::new(SEED, &VECTORS);
    fresh.program(&elf, CHIP)?;
    fresh.start_up(&elf, CHIP)?;
    let ends = elf
        .segments
        .iter()
        .map(|s| s.address.saturating_add(s.memory_size));
    let used = ends.filter(|end| (RAM_START..=RAM_END).contains(end)).max();
    let first = used.unwrap_or(RAM_START).next_multiple_of(8);
    let (quick, flash) = match timing {
        Timing::Low => (true, FlashTiming::LOW),
        Timing::High => (false, FlashTiming::LOW),
        Timing::Flash => (false, FlashTiming::HIGH),
    };
    let mut cpu = Cpu::new(CoreTiming::of(core, quick));
    cpu.halt.faults = true;
    cpu.halt.breakpoints = true;
    let abi = Armv7m {
        elf: elf.clone(),
        machine: Machine {
            memory: fresh.clone(),
            flash: LineBuffer::new(flash),
        },
        fresh,
        cpu,
        start: 0,
    };
    Ok(Caller::new(elf, Heap::new(first, RAM_END), abi))
}

impl Armv7m {
    /// What is wrong with an instruction.
    fn reason(&self, fault: Fault) -> String {
        let reason = fault::armv7m_reason(fault, &self.machine.memory);
        let core = self.cpu.timing().core;
        match fault {
            Fault::Exception { cause, .. }
                if core == Core::CortexM4 && cause == Cause::NoCoprocessor =>
            {
                "arithmetic of the FPU is not modelled: compile with -mfloat-abi=soft".into()
            }
            Fault::Exception { cause, .. }
                if core != Core::CortexM3 && cause == Cause::Undefined =>
            {
                format!("{reason} of a {}", core.name())
            }
            _ => reason,
        }
    }
}

impl Abi for Armv7m {
    const POINTER_OCTETS: u8 = 4;
    const TRAP: u32 = TRAP;

    fn restore(&mut self) {
        self.machine.memory = self.fresh.clone();
        self.cpu.invalidate_code(RAM_START, RAM_END - RAM_START);
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.machine.memory.read(address, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        let written = self.machine.memory.write(address, octets);
        if written {
            self.cpu.invalidate_code(address, octets.len() as u32);
        }
        written
    }

    fn holds_code(&self, _address: u32) -> bool {
        true
    }

    fn enter(&mut self, function: u32, args: &[Value], heap: &Heap) -> Result<u32, CallError> {
        let placed = place(args)?;
        let size = (4 * placed.stack.len() as u32).next_multiple_of(8);
        heap.check_stack(size as usize, RAM_END)?;
        self.machine.flash.forget();
        if let Err(fault) = self.cpu.reset(&mut self.machine, 0) {
            let reason = fault::armv7m_reason(fault, &self.machine.memory);
            return Err(MoteFault::new(&self.elf, fault.pc(), TRAP, 0, reason).into());
        }
        let sp = RAM_END - size;
        for (at, word) in (sp..).step_by(4).zip(&placed.stack) {
            self.machine.memory.set_ram32(at, *word);
        }
        let regs = &mut self.cpu.regs;
        KEPT.for_each(|register| regs[register] = kept(register));
        for register in OTHERS {
            regs[register] = stale(register);
        }
        regs[..placed.registers.len()].copy_from_slice(&placed.registers);
        regs[SP] = sp;
        for register in KEPT_SINGLES {
            self.cpu.singles[register] = kept(register);
        }
        let regs = &mut self.cpu.regs;
        regs[LR] = TRAP | 1;
        regs[PC] = function & !1;
        self.cpu.set_xpsr(THUMB | FLAGS);
        self.start = self.cpu.cycles;
        Ok(sp)
    }

    #[inline(always)]
    fn step<T: Tracer>(&mut self, tracer: &mut T) -> Result<(), (u32, String)> {
        match self.cpu.step_traced(&mut self.machine, tracer) {
            Ok(_) => Ok(()),
            Err(fault) => {
                let reason = self.reason(fault);
                Err((fault.pc(), reason))
            }
        }
    }

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
    fn sp(&self) -> u32 {
        self.cpu.regs[SP]
    }

    fn changed(&self) -> Vec<String> {
        let changed = KEPT.filter(|&register| self.cpu.regs[register] != kept(register));
        let singles = KEPT_SINGLES.filter(|&register| self.cpu.singles[register] != kept(register));
        changed
            .map(|register| format!("r{register}"))
            .chain(singles.map(|register| format!("s{register}")))
            .collect()
    }

    fn value(&self) -> u64 {
        u64::from(self.cpu.regs[1]) << 32 | u64::from(self.cpu.regs[0])
    }

    fn jump_at(&self, pc: u32) -> Option<u32> {
        let code = self.machine.memory.read(pc, 4)?;
        let [first, second] = [0, 2].map(|at| u16::from_le_bytes([code[at], code[at + 1]]));
        conditional_branch(first, second)
    }

    type Shadow = Shadow;
    /// r0 and r1.
    const RESULT: Range<usize> = 0..8;

    fn windows(&self) -> Vec<Window> {
        vec![
            Window::memory(RAM_START, RAM_END, true),
            Window::memory(FLASH_START, FLASH_START + FLASH_SIZE, false),
        ]
    }

    fn stack(&self) -> Range<u32> {
        self.cpu.regs[SP]..RAM_END
    }

    fn registers(&self) -> Vec<u8> {
        let octets = self.cpu.regs.iter().map(|register| register.to_le_bytes());
        octets.flatten().collect()
    }

    fn call_ends(&self) -> (u32, u32) {
        (self.cpu.regs[LR] & !1, self.cpu.regs[SP])
    }

    fn follow(&mut self, shadow: &mut Shadow, taint: &mut Taint) {
        shadow.follow(&self.cpu, &mut self.machine, taint);
    }
}
