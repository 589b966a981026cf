//! The blocks this model does not have: the supply voltage supervisor.

use crate::absent::{Range, switch};

/// Byte registers.
pub(super) static BYTES: [Range; 1] =
    [switch(0x55, 0xF0, "the supply voltage supervisor (SVSCTL)")];

/// Word registers, by their even addresses: none is missing.
pub(super) static WORDS: [Range; 0] = [];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::absent::{Absent, Refusal};

    #[test]
    fn switching_off_is_accepted_and_switching_on_is_named() {
        let mut bytes = Absent::new(&BYTES);
        let Err(Refusal::NotModelled(name)) = bytes.write(0x55, 0x10) else {
            panic!("the supervisor is not modelled");
        };
        assert!(name.starts_with("the supply"));
        assert_eq!((bytes.write(0x55, 7), bytes.read(0x55)), (Ok(()), Ok(7)));
    }

    #[test]
    fn holes_are_unmapped() {
        assert_eq!(Absent::new(&WORDS).read(0x1AA), Err(Refusal::Unmapped));
        assert_eq!(Absent::new(&BYTES).write(0x5C, 0), Err(Refusal::Unmapped));
    }
}
