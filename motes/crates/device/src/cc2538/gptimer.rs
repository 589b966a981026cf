//! General-purpose timers GPTM0 to GPTM3 (0x4003_0000 and 0x1000 each): one-shot and periodic, up
//! or down, as one 32-bit timer or two of 16 bits with prescaler, time-out and match interrupts.
//! Capture, PWM and real-time clock modes are refused when a subtimer is switched on in them.

use super::{AccessError, Written, not_modelled};
use crate::Ps;
use crate::clock::{Clock, NEVER};

constants! { u32:
    CFG = 0x00,      TAMR = 0x04,     CTL = 0x0C,      SYNC = 0x10,     IMR = 0x18,
    RIS = 0x1C,      MIS = 0x20,      ICR = 0x24,      TAILR = 0x28,    TAMATCHR = 0x30,
    TAPR = 0x38,     TAPMR = 0x40,    TAR = 0x48,      TAV = 0x50,      TAPS = 0x5C,
    TAPV = 0x64,     PP = 0xFC0,
}

constants! { u32:
    ONE_SHOT = 1,             PERIODIC = 2,             UP = 1 << 4,
    MATCH_INTERRUPT = 1 << 5,
}
/// Capture or PWM by TACMR and TAAMS, wait on trigger, snapshot, delayed load. TAPWMIE (bit 9) does
/// nothing in other modes than PWM.
const OTHER_MODES: u32 = 0xDCC;

const TIME_OUT: u32 = 1 << 0;
const MATCH: u32 = 1 << 4;
/// TAEN and TBEN of CTL.
const ENABLES: [u32; 2] = [1 << 0, 1 << 8];
/// TAPWML, TBPWML, TAOTE, TBOTE, TAEVENT … are kept but do nothing.
const CTL_BITS: u32 = 0x6F6F;
const FLAGS: u32 = 0x0F1F;

/// One half of a timer, or in 32-bit mode the whole of it (subtimer A).
#[derive(Clone, Copy)]
struct Subtimer {
    mode: u32,
    load: u32,
    matching: u32,
    prescale: u32,
    prescale_match: u32,
    enabled: bool,
    /// Clock cycle at which the present period began.
    anchor: u64,
    /// Cycles of the present period when the clock was gated.
    held: Option<u64>,
    matched: bool,
}

impl Subtimer {
    const RESET: Subtimer = Subtimer {
        mode: 0,
        load: u32::MAX,
        matching: u32::MAX,
        prescale: 0,
        prescale_match: 0,
        enabled: false,
        anchor: 0,
        held: Some(0),
        matched: false,
    };

    fn up(&self) -> bool {
        self.mode & UP != 0
    }

    /// Cycles of one count: the prescaler divides when counting down with 16 bits.
    fn step(&self, wide: bool) -> u64 {
        if wide || self.up() {
            1
        } else {
            u64::from(self.prescale) + 1
        }
    }

    /// Highest count: when counting up with 16 bits, the prescaler's register holds bits 23:16.
    fn top(&self, wide: bool) -> u64 {
        match (wide, self.up()) {
            (true, _) => self.load.into(),
            (false, true) => u64::from(self.prescale) << 16 | u64::from(self.load & 0xFFFF),
            (false, false) => (self.load & 0xFFFF).into(),
        }
    }

    fn period(&self, wide: bool) -> u64 {
        (self.top(wide) + 1) * self.step(wide)
    }

    /// Cycles after the beginning of a period at which the count meets the match value.
    fn match_after(&self, wide: bool) -> Option<u64> {
        let target = match (wide, self.up()) {
            (true, _) => self.matching.into(),
            (false, true) => {
                u64::from(self.prescale_match) << 16 | u64::from(self.matching & 0xFFFF)
            }
            (false, false) => (self.matching & 0xFFFF).into(),
        };
        let top = self.top(wide);
        let counts = if self.up() {
            Some(target)
        } else {
            top.checked_sub(target)
        };
        counts
            .filter(|&counts| counts <= top)
            .map(|counts| counts * self.step(wide))
    }

    fn elapsed(&self, cycle: u64) -> u64 {
        self.held
            .unwrap_or_else(|| cycle.saturating_sub(self.anchor))
    }

    fn value(&self, wide: bool, cycle: u64) -> u64 {
        let counts = self.elapsed(cycle) / self.step(wide);
        if self.up() {
            counts.min(self.top(wide))
        } else {
            self.top(wide).saturating_sub(counts)
        }
    }

    /// The next cycle at which a time-out comes, or a match where the match interrupt is selected.
    fn next(&self, wide: bool) -> Option<u64> {
        let end = self.time_out(wide)?;
        Some(self.meeting(wide).map_or(end, |meets| meets.min(end)))
    }

