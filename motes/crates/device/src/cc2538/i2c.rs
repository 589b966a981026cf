//! The I2C master (0x4002_0000), SWRU319 "Inter-Integrated Circuit Interface": a period of SCL is
//! 20 × (1 + TPR) system clocks; an octet takes nine, a start or stop condition one.

use super::Written;
use crate::Ps;
use crate::clock::{Clock, NEVER};
use crate::countdown::Countdown;
use crate::i2c::I2cBus;

constants! { u32:
    SA = 0x00, CTRL = 0x04, DR = 0x08, TPR = 0x0C, IMR = 0x10, RIS = 0x14, MIS = 0x18, ICR = 0x1C,
    CR = 0x20,
}

constants! { u32: RUN = 1, START = 2, STOP = 4, }

constants! { u32:
    BUSY = 1 << 0, ERROR = 1 << 1, ADRACK = 1 << 2, DATACK = 1 << 3, IDLE = 1 << 5,
    BUSBSY = 1 << 6,
}

/// MFE of I2CMCR: the master is on.
const MASTER: u32 = 1 << 4;
/// Bits of SCL for an octet and its acknowledgement, and for a start or stop condition.
const OCTET: u64 = 9;
const CONDITION: u64 = 1;

/// The master and the parts on its bus.
#[derive(Clone)]
pub(super) struct I2cMaster {
    pub(super) bus: I2cBus,
    address: u32,
    data: u32,
    period: u32,
    mask: u32,
    raw: u32,
    control: u32,
    errors: u32,
    /// Between a start and a stop condition.
    owned: bool,
    /// The command that is carried out.
    command: u32,
    busy: Countdown,
    /// The part holds the clock until then.
    held: Option<Ps>,
    clocked: bool,
}

impl I2cMaster {
    pub(super) fn new() -> I2cMaster {
        I2cMaster {
            bus: I2cBus::default(),
            address: 0,
            data: 0,
            period: 1,
            mask: 0,
            raw: 0,
            control: 0,
            errors: 0,
            owned: false,
            command: 0,
            busy: Countdown::IDLE,
            held: None,
            clocked: false,
        }
    }

    /// Registers as after a reset; the parts stay.
    pub(super) fn reset(&mut self) {
        *self = I2cMaster {
            bus: std::mem::take(&mut self.bus),
            clocked: self.clocked,
            ..I2cMaster::new()
        };
    }

    pub(super) fn due(&self) -> Ps {
        self.held.unwrap_or(NEVER).min(self.busy.due())
    }

    pub(super) fn interrupt(&self) -> bool {
        self.raw & self.mask != 0
    }

    pub(super) fn clock_changed(&mut self, clock: &Clock, clocked: bool) {
        self.clocked = clocked;
        self.busy.reschedule(clock, clocked);
    }

    fn receives(&self) -> bool {
        self.address & 1 != 0
    }

