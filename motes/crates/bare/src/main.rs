//! `bare-run CPU`: one CPU on plain memory, without peripherals, for tests against other
//! simulators.
//!
//! It reads commands from standard input, one a line, and answers each with one line: `error …` if
//! the command failed. Numbers are decimal, or hexadecimal with `0x`. Addresses count octets;
//! data memory of the AVR begins at 0x800000, as in its ELF files.
//!
//! | command | answer |
//! | --- | --- |
//! | `image FILE` | loads an ELF executable; `ok` |
//! | `load FILE ADDR` | copies the octets of FILE to ADDR; `ok` |
//! | `save ADDR LENGTH FILE` | writes memory to FILE; `ok` |
//! | `reset` | starts the program as after power-up; `ok` |
//! | `set REGISTER VALUE` | sets the register with that number in the answer of `regs`; `ok` |
//! | `all VALUE …` | sets all registers; `ok` |
//! | `regs` | all registers in hexadecimal |
//! | `step N` | executes N instructions; cycles they took (decimal), registers |
//! | `until ADDR N` | executes at most N instructions, up to ADDR; instructions, cycles, registers |
//!
//! Each CPU adds commands of its own: they are listed in its file. To add a CPU, implement
//! [`Machine`] in a new file and name it in [`CPUS`].

mod armv7m;
mod avr;
mod machine;
mod msp430;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use machine::{Machine, command};

/// Serves the commands of standard input until it ends.
type Serve = fn() -> io::Result<()>;

/// Every CPU by name.
const CPUS: [(&str, Serve); 3] = [
    ("msp430", serve::<msp430::Msp430>),
    ("avr", serve::<avr::Avr>),
    ("armv7m", serve::<armv7m::Armv7m>),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = match arguments.as_slice() {
        [name] => CPUS.iter().find(|(cpu, _)| cpu == name),
        _ => None,
    };
    let Some((_, serve)) = chosen else {
        let names = CPUS.map(|(cpu, _)| cpu).join(", ");
        eprintln!("usage: bare-run CPU, where CPU is one of {names}");
        return ExitCode::from(2);
    };
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bare-run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve<M: Machine>() -> io::Result<()> {
    let mut machine = M::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = command(&mut machine, &words).unwrap_or_else(|error| format!("error {error}"));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
