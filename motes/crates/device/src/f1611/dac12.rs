//! The digital to analog converters DAC12_0 and DAC12_1 (SLAU049, "DAC12"): what they give at pins
//! P6.6 and P6.7, where the ADC12 can read it. The output follows at once: the data sheet's 15 to
//! 100 us of settling are not modelled. An offset calibration takes its time.

use super::External;
use crate::Ps;

constants! { u16:
    EXTERNAL_REFERENCE = 0x4000, EIGHT_BITS = 0x1000, CALON = 0x0200, ONCE = 0x0100, SIGNED = 0x0010,
    IE = 0x0008,                 IFG = 0x0004,        ENC = 0x0002,   GRP = 0x0001,
}
/// Bits of DAC12_xCTL that only change while DAC12ENC is 0: all but CALON, IE, IFG, ENC and GRP.
const LOCKED: u16 = 0x7DF0;
/// Offset calibration in microseconds by DAC12AMPx (SLAS368, from memory: 100, 32 and 6 ms; assumed).
const CALIBRATION_US: [u64; 8] = [0, 0, 100_000, 32_000, 6_000, 32_000, 6_000, 6_000];

const NO_REFERENCE: &str =
    "DAC12 takes VREF+ while the reference of the ADC12 is off: it gives 0 V";
const UNCALIBRATED: &str = "DAC12_xCTL or DAC12_xDAT is written while DAC12 calibrates its offset";

/// What loads a converter, DAC12LSELx.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// A write to DAC12_xDAT, whatever DAC12ENC is.
    Write,
    /// A write, or that to all of a group.
    Grouped,
    /// The rising edge of Timer_A OUT1.
    TimerA1,
    /// The rising edge of Timer_B OUT2.
    TimerB2,
}

const LOADS: [Load; 4] = [Load::Write, Load::Grouped, Load::TimerA1, Load::TimerB2];

/// One converter.
#[derive(Clone, Copy, Debug, Default)]
struct Converter {
    control: u16,
    data: u16,
    /// What the output shows.
    latch: u16,
    /// DAC12_xDAT has been written since the last load.
    fresh: bool,
    calibrated_at: Ps,
}

impl Converter {
    fn load(self) -> Load {
        LOADS[usize::from(self.control >> 10 & 3)]
    }

    /// DAC12AMPx: from 2 on it drives its pin.
    fn amplifier(self) -> usize {
        usize::from(self.control >> 5 & 7)
    }

    fn bits(self) -> u32 {
        if self.control & EIGHT_BITS != 0 {
            8
        } else {
            12
        }
    }

    /// The number in its latch, 0 to 255 or to 4 095.
    fn number(self) -> u64 {
        let mask = (1 << self.bits()) - 1;
        let value = self.latch & mask;
        let signed = if self.control & SIGNED != 0 {
            value ^ (mask + 1) >> 1
        } else {
            value
        };
        signed.into()
    }

    fn take(&mut self) {
        self.latch = self.data;
        self.fresh = false;
        if self.load() != Load::Write {
            self.control |= IFG;
        }
    }
}

/// The voltages that the converters may take.
#[derive(Clone, Copy, Debug)]
pub struct References {
    /// VREF+ of the ADC12; 0 while it is off.
    pub own_uv: u32,
    /// VeREF+.
    pub external_uv: u32,
    /// AVCC: no output goes beyond it.
    pub supply_uv: u32,
}

/// The two converters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dac12 {
    converters: [Converter; 2],
}

impl Dac12 {
    /// Reads DAC12_0CTL, DAC12_1CTL, DAC12_0DAT, DAC12_1DAT by their number.
    pub fn read(&self, register: usize, now: Ps) -> u16 {
        let converter = &self.converters[register & 1];
        if register >= 2 {
            return converter.data;
        }
        let calibrates = now < converter.calibrated_at;
        converter.control | if calibrates { CALON } else { 0 }
    }

