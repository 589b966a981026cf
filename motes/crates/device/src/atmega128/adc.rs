//! The analog to digital converter (2467, section "Analog to Digital Converter"): ten bits,
//! successive approximation. A conversion begins at a rising edge of its own clock, which runs while
//! it is switched on. It takes 13 periods, the first one after switching on 25; the input is held
//! 1.5 and 13.5 periods after its begin.

use super::chip::Chip;
use crate::atmega128::{AnalogInput, External};

constants! { u8:
    ADEN = 0x80,  ADSC = 0x40,  ADFR = 0x20,  ADIF = 0x10,  ADIE = 0x08,  ADLAR = 0x20,
}
/// Bits of ADMUX: which reference, and which input.
const REFERENCE: u8 = 6;
const INPUT: u8 = 0x1F;
/// Inputs inside the chip.
const BANDGAP: u8 = 30;
const GROUND: u8 = 31;
/// The bandgap and the reference made of it, in microvolts.
const BANDGAP_UV: u32 = 1_230_000;
const BANDGAP_UV_1281: u32 = 1_100_000;
const INTERNAL_UV: u32 = 2_560_000;
/// Half periods of the clock: begin to held input, begin to result.
const USUAL: (u64, u64) = (3, 26);
const FIRST: (u64, u64) = (27, 50);
/// The highest result.
const MOST: u32 = 0x3FF;

/// A conversion under way.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    /// The cycle at which the input is held; `None`: it is held.
    hold: Option<u64>,
    end: u64,
    value: u16,
    /// ADMUX when it began.
    select: u8,
}

/// The registers.
#[derive(Clone, Copy, Debug)]
pub struct Adc {
    bandgap_uv: u32,
    select: u8,
    control: u8,
    result: u16,
    /// ADCL was read: the result stays until ADCH is read.
    locked: bool,
    /// Its clock began to run at this cycle.
    origin: u64,
    /// No conversion has been since it was switched on.
    first: bool,
    conversion: Option<Conversion>,
}

impl Adc {
    /// Off.
    pub fn new(chip: Chip) -> Adc {
        Adc {
            bandgap_uv: match chip {
                Chip::Atmega128 => BANDGAP_UV,
                Chip::Atmega1281 => BANDGAP_UV_1281,
            },
            select: 0,
            control: 0,
            result: 0,
            locked: false,
            origin: 0,
            first: true,
            conversion: None,
        }
    }

    /// ADMUX.
    pub fn select(&self) -> u8 {
        self.select
    }

    /// Writes ADMUX. A conversion under way keeps its input.
    pub fn set_select(&mut self, value: u8) {
        self.select = value;
    }

    /// The selected input is the difference of two pins, which is not modelled.
    pub fn differential(&self) -> bool {
        (8..BANDGAP).contains(&(self.select & INPUT))
    }

    /// ADCSRA.
    pub fn control(&self) -> u8 {
        let running = if self.conversion.is_some() { ADSC } else { 0 };
        self.control & !ADSC | running
    }

    /// Writes ADCSRA at cycle `now`: a 1 at ADIF clears it, ADSC begins a conversion.
    pub fn set_control(&mut self, value: u8, now: u64) {
        let was_on = self.control & ADEN != 0;
        let flag = self.control & !value & ADIF;
        self.control = value & !(ADSC | ADIF) | flag;
        if value & ADEN == 0 {
            (self.conversion, self.first) = (None, true);
            return;
        }
        if !was_on {
            self.origin = now;
        }
        if value & ADSC != 0 {
            self.begin(now);
        }
    }

    /// Cycles of half a period of its clock.
    fn half(&self) -> u64 {
        (1_u64 << (self.control & 7).max(1)) / 2
    }

    /// Begins a conversion, if it is on and none is under way.
    pub fn begin(&mut self, now: u64) {
        if self.control & ADEN == 0 || self.conversion.is_some() {
            return;
        }
        let half = self.half();
        let periods = now.saturating_sub(self.origin).div_ceil(2 * half);
        let start = self.origin + periods * 2 * half;
        let first = std::mem::take(&mut self.first);
        let (hold, end) = if first { FIRST } else { USUAL };
        self.conversion = Some(Conversion {
            hold: Some(start + hold * half),
            end: start + end * half,
            value: 0,
            select: self.select,
        });
    }

    /// The next cycle at which it does something.
    pub fn deadline(&self) -> Option<u64> {
        self.conversion
            .map(|conversion| conversion.hold.unwrap_or(conversion.end))
    }

    /// Does what is due at cycle `now`.
    pub fn advance(&mut self, now: u64, outside: &mut dyn External) {
        while let Some(mut conversion) = self.conversion {
            if let Some(hold) = conversion.hold {
                if hold > now {
                    return;
                }
                conversion.hold = None;
                conversion.value = self.convert(conversion.select, hold, outside);
                self.conversion = Some(conversion);
                continue;
            }
            if conversion.end > now {
                return;
            }
            self.conversion = None;
            if !self.locked {
                self.result = conversion.value;
            }
            self.control |= ADIF;
            if self.control & ADFR != 0 {
                self.begin(conversion.end);
            }
        }
    }

