//! An M25P80 beside the radio on the microcontroller's SPI, and what passes over its wires.

use crate::board::BoardError;
use crate::description::{Description, Pin};
use crate::wiring::NO_ANSWER;
use device::Ps;
use device::m25p80::{M25p80, M25p80Config};
use device::parameter::Configured;

/// The flash's table in a board's data file: `[wiring.m25p80]`. It is also its name for the meter.
pub(crate) const PART: &str = "m25p80";

/// An M25P80 and its wires.
#[derive(Clone)]
pub(crate) struct WiredFlash {
    pub(crate) flash: M25p80,
    /// The program has selected it once: its charge is counted from then on.
    pub(crate) known: bool,
    /// CSn is low.
    selected: bool,
    /// HOLDn is low: it neither hears nor answers.
    held: bool,
    usart: u8,
    csn: Pin,
    hold: Pin,
}

impl WiredFlash {
    /// An erased flash, wired and parametrised as the board's data file says. `None`: the board has
    /// none.
    pub(crate) fn new(board: &Description) -> Result<Option<WiredFlash>, BoardError> {
        if !board.wires(PART) {
            return Ok(None);
        }
        let config = M25p80Config::from_toml(&board.text).map_err(|error| board.wrong(error))?;
        Ok(Some(WiredFlash {
            flash: M25p80::new(config),
            known: false,
            selected: false,
            held: false,
            usart: board.wired_unit(PART, "usart")?,
            csn: board.wire(PART, "csn")?,
            hold: board.wire(PART, "hold")?,
        }))
    }

    /// The microcontroller drives `pin` to `level`. False: no wire of the flash.
    pub(crate) fn drive(&mut self, now: Ps, pin: Pin, level: bool) -> bool {
        if pin == self.csn {
            self.selected = !level;
            self.known |= !level;
            self.flash.set_csn(now, level);
        } else if pin == self.hold {
            self.held = !level;
        } else {
            return false;
        }
        true
    }

    /// It takes what comes over this SPI unit.
    pub(crate) fn listens(&self, usart: u8) -> bool {
        usart == self.usart && self.selected && !self.held
    }

    /// The microcontroller sends `mosi` over its SPI unit `usart`. Returns the octet that it reads.
    pub(crate) fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        if self.listens(usart) {
            self.flash.spi_byte(now, mosi)
        } else {
            NO_ANSWER
        }
    }
}
