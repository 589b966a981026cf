//! Reception: octets into the RXFIFO, frame filtering, FCS, acknowledgement.

use super::filter::decide;
use super::registers::{RXENABLE, Registers};
use super::{FFSM_OCTETS, RfCore, SYNCWORD, error, irq0};
use crate::Ps;
use crate::air::TxId;
use crate::radio::filter::{Identity, addresses};
use crate::radio::{Fsm, Modem, Radio, Reception, acknowledgement};

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

impl Radio for RfCore {
    fn modem(&mut self) -> &mut Modem {
        &mut self.modem
    }

    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16) {
        let searches = !self.registers.search_disabled() && syncword == SYNCWORD;
        if searches && self.modem.begin_frame(at, tx, self.registers.filtering()) {
            self.ack = AckWish::Automatic;
            self.sfd_event(at);
        }
    }

    fn receive_octet(&mut self, at: Ps, octet: u8) {
        let Some((mut frame, index, octet)) = self.modem.receiver.octet(octet) else {
            return;
        };
        let stored = self.replaced(&frame, index).unwrap_or(octet);
        if self.modem.fsm == Fsm::RxFrame {
            if !self.modem.rxfifo.push(&mut self.rx_ram, stored, false) {
                return self.overflow();
            }
            self.recognise(&mut frame);
        }
        if frame.complete() {
            self.end_rx(at, &frame);
        } else {
            self.modem.receiver.go_on(frame);
        }
    }

    fn abort_rx(&mut self) {
        if self.modem.stop_reception() {
            self.errf |= error::RXABO;
        }
    }
}

impl RfCore {
    /// The pause after a frame (FSMCTRL.RX2RX_TIME_OFF).
    pub(super) fn pausing(&self) -> bool {
        self.modem.fsm == Fsm::RxWait && !self.modem.receiver.receiving()
    }

    /// What AUTOCRC stores instead of octet `index`: RSSI, and the verdict on the FCS with the
    /// correlation value or the source match index.
    fn replaced(&self, frame: &Reception, index: usize) -> Option<u8> {
        let low = if self.registers.appends_source_match() {
            NO_MATCH
        } else {
            self.timing.correlation
        };
        let replaced = self.modem.replaces_fcs(frame, index, low);
        replaced.filter(|_| self.registers.autocrc())
    }

    /// Frame filtering, as far as the octets go.
    fn recognise(&mut self, frame: &mut Reception) {
        let RfCore {
            modem,
            registers,
            ffsm,
            ..
        } = self;
        let passed = modem.recognise(frame, |frame| {
            decide(
                &frame.mpdu,
                frame.length,
                registers,
                &identity(ffsm, registers),
            )
        });
        if passed {
            self.irqf0 |= irq0::FRAME_ACCEPTED;
            if self.registers.source_matching() {
                self.irqf0 |= irq0::SRC_MATCH_DONE;
            }
        }
    }

    /// No room in the RXFIFO: reception stops until SFLUSHRX.
    fn overflow(&mut self) {
        self.modem.overflow();
        self.modem.rx_sfd = false;
        self.errf |= error::RXOVERF;
    }

    fn end_rx(&mut self, at: Ps, frame: &Reception) {
        if self.modem.fsm == Fsm::RxFrame {
            self.modem.end_frame();
            self.irqf0 |= irq0::RXPKTDONE | irq0::FIFOP;
            if let Some(ack) = self.acknowledgement(frame) {
                self.modem.receiver.stop();
                return self.start_tx(at, Some(ack));
            }
        }
        if self.registers.get(RXENABLE) == 0 {
            self.modem.receiver.stop();
            self.receive_or_idle(at, Ps::ZERO);
        } else if self.registers.rx_to_rx_pause() && self.modem.fsm == Fsm::RxFrame {
            self.modem.fsm = Fsm::RxWait;
            self.modem.fsm_due = Some(at + self.timing.rx_calibrate);
        } else {
            self.modem.search(at, false);
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
        let pending = pending || self.registers.pending_or();
        frame.right().then_some(acknowledgement(sequence, pending))
    }

    /// SACK, SACKPEND, SNACK: only while a frame is received.
    pub(super) fn acknowledge(&mut self, pending: Option<bool>) {
        if self.modem.fsm == Fsm::RxFrame {
            self.ack = pending.map_or(AckWish::Never, AckWish::Wanted);
        } else {
            self.errf |= error::STROBEERR;
        }
    }

    /// Clear channel assessment; false while RSSI is not valid.
    pub(super) fn channel_clear(&self) -> bool {
        let silent = self.modem.fsm != Fsm::RxFrame && !self.modem.receiver.receiving();
        let quiet = self.modem.receiver.rssi_valid() && !self.modem.receiver.energy();
        match self.registers.cca_mode() {
            0 => true,
            1 => quiet,
            2 => self.modem.receiver.rssi_valid() && silent,
            _ => quiet && silent,
        }
    }
}

/// What frame filtering compares with.
fn identity(ffsm: &[u8; FFSM_OCTETS], registers: &Registers) -> Identity {
    let (pan_id, short, extended) = addresses(ffsm, [PAN_ID, SHORT_ADDR, EXT_ADDR]);
    Identity {
        pan_id,
        short,
        extended,
        coordinator: registers.pan_coordinator(),
        reserved_accepted: true,
        any_beacon: false,
    }
}