    fn convert(&self, select: u8, now: u64, outside: &mut dyn External) -> u16 {
        let input = match select & INPUT {
            GROUND => 0,
            BANDGAP => self.bandgap_uv,
            pin => outside.microvolts(now, AnalogInput::Pin(pin & 7)),
        };
        let reference = match select >> REFERENCE {
            0 => outside.microvolts(now, AnalogInput::Reference),
            1 => outside.microvolts(now, AnalogInput::Supply),
            _ => INTERNAL_UV,
        };
        let scaled = u64::from(input) * 1024 / u64::from(reference.max(1));
        scaled.min(u64::from(MOST)) as u16
    }

    fn shown(&self) -> u16 {
        self.result << if self.select & ADLAR != 0 { 6 } else { 0 }
    }

    /// Reads ADCL. The result then stays until ADCH is read.
    pub fn low(&mut self) -> u8 {
        self.locked = true;
        self.shown() as u8
    }

    /// Reads ADCH.
    pub fn high(&mut self) -> u8 {
        self.locked = false;
        (self.shown() >> 8) as u8
    }

    /// Its clock stood still for `cycles`.
    pub fn delay(&mut self, cycles: u64) {
        self.origin += cycles;
        if let Some(conversion) = &mut self.conversion {
            conversion.end += cycles;
            if let Some(hold) = &mut conversion.hold {
                *hold += cycles;
            }
        }
    }

    /// Whether it interrupts.
    pub fn interrupt(&self) -> bool {
        self.control & (ADIE | ADIF) == ADIE | ADIF
    }

    /// The interrupt is taken.
    pub fn acknowledge(&mut self) {
        self.control &= !ADIF;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pin at half a volt, a supply of three.
    #[derive(Default)]
    struct Volts {
        asked: Vec<(u64, AnalogInput)>,
    }

    impl External for Volts {
        fn microvolts(&mut self, now: u64, input: AnalogInput) -> u32 {
            self.asked.push((now, input));
            match input {
                AnalogInput::Pin(_) => 500_000,
                AnalogInput::Reference | AnalogInput::Supply => 3_000_000,
            }
        }
    }

    fn on(select: u8, control: u8) -> (Adc, Volts) {
        let mut adc = Adc::new(Chip::Atmega128);
        adc.set_select(select);
        adc.set_control(ADEN | control, 0);
        (adc, Volts::default())
    }

    #[test]
    fn the_first_conversion_takes_25_periods_and_the_others_13() {
        let (mut adc, mut outside) = on(0, ADSC | ADIE | 6);
        adc.advance(25 * 64 - 1, &mut outside);
        assert_eq!((adc.control() & ADSC, adc.interrupt()), (ADSC, false));
        adc.advance(25 * 64, &mut outside);
        assert_eq!((adc.control() & ADSC, adc.interrupt()), (0, true));
        assert_eq!((adc.low(), adc.high()), (170, 0), "0.5 / 3 of 1024");
        assert_eq!(outside.asked[0], (27 * 32, AnalogInput::Pin(0)));
        adc.acknowledge();
        adc.set_control(ADEN | ADSC | ADIE | 6, 2000);
        // The next rising edge is at 32 periods.
        let end = 32 * 64 + 13 * 64;
        adc.advance(end - 1, &mut outside);
        assert!(!adc.interrupt());
        adc.advance(end, &mut outside);
        assert!(adc.interrupt());
        assert_eq!(outside.asked[2].0, 32 * 64 + 96);
    }

    #[test]
    fn inside_inputs_and_references_are_there() {
        for (select, code) in [
            (0x1E, 419),
            (0x1F, 0),
            (0x5E, 419),
            (0xDE, 492),
            (0xC0, 200),
        ] {
            let (mut adc, mut outside) = on(select, ADSC | 1);
            adc.advance(1000, &mut outside);
            let (low, high) = (adc.low(), adc.high());
            assert_eq!(u16::from_le_bytes([low, high]), code, "{select:02x}");
        }
    }

    #[test]
    fn free_running_goes_on_and_a_result_half_read_stays() {
        let (mut adc, mut outside) = on(ADLAR, ADSC | ADFR | 2);
        adc.advance(100, &mut outside);
        assert_eq!(adc.low(), 0x80);
        adc.set_select(0x1F);
        adc.advance(1000, &mut outside);
        assert_eq!(adc.control() & (ADSC | ADIF), ADSC | ADIF);
        adc.set_select(ADLAR);
        assert_eq!(adc.high(), 170 >> 2);
    }

    #[test]
    fn a_one_clears_the_flag_and_switching_off_ends_a_conversion() {
        let (mut adc, mut outside) = on(0, ADSC);
        adc.advance(50, &mut outside);
        adc.set_control(ADEN | ADSC | ADIF, 60);
        assert_eq!(adc.control(), ADEN | ADSC);
        adc.set_control(0, 61);
        assert_eq!((adc.deadline(), adc.control()), (None, 0));
    }
}
