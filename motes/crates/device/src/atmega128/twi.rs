//! The two-wire interface as master (2467, section "Two-wire Serial Interface"; 2549 has the same):
//! start, address, octets, stop. A period of SCL takes 16 + 2 TWBR · 4^TWPS cycles. Nothing
//! happens while TWINT is set, so what a command does is over when TWINT is set again.
//!
//! What a part answers is known as soon as its octet begins; the status tells it at the end. The
//! slave is refused by name where its address is to be acknowledged: no master of a board here
//! speaks to the chip.

use super::AccessError;
use super::External;
use super::registers::modelled;

constants! { u8:
    TWINT = 0x80, TWEA = 0x40, TWSTA = 0x20, TWSTO = 0x10, TWWC = 0x08, TWEN = 0x04, TWIE = 0x01,
}
/// TWPS1:0.
const PRESCALER: u8 = 0x03;

// Status codes (2467, tables 88 and 89).
constants! { u8:
    STARTED = 0x08,      REPEATED = 0x10,     SLA_W_ACK = 0x18,  SLA_W_NACK = 0x20,
    SENT_ACK = 0x28,     SENT_NACK = 0x30,    SLA_R_ACK = 0x40,  SLA_R_NACK = 0x48,
    CAME_ACK = 0x50,     CAME_NACK = 0x58,    IDLE = 0xF8,
}

/// Bits of SCL for an octet with its acknowledgement, and for a start or stop condition.
const OCTET: u64 = 9;
const CONDITION: u64 = 1;

/// Whether the bus is the master's, and what it has agreed on with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Between a stop and a start condition.
    Free,
    /// After a start condition: an address comes next.
    Addressing,
    Writing,
    Reading,
    /// Nobody has answered, or the last octet was not acknowledged.
    Refused,
}

/// What is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Start,
    Stop,
    /// A stop condition and the start condition behind it.
    Both,
    /// An octet, and the status at its end.
    Octet(u8),
}

/// The registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twi {
    rate: u8,
    control: u8,
    status: u8,
    prescaler: u8,
    address: u8,
    data: u8,
    phase: Phase,
    /// What is under way, and the cycle at which it ends.
    busy: Option<(Action, u64)>,
}

impl Default for Twi {
    fn default() -> Twi {
        Twi {
            rate: 0,
            control: 0,
            status: IDLE,
            prescaler: 0,
            address: 0xFE,
            data: 0xFF,
            phase: Phase::Free,
            busy: None,
        }
    }
}

impl Twi {
    /// TWBR, TWSR, TWAR, TWDR and TWCR by their order.
    pub(super) fn read(&self, register: u16) -> u8 {
        match register {
            0 => self.rate,
            1 => self.status | self.prescaler,
            2 => self.address,
            3 => self.data,
            _ => self.control,
        }
    }

