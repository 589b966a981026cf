//! A timer alone, in each of its modes.

use super::*;

fn running(wide: bool, wgm: u8, clock_select: u8) -> Timer {
    let mut timer = Timer::new(wide, false, 0);
    timer.wgm = wgm;
    timer.clock_select = clock_select;
    timer
}

#[test]
fn normal_mode_overflows_after_all_values() {
    for (wide, period) in [(false, 0x100), (true, 0x1_0000)] {
        let mut timer = running(wide, 0, 2);
        timer.enabled = TOV;
        assert_eq!(timer.deadline(), Some(period * 8));
        timer.advance(period * 8 - 1);
        assert_eq!(
            (u64::from(timer.count()), timer.flags & TOV),
            (period - 1, 0)
        );
        timer.advance(period * 8);
        assert_eq!((timer.count(), timer.flags & TOV), (0, TOV));
    }
}

#[test]
fn ctc_has_a_period_of_its_compare_value_and_one() {
    let mut timer = running(true, 4, 3);
    timer.set_compare(0, 99);
    timer.enabled = OCF[0];
    for n in 1..50_u64 {
        let due = timer.deadline().expect("it runs");
        assert_eq!(due, n * 100 * 64);
        timer.advance(due);
        assert_eq!((timer.count(), timer.flags & (TOV | OCF[0])), (0, OCF[0]));
        timer.flags = 0;
    }
}

#[test]
fn a_compare_value_below_the_count_is_met_after_the_overflow() {
    let mut timer = running(false, 2, 1);
    timer.set_count(50);
    timer.set_compare(0, 20);
    timer.enabled = OCF[0];
    assert_eq!(timer.deadline(), Some(256 - 50 + 21));
    timer.advance(256 - 50);
    assert_eq!((timer.count(), timer.flags), (0, TOV));
}

#[test]
fn a_written_count_blocks_the_match_at_once() {
    let mut timer = running(false, 0, 1);
    timer.set_compare(0, 7);
    timer.set_count(7);
    timer.advance(1);
    assert_eq!((timer.count(), timer.flags & OCF[0]), (8, 0));
    timer.advance(1 + 256);
    assert_eq!(timer.flags & OCF[0], OCF[0]);
}

/// TOP and kind of each mode, as the data sheet has them (2467, tables 61, 52 and 64).
const WIDE_MODES: [(Top, &str); 16] = [
    (Top::Fixed(65535), "normal"),
    (Top::Fixed(255), "phase correct"),
    (Top::Fixed(511), "phase correct"),
    (Top::Fixed(1023), "phase correct"),
    (Top::CompareA, "CTC"),
    (Top::Fixed(255), "fast"),
    (Top::Fixed(511), "fast"),
    (Top::Fixed(1023), "fast"),
    (Top::Capture, "phase and frequency correct"),
    (Top::CompareA, "phase and frequency correct"),
    (Top::Capture, "phase correct"),
    (Top::CompareA, "phase correct"),
    (Top::Capture, "CTC"),
    (Top::Fixed(65535), "normal"),
    (Top::Capture, "fast"),
    (Top::CompareA, "fast"),
];
const NARROW_MODES: [(Top, &str); 4] = [
    (Top::Fixed(255), "normal"),
    (Top::Fixed(255), "phase correct"),
    (Top::CompareA, "CTC"),
    (Top::Fixed(255), "fast"),
];

#[test]
fn each_mode_is_that_of_the_data_sheet() {
    let listed = WIDE_MODES.iter().zip(&modes::WIDE);
    for ((top, kind), mode) in listed.chain(NARROW_MODES.iter().zip(&modes::NARROW)) {
        let update = match *kind {
            "normal" | "CTC" => Update::Now,
            "phase and frequency correct" => Update::Bottom,
            _ => Update::Top,
        };
        assert_eq!((mode.top, mode.update), (*top, update), "{kind}");
        assert_eq!(mode.dual, kind.starts_with("phase"), "{kind} {top:?}");
    }
}

#[test]
fn phase_correct_pwm_goes_up_and_down() {
    let mut timer = running(false, 1, 1);
    timer.enabled = TOV;
    assert_eq!(timer.deadline(), Some(510));
    timer.advance(255);
    assert_eq!(timer.count(), 255);
    timer.advance(256);
    assert_eq!((timer.count(), timer.flags & TOV), (254, 0));
    timer.advance(510);
    assert_eq!((timer.count(), timer.flags & TOV), (0, TOV));
    timer.advance(511);
    assert_eq!(timer.count(), 1);
}

#[test]
fn fast_pwm_takes_a_compare_value_over_at_its_top() {
    let mut timer = running(true, 5, 1);
    timer.set_compare(1, 10);
    timer.enabled = OCF[1];
    assert_eq!(timer.compare(1), 10);
    timer.advance(100);
    assert_eq!(
        timer.flags & OCF[1],
        OCF[1],
        "compared with what was there before, 0"
    );
    timer.flags = 0;
    assert_eq!(timer.deadline(), Some(256 + 11));
}

#[test]
fn counting_in_steps_is_counting_at_once() {
    for wgm in (0..16).filter(|wgm| *wgm != 13) {
        for select in 1..=3 {
            let mut steps = running(true, wgm, select);
            steps.capture = 700;
            (0..3).for_each(|n| steps.set_compare(n, 300 * n as u16 + 90));
            steps.mode_changed();
            let mut whole = steps;
            let mut due = whole.deadline();
            for now in (0..40_000).step_by(37) {
                steps.advance(now);
            }
            steps.advance(40_000);
            whole.advance(40_000);
            assert_eq!(
                (steps.count, steps.down, steps.flags),
                (whole.count, whole.down, whole.flags),
                "{wgm}"
            );
            assert_eq!(due.take(), None, "nothing interrupts");
        }
    }
}

#[test]
fn a_deadline_is_when_the_flag_is_set() {
    for wgm in (0..16).filter(|wgm| *wgm != 13) {
        for flag in [TOV, OCF[0], OCF[1], OCF[2], ICF] {
            let mut timer = running(true, wgm, 2);
            timer.capture = 500;
            (0..3).for_each(|n| timer.set_compare(n, 100 * n as u16 + 90));
            timer.enabled = flag;
            if let Some(due) = timer.deadline() {
                timer.advance(due - 1);
                assert_eq!(timer.flags & flag, 0, "{wgm} {flag}");
                timer.advance(due);
                assert_eq!(timer.flags & flag, flag, "{wgm} {flag}");
            }
        }
    }
}

#[test]
fn a_held_prescaler_stands_still_and_begins_anew() {
    let mut timer = running(false, 0, 2);
    timer.advance(20);
    timer.reset_prescaler(20, true);
    timer.advance(100);
    assert_eq!(timer.count(), 2);
    timer.reset_prescaler(100, false);
    timer.advance(107);
    assert_eq!(timer.count(), 2);
    timer.advance(108);
    assert_eq!(timer.count(), 3);
}
