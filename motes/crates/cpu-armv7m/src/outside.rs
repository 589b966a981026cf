//! Everything outside the core that an instruction can reach, as one argument.

use crate::bus::Bus;

/// The bus, and the tracer that watches it.
pub(crate) trait Outside: trace::Outside<Bus: Bus> {}

impl<O: trace::Outside<Bus: Bus>> Outside for O {}
