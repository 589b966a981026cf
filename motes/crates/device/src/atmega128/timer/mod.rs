//! Timer/Counter0 to 3 (2467, sections "8-bit Timer/Counter0", "16-bit Timer/Counter", "8-bit
//! Timer/Counter2"): counting in every mode, with prescalers, double buffering of compare registers
//! in PWM modes, and flags.
//!
//! A timer counts at ticks of its prescaler. A compare flag is set at the tick that leaves the
//! compare value, TOV at the tick that leaves TOP (or arrives at BOTTOM, where the counter goes up
//! and down). The synchronisation of the prescaler to the CPU is left out: assumed 0 cycles.

mod modes;
#[cfg(test)]
mod tests;

use modes::{Mode, NARROW, OWN, SHARED, Top, Update, WIDE};

/// Flags and their enables, the same bits for every timer.
pub const TOV: u8 = 1 << 0;
/// Compare flags of channels A, B, C.
pub const OCF: [u8; 3] = [1 << 1, 1 << 2, 1 << 3];
/// Input capture.
pub const ICF: u8 = 1 << 4;

/// One timer.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    wide: bool,
    own_prescaler: bool,
    /// WGM bits as an index into the table of modes.
    pub wgm: u8,
    /// CSn2:0.
    pub clock_select: u8,
    count: u16,
    down: bool,
    /// What compares, and what was written.
    compare: [u16; 3],
    written: [u16; 3],
    /// ICRn.
    pub capture: u16,
    /// Flags that are set.
    pub flags: u8,
    /// Flags that interrupt.
    pub enabled: u8,
    /// Cycle up to which it has counted, and when its prescaler was last at 0.
    at: u64,
    origin: u64,
    /// The prescaler is held.
    held: bool,
    /// The counter was written: the next tick compares nothing.
    skip: bool,
    /// Cycles and edges of another clock in the same time, which drives it instead of the CPU's.
    other: Option<(u64, u64)>,
}

impl Timer {
    /// After a reset, at `now`. `wide`: 16 bits, else 8; `own_prescaler`: Timer0's.
    pub fn new(wide: bool, own_prescaler: bool, now: u64) -> Timer {
        Timer {
            wide,
            own_prescaler,
            wgm: 0,
            clock_select: 0,
            count: 0,
            down: false,
            compare: [0; 3],
            written: [0; 3],
            capture: 0,
            flags: 0,
            enabled: 0,
            at: now,
            origin: now,
            held: false,
            skip: false,
            other: None,
        }
    }

    /// From `now` on a clock drives it of which `edges` come in `cycles` of the CPU's; `None`: the
    /// CPU's.
    pub fn drive(&mut self, now: u64, other: Option<(u64, u64)>) {
        self.advance(now);
        self.other = other;
        self.origin = now;
    }

    fn mode(&self) -> Mode {
        if self.wide {
            WIDE[usize::from(self.wgm & 15)]
        } else {
            NARROW[usize::from(self.wgm & 7)]
        }
    }

    fn top(&self) -> u16 {
        match self.mode().top {
            Top::Fixed(top) => top,
            Top::CompareA => self.compare[0],
            Top::Capture => self.capture,
        }
    }

    fn max(&self) -> u16 {
        if self.wide { 0xFFFF } else { 0xFF }
    }

    /// How many ticks come in how many cycles; `None`: it stands still.
    fn divider(&self) -> Option<(u64, u64)> {
        let table = if self.own_prescaler { &OWN } else { &SHARED };
        let edges_a_tick = u64::from(table[usize::from(self.clock_select & 7)]);
        let (cycles, edges) = self.other.unwrap_or((1, 1));
        (edges_a_tick != 0 && !self.held).then_some((edges, cycles * edges_a_tick))
    }

    /// Clocked by a pin.
    pub fn external(&self) -> bool {
        !self.own_prescaler && self.clock_select & 7 >= 6
    }

    /// Whether its mode is a reserved one.
    pub fn reserved(&self) -> bool {
        if self.wide {
            self.wgm == 13
        } else {
            matches!(self.wgm, 4 | 6)
        }
    }

    /// The counter.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// Writes the counter. A match at the next tick is lost (section "Compare Match Blocking by
    /// TCNT Write").
    pub fn set_count(&mut self, value: u16) {
        self.count = value & self.max();
        self.skip = true;
    }

    /// A compare register as it was written.
    pub fn compare(&self, channel: usize) -> u16 {
        self.written[channel]
    }

