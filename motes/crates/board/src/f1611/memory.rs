//! The MSP430F1611's address space: which addresses hold what, and the octets of RAM and flash.
//! Every boundary lies on a 256-octet page.

use crate::load::{ERASED, Loadable};
use device::random::split_mix;

/// What an address holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Nothing.
    Unmapped,
    /// Peripheral registers, 0x0000–0x01FF.
    Peripherals,
    /// RAM, 0x1100–0x38FF.
    Ram,
    /// The first 2 KiB of RAM once more, 0x0200–0x09FF.
    RamMirror,
    /// Information flash, 0x1000–0x10FF.
    Information,
    /// Main flash, 0x4000–0xFFFF.
    Flash,
}

/// First address of RAM.
pub const RAM_START: u16 = 0x1100;
/// First address after RAM.
pub const RAM_END: u16 = 0x3900;
/// First address of main flash.
pub const FLASH_START: u16 = 0x4000;
/// Distance from the mirror of RAM to RAM.
const MIRROR: u16 = RAM_START - 0x0200;
/// The map, for messages.
const MAP: &str = "information flash 0x1000-0x10FF, RAM 0x1100-0x38FF, flash 0x4000-0xFFFF";

const REGION: [Region; 256] = {
    let mut table = [Region::Unmapped; 256];
    let mut page = 0;
    while page < 256 {
        table[page] = match page {
            0x00..=0x01 => Region::Peripherals,
            0x02..=0x09 => Region::RamMirror,
            0x10 => Region::Information,
            0x11..=0x38 => Region::Ram,
            0x40..=0xFF => Region::Flash,
            _ => Region::Unmapped,
        };
        page += 1;
    }
    table
};

/// What `address` holds. Flash and RAM, which nearly all accesses meet, are asked for first: the
/// host guesses two comparisons better than a jump by the table.
#[inline(always)]
pub fn region(address: u16) -> Region {
    if address >= FLASH_START {
        Region::Flash
    } else if (RAM_START..RAM_END).contains(&address) {
        Region::Ram
    } else {
        REGION[usize::from(address >> 8)]
    }
}

/// RAM and flash.
#[derive(Clone)]
pub struct Memory {
    octets: Box<[u8; 0x1_0000]>,
}

impl Memory {
    /// Flash is erased. `seed` determines the arbitrary contents of RAM; nothing may rely on them.
    pub fn new(seed: u64) -> Memory {
        let mut octets = Box::new([ERASED; 0x1_0000]);
        let mut state = seed;
        for cell in &mut octets[usize::from(RAM_START)..usize::from(RAM_END)] {
            *cell = split_mix(&mut state) as u8;
        }
        Memory { octets }
    }

    /// RAM without power: it is arbitrary again.
    pub fn forget(&mut self) {
        let mut state = u64::from(self.octets[usize::from(RAM_START)]);
        for cell in &mut self.octets[usize::from(RAM_START)..usize::from(RAM_END)] {
            *cell = split_mix(&mut state) as u8;
        }
    }

    /// Copies octets out; `None` if a part of them lies where no memory is.
    pub fn read(&self, address: u16, length: usize) -> Option<Vec<u8>> {
        let octets = (address..=u16::MAX)
            .take(length)
            .map(|at| self.octets[usize::from(real(at))]);
        holds(address, length).then(|| octets.collect())
    }

    /// One octet of RAM or flash by its address (not through the mirror).
    #[inline(always)]
    pub fn get8(&self, address: u16) -> u8 {
        self.octets[usize::from(address)]
    }

    /// One word; `address` is even. That its bit 0 is cleared once more lets the host read both
    /// octets at once.
    #[inline(always)]
    pub fn get16(&self, address: u16) -> u16 {
        let at = usize::from(address & !1);
        u16::from_le_bytes([self.octets[at], self.octets[at + 1]])
    }

    /// Stores one octet.
    #[inline(always)]
    pub fn set8(&mut self, address: u16, value: u8) {
        self.octets[usize::from(address)] = value;
    }

    /// Stores one word; `address` is even.
    #[inline(always)]
    pub fn set16(&mut self, address: u16, value: u16) {
        let at = usize::from(address & !1);
        self.octets[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
}

impl Loadable for Memory {
    fn map(&self) -> &'static str {
        MAP
    }

    fn holds(&self, address: u32, length: usize) -> bool {
        u16::try_from(address).is_ok_and(|address| holds(address, length))
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        let Some(start) = u16::try_from(address)
            .ok()
            .filter(|at| holds(*at, octets.len()))
        else {
            return false;
        };
        for (at, octet) in (start..=u16::MAX).zip(octets) {
            self.octets[usize::from(real(at))] = *octet;
        }
        true
    }
}

/// The RAM cell behind a mirrored address.
#[inline(always)]
pub fn real(address: u16) -> u16 {
    if region(address) == Region::RamMirror {
        address + MIRROR
    } else {
        address
    }
}

/// Is there RAM or flash at every one of these addresses?
fn holds(address: u16, length: usize) -> bool {
    let end = usize::from(address) + length;
    end <= 0x1_0000
        && (usize::from(address)..end)
            .step_by(0x100)
            .chain(end.checked_sub(1).filter(|_| length > 0))
            .all(|at| {
                u16::try_from(at)
                    .is_ok_and(|at| !matches!(region(at), Region::Unmapped | Region::Peripherals))
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_shows_the_first_two_kibioctets_of_ram() {
        let mut memory = Memory::new(1);
        assert!(memory.write(0x0200, &[0x12, 0x34]));
        assert_eq!(memory.read(0x1100, 2), Some(vec![0x12, 0x34]));
        assert!(memory.write(0x18FF, &[0x56]));
        assert_eq!(memory.read(0x09FF, 1), Some(vec![0x56]));
    }

    #[test]
    fn what_is_no_memory_is_refused_whole() {
        let mut memory = Memory::new(1);
        let before = memory.read(0x38FE, 2);
        assert!(!memory.write(0x38FE, &[1, 2, 3]));
        assert_eq!(memory.read(0x38FE, 2), before);
        assert_eq!(memory.read(0x0A00, 1), None);
        assert_eq!(memory.read(0x01FF, 2), None);
        assert_eq!(memory.read(0xFFFF, 2), None);
        assert_eq!(memory.read(0xFFFE, 2), Some(vec![ERASED; 2]));
    }

    #[test]
    fn ram_begins_arbitrary_but_follows_from_the_seed() {
        let ram = |seed| Memory::new(seed).read(RAM_START, 0x2800);
        assert_eq!(ram(7), ram(7));
        assert_ne!(ram(7), ram(8));
    }
}
