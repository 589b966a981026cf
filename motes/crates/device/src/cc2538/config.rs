//! Named timing and radio parameters of the model, each with its value, its source and what it
//! rests on.
//!
//! TI's data sheet SWRS096 and user's guide SWRU319 were not at hand in print: figures recalled
//! from them are marked as such and count as assumed. The engine's speed is the one that
//! Sciancalepore et al. print.

use crate::Ps;
use crate::parameter::{Configured, Entry, level, span};
use crate::radio::Ear;

/// One particular chip, its crystals, and the parameters of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Cc2538Config {
    /// Deviation of the 32 MHz crystal in parts per million, taken to the nearest part per billion.
    pub xosc_ppm: f64,
    /// Deviation of the 32 768 Hz crystal in parts per million, taken to the nearest part per
    /// billion.
    pub xosc32k_ppm: f64,
    /// Time of the first edge of the 32 768 Hz crystal.
    pub xosc32k_phase: Ps,
    /// IEEE address in the information page, most significant octet first (as it is printed).
    pub eui64: [u8; 8],
    /// Start of the noise sequence that replaces octets a receiver can not hear.
    pub noise_seed: u64,
    /// Time from switching on the 32 MHz crystal oscillator until its clock is stable.
    pub xosc_start: Ps,
    /// From switching the 16 MHz RC oscillator on to a stable clock.
    pub rcosc_start: Ps,
    /// From an interrupt in PM1 to a running system clock.
    pub wake_pm1: Ps,
    /// From an interrupt in PM2 or PM3 to a running system clock.
    pub wake_pm2: Ps,
    /// From SRXON (or a nonzero RXENABLE) to the search for a start-of-frame delimiter.
    pub rx_calibrate: Ps,
    /// From STXON to the first preamble symbol.
    pub tx_turnaround: Ps,
    /// From the end of a transmission to the search for a start-of-frame delimiter.
    pub tx_to_rx: Ps,
    /// From the last symbol of a frame to the first preamble symbol of its acknowledgement.
    pub ack_turnaround: Ps,
    /// One AES block in ECB, CBC, CTR or CBC-MAC mode, DMA included.
    pub aes_block: Ps,
    /// One AES block of a CCM operation, DMA included: one for B_0, one for each block of a, two
    /// for each block of m, one for the tag.
    pub ccm_block: Ps,
    /// DMA of one 128-bit key into the key store.
    pub key_write: Ps,
    /// Reading a key from the key store into the AES core (KEY_STORE_READ_AREA.BUSY).
    pub key_read: Ps,
    /// Writing one 32-bit word to flash.
    pub flash_word: Ps,
    /// Erasing one page of flash.
    pub flash_erase: Ps,
    /// FCTL.WRITE clears after this time without a write to FWDATA.
    pub flash_timeout: Ps,
    /// Cycles of the 32 kHz clock until a compare value written to ST0 has been loaded (STLOAD).
    pub sleep_load_cycles: u8,
    /// Cycles that the CPU waits for a peripheral register, beyond the one cycle of every access.
    pub peripheral_wait: u8,
    /// At the slow end of the band: extra cycles to read a line of flash that is not the last line
    /// read.
    pub flash_wait_states: u8,
    /// Octets in a line of flash, rounded down to a power of 2.
    pub flash_line_octets: u8,
    /// How well its receiver hears.
    pub ear: Ear,
    /// Correlation value appended to a received frame.
    pub correlation: u8,
}

impl Default for Cc2538Config {
    fn default() -> Self {
        Cc2538Config {
            xosc_ppm: 0.0,
            xosc32k_ppm: 0.0,
            xosc32k_phase: Ps::ZERO,
            eui64: [0x00, 0x12, 0x4B, 0x00, 0x00, 0x00, 0x00, 0x01],
            noise_seed: 0x2538,
            xosc_start: Ps::from_micros(300),
            rcosc_start: Ps::from_micros(10),
            wake_pm1: Ps::from_micros(4),
            wake_pm2: Ps::from_micros(136),
            rx_calibrate: Ps::from_micros(192),
            tx_turnaround: Ps::from_micros(192),
            tx_to_rx: Ps::from_micros(192),
            ack_turnaround: Ps::from_micros(192),
            aes_block: Ps(7_111_000),
            ccm_block: Ps(5_333_000),
            key_write: Ps::from_micros(1),
            key_read: Ps::from_micros(1),
            flash_word: Ps::from_micros(20),
            flash_erase: Ps::from_micros(20_000),
            flash_timeout: Ps::from_micros(20),
            sleep_load_cycles: 2,
            peripheral_wait: 1,
            flash_wait_states: 1,
            flash_line_octets: 8,
            ear: Ear {
                lock_preamble_octets: 2,
                capture_db: 3,
                noise_floor_dbm: -100,
                rssi_offset_db: -73,
                rssi_window: Ps::from_micros(128),
            },
            correlation: 108,
        }
    }
}

