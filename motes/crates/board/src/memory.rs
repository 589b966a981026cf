//! The MSP430F1611's address space: which addresses hold what, and the octets of RAM and flash.
//! Every boundary lies on a 256-octet page, so one table look-up decides an access.

use crate::elf::{Elf, ElfError};

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

/// First address after the peripheral registers.
pub const PERIPHERALS_END: u16 = 0x0200;
/// First address of RAM.
pub const RAM_START: u16 = 0x1100;
/// First address after RAM.
pub const RAM_END: u16 = 0x3900;
/// First address of main flash.
pub const FLASH_START: u16 = 0x4000;
/// Distance from the mirror of RAM to RAM.
const MIRROR: u16 = RAM_START - 0x0200;
/// What a programmed cell is erased to.
pub const ERASED: u8 = 0xFF;
/// The map, for messages.
pub const MAP: &str = "information flash 0x1000-0x10FF, RAM 0x1100-0x38FF, flash 0x4000-0xFFFF";

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

/// What `address` holds.
#[inline(always)]
pub fn region(address: u16) -> Region {
    REGION[usize::from(address >> 8)]
}

/// RAM and flash.
#[derive(Clone)]
pub struct Memory {
    octets: Box<[u8; 0x1_0000]>,
}

impl Memory {
    /// Flash erased, RAM with arbitrary contents that follow from `seed`: nothing may rely on it.
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

    /// Writes an executable's segments at their physical addresses, as a programmer does.
    pub fn program(&mut self, elf: &Elf, board: &str) -> Result<(), ElfError> {
        for segment in &elf.segments {
            let size = segment.data.len() as u32;
            if size == 0 {
                continue;
            }
            let outside = || ElfError::OutsideMemory {
                address: segment.physical,
                size,
                board: board.into(),
                map: MAP.into(),
            };
            let start = u16::try_from(segment.physical).map_err(|_| outside())?;
            if !self.write(start, &segment.data) {
                return Err(outside());
            }
        }
        Ok(())
    }

    /// Brings RAM into the state start-up code leaves it in: initialised data copied, the rest of
    /// each segment zero.
    pub fn start_up(&mut self, elf: &Elf, board: &str) -> Result<(), ElfError> {
        for segment in elf.segments.iter().filter(|s| s.memory_size > 0) {
            let (address, size) = (segment.address, segment.memory_size);
            let outside = || ElfError::OutsideMemory {
                address,
                size,
                board: board.into(),
                map: MAP.into(),
            };
            let mut contents = segment.data.clone();
            contents.resize(size as usize, 0);
            if !self.write(u16::try_from(address).map_err(|_| outside())?, &contents) {
                return Err(outside());
            }
        }
        Ok(())
    }

    /// Copies octets in, whatever kind of memory they meet; false if a part of them meets none.
    #[must_use]
    pub fn write(&mut self, address: u16, octets: &[u8]) -> bool {
        if !holds(address, octets.len()) {
            return false;
        }
        for (at, octet) in (address..=u16::MAX).zip(octets) {
            self.octets[usize::from(real(at))] = *octet;
        }
        true
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

    /// One word; `address` is even.
    #[inline(always)]
    pub fn get16(&self, address: u16) -> u16 {
        u16::from_le_bytes([
            self.octets[usize::from(address)],
            self.octets[usize::from(address | 1)],
        ])
    }

    /// Stores one octet.
    #[inline(always)]
    pub fn set8(&mut self, address: u16, value: u8) {
        self.octets[usize::from(address)] = value;
    }

    /// Stores one word; `address` is even.
    #[inline(always)]
    pub fn set16(&mut self, address: u16, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.octets[usize::from(address)] = low;
        self.octets[usize::from(address | 1)] = high;
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

/// SplitMix64: one step of a small generator, good enough to fill memory and to draw phases.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
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
