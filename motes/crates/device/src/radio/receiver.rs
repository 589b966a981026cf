//! The receiver that both radios share: carriers on the band, energy, the search for a
//! start-of-frame delimiter, and octets that other carriers corrupt. Each radio handles the
//! received octets itself.

use super::fcs;
use super::filter::Decision;
use super::medium::OCTET;
use crate::Ps;
use crate::air::{AirIn, Signal, TxId};
use crate::random::split_mix;
use std::collections::VecDeque;

/// Octets of the longest frame with its length octet.
const FRAME_OCTETS: usize = 128;

/// Levels that differ by less are equal: sums of powers are rounded.
const EQUAL_DB: f64 = 1e-6;

/// How well a receiver hears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ear {
    /// Preamble octets that a receiver must hear before a start-of-frame delimiter to find it.
    pub lock_preamble_octets: u8,
    /// A frame survives what else is on its channel, other frames together or noise, if that is
    /// weaker by this much.
    pub capture_db: u8,
    /// Level on a silent channel.
    pub noise_floor_dbm: i8,
    /// RSSI value = level in dBm − this.
    pub rssi_offset_db: i8,
    /// RSSI is valid this long after the receiver is on and follows a step of energy this late. The
    /// chip averages over this window; the model lets the whole step take effect at its end.
    pub rssi_window: Ps,
}

/// Threshold and hysteresis of the clear channel assessment, in units of the RSSI value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CcaLimits {
    pub(crate) threshold: i16,
    pub(crate) hysteresis: i16,
}

/// A carrier that is on.
#[derive(Clone, Copy)]
struct Carrier {
    tx: TxId,
    since: Ps,
    channel: u32,
    rssi_dbm: i8,
    decodable: bool,
}

/// A frame being received.
#[derive(Clone)]
pub(crate) struct Reception {
    tx: TxId,
    pub(crate) rssi_dbm: i8,
    /// Octets so far, length included.
    pub(crate) received: usize,
    pub(crate) length: usize,
    fcs: u16,
    /// PSDU without FCS, as received.
    pub(crate) mpdu: Vec<u8>,
    pub(crate) decision: Decision,
    /// At least one octet was spoilt.
    damaged: bool,
    /// Another carrier disturbed the octet that is being received.
    disturbed: bool,
}

impl Reception {
    /// FCS right and nothing spoilt; for a complete frame.
    pub(crate) fn right(&self) -> bool {
        self.length >= 2 && self.fcs == 0 && !self.damaged
    }

    /// All octets are there.
    pub(crate) fn complete(&self) -> bool {
        self.received > self.length
    }

    /// Takes the next octet; index 0 is the length. Returns its index and what a FIFO stores of it.
    fn take(&mut self, octet: u8) -> (usize, u8) {
        let index = self.received;
        self.received += 1;
        if index == 0 {
            self.length = usize::from(octet & 0x7F);
            return (0, octet & 0x7F);
        }
        self.fcs = fcs::update(self.fcs, octet);
        if index + 2 <= self.length {
            self.mpdu.push(octet);
        }
        (index, octet)
    }
}

/// What an event in the air means to the radio.
#[derive(Clone)]
pub(crate) enum Heard {
    /// A delimiter ended.
    Delimiter { tx: TxId, syncword: u16 },
    /// An octet of the frame being received.
    Octet(u8),
    /// The transmitter of the frame being received fell silent.
    Silence,
    /// Nothing to do.
    Nothing,
}

/// The receiving side.
#[derive(Clone)]
pub(crate) struct Receiver {
    ear: Ear,
    carriers: Vec<Carrier>,
    channel: u32,
    /// Since when it searches for a delimiter.
    search_since: Ps,
    frame: Option<Reception>,
    rssi_valid: bool,
    valid_due: Option<Ps>,
    rssi_dbm: i8,
    /// Steps of energy that have not yet reached the RSSI.
    steps: VecDeque<(Ps, i8)>,
    /// Energy above the CCA threshold, with hysteresis.
    energy: bool,
    noise: u64,
}

