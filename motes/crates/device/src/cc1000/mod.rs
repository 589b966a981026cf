//! The CC1000 (Chipcon SWRS048, data sheet): a transceiver without packets. A microcontroller sets
//! its registers over three wires, and exchanges bits with it over a data line whose clock the radio
//! drives.
//!
//! Modelled: power of its parts, start of the crystal, calibration and lock of the synthesizer,
//! frequencies, output power, data clock, bit errors, RSSI as a voltage. Octets are exchanged at
//! 19.2 kbit/s coded by Manchester's rule; at another rate a transmission is energy, and what is
//! received is noise. Not modelled: UART mode without a data clock, the automatic and the frozen
//! averaging filter (LOCK_AVG_IN), the lock signal at a pin.

mod config;
mod ear;
mod medium;
mod power;
mod registers;
mod serial;
#[cfg(test)]
mod tests;

pub use config::Cc1000Config;
pub use medium::FSK_433;
pub use power::states;

use crate::Ps;
use crate::air::{AirIn, AirOut};
use crate::atmega128::{Atmega128, Slave};
use ear::{Ear, Tuning};
use medium::BITS_PER_SECOND;
use registers::{
    BIAS_PD, CAL, CAL_COMPLETE, CAL_DUAL, CAL_START, CORE_PD, F_REG, FREQ_2A, FREQ_2B, FS_PD,
    FSEP1, LOCK, LOCKED, MAIN, PA_POW, PLL, RESET_N, RX_PD, RXTX, Registers, TX_PD,
};
use serial::{Request, Serial};
use std::cell::Cell;

/// RSSI: level in dBm = -51.3 V - 49.2 (SWRS048 from memory, at 433 MHz), at most 1.2 V.
const RSSI_DBM_PER_V: f64 = -51.3;
const RSSI_DBM_AT_0: f64 = -49.2;
const RSSI_MOST_V: f64 = 1.2;

/// A microcontroller's SPI that the radio's data clock drives.
pub trait DataLine {
    /// Between two bits; `None`: nobody takes bits.
    fn slave(&self) -> Option<Slave>;
    /// The clock moves a bit in, and another one out.
    fn clock(&mut self, incoming: bool);
}

impl DataLine for Atmega128 {
    fn slave(&self) -> Option<Slave> {
        Atmega128::slave(self)
    }

    fn clock(&mut self, incoming: bool) {
        self.clock_slave(incoming);
    }
}

/// A use of the chip that its data sheet forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// The receiver or the transmitter is on at a rate at which no octets are exchanged.
    OtherRate,
}

/// What the radio does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Idle,
    Receive,
    Transmit,
}

/// One CC1000.
#[derive(Clone, Debug)]
pub struct Cc1000 {
    config: Cc1000Config,
    registers: Registers,
    serial: Serial,
    ear: Ear,
    sent: Vec<AirOut>,
    misuse: Vec<(Ps, Misuse)>,
    mode: Mode,
    /// When the crystal is stable; `None`: it is off.
    stable: Option<Ps>,
    /// When the synthesizer is locked; `None`: never.
    ready: Option<Ps>,
    /// When the next bit passes the data line.
    next_bit: Option<Ps>,
    /// A carrier is on the air or announced.
    carrier: bool,
    /// Frequency registers A and B are calibrated.
    calibrated: [bool; 2],
    calibration: Option<Ps>,
    /// What the registers mean: of the receiver, and how long a data bit is.
    tuning: Option<Tuning>,
    period: Option<Ps>,
    /// The end of an octet that was worked out last.
    foreseen: Cell<Option<Foreseen>>,
}

/// The bit that completes or begins an octet.
#[derive(Clone, Copy, Debug)]
struct Foreseen {
    /// The next bit, and how many more there are to it.
    next_bit: Ps,
    between: u64,
    end: Ps,
}

