//! A station without a chip: a radio of IEEE 802.15.4 whose owner is a program of the host. It hears
//! every frame in range, acknowledges those to its address, and sends frames at a time or after
//! unslotted CSMA-CA, again until they are acknowledged. Its receiver is the one of the chips.

mod access;
#[cfg(test)]
mod tests;

use self::access::{Job, Phase};
use super::antenna::Antenna;
use super::fcs;
use super::filter::{self, Decision, Identity};
use super::medium::{OQPSK_2450, SYNCWORD, burst};
use super::modem::acknowledgement;
use super::receiver::{CcaLimits, Heard, Receiver};
use crate::Ps;
use crate::air::{AirIn, AirOut, Medium};
use crate::cc2420::Cc2420Config;
use std::collections::VecDeque;

/// aTurnaroundTime, 12 symbols: between receiving and sending.
pub const TURNAROUND: Ps = Ps::from_micros(192);
/// Longest PSDU without its FCS.
const MPDU_MAX: usize = 125;
/// Energy that makes a channel busy: −77 dBm, the CC2420's after reset, in units of its RSSI.
const CCA: CcaLimits = CcaLimits {
    threshold: -32,
    hysteresis: 2,
};
/// Frame control: an acknowledgement is asked for.
const ACK_REQUEST: u8 = 1 << 5;
const TYPE: u8 = 7;
const TYPE_DATA: u8 = 1;
const TYPE_ACK: u8 = 2;
const TYPE_COMMAND: u8 = 3;
const BROADCAST: u16 = 0xFFFF;

/// Who a station is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StationConfig {
    /// 11 to 26.
    pub channel: u8,
    /// PAN identifier.
    pub pan: u16,
    /// Short address; 0xFFFE or 0xFFFF: it has none.
    pub short: u16,
    /// Extended address, least significant octet first.
    pub extended: [u8; 8],
    /// Output power.
    pub power_dbm: i8,
    /// Seed of its backoff.
    pub seed: u64,
}

/// A frame that a station heard, acknowledgements too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardFrame {
    /// End of the start-of-frame delimiter at its antenna.
    pub sfd: Ps,
    /// End of the frame.
    pub end: Ps,
    /// Level.
    pub rssi_dbm: i8,
    /// PSDU as received, with its FCS; of a frame that was cut short, what had come.
    pub psdu: Vec<u8>,
    /// The FCS is right and no other carrier spoilt an octet.
    pub right: bool,
}

/// What became of a frame that a station was to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Sent; nobody was asked to acknowledge it.
    Sent,
    /// Acknowledged.
    Acknowledged,
    /// Sent as often as allowed, and not acknowledged.
    NoAck,
    /// The channel was busy as often as CSMA-CA looks.
    Busy,
}

/// A frame that was sent, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentFrame {
    /// Number that [`Station::send`] gave.
    pub number: u64,
    /// When this was clear.
    pub at: Ps,
    /// How often it was on the air.
    pub times: u8,
    /// What became of it.
    pub outcome: Outcome,
}

/// How a frame is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending<'a> {
    /// Frame without its FCS.
    pub mpdu: &'a [u8],
    /// Not before: first look at the channel, or without CSMA-CA the first preamble symbol.
    pub at: Ps,
    /// Unslotted CSMA-CA before each transmission.
    pub csma: bool,
    /// Transmissions at most, if it asks for an acknowledgement.
    pub times: u8,
}

/// The station.
#[derive(Clone)]
pub struct Station {
    config: StationConfig,
    receiver: Receiver,
    antenna: Antenna,
    now: Ps,
    /// End of what it sends, turnaround before included.
    talks_until: Option<Ps>,
    /// The frame being received, as far as it has come.
    incoming: Option<HeardFrame>,
    jobs: VecDeque<Job>,
    phase: Phase,
    /// End of the space behind the last frame that was sent with CSMA-CA.
    space_until: Ps,
    numbers: u64,
    random: u64,
    heard: Vec<HeardFrame>,
    sent: Vec<SentFrame>,
}

impl Station {
    /// A station that listens from time 0 on. The error says what it cannot be.
    pub fn new(config: StationConfig) -> Result<Station, String> {
        if !(11..=26).contains(&config.channel) {
            return Err(format!("channel {}; there are 11 to 26", config.channel));
        }
        let mut receiver = Receiver::new(Cc2420Config::default().ear, config.seed);
        receiver.tune(config.channel);
        receiver.search(Ps::ZERO, true);
        Ok(Station {
            config,
            receiver,
            antenna: Antenna::default(),
            now: Ps::ZERO,
            talks_until: None,
            incoming: None,
            jobs: VecDeque::new(),
            phase: Phase::Idle,
            space_until: Ps::ZERO,
            numbers: 0,
            random: config.seed,
            heard: Vec::new(),
            sent: Vec::new(),
        })
    }

    /// Puts a frame behind those that wait, and gives its number. The error says what cannot be
    /// sent.
    pub fn send(&mut self, sending: &Sending<'_>) -> Result<u64, String> {
        let octets = sending.mpdu.len();
        if !(3..=MPDU_MAX).contains(&octets) {
            return Err(format!(
                "a frame of {octets} octets without its FCS; it has 3 to {MPDU_MAX}"
            ));
        }
        if sending.times == 0 {
            return Err("a frame that is sent 0 times; it is 1 or more".into());
        }
        let earliest = self.now + if sending.csma { Ps::ZERO } else { TURNAROUND };
        if sending.at < earliest {
            return Err(format!(
                "a frame at {} ps; the earliest is {} ps",
                sending.at.0, earliest.0
            ));
        }
        self.numbers += 1;
        self.jobs.push_back(Job::new(self.numbers, sending));
        self.next_job();
        Ok(self.numbers)
    }

