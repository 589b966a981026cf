//! Stations: what a program of the host hears and sends in the medium of the motes.

use super::{Body, Simulation, SimulationError};
use board::device::{Ps, Sending, Station, StationConfig};

impl Simulation {
    /// Adds a station, and returns its number among the motes. Its backoff follows from the seed of
    /// the simulation, its number, and the seed of `config`.
    pub fn add_station(
        &mut self,
        name: &str,
        config: &StationConfig,
    ) -> Result<usize, SimulationError> {
        self.check_addable()?;
        let seed = self.next_seed() ^ config.seed;
        let station =
            Station::new(StationConfig { seed, ..*config }).map_err(SimulationError::Usage)?;
        Ok(self.install(name, Body::Station(Box::new(station))))
    }

    /// A station.
    pub fn station(&mut self, index: usize) -> Result<&mut Station, SimulationError> {
        let mote = self.mote(index)?;
        match &mut mote.body {
            Body::Station(station) => Ok(station),
            Body::Board(_) => Err(SimulationError::Usage(format!(
                "{} is a mote, not a station",
                mote.name
            ))),
        }
    }

    /// A station sends a frame as soon as it can; its number.
    pub fn send(&mut self, index: usize, sending: &Sending<'_>) -> Result<u64, SimulationError> {
        self.meddled += 1;
        self.station(index)?
            .send(sending)
            .map_err(SimulationError::Usage)
    }

    /// Lets time pass until one of these stations has heard something or is done with a frame, at
    /// most until `limit`. True if one has.
    pub fn run_until_news(
        &mut self,
        stations: &[usize],
        limit: Ps,
    ) -> Result<bool, SimulationError> {
        self.refresh();
        let found = loop {
            let mut found = false;
            for &index in stations {
                found |= self.station(index)?.has_news();
            }
            if found || self.now >= limit {
                break found;
            }
            self.step(limit)?;
        };
        self.catch_up()?;
        Ok(found)
    }
}
