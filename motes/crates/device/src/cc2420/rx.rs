//! Reception: energy, synchronisation, octets into the RXFIFO, address recognition, FCS, acknowledgement.

use super::air::{AirIn, Signal, TxId};
use super::filter::{Decision, Identity, decide};
use super::registers::SYNCWORD;
use super::rxfifo::FIFO_OCTETS;
use super::{Cc2420, Cc2420Config, Fsm, OCTET, fcs};
use crate::Ps;
use std::collections::VecDeque;

/// A carrier that is on.
#[derive(Clone, Copy)]
struct Carrier {
    tx: TxId,
    since: Ps,
    channel: u8,
    rssi_dbm: i8,
    decodable: bool,
}

/// A frame being received.
struct Frame {
    tx: TxId,
    rssi_dbm: i8,
    /// Octets so far, length included.
    received: usize,
    length: usize,
    fcs: u16,
    /// PSDU without FCS, as received.
    mpdu: Vec<u8>,
    decision: Decision,
    /// At least one octet was spoilt.
    damaged: bool,
    /// Another carrier disturbed the octet that is being received.
    disturbed: bool,
}

/// Receiver.
pub(super) struct Rx {
    carriers: Vec<Carrier>,
    channel: u8,
    /// Since when it searches for a delimiter.
    search_since: Ps,
    frame: Option<Frame>,
    /// SFD pin, receive side.
    pub(super) sfd: bool,
    pub(super) rssi_valid: bool,
    valid_due: Option<Ps>,
    rssi_dbm: i8,
    /// Steps of energy that have not yet reached the RSSI.
    steps: VecDeque<(Ps, i8)>,
    /// Energy above the CCA threshold, with hysteresis.
    energy: bool,
    noise: u64,
    /// Frame-pending bit of acknowledgements (SACKPEND).
    pending: bool,
    /// SACK or SACKPEND came during the frame.
    ack_requested: bool,
    /// Sequence number of the last frame and whether its FCS was right.
    last: Option<(u8, bool)>,
}

impl Rx {
    pub(super) fn new(config: &Cc2420Config) -> Rx {
        Rx {
            carriers: Vec::new(),
            channel: 0,
            search_since: Ps::ZERO,
            frame: None,
            sfd: false,
            rssi_valid: false,
            valid_due: None,
            rssi_dbm: config.noise_floor_dbm,
            steps: VecDeque::new(),
            energy: false,
            noise: config.noise_seed,
            pending: false,
            ack_requested: false,
            last: None,
        }
    }

    /// Sets the channel of the receiver.
    pub(super) fn tune(&mut self, channel: u8) {
        self.channel = channel;
    }

    /// SFD inactive.
    pub(super) fn release_sfd(&mut self) {
        self.sfd = false;
    }

    /// Next octet of the noise sequence (SplitMix64), never 0.
    fn noise(&mut self) -> u8 {
        self.noise = self.noise.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.noise;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 56) as u8 | 1
    }

    /// Whether a carrier other than `tx` spoils a signal of `rssi_dbm`.
    fn disturbed(&self, tx: TxId, rssi_dbm: i8, capture_db: u8) -> bool {
        let limit = i16::from(rssi_dbm) - i16::from(capture_db);
        let near = |carrier: &Carrier| carrier.channel == self.channel && i16::from(carrier.rssi_dbm) > limit;
        self.carriers.iter().any(|carrier| carrier.tx != tx && near(carrier))
    }
}

impl Cc2420 {
    /// RX_SFD_SEARCH. `from_off`: the receiver was off, RSSI starts anew.
    pub(super) fn search(&mut self, at: Ps, from_off: bool) {
        self.fsm = Fsm::RxSearch;
        self.fsm_due = None;
        self.rx.frame = None;
        self.rx.search_since = at;
        if from_off {
            self.rx.valid_due = Some(at + self.config.rssi_window);
        }
    }

    /// The receiver goes off. What it stored of an unfinished frame stays in the RXFIFO.
    pub(super) fn abort_rx(&mut self) {
        if self.rx.frame.take().is_some() && self.fsm == Fsm::RxFrame {
            self.rxfifo.abandon_frame();
        }
        self.rx.sfd = false;
        self.rx.rssi_valid = false;
        self.rx.valid_due = None;
        self.rx.steps.clear();
        self.rx.ack_requested = false;
    }

