//! Timer0 from a watch crystal (2467, section "Asynchronous Operation of the Timer/Counter"). What
//! is written to TCNT0, OCR0 and TCCR0 counts from the second edge of the crystal on.
//!
//! The crystal's edges are counted in cycles of the main clock, which has the same deviation; the
//! first of them falls with that clock's first.

/// Edges of the crystal in a second.
pub const CRYSTAL_HZ: u32 = 32_768;
/// Edges that pass before a written value counts.
const EDGES: u64 = 2;

/// AS0.
pub const ON: u8 = 0x08;
/// TCR0UB, OCR0UB, TCN0UB: the bit of each register that waits.
const WAITS: [u8; 3] = [0x01, 0x02, 0x04];

/// A register of Timer0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// TCCR0.
    Control,
    /// OCR0.
    Compare,
    /// TCNT0.
    Count,
}

/// In the order of the bits of ASSR.
const REGISTERS: [Register; 3] = [Register::Control, Register::Compare, Register::Count];

/// ASSR, and what was written and does not count yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    on: bool,
    waiting: [Option<(u64, u8)>; 3],
}

impl Watch {
    /// The crystal drives the timer.
    pub fn on(&self) -> bool {
        self.on
    }

    /// ASSR.
    pub fn status(&self) -> u8 {
        let waits = WAITS.into_iter().zip(self.waiting);
        let bits = waits.filter(|(_, waiting)| waiting.is_some());
        bits.fold(if self.on { ON } else { 0 }, |status, (bit, _)| {
            status | bit
        })
    }

    /// Writes ASSR. What waits is lost when the clock changes.
    pub fn set_status(&mut self, value: u8) {
        let on = value & ON != 0;
        if on != self.on {
            *self = Watch {
                on,
                waiting: [None; 3],
            };
        }
    }

    /// A register is written at cycle `now` of a clock of `clock_hz`.
    pub fn write(&mut self, register: Register, value: u8, now: u64, clock_hz: u32) {
        let (clock, crystal) = (u128::from(clock_hz), u128::from(CRYSTAL_HZ));
        let passed = u128::from(now) * crystal / clock;
        let counts = ((passed + u128::from(EDGES)) * clock).div_ceil(crystal);
        self.waiting[register as usize] = Some((counts as u64, value));
    }

    /// What was written to a register and does not count yet.
    pub fn written(&self, register: Register) -> Option<u8> {
        self.waiting[register as usize].map(|(_, value)| value)
    }

    /// The cycle at which the next value counts.
    pub fn deadline(&self) -> Option<u64> {
        self.waiting.iter().flatten().map(|(at, _)| *at).min()
    }

    /// Takes a value that counts at cycle `now`.
    pub fn take(&mut self, now: u64) -> Option<(Register, u8)> {
        let due = |waiting: &Option<(u64, u8)>| waiting.is_some_and(|(at, _)| at <= now);
        let place = self.waiting.iter().position(due)?;
        let (_, value) = self.waiting[place].take()?;
        Some((REGISTERS[place], value))
    }
}