impl Cc1000 {
    /// After power-on: all parts without power.
    pub fn new(config: Cc1000Config) -> Cc1000 {
        Cc1000 {
            registers: Registers::new(),
            serial: Serial::default(),
            ear: Ear::new(&config),
            sent: Vec::new(),
            misuse: Vec::new(),
            mode: Mode::Idle,
            stable: None,
            ready: None,
            next_bit: None,
            carrier: false,
            calibrated: [false; 2],
            calibration: None,
            tuning: None,
            period: None,
            foreseen: Cell::new(None),
            config,
        }
    }

    /// Drives PALE.
    pub fn set_pale(&mut self, level: bool) {
        self.serial.set_pale(level);
    }

    /// Drives PDATA.
    pub fn set_pdata(&mut self, level: bool) {
        self.serial.set_pdata(level);
    }

    /// Drives PCLK.
    pub fn set_pclk(&mut self, now: Ps, level: bool) {
        match self.serial.set_pclk(level) {
            Some(Request::Read(address)) => {
                let value = self.read(now, address);
                self.serial.answer(value);
            }
            Some(Request::Write(address, value)) => self.write(now, address, value),
            None => {}
        }
    }

    /// PDATA as the radio drives it; `None`: it does not.
    pub fn pdata(&self) -> Option<bool> {
        self.serial.output()
    }

    fn read(&self, now: Ps, address: u8) -> u8 {
        let locked = self.locked(now) && address == LOCK;
        self.registers.get(address) | if locked { LOCKED } else { 0 }
    }

    fn locked(&self, now: Ps) -> bool {
        self.ready.is_some_and(|ready| ready <= now)
    }

    fn write(&mut self, now: Ps, address: u8, value: u8) {
        let before = self.registers.get(address);
        self.registers.set(address, value);
        match address {
            MAIN => self.main_written(now, before),
            PA_POW => self.power_changed(now),
            CAL => self.calibration_written(now, before),
            PLL | FSEP1 | FREQ_2A..=FREQ_2B | 0x05 | 0x06 | 0x08 if value != before => {
                self.calibrated = [false; 2];
                self.restart(now);
            }
            _ => {}
        }
        self.retune();
    }

    /// Works out what the registers and the mode mean from now on.
    fn retune(&mut self) {
        self.tuning = self.tuned();
        self.period = self.bit_period();
        self.foreseen.set(None);
    }

    /// MAIN has another value: parts get or lose power.
    fn main_written(&mut self, now: Ps, before: u8) {
        let main = self.registers.get(MAIN);
        if main & RESET_N == 0 {
            self.registers = Registers::new();
            self.registers.set(MAIN, main);
            (self.calibrated, self.calibration) = ([false; 2], None);
        }
        if !self.registers.on(CORE_PD) {
            self.stable = None;
        } else if self.stable.is_none() {
            self.stable = Some(now + self.config.xosc_start);
        }
        if main != before {
            self.restart(now);
        }
    }

    fn mode_of_main(&self) -> Mode {
        let main = self.registers.get(MAIN);
        if main & RESET_N == 0 || !self.registers.on(CORE_PD | BIAS_PD | FS_PD) {
            return Mode::Idle;
        }
        match main & RXTX != 0 {
            true if main & TX_PD == 0 => Mode::Transmit,
            false if main & RX_PD == 0 => Mode::Receive,
            _ => Mode::Idle,
        }
    }

    fn frequency_khz(&self) -> Option<u32> {
        self.registers.frequency_khz(self.mode == Mode::Transmit)
    }

    /// Which frequency register is selected.
    fn selected(&self) -> usize {
        usize::from(self.registers.get(MAIN) & F_REG != 0)
    }

    /// The synthesizer locks anew, and the data clock begins anew with it.
    fn restart(&mut self, now: Ps) {
        self.silence(now);
        self.mode = self.mode_of_main();
        (self.ready, self.next_bit) = (None, None);
        let Some(stable) = self.stable.filter(|_| self.mode != Mode::Idle) else {
            return;
        };
        if !self.calibrated[self.selected()] || self.frequency_khz().is_none() {
            // While it calibrates, and before, the receiver or transmitter is on without use.
            return;
        }
        let ready = now.max(stable) + self.config.lock;
        self.ready = Some(ready);
        self.next_bit = self.bit_period().map(|period| ready + period);
        if !self.in_rate() {
            self.misuse.push((now, Misuse::OtherRate));
        }
        self.power_changed(now);
    }

