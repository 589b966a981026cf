//! A station alone: what it sends and when, and what it makes of what it hears.

use super::*;
use crate::air::TxId;

const SHORT: u16 = 0x0001;

fn us(micros: u64) -> Ps {
    Ps::from_micros(micros)
}

fn station() -> Station {
    let config = StationConfig {
        channel: 26,
        pan: 0xBEEF,
        short: SHORT,
        extended: [1, 2, 3, 4, 5, 6, 7, 8],
        power_dbm: 0,
        seed: 7,
    };
    Station::new(config).expect("a channel that there is")
}

/// A data frame to a short address, with a sequence number; `control` is the first octet.
fn data(control: u8, sequence: u8, to: u16) -> Vec<u8> {
    let mut mpdu = vec![control, 0x88, sequence, 0xEF, 0xBE];
    mpdu.extend(to.to_le_bytes());
    mpdu.extend([0xA1, 0x00, 0x55]);
    mpdu
}

/// Lets a frame come whose first preamble symbol is at a time; the end of it. `flip` is put over its
/// last octet.
fn come(station: &mut Station, name: u64, at: Ps, mpdu: &[u8], flip: u8) -> Ps {
    let sum = mpdu.iter().fold(0, |sum, octet| fcs::update(sum, *octet));
    let mut psdu = [mpdu, &sum.to_le_bytes()].concat();
    *psdu.last_mut().expect("two at least") ^= flip;
    let mut end = at;
    for event in burst(at, 26, 0, &psdu) {
        let (at, signal) = match event {
            AirOut::Start { at, channel, .. } => {
                let (rssi_dbm, decodable) = (-60, true);
                let start = crate::air::Signal::Start {
                    channel,
                    rssi_dbm,
                    decodable,
                };
                (at, start)
            }
            AirOut::Sync { at, syncword } => (at, crate::air::Signal::Sync { syncword }),
            AirOut::Octet { at, octet } => (at, crate::air::Signal::Octet(octet)),
            AirOut::End { at } => (at, crate::air::Signal::End),
        };
        let tx = TxId(name);
        station.hear(AirIn { at, tx, signal });
        end = at;
    }
    end
}

/// What was sent: (first preamble symbol, PSDU without its FCS).
fn said(station: &mut Station) -> Vec<(Ps, Vec<u8>)> {
    let mut events = Vec::new();
    station.take_air(&mut events);
    let mut frames: Vec<(Ps, Vec<u8>)> = Vec::new();
    for event in events {
        match event {
            AirOut::Start { at, .. } => frames.push((at, Vec::new())),
            AirOut::Octet { octet, .. } => frames.last_mut().expect("begun").1.push(octet),
            _ => {}
        }
    }
    for (_, octets) in &mut frames {
        assert_eq!(usize::from(octets.remove(0)), octets.len());
        octets.truncate(octets.len() - 2);
    }
    frames
}

#[test]
fn a_frame_is_heard_with_time_level_and_verdict() {
    let mut station = station();
    let mpdu = data(0x41, 9, 0x00A2);
    let first = come(&mut station, 1, us(1_000), &mpdu, 0);
    let second = come(&mut station, 2, us(3_000), &mpdu, 0x80);
    station.run_until(us(5_000));
    let heard = station.take_heard();
    assert_eq!(heard.len(), 2);
    assert_eq!((heard[0].sfd, heard[0].end), (us(1_160), first));
    assert_eq!(first, us(1_000 + 32 * (6 + 12)));
    assert_eq!((heard[0].rssi_dbm, heard[0].right), (-60, true));
    assert_eq!(heard[0].psdu[..10], mpdu);
    assert_eq!((heard[1].end, heard[1].right), (second, false));
    assert_eq!(heard[1].psdu[11], heard[0].psdu[11] ^ 0x80);
    assert!(!station.has_news() && said(&mut station).is_empty());
}

