//! Texas Instruments CC2420 at register level, with time (data sheet SWRS041).
//!
//! The board drives VREG_EN, RESETn and CSn, clocks octets through SPI, reads four pins, and asks
//! [`Cc2420::deadline`] when the chip next does something by itself. The medium gets [`AirOut`] and
//! gives [`AirIn`].
//!
//! Modelled: start-up of regulator and crystal, all strobes and registers, RAM map, both FIFOs, the
//! radio control state machine with its calibration and turnaround times, automatic FCS, address
//! recognition and acknowledgement, CCA and RSSI, and the security engine with the time each AES
//! block takes. Not modelled: test modes of modem, AGC and synthesizer, the HSSD bus, the battery
//! monitor's voltage.
//!
//! Where the data sheet is silent, the model does what is worse for the firmware:
//! * STXON with a security mode set runs the engine over the TXFIFO again, also after STXENC and on
//!   retransmission.
//! * Octets of the MIC must be written (any value) before the engine can put the MIC there.
//! * STXON is ignored while a frame is sent and after an underflow, until SFLUSHTX.
//! * FIFO and FIFOP stay inactive until SRXDEC is completely done.
//! * One SFLUSHRX in the middle of a frame or after an overflow leaves SFD active; the second one
//!   releases it.
//! * A strobe for the engine is ignored while it is busy, but STXON's own work waits and then
//!   starts.

pub mod config;
mod engine;
mod layout;
mod power;
mod registers;
mod rx;
mod security;
mod spi;
mod strobe;
#[cfg(test)]
mod tests;
mod tx;

pub use crate::parameter::{ConfigError, Kind, Parameter};
pub use crate::radio::{LOOKAHEAD, OCTET};
pub use config::Cc2420Config;

use crate::air::{AirIn, AirOut};
use crate::radio::{Fsm, Modem, Radio};
use crate::{EngineFault, Ps};
use registers::Registers;

/// Octets of RAM: two FIFO banks and 112 octets of security bank.
const RAM_OCTETS: usize = 0x170;

/// Levels of the four status pins, polarity bits of IOCFG0 applied; all low without power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cc2420Pins {
    /// Data in the RXFIFO.
    pub fifo: bool,
    /// Threshold passed, frame complete, or overflow.
    pub fifop: bool,
    /// Channel clear.
    pub cca: bool,
    /// Start of frame sent or received, frame not yet over.
    pub sfd: bool,
}

/// Power state, for the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RadioState {
    /// Voltage regulator off.
    Off,
    /// Voltage regulator on (or starting), crystal oscillator off.
    PowerDown,
    /// Crystal oscillator on (or starting), radio off.
    Idle,
    /// Receiver on, calibration included.
    Rx,
    /// Transmitter on, calibration included.
    Tx {
        /// PA_LEVEL of TXCTRL, 0..=31.
        pa_level: u8,
    },
}

/// An action of the firmware that the data sheet forbids. It has no effect or an undefined one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// SPI access before the voltage regulator is up, or while RESETn is low: nobody answers.
    NoSupply,
    /// Strobe, RAM or FIFO access that needs the crystal oscillator.
    NoOscillator,
    /// SAES, STXENC or SRXDEC while the engine is busy: ignored.
    EngineBusy,
    /// More than 128 octets written to a FIFO: the octet is lost.
    FifoFull,
    /// STXON or SRXON in a state that ignores it.
    StrobeIgnored,
    /// A security mode with MIC and SEC_M = 0, which is reserved.
    ReservedMicLength,
    /// A test mode of modem or pins was selected: not modelled.
    TestMode,
}

/// One radio.
#[derive(Clone)]
pub struct Cc2420 {
    config: Cc2420Config,
    registers: Registers,
    ram: [u8; RAM_OCTETS],
    power: power::Power,
    spi: spi::Spi,
    modem: Modem,
    /// TX_UNDERFLOW of the status octet.
    tx_underflow: bool,
    acks: rx::Acknowledging,
    security: security::Security,
    engine_fault: Option<EngineFault>,
    misuse: Vec<(Ps, Misuse)>,
}

/// What is due next.
#[derive(Clone)]
enum Due {
    Power,
    Security,
    Fsm,
    Rssi,
    Air,
}

