//! The watchdog (2467, section "Watchdog Timer"), with the timed sequence of safety level 1: the
//! program can start it at any time and stop it only after WDCE. Delivered parts have this level,
//! apart from the fuse M103C.
//!
//! Its oscillator is assumed at its typical 1 MHz, that of the ATmega1281 at 128 kHz.

use super::chip::Chip;

const WDCE: u8 = 0x10;
const WDE: u8 = 0x08;
/// Microseconds until it expires, with WDP2:0 = 0, that is 16 384 and 2 048 cycles of the
/// oscillator; each step doubles them.
const SHORTEST_US: u64 = 16_384;
const SHORTEST_US_1281: u64 = 16_000;
/// Cycles within which WDE may be cleared after WDCE.
const ARMED: u64 = 4;

/// WDTCR, and when it expires.
#[derive(Clone, Copy, Debug)]
pub struct Watchdog {
    control: u8,
    armed_until: u64,
    expires: Option<u64>,
    clock_hz: u32,
    shortest_us: u64,
}

impl Watchdog {
    /// Off.
    pub fn new(chip: Chip, clock_hz: u32) -> Watchdog {
        Watchdog {
            control: 0,
            armed_until: 0,
            expires: None,
            clock_hz,
            shortest_us: if chip == Chip::Atmega128 {
                SHORTEST_US
            } else {
                SHORTEST_US_1281
            },
        }
    }

    /// WDTCR at cycle `now`.
    pub fn control(&self, now: u64) -> u8 {
        self.control | if now < self.armed_until { WDCE } else { 0 }
    }

    /// Writes WDTCR at cycle `now`.
    pub fn set_control(&mut self, value: u8, now: u64) {
        let armed = now < self.armed_until;
        let arms = value & (WDCE | WDE) == WDCE | WDE;
        self.armed_until = if arms { now + ARMED + 1 } else { 0 };
        let keeps = if armed { 0 } else { self.control & WDE };
        let was = self.control;
        self.control = value & 7 | value & WDE | keeps;
        if self.control != was {
            self.reset(now);
        }
    }

    /// WDR at cycle `now`.
    pub fn reset(&mut self, now: u64) {
        let cycles = u128::from(self.shortest_us << (self.control & 7)) * u128::from(self.clock_hz)
            / 1_000_000;
        self.expires = (self.control & WDE != 0).then_some(now + cycles as u64);
    }

    /// The cycle at which it expires.
    pub fn deadline(&self) -> Option<u64> {
        self.expires
    }

    /// Whether it has expired at `now`.
    pub fn expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|at| at <= now)
    }
}
