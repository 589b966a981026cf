//! Transmission: calibration, preamble, delimiter, TXFIFO or acknowledgement, FCS.

use super::{Fsm, RfCore, SYNCWORD, error, irq1};
use crate::Ps;
use crate::air::{AirOut, OCTET};
use crate::outgoing::Outgoing;
use crate::rxfifo::FIFO_OCTETS;

/// Length, frame control field and sequence number of an acknowledgement.
pub(super) type Ack = [u8; 4];

/// TXFIFO pointers and the frame being sent.
#[derive(Default)]
pub(super) struct Tx {
    /// Octets in the TXFIFO.
    written: usize,
    /// The frame in the TXFIFO was sent: the next write begins a new one.
    sent: bool,
    /// SFD of the transmitter.
    pub(super) sfd: bool,
    ack: Option<Ack>,
    /// The delimiter is on the air.
    delimiter: bool,
    /// Octets of the TXFIFO that are sent.
    taken: usize,
    frame: Outgoing,
}

impl Tx {
    /// Octets in the TXFIFO.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Octets of it that are sent.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Where the next octet written goes; `None`: the FIFO is full.
    pub(super) fn next_place(&mut self) -> Option<usize> {
        if self.sent {
            self.flush();
        }
        let place = Some(self.written).filter(|&place| place < FIFO_OCTETS)?;
        self.written += 1;
        Some(place)
    }

    /// SFLUSHTX.
    pub(super) fn flush(&mut self) {
        (self.written, self.sent, self.taken) = (0, false, 0);
    }
}

impl RfCore {
    /// Announces a transmission of the TXFIFO or of `ack` and begins its calibration.
    pub(super) fn start_tx(&mut self, now: Ps, ack: Option<Ack>) {
        let (fsm, span) = match ack {
            Some(_) => (Fsm::AckCalibrate, self.timing.ack_turnaround),
            None => (Fsm::TxCalibrate, self.timing.tx_turnaround),
        };
        self.fsm = fsm;
        self.fsm_due = Some(now + span);
        self.tx.ack = ack;
        self.air.push(AirOut::Start {
            at: now + span,
            channel: self.registers.channel(),
            power_dbm: self.registers.power_dbm(),
        });
    }

    /// The carrier goes off.
    pub(super) fn abort_tx(&mut self, now: Ps) {
        if self.fsm.transmits() {
            self.tx.sfd = false;
            self.air.push(AirOut::End { at: now });
        }
    }

    /// A part of the transmission is over.
    pub(super) fn tx_event(&mut self, at: Ps) {
        let acknowledges = self.tx.ack.is_some();
        match self.fsm {
            Fsm::TxCalibrate | Fsm::AckCalibrate => {
                self.fsm = if acknowledges {
                    Fsm::AckPreamble
                } else {
                    Fsm::TxPreamble
                };
                self.tx.delimiter = false;
                self.fsm_due = Some(at + Ps(OCTET.0 * self.registers.preamble_octets()));
            }
            Fsm::TxPreamble | Fsm::AckPreamble if !self.tx.delimiter => {
                self.tx.delimiter = true;
                self.air.push(AirOut::Sfd {
                    at: at + OCTET,
                    syncword: SYNCWORD,
                });
                self.fsm_due = Some(at + OCTET);
            }
            Fsm::TxPreamble | Fsm::AckPreamble => {
                self.fsm = if acknowledges {
                    Fsm::AckFrame
                } else {
                    Fsm::TxFrame
                };
                self.tx.sfd = true;
                self.sfd_event(at);
                self.tx.frame = Outgoing::default();
                self.send_octet(at);
            }
            _ if self.tx.frame.over() => self.end_tx(at),
            _ => self.send_octet(at),
        }
    }

    /// Begins the next octet of the frame, or fails for want of it.
    fn send_octet(&mut self, at: Ps) {
        let generated = self.tx.ack.is_some() || self.registers.autocrc();
        let mut frame = std::mem::take(&mut self.tx.frame);
        let next = frame.next(generated, |index| self.stored_octet(index));
        self.tx.frame = frame;
        let Some(octet) = next else {
            return self.underflow(at);
        };
        self.air.push(AirOut::Octet {
            at: at + OCTET,
            octet,
        });
        self.fsm_due = Some(at + OCTET);
    }

    /// Octet `index` of the acknowledgement or the TXFIFO, if it is there.
    fn stored_octet(&mut self, index: usize) -> Option<u8> {
        if let Some(ack) = self.tx.ack {
            return ack.get(index).copied();
        }
        self.tx.taken = index + 1;
        let there = index < self.tx.written || self.registers.ignores_underflow();
        self.tx_ram.get(index).copied().filter(|_| there)
    }

    fn underflow(&mut self, at: Ps) {
        self.abort_tx(at);
        self.errf |= error::TXUNDERF;
        self.fsm = Fsm::TxUnderflow;
    }

    fn end_tx(&mut self, at: Ps) {
        self.abort_tx(at);
        if self.tx.ack.take().is_none() {
            self.tx.sent = true;
            self.irqf1 |= irq1::TXDONE;
        } else {
            self.irqf1 |= irq1::TXACKDONE;
        }
        self.receive_or_idle(at, self.timing.tx_to_rx);
    }
}