#[test]
fn what_is_to_it_is_acknowledged_after_192_us_and_nothing_else() {
    for (control, to, flip, acknowledged) in [
        (0x61, SHORT, 0, true),
        (0x61, 0xFFFF, 0, false),
        (0x61, 0x00A2, 0, false),
        (0x41, SHORT, 0, false),
        (0x61, SHORT, 1, false),
        (0x62, SHORT, 0, false),
    ] {
        let mut station = station();
        let end = come(&mut station, 1, us(1_000), &data(control, 9, to), flip);
        station.run_until(us(5_000));
        let expected = if acknowledged {
            vec![(end + TURNAROUND, vec![0x02, 0x00, 9])]
        } else {
            vec![]
        };
        assert_eq!(
            said(&mut station),
            expected,
            "{control:02x} {to:04x} {flip}"
        );
        assert_eq!(station.take_heard().len(), 1);
    }
}

fn send(station: &mut Station, mpdu: &[u8], at: u64, csma: bool, times: u8) -> u64 {
    let sending = Sending {
        mpdu,
        at: us(at),
        csma,
        times,
    };
    station.send(&sending).expect("it can be sent")
}

#[test]
fn without_csma_it_sends_at_the_microsecond() {
    let mut station = station();
    let mpdu = data(0x41, 1, 0x00A1);
    let number = send(&mut station, &mpdu, 1_000, false, 4);
    station.run_until(us(900));
    assert!(station.on_air(), "long enough before its first energy");
    station.run_until(us(5_000));
    assert_eq!(said(&mut station), [(us(1_000), mpdu)]);
    let sent = SentFrame {
        number,
        at: us(1_000 + 32 * 18),
        times: 1,
        outcome: Outcome::Sent,
    };
    assert_eq!(station.take_sent(), [sent]);
}

#[test]
fn it_sends_again_until_an_acknowledgement_with_its_number_comes() {
    let mut alone = station();
    let mpdu = data(0x61, 5, 0x00A1);
    send(&mut alone, &mpdu, 0, true, 3);
    alone.run_until(us(100_000));
    let frames = said(&mut alone);
    assert_eq!(frames.len(), 3);
    let sent = alone.take_sent();
    assert_eq!((sent[0].times, sent[0].outcome), (3, Outcome::NoAck));
    for pair in frames.windows(2) {
        let pause = pair[1].0.0 - pair[0].0.0 - us(32 * 18 + 864 + 128 + 192).0;
        assert_eq!(pause % us(320).0, 0);
        assert!(pause / us(320).0 < 8, "macMinBe is 3");
    }
    for (sequence, times, outcome) in [(5, 1, Outcome::Acknowledged), (6, 3, Outcome::NoAck)] {
        let mut station = station();
        send(&mut station, &mpdu, 0, true, 3);
        let end = frames[0].0 + us(32 * 18);
        come(&mut station, 1, end + TURNAROUND, &[2, 0, sequence], 0);
        station.run_until(us(100_000));
        let sent = station.take_sent();
        assert_eq!((sent[0].times, sent[0].outcome), (times, outcome));
    }
}

/// When a station's second frame begins behind the end of its first, or of the acknowledgement that
/// came: without its own assessment and turnaround.
fn pause(first: &[u8], csma: bool, acknowledged: bool) -> u64 {
    let mut station = station();
    let second = data(0x41, 7, 0x00A1);
    send(&mut station, first, 1_000, csma, 1);
    send(&mut station, &second, 1_000, true, 1);
    let mut end = Ps::ZERO;
    while end == Ps::ZERO {
        let due = station.next_event().expect("it is to send");
        station.run_until(due);
        let begun = said_at(&mut station);
        end = begun.map_or(end, |at| at + us(32 * (8 + first.len() as u64)));
    }
    if acknowledged {
        end = come(&mut station, 1, end + TURNAROUND, &[2, 0, first[2]], 0);
    }
    station.run_until(us(100_000));
    let begun = said_at(&mut station).expect("the second one");
    assert_eq!(station.take_sent().len(), 2);
    (begun.0 - end.0 - us(128 + 192).0) / us(1).0
}

/// When the next frame begins that was given to the air, if one was.
fn said_at(station: &mut Station) -> Option<Ps> {
    said(station).first().map(|(at, _)| *at)
}

