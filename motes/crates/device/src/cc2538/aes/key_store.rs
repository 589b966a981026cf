//! Key store: eight areas of 128 bits that are written by DMA and can not be read back. A key of
//! 192 or 256 bits takes two areas.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};

const AREAS: usize = 8;
const AREA_OCTETS: usize = 16;

/// A key as the AES core holds it.
#[derive(Clone)]
pub(super) enum Cipher {
    /// 128 bits.
    Aes128(Box<Aes128>),
    /// 192 bits.
    Aes192(Box<Aes192>),
    /// 256 bits.
    Aes256(Box<Aes256>),
}

/// What `$operation` of the AES crate makes of a block.
macro_rules! transformed {
    ($cipher:expr, $block:expr, $operation:ident) => {{
        let mut buffer = (*$block).into();
        match $cipher {
            Cipher::Aes128(aes) => aes.$operation(&mut buffer),
            Cipher::Aes192(aes) => aes.$operation(&mut buffer),
            Cipher::Aes256(aes) => aes.$operation(&mut buffer),
        }
        buffer.into()
    }};
}

impl Cipher {
    pub(super) fn encrypt(&self, block: &[u8; 16]) -> [u8; 16] {
        transformed!(self, block, encrypt_block)
    }

    pub(super) fn decrypt(&self, block: &[u8; 16]) -> [u8; 16] {
        transformed!(self, block, decrypt_block)
    }

    /// KEY_SIZE of AES_CTRL.
    pub(super) fn size(&self) -> u32 {
        match self {
            Cipher::Aes128(_) => 1,
            Cipher::Aes192(_) => 2,
            Cipher::Aes256(_) => 3,
        }
    }
}

/// The memory and its registers.
#[derive(Clone)]
pub(super) struct KeyStore {
    areas: [[u8; AREA_OCTETS]; AREAS],
    /// KEY_STORE_WRITTEN_AREA.
    pub(super) written: u8,
    /// KEY_STORE_WRITE_AREA.
    pub(super) selected: u8,
    /// KEY_STORE_SIZE: 1, 2, 3 for 128, 192, 256 bits.
    size: u32,
}

impl KeyStore {
    pub(super) fn new() -> KeyStore {
        KeyStore {
            areas: [[0; AREA_OCTETS]; AREAS],
            written: 0,
            selected: 0,
            size: 1,
        }
    }

    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// KEY_STORE_SIZE: writing it clears all keys.
    pub(super) fn set_size(&mut self, size: u32) {
        *self = KeyStore::new();
        self.size = size & 3;
    }

    /// Stores the octets that DMA brought in the selected areas. False: wrong length, no area
    /// selected, or an area that already holds a key.
    pub(super) fn load(&mut self, octets: &[u8]) -> bool {
        let selected = std::mem::take(&mut self.selected);
        let wanted = selected.count_ones() as usize * AREA_OCTETS;
        if wanted == 0 || octets.len() != wanted || selected & self.written != 0 {
            return false;
        }
        let places = (0..AREAS).filter(|area| selected >> area & 1 != 0);
        for (area, key) in places.zip(octets.chunks(AREA_OCTETS)) {
            self.areas[area].copy_from_slice(key);
        }
        self.written |= selected;
        true
    }

    /// The key that starts in `area`; `None`: there is none.
    pub(super) fn key(&self, area: usize) -> Option<Cipher> {
        let there = |area: usize| area < AREAS && self.written >> area & 1 != 0;
        if !there(area) || self.size > 1 && !there(area + 1) {
            return None;
        }
        let mut long = [0; 32];
        long[..16].copy_from_slice(&self.areas[area]);
        if self.size > 1 {
            long[16..].copy_from_slice(&self.areas[area + 1]);
        }
        match self.size {
            1 => Aes128::new_from_slice(&long[..16])
                .ok()
                .map(|aes| Cipher::Aes128(Box::new(aes))),
            2 => Aes192::new_from_slice(&long[..24])
                .ok()
                .map(|aes| Cipher::Aes192(Box::new(aes))),
            3 => Aes256::new_from_slice(&long)
                .ok()
                .map(|aes| Cipher::Aes256(Box::new(aes))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_written_once_and_completely() {
        let mut store = KeyStore::new();
        assert!(!store.load(&[0; 16]), "no area selected");
        store.selected = 0b0000_0110;
        assert!(!store.load(&[0; 16]), "half of it");
        store.selected = 0b0000_0110;
        let keys: Vec<u8> = (0..32).collect();
        assert!(store.load(&keys) && store.written == 0b110 && store.selected == 0);
        store.selected = 0b10;
        assert!(!store.load(&keys[..16]), "occupied");
        store.written &= !0b10;
        store.selected = 0b10;
        assert!(store.load(&keys[..16]));
        assert!(store.key(0).is_none() && store.key(1).is_some() && store.key(8).is_none());
        store.set_size(3);
        assert!(store.written == 0 && store.key(1).is_none());
    }

    #[test]
    fn all_key_sizes_encrypt_as_fips_197_says() {
        let plain: [u8; 16] = std::array::from_fn(|index| 0x11 * index as u8);
        let expected = [
            (1, 16, [0x69, 0xC4, 0xE0, 0xD8]),
            (2, 32, [0xDD, 0xA9, 0x7C, 0xA4]),
            (3, 32, [0x8E, 0xA2, 0xB7, 0xCA]),
        ];
        for (size, octets, start) in expected {
            let mut store = KeyStore::new();
            store.set_size(size);
            let key: Vec<u8> = (0..octets).collect();
            store.selected = if size == 1 { 1 } else { 3 };
            assert!(store.load(&key));
            let cipher = store.key(0).expect("a key");
            let block = cipher.encrypt(&plain);
            assert_eq!((&block[..4], cipher.size()), (&start[..], size));
            assert_eq!(cipher.decrypt(&block), plain);
        }
    }
}
