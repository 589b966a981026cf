//! Flash controller (FLASH_CTRL, 0x400D_3000): cache mode, page erase, writing of words,
//! protection. The array belongs to the board, which also decides what the CPU reads while the
//! array is busy.
//!
//! FADDR takes an address in the array, with or without the base 0x0020_0000, and reads as a word
//! number. Pages are protected by a clear bit in the last 32 octets of the array (taken over at the
//! first operation after a reset), the uppermost page also unless FCTL.UPPER_PAGE_ACCESS is set;
//! the information page is not writable here.

use super::{AccessError, Cc2538Config, Memory, Written};
use crate::Ps;
use crate::clock::NEVER;

constants! { u32:
    FCTL = 0x08,    FADDR = 0x0C,   FWDATA = 0x10,  DIECFG0 = 0x14, DIECFG1 = 0x18, DIECFG2 = 0x1C,
}

constants! { u32:
    UPPER_PAGE_ACCESS = 1 << 9, SEL_INFO_PAGE = 1 << 8,     BUSY = 1 << 7,
    FULL = 1 << 6,              ABORT = 1 << 5,             CACHE_MODE = 3 << 2,
    WRITE = 1 << 1,             ERASE = 1 << 0,
}

constants! { u32:
    ARRAY = 0x0020_0000,                   ARRAY_OCTETS = 0x8_0000,
    PAGE = 2_048,                          LOCK_BITS = ARRAY + ARRAY_OCTETS - 32,
}

/// FCTL.CM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheMode {
    /// Cache disabled.
    Off,
    /// Cache enabled: as after a reset.
    On,
    /// Cache enabled, with prefetch.
    Prefetch,
    /// Real-time mode: predictable, as slow as without cache.
    RealTime,
}

/// What the controller does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashState {
    /// Nothing.
    Idle,
    /// A page is erased.
    Erase,
    /// A word is written.
    Write,
}

impl FlashState {
    /// Name of the state in a board's data file.
    pub fn name(self) -> &'static str {
        match self {
            FlashState::Idle => "idle",
            FlashState::Erase => "erase",
            FlashState::Write => "write",
        }
    }
}

/// The controller.
#[derive(Clone)]
pub(super) struct Flash {
    /// UPPER_PAGE_ACCESS, SEL_INFO_PAGE, ABORT, CM, WRITE, ERASE.
    control: u32,
    /// Address in the array of the next word.
    address: u32,
    state: FlashState,
    due: Ps,
    /// A word that waits for the one being written.
    queued: Option<u32>,
    locks: Option<[u8; 32]>,
}

impl Flash {
    pub(super) fn new() -> Flash {
        Flash {
            control: 1 << 2,
            address: 0,
            state: FlashState::Idle,
            due: NEVER,
            queued: None,
            locks: None,
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Flash::new();
    }

    pub(super) fn cache(&self) -> CacheMode {
        match self.control >> 2 & 3 {
            0 => CacheMode::Off,
            1 => CacheMode::On,
            2 => CacheMode::Prefetch,
            _ => CacheMode::RealTime,
        }
    }

    pub(super) fn state(&self) -> FlashState {
        self.state
    }

    pub(super) fn busy_until(&self, now: Ps) -> Option<Ps> {
        Some(self.due).filter(|&due| self.state != FlashState::Idle && now < due)
    }

    /// When an operation ends or a sequence of words times out.
    pub(super) fn due(&self) -> Ps {
        self.due
    }

    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        let busy = if self.control & (WRITE | ERASE) != 0 {
            BUSY
        } else {
            0
        };
        let full = if self.queued.is_some() { FULL } else { 0 };
        Some(match offset {
            FCTL => self.control | busy | full,
            FADDR => (self.address & (ARRAY_OCTETS - 1)) >> 2,
            FWDATA => 0,
            // 512 KiB of flash, 32 KiB of RAM, chip 0xB964, all blocks there, PG2.0 (from memory).
            DIECFG0 => 0xB964_0240,
            DIECFG1 => 0x0103_030F,
            DIECFG2 => 0x0000_2007,
            _ => return None,
        })
    }

