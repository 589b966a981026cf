//! Maxim DS2411: a serial number of 64 bits behind one wire with a pull-up (data sheet, "1-Wire
//! signaling", standard speed). The master pulls the line low or releases it; the chip samples and
//! holds it low for 30 us, the middle of what the data sheet allows. Modelled: reset with presence,
//! READ ROM, SEARCH ROM, MATCH ROM and SKIP ROM.

use crate::Ps;
use crate::clock::NEVER;

/// Family code of the DS2411 and the DS2401.
const FAMILY: u8 = 0x01;
const READ_ROM: u8 = 0x33;
const SEARCH_ROM: u8 = 0xF0;

/// A low level at least as long is a reset.
const RESET: Ps = Ps::from_micros(480);
/// From a falling edge to the sample, to the end of a zero, and from a reset to the presence pulse.
const SLOT: Ps = Ps::from_micros(30);
const PRESENCE: Ps = Ps::from_micros(120);

/// What the chip does next by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Sample,
    Release,
    Presence,
}

/// What the next slots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Until a reset.
    Deaf,
    /// Bits of a command come, the lowest first.
    Command { bits: u8, count: u8 },
    /// The number goes out.
    Send { bit: u8 },
    /// A bit of the number, its complement, and the master's choice.
    Search { bit: u8, step: u8 },
}

/// One chip.
#[derive(Clone, Debug)]
pub struct Ds2411 {
    rom: [u8; 8],
    /// The master pulls the line low since then.
    low_since: Option<Ps>,
    /// The chip pulls it low.
    pulls: bool,
    phase: Phase,
    event: Option<Event>,
    due: Ps,
}

impl Ds2411 {
    /// With the 48 low bits of `serial`.
    pub fn new(serial: u64) -> Ds2411 {
        let mut rom = [0; 8];
        rom[0] = FAMILY;
        rom[1..7].copy_from_slice(&serial.to_le_bytes()[..6]);
        rom[7] = crc(&rom[..7]);
        Ds2411 {
            rom,
            low_since: None,
            pulls: false,
            phase: Phase::Deaf,
            event: None,
            due: NEVER,
        }
    }

    /// Family code, serial number with its lowest octet first, check.
    pub fn rom(&self) -> [u8; 8] {
        self.rom
    }

    /// When it does something by itself.
    pub fn deadline(&self) -> Option<Ps> {
        self.event.map(|_| self.due)
    }

    /// The chip holds the line low.
    pub fn pulls(&self) -> bool {
        self.pulls
    }

    fn plan(&mut self, event: Event, at: Ps) {
        (self.event, self.due) = (Some(event), at);
    }

    fn bit(&self, number: u8) -> bool {
        self.rom[usize::from(number / 8)] >> (number % 8) & 1 != 0
    }

    /// The master pulls the line low (`true`) or releases it.
    pub fn pull(&mut self, now: Ps, low: bool) {
        match (self.low_since, low) {
            (None, true) => {
                self.low_since = Some(now);
                self.slot(now);
            }
            (Some(since), false) => {
                self.low_since = None;
                if now.0 - since.0 >= RESET.0 {
                    let bits = Phase::Command { bits: 0, count: 0 };
                    self.phase = bits;
                    self.pulls = false;
                    self.plan(Event::Presence, now + SLOT);
                }
            }
            _ => {}
        }
    }

    /// A slot begins.
    fn slot(&mut self, now: Ps) {
        let out = match self.phase {
            Phase::Deaf => return,
            Phase::Command { .. } | Phase::Search { step: 2, .. } => {
                return self.plan(Event::Sample, now + SLOT);
            }
            Phase::Send { bit } => {
                let level = self.bit(bit);
                self.phase = match bit {
                    63 => Phase::Deaf,
                    _ => Phase::Send { bit: bit + 1 },
                };
                level
            }
            Phase::Search { bit, step } => {
                self.phase = Phase::Search {
                    bit,
                    step: step + 1,
                };
                self.bit(bit) != (step == 1)
            }
        };
        if !out {
            self.pulls = true;
            self.plan(Event::Release, now + SLOT);
        }
    }

    /// Does what is due at `now`.
    pub fn advance(&mut self, now: Ps) {
        if self.due > now {
            return;
        }
        match self.event.take() {
            None => {}
            Some(Event::Sample) => self.sample(),
            Some(Event::Release) => self.pulls = false,
            Some(Event::Presence) => {
                self.pulls = true;
                self.plan(Event::Release, now + PRESENCE);
            }
        }
    }

