//! The radio of a board around an ATmega128: a CC1000, a CC2420, or none, as the board's data file
//! wires it.

use crate::board::BoardError;
use crate::description::{Description, Pin};
use crate::wiring::{NO_ANSWER, WiredRadio, misuse_text};
use device::air::{AirIn, AirOut, Medium};
use device::atmega128::{Atmega128, Slave};
use device::cc1000::{Cc1000, Cc1000Config, DataLine, FSK_433, Misuse};
use device::parameter::Configured;
use device::{OQPSK_2450, Ps};

/// The SPI that the CC2420 is on: the chip has one.
const SPI: u8 = 0;
/// The table of a CC1000 in a board's data file: `[wiring.cc1000]`.
const CC1000: &str = "cc1000";
const CC2420: &str = "cc2420";

/// A CC1000 and its wires.
#[derive(Clone)]
pub(super) struct WiredCc1000 {
    radio: Cc1000,
    pale: Pin,
    pclk: Pin,
    pdata: Pin,
    /// PDATA as the radio drove it last.
    answer: Option<bool>,
    /// The input of the ADC that RSSI is on.
    rssi: u8,
}

/// The radio of a board.
#[derive(Clone)]
pub(super) enum Radio {
    None,
    Cc1000(Box<WiredCc1000>),
    Cc2420(Box<WiredRadio>),
}

/// The chip's SPI, which no clock moves while the chip sleeps deeper than idle.
struct Line<'a> {
    chip: &'a mut Atmega128,
    works: bool,
}

impl DataLine for Line<'_> {
    fn slave(&self) -> Option<Slave> {
        self.chip.slave().filter(|_| self.works)
    }

    fn clock(&mut self, incoming: bool) {
        if self.works {
            self.chip.clock_slave(incoming);
        }
    }
}

impl WiredCc1000 {
    fn new(board: &Description, ppb: i64, noise_seed: u64) -> Result<WiredCc1000, BoardError> {
        let config = Cc1000Config::from_toml(&board.text).map_err(|error| board.wrong(error))?;
        Ok(WiredCc1000 {
            radio: Cc1000::new(Cc1000Config {
                ppb,
                noise_seed,
                ..config
            }),
            pale: board.wire(CC1000, "pale")?,
            pclk: board.wire(CC1000, "pclk")?,
            pdata: board.wire(CC1000, "pdata")?,
            answer: None,
            rssi: board.wired_unit(CC1000, "rssi")?,
        })
    }

    fn drive(&mut self, now: Ps, pin: Pin, level: bool) -> bool {
        match pin {
            _ if pin == self.pale => self.radio.set_pale(level),
            _ if pin == self.pclk => self.radio.set_pclk(now, level),
            _ if pin == self.pdata => self.radio.set_pdata(level),
            _ => return false,
        }
        true
    }

    fn propagate(&mut self, chip: &mut Atmega128) {
        let answer = self.radio.pdata();
        if answer != self.answer {
            self.answer = answer;
            chip.set_pin(self.pdata.port, self.pdata.bit, answer.unwrap_or(true));
        }
    }
}

fn cc1000_text(misuse: Misuse) -> &'static str {
    match misuse {
        Misuse::OtherRate => {
            "CC1000: octets are exchanged at 19.2 kbit/s with Manchester's code alone"
        }
    }
}

impl Radio {
    /// The radio that the board's data file wires, at power-on. `ppb` is its crystal's deviation.
    pub(super) fn new(board: &Description, ppb: i64, noise_seed: u64) -> Result<Radio, BoardError> {
        if board.wires(CC1000) {
            let wired = WiredCc1000::new(board, ppb, noise_seed)?;
            return Ok(Radio::Cc1000(Box::new(wired)));
        }
        if board.wires(CC2420) {
            return Ok(Radio::Cc2420(Box::new(WiredRadio::new(board)?)));
        }
        Ok(Radio::None)
    }

