//! Power modes: entering them, what ends them, and running again.

use super::{OSC, SystemControl};
use crate::Ps;
use crate::cc2538::{Cc2538Config, Irq, IrqSet};
use crate::clock::NEVER;

const IWE_SM_TIMER: u32 = 1 << 5;

/// Active, or how deep the chip sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerMode {
    /// The CPU runs.
    Active,
    /// The CPU waits for an interrupt, clocks run (SLEEPDEEP = 0, or PM0).
    Sleep,
    /// System clock off, everything kept.
    Pm1,
    /// System clock and most of the supply off, sleep timer running.
    Pm2,
    /// As PM2, sleep timer off.
    Pm3,
}

impl PowerMode {
    /// System clock off.
    pub fn stops_clocks(self) -> bool {
        matches!(self, PowerMode::Pm1 | PowerMode::Pm2 | PowerMode::Pm3)
    }

    /// The lower half of RAM and the AES engine's registers are lost.
    pub fn loses_state(self) -> bool {
        matches!(self, PowerMode::Pm2 | PowerMode::Pm3)
    }

    /// Name of the CPU's state in a board's data file.
    pub fn name(self) -> &'static str {
        match self {
            PowerMode::Active => "active",
            PowerMode::Sleep => "sleep",
            PowerMode::Pm1 => "pm1",
            PowerMode::Pm2 => "pm2",
            PowerMode::Pm3 => "pm3",
        }
    }
}

impl SystemControl {
    pub(in crate::cc2538) fn sleep(&mut self, now: Ps, deep: bool) -> PowerMode {
        self.deep = deep;
        self.mode = match (deep, self.pmctl) {
            (true, 1) => PowerMode::Pm1,
            (true, 2) => PowerMode::Pm2,
            (true, 3) => PowerMode::Pm3,
            _ => PowerMode::Sleep,
        };
        if self.mode.stops_clocks() {
            self.stop_crystal(now);
            if self.mode.loses_state() {
                self.rcosc_on = false;
                self.rcosc_due = NEVER;
            }
            self.retune(now);
        }
        self.mode
    }

    pub(in crate::cc2538) fn wake_delay(&self, config: &Cc2538Config) -> Ps {
        match self.mode {
            PowerMode::Active | PowerMode::Sleep => Ps::ZERO,
            PowerMode::Pm1 => config.wake_pm1,
            PowerMode::Pm2 | PowerMode::Pm3 => config.wake_pm2,
        }
    }

    /// The chip runs again. After PM1 to PM3 it first uses the RC oscillator; then CLOCK_CTRL
    /// decides.
    pub(in crate::cc2538) fn wake(&mut self, now: Ps, config: &Cc2538Config) {
        let slept = std::mem::replace(&mut self.mode, PowerMode::Active);
        if slept.stops_clocks() {
            self.rcosc_on = true;
            self.current |= OSC;
            self.settle(now, config);
        }
    }

    /// Lines that wake from the present mode.
    pub(in crate::cc2538) fn wake_lines(&self) -> IrqSet {
        if !self.mode.stops_clocks() {
            return IrqSet::ALL;
        }
        let mut lines = IrqSet::EMPTY;
        for port in (0..4).filter(|port| self.iwe >> port & 1 != 0) {
            lines.insert(Irq::Gpio(port).line(self.alternate_map()));
        }
        if self.iwe & IWE_SM_TIMER != 0 && self.mode != PowerMode::Pm3 {
            lines.insert(Irq::SleepTimer.line(self.alternate_map()));
        }
        lines
    }
}
