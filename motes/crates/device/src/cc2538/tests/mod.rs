//! Tests through the chip's address space.

mod engine;
mod memories;
mod modes;
mod radio;
mod receive;
mod robust;
mod udma;

use super::*;
use crate::radio::fcs;

constants! { pub(super) u32:
    SYS_CTRL = 0x400D_2000,      CLOCK_CTRL = SYS_CTRL,       CLOCK_STA = SYS_CTRL + 0x04,
    RCGCGPT = SYS_CTRL + 0x08,   RCGCSEC = SYS_CTRL + 0x48,   RCGCRFC = SYS_CTRL + 0xA8,
}

const RAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x0020_0000;

/// RAM and flash of a board.
pub(super) struct Memories {
    pub(super) ram: Vec<u8>,
    pub(super) flash: Vec<u8>,
}

fn part(octets: &[u8], base: u32, addr: u32, count: usize) -> Option<std::ops::Range<usize>> {
    let start = addr.checked_sub(base)? as usize;
    (start + count <= octets.len()).then_some(start..start + count)
}

impl Memory for Memories {
    fn read(&self, addr: u32, octets: &mut [u8]) -> Option<()> {
        let (array, base) = if addr >= RAM {
            (&self.ram, RAM)
        } else {
            (&self.flash, FLASH)
        };
        octets.copy_from_slice(&array[part(array, base, addr, octets.len())?]);
        Some(())
    }

    fn write(&mut self, addr: u32, octets: &[u8]) -> Option<()> {
        let place = part(&self.ram, RAM, addr, octets.len())?;
        self.ram[place].copy_from_slice(octets);
        Some(())
    }

    fn flash_program(&mut self, addr: u32, word: u32) {
        let at = (addr - FLASH) as usize;
        for (cell, octet) in self.flash[at..at + 4].iter_mut().zip(word.to_le_bytes()) {
            *cell &= octet;
        }
    }

    fn flash_erase(&mut self, addr: u32, octets: u32) {
        let at = (addr - FLASH) as usize;
        self.flash[at..at + octets as usize].fill(0xFF);
    }
}

/// A chip, its memories, the time, and the hand of a CPU.
pub(super) struct Bench {
    pub(super) chip: Cc2538,
    pub(super) mem: Memories,
    pub(super) now: Ps,
    pub(super) air: Vec<AirOut>,
}

impl Bench {
    /// Just after power-on.
    pub(super) fn reset() -> Bench {
        Bench::with(Cc2538Config::default())
    }

    pub(super) fn with(config: Cc2538Config) -> Bench {
        Bench {
            chip: Cc2538::new(config),
            mem: Memories {
                ram: vec![0; 0x8000],
                flash: vec![0xFF; 0x8_0000],
            },
            now: Ps::ZERO,
            air: Vec::new(),
        }
    }

    /// 32 MHz from the crystal, all gates open in every mode.
    pub(super) fn running() -> Bench {
        let mut bench = Bench::reset();
        bench.start();
        bench
    }

    pub(super) fn start(&mut self) {
        self.write(CLOCK_CTRL, 0);
        self.wait(400);
        for gate in 0..3 {
            for row in [0x08, 0x28, 0x48] {
                self.write(SYS_CTRL + row + 4 * gate, 0xF);
            }
            self.write(RCGCRFC + 4 * gate, 1);
        }
    }

    pub(super) fn read(&mut self, addr: u32) -> u32 {
        self.try_read(addr).expect("a register")
    }

    pub(super) fn try_read(&mut self, addr: u32) -> Result<u32, AccessError> {
        self.chip.read32(addr, self.now, &mut self.mem)
    }

    pub(super) fn write(&mut self, addr: u32, value: u32) {
        assert_eq!(self.try_write(addr, value), Ok(()), "{addr:08x}");
    }

    pub(super) fn try_write(&mut self, addr: u32, value: u32) -> Result<(), AccessError> {
        let outcome = self.chip.write32(addr, value, self.now, &mut self.mem);
        self.chip.take_air(&mut self.air);
        outcome
    }

    pub(super) fn wait(&mut self, micros: u64) {
        self.run_to(self.now + Ps::from_micros(micros));
    }

    /// Advances from deadline to deadline, as a board does.
    pub(super) fn run_to(&mut self, at: Ps) {
        while let Some(due) = self.chip.deadline().filter(|due| *due <= at) {
            assert!(due >= self.now, "a deadline in the past");
            self.now = due;
            self.chip.advance(due, &mut self.mem);
        }
        self.now = at;
        self.chip.advance(at, &mut self.mem);
        self.chip.take_air(&mut self.air);
    }

    pub(super) fn irq(&self, irq: Irq) -> bool {
        self.chip.irq_levels().contains(irq.line(false))
    }
}

pub(super) fn us(micros: u64) -> Ps {
    Ps::from_micros(micros)
}

/// The frame with its FCS.
pub(super) fn with_fcs(frame: &[u8]) -> Vec<u8> {
    let fcs = frame.iter().fold(0, |fcs, &octet| fcs::update(fcs, octet));
    [frame, &fcs.to_le_bytes()].concat()
}

/// Octets of a hexadecimal string; blanks do not count.
pub(super) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .collect();
    digits
        .chunks(2)
        .map(|pair| (pair[0] << 4 | pair[1]) as u8)
        .collect()
}
