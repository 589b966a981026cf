//! Calls by the ABI of avr-gcc ("avr-gcc" in the GCC wiki, section "Calling Convention"), which
//! clang follows.
//!
//! Arguments go down from R25, each at an even register number, least significant octet in its
//! lowest register; an argument that would reach below R8 goes to the stack, and so does everything
//! after it, first one lowest, without gaps. The result ends in R25 and begins in R24 (one or two
//! octets), R22 (four) or R18 (eight). A function keeps R2–R17, Y (R28, R29) and SP, and leaves 0
//! in R1. Code pointers are word addresses.
//!
//! Addresses here are those of ELF files: program memory in octets from 0, data space from
//! 0x800000. A pointer of the program is the lower 16 bits of a data address.

mod arguments;
#[cfg(test)]
mod tests;

use super::heap::Heap;
use super::record::{Recorder, Watch};
use super::run::{Bounds, Running, check_kept, run};
use super::{CallError, CallOptions, CallResult, Callee, Trace, Value};
use crate::atmega128::memory::{Chip, DATA_OFFSET, FLASH_SIZE, Memory};
use crate::elf::{Elf, ElfError};
use crate::fault;
use crate::load::Loadable;
use arguments::{Placement, place};
use cpu_avr::{Bus, BusError, Cpu};
use std::sync::Arc;
use trace::{NoTrace, Tracer};

/// Return address that means "done": the last word of flash, which an executable must leave alone.
const TRAP: u16 = 0xFFFF;
/// Register that is 0 between instructions of a compiled program.
const ZERO: usize = 1;
/// First register of a result of eight octets.
const RESULT: usize = 18;
/// Below this register no argument is passed.
const LAST_ARGUMENT: usize = 8;
/// One past the register in which arguments begin.
const ARGUMENTS: usize = 26;
/// Registers a function must keep.
const KEPT: [usize; 18] = [
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29,
];
/// Contents of those registers, so that a swap shows.
const fn kept(register: usize) -> u8 {
    0xA0 ^ register as u8
}
/// What a caller may leave where nothing is passed: in other registers, in the upper octet of a
/// pair, in SREG but for I.
const fn stale(register: usize) -> u8 {
    0x5B ^ (register as u8).wrapping_mul(37)
}
const FLAGS: u8 = 0x7F;
/// OUT to SPH and to SPL, whatever the register.
const OUT_SPH: u16 = 0xBE0E;
const OUT_SPL: u16 = 0xBE0D;
const OUT_MASK: u16 = 0xFE0F;
/// Symbol of the linker script at which the stack begins. Its address tells which chip it is for.
const STACK: &str = "__stack";
const SEED: u64 = 0x6D77;

/// An ATmega128 or ATmega1281 with its memories and no peripherals.
pub struct AvrCallee {
    elf: Arc<Elf>,
    fresh: Memory,
    machine: AvrMachine,
    heap: Heap,
}

struct AvrMachine {
    memory: Memory,
}

impl AvrMachine {
    /// What an access outside SRAM is.
    #[cold]
    fn unreachable(&self, addr: u16) -> BusError {
        if addr < self.memory.chip().ram_start() {
            BusError::NotModelled(addr)
        } else {
            BusError::Unmapped(addr)
        }
    }
}

impl Bus for AvrMachine {
    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        Ok(self.memory.word(pc))
    }

    #[inline(always)]
    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        if !self.memory.is_ram(addr) {
            return Err(self.unreachable(addr));
        }
        Ok(self.memory.get(addr))
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        if !self.memory.is_ram(addr) {
            return Err(self.unreachable(addr));
        }
        self.memory.set(addr, value);
        Ok(())
    }
}

/// Octets from the instruction `word` to where it goes on if it does not jump or skip, if it is one
/// of those that may: BRBS, BRBC, CPSE, SBRC, SBRS, SBIC, SBIS.
fn conditional_jump(word: u16) -> Option<u32> {
    let branch = word & 0xF800 == 0xF000;
    let skip = word & 0xFC00 == 0x1000 || word & 0xFC08 == 0xFC00 || word & 0xFD00 == 0x9900;
    (branch || skip).then_some(2)
}

