//! Interrupt vectors in order of priority (2467, table 23; 2549, table 14-1), and the sources that
//! ask for them.

use super::{Atmega128, Chip, timer};

/// What asks for an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vector {
    /// INT0 to INT7.
    External(u8),
    /// A timer by its number, and its flag.
    Timer(usize, u8),
    /// SPIF.
    Spi,
    /// A USART by its number: receive complete, data register empty, transmit complete.
    Usart(usize, usize),
    /// A conversion is complete.
    Adc,
    /// The EEPROM is ready.
    Eeprom,
    /// TWINT.
    Twi,
    /// SPM can be used.
    Spm,
    /// A block that is not modelled.
    None,
}

use Vector::{Adc, Eeprom, External, None, Spi, Spm, Timer, Twi, Usart};
use timer::{ICF, OCF, TOV};

/// Of the ATmega128, from vector 1 on; vector 0 is reset. Each vector takes two words of program
/// memory. A line has the vectors of one block.
#[rustfmt::skip]
const VECTORS: [Vector; 34] = [
    External(0), External(1), External(2), External(3),
    External(4), External(5), External(6), External(7),
    Timer(2, OCF[0]), Timer(2, TOV),
    Timer(1, ICF), Timer(1, OCF[0]), Timer(1, OCF[1]), Timer(1, TOV),
    Timer(0, OCF[0]), Timer(0, TOV),
    Spi,
    Usart(0, 0), Usart(0, 1), Usart(0, 2),
    Adc,
    Eeprom,
    None, // analog comparator
    Timer(1, OCF[2]),
    Timer(3, ICF), Timer(3, OCF[0]), Timer(3, OCF[1]), Timer(3, OCF[2]), Timer(3, TOV),
    Usart(1, 0), Usart(1, 1), Usart(1, 2),
    Twi, Spm,
];

/// Of the ATmega1281. Numbers 51 to 56 are for USARTs of larger chips of its family.
#[rustfmt::skip]
const VECTORS_1281: [Vector; 50] = [
    External(0), External(1), External(2), External(3),
    External(4), External(5), External(6), External(7),
    None, None, None, None, // pin change 0 to 2, watchdog
    Timer(2, OCF[0]), Timer(2, OCF[1]), Timer(2, TOV),
    Timer(1, ICF), Timer(1, OCF[0]), Timer(1, OCF[1]), Timer(1, OCF[2]), Timer(1, TOV),
    Timer(0, OCF[0]), Timer(0, OCF[1]), Timer(0, TOV),
    Spi,
    Usart(0, 0), Usart(0, 1), Usart(0, 2),
    None, // analog comparator
    Adc,
    Eeprom,
    Timer(3, ICF), Timer(3, OCF[0]), Timer(3, OCF[1]), Timer(3, OCF[2]), Timer(3, TOV),
    Usart(1, 0), Usart(1, 1), Usart(1, 2),
    Twi, Spm,
    Timer(4, ICF), Timer(4, OCF[0]), Timer(4, OCF[1]), Timer(4, OCF[2]), Timer(4, TOV),
    Timer(5, ICF), Timer(5, OCF[0]), Timer(5, OCF[1]), Timer(5, OCF[2]), Timer(5, TOV),
];

impl Atmega128 {
    /// Whether the interrupt of a vector is enabled and its flag set.
    fn asks(&self, vector: Vector) -> bool {
        match vector {
            External(line) => self.external.interrupts() >> line & 1 != 0,
            Timer(number, flag) => {
                self.timers[number].flags & self.timers[number].enabled & flag != 0
            }
            Spi => self.spi.interrupt(),
            Usart(number, which) => self.usarts[number].interrupts()[which],
            Adc => self.adc.interrupt(),
            Eeprom => self.eeprom.interrupt(self.last),
            Twi => self.twi.interrupt(),
            Spm => self.program.interrupt(self.last),
            None => false,
        }
    }

    /// Whether any block asks for an interrupt, in no order.
    fn asked(&self) -> bool {
        self.timers
            .iter()
            .any(|timer| timer.flags & timer.enabled != 0)
            || self.spi.interrupt()
            || self.external.interrupts() != 0
            || self.usarts.iter().any(|usart| usart.asks())
            || self.adc.interrupt()
            || self.eeprom.interrupt(self.last)
            || self.twi.interrupt()
            || self.program.interrupt(self.last)
    }

    fn vectors(&self) -> &'static [Vector] {
        match self.chip {
            Chip::Atmega128 => &VECTORS,
            Chip::Atmega1281 => &VECTORS_1281,
        }
    }

    /// The number of the pending vector with the highest priority; 0 is reset.
    pub fn interrupt(&self) -> Option<u8> {
        if !self.asked() {
            return Option::None;
        }
        let mut numbered = (1..).zip(self.vectors());
        numbered
            .find(|(_, vector)| self.asks(**vector))
            .map(|(number, _)| number)
    }

    /// The CPU takes the interrupt: its flag is cleared where hardware does that.
    pub fn acknowledge(&mut self, number: u8) {
        let vector = self
            .vectors()
            .get(usize::from(number).wrapping_sub(1))
            .copied();
        match vector.unwrap_or(None) {
            External(line) => self.external.clear(1 << line),
            Timer(timer, flag) => {
                self.change_timers();
                self.timers[timer].flags &= !flag;
            }
            Spi => self.spi.acknowledge(),
            Usart(usart, 2) => self.usarts[usart].acknowledge_sent(),
            Adc => self.adc.acknowledge(),
            Usart(..) | Eeprom | Twi | Spm | None => {}
        }
    }
}
