//! Supply voltage and the current of every state of every device, from a board's data file, and
//! what a state costs.

use crate::Ps;
use crate::meter::{Snapshot, State};
use crate::parameter::{Kind, number};
use std::collections::BTreeMap;
use thiserror::Error;

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
    /// µA that do not depend on the clock, beside a figure per MHz.
    offset_ua: f64,
    /// What a volt of supply adds to the figure.
    per_volt: f64,
}

/// Supply voltage and the current of every state of every device.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentTable {
    /// Supply voltage in V.
    pub supply_v: Figure,
    currents: BTreeMap<String, BTreeMap<String, Current>>,
    /// The supply in V at which the currents of each device are known.
    known_at_v: BTreeMap<String, f64>,
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

const BELOW: &str = "`below` must be a `value` ≥ 0 at a lower `supply_v`";

fn figure(path: &str, table: &toml::Table) -> Result<(Figure, String), MeterError> {
    let wrong = |what| MeterError::Entry(path.to_owned(), what);
    let text = |field: &str| {
        table
            .get(field)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    let value = number(table.get("value"))
        .filter(|value| *value >= 0.0)
        .ok_or(wrong("needs a number `value` ≥ 0"))?;
    let unit = text("unit").ok_or(wrong("needs a `unit`"))?;
    let source = text("source")
        .filter(|source| !source.is_empty())
        .ok_or(wrong("needs a `source`"))?;
    let kind = text("kind").and_then(|kind| Kind::from_name(&kind));
    let kind = kind.ok_or(wrong("needs a `kind`: datasheet, measured or assumed"))?;
    Ok((
        Figure {
            value,
            source,
            kind,
        },
        unit,
    ))
}

impl Current {
    fn parse(path: &str, table: &toml::Table, known_at_v: f64) -> Result<Current, MeterError> {
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
        let offset_ua = match number(table.get("offset_ua")) {
            Some(offset) if per_mhz && offset >= 0.0 => offset,
            None if !table.contains_key("offset_ua") => 0.0,
            _ => {
                return Err(MeterError::Entry(
                    path.to_owned(),
                    "`offset_ua` must be a number ≥ 0 beside a figure in uA/MHz",
                ));
            }
        };
        let per_volt = match table.get("below") {
            None => 0.0,
            Some(below) => {
                let part = |name| number(below.get(name)).filter(|value| *value >= 0.0);
                let (Some(value), Some(supply_v)) = (part("value"), part("supply_v")) else {
                    return Err(MeterError::Entry(path.to_owned(), BELOW));
                };
                if supply_v >= known_at_v {
                    return Err(MeterError::Entry(path.to_owned(), BELOW));
                }
                (figure.value - value * scale) / (known_at_v - supply_v)
            }
        };
        Ok(Current {
            figure,
            per_mhz,
            offset_ua,
            per_volt,
        })
    }

    fn micro_amperes(&self, clock_hz: u32, volts_above: f64) -> f64 {
        let factor = if self.per_mhz {
            f64::from(clock_hz) * 1e-6
        } else {
            1.0
        };
        self.offset_ua + (self.figure.value + self.per_volt * volts_above) * factor
    }
}

impl CurrentTable {
    /// Reads `[supply]`, `[current.<device>.<state>]` and `[scaling.<device>]` of a board's data
    /// file. A current in uA/MHz may have an `offset_ua`, which the device draws at any clock. A
    /// second figure `below` gives the current at a lower supply; other supplies follow from the
    /// straight line through both. Without `below` the current is the same at every supply.
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
        let mut known_at_v = BTreeMap::new();
        for (device, states) in table("current").ok_or_else(|| missing("current"))? {
            let path = format!("current.{device}");
            let states = states
                .as_table()
                .ok_or_else(|| MeterError::Entry(path.clone(), "must be a table of states"))?;
            let scaling = format!("scaling.{device}");
            let entry = table("scaling").and_then(|all| all.get(device)?.as_table());
            let (known_at, _) = figure(&scaling, entry.ok_or_else(|| missing(&scaling))?)?;
            known_at_v.insert(device.clone(), known_at.value);
            for (state, entry) in states {
                let path = format!("{path}.{state}");
                let entry = entry
                    .as_table()
                    .ok_or_else(|| MeterError::Entry(path.clone(), "must be a table"))?;
                let current = Current::parse(&path, entry, known_at.value)?;
                currents
                    .entry(device.clone())
                    .or_default()
                    .insert(state.clone(), current);
            }
        }
        Ok(CurrentTable {
            supply_v,
            currents,
            known_at_v,
        })
    }

    /// The same currents at another supply, by the rule of each device.
    #[must_use]
    pub fn supplied_with(mut self, volts: f64) -> CurrentTable {
        self.supply_v.value = volts;
        self
    }

    /// Charge and energy of every state in `snapshot`, in its order.
    pub fn cost(&self, snapshot: &Snapshot) -> Result<Vec<Cost>, MeterError> {
        snapshot
            .times()
            .map(|(device, state, time)| self.cost_of(device, state, time))
            .collect()
    }

    /// Current of a device in a state, in µA.
    pub fn current_ua(&self, device: &'static str, state: State) -> Result<f64, MeterError> {
        self.cost_of(device, state, Ps::ZERO)
            .map(|cost| cost.current_ua)
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
        let known_at_v = self.known_at_v.get(device);
        let volts_above = known_at_v.map_or(0.0, |known| self.supply_v.value - known);
        let current_ua = current.micro_amperes(state.clock_hz, volts_above);
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
    use crate::meter::Meter;

    const BOARD: &str = include_str!("../../../../boards/telosb.toml");

    const SUPPLY: &str = "[supply]\nvalue = 3\nunit = \"V\"\nsource = \"s\"\nkind = \"assumed\"\n\
        [scaling.cpu]\nvalue = 3\nunit = \"V\"\nsource = \"s\"\nkind = \"assumed\"\n\
        [scaling.radio]\nvalue = 3.3\nunit = \"V\"\nsource = \"s\"\nkind = \"assumed\"\n";

    fn us(micros: u64) -> Ps {
        Ps::from_micros(micros)
    }

    #[test]
    fn a_second_figure_at_a_lower_supply_makes_a_line() {
        let text = format!(
            "{SUPPLY}[current.cpu.active]\nvalue = 500\nunit = \"uA/MHz\"\nsource = \"x\"\n\
            kind = \"datasheet\"\nbelow = {{ value = 330, supply_v = 2.2 }}\n\
            [current.radio.rx]\nvalue = 18.8\nunit = \"mA\"\nsource = \"y\"\n\
            kind = \"datasheet\"\n"
        );
        let table = CurrentTable::parse(&text).expect("valid");
        for (volts, cpu_ua) in [(2.2, 2_640.0), (3.0, 4_000.0), (3.6, 5_020.0)] {
            let table = table.clone().supplied_with(volts);
            let active = table.cost_of("cpu", State::clocked("active", 8_000_000), us(1_000));
            let cost = active.expect("known");
            assert!((cost.current_ua - cpu_ua).abs() < 1e-6, "{volts} V");
            assert!((cost.energy_uj - cpu_ua * 1e-3 * volts).abs() < 1e-6);
            assert_eq!(table.current_ua("radio", State::named("rx")), Ok(18_800.0));
        }
        for wrong in ["{ value = 330 }", "{ value = 330, supply_v = 3.0 }", "330"] {
            let text = text.replace("{ value = 330, supply_v = 2.2 }", wrong);
            let error = CurrentTable::parse(&text).expect_err("no second figure");
            assert_eq!(error.to_string(), format!("current.cpu.active: {BELOW}"));
        }
        let without = text.replace("[scaling.radio]", "[scaling.other]");
        assert_eq!(
            CurrentTable::parse(&without),
            Err(MeterError::Entry("scaling.radio".into(), "is missing"))
        );
    }

    #[test]
    fn charge_is_time_times_current_and_energy_times_voltage() {
        let text = format!(
            "{SUPPLY}[current.cpu.active]\nvalue = 500\nunit = \"uA/MHz\"\nsource = \"x\"\n\
            kind = \"datasheet\"\n[current.radio.rx]\nvalue = 18.8\nunit = \"mA\"\n\
            source = \"y\"\nkind = \"datasheet\"\n"
        );
        let table = CurrentTable::parse(&text).expect("valid");
        let mut meter = Meter::new();
        let radio = meter.add(Ps::ZERO, "radio", State::named("rx"));
        meter.add(Ps::ZERO, "cpu", State::clocked("active", 8_000_000));
        let costs = table
            .cost(&meter.snapshot(us(1_000)))
            .expect("known states");
        assert_eq!((costs[0].device, costs[0].current_ua), ("cpu", 4_000.0));
        assert!(
            (costs[0].charge_uc - 4.0).abs() < 1e-9 && (costs[0].energy_uj - 12.0).abs() < 1e-9
        );
        assert!((costs[1].charge_uc - 18.8).abs() < 1e-9 && costs[1].source == "y");
        meter.set(us(1_000), radio, State::named("off"));
        let error = table
            .cost(&meter.snapshot(us(2_000)))
            .expect_err("no current");
        assert_eq!(
            error.to_string(),
            "no current for state 'off' of device 'radio'; known: rx"
        );
    }

    #[test]
    fn a_current_per_mhz_may_have_a_part_that_does_not_depend_on_the_clock() {
        let table = |entry: &str| {
            let source = "source = \"x\"\nkind = \"datasheet\"\n";
            CurrentTable::parse(&format!("{SUPPLY}[current.cpu.active]\n{entry}\n{source}"))
        };
        let both = table("value = 375\nunit = \"uA/MHz\"\noffset_ua = 1000").expect("valid");
        for (clock_hz, current_ua) in [(16_000_000, 7_000.0), (32_000_000, 13_000.0)] {
            assert_eq!(
                both.current_ua("cpu", State::clocked("active", clock_hz)),
                Ok(current_ua)
            );
        }
        for wrong in [
            "value = 1\nunit = \"mA\"\noffset_ua = 1",
            "value = 1\nunit = \"uA/MHz\"\noffset_ua = -1",
        ] {
            assert!(matches!(table(wrong), Err(MeterError::Entry(..))));
        }
    }

    #[test]
    fn refuses_incomplete_entries() {
        for (entry, what) in [
            (
                "unit = \"mA\"\nsource = \"s\"\nkind = \"assumed\"",
                "number",
            ),
            (
                "value = -1\nunit = \"mA\"\nsource = \"s\"\nkind = \"assumed\"",
                "number",
            ),
            (
                "value = 1\nunit = \"W\"\nsource = \"s\"\nkind = \"assumed\"",
                "must be nA",
            ),
            (
                "value = 1\nunit = \"mA\"\nsource = \"\"\nkind = \"assumed\"",
                "source",
            ),
            (
                "value = 1\nunit = \"mA\"\nsource = \"s\"\nkind = \"guess\"",
                "kind",
            ),
        ] {
            let text = format!("{SUPPLY}[current.radio.rx]\n{entry}\n");
            let error = CurrentTable::parse(&text)
                .expect_err("incomplete")
                .to_string();
            assert!(
                error.starts_with("current.radio.rx: ") && error.contains(what),
                "{error}"
            );
        }
        assert_eq!(
            CurrentTable::parse(SUPPLY),
            Err(MeterError::Entry("current".into(), "is missing"))
        );
        assert!(matches!(
            CurrentTable::parse("[supply"),
            Err(MeterError::Syntax(_))
        ));
    }

    #[test]
    fn the_board_file_knows_every_state_of_the_radio() {
        use crate::cc2420::RadioState;
        let table = CurrentTable::parse(BOARD).expect("valid");
        let levels = (0..32).map(|pa_level| RadioState::Tx { pa_level });
        for state in [
            RadioState::Off,
            RadioState::PowerDown,
            RadioState::Idle,
            RadioState::Rx,
        ]
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
        use crate::parameter::Configured;
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
            assert_eq!(
                entry["source"].as_str(),
                Some(parameter.source),
                "{}",
                parameter.name
            );
        }
    }
}
