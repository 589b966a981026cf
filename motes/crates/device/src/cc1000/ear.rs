//! What the receiver makes of the carriers at its antenna.
//!
//! Bits are decided one by one. The receiver follows the bits of the strongest carrier in its
//! channel; the sum of the others is noise to it. The probability of a wrong bit is that of binary
//! frequency shift keying without coherence in white noise, P = exp(-γ/2) / 2 with γ = Eb/N0
//! (Proakis, Digital Communications, orthogonal binary signals, noncoherent detection). N0 follows
//! from the sensitivity, at which P is one in a thousand. While nothing is there, and for as long as
//! the averaging filter settles, bits are noise.

use super::config::Cc1000Config;
use super::medium::BIT;
use crate::Ps;
use crate::air::{AirIn, Signal, TxId};
use crate::random::split_mix;
use std::collections::VecDeque;

/// Eb/N0 at which one bit in a thousand is wrong: 2 ln 500.
const GAMMA_AT_SENSITIVITY: f64 = 12.429_216_196_844_383;
/// The intermediate frequency in kHz.
const INTERMEDIATE_KHZ: u32 = 150;
/// For so many bits after the last octet that is known, the phase of its bits is kept.
const COAST: u64 = 16;

/// A transmission at the antenna.
#[derive(Clone, Debug)]
struct Carrier {
    tx: TxId,
    khz: u32,
    milliwatts: f64,
    decodable: bool,
    since: Ps,
    until: Option<Ps>,
    /// When its first bit began.
    modulated: Option<Ps>,
    /// Octets, each with its end.
    octets: VecDeque<(Ps, u8)>,
}

impl Carrier {
    fn there(&self, at: Ps) -> bool {
        self.since <= at && self.until.is_none_or(|until| at < until)
    }

    /// The bit that ends at `at`.
    fn bit(&self, at: Ps) -> Option<bool> {
        let middle = Ps(at.0.saturating_sub(BIT.0 / 2));
        let (end, octet) = self.octets.iter().find(|(end, _)| *end > middle)?;
        let place = (end.0 - middle.0) / BIT.0;
        (place < 8).then(|| octet >> place & 1 != 0)
    }
}

/// How a receiver is tuned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    /// Frequency of the local oscillator.
    pub(super) oscillator_khz: u32,
    /// From the first bit of a transmission to a settled averaging filter.
    pub(super) settling: Ps,
    /// It receives the rate that is sent.
    pub(super) in_rate: bool,
}

impl Tuning {
    /// How far the carrier is from its place, if it is in the channel.
    fn hears(&self, khz: u32, half_channel_khz: u32) -> bool {
        let apart = self.oscillator_khz.abs_diff(khz);
        apart.abs_diff(INTERMEDIATE_KHZ) <= half_channel_khz
    }
}

/// The receiving side.
#[derive(Clone, Debug)]
pub(super) struct Ear {
    carriers: Vec<Carrier>,
    random: u64,
    half_channel_khz: u32,
    floor_mw: f64,
    /// Noise against which a bit is decided, in the same unit as a carrier.
    noise_mw: f64,
    /// The last Eb/N0, and the probability of a wrong bit at it.
    wrong: (f64, f64),
}

fn milliwatts(dbm: f64) -> f64 {
    10_f64.powf(dbm / 10.0)
}

impl Ear {
    pub(super) fn new(config: &Cc1000Config) -> Ear {
        Ear {
            carriers: Vec::new(),
            random: config.noise_seed,
            half_channel_khz: config.half_channel_khz,
            floor_mw: milliwatts(config.noise_floor_dbm),
            noise_mw: milliwatts(config.sensitivity_dbm) / GAMMA_AT_SENSITIVITY,
            wrong: (0.0, 0.5),
        }
    }

    /// Takes note of what the antenna hears.
    pub(super) fn hear(&mut self, event: AirIn) {
        let known = |carrier: &&mut Carrier| carrier.tx == event.tx;
        match event.signal {
            Signal::Start {
                channel,
                rssi_dbm,
                decodable,
            } => self.carriers.push(Carrier {
                tx: event.tx,
                khz: channel,
                milliwatts: milliwatts(rssi_dbm.into()),
                decodable,
                since: event.at,
                until: None,
                modulated: None,
                octets: VecDeque::new(),
            }),
            Signal::Octet(octet) => {
                if let Some(carrier) = self.carriers.iter_mut().find(known) {
                    let begin = Ps(event.at.0.saturating_sub(8 * BIT.0));
                    carrier.modulated.get_or_insert(begin);
                    carrier.octets.push_back((event.at, octet));
                }
            }
            Signal::End => {
                if let Some(carrier) = self.carriers.iter_mut().find(known) {
                    carrier.until = Some(event.at);
                }
            }
            Signal::Sync { .. } => {}
        }
    }

