//! Blocks of a chip that a model does not have. Their registers read 0 until they are written and
//! keep what is written. A write that switches a block on is refused by name.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Registers of an absent block.
#[derive(Debug)]
pub(crate) struct Range {
    first: u32,
    last: u32,
    /// The register that switches the block on; `None`: any of them.
    switch: Option<u32>,
    /// Each of these bits switches the block on.
    enables: u32,
    /// The block, as messages name it.
    name: &'static str,
}

/// Registers of the block `name` that hold what is written.
pub(crate) const fn values(registers: RangeInclusive<u32>, name: &'static str) -> Range {
    block(registers, 0, name)
}

/// One register. A write with a bit of `enables` set switches `name` on.
pub(crate) const fn switch(register: u32, enables: u32, name: &'static str) -> Range {
    block(register..=register, enables, name)
}

/// Registers of the block `name`. A write with a bit of `enables` set, to any of them, switches the
/// block on.
pub(crate) const fn block(
    registers: RangeInclusive<u32>,
    enables: u32,
    name: &'static str,
) -> Range {
    Range {
        first: *registers.start(),
        last: *registers.end(),
        switch: None,
        enables,
        name,
    }
}

impl Range {
    /// Only the register at `address` switches the block on.
    pub(crate) const fn by(self, address: u32) -> Range {
        Range {
            switch: Some(address),
            ..self
        }
    }
}

/// Why an access is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no register at this address.
    Unmapped,
    /// The block of this name is switched on.
    NotModelled(&'static str),
}

/// The absent blocks of one chip.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    ranges: &'static [Range],
    values: BTreeMap<u32, u32>,
}

impl Absent {
    /// All registers are 0.
    pub(crate) fn new(ranges: &'static [Range]) -> Absent {
        Absent {
            ranges,
            values: BTreeMap::new(),
        }
    }

    /// Back to zeros, as after a reset.
    pub(crate) fn reset(&mut self) {
        self.values.clear();
    }

    /// Reads a register.
    pub(crate) fn read(&self, address: u32) -> Result<u32, Refusal> {
        self.find(address)?;
        Ok(self.values.get(&address).copied().unwrap_or(0))
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, address: u32, value: u32) -> Result<(), Refusal> {
        let range = self.find(address)?;
        let switches = range.switch.is_none_or(|switch| switch == address);
        if switches && value & range.enables != 0 {
            return Err(Refusal::NotModelled(range.name));
        }
        self.values.insert(address, value);
        Ok(())
    }

    fn find(&self, address: u32) -> Result<&'static Range, Refusal> {
        let holds = |range: &&Range| (range.first..=range.last).contains(&address);
        self.ranges.iter().find(holds).ok_or(Refusal::Unmapped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_switches_a_block_on_is_named_and_the_rest_is_kept() {
        static RANGES: [Range; 3] = [
            block(0x10..=0x18, 0x03, "a block").by(0x14),
            block(0x20..=0x21, 0x80, "another block"),
            values(0x30..=0x30, "values"),
        ];
        let mut blocks = Absent::new(&RANGES);
        assert_eq!(blocks.write(0x10, 0x03), Ok(()));
        assert_eq!(
            blocks.write(0x14, 0x02),
            Err(Refusal::NotModelled("a block"))
        );
        assert_eq!(blocks.write(0x14, 0xFC), Ok(()));
        assert_eq!(
            blocks.write(0x21, 0x80),
            Err(Refusal::NotModelled("another block"))
        );
        assert_eq!(blocks.write(0x30, u32::MAX), Ok(()));
        let read = [0x10, 0x14, 0x21, 0x30].map(|address| blocks.read(address));
        assert_eq!(read, [Ok(0x03), Ok(0xFC), Ok(0), Ok(u32::MAX)]);
        blocks.reset();
        assert_eq!(blocks.read(0x30), Ok(0));
    }

    #[test]
    fn holes_are_unmapped() {
        static RANGES: [Range; 2] = [values(0x10..=0x12, "a"), values(0x14..=0x14, "b")];
        let mut blocks = Absent::new(&RANGES);
        assert_eq!(blocks.read(0x13), Err(Refusal::Unmapped));
        assert_eq!(blocks.write(0x15, 0), Err(Refusal::Unmapped));
    }
}