    /// The cycle of the next time-out.
    fn time_out(&self, wide: bool) -> Option<u64> {
        let counts = self.enabled && self.held.is_none();
        counts.then(|| self.anchor + self.period(wide))
    }

    /// The cycle of the match in this period that is still to come.
    fn meeting(&self, wide: bool) -> Option<u64> {
        let awaits = self.mode & MATCH_INTERRUPT != 0 && !self.matched;
        let after = self.match_after(wide).filter(|_| awaits)?;
        Some(self.anchor + after)
    }

    /// What happened until `cycle`: TIME_OUT, MATCH.
    fn catch_up(&mut self, wide: bool, cycle: u64) -> u32 {
        let mut flags = 0;
        while let Some(next) = self.next(wide).filter(|&next| next <= cycle) {
            if next < self.anchor + self.period(wide) {
                self.matched = true;
                flags |= MATCH;
                continue;
            }
            let awaits = self.mode & MATCH_INTERRUPT != 0 && !self.matched;
            if awaits && self.match_after(wide).is_some() {
                flags |= MATCH;
            }
            flags |= TIME_OUT;
            self.matched = false;
            self.anchor += self.period(wide) * ((cycle - self.anchor) / self.period(wide)).max(1);
            if self.mode & 3 == ONE_SHOT {
                self.enabled = false;
                self.held = Some(0);
            }
        }
        flags
    }

    /// The period begins anew at `cycle`.
    fn restart(&mut self, cycle: u64, clocked: bool) {
        self.anchor = cycle;
        self.matched = false;
        self.held = (!clocked || !self.enabled).then_some(0);
    }
}

/// One timer block.
#[derive(Clone)]
pub(super) struct GpTimer {
    config: u32,
    control: u32,
    mask: u32,
    raw: u32,
    halves: [Subtimer; 2],
    clocked: bool,
    due: Ps,
}

impl GpTimer {
    pub(super) fn new() -> GpTimer {
        GpTimer {
            config: 0,
            control: 0,
            mask: 0,
            raw: 0,
            halves: [Subtimer::RESET; 2],
            clocked: false,
            due: NEVER,
        }
    }

    /// SRGPT: back to reset, the gate as it is.
    pub(super) fn reset(&mut self) {
        let clocked = self.clocked;
        *self = GpTimer::new();
        self.clocked = clocked;
    }

    pub(super) fn due(&self) -> Ps {
        self.due
    }

    /// Line A (0) or B (1).
    pub(super) fn interrupt(&self, half: u32) -> bool {
        (self.raw & self.mask) >> (8 * half) & 0xFF != 0
    }

    fn wide(&self) -> bool {
        self.config & 4 == 0
    }

    /// The system clock has another frequency, or the gate opened or closed.
    pub(super) fn clock_changed(&mut self, now: Ps, clock: &Clock, clocked: bool) {
        let cycle = clock.cycles_at(now);
        for half in &mut self.halves {
            let elapsed = half.elapsed(cycle);
            half.anchor = cycle.saturating_sub(elapsed);
            half.held = (!clocked || !half.enabled).then_some(elapsed);
        }
        self.clocked = clocked;
        self.reschedule(clock);
    }

    pub(super) fn advance(&mut self, now: Ps, clock: &Clock) {
        self.catch_up(now, clock);
        self.reschedule(clock);
    }

    fn catch_up(&mut self, now: Ps, clock: &Clock) {
        let (wide, cycle) = (self.wide(), clock.cycles_at(now));
        for (shift, half) in [0, 8].into_iter().zip(&mut self.halves) {
            let flags = half.catch_up(wide, cycle);
            // The match flag of subtimer B is bit 11.
            let place = if shift == 8 {
                (flags & TIME_OUT) << 8 | (flags & MATCH) << 7
            } else {
                flags
            };
            self.raw |= place;
            if !half.enabled {
                self.control &= !(1 << shift);
            }
        }
    }

    /// When an enabled interrupt flag is next set. The other flags are brought up to date when
    /// registers are accessed.
    fn reschedule(&mut self, clock: &Clock) {
        let wide = self.wide();
        let awaited = self.mask & !self.raw;
        let next = |(half, time_out, matching): (&Subtimer, u32, u32)| {
            let end = half.time_out(wide)?;
            let meets = half.meeting(wide).unwrap_or(end);
            let meets = (awaited & matching != 0).then_some(meets);
            (awaited & time_out != 0)
                .then_some(end)
                .into_iter()
                .chain(meets)
                .min()
        };
        let [a, b] = &self.halves;
        let halves = [(a, TIME_OUT, MATCH), (b, TIME_OUT << 8, MATCH << 7)];
        let next = halves.into_iter().filter_map(next).min();
        self.due = next.map_or(NEVER, |cycle| clock.time_of(cycle));
    }

