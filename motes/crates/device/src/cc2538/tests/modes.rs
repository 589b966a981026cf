//! Clocks, gates, power modes, resets.

use super::*;

constants! { u32:
    PMCTL = SYS_CTRL + 0x58,  PWRDBG = SYS_CTRL + 0x74, IWE = SYS_CTRL + 0x94,
    I_MAP = SYS_CTRL + 0x98,  WDCTL = 0x400D_5000,
}
const ST: [u32; 4] = [0x400D_5040, 0x400D_5044, 0x400D_5048, 0x400D_504C];

fn megahertz(bench: &Bench) -> u64 {
    bench.chip.system_clock().mhz / 1_000_000_000
}

/// Arms the sleep timer's compare value `ticks` from now.
fn arm(bench: &mut Bench, ticks: u32) {
    let now: Vec<u8> = ST.iter().map(|&addr| bench.read(addr) as u8).collect();
    let now = u32::from_le_bytes([now[0], now[1], now[2], now[3]]);
    let compare = now.wrapping_add(ticks).to_le_bytes();
    for index in [3, 2, 1, 0] {
        bench.write(ST[index], compare[index].into());
    }
}

#[test]
fn the_crystal_takes_its_time_and_then_the_clock_changes() {
    let mut bench = Bench::reset();
    assert!(bench.chip.take_clock_change());
    assert_eq!(megahertz(&bench), 16);
    assert_eq!(
        bench.read(CLOCK_STA) & 0x0019_0007,
        0x0001_0001,
        "RC oscillator, 16 MHz"
    );
    bench.write(CLOCK_CTRL, 0);
    assert_eq!(
        bench.read(CLOCK_STA) & 0x0019_0000,
        0x0011_0000,
        "SOURCE_CHANGE"
    );
    assert!(!bench.chip.take_clock_change());
    bench.wait(299);
    assert_eq!(megahertz(&bench), 16);
    bench.wait(1);
    assert!(bench.chip.take_clock_change());
    assert_eq!(
        bench.read(CLOCK_STA) & 0x0019_0007,
        0x0008_0000,
        "crystal stable and selected, 32 MHz"
    );
    assert_eq!(megahertz(&bench), 32);
    for divider in 0..8 {
        bench.write(CLOCK_CTRL, divider);
        assert_eq!(bench.chip.system_clock().mhz, 32_000_000_000 >> divider);
    }
    bench.write(CLOCK_CTRL, 1 << 16);
    bench.wait(20);
    assert_eq!(megahertz(&bench), 16, "the RC oscillator has no more");
}

#[test]
fn both_oscillators_on_make_the_change_immediate() {
    let mut bench = Bench::reset();
    bench.write(CLOCK_CTRL, 1 << 16 | 1);
    bench.wait(300);
    assert_eq!(bench.read(CLOCK_STA) & 0x000C_0000, 0x000C_0000);
    bench.write(CLOCK_CTRL, 0);
    assert_eq!(megahertz(&bench), 32);
}

#[test]
fn the_crystal_deviates() {
    let mut bench = Bench::with(Cc2538Config {
        xosc_ppm: 30.0,
        ..Cc2538Config::default()
    });
    bench.start();
    assert_eq!(bench.chip.system_clock().mhz, 32_000_960_000);
}

#[test]
fn gated_blocks_refuse_access_by_name() {
    let mut bench = Bench::reset();
    for (addr, name) in [
        (0x4003_0000, "a general-purpose timer"),
        (0x4000_C018, "UART0"),
        (0x4008_B000, "the AES engine"),
        (0x4008_8648, "the RF core"),
    ] {
        let Err(AccessError::Gated { what }) = bench.try_read(addr) else {
            panic!("{name} has no clock");
        };
        assert!(what.starts_with(name), "{what}");
    }
    bench.write(RCGCGPT, 1);
    assert_eq!(bench.try_read(0x4003_0000), Ok(0));
    bench.write(RCGCSEC, 2);
    assert_eq!(bench.try_read(0x4008_B408), Ok(1));
    bench.write(SYS_CTRL + 0x54, 2);
    assert!(bench.try_read(0x4008_B408).is_err(), "held in reset");
    bench.write(SYS_CTRL + 0x54, 0);
    assert_eq!(bench.try_read(0x4008_B408), Ok(1));
}

