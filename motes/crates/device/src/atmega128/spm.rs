//! Self-programming and the boot loader section, fuses and lock bits (2467 and 2549, section "Boot
//! Loader Support – Read-While-Write Self-Programming", both the same for 128 KiB).
//!
//! SPM works inside the boot loader section alone, within four cycles after SPMCSR has said what
//! it is to do. A page in the read-while-write section is erased or written while the CPU goes on,
//! and that section cannot be read until RWWSRE; for a page behind it the CPU stands still.

use super::chip::Chip;

constants! { u8:
    SPMIE = 0x80, RWWSB = 0x40, SIGRD = 0x20, RWWSRE = 0x10, BLBSET = 0x08, PGWRT = 0x04,
    PGERS = 0x02, SPMEN = 0x01,
}
/// What SPM does by SPMCSR; what LPM does within three cycles of it.
const FILL: u8 = SPMEN;
const ERASE: u8 = PGERS | SPMEN;
const WRITE: u8 = PGWRT | SPMEN;
const LOCK: u8 = BLBSET | SPMEN;
const ENABLE: u8 = RWWSRE | SPMEN;
const SIGNATURE: u8 = SIGRD | SPMEN;

/// Words of a page.
pub const PAGE_WORDS: usize = 128;
/// Octets of a page.
pub const PAGE_OCTETS: u32 = 2 * PAGE_WORDS as u32;
/// First word behind the read-while-write section.
pub const NRWW_START: u16 = 0xF000;
/// Erasing or writing a page, and writing lock bits: 4.5 ms at most (2467, table 113 from memory:
/// 3.7 to 4.5 ms; assumed).
const PAGE_US: u64 = 4500;
/// Cycles within which SPM and LPM must follow, counted from the begin of an OUT to SPMCSR. The
/// ATmega128 has it where only STS reaches, which takes a cycle more.
const SPM_WITHIN: u64 = 1 + 4;
const LPM_WITHIN: u64 = 1 + 3;

/// The lock bits that forbid SPM to write into the application section, and into the boot loader's.
const BLB01: u8 = 1 << 2;
const BLB11: u8 = 1 << 4;
/// The lock bits that SPM can program.
const BOOT_LOCKS: u8 = 0x3C;
/// Signature of the ATmega1281, at Z = 0, 2, 4. The ATmega128 shows its own to programmers alone.
const SIGNATURE_1281: [u8; 3] = [0x1E, 0x97, 0x04];

const UNARMED: &str = "SPM does nothing: SPMCSR has not asked for it within four cycles before";
const OUTSIDE: &str = "SPM does nothing outside the boot loader section";
const BUSY: &str = "SPM does nothing while a page is erased or written";
const LOCKED: &str = "SPM does nothing: a boot lock bit forbids it there";
const TWICE: &str = "a word of the page buffer is filled twice; the second time has no effect";
const NOT_ERASED: &str = "a page that is not erased is written: its words become old AND new";
const UNREADABLE: &str =
    "LPM in the read-while-write section, which a page erase or write has blocked";

/// Fuses and lock bits; 0 is a programmed bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fuses {
    /// BODLEVEL, BODEN, SUT, CKSEL; of the ATmega1281 CKDIV8, CKOUT, SUT, CKSEL.
    pub low: u8,
    /// OCDEN, JTAGEN, SPIEN, CKOPT or WDTON, EESAVE, BOOTSZ, BOOTRST.
    pub high: u8,
    /// M103C and WDTON; of the ATmega1281 BODLEVEL.
    pub extended: u8,
    /// BLB1, BLB0, LB.
    pub lock: u8,
}

impl Default for Fuses {
    /// As delivered, but for an external crystal with the longest start-up and no ATmega103 mode:
    /// the largest boot loader section, and a program that begins at 0.
    fn default() -> Fuses {
        Fuses {
            low: 0xFF,
            high: 0x99,
            extended: 0xFF,
            lock: 0xFF,
        }
    }
}

impl Fuses {
    /// First word of the boot loader section, by BOOTSZ.
    pub fn boot_start(self) -> u16 {
        [0xF000, 0xF800, 0xFC00, 0xFE00][usize::from(self.high >> 1 & 3)]
    }

    /// Where a reset leads, by BOOTRST.
    pub fn reset_vector(self) -> u16 {
        if self.high & 1 == 0 {
            self.boot_start()
        } else {
            0
        }
    }