    /// Writes the register at `offset`; `None`: there is none.
    pub(super) fn write(
        &mut self,
        offset: u32,
        value: u32,
        now: Ps,
        config: &Cc2538Config,
        mem: &mut dyn Memory,
    ) -> Written {
        let busy = self.control & (WRITE | ERASE) != 0;
        match offset {
            FCTL => return Some(self.write_control(value, now, config, mem)),
            FADDR if !busy => self.address = value & (ARRAY_OCTETS - 1) & !3,
            FWDATA if self.control & WRITE != 0 => self.take_word(value, now, config, mem),
            FADDR | FWDATA | DIECFG0..=DIECFG2 => {}
            _ => return None,
        }
        Some(Ok(()))
    }

    fn write_control(
        &mut self,
        value: u32,
        now: Ps,
        config: &Cc2538Config,
        mem: &mut dyn Memory,
    ) -> Result<(), AccessError> {
        if value & SEL_INFO_PAGE != 0 && value & (WRITE | ERASE) != 0 {
            return Err(AccessError::NotModelled {
                name: "erasing or writing the flash information page",
            });
        }
        let kept = UPPER_PAGE_ACCESS | SEL_INFO_PAGE | CACHE_MODE;
        let busy = self.control & (WRITE | ERASE) != 0;
        self.control = self.control & !kept | value & kept;
        if busy || value & (WRITE | ERASE) == 0 {
            return Ok(());
        }
        self.control = self.control & !ABORT | value & (WRITE | ERASE);
        if value & ERASE != 0 {
            self.erase(now, config, mem);
        } else {
            self.due = now + config.flash_timeout;
        }
        Ok(())
    }

    /// Whether the page of the present address may not be changed.
    fn locked(&mut self, mem: &dyn Memory) -> bool {
        let locks = self.locks.get_or_insert_with(|| {
            let mut bits = [0xFF; 32];
            let _ = mem.read(LOCK_BITS, &mut bits);
            bits
        });
        let page = self.address / PAGE;
        let upper = page == ARRAY_OCTETS / PAGE - 1;
        locks[page as usize / 8] >> (page % 8) & 1 == 0
            || upper && self.control & UPPER_PAGE_ACCESS == 0
    }

    fn erase(&mut self, now: Ps, config: &Cc2538Config, mem: &mut dyn Memory) {
        if self.locked(mem) {
            self.control = self.control & !ERASE | ABORT;
            self.due = if self.control & WRITE != 0 {
                now + config.flash_timeout
            } else {
                NEVER
            };
            return;
        }
        mem.flash_erase(ARRAY + self.address / PAGE * PAGE, PAGE);
        self.state = FlashState::Erase;
        self.due = now + config.flash_erase;
    }

    /// FWDATA: the word is written, or waits for the one before it; a third one is lost.
    fn take_word(&mut self, word: u32, now: Ps, config: &Cc2538Config, mem: &mut dyn Memory) {
        if self.control & ERASE == 0 && self.locked(mem) {
            self.control = self.control & !WRITE | ABORT;
            self.due = NEVER;
        } else if self.state == FlashState::Idle {
            self.start_word(word, now, config, mem);
        } else if self.queued.is_none() {
            self.queued = Some(word);
        }
    }

    fn start_word(&mut self, word: u32, now: Ps, config: &Cc2538Config, mem: &mut dyn Memory) {
        mem.flash_program(ARRAY + self.address, word);
        self.address = (self.address + 4) & (ARRAY_OCTETS - 1);
        self.state = FlashState::Write;
        self.due = now + config.flash_word;
    }

    /// An operation is over, or no further word came in time.
    pub(super) fn advance(&mut self, now: Ps, config: &Cc2538Config, mem: &mut dyn Memory) {
        match std::mem::replace(&mut self.state, FlashState::Idle) {
            FlashState::Idle => {
                self.control &= !WRITE;
                self.due = NEVER;
            }
            ended => {
                if ended == FlashState::Erase {
                    self.control &= !ERASE;
                }
                self.due = if self.control & WRITE != 0 {
                    now + config.flash_timeout
                } else {
                    NEVER
                };
                if let Some(word) = self.queued.take() {
                    self.start_word(word, now, config, mem);
                }
            }
        }
    }
}
