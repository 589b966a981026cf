//! `armv7m-run`: the bare core on flat memory, for tests against other emulators and for measuring
//! its speed.
//!
//! ```text
//! armv7m-run                                       commands on standard input, see below
//! armv7m-run --bench IMAGE --vectors ADDR --stop ADDR [--limit CYCLES] [--timing low|high] [--fetch-wait N]
//!            [--line-wait N] [--way quick|sprint|step]
//!                                                  reset, run to ADDR; prints cycles and wall seconds
//! armv7m-run --decode-all                          decodes every pattern; prints how many there are and are defined
//! ```
//!
//! `--fetch-wait` makes every fetch wait, `--line-wait` every access to code memory outside the
//! last line of 8 octets. Ways: as quick as it goes; without blocks; one instruction after the
//! other.
//!
//! IMAGE is an ELF executable. Numbers are decimal, or hexadecimal with `0x`. Memory: 4 MiB of code
//! at 0, 1 MiB of RAM at 0x20000000. A command is one line and is answered by one line, `error …`
//! if it failed.
//!
//! | command | answer |
//! | --- | --- |
//! | `load_raw FILE ADDR` | `ok` |
//! | `save_raw ADDR LENGTH FILE` | `ok` |
//! | `set REGISTER VALUE` | `ok`; register 16 is xPSR without the exception number |
//! | `all VALUE × 17` | `ok`; sets R0 … R15, xPSR; pipeline and line buffer are empty |
//! | `regs` | R0 … R15 and xPSR as 8 hexadecimal digits each |
//! | `step N` | executes N instructions; cycles they took (decimal), R0 … xPSR |
//! | `until ADDR N` | the same, but ends at ADDR; instructions done (decimal), cycles, R0 … xPSR |
//! | `race ADDR CYCLES` | runs to ADDR by the quick way, at most for CYCLES; cycles (decimal), R0 … xPSR |
//! | `timing END WAIT` | `ok`; END of the band (`low`, `high`), and how many cycles a line of 8 octets of code memory takes more |
//! | `decode FIRST SECOND` | what two halfwords mean |

mod elf;
mod machine;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use cpu_armv7m::{Lines, Op, Timing, cycles};
use machine::{Machine, Run};

const USAGE: &str = "usage: armv7m-run [--decode-all | --bench IMAGE --vectors ADDR --stop ADDR [--limit CYCLES] \
                     [--timing low|high] [--fetch-wait N] [--line-wait N] \
                     [--way quick|sprint|step]]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [] => serve(),
        [all] if all == "--decode-all" => decode_all(),
        _ => bench(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("armv7m-run: {error}");
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

fn word(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| format!("`{text}` does not fit 32 bits"))
}

fn end_of_band(name: &str) -> Option<Timing> {
    match name {
        "low" => Some(Timing::low()),
        "high" => Some(Timing::high()),
        _ => None,
    }
}

/// A buffer of one line of 8 octets, empty.
fn lines(wait: u32) -> Lines {
    Lines {
        wait,
        shift: 3,
        line: u32::MAX,
    }
}

/// Runs an image from reset to a stop address and prints what it took.
fn bench(arguments: &[String]) -> Result<(), String> {
    let (mut path, mut vectors, mut stop, mut limit) = (None, 0, None, u64::MAX);
    let (mut timing, mut wait, mut line_wait) = (Timing::low(), 0, 0);
    let (mut plain, mut stepped) = (true, false);
    for pair in arguments.chunks(2) {
        match pair {
            [key, value] if key == "--bench" => path = Some(value),
            [key, value] if key == "--vectors" => vectors = word(value)?,
            [key, value] if key == "--stop" => stop = Some(word(value)?),
            [key, value] if key == "--limit" => limit = number(value)?,
            [key, value] if key == "--fetch-wait" => wait = word(value)?,
            [key, value] if key == "--line-wait" => line_wait = word(value)?,
            [key, value] if key == "--timing" => timing = end_of_band(value).ok_or(USAGE)?,
            [key, value] if key == "--way" => {
                (plain, stepped) = match value.as_str() {
                    "quick" => (true, false),
                    "sprint" => (false, false),
                    "step" => (false, true),
                    _ => return Err(USAGE.into()),
                }
            }
            _ => return Err(USAGE.into()),
        }
    }
    let (Some(path), Some(stop)) = (path, stop) else {
        return Err(USAGE.into());
    };
    let mut machine = Machine::new(timing);
    machine.memory.fetch_wait = wait;
    machine.memory.lines = lines(line_wait);
    machine.memory.plain = plain;
    for (addr, octets) in elf::read(Path::new(path))? {
        if !machine.memory.place(addr, &octets) {
            return Err(format!(
                "{path}: a segment at 0x{addr:x} lies outside the memory"
            ));
        }
    }
    machine
        .cpu
        .reset(&mut machine.memory, vectors)
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let run = if stepped {
        machine.run(limit, Some(stop))
    } else {
        machine.race(limit, stop)
    };
    let seconds = start.elapsed().as_secs_f64();
    if let Some(fault) = run.fault {
        return Err(format!("after {} cycles: {fault}", run.cycles));
    }
    if machine.cpu.regs[15] != stop {
        return Err(format!(
            "0x{stop:08x} was not reached in {} cycles",
            run.cycles
        ));
    }
    println!(
        "cycles {}\nseconds {seconds:.6}\nr0 0x{:08x}",
        run.cycles, machine.cpu.regs[0]
    );
    Ok(())
}

