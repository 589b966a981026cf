//! Serial lines between a board and what is at their other end: characters with a start bit, eight
//! data bits and a stop bit.

use crate::board::BoardError;
use device::Ps;
use std::collections::VecDeque;

/// Duration of a character at one baud: ten bits.
const CHARACTER: Ps = Ps::from_micros(10_000_000);
/// Rates of the other end.
const BAUDS: std::ops::RangeInclusive<u32> = 300..=1_000_000;
/// A receiver whose bits are longer or shorter than the sender's by more than this, in hundredths,
/// misses them.
const TOLERANCE: u64 = 4;

/// A character on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// When its stop bit ends.
    pub at: Ps,
    /// The line: the number of the chip's USART.
    pub line: u8,
    /// Data.
    pub octet: u8,
}

/// What the other end of a line sends, one character after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming<'a> {
    /// The line: the number of the chip's USART.
    pub line: u8,
    /// Data.
    pub octets: &'a [u8],
    /// Bits in a second.
    pub baud: u32,
}

/// What happens when the other end of a line has another baud rate.
pub(crate) const MISMATCH: &str =
    "a character came at another baud rate than the USART has; it is lost";

/// What happens when a UART expects seven data bits, a parity bit or an address bit.
pub(crate) const OTHER_FORM: &str =
    "a character came in another form than the USART expects; it is lost";

/// Both directions of a board's lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serial {
    /// Since the last look.
    pub sent: Vec<Character>,
    coming: VecDeque<(Character, u32)>,
    /// Start bits that come, by time, if the chip asks for them.
    starting: Option<VecDeque<(Ps, u8)>>,
}

impl Serial {
    /// Lines of a chip that does something at a start bit.
    pub(crate) fn with_starts() -> Serial {
        Serial {
            starting: Some(VecDeque::new()),
            ..Serial::default()
        }
    }

    /// Puts characters behind those that the other ends send already.
    pub(crate) fn hear(
        &mut self,
        now: Ps,
        incoming: &Incoming<'_>,
        lines: u8,
    ) -> Result<(), BoardError> {
        let Incoming { line, octets, baud } = *incoming;
        if line >= lines || !BAUDS.contains(&baud) {
            let (low, high) = (BAUDS.start(), BAUDS.end());
            return Err(BoardError::Option(format!(
                "line {line} at {baud} baud; lines are below {lines}, with {low} to {high} baud"
            )));
        }
        let before = self.coming.iter().filter(|(before, _)| before.line == line);
        let begin = before.map(|(before, _)| before.at).fold(now, Ps::max);
        for (number, octet) in (1_u128..).zip(octets) {
            let span = u128::from(CHARACTER.0) * number / u128::from(baud);
            let at = begin + Ps(span as u64);
            let (line, octet) = (line, *octet);
            let character = Character { at, line, octet };
            self.coming.push_back((character, baud));
            self.starts(character, baud);
        }
        self.coming
            .make_contiguous()
            .sort_by_key(|(character, _)| (character.at, character.line));
        Ok(())
    }

    /// A character at `baud` is on its way that is complete at its time.
    pub(crate) fn bring(&mut self, character: Character, baud: u32) {
        let later = |one: &&(Character, u32)| one.0.at > character.at;
        let behind = self.coming.iter().rev().take_while(later).count();
        let at = self.coming.len() - behind;
        self.coming.insert(at, (character, baud));
        self.starts(character, baud);
    }

    /// Notes when a character that comes will start.
    fn starts(&mut self, character: Character, baud: u32) {
        if let Some(starting) = &mut self.starting {
            let start = (character.begun(baud), character.line);
            let at = starting.partition_point(|before| *before <= start);
            starting.insert(at, start);
        }
    }

    /// When the next character starts or is complete.
    pub(crate) fn deadline(&self) -> Option<Ps> {
        let complete = self.coming.front().map(|(character, _)| character.at);
        let start = self.starting.as_ref().and_then(|starting| starting.front());
        complete.into_iter().chain(start.map(|(at, _)| *at)).min()
    }

    /// The line on which the next start bit begins that has begun at `now`.
    pub(crate) fn started(&mut self, now: Ps) -> Option<u8> {
        let starting = self.starting.as_mut()?;
        starting
            .pop_front_if(|(at, _)| *at <= now)
            .map(|(_, line)| line)
    }

    /// The next character that is complete at `now`, and its baud rate.
    pub(crate) fn due(&mut self, now: Ps) -> Option<(Character, u32)> {
        self.coming
            .pop_front_if(|(character, _)| character.at <= now)
    }
}

impl Character {
    /// When its start bit began, at `baud`.
    pub(crate) fn begun(&self, baud: u32) -> Ps {
        Ps(self.at.0.saturating_sub(CHARACTER.0 / u64::from(baud)))
    }
}

/// Whether a receiver of `hz` bits in a second understands `baud`.
pub(crate) fn understands(hz: u64, baud: u32) -> bool {
    hz.abs_diff(baud.into()) * 100 <= TOLERANCE * hz
}
