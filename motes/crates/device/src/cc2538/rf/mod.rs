//! RF core: FIFOs, registers, interrupts and state machine (0x4008_8000..=0x4008_8838). Strobes are
//! in `strobe`, the two directions in `rx` and `tx`, addresses in `access`.
//!
//! TI's texts leave two things open. In the model, a closed clock gate or the loss of the crystal
//! switches the radio off. After a complete transmission, a write to RFDATA begins a new frame at
//! the start of the TXFIFO; without such a write or a flush, the old frame can be sent again.
//! Command programs, source address matching, energy scan, serial and test modes are refused by
//! name.

mod access;
mod filter;
mod mac_timer;
mod registers;
mod rx;
mod strobe;
mod tx;

use super::Cc2538Config;
use crate::Ps;
use crate::air::{AirIn, AirOut};
use crate::clock::{Clock, NEVER};
use crate::radio::{FIFO_OCTETS, Fsm, Modem, Radio, Transmitter};
use mac_timer::MacTimer;
use registers::{RFERRM, RFIRQM0, RFIRQM1, Registers};

/// The start-of-frame delimiter, as the CC2420 names the same pattern in SYNCWORD.
const SYNCWORD: u16 = 0xA70F;

/// Octets of the FFSM memory.
const FFSM_OCTETS: usize = 0x80;
/// RFST after a reset: SNOP.
const NO_STROBE: u8 = 0xD0;

/// RFIRQF0.
mod irq0 {
    constants! { pub(super) u8:
        SFD = 1 << 1,            FIFOP = 1 << 2,          SRC_MATCH_DONE = 1 << 3,
        FRAME_ACCEPTED = 1 << 5, RXPKTDONE = 1 << 6,      RXMASKZERO = 1 << 7,
    }
}

/// RFIRQF1.
mod irq1 {
    pub(super) const TXACKDONE: u8 = 1 << 0;
    pub(super) const TXDONE: u8 = 1 << 1;
    pub(super) const RFIDLE: u8 = 1 << 2;
}

/// RFERRF.
mod error {
    constants! { pub(super) u8:
        RXABO = 1 << 1,     RXOVERF = 1 << 2,   RXUNDERF = 1 << 3,  TXOVERF = 1 << 4,
        TXUNDERF = 1 << 5,  STROBEERR = 1 << 6,
    }
}

/// State of the radio, for the meter. Calibration counts as the state it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RadioState {
    /// Receiver and transmitter off.
    Off,
    /// Receiver on, no frame.
    RxSearch,
    /// A frame is received.
    RxFrame,
    /// Transmitter on.
    Tx {
        /// Output power.
        power_dbm: i8,
    },
}

impl RadioState {
    /// Name of the state in a board's data file. The data sheet gives the current of two levels, 0
    /// and 7 dBm: up to 0 dBm counts as the first, above it as the second.
    pub fn name(self) -> &'static str {
        match self {
            RadioState::Off => "off",
            RadioState::RxSearch => "rx_search",
            RadioState::RxFrame => "rx_frame",
            RadioState::Tx { power_dbm: ..=0 } => "tx_0dbm",
            RadioState::Tx { .. } => "tx_7dbm",
        }
    }
}

/// Spans of the state machine.
#[derive(Clone)]
struct Timing {
    rx_calibrate: Ps,
    tx_turnaround: Ps,
    tx_to_rx: Ps,
    ack_turnaround: Ps,
    correlation: u8,
}

/// The radio.
#[derive(Clone)]
pub(super) struct RfCore {
    timing: Timing,
    registers: Registers,
    /// Source address table, its results, local addresses: 0x4008_8400..=0x4008_85FC.
    ffsm: [u8; FFSM_OCTETS],
    rx_ram: [u8; FIFO_OCTETS],
    tx_ram: [u8; FIFO_OCTETS],
    modem: Modem,
    mac_timer: MacTimer,
    /// Whether the frame being received is acknowledged.
    ack: rx::AckWish,
    sampled_cca: bool,
    irqf0: u8,
    irqf1: u8,
    errf: u8,
    /// Level of FIFOP after the last event.
    fifop: bool,
    last_strobe: u8,
    /// The crystal runs and the gate is open.
    clocked: bool,
}

/// What is due next.
#[derive(Clone)]
enum Due {
    Fsm,
    Rssi,
    Air,
    MacTimer,
}

impl RfCore {
    pub(super) fn new(config: &Cc2538Config) -> RfCore {
        let timing = Timing {
            rx_calibrate: config.rx_calibrate,
            tx_turnaround: config.tx_turnaround,
            tx_to_rx: config.tx_to_rx,
            ack_turnaround: config.ack_turnaround,
            correlation: config.correlation,
        };
        RfCore {
            timing,
            registers: Registers::new(),
            ffsm: [0; FFSM_OCTETS],
            rx_ram: [0; FIFO_OCTETS],
            tx_ram: [0; FIFO_OCTETS],
            modem: Modem::new(Fsm::Idle, config.ear, config.noise_seed),
            mac_timer: MacTimer::new(),
            ack: rx::AckWish::default(),
            sampled_cca: false,
            irqf0: 0,
            irqf1: 0,
            errf: 0,
            fifop: false,
            last_strobe: NO_STROBE,
            clocked: false,
        }
    }