/// Decodes all 16-bit patterns and all pairs that begin a 32-bit instruction, with what is known of
/// them beforehand.
fn decode_all() -> Result<(), String> {
    let timing = Timing::high();
    let (mut patterns, mut defined, mut cycles) = (0_u64, 0_u64, 0_u64);
    for first in 0..=u16::MAX {
        // From here on the first halfword of a 32-bit instruction.
        let seconds = if first < 0xe800 { 0..=0 } else { 0..=u16::MAX };
        for second in seconds {
            let op = cpu_armv7m::decode(first, second);
            patterns += 1;
            defined += u64::from(op != Op::Undefined);
            cycles += u64::from(cycles::base(&op, &timing));
        }
    }
    println!("patterns {patterns}\ndefined {defined}\nbase cycles {cycles}");
    Ok(())
}

/// Answers the commands of standard input.
fn serve() -> Result<(), String> {
    let mut machine = Machine::new(Timing::low());
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
            let addr = word(addr)?;
            if !machine.memory.place(addr, &octets) {
                return Err(format!("{file} does not fit"));
            }
            machine.cpu.invalidate_code(addr, octets.len() as u32);
            Ok("ok".into())
        }
        ["save_raw", addr, length, file] => {
            let octets = machine
                .memory
                .octets(word(addr)?, word(length)? as usize)
                .ok_or("outside the memory")?;
            std::fs::write(file, octets).map_err(|error| format!("{file}: {error}"))?;
            Ok("ok".into())
        }
        ["set", register, value] => {
            set(machine, word(register)?, word(value)?).map(|()| "ok".into())
        }
        ["all", values @ ..] if values.len() == 17 => {
            for (register, value) in (0..).zip(values) {
                set(machine, register, word(value)?)?;
            }
            machine.cpu.flush_pipeline();
            machine.memory.lines.line = u32::MAX;
            Ok("ok".into())
        }
        ["regs"] => Ok(registers(machine)),
        ["step", count] => {
            let run = machine.run(number(count)?, None);
            finished(&run).map(|()| format!("{} {}", run.cycles, registers(machine)))
        }
        ["until", addr, count] => {
            let run = machine.run(number(count)?, Some(word(addr)?));
            finished(&run)
                .map(|()| format!("{} {} {}", run.instructions, run.cycles, registers(machine)))
        }
        ["race", addr, cycles] => {
            let run = machine.race(number(cycles)?, word(addr)?);
            finished(&run).map(|()| format!("{} {}", run.cycles, registers(machine)))
        }
        ["timing", end, wait] => {
            machine
                .cpu
                .set_timing(end_of_band(end).ok_or("`low` or `high`")?);
            machine.memory.lines = lines(word(wait)?);
            Ok("ok".into())
        }
        ["decode", first, second] => Ok(format!(
            "{:?}",
            cpu_armv7m::decode(word(first)? as u16, word(second)? as u16)
        )),
        _ => Err(format!("unknown command `{}`", words.join(" "))),
    }
}

fn set(machine: &mut Machine, register: u32, value: u32) -> Result<(), String> {
    match register {
        0..=15 => machine.cpu.regs[register as usize] = value,
        16 => machine.cpu.set_xpsr(value),
        _ => return Err("registers are 0 to 16".into()),
    }
    Ok(())
}

fn finished(run: &Run) -> Result<(), String> {
    run.fault.map_or(Ok(()), |fault| Err(fault.to_string()))
}

fn registers(machine: &Machine) -> String {
    let mut text = machine
        .cpu
        .regs
        .map(|value| format!("{value:08x}"))
        .join(" ");
    text += &format!(" {:08x}", machine.cpu.xpsr());
    text
}
