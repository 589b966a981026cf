//! Registers: addresses, reset values, fields.
//!
//! Reset values are those of SWRS041 for chip version 3. The AGC, synthesizer and test registers
//! (FSTST*, AGCTST*, RXBPFTST, ADCTST, DACTST, TOPTST) hold what is written and have no effect
//! here.

use crate::radio::CcaLimits;

constants! { pub(super) u8:
    MAIN = 0x10,     MDMCTRL0 = 0x11, MDMCTRL1 = 0x12, RSSI = 0x13,     SYNCWORD = 0x14,
    TXCTRL = 0x15,   FSCTRL = 0x18,   SECCTRL0 = 0x19, SECCTRL1 = 0x1A, BATTMON = 0x1B,
    IOCFG0 = 0x1C,   IOCFG1 = 0x1D,   MANFIDL = 0x1E,  MANFIDH = 0x1F,  FSMSTATE = 0x2C,
    TXFIFO = 0x3E,   RXFIFO = 0x3F,
}

/// First and last register that holds 16 bits.
const FIRST: u8 = MAIN;
const LAST: u8 = 0x30;

/// Reset values from MAIN (0x10) to RESERVED (0x30).
const RESET: [u16; 33] = [
    0xF800, 0x0AE2, 0x0500, 0xE080, 0xA70F, 0xA0FF, 0x12E5, 0x0A56, // MAIN .. RXCTRL1
    0x4165, 0x03C4, 0x0000, 0x0040, 0x0040, 0x0000, 0x233D, 0x3000, // FSCTRL .. MANFIDH
    0x7A94, 0xFFFF, 0x0000, 0x07F0, 0x3649, 0x0854, 0x012A, 0x0200, // FSMTC .. FSTST0
    0x5002, 0x0600, 0x81DD, 0x0000, 0x0000, 0x0000, 0x0000, 0x0010, // FSTST1 .. TOPTST
    0x0000, // RESERVED
];

/// MAIN.RESETn.
pub(super) const MAIN_RESETN: u16 = 1 << 15;
/// MAIN.ENC_RESETn.
pub(super) const MAIN_ENC_RESETN: u16 = 1 << 14;

/// CCAMUX value that puts XOSC16M_STABLE on the CCA pin.
pub(super) const CCAMUX_XOSC16M_STABLE: u16 = 24;

/// In-line security mode, SECCTRL0.SEC_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecMode {
    Disabled,
    CbcMac,
    Ctr,
    Ccm,
}

/// The register file.
#[derive(Clone)]
pub(super) struct Registers([u16; RESET.len()]);

impl Registers {
    pub(super) fn new() -> Registers {
        Registers(RESET)
    }

    /// Value last written, or reset value; 0 for an address without register.
    pub(super) fn get(&self, addr: u8) -> u16 {
        if (FIRST..=LAST).contains(&addr) {
            self.0[usize::from(addr - FIRST)]
        } else {
            0
        }
    }

    /// Writes the bits of `addr` that can be written.
    pub(super) fn set(&mut self, addr: u8, value: u16) {
        let writable = match addr {
            RSSI => 0xFF00,
            FSCTRL => 0xCBFF,
            BATTMON => 0xFFBF,
            MANFIDL | MANFIDH | FSMSTATE => 0x0000,
            FIRST..=LAST => 0xFFFF,
            _ => return,
        };
        let slot = &mut self.0[usize::from(addr - FIRST)];
        *slot = (*slot & !writable) | (value & writable);
    }

    fn bit(&self, addr: u8, bit: u32) -> bool {
        self.get(addr) >> bit & 1 != 0
    }

    fn field(&self, addr: u8, low: u32, width: u32) -> u16 {
        self.get(addr) >> low & ((1 << width) - 1)
    }

    flags! {
        MDMCTRL0: reserved_frames_accepted 13, pan_coordinator 12, adr_decode 11, autocrc 5,
            autoack 4;
        TXCTRL: tx_turnaround_long 13;
        SECCTRL0: rxfifo_protection 9, sec_cbc_head 8;
        IOCFG0: bcn_accept 11, fifo_active_low 10, fifop_active_low 9, sfd_active_low 8,
            cca_active_low 7;
    }

