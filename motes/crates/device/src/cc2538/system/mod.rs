//! System control: oscillators and dividers, clock gates, module resets, power modes (SYS_CTRL,
//! 0x400D_2000).

mod power_mode;
mod registers;

pub use power_mode::PowerMode;

use super::{Cc2538Config, ResetCause};
use crate::Ps;
use crate::clock::{Clock, NEVER, Period};

constants! { u32:
    OSC32K_CALDIS = 1 << 25, OSC32K = 1 << 24,        AMP_DET = 1 << 21,
    OSC_PD = 1 << 17,        OSC = 1 << 16,
}
/// From memory of SWRU319: both RC oscillators, 16 MHz for system and I/O.
const CLOCK_RESET: u32 = OSC32K | OSC_PD | OSC | 0x101;

const XOSC_HZ: u64 = 32_000_000;
const RCOSC_HZ: u64 = 16_000_000;

/// Module gates in rows of four registers (RCGC, SCGC, DCGC, SR), 0x08..=0x54.
const ROWS: usize = 5;

/// A block with a clock gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    GpTimer(u8),
    Uart(u8),
    Ssi(u8),
    I2c,
    Security,
    Rf,
}

/// What a write asks of the rest of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// Clocks or gates are different from now on.
    Clocks,
    /// A module's reset bits went from 0 to 1: row and bits.
    ModuleReset(u32, u32),
    /// FORCE_WARM_RESET.
    Restart,
}

/// SYS_CTRL.
#[derive(Clone)]
pub(super) struct SystemControl {
    /// CLOCK_CTRL as written.
    control: u32,
    /// CLOCK_CTRL as it is in effect (OSC, SYS_DIV, IO_DIV).
    current: u32,
    rows: [[u32; 4]; ROWS],
    rf_gates: [u32; 3],
    /// The security engine gets no clock once it has lost it.
    security_withheld: bool,
    pmctl: u32,
    srcrc: u32,
    cld: u32,
    iwe: u32,
    i_map: u32,
    emuovr: u32,
    mode: PowerMode,
    /// SLEEPDEEP at the last WFI.
    deep: bool,
    cause: ResetCause,
    xosc_since: Option<Ps>,
    xosc_due: Ps,
    rcosc_on: bool,
    rcosc_due: Ps,
    /// The undivided 32 MHz of the crystal, for the RF core.
    crystal: Clock,
    system: Clock,
    io: Clock,
    xosc_ppb: i64,
    changed: bool,
}

impl SystemControl {
    pub(super) fn new(config: &Cc2538Config) -> SystemControl {
        let xosc_ppb = (config.xosc_ppm * 1e3).round() as i64;
        let crystal = Clock::with_period(Ps::ZERO, 0, Period::of_crystal(XOSC_HZ, xosc_ppb))
            .stopped(Ps::ZERO);
        let mut system = SystemControl {
            control: CLOCK_RESET,
            current: CLOCK_RESET,
            rows: [[0; 4]; ROWS],
            rf_gates: [0; 3],
            security_withheld: false,
            pmctl: 0,
            srcrc: 0,
            cld: 0x100,
            iwe: 0,
            i_map: 0,
            emuovr: 0xFF,
            mode: PowerMode::Active,
            deep: false,
            cause: ResetCause::PowerOn,
            xosc_since: None,
            xosc_due: NEVER,
            rcosc_on: true,
            rcosc_due: NEVER,
            crystal,
            system: Clock::new(Ps::ZERO, 0, 0),
            io: Clock::new(Ps::ZERO, 0, 0),
            xosc_ppb,
            changed: true,
        };
        system.retune(Ps::ZERO);
        system
    }

    pub(super) fn reset(&mut self, now: Ps, cause: ResetCause, config: &Cc2538Config) {
        let (system, io, crystal) = (self.system, self.io, self.crystal);
        *self = SystemControl {
            system,
            io,
            crystal: crystal.stopped(now),
            cause,
            security_withheld: self.security_withheld,
            ..SystemControl::new(config)
        };
        self.retune(now);
    }

    pub(super) fn system_clock(&self) -> Clock {
        self.system
    }

    pub(super) fn io_clock(&self) -> Clock {
        self.io
    }

    /// The crystal's 32 MHz; stands still while the crystal is not stable or the chip is in PM1 to
    /// PM3.
    pub(super) fn crystal_clock(&self) -> Clock {
        self.crystal
    }