#[test]
fn addresses_without_a_register_are_unmapped() {
    let mut bench = Bench::running();
    for addr in [
        0x400D_2060,
        0x400D_3000,
        0x400D_9600,
        0x4003_006C,
        0x4000_C010,
        0x4008_883C,
        0x4008_B010,
        0x5000_0000,
    ] {
        assert_eq!(bench.try_read(addr), Err(AccessError::Unmapped(addr)));
        assert_eq!(bench.try_write(addr, 0), Err(AccessError::Unmapped(addr)));
    }
    assert_eq!(
        bench.try_write(SYS_CTRL + 0x80, 1),
        Err(AccessError::NotModelled {
            name: "clock loss detection (CLD.EN)"
        })
    );
}

#[test]
fn the_sleep_timer_wakes_from_pm2_after_its_delay() {
    let mut bench = Bench::running();
    bench.write(PMCTL, 2);
    bench.write(IWE, 1 << 5);
    arm(&mut bench, 100);
    bench.wait(100);
    assert_eq!(
        bench.chip.sleep(bench.now, true, &mut bench.mem),
        PowerMode::Pm2
    );
    assert!(!bench.chip.system_clock().running() && bench.chip.take_clock_change());
    let timer = Irq::SleepTimer.line(false);
    assert!(
        bench.chip.wake_lines().contains(timer)
            && !bench.chip.wake_lines().contains(Irq::Rf.line(false))
    );
    let due = bench.chip.deadline().expect("the compare event");
    assert!(due > us(3_300) && due < us(3_700), "{due:?}");
    bench.run_to(due);
    assert!(bench.chip.take_irq_change() && bench.chip.take_irq_pulses().contains(timer));
    assert!(bench.chip.take_irq_pulses().is_empty(), "once");
    assert_eq!(bench.chip.wake_delay(), us(136));
    bench.run_to(due + us(136));
    bench.chip.wake(bench.now, &mut bench.mem);
    assert_eq!(
        (bench.chip.power_mode(), megahertz(&bench)),
        (PowerMode::Active, 16)
    );
    bench.wait(300);
    assert_eq!(megahertz(&bench), 32, "the crystal is back by itself");
}

#[test]
fn modes_follow_pmctl_and_sleepdeep() {
    for (pm, deep, mode) in [
        (1, false, PowerMode::Sleep),
        (0, true, PowerMode::Sleep),
        (1, true, PowerMode::Pm1),
        (3, true, PowerMode::Pm3),
    ] {
        let mut bench = Bench::running();
        bench.write(PMCTL, pm);
        assert_eq!(bench.chip.sleep(bench.now, deep, &mut bench.mem), mode);
        assert_eq!(
            bench.chip.system_clock().running(),
            mode == PowerMode::Sleep
        );
        assert_eq!(
            bench.chip.wake_lines() == IrqSet::ALL,
            mode == PowerMode::Sleep
        );
    }
}

/// Lines that end the present mode.
fn woken(bench: &Bench) -> Vec<u16> {
    let lines = bench.chip.irq_levels().and(bench.chip.wake_lines());
    lines.iter().collect()
}

#[test]
fn an_edge_wakes_by_the_power_up_interrupt_when_iwe_says_so() {
    for (mode, delay) in [(1, 4), (2, 136), (3, 136)] {
        let mut bench = Bench::running();
        for (register, value) in [
            (PMCTL, mode),
            (IWE, 1 << 2),
            (I_MAP, 1),
            (0x400D_B40C, 1),
            (0x400D_B41C, 0xFF),
            (0x400D_B410, 1),
        ] {
            bench.write(register, value);
        }
        bench.chip.sleep(bench.now, true, &mut bench.mem);
        bench.chip.set_input(bench.now, 2, 0, true);
        assert!(woken(&bench).is_empty(), "the port's logic has no clock");
        bench.chip.set_input(bench.now, 2, 0, false);
        bench.chip.wake(bench.now, &mut bench.mem);
        bench.write(0x400D_B720, 1 << 16);
        bench.write(0x400D_B710, 1 << 16);
        bench.chip.sleep(bench.now, true, &mut bench.mem);
        bench.chip.set_input(bench.now, 2, 0, true);
        assert_eq!(woken(&bench), [2]);
        assert_eq!(bench.chip.wake_delay(), us(delay), "PM{mode}");
        bench.chip.wake(bench.now, &mut bench.mem);
        assert_eq!(bench.read(0x400D_B718), 1 << 16);
        assert_eq!(bench.read(0x400D_B414), 0, "and has not seen that edge");
    }
}

