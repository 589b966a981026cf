//! What the shadow says is true: every word is executed in pairs of states that differ in octets
//! marked as secret, and in nothing else. If the shadow finds nothing that shows the secret, both
//! take the same way, and what differs afterwards is marked.

#![allow(
    clippy::needless_range_loop,
    reason = "an octet has the same place in several arrays"
)]

use std::collections::BTreeMap;

use cpu_msp430::{Bus, BusError, Cpu, SR_C, SR_N, SR_V, SR_Z, Shadow, Step};
use taint::{Registers, Taint};

const CODE: u16 = 0x4000;
const KEY: u32 = 1;
const FLAGS: [u16; 4] = [SR_C, SR_Z, SR_N, SR_V];

fn mix(a: u32, b: u32) -> u32 {
    let x = (a ^ b.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
    (x ^ x >> 13).wrapping_mul(0xC2B2_AE35) ^ x >> 16
}

/// 64 KiB. Octets that are secret differ between the two of a pair.
struct Memory {
    seed: u32,
    other: bool,
    code: [u16; 3],
    written: BTreeMap<u16, u8>,
}

fn secret(seed: u32, addr: u16) -> bool {
    !(CODE..CODE + 6).contains(&addr) && mix(seed, u32::from(addr) | 1 << 20).is_multiple_of(3)
}

impl Memory {
    fn octet(&self, addr: u16) -> u8 {
        if let Some(octet) = self.written.get(&addr) {
            return *octet;
        }
        if (CODE..CODE + 6).contains(&addr) {
            let at = addr - CODE;
            return self.code[usize::from(at / 2)].to_le_bytes()[usize::from(at % 2)];
        }
        // Small numbers are frequent: known zeros and ones decide most.
        let value = mix(self.seed, addr.into());
        let octet = [0, 0xff, value as u8, value as u8][(value >> 8) as usize % 4];
        let noise = mix(self.seed ^ 77, addr.into()) as u8;
        octet
            ^ if self.other && secret(self.seed, addr) {
                noise
            } else {
                0
            }
    }
}

impl Bus for Memory {
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        Ok(self.octet(addr))
    }
    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        Ok(u16::from_le_bytes([self.octet(addr), self.octet(addr | 1)]))
    }
    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.written.insert(addr, value);
        Ok(())
    }
    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        self.written.insert(addr & !1, value as u8);
        self.written.insert(addr | 1, (value >> 8) as u8);
        Ok(())
    }
}

/// The same registers twice; the second has other secrets. Which octets are secret, and which flags.
fn pair(seed: u32, shadow: &mut Shadow) -> [Cpu; 2] {
    let mut cpus = [Cpu::new(), Cpu::new()];
    for register in 1..16_usize {
        if register == 3 {
            continue;
        }
        let mut octets = [[0; 2]; 2];
        for at in 0..2 {
            let value = mix(seed, (register * 2 + at) as u32 | 1 << 16);
            let octet = [0, 0xff, value as u8, value as u8][(value >> 8) as usize % 4];
            let other = register > 3 && (value >> 16).is_multiple_of(3);
            octets[0][at] = octet;
            octets[1][at] = octet ^ if other { (value >> 20) as u8 } else { 0 };
            if other {
                *shadow.octet(register * 2 + at) = KEY;
            }
        }
        for (cpu, octets) in cpus.iter_mut().zip(octets) {
            cpu.regs[register] = u16::from_le_bytes(octets);
        }
    }
    for cpu in &mut cpus {
        cpu.regs[0] = CODE;
        cpu.regs[1] &= !1;
        cpu.regs[2] &= 0x0107;
    }
    cpus
}

/// Executes one pair. The result is whether a secret was said to show.
fn execute(word: u16, seed: u32, taint: &mut Taint) -> bool {
    let code = [word, mix(seed, 1) as u16, mix(seed, 2) as u16];
    let mut memories = [false, true].map(|other| Memory {
        seed,
        other,
        code,
        written: BTreeMap::new(),
    });
    let mut shadow = Shadow::default();
    let mut cpus = pair(seed, &mut shadow);
    taint.start();
    taint.begin(CODE.into(), 0..0x1_0000);
    shadow.follow(&cpus[0], &mut memories[0], taint);
    let [a, b] = &mut cpus;
    let ends = [a.step(&mut memories[0]), b.step(&mut memories[1])];
    let shows = !taint.dependences().is_empty();
    if !shows && let [Ok(first), Ok(second)] = ends {
        assert_eq!(first, second, "{word:04x}: cycles");
        same(word, seed, [a, b], &mut shadow);
        let addresses = memories.iter().flat_map(|one| one.written.keys());
        for &addr in addresses {
            let differ = memories[0].octet(addr) != memories[1].octet(addr);
            assert!(
                !differ || taint.of(addr.into()) == KEY,
                "{word:04x} {seed}: octet {addr:04x}"
            );
        }
    }
    for &addr in memories[0].written.keys() {
        let of = if secret(seed, addr) { KEY } else { 0 };
        taint.mark(addr.into()..u32::from(addr) + 1, of);
    }
    shows
}

/// Registers and flags that differ are marked.
fn same(word: u16, seed: u32, [a, b]: [&Cpu; 2], shadow: &mut Shadow) {
    assert_eq!(a.regs[0], b.regs[0], "{word:04x} {seed}: PC");
    for register in (1..16).filter(|register| *register != 2) {
        let octets = [
            a.regs[register].to_le_bytes(),
            b.regs[register].to_le_bytes(),
        ];
        for at in 0..2 {
            let marked = *shadow.octet(register * 2 + at) == KEY;
            assert!(
                octets[0][at] == octets[1][at] || marked,
                "{word:04x} {seed}: R{register} octet {at}, {:?} {:?}",
                a.regs,
                b.regs
            );
        }
    }
    for (flag, of) in FLAGS.into_iter().zip(shadow.flags()) {
        let differ = (a.sr() ^ b.sr()) & flag != 0;
        assert!(!differ || of == KEY, "{word:04x} {seed}: flag {flag:x}");
    }
}

#[test]
fn what_is_not_marked_depends_on_no_secret() {
    let (mut quiet, mut loud) = (0, 0);
    for seed in 0..12 {
        let mut taint = Taint::default();
        taint.add_window(0, 0x1_0000, true);
        for addr in (0..=u16::MAX).filter(|addr| secret(seed, *addr)) {
            taint.mark(addr.into()..u32::from(addr) + 1, KEY);
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
