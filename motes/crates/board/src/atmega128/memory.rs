//! Program memory and SRAM of the ATmega128 and the ATmega1281 (Atmel 2467 and 2549, section "AVR
//! Memories").
//!
//! The chip has two address spaces that both begin at 0. ELF files tell them apart by an offset:
//! program memory begins at 0, in octets, and data space at [`DATA_OFFSET`]. This module uses the
//! addresses of ELF files, unless it says otherwise.

use crate::load::{ERASED, Loadable};
use cpu_avr::Operation;
use device::random::split_mix;
use std::sync::Arc;

/// Offset of the data space in ELF files.
pub const DATA_OFFSET: u32 = 0x80_0000;
/// Offset of the EEPROM in ELF files.
pub const EEPROM_OFFSET: u32 = 0x81_0000;
/// Octets of program memory.
pub const FLASH_SIZE: u32 = 0x2_0000;

/// Which of the two chips. For this module they differ in the address and size of SRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// ATmega128: 4 KiB.
    Atmega128,
    /// ATmega1281: 8 KiB.
    Atmega1281,
}

impl Chip {
    /// Its name, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Chip::Atmega128 => "the ATmega128",
            Chip::Atmega1281 => "the ATmega1281",
        }
    }

    /// The chip as a device: its registers.
    pub const fn registers(self) -> device::atmega128::Chip {
        match self {
            Chip::Atmega128 => device::atmega128::Chip::Atmega128,
            Chip::Atmega1281 => device::atmega128::Chip::Atmega1281,
        }
    }

    /// First data address of SRAM.
    pub const fn ram_start(self) -> u16 {
        match self {
            Chip::Atmega128 => 0x0100,
            Chip::Atmega1281 => 0x0200,
        }
    }

    /// First data address after SRAM.
    pub const fn ram_end(self) -> u16 {
        match self {
            Chip::Atmega128 => 0x1100,
            Chip::Atmega1281 => 0x2200,
        }
    }

    /// The map, for messages.
    const fn map(self) -> &'static str {
        match self {
            Chip::Atmega128 => "flash 0x000000-0x01FFFF, RAM 0x800100-0x8010FF",
            Chip::Atmega1281 => "flash 0x000000-0x01FFFF, RAM 0x800200-0x8021FF",
        }
    }
}

/// Cells of the RAM array: a power of two that holds either chip's, so that a masked address needs
/// no check.
const CELLS: usize = 0x4000;

/// Flash and SRAM.
#[derive(Clone)]
pub struct Memory {
    chip: Chip,
    flash: Box<[u16; WORDS]>,
    /// What the CPU makes of each word of flash.
    operations: Arc<[Operation; WORDS]>,
    ram: Box<[u8; CELLS]>,
    /// Where SRAM begins in the data space, and how large it is.
    ram_start: u16,
    ram_octets: u16,
}

/// Words of program memory.
const WORDS: usize = FLASH_SIZE as usize / 2;

impl Memory {
    /// Flash is erased. `seed` determines the arbitrary contents of SRAM; nothing may rely on them.
    pub fn new(chip: Chip, seed: u64) -> Memory {
        let erased = u16::from_le_bytes([ERASED; 2]);
        let mut memory = Memory {
            chip,
            flash: Box::new([erased; WORDS]),
            operations: Arc::new([Operation::decode(erased, erased); WORDS]),
            ram: Box::new([0; CELLS]),
            ram_start: chip.ram_start(),
            ram_octets: chip.ram_end() - chip.ram_start(),
        };
        memory.forget(seed);
        memory
    }

    /// SRAM has lost its contents: it holds anything, by `seed`.
    pub fn forget(&mut self, seed: u64) {
        let mut state = seed;
        let range = usize::from(self.chip.ram_start())..usize::from(self.chip.ram_end());
        for cell in &mut self.ram[range] {
            *cell = split_mix(&mut state) as u8;
        }
    }

    /// Which chip's memory it is.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// Copies octets out; `None` if a part of them lies where no memory is.
    pub fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        if !self.holds(address, length) {
            return None;
        }
        if address >= DATA_OFFSET {
            let at = (address - DATA_OFFSET) as usize;
            return Some(self.ram[at..at + length].to_vec());
        }
        let octet = |at: usize| self.flash[at / 2].to_le_bytes()[at % 2];
        Some(
            (address as usize..address as usize + length)
                .map(octet)
                .collect(),
        )
    }

    /// The instruction word at word address `pc`.
    #[inline(always)]
    pub fn word(&self, pc: u16) -> u16 {
        self.flash[usize::from(pc)]
    }

    /// The instruction at word address `pc`.
    #[inline(always)]
    pub fn operation(&self, pc: u16) -> Operation {
        self.operations[usize::from(pc)]
    }

    /// The instructions of `count` words of flash from word `first` on, and of the word before, have
    /// changed.
    fn decode(&mut self, first: usize, count: usize) {
        let operations = Arc::make_mut(&mut self.operations);
        for at in (first..first + count).chain([(first + WORDS - 1) % WORDS]) {
            operations[at] = Operation::decode(self.flash[at], self.flash[(at + 1) % WORDS]);
        }
    }

    /// SRAM answers at this data address (without offset).
    #[inline(always)]
    pub fn is_ram(&self, addr: u16) -> bool {
        addr.wrapping_sub(self.ram_start) < self.ram_octets
    }

    /// One octet of SRAM by its data address (without offset).
    #[inline(always)]
    pub fn get(&self, addr: u16) -> u8 {
        self.ram[usize::from(addr) % CELLS]
    }

    /// Stores one octet.
    #[inline(always)]
    pub fn set(&mut self, addr: u16, value: u8) {
        self.ram[usize::from(addr) % CELLS] = value;
    }
}

