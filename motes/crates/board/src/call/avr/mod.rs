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

use super::caller::{Abi, Caller, SEED};
use super::follow::Window;
use super::heap::Heap;
use super::{CallError, Value};
use crate::atmega128::memory::{Chip, DATA_OFFSET, FLASH_SIZE, Memory, program_of_memory};
use crate::elf::{Elf, ElfError};
use crate::fault;
use crate::load::Loadable;
use arguments::place;
use cpu_avr::{Bus, BusError, Cpu, Registers, Shadow, Step};
use std::ops::Range;
use std::sync::Arc;
use taint::Taint;
use trace::Tracer;

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
/// Any value may stand where no argument is passed: in other registers, in the upper octet of a
/// pair, and in SREG except bit I.
const fn stale(register: usize) -> u8 {
    0x5B ^ (register as u8).wrapping_mul(37)
}
const FLAGS: u8 = 0x7F;
/// OUT to SPH and to SPL, from any register.
const OUT_SPH: u16 = 0xBE0E;
const OUT_SPL: u16 = 0xBE0D;
const OUT_MASK: u16 = 0xFE0F;
/// Symbol of the linker script at which the stack begins. Its address tells which chip it is for.
const STACK: &str = "__stack";

/// An ATmega128 or ATmega1281 with its memories and no peripherals.
pub(super) struct Avr {
    /// Memory as start-up code leaves it.
    fresh: Memory,
    machine: Machine,
    cpu: Cpu,
    /// Registers at the function's first instruction.
    before: Registers,
    halves: StackHalves,
}

struct Machine {
    memory: Memory,
}

impl Machine {
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

impl Bus for Machine {
    program_of_memory!();

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

/// Size in octets of the instruction `word` if it is a conditional jump or skip, so that the next
/// instruction is known: BRBS, BRBC, CPSE, SBRC, SBRS, SBIC, SBIS.
fn conditional_jump(word: u16) -> Option<u32> {
    let branch = word & 0xF800 == 0xF000;
    let skip = word & 0xFC00 == 0x1000 || word & 0xFC08 == 0xFC00 || word & 0xFD00 == 0x9900;
    (branch || skip).then_some(2)
}

/// Whether both halves of the stack pointer belong to the same value. Programs write the high half
/// first, then perhaps SREG, then the low half.
#[derive(Default)]
struct StackHalves {
    /// Instructions within which the low half must still follow.
    torn: u8,
}

impl StackHalves {
    /// Instructions after the high half within which the low half must follow.
    const TORN: u8 = 3;

    /// Takes note of the instruction `word`, which has been executed.
    #[inline(always)]
    fn note(&mut self, word: u16) {
        self.torn = match word & OUT_MASK {
            OUT_SPH => StackHalves::TORN,
            OUT_SPL => 0,
            _ => self.torn.saturating_sub(1),
        };
    }
}

/// The chip an executable is linked for: the one whose SRAM ends where its stack begins.
fn chip_of(elf: &Elf) -> Chip {
    match elf.symbol(STACK) {
        Some(symbol) if symbol.address as u16 == Chip::Atmega1281.ram_end() - 1 => Chip::Atmega1281,
        _ => Chip::Atmega128,
    }
}

/// Loads an executable.
pub(super) fn load(elf: Arc<Elf>) -> Result<Caller<Avr>, ElfError> {
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
    let abi = Avr {
        machine: Machine {
            memory: fresh.clone(),
        },
        fresh,
        cpu: Cpu::new(),
        before: Registers::default(),
        halves: StackHalves::default(),
    };
    Ok(Caller::new(elf, Heap::new(first, last), abi))
}

/// The address in ELF files.
fn data(address: u16) -> u32 {
    DATA_OFFSET + u32::from(address)
}

impl Abi for Avr {
    const POINTER_OCTETS: u8 = 2;
    const TRAP: u32 = TRAP as u32 * 2;
    const ALSO: &'static str = ", and 0 in R1";

