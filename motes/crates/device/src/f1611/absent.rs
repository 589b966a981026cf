//! The blocks this model does not have: supply supervisor, I2C.

use crate::absent::{Range, block, switch};

/// Byte registers.
pub(super) static BYTES: [Range; 2] = [
    block(0x50..=0x54, 0xFF, "I2C mode of USART0"),
    switch(0x55, 0xF0, "the supply voltage supervisor (SVSCTL)"),
];

/// Word registers, by their even addresses.
pub(super) static WORDS: [Range; 1] = [block(0x118..=0x11C, 0xFFFF, "I2C mode of USART0")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::absent::{Absent, Refusal};

    #[test]
    fn switching_off_is_accepted_and_switching_on_is_named() {
        let (mut bytes, mut words) = (Absent::new(&BYTES), Absent::new(&WORDS));
        assert_eq!(words.write(0x118, 0), Ok(()));
        let Err(Refusal::NotModelled(name)) = words.write(0x118, 0x0002) else {
            panic!("I2C mode is not modelled");
        };
        assert!(name.starts_with("I2C"));
        assert!(bytes.write(0x55, 0x10).is_err());
        assert_eq!((bytes.write(0x55, 7), bytes.read(0x55)), (Ok(()), Ok(7)));
    }

    #[test]
    fn holes_are_unmapped() {
        assert_eq!(Absent::new(&WORDS).read(0x1AA), Err(Refusal::Unmapped));
        assert_eq!(Absent::new(&BYTES).write(0x5C, 0), Err(Refusal::Unmapped));
    }
}
