//! Reception: octets into the RXFIFO, frame filtering, FCS, acknowledgement.

use super::filter::decide;
use super::{Fsm, RfCore, SYNCWORD, error, irq0};
use crate::Ps;
use crate::air::{AirIn, OCTET, TxId};
use crate::filter::{Decision, Identity};
use crate::receiver::{CcaLimits, Heard, Reception};

/// Places of the local addresses in FFSM memory.
const EXT_ADDR: usize = 0x6A;
const PAN_ID: usize = 0x72;
const SHORT_ADDR: usize = 0x74;

/// SRCRESINDEX when no entry of the source table matched.
const NO_MATCH: u8 = 0x3F;

/// Whether the frame being received shall be acknowledged.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AckWish {
    /// As AUTOACK says.
    #[default]
    Automatic,
    /// SACK (`false`) or SACKPEND.
    Wanted(bool),
    /// SNACK.
    Never,
}

impl RfCore {
    /// Searches for a delimiter. `from_off`: the receiver was off, RSSI starts anew.
    pub(super) fn search(&mut self, at: Ps, from_off: bool) {
        self.fsm = Fsm::RxSearch;
        self.fsm_due = None;
        self.receiver.search(at, from_off);
    }

    /// The pause after a frame (FSMCTRL.RX2RX_TIME_OFF).
    pub(super) fn pausing(&self) -> bool {
        self.fsm == Fsm::RxWait && !self.receiver.receiving()
    }

    /// The receiver goes off. What it stored of an unfinished frame stays in the RXFIFO.
    pub(super) fn abort_rx(&mut self) {
        if self.receiver.stop() && self.fsm == Fsm::RxFrame {
            self.rxfifo.abandon_frame();
            self.errf |= error::RXABO;
        }
        self.rx_sfd = false;
    }

