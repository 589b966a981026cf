//! A flat machine for the tests: 128 KiB of program memory, 64 KiB of data space, and what the bus
//! was told.

#![allow(dead_code, reason = "not every test file uses everything")]

use cpu_avr::{Bus, BusError};

pub struct Flat {
    pub program: Vec<u16>,
    pub data: Vec<u8>,
    pub stored: Vec<(u32, u16)>,
    pub watchdog: u32,
    pub sleep_enabled: bool,
}

impl Flat {
    /// Program memory filled with NOP, then `words` at word address `at`.
    pub fn new(at: u16, words: &[u16]) -> Flat {
        let mut flat = Flat {
            program: vec![0; 0x1_0000],
            data: vec![0; 0x1_0000],
            stored: Vec::new(),
            watchdog: 0,
            sleep_enabled: true,
        };
        for (i, word) in words.iter().enumerate() {
            flat.program[usize::from(at.wrapping_add(i as u16))] = *word;
        }
        flat
    }
}

impl Bus for Flat {
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        Ok(self.program[usize::from(pc)])
    }

    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        assert!(
            addr >= 0x20 && ![0x5b, 0x5d, 0x5e, 0x5f].contains(&addr),
            "register 0x{addr:x} is the core's"
        );
        Ok(self.data[usize::from(addr)])
    }

    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.read(addr)?;
        self.data[usize::from(addr)] = value;
        Ok(())
    }

    fn store_program(&mut self, _: u16, addr: u32, word: u16) -> Result<u32, BusError> {
        self.stored.push((addr, word));
        Ok(7)
    }

    fn sleep_enabled(&mut self) -> bool {
        self.sleep_enabled
    }

    fn watchdog_reset(&mut self) {
        self.watchdog += 1;
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