    /// Cycles from a wake-up to a running clock, by CKSEL and SUT (section "Clock Sources"): crystals
    /// and resonators take 258, 1 024 or 16 384, everything else 6.
    pub fn start_cycles(self, chip: Chip) -> u64 {
        let lowest = if chip == Chip::Atmega128 { 0xA } else { 0x6 };
        let crystal = self.low & 0x0F >= lowest;
        match (crystal, self.low & 1, self.low >> 4 & 3) {
            (false, ..) => 6,
            (true, 0, 0 | 1) => 258,
            (true, 0, _) | (true, _, 0) => 1_024,
            (true, ..) => 16_384,
        }
    }
}

/// What becomes of the flash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashChange {
    /// The page at this octet address is erased.
    Erase(u32),
    /// The page at this octet address becomes old AND new.
    Write(u32, Box<[u16; PAGE_WORDS]>),
}

/// What an SPM did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// What becomes of the flash.
    pub change: Option<FlashChange>,
    /// Cycles for which the CPU stands still.
    pub halt: u64,
    /// What the data sheet forbids.
    pub misuse: Option<&'static str>,
}

impl Stored {
    fn refused(what: &'static str) -> Stored {
        Stored {
            misuse: Some(what),
            ..Stored::default()
        }
    }
}

/// SPMCSR, the page buffer, fuses and lock bits.
#[derive(Clone, Debug)]
pub(super) struct SelfProgramming {
    pub(super) fuses: Fuses,
    chip: Chip,
    clock_hz: u32,
    interrupts: bool,
    /// What SPM or LPM is to do, and when SPMCSR said so.
    asked: u8,
    asked_at: u64,
    busy_until: u64,
    /// RWWSB.
    blocked: bool,
    buffer: Box<[u16; PAGE_WORDS]>,
    /// Words of the buffer that are filled, one bit each.
    filled: u128,
}

impl SelfProgramming {
    pub(super) fn new(chip: Chip, clock_hz: u32, fuses: Fuses) -> SelfProgramming {
        SelfProgramming {
            fuses,
            chip,
            clock_hz,
            interrupts: false,
            asked: 0,
            asked_at: 0,
            busy_until: 0,
            blocked: false,
            buffer: Box::new([0xFFFF; PAGE_WORDS]),
            filled: 0,
        }
    }

    fn busy(&self, now: u64) -> bool {
        now < self.busy_until
    }

    /// Is what SPMCSR asked for still to be done within so many cycles?
    fn armed(&self, now: u64, within: u64) -> bool {
        let longer = u64::from(self.chip == Chip::Atmega128);
        self.asked != 0 && now <= self.asked_at + within + longer
    }

    /// SPMCSR.
    pub(super) fn control(&self, now: u64) -> u8 {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let waits = self.busy(now) || self.armed(now, SPM_WITHIN);
        flag(self.interrupts, SPMIE)
            | flag(self.blocked, RWWSB)
            | flag(waits, self.asked.max(SPMEN))
    }

    /// Writes SPMCSR. While a page is erased or written, and while the EEPROM is (`writing`), it asks
    /// for nothing.
    pub(super) fn set_control(&mut self, value: u8, now: u64, writing: bool) {
        self.interrupts = value & SPMIE != 0;
        if !self.busy(now) {
            let asks = value & SPMEN != 0 && !writing;
            self.asked = if asks { value & 0x3F } else { 0 };
            self.asked_at = now;
        }
    }

    /// LPM may give something else than the flash has.
    pub(super) fn guards(&self, now: u64) -> bool {
        self.blocked || self.armed(now, LPM_WITHIN)
    }

    /// The program cannot be read, nor executed, below [`NRWW_START`].
    #[inline]
    pub(super) fn blocked(&self) -> bool {
        self.blocked
    }

    /// LPM reads the octet at `addr`: what it gives in place of the flash's, and what is forbidden.
    pub(super) fn load(&mut self, addr: u32, now: u64) -> (Option<u8>, Option<&'static str>) {
        if self.armed(now, LPM_WITHIN) && matches!(self.asked, LOCK | SIGNATURE) {
            let asked = std::mem::take(&mut self.asked);
            let Fuses {
                low,
                high,
                extended,
                lock,
            } = self.fuses;
            let value = match (asked, addr) {
                (LOCK, 0..4) => Some([low, lock, extended, high][addr as usize]),
                (SIGNATURE, 0 | 2 | 4) if self.chip == Chip::Atmega1281 => {
                    Some(SIGNATURE_1281[addr as usize / 2])
                }
                _ => None,
            };
            return (value, None);
        }
        if self.blocked && addr < 2 * u32::from(NRWW_START) {
            return (Some(0xFF), Some(UNREADABLE));
        }
        (None, None)
    }

