//! The blocks this model does not have: DAC12, comparator, supply supervisor, I2C.

use crate::absent::{Range, block, switch, values};

/// Byte registers.
pub(super) static BYTES: [Range; 4] = [
    block(0x50..=0x54, 0xFF, "I2C mode of USART0"),
    switch(0x55, 0xF0, "the supply voltage supervisor (SVSCTL)"),
    block(0x59..=0x5A, 0x08, "Comparator_A (CAON)"),
    switch(0x5B, 0xFF, "Comparator_A's port disable (CAPD)"),
];

/// Word registers, by their even addresses.
pub(super) static WORDS: [Range; 3] = [
    block(0x118..=0x11C, 0xFFFF, "I2C mode of USART0"),
    block(0x1C0..=0x1C2, 0x00E2, "DAC12 (DAC12AMPx, DAC12ENC)"),
    values(0x1C8..=0x1CA, "DAC12"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::absent::{Absent, Refusal};

    #[test]
    fn switching_off_is_accepted_and_switching_on_is_named() {
        let (mut bytes, mut words) = (Absent::new(&BYTES), Absent::new(&WORDS));
        assert_eq!(words.write(0x1C0, 0), Ok(()));
        let Err(Refusal::NotModelled(name)) = words.write(0x1C0, 0x0002) else {
            panic!("DAC12ENC is not modelled");
        };
        assert!(name.starts_with("DAC12"));
        assert!(bytes.write(0x59, 0x08).is_err());
        assert_eq!((words.write(0x1C8, 5), words.read(0x1C8)), (Ok(()), Ok(5)));
        assert_eq!((bytes.write(0x55, 7), bytes.read(0x55)), (Ok(()), Ok(7)));
    }

    #[test]
    fn holes_are_unmapped() {
        assert_eq!(Absent::new(&WORDS).read(0x1AA), Err(Refusal::Unmapped));
        assert_eq!(Absent::new(&BYTES).write(0x5C, 0), Err(Refusal::Unmapped));
    }
}
