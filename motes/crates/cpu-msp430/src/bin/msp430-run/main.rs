//! `msp430-run`: the bare CPU on flat memory, for tests against other simulators and for measuring
//! its speed.
//!
//! ```text
//! msp430-run                                       commands on standard input, see below
//! msp430-run --bench IMAGE --stop ADDR [--limit N] reset, run to ADDR; prints cycles, instructions, wall seconds
//! ```
//!
//! IMAGE is an ELF executable or Intel hex. Numbers are decimal, or hexadecimal with `0x`. A
//! command is one line and is answered by one line, `error …` if it failed (`trace` by one line
//! more per step). The commands shared with mspdebug have its names and arguments:
//!
//! | command | answer |
//! | --- | --- |
//! | `load_raw FILE ADDR` | `ok` |
//! | `save_raw ADDR LENGTH FILE` | `ok` |
//! | `set REGISTER VALUE` | `ok` |
//! | `regs` | R0 … R15 as 4 hexadecimal digits each |
//! | `step N` | executes N instructions; cycles they took (decimal), R0 … R15 |
//! | `until ADDR N` | the same, but ends at ADDR; instructions done (decimal), cycles, R0 … R15 |
//! | `trace N` | runs N instructions on a copy; per instruction the state before it: the three words at the PC, then R0 … R15; then `end`, or `end` and the fault |

mod image;
mod machine;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use machine::{IO_END, Machine};

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
            eprintln!("msp430-run: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Octets of a string of hexadecimal digits.
fn octets_of_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).ok())
        .collect()
}

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not a number"))
}

fn word(text: &str) -> Result<u16, String> {
    u16::try_from(number(text)?).map_err(|_| format!("`{text}` does not fit 16 bits"))
}

/// Runs an image from reset to a stop address and prints what it took.
fn bench(arguments: &[String]) -> Result<(), String> {
    let (mut path, mut stop, mut limit) = (None, None, u64::MAX);
    for pair in arguments.chunks(2) {
        match pair {
            [key, value] if key == "--bench" => path = Some(value),
            [key, value] if key == "--stop" => stop = Some(word(value)?),
            [key, value] if key == "--limit" => limit = number(value)?,
            _ => return Err(USAGE.into()),
        }
    }
    let (Some(path), Some(stop)) = (path, stop) else {
        return Err(USAGE.into());
    };
    // Peripheral registers are plain memory here: a program may stop its watchdog, to no effect.
    let mut machine = Machine::new(0);
    for (addr, octets) in image::read(Path::new(path))? {
        if !machine.memory.place(addr, &octets) {
            return Err(format!(
                "{path}: a segment at 0x{addr:x} lies outside 64 KiB"
            ));
        }
    }
    machine
        .cpu
        .reset(&mut machine.memory)
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let run = machine.run(limit, Some(stop));
    let seconds = start.elapsed().as_secs_f64();
    if let Some(fault) = run.fault {
        return Err(format!(
            "after {} cycles, coming from 0x{:04x}: {fault}",
            run.cycles,
            machine.cpu.last_pc()
        ));
    }
    if machine.cpu.regs[0] != stop {
        return Err(format!(
            "0x{stop:04x} was not reached in {} instructions",
            run.instructions
        ));
    }
    println!(
        "cycles {}\ninstructions {}\nseconds {seconds:.6}",
        run.cycles, run.instructions
    );
    Ok(())
}

const USAGE: &str = "usage: msp430-run [--bench IMAGE --stop ADDR [--limit N]]";

/// Answers the commands of standard input.
fn serve() -> Result<(), String> {
    let mut machine = Machine::new(IO_END);
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
        ["load_raw", file, addr] => {
            let octets = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            let fits = machine.memory.place(usize::from(word(addr)?), &octets);
            if fits {
                Ok("ok".into())
            } else {
                Err(format!("{file} does not fit"))
            }
        }
        ["save_raw", addr, length, file] => {
            let (addr, length) = (usize::from(word(addr)?), usize::from(word(length)?));
            let octets = machine
                .memory
                .octets()
                .get(addr..addr + length)
                .ok_or("outside 64 KiB")?;
            std::fs::write(file, octets).map_err(|error| format!("{file}: {error}"))?;
            Ok("ok".into())
        }
        ["set", register, value] => {
            let register = usize::from(word(register)?);
            let value = word(value)?;
            *machine
                .cpu
                .regs
                .get_mut(register)
                .ok_or("registers are 0 to 15")? = value;
            Ok("ok".into())
        }
        ["regs"] => Ok(registers(machine)),
        ["step", count] => {
            let run = machine.run(number(count)?, None);
            run.fault.map_or_else(
                || Ok(format!("{} {}", run.cycles, registers(machine))),
                |fault| Err(fault.to_string()),
            )
        }
        ["until", addr, count] => {
            let run = machine.run(number(count)?, Some(word(addr)?));
            let fault = run.fault.map(|fault| fault.to_string());
            fault.map_or_else(
                || {
                    Ok(format!(
                        "{} {} {}",
                        run.instructions,
                        run.cycles,
                        registers(machine)
                    ))
                },
                Err,
            )
        }
        ["trace", count] => Ok(trace(machine.clone(), number(count)?)),
        _ => Err(format!("unknown command `{}`", words.join(" "))),
    }
}

fn registers(machine: &Machine) -> String {
    machine
        .cpu
        .regs
        .map(|value| format!("{value:04x}"))
        .join(" ")
}

/// The states before each of `count` instructions, on a copy of the machine.
fn trace(mut machine: Machine, count: u64) -> String {
    let mut lines = String::new();
    for _ in 0..count {
        let pc = machine.cpu.regs[0];
        let words = [0, 2, 4]
            .map(|i| format!("{:04x}", machine.peek(pc.wrapping_add(i))))
            .join(" ");
        let state = format!("{words} {}\n", registers(&machine));
        if let Some(fault) = machine.run(1, None).fault {
            return format!("{lines}end {fault}");
        }
        lines += &state;
    }
    lines + "end"
}
