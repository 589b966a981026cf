//! Class `Program`: calls of functions in an ELF file.

use crate::{chosen, mote_error};
use mote::call::{
    Access, Argument, Branch, Buffer, CallOptions, Core, Dependence, Follow, Kind, Outcome,
    ProgramError, Secrets, Timing, Trace, Value,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An executable whose functions can be called.
#[pyclass(frozen, module = "wardmote._motes")]
pub struct Program {
    inner: Mutex<mote::call::Program>,
}

/// What a call did.
#[pyclass(frozen, get_all, module = "wardmote._motes")]
pub struct CallResult {
    /// Result registers, first one in the lowest bits.
    value: u64,
    /// Cycles of the function, its return included.
    cycles: u64,
    /// Instructions in the same span.
    instructions: u64,
    /// Octets of stack below the caller's arguments.
    stack_octets: u32,
    /// Contents of every octet argument after the call.
    buffers: Vec<Py<PyBytes>>,
    /// Hash over all program counters.
    pc_trace_hash: u64,
    /// Hash over all data accesses.
    address_trace_hash: u64,
    /// All program counters.
    pc_trace: Vec<u32>,
    /// Cycles since the call began, after each of them.
    cycle_trace: Vec<u64>,
    /// Stack pointer after each of them.
    sp_trace: Vec<u32>,
    /// All data accesses: (address, write).
    address_trace: Vec<(u32, bool)>,
    /// The instruction of each data access.
    access_pcs: Vec<u32>,
    /// Conditional jumps: (address, times taken, times not taken).
    branches: Vec<(u32, u64, u64)>,
    /// What depends on secrets: (address of the instruction, how it shows, the secrets).
    dependences: Vec<(u32, &'static str, Secrets)>,
}

impl CallResult {
    fn new(py: Python<'_>, outcome: Outcome) -> CallResult {
        let Outcome { result, buffers } = outcome;
        let access = |Access { address, write, .. }| (address, write);
        let branch = |Branch {
                          address,
                          taken,
                          not_taken,
                      }| (address, taken, not_taken);
        let dependence = |Dependence { pc, kind, secrets }| (pc, kind_name(kind), secrets);
        CallResult {
            dependences: result.dependences.into_iter().map(dependence).collect(),
            value: result.value,
            cycles: result.cycles,
            instructions: result.instructions,
            stack_octets: result.stack_octets,
            buffers: buffers
                .iter()
                .map(|octets| PyBytes::new(py, octets).unbind())
                .collect(),
            pc_trace_hash: result.pc_trace_hash,
            address_trace_hash: result.address_trace_hash,
            pc_trace: result.pc_trace,
            cycle_trace: result.cycle_trace,
            sp_trace: result.sp_trace,
            access_pcs: result
                .address_trace
                .iter()
                .map(|access| access.pc)
                .collect(),
            address_trace: result.address_trace.into_iter().map(access).collect(),
            branches: result.branches.into_iter().map(branch).collect(),
        }
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Branch => "branch",
        Kind::Address => "address",
        Kind::Time => "time",
    }
}

/// Octets that a followed call may touch: address, octets, name, and what they depend on.
type Owned = (u32, u32, String, Option<Secrets>);

fn buffer((address, octets, name, secrets): Owned) -> Buffer {
    Buffer {
        address,
        octets,
        name,
        secrets,
    }
}

/// The low 64 bits of a Python integer; out of range is refused.
fn bits(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    number
        .extract::<u64>()
        .or_else(|_| Ok(number.extract::<i64>()? as u64))
}

/// An argument for a CPU whose machine word has `word` octets.
fn argument(object: &Bound<'_, PyAny>, word: u8) -> PyResult<Argument> {
    if let Ok(octets) = object.cast::<PyBytes>() {
        return Ok(Argument::Octets(octets.as_bytes().to_vec()));
    }
    if let Ok(octets) = object.cast::<PyByteArray>() {
        return Ok(Argument::Octets(octets.to_vec()));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Argument::Value(Value {
            bits: bits(object)?,
            octets: word,
        }));
    }
    let (number, octets): (Bound<'_, PyAny>, u8) = object.extract().map_err(|_| {
        PyTypeError::new_err("an argument is int, (int, octets), bytes or bytearray")
    })?;
    Ok(Argument::Value(Value {
        bits: bits(&number)?,
        octets,
    }))
}

fn trace(name: &str) -> PyResult<Trace> {
    use Trace::{Full, Hash, Off};
    let all = [("off", Off), ("hash", Hash), ("full", Full)];
    chosen("trace", name, &all, "off, hash or full")
}

fn core(name: &str) -> PyResult<Core> {
    let names = Core::ALL.map(|(name, _)| name).join(", ");
    chosen("core", name, &Core::ALL, &names)
}

fn timing(name: &str) -> PyResult<Timing> {
    use Timing::{Flash, High, Low};
    let all = [("low", Low), ("high", High), ("flash", Flash)];
    chosen("timing", name, &all, "low, high or flash")
}

