//! Supply, reset and crystal oscillator.

use super::registers::{MAIN, MAIN_RESETN, Registers};
use super::{Cc2420, Fsm};
use crate::Ps;
use crate::radio::Radio;

/// Name of the transmit state and output power for PA levels 0..=3, 4..=7 … 28..=31 (SWRS041 table
/// 9).
pub(super) const TX_STATES: [(&str, i8); 8] = [
    ("tx_m25dbm", -25),
    ("tx_m15dbm", -15),
    ("tx_m10dbm", -10),
    ("tx_m7dbm", -7),
    ("tx_m5dbm", -5),
    ("tx_m3dbm", -3),
    ("tx_m1dbm", -1),
    ("tx_0dbm", 0),
];

/// Regulator, reset pin and crystal.
#[derive(Clone)]
pub(super) struct Power {
    vreg_en: bool,
    resetn: bool,
    /// The regulator is up: the digital core works.
    core: bool,
    vreg_due: Option<Ps>,
    xosc: bool,
    xosc_due: Option<Ps>,
}

impl Default for Power {
    fn default() -> Power {
        Power {
            vreg_en: false,
            resetn: true,
            core: false,
            vreg_due: None,
            xosc: false,
            xosc_due: None,
        }
    }
}

impl Power {
    pub(super) fn vreg_en(&self) -> bool {
        self.vreg_en
    }

    /// Registers and SPI work.
    pub(super) fn core_on(&self) -> bool {
        self.core && self.resetn
    }

    pub(super) fn xosc_stable(&self) -> bool {
        self.xosc
    }

    pub(super) fn xosc_running(&self) -> bool {
        self.xosc || self.xosc_due.is_some()
    }

    pub(super) fn due(&self) -> Option<Ps> {
        self.vreg_due.into_iter().chain(self.xosc_due).min()
    }
}

impl Cc2420 {
    /// Drives VREG_EN. Registers and RAM are lost without supply.
    pub fn set_vreg_en(&mut self, now: Ps, level: bool) {
        self.advance(now);
        if level && !self.power.vreg_en {
            self.power.vreg_due = Some(now + self.config.vreg_start);
        }
        if !level {
            self.reset(now);
            self.ram.fill(0);
            self.power.core = false;
            self.power.vreg_due = None;
        }
        self.power.vreg_en = level;
    }

    /// Drives RESETn. While it is low, and after it, registers have their reset values and the
    /// crystal is off; RAM stays.
    pub fn set_resetn(&mut self, now: Ps, level: bool) {
        self.advance(now);
        if !level {
            self.reset(now);
        }
        self.power.resetn = level;
    }

    pub(super) fn power_event(&mut self, at: Ps) {
        if self.power.vreg_due == Some(at) {
            self.power.vreg_due = None;
            self.power.core = true;
        }
        if self.power.xosc_due == Some(at) {
            self.power.xosc_due = None;
            self.power.xosc = true;
            self.modem.fsm = Fsm::Idle;
        }
    }

    /// SXOSCON.
    pub(super) fn start_oscillator(&mut self, now: Ps) {
        if !self.power.xosc_running() {
            self.power.xosc_due = Some(now + self.config.xosc_start);
        }
    }

    /// SXOSCOFF: crystal and radio off. Registers, RAM and FIFO contents stay.
    pub(super) fn stop_oscillator(&mut self, now: Ps) {
        self.abort(now);
        self.security.cancel();
        self.power.xosc = false;
        self.power.xosc_due = None;
        self.modem.fsm = Fsm::PowerDown;
    }

    /// Back to reset: registers, FIFO pointers, state machine, oscillator.
    pub(super) fn reset(&mut self, now: Ps) {
        self.stop_oscillator(now);
        self.registers = Registers::new();
        self.modem.rxfifo.flush();
        self.modem.tx.flush();
        self.tx_underflow = false;
        self.modem.rx_sfd = false;
        self.spi.end();
    }

    /// A write to MAIN. RESETn = 0 resets the chip; MAIN itself keeps the written value, so the
    /// firmware must set the bit again.
    pub(super) fn write_main(&mut self, now: Ps, value: u16) {
        if value & MAIN_RESETN == 0 {
            let spi = std::mem::take(&mut self.spi);
            self.reset(now);
            self.spi = spi;
        }
        if value & super::registers::MAIN_ENC_RESETN == 0 {
            self.security.cancel();
        }
        self.registers.set(MAIN, value);
    }
}
