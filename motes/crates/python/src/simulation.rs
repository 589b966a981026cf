//! Class `Simulation`: motes in one medium.

use crate::rows::{cpu_state, inside, meter_row};
use crate::{chosen, mote_error};
use mote::board::device::coprocessor::CoreKind;
use mote::board::device::{
    EngineFault, HeardFrame, Outcome, Ps, Sending, SentFrame, StationConfig, TURNAROUND,
};
use mote::board::{
    Band, BoardError, Character, CutMoment, Edge, Fitting, Incoming, Options, Place, PowerCut,
    StateChange, Wear,
};
use mote::inject::Injection;
use mote::simulation::profile::{Executed, Profile, Stack};
use mote::simulation::{SimulationConfig, SimulationError};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Simulated time between two looks for Ctrl-C.
const SLICE: Ps = Ps::from_micros(1_000_000);

/// Motes in one medium.
#[pyclass(frozen, module = "wardmote._motes")]
pub struct Simulation {
    inner: Arc<Mutex<mote::simulation::Simulation>>,
}

/// (port, bit, level, CPU cycle, picoseconds).
type Mark = (u8, u8, bool, u64, u64);

/// (picoseconds, device, state, clock in Hz, milliamperes).
type State = (u64, String, String, u32, f64);

/// (mote, picoseconds, channel, octets, complete).
type OnAir<'py> = (usize, u64, u32, Bound<'py, PyBytes>, bool);

/// (end of the delimiter, end of the frame, dBm, PSDU, right); times in picoseconds.
type Heard<'py> = (u64, u64, i8, Bound<'py, PyBytes>, bool);