    /// Writes a register in cycle `now`.
    pub(super) fn write(
        &mut self,
        register: u16,
        value: u8,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<(), AccessError> {
        match register {
            0 => self.rate = value,
            1 => self.prescaler = value & PRESCALER,
            2 => self.address = value,
            3 if self.control & TWINT == 0 => self.control |= TWWC,
            3 => {
                self.data = value;
                self.control &= !TWWC;
            }
            _ => return self.command(value, now, outside),
        }
        Ok(())
    }

    /// TWCR. A one in TWINT clears the flag and starts what the other bits ask for.
    fn command(
        &mut self,
        value: u8,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<(), AccessError> {
        let kept = self.control & (TWINT | TWWC);
        self.control = kept | value & (TWEA | TWSTA | TWSTO | TWEN | TWIE);
        if value & TWEN == 0 {
            if self.phase != Phase::Free {
                self.release(now, outside);
            }
            self.busy = None;
            self.control &= !TWINT;
            return Ok(());
        }
        let flag_stays = value & TWINT == 0 && self.control & TWINT != 0;
        if flag_stays || self.busy.is_some() {
            return Ok(());
        }
        self.control &= !TWINT;
        self.begin(now, outside)
    }

    fn begin(&mut self, now: u64, outside: &mut dyn External) -> Result<(), AccessError> {
        let owns = self.phase != Phase::Free;
        let (stop, start) = (self.control & TWSTO != 0, self.control & TWSTA != 0);
        let (action, bits) = match (stop, start) {
            (true, true) if owns => (Action::Both, 2 * CONDITION),
            (true, false) if owns => (Action::Stop, CONDITION),
            (_, true) => (Action::Start, CONDITION),
            (false, false) if owns => (Action::Octet(self.exchange(now, outside)), OCTET),
            (_, false) => {
                self.control &= !TWSTO;
                // Without the bus it waits for its own address.
                let named = !matches!(self.address & 0xFE, 0 | 0xFE);
                return modelled(
                    self.control & TWEA == 0 || !named,
                    "the two-wire interface as slave (TWEA)",
                );
            }
        };
        self.status = IDLE;
        self.busy = Some((action, now + bits * self.period()));
        Ok(())
    }

    fn period(&self) -> u64 {
        16 + 2 * u64::from(self.rate) * (1 << (2 * self.prescaler))
    }

    /// An octet begins. The status at its end.
    fn exchange(&mut self, now: u64, outside: &mut dyn External) -> u8 {
        let bus = outside.two_wire(now);
        match self.phase {
            Phase::Addressing => {
                let read = self.data & 1 != 0;
                let heard = bus.is_some_and(|(bus, at)| bus.begin(at, self.data >> 1, read));
                let (phase, status) = match (read, heard) {
                    (false, true) => (Phase::Writing, SLA_W_ACK),
                    (false, false) => (Phase::Refused, SLA_W_NACK),
                    (true, true) => (Phase::Reading, SLA_R_ACK),
                    (true, false) => (Phase::Refused, SLA_R_NACK),
                };
                self.phase = phase;
                status
            }
            Phase::Reading => CAME_ACK,
            Phase::Writing if bus.is_some_and(|(bus, at)| bus.write(at, self.data)) => SENT_ACK,
            Phase::Writing | Phase::Refused | Phase::Free => SENT_NACK,
        }
    }

    /// The cycle at which what is under way ends.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.busy.map(|(_, end)| end)
    }

    /// What is under way until cycle `now` is done, unless a part holds SCL.
    pub(super) fn complete(&mut self, now: u64, outside: &mut dyn External) {
        let Some((action, _)) = self.busy else {
            return;
        };
        if action == Action::Octet(CAME_ACK) {
            let held = outside.two_wire(now).map(|(bus, _)| bus.holds_until());
            let free = held.map_or(now, |until| outside.cycle_at(until));
            if free > now {
                self.busy = Some((action, free));
                return;
            }
        }
        self.busy = None;
        match action {
            Action::Stop => {
                self.release(now, outside);
                return;
            }
            Action::Start => {
                self.status = match self.phase {
                    Phase::Free => STARTED,
                    _ => REPEATED,
                };
                self.phase = Phase::Addressing;
            }
            Action::Both => {
                self.release(now, outside);
                (self.status, self.phase) = (STARTED, Phase::Addressing);
            }
            Action::Octet(status) => self.end_octet(status, now, outside),
        }
        self.control |= TWINT;
    }

    fn end_octet(&mut self, status: u8, now: u64, outside: &mut dyn External) {
        self.status = status;
        if status != CAME_ACK {
            return;
        }
        self.data = outside.two_wire(now).map_or(0xFF, |(bus, at)| bus.read(at));
        if self.control & TWEA == 0 {
            (self.status, self.phase) = (CAME_NACK, Phase::Refused);
        }
    }

    /// A stop condition; it sets no flag.
    fn release(&mut self, now: u64, outside: &mut dyn External) {
        if let Some((bus, at)) = outside.two_wire(now) {
            bus.stop(at);
        }
        self.control &= !TWSTO;
        (self.phase, self.status) = (Phase::Free, IDLE);
    }

    /// Its clock stood still for `cycles`.
    pub(super) fn delay(&mut self, cycles: u64) {
        if let Some((_, end)) = &mut self.busy {
            *end += cycles;
        }
    }

    /// Whether it interrupts: the CPU does not clear the flag.
    pub(super) fn interrupt(&self) -> bool {
        self.control & (TWINT | TWIE) == TWINT | TWIE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ps;
    use crate::atmega128::{Atmega128, Chip, Fuses};
    use crate::i2c::{I2cBus, testing::Registers};

    /// The registers' data addresses on the ATmega128.
    const TWBR: u16 = 0x70;
    const TWSR: u16 = 0x71;
    const TWDR: u16 = 0x73;
    const TWCR: u16 = 0x74;
    const GO: u8 = TWINT | TWEN;

    #[derive(Default)]
    struct Wires(I2cBus);

    impl External for Wires {
        fn two_wire(&mut self, now: u64) -> Option<(&mut I2cBus, Ps)> {
            Some((&mut self.0, Ps(now * 125_000)))
        }
    }

    struct Rig {
        chip: Atmega128,
        wires: Wires,
        now: u64,
    }

    impl Rig {
        /// 100 kHz at 8 MHz: TWBR = 32.
        fn new() -> Rig {
            let mut wires = Wires::default();
            wires.0.attach(Box::new(Registers::default()));
            let mut rig = Rig {
                chip: Atmega128::new(Chip::Atmega128, 8_000_000, Fuses::default()),
                wires,
                now: 0,
            };
            rig.set(TWBR, 32);
            rig
        }

        fn set(&mut self, register: u16, value: u8) {
            self.chip
                .write(register, value, self.now, &mut self.wires)
                .expect("a register");
        }

        fn get(&mut self, register: u16) -> u8 {
            self.chip
                .read(register, self.now, &mut self.wires)
                .expect("a register")
        }

        /// A command to its end: the periods of SCL that it took, and the status.
        fn run(&mut self, command: u8) -> (u64, u8) {
            let began = self.now;
            self.set(TWCR, command);
            assert_eq!(self.get(TWSR), IDLE, "no state while the flag is clear");
            self.now = self.chip.deadline().expect("something under way");
            self.chip.advance(self.now, &mut self.wires);
            ((self.now - began) / 80, self.get(TWSR))
        }

        fn octet(&mut self, octet: u8) -> (u64, u8) {
            self.set(TWDR, octet);
            self.run(GO)
        }
    }

    #[test]
    fn a_master_writes_and_reads_back_with_the_states_of_the_manual() {
        let mut rig = Rig::new();
        assert_eq!(rig.run(GO | TWSTA), (1, STARTED));
        assert_eq!(rig.octet(0x2A << 1), (9, SLA_W_ACK));
        assert_eq!(rig.octet(5), (9, SENT_ACK));
        assert_eq!(rig.octet(0xA5), (9, SENT_ACK));
        assert_eq!(rig.octet(0x5A), (9, SENT_ACK));
        assert_eq!(rig.run(GO | TWSTO), (1, IDLE));
        assert_eq!(rig.get(TWCR) & (TWINT | TWSTO), 0, "a stop sets no flag");
        rig.run(GO | TWSTA);
        rig.octet(0x2A << 1);
        rig.octet(5);
        assert_eq!(rig.run(GO | TWSTA), (1, REPEATED));
        assert_eq!(rig.octet(0x2A << 1 | 1), (9, SLA_R_ACK));
        assert_eq!((rig.run(GO | TWEA), rig.get(TWDR)), ((9, CAME_ACK), 0xA5));
        assert_eq!((rig.run(GO), rig.get(TWDR)), ((9, CAME_NACK), 0x5A));
        assert_eq!(rig.run(GO | TWSTO | TWSTA), (2, STARTED));
    }

    #[test]
    fn what_nobody_acknowledges_has_a_state_of_its_own() {
        let mut rig = Rig::new();
        rig.run(GO | TWSTA);
        assert_eq!(rig.octet(0x11 << 1), (9, SLA_W_NACK));
        assert_eq!(rig.octet(1), (9, SENT_NACK));
        rig.run(GO | TWSTA);
        assert_eq!(rig.octet(0x11 << 1 | 1), (9, SLA_R_NACK));
        rig.run(GO | TWSTO);
        rig.run(GO | TWSTA);
        rig.octet(0x2A << 1);
        assert_eq!(rig.octet(99), (9, SENT_NACK), "the part has 16 registers");
    }

    #[test]
    fn the_flag_interrupts_until_the_program_clears_it_and_guards_the_data() {
        let mut rig = Rig::new();
        rig.run(GO | TWSTA | TWIE);
        assert_eq!(rig.chip.interrupt(), Some(33));
        rig.chip.acknowledge(33);
        assert_eq!(rig.chip.interrupt(), Some(33), "the CPU does not clear it");
        rig.set(TWDR, 0x2A << 1);
        rig.set(TWCR, GO | TWIE);
        assert_eq!(rig.chip.interrupt(), None);
        rig.set(TWDR, 7);
        assert_eq!(rig.get(TWCR) & TWWC, TWWC);
        assert_eq!(rig.get(TWDR), 0x2A << 1, "a collision changes nothing");
        rig.set(TWCR, 0);
        assert_eq!((rig.get(TWSR), rig.chip.deadline()), (IDLE, None));
    }

    #[test]
    fn the_prescaler_lengthens_a_bit_and_a_slave_is_named() {
        let mut rig = Rig::new();
        rig.set(TWSR, 1);
        rig.set(TWCR, GO | TWSTA);
        assert_eq!(rig.chip.deadline(), Some(16 + 2 * 32 * 4));
        let mut rig = Rig::new();
        rig.set(0x72, 0x20);
        let refused = rig.chip.write(TWCR, GO | TWEA, 0, &mut rig.wires);
        let name = "the two-wire interface as slave (TWEA)";
        assert_eq!(refused, Err(AccessError::NotModelled(name)));
    }

    #[test]
    fn the_atmega1281_has_it_elsewhere() {
        let mut chip = Atmega128::new(Chip::Atmega1281, 8_000_000, Fuses::default());
        let mut wires = Wires::default();
        for (register, value) in [(0xB8, 32), (0xBC, GO | TWSTA | TWIE)] {
            chip.write(register, value, 0, &mut wires)
                .expect("a register");
        }
        chip.advance(80, &mut wires);
        assert_eq!(chip.interrupt(), Some(39));
    }
}
