//! Everything outside the core that an instruction can reach, as one argument.

use crate::bus::{Bus, BusError};
use trace::Tracer;

/// The bus, and the tracer that watches it. The CPU does not drive bit 0 of a word address.
pub(crate) trait Outside: trace::Outside<Bus: Bus> {
    /// Reads data: an octet, or a word.
    #[inline(always)]
    fn load<const BYTE: bool>(&mut self, addr: u16) -> Result<u16, BusError> {
        if BYTE {
            self.tracer().read(addr.into());
            self.bus().read8(addr).map(u16::from)
        } else {
            self.tracer().read((addr & !1).into());
            self.bus().read16(addr & !1)
        }
    }

    /// Writes data: an octet, or a word.
    #[inline(always)]
    fn store<const BYTE: bool>(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        if BYTE {
            self.tracer().write(addr.into());
            self.bus().write8(addr, value as u8)
        } else {
            self.tracer().write((addr & !1).into());
            self.bus().write16(addr & !1, value)
        }
    }
}

impl<O: trace::Outside<Bus: Bus>> Outside for O {}
