//! USART0 in I2C mode as master (SLAU049, "USART Peripheral Interface, I2C Mode"): seven-bit
//! addresses, octets counted by I2CNDAT or, with I2CRM, until I2CSTP. What the guide leaves open
//! follows what TI's examples and TinyOS's boot loader wait for. From memory and assumed: a missing
//! acknowledgement of the address ends in a stop condition only with I2CSTP.
//!
//! Nobody on the boards calls the chip as a slave, so I2COA has no effect.

use super::External;
use super::basic_clock::Sources;
use super::clock::{Clock, NEVER};
use crate::Ps;

constants! { u8:
    RM = 0x40,    TRX = 0x08,     STB = 0x04,     STP = 0x02,     STT = 0x01,
    BUSY = 0x20,  SCLLOW = 0x10,  BB = 0x01,
    TXRDY = 0x20, RXRDY = 0x10,   ARDY = 0x08,    NACK = 0x02,
}
/// I2CTCTL: words instead of octets.
const WORD: u8 = 0x80;
/// Bits of SCL of an octet with its acknowledgement, and of a start or stop condition.
const OCTET: u64 = 9;
const CONDITION: u64 = 1;
/// I2CIV by the flags, the highest first: AL, NACK, OA, ARDY, RXRDY, TXRDY, GC, STT.
const VECTORS: [(u8, u16); 8] = [
    (0x01, 2),
    (NACK, 4),
    (0x04, 6),
    (ARDY, 8),
    (RXRDY, 10),
    (TXRDY, 12),
    (0x40, 14),
    (0x80, 16),
];

/// What the bus does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Between a stop and a start condition.
    #[default]
    Free,
    Address,
    Writing,
    Reading,
    Stop,
    /// The clock is held low: for the program, or after the last octet.
    Held,
}

/// The registers.
#[derive(Clone, Debug, Default)]
pub struct I2cMode {
    /// I2CEN and MST of U0CTL.
    enabled: bool,
    master: bool,
    tctl: u8,
    prescaler: u8,
    high: u8,
    low: u8,
    count: u8,
    ie: u8,
    ifg: u8,
    own: u16,
    slave: u16,
    /// I2CDR: to be sent, or received.
    outgoing: Option<u8>,
    incoming: u8,
    unread: bool,
    phase: Phase,
    /// Octets of the transfer that have not gone.
    left: u8,
    /// The transfer has an acknowledged part.
    heard: bool,
    end: Option<u64>,
    due: Ps,
}

impl I2cMode {
    /// After power-on, or with I2CEN clear.
    pub fn new() -> I2cMode {
        I2cMode {
            due: NEVER,
            ..I2cMode::default()
        }
    }

    /// When what is under way ends.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// Whether it interrupts, by the vector of USART0's transmitter.
    pub fn pending(&self) -> bool {
        self.ifg & self.ie != 0
    }

    /// U0CTL: I2CEN and MST.
    pub fn control(&mut self, enabled: bool, master: bool) {
        self.master = master;
        if !enabled {
            (self.ifg, self.phase, self.end, self.due) = (0, Phase::Free, None, NEVER);
            (self.outgoing, self.unread) = (None, false);
            self.tctl &= !(STT | STP);
        }
        self.enabled = enabled;
    }

    /// MST, which a stop condition clears.
    pub fn master(&self) -> bool {
        self.master
    }

    /// Reads the register at its address.
    pub fn read(&mut self, addr: u16, now: Ps, clocks: Sources) -> u16 {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let value = match addr {
            0x71 => self.tctl,
            0x72 => {
                flag(self.end.is_some() || self.waits(), BUSY)
                    | flag(self.phase == Phase::Held, SCLLOW)
                    | flag(self.phase != Phase::Free, BB)
            }
            0x73 => self.prescaler,
            0x74 => self.high,
            0x75 => self.low,
            0x76 => {
                self.unread = false;
                self.ifg &= !RXRDY;
                self.go_on(now, clocks);
                self.incoming
            }
            0x50 => self.ie,
            0x51 => self.ifg,
            0x52 => self.count,
            0x118 => return self.own,
            0x11A => return self.slave,
            _ => return self.take_vector_word(),
        };
        value.into()
    }

