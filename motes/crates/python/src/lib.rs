//! `wardmote._motes`: emulated motes and function calls, for Python. Arguments and results are
//! plain values; the interpreter is released while motes run, so that threads use all cores. The
//! types are in `bench/wardmote/_motes.pyi`.

mod debugger;
mod program;
mod rows;
mod simulation;

use mote::board::BoardError;
use pyo3::prelude::*;

pyo3::create_exception!(
    _motes,
    MoteError,
    pyo3::exceptions::PyException,
    "A program or a mote failed; one line."
);

/// Any error of the instrument as a Python exception.
fn mote_error(error: impl std::fmt::Display) -> PyErr {
    MoteError::new_err(error.to_string())
}

/// The one of `all` that has this name; `names` lists them for the message.
fn chosen<T: Copy>(what: &str, name: &str, all: &[(&str, T)], names: &str) -> PyResult<T> {
    let found = all.iter().find(|(one, _)| *one == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        pyo3::exceptions::PyValueError::new_err(format!("{what} {name:?}; it is {names}"))
    })
}

/// How many bits the number has that a board carries from its factory; 0: it carries none.
#[pyfunction]
fn factory_bits(board: &str) -> PyResult<u32> {
    let wrong = |error: BoardError| pyo3::exceptions::PyValueError::new_err(error.to_string());
    mote::board::factory_bits(board).map_err(wrong)
}

/// The record of a board as TOML, as the emulated one has it.
#[pyfunction]
fn record_text(board: &str) -> PyResult<String> {
    let wrong = |error: BoardError| pyo3::exceptions::PyValueError::new_err(error.to_string());
    mote::board::record_text(board).map_err(wrong)
}

/// Emulated motes.
#[pymodule]
fn _motes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SOURCES", env!("MOTES_SOURCES"))?;
    module.add("MoteError", module.py().get_type::<MoteError>())?;
    module.add_function(wrap_pyfunction!(factory_bits, module)?)?;
    module.add_function(wrap_pyfunction!(record_text, module)?)?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<debugger::Debugger>()?;
    module.add_class::<program::Program>()?;
    module.add_class::<program::CallResult>()?;
    Ok(())
}
