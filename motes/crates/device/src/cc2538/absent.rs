//! The blocks this model does not have, and the ones that only hold values: I/O control, analogue
//! and test registers. Registers read 0 until they are written and keep what is written; a write
//! that switches a block on is refused by name.

use super::AccessError;
use std::collections::BTreeMap;

/// Registers from `first` to `last`; a write to `switch` with a bit of `enables` set switches
/// `name` on.
struct Range {
    first: u32,
    last: u32,
    switch: u32,
    enables: u32,
    name: &'static str,
}

const fn range(first: u32, last: u32, switch: u32, enables: u32, name: &'static str) -> Range {
    Range {
        first,
        last,
        switch,
        enables,
        name,
    }
}

const RANGES: [Range; 14] = [
    range(
        0x4000_8000,
        0x4000_8FC8,
        0x4000_8004,
        1 << 1,
        "SSI0 (SSICR1.SSE)",
    ),
    range(
        0x4000_9000,
        0x4000_9FC8,
        0x4000_9004,
        1 << 1,
        "SSI1 (SSICR1.SSE)",
    ),
    range(
        0x4002_0000,
        0x4002_0020,
        0x4002_0004,
        0xFF,
        "the I2C master (I2CMCTRL)",
    ),
    range(
        0x4002_0800,
        0x4002_0818,
        0x4002_0804,
        1,
        "the I2C slave (I2CSCTRL.DA)",
    ),
    range(
        0x4008_9000,
        0x4008_90A8,
        0x4008_903C,
        1,
        "USB (USB_CTRL.USB_EN)",
    ),
    range(0x400D_4000, 0x400D_4178, 0, 0, "I/O control"),
    range(0x400D_6000, 0x400D_6010, 0, 0, "analogue control"),
    range(
        0x400D_7000,
        0x400D_7004,
        0x400D_7000,
        0x44,
        "ADC or random numbers (ADCCON1.ST, RCTRL)",
    ),
    range(0x400D_7008, 0x400D_7028, 0x400D_7008, 0xFF, "ADC (ADCCON3)"),
    range(
        0x400F_F000,
        0x400F_F524,
        0x400F_F004,
        1,
        "uDMA (UDMACFG.MASTEN)",
    ),
    range(0x4011_0000, 0x4011_0014, 0, 0, "system test control"),
    range(
        0x4400_4000,
        0x4400_40FC,
        0x4400_401C,
        1 << 15,
        "the public key accelerator (PKA_FUNCTION.RUN)",
    ),
    range(
        0x4400_6000,
        0x4400_67FC,
        0,
        0,
        "memory of the public key accelerator",
    ),
    range(0x4401_0000, 0x4401_007C, 0, 0, "test control"),
];

/// The registers' values.
#[derive(Default)]
pub(super) struct Absent(BTreeMap<u32, u32>);

impl Absent {
    pub(super) fn new() -> Absent {
        Absent::default()
    }

    pub(super) fn read(&self, addr: u32) -> Result<u32, AccessError> {
        find(addr)?;
        Ok(self.0.get(&addr).copied().unwrap_or(0))
    }

    pub(super) fn write(&mut self, addr: u32, value: u32) -> Result<(), AccessError> {
        let range = find(addr)?;
        if addr == range.switch && value & range.enables != 0 {
            return Err(AccessError::NotModelled { name: range.name });
        }
        self.0.insert(addr, value);
        Ok(())
    }
}

fn find(addr: u32) -> Result<&'static Range, AccessError> {
    RANGES
        .iter()
        .find(|range| (range.first..=range.last).contains(&addr))
        .ok_or(AccessError::Unmapped(addr))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switching_on_is_named_and_everything_else_is_kept() {
        let mut blocks = Absent::new();
        for range in RANGES.iter().filter(|range| range.enables != 0) {
            assert_eq!(blocks.write(range.switch, 0), Ok(()));
            let bit = range.enables & range.enables.wrapping_neg();
            assert_eq!(
                blocks.write(range.switch, bit),
                Err(AccessError::NotModelled { name: range.name })
            );
        }
        assert_eq!(blocks.write(0x400D_4088, 0xA), Ok(()));
        assert_eq!(
            (blocks.read(0x400D_4088), blocks.read(0x400D_4084)),
            (Ok(0xA), Ok(0))
        );
        assert_eq!(
            blocks.read(0x4000_7000),
            Err(AccessError::Unmapped(0x4000_7000))
        );
        assert_eq!(
            blocks.write(0x4400_5000, 1),
            Err(AccessError::Unmapped(0x4400_5000))
        );
    }
}
