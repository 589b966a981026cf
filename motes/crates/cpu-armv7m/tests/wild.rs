//! Any halfwords with any registers: nothing panics, whatever happens.

mod common;

use common::{Machine, RAM, START};
use cpu_armv7m::{Core, Timing};

/// A small generator (xorshift64), so that the test is the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

#[test]
fn random_code_never_panics() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut executed = 0;
    for round in 0..400 {
        let program: Vec<u16> = (0..0x800).map(|_| random.next() as u16).collect();
        let (_, core) = Core::ALL[round / 2 % 3];
        let mut machine = Machine::new(Timing::of(core, round % 2 == 0), &program);
        machine.memory.free = round % 3 == 0;
        for _ in 0..50 {
            for register in 0..15 {
                let near =
                    [RAM, START, 0x4000_0000, 0x2200_0000, 0xe000_e000][random.next() as usize % 5];
                let offset = random.next() & 0x1fff;
                machine.cpu.regs[register] = if random.next().is_multiple_of(4) {
                    random.next()
                } else {
                    near + offset
                };
            }
            machine.cpu.regs[13] = RAM + 0x1000;
            machine.cpu.regs[15] = START + (random.next() & 0xffe);
            machine.cpu.set_xpsr(random.next() & 0xf900_0000 | 1 << 24);
            if random.next().is_multiple_of(8) {
                machine.cpu.pend_irq(random.next() as usize % 300);
            }
            let limit = machine.cpu.cycles + 200;
            let before = machine.cpu.cycles;
            for _ in 0..20 {
                let outcome = machine.cpu.run(&mut machine.memory, limit, None);
                if outcome.is_err() || machine.cpu.sleeping() {
                    machine.cpu.send_event();
                    break;
                }
            }
            assert!(machine.cpu.cycles >= before);
            executed += machine.cpu.cycles - before;
        }
    }
    assert!(executed > 200_000, "{executed}");
}

/// All 16-bit patterns, and all first halfwords of 32-bit ones with second halfwords that cover
/// every bit and pair of fields. All 402 million pairs are decoded by `armv7m-run --decode-all`.
#[test]
fn decoding_never_panics() {
    for first in 0..=0xffff {
        for second in (0..16).flat_map(|bit| [1_u16 << bit, !(1 << bit), 0x1111 * bit]) {
            for (_, core) in Core::ALL {
                let (op, _) = core.decode(first, second);
                assert!(!format!("{op:?}").is_empty());
            }
        }
    }
}
