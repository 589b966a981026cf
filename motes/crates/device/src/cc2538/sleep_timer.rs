//! Sleep timer: a 32-bit counter of the 32 kHz clock with one compare value (SMWDTHROSC,
//! 0x400D_5040).
//!
//! The crystal is taken to run from power-on. With CLOCK_CTRL.OSC32K = 1 (as after a reset) the
//! counter follows the calibrated RC oscillator: the 32 MHz clock divided by 977. The compare event
//! is taken to be the edge with which the counter reaches the loaded value.

use super::{Cc2538Config, Written, not_modelled};
use crate::Ps;
use crate::clock::{Clock, NEVER, Period};

constants! { u32:
    ST0 = 0x40,    ST3 = 0x4C,    STLOAD = 0x50, STCC = 0x54,   STCS = 0x58,   STCV0 = 0x5C,
    STCV3 = 0x68,
}

/// Calibrated RC oscillator in millihertz: 32 MHz / 977.
const RC_MILLIHERTZ: u64 = 32_753_327;

/// The timer.
#[derive(Clone)]
pub(super) struct SleepTimer {
    /// The crystal, which runs even while the RC oscillator counts.
    crystal: Clock,
    /// The clock that counts.
    clock: Clock,
    load_cycles: u64,
    /// Bytes 1 to 3 of the count when ST0 was read, and of the compare value until ST0 is written.
    latched: [u8; 3],
    staged: [u8; 3],
    /// The value being loaded and the cycle at which it is there.
    loading: Option<(u32, u64)>,
    /// Cycle of the next compare event.
    event: Option<u64>,
    /// In PM1 and PM2, and until the first edge after them, reads return the last value.
    frozen: Option<(u32, Ps)>,
    running: bool,
    /// Follows the RC oscillator.
    rc: bool,
    /// STCC: no port selected.
    capture: u32,
}

impl SleepTimer {
    pub(super) fn new(config: &Cc2538Config) -> SleepTimer {
        let period = Period::of_crystal(32_768, (config.xosc32k_ppm * 1e3).round() as i64);
        let mut timer = SleepTimer {
            crystal: Clock::with_phase(period, config.xosc32k_phase),
            clock: Clock::new(Ps::ZERO, 0, 0),
            load_cycles: u64::from(config.sleep_load_cycles),
            latched: [0; 3],
            staged: [0; 3],
            loading: None,
            event: None,
            frozen: None,
            running: true,
            rc: true,
            capture: 0x38,
        };
        timer.reset(Ps::ZERO);
        timer
    }

    /// Counts from 0 on, by the RC oscillator.
    pub(super) fn reset(&mut self, now: Ps) {
        self.clock = Clock::new(now, 0, RC_MILLIHERTZ);
        (self.loading, self.event, self.frozen) = (None, None, None);
        (self.running, self.rc) = (true, true);
        (self.latched, self.staged, self.capture) = ([0; 3], [0; 3], 0x38);
    }

    /// The clock that counts.
    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// CLOCK_CTRL.OSC32K: the RC oscillator (`true`) or the crystal.
    pub(super) fn select(&mut self, now: Ps, rc: bool) {
        if rc != self.rc {
            self.rc = rc;
            self.follow(now);
        }
    }

    /// The counter goes on with the selected oscillator.
    fn follow(&mut self, now: Ps) {
        self.clock = if self.rc {
            self.clock
                .retuned(now, Period::of_millihertz(RC_MILLIHERTZ))
        } else {
            self.clock.following(now, &self.crystal, 0)
        };
    }

    /// PM3 stops the timer; every other mode lets it run. After a mode without system clock is
    /// entered or left, reads return the last value until the first edge of the running clock.
    pub(super) fn set_running(&mut self, now: Ps, running: bool) {
        if !running && self.running {
            self.clock = self.clock.stopped(now);
        } else if running && !self.running {
            self.follow(now);
        }
        self.running = running;
    }

    /// The system clock stops: the value that can be read stays.
    pub(super) fn freeze(&mut self, now: Ps) {
        self.frozen = Some((self.count(now), NEVER));
    }

    /// The system clock runs again: the value is up to date from the next edge on.
    pub(super) fn thaw(&mut self, now: Ps) {
        if let Some((value, NEVER)) = self.frozen {
            self.frozen = Some((value, self.clock.time_of(self.clock.cycles_at(now) + 1)));
        }
    }

