//! Whatever is written to whichever register: no panic, no deadline in the past, no storm of
//! deadlines, time goes on.

use super::*;
use crate::air::{Signal, TxId};
use crate::random::split_mix;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        split_mix(&mut self.0)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// An address in a block, often one of the registers that matter.
    fn address(&mut self) -> u32 {
        let blocks = [
            (0x4000_C000, 0x50),
            (0x4003_0000, 0x70),
            (0x4008_8600, 0x240),
            (0x4008_8800, 0x40),
            (0x4008_B000, 0x30),
            (0x4008_B400, 0x180),
            (0x4008_B700, 0x98),
            (0x400D_2000, 0xB8),
            (0x400D_3008, 0x10),
            (0x400D_5040, 0x30),
            (0x400D_B400, 0x24),
        ];
        let (base, octets) = self.pick(&blocks);
        base + 4 * self.below(octets / 4) as u32
    }

    fn value(&mut self) -> u32 {
        let small = self.below(256) as u32;
        let any = self.next() as u32;
        self.pick(&[
            0,
            1,
            2,
            16,
            small,
            small,
            0xE3,
            0xE9,
            0xED,
            0x2000_1000,
            any,
        ])
    }
}

/// Events of a transmission that begins at `at`.
fn frame(random: &mut Random, tx: u64, at: Ps) -> Vec<AirIn> {
    let begin = Signal::Start {
        channel: random.pick(&[11, 11, 12]),
        rssi_dbm: random.pick(&[-60, -90]),
        decodable: true,
    };
    let tx = TxId(tx);
    let mut events = vec![
        (at, begin),
        (at + us(160), Signal::Sync { syncword: 0xA70F }),
    ];
    let mut at = at + us(160);
    for _ in 0..random.below(40) {
        at += us(32);
        events.push((at, Signal::Octet(random.next() as u8)));
    }
    events.push((at, Signal::End));
    events
        .into_iter()
        .map(|(at, signal)| AirIn { at, tx, signal })
        .collect()
}

#[test]
fn random_accesses_never_break_the_chip() {
    let mut accepted = 0_u32;
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut bench = Bench::running();
        let mut air_free = bench.now;
        for step in 0..1_500 {
            let address = random.address();
            let value = random.value();
            let outcome = bench
                .chip
                .write32(address, value, bench.now, &mut bench.mem);
            accepted += u32::from(outcome.is_ok());
            let address = random.address();
            let _ = bench.chip.read32(address, bench.now, &mut bench.mem);
            if random.below(30) == 0 && air_free <= bench.now {
                let events = frame(&mut random, step, bench.now + us(1));
                air_free = events.last().map_or(bench.now, |event| event.at);
                events.into_iter().for_each(|event| bench.chip.hear(event));
            }
            if random.below(200) == 0 {
                let deep = random.below(2) == 0;
                bench.chip.sleep(bench.now, deep, &mut bench.mem);
                bench.wait(200);
                bench.chip.wake(bench.now, &mut bench.mem);
            }
            let target = bench.now + Ps(random.below(100_000_000));
            let mut events = 0;
            while let Some(due) = bench.chip.deadline().filter(|due| *due <= target) {
                assert!(due >= bench.now, "seed {seed}: a deadline in the past");
                events += 1;
                assert!(
                    events < 10_000,
                    "seed {seed}: a storm of deadlines at {due:?}"
                );
                bench.now = due;
                bench.chip.advance(due, &mut bench.mem);
            }
            bench.now = target;
            bench.chip.advance(target, &mut bench.mem);
            bench.chip.take_reset();
        }
    }
    assert!(accepted > 20_000, "{accepted} writes got through");
}
