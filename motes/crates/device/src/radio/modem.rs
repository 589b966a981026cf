//! The modem's state machine and its receiving side.

use super::antenna::Antenna;
use super::filter::Decision;
use super::medium::OCTET;
use super::receiver::{Ear, Heard, Receiver, Reception};
use super::rxfifo::RxFifo;
use super::transmitter::Transmitter;
use crate::Ps;
use crate::air::{AirIn, TxId};

/// State of a radio. Each chip has its own numbers for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fsm {
    /// Without a clock; the CC2538 has no such state of its own.
    PowerDown,
    Idle,
    RxCalibrate,
    RxSearch,
    RxFrame,
    /// The modem waits for the end of a rejected frame; on the CC2538 also for the end of the pause
    /// after a frame.
    RxWait,
    RxOverflow,
    TxCalibrate,
    TxPreamble,
    TxFrame,
    /// After STXCAL: the synthesizer runs, nothing is sent.
    TxCalibrated,
    AckCalibrate,
    AckPreamble,
    AckFrame,
    TxUnderflow,
}

impl Fsm {
    /// A transmission is announced or under way.
    #[inline]
    pub(crate) fn transmits(self) -> bool {
        use Fsm::*;
        matches!(
            self,
            TxCalibrate | TxPreamble | TxFrame | AckCalibrate | AckPreamble | AckFrame
        )
    }

    /// The receiver is on, calibration included.
    #[inline]
    pub(crate) fn receives(self) -> bool {
        use Fsm::*;
        matches!(self, RxCalibrate | RxSearch | RxWait | RxFrame | RxOverflow)
    }

    /// The preamble of an acknowledgement or of another frame.
    pub(super) fn preamble(acknowledges: bool) -> Fsm {
        if acknowledges {
            Fsm::AckPreamble
        } else {
            Fsm::TxPreamble
        }
    }

    /// The octets of an acknowledgement or of another frame.
    pub(super) fn frame(acknowledges: bool) -> Fsm {
        if acknowledges {
            Fsm::AckFrame
        } else {
            Fsm::TxFrame
        }
    }
}

/// The modem of one radio.
#[derive(Clone)]
pub(crate) struct Modem {
    pub(crate) fsm: Fsm,
    /// When the state machine next moves by itself.
    pub(crate) fsm_due: Option<Ps>,
    pub(crate) receiver: Receiver,
    pub(crate) rxfifo: RxFifo,
    /// A frame is received, its delimiter has ended.
    pub(crate) rx_sfd: bool,
    pub(crate) tx: Transmitter,
    pub(crate) antenna: Antenna,
}

impl Modem {
    /// A modem in state `fsm`, both FIFOs empty.
    pub(crate) fn new(fsm: Fsm, ear: Ear, noise_seed: u64) -> Modem {
        Modem {
            fsm,
            fsm_due: None,
            receiver: Receiver::new(ear, noise_seed),
            rxfifo: RxFifo::default(),
            rx_sfd: false,
            tx: Transmitter::default(),
            antenna: Antenna::default(),
        }
    }

    /// Queues what the antenna will hear.
    pub(crate) fn hear(&mut self, event: AirIn) {
        let listens = matches!(self.fsm, Fsm::RxSearch | Fsm::RxFrame | Fsm::RxWait);
        self.antenna.hear(event, listens);
    }

    /// When a receiver that is on hears the next event.
    #[inline]
    pub(crate) fn air_due(&self) -> Option<Ps> {
        self.antenna.next().filter(|_| self.fsm.receives())
    }

    /// The receiver calibrates for `span`, then searches on `channel`.
    pub(crate) fn calibrate_rx(&mut self, now: Ps, channel: u8, span: Ps) {
        self.receiver.tune(channel);
        self.fsm = Fsm::RxCalibrate;
        self.fsm_due = Some(now + span);
    }

    /// The synthesizer calibrates for `span`; nothing is sent.
    pub(crate) fn calibrate_tx(&mut self, now: Ps, span: Ps) {
        self.fsm = Fsm::TxCalibrated;
        self.fsm_due = Some(now + span);
    }

    /// Searches for a delimiter. `from_off`: the receiver was off, RSSI starts anew.
    pub(crate) fn search(&mut self, at: Ps, from_off: bool) {
        self.fsm = Fsm::RxSearch;
        self.fsm_due = None;
        self.receiver.search(at, from_off);
    }

