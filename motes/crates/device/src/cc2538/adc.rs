//! ADC and random number generator (0x400D_7000), SWRU319 "Analog-to-Digital Converter": single
//! conversions and sequences by software, results in 12 bits two's complement, left-aligned; the
//! generator is a shift register of 16 bits with the polynomial x^16 + x^15 + x^2 + 1.
//!
//! A conversion takes 20, 36, 68 or 132 us for 7, 9, 10 or 12 bits (decimation plus 16 cycles of
//! 4 MHz). The sensor's line through 25 degrees and the internal reference of 1.19 V are those of
//! SWRS096, from memory.

use super::{Written, not_modelled};
use crate::Ps;
use crate::clock::NEVER;

constants! { u32:
    CON1 = 0x00, CON2 = 0x04, CON3 = 0x08, ADCL = 0x0C, ADCH = 0x10, RNDL = 0x14, RNDH = 0x18,
    CMPCTL = 0x24, IVCTRL = 0x28,
}

constants! { u32: EOC_SHIFT = 7, START = 1 << 6, }

// Channels of a sequence of pins, and of one of differential pairs.
constants! { u32: LAST_PIN = 7, FIRST_PAIR = 8, LAST_PAIR = 11, }
constants! { u32: TEMPERATURE = 14, SUPPLY_THIRD = 15, }

/// Microvolts: internal reference, supply, and the temperature sensor at 25 degrees.
const INTERNAL_UV: i64 = 1_190_000;
const SUPPLY_UV: i64 = 3_000_000;
/// 1 422 of 2 047 steps of the internal reference (SWRS096, from memory).
const TEMPERATURE_UV: i64 = 1_422 * INTERNAL_UV / 2_047;

/// Which pins a result comes from, and their voltages.
#[derive(Clone)]
pub(super) struct Adc {
    sequence: u32,
    single: u32,
    start: u32,
    eoc: bool,
    result: u16,
    shift: u16,
    compare: u32,
    supply_uv: i64,
    /// A conversion: its control word, whether it is one of a sequence, its end.
    running: Option<(u32, bool)>,
    due: Ps,
    pulse: bool,
}

