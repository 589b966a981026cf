//! The SPI as master (2467, section "Serial Peripheral Interface"): an octet takes eight periods of
//! its clock from the write to SPDR on. The model assumes that synchronisation adds nothing.

constants! { u8:
    SPIE = 0x80,  SPE = 0x40,   MSTR = 0x10,  SPIF = 0x80,  WCOL = 0x40,  SPI2X = 0x01,
}
/// Cycles of a bit by SPR1:0.
const DIVIDERS: [u64; 4] = [4, 16, 64, 128];

/// The registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spi {
    control: u8,
    status: u8,
    received: u8,
    /// Octet under way, and the cycle at which its last bit ends.
    shift: Option<(u8, u64)>,
    /// SPSR was read with SPIF set: the next access to SPDR clears it.
    seen: bool,
}

impl Spi {
    /// SPCR.
    pub fn control(&self) -> u8 {
        self.control
    }

    /// Writes SPCR; false: slave mode, which is not modelled.
    pub fn set_control(&mut self, value: u8) -> bool {
        self.control = value;
        value & (SPE | MSTR) != SPE
    }

    /// Reads SPSR.
    pub fn status(&mut self) -> u8 {
        self.seen = self.status & (SPIF | WCOL) != 0;
        self.status
    }

    /// Writes SPSR: SPI2X alone can be written.
    pub fn set_status(&mut self, value: u8) {
        self.status = self.status & !SPI2X | value & SPI2X;
    }

    fn access(&mut self) {
        if std::mem::take(&mut self.seen) {
            self.status &= !(SPIF | WCOL);
        }
    }

    /// Reads SPDR.
    pub fn data(&mut self) -> u8 {
        self.access();
        self.received
    }

    /// Writes SPDR at cycle `now`.
    pub fn set_data(&mut self, value: u8, now: u64) {
        self.access();
        if self.control & (SPE | MSTR) != SPE | MSTR {
            return;
        }
        if self.shift.is_some() {
            self.status |= WCOL;
            return;
        }
        let bit = DIVIDERS[usize::from(self.control & 3)] >> (self.status & SPI2X);
        self.shift = Some((value, now + 8 * bit));
    }

    /// The octet that is complete at `now`, if one is; [`Spi::complete`] takes the answer.
    pub fn due(&mut self, now: u64) -> Option<u8> {
        let (octet, end) = self.shift?;
        (end <= now).then_some(octet)
    }

    /// The octet under way has been exchanged for `received`.
    pub fn complete(&mut self, received: u8) {
        self.shift = None;
        self.received = received;
        self.status |= SPIF;
        self.seen = false;
    }

    /// The cycle at which the octet under way ends.
    pub fn deadline(&self) -> Option<u64> {
        self.shift.map(|(_, end)| end)
    }

    /// Its clock stood still for `cycles`.
    pub fn delay(&mut self, cycles: u64) {
        if let Some((_, end)) = &mut self.shift {
            *end += cycles;
        }
    }

    /// Whether it interrupts.
    pub fn interrupt(&self) -> bool {
        self.control & SPIE != 0 && self.status & SPIF != 0
    }

    /// The interrupt is taken.
    pub fn acknowledge(&mut self) {
        self.status &= !SPIF;
    }
}