    /// SPM at word address `pc`, in cycle `now`, with RAMPZ:Z and R1:R0. `erased`: the page at an
    /// octet address is.
    pub(super) fn store(
        &mut self,
        pc: u16,
        (addr, word): (u32, u16),
        now: u64,
        erased: impl FnOnce(u32) -> bool,
    ) -> Stored {
        if self.busy(now) {
            return Stored::refused(BUSY);
        }
        if !self.armed(now, SPM_WITHIN) {
            return Stored::refused(UNARMED);
        }
        let asked = std::mem::take(&mut self.asked);
        if pc < self.fuses.boot_start() {
            return Stored::refused(OUTSIDE);
        }
        let page = addr & !(PAGE_OCTETS - 1);
        match asked {
            FILL => self.fill(addr, word),
            ERASE | WRITE if self.locked(addr) => Stored::refused(LOCKED),
            ERASE => Stored {
                change: Some(FlashChange::Erase(page)),
                halt: self.begin(asked, page, now),
                misuse: None,
            },
            WRITE => {
                let words = self.take_buffer();
                Stored {
                    change: Some(FlashChange::Write(page, words)),
                    halt: self.begin(asked, page, now),
                    misuse: (!erased(page)).then_some(NOT_ERASED),
                }
            }
            LOCK => {
                self.fuses.lock &= word as u8 | !BOOT_LOCKS;
                self.asked = asked;
                self.busy_until = now + self.page_cycles();
                Stored::default()
            }
            ENABLE => {
                self.blocked = false;
                self.take_buffer();
                Stored::default()
            }
            _ => Stored::default(),
        }
    }

    fn fill(&mut self, addr: u32, word: u16) -> Stored {
        let place = (addr / 2) as usize % PAGE_WORDS;
        if self.filled >> place & 1 != 0 {
            return Stored::refused(TWICE);
        }
        self.filled |= 1 << place;
        self.buffer[place] = word;
        Stored::default()
    }

    fn take_buffer(&mut self) -> Box<[u16; PAGE_WORDS]> {
        self.filled = 0;
        std::mem::replace(&mut self.buffer, Box::new([0xFFFF; PAGE_WORDS]))
    }

    fn locked(&self, addr: u32) -> bool {
        let boot = addr >= 2 * u32::from(self.fuses.boot_start());
        self.fuses.lock & if boot { BLB11 } else { BLB01 } == 0
    }

    fn page_cycles(&self) -> u64 {
        PAGE_US * u64::from(self.clock_hz) / 1_000_000
    }

    /// Work on a page begins; the cycles for which the CPU stands still.
    fn begin(&mut self, asked: u8, page: u32, now: u64) -> u64 {
        let cycles = self.page_cycles();
        if page >= 2 * u32::from(NRWW_START) {
            return cycles;
        }
        self.asked = asked;
        self.busy_until = now + cycles;
        self.blocked = true;
        0
    }

    /// The cycle at which SPM can be used again, where that interrupts.
    pub(super) fn deadline(&self, now: u64) -> Option<u64> {
        (self.interrupts && self.busy(now)).then_some(self.busy_until)
    }