/// (number, picoseconds, times on the air, outcome).
type Sent = (u64, u64, u8, &'static str);

/// A mistake of the caller is a ValueError or IndexError; a failure of a mote or a file is a MoteError.
fn raise(error: SimulationError) -> PyErr {
    match &error {
        SimulationError::NoMote { .. } => PyIndexError::new_err(error.to_string()),
        SimulationError::Board {
            error: inner @ (BoardError::Unknown(_) | BoardError::Option(_)),
            ..
        } => PyValueError::new_err(inner.to_string()),
        SimulationError::Board {
            error: BoardError::Elf(inner),
            ..
        } => mote_error(inner),
        SimulationError::Usage(_) => PyValueError::new_err(error.to_string()),
        _ => mote_error(error),
    }
}

fn band(name: &str) -> PyResult<Band> {
    let all = [("low", Band::Low), ("high", Band::High)];
    chosen("band", name, &all, "low or high")
}

impl Simulation {
    /// What a debugger works on, too.
    pub(crate) fn shared(&self) -> Arc<Mutex<mote::simulation::Simulation>> {
        Arc::clone(&self.inner)
    }

    fn lock(&self) -> MutexGuard<'_, mote::simulation::Simulation> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets `part` run until it is satisfied or `target` is reached, without the interpreter, and
    /// looks for Ctrl-C now and then. True if it was satisfied.
    fn slices(
        &self,
        py: Python<'_>,
        target: Ps,
        part: impl Fn(&mut mote::simulation::Simulation, Ps) -> Result<bool, SimulationError> + Sync,
    ) -> PyResult<bool> {
        loop {
            let outcome = py.detach(|| {
                let mut simulation = self.lock();
                let end = (simulation.now() + SLICE).min(target);
                part(&mut simulation, end).map(|satisfied| (satisfied, simulation.now() >= target))
            });
            let (satisfied, over) = outcome.map_err(raise)?;
            if satisfied || over {
                return Ok(satisfied);
            }
            py.check_signals()?;
        }
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (seed = 0, distance_m = 10.0, loss = 0.0))]
    fn new(seed: u64, distance_m: f64, loss: f64) -> PyResult<Simulation> {
        let config = SimulationConfig {
            seed,
            distance_m,
            loss,
        };
        Ok(Simulation {
            inner: Arc::new(Mutex::new(
                mote::simulation::Simulation::new(config).map_err(raise)?,
            )),
        })
    }

    /// Adds a mote, powered on at time 0; its index.
    #[pyo3(signature = (board, elf, name, *, ppm = 0.0, clock_hz = None, supply_v = None, band = None, changes = None, octets_at = None, identity = None))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn add_mote(
        &self,
        board: &str,
        elf: &[u8],
        name: &str,
        ppm: f64,
        clock_hz: Option<u32>,
        supply_v: Option<f64>,
        band: Option<&str>,
        changes: Option<BTreeMap<String, f64>>,
        octets_at: Option<u32>,
        identity: Option<u64>,
    ) -> PyResult<usize> {
        let options = Options {
            ppm,
            clock_hz,
            supply_v,
            band: band.map(self::band).transpose()?,
            changes: changes.unwrap_or_default().into_iter().collect(),
            octets_at,
            identity,
            ..Options::default()
        };
        self.lock()
            .add_mote(board, elf, name, &options)
            .map_err(raise)
    }

    /// Adds a station that is driven from here; its index among the motes.
    #[pyo3(signature = (name, *, channel = 26, pan = 0xFFFF, short = 0xFFFF, extended = None, power_dbm = 0))]
    fn add_station(
        &self,
        name: &str,
        channel: u8,
        pan: u16,
        short: u16,
        extended: Option<[u8; 8]>,
        power_dbm: i8,
    ) -> PyResult<usize> {
        let mut extended = extended.unwrap_or([0xFF; 8]);
        extended.reverse();
        let config = StationConfig {
            channel,
            pan,
            short,
            extended,
            power_dbm,
            seed: 0,
        };
        self.lock().add_station(name, &config).map_err(raise)
    }

    /// A station sends a frame, as soon as it may.
    #[pyo3(signature = (i, mpdu, *, at_ps = None, csma = true, times = 4))]
    fn send(
        &self,
        i: usize,
        mpdu: &[u8],
        at_ps: Option<u64>,
        csma: bool,
        times: u8,
    ) -> PyResult<u64> {
        let mut simulation = self.lock();
        let soonest = simulation.now() + if csma { Ps::ZERO } else { TURNAROUND };
        let sending = Sending {
            mpdu,
            at: at_ps.map_or(soonest, Ps),
            csma,
            times,
        };
        simulation.send(i, &sending).map_err(raise)
    }

    /// What a station has heard since the last call.
    fn heard<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Vec<Heard<'py>>> {
        let frames = self.lock().station(i).map_err(raise)?.take_heard();
        let tuple = |frame: HeardFrame| {
            let psdu = PyBytes::new(py, &frame.psdu);
            (frame.sfd.0, frame.end.0, frame.rssi_dbm, psdu, frame.right)
        };
        Ok(frames.into_iter().map(tuple).collect())
    }

    /// What became of a station's frames since the last call.
    fn sent(&self, i: usize) -> PyResult<Vec<Sent>> {
        let frames = self.lock().station(i).map_err(raise)?.take_sent();
        let tuple = |frame: SentFrame| {
            let outcome = match frame.outcome {
                Outcome::Sent => "sent",
                Outcome::Acknowledged => "acknowledged",
                Outcome::NoAck => "no acknowledgement",
                Outcome::Busy => "busy",
            };
            (frame.number, frame.at.0, frame.times, outcome)
        };
        Ok(frames.into_iter().map(tuple).collect())
    }

    /// Runs until one of these stations has news, or until `limit_ps`.
    fn run_until_news(
        &self,
        py: Python<'_>,
        stations: Vec<usize>,
        limit_ps: u64,
    ) -> PyResult<bool> {
        self.slices(py, Ps(limit_ps), |simulation, end| {
            simulation.run_until_news(&stations, end)
        })
    }

    /// Writes memory of a mote.
    fn write(&self, i: usize, address: u32, data: &[u8]) -> PyResult<()> {
        self.lock().write(i, address, data).map_err(raise)
    }

    /// Reads memory of a mote.
    fn read<'py>(
        &self,
        py: Python<'py>,
        i: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let octets = self.lock().read(i, address, length).map_err(raise)?;
        Ok(PyBytes::new(py, &octets))
    }

    /// (address, octets) of a symbol.
    fn symbol(&self, i: usize, name: &str) -> PyResult<(u32, u32)> {
        self.lock().symbol(i, name).map_err(raise)
    }

    /// Gives a mote its identity, before it runs.
    #[pyo3(signature = (i, node_id, *, address = None))]
    fn set_node_id(&self, i: usize, node_id: u16, address: Option<u32>) -> PyResult<()> {
        self.lock().set_node_id(i, node_id, address).map_err(raise)
    }

    /// Characters that a mote has sent on its serial lines since the last call.
    fn serial(&self, i: usize) -> PyResult<Vec<(u64, u8, u8)>> {
        let sent = self.lock().board(i).map_err(raise)?.take_serial();
        let tuple = |Character { at, line, octet }| (at.0, line, octet);
        Ok(sent.into_iter().map(tuple).collect())
    }

    /// From now on the other end of a mote's serial line sends these characters.
    #[pyo3(signature = (i, octets, *, baud = 57_600, line = 0))]
    fn send_serial(&self, i: usize, octets: &[u8], baud: u32, line: u8) -> PyResult<()> {
        let incoming = Incoming { line, octets, baud };
        self.lock().send_serial(i, &incoming).map_err(raise)
    }

    /// Puts an AES coprocessor on a serial line of a mote.
    #[pyo3(signature = (i, core = "fast", *, clock_hz = 8_000_000, baud = 38_400, line = 0, place = "before"))]
    fn fit_coprocessor(
        &self,
        i: usize,
        core: &str,
        clock_hz: u32,
        baud: u32,
        line: u8,
        place: &str,
    ) -> PyResult<()> {
        let wrong = || PyValueError::new_err(format!("no core {core:?}: fast, small, masked"));
        let nowhere =
            || PyValueError::new_err(format!("no place {place:?}: before, behind, peripheral"));
        let fitting = Fitting {
            core: CoreKind::named(core).ok_or_else(wrong)?,
            clock_hz,
            baud,
            line,
            place: Place::named(place).ok_or_else(nowhere)?,
        };
        self.lock().fit_coprocessor(i, fitting).map_err(raise)
    }

    /// Lets time pass.
    fn run_for(&self, py: Python<'_>, ps: u64) -> PyResult<()> {
        let target = self.lock().now().0.saturating_add(ps);
        self.run_until(py, target)
    }

    /// Lets time pass until `ps`.
    fn run_until(&self, py: Python<'_>, ps: u64) -> PyResult<()> {
        self.slices(py, Ps(ps), |simulation, end| {
            simulation.run_until(end).map(|()| false)
        })?;
        Ok(())
    }

    /// Runs while an integer in a mote's memory is below `less_than`; true if it reached it before
    /// `limit_ps`.
    fn run_while(
        &self,
        py: Python<'_>,
        i: usize,
        address: u32,
        size: usize,
        less_than: u64,
        limit_ps: u64,
    ) -> PyResult<bool> {
        self.slices(py, Ps(limit_ps), |simulation, end| {
            simulation.run_while(i, address, size, less_than, end)
        })
    }

    /// Runs until a mote is about to execute the instruction at `address`; true if it is there before
    /// `limit_ps`.
    fn run_to(&self, py: Python<'_>, i: usize, address: u32, limit_ps: u64) -> PyResult<bool> {
        self.slices(py, Ps(limit_ps), |simulation, end| {
            simulation.run_to(i, address, end)
        })
    }

    /// Time since power-on.
    #[getter]
    fn now_ps(&self) -> u64 {
        self.lock().now().0
    }

    /// Edges of the watched pins since the last call.
    fn marks(&self, i: usize) -> PyResult<Vec<Mark>> {
        let edges = self.lock().board(i).map_err(raise)?.take_edges();
        let tuple = |Edge {
                         port,
                         bit,
                         level,
                         cycle,
                         at,
                     }| (port, bit, level, cycle, at.0);
        Ok(edges.into_iter().map(tuple).collect())
    }

    /// Somebody presses the user button of a mote, or lets it go.
    fn press_button(&self, i: usize, pressed: bool) -> PyResult<()> {
        let mut simulation = self.lock();
        let board = simulation.board(i).map_err(raise)?;
        board
            .press_button(pressed)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// From now on edges of this pin are among the marks of a mote.
    fn watch_pin(&self, i: usize, port: u8, bit: u8) -> PyResult<()> {
        let mut simulation = self.lock();
        simulation.board(i).map_err(raise)?.watch_pin(port, bit);
        simulation.meddle();
        Ok(())
    }

    /// Actions of a mote's program against a data sheet since the last call: (picoseconds, what, and
    /// the instruction).
    fn misuse(&self, i: usize) -> PyResult<Vec<(u64, String)>> {
        let list = self.lock().board(i).map_err(raise)?.take_misuse();
        Ok(list.iter().map(|one| (one.at.0, one.to_string())).collect())
    }

    /// A copy of all motes and of what is on the air; it goes on as this one would.
    fn copy(&self) -> Simulation {
        let inner = self.lock().clone();
        Simulation {
            inner: Arc::new(Mutex::new(inner)),
        }
    }

    /// From now on every instruction of a mote's program is counted.
    fn follow(&self, i: usize) -> PyResult<()> {
        self.lock().follow(i).map_err(raise)
    }

    /// Cycles by stacks of functions, the outermost first; empty if the mote is not followed.
    fn stacks(&self, i: usize) -> PyResult<Vec<(Vec<String>, u64)>> {
        let mut simulation = self.lock();
        let profile = simulation.profile(i).map_err(raise)?;
        let stacks = profile.map(Profile::stacks).unwrap_or_default();
        let tuple = |one: Stack| (one.functions, one.cycles);
        Ok(stacks.into_iter().map(tuple).collect())
    }

    /// First instructions of functions, and how often they were called.
    fn calls(&self, i: usize) -> PyResult<Vec<(u32, u64)>> {
        let mut simulation = self.lock();
        let profile = simulation.profile(i).map_err(raise)?;
        Ok(profile.map(Profile::calls).unwrap_or_default())
    }

    /// Instructions that were executed: (address, times, cycles).
    fn executed(&self, i: usize) -> PyResult<Vec<(u32, u64, u64)>> {
        let mut simulation = self.lock();
        let profile = simulation.profile(i).map_err(raise)?;
        let executed = profile.map(Profile::executed).unwrap_or_default();
        let tuple = |one: Executed| (one.address, one.times, one.cycles);
        Ok(executed.into_iter().map(tuple).collect())
    }

    /// Time, charge and energy so far.
    fn meter<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let rows = self
            .lock()
            .board(i)
            .map_err(raise)?
            .meter()
            .map_err(mote_error)?;
        rows.iter().map(|row| meter_row(py, row)).collect()
    }

    /// Changes of state of a mote's devices since the last call; the first call begins to record
    /// them.
    fn states(&self, i: usize) -> PyResult<Vec<State>> {
        let changes = self
            .lock()
            .board(i)
            .map_err(raise)?
            .take_states()
            .map_err(mote_error)?;
        let tuple = |StateChange {
                         at,
                         device,
                         state,
                         clock_hz,
                         current_ma,
                     }| (at.0, device, state, clock_hz, current_ma);
        Ok(changes.into_iter().map(tuple).collect())
    }

    /// From now on a mote does not decode this part of what another one sends, at random.
    fn set_loss(&self, sender: usize, receiver: usize, loss: f64) -> PyResult<()> {
        self.lock().set_loss(sender, receiver, loss).map_err(raise)
    }

    /// From now on what one mote begins to send reaches another one weaker by this much.
    fn set_path_loss(&self, sender: usize, receiver: usize, path_loss_db: f64) -> PyResult<()> {
        self.lock()
            .set_path_loss(sender, receiver, path_loss_db)
            .map_err(raise)
    }

    /// From now on two motes are this far apart.
    fn set_distance(&self, one: usize, other: usize, distance_m: f64) -> PyResult<()> {
        self.lock()
            .set_distance(one, other, distance_m)
            .map_err(raise)
    }

    /// Sends a frame from outside.
    #[pyo3(signature = (channel, at_ps, psdu, *, power_dbm = 0))]
    fn inject(&self, channel: u8, at_ps: u64, psdu: &[u8], power_dbm: i8) -> PyResult<()> {
        let injection = Injection {
            channel,
            at: Ps(at_ps),
            psdu,
            power_dbm,
        };
        self.lock().inject(&injection).map_err(raise)
    }

    /// Power of a mote fails at a time, or `part` through a flash operation after `operation`
    /// others.
    #[pyo3(signature = (i, seed, *, at_ps = None, operation = None, part = 0.5))]
    fn power_cut(
        &self,
        i: usize,
        seed: u64,
        at_ps: Option<u64>,
        operation: Option<u32>,
        part: f64,
    ) -> PyResult<()> {
        if !(0.0..1.0).contains(&part) {
            return Err(PyValueError::new_err(format!(
                "part {part}; it is 0 to below 1"
            )));
        }
        let moment = match (at_ps, operation) {
            (Some(at), None) => CutMoment::At(Ps(at)),
            (None, Some(operation)) => CutMoment::InFlash {
                operation,
                part: (part * 4_294_967_296.0) as u32,
            },
            _ => {
                return Err(PyValueError::new_err(
                    "a power cut has either at_ps or operation",
                ));
            }
        };
        self.lock()
            .plan_power_cut(i, PowerCut { moment, seed })
            .map_err(raise)
    }

    /// From now on a mote's encryption engine has a defect, or none.
    #[pyo3(signature = (i, fault))]
    fn break_engine(&self, i: usize, fault: Option<&str>) -> PyResult<()> {
        let fault = match fault {
            Some(name) => Some(EngineFault::named(name).ok_or_else(|| {
                PyValueError::new_err(format!("fault {name:?}; it is deaf, late, echo or dark"))
            })?),
            None => None,
        };
        let mut simulation = self.lock();
        let board = simulation.board(i).map_err(raise)?;
        board
            .break_engine(fault)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        simulation.meddle();
        Ok(())
    }

    /// Has a mote power?
    fn powered(&self, i: usize) -> PyResult<bool> {
        Ok(self.lock().board(i).map_err(raise)?.powered())
    }

    /// Segments of flash the program has written: (first address, erasures, octets and words
    /// programmed).
    fn wear(&self, i: usize) -> PyResult<Vec<(u32, u32, u32)>> {
        let rows = self.lock().board(i).map_err(raise)?.wear();
        let tuple = |Wear {
                         first,
                         erasures,
                         programmed,
                     }| (first, erasures, programmed);
        Ok(rows.into_iter().map(tuple).collect())
    }

    /// Where a mote's CPU is.
    fn cpu<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyDict>> {
        cpu_state(py, &self.lock().board(i).map_err(raise)?.cpu())
    }

    /// What is in a mote besides its memory.
    fn inside<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyDict>> {
        inside(py, self.lock().board(i).map_err(raise)?)
    }

    /// Captures frames from now on, those of mote `i` with the ASN in its memory.
    #[pyo3(signature = (i = None, asn_symbol = None, asn_offset = 0))]
    fn capture(&self, i: Option<usize>, asn_symbol: Option<&str>, asn_offset: u32) -> PyResult<()> {
        let mut simulation = self.lock();
        match (i, asn_symbol) {
            (Some(i), Some(symbol)) => simulation.capture_asn(i, symbol, asn_offset).map_err(raise),
            (None, None) => {
                simulation.capture();
                Ok(())
            }
            _ => Err(PyValueError::new_err("an ASN has both a mote and a symbol")),
        }
    }

    /// Everything on the air since the capture began: (mote, picoseconds, channel, octets,
    /// complete).
    fn frames<'py>(&self, py: Python<'py>) -> Vec<OnAir<'py>> {
        let list = self.lock().transmissions();
        let tuple = |captured: mote::simulation::Captured| {
            let frame = captured.frame;
            let octets = PyBytes::new(py, &frame.octets);
            (
                frame.from,
                frame.start.0,
                frame.channel,
                octets,
                frame.complete,
            )
        };
        list.into_iter().map(tuple).collect()
    }

    /// The capture so far as a pcap file.
    #[pyo3(signature = (link_type = None))]
    fn pcap<'py>(&self, py: Python<'py>, link_type: Option<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let octets = self.lock().pcap(link_type).map_err(raise)?;
        Ok(PyBytes::new(py, &octets))
    }
}
