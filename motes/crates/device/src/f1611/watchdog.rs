//! Watchdog timer WDTCTL: after a reset it runs as a watchdog on SMCLK and expires after 32 768
//! cycles (SLAU049, "Watchdog Timer").

use super::basic_clock::Sources;
use super::clock::{Clock, NEVER};
use crate::Ps;

const PASSWORD: u16 = 0x5A00;
const READ_AS: u16 = 0x6900;
constants! { u8:
    HOLD = 0x80,          INTERVAL_MODE = 0x10, COUNTER_CLEAR = 0x08, FROM_ACLK = 0x04,
}

/// The watchdog.
#[derive(Clone, Debug)]
pub struct Watchdog {
    control: u8,
    /// Count when held, or at `anchor`.
    count: u64,
    /// The source clock's edge at which the counter had `count`.
    anchor: u64,
    due: Ps,
}

/// What happens when the counter reaches its interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Watchdog mode: WDTIFG and a reset.
    Reset,
    /// Interval mode: WDTIFG.
    Interval,
}

impl Watchdog {
    /// Running since time 0.
    pub fn new() -> Watchdog {
        Watchdog {
            control: 0,
            count: 0,
            anchor: 0,
            due: NEVER,
        }
    }

    /// After a PUC: running again.
    pub fn reset(&mut self, now: Ps, clocks: Sources) {
        self.control = 0;
        self.count = 0;
        self.anchor = clocks.smclk.cycles_at(now);
        self.reschedule(clocks);
    }

    /// When the interval ends.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// Reads WDTCTL.
    pub fn read(&self) -> u16 {
        READ_AS | u16::from(self.control)
    }

    /// Writes WDTCTL; false: the password was wrong.
    pub fn write(&mut self, value: u16, now: Ps, clocks: Sources) -> bool {
        if value & 0xFF00 != PASSWORD {
            return false;
        }
        if self.control & HOLD == 0 {
            self.count += self
                .clock(clocks)
                .cycles_at(now)
                .saturating_sub(self.anchor);
        }
        let control = (value & 0x00FF) as u8;
        self.control = control & !COUNTER_CLEAR;
        if control & COUNTER_CLEAR != 0 {
            self.count = 0;
        }
        self.anchor = self.clock(clocks).cycles_at(now);
        self.reschedule(clocks);
        true
    }

    /// The interval has ended at `now`.
    pub fn expire(&mut self, clocks: Sources) -> Expiry {
        let left = self.left();
        self.anchor += left;
        self.count = 0;
        self.reschedule(clocks);
        if self.control & INTERVAL_MODE != 0 {
            Expiry::Interval
        } else {
            Expiry::Reset
        }
    }

    /// The clocks have changed; their counts go on.
    pub fn reschedule(&mut self, clocks: Sources) {
        self.due = if self.control & HOLD != 0 {
            NEVER
        } else {
            self.clock(clocks).time_of(self.anchor + self.left())
        };
    }

    fn clock<'a>(&self, clocks: Sources<'a>) -> &'a Clock {
        if self.control & FROM_ACLK != 0 {
            clocks.aclk
        } else {
            clocks.smclk
        }
    }

    /// Source cycles from `anchor` to the end of the interval.
    fn left(&self) -> u64 {
        let interval = [32_768, 8_192, 512, 64][usize::from(self.control & 3)];
        interval - self.count % interval
    }
}

impl Default for Watchdog {
    fn default() -> Watchdog {
        Watchdog::new()
    }
}
