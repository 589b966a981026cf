//! Calls by the MSP430 EABI as clang implements it.
//!
//! The first four words of arguments go to R12–R15: 8 and 16 bits take one register, 32 bits two,
//! 64 bits four. A 32-bit argument that finds one register left is split, low word in the register,
//! high word on the stack. An argument for which no register is left goes to the stack, the first
//! one at the lowest address. Smaller arguments after it still take the remaining registers. The
//! result is in R12, R12–R13 or R12–R15. A function keeps R4–R10 and SP.

mod arguments;
mod multiplier;
#[cfg(test)]
mod tests;

use super::caller::{Abi, Caller, SEED};
use super::follow::Window;
use super::heap::Heap;
use super::{CallError, Value};
use crate::elf::{Elf, ElfError};
use crate::f1611::bus::memory_access;
use crate::f1611::memory::{self, FLASH_START, Memory, RAM_END, RAM_START, Region};
use crate::fault;
use crate::load::Loadable;
use arguments::place;
use cpu_msp430::{Bus, BusError, Cpu, Shadow, Step};
use device::Ps;
use device::f1611::{AccessError, F1611, F1611Config, Unconnected};
use multiplier::Multiplier;
use std::ops::Range;
use std::sync::Arc;
use taint::Taint;
use trace::Tracer;

/// Return address that means "done": inside the hole between RAM's mirror and information flash.
const TRAP: u16 = 0x0FFE;
/// Contents of the registers that a function must restore. Each register has another value, so a
/// swap is noticed.
const fn kept(register: usize) -> u16 {
    0xA500 | register as u16
}
const KEPT: std::ops::RangeInclusive<usize> = 4..=10;
/// Registers that may hold any value if they pass no argument, and the values put there.
const OTHERS: std::ops::RangeInclusive<usize> = 11..=15;
const fn stale(register: usize) -> u16 {
    0x5A3D ^ (register as u16).wrapping_mul(1237)
}
/// Numbers of PC, SP and SR, and of the register where arguments and results begin.
const PC: usize = 0;
const SP: usize = 1;
const SR: usize = 2;
const FIRST_ARGUMENT: usize = 12;
/// First address of information flash.
const INFORMATION: u32 = 0x1000;
/// C, Z, N and V.
const FLAGS: u16 = 0x0107;

/// An MSP430 with the F1611's memory and its hardware multiplier, no other peripherals.
pub(super) struct Msp430 {
    /// Memory as start-up code leaves it.
    fresh: Memory,
    machine: Machine,
    cpu: Cpu,
    multiplier: Multiplier,
}

struct Machine {
    memory: Memory,
    chip: F1611,
    instruction: u16,
}

/// Registers of the hardware multiplier, the only peripheral a function may use here.
const MULTIPLIER: std::ops::RangeInclusive<u16> = 0x0130..=0x013F;

impl Machine {
    /// A word of flash, which is never busy here.
    #[inline(always)]
    fn flash16(&self, addr: u16) -> u16 {
        self.memory.get16(addr)
    }

    /// The multiplier's answer; every other peripheral is refused.
    fn peripheral<T>(
        &mut self,
        addr: u16,
        access: impl FnOnce(&mut F1611, Ps, &mut Unconnected) -> Result<T, AccessError>,
    ) -> Result<T, BusError> {
        if !MULTIPLIER.contains(&addr) {
            return Err(BusError::NotModelled(addr));
        }
        access(&mut self.chip, Ps::ZERO, &mut Unconnected).map_err(|_| BusError::Refused(addr))
    }

    /// A function writes no flash.
    fn write_flash(&mut self, addr: u16, _value: u16, _word: bool) -> Result<(), BusError> {
        Err(BusError::ReadOnly(addr))
    }
}

impl Bus for Machine {
    memory_access!();

    #[inline(always)]
    fn fetch(&mut self, addr: u16) -> Result<u16, BusError> {
        match memory::region(addr) {
            Region::Ram | Region::Flash => {
                let word = self.memory.get16(addr);
                if word == 0xFFFF && addr == self.instruction {
                    return Err(BusError::NotExecutable(addr));
                }
                Ok(word)
            }
            Region::RamMirror | Region::Information => Ok(self.memory.get16(memory::real(addr))),
            Region::Peripherals | Region::Unmapped => Err(BusError::NotExecutable(addr)),
        }
    }
}

/// Octets of a conditional jump, if `word` is one.
fn conditional_jump(word: u16) -> Option<u32> {
    let (is_jump, always) = (word & 0xE000 == 0x2000, word & 0x1C00 == 0x1C00);
    (is_jump && !always).then_some(2)
}

