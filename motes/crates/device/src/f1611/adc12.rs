//! The analog to digital converter ADC12 (SLAU049, "ADC12"): twelve bits, sixteen result memories,
//! single conversions and sequences, once or again and again. A conversion begins with a trigger, at
//! an edge of its clock: it samples its input, then takes 13 periods.
//!
//! Not modelled: the time that the reference and the input need to settle.

use super::basic_clock::Sources;
use super::clock::{Clock, NEVER};
use super::{AnalogInput, External};
use crate::Ps;

constants! { u16:
    MSC = 0x80,        REF2_5V = 0x40,    REFON = 0x20,
    ADC12ON = 0x10,    OVIE = 0x08,       TOVIE = 0x04,
    ENC = 0x02,        SC = 0x01,         SHP = 0x200,
    ISSH = 0x100,      BUSY = 0x01,       REPEAT = 0x04,
    SEQUENCE = 0x02,
}
/// Bits of ADC12CTL0 and ADC12CTL1 that only change while ENC is 0.
const LOCKED0: u16 = 0xFFF0;
const LOCKED1: u16 = 0xFFF8;
/// ADC12MCTLx: the last of a sequence.
const EOS: u8 = 0x80;
/// Result memories.
const MEMORIES: usize = 16;
/// Periods of sampling by SHT0x and SHT1x.
const SAMPLING: [u64; 16] = [
    4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1024, 1024, 1024,
];
/// Periods from the held input to the result.
const CONVERSION: u64 = 13;
/// ADC12OSC in millihertz: the data sheet SLAS368 gives 3.7 to 6.3 MHz, from memory.
const OSCILLATOR_MHZ: u64 = 5_000_000_000;
/// The internal reference in microvolts, without REF2_5V and with it.
const REFERENCE_UV: [u32; 2] = [1_500_000, 2_500_000];
/// The largest result.
const FULL: u64 = 4095;

/// A source of a trigger, ADC12CTL1's SHSx.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// ADC12SC.
    Software,
    /// Timer_A OUT1.
    TimerA1,
    /// Timer_B OUT0.
    TimerB0,
    /// Timer_B OUT1.
    TimerB1,
}

const TRIGGERS: [Trigger; 4] = [
    Trigger::Software,
    Trigger::TimerA1,
    Trigger::TimerB0,
    Trigger::TimerB1,
];

/// A sample and its conversion, under way.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    /// The edge of the converter's clock at which the input is held; `None`: it is held.
    hold: Option<u64>,
    /// The edge with the result.
    end: u64,
    value: u16,
}

/// The converter.
#[derive(Clone, Debug)]
pub struct Adc12 {
    ctl0: u16,
    ctl1: u16,
    ifg: u16,
    ie: u16,
    memory: [u16; MEMORIES],
    mctl: [u8; MEMORIES],
    /// A result came before the one before it was read.
    overflow: bool,
    /// A trigger came while a conversion was under way.
    late: bool,
    oscillator: Clock,
    /// The memory of the next conversion.
    next: usize,
    /// ENC has risen since the last conversion or sequence that was not to be repeated.
    armed: bool,
    /// Between the first conversion of a sequence and its last one.
    within: bool,
    conversion: Option<Conversion>,
    due: Ps,
}

impl Adc12 {
    /// After power-on: off.
    pub fn new() -> Adc12 {
        Adc12 {
            ctl0: 0,
            ctl1: 0,
            ifg: 0,
            ie: 0,
            memory: [0; MEMORIES],
            mctl: [0; MEMORIES],
            overflow: false,
            late: false,
            oscillator: Clock::new(Ps::ZERO, 0, OSCILLATOR_MHZ),
            next: 0,
            armed: false,
            within: false,
            conversion: None,
            due: NEVER,
        }
    }

    /// When the input is held, or a result is there.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// A result waits.
    pub fn has_result(&self) -> bool {
        self.ifg != 0
    }

    /// Whether it interrupts.
    pub fn pending(&self) -> bool {
        self.ifg & self.ie != 0
            || self.overflow && self.ctl0 & OVIE != 0
            || self.late && self.ctl0 & TOVIE != 0
    }