    fn in_rate(&self) -> bool {
        self.registers.bit_rate() == Some((BITS_PER_SECOND, true))
    }

    /// Duration of a data bit by its own crystal.
    fn bit_period(&self) -> Option<Ps> {
        let (rate, _) = self.registers.bit_rate()?;
        let parts = 1_000_000_000 - self.config.ppb;
        let ps = 1_000_i128 * i128::from(parts) / i128::from(rate.max(1));
        Some(Ps(ps as u64))
    }

    /// Ends the carrier, if there is one.
    fn silence(&mut self, now: Ps) {
        if std::mem::take(&mut self.carrier) {
            self.sent.push(AirOut::End { at: now });
        }
    }

    /// The power amplifier is switched on or off.
    fn power_changed(&mut self, now: Ps) {
        let Some(ready) = self.ready.filter(|_| self.mode == Mode::Transmit) else {
            return;
        };
        let power = power::power_dbm(self.registers.get(PA_POW));
        match (power, self.frequency_khz()) {
            (Some(power_dbm), Some(channel)) if !self.carrier => {
                self.carrier = true;
                self.sent.push(AirOut::Start {
                    at: now.max(ready),
                    channel,
                    power_dbm,
                });
            }
            (None, _) => self.silence(now),
            _ => {}
        }
    }

    /// CAL is written: a calibration begins, or its end is taken note of.
    fn calibration_written(&mut self, now: Ps, before: u8) {
        let value = self.registers.get(CAL);
        if value & CAL_START == 0 {
            self.calibration = None;
            return;
        }
        self.registers.set(CAL, value & !CAL_COMPLETE);
        let Some(stable) = self.stable.filter(|_| self.registers.on(BIAS_PD | FS_PD)) else {
            return;
        };
        if before & CAL_START == 0 {
            self.calibration = Some(now.max(stable) + self.config.calibration);
        }
    }

    fn calibrate(&mut self, now: Ps) {
        self.calibration = None;
        let value = self.registers.get(CAL);
        self.registers.set(CAL, value | CAL_COMPLETE);
        self.calibrated[self.selected()] = true;
        if value & CAL_DUAL != 0 {
            self.calibrated = [true; 2];
        }
        self.restart(now);
        self.retune();
    }

    fn tuned(&self) -> Option<Tuning> {
        let (rate, coded) = self.registers.bit_rate()?;
        let baud = if coded { 2 * rate } else { rate };
        let settling = u64::from(self.registers.settling_baud()) * 1_000_000_000_000;
        Some(Tuning {
            oscillator_khz: self.frequency_khz()?,
            settling: Ps(settling / u64::from(baud.max(1))),
            in_rate: self.in_rate(),
        })
    }

    /// Lets everything happen that is due until `now`.
    pub fn advance(&mut self, now: Ps, line: &mut dyn DataLine) {
        while let Some(at) = self.next_step().filter(|at| *at <= now) {
            if self.calibration == Some(at) {
                self.calibrate(at);
            } else {
                self.pass_bit(at, line);
            }
        }
        if self.next_bit.is_none() {
            self.ear.forget(now);
        }
    }

    /// When [`Cc1000::advance`] next has something to do. Ask again after every call.
    pub fn next_step(&self) -> Option<Ps> {
        self.calibration.into_iter().chain(self.next_bit).min()
    }

    /// One period of the data clock.
    fn pass_bit(&mut self, at: Ps, line: &mut dyn DataLine) {
        let Some(period) = self.period else {
            self.next_bit = None;
            return;
        };
        let mut next = at + period;
        match (self.mode, self.tuning) {
            (Mode::Receive, Some(tuning)) => {
                let bit = self.ear.bit(at, tuning);
                line.clock(bit);
                next = self.ear.snap(next, tuning);
            }
            (Mode::Transmit, Some(_)) => self.send_bit(at, period, line),
            _ => {}
        }
        self.next_bit = Some(next);
    }