impl Receiver {
    pub(crate) fn new(ear: Ear, noise_seed: u64) -> Receiver {
        Receiver {
            ear,
            carriers: Vec::new(),
            channel: 0,
            search_since: Ps::ZERO,
            frame: None,
            rssi_valid: false,
            valid_due: None,
            rssi_dbm: ear.noise_floor_dbm,
            steps: VecDeque::new(),
            energy: false,
            noise: noise_seed,
        }
    }

    /// Sets the channel of the receiver.
    pub(crate) fn tune(&mut self, channel: u8) {
        self.channel = channel.into();
    }

    /// Searches for a delimiter from `at` on. `from_off`: the receiver was off, RSSI starts anew.
    pub(crate) fn search(&mut self, at: Ps, from_off: bool) {
        self.frame = None;
        self.search_since = at;
        if from_off {
            self.valid_due = Some(at + self.ear.rssi_window);
        }
    }

    /// The receiver goes off. True: a frame was being received.
    pub(crate) fn stop(&mut self) -> bool {
        self.rssi_valid = false;
        self.valid_due = None;
        self.steps.clear();
        self.frame.take().is_some()
    }

    /// Follows the carriers and says what the event means.
    pub(crate) fn hear(&mut self, event: AirIn) -> Heard {
        match event.signal {
            Signal::Start {
                channel,
                rssi_dbm,
                decodable,
            } => {
                self.carriers.push(Carrier {
                    tx: event.tx,
                    since: event.at,
                    channel,
                    rssi_dbm,
                    decodable,
                });
                self.energy_changed(event.at);
                Heard::Nothing
            }
            Signal::Sync { syncword } => Heard::Delimiter {
                tx: event.tx,
                syncword,
            },
            Signal::Octet(octet) if self.receives(event.tx) => Heard::Octet(octet),
            Signal::Octet(_) => Heard::Nothing,
            Signal::End => {
                self.carriers.retain(|carrier| carrier.tx != event.tx);
                self.energy_changed(event.at);
                if self.receives(event.tx) {
                    Heard::Silence
                } else {
                    Heard::Nothing
                }
            }
        }
    }

    /// A frame is being received, wanted or not.
    pub(crate) fn receiving(&self) -> bool {
        self.frame.is_some()
    }

    fn receives(&self, tx: TxId) -> bool {
        self.frame.as_ref().is_some_and(|frame| frame.tx == tx)
    }

    /// A delimiter of `tx` ends at `at`: begins a frame if enough of the preamble was heard and
    /// nothing drowned it.
    pub(crate) fn lock(&mut self, at: Ps, tx: TxId, decision: Decision) -> bool {
        let Some(&carrier) = self.carriers.iter().find(|carrier| carrier.tx == tx) else {
            return false;
        };
        let needed = OCTET.0 * (1 + u64::from(self.ear.lock_preamble_octets));
        let latest = Ps(at.0.saturating_sub(needed));
        let heard = self.search_since <= latest && carrier.since <= latest;
        let tuned = carrier.channel == self.channel && carrier.channel != 0;
        if !heard || !tuned || !carrier.decodable || self.disturbed(tx, carrier.rssi_dbm) {
            return false;
        }
        self.frame = Some(Reception {
            tx,
            rssi_dbm: carrier.rssi_dbm,
            received: 0,
            length: 0,
            fcs: 0,
            mpdu: Vec::with_capacity(FRAME_OCTETS),
            decision,
            damaged: false,
            disturbed: false,
        });
        true
    }

    /// Takes out the frame being received together with the octet that ended: its index and what a
    /// FIFO stores of it. The caller gives the frame back with [`Receiver::go_on`] unless it is
    /// over.
    pub(crate) fn octet(&mut self, octet: u8) -> Option<(Reception, usize, u8)> {
        let mut frame = self.frame.take()?;
        let mut octet = octet;
        if frame.disturbed || self.disturbed(frame.tx, frame.rssi_dbm) {
            octet ^= self.noise();
            frame.damaged = true;
            frame.disturbed = false;
        }
        let (index, stored) = frame.take(octet);
        Some((frame, index, stored))
    }

