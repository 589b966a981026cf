//! How long the CC2538's flash keeps the CPU waiting.
//!
//! Flash is organised in words of 64 bits; here each is a line that is read at once. TI prints
//! neither the wait states nor the size of the cache, so both are parameters, and results carry a
//! band: [`FlashTiming::LOW`] never waits, [`FlashTiming::HIGH`] waits one cycle for every line
//! that is not the last one read, as if there were no cache. A real part has a cache, which FCTL.CM
//! switches on from reset; the board's data file names what is assumed of its lines.

use super::memory::{self, Memory, Region};
use crate::board::Band;
use cpu_armv7m::{Lines, Timed, Timing};
use device::cc2538::{CacheMode, Cc2538Config};

/// The number of no line.
const NO_LINE: u32 = u32::MAX;

/// Parameters of flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashTiming {
    /// Cycles a line takes beyond the first (assumed).
    pub wait_states: u32,
    /// log2 of the octets of a line.
    pub line_shift: u32,
    /// Lines of a direct-mapped cache that FCTL.CM switches on (assumed; 0: no cache).
    pub cache_lines: usize,
}

impl FlashTiming {
    /// No wait states.
    pub const LOW: FlashTiming = FlashTiming {
        wait_states: 0,
        line_shift: 3,
        cache_lines: 0,
    };
    /// One wait state for every line that is not in the line buffer, no cache.
    pub const HIGH: FlashTiming = FlashTiming {
        wait_states: 1,
        ..FlashTiming::LOW
    };

    /// The end of the band, on a chip with these parameters.
    pub fn of(band: Band, chip: &Cc2538Config) -> FlashTiming {
        match band {
            Band::Low => FlashTiming::LOW,
            Band::High => FlashTiming {
                wait_states: chip.flash_wait_states.into(),
                line_shift: chip.flash_line_octets.max(1).ilog2(),
                ..FlashTiming::LOW
            },
        }
    }
}

/// The core's rules at that end of the band.
pub const fn core_timing(band: Band) -> Timing {
    match band {
        Band::Low => Timing::low(),
        Band::High => Timing::high(),
    }
}

/// Line buffer and cache, shared by instructions and data.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    timing: FlashTiming,
    line: u32,
    cached: Vec<u32>,
    caching: bool,
}

impl LineBuffer {
    /// Empty; the cache off.
    pub fn new(timing: FlashTiming) -> LineBuffer {
        LineBuffer {
            timing,
            line: NO_LINE,
            cached: vec![NO_LINE; timing.cache_lines],
            caching: false,
        }
    }

    /// Takes over FCTL.CM. In real-time mode the user's guide promises the time of a cache that is
    /// off.
    pub fn set_mode(&mut self, mode: CacheMode) {
        self.caching =
            matches!(mode, CacheMode::On | CacheMode::Prefetch) && !self.cached.is_empty();
    }

    /// Flash was erased or written: nothing read before counts.
    pub fn forget(&mut self) {
        self.line = NO_LINE;
        self.cached.fill(NO_LINE);
    }

    /// No read ever waits.
    #[inline(always)]
    pub fn never_waits(&self) -> bool {
        self.timing.wait_states == 0
    }

    /// The line buffer for direct use by the core, if there is no cache behind it.
    #[inline(always)]
    pub fn lines(&self) -> Option<Lines> {
        self.cached.is_empty().then_some(Lines {
            wait: self.timing.wait_states,
            shift: self.timing.line_shift,
            line: self.line,
        })
    }

    /// The aligned word of RAM, flash or ROM that holds `address`, and its wait states; `None`: it is
    /// none of them.
    #[inline(always)]
    pub fn word(&mut self, memory: &Memory, address: u32) -> Option<Timed<u32>> {
        if memory::is_ram(address) {
            return Some(Timed::free(memory.ram32(address)));
        }
        if memory::is_flash(address) {
            let value = memory.flash32(address);
            let wait = self.wait(address);
            return Some(Timed { value, wait });
        }
        (memory::region(address) == Region::Rom).then(|| Timed::free(memory.rom32(address)))
    }

    /// Wait states of reading at `address`.
    #[inline(always)]
    pub fn wait(&mut self, address: u32) -> u32 {
        let line = address >> self.timing.line_shift;
        if self.never_waits() || line == self.line {
            return 0;
        }
        self.line = line;
        if self.caching {
            let place = line as usize % self.cached.len();
            if self.cached[place] == line {
                return 0;
            }
            self.cached[place] = line;
        }
        self.timing.wait_states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wait states of reads at these addresses, in order.
    fn waits(buffer: &mut LineBuffer, addresses: &[u32]) -> Vec<u32> {
        addresses
            .iter()
            .map(|&address| buffer.wait(address))
            .collect()
    }

    #[test]
    fn a_line_of_eight_octets_waits_once() {
        let addresses = [0x20_0000, 0x20_0004, 0x20_0008, 0x20_000C, 0x20_0000];
        let mut high = LineBuffer::new(FlashTiming::HIGH);
        assert_eq!(waits(&mut high, &addresses), [1, 0, 1, 0, 1]);
        high.forget();
        assert_eq!(high.wait(0x20_0000), 1);
        assert_eq!(
            waits(&mut LineBuffer::new(FlashTiming::LOW), &addresses),
            [0; 5]
        );
    }

    #[test]
    fn the_slow_end_of_a_chip_is_the_one_that_functions_are_called_at() {
        let mut chip = Cc2538Config::default();
        assert_eq!(FlashTiming::of(Band::High, &chip), FlashTiming::HIGH);
        assert_eq!(FlashTiming::of(Band::Low, &chip), FlashTiming::LOW);
        (chip.flash_wait_states, chip.flash_line_octets) = (2, 4);
        let mut slower = LineBuffer::new(FlashTiming::of(Band::High, &chip));
        assert_eq!(
            waits(&mut slower, &[0x20_0000, 0x20_0002, 0x20_0004]),
            [2, 0, 2]
        );
    }

    #[test]
    fn a_cache_counts_only_while_it_is_on() {
        let timing = FlashTiming {
            wait_states: 3,
            cache_lines: 4,
            ..FlashTiming::LOW
        };
        let mut buffer = LineBuffer::new(timing);
        let loop_of_two = [0x20_0000, 0x20_0008, 0x20_0000, 0x20_0008];
        assert_eq!(
            waits(&mut buffer, &loop_of_two),
            [3; 4],
            "off from power-on"
        );
        buffer.set_mode(CacheMode::On);
        assert_eq!(waits(&mut buffer, &loop_of_two), [3, 3, 0, 0]);
        assert_eq!(
            waits(&mut buffer, &[0x20_0020, 0x20_0000]),
            [3, 3],
            "one place, two lines"
        );
        buffer.set_mode(CacheMode::RealTime);
        assert_eq!(waits(&mut buffer, &loop_of_two[1..]), [3, 3, 3]);
    }
}