    /// Whether it interrupts: as long as SPMEN is clear.
    pub(super) fn interrupt(&self, now: u64) -> bool {
        self.interrupts && !self.busy(now) && !self.armed(now, SPM_WITHIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOT: u16 = 0xF000;

    fn ready() -> SelfProgramming {
        SelfProgramming::new(Chip::Atmega128, 8_000_000, Fuses::default())
    }

    /// SPMCSR and, two cycles later, SPM in the boot loader section.
    fn spm(program: &mut SelfProgramming, asks: u8, what: (u32, u16), now: u64) -> Stored {
        program.set_control(asks, now, false);
        program.store(BOOT, what, now + 2, |_| true)
    }

    #[test]
    fn a_page_is_erased_filled_and_written_while_the_cpu_goes_on() {
        let mut program = ready();
        let erased = spm(&mut program, ERASE, (0x1234, 0), 0);
        assert_eq!(erased.change, Some(FlashChange::Erase(0x1200)));
        assert_eq!((erased.halt, erased.misuse), (0, None));
        assert_eq!(program.control(100), RWWSB | ERASE);
        assert_eq!(
            spm(&mut program, FILL, (0x1200, 7), 200),
            Stored::refused(BUSY)
        );
        assert_eq!(program.control(36_002), RWWSB, "4.5 ms later");
        spm(&mut program, FILL, (0x1202, 0xBEEF), 40_000);
        let again = spm(&mut program, FILL, (0x1202, 0), 40_010);
        assert_eq!(again, Stored::refused(TWICE));
        let written = spm(&mut program, WRITE, (0x1200, 0), 40_020);
        let Some(FlashChange::Write(0x1200, words)) = written.change else {
            panic!("{written:?}");
        };
        assert_eq!(words[..3], [0xFFFF, 0xBEEF, 0xFFFF]);
        assert_eq!(
            program.load(0x1202, 80_000),
            (Some(0xFF), Some(UNREADABLE)),
            "the section is blocked until RWWSRE"
        );
        assert_eq!(program.load(2 * 0xF000, 80_000), (None, None));
        spm(&mut program, ENABLE, (0, 0), 80_000);
        assert_eq!((program.control(80_010), program.blocked()), (0, false));
    }

    #[test]
    fn behind_the_read_while_write_section_the_cpu_stands_still() {
        let mut program = ready();
        let erased = spm(&mut program, ERASE, (0x1_E100, 0), 0);
        assert_eq!((erased.halt, program.blocked()), (36_000, false));
    }

    #[test]
    fn spm_needs_its_four_cycles_its_section_and_its_lock_bits() {
        let mut program = ready();
        program.set_control(ERASE, 0, false);
        let late = program.store(BOOT, (0, 0), 7, |_| true);
        assert_eq!(late, Stored::refused(UNARMED));
        program.set_control(ERASE, 10, false);
        let outside = program.store(BOOT - 1, (0, 0), 12, |_| true);
        assert_eq!(outside, Stored::refused(OUTSIDE));
        program.set_control(ERASE, 20, true);
        let eeprom = program.store(BOOT, (0, 0), 22, |_| true);
        assert_eq!(
            eeprom,
            Stored::refused(UNARMED),
            "the EEPROM is being written"
        );
        program.set_control(WRITE, 30, false);
        let unerased = program.store(BOOT, (0, 0), 32, |_| false);
        assert_eq!(unerased.misuse, Some(NOT_ERASED));
        let mut program = ready();
        spm(&mut program, LOCK, (0, 0xFFFB), 0);
        assert_eq!(program.fuses.lock, 0xFB);
        assert_eq!(
            spm(&mut program, ERASE, (0, 0), 50_000),
            Stored::refused(LOCKED)
        );
        assert!(
            spm(&mut program, ERASE, (0x1_E000, 0), 50_010)
                .change
                .is_some()
        );
        spm(&mut program, LOCK, (0, 0xFF00), 100_000);
        assert_eq!(program.fuses.lock, 0xC3, "the boot lock bits alone");
    }

    #[test]
    fn lpm_reads_fuses_lock_bits_and_the_signature() {
        let fuses = Fuses {
            low: 1,
            high: 2,
            extended: 3,
            lock: 4,
        };
        let mut program = SelfProgramming::new(Chip::Atmega1281, 8_000_000, fuses);
        for (addr, value) in [(0, 1), (1, 4), (2, 3), (3, 2)] {
            program.set_control(LOCK, 0, false);
            assert!(program.guards(3));
            assert_eq!(program.load(addr, 3), (Some(value), None));
            assert_eq!(program.load(addr, 3), (None, None), "once");
        }
        for (addr, value) in [(0, 0x1E), (2, 0x97), (4, 0x04)] {
            program.set_control(SIGNATURE, 0, false);
            assert_eq!(program.load(addr, 3), (Some(value), None));
        }
        program.set_control(LOCK, 0, false);
        assert_eq!(program.load(0, 9), (None, None), "three cycles");
    }

    #[test]
    fn fuses_place_the_boot_loader_and_time_the_oscillator() {
        let fuses = |low, high| Fuses {
            low,
            high,
            ..Fuses::default()
        };
        for (high, boot, reset) in [
            (0x99, 0xF000, 0),
            (0x98, 0xF000, 0xF000),
            (0x9A, 0xF800, 0xF800),
            (0x9C, 0xFC00, 0xFC00),
            (0x9E, 0xFE00, 0xFE00),
        ] {
            let fuses = fuses(0xFF, high);
            assert_eq!((fuses.boot_start(), fuses.reset_vector()), (boot, reset));
        }
        for (low, cycles) in [
            (0xFF, 16_384),
            (0xCF, 1_024),
            (0xDF, 16_384),
            (0xEE, 1_024),
            (0xCE, 258),
            (0xE4, 6),
        ] {
            let start = fuses(low, 0xFF).start_cycles(Chip::Atmega128);
            assert_eq!(start, cycles, "{low:02x}");
        }
        let of = |chip| fuses(0xC6, 0xFF).start_cycles(chip);
        assert_eq!((of(Chip::Atmega128), of(Chip::Atmega1281)), (6, 258));
    }

    #[test]
    fn it_interrupts_as_long_as_it_is_ready() {
        let mut program = ready();
        program.set_control(SPMIE | ERASE, 0, false);
        assert!(!program.interrupt(1));
        program.store(BOOT, (0, 0), 2, |_| true);
        assert_eq!(program.deadline(3), Some(36_002));
        assert!(!program.interrupt(36_001) && program.interrupt(36_002));
    }
}