    fields! {
        MDMCTRL0 7..6 cca_mode u16;
        TXCTRL 4..0 pa_level u8;
        /// 0 or 1: KEY0 or KEY1.
        SECCTRL0 7..7 sa_key usize;
        SECCTRL0 6..6 tx_key usize;
        SECCTRL0 5..5 rx_key usize;
        /// SEC_M = (M − 2) / 2.
        SECCTRL0 4..2 sec_m u8;
        SECCTRL1 14..8 sec_txl usize;
        SECCTRL1 6..0 sec_rxl usize;
        IOCFG0 6..0 fifop_threshold usize;
        IOCFG1 4..0 cca_mux u16;
        IOCFG1 9..5 sfd_mux u16;
    }

    /// Zero octets before the delimiter A7: PREAMBLE_LENGTH + 1, and the low octet of SYNCWORD,
    /// whose F is sent as 0.
    pub(super) fn preamble_octets(&self) -> u64 {
        u64::from(self.field(MDMCTRL0, 0, 4)) + 2
    }

    pub(super) fn cca_limits(&self) -> CcaLimits {
        CcaLimits {
            threshold: i16::from((self.get(RSSI) >> 8) as u8 as i8),
            hysteresis: self.field(MDMCTRL0, 8, 3) as i16,
        }
    }

    /// 11..=26, or 0 for a frequency that is no channel.
    pub(super) fn channel(&self) -> u8 {
        let offset = i32::from(self.field(FSCTRL, 0, 10)) - 357;
        if (0..=75).contains(&offset) && offset % 5 == 0 {
            11 + (offset / 5) as u8
        } else {
            0
        }
    }

    pub(super) fn sec_mode(&self) -> SecMode {
        match self.field(SECCTRL0, 0, 2) {
            0 => SecMode::Disabled,
            1 => SecMode::CbcMac,
            2 => SecMode::Ctr,
            _ => SecMode::Ccm,
        }
    }

    /// TX_MODE or RX_MODE other than buffered (0): test modes, not modelled.
    pub(super) fn test_mode(&self) -> bool {
        self.field(MDMCTRL1, 0, 4) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_values_decode_to_the_documented_fields() {
        let registers = Registers::new();
        assert_eq!(registers.channel(), 11);
        assert_eq!(registers.preamble_octets(), 4);
        assert_eq!(registers.pa_level(), 31);
        assert!(registers.tx_turnaround_long() && registers.adr_decode() && registers.autocrc());
        assert!(!registers.autoack() && registers.rxfifo_protection() && registers.sec_cbc_head());
        assert_eq!(
            (registers.sa_key(), registers.tx_key(), registers.rx_key()),
            (1, 1, 0)
        );
        assert_eq!(
            (registers.sec_m(), registers.sec_mode()),
            (1, SecMode::Disabled)
        );
        let (limits, mode) = (registers.cca_limits(), registers.cca_mode());
        assert_eq!((limits.threshold, limits.hysteresis, mode), (-32, 2, 3));
        assert_eq!(registers.fifop_threshold(), 64);
        assert_eq!(
            (registers.get(MANFIDL), registers.get(MANFIDH)),
            (0x233D, 0x3000)
        );
        assert_eq!(registers.get(0x20), 0x7A94);
        assert_eq!(registers.get(0x2F), 0x0010);
    }

    #[test]
    fn read_only_bits_stay() {
        let mut registers = Registers::new();
        registers.set(RSSI, 0x1234);
        assert_eq!(registers.get(RSSI), 0x1280);
        registers.set(MANFIDL, 0);
        assert_eq!(registers.get(MANFIDL), 0x233D);
        registers.set(FSCTRL, 0xFFFF);
        assert_eq!(registers.get(FSCTRL), 0xCBFF);
        registers.set(0x31, 0xFFFF);
        assert_eq!(registers.get(0x31), 0);
    }

    #[test]
    fn channels_are_5_mhz_apart() {
        let mut registers = Registers::new();
        for channel in 11..=26u8 {
            registers.set(FSCTRL, 0x4000 | (357 + 5 * (u16::from(channel) - 11)));
            assert_eq!(registers.channel(), channel);
        }
        registers.set(FSCTRL, 0x4000 | 358);
        assert_eq!(registers.channel(), 0);
        registers.set(FSCTRL, 0x4000 | 437);
        assert_eq!(registers.channel(), 0);
    }
}