    /// Forgets what was over before `now`.
    pub(super) fn forget(&mut self, now: Ps) {
        self.carriers
            .retain(|carrier| carrier.until.is_none_or(|until| until > now));
        for carrier in &mut self.carriers {
            while carrier.octets.len() > 1 && carrier.octets[0].0 + BIT < now {
                carrier.octets.pop_front();
            }
        }
    }

    fn heard(&self, at: Ps, tuning: Tuning) -> impl Iterator<Item = &Carrier> {
        self.carriers.iter().filter(move |carrier| {
            carrier.there(at) && tuning.hears(carrier.khz, self.half_channel_khz)
        })
    }

    fn strongest(&self, at: Ps, tuning: Tuning) -> Option<&Carrier> {
        self.heard(at, tuning)
            .max_by(|a, b| a.milliwatts.total_cmp(&b.milliwatts))
    }

    /// The moment nearest to `at` at which a bit of the strongest carrier ends; `at` itself if
    /// there is none.
    pub(super) fn snap(&self, at: Ps, tuning: Tuning) -> Ps {
        let carrier = self.strongest(at, tuning).filter(|_| tuning.in_rate);
        let Some((end, _)) = carrier.and_then(|carrier| carrier.octets.back()) else {
            return at;
        };
        let apart = at.0.abs_diff(end.0);
        if apart > COAST * BIT.0 {
            return at;
        }
        let bits = (apart + BIT.0 / 2) / BIT.0;
        if at > *end {
            Ps(end.0 + bits * BIT.0)
        } else {
            Ps(end.0.saturating_sub(bits * BIT.0))
        }
    }

    /// The bit that is decided at `at`.
    pub(super) fn bit(&mut self, at: Ps, tuning: Tuning) -> bool {
        self.forget(Ps(at.0.saturating_sub(BIT.0)));
        let draw = split_mix(&mut self.random);
        let known = self.strongest(at, tuning).and_then(|carrier| {
            let settled = carrier
                .modulated
                .is_some_and(|begin| begin + tuning.settling <= at);
            let bit = carrier.bit(at)?;
            let usable = settled && carrier.decodable && tuning.in_rate;
            let turned = tuning.oscillator_khz > carrier.khz;
            usable.then_some((bit ^ turned, carrier.milliwatts))
        });
        let Some((bit, signal)) = known else {
            return draw & 1 != 0;
        };
        let sum: f64 = self
            .heard(at, tuning)
            .map(|carrier| carrier.milliwatts)
            .sum();
        let gamma = signal / (self.noise_mw + (sum - signal).max(0.0));
        if self.wrong.0 != gamma {
            self.wrong = (gamma, 0.5 * (-gamma / 2.0).exp());
        }
        let uniform = (draw >> 11) as f64 / (1_u64 << 53) as f64;
        bit ^ (uniform < self.wrong.1)
    }

