//! The blocks this model does not have. Their registers read as after a reset and keep what is
//! written, but a write that switches a block on is refused by name.

use super::AccessError;
use super::chip::ABSENT;

/// Registers from `first` to `last`; a write with a bit of `enables` set switches `name` on.
struct Range {
    first: u16,
    last: u16,
    enables: u8,
    name: &'static str,
}

const fn range(first: u16, last: u16, enables: u8, name: &'static str) -> Range {
    Range {
        first,
        last,
        enables,
        name,
    }
}

const RANGES: [Range; 21] = [
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
    range(ABSENT, ABSENT, 0x00, "PCIFR"),
    range(
        ABSENT + 1,
        ABSENT + 1,
        0x07,
        "a pin change interrupt (PCIE)",
    ),
    range(ABSENT + 2, ABSENT + 4, 0x00, "PCMSK"),
    range(
        ABSENT + 9,
        ABSENT + 9,
        0x03,
        "the boot loader's vectors (IVSEL)",
    ),
    range(ABSENT + 10, ABSENT + 10, 0x0F, "the clock divider (CLKPS)"),
    range(ABSENT + 11, ABSENT + 12, 0xFF, "power reduction (PRR)"),
    range(
        ABSENT + 13,
        ABSENT + 14,
        0x80,
        "external memory (SRE, XMBK)",
    ),
    range(
        ABSENT + 15,
        ABSENT + 15,
        0x60,
        "Timer/Counter2 from a watch crystal (AS2, EXCLK)",
    ),
];

/// The registers' values.
#[derive(Clone, Debug)]
pub struct Absent {
    octets: [u8; 0x100],
}

impl Absent {
    /// All zero, as after a reset.
    pub fn new() -> Absent {
        Absent { octets: [0; 0x100] }
    }

    fn range(addr: u16) -> Option<&'static Range> {
        RANGES
            .iter()
            .find(|range| (range.first..=range.last).contains(&addr))
    }

    /// Reads a register of an absent block.
    pub fn read(&self, addr: u16) -> Result<u8, AccessError> {
        Absent::range(addr)
            .map(|_| self.octets[usize::from(addr & 0xFF)])
            .ok_or(AccessError::Unmapped(addr))
    }

    /// Writes a register of an absent block.
    pub fn write(&mut self, addr: u16, value: u8) -> Result<(), AccessError> {
        let range = Absent::range(addr).ok_or(AccessError::Unmapped(addr))?;
        if value & range.enables != 0 {
            return Err(AccessError::NotModelled(range.name));
        }
        self.octets[usize::from(addr & 0xFF)] = value;
        Ok(())
    }
}
