//! Parts on an I2C bus, as their master meets them: octets and acknowledgements. The master keeps
//! the time of the bits; a part may hold the clock.

use crate::Ps;

/// A part that answers to its address. Calls come in order of time.
pub trait I2cPart: Send {
    /// Its name, as the board's data file has it.
    fn name(&self) -> &'static str;

    /// Its address, 7 bits.
    fn address(&self) -> u8;

    /// A start condition and its address have come, for reading or writing. Returns whether it
    /// acknowledges.
    fn begin(&mut self, now: Ps, read: bool) -> bool;

    /// The master has written an octet. Returns whether the part acknowledges.
    fn write(&mut self, now: Ps, octet: u8) -> bool;

    /// The octet that the master reads.
    fn read(&mut self, now: Ps) -> u8;

    /// It holds the clock until then, before the next octet that is read.
    fn holds_until(&self) -> Ps {
        Ps::ZERO
    }

    /// A stop condition.
    fn stop(&mut self, now: Ps) {
        let _ = now;
    }

    /// When the state that an access has begun ends by itself.
    fn settles_at(&self) -> Ps {
        Ps::ZERO
    }

    /// What it does at `now`, as the data file names its currents.
    fn state(&self, now: Ps) -> &'static str;

    /// One more part in the same state.
    fn copy(&self) -> Box<dyn I2cPart>;
}

impl Clone for Box<dyn I2cPart> {
    fn clone(&self) -> Box<dyn I2cPart> {
        self.copy()
    }
}

/// The parts on one bus.
#[derive(Clone, Default)]
pub struct I2cBus {
    parts: Vec<Box<dyn I2cPart>>,
    /// Parts that have acknowledged their address once.
    used: Vec<bool>,
    /// Something has happened on the bus since the last look.
    touched: bool,
    /// The latest address that no part has, since the last look.
    missed: Option<u8>,
    /// The part that has acknowledged its address.
    chosen: Option<usize>,
}

impl I2cBus {
    /// One more part.
    pub fn attach(&mut self, part: Box<dyn I2cPart>) {
        self.parts.push(part);
        self.used.push(false);
    }

    /// The parts that the program has talked to, with their places, for the meter.
    pub fn used(&self) -> impl Iterator<Item = (usize, &dyn I2cPart)> {
        let used = self.used.iter().zip(&self.parts).enumerate();
        used.filter(|(_, (used, _))| **used)
            .map(|(place, (_, part))| (place, part.as_ref()))
    }

    /// Has something happened on the bus since the last call?
    #[inline]
    pub fn take_touched(&mut self) -> bool {
        std::mem::take(&mut self.touched)
    }

    /// The latest address that no part has, since the last call.
    pub fn take_missed(&mut self) -> Option<u8> {
        self.missed.take()
    }

    /// A start condition, then address and direction. False: nobody acknowledges.
    pub fn begin(&mut self, now: Ps, address: u8, read: bool) -> bool {
        let found = self.parts.iter().position(|part| part.address() == address);
        self.chosen = found.filter(|index| self.parts[*index].begin(now, read));
        self.touched = true;
        if found.is_none() {
            self.missed = Some(address);
        }
        if let Some(index) = self.chosen {
            self.used[index] = true;
        }
        self.chosen.is_some()
    }

    /// The master writes an octet. False: not acknowledged.
    pub fn write(&mut self, now: Ps, octet: u8) -> bool {
        self.touched = true;
        self.part().is_some_and(|part| part.write(now, octet))
    }

    /// The master reads an octet; the lines float high if nobody answers.
    pub fn read(&mut self, now: Ps) -> u8 {
        self.touched = true;
        self.part().map_or(0xFF, |part| part.read(now))
    }

    /// Until when the chosen part holds the clock before it is read.
    pub fn holds_until(&mut self) -> Ps {
        self.part().map_or(Ps::ZERO, |part| part.holds_until())
    }

    /// A stop condition.
    pub fn stop(&mut self, now: Ps) {
        for part in &mut self.parts {
            part.stop(now);
        }
        self.chosen = None;
    }

    fn part(&mut self) -> Option<&mut Box<dyn I2cPart>> {
        self.parts.get_mut(self.chosen?)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// 16 registers behind a pointer, at address 0x2A.
    #[derive(Clone, Default)]
    pub(crate) struct Registers {
        pub(crate) cells: [u8; 16],
        pointer: usize,
        fresh: bool,
    }

    impl I2cPart for Registers {
        fn name(&self) -> &'static str {
            "registers"
        }

        fn address(&self) -> u8 {
            0x2A
        }

        fn begin(&mut self, _: Ps, read: bool) -> bool {
            self.fresh = !read;
            true
        }

        fn write(&mut self, _: Ps, octet: u8) -> bool {
            if std::mem::take(&mut self.fresh) {
                self.pointer = usize::from(octet);
                return self.pointer < 16;
            }
            self.cells[self.pointer % 16] = octet;
            self.pointer += 1;
            true
        }

        fn read(&mut self, _: Ps) -> u8 {
            self.pointer += 1;
            self.cells[(self.pointer - 1) % 16]
        }

        fn state(&self, _: Ps) -> &'static str {
            "idle"
        }

        fn copy(&self) -> Box<dyn I2cPart> {
            Box::new(self.clone())
        }
    }

    #[test]
    fn only_the_addressed_part_hears() {
        let mut bus = I2cBus::default();
        bus.attach(Box::new(Registers::default()));
        assert!(!bus.begin(Ps::ZERO, 0x2B, false) && !bus.write(Ps::ZERO, 1));
        assert_eq!((bus.take_missed(), bus.take_missed()), (Some(0x2B), None));
        assert_eq!(bus.read(Ps::ZERO), 0xFF, "nobody drives the lines");
        assert!(bus.begin(Ps::ZERO, 0x2A, false));
        assert!(bus.write(Ps::ZERO, 3) && bus.write(Ps::ZERO, 0x77));
        bus.stop(Ps::ZERO);
        assert!(
            !bus.write(Ps::ZERO, 9),
            "after the stop nobody is addressed"
        );
        assert!(bus.begin(Ps::ZERO, 0x2A, false) && bus.write(Ps::ZERO, 3));
        assert!(bus.begin(Ps::ZERO, 0x2A, true), "a repeated start");
        assert_eq!(bus.read(Ps::ZERO), 0x77);
    }
}