    /// Its name in the data file, and its state there.
    pub(super) fn state(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Radio::None => None,
            Radio::Cc1000(wired) => Some((CC1000, wired.radio.state())),
            Radio::Cc2420(wired) => Some((CC2420, wired.radio.state().name())),
        }
    }

    /// What it sends in and hears.
    pub(super) fn medium(&self) -> Option<&'static Medium> {
        match self {
            Radio::None => None,
            Radio::Cc1000(_) => Some(&FSK_433),
            Radio::Cc2420(_) => Some(&OQPSK_2450),
        }
    }

    /// When it does something next that concerns the chip. `works`: the chip's I/O has a clock.
    pub(super) fn deadline(&self, chip: &Atmega128, works: bool) -> Option<Ps> {
        match self {
            Radio::None => None,
            Radio::Cc1000(wired) => wired.radio.deadline(chip.slave().filter(|_| works)),
            Radio::Cc2420(wired) => wired.radio.deadline(),
        }
    }

    /// Before this moment [`Radio::advance`] has nothing to do; `None`: not until somebody else acts.
    pub(super) fn next_step(&self) -> Option<Ps> {
        match self {
            Radio::None => None,
            Radio::Cc1000(wired) => wired.radio.next_step(),
            Radio::Cc2420(_) => Some(Ps::ZERO),
        }
    }

    /// Lets everything happen that is due until `now`, and brings its outputs to the chip.
    pub(super) fn advance(&mut self, now: Ps, chip: &mut Atmega128, works: bool) {
        match self {
            Radio::None => {}
            Radio::Cc1000(wired) => wired.radio.advance(now, &mut Line { chip, works }),
            Radio::Cc2420(wired) => wired.radio.advance(now),
        }
        self.propagate(chip);
    }

    /// Brings its outputs to the chip.
    pub(super) fn propagate(&mut self, chip: &mut Atmega128) {
        match self {
            Radio::None => {}
            Radio::Cc1000(wired) => wired.propagate(chip),
            Radio::Cc2420(wired) => {
                wired.propagate(|pin, level| chip.set_pin(pin.port, pin.bit, level));
            }
        }
    }

    /// The chip drives a pin. False: no wire of the radio.
    pub(super) fn drive(&mut self, now: Ps, pin: Pin, level: bool) -> bool {
        match self {
            Radio::None => false,
            Radio::Cc1000(wired) => wired.drive(now, pin, level),
            Radio::Cc2420(wired) => wired.drive(now, pin, level),
        }
    }

    /// It takes what the chip sends as master of its SPI. A CC1000 never does: it is the master.
    pub(super) fn listens(&self) -> bool {
        matches!(self, Radio::Cc2420(wired) if wired.listens(SPI))
    }

    /// The chip exchanges an octet as master of its SPI.
    pub(super) fn spi_byte(&mut self, now: Ps, mosi: u8) -> u8 {
        match self {
            Radio::Cc2420(wired) => wired.spi_byte(now, SPI, mosi),
            Radio::None | Radio::Cc1000(_) => NO_ANSWER,
        }
    }

    /// The voltage at an input of the ADC; `None`: it is not on that one.
    pub(super) fn microvolts(&self, now: Ps, input: u8) -> Option<u32> {
        match self {
            Radio::Cc1000(wired) if wired.rssi == input => Some(wired.radio.rssi_microvolts(now)),
            _ => None,
        }
    }

    /// A transmission is announced or under way.
    pub(super) fn on_air(&self) -> bool {
        match self {
            Radio::None => false,
            Radio::Cc1000(wired) => wired.radio.on_air(),
            Radio::Cc2420(wired) => wired.radio.on_air(),
        }
    }

    /// Moves what it sent since the last call to the end of `out`.
    pub(super) fn take_air(&mut self, out: &mut Vec<AirOut>) {
        match self {
            Radio::None => {}
            Radio::Cc1000(wired) => wired.radio.take_air(out),
            Radio::Cc2420(wired) => wired.radio.take_air(out),
        }
    }

    /// Power fails.
    pub(super) fn fail(&mut self, now: Ps) {
        match self {
            Radio::None => {}
            Radio::Cc1000(wired) => wired.radio.power_cycle(now),
            Radio::Cc2420(wired) => wired.radio.set_vreg_en(now, false),
        }
    }

    /// Queues what its antenna will hear.
    pub(super) fn hear(&mut self, event: AirIn) {
        match self {
            Radio::None => {}
            Radio::Cc1000(wired) => wired.radio.hear(event),
            Radio::Cc2420(wired) => wired.radio.hear(event),
        }
    }

    /// Uses since the last call that its data sheet forbids.
    pub(super) fn take_misuse(&mut self) -> Vec<(Ps, &'static str)> {
        match self {
            Radio::None => Vec::new(),
            Radio::Cc1000(wired) => {
                let list = wired.radio.take_misuse().into_iter();
                list.map(|(at, misuse)| (at, cc1000_text(misuse))).collect()
            }
            Radio::Cc2420(wired) => {
                let list = wired.radio.take_misuse().into_iter();
                list.map(|(at, misuse)| (at, misuse_text(misuse))).collect()
            }
        }
    }
}