impl Cc2420 {
    /// A radio without power: VREG_EN low, RESETn and CSn high.
    pub fn new(config: Cc2420Config) -> Cc2420 {
        Cc2420 {
            modem: Modem::new(Fsm::PowerDown, config.ear, config.noise_seed),
            config,
            registers: Registers::new(),
            ram: [0; RAM_OCTETS],
            power: power::Power::default(),
            spi: spi::Spi::default(),
            tx_underflow: false,
            acks: rx::Acknowledging::default(),
            security: security::Security::default(),
            engine_fault: None,
            misuse: Vec::new(),
        }
    }

    /// Its parameters.
    pub fn config(&self) -> &Cc2420Config {
        &self.config
    }

    /// The status pins as they are after the last call.
    pub fn pins(&self) -> Cc2420Pins {
        if !self.power.core_on() {
            return Cc2420Pins::default();
        }
        let overflow = self.modem.fsm == Fsm::RxOverflow;
        let readable = self.power.xosc_stable() && !self.security.decrypting();
        let fifo = readable && !overflow && self.modem.rxfifo.count() > 0;
        let fifop =
            readable && (overflow || self.modem.rxfifo.fifop(self.registers.fifop_threshold()));
        let cca = match self.registers.cca_mux() {
            0 => self.channel_clear(),
            registers::CCAMUX_XOSC16M_STABLE => self.power.xosc_stable(),
            _ => false,
        };
        let sfd = self.registers.sfd_mux() == 0 && (self.modem.rx_sfd || self.modem.tx.sfd);
        Cc2420Pins {
            fifo: fifo != self.registers.fifo_active_low(),
            fifop: fifop != self.registers.fifop_active_low(),
            cca: cca != self.registers.cca_active_low(),
            sfd: sfd != self.registers.sfd_active_low(),
        }
    }

