//! Named timing and radio parameters of the model, each with its value, its source and what it
//! rests on.
//!
//! The figures come from the CC2420 data sheet SWRS041 where it has them. A figure that it leaves
//! open is a named assumption: the board's data file can change it, and results print it.

use crate::Ps;
use crate::parameter::{Configured, Entry, level, span};
use crate::radio::Ear;

/// Timing and radio parameters of a CC2420.
#[derive(Clone, Debug, PartialEq)]
pub struct Cc2420Config {
    /// From VREG_EN high to a working digital core.
    pub vreg_start: Ps,
    /// From SXOSCON to XOSC16M_STABLE.
    pub xosc_start: Ps,
    /// From SRXON to the search for a start-of-frame delimiter.
    pub rx_calibrate: Ps,
    /// From STXON to the first preamble symbol, TXCTRL.TX_TURNAROUND = 1 (reset value).
    pub tx_turnaround: Ps,
    /// From STXON to the first preamble symbol, TXCTRL.TX_TURNAROUND = 0.
    pub tx_turnaround_short: Ps,
    /// From the end of a transmission to the search for a start-of-frame delimiter.
    pub tx_to_rx: Ps,
    /// From the last symbol of a frame to the first preamble symbol of its acknowledgement
    /// (AUTOACK, SACK).
    pub ack_turnaround: Ps,
    /// One AES block of an in-line operation.
    pub inline_block: Ps,
    /// One stand-alone encryption (SAES).
    pub saes: Ps,
    /// How well its receiver hears.
    pub ear: Ear,
    /// Correlation value appended to a received frame.
    pub correlation: u8,
    /// Start of the noise sequence that replaces octets a receiver can not hear.
    pub noise_seed: u64,
}

impl Default for Cc2420Config {
    fn default() -> Self {
        Cc2420Config {
            vreg_start: Ps::from_micros(600),
            xosc_start: Ps::from_micros(860),
            rx_calibrate: Ps::from_micros(192),
            tx_turnaround: Ps::from_micros(192),
            tx_turnaround_short: Ps::from_micros(128),
            tx_to_rx: Ps::from_micros(192),
            ack_turnaround: Ps::from_micros(192),
            inline_block: Ps::from_nanos(13_875),
            saes: Ps::from_micros(14),
            ear: Ear {
                lock_preamble_octets: 2,
                capture_db: 3,
                noise_floor_dbm: -100,
                rssi_offset_db: -45,
                rssi_window: Ps::from_micros(128),
            },
            correlation: 108,
            noise_seed: 0x2420,
        }
    }
}

const TABLE: [Entry<Cc2420Config>; 15] = [
    span!(
        vreg_start,
        Datasheet,
        "SWRS041, voltage regulator start-up time, 0.6 ms at most"
    ),
    span!(
        xosc_start,
        Datasheet,
        "SWRS041, crystal oscillator start-up time, 0.86 ms"
    ),
    span!(
        rx_calibrate,
        Datasheet,
        "SWRS041 fig. 25, RX_CALIBRATE lasts 12 symbol periods"
    ),
    span!(
        tx_turnaround,
        Datasheet,
        "SWRS041 17.1, the preamble starts 12 symbol periods after the strobe"
    ),
    span!(
        tx_turnaround_short,
        Datasheet,
        "SWRS041 TXCTRL.TX_TURNAROUND = 0, 8 symbol periods"
    ),
    span!(
        tx_to_rx,
        Datasheet,
        "SWRS041 fig. 25, RX_CALIBRATE after a transmission, 12 symbol periods"
    ),
    span!(
        ack_turnaround,
        Datasheet,
        "SWRS041 19, 12 symbol periods after the last symbol of the frame"
    ),
    span!(
        rssi_window in ear,
        Datasheet,
        "SWRS041 23, RSSI is averaged over 8 symbol periods"
    ),
    span!(
        inline_block,
        Datasheet,
        "SWRS041 table 8, CCM with l(a) 50, l(m) 69 takes 222 us: 16 AES blocks"
    ),
    span!(
        saes,
        Datasheet,
        "SWRS041 table 8, stand-alone encryption of 16 octets takes 14 us"
    ),
    level!(lock_preamble_octets in ear: u8, "octets", 4.0, Assumed, "the data sheet does not say how little preamble is enough"),
    level!(capture_db in ear: u8, "dB", 100.0, Datasheet, "SWRS041, co-channel rejection -3 dB"),
    level!(noise_floor_dbm in ear: i8, "dBm", 127.0, Assumed, "5 dB below the typical sensitivity of -95 dBm in SWRS041"),
    level!(rssi_offset_db in ear: i8, "dB", 127.0, Datasheet, "SWRS041 23, RSSI_OFFSET is approximately -45"),
    level!(correlation: u8, "", 127.0, Assumed, "SWRS041 24: about 110 for the best frames, about 50 for the worst"),
];

impl Configured for Cc2420Config {
    const CHIP: &'static str = "cc2420";

    fn table() -> &'static [Entry<Cc2420Config>] {
        &TABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::{ConfigError, check_stated};

    #[test]
    fn the_board_file_states_every_parameter_with_its_default_and_source() {
        check_stated::<Cc2420Config>(include_str!("../../../../../boards/telosb.toml"));
    }

    #[test]
    fn overrides_one_parameter() {
        let config = Cc2420Config::from_toml("[timing.cc2420.saes]\nvalue = 20\nunit = \"us\"\n")
            .expect("valid");
        assert_eq!(
            config,
            Cc2420Config {
                saes: Ps::from_micros(20),
                ..Cc2420Config::default()
            }
        );
    }

    #[test]
    fn refuses_unknown_names_wrong_units_and_senseless_values() {
        let unknown = Cc2420Config::from_toml("[timing.cc2420.speed]\nvalue = 1\nunit = \"us\"\n")
            .expect_err("unknown");
        assert!(
            unknown.to_string().contains("'speed'") && unknown.to_string().contains("vreg_start")
        );
        for bad in [
            "value = 1\nunit = \"ms\"",
            "value = -1\nunit = \"us\"",
            "value = 2e6\nunit = \"us\"",
            "unit = \"us\"",
        ] {
            let text = format!("[timing.cc2420.saes]\n{bad}\n");
            assert_eq!(
                Cc2420Config::from_toml(&text),
                Err(ConfigError::Value {
                    chip: "cc2420",
                    name: "saes".into(),
                    unit: "us"
                }),
                "{bad}"
            );
        }
        assert!(matches!(
            Cc2420Config::from_toml("[timing"),
            Err(ConfigError::Syntax(_))
        ));
    }

    #[test]
    fn lists_values_with_sources() {
        let list = Cc2420Config::default().parameters();
        let block = list
            .iter()
            .find(|parameter| parameter.name == "inline_block")
            .expect("listed");
        assert!((block.value - 13.875).abs() < 1e-9);
        assert!(list.iter().all(|parameter| !parameter.source.is_empty()));
    }
}
