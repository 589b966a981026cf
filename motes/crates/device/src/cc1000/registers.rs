//! The registers (SWRS048, "Configuration registers"), as far as they mean something here.

constants! { pub(super) u8:
    MAIN = 0x00,  FREQ_2A = 0x01,  FREQ_2B = 0x04,  FSEP1 = 0x07,  FRONT_END = 0x0A,
    PA_POW = 0x0B,  PLL = 0x0C,  LOCK = 0x0D,  CAL = 0x0E,  MODEM1 = 0x10,  MODEM0 = 0x11,
}
// MAIN.
constants! { pub(super) u8:
    RXTX = 0x80,  F_REG = 0x40,  RX_PD = 0x20,  TX_PD = 0x10,
    FS_PD = 0x08,  CORE_PD = 0x04,  BIAS_PD = 0x02,  RESET_N = 0x01,
}
// CAL; LOCK_INSTANT and LOCK_CONTINUOUS of LOCK.
constants! { pub(super) u8:
    CAL_START = 0x80,  CAL_DUAL = 0x40,  CAL_COMPLETE = 0x08,  LOCKED = 0x03,
}
/// Registers there are places for: the address has seven bits.
const COUNT: usize = 0x80;
/// Frequency of the crystal in hertz.
const CRYSTAL_HZ: u64 = 14_745_600;
/// Slowest rate in baud, with a crystal in the highest range.
const SLOWEST_BAUD: u32 = 600;

/// Reset values that are not 0 (SWRS048 from memory).
const RESET: [(u8, u8); 12] = [
    (MAIN, 0x3E),
    (FREQ_2A, 0x75),
    (FREQ_2A + 1, 0xA0),
    (FREQ_2A + 2, 0xCB),
    (FREQ_2B, 0x75),
    (FREQ_2B + 1, 0xA5),
    (FREQ_2B + 2, 0x4E),
    (FSEP1 + 1, 0x59),
    (PA_POW, 0x0F),
    (PLL, 0x10),
    (CAL, 0x05),
    (MODEM0, 0x24),
];

/// What is in the registers.
#[derive(Clone, Debug)]
pub(super) struct Registers([u8; COUNT]);

impl Registers {
    /// After a reset.
    pub(super) fn new() -> Registers {
        let mut values = [0; COUNT];
        for (address, value) in RESET {
            values[usize::from(address)] = value;
        }
        Registers(values)
    }

    pub(super) fn get(&self, address: u8) -> u8 {
        self.0[usize::from(address) % COUNT]
    }

    pub(super) fn set(&mut self, address: u8, value: u8) {
        self.0[usize::from(address) % COUNT] = value;
    }

    /// All bits of `mask` in MAIN are 0: these parts have power.
    pub(super) fn on(&self, mask: u8) -> bool {
        self.get(MAIN) & mask == 0
    }

    /// A frequency register: three octets, the most significant one first.
    fn word(&self, first: u8) -> u64 {
        (0..3).fold(0, |word, place| {
            word << 8 | u64::from(self.get(first + place))
        })
    }

    /// Frequency of the synthesizer in kHz: with `data`, in the middle between the two that carry
    /// bits. `None`: its reference divider is out of range.
    pub(super) fn frequency_khz(&self, data: bool) -> Option<u32> {
        let divider = u64::from(self.get(PLL) >> 3 & 0x0F);
        let first = if self.get(MAIN) & F_REG == 0 {
            FREQ_2A
        } else {
            FREQ_2B
        };
        let separation = u64::from(self.get(FSEP1) & 7) << 8 | u64::from(self.get(FSEP1 + 1));
        let twice = 2 * (self.word(first) + 8192) + if data { separation } else { 0 };
        let hertz = (CRYSTAL_HZ * twice).checked_div(2 * 16_384 * divider)?;
        (divider >= 2).then_some((hertz / 1000) as u32)
    }

    /// Data bits in a second, and whether they are coded by Manchester's rule. `None`: UART mode,
    /// without a data clock.
    pub(super) fn bit_rate(&self) -> Option<(u32, bool)> {
        let mode = self.get(MODEM0);
        let (step, range) = (u32::from(mode >> 4 & 7).min(5), u32::from(mode & 3));
        let baud = (SLOWEST_BAUD << step) * 4 / (range + 1);
        match mode >> 2 & 3 {
            0 => Some((baud, false)),
            1 => Some((baud / 2, true)),
            _ => None,
        }
    }

    /// Baud that the averaging filter of the demodulator needs to settle.
    pub(super) fn settling_baud(&self) -> u32 {
        [11, 22, 43, 86][usize::from(self.get(MODEM1) >> 1 & 3)]
    }

    /// The RSSI output is on.
    pub(super) fn rssi_on(&self) -> bool {
        self.get(FRONT_END) >> 1 & 3 == 1
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Both frequencies and their separation at 433 MHz.
    pub(in crate::cc1000) const AT_433_MHZ: [(u8, u8); 9] = [
        (FREQ_2A, 0x58),
        (FREQ_2A + 1, 0),
        (FREQ_2A + 2, 0),
        (FREQ_2B, 0x57),
        (FREQ_2B + 1, 0xF6),
        (FREQ_2B + 2, 0x85),
        (FSEP1, 0x03),
        (FSEP1 + 1, 0x55),
        (PLL, 12 << 3),
    ];

    #[test]
    fn frequencies_are_those_of_the_formula() {
        let mut registers = Registers::new();
        for (address, value) in AT_433_MHZ {
            registers.set(address, value);
        }
        assert_eq!(registers.frequency_khz(false), Some(433_152));
        registers.set(MAIN, RXTX | F_REG);
        assert_eq!(registers.frequency_khz(true), Some(433_001));
        for divider in [0, 1] {
            registers.set(PLL, divider << 3);
            assert_eq!(registers.frequency_khz(true), None);
        }
    }

    #[test]
    fn rates_follow_format_and_crystal_range() {
        let mut registers = Registers::new();
        for (value, rate) in [
            (0x55, Some((19_200, true))),
            (0x51, Some((38_400, false))),
            (0x57, Some((9_600, true))),
            (0x54, Some((38_400, true))),
            (0x07, Some((300, true))),
            (0x58, None),
        ] {
            registers.set(MODEM0, value);
            assert_eq!(registers.bit_rate(), rate, "{value:02x}");
        }
    }
}
