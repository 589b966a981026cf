//! The converter through its registers: SLAU049, "ADC12".

use super::*;
use crate::f1611::basic_clock::BasicClock;
use crate::f1611::config::F1611Config;

constants! { u16:
    CTL0 = 0, CTL1 = 1, IFG = 2, IE = 3, IV = 4, REPEATED = REPEAT, SEQUENCED = SEQUENCE,
}
const MEM: Ps = Ps::from_micros(1);

/// Voltages outside; pin `n` has `n` tenths of a volt.
#[derive(Default)]
struct Volts {
    asked: Vec<(Ps, AnalogInput)>,
}

impl External for Volts {
    fn microvolts(&mut self, now: Ps, input: AnalogInput) -> u32 {
        self.asked.push((now, input));
        match input {
            AnalogInput::Pin(pin) => u32::from(pin) * 100_000,
            AnalogInput::Comparator(_) => 0,
            AnalogInput::Reference => 2_000_000,
            AnalogInput::Supply => 3_000_000,
            AnalogInput::Temperature => 1_074_750,
        }
    }
}

struct Rig {
    adc: Adc12,
    clocks: BasicClock,
    outside: Volts,
}

impl Rig {
    fn new() -> Rig {
        Rig {
            adc: Adc12::new(),
            clocks: BasicClock::new(&F1611Config::default()),
            outside: Volts::default(),
        }
    }

    fn write(&mut self, register: u16, value: u16, now: Ps) {
        self.adc.write(register, value, now, self.clocks.sources());
    }

    fn trigger(&mut self, trigger: Trigger, level: bool, now: Ps) {
        self.adc.trigger(trigger, level, now, self.clocks.sources());
    }

    /// Does everything until `now`; the times at which something was due.
    fn run(&mut self, now: Ps) -> Vec<Ps> {
        let mut times = Vec::new();
        while self.adc.due() <= now {
            times.push(self.adc.due());
            let due = self.adc.due();
            self.adc
                .advance(due, self.clocks.sources(), &mut self.outside);
        }
        times
    }

    /// A single conversion of `control` with `ctl0`.
    fn single(&mut self, control: u8, ctl0: u16) -> u16 {
        self.write(CTL0, 0, Ps::ZERO);
        self.adc.write_memory_control(0, control);
        self.write(CTL1, SHP, Ps::ZERO);
        self.write(CTL0, ctl0 | ADC12ON | ENC | SC, Ps::ZERO);
        self.run(Ps::from_micros(1_000));
        self.adc.read_memory(0)
    }
}

#[test]
fn a_conversion_samples_and_then_takes_13_periods() {
    for (field, sampling) in SAMPLING.iter().enumerate() {
        let mut rig = Rig::new();
        rig.write(CTL1, SHP, Ps::ZERO);
        rig.write(CTL0, (field as u16) << 8 | ADC12ON | ENC | SC, MEM);
        assert_eq!(rig.adc.read(CTL1) & BUSY, BUSY);
        let times = rig.run(Ps::from_micros(1_000));
        let period = 200_000;
        let hold = MEM + Ps(sampling * period);
        assert_eq!(times, [hold, hold + Ps(CONVERSION * period)]);
        assert_eq!((rig.adc.read(CTL1) & BUSY, rig.adc.read(IFG)), (0, 1));
        assert_eq!(rig.adc.read(CTL0) & SC, 0, "ADC12SC falls by itself");
        assert_eq!(rig.outside.asked[0].0, hold);
    }
}

#[test]
fn sources_and_dividers_set_the_period() {
    for divider in 0..8 {
        let mut rig = Rig::new();
        rig.write(CTL1, SHP | divider << 5 | 1 << 3, Ps::ZERO);
        rig.write(CTL0, ADC12ON | ENC | SC, MEM);
        let times = rig.run(Ps::from_micros(100_000));
        let edges = 13 * (u64::from(divider) + 1);
        let first = rig.clocks.aclk.next_cycle(times[0]);
        assert_eq!(times[1], rig.clocks.aclk.time_of(first + edges));
    }
}

