//! What the shadow says is true: every word is executed in pairs of states that differ in octets
//! marked as secret, and in nothing else. If the shadow finds nothing that shows the secret, both
//! take the same way, and what differs afterwards is marked.

use std::collections::BTreeMap;

use cpu_avr::{Bus, BusError, Cpu, DATA_START, Shadow, Step};
use taint::{Registers, Taint};

/// Word address of the instruction.
const CODE: u16 = 0x1000;
const KEY: u32 = 1;

fn mix(a: u32, b: u32) -> u32 {
    let x = (a ^ b.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
    (x ^ x >> 13).wrapping_mul(0xC2B2_AE35) ^ x >> 16
}

/// An octet; 0 and 255 are frequent, because they decide most.
fn octet(value: u32) -> u8 {
    [0, 0xff, value as u8, value as u8][(value >> 8) as usize % 4]
}

fn secret(seed: u32, addr: u16) -> bool {
    addr >= 0x60 && mix(seed, u32::from(addr) | 1 << 20).is_multiple_of(3)
}

/// Program memory, and a data space whose secret octets differ between the two of a pair.
struct Memory {
    seed: u32,
    other: bool,
    code: [u16; 2],
    written: BTreeMap<u16, u8>,
}

impl Memory {
    fn octet(&self, addr: u16) -> u8 {
        let fresh = || {
            let noise = mix(self.seed ^ 77, addr.into()) as u8;
            let differs = self.other && secret(self.seed, addr);
            octet(mix(self.seed, addr.into())) ^ if differs { noise } else { 0 }
        };
        self.written.get(&addr).copied().unwrap_or_else(fresh)
    }
}

impl Bus for Memory {
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        let at = pc.wrapping_sub(CODE);
        let other = mix(self.seed, u32::from(pc) | 1 << 24) as u16;
        Ok(self.code.get(usize::from(at)).copied().unwrap_or(other))
    }
    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        Ok(self.octet(addr))
    }
    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.written.insert(addr, value);
        Ok(())
    }
}

/// The same registers twice; the second has other secrets.
fn pair(seed: u32, shadow: &mut Shadow) -> [Cpu; 2] {
    let mut cpus = [Cpu::new(), Cpu::new()];
    for register in 0..32_usize {
        let value = mix(seed, register as u32 | 1 << 16);
        let differs = (value >> 16).is_multiple_of(3);
        if differs {
            *shadow.octet(register) = KEY;
        }
        cpus[0].regs[register] = octet(value);
        cpus[1].regs[register] = octet(value) ^ if differs { mix(value, 3) as u8 } else { 0 };
    }
    for cpu in &mut cpus {
        cpu.pc = CODE;
        cpu.sp = 0x0800 | mix(seed, 5) as u16 & 0xff;
        cpu.sreg = mix(seed, 6) as u8;
        cpu.rampz = 0;
    }
    cpus
}

/// Executes one pair. The result is whether a secret was said to show.
fn execute(word: u16, seed: u32, taint: &mut Taint) -> bool {
    let mut memories = [false, true].map(|other| Memory {
        seed,
        other,
        code: [word, mix(seed, 1) as u16],
        written: BTreeMap::new(),
    });
    let mut shadow = Shadow::default();
    let mut cpus = pair(seed, &mut shadow);
    taint.start();
    taint.begin(u32::from(CODE) * 2, DATA_START..DATA_START + 0x1_0000);
    // The instruction before may have left flags that depend on the secret.
    let of_flags = mix(seed, u32::from(word) | 1 << 27) as u8;
    let differ = of_flags & mix(seed, 9) as u8;
    cpus[1].sreg ^= differ;
    for bit in 0..8 {
        if of_flags >> bit & 1 != 0 {
            *shadow.flag_of(bit) = KEY;
        }
    }
    shadow.follow(&cpus[0], &mut memories[0], taint);
    let [a, b] = &mut cpus;
    let ends = [a.step(&mut memories[0]), b.step(&mut memories[1])];
    let shows = !taint.dependences().is_empty();
    if !shows && let [Ok(first), Ok(second)] = ends {
        assert_eq!(first, second, "{word:04x}: cycles");
        assert_eq!(a.pc, b.pc, "{word:04x} {seed}: PC");
        for register in 0..32 {
            let marked = *shadow.octet(register) == KEY;
            assert!(
                a.regs[register] == b.regs[register] || marked,
                "{word:04x} {seed}: R{register}"
            );
        }
        for (bit, of) in shadow.flags().into_iter().enumerate() {
            let differ = (a.sreg ^ b.sreg) >> bit & 1 != 0;
            assert!(!differ || of == KEY, "{word:04x} {seed}: bit {bit} of SREG");
        }
        for &addr in memories.iter().flat_map(|one| one.written.keys()) {
            let differ = memories[0].octet(addr) != memories[1].octet(addr);
            let marked = taint.of(DATA_START + u32::from(addr)) == KEY;
            assert!(!differ || marked, "{word:04x} {seed}: octet {addr:04x}");
        }
    }
    for &addr in memories[0].written.keys() {
        let (at, of) = (DATA_START + u32::from(addr), u32::from(secret(seed, addr)));
        taint.mark(at..at + 1, of * KEY);
    }
    shows
}

#[test]
fn what_is_not_marked_depends_on_no_secret() {
    let (mut quiet, mut loud) = (0, 0);
    for seed in 0..12 {
        let mut taint = Taint::default();
        taint.add_window(DATA_START, 0x1_0000, true);
        for addr in (0..=u16::MAX).filter(|addr| secret(seed, *addr)) {
            let at = DATA_START + u32::from(addr);
            taint.mark(at..at + 1, KEY);
        }
        for word in 0..=u16::MAX {
            if execute(word, seed, &mut taint) {
                loud += 1;
            } else {
                quiet += 1;
            }
        }
    }
    assert!(
        quiet > loud,
        "{quiet} {loud}: a shadow that always finds something is no help"
    );
}
