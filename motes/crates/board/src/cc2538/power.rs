//! What the devices of the CC2538 draw, by the names of the data file.

use crate::board::BoardError;
use crate::charge::{BoardMeter, CpuMode};
use crate::description::Description;
use device::Ps;
use device::cc2538::{Cc2538, EngineState, FlashState, PowerMode, RadioState};
use device::i2c::I2cBus;
use device::meter::{DeviceId, State};
use std::collections::BTreeMap;

impl CpuMode for PowerMode {
    /// Only the current of a running CPU depends on its clock.
    fn state(self, clock_hz: u32) -> State {
        match self {
            PowerMode::Active => State::clocked(self.name(), clock_hz),
            asleep => State::named(asleep.name()),
        }
    }
}

/// The meter with the devices of the chip.
#[derive(Clone)]
pub(super) struct Power {
    pub(super) cpu: BoardMeter<PowerMode>,
    radio: DeviceId,
    aes: DeviceId,
    flash: DeviceId,
    /// What the meter knows of radio, AES engine and flash.
    known: (RadioState, EngineState, FlashState),
    /// The parts on the I2C bus that the program has talked to, by their places, and when each was
    /// looked at last.
    parts: BTreeMap<usize, (DeviceId, Ps)>,
}

impl Power {
    /// All as at power-on.
    pub(super) fn new(board: &Description) -> Result<Power, BoardError> {
        let mut cpu = BoardMeter::new(board, PowerMode::Active)?;
        let known = (RadioState::Off, EngineState::Off, FlashState::Idle);
        Ok(Power {
            radio: cpu.add("radio", known.0.name()),
            aes: cpu.add("aes", known.1.name()),
            flash: cpu.add("flash", known.2.name()),
            cpu,
            known,
            parts: BTreeMap::new(),
        })
    }

    /// Asks the devices for their states. Most register accesses do not change them.
    #[inline]
    pub(super) fn devices(&mut self, now: Ps, chip: &Cc2538) {
        let states = (chip.radio_state(), chip.engine_state(), chip.flash_state());
        if states != self.known {
            self.record(now, states);
        }
    }

    /// Asks the parts on the I2C bus for their states. Each is counted from its first use on.
    pub(super) fn parts(&mut self, now: Ps, bus: &I2cBus) {
        for (place, part) in bus.used() {
            let state = part.state(now);
            let (id, last) = *self.parts.entry(place).or_insert_with(|| {
                let id = self.cpu.add_at(now, part.name(), state);
                (id, now)
            });
            let settled = part.settles_at();
            let since = if settled > last && settled < now {
                settled
            } else {
                now
            };
            self.cpu.set(since, id, state);
            self.parts.insert(place, (id, since));
        }
    }

    fn record(&mut self, now: Ps, states: (RadioState, EngineState, FlashState)) {
        self.known = states;
        let (radio, aes, flash) = states;
        self.cpu.set(now, self.radio, radio.name());
        self.cpu.set(now, self.aes, aes.name());
        self.cpu.set(now, self.flash, flash.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::describe;
    use device::cc2538::Cc2538Config;
    use device::parameter::Configured;

    fn power() -> Power {
        let board = describe("openmote-cc2538").expect("a board");
        Power::new(&board).expect("the data file parses")
    }

    #[test]
    fn every_state_has_a_current_in_the_data_file() {
        let Power {
            mut cpu,
            radio,
            aes,
            flash,
            ..
        } = power();
        let mut now = Ps::ZERO;
        let mut next = || {
            now += Ps::from_micros(1);
            now
        };
        let transmits = (-24..=7).map(|power_dbm| RadioState::Tx { power_dbm });
        let others = [RadioState::Off, RadioState::RxSearch, RadioState::RxFrame];
        for state in others.into_iter().chain(transmits) {
            cpu.set(next(), radio, state.name());
        }
        for state in [EngineState::Idle, EngineState::Busy, EngineState::Off] {
            cpu.set(next(), aes, state.name());
        }
        for state in [FlashState::Erase, FlashState::Write, FlashState::Idle] {
            cpu.set(next(), flash, state.name());
        }
        for mode in [
            PowerMode::Sleep,
            PowerMode::Pm1,
            PowerMode::Pm2,
            PowerMode::Pm3,
        ] {
            cpu.mode(next(), mode);
        }
        let rows = cpu.rows(next()).expect("all known");
        let count = |device: &str| rows.iter().filter(|row| row.device == device).count();
        assert_eq!(["cpu", "radio", "aes", "flash"].map(count), [5, 5, 3, 3]);
        let text = describe("openmote-cc2538").expect("a board").text;
        Cc2538Config::from_toml(&text).expect("the data file has the chip's parameters");
    }

    #[test]
    fn an_active_cpu_draws_by_its_clock() {
        for (hertz, current_ma) in [(32_000_000, 13.0), (16_000_000, 7.0)] {
            let mut cpu = power().cpu;
            cpu.clock(Ps::ZERO, u64::from(hertz) * 1000);
            let rows = cpu.rows(Ps::from_micros(1_000_000)).expect("known");
            let active = rows
                .iter()
                .find(|row| row.seconds > 0.0 && row.device == "cpu")
                .expect("active");
            assert_eq!((active.state.as_str(), active.clock_hz), ("active", hertz));
            let ma = active.current_ma;
            assert!((ma - current_ma).abs() < 1e-9, "{ma} mA");
        }
    }
}
