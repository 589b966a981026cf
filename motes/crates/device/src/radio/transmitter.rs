//! The transmitter: pointers of the TXFIFO, and the parts of a transmission one after the other.

use super::medium::OCTET;
use super::modem::{Fsm, Modem};
use super::outgoing::Outgoing;
use super::rxfifo::FIFO_OCTETS;
use crate::Ps;
use crate::air::AirOut;

/// Length, frame control field and sequence number of an acknowledgement.
pub(crate) type Ack = [u8; 4];

/// A transmission that begins.
#[derive(Clone)]
pub(crate) struct Announcement {
    /// From now to the first preamble symbol.
    pub(crate) turnaround: Ps,
    /// 11..=26, or 0 for a frequency that is no channel.
    pub(crate) channel: u8,
    /// Output power.
    pub(crate) power_dbm: i8,
    /// The acknowledgement to send; `None` sends the TXFIFO.
    pub(crate) ack: Option<Ack>,
}

/// What goes before a frame.
#[derive(Clone)]
pub(crate) struct Header {
    /// Octets of the preamble.
    pub(crate) preamble_octets: u64,
    /// The start-of-frame delimiter.
    pub(crate) syncword: u16,
}

/// What the next part of a transmission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Preamble or delimiter: the modem sends it by itself.
    Header,
    /// The delimiter has ended, the frame's first octet is due.
    FirstOctet,
    /// Another octet of the frame is due.
    Octet,
    /// The frame is over.
    Over,
}

/// Pointers of the TXFIFO, and the frame that is sent.
#[derive(Clone, Default)]
pub(crate) struct Transmitter {
    /// Octets in the TXFIFO.
    written: usize,
    /// Octets of the TXFIFO that are sent.
    taken: usize,
    /// The frame in the TXFIFO was sent: the next write begins a new one.
    sent: bool,
    /// A frame is on the air, its delimiter has ended.
    pub(crate) sfd: bool,
    ack: Option<Ack>,
    /// The delimiter is on the air.
    delimiter: bool,
    frame: Outgoing,
}

impl Transmitter {
    /// Octets in the TXFIFO.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Octets of it that are sent.
    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// An acknowledgement is sent.
    pub(crate) fn acknowledges(&self) -> bool {
        self.ack.is_some()
    }

    /// Where the next octet written goes; `None`: the TXFIFO is full. After a complete transmission
    /// that is the beginning.
    pub(crate) fn next_place(&mut self) -> Option<usize> {
        if self.sent {
            self.flush();
        }
        let place = Some(self.written).filter(|&place| place < FIFO_OCTETS)?;
        self.written += 1;
        Some(place)
    }

    /// Empties the TXFIFO.
    pub(crate) fn flush(&mut self) {
        (self.written, self.taken, self.sent) = (0, 0, false);
    }
}

impl Modem {
    /// Announces a transmission and begins its calibration.
    pub(crate) fn begin_transmission(&mut self, now: Ps, begin: Announcement) {
        self.fsm = match begin.ack {
            Some(_) => Fsm::AckCalibrate,
            None => Fsm::TxCalibrate,
        };
        let at = now + begin.turnaround;
        self.fsm_due = Some(at);
        self.tx.ack = begin.ack;
        self.antenna.send(AirOut::Start {
            at,
            channel: begin.channel.into(),
            power_dbm: begin.power_dbm,
        });
    }

    /// The carrier goes off, if it is on.
    pub(crate) fn stop_transmission(&mut self, now: Ps) {
        if self.fsm.transmits() {
            self.tx.sfd = false;
            self.antenna.send(AirOut::End { at: now });
        }
    }

    /// A part of the transmission has ended: what follows.
    pub(crate) fn next_step(&mut self, at: Ps, header: &Header) -> Step {
        let acknowledges = self.tx.acknowledges();
        match self.fsm {
            Fsm::TxCalibrate | Fsm::AckCalibrate => {
                self.fsm = Fsm::preamble(acknowledges);
                self.tx.delimiter = false;
                self.fsm_due = Some(at + Ps(OCTET.0 * header.preamble_octets));
                Step::Header
            }
            Fsm::TxPreamble | Fsm::AckPreamble if !self.tx.delimiter => {
                self.tx.delimiter = true;
                let (at, syncword) = (at + OCTET, header.syncword);
                self.antenna.send(AirOut::Sync { at, syncword });
                self.fsm_due = Some(at);
                Step::Header
            }
            Fsm::TxPreamble | Fsm::AckPreamble => {
                self.fsm = Fsm::frame(acknowledges);
                self.tx.sfd = true;
                self.tx.frame = Outgoing::default();
                Step::FirstOctet
            }
            _ if self.tx.frame.over() => Step::Over,
            _ => Step::Octet,
        }
    }

    /// Begins the next octet of the frame: of the acknowledgement, or what `stored` finds in the
    /// TXFIFO at that place. `autocrc`: the modem makes the FCS. False: the octet is not there.
    pub(crate) fn send_octet(
        &mut self,
        at: Ps,
        autocrc: bool,
        stored: impl FnOnce(usize, &Transmitter) -> Option<u8>,
    ) -> bool {
        let mut frame = std::mem::take(&mut self.tx.frame);
        let next = frame.next(autocrc || self.tx.acknowledges(), |index| {
            if let Some(ack) = self.tx.ack {
                return ack.get(index).copied();
            }
            self.tx.taken = index + 1;
            stored(index, &self.tx)
        });
        self.tx.frame = frame;
        let Some(octet) = next else {
            return false;
        };
        let at = at + OCTET;
        self.antenna.send(AirOut::Octet { at, octet });
        self.fsm_due = Some(at);
        true
    }

    /// An octet of the frame is missing: the carrier goes off.
    pub(crate) fn underflow(&mut self, at: Ps) {
        self.stop_transmission(at);
        self.fsm = Fsm::TxUnderflow;
    }

    /// The frame has ended. True: it was an acknowledgement.
    pub(crate) fn end_transmission(&mut self, at: Ps) -> bool {
        self.stop_transmission(at);
        let acknowledged = self.tx.ack.take().is_some();
        self.tx.sent |= !acknowledged;
        acknowledged
    }
}
