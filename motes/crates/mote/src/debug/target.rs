//! A mote as gdb sees it: registers, memory, where to stop.

use super::DebugError;
use super::arch::{AnyCpu, CORTEX_M, MSP430, Number, Octets};
use super::history::History;
use crate::simulation::{Simulation, SimulationError};
use board::device::Ps;
use board::{Board, Processor, Register};
use gdbstub::common::Signal;
use gdbstub::stub::SingleThreadStopReason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::reverse_exec::{
    ReplayLogPosition, ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep,
    SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::{self, TargetError, TargetResult};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Instructions between two looks at the connection.
const CHUNK: usize = 20_000;

/// What gdb has ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Continue,
    Step,
    StepBack,
    /// Back to where gdb must look, before this cycle of the mote.
    Back(u64),
}

/// Where and why the way back ends.
type Found = Option<(u64, SingleThreadStopReason<u64>)>;

/// Memory whose change stops the mote.
struct Watch {
    address: u32,
    length: usize,
    before: Option<Vec<u8>>,
}

/// One mote.
pub(super) struct Target {
    simulation: Arc<Mutex<Simulation>>,
    index: usize,
    processor: Processor,
    order: Order,
    breakpoints: BTreeSet<u32>,
    watches: Vec<Watch>,
    history: History,
}

impl Target {
    pub(super) fn new(
        simulation: Arc<Mutex<Simulation>>,
        index: usize,
    ) -> Result<Target, DebugError> {
        let processor = lock(&simulation).board(index)?.processor();
        Ok(Target {
            simulation,
            index,
            processor,
            order: Order::Continue,
            breakpoints: BTreeSet::new(),
            watches: Vec::new(),
            history: History::new(index),
        })
    }