const TABLE: [Entry<Cc2538Config>; 25] = [
    span!(
        xosc_start,
        Assumed,
        "SWRS096 5.8, 32-MHz crystal oscillator start-up time 0.3 ms, from memory"
    ),
    span!(
        rcosc_start,
        Assumed,
        "SWRS096 5.11, 16-MHz RC oscillator start-up time 10 us, from memory"
    ),
    span!(
        wake_pm1,
        Assumed,
        "SWRS096 5.5, power mode 1 to active 4 us, from memory"
    ),
    span!(
        wake_pm2,
        Assumed,
        "SWRS096 5.5, power mode 2 or 3 to active 136 us, from memory"
    ),
    span!(
        rx_calibrate,
        Assumed,
        "12 symbol periods, as Contiki-NG's driver states (192 us off to on) and as in the CC2420"
    ),
    span!(
        tx_turnaround,
        Assumed,
        "SWRS096 5.5, RX/TX and TX/RX turnaround 192 us, from memory; 12 symbol periods"
    ),
    span!(
        tx_to_rx,
        Assumed,
        "SWRS096 5.5, RX/TX and TX/RX turnaround 192 us, from memory; 12 symbol periods"
    ),
    span!(
        ack_turnaround,
        Datasheet,
        "TI hw_rfcore_xreg.h, FRMCTRL0.AUTOACK: 12 symbol periods after the frame"
    ),
    span!(
        rssi_window in ear,
        Datasheet,
        "TI hw_rfcore_xreg.h, RSSI and RSSISTAT: eight symbol periods"
    ),
    span!(
        aes_block,
        Assumed,
        "Sciancalepore et al. 4.1: AES executes at 18 Mbps, 128 bit in 7.1 us; no figure from TI"
    ),
    span!(
        ccm_block,
        Assumed,
        "Sciancalepore et al. 4.1: CCM executes at 12 Mbps; two AES blocks for 128 bit of m; no figure from TI"
    ),
    span!(
        key_write,
        Assumed,
        "no figure anywhere; four words of DMA and a few cycles of set-up"
    ),
    span!(
        key_read,
        Assumed,
        "no figure anywhere; four words and a few cycles of set-up"
    ),
    span!(
        flash_word,
        Assumed,
        "SWRS096 5.5, flash write time of four octets 20 us, from memory"
    ),
    span!(
        flash_erase,
        Assumed,
        "SWRS096 5.5, flash page erase time 20 ms, from memory"
    ),
    span!(
        flash_timeout,
        Assumed,
        "SWRU191 6.2 for the controller of the CC253x: FWDATA must be written within 20 us"
    ),
    level!(sleep_load_cycles: u8, "cycles", 16.0, Assumed, "SWRU319 only says that a compare value must lie 5 or more ahead"),
    level!(peripheral_wait: u8, "cycles", 16.0, Assumed, "a bridge from AHB to APB adds at least one cycle; no figure from TI"),
    level!(flash_wait_states: u8, "cycles", 16.0, Assumed, "the slow end of the band; TI prints no wait states. One for every line that is not the last one read, as if there were no cache"),
    level!(flash_line_octets: u8, "octets", 32.0, Assumed, "SWRU319: flash is organised in words of 64 bits; that a word is read at once is assumed"),
    level!(lock_preamble_octets in ear: u8, "octets", 4.0, Assumed, "MDMCTRL0.DEM_NUM_ZEROS asks for two zero symbols; one octet more to settle"),
    level!(capture_db in ear: u8, "dB", 100.0, Assumed, "co-channel rejection -3 dB, as CC2420"),
    level!(noise_floor_dbm in ear: i8, "dBm", 127.0, Assumed, "3 dB below the sensitivity of -97 dBm in SWRS096, from memory"),
    level!(rssi_offset_db in ear: i8, "dB", 127.0, Datasheet, "TI hw_rfcore_xreg.h, RSSI: unit 1 dB, offset 73 dB"),
    level!(correlation: u8, "", 127.0, Assumed, "about 110 for the best frames, about 50 for the worst, as CC2420"),
];

impl Configured for Cc2538Config {
    const CHIP: &'static str = "cc2538";

    fn table() -> &'static [Entry<Cc2538Config>] {
        &TABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::check_stated;

    #[test]
    fn the_board_file_states_every_parameter_with_its_default_and_source() {
        check_stated::<Cc2538Config>(include_str!("../../../../../boards/openmote-cc2538.toml"));
    }

    #[test]
    fn a_board_file_overrides_one_parameter_and_unknown_ones_are_refused() {
        let config =
            Cc2538Config::from_toml("[timing.cc2538.aes_block]\nvalue = 1.25\nunit = \"us\"\n")
                .expect("valid");
        let expected = Cc2538Config {
            aes_block: Ps(1_250_000),
            ..Cc2538Config::default()
        };
        assert_eq!(config, expected);
        let error = Cc2538Config::from_toml("[timing.cc2538.speed]\nvalue = 1\nunit = \"us\"\n")
            .expect_err("unknown");
        assert!(
            error
                .to_string()
                .starts_with("timing.cc2538 has no parameter 'speed'")
        );
    }
}
