//! The interface between a CPU and the runner, and the commands that all CPUs share.

use std::fmt::Display;

use board::elf::{self, Elf};

/// The answer to a command, or why it failed.
pub type Answer = Result<String, String>;

/// A CPU with its memory.
pub trait Machine {
    /// The CPU that its ELF files name.
    const ELF: elf::Machine;
    /// Why an instruction failed.
    type Fault: Display;

    /// Registers and memory are zero.
    fn new() -> Self;

    /// Copies octets into memory; false if there is no memory for some of them.
    fn place(&mut self, addr: u32, octets: &[u8]) -> bool;

    /// Octets of memory; `None` if some of them do not exist.
    fn octets(&mut self, addr: u32, length: usize) -> Option<Vec<u8>>;

    /// All registers: the value, and how many hexadecimal digits show it.
    fn registers(&self) -> Vec<(u32, usize)>;

    /// Sets a register; the number is its place in [`Machine::registers`].
    fn set(&mut self, register: usize, value: u32) -> Result<(), String>;

    /// Resets the CPU.
    fn reset(&mut self) -> Result<(), Self::Fault>;

    /// Executes one instruction.
    fn step(&mut self) -> Result<(), Self::Fault>;

    /// Address of the next instruction.
    fn pc(&self) -> u32;

    /// Address of the last instruction that completed, if the CPU knows it.
    fn last_pc(&self) -> Option<u32>;

    /// Cycles since the beginning.
    fn cycles(&self) -> u64;

    /// Whether the CPU sleeps, so that nothing more will happen.
    fn sleeping(&self) -> bool {
        false
    }

    /// Forgets what the pipeline holds, after all registers were set.
    fn flush(&mut self) {}

    /// A command that only this CPU has; `None` if it has no such command.
    fn own_command(&mut self, words: &[&str]) -> Option<Answer>;
}

/// Executes a command.
pub fn command<M: Machine>(machine: &mut M, words: &[&str]) -> Answer {
    match words {
        ["image", file] => load_image(machine, file)?,
        ["load", file, addr] => place(machine, file, number(addr)?, &read(file)?)?,
        ["save", addr, length, file] => {
            let octets = machine
                .octets(number(addr)?, number(length)?)
                .ok_or_else(|| format!("not all of the {length} octets at {addr} are memory"))?;
            write(file, &octets)?;
        }
        ["reset"] => machine.reset().map_err(|fault| fault.to_string())?,
        ["set", register, value] => machine.set(number(register)?, number(value)?)?,
        ["all", values @ ..] if values.len() == machine.registers().len() => {
            for (register, value) in values.iter().enumerate() {
                machine.set(register, number(value)?)?;
            }
            machine.flush();
        }
        ["regs"] => return Ok(registers(machine)),
        ["step", count] => {
            let run = run(machine, number(count)?, None)?;
            return Ok(format!("{} {}", run.cycles, registers(machine)));
        }
        ["until", addr, count] => {
            let run = run(machine, number(count)?, Some(number(addr)?))?;
            arrived(machine, addr, &format!("{count} instructions"))?;
            let registers = registers(machine);
            return Ok(format!("{} {} {registers}", run.instructions, run.cycles));
        }
        _ => {
            let unknown = || Err(format!("unknown command `{}`", words.join(" ")));
            return machine.own_command(words).unwrap_or_else(unknown);
        }
    }
    Ok("ok".into())
}

/// All registers in hexadecimal.
pub fn registers<M: Machine>(machine: &M) -> String {
    let values = machine.registers().into_iter();
    let texts: Vec<String> = values
        .map(|(value, digits)| format!("{value:0digits$x}"))
        .collect();
    texts.join(" ")
}

/// A run that went well.
pub struct Run {
    /// Instructions that completed.
    pub instructions: u64,
    /// Cycles that they took.
    pub cycles: u64,
}

/// Executes up to `limit` instructions; stops earlier at the address `stop`, and when the CPU
/// sleeps.
pub fn run<M: Machine>(machine: &mut M, limit: u64, stop: Option<u32>) -> Result<Run, String> {
    let before = machine.cycles();
    let mut instructions = 0;
    while instructions < limit && Some(machine.pc()) != stop && !machine.sleeping() {
        if let Err(fault) = machine.step() {
            return Err(failed(machine, machine.cycles() - before, &fault));
        }
        instructions += 1;
    }
    let cycles = machine.cycles() - before;
    Ok(Run {
        instructions,
        cycles,
    })
}

/// Says when and where a fault ended a run.
pub fn failed<M: Machine>(machine: &M, cycles: u64, fault: &M::Fault) -> String {
    let from = machine.last_pc();
    let from = from.map_or(String::new(), |pc| format!(", coming from 0x{pc:04x}"));
    format!("after {cycles} cycles{from}: {fault}")
}

/// Refuses a run that ended elsewhere than at `addr`.
pub fn arrived<M: Machine>(machine: &M, addr: &str, limit: &str) -> Result<(), String> {
    if machine.pc() == number::<u32>(addr)? {
        Ok(())
    } else {
        Err(format!("{addr} was not reached in {limit}"))
    }
}

/// A number of the width that the command needs.
pub fn number<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let value = parsed.map_err(|_| format!("`{text}` is not a number"))?;
    N::try_from(value).map_err(|_| format!("`{text}` is too large"))
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("{file}: {error}"))
}

/// Writes a file.
pub fn write(file: &str, octets: &[u8]) -> Result<(), String> {
    std::fs::write(file, octets).map_err(|error| format!("{file}: {error}"))
}

fn place<M: Machine>(machine: &mut M, file: &str, addr: u32, octets: &[u8]) -> Result<(), String> {
    if machine.place(addr, octets) {
        Ok(())
    } else {
        let count = octets.len();
        Err(format!(
            "{file}: there is no memory for {count} octets at 0x{addr:x}"
        ))
    }
}

/// Loads the segments of an executable where a programmer writes them.
fn load_image<M: Machine>(machine: &mut M, file: &str) -> Result<(), String> {
    let octets = read(file)?;
    let elf = Elf::parse(&octets, "bare-run", &[M::ELF]).map_err(|e| format!("{file}: {e}"))?;
    for segment in &elf.segments {
        place(machine, file, segment.physical, &segment.data)?;
    }
    Ok(())
}

/// Copies octets into a memory; false if they do not fit.
pub fn copy_in(memory: &mut [u8], offset: usize, octets: &[u8]) -> bool {
    let room = memory.get_mut(offset..);
    match room.and_then(|room| room.get_mut(..octets.len())) {
        Some(room) => {
            room.copy_from_slice(octets);
            true
        }
        None => false,
    }
}

/// Octets of a memory; `None` if some of them are outside.
pub fn copy_out(memory: &[u8], offset: usize, length: usize) -> Option<Vec<u8>> {
    Some(memory.get(offset..)?.get(..length)?.to_vec())
}
