//! Time: one integer in picoseconds since the simulation began.

use std::ops::{Add, AddAssign, Sub};

/// A point in time or a span, in picoseconds. 64 bits hold 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ps(pub u64);

impl Ps {
    /// The beginning of the simulation; the empty span.
    pub const ZERO: Ps = Ps(0);

    /// A span of whole nanoseconds.
    pub const fn from_nanos(ns: u64) -> Ps {
        Ps(ns * 1_000)
    }

    /// A span of whole microseconds.
    pub const fn from_micros(us: u64) -> Ps {
        Ps(us * 1_000_000)
    }

    /// In seconds, for people.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 * 1e-12
    }
}

impl Add for Ps {
    type Output = Ps;
    fn add(self, rhs: Ps) -> Ps {
        Ps(self.0 + rhs.0)
    }
}

impl AddAssign for Ps {
    fn add_assign(&mut self, rhs: Ps) {
        self.0 += rhs.0;
    }
}

impl Sub for Ps {
    type Output = Ps;
    fn sub(self, rhs: Ps) -> Ps {
        Ps(self.0 - rhs.0)
    }
}
