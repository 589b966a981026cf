//! The past of a simulation that gdb looks at: copies of it from time to time, and at every moment
//! at which somebody outside has changed something. What was between two of them is executed again:
//! the same program with the same inputs does the same, so the way back is the way there.

use crate::simulation::{Simulation, SimulationError};
use board::device::Ps;

/// Instructions of the mote between two copies.
const SPACING: usize = 100_000;
/// Copies of all motes together.
const MOST_COPIES: usize = 1_000;
/// Copies of one simulation.
const COPIES: std::ops::RangeInclusive<usize> = 4..=48;
/// So many times more are kept if outside changed something so often; then the past begins later.
const MANY: usize = 8;

/// Later than anything that has happened.
const BEYOND: Ps = Ps(u64::MAX / 2);

/// A copy of the simulation.
struct Moment {
    /// Cycles that the mote's CPU had executed.
    cycles: u64,
    /// Somebody outside has changed something just before.
    changed: bool,
    state: Simulation,
}

/// A way through the past.
struct Replay {
    state: Simulation,
    /// The moment that comes next.
    next: usize,
}

/// Copies in the order of time.
pub(super) struct History {
    index: usize,
    moments: Vec<Moment>,
    /// Instructions since the last copy.
    since: usize,
    /// What the simulation had seen from outside when it last ran.
    meddled: u64,
}

impl History {
    /// From now on, of mote `index`.
    pub(super) fn new(index: usize) -> History {
        History {
            index,
            moments: Vec::new(),
            since: 0,
            meddled: 0,
        }
    }

    fn cycles(&self, state: &mut Simulation) -> Result<u64, SimulationError> {
        Ok(state.board(self.index)?.progress().cycles)
    }

    /// Before time passes: keeps the state if somebody outside has changed it. What came after this
    /// moment never happens then.
    pub(super) fn begin(&mut self, state: &mut Simulation) -> Result<(), SimulationError> {
        let changed = state.meddled() != self.meddled;
        if !changed && !self.moments.is_empty() {
            return Ok(());
        }
        let here = (state.now(), state.meddled());
        let past = |one: &Moment| (one.state.now(), one.state.meddled()) < here;
        let past = self.moments.partition_point(past);
        self.moments.truncate(past);
        self.keep(state, true)
    }

    fn keep(&mut self, state: &mut Simulation, changed: bool) -> Result<(), SimulationError> {
        let most = MOST_COPIES / state.count().max(1);
        let most = most.clamp(*COPIES.start(), *COPIES.end());
        if self.moments.len() >= most {
            let mut number = 0_usize;
            // Every second one goes that the way through the past can do without.
            self.moments.retain(|one| {
                number += 1;
                one.changed || number % 2 == 1
            });
        }
        if self.moments.len() >= MANY * most {
            self.moments.drain(..self.moments.len() / 2);
        }
        self.meddled = state.meddled();
        self.since = 0;
        self.moments.push(Moment {
            cycles: self.cycles(state)?,
            changed,
            state: state.clone(),
        });
        Ok(())
    }

    /// The next moment at which somebody outside changed something, after that which `state` knows.
    fn change(&self, from: usize, state: &Simulation) -> Option<usize> {
        let later = |one: &Moment| one.changed && one.state.meddled() > state.meddled();
        let place = self.moments[from..].iter().position(later)?;
        Some(from + place)
    }

    /// Lets the mote execute an instruction, at most until `limit`; false if that comes first. What
    /// came from outside in the past comes again.
    pub(super) fn step(
        &mut self,
        state: &mut Simulation,
        limit: Ps,
    ) -> Result<bool, SimulationError> {
        while let Some(place) = self.change(0, state) {
            let at = self.moments[place].state.now();
            if at >= limit {
                break;
            }
            if state.step_mote(self.index, at)? {
                return Ok(true);
            }
            self.take_over(state, place);
        }
        if !state.step_mote(self.index, limit)? {
            return Ok(false);
        }
        self.since += 1;
        let latest = self.moments.last().map(|one| one.state.now());
        if self.since >= SPACING && latest.is_none_or(|latest| latest < state.now()) {
            self.keep(state, false)?;
        }
        Ok(true)
    }

    fn take_over(&mut self, state: &mut Simulation, place: usize) {
        state.clone_from(&self.moments[place].state);
        state.refresh();
        self.meddled = state.meddled();
    }

    /// Lets time pass without gdb; what came from outside in the past comes again.
    pub(super) fn run_until(
        &mut self,
        state: &mut Simulation,
        until: Ps,
    ) -> Result<(), SimulationError> {
        while let Some(place) = self.change(0, state) {
            let at = self.moments[place].state.now();
            if at > until {
                break;
            }
            state.run_until(at)?;
            self.take_over(state, place);
        }
        state.run_until(until)
    }

    /// The moments before cycle `end` of the mote, as a number of them.
    pub(super) fn before(&self, end: u64) -> usize {
        self.moments.partition_point(|one| one.cycles < end)
    }

    /// The cycle of a moment.
    pub(super) fn at(&self, place: usize) -> u64 {
        self.moments[place].cycles
    }

    /// Looks at what happened from moment `place` on until cycle `end` of the mote: first at that
    /// moment, then behind each instruction; the last look is at `end` or behind it.
    pub(super) fn look(
        &self,
        place: usize,
        end: u64,
        mut see: impl FnMut(&mut Simulation, u64),
    ) -> Result<(), SimulationError> {
        let mut replay = self.replay(place);
        loop {
            let cycles = self.cycles(&mut replay.state)?;
            see(&mut replay.state, cycles);
            if cycles >= end {
                return Ok(());
            }
            self.advance(&mut replay)?;
        }
    }

    /// The state at a cycle that is a boundary of instructions, from moment `place` on.
    pub(super) fn state(
        &mut self,
        place: usize,
        cycle: u64,
    ) -> Result<Simulation, SimulationError> {
        let mut replay = self.replay(place);
        while self.cycles(&mut replay.state)? < cycle {
            self.advance(&mut replay)?;
        }
        self.meddled = replay.state.meddled();
        self.since = 0;
        Ok(replay.state)
    }

    fn replay(&self, place: usize) -> Replay {
        let mut state = self.moments[place].state.clone();
        state.refresh();
        Replay {
            state,
            next: place + 1,
        }
    }

    /// One instruction of the past.
    fn advance(&self, replay: &mut Replay) -> Result<(), SimulationError> {
        loop {
            let Some(place) = self.change(replay.next, &replay.state) else {
                replay.state.step_mote(self.index, BEYOND)?;
                return Ok(());
            };
            let at = self.moments[place].state.now();
            if replay.state.step_mote(self.index, at)? {
                return Ok(());
            }
            replay.state = self.moments[place].state.clone();
            replay.state.refresh();
            replay.next = place + 1;
        }
    }
}
