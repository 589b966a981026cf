//! Motes in one medium, in lock step.
//!
//! Time advances in quanta no longer than the shortest notice that any radio gives of a
//! transmission, so nobody hears too late. In each quantum the motes on the air run first: the octets they send then
//! wait in the other radios, each with its exact time. While all sleep, time jumps to the earliest
//! thing that any of them will do by itself. A mote that sleeps through a quantum is left out of it:
//! it catches up when it next does or hears something, and before anybody outside looks at it.

use crate::inject::Injection;
use crate::pcap;
use air::{Air, AirConfig, AirFrame, Link};
use board::device::air::{AirIn, AirOut, Medium};
use board::device::random::split_mix;
use board::device::{OQPSK_2450, Ps};
use board::{Board, BoardError, MoteFault, Options, PowerCut};
use medium::{check_distance, check_loss};
use party::{Body, Mote};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Longest quantum while no two motes share a medium: nobody could hear another one too late.
const QUANTUM_ALONE: Ps = Ps::from_micros(1_000);
/// A mote sleeps through fewer quanta than this before it runs: what a radio that is off hears is
/// kept until then.
const LONGEST_ABSENCE: u64 = 64;

/// Settings of a simulation, apart from its motes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationConfig {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Distance between any two motes in metres.
    pub distance_m: f64,
    /// Probability that a link loses a frame.
    pub loss: f64,
}

/// Why a simulation cannot go on or cannot be set up.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// A mote's program did something impossible.
    #[error("mote {name}: {fault}")]
    Fault {
        /// The mote.
        name: String,
        /// What and where.
        fault: MoteFault,
    },
    /// A mote cannot be made.
    #[error("mote {name}: {error}")]
    Board {
        /// The mote.
        name: String,
        /// Why.
        error: BoardError,
    },
    /// No mote has this number.
    #[error("no mote {index}; there are {count}")]
    NoMote {
        /// The number given.
        index: usize,
        /// Motes there are.
        count: usize,
    },
    /// An executable without this symbol.
    #[error("mote {name} has no symbol {symbol}")]
    NoSymbol {
        /// The mote.
        name: String,
        /// The symbol.
        symbol: String,
    },
    /// Memory that is not there.
    #[error("mote {name} has no memory at 0x{address:04X}..0x{:04X}", u64::from(*address) + *length as u64)]
    NoMemory {
        /// The mote.
        name: String,
        /// First address.
        address: u32,
        /// Octets.
        length: usize,
    },
    /// Something asked at the wrong moment or with a value out of range.
    #[error("{0}")]
    Usage(String),
}

/// A frame as it was sent, and the ASN its sender had when it announced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The frame.
    pub frame: AirFrame,
    /// `None`: the ASN of that mote is not read.
    pub asn: Option<u64>,
}

/// Frames since the capture began.
#[derive(Clone, Default)]
struct Capture {
    /// Address of the most significant octet of a mote's ASN, by mote.
    sources: BTreeMap<usize, u32>,
    /// ASN of what each mote is sending.
    announced: BTreeMap<usize, u64>,
    frames: Vec<Captured>,
}

/// Octets of an ASN.
const ASN_OCTETS: usize = 5;

/// Motes, the medium between them, and what is captured. A copy goes on as the original would.
#[derive(Clone)]
pub struct Simulation {
    config: SimulationConfig,
    motes: Vec<Mote>,
    air: Air,
    now: Ps,
    /// Longest quantum. A transmission announced in a quantum begins after it.
    quantum: Ps,
    /// Quanta so far.
    quanta: u64,
    /// The motes in the order of this quantum.
    order: Vec<usize>,
    capture: Option<Capture>,
    /// How often somebody outside has changed something that the motes may notice.
    meddled: u64,
}

impl Simulation {
    /// A medium without motes at time 0.
    pub fn new(config: SimulationConfig) -> Result<Simulation, SimulationError> {
        check_loss(config.loss)?;
        check_distance(config.distance_m)?;
        let link = Link {
            distance_m: config.distance_m,
            loss: config.loss,
            ..Link::default()
        };
        let air = Air::new(
            config.seed,
            AirConfig {
                link,
                ..AirConfig::default()
            },
        );
        Ok(Simulation {
            config,
            motes: Vec::new(),
            air,
            now: Ps::ZERO,
            quantum: QUANTUM_ALONE,
            quanta: 0,
            order: Vec::new(),
            capture: None,
            meddled: 0,
        })
    }

