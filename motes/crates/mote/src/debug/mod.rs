//! gdb's remote protocol for one mote of a simulation.
//!
//! While gdb lets the mote run, time passes one instruction of that mote after the other, for all
//! motes: so when it stops, all of them stop in the same instant. While it is stopped, no time
//! passes. Cutting time into pieces changes nothing, so a mote under gdb does what it does without.
//! The way back is a way there: what happened since an earlier moment happens again, up to the
//! instruction before.

mod arch;
mod history;
mod target;
mod wire;

use crate::simulation::{Simulation, SimulationError};
use board::device::Ps;
use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, SingleThreadStopReason};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use target::Target;
use thiserror::Error;
use wire::{Heard, Wire};

/// How long a call waits for gdb at most: its caller has other things to look at.
const PATIENCE: Duration = Duration::from_millis(100);

type Machine = GdbStubStateMachine<'static, Target, Wire>;

/// What a session does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// No gdb has come yet; no time passes.
    Awaited,
    /// gdb has stopped the motes.
    Stopped,
    /// The motes run.
    Running,
    /// gdb has detached: the motes run freely from now on.
    Left,
    /// gdb has killed the program.
    Killed,
}

/// Why there is no session.
#[derive(Debug, Error)]
pub enum DebugError {
    /// The port cannot be listened at.
    #[error("port {port}: {error}")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        error: std::io::Error,
    },
    /// The mote cannot run, or is not there.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

enum Stage {
    Awaited(TcpListener),
    Live(Machine),
    Over(Session),
}

/// A port at which gdb may attach to a mote.
pub struct Debugger {
    port: u16,
    stage: Stage,
    target: Target,
}

impl Debugger {
    /// Listens at a port of this computer, or at any free one if `port` is 0.
    pub fn listen(
        simulation: Arc<Mutex<Simulation>>,
        index: usize,
        port: u16,
    ) -> Result<Debugger, DebugError> {
        let refused = |error| DebugError::Port { port, error };
        let target = Target::new(simulation, index)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        Ok(Debugger {
            port: listener.local_addr().map_err(refused)?.port(),
            stage: Stage::Awaited(listener),
            target,
        })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Does what gdb asks for, and lets time pass while gdb lets it, at most until `until`. Returns
    /// soon.
    pub fn pass(&mut self, until: Ps) -> Result<Session, DebugError> {
        loop {
            let stage = std::mem::replace(&mut self.stage, Stage::Over(Session::Left));
            let (stage, session) = match stage {
                Stage::Over(session) => (Stage::Over(session), Some(session)),
                Stage::Awaited(listener) => self.accept(listener)?,
                Stage::Live(machine) => self.turn(machine, until),
            };
            self.stage = stage;
            if let Some(session) = session {
                if session == Session::Left {
                    self.target.run_until(until)?;
                }
                return Ok(session);
            }
        }
    }

    /// Waits for gdb.
    fn accept(&mut self, listener: TcpListener) -> Result<(Stage, Option<Session>), DebugError> {
        let port = self.port;
        let failed = |error| DebugError::Port { port, error };
        match listener.accept() {
            Ok((stream, _)) => {
                let wire = Wire::new(stream).map_err(failed)?;
                let stub = GdbStub::new(wire).run_state_machine(&mut self.target);
                let stage = stub.map_or(Stage::Over(Session::Left), Stage::Live);
                Ok((stage, None))
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                std::thread::sleep(PATIENCE);
                Ok((Stage::Awaited(listener), Some(Session::Awaited)))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// One turn of a session. A connection that breaks is a gdb that has detached.
    fn turn(&mut self, machine: Machine, until: Ps) -> (Stage, Option<Session>) {
        let target = &mut self.target;
        let (next, session) = match machine {
            Machine::Idle(mut idle) => match idle.borrow_conn().octet(PATIENCE) {
                Heard::Octet(octet) => (idle.incoming_data(target, octet), None),
                Heard::Nothing => (Ok(idle.into()), Some(Session::Stopped)),
                Heard::End => return (Stage::Over(Session::Left), None),
            },
            Machine::Running(mut running) => match running.borrow_conn().octet(Duration::ZERO) {
                Heard::Octet(octet) => (running.incoming_data(target, octet), None),
                Heard::Nothing => match target.go(until) {
                    Some(reason) => (running.report_stop(target, reason), None),
                    None => (Ok(running.into()), Some(Session::Running)),
                },
                Heard::End => return (Stage::Over(Session::Left), None),
            },
            Machine::CtrlCInterrupt(interrupt) => {
                let reason: SingleThreadStopReason<u64> =
                    SingleThreadStopReason::Signal(Signal::SIGINT);
                (interrupt.interrupt_handled(target, Some(reason)), None)
            }
            Machine::Disconnected(disconnected) => {
                let killed = disconnected.get_reason() == DisconnectReason::Kill;
                let session = if killed {
                    Session::Killed
                } else {
                    Session::Left
                };
                return (Stage::Over(session), None);
            }
        };
        (
            next.map_or(Stage::Over(Session::Left), Stage::Live),
            session,
        )
    }
}
