//! A clock in exact arithmetic: the time of each edge, without accumulated rounding.

use crate::Ps;

/// Picoseconds in a thousand seconds: the period of 1 mHz.
const PS_PER_MILLIHERTZ: u64 = 1_000_000_000_000_000;

/// The number of a cycle that never comes.
pub const NEVER: Ps = Ps(u64::MAX);

/// A clock that counts its rising edges. Edge `n` comes at `origin + ceil(((n - origin_cycles)·num
/// - lead) / den)`, where `num / den` is the period in picoseconds and `lead / num` the part of a
/// cycle already gone at `origin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// When this frequency began.
    pub origin: Ps,
    /// Edges counted up to and including `origin`.
    pub origin_cycles: u64,
    /// Frequency in millihertz, rounded; 0 = the clock stands still.
    pub mhz: u64,
    num: u64,
    den: u64,
    lead: u64,
    /// Edge `origin_cycles` comes at `origin` itself, not before.
    on_edge: bool,
}

impl Clock {
    /// A clock of `mhz` millihertz whose edge number `origin_cycles` comes at `origin`. 0 mHz: it
    /// stands still.
    pub fn new(origin: Ps, origin_cycles: u64, mhz: u64) -> Clock {
        let period = if mhz == 0 {
            Period::STOPPED
        } else {
            Period::of_millihertz(mhz)
        };
        Clock::with_period(origin, origin_cycles, period)
    }

    /// The same with the period as a fraction.
    pub fn with_period(origin: Ps, origin_cycles: u64, period: Period) -> Clock {
        let mhz = if period.num == 0 {
            0
        } else {
            let scaled = u128::from(PS_PER_MILLIHERTZ) * u128::from(period.den);
            narrow((scaled + u128::from(period.num / 2)) / u128::from(period.num))
        };
        Clock {
            origin,
            origin_cycles,
            mhz,
            num: period.num,
            den: period.den,
            lead: 0,
            on_edge: period.num != 0,
        }
    }

    /// A clock with its first edge, number 1, at `first`.
    pub fn with_phase(period: Period, first: Ps) -> Clock {
        if first == Ps::ZERO {
            return Clock::with_period(first, 1, period);
        }
        let span = first.0.min(period.num / period.den);
        let mut clock = Clock::with_period(Ps(first.0 - span), 0, period);
        clock.lead = period.num - span * period.den;
        clock.on_edge = false;
        clock
    }

    /// Is it running?
    pub fn running(&self) -> bool {
        self.num != 0
    }

    /// When edge number `cycles` comes (not before `origin`); [`NEVER`] for a future edge of a
    /// clock that stands still.
    pub fn time_of(&self, cycles: u64) -> Ps {
        let ahead = cycles.saturating_sub(self.origin_cycles);
        if ahead == 0 {
            return self.origin;
        }
        if self.num == 0 {
            return NEVER;
        }
        match ahead.checked_mul(self.num) {
            Some(product) => Ps(self
                .origin
                .0
                .saturating_add((product - self.lead).div_ceil(self.den))),
            None => {
                let product = u128::from(ahead) * u128::from(self.num) - u128::from(self.lead);
                Ps(self
                    .origin
                    .0
                    .saturating_add(narrow(product.div_ceil(u128::from(self.den)))))
            }
        }
    }

    /// When the falling edge after edge number `cycles` comes (duty cycle one half).
    pub fn time_of_fall(&self, cycles: u64) -> Ps {
        if self.num == 0 {
            return NEVER;
        }
        let ahead = u128::from(cycles.saturating_sub(self.origin_cycles));
        let twice = (2 * ahead + 1) * u128::from(self.num);
        let span = twice
            .saturating_sub(2 * u128::from(self.lead))
            .div_ceil(2 * u128::from(self.den));
        Ps(self.origin.0.saturating_add(narrow(span)))
    }

