//! Tests of Timer_A and Timer_B: counts, compares, captures and the interrupt vectors, at exact
//! times.

use super::super::clock::Period;
use super::capture::{CM_FALL, CM_RISE};
use super::*;

constants! { u16:
    UP = 0x10,          CONTINUOUS = 0x20,  FROM_ACLK = 0x100,  FROM_SMCLK = 0x200,
    SCS = 0x0800,
}

/// ACLK 32 768 Hz, SMCLK 1 MHz.
struct Rig {
    aclk: Clock,
    smclk: Clock,
}

impl Rig {
    fn new() -> Rig {
        Rig {
            aclk: Clock::with_period(Ps::ZERO, 0, Period::of_crystal(32_768, 0)),
            smclk: Clock::new(Ps::ZERO, 0, 1_000_000_000),
        }
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            aclk: &self.aclk,
            smclk: &self.smclk,
            mclk: &self.smclk,
        }
    }

    fn timer(&self, control: u16) -> Timer<3> {
        let mut timer = Timer::new(&TIMER_A3);
        timer
            .write_control(control, Ps::ZERO, self.sources())
            .expect("TACTL");
        timer
    }
}

fn us(microseconds: u64) -> Ps {
    Ps::from_micros(microseconds)
}

#[test]
fn a_compare_comes_at_the_very_aclk_edge() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_ACLK | CONTINUOUS);
    timer.write_unit_value(1, 328, Ps(5), rig.sources());
    timer
        .write_unit_control(1, CCIE, Ps(6), rig.sources())
        .expect("TACCTL1");
    let edge = rig.aclk.time_of(328);
    assert_eq!(timer.due(), edge);
    assert_eq!(timer.read_count(Ps(edge.0 - 1), rig.sources()), 327);
    assert!(!timer.pending1());
    timer.advance(edge, rig.sources());
    assert!(timer.pending1() && !timer.pending0());
    assert_eq!(timer.due(), NEVER, "nothing new before the flag is cleared");
    assert_eq!(timer.take_vector_word(edge, rig.sources()), 2);
    assert_eq!(timer.take_vector_word(edge, rig.sources()), 0);
    assert_eq!(timer.due(), rig.aclk.time_of(328 + 65_536));
}

#[test]
fn up_mode_counts_ccr0_plus_one() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK);
    timer.write_unit_value(0, 99, us(3), rig.sources());
    timer
        .write_unit_control(0, CCIE, us(3), rig.sources())
        .expect("TACCTL0");
    timer
        .write_control(FROM_SMCLK | UP | IE, us(10), rig.sources())
        .expect("TACTL");
    assert_eq!(timer.due(), us(10 + 99));
    timer.advance(us(109), rig.sources());
    assert!(timer.pending0() && !timer.pending1());
    timer.accept0(us(109), rig.sources());
    assert_eq!(timer.due(), us(110));
    timer.advance(us(110), rig.sources());
    assert_eq!(
        timer.take_vector_word(us(110), rig.sources()),
        10,
        "TAIFG when rolling to 0"
    );
    assert_eq!(timer.due(), us(209));
    assert_eq!(timer.read_count(us(110 + 57), rig.sources()), 57);
}

#[test]
fn input_divider_and_clear() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS | 0xC0);
    for microseconds in [13, 100, 807] {
        assert_eq!(
            u64::from(timer.read_count(us(microseconds), rig.sources())),
            microseconds / 8
        );
    }
    timer
        .write_control(
            FROM_SMCLK | CONTINUOUS | 0xC0 | CLEAR,
            us(810),
            rig.sources(),
        )
        .expect("TACTL");
    assert_eq!(
        timer.read_count(us(817), rig.sources()),
        0,
        "TACLR clears the divider too"
    );
    assert_eq!(timer.read_count(us(818), rig.sources()), 1);
    assert_eq!(timer.read_control(us(818), rig.sources()) & CLEAR, 0);
}

#[test]
fn a_compare_value_that_has_passed_is_not_met_when_it_is_replaced() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    timer.write_unit_value(1, 50, us(10), rig.sources());
    timer.write_unit_value(1, 1_000, us(60), rig.sources());
    assert_eq!(
        timer.read_unit_control(1, us(61), rig.sources()) & CCIFG,
        CCIFG,
        "50 was met before"
    );
    timer.write_unit_value(1, 20, us(61), rig.sources());
    timer
        .write_unit_control(1, CCIE, us(61), rig.sources())
        .expect("TACCTL1");
    assert_eq!(timer.due(), us(65_536 + 20), "20 has passed");
    timer.write_unit_value(1, 100, us(70), rig.sources());
    assert_eq!(timer.due(), us(100));
}

