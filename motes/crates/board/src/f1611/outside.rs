//! What is connected to the F1611: the radio, and the pins whose edges are recorded. Other parts on
//! its SPI are not modelled: they answer 0xFF.

use crate::board::{BoardError, Edge};
use crate::description::{Description, Pin};
use crate::serial::Character;
use crate::wiring::WiredRadio;
use device::Ps;
use device::f1611::{External, F1611};

/// Everything outside the F1611.
pub(super) struct Outside {
    pub(super) wired: WiredRadio,
    pub(super) edges: Vec<Edge>,
    /// What the USARTs have sent as UARTs.
    pub(super) sent: Vec<Character>,
    /// CPU cycles at the instruction that may move a pin.
    pub(super) cycle: u64,
    marks: Vec<Pin>,
}

impl Outside {
    /// The parts of a board, at power-on.
    pub(super) fn new(board: &Description) -> Result<Outside, BoardError> {
        Ok(Outside {
            wired: WiredRadio::new(board)?,
            edges: Vec::new(),
            sent: Vec::new(),
            cycle: 0,
            marks: board.marks()?,
        })
    }

    /// Tells the chip which outputs of the radio have changed.
    pub(super) fn propagate(&mut self, now: Ps, chip: &mut F1611) {
        let drive = |pin: Pin, level| chip.set_input(now, pin.port, pin.bit, level);
        self.wired.propagate(drive);
    }
}

impl External for Outside {
    fn pin_output(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        let pin = Pin { port, bit };
        if !self.wired.drive(now, pin, level) && self.marks.contains(&pin) {
            self.edges.push(Edge {
                port,
                bit,
                level,
                cycle: self.cycle,
                at: now,
            });
        }
    }

    fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        self.wired.spi_byte(now, usart, mosi)
    }

    fn uart_byte(&mut self, now: Ps, usart: u8, byte: u8) {
        self.sent.push(Character {
            at: now,
            line: usart,
            octet: byte,
        });
    }
}
