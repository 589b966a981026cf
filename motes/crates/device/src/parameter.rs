//! Named parameters of a model: value, unit, source and what it rests on, as reports print them,
//! and their overrides in a board's data file.

use thiserror::Error;

/// What a number rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Printed in a data sheet.
    Datasheet,
    /// Measured on hardware.
    Measured,
    /// Assumed by this model.
    Assumed,
}

impl Kind {
    /// The word used in data files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Datasheet => "datasheet",
            Kind::Measured => "measured",
            Kind::Assumed => "assumed",
        }
    }

    /// The reverse of [`Kind::name`].
    pub fn from_name(name: &str) -> Option<Kind> {
        [Kind::Datasheet, Kind::Measured, Kind::Assumed]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// One named parameter, for reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Field name in the configuration.
    pub name: &'static str,
    /// Value in `unit`.
    pub value: f64,
    /// Unit of `value`.
    pub unit: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// What the default rests on.
    pub kind: Kind,
}

/// Why a data file was refused.
#[derive(Debug, Error, PartialEq)]
pub enum ConfigError {
    /// Not TOML.
    #[error("not a TOML file: {0}")]
    Syntax(String),
    /// A parameter this model does not have.
    #[error("timing.{chip} has no parameter '{name}'; known: {known}")]
    Unknown {
        /// The model.
        chip: &'static str,
        /// What was given.
        name: String,
        /// What there is.
        known: String,
    },
    /// A value that is missing, of the wrong type or out of range.
    #[error(
        "timing.{chip}.{name}: needs a number `value` that is in range and the unit \"{unit}\""
    )]
    Value {
        /// The model.
        chip: &'static str,
        /// The parameter.
        name: String,
        /// Its unit.
        unit: &'static str,
    },
}

/// One row of the table that gives a parameter of `C` its name, unit, source and range.
#[derive(Debug)]
pub struct Entry<C> {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) kind: Kind,
    pub(crate) source: &'static str,
    pub(crate) max: f64,
    pub(crate) get: fn(&C) -> f64,
    pub(crate) set: fn(&mut C, f64),
}

/// Seconds are far above any of these spans; the bound keeps a typing error out.
pub(crate) const MAX_MICROS: f64 = 1e6;

/// A row of any kind: how a field is read as a number of its unit, and set to one.
macro_rules! row {
    ($field:ident, $unit:expr, $max:expr, $kind:ident, $source:expr, $get:expr, $set:expr) => {
        $crate::parameter::Entry {
            name: stringify!($field),
            unit: $unit,
            kind: $crate::parameter::Kind::$kind,
            source: $source,
            max: $max,
            get: $get,
            set: $set,
        }
    };
}

/// A row for a field of type `Ps`, in microseconds.
macro_rules! span {
    ($field:ident $(in $group:ident)?, $kind:ident, $source:expr) => {
        $crate::parameter::row!(
            $field, "us", $crate::parameter::MAX_MICROS, $kind, $source,
            |config| config$(.$group)?.$field.0 as f64 * 1e-6,
            |config, micros| config$(.$group)?.$field = $crate::Ps((micros * 1e6).round() as u64)
        )
    };
}

/// A row for a field of an integer type.
macro_rules! level {
    ($field:ident $(in $group:ident)?: $type:ty, $unit:expr, $max:expr, $kind:ident, $source:expr) => {
        $crate::parameter::row!(
            $field, $unit, $max, $kind, $source,
            |config| f64::from(config$(.$group)?.$field),
            |config, value| config$(.$group)?.$field = value.round() as $type
        )
    };
}

/// A row for a field of type `f64`.
macro_rules! real {
    ($field:ident, $unit:expr, $max:expr, $kind:ident, $source:expr) => {
        $crate::parameter::row!(
            $field,
            $unit,
            $max,
            $kind,
            $source,
            |config| config.$field,
            |config, value| config.$field = value
        )
    };
}

pub(crate) use {level, real, row, span};

/// The parameters of a chip, which a board's data file may set.
pub trait Configured: Default + 'static {
    /// Its name in data files.
    const CHIP: &'static str;

    /// Its parameters.
    fn table() -> &'static [Entry<Self>];

    /// Every named parameter with its value in this configuration.
    fn parameters(&self) -> Vec<Parameter> {
        list(Self::table(), self)
    }

    /// The defaults, overridden by the tables `[timing.CHIP.<name>]` (`value`, `unit`) of a board's
    /// data file.
    fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        load(text, Self::CHIP, Self::table(), &mut config)?;
        Ok(config)
    }
}

/// Every parameter with its value in `config`.
pub(crate) fn list<C>(table: &[Entry<C>], config: &C) -> Vec<Parameter> {
    let row = |entry: &Entry<C>| Parameter {
        name: entry.name,
        value: (entry.get)(config),
        unit: entry.unit,
        source: entry.source,
        kind: entry.kind,
    };
    table.iter().map(row).collect()
}

/// Overrides `config` by the tables `[timing.<chip>.<name>]` (`value`, `unit`) of a board's data
/// file.
pub(crate) fn load<C>(
    text: &str,
    chip: &'static str,
    table: &[Entry<C>],
    config: &mut C,
) -> Result<(), ConfigError> {
    let root: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| ConfigError::Syntax(error.to_string()))?;
    let timing = root.get("timing").and_then(|timing| timing.get(chip));
    let Some(given) = timing.and_then(|given| given.as_table()) else {
        return Ok(());
    };
    for (name, fields) in given {
        let Some(entry) = table.iter().find(|entry| entry.name == name) else {
            let known: Vec<&str> = table.iter().map(|entry| entry.name).collect();
            return Err(ConfigError::Unknown {
                chip,
                name: name.clone(),
                known: known.join(", "),
            });
        };
        let value = number(fields.get("value")).filter(|value| value.abs() <= entry.max);
        let unit = fields.get("unit").and_then(|unit| unit.as_str());
        match value {
            Some(value)
                if unit == Some(entry.unit) && (value >= 0.0 || entry.unit.starts_with("dB")) =>
            {
                (entry.set)(config, value);
            }
            _ => {
                return Err(ConfigError::Value {
                    chip,
                    name: name.clone(),
                    unit: entry.unit,
                });
            }
        }
    }
    Ok(())
}

/// A TOML integer or float.
pub fn number(value: Option<&toml::Value>) -> Option<f64> {
    match value? {
        toml::Value::Float(number) => Some(*number),
        toml::Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// Checks that a board's data file states every parameter, each with its default, unit, source and
/// kind.
#[cfg(test)]
pub(crate) fn check_stated<C: Configured + PartialEq + std::fmt::Debug>(board: &str) {
    assert_eq!(C::from_toml(board), Ok(C::default()));
    let root: toml::Table = board.parse().expect("TOML");
    let stated = root["timing"][C::CHIP].as_table().expect("a table");
    let parameters = C::default().parameters();
    assert_eq!(stated.len(), parameters.len());
    for parameter in parameters {
        let entry = &stated[parameter.name];
        let value = number(entry.get("value")).expect("a number");
        assert!((value - parameter.value).abs() < 1e-9, "{}", parameter.name);
        assert_eq!(entry["source"].as_str(), Some(parameter.source));
        assert_eq!(entry["unit"].as_str(), Some(parameter.unit));
        assert_eq!(entry["kind"].as_str(), Some(parameter.kind.name()));
    }
}