#[test]
fn an_overflow_sets_taifg_even_if_nobody_waits() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    timer.write_count(0xFFFE, us(1), rig.sources());
    assert_eq!(timer.due(), NEVER);
    assert_eq!(timer.read_control(us(2), rig.sources()) & IFG, 0);
    assert_eq!(timer.read_control(us(3), rig.sources()) & IFG, IFG);
    assert_eq!(
        timer.take_vector_word(us(4), rig.sources()),
        0,
        "not enabled: not in TAIV"
    );
}

#[test]
fn a_pin_edge_captures_and_a_second_one_overflows() {
    let rig = Rig::new();
    let mut timer: Timer<7> = Timer::new(&TIMER_B7);
    timer
        .write_control(FROM_ACLK | CONTINUOUS, Ps::ZERO, rig.sources())
        .expect("TBCTL");
    let both = CM_RISE | CM_FALL | SCS | CAP | CCIE;
    timer
        .write_unit_control(1, both, Ps::ZERO, rig.sources())
        .expect("TBCCTL1");
    timer.pins(4, 0x02, us(1_000), rig.sources());
    assert!(timer.pending1());
    assert_eq!(
        timer.read_unit_control(1, us(1_001), rig.sources()) & (CCI | COV),
        CCI
    );
    assert_eq!(timer.read_unit_value(1), 32);
    assert_eq!(timer.take_vector_word(us(1_001), rig.sources()), 2);
    timer.pins(4, 0x00, us(2_000), rig.sources());
    timer.pins(4, 0x02, us(3_000), rig.sources());
    assert_eq!(
        timer.read_unit_control(1, us(3_000), rig.sources()) & COV,
        COV
    );
    assert_eq!(timer.read_unit_value(1), 98);
    timer.pins(4, 0xFD, us(4_000), rig.sources());
    assert_eq!(timer.read_unit_value(1), 131);
    timer
        .write_unit_control(1, CM_RISE | CAP, us(4_100), rig.sources())
        .expect("TBCCTL1");
    timer.pins(4, 0x02, us(5_000), rig.sources());
    timer.pins(4, 0x00, us(6_000), rig.sources());
    assert_eq!(
        timer.read_unit_value(1),
        163,
        "the falling edge is not captured"
    );
}

#[test]
fn aclk_captures_measure_smclk() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    timer
        .write_unit_control(2, CM_RISE | 0x1000 | SCS | CAP, us(20), rig.sources())
        .expect("TACCTL2");
    let mut values = Vec::new();
    for edge in 1..=9 {
        assert_eq!(timer.due(), rig.aclk.time_of(edge));
        timer.advance(timer.due(), rig.sources());
        values.push(timer.read_unit_value(2));
    }
    assert_eq!(values[8] - values[0], 244, "8 periods of ACLK at 1 MHz");
    assert_eq!(
        timer.read_unit_control(2, us(300), rig.sources()) & (CCIFG | COV),
        CCIFG
    );
    timer
        .write_unit_control(2, 0, us(300), rig.sources())
        .expect("TACCTL2");
    assert_eq!(timer.due(), NEVER);
}

/// The counts that the first 60 rising edges of ACLK capture, in a timer with a noise of 2 cycles.
fn noisy_captures(rig: &Rig, control: u16) -> Vec<u16> {
    let mut timer = rig.timer(control).with_jitter(2, 7);
    timer
        .write_unit_control(2, CM_RISE | 0x1000 | SCS | CAP, us(20), rig.sources())
        .expect("TACCTL2");
    let capture = |_| {
        timer.advance(timer.due(), rig.sources());
        timer.read_unit_value(2)
    };
    (1..=60).map(capture).collect()
}

#[test]
fn the_noise_of_the_dco_shows_where_the_crystal_captures_it() {
    let rig = Rig::new();
    let noisy = noisy_captures(&rig, FROM_SMCLK | CONTINUOUS);
    let behind: Vec<u16> = (1..=60_u64)
        .zip(noisy)
        .map(|(edge, value)| rig.smclk.cycles_at(rig.aclk.time_of(edge)) as u16 - value)
        .collect();
    assert!((0..=2).all(|cycles| behind.contains(&cycles)), "{behind:?}");
    assert!(behind.iter().all(|&cycles| cycles <= 2), "{behind:?}");
    let counted = noisy_captures(&rig, FROM_ACLK | CONTINUOUS);
    let exact: Vec<u16> = (1..=60).collect();
    assert_eq!(counted, exact, "one oscillator alone has no noise");
}

#[test]
fn a_falling_aclk_edge_is_half_a_period_later() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    timer
        .write_unit_control(2, CM_FALL | 0x1000 | CAP, us(1), rig.sources())
        .expect("TACCTL2");
    timer.advance(rig.aclk.time_of_fall(0), rig.sources());
    assert_eq!(timer.read_unit_value(2), 15);
    assert_eq!(timer.due(), rig.aclk.time_of(1));
}

