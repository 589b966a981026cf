//! What is analog on the chip: where DAC12, ADC12, Comparator_A and their pins meet.

use super::comparator::Comparator;
use super::dac12::{Dac12, Load, References};
use super::port::Register;
use super::{AnalogInput, External, F1611};
use crate::Ps;

/// Pins of port 2 with CA0 and CA1.
const CA0: u8 = 3;
const CA1: u8 = 4;
/// Pins of port 6 with the outputs of DAC12_0 and DAC12_1: A6 and A7.
const FIRST_DAC: u8 = 6;

/// DAC12 and Comparator_A.
#[derive(Clone, Debug, Default)]
pub(super) struct Analog {
    pub(super) dac: Dac12,
    pub(super) comparator: Comparator,
    /// CA0, CA1 and AVCC when the comparator's registers were accessed last.
    volts: [u32; 3],
}

/// What the ADC12 sees: the outside, and the outputs of the DAC12.
struct Inputs<'a, E> {
    dac: &'a Dac12,
    own_uv: u32,
    ext: &'a mut E,
}

impl<E: External> External for Inputs<'_, E> {
    fn microvolts(&mut self, now: Ps, input: AnalogInput) -> u32 {
        if let AnalogInput::Pin(pin @ FIRST_DAC..) = input {
            let references = References {
                own_uv: self.own_uv,
                external_uv: self.ext.microvolts(now, AnalogInput::Reference),
                supply_uv: self.ext.microvolts(now, AnalogInput::Supply),
            };
            let driven = self
                .dac
                .microvolts(usize::from(pin - FIRST_DAC), references);
            if let Some(volts) = driven {
                return volts;
            }
        }
        self.ext.microvolts(now, input)
    }
}

impl F1611 {
    /// What is due in the ADC12.
    pub(super) fn convert(&mut self, now: Ps, ext: &mut impl External) {
        let mut inputs = Inputs {
            dac: &self.analog.dac,
            own_uv: self.adc.reference_uv(),
            ext,
        };
        self.adc.advance(now, self.clocks.sources(), &mut inputs);
    }

    /// Carries changed timer outputs to the DAC12.
    pub(super) fn trigger_dac(&mut self, outputs: [u8; 2]) {
        let rose = [0, 1].map(|n| outputs[n] & !self.timer_outputs[n]);
        if rose[0] & 2 != 0 {
            self.analog.dac.trigger(Load::TimerA1);
        }
        if rose[1] & 4 != 0 {
            self.analog.dac.trigger(Load::TimerB2);
        }
    }

    /// Reads CACTL1, CACTL2 or CAPD.
    pub(super) fn read_comparator(
        &mut self,
        register: u16,
        now: Ps,
        ext: &mut impl External,
    ) -> u8 {
        self.ask_inputs(now, ext);
        self.analog.comparator.read(register)
    }

    /// Writes CACTL1, CACTL2 or CAPD.
    pub(super) fn write_comparator(
        &mut self,
        register: u16,
        value: u8,
        now: Ps,
        ext: &mut impl External,
    ) {
        self.analog.comparator.write(register, value);
        self.ask_inputs(now, ext);
    }

    fn ask_inputs(&mut self, now: Ps, ext: &mut impl External) {
        self.analog.volts = [
            AnalogInput::Comparator(0),
            AnalogInput::Comparator(1),
            AnalogInput::Supply,
        ]
        .map(|input| ext.microvolts(now, input));
        self.compare(now);
        self.refresh();
    }

    /// A pin may have another level.
    #[inline]
    pub(super) fn follow_comparator(&mut self, now: Ps) {
        if self.analog.comparator.on() {
            self.compare(now);
        }
    }