    /// Cycles of the system clock for so many bits.
    fn bits(&self, bits: u64) -> u64 {
        20 * (1 + u64::from(self.period)) * bits
    }

    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Some(match offset {
            SA => self.address,
            CTRL if self.working() => BUSY | BUSBSY,
            CTRL => self.errors | flag(!self.owned, IDLE) | flag(self.owned, BUSBSY),
            DR => self.data,
            TPR => self.period,
            IMR => self.mask,
            RIS => self.raw,
            MIS => self.raw & self.mask,
            ICR => 0,
            CR => self.control,
            _ => return None,
        })
    }

    fn working(&self) -> bool {
        self.busy.active() || self.held.is_some()
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps, clock: &Clock) -> Written {
        match offset {
            SA => self.address = value & 0xFF,
            CTRL if self.control & MASTER != 0 && !self.working() => {
                self.order(value, now, clock);
            }
            DR => self.data = value & 0xFF,
            TPR => self.period = value & 0x7F,
            IMR => self.mask = value & 1,
            ICR if value & 1 != 0 => self.raw = 0,
            CR => self.control = value & 0x31,
            CTRL | RIS | MIS | ICR => {}
            _ => return None,
        }
        Some(Ok(()))
    }

    /// A command begins. Address and condition come first: the part acknowledges or not.
    fn order(&mut self, command: u32, now: Ps, clock: &Clock) {
        self.command = command;
        self.errors = 0;
        let mut bits = 0;
        if command & (RUN | START) == RUN | START {
            bits += CONDITION + OCTET;
            self.owned = true;
            if !self
                .bus
                .begin(now, (self.address >> 1) as u8, self.receives())
            {
                self.errors = ERROR | ADRACK;
            }
        }
        if command & RUN != 0 && self.errors == 0 {
            bits += OCTET;
        }
        if command & STOP != 0 {
            bits += CONDITION;
        }
        if bits > 0 {
            self.busy.start(now, self.bits(bits), clock);
        }
    }

    /// The command is done, unless the part holds the clock.
    pub(super) fn advance(&mut self, now: Ps) {
        self.busy.stop();
        let moves = self.command & RUN != 0 && self.errors == 0;
        if moves && self.receives() {
            let until = self.bus.holds_until();
            if until > now {
                self.held = Some(until);
                return;
            }
        }
        self.held = None;
        if moves && self.receives() {
            self.data = self.bus.read(now).into();
        } else if moves && !self.bus.write(now, self.data as u8) {
            self.errors = ERROR | DATACK;
        }
        if self.command & STOP != 0 {
            self.bus.stop(now);
            self.owned = false;
        }
        self.raw = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i2c::testing::Registers;

    struct Rig {
        master: I2cMaster,
        clock: Clock,
        now: Ps,
    }

    impl Rig {
        /// 100 kHz from 16 MHz: TPR = 7.
        fn new() -> Rig {
            let mut master = I2cMaster::new();
            master.bus.attach(Box::new(Registers::default()));
            let mut rig = Rig {
                master,
                clock: Clock::new(Ps::ZERO, 0, 16_000_000_000),
                now: Ps::ZERO,
            };
            rig.write(CR, MASTER);
            rig.write(TPR, 7);
            rig
        }

        fn write(&mut self, offset: u32, value: u32) {
            let written = self.master.write(offset, value, self.now, &self.clock);
            assert_eq!(written, Some(Ok(())));
        }

        /// A command to its end; the bits of SCL that it took, and the status.
        fn run(&mut self, command: u32) -> (u64, u32) {
            let began = self.now;
            self.write(CTRL, command);
            assert_eq!(self.master.read(CTRL), Some(BUSY | BUSBSY));
            while self.master.due() < NEVER {
                self.now = self.master.due();
                self.master.advance(self.now);
            }
            let bits = (self.now.0 - began.0) / 10_000_000;
            (bits, self.master.read(CTRL).expect("a register"))
        }
    }

    #[test]
    fn octets_are_written_and_read_back_with_a_repeated_start() {
        let mut rig = Rig::new();
        rig.write(SA, 0x2A << 1);
        rig.write(DR, 5);
        assert_eq!(rig.run(START | RUN), (19, BUSBSY), "start, address, octet");
        rig.write(DR, 0xA5);
        assert_eq!(rig.run(RUN | STOP), (10, IDLE));
        rig.write(DR, 5);
        rig.run(START | RUN);
        rig.write(SA, 0x2A << 1 | 1);
        assert_eq!(rig.run(START | RUN | STOP), (20, IDLE));
        assert_eq!(rig.master.read(DR), Some(0xA5));
        assert_eq!(rig.master.read(RIS), Some(1));
        assert!(!rig.master.interrupt());
        rig.write(IMR, 1);
        assert!(rig.master.interrupt());
        rig.write(ICR, 1);
        assert!(!rig.master.interrupt());
    }

    #[test]
    fn what_is_not_acknowledged_is_an_error() {
        let mut rig = Rig::new();
        rig.write(SA, 0x11 << 1);
        let (bits, status) = rig.run(START | RUN);
        assert_eq!(
            (bits, status),
            (10, ERROR | ADRACK | BUSBSY),
            "no octet follows"
        );
        assert_eq!(rig.run(STOP), (1, IDLE));
        rig.write(SA, 0x2A << 1);
        rig.write(DR, 99);
        assert_eq!(rig.run(START | RUN).1, ERROR | DATACK | BUSBSY);
    }

    #[test]
    fn a_master_that_is_off_does_nothing_and_a_stopped_clock_waits() {
        let mut rig = Rig::new();
        rig.write(CR, 0);
        rig.write(CTRL, START | RUN);
        assert_eq!(rig.master.due(), NEVER);
        rig.write(CR, MASTER);
        rig.write(CTRL, START | RUN);
        assert!(rig.master.due() < NEVER);
        let clock = rig.clock;
        rig.master.clock_changed(&clock, false);
        assert_eq!(rig.master.due(), NEVER);
        assert_eq!(rig.master.read(0x40), None);
    }
}
