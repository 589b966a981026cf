//! The blocks this model does not have, and the ones that only hold values: I/O control, analogue
//! and test registers.

use crate::absent::{Range, block, values};

/// Registers by their addresses.
pub(super) static RANGES: [Range; 8] = [
    block(0x4002_0800..=0x4002_0818, 1, "the I2C slave (I2CSCTRL.DA)").by(0x4002_0804),
    block(0x4008_9000..=0x4008_90A8, 1, "USB (USB_CTRL.USB_EN)").by(0x4008_903C),
    values(0x400D_4000..=0x400D_4178, "I/O control"),
    values(0x400D_6000..=0x400D_6010, "analogue control"),
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
            (0x4002_0804, 1, "the I2C slave"),
            (0x4008_903C, 1, "USB"),
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
