//! What the TelosB draws: in which state CPU and radio are, and the currents from the board's data
//! file.

use crate::board::{BoardError, MeterRow, StateChange};
use crate::charge;
use cpu_msp430::{SR_CPUOFF, SR_OSCOFF, SR_SCG0, SR_SCG1};
use device::Ps;
use device::cc2420::{Cc2420, Cc2420Config};
use device::meter::{CurrentTable, DeviceId, Meter, State};

/// Supply, currents and timing of this board, each with its source.
const DATA: &str = include_str!("../../data/telosb.toml");

/// The radio's parameters from the data file.
pub(super) fn radio_config() -> Result<Cc2420Config, BoardError> {
    Cc2420Config::from_toml(DATA).map_err(|error| BoardError::Data(error.to_string()))
}

/// The meter of one board.
pub(super) struct Power {
    meter: Meter,
    table: CurrentTable,
    cpu: DeviceId,
    radio: DeviceId,
    mode: u16,
    clock_hz: u32,
}

impl Power {
    pub fn new() -> Result<Power, BoardError> {
        let table =
            CurrentTable::parse(DATA).map_err(|error| BoardError::Data(error.to_string()))?;
        let mut meter = Meter::new();
        let cpu = meter.add(Ps::ZERO, "cpu", cpu_state(0, 0));
        let radio = meter.add(Ps::ZERO, "cc2420", State::named("off"));
        Ok(Power {
            meter,
            table,
            cpu,
            radio,
            mode: 0,
            clock_hz: 0,
        })
    }

    /// The CPU clock has this frequency from `now` on; while it stands still its last frequency is
    /// kept.
    pub fn clock(&mut self, now: Ps, millihertz: u64) {
        if let Ok(hertz @ 1..) = u32::try_from((millihertz + 500) / 1000) {
            self.clock_hz = hertz;
        }
        self.meter
            .set(now, self.cpu, cpu_state(self.mode, self.clock_hz));
    }

    /// The low-power bits of SR are these from `now` on.
    pub fn mode(&mut self, now: Ps, mode: u16) {
        self.mode = mode;
        self.meter
            .set(now, self.cpu, cpu_state(mode, self.clock_hz));
    }

    /// Asks the radio for its state.
    pub fn radio(&mut self, now: Ps, radio: &Cc2420) {
        self.meter
            .set(now, self.radio, State::named(radio.state().name()));
    }

    /// Frequency of the CPU clock.
    pub fn clock_hz(&self) -> u32 {
        self.clock_hz
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

/// The CPU's state in the data file. Only the current of a running CPU depends on its clock.
fn cpu_state(mode: u16, clock_hz: u32) -> State {
    if mode & SR_CPUOFF == 0 {
        return State::clocked("active", clock_hz);
    }
    State::named(
        match (
            mode & SR_OSCOFF != 0,
            mode & SR_SCG1 != 0,
            mode & SR_SCG0 != 0,
        ) {
            (true, _, _) => "lpm4",
            (false, true, true) => "lpm3",
            (false, true, false) => "lpm2",
            (false, false, true) => "lpm1",
            (false, false, false) => "lpm0",
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use device::cc2420::RadioState;

    #[test]
    fn every_state_has_a_current_in_the_data_file() {
        let mut power = Power::new().expect("the data file parses");
        let mut now = Ps::ZERO;
        for mode in 0..16 {
            now += Ps::from_micros(1);
            power.mode(now, mode << 4);
        }
        for pa_level in 0..32 {
            now += Ps::from_micros(1);
            power.meter.set(
                now,
                power.radio,
                State::named(RadioState::Tx { pa_level }.name()),
            );
        }
        for state in [
            RadioState::Off,
            RadioState::PowerDown,
            RadioState::Idle,
            RadioState::Rx,
        ] {
            now += Ps::from_micros(1);
            power
                .meter
                .set(now, power.radio, State::named(state.name()));
        }
        let rows = power.rows(now + Ps::from_micros(1)).expect("all known");
        assert_eq!(rows.iter().filter(|row| row.device == "cpu").count(), 6);
        assert_eq!(rows.iter().filter(|row| row.device == "cc2420").count(), 12);
        radio_config().expect("the data file has the radio's parameters");
    }

    #[test]
    fn an_active_cpu_draws_by_its_clock() {
        let mut power = Power::new().expect("the data file parses");
        power.clock(Ps::ZERO, 8_000_000_000);
        let rows = power.rows(Ps::from_micros(1_000_000)).expect("known");
        let active = rows
            .iter()
            .find(|row| row.state == "active" && row.seconds > 0.0)
            .expect("active");
        assert_eq!((active.clock_hz, active.seconds), (8_000_000, 1.0));
        assert!(
            (active.current_ma - 4.0).abs() < 1e-9,
            "500 uA/MHz at 8 MHz"
        );
        assert!(
            (active.energy_uj - 12_000.0).abs() < 1e-6,
            "4 mA at 3 V for a second"
        );
    }
}