    fn sample(&mut self) {
        let level = self.low_since.is_none();
        self.phase = match self.phase {
            Phase::Command { bits, count } => {
                let bits = bits | u8::from(level) << count;
                match (count, bits) {
                    (0..7, _) => Phase::Command {
                        bits,
                        count: count + 1,
                    },
                    (_, READ_ROM) => Phase::Send { bit: 0 },
                    (_, SEARCH_ROM) => Phase::Search { bit: 0, step: 0 },
                    // MATCH ROM, SKIP ROM and what follows them: there is no memory to be read.
                    _ => Phase::Deaf,
                }
            }
            Phase::Search { bit, .. } if level == self.bit(bit) && bit < 63 => Phase::Search {
                bit: bit + 1,
                step: 0,
            },
            _ => Phase::Deaf,
        };
    }
}

/// The check of 1-Wire parts: x^8 + x^5 + x^4 + 1, the lowest bit first.
fn crc(octets: &[u8]) -> u8 {
    octets.iter().fold(0, |crc, octet| {
        (0..8).fold(crc ^ octet, |crc, _| {
            if crc & 1 == 0 {
                crc >> 1
            } else {
                crc >> 1 ^ 0x8C
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A master, as data sheets of 1-Wire draw it.
    struct Master {
        chip: Ds2411,
        now: Ps,
    }

    impl Master {
        fn new(serial: u64) -> Master {
            Master {
                chip: Ds2411::new(serial),
                now: Ps::ZERO,
            }
        }

        fn wait(&mut self, micros: u64) {
            self.now += Ps::from_micros(micros);
            while let Some(at) = self.chip.deadline().filter(|at| *at <= self.now) {
                self.chip.advance(at);
            }
        }

        fn pull(&mut self, low: bool) {
            self.chip.pull(self.now, low);
        }

        /// Reset; whether a chip is there.
        fn reset(&mut self) -> bool {
            self.pull(true);
            self.wait(500);
            self.pull(false);
            self.wait(70);
            let present = self.chip.pulls();
            self.wait(430);
            present && !self.chip.pulls()
        }

        fn write(&mut self, octet: u8) {
            for bit in 0..8 {
                self.write_bit(octet >> bit & 1 != 0);
            }
        }

        fn write_bit(&mut self, level: bool) {
            self.pull(true);
            self.wait(if level { 6 } else { 60 });
            self.pull(false);
            self.wait(if level { 64 } else { 10 });
        }

        fn read_bit(&mut self) -> bool {
            self.pull(true);
            self.wait(6);
            self.pull(false);
            self.wait(9);
            let level = !self.chip.pulls();
            self.wait(55);
            level
        }

        fn read(&mut self) -> u8 {
            (0..8).fold(0, |octet, bit| octet | u8::from(self.read_bit()) << bit)
        }
    }

    #[test]
    fn the_number_is_read_with_its_check() {
        let mut master = Master::new(0x0012_3456_789A_BCDE);
        assert!(master.reset());
        master.write(READ_ROM);
        let octets = [0; 8].map(|_| master.read());
        assert_eq!(octets[..7], [0x01, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34]);
        assert_eq!(crc(&octets), 0, "the check over everything is 0");
        assert_eq!(octets, master.chip.rom());
        assert_eq!(master.read(), 0xFF, "nothing follows");
    }

    #[test]
    fn the_check_is_that_of_the_application_note() {
        // Maxim, application note 27: this number has the check 0xA2.
        assert_eq!(crc(&[0x02, 0x1C, 0xB8, 0x01, 0x00, 0x00, 0x00]), 0xA2);
    }

    #[test]
    fn a_search_finds_it_bit_by_bit() {
        let mut master = Master::new(0x1234);
        assert!(master.reset());
        master.write(SEARCH_ROM);
        let mut found = [0; 8];
        for number in 0..64 {
            let (level, complement) = (master.read_bit(), master.read_bit());
            assert_ne!(level, complement, "one chip alone");
            master.write_bit(level);
            found[number / 8] |= u8::from(level) << (number % 8);
        }
        assert_eq!(found, master.chip.rom());
        assert!(master.reset());
        master.write(SEARCH_ROM);
        let level = master.read_bit();
        master.read_bit();
        master.write_bit(!level);
        assert_eq!(
            (master.read_bit(), master.read_bit()),
            (true, true),
            "not chosen"
        );
    }

    #[test]
    fn without_a_reset_it_says_nothing() {
        let mut master = Master::new(1);
        master.write(READ_ROM);
        assert_eq!(master.read(), 0xFF);
        master.pull(true);
        master.wait(400);
        master.pull(false);
        master.wait(70);
        assert!(!master.chip.pulls(), "too short");
    }
}
