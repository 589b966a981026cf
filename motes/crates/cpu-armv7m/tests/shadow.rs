//! What the shadow says is true: instructions are executed in pairs of states that differ in octets
//! marked as secret, and in nothing else. If the shadow finds nothing that shows the secret, both
//! take the same way in the same time, and what differs afterwards is marked. All 16-bit
//! instructions are tried, and 32-bit ones at random, inside IT blocks too.

#![allow(
    clippy::needless_range_loop,
    reason = "an octet has the same place in several arrays"
)]

use std::collections::BTreeMap;

use cpu_armv7m::{Bus, BusError, Core, Cpu, LongMultiply, Shadow, Step, Timed, Timing};
use taint::{Registers, Taint};

const CODE: u32 = 0x1000;
const RAM: u32 = 0x2000_0000;
const OCTETS: u32 = 0x1_0000;
const KEY: u32 = 1;

fn mix(a: u32, b: u32) -> u32 {
    let x = (a ^ b.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
    (x ^ x >> 13).wrapping_mul(0xC2B2_AE35) ^ x >> 16
}

/// An octet; 0 and 255 are frequent, because they decide most.
fn octet(value: u32) -> u8 {
    [0, 0xff, value as u8, value as u8][(value >> 8) as usize % 4]
}

fn secret(seed: u32, addr: u32) -> bool {
    addr.wrapping_sub(RAM) < OCTETS && mix(seed, addr | 1 << 20).is_multiple_of(3)
}

/// All addresses hold something; secret octets differ between the two of a pair.
struct Memory {
    seed: u32,
    other: bool,
    code: [u16; 2],
    written: BTreeMap<u32, u8>,
}

impl Memory {
    fn octet(&self, addr: u32) -> u8 {
        if let Some(octet) = self.written.get(&addr) {
            return *octet;
        }
        if let at @ 0..4 = addr.wrapping_sub(CODE) {
            return self.code[at as usize / 2].to_le_bytes()[at as usize % 2];
        }
        let noise = mix(self.seed ^ 77, addr) as u8;
        let differs = self.other && secret(self.seed, addr);
        octet(mix(self.seed, addr)) ^ if differs { noise } else { 0 }
    }

    fn word(&self, addr: u32) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|at| {
            self.octet(addr.wrapping_add(at as u32))
        }))
    }

    fn put(&mut self, addr: u32, octets: &[u8]) -> Result<u32, BusError> {
        for (at, octet) in octets.iter().enumerate() {
            self.written.insert(addr.wrapping_add(at as u32), *octet);
        }
        Ok(0)
    }
}

fn timed<T>(value: T) -> Result<Timed<T>, BusError> {
    Ok(Timed { value, wait: 0 })
}

impl Bus for Memory {
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        timed(self.word(addr))
    }
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
        timed(self.octet(addr))
    }
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
        timed(self.word(addr) as u16)
    }
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        timed(self.word(addr))
    }
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError> {
        self.put(addr, &[value])
    }
    fn write16(&mut self, addr: u32, value: u16) -> Result<u32, BusError> {
        self.put(addr, &value.to_le_bytes())
    }
    fn write32(&mut self, addr: u32, value: u32) -> Result<u32, BusError> {
        self.put(addr, &value.to_le_bytes())
    }
}

/// Registers and flags of both; the second has other secrets.
fn fill(seed: u32, cpus: [&mut Cpu; 2], shadow: &mut Shadow) {
    let [a, b] = cpus;
    for register in 0..15_usize {
        let mut octets = [[0; 4]; 2];
        for at in 0..4 {
            let value = mix(seed, (register * 4 + at) as u32 | 1 << 16);
            // Most registers point to RAM.
            octets[0][at] = match at {
                3 => [0x20, 0x20, 0, 0xff][(value >> 8) as usize % 4],
                2 => [0, 0, value as u8, 0xff][(value >> 8) as usize % 4],
                _ => octet(value),
            };
            let differs = (value >> 16).is_multiple_of(4) && register != 13;
            octets[1][at] = octets[0][at] ^ if differs { mix(value, 3) as u8 } else { 0 };
            if differs {
                *shadow.octet(register * 4 + at) = KEY;
            }
        }
        (a.regs[register], b.regs[register]) =
            (u32::from_le_bytes(octets[0]), u32::from_le_bytes(octets[1]));
    }
    let flags = mix(seed, 6) & 0xf800_0000;
    let mut other = flags;
    for (bit, of) in [
        (31, &mut shadow.flags.n),
        (30, &mut shadow.flags.z),
        (29, &mut shadow.flags.c),
        (28, &mut shadow.flags.v),
        (27, &mut shadow.flags.q),
    ] {
        if mix(seed, 100 + bit).is_multiple_of(3) {
            *of = KEY;
            other ^= mix(seed, 200 + bit) & 1 << bit;
        }
    }
    // In one of four states an IT block is under way, of one instruction.
    let it = if mix(seed, 7).is_multiple_of(4) {
        (mix(seed, 8) % 14) << 12 | 1 << 11
    } else {
        0
    };
    for (cpu, flags) in [(a, flags), (b, other)] {
        cpu.regs[13] = RAM + 0x8000;
        cpu.regs[15] = CODE;
        cpu.set_xpsr(flags | it | 1 << 24);
    }
}

