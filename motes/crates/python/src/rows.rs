//! Rows of the emulated motes as dictionaries of Python.

use mote::board::{Board, CpuState, MeterRow};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

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

/// Where a CPU is.
pub(crate) fn cpu_state<'py>(py: Python<'py>, state: &CpuState) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pc", state.pc)?;
    dict.set_item("symbol", &state.symbol)?;
    dict.set_item("cycles", state.cycles)?;
    dict.set_item("clock_hz", state.clock_hz)?;
    dict.set_item("asleep", state.asleep)?;
    dict.set_item("resets", state.resets)?;
    dict.set_item("last_reset", state.last_reset.as_deref())?;
    Ok(dict)
}

/// What is in a mote besides its memory: the CPU's registers, and the radio's memory by its parts.
pub(crate) fn inside<'py>(py: Python<'py>, board: &dyn Board) -> PyResult<Bound<'py, PyDict>> {
    let registers: Vec<u32> = board.registers().iter().map(|one| one.value).collect();
    let radio = PyDict::new(py);
    for (part, octets) in board.radio_memory() {
        radio.set_item(part, PyBytes::new(py, octets))?;
    }
    let dict = PyDict::new(py);
    dict.set_item("registers", registers)?;
    dict.set_item("radio", radio)?;
    Ok(dict)
}
