//! RF core: reception.

use super::radio::*;
use super::*;
use crate::air::{Signal, TxId};
use crate::radio::OCTET;

/// Data frame, acknowledgement requested, to PAN abcd, short address 0001, sequence number 0x5A.
const TO_ME: [u8; 11] = [
    0x61, 0x88, 0x5A, 0xCD, 0xAB, 0x01, 0x00, 0x02, 0x00, 0x10, 0x11,
];

impl Bench {
    /// Receiving, without frame filtering; searches for a delimiter and RSSI is valid.
    fn listening() -> Bench {
        let mut bench = Bench::running();
        bench.write(FRMFILT0, 0x0C);
        bench.strobe(ISRXON);
        bench.wait(320);
        bench
    }

    /// The same with filtering for [`TO_ME`].
    fn addressed(frmctrl0: u32) -> Bench {
        let mut bench = Bench::listening();
        bench.write(FRMFILT0, 0x0D);
        bench.write(FRMCTRL0, frmctrl0);
        for (addr, octet) in [(0x5C8, 0xCD), (0x5CC, 0xAB), (0x5D0, 0x01), (0x5D4, 0x00)] {
            bench.write(RF + addr, octet);
        }
        bench
    }

    /// Hears the frame with this PSDU (FCS included) from `start` on.
    fn hear_frame(&mut self, tx: u64, start: Ps, rssi_dbm: i8, psdu: &[u8]) {
        let begin = Signal::Start {
            channel: 11,
            rssi_dbm,
            decodable: true,
        };
        let mut at = start + us(160);
        let mut signals = vec![(start, begin), (at, Signal::Sync { syncword: 0xA70F })];
        for &octet in [psdu.len() as u8].iter().chain(psdu) {
            at += OCTET;
            signals.push((at, Signal::Octet(octet)));
        }
        signals.push((at, Signal::End));
        for (at, signal) in signals {
            let tx = TxId(tx);
            self.chip.hear(AirIn { at, tx, signal });
        }
    }

    fn read_fifo(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.read(RFDATA) as u8).collect()
    }
}

#[test]
fn a_frame_arrives_with_rssi_and_fcs_verdict() {
    let mut bench = Bench::listening();
    bench.write(FIFOPCTRL, 0x7F);
    bench.write(RFIRQM0, 0x46);
    let start = bench.now + us(50);
    bench.hear_frame(1, start, -60, &with_fcs(&[1, 2, 3]));
    bench.run_to(start + us(160));
    assert_eq!((bench.status(SFD | FIFO), bench.read(RFIRQF0)), (SFD, 0x02));
    assert_eq!(bench.chip.radio_state(), RadioState::RxFrame);
    bench.run_to(start + us(192));
    assert_eq!(bench.status(FIFO | FIFOP), FIFO);
    let end = start + us(160) + Ps(OCTET.0 * 6);
    bench.run_to(Ps(end.0 - 1));
    assert_eq!(bench.status(FIFOP | SFD), SFD);
    bench.run_to(end);
    assert_eq!(
        (bench.status(FIFOP | SFD), bench.read(RFIRQF0)),
        (FIFOP, 0x46)
    );
    assert!(bench.irq(Irq::Rf));
    assert_eq!(
        (bench.read(RXFIFOCNT), bench.read(RF + 0x668)),
        (6, 5),
        "RXFIRST does not take it"
    );
    assert_eq!(bench.read_fifo(1), [5]);
    assert_eq!(
        bench.status(FIFO | FIFOP),
        FIFO,
        "FIFOP ends with the first octet read"
    );
    assert_eq!(
        bench.read_fifo(5),
        [1, 2, 3, (-60i8 + 73) as u8, 0x80 | 108]
    );
    assert_eq!(bench.status(FIFO), 0);
    assert_eq!(bench.fsm(), 14, "a pause of 12 symbols");
    bench.run_to(end + us(192));
    assert_eq!(bench.fsm(), 3);
}

#[test]
fn a_wrong_fcs_shows_and_without_autocrc_it_is_stored() {
    let mut bench = Bench::listening();
    bench.hear_frame(1, bench.now, -60, &[1, 2, 3, 0, 0]);
    bench.wait(1_000);
    assert_eq!(bench.read_fifo(6)[5], 108);
    bench.write(FRMCTRL0, 0);
    bench.hear_frame(2, bench.now, -60, &with_fcs(&[1, 2, 3]));
    bench.wait(1_000);
    assert_eq!(bench.read_fifo(6)[1..], with_fcs(&[1, 2, 3]));
}

