//! Timer_A3 and Timer_B7 (SLAU049, "Timer_A", "Timer_B"). The count is computed from the edges of
//! the source clock when a register is accessed. Only enabled interrupts, output units in use and
//! captures of ACLK are events of the simulation.

mod capture;
mod kind;
#[cfg(test)]
mod tests;

pub use kind::{Input, Kind, TIMER_A3, TIMER_B7};

use super::AccessError;
use super::basic_clock::Sources;
use super::clock::{Clock, NEVER};
use super::count::{Count, Mode, Shape};
use super::output;
use crate::Ps;
use capture::{Jitter, Unit};

const CLEAR: u16 = 0x0004;
const IE: u16 = 0x0002;
const IFG: u16 = 0x0001;

constants! { u16:
    SCCI = 0x0400,  CAP = 0x0100,   CCIE = 0x0010,  CCI = 0x0008,   OUT = 0x0004,   COV = 0x0002,
    CCIFG = 0x0001,
}
/// Timer_B: bits of TBCTL (TBCLGRP) and TBCCTLx (CLLD) that load compare latches later than at
/// once.
const TBCLGRP: u16 = 0x6000;
const CLLD: u16 = 0x0600;

/// A timer with `N` capture/compare units.
#[derive(Clone, Debug)]
pub struct Timer<const N: usize> {
    kind: &'static Kind<N>,
    control: u16,
    count: Count,
    /// The source clock's edge at which `count` was reached.
    anchor: u64,
    units: [Unit; N],
    due: Ps,
    jitter: Jitter,
}

impl<const N: usize> Timer<N> {
    /// After power-on: halted.
    pub fn new(kind: &'static Kind<N>) -> Timer<N> {
        Timer {
            kind,
            control: 0,
            count: Count::default(),
            anchor: 0,
            units: [Unit::default(); N],
            due: NEVER,
            jitter: Jitter::default(),
        }
    }

    /// The same timer with noise of the DCO: a captured count of its cycles is up to `cycles`
    /// behind when an edge of the crystal captures it.
    #[must_use]
    pub fn with_jitter(self, cycles: u8, seed: u64) -> Timer<N> {
        Timer {
            jitter: Jitter::new(cycles, seed),
            ..self
        }
    }

    /// When the timer next does something by itself.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// Is an interrupt of CCR0 pending and enabled?
    pub fn pending0(&self) -> bool {
        self.units[0].control & (CCIE | CCIFG) == CCIE | CCIFG
    }

    /// Is one of the interrupts that share the second vector pending and enabled?
    pub fn pending1(&self) -> bool {
        self.vector_word() != 0
    }

    /// The CPU took the interrupt of CCR0.
    pub fn accept0(&mut self, now: Ps, clocks: Sources) {
        self.catch_up(now, clocks);
        self.units[0].control &= !CCIFG;
        self.reschedule(clocks);
    }

    /// CCIFG of a unit, where it triggers DMA: its interrupt is off.
    pub fn dma_flag(&self, n: usize) -> bool {
        self.units[n].control & (CCIE | CCIFG) == CCIFG
    }

    /// DMA has taken CCIFG of a unit.
    pub fn take_dma_flag(&mut self, n: usize) {
        self.units[n].control &= !CCIFG;
    }

    /// The OUTx levels, one bit each.
    pub fn outputs(&self) -> u8 {
        self.units.iter().enumerate().fold(0, |mask, (n, unit)| {
            mask | (u8::from(unit.control & OUT != 0) << n)
        })
    }

    /// Reads TACTL/TBCTL.
    pub fn read_control(&mut self, now: Ps, clocks: Sources) -> u16 {
        self.catch_up(now, clocks);
        self.control
    }

    /// Reads TAR/TBR.
    pub fn read_count(&mut self, now: Ps, clocks: Sources) -> u16 {
        self.catch_up(now, clocks);
        self.count.value
    }