    /// Reads the register at `offset`.
    pub(super) fn read(&self, offset: u32, now: Ps, clock: &Clock) -> Option<u32> {
        let half = &self.halves[(offset >> 2 & 1) as usize];
        let wide = self.wide();
        let low = |value: u32| if wide { value } else { value & 0xFFFF };
        let value = |half: &Subtimer| half.value(wide, clock.cycles_at(now));
        let prescaler = |half: &Subtimer| {
            let cycle = clock.cycles_at(now);
            if wide {
                0
            } else if half.up() {
                (half.value(false, cycle) >> 16) as u32
            } else {
                half.prescale - (half.elapsed(cycle) % half.step(false)) as u32
            }
        };
        let odd = &self.halves[usize::from(offset & 4 == 0)];
        Some(match offset {
            CFG => self.config,
            TAMR => self.halves[0].mode,
            0x08 => self.halves[1].mode,
            CTL => self.control,
            SYNC | ICR => 0,
            IMR => self.mask,
            RIS => self.raw,
            MIS => self.raw & self.mask,
            TAILR | 0x2C => low(half.load),
            TAMATCHR | 0x34 => low(half.matching),
            TAPR | 0x3C => half.prescale,
            TAPMR | 0x44 => half.prescale_match,
            TAR | 0x4C | TAV | 0x54 => low(value(half) as u32),
            TAPS | 0x60 | TAPV | 0x68 => prescaler(odd),
            PP => 0,
            _ => return None,
        })
    }

    /// Writes the register at `offset`; `None`: there is none.
    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps, clock: &Clock) -> Written {
        self.catch_up(now, clock);
        let cycle = clock.cycles_at(now);
        let clocked = self.clocked;
        let index = (offset >> 2 & 1) as usize;
        match offset {
            CFG => self.config = value & 7,
            TAMR => self.halves[0].mode = value & 0xFFF,
            0x08 => self.halves[1].mode = value & 0xFFF,
            CTL => {
                if let Err(error) = self.write_control(value & CTL_BITS, cycle) {
                    return Some(Err(error));
                }
            }
            IMR => self.mask = value & FLAGS,
            ICR => self.raw &= !value,
            TAILR | 0x2C => {
                self.halves[index].load = value;
                self.halves[index].restart(cycle, clocked);
            }
            TAMATCHR | 0x34 => {
                self.halves[index].matching = value;
                self.halves[index].matched = false;
            }
            TAPR | 0x3C => self.halves[index].prescale = value & 0xFF,
            TAPMR | 0x44 => self.halves[index].prescale_match = value & 0xFF,
            TAV | 0x54 => self.set_value(index, value, cycle),
            SYNC if value != 0 => {
                return not_modelled("synchronising general-purpose timers (GPTMSYNC)");
            }
            SYNC | RIS | MIS | TAR | 0x4C | TAPS..=0x68 | PP => {}
            _ => return None,
        }
        self.reschedule(clock);
        Some(Ok(()))
    }

    fn write_control(&mut self, value: u32, cycle: u64) -> Result<(), AccessError> {
        let wide = self.wide();
        for (index, bit) in ENABLES.into_iter().enumerate() {
            let (on, was) = (value & bit != 0, self.halves[index].enabled);
            if on && !was && !(wide && index == 1) {
                let mode = self.halves[index].mode;
                if self.config == 1
                    || !matches!(mode & 3, ONE_SHOT | PERIODIC)
                    || mode & OTHER_MODES != 0
                {
                    return Err(AccessError::NotModelled {
                        name: "a general-purpose timer in another mode than one-shot or periodic",
                    });
                }
                self.halves[index].enabled = true;
                self.halves[index].restart(cycle, self.clocked);
            } else if !on && was {
                let elapsed = self.halves[index].elapsed(cycle);
                self.halves[index].enabled = false;
                self.halves[index].held = Some(elapsed);
            }
        }
        self.control = value;
        Ok(())
    }

    /// TAV, TBV: the count becomes `value`.
    fn set_value(&mut self, index: usize, value: u32, cycle: u64) {
        let wide = self.wide();
        let half = &mut self.halves[index];
        let value = if wide {
            u64::from(value)
        } else {
            u64::from(value & 0xFFFF)
        };
        let counts = if half.up() {
            value
        } else {
            half.top(wide).saturating_sub(value)
        };
        let elapsed = counts * half.step(wide);
        half.anchor = cycle.saturating_sub(elapsed);
        half.held = half.held.map(|_| elapsed);
        half.matched = false;
    }
}

#[cfg(test)]
#[path = "tests/gptimer.rs"]
mod tests;
