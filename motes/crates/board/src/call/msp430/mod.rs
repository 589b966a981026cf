//! Calls by the MSP430 EABI as clang implements it.
//!
//! The first four words of arguments go to R12–R15: 8 and 16 bits take one register, 32 bits two,
//! 64 bits four. A 32-bit argument that finds one register left is split, low word in the register,
//! high word on the stack. What finds no place goes to the stack, first one lowest; smaller
//! arguments after it still take the registers that are left. The result is in R12, R12–R13 or
//! R12–R15. A function keeps R4–R10 and SP.

mod arguments;
#[cfg(test)]
mod tests;

use super::heap::Heap;
use super::record::{Recorder, Watch};
use super::run::{Bounds, Running, check_kept, run};
use super::{CallError, CallOptions, CallResult, Callee, Trace, Value};
use crate::elf::{Elf, ElfError};
use crate::f1611::memory::{self, Memory, RAM_END, RAM_START, Region};
use crate::fault;
use crate::load::Loadable;
use arguments::{Placement, place};
use cpu_msp430::{Bus, BusError, Cpu};
use device::Ps;
use device::f1611::{AccessError, F1611, F1611Config, Unconnected};
use std::sync::Arc;
use trace::{NoTrace, Tracer};

/// Return address that means "done": inside the hole between RAM's mirror and information flash.
const TRAP: u16 = 0x0FFE;
/// Contents of the registers a function must keep, by register number, so that a swap shows.
const fn kept(register: usize) -> u16 {
    0xA500 | register as u16
}
const KEPT: std::ops::RangeInclusive<usize> = 4..=10;
/// Registers a caller may leave anything in where nothing is passed, and what it leaves.
const OTHERS: std::ops::RangeInclusive<usize> = 11..=15;
const fn stale(register: usize) -> u16 {
    0x5A3D ^ (register as u16).wrapping_mul(1237)
}
/// Numbers of PC, SP and SR, and of the register where arguments and results begin.
const PC: usize = 0;
const SP: usize = 1;
const SR: usize = 2;
const FIRST_ARGUMENT: usize = 12;
/// C, Z, N and V.
const FLAGS: u16 = 0x0107;
const SEED: u64 = 0x6D77;

/// An MSP430 with the F1611's memory and its hardware multiplier, no other peripherals.
pub struct Msp430Callee {
    elf: Arc<Elf>,
    fresh: Memory,
    machine: Msp430Machine,
    heap: Heap,
}

struct Msp430Machine {
    memory: Memory,
    chip: F1611,
    instruction: u16,
}

/// Registers of the hardware multiplier, the only peripheral a function may use here.
const MULTIPLIER: std::ops::RangeInclusive<u16> = 0x0130..=0x013F;

/// The multiplier's answer; every other peripheral is refused.
fn multiplier<T>(
    addr: u16,
    access: impl FnOnce() -> Result<T, AccessError>,
) -> Result<T, BusError> {
    if !MULTIPLIER.contains(&addr) {
        return Err(BusError::NotModelled(addr));
    }
    access().map_err(|_| BusError::Refused(addr))
}

impl Bus for Msp430Machine {
    #[inline(always)]
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        match memory::region(addr) {
            Region::Ram | Region::Flash | Region::Information => Ok(self.memory.get8(addr)),
            Region::RamMirror => Ok(self.memory.get8(memory::real(addr))),
            Region::Peripherals => {
                multiplier(addr, || self.chip.read8(addr, Ps::ZERO, &mut Unconnected))
            }
            Region::Unmapped => Err(BusError::Unmapped(addr)),
        }
    }

    #[inline(always)]
    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        match memory::region(addr) {
            Region::Ram | Region::Flash | Region::Information => Ok(self.memory.get16(addr)),
            Region::RamMirror => Ok(self.memory.get16(memory::real(addr))),
            Region::Peripherals => {
                multiplier(addr, || self.chip.read16(addr, Ps::ZERO, &mut Unconnected))
            }
            Region::Unmapped => Err(BusError::Unmapped(addr)),
        }
    }

    #[inline(always)]
    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        match memory::region(addr) {
            Region::Ram | Region::RamMirror => self.memory.set8(memory::real(addr), value),
            Region::Peripherals => {
                multiplier(addr, || {
                    self.chip.write8(addr, value, Ps::ZERO, &mut Unconnected)
                })?;
            }
            Region::Flash | Region::Information => return Err(BusError::ReadOnly(addr)),
            Region::Unmapped => return Err(BusError::Unmapped(addr)),
        }
        Ok(())
    }

    #[inline(always)]
    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        match memory::region(addr) {
            Region::Ram | Region::RamMirror => self.memory.set16(memory::real(addr), value),
            Region::Peripherals => {
                multiplier(addr, || {
                    self.chip.write16(addr, value, Ps::ZERO, &mut Unconnected)
                })?;
            }
            Region::Flash | Region::Information => return Err(BusError::ReadOnly(addr)),
            Region::Unmapped => return Err(BusError::Unmapped(addr)),
        }
        Ok(())
    }

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

/// A call under way.
struct Msp430Running<'a, T> {
    cpu: &'a mut Cpu,
    machine: &'a mut Msp430Machine,
    tracer: &'a mut T,
    lowest_sp: u16,
}