/// The stack pointer as far as it is whole: programs set its halves one after the other, the high
/// one first, with SREG perhaps between.
struct StackWatch {
    lowest: u16,
    torn: u8,
}

impl StackWatch {
    /// Instructions after the high half within which the low half must follow.
    const TORN: u8 = 3;

    /// Takes note of SP after the instruction `word`; whether it now has its meaning.
    #[inline(always)]
    fn note(&mut self, word: u16, sp: u16) {
        self.torn = match word & OUT_MASK {
            OUT_SPH => StackWatch::TORN,
            OUT_SPL => 0,
            _ => self.torn.saturating_sub(1),
        };
        if self.torn == 0 {
            self.lowest = self.lowest.min(sp);
        }
    }
}

/// A call under way.
struct AvrRunning<'a, T> {
    cpu: &'a mut Cpu,
    machine: &'a mut AvrMachine,
    tracer: &'a mut T,
    stack: StackWatch,
}

impl<T: Tracer + Watch> Running for AvrRunning<'_, T> {
    #[inline(always)]
    fn pc(&self) -> u32 {
        u32::from(self.cpu.pc) * 2
    }

    #[inline(always)]
    fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    #[inline(always)]
    fn asleep(&self) -> bool {
        self.cpu.sleeping()
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), (u32, String)> {
        let pc = self.cpu.pc;
        if let Err(fault) = self.cpu.step_traced(self.machine, self.tracer) {
            return Err((self.pc(), fault::avr_reason(fault)));
        }
        self.tracer.retired(self.cpu.cycles, self.cpu.sp.into());
        self.stack.note(self.machine.memory.word(pc), self.cpu.sp);
        Ok(())
    }

    #[inline(always)]
    fn lowest_sp(&self) -> u32 {
        self.stack.lowest.into()
    }
}

/// What a finished run counted besides the CPU.
struct Finished {
    instructions: u64,
    lowest_sp: u16,
}

/// The chip an executable is linked for: the one whose SRAM ends where its stack begins.
fn chip_of(elf: &Elf) -> Chip {
    match elf.symbol(STACK) {
        Some(symbol) if symbol.address as u16 == Chip::Atmega1281.ram_end() - 1 => Chip::Atmega1281,
        _ => Chip::Atmega128,
    }
}

impl AvrCallee {
    /// Loads an executable.
    pub fn new(elf: Arc<Elf>) -> Result<AvrCallee, ElfError> {
        let chip = chip_of(&elf);
        let mut fresh = Memory::new(chip, SEED);
        fresh.program(&elf, chip.name())?;
        fresh.start_up(&elf, chip.name())?;
        if fresh.word(TRAP) != 0xFFFF {
            return Err(ElfError::OutsideMemory {
                address: FLASH_SIZE - 2,
                size: 2,
                board: "a function call".into(),
                map: "all of flash but its last word, where calls return to".into(),
            });
        }
        let ends = elf
            .segments
            .iter()
            .map(|s| s.address.saturating_add(s.memory_size));
        let used = ends.filter(|end| *end > DATA_OFFSET).max();
        let first = used.unwrap_or(DATA_OFFSET + u32::from(chip.ram_start()));
        let last = DATA_OFFSET + u32::from(chip.ram_end()) - 1;
        let machine = AvrMachine {
            memory: fresh.clone(),
        };
        Ok(AvrCallee {
            elf,
            fresh,
            machine,
            heap: Heap::new(first, last),
        })
    }

    /// The last data address of SRAM.
    fn ram_last(&self) -> u16 {
        self.fresh.chip().ram_end() - 1
    }

