//! CC2420 radios that meet in the medium.

mod common;

use air::{Air, AirConfig, Link};
use common::Radio;
use device::Ps;
use device::air::{AirIn, AirOut};
use device::cc2420::{Cc2420, Cc2420Config};

const SPI: Ps = Ps::from_micros(2);

impl Radio for Cc2420 {
    fn on_air(&self) -> bool {
        self.on_air()
    }

    fn advance(&mut self, now: Ps) {
        self.advance(now);
    }

    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.take_air(out);
    }

    fn hear(&mut self, event: AirIn) {
        self.hear(event);
    }
}

type Radios = common::Motes<Cc2420>;

impl Radios {
    fn new(count: usize, config: AirConfig) -> Radios {
        let radio = |_| {
            let mut radio = Cc2420::new(Cc2420Config::default());
            radio.set_vreg_en(Ps::ZERO, true);
            radio
        };
        let mut all = Radios::meet((0..count).map(radio).collect(), Air::new(1, config));
        all.run(600);
        for index in 0..count {
            all.spi(index, &[0x01]);
        }
        all.run(1_000);
        for index in 0..count {
            // No address recognition; FIFOP at the end of frames only; no RXFIFO protection.
            all.spi(
                index,
                &[0x11, 0x02, 0xE2, 0x1C, 0x00, 0x7F, 0x19, 0x01, 0xC4],
            );
            all.spi(index, &[0x03]);
        }
        all.run(1_000);
        all
    }

    fn spi(&mut self, index: usize, octets: &[u8]) -> Vec<u8> {
        let radio = &mut self.radios[index];
        let mut at = self.now;
        radio.set_csn(at, false);
        let answer = octets.iter().map(|&octet| {
            at += Ps(SPI.0 / 100);
            radio.spi_byte(at, octet)
        });
        let answer = answer.collect();
        radio.set_csn(at, true);
        self.now = at;
        answer
    }

    fn load(&mut self, index: usize, psdu: &[u8]) {
        let access = [&[0x3E, psdu.len() as u8 + 2], psdu].concat();
        self.spi(index, &access);
    }

    fn received(&mut self, index: usize) -> Vec<u8> {
        let mut frame = Vec::new();
        while self.radios[index].pins().fifo {
            frame.push(self.spi(index, &[0x7F, 0])[1]);
        }
        frame
    }
}

#[test]
fn a_frame_reaches_everybody_who_listens() {
    let mut all = Radios::new(3, AirConfig::default());
    all.load(1, &[1, 2, 3, 4]);
    all.spi(1, &[0x04]);
    all.run(3_000);
    for index in [0, 2] {
        assert!(all.radios[index].pins().fifop);
        assert_eq!(
            all.received(index),
            [6, 1, 2, 3, 4, (-60i8 + 45) as u8, 0x80 | 108]
        );
    }
    assert!(all.received(1).is_empty());
    let frames = all.air.take_frames();
    assert_eq!(
        (frames.len(), frames[0].from, frames[0].octets.len()),
        (1, 1, 6)
    );
}

/// Radios 0 and 1 send frames that overlap; what radio 2 receives.
fn both_speak(all: &mut Radios) -> Vec<u8> {
    all.load(0, &[1; 30]);
    all.load(1, &[2; 30]);
    all.spi(0, &[0x04]);
    all.run(300);
    all.spi(1, &[0x04]);
    all.run(5_000);
    all.received(2)
}

#[test]
fn two_that_speak_at_once_are_not_understood() {
    let mut all = Radios::new(3, AirConfig::default());
    let frame = both_speak(&mut all);
    assert_eq!(frame.last().map(|octet| octet & 0x80), Some(0), "FCS wrong");
}

#[test]
fn the_nearer_one_wins() {
    let mut all = Radios::new(3, AirConfig::default());
    all.air.set_link(
        0,
        2,
        Link {
            distance_m: 2.0,
            ..Link::default()
        },
    );
    let frame = both_speak(&mut all);
    assert_eq!((frame[0], frame[30], frame[32] & 0x80), (32, 1, 0x80));
}

#[test]
fn cca_hears_the_others() {
    let mut all = Radios::new(2, AirConfig::default());
    all.load(0, &[1; 30]);
    all.load(1, &[2; 30]);
    assert!(all.radios[1].pins().cca);
    all.spi(0, &[0x04]);
    all.run(700);
    assert!(!all.radios[1].pins().cca);
    all.spi(1, &[0x05]);
    assert!(!all.radios[1].on_air());
    all.run(3_000);
    assert!(all.radios[1].pins().cca);
    all.spi(1, &[0x05]);
    assert!(all.radios[1].on_air());
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let run = || {
        let mut all = Radios::new(
            3,
            AirConfig {
                link: Link {
                    loss: 0.5,
                    ..Link::default()
                },
                ..AirConfig::default()
            },
        );
        let mut trace = Vec::new();
        for round in 0..20u8 {
            all.load(usize::from(round % 3), &[round; 10]);
            all.spi(usize::from(round % 3), &[0x04]);
            all.run(2_000);
            for index in 0..3 {
                trace.push(all.received(index));
            }
        }
        trace
    };
    let trace = run();
    assert!(
        trace.iter().any(|frame| frame.is_empty()) && trace.iter().any(|frame| frame.len() == 13)
    );
    assert_eq!(trace, run());
}