    /// Adds a mote of the board of that name, powered on at time 0, and returns its number.
    pub fn add_mote(
        &mut self,
        board: &str,
        elf: &[u8],
        name: &str,
        options: &Options,
    ) -> Result<usize, SimulationError> {
        self.check_addable()?;
        let options = Options {
            seed: self.next_seed() ^ options.seed,
            ..options.clone()
        };
        let board =
            board::create(board, elf, &options).map_err(|error| SimulationError::Board {
                name: name.into(),
                error,
            })?;
        Ok(self.install(name, Body::Board(board)))
    }

    /// May a mote be added?
    fn check_addable(&self) -> Result<(), SimulationError> {
        let why = if self.now > Ps::ZERO {
            "motes are added before time passes"
        } else if self.air.motes() > self.motes.len() {
            "motes are added before frames are injected"
        } else {
            return Ok(());
        };
        Err(SimulationError::Usage(why.into()))
    }

    /// Seed of the next mote.
    fn next_seed(&self) -> u64 {
        let mut state = self.config.seed;
        let mut state = split_mix(&mut state).wrapping_add(self.motes.len() as u64);
        split_mix(&mut state)
    }

    /// Puts a board or a station into the medium.
    fn install(&mut self, name: &str, body: Body) -> usize {
        let mote = Mote {
            name: name.into(),
            body,
            due: None,
            on_air: false,
            profile: None,
        };
        let medium = mote.medium();
        if let Some(medium) = medium.filter(|medium| self.media().any(|other| other == *medium)) {
            self.quantum = self.quantum.min(medium.lookahead);
        }
        self.motes.push(mote);
        self.air.add_mote(medium)
    }

