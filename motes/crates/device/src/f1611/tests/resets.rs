//! Watchdog, keys, faults: what restarts or alarms the chip.

use super::*;

#[test]
fn the_watchdog_runs_after_reset_and_resets() {
    let mut rig = Rig {
        chip: F1611::new(F1611Config::default()),
        log: Log::default(),
    };
    let expiry = rig.chip.smclk().time_of(32_768);
    assert_eq!(rig.chip.deadline(), Some(expiry));
    rig.write8(P4DIR, 0xFF, us(10));
    rig.advance(Ps(expiry.0 - 1));
    assert_eq!(rig.chip.take_reset(), None);
    rig.advance(expiry);
    assert_eq!(rig.chip.take_reset(), Some(ResetCause::Watchdog));
    assert_eq!(rig.chip.take_reset(), None);
    assert_eq!(
        (rig.read8(P4DIR, expiry), rig.read8(IFG1, expiry) & 1),
        (0, 1)
    );
    assert_eq!(rig.chip.deadline(), Some(rig.chip.smclk().time_of(65_536)));
}

#[test]
fn the_watchdog_wants_its_password() {
    let mut rig = Rig::at(4e6);
    assert_eq!(rig.chip.take_reset(), None);
    rig.write16(WDTCTL, 0x0080, us(9));
    assert_eq!(rig.chip.take_reset(), Some(ResetCause::WatchdogPassword));
    assert_eq!(rig.read16(WDTCTL, us(9)), 0x6900, "running again");
}

#[test]
fn the_interval_timer_interrupts_again_and_again() {
    let mut rig = Rig::at(4e6);
    rig.write8(IE1, 0x01, us(2));
    rig.write16(WDTCTL, 0x5A1B, us(100));
    for round in 1..=3 {
        let deadline = rig.chip.deadline().expect("a deadline");
        assert_eq!(deadline, us(100 + 16 * round));
        rig.advance(deadline);
        assert_eq!(rig.chip.interrupt(), Some(10));
        rig.chip.accept(10);
        assert_eq!(rig.chip.interrupt(), None);
    }
    rig.write16(WDTCTL, HOLD, us(150));
    assert_eq!(rig.chip.deadline(), None);
    rig.write16(WDTCTL, 0x5A13, us(500));
    assert_eq!(
        rig.chip.deadline(),
        Some(Ps(us(500).0 + 14_000_000)),
        "2 of 16 us had passed"
    );
    assert_eq!(rig.chip.take_reset(), None);
}

#[test]
fn a_wrong_flash_key_resets_and_keyv_says_so() {
    let mut rig = Rig::at(4e6);
    rig.write16(FCTL1, 0x0040, us(5));
    assert_eq!(rig.chip.take_reset(), Some(ResetCause::FlashKey));
    assert_eq!(rig.read16(FCTL3, us(5)) & 0x02, 0x02);
}

#[test]
fn a_locked_flash_raises_an_nmi_when_that_is_enabled() {
    let mut rig = Rig::at(4e6);
    rig.write8(IE1, 0x20, us(2));
    let write = rig
        .chip
        .flash_write(us(3), 0x8000)
        .expect("a refused write");
    assert_eq!(write.action, FlashAction::AccessViolation);
    assert_eq!(rig.chip.interrupt(), Some(14));
    rig.chip.accept(14);
    assert_eq!(rig.chip.interrupt(), None);
    assert_eq!(rig.read8(IE1, us(4)), 0, "an NMI clears its enable bits");
}

#[test]
fn ofifg_clears_only_after_the_crystal_has_started() {
    let mut rig = Rig::at(4e6);
    rig.write8(IFG1, 0, us(9_000));
    assert_eq!(rig.read8(IFG1, us(9_000)) & 2, 2);
    rig.write8(IFG1, 0, us(10_000));
    assert_eq!(rig.read8(IFG1, us(10_000)) & 2, 0);
}