    pub(super) fn take_clock_change(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    pub(super) fn mode(&self) -> PowerMode {
        self.mode
    }

    pub(super) fn alternate_map(&self) -> bool {
        self.i_map & 1 != 0
    }

    /// The radio can only work from the crystal.
    pub(super) fn runs_from_crystal(&self) -> bool {
        self.current & OSC == 0
    }

    /// Decides whether the security engine gets a clock on request from the next power-down on.
    pub(super) fn withhold_security_clock(&mut self, withheld: bool) {
        self.security_withheld = withheld;
    }

    /// Does the block's clock run in the present mode, and is its reset released?
    pub(super) fn clocked(&self, block: Block) -> bool {
        let column = match self.mode {
            PowerMode::Active => 0,
            PowerMode::Sleep => 1 + usize::from(self.deep),
            PowerMode::Pm1 | PowerMode::Pm2 | PowerMode::Pm3 => return false,
        };
        let (row, bit) = match block {
            Block::GpTimer(number) => (0, number),
            Block::Uart(number) => (2, number),
            Block::Ssi(number) => (1, number),
            Block::I2c => (3, 0),
            Block::Security => (4, 1),
            Block::Rf => return self.rf_gates[column] & 1 != 0,
        };
        self.rows[row][column] >> bit & 1 != 0 && self.rows[row][3] >> bit & 1 == 0
    }

    pub(super) fn due(&self) -> Ps {
        self.xosc_due.min(self.rcosc_due)
    }

    /// An oscillator has become stable.
    pub(super) fn advance(&mut self, now: Ps, config: &Cc2538Config) {
        if self.xosc_due <= now {
            self.xosc_due = NEVER;
            self.crystal = self
                .crystal
                .retuned(now, Period::of_crystal(XOSC_HZ, self.xosc_ppb));
        }
        if self.rcosc_due <= now {
            self.rcosc_due = NEVER;
            self.rcosc_on = true;
        }
        self.settle(now, config);
    }

    fn xosc_stable(&self) -> bool {
        self.xosc_since.is_some() && self.xosc_due == NEVER
    }

    /// Starts and stops oscillators as CLOCK_CTRL wants and switches to the wanted one when it is
    /// stable.
    fn settle(&mut self, now: Ps, config: &Cc2538Config) {
        let wants_rc = self.control & OSC != 0;
        let both = self.control & OSC_PD == 0;
        if (!wants_rc || both) && self.xosc_since.is_none() {
            self.xosc_since = Some(now);
            self.xosc_due = now + config.xosc_start;
        }
        if (wants_rc || both) && !self.rcosc_on && self.rcosc_due == NEVER {
            self.rcosc_due = now + config.rcosc_start;
        }
        let ready = if wants_rc {
            self.rcosc_on
        } else {
            self.xosc_stable()
        };
        if ready {
            self.current = self.current & !OSC | self.control & OSC;
        }
        if !both && self.current & OSC == self.control & OSC {
            if wants_rc {
                self.stop_crystal(now);
            } else {
                self.rcosc_on = false;
                self.rcosc_due = NEVER;
            }
        }
        self.retune(now);
    }

    fn stop_crystal(&mut self, now: Ps) {
        self.xosc_since = None;
        self.xosc_due = NEVER;
        self.crystal = self.crystal.stopped(now);
    }

    /// Divider in effect: never faster than the oscillator.
    fn divider(&self, field: u32) -> u32 {
        let slowest = u32::from(self.current & OSC != 0);
        (self.control >> field & 7).max(slowest)
    }

    /// System and I/O clock as CLOCK_CTRL and the oscillator in effect want them. Dividers are
    /// counted from 32 MHz.
    fn retune(&mut self, now: Ps) {
        let (sys, io) = (self.divider(0), self.divider(8));
        self.current = self.current & !0x707 | sys | io << 8;
        let base = if self.current & OSC == 0 {
            Period::of_crystal(XOSC_HZ, self.xosc_ppb)
        } else {
            Period::of_crystal(RCOSC_HZ, 0)
        };
        let shift = |divider: u32| (divider - u32::from(self.current & OSC != 0)) as u8;
        let stopped = self.mode.stops_clocks();
        for (clock, divider) in [(&mut self.system, sys), (&mut self.io, io)] {
            let period = if stopped {
                Period::STOPPED
            } else {
                base.divided(shift(divider))
            };
            if clock.period() != period {
                *clock = if stopped {
                    clock.stopped(now)
                } else {
                    clock.retuned(now, period)
                };
                self.changed = true;
            }
        }
    }
}
