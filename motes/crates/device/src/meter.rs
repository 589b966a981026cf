//! Time in state of every device, and what it costs.
//!
//! A [`Meter`] accumulates time per device and [`State`]. A [`CurrentTable`] is read from a board's data file and turns
//! a [`Snapshot`] into charge and energy: charge = Σ time × current, energy = charge × supply voltage. Nothing has a
//! default: a state without a current is an error.

use crate::Ps;
use crate::cc2420::Kind;
use crate::cc2420::config::number;
use std::collections::BTreeMap;
use thiserror::Error;

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

/// Time in state of the devices of one board.
#[derive(Default)]
pub struct Meter {
    devices: Vec<Device>,
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
        self.times.iter().map(|(&(device, state), &time)| (device, state, time))
    }

    /// Time of one device in the states of one name, whatever their clocks.
    pub fn time(&self, device: &str, state: &str) -> Ps {
        let times = self
            .times
            .iter()
            .filter(|((name, known), _)| *name == device && known.name == state);
        times.fold(Ps::ZERO, |sum, (_, &time)| sum + time)
    }
}

/// Why a data file or a snapshot was refused.
#[derive(Debug, Error, PartialEq)]
pub enum MeterError {
    /// Not TOML.
    #[error("not a TOML file: {0}")]
    Syntax(String),
    /// A table that lacks something or has the wrong type.
    #[error("{0}: {1}")]
    Entry(String, &'static str),
    /// A device was in a state whose current is unknown.
    #[error("no current for state '{state}' of device '{device}'; known: {known}")]
    NoCurrent {
        /// Device.
        device: String,
        /// Its state.
        state: String,
        /// States of that device in the data file.
        known: String,
    },
}

/// One sourced number.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Value in the unit of its table.
    pub value: f64,
    /// Where it comes from.
    pub source: String,
    /// What it rests on.
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
struct Current {
    /// µA, or µA per MHz.
    figure: Figure,
    per_mhz: bool,
}

/// Supply voltage and the current of every state of every device.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentTable {
    /// Supply voltage in V.
    pub supply_v: Figure,
    currents: BTreeMap<String, BTreeMap<String, Current>>,
}

/// What one state of one device cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Device.
    pub device: &'static str,
    /// State.
    pub state: State,
    /// Time spent in it.
    pub time: Ps,
    /// Current in it.
    pub current_ua: f64,
    /// Time × current.
    pub charge_uc: f64,
    /// Charge × supply voltage.
    pub energy_uj: f64,
    /// Where the current comes from.
    pub source: String,
    /// What the current rests on.
    pub kind: Kind,
}

fn figure(path: &str, table: &toml::Table) -> Result<(Figure, String), MeterError> {
    let wrong = |what| MeterError::Entry(path.to_owned(), what);
    let text = |field: &str| table.get(field).and_then(|value| value.as_str()).map(str::to_owned);
    let value = number(table.get("value"))
        .filter(|value| *value >= 0.0)
        .ok_or(wrong("needs a number `value` ≥ 0"))?;
    let unit = text("unit").ok_or(wrong("needs a `unit`"))?;
    let source = text("source")
        .filter(|source| !source.is_empty())
        .ok_or(wrong("needs a `source`"))?;
    let kind = text("kind").and_then(|kind| Kind::from_name(&kind));
    let kind = kind.ok_or(wrong("needs a `kind`: datasheet, measured or assumed"))?;
    Ok((Figure { value, source, kind }, unit))
}

impl Current {
    fn parse(path: &str, table: &toml::Table) -> Result<Current, MeterError> {
        let (mut figure, unit) = figure(path, table)?;
        let (scale, per_mhz) = match unit.as_str() {
            "nA" => (1e-3, false),
            "uA" => (1.0, false),
            "mA" => (1e3, false),
            "uA/MHz" => (1.0, true),
            _ => {
                return Err(MeterError::Entry(
                    path.to_owned(),
                    "`unit` must be nA, uA, mA or uA/MHz",
                ));
            }
        };
        figure.value *= scale;
        Ok(Current { figure, per_mhz })
    }

    fn micro_amperes(&self, clock_hz: u32) -> f64 {
        self.figure.value * if self.per_mhz { f64::from(clock_hz) * 1e-6 } else { 1.0 }
    }
}

