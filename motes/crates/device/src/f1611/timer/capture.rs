//! Inputs of the capture/compare units: which level they see, and what an edge captures.

use super::{CAP, CCIFG, COV, Input, SCCI, Timer};
use crate::Ps;
use crate::f1611::basic_clock::Sources;
use crate::f1611::clock::NEVER;
use crate::random::split_mix;

pub(super) const CM_RISE: u16 = 0x4000;
pub(super) const CM_FALL: u16 = 0x8000;

/// A capture/compare unit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unit {
    pub(super) control: u16,
    pub(super) value: u16,
    /// Level at CCIxA and CCIxB (pins and comparator only).
    pub(super) level: [bool; 2],
    /// A captured value has not been read yet.
    pub(super) unread: bool,
    /// ACLK edges still to come.
    pub(super) next_rise: u64,
    pub(super) next_fall: u64,
}

/// The noise of the DCO in captures. A program sees it only where two oscillators meet: when an
/// edge of the crystal captures a count of DCO cycles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jitter {
    cycles: u64,
    state: u64,
}

impl Jitter {
    pub(super) fn new(cycles: u8, seed: u64) -> Jitter {
        Jitter {
            cycles: cycles.into(),
            state: seed,
        }
    }

    /// How far the next captured count is behind.
    fn next(&mut self) -> u16 {
        if self.cycles == 0 {
            return 0;
        }
        (split_mix(&mut self.state) % (self.cycles + 1)) as u16
    }
}

impl Unit {
    pub(super) fn captures(&self) -> bool {
        self.control & CAP != 0
    }

    pub(super) fn select(&self) -> usize {
        usize::from((self.control >> 12) & 3)
    }
}

impl<const N: usize> Timer<N> {
    /// Captures the edges that the new `levels` of port `port` make.
    pub fn pins(&mut self, port: u8, levels: u8, now: Ps, clocks: Sources) {
        for n in 0..N {
            for side in 0..2 {
                if let Input::Pin(input_port, pin) = self.kind.inputs[n][side]
                    && input_port == port
                {
                    self.input(n, side, levels >> pin & 1 != 0, now, clocks);
                }
            }
        }
    }

    /// Captures the edge that the comparator's output makes.
    pub fn comparator(&mut self, level: bool, now: Ps, clocks: Sources) {
        for n in 0..N {
            for side in 0..2 {
                if self.kind.inputs[n][side] == Input::Comparator {
                    self.input(n, side, level, now, clocks);
                }
            }
        }
    }

    fn input(&mut self, n: usize, side: usize, level: bool, now: Ps, clocks: Sources) {
        if self.units[n].level[side] == level {
            return;
        }
        self.units[n].level[side] = level;
        if self.units[n].captures() && self.units[n].select() == side {
            self.catch_up(now, clocks);
            self.edge(n, level, 0);
            self.reschedule(clocks);
        }
    }

    /// Timer_A: EQUx latches the selected input into SCCI.
    pub(super) fn latch_input(&mut self, n: usize, now: Ps, clocks: Sources) {
        if self.kind.latches {
            return;
        }
        let level = self.level(n, now, clocks);
        let unit = &mut self.units[n];
        unit.control = (unit.control & !SCCI) | if level { SCCI } else { 0 };
    }

    /// The selected input's level.
    pub(super) fn level(&self, n: usize, now: Ps, clocks: Sources) -> bool {
        let unit = &self.units[n];
        let side = unit.select();
        if side >= 2 {
            return side == 3;
        }
        match self.kind.inputs[n][side] {
            Input::Pin(..) | Input::Comparator => unit.level[side],
            Input::Aclk => now < clocks.aclk.time_of_fall(clocks.aclk.cycles_at(now)),
        }
    }

    /// An edge at the selected input of unit `n`; the count is up to date. A second capture before
    /// the first value has been read sets COV. The value is `behind` the count.
    pub(super) fn edge(&mut self, n: usize, rising: bool, behind: u16) {
        let value = self.count.value.wrapping_sub(behind);
        let unit = &mut self.units[n];
        let wanted = if rising { CM_RISE } else { CM_FALL };
        if unit.control & wanted == 0 {
            return;
        }
        if unit.unread {
            unit.control |= COV;
        }
        unit.value = value;
        unit.unread = true;
        unit.control |= CCIFG;
    }

    fn captures_aclk(&self, n: usize) -> bool {
        let unit = &self.units[n];
        let side = unit.select();
        let wanted = unit.control & (CM_RISE | CM_FALL) != 0;
        unit.captures() && wanted && side < 2 && self.kind.inputs[n][side] == Input::Aclk
    }

    /// The ACLK edges after `now` are the next ones to be captured.
    pub(super) fn watch_aclk(&mut self, now: Ps, clocks: Sources) {
        let last = clocks.aclk.cycles_at(now);
        let fallen = clocks.aclk.time_of_fall(last) <= now;
        for unit in &mut self.units {
            unit.next_rise = last + 1;
            unit.next_fall = last + u64::from(fallen);
        }
    }

    /// Captures the edges of ACLK until `now`; the count is up to date.
    pub(super) fn capture_aclk(&mut self, now: Ps, clocks: Sources) {
        for n in 0..N {
            if !self.captures_aclk(n) {
                continue;
            }
            if clocks.aclk.time_of(self.units[n].next_rise) <= now {
                self.units[n].next_rise += 1;
                let behind = self.noise();
                self.edge(n, true, behind);
            }
            if clocks.aclk.time_of_fall(self.units[n].next_fall) <= now {
                self.units[n].next_fall += 1;
                let behind = self.noise();
                self.edge(n, false, behind);
            }
        }
    }

    /// When an edge of the crystal captures a count, the captured value is this many cycles behind.
    fn noise(&mut self) -> u16 {
        if self.counts_dco() {
            self.jitter.next()
        } else {
            0
        }
    }

    /// When the next edge of ACLK comes that is captured.
    pub(super) fn next_aclk_capture(&self, clocks: Sources) -> Ps {
        let mut next = NEVER;
        for n in (0..N).filter(|&n| self.captures_aclk(n)) {
            next = next.min(clocks.aclk.time_of(self.units[n].next_rise));
            if self.units[n].control & CM_FALL != 0 {
                next = next.min(clocks.aclk.time_of_fall(self.units[n].next_fall));
            }
        }
        next
    }
}
