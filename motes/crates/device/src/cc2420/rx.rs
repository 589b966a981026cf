//! Reception: octets into the RXFIFO, address recognition, FCS, acknowledgement.

use super::registers::{Registers, SYNCWORD};
use super::{Cc2420, RAM_OCTETS};
use crate::Ps;
use crate::air::TxId;
use crate::radio::filter::{Identity, addresses, decide};
use crate::radio::{FIFO_OCTETS, Fsm, Modem, Radio, Reception, acknowledgement};

/// Places of the local addresses in RAM.
const EXT_ADDR: usize = 0x160;
const PAN_ID: usize = 0x168;
const SHORT_ADDR: usize = 0x16A;

/// What acknowledgements depend on.
#[derive(Clone, Default)]
pub(super) struct Acknowledging {
    /// Frame-pending bit of acknowledgements (SACKPEND).
    pending: bool,
    /// SACK or SACKPEND came during the frame.
    requested: bool,
    /// Sequence number of the last frame and whether its FCS was right.
    last: Option<(u8, bool)>,
}

impl Radio for Cc2420 {
    fn modem(&mut self) -> &mut Modem {
        &mut self.modem
    }

    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16) {
        let matches = syncword == self.registers.get(SYNCWORD);
        if matches && self.modem.begin_frame(at, tx, self.registers.adr_decode()) {
            self.acks.requested = false;
        }
    }

    fn receive_octet(&mut self, at: Ps, octet: u8) {
        let Some((mut frame, index, octet)) = self.modem.receiver.octet(octet) else {
            return;
        };
        let stored = self.replaced(&frame, index).unwrap_or(octet);
        if self.modem.fsm == Fsm::RxFrame {
            let protect = self.registers.rxfifo_protection();
            if !self
                .modem
                .rxfifo
                .push(&mut self.ram[FIFO_OCTETS..2 * FIFO_OCTETS], stored, protect)
            {
                return self.modem.overflow();
            }
            let Cc2420 {
                modem,
                ram,
                registers,
                ..
            } = self;
            modem.recognise(&mut frame, |frame| {
                decide(&frame.mpdu, &identity(ram, registers))
            });
        }
        if frame.complete() {
            self.end_rx(at, &frame);
        } else {
            self.modem.receiver.go_on(frame);
        }
        self.security_poll(at);
    }

    fn abort_rx(&mut self) {
        self.modem.stop_reception();
        self.acks.requested = false;
    }
}

impl Cc2420 {
    /// What AUTOCRC stores instead of octet `index`: RSSI, and the verdict on the FCS with the
    /// correlation value.
    fn replaced(&self, frame: &Reception, index: usize) -> Option<u8> {
        let low = self.config.correlation;
        let replaced = self.modem.replaces_fcs(frame, index, low);
        replaced.filter(|_| self.registers.autocrc())
    }

    fn end_rx(&mut self, at: Ps, frame: &Reception) {
        if self.modem.fsm != Fsm::RxFrame {
            return self.modem.search(at, false);
        }
        self.modem.end_frame();
        let right = frame.right();
        let sequence = frame.mpdu.get(2).copied();
        self.acks.last = sequence.map(|sequence| (sequence, right));
        let fcf = frame.mpdu.first().copied().unwrap_or(0);
        // AUTOACK works only with address recognition and AUTOCRC. It acknowledges data and command
        // frames.
        let automatic =
            self.registers.autoack() && self.registers.adr_decode() && self.registers.autocrc();
        let wanted = automatic && fcf & 0x20 != 0 && matches!(fcf & 7, 1 | 3);
        let asked = std::mem::take(&mut self.acks.requested);
        match sequence {
            Some(sequence) if right && (wanted || asked) => self.start_ack(at, sequence),
            _ => self.modem.search(at, false),
        }
    }

    /// SACK, SACKPEND: during a frame, the radio acknowledges it at its end; after a frame, at
    /// once. With AUTOACK and outside a frame, only the frame-pending bit of later acknowledgements
    /// changes.
    pub(super) fn acknowledge(&mut self, now: Ps, pending: bool) {
        self.acks.pending = pending;
        match self.modem.fsm {
            Fsm::RxFrame => self.acks.requested = true,
            Fsm::RxSearch if !self.registers.autoack() => {
                if let Some((sequence, true)) = self.acks.last.take() {
                    self.start_ack(now, sequence);
                }
            }
            _ => {}
        }
    }

    fn start_ack(&mut self, now: Ps, sequence: u8) {
        let ack = acknowledgement(sequence, self.acks.pending);
        self.abort_rx();
        self.start_tx(now, Some(ack));
    }

    /// Clear channel assessment; false while RSSI is not valid.
    pub(super) fn channel_clear(&self) -> bool {
        let silent = !matches!(self.modem.fsm, Fsm::RxFrame | Fsm::RxWait);
        let clear = match self.registers.cca_mode() {
            1 => !self.modem.receiver.energy(),
            2 => silent,
            _ => !self.modem.receiver.energy() && silent,
        };
        self.modem.receiver.rssi_valid() && clear
    }
}

/// What address recognition compares with.
fn identity(ram: &[u8; RAM_OCTETS], registers: &Registers) -> Identity {
    let (pan_id, short, extended) = addresses(ram, [PAN_ID, SHORT_ADDR, EXT_ADDR]);
    Identity {
        pan_id,
        short,
        extended,
        coordinator: registers.pan_coordinator(),
        reserved_accepted: registers.reserved_frames_accepted(),
        any_beacon: registers.bcn_accept(),
    }
}