    /// Reads ADC12CTL0, ADC12CTL1, ADC12IFG, ADC12IE or ADC12IV, by its number.
    pub fn read(&mut self, register: u16) -> u16 {
        match register {
            0 => self.ctl0,
            1 => self.ctl1 | if self.busy() { BUSY } else { 0 },
            2 => self.ifg,
            3 => self.ie,
            _ => self.take_vector_word(),
        }
    }

    /// Writes one of them.
    pub fn write(&mut self, register: u16, value: u16, now: Ps, clocks: Sources) {
        let locked = self.ctl0 & ENC != 0;
        match register {
            0 => self.write_control(value, locked, now, clocks),
            1 => {
                let kept = if locked { LOCKED1 } else { 0 };
                self.ctl1 = (self.ctl1 & kept | value & !kept) & !BUSY;
            }
            2 => self.ifg = value,
            3 => self.ie = value,
            _ => {
                self.take_vector_word();
            }
        }
        self.reschedule(clocks);
    }

    /// Reads ADC12MEMx, which clears its flag.
    pub fn read_memory(&mut self, index: usize) -> u16 {
        self.ifg &= !(1 << index);
        self.memory[index]
    }

    /// Writes ADC12MEMx, which clears its flag.
    pub fn write_memory(&mut self, index: usize, value: u16) {
        self.ifg &= !(1 << index);
        self.memory[index] = value & 0x0FFF;
    }

    /// Reads ADC12MCTLx.
    pub fn read_memory_control(&self, index: usize) -> u8 {
        self.mctl[index]
    }

    /// Writes ADC12MCTLx, if ENC is 0.
    pub fn write_memory_control(&mut self, index: usize, value: u8) {
        if self.ctl0 & ENC == 0 {
            self.mctl[index] = value;
        }
    }

    /// The level of a trigger has changed.
    pub fn trigger(&mut self, trigger: Trigger, level: bool, now: Ps, clocks: Sources) {
        if self.source() != trigger {
            return;
        }
        let level = level != (self.ctl1 & ISSH != 0);
        // In extended mode the input is sampled as long as the trigger is high.
        if level == (self.ctl1 & SHP != 0) {
            self.triggered(now, clocks);
            self.reschedule(clocks);
        }
    }

    /// Does what is due at `now`.
    pub fn advance(&mut self, now: Ps, clocks: Sources, ext: &mut impl External) {
        let Some(mut conversion) = self.conversion.take() else {
            return;
        };
        if conversion.hold.take().is_some() {
            conversion.value = self.convert(now, ext);
            self.conversion = Some(conversion);
        } else {
            self.finish(conversion, clocks);
        }
        self.reschedule(clocks);
    }

    /// The clocks have changed; their counts go on.
    pub fn reschedule(&mut self, clocks: Sources) {
        self.due = self.conversion.map_or(NEVER, |conversion| {
            let edge = conversion.hold.unwrap_or(conversion.end);
            self.clock(clocks).time_of(edge)
        });
    }

    fn busy(&self) -> bool {
        self.conversion.is_some() || self.within
    }

    fn source(&self) -> Trigger {
        TRIGGERS[usize::from(self.ctl1 >> 10 & 3)]
    }

    fn clock<'a>(&'a self, clocks: Sources<'a>) -> &'a Clock {
        match self.ctl1 >> 3 & 3 {
            0 => &self.oscillator,
            1 => clocks.aclk,
            2 => clocks.mclk,
            _ => clocks.smclk,
        }
    }

    /// Periods of its source in one period of its own clock.
    fn divider(&self) -> u64 {
        u64::from(self.ctl1 >> 5 & 7) + 1
    }

    fn write_control(&mut self, value: u16, locked: bool, now: Ps, clocks: Sources) {
        let kept = if locked { LOCKED0 } else { 0 };
        let before = self.ctl0;
        self.ctl0 = self.ctl0 & kept | value & !kept;
        if before & ENC == 0 && self.ctl0 & ENC != 0 {
            self.armed = true;
        }
        if self.ctl0 & ENC == 0 {
            self.disabled();
        }
        let (was, is) = (before & SC != 0, self.ctl0 & SC != 0);
        if was != is {
            self.trigger(Trigger::Software, is, now, clocks);
        }
        if self.ctl1 & SHP != 0 {
            self.ctl0 &= !SC;
        }
    }

