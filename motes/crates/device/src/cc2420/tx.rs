//! Transmission: calibration, preamble, delimiter, TXFIFO or acknowledgement, FCS, and back to
//! reception.

use super::registers::SYNCWORD;
use super::{Cc2420, Fsm, power};
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
    /// TX_UNDERFLOW of the status octet.
    pub(super) underflow: bool,
    /// SFD pin, transmit side.
    pub(super) sfd: bool,
    ack: Option<Ack>,
    /// The delimiter is on the air.
    delimiter: bool,
    frame: Outgoing,
}

impl Tx {
    /// Octets in the TXFIFO.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Where the next octet written goes. After a complete transmission that is the beginning,
    /// except after an underflow.
    pub(super) fn next_place(&mut self) -> Option<usize> {
        if self.sent {
            (self.sent, self.written) = (false, 0);
        }
        let place = Some(self.written).filter(|&place| place < FIFO_OCTETS)?;
        self.written += 1;
        Some(place)
    }

    /// SFLUSHTX.
    pub(super) fn flush(&mut self) {
        self.written = 0;
        self.sent = false;
        self.underflow = false;
    }
}

impl Cc2420 {
    /// Announces a transmission of the TXFIFO or of `ack` and begins its calibration.
    pub(super) fn start_tx(&mut self, now: Ps, ack: Option<Ack>) {
        let span = match ack {
            Some(_) => self.config.ack_turnaround,
            None if self.registers.tx_turnaround_long() => self.config.tx_turnaround,
            None => self.config.tx_turnaround_short,
        };
        self.fsm = if ack.is_some() {
            Fsm::AckCalibrate
        } else {
            Fsm::TxCalibrate
        };
        self.fsm_due = Some(now + span);
        self.tx.ack = ack;
        let power_dbm = power::TX_STATES[usize::from(self.registers.pa_level() / 4)].1;
        self.air.push(AirOut::Start {
            at: now + span,
            channel: self.registers.channel(),
            power_dbm,
        });
    }

    /// The carrier goes off before the frame is over.
    pub(super) fn abort_tx(&mut self, now: Ps) {
        if self.fsm.transmits() {
            self.tx.sfd = false;
            self.air.push(AirOut::End { at: now });
        }
    }

    /// A part of the transmission is over.
    pub(super) fn tx_event(&mut self, at: Ps) {
        match self.fsm {
            Fsm::TxCalibrate | Fsm::AckCalibrate => {
                self.fsm = if self.tx.ack.is_some() {
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
                    syncword: self.registers.get(SYNCWORD),
                });
                self.fsm_due = Some(at + OCTET);
            }
            Fsm::TxPreamble | Fsm::AckPreamble => {
                self.fsm = if self.tx.ack.is_some() {
                    Fsm::AckFrame
                } else {
                    Fsm::TxFrame
                };
                self.tx.sfd = true;
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

    /// Octet `index` of the acknowledgement or the TXFIFO, if it is there and the engine is done
    /// with it.
    fn stored_octet(&self, index: usize) -> Option<u8> {
        match self.tx.ack {
            Some(ack) => ack.get(index).copied(),
            None => Some(self.ram[index])
                .filter(|_| index < self.tx.written.min(self.security.tx_ready())),
        }
    }

    fn underflow(&mut self, at: Ps) {
        self.abort_tx(at);
        self.tx.underflow = true;
        self.fsm = Fsm::TxUnderflow;
    }

    fn end_tx(&mut self, at: Ps) {
        self.abort_tx(at);
        if self.tx.ack.is_none() {
            self.tx.sent = true;
        }
        self.calibrate_rx(at, self.config.tx_to_rx);
    }
}
