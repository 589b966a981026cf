//! XREG registers (0x4008_8600..=0x4008_87FC, one octet each): numbers, reset values, fields.
//!
//! Reset values are from memory of SWRU319. Synthesizer, AGC and test registers hold what is
//! written and have no effect here.

use crate::radio::CcaLimits;

constants! { pub(super) usize:
    FRMFILT0 = 0x00,    FRMFILT1 = 0x01,    SRCMATCH = 0x02,    SRCSHORTEN0 = 0x03,
    SRCEXTEN2 = 0x08,   FRMCTRL0 = 0x09,    FRMCTRL1 = 0x0A,    RXENABLE = 0x0B,
    RXMASKSET = 0x0C,   RXMASKCLR = 0x0D,   FREQCTRL = 0x0F,    TXPOWER = 0x10,
    FSMSTAT0 = 0x12,    FSMSTAT1 = 0x13,    FIFOPCTRL = 0x14,   FSMCTRL = 0x15,
    CCACTRL0 = 0x16,    CCACTRL1 = 0x17,    RSSI = 0x18,        RSSISTAT = 0x19,
    RXFIRST = 0x1A,     RXFIFOCNT = 0x1B,   TXFIFOCNT = 0x1C,   RXFIRST_PTR = 0x1D,
    RXLAST_PTR = 0x1E,  RXP1_PTR = 0x1F,    TXFIRST_PTR = 0x21, TXLAST_PTR = 0x22,
    RFIRQM0 = 0x23,     RFIRQM1 = 0x24,     RFERRM = 0x25,      RFRND = 0x27,
    MDMCTRL0 = 0x28,
}

/// Registers of the block.
const COUNT: usize = 0x80;

/// Reset values that are not 0.
const RESET: [(usize, u8); 27] = [
    (FRMFILT0, 0x0D),
    (FRMFILT1, 0x78),
    (SRCMATCH, 0x07),
    (FRMCTRL0, 0x40),
    (FRMCTRL1, 0x01),
    (0x0E, 0x0F), // FREQTUNE
    (FREQCTRL, 0x0B),
    (TXPOWER, 0xF5),
    (0x11, 0x69), // TXCTRL
    (FIFOPCTRL, 0x40),
    (FSMCTRL, 0x01),
    (CCACTRL0, 0xE0),
    (CCACTRL1, 0x1A),
    (MDMCTRL0, 0x85),
    (0x29, 0x14), // MDMCTRL1
    (0x2B, 0x3F), // RXCTRL
    (0x2C, 0x5A), // FSCTRL
    (0x2D, 0x24), // FSCAL0
    (0x31, 0x5F), // AGCCTRL0
    (0x32, 0x11), // AGCCTRL1
    (0x33, 0xFE), // AGCCTRL2
    (0x34, 0x2E), // AGCCTRL3
    (0x35, 0x10), // ADCTEST0
    (0x36, 0x0E), // ADCTEST1
    (0x37, 0x03), // ADCTEST2
    (0x38, 0x05), // MDMTEST0
    (0x39, 0x08), // MDMTEST1
];

/// Output power at the antenna of TXPOWER values, falling (SmartRF Studio, as in Contiki-NG's
/// driver). A value between two of them counts as the lower one.
const POWER: [(u8, i8); 14] = [
    (0xFF, 7),
    (0xED, 5),
    (0xD5, 3),
    (0xC5, 1),
    (0xB6, 0),
    (0xB0, -1),
    (0xA1, -3),
    (0x91, -5),
    (0x88, -7),
    (0x72, -9),
    (0x62, -11),
    (0x58, -13),
    (0x42, -15),
    (0x00, -24),
];

/// The register file.
#[derive(Clone)]
pub(super) struct Registers([u8; COUNT]);

impl Registers {
    pub(super) fn new() -> Registers {
        let mut values = [0; COUNT];
        for (number, value) in RESET {
            values[number] = value;
        }
        Registers(values)
    }

    pub(super) fn get(&self, number: usize) -> u8 {
        self.0[number]
    }

    pub(super) fn set(&mut self, number: usize, value: u8) {
        self.0[number] = value;
    }

    fn bit(&self, number: usize, bit: u32) -> bool {
        self.0[number] >> bit & 1 != 0
    }