    /// When something next happens by itself. Ask again after every call.
    pub fn deadline(&self) -> Option<Ps> {
        [
            self.power.due(),
            self.security.due(),
            self.modem.fsm_due,
            self.modem.receiver.rssi_due(),
            self.modem.air_due(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Does everything that is due up to and including `now`, in order of time.
    pub fn advance(&mut self, now: Ps) {
        while let Some((at, due)) = self.next_due().filter(|(at, _)| *at <= now) {
            match due {
                Due::Power => self.power_event(at),
                Due::Security => self.security_event(at),
                Due::Fsm => self.fsm_event(at),
                Due::Rssi => self
                    .modem
                    .receiver
                    .rssi_event(at, self.registers.cca_limits()),
                Due::Air => {
                    if let Some(event) = self.modem.antenna.take_heard() {
                        self.air_event(event);
                    }
                }
            }
        }
        self.modem.antenna.taken_until(now);
    }

    /// The earliest event; of several at one time the first named here.
    fn next_due(&self) -> Option<(Ps, Due)> {
        let events = [
            (self.power.due(), Due::Power),
            (self.security.due(), Due::Security),
            (self.modem.fsm_due, Due::Fsm),
            (self.modem.receiver.rssi_due(), Due::Rssi),
            (self.modem.antenna.next(), Due::Air),
        ];
        events
            .into_iter()
            .filter_map(|(at, due)| Some((at?, due)))
            .min_by_key(|(at, _)| *at)
    }

    /// Moves what was transmitted since the last call to the end of `out`, in the order of its
    /// announcement.
    pub fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.modem.antenna.take_sent(out);
    }

    /// True from STXON (or the request for an acknowledgement) until the carrier is off: such a
    /// mote runs first in its quantum.
    pub fn on_air(&self) -> bool {
        self.modem.fsm.transmits()
    }

    /// Queues an event that the antenna will hear. It takes effect at its time, in
    /// [`Cc2420::advance`]. The end of a transmission removes the events announced for later.
    pub fn hear(&mut self, event: AirIn) {
        self.modem.hear(event);
    }

    /// Power state.
    pub fn state(&self) -> RadioState {
        if !self.power.vreg_en() {
            return RadioState::Off;
        }
        match self.modem.fsm {
            Fsm::PowerDown if !self.power.xosc_running() => RadioState::PowerDown,
            Fsm::PowerDown | Fsm::Idle => RadioState::Idle,
            fsm if fsm.receives() => RadioState::Rx,
            Fsm::TxCalibrated => RadioState::Rx,
            _ => RadioState::Tx {
                pa_level: self.registers.pa_level(),
            },
        }
    }

    /// True while the security engine works (ENC_BUSY).
    pub fn engine_busy(&self) -> bool {
        self.security.busy()
    }

    /// From now on the security engine has this defect, or none.
    pub fn break_engine(&mut self, fault: Option<EngineFault>) {
        self.engine_fault = fault;
    }

    /// What its RAM holds: both FIFOs, and all that belongs to security and addresses.
    pub fn memory(&self) -> [(&'static str, &[u8]); 3] {
        let (tx, others) = self.ram.split_at(crate::radio::FIFO_OCTETS);
        let (rx, others) = others.split_at(crate::radio::FIFO_OCTETS);
        [("TXFIFO", tx), ("RXFIFO", rx), ("security", others)]
    }

    /// Channel tuned to, 11..=26; `None` for a frequency that is no channel.
    pub fn channel(&self) -> Option<u8> {
        Some(self.registers.channel()).filter(|&channel| channel != 0)
    }

    /// Takes the list of the firmware's actions against the data sheet (the first 64 since the last
    /// call).
    pub fn take_misuse(&mut self) -> Vec<(Ps, Misuse)> {
        std::mem::take(&mut self.misuse)
    }

    fn misused(&mut self, now: Ps, what: Misuse) {
        if self.misuse.len() < 64 {
            self.misuse.push((now, what));
        }
    }

    /// FSMSTATE: the number of the state (SWRS041 20, figure 25).
    fn fsm_number(&self) -> u16 {
        match self.modem.fsm {
            Fsm::PowerDown => 0,
            Fsm::Idle => 1,
            Fsm::RxCalibrate => 2,
            Fsm::RxSearch => 3,
            Fsm::RxWait => 14,
            Fsm::RxFrame => 16,
            Fsm::RxOverflow => 17,
            Fsm::TxCalibrate => 32,
            Fsm::TxCalibrated => 33,
            Fsm::TxPreamble => 34,
            Fsm::TxFrame => 37,
            Fsm::AckCalibrate => 48,
            Fsm::AckPreamble => 49,
            Fsm::AckFrame => 52,
            Fsm::TxUnderflow => 56,
        }
    }

    /// The status octet (table 5).
    fn status(&self) -> u8 {
        let lock = self.modem.fsm.receives() && self.modem.fsm != Fsm::RxCalibrate
            || self.modem.fsm.transmits()
                && self.modem.fsm != Fsm::TxCalibrate
                && self.modem.fsm != Fsm::AckCalibrate
            || self.modem.fsm == Fsm::TxCalibrated && self.modem.fsm_due.is_none();
        u8::from(self.power.xosc_stable()) << 6
            | u8::from(self.tx_underflow) << 5
            | u8::from(self.security.busy()) << 4
            | u8::from(self.modem.fsm.transmits()) << 3
            | u8::from(lock) << 2
            | u8::from(self.modem.receiver.rssi_valid()) << 1
    }
}

impl RadioState {
    /// Name of the state in a board's data file. The data sheet gives the current for eight PA
    /// levels (table 9: 31, 27, 23 … 3); a level between two of them counts as the upper one.
    pub fn name(self) -> &'static str {
        match self {
            RadioState::Off => "off",
            RadioState::PowerDown => "power_down",
            RadioState::Idle => "idle",
            RadioState::Rx => "rx",
            RadioState::Tx { pa_level } => power::TX_STATES[usize::from(pa_level.min(31) / 4)].0,
        }
    }

    /// Every state, each of the 32 PA levels for itself.
    pub fn all() -> impl Iterator<Item = RadioState> {
        let others = [
            RadioState::Off,
            RadioState::PowerDown,
            RadioState::Idle,
            RadioState::Rx,
        ];
        let transmits = (0..32).map(|pa_level| RadioState::Tx { pa_level });
        transmits.chain(others)
    }
}
