//! MAC timer: a 16-bit counter of 32 MHz with a 24-bit overflow counter, compare events and capture
//! of every start-of-frame delimiter (RFCORE_SFR_MT*).
//!
//! A synchronous stop or start (MTCTRL.SYNC) takes effect at the next rising edge of the 32 kHz
//! clock; a start after a stop continues the count as if the timer had run.

use crate::Ps;
use crate::clock::{Clock, NEVER};

constants! { u32:
    MTCSPCFG = 0x00, MTCTRL = 0x04,   MTIRQM = 0x08,   MTIRQF = 0x0C,   MTMSEL = 0x10,
    MTM0 = 0x14,     MTM1 = 0x18,     MTMOVF2 = 0x1C,  MTMOVF1 = 0x20,  MTMOVF0 = 0x24,
}

constants! { u32:
    RUN = 1 << 0,        SYNC = 1 << 1,       STATE = 1 << 2,      LATCH_MODE = 1 << 3,
}

/// Values of MTMSEL for the capture and period registers.
const CAPTURE: usize = 1;
const PERIOD: usize = 2;

/// Counts of 32 MHz in 512 cycles of 32 768 Hz.
const COUNTS_PER_512_CYCLES: u64 = 500_000;

/// The timer.
#[derive(Clone)]
pub(super) struct MacTimer {
    crystal: Clock,
    slow: Clock,
    control: u32,
    running: bool,
    /// RUN takes effect then.
    sync_due: Option<Ps>,
    /// 32 kHz cycle of the last synchronous stop.
    stopped_at: Option<u64>,
    /// Crystal cycle at which `count` and `overflows` were valid.
    anchor: u64,
    count: u64,
    overflows: u64,
    /// MTMSEL numbers 1 to 4: capture, period, compare 1 and 2 of count and overflow counter.
    registers: [u32; 5],
    overflow_registers: [u32; 5],
    select: u32,
    csp: u32,
    mask: u32,
    flags: u32,
    latched_count: u32,
    latched_overflows: u32,
}

impl MacTimer {
    pub(super) fn new() -> MacTimer {
        let still = Clock::new(Ps::ZERO, 0, 0);
        MacTimer {
            crystal: still,
            slow: still,
            control: SYNC,
            running: false,
            sync_due: None,
            stopped_at: None,
            anchor: 0,
            count: 0,
            overflows: 0,
            registers: [0; 5],
            overflow_registers: [0; 5],
            select: 0,
            csp: 0,
            mask: 0,
            flags: 0,
            latched_count: 0,
            latched_overflows: 0,
        }
    }

    pub(super) fn reset(&mut self) {
        let (crystal, slow) = (self.crystal, self.slow);
        *self = MacTimer {
            crystal,
            slow,
            ..MacTimer::new()
        };
        self.anchor = crystal.origin_cycles;
    }

    pub(super) fn interrupt(&self) -> bool {
        self.flags & self.mask != 0
    }

    /// The clocks are these from `now` on; their cycles go on.
    pub(super) fn clocks_changed(&mut self, now: Ps, crystal: &Clock, slow: &Clock) {
        self.catch_up(now);
        (self.crystal, self.slow) = (*crystal, *slow);
        self.anchor = self.crystal.cycles_at(now);
        if self.sync_due.is_some() {
            self.sync_due = Some(self.next_slow_edge(now));
        }
    }

    fn next_slow_edge(&self, now: Ps) -> Ps {
        self.slow.time_of(self.slow.cycles_at(now) + 1)
    }

    fn period(&self) -> u64 {
        wrap(self.registers[PERIOD], 1 << 16)
    }

    fn overflow_period(&self) -> u64 {
        wrap(self.overflow_registers[PERIOD], 1 << 24)
    }

    /// Counts until event `bit` of MTIRQF; `None`: never.
    fn until(&self, bit: u32) -> Option<u64> {
        let (period, overflow_period) = (self.period(), self.overflow_period());
        let turns = |turns: u64| turns * period - self.count.min(period - 1);
        Some(match bit {
            0 => turns(1),
            3 => turns(overflow_period - self.overflows.min(overflow_period - 1)),
            1 | 2 => ahead(self.count, self.registers[2 + bit as usize].into(), period)?,
            _ => turns(ahead(
                self.overflows,
                self.overflow_registers[bit as usize - 1].into(),
                overflow_period,
            )?),
        })
    }

    /// Brings count and flags to `now`.
    fn catch_up(&mut self, now: Ps) {
        let cycle = self.crystal.cycles_at(now);
        let counts = if self.running {
            cycle.saturating_sub(self.anchor)
        } else {
            0
        };
        self.anchor = cycle;
        if counts == 0 {
            return;
        }
        for bit in 0..6 {
            if self.until(bit).is_some_and(|until| until <= counts) {
                self.flags |= 1 << bit;
            }
        }
        let total = self.count + counts;
        self.count = total % self.period();
        self.overflows = (self.overflows + total / self.period()) % self.overflow_period();
    }