    /// ENC is 0: a single conversion ends at once, anything else when it has come to its end.
    fn disabled(&mut self) {
        self.armed = false;
        if self.ctl1 & (REPEAT | SEQUENCE) == 0 {
            (self.conversion, self.within) = (None, false);
        }
    }

    fn triggered(&mut self, now: Ps, clocks: Sources) {
        if self.ctl0 & ADC12ON == 0 || !(self.within || self.ready()) {
            return;
        }
        if self.conversion.is_some() {
            self.late = true;
            return;
        }
        if !self.within {
            self.next = usize::from(self.ctl1 >> 12);
            self.within = self.ctl1 & (REPEAT | SEQUENCE) != 0;
        }
        let start = self.clock(clocks).next_cycle(now);
        self.begin(start);
    }

    /// May a first conversion begin? Software needs no new edge of ENC.
    fn ready(&self) -> bool {
        self.ctl0 & ENC != 0 && (self.armed || self.source() == Trigger::Software)
    }

    /// Samples from edge `start` on.
    fn begin(&mut self, start: u64) {
        let period = self.divider();
        let field = if self.next < 8 {
            self.ctl0 >> 8
        } else {
            self.ctl0 >> 12
        };
        let sampling = if self.ctl1 & SHP != 0 {
            SAMPLING[usize::from(field & 0xF)]
        } else {
            0
        };
        self.conversion = Some(Conversion {
            hold: Some(start + sampling * period),
            end: start + (sampling + CONVERSION) * period,
            value: 0,
        });
    }

    /// VREF+ in microvolts; 0 while it is off.
    pub fn reference_uv(&self) -> u32 {
        if self.ctl0 & REFON == 0 {
            return 0;
        }
        REFERENCE_UV[usize::from(self.ctl0 & REF2_5V != 0)]
    }

    fn convert(&self, now: Ps, ext: &mut impl External) -> u16 {
        let control = self.mctl[self.next];
        let mut volts = |input| ext.microvolts(now, input);
        let own = self.reference_uv();
        let reference = match control >> 4 & 3 {
            0 => volts(AnalogInput::Supply),
            1 => own,
            _ => volts(AnalogInput::Reference),
        };
        let input = match control & 0xF {
            pin @ 0..=7 => volts(AnalogInput::Pin(pin)),
            8 => volts(AnalogInput::Reference),
            9 => 0,
            10 => volts(AnalogInput::Temperature),
            _ => volts(AnalogInput::Supply) / 2,
        };
        let scaled = FULL * u64::from(input) / u64::from(reference.max(1));
        scaled.min(FULL) as u16
    }

    /// A result is there; what comes next.
    fn finish(&mut self, conversion: Conversion, clocks: Sources) {
        let flag = 1 << self.next;
        self.overflow |= self.ifg & flag != 0;
        self.memory[self.next] = conversion.value;
        self.ifg |= flag;
        let (sequence, repeat) = (self.ctl1 & SEQUENCE != 0, self.ctl1 & REPEAT != 0);
        let last = !sequence || self.mctl[self.next] & EOS != 0;
        self.next = match (sequence, last) {
            (true, false) => (self.next + 1) % MEMORIES,
            _ => usize::from(self.ctl1 >> 12),
        };
        self.within = !last || repeat && self.ctl0 & ENC != 0;
        if !self.within {
            self.armed = false;
        } else if self.ctl0 & MSC != 0 && self.ctl1 & SHP != 0 {
            let at = self.clock(clocks).time_of(conversion.end);
            self.begin(self.clock(clocks).next_cycle(at));
        }
    }

    /// ADC12IV: the number of the highest pending interrupt that is enabled.
    fn take_vector_word(&mut self) -> u16 {
        if self.overflow && self.ctl0 & OVIE != 0 {
            self.overflow = false;
            return 2;
        }
        if self.late && self.ctl0 & TOVIE != 0 {
            self.late = false;
            return 4;
        }
        match (self.ifg & self.ie).trailing_zeros() {
            16 => 0,
            index => 6 + 2 * index as u16,
        }
    }
}

#[cfg(test)]
#[path = "adc12_tests.rs"]
mod tests;