    /// Writes a register. `reference`: VREF+ is on.
    pub fn write(
        &mut self,
        register: usize,
        value: u16,
        now: Ps,
        reference: bool,
        ext: &mut impl External,
    ) {
        let index = register & 1;
        if now < self.converters[index].calibrated_at {
            ext.misuse(now, UNCALIBRATED);
        }
        if register < 2 {
            self.control(index, value, now);
        } else {
            self.data(index, value);
        }
        let Converter { control, .. } = self.converters[index];
        let drives = self.converters[index].amplifier() >= 2;
        if drives && register >= 2 && control & EXTERNAL_REFERENCE == 0 && !reference {
            ext.misuse(now, NO_REFERENCE);
        }
    }

    fn control(&mut self, index: usize, value: u16, now: Ps) {
        let converter = &mut self.converters[index];
        let kept = if converter.control & ENC != 0 {
            LOCKED
        } else {
            0
        };
        converter.control = converter.control & kept | value & !kept & !CALON;
        if value & CALON != 0 {
            let micros = CALIBRATION_US[converter.amplifier()];
            converter.calibrated_at = now + Ps::from_micros(micros);
        }
    }

    fn data(&mut self, index: usize, value: u16) {
        let converter = &mut self.converters[index];
        (converter.data, converter.fresh) = (value, true);
        let (load, enabled) = (converter.load(), converter.control & ENC != 0);
        // DAC12_0 says whether there is a group.
        let grouped = self.converters[0].control & GRP != 0;
        match load {
            Load::Write => self.converters[index].take(),
            Load::Grouped if enabled && !grouped => self.converters[index].take(),
            Load::Grouped if enabled && self.converters.iter().all(|one| one.fresh) => {
                self.converters.iter_mut().for_each(Converter::take);
            }
            _ => {}
        }
    }

    /// The output of a timer that loads converters has risen.
    pub fn trigger(&mut self, load: Load) {
        let both = self.converters[0].control & GRP != 0 && self.converters[0].load() == load;
        for (index, converter) in self.converters.iter_mut().enumerate() {
            let own = converter.load() == load;
            if converter.control & ENC != 0 && (own || index == 1 && both) {
                converter.take();
            }
        }
    }

    /// The voltage at A6 (0) or A7 (1), if the converter drives it.
    pub fn microvolts(&self, index: usize, references: References) -> Option<u32> {
        let converter = self.converters[index & 1];
        match converter.amplifier() {
            0 => return None,
            1 => return Some(0),
            _ => {}
        }
        let reference = if converter.control & EXTERNAL_REFERENCE != 0 {
            references.external_uv
        } else {
            references.own_uv
        };
        let times = if converter.control & ONCE != 0 { 1 } else { 3 };
        let volts = (u64::from(reference) * times * converter.number()) >> converter.bits();
        Some(volts.min(references.supply_uv.into()) as u32)
    }

    /// DAC12_0 asks the DMA for its next value: its flag, unless that interrupts.
    pub fn dma_flag(&self) -> bool {
        self.converters[0].control & (IE | IFG) == IFG
    }

    /// The DMA has begun the transfer.
    pub fn take_dma_flag(&mut self) {
        self.converters[0].control &= !IFG;
    }

