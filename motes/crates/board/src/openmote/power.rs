//! What the OpenMote draws: in which states CPU, radio, AES engine and flash are, and the currents
//! from its data file.

use crate::board::{BoardError, MeterRow, StateChange};
use crate::charge;
use device::Ps;
use device::cc2538::{Cc2538, Cc2538Config, PowerMode};
use device::meter::{CurrentTable, DeviceId, Meter, State};

/// Supply, currents and timing of this board, each with its source.
const DATA: &str = include_str!("../../data/openmote-cc2538.toml");

/// The chip's parameters from the data file.
pub(super) fn chip_config() -> Result<Cc2538Config, BoardError> {
    Cc2538Config::from_toml(DATA).map_err(|error| BoardError::Data(error.to_string()))
}

/// The meter of one board.
pub(super) struct Power {
    meter: Meter,
    table: CurrentTable,
    cpu: DeviceId,
    radio: DeviceId,
    aes: DeviceId,
    flash: DeviceId,
    mode: PowerMode,
    clock_hz: u32,
}

impl Power {
    pub fn new() -> Result<Power, BoardError> {
        let table =
            CurrentTable::parse(DATA).map_err(|error| BoardError::Data(error.to_string()))?;
        let mut meter = Meter::new();
        Ok(Power {
            cpu: meter.add(Ps::ZERO, "cpu", cpu_state(PowerMode::Active, 0)),
            radio: meter.add(Ps::ZERO, "radio", State::named("off")),
            aes: meter.add(Ps::ZERO, "aes", State::named("off")),
            flash: meter.add(Ps::ZERO, "flash", State::named("idle")),
            meter,
            table,
            mode: PowerMode::Active,
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

    /// The power mode is this from `now` on.
    pub fn mode(&mut self, now: Ps, mode: PowerMode) {
        self.mode = mode;
        self.meter
            .set(now, self.cpu, cpu_state(mode, self.clock_hz));
    }

    /// Asks the other devices for their states.
    pub fn devices(&mut self, now: Ps, chip: &Cc2538) {
        self.meter
            .set(now, self.radio, State::named(chip.radio_state().name()));
        self.meter
            .set(now, self.aes, State::named(chip.engine_state().name()));
        self.meter
            .set(now, self.flash, State::named(chip.flash_state().name()));
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
fn cpu_state(mode: PowerMode, clock_hz: u32) -> State {
    match mode {
        PowerMode::Active => State::clocked(mode.name(), clock_hz),
        asleep => State::named(asleep.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device::cc2538::{EngineState, FlashState, RadioState};

    #[test]
    fn every_state_has_a_current_in_the_data_file() {
        let mut power = Power::new().expect("the data file parses");
        let mut now = Ps::ZERO;
        for state in [RadioState::Off, RadioState::RxSearch, RadioState::RxFrame] {
            now += Ps::from_micros(1);
            power
                .meter
                .set(now, power.radio, State::named(state.name()));
        }
        for power_dbm in -24..=7 {
            now += Ps::from_micros(1);
            let state = RadioState::Tx { power_dbm };
            power
                .meter
                .set(now, power.radio, State::named(state.name()));
        }
        for state in [EngineState::Idle, EngineState::Busy, EngineState::Off] {
            now += Ps::from_micros(1);
            power.meter.set(now, power.aes, State::named(state.name()));
        }
        for state in [FlashState::Erase, FlashState::Write, FlashState::Idle] {
            now += Ps::from_micros(1);
            power
                .meter
                .set(now, power.flash, State::named(state.name()));
        }
        for mode in [
            PowerMode::Sleep,
            PowerMode::Pm1,
            PowerMode::Pm2,
            PowerMode::Pm3,
        ] {
            now += Ps::from_micros(1);
            power.mode(now, mode);
        }
        let rows = power.rows(now + Ps::from_micros(1)).expect("all known");
        let count = |device: &str| rows.iter().filter(|row| row.device == device).count();
        assert_eq!(["cpu", "radio", "aes", "flash"].map(count), [5, 5, 3, 3]);
        chip_config().expect("the data file has the chip's parameters");
    }

    #[test]
    fn an_active_cpu_draws_by_its_clock() {
        for (hertz, current_ma) in [(32_000_000, 13.0), (16_000_000, 7.0)] {
            let mut power = Power::new().expect("the data file parses");
            power.clock(Ps::ZERO, u64::from(hertz) * 1000);
            let rows = power.rows(Ps::from_micros(1_000_000)).expect("known");
            let active = rows
                .iter()
                .find(|row| row.seconds > 0.0 && row.device == "cpu")
                .expect("active");
            assert_eq!((active.state.as_str(), active.clock_hz), ("active", hertz));
            assert!(
                (active.current_ma - current_ma).abs() < 1e-9,
                "{} mA",
                active.current_ma
            );
        }
    }
}
