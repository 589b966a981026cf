//! R0 to R31.

use std::ops::{Index, IndexMut};

/// R0 to R31, by their numbers.
///
/// The lower registers of all pairs lie before the upper ones. Programs write a pointer octet by
/// octet and then use it; were the octets neighbours, the host's compiler would read both at once,
/// and the host would wait until they have left its store buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u8; COUNT]);

const COUNT: usize = 32;
const PAIRS: usize = COUNT / 2;

/// Where register `number` lies.
#[inline(always)]
pub(crate) const fn place(number: u8) -> u8 {
    number >> 1 & 0xf | number << 4 & 0x10
}

impl Registers {
    /// In order of their numbers.
    pub fn to_array(self) -> [u8; COUNT] {
        std::array::from_fn(|number| self[number])
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: u8) -> u8 {
        self.0[usize::from(place) % COUNT]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, place: u8, value: u8) {
        self.0[usize::from(place) % COUNT] = value;
    }

    /// The pair of which the lower register lies at `place`.
    #[inline(always)]
    pub(crate) fn pair(&self, place: u8) -> u16 {
        let low = usize::from(place) % PAIRS;
        u16::from_le_bytes([self.0[low], self.0[low + PAIRS]])
    }

    #[inline(always)]
    pub(crate) fn set_pair(&mut self, place: u8, value: u16) {
        let low = usize::from(place) % PAIRS;
        [self.0[low], self.0[low + PAIRS]] = value.to_le_bytes();
    }
}

impl From<[u8; COUNT]> for Registers {
    fn from(values: [u8; COUNT]) -> Registers {
        let mut registers = Registers::default();
        for (number, value) in values.into_iter().enumerate() {
            registers[number] = value;
        }
        registers
    }
}

impl Index<usize> for Registers {
    type Output = u8;

    /// Panics past R31.
    #[inline(always)]
    fn index(&self, number: usize) -> &u8 {
        assert!(number < COUNT);
        &self.0[usize::from(place(number as u8))]
    }
}

impl IndexMut<usize> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, number: usize) -> &mut u8 {
        assert!(number < COUNT);
        &mut self.0[usize::from(place(number as u8))]
    }
}
