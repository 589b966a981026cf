//! Something that is done after a number of cycles of a clock, which may change or stop meanwhile.

use crate::Ps;
use crate::clock::{Clock, NEVER};

/// The end of an operation, in cycles of its clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Countdown {
    cycle: Option<u64>,
    due: Ps,
}

impl Countdown {
    /// Nothing goes on.
    pub(crate) const IDLE: Countdown = Countdown {
        cycle: None,
        due: NEVER,
    };

    /// It ends after so many cycles of a clock that runs.
    pub(crate) fn start(&mut self, now: Ps, cycles: u64, clock: &Clock) {
        self.cycle = Some(clock.next_cycle(now) + cycles);
        self.due = clock.time_of(clock.next_cycle(now) + cycles);
    }

    /// It has ended, or is given up.
    pub(crate) fn stop(&mut self) {
        *self = Countdown::IDLE;
    }

    pub(crate) fn active(&self) -> bool {
        self.cycle.is_some()
    }

    /// When it ends.
    pub(crate) fn due(&self) -> Ps {
        self.due
    }

    /// The clock has changed, or stands still.
    pub(crate) fn reschedule(&mut self, clock: &Clock, clocked: bool) {
        self.due = match self.cycle.filter(|_| clocked && clock.running()) {
            Some(cycle) => clock.time_of(cycle),
            None => NEVER,
        };
    }
}

impl Default for Countdown {
    fn default() -> Countdown {
        Countdown::IDLE
    }
}
