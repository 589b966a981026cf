//! Named parameters of the model of an MSP430F1611, each with its value, its source and what it
//! rests on. The data sheet SLAS368 and the user's guide SLAU049 were not at hand in print: figures
//! recalled from them count as assumed.

use super::dco::{DcoFigures, DcoModel};
use crate::Ps;
use crate::parameter::{Configured, Entry, level, real, span};

/// One particular chip and crystal.
#[derive(Clone, Debug, PartialEq)]
pub struct F1611Config {
    /// Deviation of the 32 768 Hz crystal in parts per million, taken to the nearest part per
    /// billion.
    pub aclk_ppm: f64,
    /// Time of the first rising edge of LFXT1.
    pub aclk_phase: Ps,
    /// Start of the noise of the DCO.
    pub noise_seed: u64,
    /// The DCO of this part.
    pub dco: DcoModel,
    /// Frequencies of this family's DCO over the typical ones.
    pub dco_typical: f64,
    /// f(n + 1) / f(n) between neighbouring DCO taps.
    pub dco_tap_ratio: f64,
    /// Frequency with R_OSC = 100 kΩ (DCOR = 1) over the frequency with the internal resistor.
    pub dco_external_ratio: f64,
    /// Frequency of this part divided by that of a part with a tap exactly at the requested clock.
    pub dco_part: f64,
    /// A counter of DCO cycles that captures an edge of the crystal is late by up to this many
    /// cycles.
    pub dco_jitter: u8,
    /// From an interrupt in LPM3 or LPM4 to a running DCO.
    pub dco_start: Ps,
    /// After power-on OFIFG cannot be cleared for this long.
    pub crystal_start: Ps,
    /// Cycles of its source clock from a write to an idle USART's TXBUF to the first bit.
    pub usart_start: u8,
}

impl Default for F1611Config {
    fn default() -> F1611Config {
        let figures = DcoFigures::default();
        F1611Config {
            aclk_ppm: 0.0,
            aclk_phase: Ps::ZERO,
            noise_seed: 0x1611,
            dco: DcoModel::default(),
            dco_typical: figures.typical,
            dco_tap_ratio: figures.tap_ratio,
            dco_external_ratio: figures.external_ratio,
            dco_part: 1.0,
            dco_jitter: 2,
            dco_start: Ps::from_micros(6),
            crystal_start: Ps::from_micros(10_000),
            usart_start: 0,
        }
    }
}

impl F1611Config {
    /// A chip whose DCO has a tap at `hz`, before [`F1611Config::dco_part`] is applied.
    pub fn with_tap_at(mut self, hz: f64) -> F1611Config {
        let figures = DcoFigures {
            typical: self.dco_typical,
            tap_ratio: self.dco_tap_ratio,
            external_ratio: self.dco_external_ratio,
        };
        self.dco = DcoModel::with_tap_at(hz, &figures).times(self.dco_part);
        self
    }
}

const TABLE: [Entry<F1611Config>; 8] = [
    real!(
        dco_typical,
        "",
        100.0,
        Assumed,
        "the typical frequencies of the MSP430x1xx data sheets at DCO tap 3, 3 V, 25 C (0.12, 0.19, 0.30, 0.49, 0.77, 1.2, 1.9, 2.9 MHz for RSEL 0 to 7), times this"
    ),
    real!(
        dco_tap_ratio,
        "",
        100.0,
        Assumed,
        "inside 1.07 to 1.16 of the MSP430x1xx data sheets; with f(DCO73) it gives their typical f(DCO77), 4.9 MHz"
    ),
    real!(
        dco_external_ratio,
        "",
        100.0,
        Assumed,
        "R_OSC 100 kOhm over the internal resistor: 1.95 MHz over 0.77 MHz at RSEL 4, DCO 3, 3 V, in the MSP430x1xx data sheets, taken for all taps"
    ),
    real!(
        dco_part,
        "",
        100.0,
        Assumed,
        "frequency of the specimen over that of a part of which one tap is exactly the clock that is asked for"
    ),
    level!(dco_jitter: u8, "cycles", 64.0, Assumed, "no figure in the data sheets. At least this much is needed for calibrations that wait for an exact count to end, as they do on chips: MOD is a step of 0.4 %"),
    span!(
        dco_start,
        Assumed,
        "the data sheet's maximum, from memory: 6 us from LPM3 or LPM4 to a running DCO"
    ),
    span!(
        crystal_start,
        Assumed,
        "real watch crystals need longer, and nothing that is measured depends on it"
    ),
    level!(usart_start: u8, "cycles", 64.0, Assumed, "the user's guide does not bound the synchronisation of USART and CPU; SPI begins at the next edge of its clock"),
];

impl Configured for F1611Config {
    const CHIP: &'static str = "msp430f1611";

    fn table() -> &'static [Entry<F1611Config>] {
        &TABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::check_stated;

    #[test]
    fn the_board_file_states_every_parameter_with_its_default_and_source() {
        check_stated::<F1611Config>(include_str!("../../../../../boards/telosb.toml"));
    }
}