    /// Writes a compare register.
    pub fn set_compare(&mut self, channel: usize, value: u16) {
        self.written[channel] = value;
        if self.mode().update == Update::Now {
            self.compare[channel] = value;
        }
    }

    /// Takes note of a new mode.
    pub fn mode_changed(&mut self) {
        if self.mode().update == Update::Now {
            self.compare = self.written;
        }
        self.down &= self.mode().dual;
    }

    /// The prescaler restarts at `now`. While it is `held` (TSM), it does not count.
    pub fn reset_prescaler(&mut self, now: u64, held: bool) {
        self.origin = now;
        self.at = now;
        self.held = held;
    }

    /// The clock of the I/O stood still until `now`.
    pub fn skip_to(&mut self, now: u64) {
        let slept = now.saturating_sub(self.at);
        self.at += slept;
        self.origin += slept;
    }

    /// An edge on the capture pin.
    pub fn capture_now(&mut self) {
        self.capture = self.count;
        self.flags |= ICF;
    }

    /// Counts up to the cycle `now`.
    pub fn advance(&mut self, now: u64) {
        if let Some((ticks, cycles)) = self.divider() {
            let tick = |at: u64| (at - self.origin) * ticks / cycles;
            let mut left = tick(now) - tick(self.at);
            while left > 0 {
                left -= self.run(left);
            }
        }
        self.at = now;
    }

    /// Counts up to `most` ticks and stops after the first that sets a flag. The result is their
    /// number.
    fn run(&mut self, most: u64) -> u64 {
        let ahead = |value: u16| {
            let distance = if self.down {
                self.count.checked_sub(value)
            } else {
                value.checked_sub(self.count)
            };
            distance.map(u64::from)
        };
        let [a, b, c] = self.compare;
        // At 1 a counter that goes down arrives at BOTTOM next.
        let events = [a, b, c, self.top(), self.max(), 1, 0];
        let quiet = events.into_iter().filter_map(ahead).min().unwrap_or(0);
        if quiet >= most {
            self.shift(most);
            return most;
        }
        self.shift(quiet);
        self.tick();
        quiet + 1
    }

    fn shift(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        let ticks = ticks as u16;
        self.count = if self.down {
            self.count - ticks
        } else {
            self.count + ticks
        };
        self.skip = false;
    }

    /// One tick that leaves a value of interest.
    fn tick(&mut self) {
        let mode = self.mode();
        let at = self.count;
        if !std::mem::take(&mut self.skip) {
            for (value, flag) in self.compare.into_iter().zip(OCF) {
                if value == at {
                    self.flags |= flag;
                }
            }
        }
        if mode.dual {
            self.turn(mode);
            return;
        }
        let top = self.top();
        if at != top && at != self.max() {
            self.count = at + 1;
            return;
        }
        self.count = 0;
        if at == self.max() || mode.update == Update::Top {
            self.flags |= TOV;
        }
        if at == top {
            self.reach_top(mode);
        }
    }

    /// One tick of a counter that goes up and down.
    fn turn(&mut self, mode: Mode) {
        let top = self.top();
        if !self.down && self.count >= top {
            self.down = true;
            self.reach_top(mode);
        } else if self.down && self.count == 0 {
            self.down = false;
        }
        self.count = if self.down {
            self.count.saturating_sub(1)
        } else {
            self.count + 1
        };
        if self.down && self.count == 0 {
            self.flags |= TOV;
            if mode.update == Update::Bottom {
                self.compare = self.written;
            }
        }
    }

    fn reach_top(&mut self, mode: Mode) {
        if mode.top == Top::Capture {
            self.flags |= ICF;
        }
        if mode.update == Update::Top {
            self.compare = self.written;
        }
    }

    /// The cycle at which the next flag that interrupts is set, if it is not set already.
    pub fn deadline(&self) -> Option<u64> {
        let (ticks, cycles) = self.divider()?;
        let wanted = self.enabled & !self.flags;
        if wanted == 0 {
            return None;
        }
        let mut ahead = *self;
        let mut counted = 0;
        // A period holds six turns of `run` at most, twice as many where it goes up and down, and a
        // compare register may need one period to be taken over.
        for _ in 0..40 {
            counted += ahead.run(u64::MAX);
            if ahead.flags & wanted != 0 {
                let begun = (self.at - self.origin) * ticks / cycles;
                return Some(self.origin + ((begun + counted) * cycles).div_ceil(ticks));
            }
        }
        None
    }
}
