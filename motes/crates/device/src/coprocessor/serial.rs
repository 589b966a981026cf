//! The coprocessor between two serial lines: aes128_serial.vhd with serial_in.vhd and serial_out.vhd.

use super::core::CoreKind;
use super::modes::{HostIn, Modes};

/// Octets that the queue holds.
const QUEUE: usize = 32;
/// Bits of a character.
const BITS: u8 = 10;

/// An octet from the line, bit by bit.
#[derive(Clone, Debug)]
struct Receiver {
    /// The line of one, two and three clocks before.
    before: [bool; 3],
    shift: u16,
    bits: u8,
    wait: u32,
    /// What it says in the present clock.
    came: bool,
    broken: bool,
}

impl Receiver {
    fn new() -> Receiver {
        Receiver {
            before: [true; 3],
            shift: 0,
            bits: 0,
            wait: 0,
            came: false,
            broken: false,
        }
    }

    fn clock(&mut self, line: bool, clocks_a_bit: u32) {
        let [one, two, three] = self.before;
        self.before = [line, one, two];
        (self.came, self.broken) = (false, false);
        if self.bits == 0 {
            if three && !two {
                self.bits = BITS;
                self.wait = clocks_a_bit / 2 - 1;
            }
        } else if self.wait != 0 {
            self.wait -= 1;
        } else {
            self.wait = clocks_a_bit - 1;
            let sampled = u16::from(two) << 8 | self.shift >> 1;
            match self.bits {
                BITS if two => self.bits = 0,
                1 => {
                    (self.bits, self.shift) = (0, self.shift >> 1);
                    (self.came, self.broken) = (two, !two);
                }
                _ => {
                    self.bits -= 1;
                    self.shift = sampled;
                }
            }
        }
    }

    /// Clocks in which nothing changes while the line stays at `line`; `None`: any number.
    fn quiet(&self, line: bool) -> Option<u32> {
        if self.came || self.broken || self.before != [line; 3] {
            return Some(0);
        }
        (self.bits != 0).then_some(self.wait)
    }
}

/// An octet to the line.
#[derive(Clone, Debug)]
struct Transmitter {
    shift: u16,
    bits: u8,
    wait: u32,
}

/// What the outputs are in a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOut {
    /// The line.
    pub line: bool,
    /// The stream had a gap.
    pub fault: bool,
}

/// The coprocessor between two lines.
#[derive(Clone, Debug)]
pub struct SerialLines {
    clocks_a_bit: u32,
    modes: Modes,
    receiver: Receiver,
    transmitter: Transmitter,
    queue: [u8; QUEUE],
    /// Octets taken from the queue, and put into it, modulo twice its size.
    head: usize,
    tail: usize,
    fresh: bool,
    fault: bool,
    /// What the queue's memory gives.
    word: u8,
    /// What the modes met in the last clock.
    met: HostIn,
    /// Clocks since it was made.
    clocks: u64,
    /// Octets that began to leave since the last look, each with its first clock on the line.
    sent: Vec<(u64, u8)>,
}

impl SerialLines {
    /// After a reset; `clocks_a_bit` of both lines.
    pub fn new(kind: CoreKind, clocks_a_bit: u32) -> SerialLines {
        SerialLines {
            clocks_a_bit: clocks_a_bit.max(2),
            modes: Modes::new(kind),
            receiver: Receiver::new(),
            transmitter: Transmitter {
                shift: u16::MAX,
                bits: 0,
                wait: 0,
            },
            queue: [0; QUEUE],
            head: 0,
            tail: 0,
            fresh: false,
            fault: false,
            word: 0,
            met: HostIn::default(),
            clocks: 0,
            sent: Vec::new(),
        }
    }

    /// Of both lines.
    pub fn clocks_a_bit(&self) -> u32 {
        self.clocks_a_bit
    }

    /// Clocks since it was made.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// Octets that began to leave since the last look: the first clock in which the line has the
    /// start bit, and the octet.
    pub fn take_sent(&mut self) -> Vec<(u64, u8)> {
        std::mem::take(&mut self.sent)
    }