    /// Level of the 32 kHz clock (CLOCK_STA.SYNC_32K).
    pub(super) fn level(&self, now: Ps) -> bool {
        now < self.clock.time_of_fall(self.clock.cycles_at(now))
    }

    fn count(&self, now: Ps) -> u32 {
        match self.frozen {
            Some((value, until)) if now < until => value,
            _ => self.clock.cycles_at(now) as u32,
        }
    }

    /// When a compare event happens or a value has been loaded.
    pub(super) fn due(&self) -> Ps {
        let time = |cycle: Option<u64>| cycle.map_or(NEVER, |cycle| self.clock.time_of(cycle));
        time(self.loading.map(|(_, cycle)| cycle)).min(time(self.event))
    }

    /// Something is due at `now`; true: the compare event.
    pub(super) fn advance(&mut self, now: Ps) -> bool {
        let cycle = self.clock.cycles_at(now);
        let happened = self.event.is_some_and(|event| event <= cycle);
        if happened {
            self.event = self.event.map(|event| event + (1 << 32));
        }
        if let Some((value, loaded)) = self.loading
            && loaded <= cycle
        {
            self.loading = None;
            let ahead = value.wrapping_sub(loaded as u32);
            self.event = Some(
                loaded
                    + if ahead == 0 {
                        1 << 32
                    } else {
                        u64::from(ahead)
                    },
            );
        }
        happened
    }

    /// Reads the register at `offset` of SMWDTHROSC.
    pub(super) fn read(&mut self, offset: u32, now: Ps) -> Option<u32> {
        Some(match offset {
            ST0 => {
                let [low, rest @ ..] = self.count(now).to_le_bytes();
                self.latched = rest;
                low.into()
            }
            0x44..=ST3 if offset.is_multiple_of(4) => {
                self.latched[(offset - 0x44) as usize / 4].into()
            }
            STLOAD => self.loading.is_none().into(),
            STCC => self.capture,
            STCS | STCV0..=STCV3 => 0,
            _ => return None,
        })
    }