impl<T: Tracer + Watch> Running for Msp430Running<'_, T> {
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
    fn step(&mut self) -> Result<(), (u32, String)> {
        self.machine.instruction = self.cpu.regs[PC];
        if let Err(fault) = self.cpu.step_traced(self.machine, self.tracer) {
            return Err((fault.pc().into(), fault::reason(fault)));
        }
        let sp = self.cpu.regs[SP];
        self.tracer.retired(self.cpu.cycles, sp.into());
        self.lowest_sp = self.lowest_sp.min(sp);
        Ok(())
    }

    #[inline(always)]
    fn lowest_sp(&self) -> u32 {
        self.lowest_sp.into()
    }
}

/// What a finished run counted besides the CPU.
struct Finished {
    instructions: u64,
    lowest_sp: u16,
}

/// Octets of a conditional jump, if `word` is one.
fn conditional_jump(word: u16) -> Option<u32> {
    let (is_jump, always) = (word & 0xE000 == 0x2000, word & 0x1C00 == 0x1C00);
    (is_jump && !always).then_some(2)
}

impl Msp430Callee {
    /// Loads an executable.
    pub fn new(elf: Arc<Elf>) -> Result<Msp430Callee, ElfError> {
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
        let machine = Msp430Machine {
            memory: fresh.clone(),
            chip: F1611::new(F1611Config::default()),
            instruction: 0,
        };
        Ok(Msp430Callee {
            elf,
            fresh,
            machine,
            heap: Heap::new(first, RAM_END.into()),
        })
    }

    /// Registers and stack as the caller leaves them; returns SP before the call.
    fn enter(
        &mut self,
        cpu: &mut Cpu,
        function: u16,
        placed: &Placement,
    ) -> Result<u16, CallError> {
        let size = 2 * placed.stack.len() + 2;
        self.heap.check_stack(size, RAM_END.into())?;
        let sp = RAM_END - (size as u16 - 2);
        for (i, word) in placed.stack.iter().enumerate() {
            self.machine.memory.set16(sp + 2 * i as u16, *word);
        }
        self.machine.memory.set16(sp - 2, TRAP);
        for register in KEPT {
            cpu.regs[register] = kept(register);
        }
        for register in OTHERS {
            cpu.regs[register] = stale(register);
        }
        cpu.regs[SR] = FLAGS;
        cpu.regs[FIRST_ARGUMENT..FIRST_ARGUMENT + placed.registers.len()]
            .copy_from_slice(&placed.registers);
        cpu.regs[PC] = function;
        cpu.regs[SP] = sp - 2;
        Ok(sp)
    }

    /// The registers that the function should have kept and has not.
    fn changed(cpu: &Cpu, sp: u16) -> Vec<String> {
        let registers = KEPT.filter(|&register| cpu.regs[register] != kept(register));
        let mut changed: Vec<String> = registers.map(|register| format!("R{register}")).collect();
        if cpu.regs[SP] != sp {
            changed.push("SP".into());
        }
        changed
    }

    fn run<T: Tracer + Watch>(
        &mut self,
        cpu: &mut Cpu,
        tracer: &mut T,
        cycles: u64,
    ) -> Result<Finished, CallError> {
        let bounds = Bounds {
            elf: &self.elf,
            trap: TRAP.into(),
            floor: self.heap.mark(),
            cycles,
        };
        let mut running = Msp430Running {
            lowest_sp: cpu.regs[SP],
            cpu,
            machine: &mut self.machine,
            tracer,
        };
        let instructions = run(&mut running, &bounds)?;
        Ok(Finished {
            instructions,
            lowest_sp: running.lowest_sp,
        })
    }
}

impl Callee for Msp430Callee {
    fn pointer_octets(&self) -> u8 {
        2
    }

    fn reset(&mut self) {
        self.machine.memory = self.fresh.clone();
        self.machine.chip = F1611::new(F1611Config::default());
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
        let found = u16::try_from(address)
            .ok()
            .and_then(|at| self.machine.memory.read(at, length));
        found.ok_or(CallError::NoMemory {
            address: address as usize,
            length,
        })
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> Result<(), CallError> {
        let written = self.machine.memory.write(address, octets);
        let missing = CallError::NoMemory {
            address: address as usize,
            length: octets.len(),
        };
        if written { Ok(()) } else { Err(missing) }
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Value],
        options: &CallOptions,
    ) -> Result<CallResult, CallError> {
        let function = u16::try_from(function).map_err(|_| CallError::NoMemory {
            address: function as usize,
            length: 2,
        })?;
        let mut cpu = Cpu::new();
        let sp = self.enter(&mut cpu, function, &place(arguments)?)?;
        let mut recorder = Recorder::new(options.trace);
        let run = match options.trace {
            Trace::Off => self.run(&mut cpu, &mut NoTrace, options.cycle_limit)?,
            Trace::Hash | Trace::Full => self.run(&mut cpu, &mut recorder, options.cycle_limit)?,
        };
        let changed = Msp430Callee::changed(&cpu, sp);
        check_kept(&self.elf, function.into(), cpu.cycles, &changed, "")?;
        let value = (0..4).fold(0, |value, i| {
            value | u64::from(cpu.regs[FIRST_ARGUMENT + i]) << (16 * i)
        });
        let branches = recorder.branches(TRAP.into(), |pc| {
            conditional_jump(self.machine.memory.get16(memory::real(pc as u16)))
        });
        Ok(CallResult {
            value,
            cycles: cpu.cycles,
            instructions: run.instructions,
            stack_octets: (sp - run.lowest_sp).into(),
            ..recorder.result(branches)
        })
    }
}
