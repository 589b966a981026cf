//! The blocks this model does not have.

use super::AccessError;
use super::chip::ABSENT;
use crate::absent::{Range, Refusal, range};

/// First of the registers that only the ATmega1281 has.
const FIRST: u32 = ABSENT as u32;

/// Registers by their addresses in this model, see `chip`.
pub(super) static RANGES: [Range; 21] = [
    range(0x24, 0x25, 0x00, "ADC"),
    range(0x26, 0x26, 0xC0, "the ADC (ADEN, ADSC)"),
    range(0x27, 0x27, 0x00, "ADMUX"),
    range(0x28, 0x28, 0x08, "the analog comparator's interrupt (ACIE)"),
    range(0x42, 0x42, 0xFF, "the on-chip debug register (OCDR)"),
    range(
        0x50,
        0x50,
        0x08,
        "Timer/Counter0 from its watch crystal (AS0)",
    ),
    range(0x5C, 0x5C, 0x80, "the clock divider (XDIVEN)"),
    range(0x68, 0x68, 0xFF, "self-programming (SPMCSR)"),
    range(0x6C, 0x6C, 0x80, "the external memory's bus keeper (XMBK)"),
    range(0x6D, 0x6D, 0x00, "XMCRA"),
    range(0x70, 0x73, 0x00, "TWI"),
    range(0x74, 0x74, 0x04, "the two-wire interface (TWEN)"),
    range(0x7A, 0x7A, 0xE0, "the force of an output compare (FOC1)"),
    range(FIRST, FIRST, 0x00, "PCIFR"),
    range(FIRST + 1, FIRST + 1, 0x07, "a pin change interrupt (PCIE)"),
    range(FIRST + 2, FIRST + 4, 0x00, "PCMSK"),
    range(
        FIRST + 9,
        FIRST + 9,
        0x03,
        "the boot loader's vectors (IVSEL)",
    ),
    range(FIRST + 10, FIRST + 10, 0x0F, "the clock divider (CLKPS)"),
    range(FIRST + 11, FIRST + 12, 0xFF, "power reduction (PRR)"),
    range(FIRST + 13, FIRST + 14, 0x80, "external memory (SRE, XMBK)"),
    range(
        FIRST + 15,
        FIRST + 15,
        0x60,
        "Timer/Counter2 from a watch crystal (AS2, EXCLK)",
    ),
];

/// The error of a refused access to `addr`.
pub(super) fn refused(addr: u16, refusal: Refusal) -> AccessError {
    match refusal {
        Refusal::Unmapped => AccessError::Unmapped(addr),
        Refusal::NotModelled(name) => AccessError::NotModelled(name),
    }
}
