//! The coprocessor behind four registers: aes128_registers.vhd.

use super::core::{CoreKind, HostOut};
use super::modes::{HostIn, Modes};

const DATA: u8 = 0;
const STATE: u8 = 1;
const CONTROL: u8 = 2;
const VERSION: u8 = 1;

/// What the bus does in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusIn {
    /// The reset.
    pub reset: bool,
    /// The bus means this device.
    pub select: bool,
    /// It writes; it reads otherwise.
    pub write: bool,
    /// 0 to 3.
    pub address: u8,
    /// What is written.
    pub octet: u8,
}

/// The peripheral.
#[derive(Clone, Debug)]
pub struct Registers {
    modes: Modes,
    lost: bool,
    full: bool,
    held: u8,
}

impl Registers {
    /// After a reset.
    pub fn new(kind: CoreKind) -> Registers {
        Registers {
            modes: Modes::new(kind),
            lost: false,
            full: false,
            held: 0,
        }
    }

    /// A clock passes; what could be read in it, and whether an octet waited to be read.
    pub fn clock(&mut self, bus: BusIn) -> (u8, bool) {
        let written = bus.select && bus.write && bus.address == DATA;
        let told = bus.select && bus.write && bus.address == CONTROL && bus.octet & 1 != 0;
        let host = HostIn {
            wipe: told || bus.reset,
            valid: written && !self.lost,
            octet: bus.octet,
            ready: !self.full && !self.lost,
        };
        let HostOut {
            busy,
            ready,
            valid,
            octet,
        } = self.modes.clock(host);
        let state = u8::from(self.lost) << 3
            | u8::from(busy) << 2
            | u8::from(self.full) << 1
            | u8::from(ready && !self.lost);
        let seen = match bus.address {
            DATA => self.held,
            STATE => state,
            CONTROL => 0,
            _ => VERSION,
        };
        let irq = self.full;
        if host.wipe {
            (self.lost, self.full, self.held) = (false, false, 0);
        } else if self.lost || written && !ready {
            (self.lost, self.full, self.held) = (true, false, 0);
        } else if !self.full && valid {
            (self.full, self.held) = (true, octet);
        } else if bus.select && !bus.write && bus.address == DATA {
            (self.full, self.held) = (false, 0);
        }
        (seen, irq)
    }
}
