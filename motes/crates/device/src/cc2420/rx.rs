//! Reception: octets into the RXFIFO, address recognition, FCS, acknowledgement.

use super::registers::SYNCWORD;
use super::{Cc2420, Cc2420Config, Fsm};
use crate::Ps;
use crate::air::{AirIn, OCTET, TxId};
use crate::filter::{Decision, Identity, decide};
use crate::receiver::{CcaLimits, Ear, Heard, Receiver, Reception};
use crate::rxfifo::FIFO_OCTETS;

/// Receiver.
pub(super) struct Rx {
    receiver: Receiver,
    /// SFD pin, receive side.
    pub(super) sfd: bool,
    /// Frame-pending bit of acknowledgements (SACKPEND).
    pending: bool,
    /// SACK or SACKPEND came during the frame.
    ack_requested: bool,
    /// Sequence number of the last frame and whether its FCS was right.
    last: Option<(u8, bool)>,
}

impl Rx {
    pub(super) fn new(config: &Cc2420Config) -> Rx {
        let ear = Ear {
            lock_preamble_octets: config.lock_preamble_octets,
            capture_db: config.capture_db,
            noise_floor_dbm: config.noise_floor_dbm,
            rssi_offset_db: config.rssi_offset_db,
            rssi_window: config.rssi_window,
        };
        Rx {
            receiver: Receiver::new(ear, config.noise_seed),
            sfd: false,
            pending: false,
            ack_requested: false,
            last: None,
        }
    }

    /// Sets the channel of the receiver.
    pub(super) fn tune(&mut self, channel: u8) {
        self.receiver.tune(channel);
    }

    /// SFD inactive.
    pub(super) fn release_sfd(&mut self) {
        self.sfd = false;
    }

    /// The receiver was on for long enough.
    pub(super) fn rssi_valid(&self) -> bool {
        self.receiver.rssi_valid()
    }
}

impl Cc2420 {
    /// RX_SFD_SEARCH. `from_off`: the receiver was off, RSSI starts anew.
    pub(super) fn search(&mut self, at: Ps, from_off: bool) {
        self.fsm = Fsm::RxSearch;
        self.fsm_due = None;
        self.rx.receiver.search(at, from_off);
    }

    /// The receiver goes off. What it stored of an unfinished frame stays in the RXFIFO.
    pub(super) fn abort_rx(&mut self) {
        if self.rx.receiver.stop() && self.fsm == Fsm::RxFrame {
            self.rxfifo.abandon_frame();
        }
        self.rx.sfd = false;
        self.rx.ack_requested = false;
    }

    pub(super) fn air_event(&mut self, event: AirIn) {
        match self.rx.receiver.hear(event) {
            Heard::Delimiter { tx, syncword } => self.delimiter(event.at, tx, syncword),
            Heard::Octet(octet) => self.receive_octet(event.at, octet),
            Heard::Silence => self.fsm_due = Some(event.at + OCTET),
            Heard::Nothing => {}
        }
    }

