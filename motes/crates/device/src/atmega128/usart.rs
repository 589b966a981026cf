//! USART0 and USART1 as asynchronous transmitter and receiver (2467, section "USART"): 5 to 8 data
//! bits, one or two stop bits, parity, double speed.

constants! { u8:
    RXC = 0x80,   TXC = 0x40,   UDRE = 0x20,  DOR = 0x08,   U2X = 0x02,   MPCM = 0x01,
    RXEN = 0x10,  TXEN = 0x08,  UCSZ2 = 0x04,
}
/// Both bits of the ATmega1281; the ATmega128 has the lower one alone.
const UMSEL: u8 = 0xC0;
const PARITY: u8 = 0x20;
const STOP_BITS: u8 = 0x08;

/// One USART.
#[derive(Clone, Debug)]
pub struct Usart {
    /// UCSRnA but for RXC and UDRE, UCSRnB, UCSRnC.
    status: u8,
    control: u8,
    frame: u8,
    /// UBRRnH, UBRRnL.
    rate: u16,
    waiting: Option<u8>,
    /// Octet under way, and the cycle at which its last stop bit ends.
    shift: Option<(u8, u64)>,
    received: [u8; 2],
    count: usize,
}

impl Usart {
    /// After a reset.
    pub fn new() -> Usart {
        Usart {
            status: 0,
            control: 0,
            frame: 0x06,
            rate: 0,
            waiting: None,
            shift: None,
            received: [0; 2],
            count: 0,
        }
    }

    /// UCSRnA.
    pub fn status(&self) -> u8 {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        self.status | flag(self.count > 0, RXC) | flag(self.waiting.is_none(), UDRE)
    }

    /// Writes UCSRnA: 1 clears TXC. False: multi-processor mode, which is not modelled.
    pub fn set_status(&mut self, value: u8) -> bool {
        self.status = self.status & !(value & TXC) & !U2X | value & U2X;
        value & MPCM == 0
    }

    /// UCSRnB.
    pub fn control(&self) -> u8 {
        self.control
    }

    /// Writes UCSRnB. False: nine data bits, which are not modelled.
    pub fn set_control(&mut self, value: u8) -> bool {
        self.control = value;
        if value & RXEN == 0 {
            self.count = 0;
            self.status &= !DOR;
        }
        value & UCSZ2 == 0
    }

    /// UCSRnC.
    pub fn frame(&self) -> u8 {
        self.frame
    }

    /// Writes UCSRnC. False: synchronous mode, which is not modelled.
    pub fn set_frame(&mut self, value: u8) -> bool {
        self.frame = value;
        value & UMSEL == 0
    }

    /// UBRRn.
    pub fn rate(&self) -> u16 {
        self.rate
    }

    /// Writes UBRRn.
    pub fn set_rate(&mut self, value: u16) {
        self.rate = value & 0x0FFF;
    }

    /// Reads UDRn.
    pub fn data(&mut self) -> u8 {
        let octet = self.received[0];
        if self.count > 0 {
            self.received[0] = self.received[1];
            self.count -= 1;
            self.status &= !DOR;
        }
        octet
    }

    /// Writes UDRn at cycle `now`.
    pub fn set_data(&mut self, value: u8, now: u64) {
        if self.control & TXEN == 0 || self.waiting.is_some() {
            return;
        }
        self.waiting = Some(value);
        if self.shift.is_none() {
            self.begin(now);
        }
    }

    /// Cycles of a bit.
    pub fn bit(&self) -> u64 {
        (u64::from(self.rate) + 1) * if self.status & U2X != 0 { 8 } else { 16 }
    }

    /// Cycles of a whole character.
    fn character(&self) -> u64 {
        let data = 5 + u64::from(self.frame >> 1 & 3);
        let parity = u64::from(self.frame & PARITY != 0);
        let stop = 1 + u64::from(self.frame & STOP_BITS != 0);
        self.bit() * (1 + data + parity + stop)
    }

    fn begin(&mut self, now: u64) {
        if let Some(octet) = self.waiting.take() {
            self.shift = Some((octet, now + self.character()));
        }
    }

    /// The character that is complete at `now`, if one is; the next one begins.
    pub fn sent(&mut self, now: u64) -> Option<u8> {
        let (octet, end) = self.shift.filter(|(_, end)| *end <= now)?;
        self.shift = None;
        if self.waiting.is_some() {
            self.begin(end);
        } else {
            self.status |= TXC;
        }
        Some(octet)
    }

    /// A character arrives whole.
    pub fn receive(&mut self, octet: u8) {
        if self.control & RXEN == 0 {
            return;
        }
        if self.count == self.received.len() {
            self.status |= DOR;
            return;
        }
        self.received[self.count] = octet;
        self.count += 1;
    }

    /// The character under way, and the cycle in which it began.
    pub fn under_way(&self) -> Option<(u8, u64)> {
        self.shift
            .map(|(octet, end)| (octet, end.saturating_sub(self.character())))
    }

    /// The cycle at which the character under way ends.
    pub fn deadline(&self) -> Option<u64> {
        self.shift.map(|(_, end)| end)
    }

    /// Its clock stood still for `cycles`.
    pub fn delay(&mut self, cycles: u64) {
        if let Some((_, end)) = &mut self.shift {
            *end += cycles;
        }
    }

    /// Which of its interrupts are due: receive complete, data register empty, transmit complete.
    pub fn interrupts(&self) -> [bool; 3] {
        let due = self.status() & self.control;
        [due & RXC != 0, due & UDRE != 0, due & TXC != 0]
    }

    /// Whether any of its interrupts is due.
    pub fn asks(&self) -> bool {
        self.control & (RXC | UDRE | TXC) != 0 && self.interrupts().contains(&true)
    }

    /// The transmit complete interrupt is taken.
    pub fn acknowledge_sent(&mut self) {
        self.status &= !TXC;
    }
}