impl Adc {
    pub(super) fn new() -> Adc {
        Adc {
            sequence: 0x10,
            single: 0,
            start: 3,
            eoc: false,
            result: 0,
            shift: 0xFFFF,
            compare: 0,
            supply_uv: SUPPLY_UV,
            running: None,
            due: NEVER,
            pulse: false,
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Adc {
            supply_uv: self.supply_uv,
            ..Adc::new()
        };
    }

    pub(super) fn due(&self) -> Ps {
        self.due
    }

    /// A conversion has ended since the last call: the line pulses.
    pub(super) fn take_pulse(&mut self) -> bool {
        std::mem::take(&mut self.pulse)
    }

    /// The chip's clocks stop: the conversion is lost.
    pub(super) fn power_down(&mut self) {
        self.running = None;
        self.due = NEVER;
    }

    fn convert(&mut self, control: u32, sequence: bool, now: Ps) {
        let microseconds = [20, 36, 68, 132][(control >> 4 & 3) as usize];
        self.running = Some((control, sequence));
        self.due = now + Ps::from_micros(microseconds);
    }

    /// Microvolts of a channel: pins are not connected.
    fn microvolts(&self, channel: u32) -> i64 {
        match channel {
            TEMPERATURE => TEMPERATURE_UV,
            SUPPLY_THIRD => self.supply_uv / 3,
            _ => 0,
        }
    }

    /// A conversion has ended.
    pub(super) fn advance(&mut self, now: Ps) {
        let Some((control, sequence)) = self.running.take() else {
            return;
        };
        self.due = NEVER;
        let reference = match control >> 6 & 3 {
            0 => INTERNAL_UV,
            _ => self.supply_uv,
        };
        let steps = (self.microvolts(control & 0xF) * 2_047 / reference).clamp(-2_048, 2_047);
        let bits = [7, 9, 10, 12][(control >> 4 & 3) as usize];
        let kept = !0_u16 << (16 - bits);
        self.result = ((steps as i16) << 4) as u16 & kept;
        self.eoc = true;
        self.pulse = true;
        if sequence && control & 0xF < self.sequence & 0xF {
            self.convert(control + 1, true, now);
        }
    }

    /// One step of the shift register with feedback from its bits 15, 14 and 1.
    fn step(&mut self, input: u16) {
        let feedback = (self.shift >> 15 ^ self.shift >> 14 ^ self.shift >> 1 ^ input) & 1;
        self.shift = self.shift << 1 | feedback;
    }

    pub(super) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            CON1 => {
                u32::from(self.eoc) << EOC_SHIFT | u32::from(self.running.is_some()) << 6 | 0x33
            }
            CON2 => self.sequence,
            CON3 => self.single,
            ADCL => u32::from(self.result & 0xFC),
            ADCH => {
                self.eoc = false;
                u32::from(self.result >> 8)
            }
            RNDL => u32::from(self.shift & 0xFF),
            RNDH => u32::from(self.shift >> 8),
            CMPCTL..=IVCTRL => self.compare,
            _ => return None,
        })
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps) -> Written {
        match offset {
            CON1 => {
                self.start = value >> 4 & 3;
                if value >> 2 & 3 == 1 {
                    (0..13).for_each(|_| self.step(0));
                }
                if value & START != 0 {
                    if self.start != 3 {
                        return not_modelled("conversions started by a timer or a pin (ADCCON1)");
                    }
                    let first = match self.sequence & 0xF {
                        0..=LAST_PIN => 0,
                        FIRST_PAIR..=LAST_PAIR => FIRST_PAIR,
                        alone => alone,
                    };
                    self.convert(self.sequence & !0xF | first, true, now);
                }
            }
            CON2 => self.sequence = value & 0xFF,
            CON3 => {
                self.single = value & 0xFF;
                self.convert(self.single, false, now);
            }
            // A write shifts the register's low octet up: two writes set a seed.
            RNDL => self.shift = self.shift << 8 | (value & 0xFF) as u16,
            RNDH => (0..8)
                .rev()
                .for_each(|bit| self.step((value >> bit & 1) as u16)),
            CMPCTL if value & 2 != 0 => return not_modelled("the analogue comparator (CMPCTL.EN)"),
            CMPCTL..=IVCTRL => self.compare = value,
            ADCL | ADCH => {}
            _ => return None,
        }
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EOC: u32 = 1 << EOC_SHIFT;
    const GROUND: u32 = 12;

    fn converted(adc: &mut Adc, control: u32) -> i16 {
        assert_eq!(adc.write(CON3, control, Ps::ZERO), Some(Ok(())));
        assert_eq!(adc.read(CON1).map(|flags| flags & EOC), Some(0));
        adc.advance(adc.due());
        assert!(adc.take_pulse());
        assert_eq!(adc.read(CON1).map(|flags| flags & EOC), Some(EOC));
        let low = adc.read(ADCL).expect("a register");
        let high = adc.read(ADCH).expect("a register");
        assert_eq!(adc.read(CON1).map(|flags| flags & EOC), Some(0), "read");
        (high << 8 | low) as i16
    }

    #[test]
    fn conversions_take_their_time_and_give_their_channel() {
        let mut adc = Adc::new();
        for (bits, microseconds) in [(0, 20), (1, 36), (2, 68), (3, 132)] {
            adc.write(CON3, bits << 4 | GROUND, Ps::ZERO);
            assert_eq!(adc.due(), Ps::from_micros(microseconds));
            adc.advance(adc.due());
            adc.take_pulse();
            adc.read(ADCL);
            adc.read(ADCH);
        }
        assert_eq!(converted(&mut adc, 0x30 | GROUND), 0);
        assert_eq!(converted(&mut adc, 0x30 | TEMPERATURE) >> 4, 1_421);
        // A third of 3 V by the internal reference, and by the supply.
        assert_eq!(converted(&mut adc, 0x30 | SUPPLY_THIRD) >> 4, 1_720);
        assert_eq!(converted(&mut adc, 0xB0 | SUPPLY_THIRD) >> 4, 682);
    }

    #[test]
    fn a_sequence_converts_every_channel_up_to_its_last() {
        let mut adc = Adc::new();
        for (last, conversions) in [(2, 3), (9, 2), (TEMPERATURE, 1)] {
            adc.write(CON2, 0x30 | last, Ps::ZERO);
            adc.write(CON1, START | 0x30, Ps::ZERO);
            let mut ends = 0;
            while adc.due() < NEVER {
                let at = adc.due();
                adc.advance(at);
                ends += 1;
            }
            assert_eq!(ends, conversions, "up to channel {last}");
        }
    }

    #[test]
    fn the_generator_is_the_shift_register_of_the_guide() {
        let mut adc = Adc::new();
        adc.write(RNDL, 0x12, Ps::ZERO);
        adc.write(RNDL, 0x34, Ps::ZERO);
        assert_eq!((adc.read(RNDH), adc.read(RNDL)), (Some(0x12), Some(0x34)));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            adc.write(CON1, 1 << 2, Ps::ZERO);
            seen.insert(adc.shift);
        }
        assert!(seen.len() > 900 && !seen.contains(&0), "{}", seen.len());
    }

    #[test]
    fn what_is_absent_is_named() {
        let mut adc = Adc::new();
        assert!(matches!(adc.write(CMPCTL, 2, Ps::ZERO), Some(Err(_))));
        assert!(matches!(adc.write(CON1, START, Ps::ZERO), Some(Err(_))));
        adc.write(CON3, 0x3F, Ps::ZERO);
        adc.power_down();
        assert_eq!((adc.due(), adc.read(0x40)), (NEVER, None));
    }
}
