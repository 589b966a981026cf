//! Who takes part in a simulation.

use super::SimulationError;
use super::profile::Profile;
use board::Board;
use board::device::air::{AirIn, AirOut, Medium};
use board::device::{Ps, Station};

/// What a mote is.
#[derive(Clone)]
pub(super) enum Body {
    /// A board with a program.
    Board(Box<dyn Board>),
    /// A radio whose owner is outside.
    Station(Box<Station>),
}

/// A mote in the medium.
#[derive(Clone)]
pub(super) struct Mote {
    pub(super) name: String,
    pub(super) body: Body,
    /// When it next acts by itself, and whether it is on the air: as of its last run.
    pub(super) due: Option<Ps>,
    pub(super) on_air: bool,
    /// Follows every instruction of its program.
    pub(super) profile: Option<Box<Profile>>,
}

impl Mote {
    pub(super) fn run_until(&mut self, end: Ps) -> Result<(), SimulationError> {
        let outcome = match &mut self.body {
            Body::Board(board) => match &mut self.profile {
                Some(profile) => profile.run_until(board.as_mut(), end),
                None => board.run_until(end),
            },
            Body::Station(station) => {
                station.run_until(end);
                Ok(())
            }
        };
        self.refresh();
        outcome.map_err(|fault| SimulationError::Fault {
            name: self.name.clone(),
            fault,
        })
    }

    /// Asks when it will act.
    pub(super) fn refresh(&mut self) {
        (self.due, self.on_air) = match &self.body {
            Body::Board(board) => (board.next_event(), board.on_air()),
            Body::Station(station) => (station.next_event(), station.on_air()),
        };
    }

    pub(super) fn hear(&mut self, event: AirIn) {
        self.due = match &mut self.body {
            Body::Board(board) => {
                board.hear(event);
                board.next_event()
            }
            Body::Station(station) => {
                station.hear(event);
                station.next_event()
            }
        };
    }

    pub(super) fn take_air(&mut self, out: &mut Vec<AirOut>) {
        match &mut self.body {
            Body::Board(board) => board.take_air(out),
            Body::Station(station) => station.take_air(out),
        }
    }

    pub(super) fn medium(&self) -> Option<&'static Medium> {
        match &self.body {
            Body::Board(board) => board.medium(),
            Body::Station(station) => Some(station.medium()),
        }
    }

    pub(super) fn board(&mut self) -> Result<&mut dyn Board, SimulationError> {
        match &mut self.body {
            Body::Board(board) => Ok(board.as_mut()),
            Body::Station(_) => Err(SimulationError::Usage(format!(
                "{} is a station, which has no board",
                self.name
            ))),
        }
    }
}
