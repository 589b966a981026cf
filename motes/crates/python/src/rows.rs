//! Rows of the emulated motes as dictionaries of Python.

use mote::board::MeterRow;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Time, charge and energy of one device in one state.
pub(crate) fn meter_row<'py>(py: Python<'py>, row: &MeterRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("device", &row.device)?;
    dict.set_item("state", &row.state)?;
    dict.set_item("clock_hz", row.clock_hz)?;
    dict.set_item("seconds", row.seconds)?;
    dict.set_item("current_ma", row.current_ma)?;
    dict.set_item("charge_uc", row.charge_uc)?;
    dict.set_item("energy_uj", row.energy_uj)?;
    dict.set_item("source", &row.source)?;
    dict.set_item("kind", &row.kind)?;
    Ok(dict)
}
