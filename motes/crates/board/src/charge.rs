//! The meter of a board with the currents of its data file: what every device spent, and how its
//! states changed.

use crate::board::{BoardError, MeterRow, StateChange};
use crate::description::Description;
use device::Ps;
use device::meter::{Change, Cost, CurrentTable, DeviceId, Meter, State};

/// What a CPU is doing: running, or in one of its sleep modes.
pub(crate) trait CpuMode: Copy {
    /// The state of that mode in the data file. `clock_hz` is for states whose current depends on
    /// the clock.
    fn state(self, clock_hz: u32) -> State;
}

/// The meter of one board. `M` are the modes of its CPU.
#[derive(Clone)]
pub(crate) struct BoardMeter<M> {
    meter: Meter,
    table: CurrentTable,
    cpu: DeviceId,
    mode: M,
    clock_hz: u32,
}

impl<M: CpuMode> BoardMeter<M> {
    /// A meter with the CPU alone, in `mode`, its clock unknown.
    pub(crate) fn new(board: &Description, mode: M) -> Result<BoardMeter<M>, BoardError> {
        let mut table = CurrentTable::parse(&board.text).map_err(|error| board.wrong(error))?;
        if let Some(volts) = board.supply_v {
            table = table.supplied_with(volts);
        }
        let mut meter = Meter::new();
        let cpu = meter.add(Ps::ZERO, "cpu", mode.state(0));
        Ok(BoardMeter {
            meter,
            table,
            cpu,
            mode,
            clock_hz: 0,
        })
    }

    /// Adds a device that is in the state `state` from power-on.
    pub(crate) fn add(&mut self, device: &'static str, state: &'static str) -> DeviceId {
        self.meter.add(Ps::ZERO, device, State::named(state))
    }

    /// Adds a device that is counted from `now` on.
    pub(crate) fn add_at(
        &mut self,
        now: Ps,
        device: &'static str,
        state: &'static str,
    ) -> DeviceId {
        self.meter.add(now, device, State::named(state))
    }

    /// The device is in the state `state` from `now` on.
    pub(crate) fn set(&mut self, now: Ps, device: DeviceId, state: &'static str) {
        self.meter.set(now, device, State::named(state));
    }

    /// The CPU's clock has this frequency from `now` on. A clock that stops keeps its last
    /// frequency.
    pub(crate) fn clock(&mut self, now: Ps, millihertz: u64) {
        if let Ok(hertz @ 1..) = u32::try_from((millihertz + 500) / 1000) {
            self.clock_hz = hertz;
        }
        self.mode(now, self.mode);
    }

    /// The CPU is in `mode` from `now` on.
    pub(crate) fn mode(&mut self, now: Ps, mode: M) {
        self.mode = mode;
        self.meter.set(now, self.cpu, mode.state(self.clock_hz));
    }

    /// Supply in V.
    pub(crate) fn supply_v(&self) -> f64 {
        self.table.supply_v.value
    }

    /// Frequency of the CPU's clock.
    pub(crate) fn clock_hz(&self) -> u32 {
        self.clock_hz
    }

    /// Time and charge until `now`. A state without a current in the data file is an error of that
    /// file; the unit tests hold each file against every state there is.
    pub(crate) fn rows(&self, now: Ps) -> Result<Vec<MeterRow>, BoardError> {
        let costs = self
            .table
            .cost(&self.meter.snapshot(now))
            .map_err(|error| BoardError::Data(error.to_string()))?;
        let spent = costs.into_iter().filter(|cost| cost.time > Ps::ZERO);
        Ok(spent.map(row).collect())
    }

    /// Changes of state since the last call, each with its current. The first call begins to record
    /// them.
    pub(crate) fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        let changes = self.meter.take_changes();
        let with_current = |Change { at, device, state }| {
            let current_ua = self
                .table
                .current_ua(device, state)
                .map_err(|error| BoardError::Data(error.to_string()))?;
            Ok(StateChange {
                at,
                device: device.into(),
                state: state.name.into(),
                clock_hz: state.clock_hz,
                current_ma: current_ua / 1000.0,
            })
        };
        changes.into_iter().map(with_current).collect()
    }
}

fn row(cost: Cost) -> MeterRow {
    MeterRow {
        device: cost.device.into(),
        state: cost.state.name.into(),
        clock_hz: cost.state.clock_hz,
        seconds: cost.time.as_secs_f64(),
        current_ma: cost.current_ua / 1000.0,
        charge_uc: cost.charge_uc,
        energy_uj: cost.energy_uj,
        source: cost.source,
        kind: cost.kind.name().into(),
    }
}
