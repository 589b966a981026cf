//! M25P80: 8 Mbit of flash behind SPI, in 16 sectors of 256 pages of 256 octets.
//!
//! The board drives CSn and clocks octets; [`M25p80::deadline`] tells when a write ends. An
//! instruction is the first octet after CSn has fallen. One that writes begins when CSn rises, and
//! needs WREN before it.
//!
//! Modelled: WREN, WRDI, RDID, RDSR, WRSR, READ, FAST_READ, PP, SE, BE, DP and RES; the block
//! protection of BP2 to BP0; the time of each write, while which RDSR alone is answered. The pin W
//! is high: SRWD protects nothing. Not modelled: the delay after power-on, the unique ID behind
//! RDID, and what a power cut leaves of a write.

mod config;
#[cfg(test)]
mod tests;

pub use config::M25p80Config;

use crate::Ps;

const SECTORS: usize = 16;
const SECTOR: usize = 0x1_0000;
const PAGE: usize = 0x100;
/// Octets that take one step of [`M25p80Config::program_eight`].
const STEP: usize = 8;
/// RDID: Micron, memory type, capacity.
const IDENTITY: [u8; 3] = [0x20, 0x20, 0x14];
/// RES: the electronic signature.
const SIGNATURE: u8 = 0x13;
/// Data output that nobody drives.
const RELEASED: u8 = 0xFF;

constants! { u8:
    WRSR = 0x01, PP = 0x02, READ = 0x03, WRDI = 0x04, RDSR = 0x05, WREN = 0x06, FAST_READ = 0x0B,
    RDID = 0x9F, RES = 0xAB, DP = 0xB9, BE = 0xC7, SE = 0xD8,
}

// Bits of the status register: write in progress, write enable latch, block protection, SRWD.
constants! { u8: WIP = 0x01, WEL = 0x02, BP = 0x1C, KEPT = 0x9C, }

/// What the flash is doing, for the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashState {
    /// Deep power-down.
    DeepPowerDown,
    /// Not selected.
    Standby,
    /// Selected.
    Selected,
    /// Programs, erases or writes the status register.
    Writing,
}

impl FlashState {
    /// Every state.
    pub const ALL: [FlashState; 4] = [
        FlashState::DeepPowerDown,
        FlashState::Standby,
        FlashState::Selected,
        FlashState::Writing,
    ];

    /// Name of the state in a board's data file.
    pub fn name(self) -> &'static str {
        match self {
            FlashState::DeepPowerDown => "deep_power_down",
            FlashState::Standby => "standby",
            FlashState::Selected => "selected",
            FlashState::Writing => "writing",
        }
    }
}

const BUSY: &str = "M25P80: an instruction other than RDSR while a write is in progress is ignored";
const ASLEEP: &str = "M25P80: an instruction other than RES in deep power-down is ignored";
const TOO_EARLY: &str =
    "M25P80: an instruction too early after DP or RES, which need their time, is ignored";
const NOT_ENABLED: &str = "M25P80: PP, SE, BE or WRSR without WREN before it is ignored";
const PROTECTED: &str = "M25P80: PP, SE or BE into sectors that BP2 to BP0 protect is ignored";
const UNKNOWN: &str = "M25P80: an instruction that it does not have is ignored";
const LENGTH: &str = "M25P80: CSn rose before or after the last octet of an instruction: ignored";

/// An instruction, and what has come of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Access {
    /// The next octet is the instruction.
    #[default]
    Fresh,
    /// This instruction, and its octets so far, an address first where it has one.
    Taken {
        code: u8,
        count: usize,
        address: usize,
    },
    /// Nothing that the chip takes.
    Ignored,
}

/// One chip, erased.
#[derive(Clone)]
pub struct M25p80 {
    config: M25p80Config,
    /// A sector that is erased is `None`.
    sectors: [Option<Box<[u8]>>; SECTORS],
    /// Status register without WIP.
    status: u8,
    selected: bool,
    access: Access,
    /// Octets of a page program, by their place in the page.
    page: [Option<u8>; PAGE],
    /// A write is in progress until then.
    busy_until: Option<Ps>,
    asleep: bool,
    /// Takes nothing before that.
    deaf_until: Ps,
    misuse: Vec<(Ps, &'static str)>,
}

impl M25p80 {
    /// A chip as it is delivered: erased, nothing protected.
    pub fn new(config: M25p80Config) -> M25p80 {
        M25p80 {
            config,
            sectors: [const { None }; SECTORS],
            status: 0,
            selected: false,
            access: Access::Fresh,
            page: [None; PAGE],
            busy_until: None,
            asleep: false,
            deaf_until: Ps::ZERO,
            misuse: Vec::new(),
        }
    }

    /// When something next happens by itself.
    pub fn deadline(&self) -> Option<Ps> {
        self.busy_until
    }

    /// Does what is due up to and including `now`.
    pub fn advance(&mut self, now: Ps) {
        if self.busy_until.is_some_and(|end| end <= now) {
            self.busy_until = None;
            self.status &= !WEL;
        }
    }

    /// What it is doing.
    pub fn state(&self) -> FlashState {
        if self.busy_until.is_some() {
            FlashState::Writing
        } else if self.selected {
            FlashState::Selected
        } else if self.asleep {
            FlashState::DeepPowerDown
        } else {
            FlashState::Standby
        }
    }

    /// Takes the list of the firmware's actions against the data sheet (the first 64 since the last
    /// call).
    pub fn take_misuse(&mut self) -> Vec<(Ps, &'static str)> {
        std::mem::take(&mut self.misuse)
    }

    fn misused(&mut self, now: Ps, what: &'static str) {
        if self.misuse.len() < 64 {
            self.misuse.push((now, what));
        }
    }

