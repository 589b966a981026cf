//! Where a CC2420 is connected to a microcontroller, and what passes over those wires.

use crate::board::BoardError;
use crate::description::{Description, Pin};
use device::Ps;
use device::cc2420::{Cc2420, Cc2420Config, Cc2420Pins, Misuse};
use device::parameter::Configured;

/// The radio's table in a board's data file: `[wiring.cc2420]`.
const PART: &str = "cc2420";
/// What a master reads when no part drives MISO.
pub(crate) const NO_ANSWER: u8 = 0xFF;

/// A driver that sends so many octets over SPI without a selected part waits for one that is not
/// there.
const MANY_UNHEARD: u32 = 256;
const NO_PART: &str = "256 octets over SPI, and no part is selected: it reads 0xFF for ever";

/// Octets over SPI that no part has answered, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unheard {
    octets: u32,
    told: bool,
}

impl Unheard {
    /// One more octet; what is to be noted, once, if a driver waits for a part that is not there.
    pub(crate) fn count(&mut self, heard: bool) -> Option<&'static str> {
        self.octets = if heard {
            0
        } else {
            self.octets.saturating_add(1)
        };
        let many = self.octets == MANY_UNHEARD && !self.told;
        self.told |= many;
        many.then_some(NO_PART)
    }
}

/// A CC2420 and its wires.
#[derive(Clone)]
pub(crate) struct WiredRadio {
    pub(crate) radio: Cc2420,
    /// The microcontroller has driven a wire, so the radio's outputs may have changed.
    pub(crate) touched: bool,
    /// CSn is low.
    selected: bool,
    /// The radio's outputs as the microcontroller knows them.
    outputs: Cc2420Pins,
    /// The microcontroller's SPI unit that the radio is on.
    usart: u8,
    csn: Pin,
    vreg_en: Pin,
    resetn: Pin,
    sfd: Pin,
    fifo: Pin,
    fifop: Pin,
    cca: Pin,
}

impl WiredRadio {
    /// A radio without power, wired and parametrised as the board's data file says.
    pub(crate) fn new(board: &Description) -> Result<WiredRadio, BoardError> {
        let config = Cc2420Config::from_toml(&board.text).map_err(|error| board.wrong(error))?;
        let pin = |name| board.wire(PART, name);
        Ok(WiredRadio {
            radio: Cc2420::new(config),
            touched: true,
            selected: false,
            // All high: so the first look after power-on drives every wire.
            outputs: Cc2420Pins {
                fifo: true,
                fifop: true,
                cca: true,
                sfd: true,
            },
            usart: board.wired_unit(PART, "usart")?,
            csn: pin("csn")?,
            vreg_en: pin("vreg_en")?,
            resetn: pin("resetn")?,
            sfd: pin("sfd")?,
            fifo: pin("fifo")?,
            fifop: pin("fifop")?,
            cca: pin("cca")?,
        })
    }

    /// Calls `drive` for every output of the radio that has changed since the last call.
    pub(crate) fn propagate(&mut self, mut drive: impl FnMut(Pin, bool)) {
        self.touched = false;
        let (old, new) = (self.outputs, self.radio.pins());
        if old == new {
            return;
        }
        self.outputs = new;
        // SFD first: its edges are captured by a timer.
        let wires = [
            (self.sfd, old.sfd, new.sfd),
            (self.fifo, old.fifo, new.fifo),
            (self.fifop, old.fifop, new.fifop),
            (self.cca, old.cca, new.cca),
        ];
        for (pin, before, level) in wires {
            if before != level {
                drive(pin, level);
            }
        }
    }

    /// The microcontroller drives `pin` to `level`. False: no wire of the radio.
    pub(crate) fn drive(&mut self, now: Ps, pin: Pin, level: bool) -> bool {
        match pin {
            _ if pin == self.csn => {
                self.selected = !level;
                self.radio.set_csn(now, level);
            }
            _ if pin == self.vreg_en => self.radio.set_vreg_en(now, level),
            _ if pin == self.resetn => self.radio.set_resetn(now, level),
            _ => return false,
        }
        self.touched = true;
        true
    }

    /// The radio takes what comes over this SPI unit.
    pub(crate) fn listens(&self, usart: u8) -> bool {
        usart == self.usart && self.selected
    }

    /// The microcontroller sends `mosi` over its SPI unit `usart`. Returns the octet that it reads.
    pub(crate) fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        if !self.listens(usart) {
            return NO_ANSWER;
        }
        self.touched = true;
        self.radio.spi_byte(now, mosi)
    }
}

/// What a misuse of the radio is, for people.
pub(crate) fn misuse_text(misuse: Misuse) -> &'static str {
    match misuse {
        Misuse::NoSupply => {
            "CC2420: SPI access before the voltage regulator is up, or in reset, is not answered"
        }
        Misuse::NoOscillator => {
            "CC2420: a strobe, RAM or FIFO access needs the crystal oscillator, which is not stable"
        }
        Misuse::EngineBusy => {
            "CC2420: SAES, STXENC or SRXDEC while the security engine is busy is ignored"
        }
        Misuse::FifoFull => "CC2420: an octet was written to a full FIFO and is lost",
        Misuse::StrobeIgnored => "CC2420: STXON or SRXON in a state that ignores it",
        Misuse::ReservedMicLength => "CC2420: SEC_M = 0 is reserved in a security mode with MIC",
        Misuse::TestMode => "CC2420: a test mode was selected, which is not modelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_that_no_part_answers_are_noted_once() {
        let mut unheard = Unheard::default();
        let mut noted = |octets: usize, heard| {
            let counted = (0..octets).filter_map(|_| unheard.count(heard));
            counted.collect::<Vec<_>>()
        };
        assert!(noted(255, false).is_empty());
        assert!(noted(1, true).is_empty(), "a part answers");
        assert!(noted(255, false).is_empty());
        assert_eq!(noted(1, false), [NO_PART]);
        assert!(noted(1, true).is_empty());
        assert!(noted(1_000, false).is_empty(), "it is told once");
    }
}
