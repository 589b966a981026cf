//! What differs between the two chips: where the registers are, and some of them.
//!
//! Registers are known here by the data addresses of the ATmega128. Registers of the ATmega1281
//! that the ATmega128 lacks or has in another form get numbers above every address: see the
//! constants.

/// Which chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// ATmega128 (2467).
    Atmega128,
    /// ATmega1281 (2549).
    Atmega1281,
}

/// TIFRn and TIMSKn of the ATmega1281.
pub const FLAGS: u16 = 0x1200;
pub const ENABLES: u16 = 0x1210;
/// SMCR, GTCCR, WDTCSR, EECR, and the first of GPIOR0 to GPIOR2.
pub const SLEEP: u16 = 0x1220;
pub const PRESCALERS: u16 = 0x1221;
pub const WATCHDOG: u16 = 0x1222;
pub const EEPROM: u16 = 0x1223;
pub const GENERAL: u16 = 0x1224;
/// TCCRnA, TCCRnB, OCRnB of Timer0, and four further on those of Timer2.
pub const NARROW: u16 = 0x1230;
/// Registers of a 16-bit timer: sixteen for each.
pub const WIDE: u16 = 0x1300;
/// MCUCR of the ATmega1281.
pub const CONTROL: u16 = 0x1227;
/// Blocks that only the ATmega1281 has and the model has not.
pub const ABSENT: u16 = 0x1400;

/// First and last data address of the ATmega1281, and where the first one leads.
const MAP: [(u16, u16, u16); 50] = [
    (0x20, 0x20, 0x39), // port A
    (0x21, 0x22, 0x3A),
    (0x23, 0x25, 0x36), // port B
    (0x26, 0x28, 0x33), // port C
    (0x29, 0x2B, 0x30), // port D
    (0x2C, 0x2E, 0x21), // port E
    (0x2F, 0x2F, 0x20), // port F
    (0x30, 0x31, 0x61),
    (0x32, 0x34, 0x63), // port G
    (0x35, 0x3A, FLAGS),
    (0x3B, 0x3B, ABSENT), // PCIFR
    (0x3C, 0x3D, 0x58),   // EIFR, EIMSK
    (0x3E, 0x3E, GENERAL),
    (0x3F, 0x3F, EEPROM),
    (0x40, 0x42, 0x3D), // EEDR, EEAR
    (0x43, 0x43, PRESCALERS),
    (0x44, 0x45, NARROW),
    (0x46, 0x46, 0x52), // TCNT0
    (0x47, 0x47, 0x51), // OCR0A
    (0x48, 0x48, NARROW + 2),
    (0x4A, 0x4B, GENERAL + 1),
    (0x4C, 0x4E, 0x2D), // SPI
    (0x50, 0x50, 0x28), // ACSR
    (0x51, 0x51, 0x42), // OCDR
    (0x53, 0x53, SLEEP),
    (0x54, 0x54, 0x54),
    (0x55, 0x55, CONTROL),
    (0x57, 0x57, 0x68), // SPMCSR
    (0x60, 0x60, WATCHDOG),
    (0x61, 0x61, ABSENT + 10), // CLKPR
    (0x64, 0x65, ABSENT + 11), // PRR0, PRR1
    (0x66, 0x66, 0x6F),        // OSCCAL
    (0x68, 0x68, ABSENT + 1),  // PCICR
    (0x69, 0x69, 0x6A),        // EICRA
    (0x6A, 0x6A, 0x5A),        // EICRB
    (0x6B, 0x6D, ABSENT + 2),  // PCMSK0 to PCMSK2
    (0x6E, 0x73, ENABLES),
    (0x74, 0x75, ABSENT + 13), // XMCRA, XMCRB
    (0x78, 0x79, 0x24),        // ADC
    (0x7A, 0x7A, 0x26),        // ADCSRA
    (0x7C, 0x7C, 0x27),        // ADMUX
    (0x80, 0x8D, WIDE + 0x10),
    (0x90, 0x9D, WIDE + 0x30),
    (0xA0, 0xAD, WIDE + 0x40),
    (0xB0, 0xB1, NARROW + 4),
    (0xB2, 0xB2, 0x44), // TCNT2
    (0xB3, 0xB3, 0x43), // OCR2A
    (0xB4, 0xB4, NARROW + 6),
    (0xB6, 0xB6, ABSENT + 15), // ASSR
    (0x120, 0x12D, WIDE + 0x50),
];
/// The USARTs, whose registers are in another order: UCSRnA, B, C, nothing, UBRRnL, UBRRnH, UDRn.
const USARTS: [(u16, [u16; 7]); 2] = [
    (0xC0, [0x2B, 0x2A, 0x95, 0, 0x29, 0x90, 0x2C]),
    (0xC8, [0x9B, 0x9A, 0x9D, 0, 0x99, 0x98, 0x9C]),
];
/// The two-wire interface: TWBR to TWCR.
const TWI: std::ops::RangeInclusive<u16> = 0xB8..=0xBC;

impl Chip {
    /// The number by which the model knows the register at data address `addr`; `None`: there is
    /// none.
    pub fn register(self, addr: u16) -> Option<u16> {
        if self == Chip::Atmega128 {
            return (addr < 0x100).then_some(addr);
        }
        if let Some((first, _, to)) = MAP
            .iter()
            .find(|(first, last, _)| (*first..=*last).contains(&addr))
        {
            return Some(to + (addr - first));
        }
        if TWI.contains(&addr) {
            return Some(addr - TWI.start() + 0x70);
        }
        let usart = USARTS
            .iter()
            .find(|(first, _)| (*first..first + 7).contains(&addr));
        usart
            .map(|(first, order)| order[usize::from(addr - first)])
            .filter(|to| *to != 0)
    }

    /// First data address that is no register.
    pub const fn registers_end(self) -> u16 {
        match self {
            Chip::Atmega128 => 0x100,
            Chip::Atmega1281 => 0x200,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_addresses_of_a_chip_lead_to_one_register() {
        for chip in [Chip::Atmega128, Chip::Atmega1281] {
            let mut all: Vec<u16> = (0x20..0x200)
                .filter_map(|addr| chip.register(addr))
                .collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn the_map_is_in_order() {
        assert!(MAP.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