    /// Writes the register at `offset` of SMWDTHROSC. While a value is loaded, ST0 to ST3 are
    /// blocked.
    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps) -> Written {
        match offset {
            ST0..=ST3 if self.loading.is_some() => {}
            ST0 => {
                let [a, b, c] = self.staged;
                let compare = u32::from_le_bytes([value as u8, a, b, c]);
                self.loading = Some((compare, self.clock.cycles_at(now) + self.load_cycles.max(1)));
            }
            0x44..=ST3 if offset.is_multiple_of(4) => {
                self.staged[(offset - 0x44) as usize / 4] = value as u8
            }
            STCC if value >> 3 & 7 < 4 => {
                return not_modelled("capture of the sleep timer (STCC)");
            }
            STCC => self.capture = value & 0x3F,
            STLOAD | STCS | STCV0..=STCV3 => {}
            _ => return None,
        }
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::AccessError;
    use super::*;

    const TICK: u64 = 30_517_579;

    fn on_crystal() -> SleepTimer {
        let mut timer = SleepTimer::new(&Cc2538Config::default());
        timer.select(Ps::ZERO, false);
        timer
    }

    fn count(timer: &mut SleepTimer, now: Ps) -> u32 {
        let octets = [0x40, 0x44, 0x48, 0x4C]
            .map(|offset| timer.read(offset, now).expect("a register") as u8);
        u32::from_le_bytes(octets)
    }

    fn arm(timer: &mut SleepTimer, compare: u32, now: Ps) {
        let [low, rest @ ..] = compare.to_le_bytes();
        for (offset, octet) in [0x44, 0x48, 0x4C].into_iter().zip(rest) {
            assert_eq!(timer.write(offset, octet.into(), now), Some(Ok(())));
        }
        assert_eq!(timer.write(0x40, low.into(), now), Some(Ok(())));
    }

    #[test]
    fn counts_32768_edges_a_second_and_st0_latches_the_rest() {
        let mut timer = on_crystal();
        let start = count(&mut timer, Ps::ZERO);
        assert_eq!(count(&mut timer, Ps(1_000_000_000_000)) - start, 32_768);
        let near = Ps(256 * TICK - 100 * u64::from(start));
        timer.read(0x40, near);
        let old = timer.read(0x44, Ps(900 * TICK)).expect("ST1");
        timer.read(0x40, Ps(900 * TICK));
        assert_ne!(
            timer.read(0x44, Ps(900 * TICK)).expect("ST1"),
            old,
            "only ST0 latches"
        );
    }

    #[test]
    fn the_crystal_deviates_and_the_rc_oscillator_is_slower() {
        let config = Cc2538Config {
            xosc32k_ppm: 30.0,
            ..Cc2538Config::default()
        };
        let mut timer = SleepTimer::new(&config);
        assert_eq!(count(&mut timer, Ps(1_000_000_000_000)), 32_753);
        timer.select(Ps(1_000_000_000_000), false);
        let first = count(&mut timer, Ps(1_000_000_000_000));
        let second = count(&mut timer, Ps(101_000_000_000_000));
        assert!(
            (second - first).abs_diff(3_276_898) <= 1,
            "100 s, 98 ticks more"
        );
    }

    /// A timer that is told to compare `ahead` ticks later; the time, and the count at that time.
    fn armed(ahead: u32) -> (SleepTimer, Ps, u32) {
        let mut timer = on_crystal();
        let now = Ps(10 * TICK + 1);
        let here = count(&mut timer, now);
        arm(&mut timer, here + ahead, now);
        (timer, now, here)
    }

    #[test]
    fn loading_takes_two_cycles_and_the_event_comes_at_its_edge() {
        let (mut timer, now, here) = armed(5);
        assert_eq!(timer.read(STLOAD, now), Some(0));
        assert_eq!(timer.write(0x44, 0xFF, now), Some(Ok(())), "blocked");
        let loaded = timer.due();
        assert!(loaded > now && loaded <= now + Ps(2 * TICK));
        assert!(!timer.advance(loaded));
        assert_eq!(timer.read(STLOAD, loaded), Some(1));
        let event = timer.due();
        assert!(timer.advance(event));
        assert_eq!(count(&mut timer, event), here + 5);
        assert_eq!(count(&mut timer, Ps(event.0 - 1)), here + 4);
    }

    #[test]
    fn a_value_that_is_too_near_is_lost_for_a_whole_turn() {
        let (mut timer, ..) = armed(2);
        let loaded = timer.due();
        timer.advance(loaded);
        assert!(timer.due() > Ps(131_000_000_000_000_000), "36 hours");
    }

    #[test]
    fn after_2_to_the_32_ticks_the_count_begins_again_and_compares_as_before() {
        const TURN: u64 = 1 << 32;
        let mut timer = on_crystal();
        let clock = timer.clock;
        let edge = |cycle| clock.time_of(cycle);
        let start = count(&mut timer, edge(0));
        assert_eq!(count(&mut timer, edge(TURN)), start);
        let now = edge(TURN + 7);
        let here = count(&mut timer, now);
        assert_eq!(here, start + 7);
        arm(&mut timer, here + 100, now);
        let loaded = timer.due();
        assert!(!timer.advance(loaded), "the value is there");
        assert_eq!(timer.due(), edge(TURN + 107));
        assert!(timer.advance(edge(TURN + 107)), "the compare event");
        assert_eq!(timer.due(), edge(2 * TURN + 107), "the next one");
    }

    #[test]
    fn after_a_sleep_the_value_is_old_until_the_next_edge() {
        let mut timer = on_crystal();
        let old = count(&mut timer, Ps(1_000 * TICK));
        timer.freeze(Ps(1_000 * TICK));
        timer.thaw(Ps(2_000 * TICK + 1_000));
        assert_eq!(count(&mut timer, Ps(2_000 * TICK + 1_000)), old);
        assert!(count(&mut timer, Ps(2_001 * TICK)) >= old + 1_000);
    }

    #[test]
    fn capture_is_refused_by_name() {
        let mut timer = on_crystal();
        assert!(matches!(
            timer.write(STCC, 0x08, Ps::ZERO),
            Some(Err(AccessError::NotModelled { .. }))
        ));
        assert_eq!(timer.write(STCC, 0x38, Ps::ZERO), Some(Ok(())));
        assert_eq!(timer.read(0x6C, Ps::ZERO), None);
    }
}
