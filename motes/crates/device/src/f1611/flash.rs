//! Flash controller FCTL1..FCTL3: keys, modes, the timing generator, BUSY (SLAU049, "Flash Memory
//! Controller"). The array itself belongs to the board.

use super::basic_clock::Sources;
use super::clock::Clock;
use super::{AccessError, FlashAction, FlashWrite};
use crate::Ps;

const KEY: u16 = 0xA500;
const READ_AS: u16 = 0x9600;

constants! { u8:
    BLKWRT = 0x80, WRT = 0x40,    MERAS = 0x04,  ERASE = 0x02,
}

const FCTL2_RESET: u8 = 0x42;

constants! { u8:
    EMEX = 0x20,    LOCK = 0x10,    WAIT = 0x08,    ACCVIFG = 0x04, KEYV = 0x02,    BUSY = 0x01,
}

/// Cycles of the timing generator for an octet or a word. This and the three below are assumed: the
/// figures of the MSP430x15x/x16x flash table, not checked against a printed SLAS368.
const WORD_CYCLES: u64 = 35;
/// Segment erase.
const SEGMENT_ERASE_CYCLES: u64 = 4_819;
/// Mass erase.
const MASS_ERASE_CYCLES: u64 = 5_297;
/// Permitted timing generator frequency in millihertz: 257 kHz to 476 kHz.
const GENERATOR_MILLIHERTZ: std::ops::RangeInclusive<u64> = 257_000_000..=476_000_000;

constants! { u16:
    MAIN_FIRST = 0x4000, INFO_FIRST = 0x1000, INFO_LAST = 0x10FF,  MAIN_SEGMENT = 512,
    INFO_SEGMENT = 128,
}

/// FCTL1, FCTL2, FCTL3.
#[derive(Clone, Debug)]
pub struct Flash {
    fctl1: u8,
    fctl2: u8,
    /// LOCK, ACCVIFG and KEYV.
    fctl3: u8,
    busy_until: Ps,
    erasing: bool,
}

impl Flash {
    /// After power-on: locked.
    pub fn new() -> Flash {
        Flash {
            fctl1: 0,
            fctl2: FCTL2_RESET,
            fctl3: LOCK,
            busy_until: Ps::ZERO,
            erasing: false,
        }
    }

    /// State after a PUC: locked. KEYV stays set if a wrong key was the cause.
    pub fn reset(&mut self) {
        let kept = self.fctl3 & KEYV;
        *self = Flash::new();
        self.fctl3 |= kept;
    }

    /// Is ACCVIFG set?
    pub fn violated(&self) -> bool {
        self.fctl3 & ACCVIFG != 0
    }

    /// Until when the array is busy, if it is.
    pub fn busy_until(&self, now: Ps) -> Option<Ps> {
        (now < self.busy_until).then_some(self.busy_until)
    }

    /// Sets ACCVIFG.
    pub fn violate(&mut self) {
        self.fctl3 |= ACCVIFG;
    }

    /// Reads FCTL1 (0), FCTL2 (1) or FCTL3 (2).
    pub fn read(&mut self, index: u16, now: Ps) -> u16 {
        self.finish(now);
        let value = match index {
            0 => self.fctl1,
            1 => self.fctl2,
            _ => self.fctl3 | WAIT | if now < self.busy_until { BUSY } else { 0 },
        };
        READ_AS | u16::from(value)
    }

    /// Writes FCTL1 (0), FCTL2 (1) or FCTL3 (2); `Ok(false)`: the key was wrong, which resets the
    /// chip.
    pub fn write(&mut self, index: u16, value: u16, now: Ps) -> Result<bool, AccessError> {
        if value & 0xFF00 != KEY {
            self.fctl3 |= KEYV;
            return Ok(false);
        }
        self.finish(now);
        let busy = now < self.busy_until;
        let value = (value & 0x00FF) as u8;
        match index {
            2 => {
                self.fctl3 = value & (LOCK | ACCVIFG | KEYV);
                if value & EMEX != 0 {
                    self.busy_until = self.busy_until.min(now);
                    self.finish(now);
                }
            }
            _ if busy => self.violate(),
            1 => self.fctl2 = value,
            _ if value & BLKWRT != 0 => {
                return Err(AccessError::NotModelled {
                    name: "block write to flash (BLKWRT)",
                });
            }
            _ => self.fctl1 = value & (WRT | MERAS | ERASE),
        }
        Ok(true)
    }

    /// The CPU writes to the array at `addr`.
    pub fn array_write(
        &mut self,
        addr: u16,
        now: Ps,
        clocks: Sources,
    ) -> Result<FlashWrite, AccessError> {
        self.finish(now);
        let (action, cycles) = self.action(addr);
        if action == FlashAction::AccessViolation || self.fctl3 & LOCK != 0 || now < self.busy_until
        {
            self.violate();
            return Ok(FlashWrite {
                action: FlashAction::AccessViolation,
                busy_until: self.busy_until.max(now),
            });
        }
        let clock = self.generator_clock(clocks);
        let divider = u64::from(self.fctl2 & 0x3F) + 1;
        if !GENERATOR_MILLIHERTZ.contains(&(clock.mhz / divider)) {
            return Err(AccessError::Unpredictable {
                what: "flash timing generator outside 257 kHz to 476 kHz",
            });
        }
        self.erasing = matches!(action, FlashAction::Erase { .. });
        self.busy_until = clock.time_of(clock.next_cycle(now) + cycles * divider);
        Ok(FlashWrite {
            action,
            busy_until: self.busy_until,
        })
    }

