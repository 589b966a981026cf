//! Prescalers and waveform generation modes of the timers.

/// Dividers of the prescaler that Timer1, 2 and 3 share, by CSn2:0; 0 = stopped or clocked by a
/// pin.
pub(super) const SHARED: [u16; 8] = [0, 1, 8, 64, 256, 1024, 0, 0];
/// Dividers of Timer0's own.
pub(super) const OWN: [u16; 8] = [0, 1, 8, 32, 64, 128, 256, 1024];

/// Where a counter turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// At a number.
    Fixed(u16),
    /// At compare register A.
    CompareA,
    /// At the capture register.
    Capture,
}

/// When the compare registers take over what was written to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// At once.
    Now,
    /// When the counter is at TOP.
    Top,
    /// When the counter is at 0.
    Bottom,
}

/// A waveform generation mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    /// Where the counter turns.
    pub(super) top: Top,
    /// It goes up and down.
    pub(super) dual: bool,
    /// When written compare values count.
    pub(super) update: Update,
}

const fn mode(top: Top, dual: bool, update: Update) -> Mode {
    Mode { top, dual, update }
}

/// Modes of the 8-bit timers by WGMn1:0 (2467, tables 52 and 64) and WGMn2, which the ATmega1281
/// has; 4 and 6 are reserved.
pub(super) const NARROW: [Mode; 8] = [
    mode(Top::Fixed(0xFF), false, Update::Now),
    mode(Top::Fixed(0xFF), true, Update::Top),
    mode(Top::CompareA, false, Update::Now),
    mode(Top::Fixed(0xFF), false, Update::Top),
    mode(Top::Fixed(0xFF), false, Update::Now),
    mode(Top::CompareA, true, Update::Top),
    mode(Top::Fixed(0xFF), false, Update::Now),
    mode(Top::CompareA, false, Update::Top),
];

/// Modes of the 16-bit timers by WGMn3:0 (table 61); 13 is reserved.
pub(super) const WIDE: [Mode; 16] = [
    mode(Top::Fixed(0xFFFF), false, Update::Now),
    mode(Top::Fixed(0x00FF), true, Update::Top),
    mode(Top::Fixed(0x01FF), true, Update::Top),
    mode(Top::Fixed(0x03FF), true, Update::Top),
    mode(Top::CompareA, false, Update::Now),
    mode(Top::Fixed(0x00FF), false, Update::Top),
    mode(Top::Fixed(0x01FF), false, Update::Top),
    mode(Top::Fixed(0x03FF), false, Update::Top),
    mode(Top::Capture, true, Update::Bottom),
    mode(Top::CompareA, true, Update::Bottom),
    mode(Top::Capture, true, Update::Top),
    mode(Top::CompareA, true, Update::Top),
    mode(Top::Capture, false, Update::Now),
    mode(Top::Fixed(0xFFFF), false, Update::Now),
    mode(Top::Capture, false, Update::Top),
    mode(Top::CompareA, false, Update::Top),
];