    pub(super) fn simulation(&self) -> MutexGuard<'_, Simulation> {
        lock(&self.simulation)
    }

    /// Asks the mote's board something.
    fn with<T>(&self, ask: impl FnOnce(&mut dyn Board) -> Option<T>) -> TargetResult<T, Target> {
        let mut simulation = self.simulation();
        let board = simulation.board(self.index);
        board.ok().and_then(ask).ok_or(TargetError::NonFatal)
    }

    /// Changes something of the mote's board.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut dyn Board) -> Option<T>,
    ) -> TargetResult<T, Target> {
        self.simulation().meddle();
        self.with(change)
    }

    /// Lets time pass for a while, at most until `until`. Why gdb must look, if it must.
    pub(super) fn go(&mut self, until: Ps) -> Option<SingleThreadStopReason<u64>> {
        let shared = Arc::clone(&self.simulation);
        let mut simulation = lock(&shared);
        let begun = self.history.begin(&mut simulation);
        let reason = begun.and_then(|()| match self.order {
            Order::Continue | Order::Step => self.instructions(&mut simulation, until),
            Order::StepBack => self.step_back(&mut simulation),
            Order::Back(end) => self.back(&mut simulation, end),
        });
        // A mote that failed stays stopped, and says so again when it is to run.
        let caught_up = simulation.catch_up();
        match (reason, caught_up) {
            (Ok(reason), Ok(())) => reason,
            _ => Some(SingleThreadStopReason::Signal(Signal::SIGSEGV)),
        }
    }

    fn instructions(
        &mut self,
        simulation: &mut Simulation,
        until: Ps,
    ) -> Result<Option<SingleThreadStopReason<u64>>, SimulationError> {
        simulation.refresh();
        for _ in 0..CHUNK {
            if simulation.now() >= until || !self.history.step(simulation, until)? {
                break;
            }
            let board = simulation.board(self.index)?;
            if let Some(addr) = self.changed(board) {
                let (tid, kind, addr) = ((), WatchKind::Write, addr.into());
                return Ok(Some(SingleThreadStopReason::Watch { tid, kind, addr }));
            }
            let progress = board.progress();
            if !progress.asleep && self.breakpoints.contains(&progress.pc) {
                return Ok(Some(SingleThreadStopReason::SwBreak(())));
            }
            if self.order == Order::Step {
                return Ok(Some(SingleThreadStopReason::DoneStep));
            }
        }
        Ok(None)
    }

    /// To the instruction before.
    fn step_back(
        &mut self,
        simulation: &mut Simulation,
    ) -> Result<Option<SingleThreadStopReason<u64>>, SimulationError> {
        let end = simulation.board(self.index)?.progress().cycles;
        let Some(place) = self.history.before(end).checked_sub(1) else {
            return self.first(simulation);
        };
        let mut last = self.history.at(place);
        self.history.look(place, end, |_, cycles| {
            if cycles < end {
                last = cycles;
            }
        })?;
        self.land(simulation, place, last)?;
        Ok(Some(SingleThreadStopReason::DoneStep))
    }

    /// To the last place before cycle `end` at which gdb must look, as far as the next copy. The
    /// rest of the way is for the next call.
    fn back(
        &mut self,
        simulation: &mut Simulation,
        end: u64,
    ) -> Result<Option<SingleThreadStopReason<u64>>, SimulationError> {
        let Some(place) = self.history.before(end).checked_sub(1) else {
            return self.first(simulation);
        };
        let mut found: Found = None;
        let (mut last, mut before) = (None, Vec::new());
        self.history.look(place, end, |state, cycles| {
            let Ok(board) = state.board(self.index) else {
                return;
            };
            let now = self.contents(board);
            if let Some(addr) = last.and_then(|_| self.other(&before, &now)) {
                let (tid, kind, addr) = ((), WatchKind::Write, addr.into());
                let reason = SingleThreadStopReason::Watch { tid, kind, addr };
                found = last.map(|last| (last, reason));
            }
            let progress = board.progress();
            if cycles < end && !progress.asleep && self.breakpoints.contains(&progress.pc) {
                found = Some((cycles, SingleThreadStopReason::SwBreak(())));
            }
            (last, before) = (Some(cycles), now);
        })?;
        if let Some((cycle, reason)) = found {
            self.land(simulation, place, cycle)?;
            return Ok(Some(reason));
        }
        self.order = Order::Back(self.history.at(place));
        Ok(None)
    }

    /// To the beginning of what is known.
    fn first(
        &mut self,
        simulation: &mut Simulation,
    ) -> Result<Option<SingleThreadStopReason<u64>>, SimulationError> {
        self.land(simulation, 0, self.history.at(0))?;
        let (tid, pos) = (None, ReplayLogPosition::Begin);
        Ok(Some(SingleThreadStopReason::ReplayLog { tid, pos }))
    }

    fn land(
        &mut self,
        simulation: &mut Simulation,
        place: usize,
        cycle: u64,
    ) -> Result<(), SimulationError> {
        *simulation = self.history.state(place, cycle)?;
        let board = simulation.board(self.index)?;
        self.changed(board);
        Ok(())
    }

    /// What is at the watched places.
    fn contents(&self, board: &dyn Board) -> Vec<Option<Vec<u8>>> {
        let watches = self.watches.iter();
        watches
            .map(|watch| board.read(watch.address, watch.length))
            .collect()
    }

    /// The first watched place with other contents.
    fn other(&self, before: &[Option<Vec<u8>>], now: &[Option<Vec<u8>>]) -> Option<u32> {
        let place = before.iter().zip(now).position(|(one, two)| one != two)?;
        Some(self.watches[place].address)
    }

    /// Lets time pass without gdb.
    pub(super) fn run_until(&mut self, until: Ps) -> Result<(), SimulationError> {
        let shared = Arc::clone(&self.simulation);
        self.history.run_until(&mut lock(&shared), until)
    }

    /// The first watched place whose contents are others than at the last look.
    fn changed(&mut self, board: &dyn Board) -> Option<u32> {
        let mut found = None;
        for watch in &mut self.watches {
            let now = board.read(watch.address, watch.length);
            if now != watch.before {
                watch.before = now;
                found = found.or(Some(watch.address));
            }
        }
        found
    }
}

fn lock(simulation: &Mutex<Simulation>) -> MutexGuard<'_, Simulation> {
    simulation.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An address that a CPU may have.
fn narrow(addr: u64) -> TargetResult<u32, Target> {
    u32::try_from(addr).map_err(|_| TargetError::NonFatal)
}

fn octets(register: &Register) -> Vec<u8> {
    register.value.to_le_bytes()[..register.octets].to_vec()
}

fn value(octets: &[u8]) -> u32 {
    let octets = octets.iter().rev();
    octets.fold(0, |value, octet| value << 8 | u32::from(*octet))
}

impl target::Target for Target {
    type Arch = AnyCpu;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, AnyCpu, Infallible> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        (self.processor != Processor::Avr).then_some(self as _)
    }
}

impl SingleThreadBase for Target {
    fn read_registers(&mut self, regs: &mut Octets) -> TargetResult<(), Self> {
        let all = self.with(|board| Some(board.registers()))?;
        regs.0 = all.iter().flat_map(octets).collect();
        Ok(())
    }