    /// Reads TACCTLn/TBCCTLn.
    pub fn read_unit_control(&mut self, n: usize, now: Ps, clocks: Sources) -> u16 {
        self.catch_up(now, clocks);
        let level = self.level(n, now, clocks);
        let unit = &self.units[n];
        (unit.control & !CCI) | if level { CCI } else { 0 }
    }

    /// Reads TACCRn/TBCCRn.
    pub fn read_unit_value(&mut self, n: usize) -> u16 {
        self.units[n].unread = false;
        self.units[n].value
    }

    /// Reads or writes TAIV/TBIV: the highest pending and enabled source, whose flag it clears.
    pub fn take_vector_word(&mut self, now: Ps, clocks: Sources) -> u16 {
        self.catch_up(now, clocks);
        let word = self.vector_word();
        if word == self.kind.overflow_iv {
            self.control &= !IFG;
        } else if word != 0 {
            self.units[usize::from(word / 2)].control &= !CCIFG;
        }
        self.reschedule(clocks);
        word
    }

    /// Writes TACTL/TBCTL.
    pub fn write_control(
        &mut self,
        value: u16,
        now: Ps,
        clocks: Sources,
    ) -> Result<(), AccessError> {
        let source = (value >> 8) & 3;
        if Mode::of(value) != Mode::Stop && (source == 0 || source == 3) {
            return Err(AccessError::NotModelled {
                name: "a timer clocked from a pin (TACLK, TBCLK, INCLK)",
            });
        }
        if self.kind.latches && value & TBCLGRP != 0 {
            return Err(AccessError::NotModelled {
                name: "grouped compare latches (TBCLGRP)",
            });
        }
        self.catch_up(now, clocks);
        let before = self.control;
        self.control = value & !CLEAR;
        if value & CLEAR != 0 {
            self.count = Count::default();
        }
        const CLOCKING: u16 = 0x03C0;
        let restarts = Mode::of(before) == Mode::Stop || (before ^ value) & CLOCKING != 0;
        if restarts || value & CLEAR != 0 {
            self.anchor = self.clock(clocks).map_or(0, |clock| clock.cycles_at(now));
        }
        self.reschedule(clocks);
        Ok(())
    }

    /// Writes TAR/TBR.
    pub fn write_count(&mut self, value: u16, now: Ps, clocks: Sources) {
        self.catch_up(now, clocks);
        self.count.value = value;
        self.reschedule(clocks);
    }

    /// Writes TACCTLn/TBCCTLn.
    pub fn write_unit_control(
        &mut self,
        n: usize,
        value: u16,
        now: Ps,
        clocks: Sources,
    ) -> Result<(), AccessError> {
        if self.kind.latches && value & CLLD != 0 {
            return Err(AccessError::NotModelled {
                name: "delayed loading of compare latches (CLLD)",
            });
        }
        self.catch_up(now, clocks);
        let old = self.units[n];
        let read_only = if self.kind.latches { CCI } else { CCI | SCCI };
        let unit = &mut self.units[n];
        unit.control = (value & !read_only) | (old.control & read_only);
        if old.control & COV != 0 && value & COV == 0 {
            unit.unread = false;
        }
        let mode = (value >> 5) & 7;
        if mode != 0 {
            unit.control = (unit.control & !OUT) | (old.control & OUT);
        }
        let (from, to) = (old.select(), unit.select());
        if old.captures() && unit.captures() && from >= 2 && to >= 2 && from != to {
            self.edge(n, to == 3, 0);
        }
        self.watch_aclk(now, clocks);
        self.reschedule(clocks);
        Ok(())
    }

    /// Writes TACCRn/TBCCRn.
    pub fn write_unit_value(&mut self, n: usize, value: u16, now: Ps, clocks: Sources) {
        self.catch_up(now, clocks);
        self.units[n].value = value;
        self.reschedule(clocks);
    }

    /// Does what is due at `now`.
    pub fn advance(&mut self, now: Ps, clocks: Sources) {
        self.catch_up(now, clocks);
        self.capture_aclk(now, clocks);
        self.reschedule(clocks);
    }