    /// The medium of each mote that has a radio.
    fn media(&self) -> impl Iterator<Item = &'static Medium> {
        self.motes.iter().filter_map(Mote::medium)
    }

    /// Somebody outside has changed something that the motes may notice. Who changes a board by
    /// [`Simulation::board`] says so.
    pub fn meddle(&mut self) {
        self.meddled += 1;
    }

    /// How often that has happened.
    pub(crate) fn meddled(&self) -> u64 {
        self.meddled
    }

    /// How many motes and stations there are.
    pub(crate) fn count(&self) -> usize {
        self.motes.len()
    }

    /// Time since power-on.
    pub fn now(&self) -> Ps {
        self.now
    }

    /// A mote's board.
    pub fn board(&mut self, index: usize) -> Result<&mut dyn Board, SimulationError> {
        self.mote(index)?.board()
    }

    fn mote(&mut self, index: usize) -> Result<&mut Mote, SimulationError> {
        let count = self.motes.len();
        self.motes
            .get_mut(index)
            .ok_or(SimulationError::NoMote { index, count })
    }

    /// (address, octets) of a symbol.
    pub fn symbol(&mut self, index: usize, symbol: &str) -> Result<(u32, u32), SimulationError> {
        let mote = self.mote(index)?;
        let found = mote.board()?.elf().symbol(symbol);
        let missing = SimulationError::NoSymbol {
            name: mote.name.clone(),
            symbol: symbol.into(),
        };
        found.map(|s| (s.address, s.size)).ok_or(missing)
    }

    /// Copies out of a mote's memory.
    pub fn read(
        &mut self,
        index: usize,
        address: u32,
        length: usize,
    ) -> Result<Vec<u8>, SimulationError> {
        let mote = self.mote(index)?;
        let missing = SimulationError::NoMemory {
            name: mote.name.clone(),
            address,
            length,
        };
        mote.board()?.read(address, length).ok_or(missing)
    }

    /// Copies into a mote's memory, flash included.
    pub fn write(
        &mut self,
        index: usize,
        address: u32,
        octets: &[u8],
    ) -> Result<(), SimulationError> {
        self.meddled += 1;
        let mote = self.mote(index)?;
        let missing = SimulationError::NoMemory {
            name: mote.name.clone(),
            address,
            length: octets.len(),
        };
        if mote.board()?.write(address, octets) {
            Ok(())
        } else {
            Err(missing)
        }
    }

    /// Captures frames from now on.
    pub fn capture(&mut self) {
        self.capture.get_or_insert_default();
    }

    /// Captures frames from now on; those of mote `index` with the ASN that lies in its memory, 5
    /// octets, most significant first, `offset` octets into `symbol`.
    pub fn capture_asn(
        &mut self,
        index: usize,
        symbol: &str,
        offset: u32,
    ) -> Result<(), SimulationError> {
        let address = self.symbol(index, symbol)?.0.saturating_add(offset);
        self.read(index, address, ASN_OCTETS)?;
        self.capture
            .get_or_insert_default()
            .sources
            .insert(index, address);
        Ok(())
    }

    /// The capture so far, without frames that were cut short, in the order in which the frames
    /// began.
    pub fn captured(&self) -> Vec<Captured> {
        let mut frames = self.transmissions();
        frames.retain(|captured| captured.frame.complete);
        frames
    }

    /// Everything that has been on the air since the capture began, cut short or not, in the order
    /// in which it began.
    pub fn transmissions(&self) -> Vec<Captured> {
        let mut frames = self
            .capture
            .as_ref()
            .map(|capture| capture.frames.clone())
            .unwrap_or_default();
        frames.sort_by_key(|captured| (captured.frame.start, captured.frame.from));
        frames
    }

    /// The capture so far as a pcap file. A file has one link type: where motes of several are in
    /// the simulation, `link_type` says whose frames to take.
    pub fn pcap(&self, link_type: Option<u32>) -> Result<Vec<u8>, SimulationError> {
        let types: BTreeSet<u32> = self.media().map(|medium| medium.link_type).collect();
        let named = link_type.or_else(|| types.first().copied().filter(|_| types.len() == 1));
        let Some(chosen) = named.filter(|named| types.contains(named)) else {
            return Err(SimulationError::Usage(format!(
                "a pcap file has one link type; the radios here have {types:?}"
            )));
        };
        let mut frames = self.captured();
        frames.retain(|captured| captured.frame.medium.link_type == chosen);
        Ok(pcap::file(chosen, &frames))
    }

    /// Sends a frame from outside: every mote hears it over the default link.
    pub fn inject(&mut self, injection: &Injection<'_>) -> Result<(), SimulationError> {
        self.meddled += 1;
        if let Some(objection) = injection.objection(self.now) {
            return Err(SimulationError::Usage(objection));
        }
        // The stranger stands behind the motes in the medium's list.
        let stranger = self.motes.len();
        if self.air.motes() == stranger {
            self.air.add_mote(Some(&OQPSK_2450));
        }
        let mut heard = Vec::new();
        for event in injection.events() {
            self.air.transmit(stranger, event, &mut heard);
        }
        self.deliver(heard);
        Ok(())
    }

    /// Power of a mote is to fail; it then stays silent. Its flash can be read and given to a mote
    /// of another simulation.
    pub fn plan_power_cut(&mut self, index: usize, cut: PowerCut) -> Result<(), SimulationError> {
        self.meddled += 1;
        let mote = self.mote(index)?;
        let name = mote.name.clone();
        mote.board()?
            .plan_power_cut(cut)
            .map_err(|error| SimulationError::Board { name, error })
    }

    /// Lets time pass until `target`.
    pub fn run_until(&mut self, target: Ps) -> Result<(), SimulationError> {
        self.refresh();
        while self.now < target {
            self.step(target)?;
        }
        self.catch_up()
    }

    /// Lets time pass while the little-endian unsigned integer of `size` octets at `address` of a
    /// mote is below `bound`, at most until `limit`. True if it reached the bound.
    pub fn run_while(
        &mut self,
        index: usize,
        address: u32,
        size: usize,
        bound: u64,
        limit: Ps,
    ) -> Result<bool, SimulationError> {
        if !(1..=8).contains(&size) {
            return Err(SimulationError::Usage(format!(
                "an integer of {size} octets; it has 1 to 8"
            )));
        }
        self.refresh();
        let reached = loop {
            let octets = self.read(index, address, size)?;
            let value = octets
                .iter()
                .rev()
                .fold(0_u64, |value, octet| value << 8 | u64::from(*octet));
            if value >= bound {
                break true;
            }
            if self.now >= limit {
                break false;
            }
            self.step(limit)?;
        };
        self.catch_up()?;
        Ok(reached)
    }

    /// Lets time pass until mote `index` has executed an instruction or entered an interrupt; false
    /// if `limit` comes first. All other motes are then in the same instant, but those that sleep
    /// may lag behind until [`Simulation::catch_up`]. Call [`Simulation::refresh`] before the first
    /// of many.
    pub(crate) fn step_mote(&mut self, index: usize, limit: Ps) -> Result<bool, SimulationError> {
        let before = self.board(index)?.progress().cycles;
        while self.now < limit {
            let due = self.mote(index)?.due;
            let begun = due.map_or(limit, |due| Ps(due.max(self.now).0 + 1));
            self.step(begun.min(limit))?;
            if self.board(index)?.progress().cycles != before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets time pass until mote `index` is about to execute the instruction at `address`, after it
    /// has executed another one; at most until `limit`. True if it is there.
    pub fn run_to(
        &mut self,
        index: usize,
        address: u32,
        limit: Ps,
    ) -> Result<bool, SimulationError> {
        self.refresh();
        let mut there = false;
        while !there && self.step_mote(index, limit)? {
            let progress = self.board(index)?.progress();
            there = progress.pc == address && !progress.asleep;
        }
        self.catch_up()?;
        Ok(there)
    }

    /// Somebody outside may have changed something: asks every board when it will act.
    pub(crate) fn refresh(&mut self) {
        self.motes.iter_mut().for_each(Mote::refresh);
    }

    /// Brings the motes that slept to the present.
    pub(crate) fn catch_up(&mut self) -> Result<(), SimulationError> {
        for index in 0..self.motes.len() {
            self.motes[index].run_until(self.now)?;
            self.spread(index);
        }
        Ok(())
    }

    /// One quantum. First, time jumps to the next event if all motes sleep until then.
    fn step(&mut self, target: Ps) -> Result<(), SimulationError> {
        let earliest = self.motes.iter().filter_map(|mote| mote.due).min();
        let start = earliest.map_or(target, |at| at.max(self.now).min(target));
        let end = (start + self.quantum).min(target);
        self.quanta += 1;
        let all = self.quanta.is_multiple_of(LONGEST_ABSENCE);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let on_air = |index: &usize| self.motes[*index].on_air;
        order.extend((0..self.motes.len()).filter(on_air));
        let first = order.len();
        order.extend((0..self.motes.len()).filter(|index| !on_air(index)));
        for (place, &index) in order.iter().enumerate() {
            let mote = &mut self.motes[index];
            if all || place < first || mote.due.is_some_and(|due| due <= end) {
                mote.run_until(end)?;
                self.spread(index);
            }
        }
        self.order = order;
        self.now = end;
        Ok(())
    }

    /// Brings what mote `index` sent to the others and into the capture.
    fn spread(&mut self, index: usize) {
        let mut sent: Vec<AirOut> = Vec::new();
        let mut heard = Vec::new();
        self.motes[index].take_air(&mut sent);
        for event in sent {
            if let (AirOut::Start { .. }, Some(capture)) = (event, &mut self.capture) {
                capture.announce(index, &self.motes[index].body);
            }
            self.air.transmit(index, event, &mut heard);
        }
        self.deliver(heard);
    }

    /// Hands over what antennas hear, and frames that have been sent to the capture.
    fn deliver(&mut self, heard: Vec<(usize, AirIn)>) {
        for (hearer, event) in heard {
            // The injector is in the medium's list, but it hears nothing.
            if let Some(mote) = self.motes.get_mut(hearer) {
                mote.hear(event);
            }
        }
        let frames = self.air.take_frames();
        if let Some(capture) = &mut self.capture {
            capture.take(frames);
        }
    }
}

impl Capture {
    /// A mote has announced a transmission: it now has the ASN of the slot it sends in.
    fn announce(&mut self, index: usize, body: &Body) {
        let source = self.sources.get(&index);
        let octets = source.and_then(|&address| match body {
            Body::Board(board) => board.read(address, ASN_OCTETS),
            Body::Station(_) => None,
        });
        let asn = octets.map(|octets| {
            octets
                .iter()
                .fold(0, |asn, octet| asn << 8 | u64::from(*octet))
        });
        match asn {
            Some(asn) => self.announced.insert(index, asn),
            None => self.announced.remove(&index),
        };
    }

    fn take(&mut self, frames: Vec<AirFrame>) {
        for frame in frames {
            let asn = self.announced.get(&frame.from).copied();
            self.frames.push(Captured { frame, asn });
        }
    }
}

mod medium;
mod owner;
mod party;
pub mod profile;
mod stations;
#[cfg(test)]
mod tests;