    /// The outputs in the present clock.
    pub fn out(&self) -> LineOut {
        LineOut {
            line: self.transmitter.shift & 1 != 0,
            fault: self.fault,
        }
    }

    /// A clock of reset passes.
    pub fn reset(&mut self, kind: CoreKind) {
        let (clocks, queue) = (self.clocks + 1, self.queue);
        *self = SerialLines::new(kind, self.clocks_a_bit);
        (self.clocks, self.queue) = (clocks, queue);
    }

    fn to_modes(&self) -> HostIn {
        HostIn {
            wipe: self.fault,
            valid: self.head != self.tail && !self.fresh && !self.fault,
            octet: self.word,
            ready: self.transmitter.bits == 0 && !self.fault,
        }
    }

    /// A clock passes in which the line is at `line`.
    pub fn clock(&mut self, line: bool) {
        let size = 2 * QUEUE;
        let (head, tail) = (self.head, self.tail);
        let full = (tail + size - head) % size == QUEUE;
        let (came, broken) = (self.receiver.came, self.receiver.broken);
        let put = came && !full && !self.fault;
        self.met = self.to_modes();
        let given = self.modes.clock(self.met);
        let next = if self.met.valid && given.ready {
            (head + 1) % size
        } else {
            head
        };
        self.word = self.queue[next % QUEUE];
        if put {
            self.queue[tail % QUEUE] = (self.receiver.shift & 0xFF) as u8;
            self.tail = (tail + 1) % size;
        }
        self.head = next;
        self.fresh = put;
        self.clocks += 1;
        self.send((given.valid && !self.fault).then_some(given.octet));
        self.receiver.clock(line, self.clocks_a_bit);
        self.fault |= broken || came && full;
    }

    fn send(&mut self, octet: Option<u8>) {
        let transmitter = &mut self.transmitter;
        if transmitter.bits == 0 {
            if let Some(octet) = octet {
                transmitter.shift = 0xFE00 | u16::from(octet) << 1;
                transmitter.bits = BITS;
                transmitter.wait = self.clocks_a_bit - 1;
                self.sent.push((self.clocks, octet));
            }
        } else if transmitter.wait != 0 {
            transmitter.wait -= 1;
        } else {
            transmitter.shift = 0x8000 | transmitter.shift >> 1;
            transmitter.bits -= 1;
            transmitter.wait = self.clocks_a_bit - 1;
        }
    }

    /// Clocks that may pass after the last one in which nothing changes, the line at `line`;
    /// `None`: any number.
    pub fn quiet(&self, line: bool) -> Option<u32> {
        if self.fresh || self.to_modes() != self.met {
            return Some(0);
        }
        let transmitter = (self.transmitter.bits != 0).then_some(self.transmitter.wait);
        let parts = [self.modes.quiet(), self.receiver.quiet(line), transmitter];
        parts.into_iter().flatten().min()
    }

    /// `clocks` clocks pass with the line at `line`. Those in which nothing changes pass at once.
    pub fn run(&mut self, line: bool, clocks: u64) {
        let end = self.clocks + clocks;
        while self.clocks < end {
            self.clock(line);
            let left = end - self.clocks;
            let quiet = self
                .quiet(line)
                .map_or(left, |quiet| left.min(quiet.into()));
            self.pass_quietly(quiet);
        }
    }

    /// Clocks pass in which nothing changes: at most [`SerialLines::quiet`].
    pub fn pass_quietly(&mut self, clocks: u64) {
        let short = u32::try_from(clocks).unwrap_or(u32::MAX);
        self.modes.skip(short);
        for (bits, wait) in [
            (self.receiver.bits, &mut self.receiver.wait),
            (self.transmitter.bits, &mut self.transmitter.wait),
        ] {
            if bits != 0 {
                *wait -= short;
            }
        }
        self.clocks += clocks;
    }
}