impl CurrentTable {
    /// Reads `[supply]` and `[current.<device>.<state>]` of a board's data file.
    pub fn parse(text: &str) -> Result<CurrentTable, MeterError> {
        let root: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| MeterError::Syntax(error.to_string()))?;
        let table = |name: &str| root.get(name).and_then(|value| value.as_table());
        let missing = |name: &str| MeterError::Entry(name.to_owned(), "is missing");
        let (supply_v, unit) = figure("supply", table("supply").ok_or_else(|| missing("supply"))?)?;
        if unit != "V" {
            return Err(MeterError::Entry("supply".to_owned(), "`unit` must be V"));
        }
        let mut currents: BTreeMap<String, BTreeMap<String, Current>> = BTreeMap::new();
        for (device, states) in table("current").ok_or_else(|| missing("current"))? {
            let path = format!("current.{device}");
            let states = states
                .as_table()
                .ok_or_else(|| MeterError::Entry(path.clone(), "must be a table of states"))?;
            for (state, entry) in states {
                let path = format!("{path}.{state}");
                let entry = entry
                    .as_table()
                    .ok_or_else(|| MeterError::Entry(path.clone(), "must be a table"))?;
                let current = Current::parse(&path, entry)?;
                currents
                    .entry(device.clone())
                    .or_default()
                    .insert(state.clone(), current);
            }
        }
        Ok(CurrentTable { supply_v, currents })
    }

    /// Charge and energy of every state in `snapshot`, in its order.
    pub fn cost(&self, snapshot: &Snapshot) -> Result<Vec<Cost>, MeterError> {
        snapshot
            .times()
            .map(|(device, state, time)| self.cost_of(device, state, time))
            .collect()
    }

    fn cost_of(&self, device: &'static str, state: State, time: Ps) -> Result<Cost, MeterError> {
        let states = self.currents.get(device);
        let current = states
            .and_then(|states| states.get(state.name))
            .ok_or_else(|| MeterError::NoCurrent {
                device: device.to_owned(),
                state: state.name.to_owned(),
                known: states.map_or(String::new(), |states| {
                    states.keys().cloned().collect::<Vec<_>>().join(", ")
                }),
            })?;
        let current_ua = current.micro_amperes(state.clock_hz);
        let charge_uc = current_ua * time.as_secs_f64();
        Ok(Cost {
            device,
            state,
            time,
            current_ua,
            charge_uc,
            energy_uj: charge_uc * self.supply_v.value,
            source: current.figure.source.clone(),
            kind: current.figure.kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = include_str!("../../board/data/telosb.toml");

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
            (rest.time("cpu", "active"), rest.time("cpu", "lpm3"), rest.span()),
            (us(9), us(5), us(14))
        );
    }

    #[test]
    fn charge_is_time_times_current_and_energy_times_voltage() {
        let text = "[supply]\nvalue = 3\nunit = \"V\"\nsource = \"s\"\nkind = \"assumed\"\n\
            [current.cpu.active]\nvalue = 500\nunit = \"uA/MHz\"\nsource = \"x\"\nkind = \"datasheet\"\n\
            [current.radio.rx]\nvalue = 18.8\nunit = \"mA\"\nsource = \"y\"\nkind = \"datasheet\"\n";
        let table = CurrentTable::parse(text).expect("valid");
        let mut meter = Meter::new();
        let radio = meter.add(Ps::ZERO, "radio", State::named("rx"));
        meter.add(Ps::ZERO, "cpu", State::clocked("active", 8_000_000));
        let costs = table.cost(&meter.snapshot(us(1_000))).expect("known states");
        assert_eq!((costs[0].device, costs[0].current_ua), ("cpu", 4_000.0));
        assert!((costs[0].charge_uc - 4.0).abs() < 1e-9 && (costs[0].energy_uj - 12.0).abs() < 1e-9);
        assert!((costs[1].charge_uc - 18.8).abs() < 1e-9 && costs[1].source == "y");
        meter.set(us(1_000), radio, State::named("off"));
        let error = table.cost(&meter.snapshot(us(2_000))).expect_err("no current");
        assert_eq!(
            error.to_string(),
            "no current for state 'off' of device 'radio'; known: rx"
        );
    }

    #[test]
    fn refuses_incomplete_entries() {
        let supply = "[supply]\nvalue = 3\nunit = \"V\"\nsource = \"s\"\nkind = \"assumed\"\n";
        for (entry, what) in [
            ("unit = \"mA\"\nsource = \"s\"\nkind = \"assumed\"", "number"),
            (
                "value = -1\nunit = \"mA\"\nsource = \"s\"\nkind = \"assumed\"",
                "number",
            ),
            (
                "value = 1\nunit = \"W\"\nsource = \"s\"\nkind = \"assumed\"",
                "must be nA",
            ),
            ("value = 1\nunit = \"mA\"\nsource = \"\"\nkind = \"assumed\"", "source"),
            ("value = 1\nunit = \"mA\"\nsource = \"s\"\nkind = \"guess\"", "kind"),
        ] {
            let text = format!("{supply}[current.radio.rx]\n{entry}\n");
            let error = CurrentTable::parse(&text).expect_err("incomplete").to_string();
            assert!(
                error.starts_with("current.radio.rx: ") && error.contains(what),
                "{error}"
            );
        }
        assert_eq!(
            CurrentTable::parse(supply),
            Err(MeterError::Entry("current".into(), "is missing"))
        );
        assert!(matches!(CurrentTable::parse("[supply"), Err(MeterError::Syntax(_))));
    }

    #[test]
    fn the_board_file_knows_every_state_of_the_radio() {
        use crate::cc2420::RadioState;
        let table = CurrentTable::parse(BOARD).expect("valid");
        let levels = (0..32).map(|pa_level| RadioState::Tx { pa_level });
        for state in [RadioState::Off, RadioState::PowerDown, RadioState::Idle, RadioState::Rx]
            .into_iter()
            .chain(levels)
        {
            let mut meter = Meter::new();
            meter.add(Ps::ZERO, "cc2420", State::named(state.name()));
            assert_eq!(
                table.cost(&meter.snapshot(us(1))).map(|costs| costs.len()),
                Ok(1),
                "{state:?}"
            );
        }
    }

    #[test]
    fn the_board_file_states_the_radios_default_timing() {
        use crate::cc2420::Cc2420Config;
        let root: toml::Table = BOARD.parse().expect("valid");
        let timing = root["timing"]["cc2420"].as_table().expect("table");
        assert_eq!(Cc2420Config::from_toml(BOARD), Ok(Cc2420Config::default()));
        for parameter in Cc2420Config::default().parameters() {
            let entry = timing
                .get(parameter.name)
                .unwrap_or_else(|| panic!("{} is missing", parameter.name));
            assert_eq!(
                entry["kind"].as_str(),
                Some(parameter.kind.name()),
                "{}",
                parameter.name
            );
            assert_eq!(entry["source"].as_str(), Some(parameter.source), "{}", parameter.name);
        }
    }
}