#[test]
fn inputs_and_references_are_those_of_the_memory_control() {
    let mut rig = Rig::new();
    for (control, ctl0, wanted) in [
        (0x00, 0, 0),
        (0x07, 0, 4095 * 7 / 30),
        (0x08, 0, 4095 * 2 / 3),
        (0x09, 0, 0),
        (0x0A, 0, 1467),
        (0x0B, 0, 4095 / 2),
        (0x0F, 0, 4095 / 2),
        (0x17, REFON, 4095 * 7 / 15),
        (0x17, REFON | REF2_5V, 4095 * 7 / 25),
        (0x1A, REFON, 2934),
        (0x17, 0, 4095),
        (0x27, 0, 4095 * 7 / 20),
        (0x37, 0, 4095 * 7 / 20),
        (0x1B, REFON, 4095),
    ] {
        assert_eq!(rig.single(control, ctl0), wanted, "{control:02x} {ctl0:x}");
    }
}

#[test]
fn nothing_converts_without_enc_or_adc12on() {
    let mut rig = Rig::new();
    rig.write(CTL1, SHP, Ps::ZERO);
    rig.write(CTL0, ENC | SC, MEM);
    assert_eq!(rig.adc.due(), NEVER);
    rig.write(CTL0, 0, MEM);
    rig.write(CTL0, ADC12ON | SC, MEM);
    assert_eq!(rig.adc.due(), NEVER);
    assert_eq!(rig.adc.read(IFG), 0);
}

#[test]
fn enc_locks_what_it_must() {
    let mut rig = Rig::new();
    rig.write(CTL0, ADC12ON | ENC, Ps::ZERO);
    rig.write(CTL0, 0xFF00 | REFON | ENC, Ps::ZERO);
    assert_eq!(rig.adc.read(CTL0), ADC12ON | ENC);
    rig.write(CTL1, 0xFFF8, Ps::ZERO);
    rig.adc.write_memory_control(3, 0x55);
    assert_eq!((rig.adc.read(CTL1), rig.adc.read_memory_control(3)), (0, 0));
    rig.write(CTL0, 0xFF00 | REFON, Ps::ZERO);
    assert_eq!(rig.adc.read(CTL0), ADC12ON);
    rig.write(CTL0, 0xFF00 | REFON, Ps::ZERO);
    rig.adc.write_memory_control(3, 0x55);
    assert_eq!(rig.adc.read(CTL0), 0xFF00 | REFON);
    assert_eq!(rig.adc.read_memory_control(3), 0x55);
}

#[test]
fn a_sequence_ends_at_eos_and_goes_round_behind_the_last_memory() {
    let mut rig = Rig::new();
    for index in 0..MEMORIES {
        rig.adc.write_memory_control(index, (index as u8) & 7);
    }
    rig.adc.write_memory_control(1, 1 | EOS);
    rig.write(CTL1, 14 << 12 | SHP | SEQUENCED, Ps::ZERO);
    rig.write(CTL0, MSC | ADC12ON | ENC | SC, MEM);
    rig.run(Ps::from_micros(1_000));
    assert_eq!(rig.adc.read(IFG), 0xC003);
    assert_eq!(rig.adc.read(CTL1) & BUSY, 0);
    let tenth = |n: u16| 4095 * n / 30;
    for (index, pin) in [(14, 6), (15, 7), (0, 0), (1, 1)] {
        assert_eq!(rig.adc.read_memory(index), tenth(pin));
    }
    assert_eq!(rig.adc.read(IFG), 0, "each read clears its flag");
}

#[test]
fn without_msc_each_conversion_of_a_sequence_needs_a_trigger() {
    let mut rig = Rig::new();
    rig.adc.write_memory_control(1, EOS);
    rig.write(CTL1, SHP | SEQUENCED, Ps::ZERO);
    rig.write(CTL0, ADC12ON | ENC | SC, MEM);
    rig.run(Ps::from_micros(100));
    assert_eq!((rig.adc.read(IFG), rig.adc.read(CTL1) & BUSY), (1, BUSY));
    rig.write(CTL0, ADC12ON | ENC | SC, Ps::from_micros(100));
    rig.run(Ps::from_micros(200));
    assert_eq!((rig.adc.read(IFG), rig.adc.read(CTL1) & BUSY), (3, 0));
}