    /// The receiver goes off. What it stored of an unfinished frame stays in the RXFIFO; true if
    /// there was one.
    pub(crate) fn stop_reception(&mut self) -> bool {
        let unfinished = self.receiver.stop() && self.fsm == Fsm::RxFrame;
        if unfinished {
            self.rxfifo.abandon_frame();
        }
        self.rx_sfd = false;
        unfinished
    }

    /// Follows an event in the air, and says what it means. Once the transmitter of the frame has
    /// stopped, the next octet is noise.
    pub(crate) fn follow(&mut self, event: AirIn) -> Heard {
        let heard = self.receiver.hear(event);
        if let Heard::Silence = heard {
            self.fsm_due = Some(event.at + OCTET);
        }
        heard
    }

    /// A delimiter of `tx` ends: begins a frame, if the receiver searches and hears it well enough.
    /// `filtered`: the frame must pass address recognition.
    pub(crate) fn begin_frame(&mut self, at: Ps, tx: TxId, filtered: bool) -> bool {
        let decision = if filtered {
            Decision::NeedMore
        } else {
            Decision::Accept
        };
        let begins = self.fsm == Fsm::RxSearch && self.receiver.lock(at, tx, decision);
        if begins {
            self.fsm = Fsm::RxFrame;
            self.rx_sfd = true;
            self.rxfifo.begin_frame(!filtered);
        }
        begins
    }

    /// The octet that the demodulator reads out of noise while a frame is being received.
    pub(crate) fn noise_octet(&mut self, at: Ps) -> Option<u8> {
        let octet = self.receiver.noise_octet()?;
        self.fsm_due = Some(at + OCTET);
        Some(octet)
    }

    /// What AUTOCRC stores instead of octet `index`, if that is one of the FCS: RSSI, then the
    /// verdict on the FCS with the lower seven bits of `low`.
    pub(crate) fn replaces_fcs(&self, frame: &Reception, index: usize, low: u8) -> Option<u8> {
        match (index + 1).checked_sub(frame.length)? {
            _ if index == 0 || frame.length < 2 => None,
            0 => Some(self.receiver.rssi_value(frame.rssi_dbm)),
            1 => Some(u8::from(frame.right()) << 7 | low & 0x7F),
            _ => None,
        }
    }

    /// Lets `decide` look at the frame, as long as it is undecided. A rejected frame leaves the
    /// RXFIFO and is waited out. True: the frame has just passed.
    pub(crate) fn recognise(
        &mut self,
        frame: &mut Reception,
        decide: impl FnOnce(&Reception) -> Decision,
    ) -> bool {
        if frame.decision != Decision::NeedMore || frame.received == 0 {
            return false;
        }
        frame.decision = match decide(frame) {
            Decision::NeedMore if frame.complete() => Decision::Reject,
            decision => decision,
        };
        match frame.decision {
            Decision::Accept => self.rxfifo.accept(),
            Decision::Reject => {
                self.rxfifo.reject_frame();
                self.rx_sfd = false;
                self.fsm = Fsm::RxWait;
            }
            Decision::NeedMore => {}
        }
        frame.decision == Decision::Accept
    }

    /// No room in the RXFIFO: reception stops until SFLUSHRX.
    pub(crate) fn overflow(&mut self) {
        self.rxfifo.abandon_frame();
        self.fsm = Fsm::RxOverflow;
        self.fsm_due = None;
    }

    /// All octets of the frame are stored.
    pub(crate) fn end_frame(&mut self) {
        self.rxfifo.end_frame();
        self.rx_sfd = false;
    }

    /// Is a flush of the RXFIFO to start the demodulator anew?
    pub(crate) fn holds_frame(&self) -> bool {
        matches!(self.fsm, Fsm::RxFrame | Fsm::RxOverflow | Fsm::RxWait)
    }
}

/// The acknowledgement of the frame with this sequence number.
pub(crate) fn acknowledgement(sequence: u8, pending: bool) -> [u8; 4] {
    const LENGTH: u8 = 5;
    const TYPE_ACK: u8 = 2;
    const FRAME_PENDING: u8 = 1 << 4;
    let control = TYPE_ACK | if pending { FRAME_PENDING } else { 0 };
    [LENGTH, control, 0x00, sequence]
}