#[test]
fn it_leaves_a_space_behind_a_frame_or_its_acknowledgement() {
    let of = |control: u8, octets: usize| {
        let mut mpdu = data(control, 5, 0x00A1);
        mpdu.resize(octets, 0x55);
        mpdu
    };
    let mut drawn = None;
    for (mpdu, acknowledged, space) in [
        (of(0x41, 16), false, 192),
        (of(0x41, 17), false, 640),
        (of(0x61, 16), true, 192),
        (of(0x61, 17), true, 640),
        (of(0x61, 125), true, 640),
        (of(0x61, 125), false, 864),
    ] {
        let units = pause(&mpdu, true, acknowledged) - space;
        assert_eq!(units % 320, 0, "{} octets, {acknowledged}", mpdu.len());
        assert!(units / 320 < 8, "macMinBe is 3");
        assert_eq!(
            units,
            *drawn.get_or_insert(units),
            "the same seed, the same back-off"
        );
    }
    let units = pause(&of(0x41, 125), false, false);
    assert_eq!(units % 320, 0, "a frame at a time of its own has none");
}

#[test]
fn a_busy_channel_is_left_alone() {
    let mut station = station();
    let carrier = crate::air::Signal::Start {
        channel: 26,
        rssi_dbm: -60,
        decodable: false,
    };
    let (at, tx) = (us(500), TxId(1));
    station.hear(AirIn {
        at,
        tx,
        signal: carrier,
    });
    station.run_until(us(1_000));
    send(&mut station, &data(0x61, 5, 0x00A1), 1_000, true, 4);
    send(&mut station, &data(0x41, 6, 0x00A1), 1_000, true, 4);
    station.run_until(us(1_000_000));
    let sent = station.take_sent();
    let outcomes: Vec<_> = sent.iter().map(|one| (one.times, one.outcome)).collect();
    assert_eq!(outcomes, [(0, Outcome::Busy), (0, Outcome::Busy)]);
    assert!(said(&mut station).is_empty());
}

#[test]
fn an_acknowledgement_goes_before_a_frame_of_its_own() {
    let mut station = station();
    let end = come(&mut station, 1, us(1_000), &data(0x61, 9, SHORT), 0);
    let own = data(0x41, 1, 0x00A1);
    let at = end.0 / 1_000_000 + 250;
    send(&mut station, &own, at, false, 1);
    station.run_until(us(10_000));
    let frames = said(&mut station);
    assert_eq!(frames[0], (end + TURNAROUND, vec![2, 0, 9]));
    let after = end + TURNAROUND + us(32 * 11);
    assert_eq!(frames[1], (after + TURNAROUND, own));
}

#[test]
fn a_frame_that_is_cut_short_is_not_right() {
    let mut station = station();
    come(&mut station, 1, us(1_000), &data(0x61, 9, SHORT), 0);
    let signal = crate::air::Signal::End;
    let (at, tx) = (us(1_260), TxId(1));
    station.hear(AirIn { at, tx, signal });
    station.run_until(us(5_000));
    let heard = station.take_heard();
    assert_eq!((heard.len(), heard[0].right), (1, false));
    assert_eq!(heard[0].psdu, [0x61, 0x88]);
    assert_eq!((heard[0].end, heard[0].rssi_dbm), (us(1_260), -60));
    assert!(said(&mut station).is_empty());
}

#[test]
fn what_cannot_be_sent_is_named() {
    let mut station = station();
    station.run_until(us(1_000));
    let long = vec![0x41; 126];
    for (mpdu, at, csma, times, word) in [
        (&long[..2], 2_000, true, 1, "2 octets"),
        (&long, 2_000, true, 1, "126 octets"),
        (&long[..3], 999, true, 1, "earliest"),
        (&long[..3], 1_191, false, 1, "earliest"),
        (&long[..3], 2_000, true, 0, "0 times"),
    ] {
        let sending = Sending {
            mpdu,
            at: us(at),
            csma,
            times,
        };
        let refused = station.send(&sending).expect_err("it cannot be sent");
        assert!(refused.contains(word), "{refused}");
    }
    let config = StationConfig {
        channel: 27,
        ..station.config
    };
    assert!(Station::new(config).is_err());
}
