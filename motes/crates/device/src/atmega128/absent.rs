//! The blocks this model does not have.

use super::AccessError;
use super::chip::ABSENT;
use crate::absent::{Range, Refusal, block, switch, values};

/// First of the registers that only the ATmega1281 has.
const FIRST: u32 = ABSENT as u32;

/// Registers by their addresses in this model, see `chip`.
pub(super) static RANGES: [Range; 13] = [
    switch(0x28, 0x08, "the analog comparator's interrupt (ACIE)"),
    switch(0x42, 0xFF, "the on-chip debug register (OCDR)"),
    switch(0x5C, 0x80, "the clock divider (XDIVEN)"),
    switch(0x6C, 0x80, "the external memory's bus keeper (XMBK)"),
    values(0x6D..=0x6D, "XMCRA"),
    switch(0x7A, 0xE0, "the force of an output compare (FOC1)"),
    values(FIRST..=FIRST, "PCIFR"),
    switch(FIRST + 1, 0x07, "a pin change interrupt (PCIE)"),
    values(FIRST + 2..=FIRST + 4, "PCMSK"),
    switch(FIRST + 10, 0x0F, "the clock divider (CLKPS)"),
    block(FIRST + 11..=FIRST + 12, 0xFF, "power reduction (PRR)"),
    block(FIRST + 13..=FIRST + 14, 0x80, "external memory (SRE, XMBK)"),
    switch(
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
