//! Reception.

use super::transmit::octets;
use super::*;

fn us(micros: u64) -> Ps {
    Ps::from_micros(micros)
}

/// Data frame, acknowledgement requested, to PAN abcd, short address 0001, sequence number 0x5A.
const TO_ME: [u8; 11] = [
    0x61, 0x88, 0x5A, 0xCD, 0xAB, 0x01, 0x00, 0x02, 0x00, 0x10, 0x11,
];

#[test]
fn a_frame_arrives_with_rssi_and_fcs_verdict() {
    let mut bench = Bench::listening();
    bench.write(registers::IOCFG0, 0x007F);
    let start = bench.now + us(50);
    bench.hear_frame(1, start, -60, &with_fcs(&[1, 2, 3]));
    bench.run_to(Ps((start + us(160)).0 - 1));
    assert!(!bench.radio.pins().sfd);
    bench.run_to(start + us(160));
    assert!(bench.radio.pins().sfd && !bench.radio.pins().fifo);
    bench.run_to(start + us(192));
    assert!(
        bench.radio.pins().fifo && !bench.radio.pins().fifop,
        "the length is in the FIFO"
    );
    assert_eq!(bench.fsm(), 16);
    let end = start + us(160 + 6 * 32);
    bench.run_to(Ps(end.0 - 1));
    assert!(bench.radio.pins().sfd && !bench.radio.pins().fifop);
    bench.run_to(end);
    assert!(!bench.radio.pins().sfd && bench.radio.pins().fifop);
    assert_eq!(bench.fsm(), 3);
    assert_eq!(bench.read_rxfifo(1), [5]);
    assert!(
        bench.radio.pins().fifo && !bench.radio.pins().fifop,
        "FIFOP ends with the first octet read"
    );
    assert_eq!(
        bench.read_rxfifo(5),
        [1, 2, 3, (-60i8 + 45) as u8, 0x80 | 108]
    );
    assert!(!bench.radio.pins().fifo);
}

#[test]
fn without_autocrc_the_fcs_is_stored() {
    let mut bench = Bench::listening();
    bench.write(registers::MDMCTRL0, 0x02C2);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1, 2, 3]));
    bench.wait(1_000);
    assert_eq!(bench.read_rxfifo(6)[1..], with_fcs(&[1, 2, 3]));
}

#[test]
fn a_wrong_fcs_shows() {
    let mut bench = Bench::listening();
    bench.hear_frame(1, bench.now, -60, &[1, 2, 3, 0, 0]);
    bench.wait(1_000);
    assert_eq!(bench.read_rxfifo(6)[5], 108);
}

#[test]
fn fifop_rises_when_the_threshold_is_exceeded() {
    let mut bench = Bench::listening();
    bench.write(registers::IOCFG0, 0x0003);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&[1, 2, 3, 4, 5]));
    bench.run_to(Ps((start + us(160 + 4 * 32)).0 - 1));
    assert!(!bench.radio.pins().fifop);
    bench.run_to(start + us(160 + 4 * 32));
    assert!(bench.radio.pins().fifop, "four octets exceed three");
}

/// The chip listens this long after SRXON before the preamble of a frame begins.
fn received(lead: i64) -> bool {
    let mut bench = Bench::idle();
    bench.write(registers::MDMCTRL0, 0x02E2);
    bench.strobe(SRXON);
    let start = Ps((bench.now + us(192)).0.wrapping_add_signed(lead));
    bench.hear_frame(1, start, -60, &with_fcs(&[1]));
    bench.wait(2_000);
    bench.radio.pins().fifo
}

#[test]
fn two_preamble_octets_are_enough_and_less_is_not() {
    assert!(received(0));
    assert!(received(-64_000_000));
    assert!(!received(-64_000_001));
}

#[test]
fn another_channel_syncword_or_a_lost_frame_is_not_received() {
    for case in 0..3 {
        let mut bench = Bench::listening();
        match case {
            0 => bench.write(registers::FSCTRL, 0x4000 | 362),
            1 => bench.write(registers::SYNCWORD, 0xA60F),
            _ => {}
        }
        bench.strobe(SRXON);
        bench.wait(192);
        let start = bench.now;
        bench.hear_frame(1, start, -60, &with_fcs(&[1]));
        if case == 2 {
            let signal = Signal::Start {
                channel: 11,
                rssi_dbm: -60,
                decodable: false,
            };
            *bench.radio.modem.antenna.first() = AirIn {
                at: start,
                tx: TxId(1),
                signal,
            };
        }
        bench.wait(1_000);
        assert!(!bench.radio.pins().fifo && bench.fsm() == 3, "case {case}");
    }
}

