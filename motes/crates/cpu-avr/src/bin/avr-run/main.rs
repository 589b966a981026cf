//! `avr-run`: the bare CPU on the memories of an ATmega1281, for tests against other simulators and
//! for its speed.
//!
//! ```text
//! avr-run                                        commands on standard input, see below
//! avr-run --bench IMAGE --stop ADDR [--limit N]  from reset to ADDR; prints cycles, instructions, wall seconds
//! ```
//!
//! IMAGE is an ELF executable, or raw program memory from address 0. Addresses of code count
//! octets, as linkers do. Numbers are decimal, or hexadecimal with `0x`. A command is one line and
//! is answered by one line, `error …` if it failed:
//!
//! | command | answer |
//! | --- | --- |
//! | `load FILE` | places an IMAGE; `ok` |
//! | `data FILE` | fills the data space from address 0 (R0 …, I/O, SRAM); `ok` |
//! | `save FILE` | writes the whole data space to a file; `ok` |
//! | `pc ADDR` | sets the PC; `ok` |
//! | `step N` | executes N instructions; cycles since the beginning, PC, SP, SREG, RAMPZ, R0 … R31 |
//! | `dump` | the same without executing anything |
//! | `records N FILE` | executes N instructions and writes the state after each to FILE, see `Machine::record`; `ok` |

mod elf;
mod machine;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use machine::Machine;

/// Octets of one state in the file of `records`.
const RECORD: usize = 48;

const USAGE: &str = "usage: avr-run [--bench IMAGE --stop ADDR [--limit N]]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = if arguments.is_empty() {
        serve()
    } else {
        bench(&arguments)
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("avr-run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not a number"))
}

/// A word address from an even address in octets.
fn code_address(text: &str) -> Result<u16, String> {
    let addr = number(text)?;
    if addr % 2 != 0 {
        return Err(format!("code does not lie at the odd address `{text}`"));
    }
    u16::try_from(addr / 2).map_err(|_| format!("`{text}` lies outside 128 KiB"))
}

/// Places an ELF executable, or raw octets from address 0.
fn load(machine: &mut Machine, path: &str) -> Result<(), String> {
    let octets = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let segments = if octets.starts_with(b"\x7fELF") {
        elf::read(Path::new(path))?
    } else {
        vec![(0, octets)]
    };
    for (addr, octets) in segments {
        if !machine.memory.place_program(addr as usize, &octets) {
            return Err(format!("{path}: octets at 0x{addr:x} lie outside 128 KiB"));
        }
    }
    Ok(())
}

/// Runs an image from reset to a stop address and prints what it took.
fn bench(arguments: &[String]) -> Result<(), String> {
    let (mut path, mut stop, mut limit) = (None, None, u64::MAX);
    for pair in arguments.chunks(2) {
        match pair {
            [key, value] if key == "--bench" => path = Some(value),
            [key, value] if key == "--stop" => stop = Some(code_address(value)?),
            [key, value] if key == "--limit" => limit = number(value)?,
            _ => return Err(USAGE.into()),
        }
    }
    let (Some(path), Some(stop)) = (path, stop) else {
        return Err(USAGE.into());
    };
    let mut machine = Machine::new();
    load(&mut machine, path)?;
    let start = Instant::now();
    let run = machine.run(limit, Some(stop));
    let seconds = start.elapsed().as_secs_f64();
    let (cycles, instructions) = (machine.cpu.cycles, run.instructions);
    if let Some(fault) = run.fault {
        let from = u32::from(machine.cpu.last_pc()) * 2;
        return Err(format!(
            "after {cycles} cycles, coming from 0x{from:05x}: {fault}"
        ));
    }
    if machine.cpu.pc != stop {
        return Err(format!(
            "the end was not reached in {instructions} instructions"
        ));
    }
    println!("cycles {cycles}\ninstructions {instructions}\nseconds {seconds:.6}");
    Ok(())
}

/// Answers the commands of standard input.
fn serve() -> Result<(), String> {
    let mut machine = Machine::new();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = command(&mut machine, &words).unwrap_or_else(|error| format!("error {error}"));
        writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn command(machine: &mut Machine, words: &[&str]) -> Result<String, String> {
    match words {
        ["load", file] => load(machine, file)?,
        ["data", file] => {
            let octets = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            if !machine.set_data(&octets) {
                return Err(format!("{file} does not fit"));
            }
        }
        ["save", file] => {
            std::fs::write(file, machine.data()).map_err(|error| format!("{file}: {error}"))?
        }
        ["pc", addr] => machine.cpu.pc = code_address(addr)?,
        ["step", count] => {
            let run = machine.run(number(count)?, None);
            return run
                .fault
                .map_or_else(|| Ok(state(machine)), |fault| Err(fault.to_string()));
        }
        ["dump"] => return Ok(state(machine)),
        ["records", count, file] => records(machine, number(count)?, file)?,
        _ => return Err(format!("unknown command `{}`", words.join(" "))),
    }
    Ok("ok".into())
}

fn records(machine: &mut Machine, count: u64, file: &str) -> Result<(), String> {
    let mut octets = Vec::with_capacity(RECORD);
    let mut fault = None;
    for _ in 0..count {
        fault = machine.run(1, None).fault;
        if fault.is_some() {
            break;
        }
        machine.record(&mut octets);
    }
    std::fs::write(file, octets).map_err(|error| format!("{file}: {error}"))?;
    fault.map_or(Ok(()), |fault| Err(fault.to_string()))
}

fn state(machine: &Machine) -> String {
    let cpu = &machine.cpu;
    let regs = cpu.regs.map(|value| format!("{value:02x}")).join(" ");
    let pc = u32::from(cpu.pc) * 2;
    format!(
        "{} {pc:05x} {:04x} {:02x} {:02x} {regs}",
        cpu.cycles, cpu.sp, cpu.sreg, cpu.rampz
    )
}