    /// The number of the last edge at or before `now`.
    pub fn cycles_at(&self, now: Ps) -> u64 {
        let span = now.0.saturating_sub(self.origin.0);
        if self.num == 0 || span == 0 {
            return self.origin_cycles;
        }
        let gone = match span
            .checked_mul(self.den)
            .and_then(|scaled| scaled.checked_add(self.lead))
        {
            Some(scaled) => scaled / self.num,
            None => narrow(
                (u128::from(span) * u128::from(self.den) + u128::from(self.lead))
                    / u128::from(self.num),
            ),
        };
        self.origin_cycles + gone
    }

    /// The number of the first edge at or after `now` (of a clock that stands still: the next one
    /// it will have).
    pub fn next_cycle(&self, now: Ps) -> u64 {
        let last = self.cycles_at(now);
        let on_edge = last > self.origin_cycles || self.on_edge;
        if on_edge && self.time_of(last) >= now {
            last
        } else {
            last + 1
        }
    }

    /// The same clock with another period from `now` on. Its count and the elapsed part of a cycle
    /// go on. A stopped clock starts with an edge at `now` that is not counted.
    pub fn retuned(&self, now: Ps, period: Period) -> Clock {
        let mut clock = Clock::with_period(now, self.cycles_at(now), period);
        if self.num != 0 {
            let span = u128::from(now.0.saturating_sub(self.origin.0));
            let part = (span * u128::from(self.den) + u128::from(self.lead)) % u128::from(self.num);
            clock.lead = narrow(part * u128::from(clock.num) / u128::from(self.num));
            clock.on_edge = part < u128::from(self.den);
        }
        clock
    }

    /// The clock from `now` on as `master` divided by `1 << shift`: its edges are edges of
    /// `master`.
    pub fn following(&self, now: Ps, master: &Clock, shift: u8) -> Clock {
        let begin = now.max(master.origin);
        let mut clock =
            Clock::with_period(begin, self.cycles_at(now), master.period().divided(shift));
        if master.num != 0 {
            let span = u128::from(begin.0 - master.origin.0);
            let part =
                (span * u128::from(master.den) + u128::from(master.lead)) % u128::from(master.num);
            clock.lead = narrow(part * u128::from(clock.den) / u128::from(master.den));
            clock.on_edge = part < u128::from(master.den);
        }
        clock
    }

    /// The clock standing still from `now` on.
    pub fn stopped(&self, now: Ps) -> Clock {
        Clock::with_period(now, self.cycles_at(now), Period::STOPPED)
    }

    /// The period as a fraction.
    pub fn period(&self) -> Period {
        Period {
            num: self.num,
            den: self.den,
        }
    }
}

/// A period in picoseconds as a reduced fraction `num / den`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    num: u64,
    den: u64,
}

impl Period {
    /// Of a clock that stands still.
    pub const STOPPED: Period = Period { num: 0, den: 1 };

    /// Of a frequency in millihertz (not 0).
    pub fn of_millihertz(mhz: u64) -> Period {
        Period::reduced(u128::from(PS_PER_MILLIHERTZ), u128::from(mhz))
    }

    /// Of a crystal of `hertz` that runs `parts_per_billion` fast (slow if negative; more than
    /// -10^9).
    pub fn of_crystal(hertz: u64, parts_per_billion: i64) -> Period {
        let billion = 1_000_000_000_u128;
        let rate = (1_000_000_000_i64 + parts_per_billion)
            .max(1)
            .unsigned_abs();
        Period::reduced(
            1_000_000_000_000 * billion,
            u128::from(hertz) * u128::from(rate),
        )
    }

    /// Of this clock divided by `1 << shift`.
    pub fn divided(self, shift: u8) -> Period {
        Period::reduced(u128::from(self.num) << shift, u128::from(self.den))
    }

