//! How an executable gets into the memory of a chip.

use crate::elf::{Elf, ElfError};

/// What an erased octet of flash reads as.
pub(crate) const ERASED: u8 = 0xFF;

/// Memory that takes an executable.
pub(crate) trait Loadable {
    /// The address ranges of flash and RAM, for messages.
    fn map(&self) -> &'static str;

    /// Is there flash or RAM at every one of these addresses?
    fn holds(&self, address: u32, length: usize) -> bool;

    /// Copies octets into flash or RAM. Returns false and writes nothing if some address is in
    /// neither.
    #[must_use]
    fn write(&mut self, address: u32, octets: &[u8]) -> bool;

    /// Can a programmer write to this address?
    fn programmable(&self, address: u32) -> bool {
        let _ = address;
        true
    }

    /// Does start-up code initialise this address?
    fn initialised(&self, address: u32) -> bool {
        let _ = address;
        true
    }

    /// Writes an executable's segments at their physical addresses, as a programmer does. `owner`
    /// names the memory in messages.
    fn program(&mut self, elf: &Elf, owner: &str) -> Result<(), ElfError> {
        for segment in elf
            .segments
            .iter()
            .filter(|segment| !segment.data.is_empty())
        {
            let address = segment.physical;
            if !self.programmable(address) || !self.write(address, &segment.data) {
                return Err(self.outside(address, segment.data.len() as u32, owner));
            }
        }
        Ok(())
    }

    /// Brings RAM into the state in which start-up code leaves it: initialised data copied, the
    /// rest of each segment zero.
    fn start_up(&mut self, elf: &Elf, owner: &str) -> Result<(), ElfError> {
        for segment in elf
            .segments
            .iter()
            .filter(|segment| segment.memory_size > 0)
        {
            let (address, size) = (segment.address, segment.memory_size);
            if !self.initialised(address) {
                continue;
            }
            if !self.holds(address, size as usize) {
                return Err(self.outside(address, size, owner));
            }
            let mut contents = segment.data.clone();
            contents.resize(size as usize, 0);
            if !self.write(address, &contents) {
                return Err(self.outside(address, size, owner));
            }
        }
        Ok(())
    }

    /// The error that a segment meets no memory.
    fn outside(&self, address: u32, size: u32, owner: &str) -> ElfError {
        ElfError::OutsideMemory {
            address,
            size,
            board: owner.into(),
            map: self.map().into(),
        }
    }
}