    /// Frames heard since the last call.
    pub fn take_heard(&mut self) -> Vec<HeardFrame> {
        std::mem::take(&mut self.heard)
    }

    /// What became of frames since the last call.
    pub fn take_sent(&mut self) -> Vec<SentFrame> {
        std::mem::take(&mut self.sent)
    }

    /// There is something to take.
    pub fn has_news(&self) -> bool {
        !self.heard.is_empty() || !self.sent.is_empty()
    }

    /// Frames that are not yet sent.
    pub fn waiting(&self) -> usize {
        self.jobs.len()
    }

    /// The medium of its radio.
    pub fn medium(&self) -> &'static Medium {
        &OQPSK_2450
    }

    /// It sends, or is about to.
    pub fn on_air(&self) -> bool {
        self.talks_until.is_some()
    }

    /// Moves what it sends to the end of `out`.
    pub fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.antenna.take_sent(out);
    }

    /// Queues what its antenna will hear.
    pub fn hear(&mut self, event: AirIn) {
        self.antenna.hear(event, self.talks_until.is_none());
    }

    /// When it next does something by itself.
    pub fn next_event(&self) -> Option<Ps> {
        let own = [
            self.antenna.next(),
            self.receiver.rssi_due(),
            self.talks_until,
            self.phase.due(),
        ];
        own.into_iter().flatten().min()
    }

    /// Lets time pass until `target`.
    pub fn run_until(&mut self, target: Ps) {
        while let Some(at) = self.next_event().filter(|at| *at <= target) {
            self.now = self.now.max(at);
            if self.antenna.next() == Some(at) {
                if let Some(event) = self.antenna.take_heard() {
                    self.follow(event);
                }
            } else if self.receiver.rssi_due() == Some(at) {
                self.receiver.rssi_event(at, CCA);
            } else if self.talks_until == Some(at) {
                self.listen(at);
            } else {
                self.act(at);
            }
        }
        self.now = self.now.max(target);
        self.antenna.taken_until(target);
    }

    /// Something reaches the antenna.
    fn follow(&mut self, event: AirIn) {
        match self.receiver.hear(event) {
            Heard::Delimiter { tx, syncword } => {
                let free = self.talks_until.is_none() && !self.receiver.receiving();
                if free
                    && syncword == SYNCWORD
                    && self.receiver.lock(event.at, tx, Decision::Accept)
                {
                    self.incoming = Some(HeardFrame {
                        sfd: event.at,
                        end: event.at,
                        rssi_dbm: 0,
                        psdu: Vec::new(),
                        right: false,
                    });
                }
            }
            Heard::Octet(octet) => self.octet(event.at, octet),
            Heard::Silence => {
                self.receiver.search(event.at, false);
                self.keep(event.at, false);
            }
            Heard::Nothing => {}
        }
    }

    /// The next octet of the frame being received.
    fn octet(&mut self, at: Ps, octet: u8) {
        let Some((frame, index, stored)) = self.receiver.octet(octet) else {
            return;
        };
        if let Some(incoming) = &mut self.incoming {
            incoming.rssi_dbm = frame.rssi_dbm;
            incoming.psdu.extend((index > 0).then_some(stored));
        }
        if !frame.complete() {
            self.receiver.go_on(frame);
            return;
        }
        self.receiver.search(at, false);
        let right = frame.right();
        self.keep(at, right);
        if right {
            self.answer(at, &frame.mpdu);
        }
    }

    /// A frame is over.
    fn keep(&mut self, end: Ps, right: bool) {
        let frame = self.incoming.take();
        self.heard.extend(frame.map(|frame| HeardFrame {
            end,
            right,
            ..frame
        }));
    }

    /// What a frame without errors asks for: an acknowledgement, or it is one.
    fn answer(&mut self, at: Ps, mpdu: &[u8]) {
        let [control, _, sequence, ..] = *mpdu else {
            return;
        };
        match control & TYPE {
            TYPE_ACK => self.acknowledged(at, sequence),
            TYPE_DATA | TYPE_COMMAND if control & ACK_REQUEST != 0 && self.is_mine(mpdu) => {
                self.talk(at + TURNAROUND, &acknowledgement(sequence, false)[1..]);
            }
            _ => {}
        }
    }

    /// Is it to this station and nobody else, and of a version that has short acknowledgements?
    fn is_mine(&self, mpdu: &[u8]) -> bool {
        let identity = Identity {
            pan_id: self.config.pan,
            short: self.config.short,
            extended: self.config.extended,
            coordinator: false,
            reserved_accepted: false,
            any_beacon: false,
        };
        let short = mpdu[1] >> 2 & 3 == 2;
        let version = mpdu[1] >> 4 & 3;
        let everybody = short && mpdu.get(5..7) == Some(&BROADCAST.to_le_bytes());
        version < 2 && !everybody && filter::decide(mpdu, &identity) == Decision::Accept
    }

    /// Sends a frame, to which its FCS is added, from `at` on. What is being received is lost.
    fn talk(&mut self, at: Ps, mpdu: &[u8]) {
        let sum = mpdu.iter().fold(0, |sum, octet| fcs::update(sum, *octet));
        let psdu: Vec<u8> = mpdu.iter().copied().chain(sum.to_le_bytes()).collect();
        let (channel, power_dbm) = (self.config.channel, self.config.power_dbm);
        for event in burst(at, channel, power_dbm, &psdu) {
            self.antenna.send(event);
            if let AirOut::End { at } = event {
                self.talks_until = Some(at);
            }
        }
        self.receiver.stop();
        self.keep(self.now, false);
    }

    /// It has sent: it listens again.
    fn listen(&mut self, at: Ps) {
        self.talks_until = None;
        self.receiver.search(at, true);
        self.said(at);
    }
}