#[test]
fn a_repeated_conversion_goes_on_until_enc_falls() {
    let mut rig = Rig::new();
    rig.write(CTL1, SHP | REPEATED, Ps::ZERO);
    rig.write(CTL0, MSC | ADC12ON | ENC | SC | OVIE, Ps::ZERO);
    let times = rig.run(Ps::from_micros(34));
    assert_eq!(times.len(), 2 * 10, "17 periods of 0.2 us, ten times");
    assert!(rig.adc.pending(), "a result was not read before the next");
    assert_eq!((rig.adc.read(IV), rig.adc.read(IV)), (2, 0));
    rig.write(CTL0, MSC | ADC12ON, Ps::from_micros(35));
    rig.run(Ps::from_micros(1_000));
    assert_eq!((rig.adc.due(), rig.adc.read(CTL1) & BUSY), (NEVER, 0));
}

#[test]
fn a_timer_needs_a_new_edge_of_enc_and_software_does_not() {
    let mut rig = Rig::new();
    rig.write(CTL1, 1 << 10 | SHP, Ps::ZERO);
    rig.write(CTL0, ADC12ON | ENC, Ps::ZERO);
    let count = |rig: &mut Rig, source, at: u64| {
        rig.trigger(source, true, Ps::from_micros(at));
        rig.trigger(source, false, Ps::from_micros(at));
        !rig.run(Ps::from_micros(at + 50)).is_empty()
    };
    assert!(!count(&mut rig, Trigger::TimerB0, 10), "another trigger");
    assert!(count(&mut rig, Trigger::TimerA1, 100));
    assert!(
        !count(&mut rig, Trigger::TimerA1, 200),
        "ENC has not fallen"
    );
    rig.write(CTL0, ADC12ON, Ps::from_micros(300));
    rig.write(CTL0, ADC12ON | ENC, Ps::from_micros(300));
    assert!(count(&mut rig, Trigger::TimerA1, 400));
    rig.write(CTL0, 0, Ps::from_micros(500));
    rig.write(CTL1, SHP, Ps::from_micros(500));
    for at in [600, 700] {
        rig.write(CTL0, ADC12ON | ENC | SC, Ps::from_micros(at));
        assert!(!rig.run(Ps::from_micros(at + 50)).is_empty());
    }
}

#[test]
fn in_extended_mode_the_trigger_is_the_sampling_time() {
    let mut rig = Rig::new();
    rig.write(CTL0, ADC12ON | ENC | SC, Ps::ZERO);
    assert_eq!(rig.adc.due(), NEVER, "ADC12SC is high: it samples");
    rig.write(CTL0, ADC12ON | ENC, Ps::from_micros(40));
    let times = rig.run(Ps::from_micros(100));
    assert_eq!(times, [Ps(40_000_000), Ps(40_000_000 + 13 * 200_000)]);
    assert_eq!(rig.adc.read(IFG), 1);
}

#[test]
fn a_trigger_that_comes_too_early_is_told() {
    let mut rig = Rig::new();
    rig.write(CTL1, SHP, Ps::ZERO);
    rig.write(CTL0, TOVIE | ADC12ON | ENC | SC, Ps::ZERO);
    rig.write(CTL0, TOVIE | ADC12ON | ENC | SC, Ps::from_micros(1));
    assert!(rig.adc.pending());
    assert_eq!((rig.adc.read(IV), rig.adc.pending()), (4, false));
}

#[test]
fn the_vector_word_names_the_first_memory_and_leaves_its_flag() {
    let mut rig = Rig::new();
    rig.write(IE, 0x8010, Ps::ZERO);
    rig.write(IFG, 0x8011, Ps::ZERO);
    assert!(rig.adc.pending());
    assert_eq!((rig.adc.read(IV), rig.adc.read(IV)), (14, 14));
    rig.adc.read_memory(4);
    assert_eq!(rig.adc.read(IV), 36);
    rig.adc.write_memory(15, 0xFFFF);
    assert_eq!((rig.adc.read(IV), rig.adc.read_memory(15)), (0, 0x0FFF));
    assert_eq!(rig.adc.read(IFG), 1, "not enabled");
}

#[test]
fn a_single_conversion_is_lost_when_enc_falls() {
    let mut rig = Rig::new();
    rig.write(CTL1, SHP, Ps::ZERO);
    rig.write(CTL0, ADC12ON | ENC | SC, Ps::ZERO);
    rig.write(CTL0, ADC12ON, Ps::from_micros(1));
    assert_eq!(
        (rig.adc.due(), rig.adc.read(IFG), rig.adc.read(CTL1) & BUSY),
        (NEVER, 0, 0)
    );
}