#[test]
fn fifop_rises_at_the_threshold_and_for_every_further_frame() {
    let mut bench = Bench::listening();
    bench.write(FIFOPCTRL, 3);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&[1, 2, 3, 4, 5]));
    bench.hear_frame(2, start + us(1_500), -60, &with_fcs(&[6]));
    bench.run_to(Ps((start + us(160 + 4 * 32)).0 - 1));
    assert_eq!(bench.status(FIFOP), 0);
    bench.run_to(start + us(160 + 4 * 32));
    assert_eq!(
        (bench.status(FIFOP), bench.read(RFIRQF0) & 4),
        (FIFOP, 4),
        "four octets exceed three"
    );
    bench.run_to(start + us(3_000));
    bench.read_fifo(8);
    bench.write(FIFOPCTRL, 0x7F);
    bench.write(RFIRQF0, 0);
    assert_eq!(bench.status(FIFOP), FIFOP, "the second frame is complete");
    assert_eq!(bench.read_fifo(2), [3, 6]);
    assert_eq!(bench.status(FIFOP), 0);
}

#[test]
fn the_receiver_is_ready_192_us_after_the_strobe() {
    for (lead, received) in [(0, true), (-64_000_000, true), (-64_000_001, false)] {
        let mut bench = Bench::running();
        bench.write(FRMFILT0, 0x0C);
        bench.strobe(ISRXON);
        let start = Ps((bench.now + us(192)).0.wrapping_add_signed(lead));
        bench.hear_frame(1, start, -60, &with_fcs(&[1]));
        bench.wait(2_000);
        assert_eq!(bench.status(FIFO) != 0, received, "{lead}");
    }
}

#[test]
fn filtering_passes_own_frames_and_drops_others() {
    let mut bench = Bench::addressed(0x40);
    bench.write(FIFOPCTRL, 1);
    let start = bench.now;
    bench.hear_frame(1, start, -60, &with_fcs(&TO_ME));
    bench.run_to(start + us(160 + 7 * 32));
    assert_eq!(
        (bench.status(FIFO | FIFOP), bench.read(RFIRQF0) & 0x20),
        (FIFO, 0)
    );
    bench.run_to(start + us(160 + 8 * 32));
    assert_eq!(
        (bench.status(FIFOP), bench.read(RFIRQF0) & 0x28),
        (FIFOP, 0x28),
        "accepted, source match done"
    );
    bench.wait(1_000);
    assert_eq!(bench.read_fifo(14)[0], 13);

    let mut foreign = TO_ME;
    foreign[5] = 9;
    bench.write(RFIRQF0, 0);
    let start = bench.now;
    bench.hear_frame(2, start, -60, &with_fcs(&foreign));
    bench.run_to(start + us(160 + 8 * 32));
    assert_eq!(
        (bench.fsm(), bench.status(FIFO | FIFOP | SFD)),
        (14, 0),
        "the rest is waited out"
    );
    bench.run_to(start + us(160 + 14 * 32));
    assert_eq!(
        (bench.fsm(), bench.read(RFIRQF0)),
        (3, 0x02),
        "no RXPKTDONE"
    );
    assert!(bench.air.is_empty(), "no acknowledgement without AUTOACK");
}

