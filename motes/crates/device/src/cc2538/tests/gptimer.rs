//! Tests of the general purpose timers.

use super::*;

const CYCLE: u64 = 31_250;

fn clock() -> Clock {
    Clock::new(Ps::ZERO, 0, 32_000_000_000)
}

fn ready() -> GpTimer {
    let mut timer = GpTimer::new();
    timer.clock_changed(Ps::ZERO, &clock(), true);
    timer
}

fn write(timer: &mut GpTimer, offset: u32, value: u32, now: Ps) {
    assert_eq!(timer.write(offset, value, now, &clock()), Some(Ok(())));
}

fn read(timer: &GpTimer, offset: u32, now: Ps) -> u32 {
    timer.read(offset, now, &clock()).expect("a register")
}

/// A timer that counts from `from` at time 0 and tells its time-out.
fn started(mode: u32, from: u32) -> GpTimer {
    let mut timer = ready();
    write(&mut timer, TAMR, mode, Ps::ZERO);
    write(&mut timer, TAILR, from, Ps::ZERO);
    write(&mut timer, IMR, TIME_OUT, Ps::ZERO);
    write(&mut timer, CTL, 1, Ps::ZERO);
    timer
}

#[test]
fn a_32_bit_one_shot_counts_down_and_stops() {
    let mut timer = started(ONE_SHOT, 99_999);
    assert_eq!(read(&timer, TAV, Ps(1_000 * CYCLE)), 98_999);
    assert_eq!(timer.due(), Ps(100_000 * CYCLE));
    timer.advance(timer.due(), &clock());
    assert!(timer.interrupt(0) && !timer.interrupt(1));
    assert_eq!((read(&timer, CTL, timer.due()), timer.due()), (0, NEVER));
    write(&mut timer, ICR, TIME_OUT, Ps(200_000 * CYCLE));
    assert!(!timer.interrupt(0));
}

#[test]
fn what_does_nothing_in_a_mode_is_not_refused() {
    const PWM_INTERRUPT: u32 = 1 << 9;
    let mut timer = ready();
    write(&mut timer, TAMR, PERIODIC | PWM_INTERRUPT, Ps::ZERO);
    write(&mut timer, TAILR, 999, Ps::ZERO);
    write(&mut timer, IMR, TIME_OUT, Ps::ZERO);
    write(&mut timer, CTL, 0x101, Ps::ZERO);
    assert_eq!(
        timer.due(),
        Ps(1_000 * CYCLE),
        "TBEN is inert, its mode is none"
    );
    timer.advance(timer.due(), &clock());
    assert!(timer.interrupt(0) && !timer.interrupt(1));
    let mut pwm = ready();
    write(&mut pwm, TAMR, PERIODIC | PWM_INTERRUPT | 1 << 3, Ps::ZERO);
    assert!(matches!(
        pwm.write(CTL, 1, Ps::ZERO, &clock()),
        Some(Err(AccessError::NotModelled { .. }))
    ));
}

#[test]
fn a_periodic_timer_goes_on_and_up_counters_count_up() {
    let mut timer = ready();
    write(&mut timer, TAMR, PERIODIC | UP, Ps::ZERO);
    write(&mut timer, TAILR, 999, Ps::ZERO);
    write(&mut timer, CTL, 1, Ps::ZERO);
    assert_eq!(read(&timer, TAR, Ps(500 * CYCLE)), 500);
    timer.advance(Ps(10_700 * CYCLE), &clock());
    assert_eq!(read(&timer, TAR, Ps(10_700 * CYCLE)), 700);
    assert_eq!(read(&timer, RIS, Ps(10_700 * CYCLE)), TIME_OUT);
    assert_eq!(timer.due(), NEVER, "nobody waits");
    write(&mut timer, IMR, TIME_OUT, Ps(10_700 * CYCLE));
    assert_eq!(timer.due(), NEVER, "it is set already");
    write(&mut timer, ICR, TIME_OUT, Ps(10_700 * CYCLE));
    assert_eq!(timer.due(), Ps(11_000 * CYCLE));
}

#[test]
fn two_halves_with_prescaler() {
    let mut timer = ready();
    write(&mut timer, CFG, 4, Ps::ZERO);
    write(&mut timer, 0x08, PERIODIC, Ps::ZERO);
    write(&mut timer, 0x2C, 999, Ps::ZERO);
    write(&mut timer, 0x3C, 31, Ps::ZERO);
    write(&mut timer, IMR, 1 << 8, Ps::ZERO);
    write(&mut timer, CTL, 1 << 8, Ps::ZERO);
    assert_eq!(timer.due(), Ps(32_000 * CYCLE), "a millisecond");
    assert_eq!(read(&timer, 0x54, Ps(320 * CYCLE)), 989);
    timer.advance(timer.due(), &clock());
    assert!(timer.interrupt(1) && !timer.interrupt(0));
}

#[test]
fn a_match_interrupts_once_a_period() {
    let mut timer = ready();
    write(&mut timer, CFG, 4, Ps::ZERO);
    write(&mut timer, TAMR, PERIODIC | MATCH_INTERRUPT, Ps::ZERO);
    write(&mut timer, TAILR, 999, Ps::ZERO);
    write(&mut timer, TAMATCHR, 900, Ps::ZERO);
    write(&mut timer, IMR, MATCH, Ps::ZERO);
    write(&mut timer, CTL, 1, Ps::ZERO);
    assert_eq!(timer.due(), Ps(99 * CYCLE));
    timer.advance(timer.due(), &clock());
    assert!(timer.interrupt(0));
    write(&mut timer, ICR, MATCH, Ps(100 * CYCLE));
    timer.advance(Ps(999 * CYCLE), &clock());
    assert!(!timer.interrupt(0));
    timer.advance(Ps(1_099 * CYCLE), &clock());
    assert!(timer.interrupt(0));
}

#[test]
fn a_closed_gate_and_a_cleared_enable_hold_the_count() {
    let mut timer = started(PERIODIC, 9_999);
    timer.clock_changed(Ps(1_000 * CYCLE), &clock(), false);
    assert_eq!(
        (timer.due(), read(&timer, TAV, Ps(5_000 * CYCLE))),
        (NEVER, 8_999)
    );
    timer.clock_changed(Ps(5_000 * CYCLE), &clock(), true);
    assert_eq!(timer.due(), Ps(14_000 * CYCLE));
    write(&mut timer, CTL, 0, Ps(6_000 * CYCLE));
    assert_eq!(read(&timer, TAV, Ps(9_000 * CYCLE)), 7_999);
    write(&mut timer, TAV, 4, Ps(9_000 * CYCLE));
    assert_eq!(read(&timer, TAV, Ps(9_500 * CYCLE)), 4);
}

#[test]
fn other_modes_are_refused_when_switched_on() {
    let mut timer = ready();
    write(&mut timer, TAMR, 3, Ps::ZERO);
    assert!(matches!(
        timer.write(CTL, 1, Ps::ZERO, &clock()),
        Some(Err(AccessError::NotModelled { .. }))
    ));
    write(&mut timer, TAMR, PERIODIC, Ps::ZERO);
    write(&mut timer, CFG, 1, Ps::ZERO);
    assert!(matches!(
        timer.write(CTL, 1, Ps::ZERO, &clock()),
        Some(Err(AccessError::NotModelled { .. }))
    ));
    assert_eq!(timer.read(0x14, Ps::ZERO, &clock()), None);
}
