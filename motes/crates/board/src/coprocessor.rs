//! The AES coprocessor on a serial line of a board: before the USART, so that what the other end sends
//! goes through it; behind it, so that what the mote sends goes through it to the other end; or as a
//! peripheral that the mote talks to.

use crate::board::BoardError;
use crate::serial::{Character, Incoming};
use device::Ps;
use device::coprocessor::{CoreKind, SerialLines};
use std::collections::VecDeque;

/// Bits of a character.
const BITS: u64 = 10;
const PS_A_SECOND: u128 = 1_000_000_000_000;

/// Where a coprocessor is, seen from the other end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// What the other end sends goes through it to the USART.
    Before,
    /// What the USART sends goes through it to the other end, which may talk to it while the USART
    /// is silent: its line is the AND of both.
    Behind,
    /// The USART sends to it and hears it; the other end has no part in it.
    Peripheral,
}

impl Place {
    /// By its name.
    pub fn named(name: &str) -> Option<Place> {
        match name {
            "before" => Some(Place::Before),
            "behind" => Some(Place::Behind),
            "peripheral" => Some(Place::Peripheral),
            _ => None,
        }
    }
}

/// Which coprocessor, and where.
#[derive(Clone, Copy, Debug)]
pub struct Fitting {
    /// Its core.
    pub core: CoreKind,
    /// Its clock.
    pub clock_hz: u32,
    /// Bits in a second of both of its lines, rounded to whole clocks a bit.
    pub baud: u32,
    /// The USART.
    pub line: u8,
    /// Where it is.
    pub place: Place,
}

/// A coprocessor in its place. Its clock began with the board's time.
#[derive(Clone)]
pub(crate) struct Fitted {
    pub(crate) fitting: Fitting,
    lines: SerialLines,
    /// Levels of the line into it, each from a clock on, in order; and the level of now.
    levels: VecDeque<(u64, bool)>,
    level: bool,
    /// Until then the other end sends what it was told to.
    until: Ps,
    /// When the character began that the USART sent last, and until when it goes.
    begun: Option<u64>,
    busy: Ps,
    /// Both ends have sent at the same time.
    clash: bool,
}

fn span(number: u64, per_second: u64) -> Ps {
    Ps((u128::from(number) * PS_A_SECOND / u128::from(per_second)) as u64)
}

impl Fitted {
    pub(crate) fn new(fitting: Fitting) -> Result<Fitted, BoardError> {
        let clocks_a_bit = (u64::from(fitting.clock_hz) + u64::from(fitting.baud) / 2)
            / u64::from(fitting.baud.max(1));
        if !(4..=100_000).contains(&clocks_a_bit) {
            let (clock_hz, baud) = (fitting.clock_hz, fitting.baud);
            return Err(BoardError::Option(format!(
                "a coprocessor of {clock_hz} Hz has no lines of {baud} baud: 4 to 100000 clocks a bit"
            )));
        }
        Ok(Fitted {
            fitting,
            lines: SerialLines::new(fitting.core, clocks_a_bit as u32),
            levels: VecDeque::new(),
            level: true,
            until: Ps::ZERO,
            begun: None,
            busy: Ps::ZERO,
            clash: false,
        })
    }

    /// The first clock that does not begin before a moment.
    fn clock_at(&self, at: Ps) -> u64 {
        let clocks = u128::from(at.0) * u128::from(self.fitting.clock_hz);
        clocks.div_ceil(PS_A_SECOND) as u64
    }

    fn character(&self) -> u64 {
        BITS * u64::from(self.lines.clocks_a_bit())
    }

    /// Bits in a second, exactly as it sends them.
    pub(crate) fn baud(&self) -> u32 {
        self.fitting.clock_hz / self.lines.clocks_a_bit()
    }

    /// A character comes in whose start bit begins at `begin`.
    fn bring(&mut self, begin: Ps, baud: u64, octet: u8) {
        let bits = u16::from(octet) << 1 | 0x200;
        for bit in 0..BITS {
            let clock = self.clock_at(Ps(begin.0 + span(bit, baud).0));
            self.levels.push_back((clock, bits >> bit & 1 != 0));
        }
    }

    /// What the other end of the line sends from `now` on, behind what it sends already.
    pub(crate) fn hear(&mut self, now: Ps, incoming: &Incoming<'_>) {
        let baud = u64::from(incoming.baud);
        let begin = now.max(self.until);
        self.clash |= begin < self.busy;
        for (number, octet) in (0..).zip(incoming.octets) {
            self.bring(Ps(begin.0 + span(BITS * number, baud).0), baud, *octet);
        }
        let octets = incoming.octets.len() as u64;
        self.until = Ps(begin.0 + span(BITS * octets, baud).0);
    }

    /// The USART sends a character whose start bit began in that cycle, at `at`.
    pub(crate) fn follow(&mut self, cycle: u64, at: Ps, baud: u64, octet: u8) {
        if self.begun != Some(cycle) {
            self.begun = Some(cycle);
            self.clash |= at < self.until;
            self.busy = Ps(at.0 + span(BITS, baud).0);
            self.bring(at, baud, octet);
        }
    }

    /// Lets its clocks pass until `now`; the characters that it began to send.
    pub(crate) fn advance(&mut self, now: Ps) -> Vec<Character> {
        let hertz = u128::from(self.fitting.clock_hz);
        let end = (u128::from(now.0) * hertz / PS_A_SECOND) as u64;
        while let Some((clock, level)) = self.levels.pop_front_if(|(clock, _)| *clock <= end) {
            let before = self.lines.clocks();
            self.lines.run(self.level, clock.saturating_sub(before));
            self.level = level;
        }
        let before = self.lines.clocks();
        self.lines.run(self.level, end.saturating_sub(before));
        let (character, hz) = (self.character(), u64::from(self.fitting.clock_hz));
        let sent = self.lines.take_sent().into_iter();
        let line = self.fitting.line;
        sent.map(|(clock, octet)| Character {
            at: span(clock + character, hz),
            line,
            octet,
        })
        .collect()
    }

    /// Before this moment nothing that it has not begun to send can be complete; `None`: it waits.
    pub(crate) fn deadline(&self) -> Option<Ps> {
        let waits = self.levels.is_empty() && self.level && self.lines.quiet(true).is_none();
        let clock = self.lines.clocks() + self.character();
        (!waits).then(|| span(clock, self.fitting.clock_hz.into()))
    }

    /// The stream had a gap: it takes nothing more.
    pub(crate) fn fault(&self) -> bool {
        self.lines.out().fault
    }

    /// Whether both ends have sent at the same time since the last look.
    pub(crate) fn take_clash(&mut self) -> bool {
        std::mem::take(&mut self.clash)
    }

    /// What the other end of this line sends goes to it, and not to the USART.
    pub(crate) fn hears(&self, line: u8) -> bool {
        self.fitting.line == line && self.fitting.place != Place::Peripheral
    }

    /// What the USART of this line sends goes to it, and not to the other end.
    pub(crate) fn follows(&self, line: u8) -> bool {
        self.fitting.line == line && self.fitting.place != Place::Before
    }

    /// What it gives goes to the other end, and not to the USART.
    pub(crate) fn gives_outside(&self) -> bool {
        self.fitting.place == Place::Behind
    }
}