    /// Resets registers, FIFOs and MAC timer. The antenna goes on hearing the same carriers.
    pub(super) fn reset(&mut self) {
        self.registers = Registers::new();
        self.ffsm = [0; FFSM_OCTETS];
        self.modem.rxfifo.flush();
        self.modem.tx = Transmitter::default();
        self.mac_timer.reset();
        (self.irqf0, self.irqf1, self.errf) = (0, 0, 0);
        (self.fifop, self.sampled_cca, self.last_strobe) = (false, false, NO_STROBE);
    }

    /// The radio goes off at once: power mode 1 to 3, a reset, no clock.
    pub(super) fn power_down(&mut self, now: Ps) {
        if self.modem.fsm != Fsm::Idle {
            self.abort(now);
            self.modem.fsm = Fsm::Idle;
        }
        self.registers.set(registers::RXENABLE, 0);
    }

    /// Takes over the crystal's clock and the 32 kHz clock. `clocked`: the gate is open.
    pub(super) fn clocks_changed(&mut self, now: Ps, crystal: &Clock, slow: &Clock, clocked: bool) {
        self.mac_timer.clocks_changed(now, crystal, slow);
        self.clocked = clocked && crystal.running();
        if !self.clocked {
            self.power_down(now);
        }
    }

    /// When something next happens by itself.
    #[inline]
    pub(super) fn due(&self) -> Ps {
        let modem = [
            self.modem.fsm_due,
            self.modem.receiver.rssi_due(),
            self.modem.air_due(),
        ];
        let timer = self.mac_timer.due();
        modem.into_iter().flatten().fold(timer, Ps::min)
    }

    /// When the next event reaches the antenna, also of a radio that is off.
    #[inline]
    pub(super) fn unheard(&self) -> Ps {
        self.modem.antenna.next().unwrap_or(NEVER)
    }

    /// The earliest event that matters; of several at one time the first named here.
    fn next_due(&self) -> Option<(Ps, Due)> {
        let timer = Some(self.mac_timer.due()).filter(|&at| at != NEVER);
        let events = [
            (self.modem.fsm_due, Due::Fsm),
            (self.modem.receiver.rssi_due(), Due::Rssi),
            (self.modem.air_due(), Due::Air),
            (timer, Due::MacTimer),
        ];
        events
            .into_iter()
            .filter_map(|(at, due)| Some((at?, due)))
            .min_by_key(|(at, _)| *at)
    }

    /// Does everything that is due up to and including `now`, in order of time.
    pub(super) fn advance(&mut self, now: Ps) {
        loop {
            let unheard = self.unheard();
            match self
                .next_due()
                .filter(|(at, _)| *at <= now && *at <= unheard)
            {
                Some((at, Due::Fsm)) => self.fsm_event(at),
                Some((at, Due::Rssi)) => self
                    .modem
                    .receiver
                    .rssi_event(at, self.registers.cca_limits()),
                Some((at, Due::MacTimer)) => self.mac_timer.advance(at),
                _ if unheard <= now => {
                    if let Some(event) = self.modem.antenna.take_heard() {
                        self.air_event(event);
                    }
                }
                _ => break,
            }
            self.update_fifop();
        }
        self.modem.antenna.taken_until(now);
    }

    /// FIFOP rises: its flag is set.
    fn update_fifop(&mut self) {
        let level = self.modem.fsm == Fsm::RxOverflow
            || self.modem.rxfifo.fifop(self.registers.fifop_threshold());
        if level && !self.fifop {
            self.irqf0 |= irq0::FIFOP;
        }
        self.fifop = level;
    }

    pub(super) fn memory(&self) -> [(&'static str, &[u8]); 2] {
        [("TXFIFO", &self.tx_ram), ("RXFIFO", &self.rx_ram)]
    }

    pub(super) fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.modem.antenna.take_sent(out);
    }

    pub(super) fn on_air(&self) -> bool {
        self.modem.fsm.transmits()
    }

    /// Queues an event that the antenna will hear. The end of a transmission removes the events
    /// announced for later.
    pub(super) fn hear(&mut self, event: AirIn) {
        self.modem.hear(event);
    }

    pub(super) fn state(&self) -> RadioState {
        match self.modem.fsm {
            Fsm::Idle => RadioState::Off,
            Fsm::RxFrame => RadioState::RxFrame,
            fsm if fsm.receives() => RadioState::RxSearch,
            Fsm::TxCalibrated => RadioState::RxSearch,
            _ => RadioState::Tx {
                power_dbm: self.registers.power_dbm(),
            },
        }
    }

    pub(super) fn channel(&self) -> Option<u8> {
        Some(self.registers.channel()).filter(|&channel| channel != 0)
    }

    pub(super) fn interrupt(&self) -> bool {
        self.irqf0 & self.registers.get(RFIRQM0) != 0
            || self.irqf1 & self.registers.get(RFIRQM1) != 0
    }

    pub(super) fn error_interrupt(&self) -> bool {
        self.errf & self.registers.get(RFERRM) != 0
    }

    pub(super) fn mac_timer_interrupt(&self) -> bool {
        self.mac_timer.interrupt()
    }

    /// A start-of-frame delimiter was sent or received.
    fn sfd_event(&mut self, at: Ps) {
        self.irqf0 |= irq0::SFD;
        self.mac_timer.capture(at);
    }
}