    /// A delimiter ends: synchronise if the receiver can.
    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16) {
        let decision = if self.registers.adr_decode() {
            Decision::NeedMore
        } else {
            Decision::Accept
        };
        let searches = self.fsm == Fsm::RxSearch && syncword == self.registers.get(SYNCWORD);
        if searches && self.rx.receiver.lock(at, tx, decision) {
            self.fsm = Fsm::RxFrame;
            self.rx.sfd = true;
            self.rx.ack_requested = false;
            self.rxfifo.begin_frame(decision == Decision::Accept);
        }
    }

    /// The transmitter fell silent inside the frame; the demodulator goes on.
    pub(super) fn noise_octet(&mut self, at: Ps) {
        if let Some(octet) = self.rx.receiver.noise_octet() {
            self.fsm_due = Some(at + OCTET);
            self.receive_octet(at, octet);
        }
    }

    fn receive_octet(&mut self, at: Ps, octet: u8) {
        let Some((mut frame, index, octet)) = self.rx.receiver.octet(octet) else {
            return;
        };
        let stored = self.appended(&frame, index).unwrap_or(octet);
        if self.fsm == Fsm::RxFrame {
            let protect = self.registers.rxfifo_protection();
            if !self
                .rxfifo
                .push(&mut self.ram[FIFO_OCTETS..2 * FIFO_OCTETS], stored, protect)
            {
                return self.overflow();
            }
            self.recognise(&mut frame);
        }
        if frame.complete() {
            self.end_rx(at, &frame);
        } else {
            self.rx.receiver.go_on(frame);
        }
        self.security_poll(at);
    }

    /// With AUTOCRC the FCS is replaced by RSSI and by the verdict on the FCS with the correlation
    /// value.
    fn appended(&self, frame: &Reception, index: usize) -> Option<u8> {
        if index == 0 || !self.registers.autocrc() || frame.length < 2 {
            return None;
        }
        if index + 1 == frame.length {
            return Some(self.rx.receiver.rssi_value(frame.rssi_dbm));
        }
        (index == frame.length)
            .then_some(u8::from(frame.right()) << 7 | self.config.correlation & 0x7F)
    }

    /// Address recognition, as far as the octets go.
    fn recognise(&mut self, frame: &mut Reception) {
        if frame.decision == Decision::NeedMore && frame.received > 0 {
            frame.decision = decide(&frame.mpdu, &self.identity());
            if frame.decision == Decision::NeedMore && frame.complete() {
                frame.decision = Decision::Reject;
            }
            match frame.decision {
                Decision::Accept => self.rxfifo.accept(),
                Decision::Reject => {
                    self.rxfifo.reject_frame();
                    self.rx.sfd = false;
                    self.fsm = Fsm::RxWait;
                }
                Decision::NeedMore => {}
            }
        }
    }

    fn identity(&self) -> Identity {
        let ram16 = |at: usize| u16::from_le_bytes([self.ram[at], self.ram[at + 1]]);
        Identity {
            pan_id: ram16(0x168),
            short: ram16(0x16A),
            extended: std::array::from_fn(|index| self.ram[0x160 + index]),
            coordinator: self.registers.pan_coordinator(),
            reserved_accepted: self.registers.reserved_frames_accepted(),
            any_beacon: self.registers.bcn_accept(),
        }
    }

    /// No room in the RXFIFO: reception stops until SFLUSHRX. SFD stays active.
    fn overflow(&mut self) {
        self.rxfifo.abandon_frame();
        self.fsm = Fsm::RxOverflow;
        self.fsm_due = None;
    }

    fn end_rx(&mut self, at: Ps, frame: &Reception) {
        if self.fsm != Fsm::RxFrame {
            return self.search(at, false);
        }
        self.rxfifo.end_frame();
        self.rx.sfd = false;
        let right = frame.right();
        let sequence = frame.mpdu.get(2).copied();
        self.rx.last = sequence.map(|sequence| (sequence, right));
        let fcf = frame.mpdu.first().copied().unwrap_or(0);
        // AUTOACK makes sense only with address recognition and AUTOCRC; acknowledged are data and
        // command frames.
        let automatic =
            self.registers.autoack() && self.registers.adr_decode() && self.registers.autocrc();
        let wanted = automatic && fcf & 0x20 != 0 && matches!(fcf & 7, 1 | 3);
        let asked = std::mem::take(&mut self.rx.ack_requested);
        match sequence {
            Some(sequence) if right && (wanted || asked) => self.start_ack(at, sequence),
            _ => self.search(at, false),
        }
    }

    /// SACK, SACKPEND: during a frame, acknowledge it when it is over; after it, at once; with
    /// AUTOACK outside of a frame only the frame-pending bit of later acknowledgements changes.
    pub(super) fn acknowledge(&mut self, now: Ps, pending: bool) {
        self.rx.pending = pending;
        match self.fsm {
            Fsm::RxFrame => self.rx.ack_requested = true,
            Fsm::RxSearch if !self.registers.autoack() => {
                if let Some((sequence, true)) = self.rx.last.take() {
                    self.start_ack(now, sequence);
                }
            }
            _ => {}
        }
    }

    fn start_ack(&mut self, now: Ps, sequence: u8) {
        let pending = u8::from(self.rx.pending) << 4;
        self.abort_rx();
        self.start_tx(now, Some([5, 0x02 | pending, 0x00, sequence]));
    }

    pub(super) fn rssi_due(&self) -> Option<Ps> {
        self.rx.receiver.rssi_due()
    }

    pub(super) fn rssi_event(&mut self, at: Ps) {
        let limits = self.cca_limits();
        self.rx.receiver.rssi_event(at, limits);
    }

    /// Compares RSSI with the CCA threshold.
    pub(super) fn update_energy(&mut self) {
        let limits = self.cca_limits();
        self.rx.receiver.update_energy(limits);
    }

    fn cca_limits(&self) -> CcaLimits {
        CcaLimits {
            threshold: self.registers.cca_threshold(),
            hysteresis: self.registers.cca_hyst_db(),
        }
    }

    /// Clear channel assessment; false while RSSI is not valid.
    pub(super) fn channel_clear(&self) -> bool {
        let silent = !matches!(self.fsm, Fsm::RxFrame | Fsm::RxWait);
        let clear = match self.registers.cca_mode() {
            1 => !self.rx.receiver.energy(),
            2 => silent,
            _ => !self.rx.receiver.energy() && silent,
        };
        self.rx.rssi_valid() && clear
    }

    /// RSSI_VAL: −128 while it is not valid.
    pub(super) fn rssi_register(&self) -> u8 {
        self.rx.receiver.rssi_register()
    }
}
