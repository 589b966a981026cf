//! Replays what ghdl recorded of the coprocessor's pins (`hdl/tb/trace_writer.vhd`) with the model, and
//! compares the pins that go out in every clock.
//!
//!     replay_coprocessor INTERFACE CORE CLOCKS_A_BIT < trace
//!
//! A line is the number of a clock, the bits that go in from then on, and those that come out. Before
//! the first reset nothing is compared, and an octet of `octets` only where it is valid.

use device::coprocessor::{BusIn, CoreKind, HostIn, LineOut, Modes, Registers, SerialLines};
use std::io::BufRead;

/// A device that takes bits in each clock, and gives bits.
enum Device {
    Octets(Modes),
    Registers(Registers),
    Serial(SerialLines, CoreKind),
}

/// A line of the trace.
struct Line {
    clock: u64,
    ins: Vec<u8>,
    outs: Vec<u8>,
}

fn octet(bits: &[u8]) -> u8 {
    bits.iter()
        .fold(0, |octet, bit| octet << 1 | u8::from(*bit == b'1'))
}

fn bits(octet: u8) -> impl Iterator<Item = u8> {
    (0..8).rev().map(move |bit| b'0' + (octet >> bit & 1))
}

impl Device {
    fn new(interface: &str, core: CoreKind, clocks_a_bit: u32) -> Option<Device> {
        Some(match interface {
            "octets" => Device::Octets(Modes::new(core)),
            "registers" => Device::Registers(Registers::new(core)),
            "serial" => Device::Serial(SerialLines::new(core, clocks_a_bit), core),
            _ => return None,
        })
    }

    /// Clocks pass with the same bits in; the bits that came out, wherever they changed.
    fn pass(&mut self, clocks: u64, ins: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut seen: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut clock = 0;
        while clock < clocks {
            let (outs, passed) = self.step(clocks - clock, ins);
            if seen.last().is_none_or(|(_, before)| *before != outs) {
                seen.push((clock, outs));
            }
            clock += passed;
        }
        seen
    }

    /// One clock, and those behind it in which nothing changes; how many.
    fn step(&mut self, most: u64, ins: &[u8]) -> (Vec<u8>, u64) {
        let flag = |set: bool| b'0' + u8::from(set);
        match self {
            Device::Octets(modes) => {
                let host = HostIn {
                    wipe: ins[0] == b'1',
                    valid: ins[1] == b'1',
                    octet: octet(&ins[2..10]),
                    ready: ins[10] == b'1',
                };
                let out = modes.clock(host);
                let given = bits(out.octet).map(|bit| if out.valid { bit } else { b'-' });
                let mut outs = vec![flag(out.ready), flag(out.valid)];
                outs.extend(given);
                outs.push(flag(out.busy));
                let quiet = modes
                    .quiet()
                    .map_or(most - 1, |quiet| (most - 1).min(quiet.into()));
                modes.skip(u32::try_from(quiet).unwrap_or(0));
                (
                    outs,
                    1 + if u32::try_from(quiet).is_ok() {
                        quiet
                    } else {
                        0
                    },
                )
            }
            Device::Registers(registers) => {
                let (seen, irq) = registers.clock(BusIn {
                    reset: ins[0] == b'1',
                    select: ins[1] == b'1',
                    write: ins[2] == b'1',
                    address: octet(&ins[3..5]),
                    octet: octet(&ins[5..13]),
                });
                (bits(seen).chain([flag(irq)]).collect(), 1)
            }
            Device::Serial(lines, core) => {
                let LineOut { line, fault } = lines.out();
                let outs = vec![flag(line), flag(fault)];
                if ins[0] == b'1' {
                    lines.reset(*core);
                    return (outs, 1);
                }
                let level = ins[1] == b'1';
                let before = lines.clocks();
                lines.clock(level);
                let quiet = lines.quiet(level).map_or(u64::MAX, u64::from);
                if quiet > 0 && most > 1 {
                    lines.pass_quietly(quiet.min(most - 1));
                }
                (outs, lines.clocks() - before)
            }
        }
    }
}

/// Whether the bits are those that were recorded; of an octet that means nothing, none are.
fn alike(recorded: &[u8], found: &[u8]) -> bool {
    recorded.len() == found.len()
        && recorded
            .iter()
            .zip(found)
            .all(|(one, other)| *other == b'-' || one == other)
}

fn read(text: &str) -> Option<Line> {
    let mut words = text.split_whitespace();
    let clock = words.next()?.parse().ok()?;
    let (ins, outs) = (words.next()?.into(), words.next()?.into());
    Some(Line { clock, ins, outs })
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [interface, core, clocks_a_bit] = words.as_slice() else {
        return Err("replay_coprocessor INTERFACE CORE CLOCKS_A_BIT".into());
    };
    let core = CoreKind::named(core).ok_or("no such core")?;
    let clocks_a_bit = clocks_a_bit.parse().map_err(|_| "no number of clocks")?;
    let mut device = Device::new(interface, core, clocks_a_bit).ok_or("no such interface")?;
    let mut lines = Vec::new();
    for text in std::io::stdin().lock().lines() {
        let text = text.map_err(|error| error.to_string())?;
        lines.push(read(&text).ok_or(format!("no line of a trace: {text}"))?);
    }
    let reset = lines.iter().position(|line| line.ins[0] == b'1');
    let lines = &lines[reset.ok_or("the trace has no reset")?..];
    let (mut compared, mut was_reset) = (0, false);
    for pair in lines.windows(2) {
        let [line, next] = pair else { continue };
        let clocks = next.clock - line.clock;
        for (clock, outs) in device.pass(clocks, &line.ins) {
            if was_reset && !alike(&line.outs, &outs) {
                return Err(format!(
                    "clock {}: {} and not {} with {} in",
                    line.clock + clock,
                    String::from_utf8_lossy(&outs),
                    String::from_utf8_lossy(&line.outs),
                    String::from_utf8_lossy(&line.ins),
                ));
            }
        }
        compared += if was_reset { clocks } else { 0 };
        was_reset = true;
    }
    println!("{compared} clocks, {} changes", lines.len());
    Ok(())
}