    flags! {
        FRMFILT0: filtering 0, pan_coordinator 1;
        SRCMATCH: source_matching 0;
        // appends_source_match: the second appended octet carries the result of the source match
        // instead of the correlation value.
        FRMCTRL0: autocrc 6, autoack 5, appends_source_match 7;
        FRMCTRL1: pending_or 2, ignores_underflow 1, rx_after_tx 0;
        FSMCTRL: rx_to_rx_pause 0;
    }

    pub(super) fn max_frame_version(&self) -> u16 {
        u16::from(self.0[FRMFILT0] >> 2 & 3)
    }

    /// FCF bits 9:7 that must be 0.
    pub(super) fn reserved_mask(&self) -> u16 {
        u16::from(self.0[FRMFILT0] >> 4 & 7)
    }

    /// ACCEPT_FT_*: is this frame type accepted? Types 4 to 7 share a bit.
    pub(super) fn accepts_type(&self, kind: u16) -> bool {
        self.bit(FRMFILT1, 3 + u32::from(kind.min(4)))
    }

    /// RX_MODE 3: no search for symbols. RX_MODE 2 receives for ever, over a full FIFO; drivers take
    /// random numbers from RFRND in it, so no frame is heard here either.
    pub(super) fn search_disabled(&self) -> bool {
        self.0[FRMCTRL0] >> 2 & 3 >= 2
    }

    pub(super) fn fifop_threshold(&self) -> usize {
        usize::from(self.0[FIFOPCTRL] & 0x7F)
    }

    pub(super) fn cca_mode(&self) -> u8 {
        self.0[CCACTRL1] >> 3 & 3
    }

    pub(super) fn cca_limits(&self) -> CcaLimits {
        CcaLimits {
            threshold: i16::from(self.0[CCACTRL0] as i8),
            hysteresis: i16::from(self.0[CCACTRL1] & 7),
        }
    }

    pub(super) fn preamble_octets(&self) -> u64 {
        u64::from(self.0[MDMCTRL0] >> 1 & 0xF) + 2
    }

    /// 11..=26, or 0 for a frequency that is no channel.
    pub(super) fn channel(&self) -> u8 {
        let offset = i16::from(self.0[FREQCTRL] & 0x7F) - 11;
        if (0..=75).contains(&offset) && offset % 5 == 0 {
            11 + (offset / 5) as u8
        } else {
            0
        }
    }

    pub(super) fn power_dbm(&self) -> i8 {
        let value = self.0[TXPOWER];
        POWER
            .iter()
            .find(|(least, _)| value >= *least)
            .map_or(-24, |(_, dbm)| *dbm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_values_decode_to_the_documented_fields() {
        let registers = Registers::new();
        assert!(
            registers.filtering()
                && registers.autocrc()
                && !registers.autoack()
                && !registers.pan_coordinator()
        );
        assert_eq!(
            (registers.max_frame_version(), registers.reserved_mask()),
            (3, 0)
        );
        assert_eq!(
            (0..8)
                .map(|kind| registers.accepts_type(kind))
                .collect::<Vec<bool>>(),
            [true, true, true, true, false, false, false, false]
        );
        assert_eq!((registers.channel(), registers.preamble_octets()), (11, 4));
        let (limits, mode) = (registers.cca_limits(), registers.cca_mode());
        assert_eq!((limits.threshold, limits.hysteresis, mode), (-32, 2, 3));
        assert_eq!(registers.fifop_threshold(), 64);
        assert!(registers.rx_after_tx() && registers.rx_to_rx_pause());
    }

    #[test]
    fn channels_and_output_power() {
        let mut registers = Registers::new();
        for channel in 11..=26u8 {
            registers.set(FREQCTRL, 11 + 5 * (channel - 11));
            assert_eq!(registers.channel(), channel);
        }
        registers.set(FREQCTRL, 12);
        assert_eq!(registers.channel(), 0);
        for (value, dbm) in [
            (0xFF, 7),
            (0xD5, 3),
            (0xD4, 1),
            (0xB6, 0),
            (0xB1, -1),
            (0x00, -24),
            (0x41, -24),
        ] {
            registers.set(TXPOWER, value);
            assert_eq!(registers.power_dbm(), dbm, "{value:02x}");
        }
    }
}
