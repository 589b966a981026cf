//! The blocks this model does not have: ADC12, DAC12, DMA, comparator, supply supervisor, I2C.
//! Their registers read as after a reset and keep what is written, but a write that switches a
//! block on is refused by name.

use super::AccessError;

/// Registers from `first` to `last`; a write with a bit of `enables` set switches `name` on.
struct Range {
    first: u16,
    last: u16,
    enables: u16,
    name: &'static str,
}

const fn range(first: u16, last: u16, enables: u16, name: &'static str) -> Range {
    Range {
        first,
        last,
        enables,
        name,
    }
}

const BYTES: [Range; 5] = [
    range(0x50, 0x54, 0xFF, "I2C mode of USART0"),
    range(0x55, 0x55, 0xF0, "the supply voltage supervisor (SVSCTL)"),
    range(0x59, 0x5A, 0x08, "Comparator_A (CAON)"),
    range(0x5B, 0x5B, 0xFF, "Comparator_A's port disable (CAPD)"),
    range(0x80, 0x8F, 0x00, "ADC12"),
];

const WORDS: [Range; 11] = [
    range(0x118, 0x11C, 0xFFFF, "I2C mode of USART0"),
    range(0x122, 0x124, 0x0000, "DMA"),
    range(0x140, 0x15E, 0x0000, "ADC12"),
    range(0x1A0, 0x1A0, 0x0033, "ADC12 (ADC12ON, REFON, ENC, ADC12SC)"),
    range(0x1A2, 0x1A8, 0x0000, "ADC12"),
    range(0x1C0, 0x1C2, 0x00E2, "DAC12 (DAC12AMPx, DAC12ENC)"),
    range(0x1C8, 0x1CA, 0x0000, "DAC12"),
    range(0x1E0, 0x1E0, 0x0010, "DMA channel 0 (DMAEN)"),
    range(0x1E8, 0x1E8, 0x0010, "DMA channel 1 (DMAEN)"),
    range(0x1F0, 0x1F0, 0x0010, "DMA channel 2 (DMAEN)"),
    range(0x1E2, 0x1F6, 0x0000, "DMA"),
];

/// The registers' values.
#[derive(Clone, Debug)]
pub struct Absent {
    bytes: [u8; 0x40],
    words: [u16; 0x70],
}

impl Absent {
    /// All zero, as after a reset.
    pub fn new() -> Absent {
        Absent {
            bytes: [0; 0x40],
            words: [0; 0x70],
        }
    }

    /// Reads a byte register.
    pub fn read8(&self, addr: u16) -> Result<u8, AccessError> {
        find(&BYTES, addr)?;
        Ok(self.bytes[byte_index(addr)])
    }

    /// Writes a byte register.
    pub fn write8(&mut self, addr: u16, value: u8) -> Result<(), AccessError> {
        accepts(find(&BYTES, addr)?, u16::from(value))?;
        self.bytes[byte_index(addr)] = value;
        Ok(())
    }

    /// Reads a word register.
    pub fn read16(&self, addr: u16) -> Result<u16, AccessError> {
        find(&WORDS, addr)?;
        Ok(self.words[word_index(addr)])
    }

    /// Writes a word register.
    pub fn write16(&mut self, addr: u16, value: u16) -> Result<(), AccessError> {
        accepts(find(&WORDS, addr)?, value)?;
        self.words[word_index(addr)] = value;
        Ok(())
    }
}

impl Default for Absent {
    fn default() -> Absent {
        Absent::new()
    }
}

fn find(ranges: &'static [Range], addr: u16) -> Result<&'static Range, AccessError> {
    ranges
        .iter()
        .find(|range| (range.first..=range.last).contains(&addr))
        .ok_or(AccessError::Unmapped(addr))
}

fn accepts(range: &Range, value: u16) -> Result<(), AccessError> {
    if value & range.enables != 0 {
        Err(AccessError::NotModelled { name: range.name })
    } else {
        Ok(())
    }
}

fn byte_index(addr: u16) -> usize {
    usize::from(addr - 0x50)
}

fn word_index(addr: u16) -> usize {
    usize::from(addr - 0x118) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switching_off_is_accepted_and_switching_on_is_named() {
        let mut blocks = Absent::new();
        for addr in [0x1A0, 0x1C0, 0x1E0, 0x1E8, 0x1F0, 0x122] {
            assert_eq!(blocks.write16(addr, 0), Ok(()));
        }
        let error = blocks.write16(0x1A0, 0x0010).expect_err("ADC12ON");
        assert!(error.to_string().starts_with("ADC12"));
        assert!(blocks.write16(0x1E8, 0x0010).is_err() && blocks.write8(0x59, 0x08).is_err());
        assert_eq!(blocks.write16(0x1F6, 5), Ok(()));
        assert_eq!(blocks.read16(0x1F6), Ok(5));
        assert_eq!(blocks.write8(0x80, 7), Ok(()));
        assert_eq!(blocks.read8(0x80), Ok(7));
    }

    #[test]
    fn holes_are_unmapped() {
        let mut blocks = Absent::new();
        assert_eq!(blocks.read16(0x1AA), Err(AccessError::Unmapped(0x1AA)));
        assert_eq!(blocks.write8(0x5C, 0), Err(AccessError::Unmapped(0x5C)));
    }
}
