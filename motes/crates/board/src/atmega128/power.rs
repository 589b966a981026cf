//! What the chip draws: in which state the CPU is, and the currents from the board's data file.

use super::memory::Chip;
use crate::board::{BoardError, MeterRow, StateChange};
use crate::charge;
use device::Ps;
use device::atmega128::Sleep;
use device::meter::{CurrentTable, DeviceId, Meter, State};

const DATA: &str = include_str!("../../data/atmega128.toml");
const DATA_1281: &str = include_str!("../../data/atmega1281.toml");

/// The meter of one board.
pub(super) struct Power {
    meter: Meter,
    table: CurrentTable,
    cpu: DeviceId,
}

impl Power {
    pub fn new(chip: Chip) -> Result<Power, BoardError> {
        let data = if chip == Chip::Atmega128 {
            DATA
        } else {
            DATA_1281
        };
        let table =
            CurrentTable::parse(data).map_err(|error| BoardError::Data(error.to_string()))?;
        let mut meter = Meter::new();
        let cpu = meter.add(Ps::ZERO, "cpu", state(None));
        Ok(Power { meter, table, cpu })
    }

    /// The CPU sleeps so from `now` on, or runs.
    pub fn sleep(&mut self, now: Ps, sleep: Option<Sleep>) {
        self.meter.set(now, self.cpu, state(sleep));
    }

    /// Time and charge until `now`.
    pub fn rows(&self, now: Ps) -> Result<Vec<MeterRow>, BoardError> {
        charge::rows(&self.meter, &self.table, now)
    }

    /// Changes of state since the last call; the first call begins to record them.
    pub fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        charge::state_changes(&mut self.meter, &self.table)
    }
}

fn state(sleep: Option<Sleep>) -> State {
    State::named(match sleep {
        None => "active",
        Some(Sleep::Idle) => "idle",
        Some(Sleep::NoiseReduction) => "noise_reduction",
        Some(Sleep::Standby) => "standby",
        Some(Sleep::PowerDown) => "power_down",
    })
}