    pub(super) fn air_event(&mut self, event: AirIn) {
        match self.receiver.hear(event) {
            Heard::Delimiter { tx, syncword } => self.delimiter(event.at, tx, syncword),
            Heard::Octet(octet) => self.receive_octet(event.at, octet),
            Heard::Silence => self.fsm_due = Some(event.at + OCTET),
            Heard::Nothing => {}
        }
    }

    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16) {
        let decision = if self.registers.filtering() {
            Decision::NeedMore
        } else {
            Decision::Accept
        };
        let searches =
            self.fsm == Fsm::RxSearch && !self.registers.search_disabled() && syncword == SYNCWORD;
        if searches && self.receiver.lock(at, tx, decision) {
            self.fsm = Fsm::RxFrame;
            self.rx_sfd = true;
            self.ack = AckWish::Automatic;
            self.sfd_event(at);
            self.rxfifo.begin_frame(decision == Decision::Accept);
        }
    }

    /// The transmitter fell silent inside the frame; the demodulator goes on.
    pub(super) fn noise_octet(&mut self, at: Ps) {
        if let Some(octet) = self.receiver.noise_octet() {
            self.fsm_due = Some(at + OCTET);
            self.receive_octet(at, octet);
        }
    }

    fn receive_octet(&mut self, at: Ps, octet: u8) {
        let Some((mut frame, index, octet)) = self.receiver.octet(octet) else {
            return;
        };
        let stored = self.appended(&frame, index).unwrap_or(octet);
        if self.fsm == Fsm::RxFrame {
            if !self.rxfifo.push(&mut self.rx_ram, stored, false) {
                return self.overflow();
            }
            self.recognise(&mut frame);
        }
        if frame.complete() {
            self.end_rx(at, &frame);
        } else {
            self.receiver.go_on(frame);
        }
    }

    /// With AUTOCRC the FCS is replaced by RSSI and by the verdict on the FCS with the correlation
    /// value or the source match index.
    fn appended(&self, frame: &Reception, index: usize) -> Option<u8> {
        if index == 0 || !self.registers.autocrc() || frame.length < 2 {
            return None;
        }
        if index + 1 == frame.length {
            return Some(self.receiver.rssi_value(frame.rssi_dbm));
        }
        let low = if self.registers.appends_source_match() {
            NO_MATCH
        } else {
            self.timing.correlation & 0x7F
        };
        (index == frame.length).then_some(u8::from(frame.right()) << 7 | low)
    }

    /// Frame filtering, as far as the octets go.
    fn recognise(&mut self, frame: &mut Reception) {
        if frame.decision != Decision::NeedMore || frame.received == 0 {
            return;
        }
        frame.decision = decide(&frame.mpdu, frame.length, &self.registers, &self.identity());
        if frame.decision == Decision::NeedMore && frame.complete() {
            frame.decision = Decision::Reject;
        }
        match frame.decision {
            Decision::Accept => {
                self.rxfifo.accept();
                self.irqf0 |= irq0::FRAME_ACCEPTED;
                if self.registers.source_matching() {
                    self.irqf0 |= irq0::SRC_MATCH_DONE;
                }
            }
            Decision::Reject => {
                self.rxfifo.reject_frame();
                self.rx_sfd = false;
                self.fsm = Fsm::RxWait;
            }
            Decision::NeedMore => {}
        }
    }

    fn identity(&self) -> Identity {
        let pair = |at: usize| u16::from_le_bytes([self.ffsm[at], self.ffsm[at + 1]]);
        Identity {
            pan_id: pair(PAN_ID),
            short: pair(SHORT_ADDR),
            extended: std::array::from_fn(|index| self.ffsm[EXT_ADDR + index]),
            coordinator: self.registers.pan_coordinator(),
            reserved_accepted: true,
            any_beacon: false,
        }
    }

    /// No room in the RXFIFO: reception stops until SFLUSHRX.
    fn overflow(&mut self) {
        self.rxfifo.abandon_frame();
        self.rx_sfd = false;
        self.errf |= error::RXOVERF;
        self.fsm = Fsm::RxOverflow;
        self.fsm_due = None;
    }

    fn end_rx(&mut self, at: Ps, frame: &Reception) {
        if self.fsm == Fsm::RxFrame {
            self.rxfifo.end_frame();
            self.rx_sfd = false;
            self.irqf0 |= irq0::RXPKTDONE | irq0::FIFOP;
            if let Some(ack) = self.acknowledgement(frame) {
                self.receiver.stop();
                return self.start_tx(at, Some(ack));
            }
        }
        if self.registers.get(super::registers::RXENABLE) == 0 {
            self.receiver.stop();
            self.receive_or_idle(at, Ps::ZERO);
        } else if self.registers.rx_to_rx_pause() && self.fsm == Fsm::RxFrame {
            self.fsm = Fsm::RxWait;
            self.fsm_due = Some(at + self.timing.rx_calibrate);
        } else {
            self.search(at, false);
        }
    }

    /// The acknowledgement that a complete frame gets.
    fn acknowledgement(&self, frame: &Reception) -> Option<[u8; 4]> {
        let sequence = *frame.mpdu.get(2)?;
        let automatic =
            self.registers.autoack() && self.registers.filtering() && frame.mpdu[0] & 0x20 != 0;
        let pending = match self.ack {
            AckWish::Automatic if automatic => false,
            AckWish::Wanted(pending) => pending,
            AckWish::Automatic | AckWish::Never => return None,
        };
        let pending = u8::from(pending || self.registers.pending_or()) << 4;
        frame.right().then_some([5, 0x02 | pending, 0x00, sequence])
    }

    /// SACK, SACKPEND, SNACK: only while a frame is received.
    pub(super) fn acknowledge(&mut self, pending: Option<bool>) {
        if self.fsm == Fsm::RxFrame {
            self.ack = pending.map_or(AckWish::Never, AckWish::Wanted);
        } else {
            self.errf |= error::STROBEERR;
        }
    }

    pub(super) fn rssi_event(&mut self, at: Ps) {
        let limits = self.cca_limits();
        self.receiver.rssi_event(at, limits);
    }

    /// Compares RSSI with the CCA threshold.
    pub(super) fn update_energy(&mut self) {
        let limits = self.cca_limits();
        self.receiver.update_energy(limits);
    }

    fn cca_limits(&self) -> CcaLimits {
        CcaLimits {
            threshold: self.registers.cca_threshold(),
            hysteresis: self.registers.cca_hysteresis(),
        }
    }

    /// Clear channel assessment; false while RSSI is not valid.
    pub(super) fn channel_clear(&self) -> bool {
        let silent = self.fsm != Fsm::RxFrame && !self.receiver.receiving();
        let quiet = self.receiver.rssi_valid() && !self.receiver.energy();
        match self.registers.cca_mode() {
            0 => true,
            1 => quiet,
            2 => self.receiver.rssi_valid() && silent,
            _ => quiet && silent,
        }
    }
}
