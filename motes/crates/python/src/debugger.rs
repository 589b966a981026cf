//! Class `Debugger`: a port at which gdb may attach to a mote.

use crate::mote_error;
use crate::simulation::Simulation;
use mote::board::device::Ps;
use mote::debug::{DebugError, Session};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// gdb at a mote.
#[pyclass(frozen, module = "wardmote._motes")]
pub struct Debugger {
    simulation: Arc<Mutex<mote::simulation::Simulation>>,
    inner: Mutex<mote::debug::Debugger>,
}

/// A port that cannot be used is an OSError.
fn raise(error: DebugError) -> PyErr {
    match error {
        DebugError::Port { .. } => PyOSError::new_err(error.to_string()),
        DebugError::Simulation(inner) => mote_error(inner),
    }
}

#[pymethods]
impl Debugger {
    #[new]
    #[pyo3(signature = (simulation, i, port = 0))]
    fn new(simulation: &Simulation, i: usize, port: u16) -> PyResult<Debugger> {
        let simulation = simulation.shared();
        let inner = mote::debug::Debugger::listen(Arc::clone(&simulation), i, port);
        Ok(Debugger {
            simulation,
            inner: Mutex::new(inner.map_err(raise)?),
        })
    }

    /// Where it listens.
    #[getter]
    fn port(&self) -> u16 {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.port()
    }

    /// Lets time pass until `ps`, as gdb lets it. False if gdb has killed the program.
    fn run_until(&self, py: Python<'_>, ps: u64) -> PyResult<bool> {
        loop {
            let (session, now) = py
                .detach(|| {
                    let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
                    let session = inner.pass(Ps(ps))?;
                    drop(inner);
                    let simulation = self.simulation.lock();
                    let now = simulation.unwrap_or_else(PoisonError::into_inner).now();
                    Ok((session, now))
                })
                .map_err(raise)?;
            py.check_signals()?;
            if session == Session::Killed || now.0 >= ps {
                return Ok(session != Session::Killed);
            }
        }
    }
}
