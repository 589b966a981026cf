//! The SPI (2467, section "Serial Peripheral Interface"). As master, an octet takes eight periods
//! of its clock from the write to SPDR on; the model assumes that synchronisation adds nothing. As
//! slave, whoever drives SCK says when a bit passes.

constants! { u8:
    SPIE = 0x80,  SPE = 0x40,   DORD = 0x20,  MSTR = 0x10,
    SPIF = 0x80,  WCOL = 0x40,  SPI2X = 0x01,
}
/// Cycles of a bit by SPR1:0.
const DIVIDERS: [u64; 4] = [4, 16, 64, 128];
/// Bits of an octet.
const BITS: u8 = 8;

/// The registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spi {
    control: u8,
    status: u8,
    received: u8,
    /// Octet under way as master, and the cycle at which its last bit ends.
    shift: Option<(u8, u64)>,
    /// The shift register as slave, and how many bits have passed through it.
    register: u8,
    passed: u8,
    /// SPSR was read with SPIF set: the next access to SPDR clears it.
    seen: bool,
}

impl Spi {
    /// SPCR.
    pub fn control(&self) -> u8 {
        self.control
    }

    /// Writes SPCR.
    pub fn set_control(&mut self, value: u8) {
        self.control = value;
        if !self.slave() {
            self.passed = 0;
        }
    }

    /// It is on, as slave.
    pub fn slave(&self) -> bool {
        self.control & (SPE | MSTR) == SPE
    }

    fn master(&self) -> bool {
        self.control & (SPE | MSTR) == SPE | MSTR
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

    /// Reads SPDR: the octet received last, while the next one passes.
    pub fn data(&mut self) -> u8 {
        self.access();
        self.received
    }

    /// Writes SPDR at cycle `now`. While an octet passes, nothing is written.
    pub fn set_data(&mut self, value: u8, now: u64) {
        self.access();
        if self.shift.is_some() || self.passed > 0 {
            self.status |= WCOL;
        } else if self.slave() {
            self.register = value;
        } else if self.master() {
            let bit = DIVIDERS[usize::from(self.control & 3)] >> (self.status & SPI2X);
            self.shift = Some((value, now + u64::from(BITS) * bit));
        }
    }

    /// As slave: how many bits its octet needs yet.
    pub fn missing(&self) -> u8 {
        BITS - self.passed
    }

    /// As slave: what its shift register holds, the bit that leaves first in front. An octet that
    /// was not written is the one received last.
    pub fn outgoing(&self) -> u8 {
        if self.control & DORD == 0 {
            self.register
        } else {
            self.register.reverse_bits()
        }
    }

    /// As slave: SCK moves one bit in, and another one out.
    pub fn pass(&mut self, incoming: bool) {
        self.register = if self.control & DORD == 0 {
            self.register << 1 | u8::from(incoming)
        } else {
            self.register >> 1 | u8::from(incoming) << 7
        };
        self.passed += 1;
        if self.passed == BITS {
            self.passed = 0;
            self.complete(self.register);
        }
    }

    /// As slave: SS is high. The octet begins anew.
    pub fn deselect(&mut self) {
        self.passed = 0;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn octet(spi: &mut Spi, bits: u8) {
        for bit in (0..8).rev() {
            spi.pass(bits >> bit & 1 != 0);
        }
    }

    #[test]
    fn a_slave_takes_and_gives_an_octet_in_eight_bits_of_its_master() {
        let mut spi = Spi::default();
        spi.set_control(SPE | SPIE);
        spi.set_data(0xA5, 0);
        assert_eq!((spi.outgoing(), spi.missing()), (0xA5, 8));
        for (n, bit) in [1, 0, 0, 1, 1, 0, 1].into_iter().enumerate() {
            assert_eq!(spi.outgoing() >> 7, 0xA5 >> (7 - n) & 1);
            spi.pass(bit != 0);
        }
        assert_eq!((spi.interrupt(), spi.missing()), (false, 1));
        spi.set_data(0xFF, 0);
        assert_eq!(spi.status(), WCOL, "an octet passes");
        spi.pass(false);
        assert_eq!((spi.interrupt(), spi.status()), (true, SPIF | WCOL));
        assert_eq!((spi.data(), spi.status()), (0x9A, 0));
    }

    #[test]
    fn the_octet_received_last_stays_readable_and_goes_out_again() {
        let mut spi = Spi::default();
        spi.set_control(SPE);
        octet(&mut spi, 0x3C);
        assert_eq!(spi.outgoing(), 0x3C, "nobody wrote another one");
        for _ in 0..4 {
            spi.pass(true);
        }
        assert_eq!(spi.data(), 0x3C);
        spi.deselect();
        assert_eq!(spi.missing(), 8);
        octet(&mut spi, 0x11);
        assert_eq!(spi.data(), 0x11, "the octet that was cut short is lost");
    }

    #[test]
    fn dord_turns_the_octet_around() {
        let mut spi = Spi::default();
        spi.set_control(SPE | DORD);
        spi.set_data(0x01, 0);
        assert_eq!(spi.outgoing(), 0x80);
        octet(&mut spi, 0xC0);
        assert_eq!(spi.data(), 0x03);
    }
}
