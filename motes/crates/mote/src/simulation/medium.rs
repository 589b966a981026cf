//! What lies between motes: loss, path loss, distance, which may change while time passes.

use super::{Simulation, SimulationError};
use air::Link;

pub(super) fn check_loss(loss: f64) -> Result<(), SimulationError> {
    if (0.0..=1.0).contains(&loss) {
        return Ok(());
    }
    Err(SimulationError::Usage(format!(
        "loss of {loss}; it is 0 to 1"
    )))
}

pub(super) fn check_distance(distance_m: f64) -> Result<(), SimulationError> {
    if (0.0..=1e6).contains(&distance_m) {
        return Ok(());
    }
    Err(SimulationError::Usage(format!(
        "distance of {distance_m} m; it is 0 to 1000000"
    )))
}

impl Simulation {
    /// From now on mote `to` does not decode this part of what mote `from` sends, at random.
    pub fn set_loss(&mut self, from: usize, to: usize, loss: f64) -> Result<(), SimulationError> {
        check_loss(loss)?;
        self.mote(from)?;
        self.mote(to)?;
        let link = self.air.link(from, to);
        self.set_link(from, to, Link { loss, ..link });
        Ok(())
    }

    fn set_link(&mut self, from: usize, to: usize, link: Link) {
        self.meddled += 1;
        self.air.set_link(from, to, link);
    }

    /// From now on two motes are this far apart: what one begins to send reaches the other later and
    /// weaker. A path loss that was set between them no longer counts.
    pub fn set_distance(
        &mut self,
        one: usize,
        other: usize,
        distance_m: f64,
    ) -> Result<(), SimulationError> {
        check_distance(distance_m)?;
        self.mote(one)?;
        self.mote(other)?;
        for (from, to) in [(one, other), (other, one)] {
            let link = Link {
                distance_m,
                path_loss_db: None,
                audible: true,
                ..self.air.link(from, to)
            };
            self.set_link(from, to, link);
        }
        Ok(())
    }

    /// From now on what mote `from` begins to send reaches mote `to` weaker by this much; infinitely
    /// much: not at all.
    pub fn set_path_loss(
        &mut self,
        from: usize,
        to: usize,
        path_loss_db: f64,
    ) -> Result<(), SimulationError> {
        if path_loss_db.is_nan() || path_loss_db < 0.0 {
            return Err(SimulationError::Usage(format!(
                "path loss of {path_loss_db} dB; it is 0 or more"
            )));
        }
        self.mote(from)?;
        self.mote(to)?;
        let link = Link {
            audible: path_loss_db.is_finite(),
            path_loss_db: Some(path_loss_db),
            ..self.air.link(from, to)
        };
        self.set_link(from, to, link);
        Ok(())
    }
}