#[test]
fn overlapping_frames_spoil_each_other_unless_one_is_3_db_stronger() {
    for (rssi, right) in [(-60, false), (-62, false), (-63, true), (-90, true)] {
        let mut bench = Bench::listening();
        let start = bench.now;
        bench.hear_frame(1, start, -60, &with_fcs(&[7; 20]));
        bench.hear_frame(2, start + us(400), rssi, &with_fcs(&[8; 20]));
        bench.wait(3_000);
        let octets = bench.read_rxfifo(23);
        assert_eq!(octets[22] & 0x80 != 0, right, "{rssi} dBm");
        assert_eq!(octets[1..21] == [7; 20], right);
        assert!(!bench.radio.pins().fifo, "the second frame is not received");
    }
}

#[test]
fn a_transmitter_that_stops_leaves_noise_and_a_wrong_fcs() {
    let mut bench = Bench::listening();
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&[7; 20]));
    bench.radio.hear(AirIn {
        at: start + us(160 + 10 * 32),
        tx: TxId(1),
        signal: Signal::End,
    });
    bench.run_to(start + us(160 + 23 * 32 - 1));
    assert!(bench.radio.pins().sfd);
    bench.run_to(start + us(160 + 23 * 32));
    assert!(!bench.radio.pins().sfd && bench.radio.pins().fifop);
    let octets = bench.read_rxfifo(23);
    assert_eq!(
        (octets[..10].to_vec(), octets[22] & 0x80),
        ([&[22][..], &[7; 9]].concat(), 0)
    );
}

fn addressed(mdmctrl0: u16) -> Bench {
    let mut bench = Bench::listening();
    bench.write(registers::MDMCTRL0, mdmctrl0);
    bench.write_ram(0x168, &[0xCD, 0xAB, 0x01, 0x00]);
    bench
}

#[test]
fn address_recognition_passes_own_frames_and_flushes_others() {
    let mut bench = addressed(0x0AE2);
    bench.write(registers::IOCFG0, 0x0001);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&TO_ME));
    bench.run_to(start + us(160 + 7 * 32));
    assert!(
        bench.radio.pins().fifo && !bench.radio.pins().fifop,
        "not before the address is known"
    );
    bench.run_to(start + us(160 + 8 * 32));
    assert!(bench.radio.pins().fifop);
    bench.wait(1_000);
    assert_eq!(bench.read_rxfifo(14)[0], 13);

    let mut foreign = TO_ME;
    foreign[5] = 9;
    let start = bench.now;
    bench.hear_frame(2, start, -60, &with_fcs(&foreign));
    bench.run_to(start + us(160 + 7 * 32));
    assert!(bench.radio.pins().sfd && bench.radio.pins().fifo);
    bench.run_to(start + us(160 + 8 * 32));
    assert_eq!(
        bench.radio.pins(),
        Cc2420Pins {
            cca: bench.radio.pins().cca,
            ..Cc2420Pins::default()
        }
    );
    assert_eq!(bench.fsm(), 14, "the rest is waited out");
    bench.run_to(start + us(160 + 14 * 32));
    assert_eq!(bench.fsm(), 3);
    assert!(bench.air.is_empty(), "no acknowledgement without AUTOACK");
}

/// A radio with this MDMCTRL0 that begins to hear a frame to itself, and how its acknowledgement
/// begins.
fn called(mdmctrl0: u16) -> (Bench, AirOut) {
    let mut bench = addressed(mdmctrl0);
    let begins = AirOut::Start {
        at: bench.now + us(160 + 14 * 32) + us(192),
        channel: 11,
        power_dbm: 0,
    };
    bench.hear_frame(1, bench.now, -60, &with_fcs(&TO_ME));
    (bench, begins)
}