#[test]
fn software_captures_by_switching_the_input() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    let both = CM_RISE | CM_FALL | CAP;
    timer
        .write_unit_control(0, both | 0x2000, us(5), rig.sources())
        .expect("TACCTL0");
    timer
        .write_unit_control(0, both | 0x3000, us(42), rig.sources())
        .expect("TACCTL0");
    assert_eq!(timer.read_unit_value(0), 42);
}

#[test]
fn counting_goes_on_over_a_stop_and_a_change_of_frequency() {
    let mut rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK | CONTINUOUS);
    timer.write_unit_value(1, 1_000, us(1), rig.sources());
    timer
        .write_unit_control(1, CCIE, us(1), rig.sources())
        .expect("TACCTL1");
    rig.smclk = rig.smclk.stopped(us(400));
    timer.clocks_changed(us(400), rig.sources());
    assert_eq!(timer.due(), NEVER);
    assert_eq!(timer.read_count(us(5_000), rig.sources()), 400);
    rig.smclk = rig
        .smclk
        .retuned(us(6_000), Period::of_millihertz(1_000_000_000));
    timer.clocks_changed(us(6_000), rig.sources());
    assert_eq!(timer.due(), us(6_600));
    rig.smclk = rig
        .smclk
        .retuned(us(6_200), Period::of_millihertz(2_000_000_000));
    timer.clocks_changed(us(6_200), rig.sources());
    assert_eq!(timer.due(), us(6_400));
    assert_eq!(timer.read_count(us(6_300), rig.sources()), 800);
}

#[test]
fn an_output_unit_toggles_at_its_compare() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK);
    timer.write_unit_value(0, 9, us(0), rig.sources());
    timer.write_unit_value(1, 3, us(0), rig.sources());
    timer
        .write_unit_control(1, 7 << 5, us(0), rig.sources())
        .expect("TACCTL1");
    timer
        .write_control(FROM_SMCLK | UP, us(0), rig.sources())
        .expect("TACTL");
    let mut changes = Vec::new();
    let mut level = timer.outputs();
    while timer.due() <= us(40) {
        let at = timer.due();
        timer.advance(at, rig.sources());
        if timer.outputs() != level {
            level = timer.outputs();
            changes.push((at.0 / 1_000_000, level));
        }
    }
    assert_eq!(
        changes,
        [(9, 2), (13, 0), (19, 2), (23, 0), (29, 2), (33, 0), (39, 2)]
    );
}

#[test]
fn a_new_output_mode_takes_over_the_level() {
    let rig = Rig::new();
    let mut timer = rig.timer(FROM_SMCLK);
    timer
        .write_unit_control(1, OUT, us(0), rig.sources())
        .expect("TACCTL1");
    timer
        .write_unit_control(1, 4 << 5, us(1), rig.sources())
        .expect("TACCTL1");
    assert_eq!(timer.outputs(), 2, "the OUT bit counts in mode 0 only");
    timer
        .write_unit_control(1, 0, us(2), rig.sources())
        .expect("TACCTL1");
    assert_eq!(timer.outputs(), 0);
}

#[test]
fn flags_have_their_order_in_the_vector_word() {
    let rig = Rig::new();
    let mut timer: Timer<7> = Timer::new(&TIMER_B7);
    timer
        .write_control(FROM_SMCLK | CONTINUOUS | IE | IFG, us(0), rig.sources())
        .expect("TBCTL");
    for n in [6, 3, 1] {
        timer
            .write_unit_control(n, CCIE | CCIFG, us(0), rig.sources())
            .expect("TBCCTLn");
    }
    timer
        .write_unit_control(2, CCIFG, us(0), rig.sources())
        .expect("TBCCTL2");
    let words: Vec<u16> = (0..5)
        .map(|_| timer.take_vector_word(us(0), rig.sources()))
        .collect();
    assert_eq!(words, [2, 6, 12, 14, 0]);
}

#[test]
fn what_is_not_modelled_is_refused() {
    let rig = Rig::new();
    let mut timer: Timer<7> = Timer::new(&TIMER_B7);
    assert!(
        timer
            .write_control(CONTINUOUS, us(0), rig.sources())
            .is_err(),
        "TBCLK"
    );
    assert!(timer.write_control(TBCLGRP, us(0), rig.sources()).is_err());
    assert!(
        timer
            .write_unit_control(0, CLLD, us(0), rig.sources())
            .is_err()
    );
    assert_eq!(timer.write_control(0, us(0), rig.sources()), Ok(()));
}
