//! SPI protocol, start-up, reset.

use super::*;

#[test]
fn start_up_takes_600_and_860_microseconds() {
    let mut bench = Bench::off();
    assert_eq!(bench.radio.state(), RadioState::Off);
    bench.radio.set_vreg_en(Ps::ZERO, true);
    assert_eq!(bench.radio.deadline(), Some(Ps::from_micros(600)));
    assert_eq!(
        bench.spi(&[0x11 | 0x40, 0, 0]),
        [0, 0, 0],
        "no answer before the regulator is up"
    );
    bench.spi(&[0x01]);
    assert_eq!(
        bench.radio.take_misuse(),
        [(SPI, Misuse::NoSupply)],
        "it is told once"
    );
    bench.run_to(Ps::from_micros(600));
    assert_eq!(bench.radio.state(), RadioState::PowerDown);
    assert_eq!(bench.read(0x11), 0x0AE2, "registers work without crystal");
    assert_eq!(bench.strobe(0x01), 0x00);
    let stable = bench.now + Ps::from_micros(860);
    assert_eq!(
        (bench.radio.deadline(), bench.radio.state()),
        (Some(stable), RadioState::Idle)
    );
    bench.run_to(Ps(stable.0 - 1) - SPI);
    assert_eq!(bench.status() & 0x40, 0);
    assert_eq!(bench.status() & 0x40, 0x40);
    assert_eq!(bench.fsm(), 1);
}

#[test]
fn strobes_and_registers_follow_each_other_under_one_csn() {
    let mut bench = Bench::idle();
    let answer = bench.spi(&[
        0x11, 0x02, 0xE2, 0x00, 0x51, 0, 0, 0x1C, 0x00, 0x7F, 0x5C, 0, 0,
    ]);
    assert_eq!(
        answer,
        [
            0x40, 0, 0, 0x40, 0x40, 0x02, 0xE2, 0x40, 0, 0, 0x40, 0x00, 0x7F
        ]
    );
    let half = bench.spi(&[0x11, 0xFF]);
    assert_eq!(half.len(), 2);
    assert_eq!(
        bench.read(0x11),
        0x02E2,
        "a register takes only whole words"
    );
    assert_eq!(
        bench.spi(&[0x40 | 0x1E, 0])[1],
        0x23,
        "the high octet alone can be read"
    );
}

#[test]
fn ram_write_gives_the_old_content_and_banks_are_addressed() {
    let mut bench = Bench::idle();
    let octets: Vec<u8> = (1..=112).collect();
    assert_eq!(bench.write_ram(0x100, &octets), vec![0; 112]);
    assert_eq!(bench.read_ram(0x16A, 2), [107, 108]);
    assert_eq!(bench.write_ram(0x120, &[0xAA; 4]), [33, 34, 35, 36]);
    assert_eq!(bench.read_ram(0x11F, 6), [32, 0xAA, 0xAA, 0xAA, 0xAA, 37]);
    assert_eq!(
        bench.write_ram(0x16F, &[1, 2]),
        [112, 0],
        "nothing beyond 368 octets"
    );
    assert_eq!(bench.read_ram(0x000, 1), [0]);
    assert_eq!(bench.write_ram(0x07F, &[9, 8]), [0, 0]);
    assert_eq!(
        bench.read_ram(0x07E, 4),
        [0, 9, 8, 0],
        "the address runs on into the next bank"
    );
}

#[test]
fn memory_and_engine_need_the_crystal() {
    let mut bench = Bench::off();
    bench.radio.set_vreg_en(Ps::ZERO, true);
    bench.wait(600);
    bench.write_ram(0x120, &[1]);
    bench.strobe(SAES);
    bench.strobe(STXON);
    bench.spi(&[registers::TXFIFO, 5]);
    assert!(!bench.radio.engine_busy() && bench.air.is_empty());
    let misuse: Vec<Misuse> = bench
        .radio
        .take_misuse()
        .into_iter()
        .map(|(_, what)| what)
        .collect();
    assert_eq!(misuse, [Misuse::NoOscillator; 4]);
    bench.strobe(0x01);
    bench.wait(860);
    assert_eq!(bench.read_ram(0x120, 1), [0]);
}

#[test]
fn reset_pin_and_main_restore_registers_and_keep_ram() {
    for by_pin in [true, false] {
        let mut bench = Bench::idle();
        bench.write_ram(0x160, &[7]);
        bench.write(registers::IOCFG0, 0x077F);
        if by_pin {
            bench.radio.set_resetn(bench.now, false);
            assert_eq!(bench.spi(&[0x00]), [0]);
            let told = bench.radio.take_misuse();
            assert!(matches!(told[..], [(_, Misuse::NoSupply)]));
            bench.radio.set_resetn(bench.now, true);
        } else {
            bench.write(registers::MAIN, 0x7800);
            bench.strobe(0x01);
            bench.wait(860);
            assert_eq!(bench.status() & 0x40, 0, "strobes wait for RESETn");
            bench.write(registers::MAIN, 0xF800);
        }
        assert_eq!(bench.status(), 0x00, "the crystal is off");
        assert_eq!(bench.read(registers::IOCFG0), 0x0040);
        bench.strobe(0x01);
        bench.wait(860);
        assert_eq!(bench.read_ram(0x160, 1), [7]);
        bench.radio.set_vreg_en(bench.now, false);
        bench.radio.set_vreg_en(bench.now, true);
        bench.wait(600);
        bench.strobe(0x01);
        bench.wait(860);
        assert_eq!(bench.read_ram(0x160, 1), [0], "RAM is lost without supply");
    }
}

#[test]
fn pins_follow_polarity_and_mux() {
    let mut bench = Bench::idle();
    assert_eq!(bench.radio.pins(), Cc2420Pins::default());
    bench.write(registers::IOCFG0, 0x07FF);
    assert_eq!(
        bench.radio.pins(),
        Cc2420Pins {
            fifo: true,
            fifop: true,
            cca: true,
            sfd: true
        }
    );
    bench.write(registers::IOCFG0, 0x007F);
    bench.write(registers::IOCFG1, 24);
    assert!(bench.radio.pins().cca, "XOSC16M_STABLE on CCA");
    bench.strobe(0x07);
    assert!(!bench.radio.pins().cca);
    assert_eq!(bench.radio.state(), RadioState::PowerDown);
    bench.write(registers::IOCFG1, 3);
    assert_eq!(
        bench.radio.take_misuse().pop().map(|(_, what)| what),
        Some(Misuse::TestMode)
    );
}

#[test]
fn every_state_has_a_name_for_the_data_file() {
    let names: Vec<&str> = [31, 27, 23, 19, 15, 11, 7, 3]
        .map(|pa_level| RadioState::Tx { pa_level }.name())
        .into();
    assert_eq!(names[0], "tx_0dbm");
    assert_eq!(names[7], "tx_m25dbm");
    assert_eq!(RadioState::Tx { pa_level: 28 }.name(), "tx_0dbm");
    assert_eq!(RadioState::PowerDown.name(), "power_down");
}
