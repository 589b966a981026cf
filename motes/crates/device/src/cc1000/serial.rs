//! The configuration interface of three wires (SWRS048, "3-wire serial configuration interface"):
//! seven bits of address and one that says writing while PALE is low, then eight bits of data while
//! it is high. Bits are taken, and given, at falling edges of PCLK, the most significant one first.

/// What the wires have asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Read(u8),
    Write(u8, u8),
}

/// Bits of address and direction, and of data.
const BITS: u8 = 8;

/// The wires, and the bits that have come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Serial {
    pale: bool,
    pclk: bool,
    pdata: bool,
    head: u8,
    head_bits: u8,
    data: u8,
    data_bits: u8,
}

impl Serial {
    /// PDATA as the microcontroller drives it.
    pub(super) fn set_pdata(&mut self, level: bool) {
        self.pdata = level;
    }

    /// PALE: low begins an access.
    pub(super) fn set_pale(&mut self, level: bool) {
        if self.pale && !level {
            (self.head, self.head_bits) = (0, 0);
        }
        self.pale = level;
        self.data_bits = 0;
    }

    /// PCLK. What its edge asks for, if it is the last one that is needed.
    pub(super) fn set_pclk(&mut self, level: bool) -> Option<Request> {
        let falls = self.pclk && !level;
        self.pclk = level;
        if !falls {
            return None;
        }
        if !self.pale {
            self.head = self.head << 1 | u8::from(self.pdata);
            self.head_bits = (self.head_bits + 1).min(BITS);
            let reads = self.head_bits == BITS && self.head & 1 == 0;
            return reads.then_some(Request::Read(self.head >> 1));
        }
        if self.head_bits < BITS || self.data_bits == BITS {
            return None;
        }
        let writes = self.head & 1 != 0;
        // What was read leaves bit by bit: the first one is in front before its edge.
        let keep = !writes && self.data_bits == 0;
        if !keep {
            self.data = self.data << 1 | u8::from(writes && self.pdata);
        }
        self.data_bits += 1;
        let done = writes && self.data_bits == BITS;
        done.then_some(Request::Write(self.head >> 1, self.data))
    }

    /// The answer to a [`Request::Read`].
    pub(super) fn answer(&mut self, data: u8) {
        self.data = data;
    }

    /// PDATA as this chip drives it while it is read; `None`: it does not.
    pub(super) fn output(&self) -> Option<bool> {
        let reads = self.pale && self.head_bits == BITS && self.head & 1 == 0 && self.data_bits > 0;
        reads.then_some(self.data >> 7 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(serial: &mut Serial, level: bool) -> Option<Request> {
        serial.set_pdata(level);
        let request = serial.set_pclk(false);
        serial.set_pclk(true);
        request
    }

    fn octet(serial: &mut Serial, value: u8) -> Option<Request> {
        let bits = (0..8).rev().map(|place| value >> place & 1 != 0);
        bits.map(|level| bit(serial, level))
            .fold(None, |_, last| last)
    }

    fn idle() -> Serial {
        let mut serial = Serial::default();
        serial.set_pale(true);
        serial.set_pclk(true);
        serial
    }

    #[test]
    fn an_octet_is_written_with_its_last_bit() {
        let mut serial = idle();
        for (address, value) in [(0x0B, 0xFF), (0x46, 0x5A)] {
            serial.set_pale(false);
            assert_eq!(octet(&mut serial, address << 1 | 1), None);
            serial.set_pale(true);
            assert_eq!(
                octet(&mut serial, value),
                Some(Request::Write(address, value))
            );
            assert_eq!(octet(&mut serial, 0), None, "nothing more until PALE falls");
        }
    }

    #[test]
    fn an_octet_is_read_after_each_falling_edge() {
        let mut serial = idle();
        serial.set_pale(false);
        assert_eq!(octet(&mut serial, 0x0E << 1), Some(Request::Read(0x0E)));
        serial.answer(0xA6);
        serial.set_pale(true);
        let mut value = 0;
        for _ in 0..8 {
            serial.set_pclk(false);
            value = value << 1 | u8::from(serial.output().expect("it drives"));
            serial.set_pclk(true);
        }
        assert_eq!(value, 0xA6);
        serial.set_pale(false);
        assert_eq!(serial.output(), None);
    }
}
