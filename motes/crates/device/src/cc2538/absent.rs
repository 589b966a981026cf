//! The blocks this model does not have, and the ones that only hold values: I/O control, analogue
//! and test registers.

use crate::absent::{Range, block, values};

/// Registers by their addresses.
pub(super) static RANGES: [Range; 14] = [
    block(0x4000_8000..=0x4000_8FC8, 1 << 1, "SSI0 (SSICR1.SSE)").by(0x4000_8004),
    block(0x4000_9000..=0x4000_9FC8, 1 << 1, "SSI1 (SSICR1.SSE)").by(0x4000_9004),
    block(0x4002_0000..=0x4002_0020, 0xFF, "the I2C master (I2CMCTRL)").by(0x4002_0004),
    block(0x4002_0800..=0x4002_0818, 1, "the I2C slave (I2CSCTRL.DA)").by(0x4002_0804),
    block(0x4008_9000..=0x4008_90A8, 1, "USB (USB_CTRL.USB_EN)").by(0x4008_903C),
    values(0x400D_4000..=0x400D_4178, "I/O control"),
    values(0x400D_6000..=0x400D_6010, "analogue control"),
    block(
        0x400D_7000..=0x400D_7004,
        0x44,
        "ADC or random numbers (ADCCON1.ST, RCTRL)",
    )
    .by(0x400D_7000),
    block(0x400D_7008..=0x400D_7028, 0xFF, "ADC (ADCCON3)").by(0x400D_7008),
    block(0x400F_F000..=0x400F_F524, 1, "uDMA (UDMACFG.MASTEN)").by(0x400F_F004),
    values(0x4011_0000..=0x4011_0014, "system test control"),
    block(
        0x4400_4000..=0x4400_40FC,
        1 << 15,
        "the public key accelerator (PKA_FUNCTION.RUN)",
    )
    .by(0x4400_401C),
    values(
        0x4400_6000..=0x4400_67FC,
        "memory of the public key accelerator",
    ),
    values(0x4401_0000..=0x4401_007C, "test control"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::absent::{Absent, Refusal};

    #[test]
    fn each_block_is_switched_on_by_its_own_register() {
        let switches = [
            (0x4000_8004, 1 << 1, "SSI0"),
            (0x4002_0004, 0x80, "the I2C master"),
            (0x4008_903C, 1, "USB"),
            (0x400D_7000, 0x04, "ADC or random numbers"),
            (0x400F_F004, 1, "uDMA"),
            (0x4400_401C, 1 << 15, "the public key accelerator"),
        ];
        let mut blocks = Absent::new(&RANGES);
        for (address, bit, block) in switches {
            assert_eq!(blocks.write(address, 0), Ok(()));
            let Err(Refusal::NotModelled(name)) = blocks.write(address, bit) else {
                panic!("{block} is not modelled");
            };
            assert!(name.starts_with(block), "{name}");
        }
        assert_eq!(
            blocks.write(0x400D_4088, 0xA),
            Ok(()),
            "I/O control holds values"
        );
        assert_eq!(
            (blocks.read(0x400D_4088), blocks.read(0x400D_4084)),
            (Ok(0xA), Ok(0))
        );
        assert_eq!(blocks.read(0x4000_7000), Err(Refusal::Unmapped));
    }
}
