//! Two CC2538 and a CC2420 that meet in the medium.

mod common;

use air::{Air, AirConfig, MoteIndex};
use common::Radio;
use device::Ps;
use device::air::{AirIn, AirOut};
use device::cc2420::{Cc2420, Cc2420Config};
use device::cc2538::{Cc2538, Cc2538Config, Memory};

const RF: u32 = 0x4008_8000;
const RFST: u32 = RF + 0x838;
const RFDATA: u32 = RF + 0x828;

/// A chip without memories.
struct Nothing;

impl Memory for Nothing {
    fn read(&self, _: u32, _: &mut [u8]) -> Option<()> {
        None
    }
    fn write(&mut self, _: u32, _: &[u8]) -> Option<()> {
        None
    }
    fn flash_program(&mut self, _: u32, _: u32) {}
    fn flash_erase(&mut self, _: u32, _: u32) {}
}

enum Chip {
    Cc2420(Box<Cc2420>),
    Cc2538(Box<Cc2538>),
}

impl Radio for Chip {
    fn on_air(&self) -> bool {
        match self {
            Chip::Cc2420(radio) => radio.on_air(),
            Chip::Cc2538(chip) => chip.on_air(),
        }
    }

    fn advance(&mut self, now: Ps) {
        match self {
            Chip::Cc2420(radio) => radio.advance(now),
            Chip::Cc2538(chip) => chip.advance(now, &mut Nothing),
        }
    }

    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        match self {
            Chip::Cc2420(radio) => radio.take_air(out),
            Chip::Cc2538(chip) => chip.take_air(out),
        }
    }

    fn hear(&mut self, event: AirIn) {
        match self {
            Chip::Cc2420(radio) => radio.hear(event),
            Chip::Cc2538(chip) => chip.hear(event),
        }
    }
}

struct Motes(common::Motes<Chip>);

impl Motes {
    /// Two CC2538 and, last, a CC2420; all receive without filtering.
    fn new() -> Motes {
        let chip = || Chip::Cc2538(Box::new(Cc2538::new(Cc2538Config::default())));
        let mut other = Cc2420::new(Cc2420Config::default());
        other.set_vreg_en(Ps::ZERO, true);
        let radios = vec![chip(), chip(), Chip::Cc2420(Box::new(other))];
        let air = Air::new(1, AirConfig::default());
        let mut motes = Motes(common::Motes::meet(radios, air));
        for mote in 0..2 {
            motes.write(mote, 0x400D_2000, 0);
        }
        motes.run(1_000);
        motes.spi(&[0x01]);
        for mote in 0..2 {
            motes.write(mote, 0x400D_20A8, 1);
            motes.write(mote, RF + 0x600, 0x0C);
            motes.write(mote, RFST, 0xE3);
        }
        motes.run(1_000);
        motes.spi(&[0x11, 0x02, 0xE2]);
        motes.spi(&[0x03]);
        motes.run(1_000);
        motes
    }

    fn chip(&mut self, mote: MoteIndex) -> &mut Cc2538 {
        match &mut self.0.radios[mote] {
            Chip::Cc2538(chip) => chip,
            Chip::Cc2420(_) => panic!("mote {mote} is no CC2538"),
        }
    }

    fn write(&mut self, mote: MoteIndex, addr: u32, value: u32) {
        let now = self.0.now;
        let outcome = self.chip(mote).write32(addr, value, now, &mut Nothing);
        assert_eq!(outcome, Ok(()));
    }

    fn read(&mut self, mote: MoteIndex, addr: u32) -> u32 {
        let now = self.0.now;
        self.chip(mote)
            .read32(addr, now, &mut Nothing)
            .expect("a register")
    }

    /// One access to the CC2420.
    fn spi(&mut self, octets: &[u8]) -> Vec<u8> {
        let now = self.0.now;
        let Chip::Cc2420(radio) = &mut self.0.radios[2] else {
            panic!("mote 2 is a CC2420");
        };
        radio.set_csn(now, false);
        let answer = octets
            .iter()
            .map(|&octet| radio.spi_byte(now, octet))
            .collect();
        radio.set_csn(now, true);
        answer
    }

    fn send(&mut self, mote: MoteIndex, psdu: &[u8]) {
        self.write(mote, RFDATA, psdu.len() as u32 + 2);
        for &octet in psdu {
            self.write(mote, RFDATA, octet.into());
        }
        self.write(mote, RFST, 0xE9);
    }

    fn received(&mut self, mote: MoteIndex) -> Vec<u8> {
        let count = self.read(mote, RF + 0x66C);
        (0..count).map(|_| self.read(mote, RFDATA) as u8).collect()
    }

    fn run(&mut self, micros: u64) {
        self.0.run(micros);
    }
}

#[test]
fn frames_go_both_ways_and_to_the_other_chip() {
    let mut motes = Motes::new();
    motes.send(0, &[1, 2, 3, 4]);
    motes.run(3_000);
    assert_eq!(
        motes.received(1),
        [6, 1, 2, 3, 4, (-55i8 + 73) as u8, 0x80 | 108]
    );
    let heard = motes.spi(&[0x7F, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(heard[1..], [6, 1, 2, 3, 4, (-55i8 + 45) as u8, 0x80 | 108]);
    assert!(motes.received(0).is_empty());
    motes.send(1, &[9; 125]);
    motes.run(6_000);
    let frame = motes.received(0);
    assert_eq!((frame.len(), frame[1], frame[127] & 0x80), (128, 9, 0x80));
    assert_eq!(motes.0.air.take_frames().len(), 2);
}

#[test]
fn a_cc2420_is_heard_too() {
    let mut motes = Motes::new();
    motes.spi(&[0x3E, 5, 7, 8, 9]);
    motes.spi(&[0x04]);
    motes.run(3_000);
    for mote in 0..2 {
        let frame = motes.received(mote);
        assert_eq!((&frame[..4], frame[5] & 0x80), (&[5, 7, 8, 9][..], 0x80));
    }
}

#[test]
fn two_that_speak_at_once_are_not_understood() {
    let mut motes = Motes::new();
    motes.send(0, &[1; 30]);
    motes.run(300);
    motes.send(1, &[2; 30]);
    motes.run(5_000);
    let verdict = motes.spi(&[&[0x7F][..], &[0; 33]].concat())[33];
    assert_eq!(verdict & 0x80, 0, "FCS wrong");
}