struct Pair {
    cpus: [Cpu; 2],
    taint: Taint,
    /// The shadow of memory before any instruction.
    fresh: Taint,
}

impl Pair {
    fn new(core: Core) -> Pair {
        let timing = Timing {
            long_multiply: match Timing::of(core, true).long_multiply {
                LongMultiply::One => LongMultiply::One,
                _ => LongMultiply::ByBothOperands,
            },
            ..Timing::of(core, true)
        };
        let mut cpu = Cpu::new(timing);
        (cpu.halt.faults, cpu.halt.breakpoints) = (true, true);
        let mut taint = Taint::default();
        taint.add_window(RAM, OCTETS, true);
        Pair {
            cpus: [cpu.clone(), cpu],
            fresh: taint.clone(),
            taint,
        }
    }

    /// Executes one pair. The result is whether a secret was said to show; `None`: it is no
    /// instruction that both can execute.
    fn execute(&mut self, code: [u16; 2], seed: u32, memory_seed: u32) -> Option<bool> {
        let mut memories = [false, true].map(|other| Memory {
            seed: memory_seed,
            other,
            code,
            written: BTreeMap::new(),
        });
        let mut shadow = Shadow::default();
        let [a, b] = &mut self.cpus;
        for (cpu, memory) in [&mut *a, &mut *b].into_iter().zip(&mut memories) {
            cpu.invalidate_code(CODE, 4);
            cpu.reset(memory, 0).ok()?;
            cpu.cycles = 0;
            cpu.flush_pipeline();
        }
        fill(seed, [a, b], &mut shadow);
        self.taint.start();
        self.taint.begin(CODE, 0..0);
        shadow.follow(a, &mut memories[0], &mut self.taint);
        let ends = [a.step(&mut memories[0]), b.step(&mut memories[1])];
        let shows = !self.taint.dependences().is_empty();
        let both = ends.iter().all(Result::is_ok);
        let what = format!("{:04x} {:04x}, {seed}", code[0], code[1]);
        if !shows && both {
            assert_eq!(ends[0], ends[1], "{what}: cycles");
            self.same(&what, &mut shadow, &memories);
        }
        if !both {
            self.taint = self.fresh.clone();
        }
        for &addr in memories[0].written.keys() {
            let of = if secret(memory_seed, addr) { KEY } else { 0 };
            self.taint.mark(addr..addr.saturating_add(1), of);
        }
        both.then_some(shows)
    }

    /// What differs is marked.
    fn same(&self, what: &str, shadow: &mut Shadow, memories: &[Memory; 2]) {
        let [a, b] = &self.cpus;
        assert_eq!(a.regs[15], b.regs[15], "{what}: PC");
        for octet in 0..60 {
            let (register, at) = (octet / 4, octet % 4);
            let differ = a.regs[register].to_le_bytes()[at] != b.regs[register].to_le_bytes()[at];
            let marked = *shadow.octet(octet) == KEY;
            assert!(!differ || marked, "{what}: octet {at} of r{register}");
        }
        let flags = shadow.flags;
        let differ = a.xpsr() ^ b.xpsr();
        for (bit, of) in [
            (31, flags.n),
            (30, flags.z),
            (29, flags.c),
            (28, flags.v),
            (27, flags.q),
        ] {
            assert!(
                differ >> bit & 1 == 0 || of == KEY,
                "{what}: bit {bit} of the PSR"
            );
        }
        assert!(differ >> 16 & 15 == 0 || flags.ge == KEY, "{what}: GE");
        for &addr in memories.iter().flat_map(|one| one.written.keys()) {
            let inside = addr.wrapping_sub(RAM) < OCTETS;
            let differ = memories[0].octet(addr) != memories[1].octet(addr);
            let marked = self.taint.of(addr) == KEY;
            assert!(!inside || !differ || marked, "{what}: octet {addr:08x}");
        }
    }
}

fn try_all(core: Core, seeds: u32, wide: u32) {
    let (mut quiet, mut loud) = (0, 0);
    for memory_seed in 0..seeds {
        let mut pair = Pair::new(core);
        for addr in (RAM..RAM + OCTETS).filter(|addr| secret(memory_seed, *addr)) {
            pair.taint.mark(addr..addr + 1, KEY);
        }
        pair.fresh = pair.taint.clone();
        let narrow = (0..0xe800_u32).map(|first| (first, [first as u16, 0xbf00]));
        let wide = (0..wide).map(|n| {
            let word = mix(n, memory_seed | 1 << 30);
            (n ^ 1 << 17, [0xe800 | (word >> 16) as u16, word as u16])
        });
        for (n, code) in narrow.chain(wide) {
            match pair.execute(code, mix(n, memory_seed), memory_seed) {
                Some(true) => loud += 1,
                Some(false) => quiet += 1,
                None => {}
            }
        }
    }
    assert!(
        quiet > 50_000,
        "{quiet} {loud}: too few states prove anything"
    );
}

#[test]
fn what_is_not_marked_depends_on_no_secret_on_a_cortex_m3() {
    try_all(Core::CortexM3, 3, 200_000);
}

#[test]
fn what_is_not_marked_depends_on_no_secret_on_a_cortex_m4() {
    try_all(Core::CortexM4, 2, 200_000);
}