    /// When an awaited event comes or a synchronous start or stop takes effect.
    pub(super) fn due(&self) -> Ps {
        let awaited = self.mask & !self.flags;
        let events = (0..6).filter(|&bit| self.running && awaited >> bit & 1 != 0);
        let first = events.filter_map(|bit| self.until(bit)).min();
        let event = first.map_or(NEVER, |counts| self.crystal.time_of(self.anchor + counts));
        event.min(self.sync_due.unwrap_or(NEVER))
    }

    pub(super) fn advance(&mut self, now: Ps) {
        self.catch_up(now);
        if self.sync_due.is_some_and(|due| due <= now) {
            self.sync_due = None;
            self.set_running(now);
        }
    }

    /// RUN takes effect.
    fn set_running(&mut self, now: Ps) {
        let run = self.control & RUN != 0;
        let slow = self.slow.cycles_at(now);
        if run && !self.running {
            self.anchor = self.crystal.cycles_at(now);
            if let Some(stopped) = self.stopped_at.take() {
                let missed = (slow - stopped) * COUNTS_PER_512_CYCLES / 512;
                let total = self.count + missed;
                self.count = total % self.period();
                self.overflows = (self.overflows + total / self.period()) % self.overflow_period();
            }
        } else if !run && self.running && self.control & SYNC != 0 {
            self.stopped_at = Some(slow);
        }
        self.running = run;
    }

    /// A start-of-frame delimiter was sent or received.
    pub(super) fn capture(&mut self, now: Ps) {
        self.catch_up(now);
        self.registers[CAPTURE] = self.count as u32;
        self.overflow_registers[CAPTURE] = self.overflows as u32;
    }

    /// Reads the register at `offset` of the SFR block.
    pub(super) fn read(&mut self, offset: u32, now: Ps) -> Option<u32> {
        self.catch_up(now);
        let (select, overflow_select) = self.selected();
        let overflow_octet = |timer: &MacTimer, octet: u32| {
            let value = match overflow_select {
                0 => timer.latched_overflows,
                select => timer.overflow_registers.get(select).copied().unwrap_or(0),
            };
            value >> (8 * octet) & 0xFF
        };
        Some(match offset {
            MTCSPCFG => self.csp,
            MTCTRL => self.control | if self.running { STATE } else { 0 },
            MTIRQM => self.mask,
            MTIRQF => self.flags,
            MTMSEL => self.select,
            MTM0 if select == 0 => {
                self.latched_count = self.count as u32;
                if self.control & LATCH_MODE != 0 {
                    self.latched_overflows = self.overflows as u32;
                }
                self.latched_count & 0xFF
            }
            MTM0 => self.registers.get(select).map_or(0, |value| value & 0xFF),
            MTM1 if select == 0 => self.latched_count >> 8 & 0xFF,
            MTM1 => self
                .registers
                .get(select)
                .map_or(0, |value| value >> 8 & 0xFF),
            MTMOVF0 => {
                if overflow_select == 0 && self.control & LATCH_MODE == 0 {
                    self.latched_overflows = self.overflows as u32;
                }
                overflow_octet(self, 0)
            }
            MTMOVF1 => overflow_octet(self, 1),
            MTMOVF2 => overflow_octet(self, 2),
            _ => return None,
        })
    }

    fn selected(&self) -> (usize, usize) {
        ((self.select & 7) as usize, (self.select >> 4 & 7) as usize)
    }

    /// Writes the register at `offset` of the SFR block. False: there is none.
    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps) -> bool {
        self.catch_up(now);
        let (select, overflow_select) = self.selected();
        match offset {
            MTCSPCFG => self.csp = value & 0x77,
            MTCTRL => self.write_control(value, now),
            MTIRQM => self.mask = value & 0x3F,
            MTIRQF => self.flags &= value,
            MTMSEL => self.select = value & 0x77,
            MTM0 | MTM1 => {
                let shift = if offset == MTM0 { 0 } else { 8 };
                match select {
                    0 => self.count = put(self.count as u32, shift, value).into(),
                    1..5 => self.registers[select] = put(self.registers[select], shift, value),
                    _ => {}
                }
            }
            MTMOVF0 | MTMOVF1 | MTMOVF2 => {
                let shift = (MTMOVF0 - offset) / 4 * 8;
                match overflow_select {
                    0 => self.overflows = put(self.overflows as u32, shift, value).into(),
                    1..5 => {
                        let register = &mut self.overflow_registers[overflow_select];
                        *register = put(*register, shift, value);
                    }
                    _ => {}
                }
            }
            _ => return false,
        }
        true
    }

    fn write_control(&mut self, value: u32, now: Ps) {
        self.control = value & (RUN | SYNC | LATCH_MODE);
        let run = self.control & RUN != 0;
        if run == self.running {
            self.sync_due = None;
        } else if self.control & SYNC != 0 {
            self.sync_due = Some(self.next_slow_edge(now));
        } else {
            self.sync_due = None;
            self.set_running(now);
        }
    }
}

