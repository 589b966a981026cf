//! The CC2538's address space: which addresses hold what, and the octets of ROM, flash and RAM. The
//! core turns accesses to the bit-band aliases into accesses to the memory behind them.

use crate::load::{ERASED, Loadable};
use cpu_armv7m::{Lines, Plain};
use device::cc2538;
use device::random::split_mix;

/// First address of flash.
pub const FLASH_START: u32 = 0x0020_0000;
/// Octets of flash.
pub const FLASH_SIZE: u32 = 0x8_0000;
/// First address of RAM.
pub const RAM_START: u32 = 0x2000_0000;
/// Octets of RAM.
pub const RAM_SIZE: u32 = 0x8000;
/// First address after RAM.
pub const RAM_END: u32 = RAM_START + RAM_SIZE;
/// Octets of ROM, which begins at address 0.
pub const ROM_SIZE: u32 = 0x2_0000;
/// First address of the peripheral registers.
pub const PERIPHERALS_START: u32 = 0x4000_0000;
/// First address after the peripheral registers.
const PERIPHERALS_END: u32 = 0x6000_0000;
/// The information page of flash, which the flash controller's model holds.
const INFORMATION: std::ops::Range<u32> = 0x0028_0000..0x0028_1000;
/// The map, for messages.
const MAP: &str = "flash 0x00200000-0x0027FFFF, RAM 0x20000000-0x20007FFF";

/// What an address holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Nothing.
    Unmapped,
    /// Boot loader and the functions it offers.
    Rom,
    /// Main flash.
    Flash,
    /// Registers, and the information page of flash.
    Peripherals,
    /// RAM.
    Ram,
}

/// What `address` holds.
pub fn region(address: u32) -> Region {
    match address {
        _ if address < ROM_SIZE => Region::Rom,
        _ if is_flash(address) => Region::Flash,
        _ if is_ram(address) => Region::Ram,
        _ if INFORMATION.contains(&address) => Region::Peripherals,
        _ if (PERIPHERALS_START..PERIPHERALS_END).contains(&address) => Region::Peripherals,
        _ => Region::Unmapped,
    }
}

/// Flash answers at this address.
#[inline(always)]
pub fn is_flash(address: u32) -> bool {
    address.wrapping_sub(FLASH_START) < FLASH_SIZE
}

/// RAM answers at this address.
#[inline(always)]
pub fn is_ram(address: u32) -> bool {
    address.wrapping_sub(RAM_START) < RAM_SIZE
}

/// ROM, flash and RAM.
#[derive(Clone)]
pub struct Memory {
    /// What is not known of it reads as zeros: a released image waits for a bit of it to be 0.
    rom: Box<[u8; ROM_SIZE as usize]>,
    rom_known: u32,
    flash: Box<[u8; FLASH_SIZE as usize]>,
    ram: Box<[u8; RAM_SIZE as usize]>,
    changed: Vec<(u32, u32)>,
}

/// The word at an offset that is taken modulo the size, so that no bound is checked.
#[inline(always)]
fn word<const SIZE: usize>(octets: &[u8; SIZE], address: u32) -> u32 {
    let at = address as usize & (SIZE - 4);
    u32::from_le_bytes([octets[at], octets[at + 1], octets[at + 2], octets[at + 3]])
}

impl Memory {
    /// Flash is erased. `seed` determines the arbitrary contents of RAM; nothing may rely on them.
    /// `rom` begins at address 0.
    pub fn new(seed: u64, rom: &[u32]) -> Memory {
        let mut memory = Memory {
            rom: Box::new([0; ROM_SIZE as usize]),
            rom_known: 4 * rom.len() as u32,
            flash: Box::new([ERASED; FLASH_SIZE as usize]),
            ram: Box::new([0; RAM_SIZE as usize]),
            changed: Vec::new(),
        };
        for (cell, octet) in memory
            .rom
            .iter_mut()
            .zip(rom.iter().flat_map(|word| word.to_le_bytes()))
        {
            *cell = octet;
        }
        scramble(memory.ram.as_mut_slice(), seed);
        memory
    }

    /// The lower half of RAM has lost its contents. `seed` determines the new ones.
    pub fn lose_lower_half(&mut self, seed: u64) {
        scramble(&mut self.ram[..RAM_SIZE as usize / 2], seed);
        self.changed.push((RAM_START, RAM_SIZE / 2));
    }