    /// Writes the register at its address. `Err`: what is not modelled.
    pub fn write(
        &mut self,
        addr: u16,
        value: u16,
        now: Ps,
        clocks: Sources,
    ) -> Result<(), &'static str> {
        let octet = value as u8;
        match addr {
            0x71 => return self.write_transfer(octet, now, clocks),
            0x73 => self.prescaler = octet,
            0x74 => self.high = octet,
            0x75 => self.low = octet,
            0x76 => {
                self.outgoing = Some(octet);
                self.ifg &= !TXRDY;
                self.go_on(now, clocks);
            }
            0x50 => self.ie = octet,
            0x51 => self.ifg = octet,
            0x52 => self.count = octet,
            0x118 => self.own = value,
            0x11A => self.slave = value & 0x3FF,
            _ => {}
        }
        Ok(())
    }

    fn write_transfer(&mut self, value: u8, now: Ps, clocks: Sources) -> Result<(), &'static str> {
        if value & (WORD | STB) != 0 {
            return Err("words or start octets in I2C mode of USART0 (I2CWORD, I2CSTB)");
        }
        self.tctl = value;
        if self.enabled && self.master {
            self.go_on(now, clocks);
        }
        Ok(())
    }

    fn clock<'a>(&self, clocks: Sources<'a>) -> Option<&'a Clock> {
        match self.tctl >> 4 & 3 {
            0 => None,
            1 => Some(clocks.aclk),
            _ => Some(clocks.smclk),
        }
    }

    /// Source cycles of a period of SCL.
    fn period(&self) -> u64 {
        let phases = u64::from(self.high) + 2 + u64::from(self.low) + 2;
        (u64::from(self.prescaler) + 1) * phases
    }

    fn start(&mut self, phase: Phase, bits: u64, now: Ps, clocks: Sources) {
        let begun = self.clock(clocks).map(|clock| clock.next_cycle(now));
        self.phase = phase;
        self.end = begun.map(|edge| edge + bits * self.period());
        self.reschedule(clocks);
    }

    /// The clocks have changed; their counts go on.
    pub fn reschedule(&mut self, clocks: Sources) {
        self.due = match (self.end, self.clock(clocks)) {
            (Some(end), Some(clock)) => clock.time_of(end),
            _ => NEVER,
        };
    }

    fn counts(&self) -> bool {
        self.tctl & RM == 0
    }

    /// It holds the clock until the program gives or takes an octet.
    fn waits(&self) -> bool {
        self.phase == Phase::Held && self.heard && !self.complete()
    }

    /// All octets have gone.
    fn complete(&self) -> bool {
        if self.counts() {
            self.left == 0
        } else {
            self.tctl & STP != 0
        }
    }

    /// What follows while the clock is held, if anything can.
    fn next(&self) -> Option<(Phase, u64)> {
        if !self.heard || self.complete() {
            return (self.tctl & STP != 0).then_some((Phase::Stop, CONDITION));
        }
        if self.tctl & TRX != 0 {
            return self.outgoing.map(|_| (Phase::Writing, OCTET));
        }
        (!self.unread).then_some((Phase::Reading, OCTET))
    }

    /// What comes next, where nothing is under way.
    fn go_on(&mut self, now: Ps, clocks: Sources) {
        if self.end.is_some() || !self.enabled {
            return;
        }
        match self.phase {
            Phase::Free | Phase::Held if self.tctl & STT != 0 && self.master => {
                self.left = self.count;
                self.ifg &= !(ARDY | NACK);
                if self.tctl & TRX != 0 && self.outgoing.is_none() {
                    self.ifg |= TXRDY;
                }
                self.start(Phase::Address, CONDITION + OCTET, now, clocks);
            }
            Phase::Held => {
                if let Some((phase, bits)) = self.next() {
                    self.start(phase, bits, now, clocks);
                }
            }
            _ => {}
        }
    }

    /// What was under way ends at `now`. `wired`: both pins are the module's.
    pub fn advance(&mut self, now: Ps, wired: bool, clocks: Sources, ext: &mut impl External) {
        self.end = None;
        let mut bus = ext.two_wire(now).filter(|_| wired);
        match std::mem::replace(&mut self.phase, Phase::Held) {
            Phase::Address => {
                self.tctl &= !STT;
                let (address, read) = ((self.slave & 0x7F) as u8, self.tctl & TRX == 0);
                self.heard = bus.is_some_and(|bus| bus.begin(now, address, read));
                if !self.heard {
                    self.ifg = self.ifg & !TXRDY | NACK;
                }
            }
            Phase::Writing => {
                let octet = self.outgoing.take().unwrap_or(0xFF);
                self.heard = bus.is_some_and(|bus| bus.write(now, octet));
                self.left = self.left.saturating_sub(1);
                if !self.heard {
                    self.ifg |= NACK;
                }
                self.ifg |= if self.complete() { ARDY } else { TXRDY };
            }
            Phase::Reading if bus.as_mut().is_some_and(|bus| bus.holds_until() > now) => {
                let until = bus.map_or(now, |bus| bus.holds_until());
                self.phase = Phase::Reading;
                self.end = self.clock(clocks).map(|clock| clock.next_cycle(until));
            }
            Phase::Reading => {
                self.incoming = bus.map_or(0xFF, |bus| bus.read(now));
                self.unread = true;
                self.left = self.left.saturating_sub(1);
                self.ifg |= RXRDY | if self.complete() { ARDY } else { 0 };
            }
            Phase::Stop => {
                if let Some(bus) = bus {
                    bus.stop(now);
                }
                self.tctl &= !STP;
                (self.phase, self.master) = (Phase::Free, false);
            }
            Phase::Free | Phase::Held => {}
        }
        self.go_on(now, clocks);
        self.reschedule(clocks);
    }

    /// I2CIV: the number of the highest flag that is enabled, which it clears.
    fn take_vector_word(&mut self) -> u16 {
        let asked = self.ifg & self.ie;
        let found = VECTORS.iter().find(|(flag, _)| asked & flag != 0);
        found.map_or(0, |(flag, number)| {
            self.ifg &= !flag;
            *number
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::f1611::{AccessError, F1611, F1611Config};
    use crate::i2c::{I2cBus, testing::Registers};

    const U0CTL: u16 = 0x70;
    const I2CTCTL: u16 = 0x71;
    const I2CDCTL: u16 = 0x72;
    const I2CDRB: u16 = 0x76;
    const I2CIE: u16 = 0x50;
    const I2CIFG: u16 = 0x51;
    const I2CNDAT: u16 = 0x52;
    const SMCLK: u8 = 0x20;
    /// I2C, SYNC, MST and I2CEN.
    const MASTER: u8 = 0x27;

    #[derive(Default)]
    struct Wires(I2cBus);

    impl External for Wires {
        fn two_wire(&mut self, _: Ps) -> Option<&mut I2cBus> {
            Some(&mut self.0)
        }
    }

    struct Rig {
        chip: F1611,
        wires: Wires,
        now: Ps,
    }

    impl Rig {
        /// As TI's examples begin: pins, mode, SMCLK, SCLH = SCLL = 3, the part at 0x2A.
        fn new() -> Rig {
            let mut wires = Wires::default();
            wires.0.attach(Box::new(Registers::default()));
            let mut rig = Rig {
                chip: F1611::new(F1611Config::default()),
                wires,
                now: Ps::ZERO,
            };
            rig.set16(0x120, 0x5A80);
            for (addr, value) in [
                (0x1B, 0x0A),
                (U0CTL, 0x25),
                (U0CTL, 0x24),
                (I2CTCTL, SMCLK),
                (0x74, 3),
                (0x75, 3),
                (U0CTL, 0x25),
            ] {
                rig.set(addr, value);
            }
            rig.set16(0x11A, 0x2A);
            rig
        }

        fn set(&mut self, addr: u16, value: u8) {
            let written = self.chip.write8(addr, value, self.now, &mut self.wires);
            assert_eq!(written, Ok(()), "{addr:03x}");
        }

        fn set16(&mut self, addr: u16, value: u16) {
            let written = self.chip.write16(addr, value, self.now, &mut self.wires);
            assert_eq!(written, Ok(()), "{addr:03x}");
        }

        fn get(&mut self, addr: u16) -> u8 {
            self.chip
                .read8(addr, self.now, &mut self.wires)
                .expect("a register")
        }

        /// Until nothing is under way; the periods of SCL, ten SMCLK each, that it took.
        fn settle(&mut self) -> u64 {
            let begun = self.chip.smclk().cycles_at(self.now);
            while self.chip.i2c.due() < NEVER {
                self.now = self.chip.i2c.due();
                self.chip.advance(self.now, &mut self.wires);
            }
            (self.chip.smclk().cycles_at(self.now) - begun) / 10
        }

        /// A transfer of `count` octets begins.
        fn begin(&mut self, count: u8, bits: u8) {
            self.set(I2CNDAT, count);
            self.set(U0CTL, MASTER);
            self.set(I2CTCTL, SMCLK | bits);
        }

        /// Writes a register of the part and stops.
        fn fill(&mut self, register: u8, value: u8) {
            self.begin(2, TRX | STT | STP);
            for octet in [register, value] {
                assert_eq!(self.get(I2CIFG) & TXRDY, TXRDY);
                self.set(I2CDRB, octet);
                self.settle();
            }
        }
    }

    #[test]
    fn octets_go_out_by_count_and_a_stop_ends_mastery() {
        let mut rig = Rig::new();
        rig.begin(2, TRX | STT | STP);
        assert_eq!(rig.get(I2CDCTL), BUSY | BB);
        assert_eq!(rig.settle(), 10, "start, address");
        assert_eq!(rig.get(I2CTCTL) & STT, 0);
        assert_eq!(rig.get(I2CDCTL), BUSY | SCLLOW | BB, "for the program");
        rig.set(I2CDRB, 5);
        assert_eq!(rig.settle(), 9);
        assert_eq!(rig.get(I2CIFG), TXRDY);
        rig.set(I2CDRB, 0xA5);
        assert_eq!(rig.settle(), 10, "octet, stop");
        assert_eq!(rig.get(I2CIFG), ARDY);
        assert_eq!((rig.get(I2CDCTL), rig.get(U0CTL)), (0, MASTER & !2));
        assert_eq!(rig.get(I2CTCTL) & STP, 0);
    }

    #[test]
    fn octets_are_read_behind_a_repeated_start() {
        let mut rig = Rig::new();
        rig.fill(5, 0xA5);
        rig.fill(6, 0x5A);
        rig.begin(1, TRX | STT);
        rig.set(I2CDRB, 5);
        rig.settle();
        assert_eq!(rig.get(I2CIFG), ARDY);
        assert_eq!(rig.get(I2CDCTL), SCLLOW | BB, "no stop was asked for");
        rig.begin(2, STT | STP);
        assert_eq!(rig.settle(), 19);
        assert_eq!(rig.get(I2CIFG), RXRDY, "the second waits for the first");
        assert_eq!(rig.get(I2CDRB), 0xA5);
        assert_eq!(rig.settle(), 10, "octet, stop");
        assert_eq!(rig.get(I2CIFG), RXRDY | ARDY);
        assert_eq!((rig.get(I2CDRB), rig.get(I2CDCTL)), (0x5A, 0));
    }

    #[test]
    fn what_nobody_acknowledges_and_what_is_ready_interrupt_by_i2civ() {
        let mut rig = Rig::new();
        rig.set16(0x11A, 0x11);
        rig.set(I2CIE, 0xFF);
        rig.begin(1, TRX | STT | STP);
        assert_eq!(
            rig.chip.interrupt(),
            Some(8),
            "the vector of the transmitter"
        );
        rig.settle();
        let mut iv = || {
            rig.chip
                .read16(0x11C, rig.now, &mut rig.wires)
                .expect("a register")
        };
        assert_eq!([iv(), iv()], [4, 0], "NACK, nothing");
        assert_eq!((rig.chip.interrupt(), rig.get(I2CDCTL)), (None, 0));
    }

    #[test]
    fn pins_that_are_not_the_modules_reach_nobody_and_other_modes_are_named() {
        let mut rig = Rig::new();
        rig.set(0x1B, 0);
        rig.begin(1, TRX | STT | STP);
        rig.settle();
        assert_eq!(rig.get(I2CIFG), NACK);
        let words = rig.chip.write8(I2CTCTL, 0x80, rig.now, &mut rig.wires);
        assert!(matches!(words, Err(AccessError::NotModelled { .. })));
        let usart1 = rig.chip.write8(0x78, 0x25, rig.now, &mut rig.wires);
        assert!(matches!(usart1, Err(AccessError::NotModelled { .. })));
        rig.set(U0CTL, 0x17);
        assert_eq!(rig.get(I2CTCTL), 1, "SPI again: U0TCTL, TXEPT");
    }
}