/// A period register: 0 stands for the whole range.
fn wrap(register: u32, range: u64) -> u64 {
    if register == 0 {
        range
    } else {
        register.into()
    }
}

/// Counts from `value` until the next time it is `target`, modulo `period`.
fn ahead(value: u64, target: u64, period: u64) -> Option<u64> {
    (target < period).then(|| (target + period - value % period - 1) % period + 1)
}

/// `register` with the octet at `shift` replaced.
fn put(register: u32, shift: u32, octet: u32) -> u32 {
    register & !(0xFF << shift) | (octet & 0xFF) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    const CYCLE: u64 = 31_250;

    fn started() -> MacTimer {
        let mut timer = MacTimer::new();
        let crystal = Clock::new(Ps::ZERO, 0, 32_000_000_000);
        timer.clocks_changed(Ps::ZERO, &crystal, &Clock::new(Ps::ZERO, 0, 32_768_000));
        timer.write(MTCTRL, RUN, Ps::ZERO);
        timer
    }

    fn value(timer: &mut MacTimer, now: Ps) -> (u32, u32) {
        timer.write(MTCTRL, RUN | LATCH_MODE, now);
        let mut read = |offset| timer.read(offset, now).expect("a register");
        let count = read(MTM0) | read(MTM1) << 8;
        (
            count,
            read(MTMOVF0) | read(MTMOVF1) << 8 | read(MTMOVF2) << 16,
        )
    }

    fn set(timer: &mut MacTimer, select: u32, count: u32, overflow: u32) {
        timer.write(MTMSEL, select | select << 4, Ps::ZERO);
        for (offset, octet) in [
            (MTM0, count),
            (MTM1, count >> 8),
            (MTMOVF0, overflow),
            (MTMOVF1, overflow >> 8),
            (MTMOVF2, overflow >> 16),
        ] {
            assert!(timer.write(offset, octet, Ps::ZERO));
        }
        timer.write(MTMSEL, 0, Ps::ZERO);
    }

    #[test]
    fn counts_with_period_and_overflow() {
        let mut timer = started();
        set(&mut timer, 2, 1_000, 0);
        assert_eq!(value(&mut timer, Ps(999 * CYCLE)), (999, 0));
        assert_eq!(value(&mut timer, Ps(70_000_123 * CYCLE)), (123, 70_000));
        assert_eq!(
            timer.read(MTIRQF, Ps(70_000_123 * CYCLE)),
            Some(0x07),
            "compare values 0 are met too"
        );
    }

    #[test]
    fn compare_events_interrupt_in_time() {
        let mut timer = started();
        set(&mut timer, 2, 1_000, 50);
        set(&mut timer, 3, 400, 7);
        for (bit, at) in [(1, 400), (4, 7_000), (3, 50_000), (0, 1_000)] {
            timer.write(MTIRQF, 0, Ps::ZERO);
            timer.write(MTIRQM, 1 << bit, Ps::ZERO);
            let mut fresh = started();
            set(&mut fresh, 2, 1_000, 50);
            set(&mut fresh, 3, 400, 7);
            fresh.write(MTIRQM, 1 << bit, Ps::ZERO);
            assert_eq!(fresh.due(), Ps(at * CYCLE), "event {bit}");
            fresh.advance(Ps(at * CYCLE));
            assert!(fresh.interrupt());
            fresh.write(MTIRQF, !(1 << bit), Ps(at * CYCLE));
            assert!(!fresh.interrupt());
        }
    }

    #[test]
    fn a_delimiter_is_captured() {
        let mut timer = started();
        timer.capture(Ps(65_541 * CYCLE + 7));
        timer.write(MTMSEL, 0x11, Ps(1 << 40));
        let captured = [MTM0, MTM1, MTMOVF0].map(|offset| timer.read(offset, Ps(1 << 40)));
        assert_eq!(captured, [Some(5), Some(0), Some(1)]);
    }

    #[test]
    fn a_synchronous_stop_and_start_lose_nothing() {
        let mut timer = started();
        let stop = Ps(1_000_000_000);
        timer.write(MTCTRL, SYNC, stop);
        let edge = timer.due();
        assert_eq!(edge, Ps(1_007_080_079), "the 33rd edge of 32 768 Hz");
        timer.advance(edge);
        assert_eq!(
            timer.read(MTCTRL, edge).map(|control| control & STATE),
            Some(0)
        );
        timer.write(MTCTRL, SYNC | RUN, Ps(5_000_000_000));
        let start = timer.due();
        timer.advance(start);
        let (count, overflows) = value(&mut timer, Ps(10_000_000_000));
        let counted = u64::from(overflows) << 16 | u64::from(count);
        assert!(counted.abs_diff(320_000) <= 1, "{counted}");
    }
}