    /// Changes to memory since the last call that the CPU did not make: first address and octets.
    pub fn take_changes(&mut self) -> Option<(u32, u32)> {
        self.changed.pop()
    }

    /// Copies octets out of ROM, flash or RAM; `None` if a part of them lies elsewhere.
    pub fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.octets(address, length).map(<[u8]>::to_vec)
    }

    fn octets(&self, address: u32, length: usize) -> Option<&[u8]> {
        let (octets, start): (&[u8], u32) = match region(address) {
            Region::Rom => (self.rom.as_slice(), 0),
            Region::Flash => (self.flash.as_slice(), FLASH_START),
            Region::Ram => (self.ram.as_slice(), RAM_START),
            Region::Peripherals | Region::Unmapped => return None,
        };
        let at = (address - start) as usize;
        octets.get(at..at.checked_add(length)?)
    }

    /// Flash and RAM for direct use by the core.
    #[inline(always)]
    pub fn plain(&mut self, lines: Lines) -> Plain<'_> {
        Plain {
            code_start: FLASH_START,
            code: self.flash.as_chunks().0,
            ram_start: RAM_START,
            ram: self.ram.as_chunks_mut().0,
            lines,
        }
    }

    /// The aligned word of flash that holds `address`.
    #[inline(always)]
    pub fn flash32(&self, address: u32) -> u32 {
        word(&self.flash, address)
    }

    /// Is the octet at this address one of the ROM that is known?
    pub fn rom_knows(&self, address: u32) -> bool {
        address < self.rom_known
    }

    /// The aligned word of ROM that holds `address`.
    #[inline(always)]
    pub fn rom32(&self, address: u32) -> u32 {
        word(&self.rom, address)
    }

    /// The aligned word of RAM that holds `address`.
    #[inline(always)]
    pub fn ram32(&self, address: u32) -> u32 {
        word(&self.ram, address)
    }

    /// Stores one aligned word in RAM.
    #[inline(always)]
    pub fn set_ram32(&mut self, address: u32, value: u32) {
        let at = address as usize & (RAM_SIZE as usize - 4);
        self.ram[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Stores one aligned half-word in RAM.
    #[inline(always)]
    pub fn set_ram16(&mut self, address: u32, value: u16) {
        let at = address as usize & (RAM_SIZE as usize - 2);
        self.ram[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }

    /// Stores one octet in RAM.
    #[inline(always)]
    pub fn set_ram8(&mut self, address: u32, value: u8) {
        self.ram[address as usize & (RAM_SIZE as usize - 1)] = value;
    }
}

impl Loadable for Memory {
    fn map(&self) -> &'static str {
        MAP
    }

    fn holds(&self, address: u32, length: usize) -> bool {
        holds(address, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        if !holds(address, octets.len()) {
            return false;
        }
        let target = if is_flash(address) {
            &mut self.flash[(address - FLASH_START) as usize..]
        } else {
            &mut self.ram[(address - RAM_START) as usize..]
        };
        target[..octets.len()].copy_from_slice(octets);
        true
    }
}

impl cc2538::Memory for Memory {
    fn read(&self, addr: u32, octets: &mut [u8]) -> Option<()> {
        octets.copy_from_slice(self.octets(addr, octets.len())?);
        Some(())
    }

    fn write(&mut self, addr: u32, octets: &[u8]) -> Option<()> {
        if !is_ram(addr) || !Loadable::write(self, addr, octets) {
            return None;
        }
        self.changed.push((addr, octets.len() as u32));
        Some(())
    }

    fn flash_program(&mut self, addr: u32, word: u32) {
        let word = self.flash32(addr) & word;
        if Loadable::write(self, addr & !3, &word.to_le_bytes()) {
            self.changed.push((addr & !3, 4));
        }
    }

    fn flash_erase(&mut self, addr: u32, octets: u32) {
        if Loadable::write(self, addr, &vec![ERASED; octets as usize]) {
            self.changed.push((addr, octets));
        }
    }
}

fn scramble(octets: &mut [u8], seed: u64) {
    let mut state = seed;
    octets.fill_with(|| split_mix(&mut state) as u8);
}

/// The half-word of an aligned word that `address` names.
#[inline(always)]
pub fn half(word: u32, address: u32) -> u16 {
    (word >> (8 * (address & 2))) as u16
}

/// The octet of an aligned word that `address` names.
#[inline(always)]
pub fn octet(word: u32, address: u32) -> u8 {
    (word >> (8 * (address & 3))) as u8
}

/// Is all of it flash, or all of it RAM?
fn holds(address: u32, length: usize) -> bool {
    let within = |start: u32, size: u32| {
        let at = u64::from(address.wrapping_sub(start));
        at <= u64::from(size) && at + length as u64 <= u64::from(size)
    };
    within(FLASH_START, FLASH_SIZE) || within(RAM_START, RAM_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_has_its_bounds() {
        let starts = [
            (0, Region::Rom),
            (ROM_SIZE, Region::Unmapped),
            (FLASH_START, Region::Flash),
            (FLASH_START + FLASH_SIZE, Region::Peripherals),
            (INFORMATION.end, Region::Unmapped),
            (RAM_START, Region::Ram),
            (RAM_END, Region::Unmapped),
            (PERIPHERALS_START, Region::Peripherals),
            (PERIPHERALS_END, Region::Unmapped),
        ];
        for (index, (address, here)) in starts.into_iter().enumerate() {
            assert_eq!(region(address), here, "0x{address:08X}");
            if let Some((_, before)) = index.checked_sub(1).and_then(|last| starts.get(last)) {
                assert_eq!(region(address - 1), *before, "before 0x{address:08X}");
            }
        }
    }

    #[test]
    fn what_is_no_memory_is_refused_whole() {
        let mut memory = Memory::new(1, &[0x1234_5678]);
        let before = memory.read(RAM_END - 2, 2);
        assert!(!memory.write(RAM_END - 2, &[1, 2, 3]));
        assert_eq!(memory.read(RAM_END - 2, 2), before);
        assert!(!memory.write(0, &[0]), "ROM is not programmed");
        assert_eq!(memory.read(0, 2), Some(vec![0x78, 0x56]));
        assert_eq!(memory.read(FLASH_START - 1, 1), None);
        assert_eq!(
            memory.read(FLASH_START + FLASH_SIZE - 1, 1),
            Some(vec![ERASED])
        );
        assert_eq!(memory.read(FLASH_START + FLASH_SIZE - 1, 2), None);
        assert_eq!(memory.read(u32::MAX, 2), None);
        assert!(!memory.write(u32::MAX, &[1, 2]));
    }

    #[test]
    fn ram_begins_arbitrary_but_follows_from_the_seed() {
        let ram = |seed| Memory::new(seed, &[]).read(RAM_START, RAM_SIZE as usize);
        assert_eq!(ram(7), ram(7));
        assert_ne!(ram(7), ram(8));
    }

    #[test]
    fn bus_masters_see_memory_and_what_they_change_is_told() {
        let mut memory = Memory::new(1, &[]);
        let master: &mut dyn cc2538::Memory = &mut memory;
        assert_eq!(
            master.write(FLASH_START, &[0]),
            None,
            "DMA does not write flash"
        );
        master.flash_program(FLASH_START + 8, 0x00FF_F0F0);
        master.flash_program(FLASH_START + 8, 0xFFFF_FF0F);
        assert_eq!(master.write(RAM_START + 4, &[1, 2]), Some(()));
        let mut octets = [0; 4];
        assert_eq!(master.read(FLASH_START + 8, &mut octets), Some(()));
        assert_eq!(octets, [0x00, 0xF0, 0xFF, 0x00]);
        master.flash_erase(FLASH_START, 2048);
        assert_eq!(memory.flash32(FLASH_START + 8), u32::MAX);
        let changes: Vec<(u32, u32)> = std::iter::from_fn(|| memory.take_changes()).collect();
        let flash = (FLASH_START + 8, 4);
        assert_eq!(
            changes,
            [(FLASH_START, 2048), (RAM_START + 4, 2), flash, flash]
        );
    }

    #[test]
    fn parts_of_words_are_little_endian() {
        let mut memory = Memory::new(1, &[]);
        memory.set_ram32(RAM_START + 8, 0x4433_2211);
        memory.set_ram16(RAM_START + 10, 0xBBAA);
        memory.set_ram8(RAM_START + 9, 0x99);
        let word = memory.ram32(RAM_START + 8);
        assert_eq!(word, 0xBBAA_9911);
        assert_eq!((half(word, 10), octet(word, 9)), (0xBBAA, 0x99));
    }
}