/// The program memory of a [`cpu_avr::Bus`] with a [`Memory`].
macro_rules! program_of_memory {
    () => {
        #[inline(always)]
        fn fetch(&mut self, pc: u16) -> Result<u16, cpu_avr::BusError> {
            Ok(self.memory.word(pc))
        }

        #[inline(always)]
        fn operation(&mut self, pc: u16) -> Result<cpu_avr::Operation, cpu_avr::BusError> {
            Ok(self.memory.operation(pc))
        }
    };
}
pub(crate) use program_of_memory;

impl Loadable for Memory {
    fn map(&self) -> &'static str {
        self.chip.map()
    }

    fn programmable(&self, address: u32) -> bool {
        address < DATA_OFFSET
    }

    fn initialised(&self, address: u32) -> bool {
        address >= DATA_OFFSET
    }

    fn holds(&self, address: u32, length: usize) -> bool {
        let (start, end) = (address as usize, address as usize + length);
        let data = DATA_OFFSET as usize;
        let ram =
            data + usize::from(self.chip.ram_start())..=data + usize::from(self.chip.ram_end());
        end <= FLASH_SIZE as usize || (ram.contains(&start) && ram.contains(&end))
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        if !self.holds(address, octets.len()) {
            return false;
        }
        if address >= DATA_OFFSET {
            let at = (address - DATA_OFFSET) as usize;
            self.ram[at..at + octets.len()].copy_from_slice(octets);
            return true;
        }
        for (at, octet) in (address as usize..).zip(octets) {
            let mut pair = self.flash[at / 2].to_le_bytes();
            pair[at % 2] = *octet;
            self.flash[at / 2] = u16::from_le_bytes(pair);
        }
        let (first, end) = (address as usize, address as usize + octets.len());
        self.decode(first / 2, end.div_ceil(2) - first / 2);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_address_spaces_are_apart() {
        let mut memory = Memory::new(Chip::Atmega128, 1);
        assert!(memory.write(0x0100, &[0x12, 0x34, 0x56]) && memory.write(0x80_0100, &[0x78]));
        assert_eq!(memory.read(0x0101, 2), Some(vec![0x34, 0x56]));
        assert_eq!((memory.word(0x80), memory.get(0x0100)), (0x3412, 0x78));
        assert_eq!(memory.read(0x0103, 1), Some(vec![ERASED]));
    }

    #[test]
    fn what_is_no_memory_is_refused_whole() {
        for (chip, start, end) in [
            (Chip::Atmega128, 0x80_0100, 0x80_1100),
            (Chip::Atmega1281, 0x80_0200, 0x80_2200),
        ] {
            let mut memory = Memory::new(chip, 1);
            let before = memory.read(end - 2, 2);
            assert!(!memory.write(end - 2, &[1, 2, 3]) && before.is_some());
            assert_eq!(memory.read(end - 2, 2), before);
            assert_eq!(
                (memory.read(start - 1, 1), memory.read(end, 1)),
                (None, None)
            );
            assert_eq!(memory.read(FLASH_SIZE - 1, 2), None);
            assert!(
                memory.is_ram((start & 0xFFFF) as u16) && !memory.is_ram((end & 0xFFFF) as u16)
            );
        }
    }

    #[test]
    fn what_is_written_to_flash_is_decoded_with_the_word_before_it() {
        let mut memory = Memory::new(Chip::Atmega128, 1);
        let before = memory.clone();
        // JMP 0x1234 over the end of flash, then its second word anew, from an odd octet.
        for (address, octets) in [
            (FLASH_SIZE - 2, &[0x0c, 0x94][..]),
            (0, &[0x34, 0x12]),
            (1, &[0x56]),
            (0x101, &[0x00, 0x0e, 0x94, 0x77]),
        ] {
            assert!(memory.write(address, octets));
            for pc in [0xffff_u16, 0, 1, 0x7f, 0x80, 0x81, 0x82, 0x83] {
                let second = memory.word(pc.wrapping_add(1));
                let decoded = Operation::decode(memory.word(pc), second);
                assert_eq!(memory.operation(pc), decoded, "word {pc:#x}");
            }
        }
        assert_ne!(memory.operation(0xffff), before.operation(0xffff));
    }

    #[test]
    fn ram_begins_arbitrary_but_follows_from_the_seed() {
        let ram = |seed| Memory::new(Chip::Atmega1281, seed).read(0x80_0200, 0x2000);
        assert_eq!(ram(7), ram(7));
        assert_ne!(ram(7), ram(8));
    }
}