    fn generator_clock<'a>(&self, clocks: Sources<'a>) -> &'a Clock {
        match self.fctl2 >> 6 {
            0 => clocks.aclk,
            1 => clocks.mclk,
            _ => clocks.smclk,
        }
    }

    /// What FCTL1 makes of a write to `addr`.
    fn action(&self, addr: u16) -> (FlashAction, u64) {
        let whole = |first, last| (FlashAction::Erase { first, last }, MASS_ERASE_CYCLES);
        match self.fctl1 & (WRT | MERAS | ERASE) {
            WRT => (FlashAction::Program, WORD_CYCLES),
            ERASE => (segment(addr), SEGMENT_ERASE_CYCLES),
            MERAS => whole(MAIN_FIRST, u16::MAX),
            mode if mode == MERAS | ERASE => whole(INFO_FIRST, u16::MAX),
            _ => (FlashAction::AccessViolation, 0),
        }
    }

    /// ERASE and MERAS clear themselves when the erase is over.
    fn finish(&mut self, now: Ps) {
        if self.erasing && now >= self.busy_until {
            self.erasing = false;
            self.fctl1 &= !(ERASE | MERAS);
        }
    }
}

impl Default for Flash {
    fn default() -> Flash {
        Flash::new()
    }
}

/// The segment around `addr`: 512 octets in main memory, 128 in information memory.
fn segment(addr: u16) -> FlashAction {
    let size = match addr {
        MAIN_FIRST..=u16::MAX => MAIN_SEGMENT,
        INFO_FIRST..=INFO_LAST => INFO_SEGMENT,
        _ => return FlashAction::AccessViolation,
    };
    let first = addr & !(size - 1);
    FlashAction::Erase {
        first,
        last: first + (size - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SMCLK 4 MHz over 10 = 400 kHz.
    const FCTL2: u16 = KEY | 0x80 | 9;

    fn sources(clock: &Clock) -> Sources<'_> {
        Sources {
            aclk: clock,
            smclk: clock,
            mclk: clock,
        }
    }

    fn ready(mode: u8) -> Flash {
        let mut flash = Flash::new();
        flash.write(1, FCTL2, Ps::ZERO).expect("FCTL2");
        flash.write(2, KEY, Ps::ZERO).expect("FCTL3");
        flash
            .write(0, KEY | u16::from(mode), Ps::ZERO)
            .expect("FCTL1");
        flash
    }

    #[test]
    fn registers_read_with_96_and_reset_values() {
        let mut flash = Flash::new();
        assert_eq!(
            [0, 1, 2].map(|index| flash.read(index, Ps::ZERO)),
            [0x9600, 0x9642, 0x9618]
        );
    }

    #[test]
    fn a_wrong_key_is_a_violation_that_a_reset_remembers() {
        let mut flash = Flash::new();
        assert_eq!(flash.write(0, 0x9640, Ps::ZERO), Ok(false));
        flash.reset();
        assert_eq!(flash.read(2, Ps::ZERO), 0x961A);
    }

    #[test]
    fn a_word_takes_35_generator_cycles() {
        let clock = Clock::new(Ps::ZERO, 0, 4_000_000_000);
        let mut flash = ready(WRT);
        let write = flash
            .array_write(0x8000, Ps::from_micros(10), sources(&clock))
            .expect("a write");
        assert_eq!(write.action, FlashAction::Program);
        assert_eq!(write.busy_until, Ps(10_000_000 + 35 * 2_500_000));
        assert_eq!(flash.read(2, Ps::from_micros(11)) & 1, 1);
        assert_eq!(flash.read(2, write.busy_until) & 1, 0);
        let during = flash
            .array_write(0x8002, Ps::from_micros(11), sources(&clock))
            .expect("a refused write");
        assert_eq!(during.action, FlashAction::AccessViolation);
        assert!(flash.violated());
    }

    #[test]
    fn erasing_takes_the_segment_and_ends_by_itself() {
        let clock = Clock::new(Ps::ZERO, 0, 4_000_000_000);
        for (mode, addr, first, last, cycles) in [
            (ERASE, 0x43FE, 0x4200, 0x43FF, 4_819),
            (ERASE, 0x1080, 0x1080, 0x10FF, 4_819),
            (ERASE, 0xFFFE, 0xFE00, 0xFFFF, 4_819),
            (MERAS, 0x4000, 0x4000, 0xFFFF, 5_297),
        ] {
            let mut flash = ready(mode);
            let erase = flash
                .array_write(addr, Ps::ZERO, sources(&clock))
                .expect("an erase");
            assert_eq!(erase.action, FlashAction::Erase { first, last });
            assert_eq!(erase.busy_until, Ps(cycles * 2_500_000), "0x{addr:x}");
            assert_eq!(flash.read(0, Ps(1)), 0x9600 | u16::from(mode));
            assert_eq!(flash.read(0, erase.busy_until), 0x9600);
        }
    }

    #[test]
    fn a_lock_or_no_mode_refuses() {
        let clock = Clock::new(Ps::ZERO, 0, 4_000_000_000);
        for mut flash in [Flash::new(), ready(0)] {
            let write = flash
                .array_write(0x8000, Ps::ZERO, sources(&clock))
                .expect("a refused write");
            assert_eq!(write.action, FlashAction::AccessViolation);
            assert!(flash.violated());
        }
        let mut locked = ready(WRT);
        locked
            .write(2, KEY | u16::from(LOCK), Ps::ZERO)
            .expect("FCTL3");
        let write = locked
            .array_write(0x8000, Ps::ZERO, sources(&clock))
            .expect("a refused write");
        assert_eq!(write.action, FlashAction::AccessViolation);
    }

    #[test]
    fn a_timing_generator_out_of_range_is_refused() {
        let fast = Clock::new(Ps::ZERO, 0, 8_000_000_000);
        assert!(
            ready(WRT)
                .array_write(0x8000, Ps::ZERO, sources(&fast))
                .is_err()
        );
    }
}