    /// Drives CSn. When it rises, an instruction that writes begins.
    pub fn set_csn(&mut self, now: Ps, level: bool) {
        self.advance(now);
        let ends = self.selected && level;
        self.selected = !level;
        let access = std::mem::take(&mut self.access);
        if ends
            && let Access::Taken {
                code,
                count,
                address,
            } = access
        {
            self.execute(now, code, count, address);
        }
    }

    /// One octet has been shifted both ways at `now`; returns what the chip sent.
    pub fn spi_byte(&mut self, now: Ps, mosi: u8) -> u8 {
        self.advance(now);
        if !self.selected {
            return RELEASED;
        }
        match self.access {
            Access::Ignored => RELEASED,
            Access::Fresh => {
                self.access = self.accept(now, mosi);
                RELEASED
            }
            Access::Taken {
                code,
                count,
                address,
            } => self.octet(code, count, address, mosi),
        }
    }

    /// The first octet of an access.
    fn accept(&mut self, now: Ps, code: u8) -> Access {
        let known = [
            WRSR, PP, READ, WRDI, RDSR, WREN, FAST_READ, RDID, RES, DP, BE, SE,
        ];
        let why = if !known.contains(&code) {
            UNKNOWN
        } else if now < self.deaf_until {
            TOO_EARLY
        } else if self.busy_until.is_some() && code != RDSR {
            BUSY
        } else if self.asleep && code != RES {
            ASLEEP
        } else {
            self.page = [None; PAGE];
            return Access::Taken {
                code,
                count: 0,
                address: 0,
            };
        };
        self.misused(now, why);
        Access::Ignored
    }

    /// An octet behind the instruction; returns what the chip sends meanwhile.
    fn octet(&mut self, code: u8, count: usize, address: usize, mosi: u8) -> u8 {
        let mut next = address;
        let answer = match (code, count) {
            (READ | FAST_READ | PP | SE, 0..3) => {
                next = (address << 8 | usize::from(mosi)) & (SECTORS * SECTOR - 1);
                RELEASED
            }
            (FAST_READ, 3) => RELEASED,
            (READ | FAST_READ, _) => {
                next = (address + 1) & (SECTORS * SECTOR - 1);
                self.read(address)
            }
            (PP, _) => {
                self.page[address % PAGE] = Some(mosi);
                next = address - address % PAGE + (address + 1) % PAGE;
                RELEASED
            }
            (WRSR, _) => {
                next = usize::from(mosi);
                RELEASED
            }
            (RDSR, _) => self.status | if self.busy_until.is_some() { WIP } else { 0 },
            (RDID, 0..3) => IDENTITY[count],
            (RES, 3..) => SIGNATURE,
            _ => RELEASED,
        };
        self.access = Access::Taken {
            code,
            count: count.saturating_add(1),
            address: next,
        };
        answer
    }

    /// CSn has risen after `count` octets behind the instruction.
    fn execute(&mut self, now: Ps, code: u8, count: usize, address: usize) {
        let whole = match code {
            WREN | WRDI | DP | BE => count == 0,
            WRSR => count == 1,
            SE => count == 3,
            PP => count > 3,
            _ => true,
        };
        if !whole {
            return self.misused(now, LENGTH);
        }
        match code {
            WREN => self.status |= WEL,
            WRDI => self.status &= !WEL,
            DP => {
                self.asleep = true;
                self.deaf_until = now + self.config.power_down;
            }
            RES if self.asleep => {
                self.asleep = false;
                self.deaf_until = now + self.config.release;
            }
            WRSR | PP | SE | BE => self.write(now, code, address),
            _ => {}
        }
    }

    /// Begins what needs WREN.
    fn write(&mut self, now: Ps, code: u8, address: usize) {
        if self.status & WEL == 0 {
            return self.misused(now, NOT_ENABLED);
        }
        let sectors = match code {
            WRSR => 0..0,
            BE => 0..SECTORS,
            _ => address / SECTOR..address / SECTOR + 1,
        };
        if sectors.end > self.first_protected() {
            return self.misused(now, PROTECTED);
        }
        let time = match code {
            WRSR => {
                self.status = address as u8 & KEPT | WEL;
                self.config.status_write
            }
            PP => self.program(address),
            _ => {
                self.sectors[sectors].fill(None);
                if code == BE {
                    Ps(self.config.bulk_erase_sector.0 * SECTORS as u64)
                } else {
                    self.config.sector_erase
                }
            }
        };
        self.busy_until = Some(now + time);
    }

    /// The first sector that BP2 to BP0 protect: none, the last one, two, four, eight, or all.
    fn first_protected(&self) -> usize {
        match (self.status & BP) >> 2 {
            0 => SECTORS,
            level @ 1..=4 => SECTORS - (1 << (level - 1)),
            _ => 0,
        }
    }

    /// Programs the page around `address`: bits fall, none rises. How long it takes.
    fn program(&mut self, address: usize) -> Ps {
        let first = address & !(PAGE - 1);
        let sector = self.sectors[first / SECTOR]
            .get_or_insert_with(|| vec![0xFF; SECTOR].into_boxed_slice());
        let mut count = 0;
        for (octet, given) in sector[first % SECTOR..].iter_mut().zip(&self.page) {
            if let Some(given) = given {
                *octet &= given;
                count += 1;
            }
        }
        Ps(self.config.program_eight.0 * usize::div_ceil(count, STEP) as u64)
    }

    fn read(&self, address: usize) -> u8 {
        let sector = self.sectors[address / SECTOR].as_ref();
        sector.map_or(0xFF, |sector| sector[address % SECTOR])
    }
}