#[test]
fn autoack_answers_12_symbols_after_the_frame() {
    let mut bench = Bench::addressed(0x60);
    bench.write(TXPOWER, 0xB6);
    let end = bench.now + us(160 + 14 * 32);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&TO_ME));
    bench.wait(3_000);
    let announced = AirOut::Start {
        at: end + us(192),
        channel: 11,
        power_dbm: 0,
    };
    assert_eq!(bench.air[0], announced);
    assert_eq!(
        bench.sent(),
        [&[5][..], &with_fcs(&[0x02, 0x00, 0x5A])].concat()
    );
    assert_eq!(
        (bench.read(RFIRQF1), bench.fsm()),
        (0x01, 3),
        "TXACKDONE, reception goes on"
    );

    for (frmctrl1, strobe, fcf) in [
        (0x05, 0, Some(0x12)),
        (0x01, 0xE7, Some(0x12)),
        (0x01, 0xE8, None),
    ] {
        bench.air.clear();
        bench.strobe(ISFLUSHRX);
        bench.write(FRMCTRL1, frmctrl1);
        bench.hear_frame(2, bench.now, -60, &with_fcs(&TO_ME));
        bench.wait(400);
        if strobe != 0 {
            bench.strobe(strobe);
        }
        bench.wait(3_000);
        assert_eq!(bench.sent().get(1).copied(), fcf, "{strobe:x}");
    }

    bench.air.clear();
    let mut broken = with_fcs(&TO_ME);
    broken[10] ^= 1;
    bench.hear_frame(3, bench.now, -60, &broken);
    bench.wait(3_000);
    assert!(bench.air.is_empty(), "wrong FCS");
    bench.strobe(0xE6);
    assert_eq!(bench.read(RFERRF) & 0x40, 0x40, "SACK outside of a frame");
}

#[test]
fn two_frames_that_do_not_fit_overflow_until_a_flush() {
    let mut bench = Bench::listening();
    bench.write(RFERRM, 0x04);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1; 98]));
    bench.hear_frame(2, bench.now + us(4_000), -60, &with_fcs(&[2; 98]));
    bench.wait(8_000);
    assert_eq!(
        (
            bench.fsm(),
            bench.status(FIFO | FIFOP),
            bench.irq(Irq::RfError)
        ),
        (17, FIFOP, true)
    );
    bench.strobe(ISFLUSHRX);
    assert_eq!(
        (
            bench.fsm(),
            bench.status(FIFO | FIFOP),
            bench.read(RXFIFOCNT)
        ),
        (3, 0, 0)
    );
}

#[test]
fn switching_off_in_a_frame_aborts_it() {
    let mut bench = Bench::listening();
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1; 20]));
    bench.wait(500);
    bench.strobe(ISRFOFF);
    assert_eq!((bench.read(RFERRF), bench.fsm()), (0x02, 0), "RXABO");
    let mut bench = Bench::listening();
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1; 20]));
    bench.wait(500);
    bench.write(RXENABLE, 0);
    assert_eq!(
        bench.chip.radio_state(),
        RadioState::RxFrame,
        "RXENABLE does not disturb a frame"
    );
    bench.wait(2_000);
    assert_eq!((bench.fsm(), bench.read(RXFIFOCNT)), (0, 23));
}

#[test]
fn cca_and_rssi_follow_the_energy() {
    let mut bench = Bench::listening();
    bench.write(CCACTRL0, 0xF8);
    assert_eq!((bench.status(CCA), bench.read(RSSISTAT)), (CCA, 1));
    assert_eq!(bench.read(RSSI) as u8 as i8, -100 + 73);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1; 40]));
    bench.wait(500);
    assert_eq!((bench.status(CCA), bench.read(RSSI) as u8 as i8), (0, 13));
    bench.load(&[1]);
    bench.strobe(ISTXONCCA);
    assert!(!bench.chip.on_air());
    bench.wait(3_000);
    bench.strobe(ISTXONCCA);
    assert!(
        bench.chip.on_air() && bench.read(FSMSTAT1) & 0x08 != 0,
        "SAMPLED_CCA"
    );
    let mut off = Bench::running();
    assert_eq!(
        (off.read(RSSI), off.read(RSSISTAT), off.status(CCA)),
        (0x80, 0, 0)
    );
}

#[test]
fn symbol_search_can_be_switched_off_and_the_source_match_index_appended() {
    let mut bench = Bench::listening();
    bench.write(FRMCTRL0, 0x4C);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&[1]));
    bench.wait(1_000);
    assert_eq!((bench.fsm(), bench.read(RXFIFOCNT)), (3, 0));
    bench.write(FRMCTRL0, 0xC0);
    bench.hear_frame(2, bench.now, -60, &with_fcs(&[1]));
    bench.wait(1_000);
    assert_eq!(bench.read_fifo(4)[3], 0x80 | 0x3F);
    assert_eq!(bench.read(RF + 0x58C), 0x3F);
    assert_ne!(
        (0..16).map(|_| bench.read(RF + 0x69C)).max(),
        Some(0),
        "random bits"
    );
}