    pub(super) fn air_event(&mut self, event: AirIn) {
        match event.signal {
            Signal::Start {
                channel,
                rssi_dbm,
                decodable,
            } => {
                self.rx.carriers.push(Carrier {
                    tx: event.tx,
                    since: event.at,
                    channel,
                    rssi_dbm,
                    decodable,
                });
                self.energy_changed(event.at);
            }
            Signal::Sfd { syncword } => self.delimiter(event.at, event.tx, syncword),
            Signal::Octet(octet) => {
                if self.rx.frame.as_ref().is_some_and(|frame| frame.tx == event.tx) {
                    self.receive_octet(event.at, octet);
                }
            }
            Signal::End => {
                self.rx.carriers.retain(|carrier| carrier.tx != event.tx);
                self.energy_changed(event.at);
                if self.rx.frame.as_ref().is_some_and(|frame| frame.tx == event.tx) {
                    self.fsm_due = Some(event.at + OCTET);
                }
            }
        }
    }

    /// A delimiter ends: synchronise if enough of the preamble was heard and nothing drowned it.
    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16) {
        let Some(&carrier) = self.rx.carriers.iter().find(|carrier| carrier.tx == tx) else {
            return;
        };
        let needed = OCTET.0 * (1 + u64::from(self.config.lock_preamble_octets));
        let latest = Ps(at.0.saturating_sub(needed));
        let heard = self.rx.search_since <= latest && carrier.since <= latest;
        let tuned = carrier.channel == self.rx.channel && carrier.channel != 0;
        let clean = !self.rx.disturbed(tx, carrier.rssi_dbm, self.config.capture_db);
        let right = carrier.decodable && syncword == self.registers.get(SYNCWORD);
        if self.fsm == Fsm::RxSearch && heard && tuned && clean && right {
            self.fsm = Fsm::RxFrame;
            self.rx.sfd = true;
            self.rx.ack_requested = false;
            let decision = if self.registers.adr_decode() {
                Decision::NeedMore
            } else {
                Decision::Accept
            };
            self.rxfifo.begin_frame(decision == Decision::Accept);
            self.rx.frame = Some(Frame {
                tx,
                rssi_dbm: carrier.rssi_dbm,
                received: 0,
                length: 0,
                fcs: 0,
                mpdu: Vec::with_capacity(FIFO_OCTETS),
                decision,
                damaged: false,
                disturbed: false,
            });
        }
    }

    /// The transmitter fell silent inside the frame; the demodulator goes on.
    pub(super) fn noise_octet(&mut self, at: Ps) {
        let octet = self.rx.noise();
        if let Some(frame) = &mut self.rx.frame {
            frame.damaged = true;
            self.fsm_due = Some(at + OCTET);
            self.receive_octet(at, octet);
        }
    }

    fn receive_octet(&mut self, at: Ps, octet: u8) {
        let Some(mut frame) = self.rx.frame.take() else { return };
        let mut octet = octet;
        if frame.disturbed || self.rx.disturbed(frame.tx, frame.rssi_dbm, self.config.capture_db) {
            octet ^= self.rx.noise();
            frame.damaged = true;
            frame.disturbed = false;
        }
        let index = frame.received;
        frame.received += 1;
        let stored = if index == 0 {
            frame.length = usize::from(octet & 0x7F);
            octet & 0x7F
        } else {
            frame.fcs = fcs::update(frame.fcs, octet);
            if index + 2 <= frame.length {
                frame.mpdu.push(octet);
            }
            self.appended(&frame, index).unwrap_or(octet)
        };
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
        if frame.received > frame.length {
            self.end_rx(at, &frame);
        } else {
            self.rx.frame = Some(frame);
        }
        self.security_poll(at);
    }

    /// With AUTOCRC the FCS is replaced by RSSI and by the verdict on the FCS with the correlation value.
    fn appended(&self, frame: &Frame, index: usize) -> Option<u8> {
        if !self.registers.autocrc() || frame.length < 2 {
            return None;
        }
        if index + 1 == frame.length {
            return Some(rssi_value(frame.rssi_dbm, self.config.rssi_offset_db));
        }
        let right = frame.fcs == 0 && !frame.damaged;
        (index == frame.length).then_some(u8::from(right) << 7 | self.config.correlation & 0x7F)
    }

    /// Address recognition, as far as the octets go.
    fn recognise(&mut self, frame: &mut Frame) {
        if frame.decision == Decision::NeedMore && frame.received > 0 {
            frame.decision = decide(&frame.mpdu, &self.identity());
            if frame.decision == Decision::NeedMore && frame.received > frame.length {
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

    fn end_rx(&mut self, at: Ps, frame: &Frame) {
        if self.fsm != Fsm::RxFrame {
            return self.search(at, false);
        }
        self.rxfifo.end_frame();
        self.rx.sfd = false;
        let right = frame.length >= 2 && frame.fcs == 0 && !frame.damaged;
        let sequence = frame.mpdu.get(2).copied();
        self.rx.last = sequence.map(|sequence| (sequence, right));
        let fcf = frame.mpdu.first().copied().unwrap_or(0);
        // AUTOACK makes sense only with address recognition and AUTOCRC; acknowledged are data and command frames.
        let automatic = self.registers.autoack() && self.registers.adr_decode() && self.registers.autocrc();
        let wanted = automatic && fcf & 0x20 != 0 && matches!(fcf & 7, 1 | 3);
        let asked = std::mem::take(&mut self.rx.ack_requested);
        match sequence {
            Some(sequence) if right && (wanted || asked) => self.start_ack(at, sequence),
            _ => self.search(at, false),
        }
    }

    /// SACK, SACKPEND: during a frame, acknowledge it when it is over; after it, at once; with AUTOACK outside of a
    /// frame only the frame-pending bit of later acknowledgements changes.
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

    /// A carrier went on or off.
    fn energy_changed(&mut self, at: Ps) {
        let level = self.ambient_dbm();
        if self.rx.rssi_valid {
            self.rx.steps.push_back((at + self.config.rssi_window, level));
        }
        if let Some(mut frame) = self.rx.frame.take() {
            frame.disturbed |= self.rx.disturbed(frame.tx, frame.rssi_dbm, self.config.capture_db);
            self.rx.frame = Some(frame);
        }
    }

    /// The strongest carrier on the channel, or the noise floor.
    fn ambient_dbm(&self) -> i8 {
        let on_channel = self
            .rx
            .carriers
            .iter()
            .filter(|carrier| carrier.channel == self.rx.channel);
        on_channel
            .map(|carrier| carrier.rssi_dbm)
            .fold(self.config.noise_floor_dbm, i8::max)
    }

    pub(super) fn rssi_due(&self) -> Option<Ps> {
        self.rx
            .valid_due
            .into_iter()
            .chain(self.rx.steps.front().map(|step| step.0))
            .min()
    }

    pub(super) fn rssi_event(&mut self, at: Ps) {
        if self.rx.valid_due == Some(at) {
            self.rx.valid_due = None;
            self.rx.rssi_valid = true;
            self.rx.rssi_dbm = self.ambient_dbm();
            self.rx.energy = false;
        }
        while let Some((_, level)) = self.rx.steps.pop_front_if(|step| step.0 <= at) {
            self.rx.rssi_dbm = level;
        }
        self.update_energy();
    }

    /// Compares RSSI with the CCA threshold.
    pub(super) fn update_energy(&mut self) {
        let value = i16::from(rssi_value(self.rx.rssi_dbm, self.config.rssi_offset_db) as i8);
        let threshold = self.registers.cca_threshold();
        if value >= threshold {
            self.rx.energy = true;
        } else if value < threshold - self.registers.cca_hyst_db() {
            self.rx.energy = false;
        }
    }

    /// Clear channel assessment; false while RSSI is not valid.
    pub(super) fn channel_clear(&self) -> bool {
        let silent = !matches!(self.fsm, Fsm::RxFrame | Fsm::RxWait);
        let clear = match self.registers.cca_mode() {
            1 => !self.rx.energy,
            2 => silent,
            _ => !self.rx.energy && silent,
        };
        self.rx.rssi_valid && clear
    }

    /// RSSI_VAL: −128 while it is not valid.
    pub(super) fn rssi_register(&self) -> u8 {
        if self.rx.rssi_valid {
            rssi_value(self.rx.rssi_dbm, self.config.rssi_offset_db)
        } else {
            0x80
        }
    }
}

/// RSSI_VAL for a level.
fn rssi_value(level_dbm: i8, offset_db: i8) -> u8 {
    let value = i16::from(level_dbm) - i16::from(offset_db);
    value.clamp(-128, 127) as i8 as u8
}
