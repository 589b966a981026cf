//! Transmission.

use super::*;

fn us(micros: u64) -> Ps {
    Ps::from_micros(micros)
}

/// The octets in an air trace.
pub(super) fn octets(air: &[AirOut]) -> Vec<u8> {
    let octet = |event: &AirOut| {
        if let AirOut::Octet { octet, .. } = event {
            Some(*octet)
        } else {
            None
        }
    };
    air.iter().filter_map(octet).collect()
}

#[test]
fn a_frame_goes_out_12_symbols_after_the_strobe_octet_by_octet() {
    let mut bench = Bench::idle();
    bench.load(&[0x01, 0x02, 0x03]);
    bench.strobe(STXON);
    let strobed = bench.now;
    let start = strobed + us(192);
    assert_eq!(
        bench.air,
        [AirOut::Start {
            at: start,
            channel: 11,
            power_dbm: 0
        }],
        "announced at the strobe"
    );
    assert!(bench.radio.on_air());
    assert_eq!(bench.radio.state(), RadioState::Tx { pa_level: 31 });
    assert_eq!(
        bench.status() & 0x0C,
        0x08,
        "TX_ACTIVE at once, no lock while calibrating"
    );
    bench.run_to(start);
    assert_eq!((bench.fsm(), bench.status() & 0x0C), (34, 0x0C));
    bench.run_to(Ps((start + us(160)).0 - 1));
    assert!(!bench.radio.pins().sfd);
    bench.run_to(start + us(160));
    assert!(
        bench.radio.pins().sfd,
        "SFD rises with the end of the delimiter"
    );
    let end = start + us(160 + 6 * 32);
    bench.run_to(Ps(end.0 - 1));
    assert!(bench.radio.pins().sfd && bench.radio.on_air());
    bench.run_to(end);
    assert!(!bench.radio.pins().sfd && !bench.radio.on_air());
    assert_eq!(
        bench.air[1],
        AirOut::Sync {
            at: start + us(160),
            syncword: 0xA70F
        }
    );
    let psdu = with_fcs(&[1, 2, 3]);
    let expected = [&[5], &psdu[..]].concat();
    for (index, (event, octet)) in bench.air[2..8].iter().zip(expected).enumerate() {
        assert_eq!(
            *event,
            AirOut::Octet {
                at: start + us(160 + 32 * (index as u64 + 1)),
                octet
            }
        );
    }
    assert_eq!(bench.air[8..], [AirOut::End { at: end }]);
    assert_eq!(bench.fsm(), 2, "the receiver calibrates by itself");
    assert_eq!(bench.radio.deadline(), Some(end + us(192)));
    bench.run_to(end + us(192));
    assert_eq!((bench.fsm(), bench.radio.state()), (3, RadioState::Rx));
}

#[test]
fn turnaround_channel_power_and_preamble_are_programmable() {
    let mut bench = Bench::idle();
    bench.write(registers::TXCTRL, 0x80E3);
    bench.write(registers::FSCTRL, 0x4000 | (357 + 75));
    bench.write(registers::MDMCTRL0, 0x0AE5);
    bench.load(&[1]);
    bench.strobe(STXON);
    let start = bench.now + LOOKAHEAD;
    assert_eq!(
        bench.air,
        [AirOut::Start {
            at: start,
            channel: 26,
            power_dbm: -25
        }]
    );
    bench.wait(2_000);
    assert_eq!(
        bench.air[1],
        AirOut::Sync {
            at: start + us(7 * 32 + 32),
            syncword: 0xA70F
        }
    );
}

#[test]
fn without_autocrc_the_fcs_is_firmwares() {
    let mut bench = Bench::idle();
    bench.write(registers::MDMCTRL0, 0x0AC2);
    bench.spi(&[registers::TXFIFO, 4, 1, 2, 0xAA, 0xBB]);
    bench.strobe(STXON);
    bench.wait(1_000);
    assert_eq!(octets(&bench.air), [4, 1, 2, 0xAA, 0xBB]);
}

#[test]
fn a_sent_frame_can_be_sent_again_and_the_next_write_replaces_it() {
    let mut bench = Bench::idle();
    bench.load(&[1, 2]);
    for _ in 0..2 {
        bench.air.clear();
        bench.strobe(STXON);
        bench.wait(1_000);
        assert_eq!(octets(&bench.air)[..3], [4, 1, 2]);
    }
    bench.load(&[9]);
    bench.air.clear();
    bench.strobe(STXON);
    bench.wait(1_000);
    assert_eq!(octets(&bench.air)[..2], [3, 9]);
}