    fn run<T: Tracer + Watch>(
        &mut self,
        cpu: &mut Cpu,
        tracer: &mut T,
        cycles: u64,
    ) -> Result<Finished, CallError> {
        let bounds = Bounds {
            elf: &self.elf,
            trap: u32::from(TRAP) * 2,
            // SP points below what was pushed last.
            floor: self.heap.mark() - DATA_OFFSET - 1,
            cycles,
        };
        let mut running = AvrRunning {
            stack: StackWatch {
                lowest: cpu.sp,
                torn: 0,
            },
            cpu,
            machine: &mut self.machine,
            tracer,
        };
        let instructions = run(&mut running, &bounds)?;
        Ok(Finished {
            instructions,
            lowest_sp: running.stack.lowest,
        })
    }

    /// Registers and stack as the caller leaves them; returns SP before the call.
    fn enter(
        &mut self,
        cpu: &mut Cpu,
        function: u16,
        placed: &Placement,
    ) -> Result<u16, CallError> {
        let top = DATA_OFFSET + u32::from(self.ram_last()) + 1;
        self.heap.check_stack(placed.stack.len() + 2, top)?;
        let sp = self.ram_last() - placed.stack.len() as u16;
        for (addr, octet) in (sp + 1..).zip(&placed.stack) {
            self.machine.memory.set(addr, *octet);
        }
        // The low octet of a return address lies above the high one.
        let [low, high] = TRAP.to_le_bytes();
        self.machine.memory.set(sp, low);
        self.machine.memory.set(sp - 1, high);
        cpu.regs = placed.registers;
        cpu.regs[ZERO] = 0;
        cpu.sreg = FLAGS;
        // R8 to R17 may hold arguments: then those are what the function must keep.
        for register in KEPT
            .into_iter()
            .filter(|r| !(placed.first..ARGUMENTS).contains(r))
        {
            cpu.regs[register] = kept(register);
        }
        cpu.pc = function;
        cpu.sp = sp - 2;
        Ok(sp)
    }

    /// The registers that the function should have kept and has not; R1 must be 0.
    fn changed(cpu: &Cpu, before: &[u8; 32], sp: u16) -> Vec<String> {
        let registers = KEPT
            .into_iter()
            .filter(|&register| cpu.regs[register] != before[register]);
        let mut changed: Vec<String> = registers.map(|register| format!("R{register}")).collect();
        if cpu.regs[ZERO] != 0 {
            changed.insert(0, "R1".into());
        }
        if cpu.sp != sp {
            changed.push("SP".into());
        }
        changed
    }
}

impl Callee for AvrCallee {
    fn pointer_octets(&self) -> u8 {
        2
    }

    fn reset(&mut self) {
        self.machine.memory = self.fresh.clone();
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
        let missing = CallError::NoMemory {
            address: address as usize,
            length: octets.len(),
        };
        let written = self.machine.memory.write(address, octets);
        if written { Ok(()) } else { Err(missing) }
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Value],
        options: &CallOptions,
    ) -> Result<CallResult, CallError> {
        if function >= FLASH_SIZE {
            return Err(CallError::NoMemory {
                address: function as usize,
                length: 2,
            });
        }
        let function = (function / 2) as u16;
        let mut cpu = Cpu::new();
        let sp = self.enter(&mut cpu, function, &place(arguments)?)?;
        let before = cpu.regs;
        let mut recorder = Recorder::new(options.trace);
        let run = match options.trace {
            Trace::Off => self.run(&mut cpu, &mut NoTrace, options.cycle_limit)?,
            Trace::Hash | Trace::Full => self.run(&mut cpu, &mut recorder, options.cycle_limit)?,
        };
        let changed = AvrCallee::changed(&cpu, &before, sp);
        check_kept(
            &self.elf,
            u32::from(function) * 2,
            cpu.cycles,
            &changed,
            ", and 0 in R1",
        )?;
        let value = (0..8).fold(0, |value, i| {
            value | u64::from(cpu.regs[RESULT + i]) << (8 * i)
        });
        let branches = recorder.branches(u32::from(TRAP) * 2, |pc| {
            conditional_jump(self.machine.memory.word((pc / 2) as u16))
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