    fn restore(&mut self) {
        self.machine.memory = self.fresh.clone();
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.machine.memory.read(address, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        self.machine.memory.write(address, octets)
    }

    fn holds_code(&self, address: u32) -> bool {
        address < FLASH_SIZE
    }

    fn enter(&mut self, function: u32, args: &[Value], heap: &Heap) -> Result<u32, CallError> {
        let placed = place(args)?;
        let ram_last = self.fresh.chip().ram_end() - 1;
        let top = DATA_OFFSET + u32::from(ram_last) + 1;
        heap.check_stack(placed.stack.len() + 2, top)?;
        let sp = ram_last - placed.stack.len() as u16;
        for (addr, octet) in (sp + 1..).zip(&placed.stack) {
            self.machine.memory.set(addr, *octet);
        }
        // The low octet of a return address lies above the high one.
        let [low, high] = TRAP.to_le_bytes();
        self.machine.memory.set(sp, low);
        self.machine.memory.set(sp - 1, high);
        self.cpu = Cpu::new();
        self.cpu.regs = placed.registers.into();
        self.cpu.regs[ZERO] = 0;
        self.cpu.sreg = FLAGS;
        // R8 to R17 may hold arguments: then those are what the function must keep.
        for register in KEPT
            .into_iter()
            .filter(|r| !(placed.first..ARGUMENTS).contains(r))
        {
            self.cpu.regs[register] = kept(register);
        }
        self.cpu.pc = (function / 2) as u16;
        self.cpu.sp = sp - 2;
        self.before = self.cpu.regs;
        self.halves = StackHalves::default();
        Ok(sp.into())
    }

    #[inline(always)]
    fn step<T: Tracer>(&mut self, tracer: &mut T) -> Result<(), (u32, String)> {
        let pc = self.cpu.pc;
        if let Err(fault) = self.cpu.step_traced(&mut self.machine, tracer) {
            return Err((self.pc(), fault::avr_reason(fault)));
        }
        self.halves.note(self.machine.memory.word(pc));
        Ok(())
    }

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
    fn sp(&self) -> u32 {
        self.cpu.sp.into()
    }

    #[inline(always)]
    fn sp_is_whole(&self) -> bool {
        self.halves.torn == 0
    }

    /// SP is an address of the data space and points below what was pushed last.
    fn lowest_sp(free: u32) -> u32 {
        free - DATA_OFFSET - 1
    }

    fn changed(&self) -> Vec<String> {
        let registers = [ZERO].into_iter().chain(KEPT);
        let changed =
            registers.filter(|&register| self.cpu.regs[register] != self.before[register]);
        changed.map(|register| format!("R{register}")).collect()
    }

    fn value(&self) -> u64 {
        (0..8).fold(0, |value, i| {
            value | u64::from(self.cpu.regs[RESULT + i]) << (8 * i)
        })
    }

    fn jump_at(&self, pc: u32) -> Option<u32> {
        conditional_jump(self.machine.memory.word((pc / 2) as u16))
    }

    type Shadow = Shadow;
    /// R18 to R25.
    const RESULT: Range<usize> = RESULT..ARGUMENTS;

    fn windows(&self) -> Vec<Window> {
        let (first, end) = (self.fresh.chip().ram_start(), self.fresh.chip().ram_end());
        vec![
            Window::memory(data(first), data(end), true),
            Window::memory(0, FLASH_SIZE, false),
        ]
    }

    /// While SP is torn, all RAM is taken for the stack.
    fn stack(&self) -> Range<u32> {
        let chip = self.fresh.chip();
        let lowest = match self.sp_is_whole() {
            true => self.cpu.sp.saturating_add(1),
            false => chip.ram_start(),
        };
        data(lowest)..data(chip.ram_end())
    }

    fn registers(&self) -> Vec<u8> {
        self.cpu.regs.to_array().to_vec()
    }

    fn call_ends(&self) -> (u32, u32) {
        let sp = self.cpu.sp;
        let [high, low] = [1, 2].map(|at| self.machine.memory.get(sp.wrapping_add(at)));
        let pc = u16::from_le_bytes([low, high]);
        (u32::from(pc) * 2, u32::from(sp) + 2)
    }

    fn follow(&mut self, shadow: &mut Shadow, taint: &mut Taint) {
        shadow.follow(&self.cpu, &mut self.machine, taint);
    }
}
