//! Watchdog (SMWDTHROSC_WDCTL): counts the 32 kHz clock and resets the chip. It cannot be stopped; it
//! stands still with its clock in PM3.

use crate::Ps;
use crate::clock::{Clock, NEVER};

/// Offset of WDCTL in SMWDTHROSC.
pub(super) const WDCTL: u32 = 0x00;

const ENABLE: u32 = 1 << 3;
const INTERVAL: u32 = 3;
/// Cycles of INT = 0 to 3.
const CYCLES: [u64; 4] = [32_768, 8_192, 512, 64];

/// The watchdog.
#[derive(Clone, Default)]
pub(super) struct Watchdog {
    control: u32,
    /// Cycle of the last clear.
    start: u64,
    /// Cycle at which 0xA was written to CLR.
    armed: Option<u64>,
    due: Option<Ps>,
}

impl Watchdog {
    pub(super) fn new() -> Watchdog {
        Watchdog::default()
    }

    /// When it resets the chip.
    pub(super) fn due(&self) -> Ps {
        self.due.unwrap_or(NEVER)
    }

    pub(super) fn read(&self) -> u32 {
        self.control
    }

    /// 0xA and then 0x5 in CLR clear the timer; the second must follow within one cycle (later ones
    /// are not safe and do nothing here).
    pub(super) fn write(&mut self, value: u32, now: Ps, clock: &Clock) {
        let cycle = clock.cycles_at(now);
        if self.control & ENABLE == 0 {
            self.control = value & (ENABLE | INTERVAL);
            self.start = cycle;
        } else {
            match value >> 4 & 0xF {
                0xA => self.armed = Some(cycle),
                0x5 if self.armed.take().is_some_and(|armed| cycle <= armed + 1) => {
                    self.start = cycle
                }
                _ => self.armed = None,
            }
        }
        self.reschedule(clock);
    }

    /// The 32 kHz clock is another one.
    pub(super) fn reschedule(&mut self, clock: &Clock) {
        let cycles = CYCLES[(self.control & INTERVAL) as usize];
        self.due = (self.control & ENABLE != 0).then(|| clock.time_of(self.start + cycles));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expires_after_its_interval_unless_cleared_in_time() {
        let clock = Clock::new(Ps::ZERO, 0, 32_768_000);
        let mut watchdog = Watchdog::new();
        assert_eq!(watchdog.due(), NEVER);
        watchdog.write(ENABLE | 3, Ps::ZERO, &clock);
        assert_eq!(watchdog.due(), clock.time_of(64));
        let later = clock.time_of(50);
        watchdog.write(0xA0 | ENABLE | 3, later, &clock);
        watchdog.write(0x50 | ENABLE | 3, later, &clock);
        assert_eq!(watchdog.due(), clock.time_of(114));
        watchdog.write(0xA0, later, &clock);
        watchdog.write(0x30, later, &clock);
        watchdog.write(0x50, clock.time_of(60), &clock);
        assert_eq!(
            watchdog.due(),
            clock.time_of(114),
            "the sequence was broken"
        );
        watchdog.write(0, later, &clock);
        assert_eq!(
            (watchdog.due(), watchdog.read()),
            (clock.time_of(114), ENABLE | 3),
            "it cannot be stopped"
        );
    }
}
