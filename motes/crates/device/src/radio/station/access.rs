//! How a station gets at the channel: unslotted CSMA-CA, spaces between frames, acknowledgements
//! and retries (IEEE 802.15.4-2015 6.2.5.1, 6.2.4, 6.7.4.3), with the standard's default values.

use super::{ACK_REQUEST, Outcome, Sending, SentFrame, Station, TURNAROUND};
use crate::Ps;
use crate::random::split_mix;

/// aUnitBackoffPeriod, 20 symbols.
const UNIT: Ps = Ps::from_micros(320);
/// A clear channel assessment, 8 symbols.
const ASSESSMENT: Ps = Ps::from_micros(128);
/// macAckWaitDuration without beacons: 20 + 12 + 10 + 6 × 2 symbols.
const ACK_WAIT: Ps = Ps::from_micros(864);
/// macMinBe, macMaxBe and macMaxCsmaBackoffs.
const MIN_BE: u32 = 3;
const MAX_BE: u32 = 5;
const MAX_BACKOFFS: u32 = 4;
/// macSifsPeriod, 12 symbols: behind frames of aMaxSifsFrameSize octets at most, FCS included.
const SIFS: Ps = Ps::from_micros(192);
const SIFS_FRAME_MAX: usize = 18;
/// macLifsPeriod, 40 symbols: behind longer ones.
const LIFS: Ps = Ps::from_micros(640);
const FCS: usize = 2;

/// A frame to be sent.
#[derive(Clone)]
pub(super) struct Job {
    number: u64,
    mpdu: Vec<u8>,
    at: Ps,
    csma: bool,
    /// Transmissions that are left.
    left: u8,
    /// Transmissions so far.
    times: u8,
}

impl Job {
    pub(super) fn new(number: u64, sending: &Sending<'_>) -> Job {
        Job {
            number,
            mpdu: sending.mpdu.to_vec(),
            at: sending.at,
            csma: sending.csma,
            left: sending.times,
            times: 0,
        }
    }

    fn wants_ack(&self) -> bool {
        self.mpdu[0] & ACK_REQUEST != 0
    }

    /// Behind it, or behind its acknowledgement, the next back-off begins no sooner than this.
    fn space(&self) -> Ps {
        match self.mpdu.len() + FCS {
            ..=SIFS_FRAME_MAX => SIFS,
            _ => LIFS,
        }
    }
}

/// What the station does with the first of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// There is none.
    Idle,
    /// Its turnaround begins at a time.
    Timed(Ps),
    /// An assessment of the channel ends at a time.
    Assesses { at: Ps, backoffs: u32 },
    /// It is on the air.
    Talks,
    /// An acknowledgement comes until then or not at all.
    Waits(Ps),
}

impl Phase {
    pub(super) fn due(self) -> Option<Ps> {
        match self {
            Phase::Timed(at) | Phase::Assesses { at, .. } | Phase::Waits(at) => Some(at),
            Phase::Idle | Phase::Talks => None,
        }
    }
}

impl Station {
    /// Begins with the first frame that waits, if nothing else is done.
    pub(super) fn next_job(&mut self) {
        if self.phase == Phase::Idle {
            self.approach();
        }
    }

    /// The first frame begins to get at the channel, for the first time or again.
    fn approach(&mut self) {
        let now = self.now;
        self.phase = match self.jobs.front() {
            None => Phase::Idle,
            Some(job) if job.csma => {
                let from = job.at.max(now).max(self.space_until);
                self.back_off(from, 0)
            }
            Some(job) => Phase::Timed(Ps(job.at.0.saturating_sub(TURNAROUND.0)).max(now)),
        };
    }

    /// Waits for some periods, then assesses the channel.
    fn back_off(&mut self, from: Ps, backoffs: u32) -> Phase {
        let exponent = (MIN_BE + backoffs).min(MAX_BE);
        let periods = split_mix(&mut self.random) >> 32 & ((1 << exponent) - 1);
        Phase::Assesses {
            at: from + Ps(UNIT.0 * periods) + ASSESSMENT,
            backoffs,
        }
    }

    /// The time of the phase has come.
    pub(super) fn act(&mut self, at: Ps) {
        match self.phase {
            // An acknowledgement goes first.
            Phase::Timed(_) => match self.talks_until {
                Some(end) => self.phase = Phase::Timed(end),
                None => self.begin(at),
            },
            Phase::Assesses { backoffs, .. } => {
                let clear = self.receiver.rssi_valid() && !self.receiver.energy();
                if clear && self.talks_until.is_none() && !self.receiver.receiving() {
                    self.begin(at);
                } else if backoffs < MAX_BACKOFFS {
                    self.phase = self.back_off(at, backoffs + 1);
                } else {
                    self.finish(at, Outcome::Busy);
                }
            }
            Phase::Waits(_) => {
                if self.jobs.front().is_some_and(|job| job.left > 0) {
                    self.approach();
                } else {
                    self.finish(at, Outcome::NoAck);
                }
            }
            Phase::Idle | Phase::Talks => {}
        }
    }

    /// Sends the first frame, a turnaround after `at`.
    fn begin(&mut self, at: Ps) {
        let Some(job) = self.jobs.front_mut() else {
            return;
        };
        job.times += 1;
        job.left -= 1;
        let mpdu = job.mpdu.clone();
        self.phase = Phase::Talks;
        self.talk(at + TURNAROUND, &mpdu);
    }

    /// A transmission ended.
    pub(super) fn said(&mut self, at: Ps) {
        if self.phase != Phase::Talks {
            return;
        }
        if self.jobs.front().is_some_and(Job::wants_ack) {
            self.phase = Phase::Waits(at + ACK_WAIT);
        } else {
            self.finish(at, Outcome::Sent);
        }
    }

    /// An acknowledgement with this sequence number came.
    pub(super) fn acknowledged(&mut self, at: Ps, sequence: u8) {
        let waits = matches!(self.phase, Phase::Waits(_));
        if waits && self.jobs.front().is_some_and(|job| job.mpdu[2] == sequence) {
            self.finish(at, Outcome::Acknowledged);
        }
    }

    /// The first frame is done with.
    fn finish(&mut self, at: Ps, outcome: Outcome) {
        if let Some(job) = self.jobs.pop_front() {
            // To wait for an acknowledgement that does not come takes longer than any space.
            if job.csma && matches!(outcome, Outcome::Sent | Outcome::Acknowledged) {
                self.space_until = at + job.space();
            }
            self.sent.push(SentFrame {
                number: job.number,
                at,
                times: job.times,
                outcome,
            });
        }
        self.approach();
    }
}
