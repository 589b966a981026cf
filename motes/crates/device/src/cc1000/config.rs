//! Named timing and radio parameters of the model, each with its value, its source and what it
//! rests on. The data sheet is SWRS048; figures "from memory" were not compared with it.

use crate::Ps;
use crate::parameter::{Configured, Entry, level, real, span};

/// Timing and radio parameters of a CC1000.
#[derive(Clone, Debug, PartialEq)]
pub struct Cc1000Config {
    /// From CORE_PD = 0 to a stable crystal oscillator.
    pub xosc_start: Ps,
    /// From a change of MAIN to a synthesizer that is locked again.
    pub lock: Ps,
    /// From CAL_START to CAL_COMPLETE.
    pub calibration: Ps,
    /// A carrier of this strength gives one wrong bit in a thousand.
    pub sensitivity_dbm: f64,
    /// What RSSI tells when nothing is on the air.
    pub noise_floor_dbm: f64,
    /// How far the carrier may be from its place in the intermediate frequency.
    pub half_channel_khz: u32,
    /// Start of the noise sequence.
    pub noise_seed: u64,
    /// Deviation of its crystal in parts per billion.
    pub ppb: i64,
}

impl Default for Cc1000Config {
    fn default() -> Self {
        Cc1000Config {
            xosc_start: Ps::from_micros(2_000),
            lock: Ps::from_micros(250),
            calibration: Ps::from_micros(34_000),
            sensitivity_dbm: -102.0,
            noise_floor_dbm: -105.0,
            half_channel_khz: 60,
            noise_seed: 0x1000,
            ppb: 0,
        }
    }
}

const TABLE: [Entry<Cc1000Config>; 6] = [
    span!(
        xosc_start,
        Assumed,
        "SWRS048 from memory: the crystal oscillator starts within 2 ms; drivers wait as long"
    ),
    span!(
        lock,
        Assumed,
        "SWRS048 from memory: 250 us from receiving to transmitting and back; drivers wait as long"
    ),
    span!(
        calibration,
        Assumed,
        "SWRS048 from memory: a calibration takes 34 ms at most"
    ),
    real!(
        sensitivity_dbm,
        "dBm",
        200.0,
        Assumed,
        "SWRS048 from memory: -102 dBm at 433 MHz and 38.4 kBaud, one wrong bit in a thousand"
    ),
    real!(
        noise_floor_dbm,
        "dBm",
        200.0,
        Assumed,
        "SWRS048 from memory: RSSI tells levels down to -105 dBm"
    ),
    level!(
        half_channel_khz: u32,
        "kHz",
        1000.0,
        Assumed,
        "SWRS048 from memory: the filter at 150 kHz passes 175 kHz; less half the separation of 64 kHz"
    ),
];

impl Configured for Cc1000Config {
    const CHIP: &'static str = "cc1000";

    fn table() -> &'static [Entry<Cc1000Config>] {
        &TABLE
    }
}