#[test]
fn autoack_answers_12_symbols_after_the_frame() {
    let (mut bench, begins) = called(0x0AF2);
    bench.wait(3_000);
    assert_eq!(bench.air[0], begins);
    assert_eq!(
        octets(&bench.air),
        [&[5][..], &with_fcs(&[0x02, 0x00, 0x5A])].concat()
    );
    assert_eq!(bench.fsm(), 3, "reception goes on");
    assert_eq!(bench.read_rxfifo(1), [13]);

    bench.strobe(SFLUSHRX);
    bench.strobe(SFLUSHRX);
    bench.air.clear();
    bench.strobe(SACKPEND);
    bench.hear_frame(2, bench.now, -60, &with_fcs(&TO_ME));
    bench.wait(3_000);
    assert_eq!(octets(&bench.air)[1], 0x12, "frame pending");

    bench.air.clear();
    let mut broken = with_fcs(&TO_ME);
    broken[10] ^= 1;
    bench.hear_frame(3, bench.now, -60, &broken);
    let mut quiet = TO_ME;
    quiet[0] &= !0x20;
    bench.hear_frame(4, bench.now + us(2_000), -60, &with_fcs(&quiet));
    bench.wait(4_000);
    assert!(bench.air.is_empty(), "wrong FCS, or not requested");
}

#[test]
fn autoack_answers_data_and_command_frames_alone() {
    const TYPE: u8 = 7;
    for (kind, answered) in [(0, false), (1, true), (2, false), (3, true)] {
        let mut bench = addressed(0x0AF2);
        let mut frame = TO_ME;
        frame[0] = frame[0] & !TYPE | kind;
        bench.hear_frame(1, bench.now, -60, &with_fcs(&frame));
        bench.wait(3_000);
        assert_eq!(!bench.air.is_empty(), answered, "frame type {kind}");
    }
}

#[test]
fn an_acknowledgement_leaves_the_txfifo_alone() {
    let mut bench = addressed(0x0AF2);
    bench.spi(&[registers::TXFIFO, 6, 1, 2]);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&TO_ME));
    bench.wait(3_000);
    assert!(octets(&bench.air).len() == 6 && bench.radio.take_misuse().is_empty());
    bench.spi(&[registers::TXFIFO, 3, 4]);
    bench.air.clear();
    bench.strobe(STXON);
    bench.wait(1_000);
    assert_eq!(octets(&bench.air)[..5], [6, 1, 2, 3, 4]);
}

#[test]
fn sack_in_and_after_a_frame() {
    let (mut bench, begins) = called(0x0AE2);
    bench.wait(300);
    bench.strobe(SACK);
    bench.wait(2_000);
    assert_eq!(bench.air[0], begins);
    bench.air.clear();
    bench.hear_frame(2, bench.now, -60, &with_fcs(&TO_ME));
    bench.wait(1_000);
    assert!(bench.air.is_empty());
    bench.strobe(SACKPEND);
    assert_eq!(
        bench.air,
        [AirOut::Start {
            at: bench.now + us(192),
            channel: 11,
            power_dbm: 0
        }]
    );
}

#[test]
fn overflow_shows_on_the_pins_and_needs_two_flushes() {
    let mut bench = Bench::listening();
    bench.write(registers::IOCFG0, 0x007F);
    bench.write(registers::SECCTRL0, 0x01C4);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&[7; 100]));
    bench.hear_frame(2, start + us(4_000), -60, &with_fcs(&[8; 100]));
    bench.wait(5_000);
    let pins = bench.radio.pins();
    assert!(pins.fifop && !pins.fifo && pins.sfd, "FIFOP without FIFO");
    assert_eq!(bench.fsm(), 17);
    assert_eq!(
        bench.read_rxfifo(2),
        [102, 7],
        "what is there can still be read"
    );
    bench.strobe(SFLUSHRX);
    assert!(bench.radio.pins().sfd && !bench.radio.pins().fifop);
    assert_eq!(bench.fsm(), 3);
    bench.strobe(SFLUSHRX);
    assert!(!bench.radio.pins().sfd);
    bench.wait(4_000);
    bench.hear_frame(3, bench.now, -60, &with_fcs(&[9; 3]));
    bench.wait(1_000);
    assert_eq!(bench.read_rxfifo(2), [5, 9]);
}

/// A carrier without octets that is on from now on.
fn carrier(bench: &mut Bench, tx: u64, rssi_dbm: i8) {
    let signal = Signal::Start {
        channel: 11,
        rssi_dbm,
        decodable: true,
    };
    let (at, tx) = (bench.now, TxId(tx));
    bench.radio.hear(AirIn { at, tx, signal });
}