/// Loads an executable.
pub(super) fn load(elf: Arc<Elf>) -> Result<Caller<Msp430>, ElfError> {
    let mut fresh = Memory::new(SEED);
    fresh.program(&elf, "the MSP430F1611")?;
    fresh.start_up(&elf, "the MSP430F1611")?;
    let in_ram = |end: &u32| (u32::from(RAM_START)..=u32::from(RAM_END)).contains(end);
    let used = elf
        .segments
        .iter()
        .map(|s| s.address + s.memory_size)
        .filter(in_ram)
        .max();
    let first = used.unwrap_or(RAM_START.into()).next_multiple_of(4);
    let machine = Machine {
        memory: fresh.clone(),
        chip: F1611::new(F1611Config::default()),
        instruction: 0,
    };
    let abi = Msp430 {
        fresh,
        machine,
        cpu: Cpu::new(),
        multiplier: Multiplier::default(),
    };
    Ok(Caller::new(elf, Heap::new(first, RAM_END.into()), abi))
}

impl Abi for Msp430 {
    const POINTER_OCTETS: u8 = 2;
    const TRAP: u32 = TRAP as u32;

    fn restore(&mut self) {
        self.machine.memory = self.fresh.clone();
        self.machine.chip = F1611::new(F1611Config::default());
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        let address = u16::try_from(address).ok()?;
        self.machine.memory.read(address, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        self.machine.memory.write(address, octets)
    }

    fn holds_code(&self, address: u32) -> bool {
        address <= u16::MAX.into()
    }

    fn enter(&mut self, function: u32, args: &[Value], heap: &Heap) -> Result<u32, CallError> {
        let placed = place(args)?;
        let size = 2 * placed.stack.len() + 2;
        heap.check_stack(size, RAM_END.into())?;
        let sp = RAM_END - (size as u16 - 2);
        for (i, word) in placed.stack.iter().enumerate() {
            self.machine.memory.set16(sp + 2 * i as u16, *word);
        }
        self.machine.memory.set16(sp - 2, TRAP);
        self.cpu = Cpu::new();
        let regs = &mut self.cpu.regs;
        KEPT.for_each(|register| regs[register] = kept(register));
        OTHERS.for_each(|register| regs[register] = stale(register));
        regs[SR] = FLAGS;
        regs[FIRST_ARGUMENT..FIRST_ARGUMENT + placed.registers.len()]
            .copy_from_slice(&placed.registers);
        regs[PC] = function as u16;
        regs[SP] = sp - 2;
        Ok(sp.into())
    }

    #[inline(always)]
    fn step<T: Tracer>(&mut self, tracer: &mut T) -> Result<(), (u32, String)> {
        self.machine.instruction = self.cpu.regs[PC];
        match self.cpu.step_traced(&mut self.machine, tracer) {
            Ok(_) => Ok(()),
            Err(fault) => Err((fault.pc().into(), fault::reason(fault))),
        }
    }

    #[inline(always)]
    fn pc(&self) -> u32 {
        self.cpu.regs[PC].into()
    }

    #[inline(always)]
    fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    #[inline(always)]
    fn asleep(&self) -> bool {
        self.cpu.cpu_off()
    }

    #[inline(always)]
    fn sp(&self) -> u32 {
        self.cpu.regs[SP].into()
    }

    fn changed(&self) -> Vec<String> {
        let changed = KEPT.filter(|&register| self.cpu.regs[register] != kept(register));
        changed.map(|register| format!("R{register}")).collect()
    }

    fn value(&self) -> u64 {
        (0..4).fold(0, |value, i| {
            value | u64::from(self.cpu.regs[FIRST_ARGUMENT + i]) << (16 * i)
        })
    }

    fn jump_at(&self, pc: u32) -> Option<u32> {
        conditional_jump(self.machine.memory.get16(memory::real(pc as u16)))
    }

    type Shadow = Shadow;
    /// R12 to R15.
    const RESULT: Range<usize> = 2 * FIRST_ARGUMENT..32;

    fn windows(&self) -> Vec<Window> {
        vec![
            Window::memory(RAM_START.into(), RAM_END.into(), true),
            Window::memory(FLASH_START.into(), 0x1_0000, false),
            Window::memory(INFORMATION, RAM_START.into(), false),
            multiplier::WINDOW,
        ]
    }

    fn stack(&self) -> Range<u32> {
        self.sp()..RAM_END.into()
    }

    fn registers(&self) -> Vec<u8> {
        let octets = self.cpu.regs.iter().map(|register| register.to_le_bytes());
        octets.flatten().collect()
    }

    fn call_ends(&self) -> (u32, u32) {
        let sp = self.cpu.regs[SP];
        let pc = self.machine.memory.get16(sp & !1);
        (pc.into(), u32::from(sp) + 2)
    }

    fn follow(&mut self, shadow: &mut Shadow, taint: &mut Taint) {
        shadow.follow(&self.cpu, &mut self.machine, taint);
        self.multiplier.follow(taint);
    }
}