    /// The transmitter has stopped inside the frame; the demodulator goes on with this octet.
    pub(crate) fn noise_octet(&mut self) -> Option<u8> {
        let noise = self.noise();
        let frame = self.frame.as_mut()?;
        frame.damaged = true;
        Some(noise)
    }

    /// The frame is not over yet.
    pub(crate) fn go_on(&mut self, frame: Reception) {
        self.frame = Some(frame);
    }

    /// Next octet of the noise sequence (SplitMix64), never 0.
    pub(crate) fn noise(&mut self) -> u8 {
        (split_mix(&mut self.noise) >> 56) as u8 | 1
    }

    /// Whether noise, or the carriers other than `tx` together, spoil a signal of `rssi_dbm`.
    fn disturbed(&self, tx: TxId, rssi_dbm: i8) -> bool {
        let limit = f64::from(rssi_dbm) - f64::from(self.ear.capture_db);
        let others = self.sum_dbm(|carrier| carrier.tx != tx);
        f64::from(self.ear.noise_floor_dbm) > limit
            || others.is_some_and(|others| others > limit + EQUAL_DB)
    }

    /// Level of these carriers on the channel together.
    fn sum_dbm(&self, which: impl Fn(&Carrier) -> bool) -> Option<f64> {
        let on_channel = |carrier: &&Carrier| carrier.channel == self.channel && which(carrier);
        let carriers = self.carriers.iter().filter(on_channel);
        let milliwatts = carriers.map(|carrier| 10_f64.powf(f64::from(carrier.rssi_dbm) / 10.0));
        Some(10.0 * milliwatts.reduce(|sum, more| sum + more)?.log10())
    }

    /// A carrier went on or off.
    fn energy_changed(&mut self, at: Ps) {
        if self.rssi_valid {
            self.steps
                .push_back((at + self.ear.rssi_window, self.ambient_dbm()));
        }
        if let Some(mut frame) = self.frame.take() {
            frame.disturbed |= self.disturbed(frame.tx, frame.rssi_dbm);
            self.frame = Some(frame);
        }
    }

    /// The carriers on the channel together, or the noise floor.
    fn ambient_dbm(&self) -> i8 {
        let sum = self.sum_dbm(|_| true).unwrap_or(f64::NEG_INFINITY);
        (sum.round() as i8).max(self.ear.noise_floor_dbm)
    }

    /// When the RSSI next changes.
    #[inline]
    pub(crate) fn rssi_due(&self) -> Option<Ps> {
        self.valid_due
            .into_iter()
            .chain(self.steps.front().map(|step| step.0))
            .min()
    }

    /// The RSSI changes at `at`.
    pub(crate) fn rssi_event(&mut self, at: Ps, limits: CcaLimits) {
        if self.valid_due == Some(at) {
            self.valid_due = None;
            self.rssi_valid = true;
            self.rssi_dbm = self.ambient_dbm();
            self.energy = false;
        }
        while let Some((_, level)) = self.steps.pop_front_if(|step| step.0 <= at) {
            self.rssi_dbm = level;
        }
        self.update_energy(limits);
    }

    /// Compares RSSI with the CCA threshold.
    pub(crate) fn update_energy(&mut self, limits: CcaLimits) {
        let value = i16::from(self.rssi_value(self.rssi_dbm) as i8);
        if value >= limits.threshold {
            self.energy = true;
        } else if value < limits.threshold - limits.hysteresis {
            self.energy = false;
        }
    }

    /// Energy above the CCA threshold.
    pub(crate) fn energy(&self) -> bool {
        self.energy
    }

    /// The receiver was on for long enough.
    pub(crate) fn rssi_valid(&self) -> bool {
        self.rssi_valid
    }

    /// The RSSI register: −128 while it is not valid.
    pub(crate) fn rssi_register(&self) -> u8 {
        if self.rssi_valid {
            self.rssi_value(self.rssi_dbm)
        } else {
            0x80
        }
    }

    /// RSSI value for a level.
    pub(crate) fn rssi_value(&self, level_dbm: i8) -> u8 {
        let value = i16::from(level_dbm) - i16::from(self.ear.rssi_offset_db);
        value.clamp(-128, 127) as i8 as u8
    }
}