#[test]
fn several_weak_carriers_together_spoil_a_frame_and_add_up_in_the_rssi() {
    for (carriers, right, rssi) in [(1, true, -66), (2, false, -63), (4, false, -60)] {
        let mut bench = Bench::listening();
        for tx in 10..10 + carriers {
            carrier(&mut bench, tx, -66);
        }
        bench.wait(1_000);
        let value = bench.read(registers::RSSI) as u8 as i8;
        assert_eq!(value, rssi + 45, "{carriers} carriers");
        bench.hear_frame(1, bench.now, -62, &with_fcs(&[7; 20]));
        bench.wait(2_000);
        assert_eq!(bench.radio.pins().fifo, right, "{carriers} carriers");
    }
}

#[test]
fn a_frame_that_noise_drowns_is_not_found() {
    for (rssi_dbm, found) in [(-97, true), (-98, false)] {
        let mut bench = Bench::listening();
        bench.hear_frame(1, bench.now, rssi_dbm, &with_fcs(&[7; 20]));
        bench.wait(2_000);
        assert_eq!(bench.radio.pins().fifo, found, "{rssi_dbm} dBm");
    }
}

#[test]
fn rssi_and_cca_follow_the_energy_after_8_symbols() {
    let mut bench = Bench::idle();
    bench.write(registers::MDMCTRL0, 0x0262);
    bench.strobe(SRXON);
    let on = bench.now + us(192);
    bench.run_to(Ps((on + us(128)).0 - 1));
    assert!(!bench.radio.pins().cca, "not valid yet");
    bench.run_to(on + us(128));
    assert!(bench.radio.pins().cca);
    assert_eq!(
        (bench.status() & 0x02, bench.read(registers::RSSI)),
        (0x02, 0xE0C9),
        "noise floor -100 dBm"
    );
    let start = bench.now + us(10);
    bench.hear_frame(1, start, -60, &with_fcs(&[7; 20]));
    bench.run_to(Ps((start + us(128)).0 - 1));
    assert!(bench.radio.pins().cca);
    bench.run_to(start + us(128));
    assert!(!bench.radio.pins().cca);
    assert_eq!(bench.read(registers::RSSI) & 0xFF, 0xF1);
    bench.strobe(STXONCCA);
    assert!(!bench.radio.on_air() && bench.air.is_empty(), "busy");
    bench.run_to(start + us(160 + 23 * 32 + 128));
    assert!(bench.radio.pins().cca);
    bench.strobe(STXONCCA);
    assert!(bench.radio.on_air());
    assert!(!bench.radio.pins().cca, "no CCA while sending");
}

#[test]
fn cca_is_busy_from_the_threshold_and_clear_below_the_hysteresis() {
    // CCA_THR -32 is -77 dBm, hysteresis 2 dB.
    let mut bench = Bench::idle();
    bench.write(registers::MDMCTRL0, 0x0262);
    bench.strobe(SRXON);
    bench.wait(320);
    for (tx, (level, clear)) in [
        (-78, true),
        (-77, false),
        (-79, false),
        (-80, true),
        (-79, true),
    ]
    .into_iter()
    .enumerate()
    {
        let start = AirIn {
            at: bench.now,
            tx: TxId(tx as u64),
            signal: Signal::Start {
                channel: 11,
                rssi_dbm: level,
                decodable: true,
            },
        };
        bench.radio.hear(start);
        if tx > 0 {
            bench.radio.hear(AirIn {
                at: bench.now,
                tx: TxId(tx as u64 - 1),
                signal: Signal::End,
            });
        }
        bench.wait(128);
        assert_eq!(bench.radio.pins().cca, clear, "{level} dBm");
    }
}

#[test]
fn cca_mode_2_looks_at_frames_only() {
    let mut bench = Bench::listening();
    bench.write(registers::MDMCTRL0, 0x02A2);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&[7; 20]));
    bench.run_to(start + us(159));
    assert!(bench.radio.pins().cca);
    bench.run_to(start + us(160));
    assert!(!bench.radio.pins().cca);
    bench.run_to(start + us(160 + 23 * 32));
    assert!(bench.radio.pins().cca);
}

#[test]
fn an_announced_transmission_that_ends_before_it_starts_is_never_heard() {
    let mut bench = Bench::listening();
    let start = bench.now + us(192);
    bench.radio.hear(AirIn {
        at: start,
        tx: TxId(1),
        signal: Signal::Start {
            channel: 11,
            rssi_dbm: -60,
            decodable: true,
        },
    });
    bench.radio.hear(AirIn {
        at: start - us(100),
        tx: TxId(1),
        signal: Signal::End,
    });
    bench.wait(1_000);
    assert_eq!(bench.read(registers::RSSI) & 0xFF, 0xC9);
}