#[test]
fn octets_may_be_written_while_the_frame_is_on_the_air() {
    let mut bench = Bench::idle();
    bench.strobe(STXON);
    bench.wait(300);
    bench.spi(&[registers::TXFIFO, 6, 1, 2, 3, 4]);
    bench.wait(1_000);
    assert_eq!(octets(&bench.air)[..5], [6, 1, 2, 3, 4]);
    assert_eq!(bench.status() & 0x20, 0);
}

#[test]
fn too_few_octets_are_an_underflow_until_the_flush() {
    let mut bench = Bench::idle();
    bench.spi(&[registers::TXFIFO, 10, 1, 2]);
    bench.strobe(STXON);
    let failed = bench.now + us(192 + 160 + 3 * 32);
    bench.wait(1_000);
    assert_eq!(bench.air.last(), Some(&AirOut::End { at: failed }));
    assert_eq!((bench.status() & 0x28, bench.fsm()), (0x20, 56));
    assert!(!bench.radio.pins().sfd);
    assert_eq!(
        bench.spi(&[registers::TXFIFO, 1]),
        [0x60, 0x60],
        "the status octet comes with each octet written"
    );
    bench.strobe(STXON);
    assert_eq!(
        bench.radio.take_misuse().pop().map(|(_, what)| what),
        Some(Misuse::StrobeIgnored)
    );
    bench.strobe(SFLUSHTX);
    assert_eq!((bench.status() & 0x20, bench.fsm()), (0, 2));
}

#[test]
fn srfoff_stops_a_transmission_before_and_in_the_frame() {
    let mut bench = Bench::idle();
    bench.load(&[1, 2, 3]);
    bench.strobe(STXON);
    bench.wait(100);
    bench.strobe(SRFOFF);
    assert_eq!(bench.air.last(), Some(&AirOut::End { at: bench.now }));
    assert_eq!(bench.radio.state(), RadioState::Idle);
    bench.strobe(STXON);
    bench.wait(400);
    bench.strobe(SRFOFF);
    assert_eq!(bench.air.last(), Some(&AirOut::End { at: bench.now }));
    assert!(!bench.radio.pins().sfd && bench.radio.deadline().is_none());
}

#[test]
fn the_txfifo_holds_128_octets() {
    let mut bench = Bench::idle();
    bench.load(&[0x55; 125]);
    assert!(bench.radio.take_misuse().is_empty());
    bench.spi(&[registers::TXFIFO, 0, 0]);
    assert!(
        bench.radio.take_misuse().is_empty(),
        "room for the two octets of an FCS"
    );
    bench.spi(&[registers::TXFIFO, 0]);
    assert_eq!(
        bench.radio.take_misuse().pop().map(|(_, what)| what),
        Some(Misuse::FifoFull)
    );
    bench.strobe(STXON);
    bench.wait(10_000);
    let sent = octets(&bench.air);
    assert_eq!(sent.len(), 128);
    assert_eq!(sent[1..], with_fcs(&[0x55; 125]));
}

#[test]
fn stxcal_locks_the_synthesizer_and_sends_nothing() {
    let mut bench = Bench::idle();
    bench.strobe(0x02);
    assert_eq!(bench.status() & 0x04, 0);
    bench.wait(192);
    assert_eq!(bench.status() & 0x0C, 0x04);
    assert!(bench.air.is_empty());
    bench.strobe(STXON);
    assert_eq!(bench.air.len(), 1);
}

#[test]
fn the_power_of_a_frame_is_that_of_its_level() {
    // SWRS041 table 9, and the levels below each.
    let powers = [
        (31, 0),
        (27, -1),
        (23, -3),
        (19, -5),
        (15, -7),
        (11, -10),
        (7, -15),
        (3, -25),
    ];
    for (level, dbm) in powers {
        for below in 0..4 {
            let mut bench = Bench::idle();
            bench.write(registers::TXCTRL, 0xA0E0 | (level - below));
            bench.load(&[0x01, 0x02, 0x03]);
            bench.strobe(STXON);
            let AirOut::Start { power_dbm, .. } = bench.air[0] else {
                panic!("no frame")
            };
            assert_eq!(power_dbm, dbm, "PA_LEVEL {}", level - below);
            let name = format!("tx_{}{}dbm", if dbm < 0 { "m" } else { "" }, dbm.abs());
            assert_eq!(bench.radio.state().name(), name);
        }
    }
}