    /// The level in the channel at `at`.
    pub(super) fn level_dbm(&self, at: Ps, tuning: Tuning) -> f64 {
        let sum: f64 = self
            .heard(at, tuning)
            .map(|carrier| carrier.milliwatts)
            .sum();
        10.0 * (sum + self.floor_mw).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGH_SIDE: Tuning = Tuning {
        oscillator_khz: 433_152,
        settling: Ps(11 * BIT.0),
        in_rate: true,
    };

    fn event(at: Ps, tx: u64, signal: Signal) -> AirIn {
        AirIn {
            at,
            tx: TxId(tx),
            signal,
        }
    }

    fn start(ear: &mut Ear, tx: u64, khz: u32, rssi_dbm: i8) {
        let signal = Signal::Start {
            channel: khz,
            rssi_dbm,
            decodable: true,
        };
        ear.hear(event(Ps::ZERO, tx, signal));
    }

    /// A transmission of `octets` octets 0xAA from 0 on.
    fn send(ear: &mut Ear, tx: u64, khz: u32, rssi_dbm: i8, octets: u64) {
        start(ear, tx, khz, rssi_dbm);
        for n in 1..=octets {
            ear.hear(event(Ps(8 * n * BIT.0), tx, Signal::Octet(0xAA)));
        }
    }

    /// Wrong bits of a transmission after the filter has settled.
    fn wrong(ear: &mut Ear, octets: u64) -> usize {
        (16..8 * octets)
            .filter(|n| {
                let sent = n % 2 == 0;
                ear.bit(Ps((n + 1) * BIT.0), HIGH_SIDE) == sent
            })
            .count()
    }

    #[test]
    fn a_strong_carrier_gives_every_bit_turned_over_by_the_oscillator_above_it() {
        let mut ear = Ear::new(&Cc1000Config::default());
        send(&mut ear, 1, 433_001, -60, 20);
        assert_eq!(wrong(&mut ear, 20), 0);
        let mut ear = Ear::new(&Cc1000Config::default());
        send(&mut ear, 1, 433_001, -60, 20);
        let below = Tuning {
            oscillator_khz: 432_851,
            ..HIGH_SIDE
        };
        assert!((16..160).all(|n| ear.bit(Ps((n + 1) * BIT.0), below) == (n % 2 == 0)));
    }

    #[test]
    fn at_the_sensitivity_one_bit_in_a_thousand_is_wrong() {
        let octets = 40_000;
        for (dbm, low, high) in [(-102, 250, 390), (-105, 6_400, 7_800), (-99, 0, 3)] {
            let mut ear = Ear::new(&Cc1000Config::default());
            send(&mut ear, 1, 433_001, dbm, octets);
            let count = wrong(&mut ear, octets);
            assert!((low..=high).contains(&count), "{dbm} dBm: {count}");
        }
    }

    #[test]
    fn another_carrier_is_noise_to_the_stronger_one() {
        for (other, spoilt) in [(-90, false), (-71, true), (-60, true)] {
            let mut ear = Ear::new(&Cc1000Config::default());
            send(&mut ear, 1, 433_001, -70, 100);
            start(&mut ear, 2, 433_001, other);
            assert_eq!(wrong(&mut ear, 100) > 50, spoilt, "{other} dBm");
        }
        let mut ear = Ear::new(&Cc1000Config::default());
        send(&mut ear, 1, 433_001, -70, 100);
        start(&mut ear, 2, 433_501, -40);
        assert_eq!(wrong(&mut ear, 100), 0, "it is outside the channel");
    }

    #[test]
    fn nothing_on_the_air_and_a_filter_that_settles_give_noise() {
        let mut ear = Ear::new(&Cc1000Config::default());
        let ones = (0..2_000)
            .filter(|n| ear.bit(Ps(n * BIT.0), HIGH_SIDE))
            .count();
        assert!((900..1_100).contains(&ones), "{ones}");
        let slow = Tuning {
            settling: Ps(1_000 * BIT.0),
            ..HIGH_SIDE
        };
        send(&mut ear, 1, 433_001, -60, 100);
        let wrong = (0..800).filter(|n| ear.bit(Ps((n + 1) * BIT.0), slow) == (n % 2 == 0));
        assert!(wrong.count() > 300);
    }

    #[test]
    fn bits_are_decided_where_the_sender_ends_them() {
        let mut ear = Ear::new(&Cc1000Config::default());
        start(&mut ear, 1, 433_001, -60);
        let end = Ps(8 * BIT.0 + 12_345);
        assert_eq!(ear.snap(Ps(3 * BIT.0), HIGH_SIDE), Ps(3 * BIT.0));
        ear.hear(event(end, 1, Signal::Octet(0)));
        assert_eq!(ear.snap(Ps(3 * BIT.0), HIGH_SIDE), Ps(3 * BIT.0 + 12_345));
        assert_eq!(ear.snap(Ps(10 * BIT.0), HIGH_SIDE), Ps(10 * BIT.0 + 12_345));
        assert_eq!(ear.snap(Ps(40 * BIT.0), HIGH_SIDE), Ps(40 * BIT.0));
    }

    #[test]
    fn levels_add_up() {
        let mut ear = Ear::new(&Cc1000Config::default());
        assert!((ear.level_dbm(Ps(1), HIGH_SIDE) + 105.0).abs() < 1e-6);
        start(&mut ear, 1, 433_001, -70);
        start(&mut ear, 2, 433_001, -70);
        assert!((ear.level_dbm(Ps(1), HIGH_SIDE) + 66.99).abs() < 0.01);
        ear.hear(event(Ps(5), 1, Signal::End));
        ear.hear(event(Ps(5), 2, Signal::End));
        assert!((ear.level_dbm(Ps(5), HIGH_SIDE) + 105.0).abs() < 1e-6);
    }
}