    /// Does a converter ask for the interrupt that it shares with the DMA?
    pub fn pending(&self) -> bool {
        let asks = |one: &Converter| one.control & (IE | IFG) == IE | IFG;
        self.converters.iter().any(asks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::f1611::Unconnected;

    const REFERENCES: References = References {
        own_uv: 2_500_000,
        external_uv: 1_000_000,
        supply_uv: 3_000_000,
    };
    const CTL0: usize = 0;
    const CTL1: usize = 1;
    const DAT0: usize = 2;
    const DAT1: usize = 3;
    /// The amplifiers at medium speed.
    const AMP: u16 = 5 << 5;

    fn with(writes: &[(usize, u16)]) -> Dac12 {
        let mut dac = Dac12::default();
        for (register, value) in writes {
            dac.write(*register, *value, Ps::ZERO, true, &mut Unconnected);
        }
        dac
    }

    fn volts(dac: &Dac12, index: usize) -> Option<u32> {
        dac.microvolts(index, REFERENCES)
    }

    #[test]
    fn the_output_is_a_part_of_the_reference() {
        for (control, data, microvolts) in [
            (AMP | ONCE, 0x800, Some(1_250_000)),
            (AMP | ONCE, 0xFFF, Some(2_499_389)),
            (AMP, 0x400, Some(1_875_000)),
            (AMP, 0x800, Some(3_000_000)), // three times the reference, up to AVCC
            (AMP | ONCE | EXTERNAL_REFERENCE, 0x400, Some(250_000)),
            (AMP | ONCE | EIGHT_BITS, 0x40, Some(625_000)),
            (AMP | ONCE | SIGNED, 0, Some(1_250_000)),
            (AMP | ONCE | SIGNED, 0x800, Some(0)),
            (1 << 5 | ONCE, 0x800, Some(0)),
            (ONCE, 0x800, None),
        ] {
            let dac = with(&[(CTL0, control), (DAT0, data)]);
            assert_eq!(volts(&dac, 0), microvolts, "{control:04x} {data:03x}");
        }
    }

    #[test]
    fn enc_locks_the_settings_and_gates_every_load_but_the_plain_one() {
        let mut dac = with(&[(CTL0, AMP | ONCE | 1 << 10), (DAT0, 0x800)]);
        assert_eq!(volts(&dac, 0), Some(0), "not enabled");
        let enabled = AMP | ONCE | 1 << 10 | ENC;
        dac.write(CTL0, enabled, Ps::ZERO, true, &mut Unconnected);
        dac.write(CTL0, ENC, Ps::ZERO, true, &mut Unconnected);
        assert_eq!(dac.read(CTL0, Ps::ZERO), enabled, "locked");
        dac.write(DAT0, 0x400, Ps::ZERO, true, &mut Unconnected);
        assert_eq!(volts(&dac, 0), Some(625_000));
        assert_eq!(dac.read(CTL0, Ps::ZERO), enabled | IFG);
        assert!(!dac.pending());
        dac.write(CTL0, enabled | IE | IFG, Ps::ZERO, true, &mut Unconnected);
        assert!(dac.pending());
    }

    #[test]
    fn a_group_loads_when_both_are_written() {
        let both = AMP | ONCE | 1 << 10 | ENC;
        let mut dac = with(&[(CTL1, both), (CTL0, both | GRP), (DAT0, 0x800)]);
        assert_eq!(volts(&dac, 0), Some(0), "one is missing");
        dac.write(DAT1, 0x400, Ps::ZERO, true, &mut Unconnected);
        assert_eq!(
            [0, 1].map(|n| volts(&dac, n)),
            [Some(1_250_000), Some(625_000)]
        );
    }

    #[test]
    fn a_timer_loads_what_waits() {
        let mut dac = with(&[(CTL0, AMP | ONCE | 3 << 10 | ENC), (DAT0, 0x800)]);
        dac.trigger(Load::TimerA1);
        assert_eq!(volts(&dac, 0), Some(0));
        dac.trigger(Load::TimerB2);
        assert_eq!(volts(&dac, 0), Some(1_250_000));
    }

    #[derive(Default)]
    struct Notes(Vec<&'static str>);

    impl External for Notes {
        fn misuse(&mut self, _: Ps, what: &'static str) {
            self.0.push(what);
        }
    }

    #[test]
    fn calibration_takes_its_time_and_a_missing_reference_is_told() {
        let mut notes = Notes::default();
        let mut dac = Dac12::default();
        dac.write(CTL0, AMP | CALON, Ps::ZERO, true, &mut notes);
        let at = |micros| Ps::from_micros(micros);
        assert_eq!(dac.read(CTL0, at(31_999)) & CALON, CALON);
        assert_eq!(dac.read(CTL0, at(32_000)) & CALON, 0);
        dac.write(DAT0, 1, at(10), true, &mut notes);
        dac.write(DAT0, 1, at(40_000), false, &mut notes);
        assert_eq!(notes.0, [UNCALIBRATED, NO_REFERENCE]);
    }
}