    /// The transmitter takes a bit. An octet is announced with its first one.
    fn send_bit(&mut self, at: Ps, period: Ps, line: &mut dyn DataLine) {
        let Some(slave) = line.slave() else {
            return;
        };
        // A data line that nobody drives floats; assumed high.
        let octet = if slave.drives { slave.outgoing } else { 0xFF };
        if slave.missing == 8 && self.carrier && self.in_rate() {
            let at = at + Ps(8 * period.0);
            self.sent.push(AirOut::Octet { at, octet });
        }
        // The microcontroller's input is the same wire.
        line.clock(octet >> 7 != 0);
    }

    /// When it does something next that concerns others: bits inside an octet of `slave` pass by
    /// themselves.
    pub fn deadline(&self, slave: Option<Slave>) -> Option<Ps> {
        let bit = self.next_bit.and_then(|at| self.octet_end(at, slave?));
        bit.into_iter().chain(self.calibration).min()
    }

    /// The bit that completes an octet, or begins it in the transmitter; the next bit is at `at`.
    fn octet_end(&self, at: Ps, slave: Slave) -> Option<Ps> {
        let period = self.period?;
        let between = match self.mode {
            Mode::Transmit if slave.missing == 8 => 0,
            _ => u64::from(slave.missing.saturating_sub(1)),
        };
        let (Mode::Receive, Some(tuning)) = (self.mode, self.tuning) else {
            return Some(at + Ps(between * period.0));
        };
        let known = |seen: &Foreseen| (seen.next_bit, seen.between) == (at, between);
        if let Some(seen) = self.foreseen.get().filter(known) {
            return Some(seen.end);
        }
        let next = |at: Ps, _| self.ear.snap(at + period, tuning);
        let end = (0..between).fold(at, next);
        self.foreseen.set(Some(Foreseen {
            next_bit: at,
            between,
            end,
        }));
        Some(end)
    }

    /// Queues what the antenna will hear.
    pub fn hear(&mut self, event: AirIn) {
        self.foreseen.set(None);
        self.ear.hear(event);
    }

    /// A transmission is announced, or the transmitter is on its way to one.
    pub fn on_air(&self) -> bool {
        self.mode == Mode::Transmit && self.ready.is_some()
    }

    /// Moves what was transmitted since the last call to the end of `out`.
    pub fn take_air(&mut self, out: &mut Vec<AirOut>) {
        out.append(&mut self.sent);
    }

    /// What was forbidden since the last call.
    pub fn take_misuse(&mut self) -> Vec<(Ps, Misuse)> {
        std::mem::take(&mut self.misuse)
    }

    /// The voltage at its RSSI output in microvolts: the higher, the weaker the level. With the
    /// output or the receiver off it is assumed to be 0.
    pub fn rssi_microvolts(&self, now: Ps) -> u32 {
        let receives = self.mode == Mode::Receive && self.locked(now);
        let Some(tuning) = self.tuning.filter(|_| receives && self.registers.rssi_on()) else {
            return 0;
        };
        let level = self.ear.level_dbm(now, tuning);
        let volts = ((level - RSSI_DBM_AT_0) / RSSI_DBM_PER_V).clamp(0.0, RSSI_MOST_V);
        (volts * 1e6).round() as u32
    }

    /// The state that the meter counts.
    pub fn state(&self) -> &'static str {
        if !self.registers.on(CORE_PD) {
            power::POWER_DOWN
        } else if !self.registers.on(BIAS_PD) {
            power::CRYSTAL
        } else if !self.registers.on(FS_PD) {
            power::BIAS
        } else {
            match self.mode {
                Mode::Idle => power::SYNTHESIZER,
                Mode::Receive => power::RX,
                Mode::Transmit => power::tx_state(self.registers.get(PA_POW)),
            }
        }
    }

    /// Power fails, or comes back: everything is as after power-on.
    pub fn power_cycle(&mut self, now: Ps) {
        self.silence(now);
        let sent = std::mem::take(&mut self.sent);
        *self = Cc1000 {
            sent,
            ..Cc1000::new(self.config.clone())
        };
    }
}
