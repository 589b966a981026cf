//! Time in state of every device, and what it costs.
//!
//! A [`Meter`] accumulates time per device and [`State`]. A [`CurrentTable`] is read from a board's
//! data file and turns a [`Snapshot`] into charge and energy: charge = Σ time × current, energy =
//! charge × supply voltage. Nothing has a default: a state without a current is an error.

pub use crate::currents::{Cost, CurrentTable, Figure, MeterError};

use crate::Ps;
use std::collections::BTreeMap;

/// A device known to a [`Meter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId(usize);

/// A named state of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Name in the board's data file.
    pub name: &'static str,
    /// The clock on which its current depends, in Hz; 0 if it depends on none.
    pub clock_hz: u32,
}

impl State {
    /// A state whose current does not depend on a clock.
    pub const fn named(name: &'static str) -> State {
        State { name, clock_hz: 0 }
    }

    /// A state that runs at `clock_hz`.
    pub const fn clocked(name: &'static str, clock_hz: u32) -> State {
        State { name, clock_hz }
    }
}

#[derive(Clone)]
struct Device {
    name: &'static str,
    state: State,
    since: Ps,
    spent: Vec<(State, Ps)>,
}

impl Device {
    fn add(&mut self, state: State, time: Ps) {
        match self.spent.iter_mut().find(|(known, _)| *known == state) {
            Some((_, total)) => *total += time,
            None => self.spent.push((state, time)),
        }
    }
}

/// A device is in a state from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub at: Ps,
    /// Device.
    pub device: &'static str,
    /// Its state from then on.
    pub state: State,
}

/// Time in state of the devices of one board.
#[derive(Clone, Default)]
pub struct Meter {
    devices: Vec<Device>,
    /// Changes since the last call that took them. `None` until the first call, because hours of
    /// changes fill memory.
    changes: Option<Vec<Change>>,
}

impl Meter {
    /// A meter without devices.
    pub fn new() -> Meter {
        Meter::default()
    }

    /// Adds a device that is in `state` from `now` on.
    pub fn add(&mut self, now: Ps, name: &'static str, state: State) -> DeviceId {
        self.devices.push(Device {
            name,
            state,
            since: now,
            spent: Vec::new(),
        });
        DeviceId(self.devices.len() - 1)
    }

    /// The device is in `state` from `now` on. `now` does not run backwards.
    pub fn set(&mut self, now: Ps, device: DeviceId, state: State) {
        let device = &mut self.devices[device.0];
        if device.state != state {
            let time = now - device.since;
            device.add(device.state, time);
            device.state = state;
            device.since = now;
            let name = device.name;
            if let Some(changes) = &mut self.changes {
                changes.push(Change {
                    at: now,
                    device: name,
                    state,
                });
            }
        }
    }

    /// Changes since the last call, in order of time. The first call begins to record them, and
    /// gives the state that each device is in.
    pub fn take_changes(&mut self) -> Vec<Change> {
        let present = self.devices.iter().map(|device| Change {
            at: device.since,
            device: device.name,
            state: device.state,
        });
        match self.changes.replace(Vec::new()) {
            Some(changes) => changes,
            None => present.collect(),
        }
    }

    /// The state a device is in.
    pub fn state(&self, device: DeviceId) -> State {
        self.devices[device.0].state
    }

    /// What every device spent in every state until `now`.
    pub fn snapshot(&self, now: Ps) -> Snapshot {
        let mut times = BTreeMap::new();
        for device in &self.devices {
            let current = (device.state, now - device.since);
            for (state, time) in device.spent.iter().copied().chain([current]) {
                *times.entry((device.name, state)).or_insert(Ps::ZERO) += time;
            }
        }
        Snapshot { span: now, times }
    }
}

/// Time in state, from the beginning or, after [`Snapshot::since`], over a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    span: Ps,
    times: BTreeMap<(&'static str, State), Ps>,
}

impl Snapshot {
    /// What was spent between `earlier` and this snapshot of the same meter.
    pub fn since(&self, earlier: &Snapshot) -> Snapshot {
        let before = |key| earlier.times.get(key).copied().unwrap_or(Ps::ZERO);
        let times = self
            .times
            .iter()
            .map(|(key, time)| (*key, *time - before(key)))
            .filter(|(_, time)| *time > Ps::ZERO);
        Snapshot {
            span: self.span - earlier.span,
            times: times.collect(),
        }
    }

    /// Length of the span.
    pub fn span(&self) -> Ps {
        self.span
    }

    /// Device, state and time, sorted by device and state.
    pub fn times(&self) -> impl Iterator<Item = (&'static str, State, Ps)> + '_ {
        self.times
            .iter()
            .map(|(&(device, state), &time)| (device, state, time))
    }

    /// Time of one device in the states of one name, at any clock.
    pub fn time(&self, device: &str, state: &str) -> Ps {
        let times = self
            .times
            .iter()
            .filter(|((name, known), _)| *name == device && known.name == state);
        times.fold(Ps::ZERO, |sum, (_, &time)| sum + time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(micros: u64) -> Ps {
        Ps::from_micros(micros)
    }

    #[test]
    fn accumulates_per_state_and_clock() {
        let mut meter = Meter::new();
        let cpu = meter.add(us(5), "cpu", State::clocked("active", 1_000_000));
        meter.set(us(10), cpu, State::clocked("active", 8_000_000));
        meter.set(us(12), cpu, State::clocked("active", 8_000_000));
        meter.set(us(20), cpu, State::named("lpm3"));
        meter.set(us(30), cpu, State::clocked("active", 8_000_000));
        let first = meter.snapshot(us(31));
        let times: Vec<_> = first.times().collect();
        let expected = [
            ("cpu", State::clocked("active", 1_000_000), us(5)),
            ("cpu", State::clocked("active", 8_000_000), us(11)),
            ("cpu", State::named("lpm3"), us(10)),
        ];
        assert_eq!(times, expected);
        assert_eq!(first.time("cpu", "active"), us(16));
        meter.set(us(40), cpu, State::named("lpm3"));
        let rest = meter.snapshot(us(45)).since(&first);
        assert_eq!(rest.times().count(), 2);
        assert_eq!(
            (
                rest.time("cpu", "active"),
                rest.time("cpu", "lpm3"),
                rest.span()
            ),
            (us(9), us(5), us(14))
        );
    }

    #[test]
    fn changes_are_kept_only_when_asked_for() {
        let mut meter = Meter::new();
        let cpu = meter.add(us(5), "cpu", State::named("lpm3"));
        meter.set(us(10), cpu, State::clocked("active", 8_000_000));
        let change = |at, state| Change {
            at: us(at),
            device: "cpu",
            state,
        };
        let active = State::clocked("active", 8_000_000);
        assert_eq!(
            meter.take_changes(),
            [change(10, active)],
            "the state it is in"
        );
        meter.set(us(12), cpu, active);
        assert_eq!(meter.take_changes(), [], "the same state is no change");
        meter.set(us(20), cpu, State::named("lpm3"));
        meter.set(us(25), cpu, active);
        assert_eq!(
            meter.take_changes(),
            [change(20, State::named("lpm3")), change(25, active)]
        );
        assert_eq!(meter.take_changes(), []);
    }
}
