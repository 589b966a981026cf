//! The EEPROM, 4 KiB (2467, section "EEPROM Data Memory"). A write that a power cut interrupts
//! leaves an octet that nothing is known of.

use super::chip::Chip;
use crate::random::split_mix;

constants! { u8:
    EERIE = 0x08, EEMWE = 0x04, EEWE = 0x02,  EERE = 0x01,
}
/// Octets.
pub const SIZE: usize = 4096;
/// A write in microseconds: 8 448 cycles of the 1 MHz oscillator (2467, table 2); 3.4 ms (2549,
/// table 8-2).
const WRITE_US: u64 = 8448;
const WRITE_US_1281: u64 = 3400;
/// Cycles within which EEWE must follow EEMWE.
const ARMED: u64 = 4;
/// What halts the CPU after a read, and after a write began.
const READ_HALT: u32 = 4;
const WRITE_HALT: u32 = 2;

/// Array and registers.
#[derive(Clone, Debug)]
pub struct Eeprom {
    octets: Box<[u8; SIZE]>,
    /// EEAR.
    pub address: u16,
    /// EEDR.
    pub data: u8,
    ready_interrupt: bool,
    armed_until: u64,
    /// The write under way, until this cycle.
    busy_until: Option<u64>,
    /// The octet that it writes.
    cell: usize,
    /// Writes begun since power-on.
    writes: u32,
    /// The write in which power is to fail, and how much of it is complete then, in units of 2^-32.
    planned: Option<(u32, u32)>,
    /// The cycle at which that is.
    fails_at: Option<u64>,
    write_us: u64,
}

impl Eeprom {
    /// Erased.
    pub fn new(chip: Chip) -> Eeprom {
        Eeprom {
            octets: Box::new([0xFF; SIZE]),
            address: 0,
            data: 0,
            ready_interrupt: false,
            armed_until: 0,
            busy_until: None,
            cell: 0,
            writes: 0,
            planned: None,
            fails_at: None,
            write_us: if chip == Chip::Atmega128 {
                WRITE_US
            } else {
                WRITE_US_1281
            },
        }
    }

    /// After a reset: the array keeps its contents, and a write under way is done.
    pub fn reset(&mut self) {
        (self.address, self.data, self.ready_interrupt) = (0, 0, false);
        (self.armed_until, self.busy_until) = (0, None);
    }

    /// The array.
    pub fn octets(&self) -> &[u8; SIZE] {
        &self.octets
    }

    /// The array, to be changed as a programmer would.
    pub fn octets_mut(&mut self) -> &mut [u8; SIZE] {
        &mut self.octets
    }

    /// EECR at cycle `now`.
    pub fn control(&self, now: u64) -> u8 {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        flag(self.ready_interrupt, EERIE)
            | flag(now < self.armed_until, EEMWE)
            | flag(self.busy(now), EEWE)
    }

    fn busy(&self, now: u64) -> bool {
        self.busy_until.is_some_and(|end| now < end)
    }

    /// Writes EECR at cycle `now` of a CPU with `clock_hz`; the cycles for which the CPU halts.
    pub fn set_control(&mut self, value: u8, now: u64, clock_hz: u32) -> u32 {
        self.ready_interrupt = value & EERIE != 0;
        let armed = now < self.armed_until;
        let cell = usize::from(self.address) % SIZE;
        if value & EEWE != 0 && armed && !self.busy(now) {
            self.begin(cell, now, self.write_us * u64::from(clock_hz) / 1_000_000);
            return WRITE_HALT;
        }
        if value & EERE != 0 && !self.busy(now) {
            self.data = self.octets[cell];
            return READ_HALT;
        }
        if value & (EEMWE | EEWE) == EEMWE {
            self.armed_until = now + ARMED + 1;
        }
        0
    }

    /// A write of `cycles` begins.
    fn begin(&mut self, cell: usize, now: u64, cycles: u64) {
        self.octets[cell] = self.data;
        self.cell = cell;
        self.busy_until = Some(now + cycles);
        self.armed_until = 0;
        if let Some((_, part)) = self.planned.filter(|(write, _)| *write == self.writes) {
            let done = (u128::from(cycles) * u128::from(part)) >> 32;
            self.fails_at = Some(now + done as u64);
        }
        self.writes += 1;
    }

    /// Power is to fail in write number `write` from now on, when `part` of it is complete, in units
    /// of 2^-32.
    pub fn plan_cut(&mut self, write: u32, part: u32) {
        self.planned = Some((self.writes.saturating_add(write), part));
    }

    /// The cycle at which power fails in a write that is under way.
    pub fn fails_at(&self) -> Option<u64> {
        self.fails_at
    }

    /// Power fails at `now`: an octet that is being written holds anything.
    pub fn fail(&mut self, now: u64, seed: u64) {
        if self.busy(now) {
            let mut state = seed;
            self.octets[self.cell] = split_mix(&mut state) as u8;
        }
    }

    /// The cycle at which it becomes ready, where that interrupts.
    pub fn deadline(&self, now: u64) -> Option<u64> {
        self.busy_until
            .filter(|end| self.ready_interrupt && *end > now)
    }

    /// Whether it interrupts: as long as it is ready.
    pub fn interrupt(&self, now: u64) -> bool {
        self.ready_interrupt && !self.busy(now)
    }
}