    fn write_registers(&mut self, regs: &Octets) -> TargetResult<(), Self> {
        self.change(|board| {
            let mut rest = &regs.0[..];
            for (number, register) in board.registers().iter().enumerate() {
                let (own, others) = rest.split_at_checked(register.octets)?;
                board.set_register(number, value(own));
                rest = others;
            }
            Some(())
        })
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, (), Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, start: u64, data: &mut [u8]) -> TargetResult<usize, Self> {
        let start = narrow(start)?;
        self.with(|board| {
            let all = board.read(start, data.len());
            let octet = |at: u32| board.read(at, 1).map(|octets| octets[0]);
            let found = all.unwrap_or_else(|| {
                (start..=u32::MAX)
                    .map_while(octet)
                    .take(data.len())
                    .collect()
            });
            data[..found.len()].copy_from_slice(&found);
            Some(found.len()).filter(|count| *count > 0)
        })
    }

    fn write_addrs(&mut self, start: u64, data: &[u8]) -> TargetResult<(), Self> {
        let start = narrow(start)?;
        self.change(|board| board.write(start, data).then_some(()))?;
        let shared = Arc::clone(&self.simulation);
        let mut simulation = lock(&shared);
        // What gdb writes by itself is no change by the program.
        if let Ok(board) = simulation.board(self.index) {
            self.changed(board);
        }
        Ok(())
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<()> for Target {
    fn read_register(
        &mut self,
        _tid: (),
        reg_id: Number,
        buf: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let register = self.with(|board| board.registers().get(reg_id.0).copied())?;
        let octets = octets(&register);
        let place = buf.get_mut(..octets.len()).ok_or(TargetError::NonFatal)?;
        place.copy_from_slice(&octets);
        Ok(octets.len())
    }

    fn write_register(&mut self, _tid: (), reg_id: Number, val: &[u8]) -> TargetResult<(), Self> {
        self.change(|board| board.set_register(reg_id.0, value(val)).then_some(()))
    }
}

impl SingleThreadResume for Target {
    fn resume(&mut self, _signal: Option<Signal>) -> Result<(), Infallible> {
        self.order = Order::Continue;
        Ok(())
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, (), Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, (), Self>> {
        Some(self)
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Target {
    fn step(&mut self, _signal: Option<Signal>) -> Result<(), Infallible> {
        self.order = Order::Step;
        Ok(())
    }
}

impl ReverseStep<()> for Target {
    fn reverse_step(&mut self, _tid: ()) -> Result<(), Infallible> {
        self.order = Order::StepBack;
        Ok(())
    }
}

impl ReverseCont<()> for Target {
    fn reverse_cont(&mut self) -> Result<(), Infallible> {
        let now = self.with(|board| Some(board.progress().cycles));
        self.order = Order::Back(now.unwrap_or(0));
        Ok(())
    }
}

impl Breakpoints for Target {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Target {
    fn add_sw_breakpoint(&mut self, addr: u64, _kind: usize) -> TargetResult<bool, Self> {
        self.breakpoints.insert(narrow(addr)?);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, addr: u64, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(&narrow(addr)?))
    }
}

/// The same as the others: nothing is written into the program.
impl HwBreakpoint for Target {
    fn add_hw_breakpoint(&mut self, addr: u64, kind: usize) -> TargetResult<bool, Self> {
        self.add_sw_breakpoint(addr, kind)
    }

    fn remove_hw_breakpoint(&mut self, addr: u64, kind: usize) -> TargetResult<bool, Self> {
        self.remove_sw_breakpoint(addr, kind)
    }
}

/// Changes of memory. Reads are not watched.
impl HwWatchpoint for Target {
    fn add_hw_watchpoint(
        &mut self,
        addr: u64,
        len: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        if kind != WatchKind::Write {
            return Ok(false);
        }
        let (address, length) = (narrow(addr)?, narrow(len)? as usize);
        let before = self.with(|board| board.read(address, length))?;
        self.watches.push(Watch {
            address,
            length,
            before: Some(before),
        });
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        addr: u64,
        len: u64,
        _kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let wanted = (narrow(addr)?, narrow(len)? as usize);
        let same = |watch: &Watch| (watch.address, watch.length) == wanted;
        let place = self.watches.iter().position(same);
        Ok(place.map(|place| self.watches.remove(place)).is_some())
    }
}

impl TargetDescriptionXmlOverride for Target {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buf: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        let text = match self.processor {
            Processor::Msp430 => MSP430,
            Processor::CortexM => CORTEX_M,
            Processor::Avr => return Err(TargetError::NonFatal),
        };
        let text = text.as_bytes();
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|from| text.get(from..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(length).min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
