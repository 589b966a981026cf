//! Times of the M25P80, each with its source.

use crate::Ps;
use crate::parameter::{Configured, Entry, span};

/// Times of an M25P80.
#[derive(Clone, Debug, PartialEq)]
pub struct M25p80Config {
    /// Programming of up to eight octets of a page; each further eight take as long again.
    pub program_eight: Ps,
    /// Erasure of one sector.
    pub sector_erase: Ps,
    /// Bulk erase, for each sector.
    pub bulk_erase_sector: Ps,
    /// A write to the status register.
    pub status_write: Ps,
    /// From DP to deep power-down.
    pub power_down: Ps,
    /// From RES to the next instruction.
    pub release: Ps,
}

impl Default for M25p80Config {
    fn default() -> M25p80Config {
        M25p80Config {
            program_eight: Ps::from_micros(20),
            sector_erase: Ps::from_micros(600_000),
            bulk_erase_sector: Ps::from_micros(500_000),
            status_write: Ps::from_micros(1_300),
            power_down: Ps::from_micros(3),
            release: Ps::from_micros(30),
        }
    }
}

const TABLE: [Entry<M25p80Config>; 6] = [
    span!(
        program_eight,
        Datasheet,
        "M25P80 data sheet, features: 0.64 ms for a page of 256 octets, typical; a 32nd of it"
    ),
    span!(
        sector_erase,
        Datasheet,
        "M25P80 data sheet, features: 0.6 s for a sector of 512 Kbit, typical"
    ),
    span!(
        bulk_erase_sector,
        Datasheet,
        "M25P80 data sheet, features: 8 s for 8 Mbit, typical; a 16th of it"
    ),
    span!(
        status_write,
        Assumed,
        "M25P80 data sheet from memory: tW 1.3 ms, typical"
    ),
    span!(
        power_down,
        Assumed,
        "M25P80 data sheet from memory: tDP 3 us at most"
    ),
    span!(
        release,
        Assumed,
        "M25P80 data sheet from memory: tRES1 and tRES2 30 us at most"
    ),
];

impl Configured for M25p80Config {
    const CHIP: &'static str = "m25p80";

    fn table() -> &'static [Entry<M25p80Config>] {
        &TABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::check_stated;

    #[test]
    fn the_board_file_states_every_time_with_its_default_and_source() {
        check_stated::<M25p80Config>(include_str!("../../../../../boards/telosb.toml"));
    }
}