    fn reduced(num: u128, den: u128) -> Period {
        let common = gcd(num, den).max(1);
        Period {
            num: narrow(num / common),
            den: narrow(den / common).max(1),
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// 64 bits are 213 days of picoseconds; a later time is "never".
fn narrow(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRYSTAL: u64 = 32_768;

    #[test]
    fn an_eight_megahertz_cycle_is_125_nanoseconds_for_ever() {
        let clock = Clock::new(Ps(5), 100, 8_000_000_000);
        assert_eq!(clock.time_of(101), Ps(5 + 125_000));
        assert_eq!(
            clock.time_of(100 + 8_000_000 * 3_600),
            Ps(5 + 3_600_000_000_000_000)
        );
        assert_eq!(clock.cycles_at(Ps(5 + 124_999)), 100);
        assert_eq!(clock.cycles_at(Ps(5 + 125_000)), 101);
    }

    #[test]
    fn the_crystal_does_not_drift_from_rounding() {
        let clock = Clock::with_period(Ps(0), 0, Period::of_crystal(CRYSTAL, 0));
        assert_eq!(clock.mhz, 32_768_000);
        assert_eq!(clock.time_of(1), Ps(30_517_579));
        for seconds in [1, 3_600, 86_400 * 30] {
            assert_eq!(
                clock.time_of(CRYSTAL * seconds),
                Ps(seconds * 1_000_000_000_000)
            );
        }
    }

    #[test]
    fn twenty_parts_per_million_fast_is_exactly_that() {
        let clock = Clock::with_period(Ps(0), 0, Period::of_crystal(CRYSTAL, 20_000));
        let edges = CRYSTAL * 1_000_000 + CRYSTAL * 20;
        assert_eq!(clock.time_of(edges), Ps(1_000_000 * 1_000_000_000_000));
    }

    #[test]
    fn time_and_count_are_inverse() {
        let mut clock = Clock::new(Ps(77), 9, 4_194_304_000);
        for step in 0..50_u64 {
            clock = clock.retuned(
                Ps(clock.origin.0 + 1_234_567 * step + 13),
                Period::of_millihertz(3_333_333_333 + step),
            );
            for n in clock.origin_cycles + 1..clock.origin_cycles + 40 {
                let at = clock.time_of(n);
                assert_eq!(clock.cycles_at(at), n);
                assert_eq!(clock.cycles_at(Ps(at.0 - 1)), n - 1);
                assert_eq!(clock.next_cycle(at), n);
                assert_eq!(clock.next_cycle(Ps(at.0 - 1)), n);
                assert_eq!(clock.next_cycle(Ps(at.0 + 1)), n + 1);
                let retuned = clock.retuned(at, Period::of_millihertz(7_654_321_000));
                assert_eq!(
                    retuned.next_cycle(at),
                    n,
                    "an edge that comes at the change is still that edge"
                );
                assert_eq!(
                    clock
                        .retuned(Ps(at.0 + 1), retuned.period())
                        .next_cycle(Ps(at.0 + 1)),
                    n + 1
                );
            }
        }
    }

    #[test]
    fn retuning_in_the_middle_of_a_cycle_keeps_the_middle() {
        let slow = Clock::new(Ps(0), 0, 1_000_000_000);
        let fast = slow.retuned(Ps(2_500_000), Period::of_millihertz(2_000_000_000));
        assert_eq!(fast.origin_cycles, 2);
        assert_eq!(fast.time_of(3), Ps(2_750_000));
        assert_eq!(fast.time_of(4), Ps(3_250_000));
    }

    #[test]
    fn a_stopped_clock_keeps_its_count() {
        let clock = Clock::new(Ps(0), 0, 1_000_000_000).stopped(Ps(10_000_000));
        assert!(!clock.running());
        assert_eq!(clock.cycles_at(Ps(99_000_000)), 10);
        assert_eq!(clock.time_of(11), NEVER);
        let again = clock.retuned(Ps(100_000_000), Period::of_millihertz(1_000_000_000));
        assert_eq!(again.time_of(11), Ps(101_000_000));
    }

    #[test]
    fn the_falling_edge_is_half_a_period_later() {
        let clock = Clock::new(Ps(0), 0, 1_000_000_000);
        assert_eq!(clock.time_of_fall(3), Ps(3_500_000));
    }
}