#[test]
fn the_watchdog_counts_in_pm2_and_stands_still_in_pm3() {
    let mut bench = Bench::running();
    bench.write(WDCTL, 1 << 3 | 3);
    bench.write(PMCTL, 3);
    bench.chip.sleep(bench.now, true, &mut bench.mem);
    bench.wait(1_000_000);
    assert_eq!(bench.chip.take_reset(), None);
    bench.chip.wake(bench.now, &mut bench.mem);
    bench.write(PMCTL, 2);
    bench.chip.sleep(bench.now, true, &mut bench.mem);
    bench.wait(2_100);
    assert_eq!(bench.chip.take_reset(), Some(ResetCause::Watchdog));
    assert_eq!(bench.chip.power_mode(), PowerMode::Active);
}

#[test]
fn sleep_with_a_closed_gate_stops_the_timer() {
    let mut bench = Bench::running();
    bench.write(SYS_CTRL + 0x0C, 0);
    bench.write(0x4003_0004, 2);
    bench.write(0x4003_0028, 31_999);
    bench.write(0x4003_0018, 1);
    bench.write(0x4003_000C, 1);
    bench.chip.sleep(bench.now, false, &mut bench.mem);
    bench.wait(5_000);
    assert!(!bench.irq(Irq::GpTimerA(0)));
    bench.chip.wake(bench.now, &mut bench.mem);
    bench.wait(1_001);
    assert!(bench.irq(Irq::GpTimerA(0)));
}

#[test]
fn the_watchdog_and_a_warm_reset_restart_the_chip() {
    let mut bench = Bench::running();
    bench.write(WDCTL, 1 << 3 | 3);
    bench.wait(2_100);
    assert_eq!(bench.chip.take_reset(), Some(ResetCause::Watchdog));
    assert_eq!(bench.chip.take_reset(), None);
    assert_eq!(
        (megahertz(&bench), bench.read(CLOCK_STA) >> 22 & 3),
        (16, 2)
    );
    assert!(
        bench.try_read(0x4003_0000).is_err(),
        "gates are closed again"
    );
    bench.wait(10_000);
    assert_eq!(bench.chip.take_reset(), None, "the watchdog is off again");
    bench.write(PWRDBG, 1 << 3);
    assert_eq!(bench.chip.take_reset(), Some(ResetCause::Software));
    assert_eq!(bench.read(CLOCK_STA) >> 22 & 3, 3);
    bench.start();
    assert_eq!(megahertz(&bench), 32);
}

#[test]
fn names_of_modes_are_those_of_the_data_file() {
    use crate::meter::{CurrentTable, State};
    let table = CurrentTable::parse(include_str!(
        "../../../../../../boards/openmote-cc2538.toml"
    ))
    .expect("valid");
    for (clock_hz, current_ua) in [(16_000_000, 7_000.0), (32_000_000, 13_000.0)] {
        let state = State::clocked(PowerMode::Active.name(), clock_hz);
        assert_eq!(table.current_ua("cpu", state), Ok(current_ua));
    }
    for mode in [
        PowerMode::Sleep,
        PowerMode::Pm1,
        PowerMode::Pm2,
        PowerMode::Pm3,
    ] {
        assert!(table.current_ua("cpu", State::named(mode.name())).is_ok());
    }
    let levels = (-24..=7).map(|power_dbm| RadioState::Tx { power_dbm });
    for state in [RadioState::Off, RadioState::RxSearch, RadioState::RxFrame]
        .into_iter()
        .chain(levels)
    {
        assert!(
            table
                .current_ua("radio", State::named(state.name()))
                .is_ok()
        );
    }
    for state in [EngineState::Off, EngineState::Idle, EngineState::Busy] {
        assert!(table.current_ua("aes", State::named(state.name())).is_ok());
    }
    for state in [FlashState::Idle, FlashState::Erase, FlashState::Write] {
        assert!(
            table
                .current_ua("flash", State::named(state.name()))
                .is_ok()
        );
    }
}