impl Program {
    fn lock(&self) -> MutexGuard<'_, mote::call::Program> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (elf, *, core = None, timing = None))]
    fn new(elf: &[u8], core: Option<&str>, timing: Option<&str>) -> PyResult<Program> {
        let core = core.map(self::core).transpose()?;
        let timing = timing.map(self::timing).transpose()?;
        let program = mote::call::Program::new(elf, core, timing).map_err(|error| match error {
            ProgramError::NoBand(_) | ProgramError::NoCore(_) => {
                PyValueError::new_err(error.to_string())
            }
            _ => mote_error(error),
        })?;
        Ok(Program {
            inner: Mutex::new(program),
        })
    }

    /// Calls a function. Octets are passed by address; a bytearray receives what the function left
    /// in it. With `buffers`, the call is followed.
    #[pyo3(signature = (
        symbol, args = vec![], *, cycle_limit = 100_000_000, trace = "off",
        buffers = None, secrets = vec![], published = vec![]
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn call(
        &self,
        py: Python<'_>,
        symbol: &str,
        args: Vec<Bound<'_, PyAny>>,
        cycle_limit: u64,
        trace: &str,
        buffers: Option<Vec<Owned>>,
        secrets: Vec<Secrets>,
        published: Vec<u32>,
    ) -> PyResult<CallResult> {
        let word = self.lock().memory().pointer_octets();
        let arguments = args
            .iter()
            .map(|object| argument(object, word))
            .collect::<PyResult<Vec<_>>>()?;
        let options = CallOptions {
            cycle_limit,
            trace: self::trace(trace)?,
            follow: buffers.map(|buffers| Follow {
                arguments: secrets,
                buffers: buffers.into_iter().map(buffer).collect(),
                published,
            }),
        };
        let outcome = py
            .detach(|| self.lock().call(symbol, &arguments, &options))
            .map_err(mote_error)?;
        let octets = args
            .iter()
            .zip(&arguments)
            .filter(|(_, a)| matches!(a, Argument::Octets(_)))
            .map(|(o, _)| o);
        for (object, after) in octets.zip(&outcome.buffers) {
            if let Ok(target) = object.cast::<PyByteArray>() {
                target.call_method1(
                    "__setitem__",
                    (pyo3::types::PySlice::full(py), PyBytes::new(py, after)),
                )?;
            }
        }
        Ok(CallResult::new(py, outcome))
    }

    /// Name → (address, octets, is a function).
    fn symbols(&self) -> std::collections::BTreeMap<String, (u32, u32, bool)> {
        self.lock()
            .elf()
            .symbols()
            .map(|(name, s)| (name.to_string(), (s.address, s.size, s.function)))
            .collect()
    }

    /// (address, octets) of a symbol.
    fn symbol(&self, name: &str) -> PyResult<(u32, u32)> {
        let symbol = self.lock().symbol(name).map_err(mote_error)?;
        Ok((symbol.address, symbol.size))
    }

    /// The function at an address, with the offset into it.
    fn describe(&self, address: u32) -> String {
        self.lock().elf().describe(address)
    }

    /// Octets of code and constants, of initialised variables, of variables that begin as zero.
    fn sizes(&self) -> (u32, u32, u32) {
        let sizes = self.lock().sizes();
        (sizes.text, sizes.data, sizes.bss)
    }

    /// RAM that stays until `release` or `reset`; its address.
    #[pyo3(signature = (octets, align = 4))]
    fn allocate(&self, octets: usize, align: usize) -> PyResult<u32> {
        if !align.is_power_of_two() {
            return Err(PyValueError::new_err("align is a power of two"));
        }
        self.lock()
            .memory()
            .allocate(octets, align)
            .map_err(mote_error)
    }

    /// First free address, for `release`.
    fn mark(&self) -> u32 {
        self.lock().memory().mark()
    }

    /// Drops what was allocated since `mark`.
    fn release(&self, mark: u32) {
        self.lock().memory().release(mark);
    }

    /// Memory as start-up code leaves it; nothing allocated.
    fn reset(&self) {
        self.lock().memory().reset();
    }

    /// Copies octets out of memory.
    fn read<'py>(
        &self,
        py: Python<'py>,
        address: u32,
        length: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let octets = self
            .lock()
            .memory()
            .read(address, length)
            .map_err(mote_error)?;
        Ok(PyBytes::new(py, &octets))
    }

    /// Copies octets into memory.
    fn write(&self, address: u32, octets: &[u8]) -> PyResult<()> {
        self.lock()
            .memory()
            .write(address, octets)
            .map_err(mote_error)
    }

    /// Octets of memory depend on these secrets from now on.
    fn mark_secret(&self, address: u32, octets: u32, secrets: Secrets) {
        self.lock().memory().mark_secret(address, octets, secrets);
    }
}
