//! What is connected to the F1611: the radio, the external flash, and the pins whose edges are
//! recorded. Where no part is selected, SPI reads 0xFF.

use super::parts::Parts;
use crate::board::{BoardError, Edge};
use crate::description::{Description, Pin};
use crate::external_flash::WiredFlash;
use crate::serial::{self, Character, MISMATCH, OTHER_FORM, Serial};
use crate::wiring::{Unheard, WiredRadio, misuse_text};
use device::Ps;
use device::f1611::{AnalogInput, External, F1611, Unconnected};

/// What happens when the program selects radio and external flash at once.
const TWO_PARTS: &str = "CC2420 and M25P80 are selected at once, and both drive the same wire";

/// Everything outside the F1611.
#[derive(Clone)]
pub(super) struct Outside {
    pub(super) wired: WiredRadio,
    pub(super) flash: Option<WiredFlash>,
    pub(super) parts: Parts,
    pub(super) edges: Vec<Edge>,
    pub(super) serial: Serial,
    /// Characters that the UARTs could not understand.
    pub(super) misuse: Vec<(Ps, &'static str)>,
    unheard: Unheard,
    /// CPU cycles at the instruction that may move a pin.
    pub(super) cycle: u64,
    /// Microvolts that the board is fed with.
    supply_uv: u32,
    pub(super) marks: Vec<Pin>,
}

impl Outside {
    /// The parts of a board, at power-on.
    pub(super) fn new(
        board: &Description,
        supply_v: f64,
        identity: u64,
    ) -> Result<Outside, BoardError> {
        Ok(Outside {
            wired: WiredRadio::new(board)?,
            flash: WiredFlash::new(board)?,
            parts: Parts::new(board, identity)?,
            edges: Vec::new(),
            serial: Serial::with_starts(),
            misuse: Vec::new(),
            unheard: Unheard::default(),
            cycle: 0,
            supply_uv: (supply_v * 1e6).round() as u32,
            marks: board.marks()?,
        })
    }

    /// What the parts have found wrong since the last call.
    pub(super) fn take_misuse(&mut self) -> Vec<(Ps, &'static str)> {
        let mut list = std::mem::take(&mut self.misuse);
        let radio = self.wired.radio.take_misuse().into_iter();
        list.extend(radio.map(|(at, misuse)| (at, misuse_text(misuse))));
        if let Some(flash) = &mut self.flash {
            list.append(&mut flash.flash.take_misuse());
        }
        list
    }

    /// Tells the chip which outputs of the radio have changed.
    pub(super) fn propagate(&mut self, now: Ps, chip: &mut F1611) {
        let drive = |pin: Pin, level| chip.set_input(now, pin.port, pin.bit, level);
        self.wired.propagate(drive);
        if self.parts.touched {
            let drive = |pin: Pin, level| chip.set_input(now, pin.port, pin.bit, level);
            self.parts.propagate(drive);
        }
    }

    /// Lets the UARTs have what their lines have brought until `now`.
    pub(super) fn follow_lines(&mut self, now: Ps, chip: &mut F1611) {
        while let Some(line) = self.serial.started(now) {
            chip.uart_start(now, line);
        }
        while let Some((character, baud)) = self.serial.due(now) {
            let Character { at, line, octet } = character;
            match chip.uart_receiver(line, character.begun(baud)) {
                None => {}
                Some(receiver) if !receiver.plain => self.misuse.push((at, OTHER_FORM)),
                Some(receiver) if !serial::understands(receiver.hz, baud) => {
                    self.misuse.push((at, MISMATCH));
                }
                Some(_) => chip.uart_input(now, line, octet),
            }
        }
    }
}

impl External for Outside {
    fn pin_output(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        let pin = Pin { port, bit };
        if self.wired.drive(now, pin, level) || self.parts.drive(now, pin, Some(level)) {
            return;
        }
        let flash = self.flash.as_mut();
        if flash.is_some_and(|flash| flash.drive(now, pin, level)) {
            self.wired.touched = true;
        } else if self.marks.contains(&pin) {
            self.edges.push(Edge {
                port,
                bit,
                level,
                cycle: self.cycle,
                at: now,
            });
        }
    }

    fn pin_released(&mut self, now: Ps, port: u8, bit: u8) {
        self.parts.drive(now, Pin { port, bit }, None);
    }

    fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        let heard = self.wired.listens(usart)
            || self
                .flash
                .as_ref()
                .is_some_and(|flash| flash.listens(usart));
        let noted = self.unheard.count(heard);
        self.misuse.extend(noted.map(|what| (now, what)));
        let radio = self.wired.spi_byte(now, usart, mosi);
        let Some(flash) = &mut self.flash else {
            return radio;
        };
        if flash.listens(usart) && self.wired.listens(usart) {
            self.misuse.push((now, TWO_PARTS));
        }
        radio & flash.spi_byte(now, usart, mosi)
    }

    fn microvolts(&mut self, now: Ps, input: AnalogInput) -> u32 {
        match input {
            AnalogInput::Supply => self.supply_uv,
            _ => Unconnected.microvolts(now, input),
        }
    }

    fn misuse(&mut self, now: Ps, what: &'static str) {
        self.misuse.push((now, what));
    }

    fn uart_byte(&mut self, now: Ps, usart: u8, byte: u8) {
        self.serial.sent.push(Character {
            at: now,
            line: usart,
            octet: byte,
        });
    }
}