    fn compare(&mut self, now: Ps) {
        let levels = self.ports[1].read(Register::In);
        let [ca0, ca1, supply] = self.analog.volts;
        let pin = |bit: u8, volts: u32| {
            if levels >> bit & 1 != 0 {
                supply
            } else {
                volts
            }
        };
        let inputs = [pin(CA0, ca0), pin(CA1, ca1), supply];
        if let Some(output) = self.analog.comparator.look(inputs) {
            let sources = self.clocks.sources();
            self.timer_a.comparator(output, now, sources);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::f1611::F1611Config;

    const P2DIR: u16 = 0x2A;
    const P2OUT: u16 = 0x29;
    const CACTL1: u16 = 0x59;
    const CACTL2: u16 = 0x5A;
    const CAPD: u16 = 0x5B;

    /// The supply is 3 V; CA0 has 1.2 V, CA1 0.4 V.
    struct Volts;

    impl External for Volts {
        fn microvolts(&mut self, _: Ps, input: AnalogInput) -> u32 {
            match input {
                AnalogInput::Supply => 3_000_000,
                AnalogInput::Comparator(0) => 1_200_000,
                AnalogInput::Comparator(_) => 400_000,
                _ => 0,
            }
        }
    }

    struct Rig {
        chip: F1611,
        now: Ps,
    }

    impl Rig {
        fn new() -> Rig {
            let mut rig = Rig {
                chip: F1611::new(F1611Config::default()),
                now: Ps::ZERO,
            };
            rig.set16(0x120, 0x5A80);
            rig
        }

        fn set(&mut self, addr: u16, value: u8) {
            let written = self.chip.write8(addr, value, self.now, &mut Volts);
            assert_eq!(written, Ok(()), "{addr:03x}");
        }

        fn set16(&mut self, addr: u16, value: u16) {
            let written = self.chip.write16(addr, value, self.now, &mut Volts);
            assert_eq!(written, Ok(()), "{addr:03x}");
        }

        fn get(&mut self, addr: u16) -> u8 {
            self.chip
                .read8(addr, self.now, &mut Volts)
                .expect("a register")
        }

        fn get16(&mut self, addr: u16) -> u16 {
            self.chip
                .read16(addr, self.now, &mut Volts)
                .expect("a register")
        }
    }

    /// CAON and a reference (CAREF) at the inverting input (CARSEL); CA0 at the other one.
    const ON: u8 = 0x48;
    const CA0_IN: u8 = 0x04;

    #[test]
    fn the_comparator_sets_a_pin_beside_its_reference() {
        // 0.25 AVCC, 0.5 AVCC, the diode; CA0 has 1.2 V.
        for (reference, output) in [(1, 1), (2, 0), (3, 1)] {
            let mut rig = Rig::new();
            rig.set(CACTL2, CA0_IN);
            rig.set(CACTL1, ON | reference << 4);
            assert_eq!(rig.get(CACTL2), CA0_IN | output, "CAREF {reference}");
            rig.set(CACTL1, ON | reference << 4 | 0x80);
            assert_eq!(rig.get(CACTL2), CA0_IN | output, "CAEX keeps the polarity");
        }
        let mut rig = Rig::new();
        rig.set(CACTL2, 0x0C);
        rig.set(CACTL1, 0x08);
        assert_eq!(rig.get(CACTL2), 0x0D, "CA0 is above CA1");
        rig.set(CACTL1, 0x00);
        assert_eq!(rig.get(CACTL2), 0x0C, "off");
    }

    #[test]
    fn an_edge_of_a_pin_interrupts_and_captures_the_time() {
        let mut rig = Rig::new();
        rig.set(CACTL2, 0x08);
        // The reference 0.5 AVCC at the other terminal; a falling output interrupts.
        rig.set(CACTL1, 0x08 | 0x20 | 0x04 | 0x02);
        assert_eq!(rig.get(CACTL2) & 1, 1, "0.4 V are below");
        rig.set(CACTL1, 0x08 | 0x20 | 0x04 | 0x02);
        assert_eq!(rig.chip.interrupt(), None);
        // Timer_A counts SMCLK; CCR1 captures both edges of CCI1B.
        rig.set16(0x160, 0x0224);
        rig.set16(0x164, 0xD100);
        rig.now = Ps::from_micros(100);
        rig.chip.advance(rig.now, &mut Volts);
        rig.chip.set_input(rig.now, 2, CA1, true);
        assert_eq!(rig.get(CACTL2) & 1, 0);
        assert_eq!(rig.chip.interrupt(), Some(11));
        rig.chip.accept(11);
        assert_eq!(rig.chip.interrupt(), None);
        assert_eq!(rig.get16(0x164) & 1, 1, "CCIFG");
        assert!(rig.get16(0x174) > 50);
    }

    #[test]
    fn an_output_is_seen_and_capd_blinds_the_port_alone() {
        let mut rig = Rig::new();
        rig.set(CACTL2, CA0_IN);
        rig.set(CACTL1, ON | 2 << 4);
        rig.set(P2DIR, 1 << CA0);
        rig.set(P2OUT, 1 << CA0);
        assert_eq!((rig.get(CACTL2) & 1, rig.get(0x28)), (1, 1 << CA0));
        rig.set(CAPD, 1 << CA0);
        assert_eq!((rig.get(CACTL2) & 1, rig.get(0x28)), (1, 0));
    }

    #[test]
    fn the_adc12_reads_what_the_dac12_gives_and_a_timer_loads_it() {
        let mut rig = Rig::new();
        // ADC12: on, reference 2.5 V; A6 over VREF+; software.
        rig.set16(0x1A0, 0x0070);
        rig.set16(0x1A2, 0x0200);
        rig.set(0x80, 0x16);
        // DAC12_0: once the reference, medium speed, loaded by TB2.
        rig.set16(0x1C0, 0x0DA2);
        rig.set16(0x1C8, 0x0800);
        let sample = |rig: &mut Rig| {
            rig.set16(0x1A0, 0x0073);
            rig.now += Ps::from_micros(50);
            rig.chip.advance(rig.now, &mut Volts);
            rig.get16(0x140)
        };
        assert_eq!(sample(&mut rig), 0);
        // TBCCTL2: OUT by hand.
        rig.set16(0x186, 0x0004);
        assert_eq!(sample(&mut rig), 2047);
        rig.set16(0x1C0, 0x0DAA);
        rig.set16(0x186, 0x0000);
        rig.set16(0x186, 0x0004);
        assert_eq!(rig.chip.interrupt(), Some(0), "DAC12IFG and DAC12IE");
    }

    #[test]
    fn the_dma_feeds_the_dac12_at_the_pace_of_a_timer() {
        let mut rig = Rig::new();
        // Channel 0: DAC12_0 triggers; words from 0x200 on to DAC12_0DAT, one by one.
        for (addr, value) in [
            (0x122, 0x0005),
            (0x1E2, 0x0200),
            (0x1E4, 0x01C8),
            (0x1E6, 0x0002),
            (0x1E0, 0x0310),
            (0x1C0, 0x0DA2),
        ] {
            rig.set16(addr, value);
        }
        assert!(!rig.chip.transfers());
        for source in [0x0200, 0x0202] {
            rig.set16(0x186, 0x0000);
            rig.set16(0x186, 0x0004);
            let transfer = rig.chip.take_transfer().expect("DAC12IFG");
            assert_eq!((transfer.source, transfer.target), (source, 0x01C8));
            assert_eq!(rig.get16(0x1C0) & 4, 0, "the flag is reset");
            assert!(rig.chip.take_transfer().is_none());
        }
        rig.set16(0x1E0, 0x0310);
        rig.set16(0x1C0, 0x0DAA);
        rig.set16(0x186, 0x0000);
        rig.set16(0x186, 0x0004);
        assert!(
            !rig.chip.transfers(),
            "a flag that interrupts triggers nothing"
        );
    }
}