    /// The clocks have changed at `now`; their counts go on.
    pub fn clocks_changed(&mut self, now: Ps, clocks: Sources) {
        self.watch_aclk(now, clocks);
        self.reschedule(clocks);
    }

    fn clock<'a>(&self, clocks: Sources<'a>) -> Option<&'a Clock> {
        match (self.control >> 8) & 3 {
            1 => Some(clocks.aclk),
            2 => Some(clocks.smclk),
            _ => None,
        }
    }

    /// Does the timer count cycles of SMCLK, undivided, in continuous mode? Then the count may be
    /// behind zero as well.
    fn counts_dco(&self) -> bool {
        (self.control >> 8) & 3 == 2
            && self.divider_shift() == 0
            && Mode::of(self.control) == Mode::Continuous
    }

    fn divider_shift(&self) -> u16 {
        (self.control >> 6) & 3
    }

    fn shape(&self) -> Shape {
        let mode = Mode::of(self.control);
        let top = match mode {
            Mode::Up | Mode::UpDown => self.units[0].value,
            _ if self.kind.latches => {
                [0xFFFF, 0x0FFF, 0x03FF, 0x00FF][usize::from((self.control >> 11) & 3)]
            }
            _ => 0xFFFF,
        };
        Shape { mode, top }
    }

    /// Brings the count and the flags to `now`.
    fn catch_up(&mut self, now: Ps, clocks: Sources) {
        let Some(clock) = self.clock(clocks) else {
            return;
        };
        let shape = self.shape();
        if shape.mode == Mode::Stop {
            return;
        }
        let ticks = clock.cycles_at(now).saturating_sub(self.anchor) >> self.divider_shift();
        if ticks == 0 {
            return;
        }
        let hit = |target| {
            shape
                .ticks_until(self.count, target)
                .is_some_and(|needed| needed <= ticks)
        };
        let overflow = hit(0);
        let zero_unit = !self.units[0].captures() && hit(self.units[0].value);
        let mut hits = [false; N];
        for (flag, unit) in hits.iter_mut().zip(&self.units) {
            *flag = !unit.captures() && hit(unit.value);
        }
        for (n, equal) in hits.into_iter().enumerate() {
            if equal {
                self.units[n].control |= CCIFG;
                self.latch_input(n, now, clocks);
            }
            let control = self.units[n].control;
            self.units[n].control = output::after_event(control, equal, zero_unit);
        }
        if overflow {
            self.control |= IFG;
        }
        self.count = shape.after(self.count, ticks);
        self.anchor += ticks << self.divider_shift();
    }

    fn vector_word(&self) -> u16 {
        for (n, unit) in self.units.iter().enumerate().skip(1) {
            if unit.control & (CCIE | CCIFG) == CCIE | CCIFG {
                return 2 * n as u16;
            }
        }
        if self.control & (IE | IFG) == IE | IFG {
            self.kind.overflow_iv
        } else {
            0
        }
    }

    fn reschedule(&mut self, clocks: Sources) {
        self.due = self.next_event(clocks).min(self.next_aclk_capture(clocks));
    }

    /// When the count next sets an enabled interrupt flag or moves an output.
    fn next_event(&self, clocks: Sources) -> Ps {
        let (Some(clock), shape) = (self.clock(clocks), self.shape()) else {
            return NEVER;
        };
        if shape.mode == Mode::Stop {
            return NEVER;
        }
        let mut ticks = u64::MAX;
        let mut meet =
            |target| ticks = ticks.min(shape.ticks_until(self.count, target).unwrap_or(u64::MAX));
        for unit in &self.units {
            let awaited = unit.control & (CCIE | CCIFG) == CCIE;
            if !unit.captures() && (awaited || output::in_use(unit.control)) {
                meet(unit.value);
            }
            if output::uses_zero_unit(unit.control) {
                meet(self.units[0].value);
            }
        }
        if self.control & (IE | IFG) == IE {
            meet(0);
        }
        if ticks == u64::MAX {
            return NEVER;
        }
        clock.time_of(self.anchor + (ticks << self.divider_shift()))
    }
}
