//! The radio medium between motes.
//!
//! [`Air::transmit`] takes what one mote's radio sends and gives what every other radio's antenna
//! hears: later by the propagation delay, weaker by the path loss, and, on a link with loss,
//! sometimes as energy that can not be decoded. Nothing is decided twice: whether a receiver loses
//! a frame depends on the seed, the transmission and the receiver only, not on the order of calls.
//! Overlapping transmissions all arrive; the receivers, who see them in order of time, spoil the
//! octets in which another carrier is not weaker by their capture ratio.
//!
//! The medium knows no kind of radio. Each mote's radio names a [`Medium`], and motes hear those of
//! the same medium: a CC2420 hears a CC2538, but no CC1000.
//!
//! # Order of work
//!
//! A radio is on the air for at least [`Medium::lookahead`] before its first energy, and announces
//! each octet when it begins. So let time advance in quanta of at most that; in each, run the motes
//! whose radio is on the air first, hand over their events, then run the others. Then no event
//! reaches a receiver too late.

mod capture;
mod link;

pub use capture::AirFrame;
pub use link::{AirConfig, Link};

use capture::Capture;
use device::Ps;
use device::air::{AirIn, AirOut, Medium, Signal, TxId};
use device::random::split_mix;

/// A mote in the medium: its index in the order of [`Air::add_mote`].
pub type MoteIndex = usize;

/// A transmission that has not ended.
#[derive(Clone)]
struct Transmission {
    id: TxId,
    capture: Capture,
    /// Who hears it, and how much later: what the links were when it was announced.
    hearers: Vec<(MoteIndex, Ps)>,
}

/// The medium.
#[derive(Clone)]
pub struct Air {
    seed: u64,
    config: AirConfig,
    /// What each mote's radio sends in and hears.
    media: Vec<Option<&'static Medium>>,
    /// Row: transmitter, column: receiver; `None`: the default link.
    links: Vec<Vec<Option<Link>>>,
    /// What each mote is transmitting.
    current: Vec<Option<Transmission>>,
    next_id: u64,
    frames: Vec<AirFrame>,
}

impl Air {
    /// A medium without motes.
    pub fn new(seed: u64, config: AirConfig) -> Air {
        Air {
            seed,
            config,
            media: Vec::new(),
            links: Vec::new(),
            current: Vec::new(),
            next_id: 0,
            frames: Vec::new(),
        }
    }

    /// Adds a mote that hears and is heard by every other one in its medium over the default link.
    /// `None`: it has no radio.
    pub fn add_mote(&mut self, medium: Option<&'static Medium>) -> MoteIndex {
        self.media.push(medium);
        for row in &mut self.links {
            row.push(None);
        }
        self.current.push(None);
        self.links.push(vec![None; self.current.len()]);
        self.current.len() - 1
    }

    /// Number of motes.
    pub fn motes(&self) -> usize {
        self.current.len()
    }

    /// Replaces the link from one mote to another, one way, for transmissions that are announced from
    /// now on. Panics if one of them does not exist.
    pub fn set_link(&mut self, from: MoteIndex, to: MoteIndex, link: Link) {
        self.links[from][to] = Some(link);
    }

    /// The link from one mote to another.
    pub fn link(&self, from: MoteIndex, to: MoteIndex) -> Link {
        self.links[from][to].unwrap_or(self.config.link)
    }

    /// Takes one event of the radio of mote `from`, in the order in which that radio gave it, and
    /// appends what each of the others hears to `out`.
    pub fn transmit(&mut self, from: MoteIndex, event: AirOut, out: &mut Vec<(MoteIndex, AirIn)>) {
        let Some(medium) = self.media[from] else {
            return;
        };
        if let AirOut::Start {
            at,
            channel,
            power_dbm,
        } = event
        {
            let id = TxId(self.next_id);
            self.next_id += 1;
            let hearers = self.hearers(from, medium);
            self.current[from] = Some(Transmission {
                id,
                hearers,
                capture: Capture::new(from, medium, at, channel, power_dbm),
            });
        }
        let Some(mut current) = self.current[from].take() else {
            return;
        };
        current.capture.take(event);
        for &(to, delay) in &current.hearers {
            let (at, signal) = self.arrival(medium, current.id, from, to, event);
            let (at, tx) = (at + delay, current.id);
            out.push((to, AirIn { at, tx, signal }));
        }
        match event {
            AirOut::End { at } => self.frames.extend(current.capture.end(at)),
            _ => self.current[from] = Some(current),
        }
    }

    /// Who hears what mote `from` sends, and how much later.
    fn hearers(&self, from: MoteIndex, medium: &Medium) -> Vec<(MoteIndex, Ps)> {
        (0..self.motes())
            .filter(|&to| to != from && self.media[to] == Some(medium))
            .map(|to| (to, self.link(from, to)))
            .filter(|(_, link)| link.audible)
            .map(|(to, link)| (to, link.delay()))
            .collect()
    }

    /// Takes the frames that ended since the last call, in the order in which their ends were
    /// handed over.
    pub fn take_frames(&mut self) -> Vec<AirFrame> {
        std::mem::take(&mut self.frames)
    }

    fn arrival(
        &self,
        medium: &Medium,
        id: TxId,
        from: MoteIndex,
        to: MoteIndex,
        event: AirOut,
    ) -> (Ps, Signal) {
        match event {
            AirOut::Start {
                at,
                channel,
                power_dbm,
            } => {
                let link = self.link(from, to);
                let decodable = uniform(self.seed, id.0, to as u64) >= link.loss;
                (
                    at,
                    Signal::Start {
                        channel,
                        rssi_dbm: link.rssi_dbm(power_dbm, medium, &self.config),
                        decodable,
                    },
                )
            }
            AirOut::Sync { at, syncword } => (at, Signal::Sync { syncword }),
            AirOut::Octet { at, octet } => (at, Signal::Octet(octet)),
            AirOut::End { at } => (at, Signal::End),
        }
    }
}

/// A number in 0..1 that depends on its arguments only (SplitMix64 of each in turn).
fn uniform(seed: u64, transmission: u64, receiver: u64) -> f64 {
    let mix = |mut state: u64| split_mix(&mut state);
    let number = [transmission, receiver]
        .iter()
        .fold(mix(seed), |state, value| mix(state ^ value));
    (number >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use device::OQPSK_2450;

    fn add(air: &mut Air, motes: usize) {
        for _ in 0..motes {
            air.add_mote(Some(&OQPSK_2450));
        }
    }

    fn lossy(loss: f64) -> AirConfig {
        AirConfig {
            link: Link {
                loss,
                ..Link::default()
            },
            ..AirConfig::default()
        }
    }

    fn start(at: u64) -> AirOut {
        AirOut::Start {
            at: Ps::from_micros(at),
            channel: 11,
            power_dbm: 0,
        }
    }

    fn frame(air: &mut Air, from: MoteIndex, at: u64, octets: &[u8]) -> Vec<(MoteIndex, AirIn)> {
        let mut time = Ps::from_micros(at + 160);
        let mut events = vec![
            start(at),
            AirOut::Sync {
                at: time,
                syncword: 0xA70F,
            },
        ];
        for &octet in octets {
            time += Ps::from_micros(32);
            events.push(AirOut::Octet { at: time, octet });
        }
        events.push(AirOut::End { at: time });
        let mut out = Vec::new();
        for event in events {
            air.transmit(from, event, &mut out);
        }
        out
    }

    #[test]
    fn everybody_else_hears_ten_metres_later_and_60_db_weaker() {
        let mut air = Air::new(1, AirConfig::default());
        add(&mut air, 3);
        let out = frame(&mut air, 1, 1_000, &[1, 7]);
        let delay = Ps(33_356);
        let to_2: Vec<AirIn> = out
            .iter()
            .filter(|(to, _)| *to == 2)
            .map(|(_, event)| *event)
            .collect();
        let heard = |micros, signal| AirIn {
            at: Ps::from_micros(micros) + delay,
            tx: TxId(0),
            signal,
        };
        let expected = [
            heard(
                1_000,
                Signal::Start {
                    channel: 11,
                    rssi_dbm: -60,
                    decodable: true,
                },
            ),
            heard(1_160, Signal::Sync { syncword: 0xA70F }),
            heard(1_192, Signal::Octet(1)),
            heard(1_224, Signal::Octet(7)),
            heard(1_224, Signal::End),
        ];
        assert_eq!(to_2, expected);
        assert_eq!(out.iter().filter(|(to, _)| *to == 0).count(), 5);
        assert!(out.iter().all(|(to, _)| *to != 1));
    }

    #[test]
    fn links_are_one_way_and_can_be_silent() {
        let mut air = Air::new(1, AirConfig::default());
        add(&mut air, 2);
        air.set_link(
            0,
            1,
            Link {
                audible: false,
                ..Link::default()
            },
        );
        assert!(frame(&mut air, 0, 0, &[0]).is_empty());
        assert_eq!(frame(&mut air, 1, 0, &[0]).len(), 4);
        air.set_link(
            0,
            1,
            Link {
                rssi_dbm: Some(-80),
                distance_m: 300.0,
                ..Link::default()
            },
        );
        let out = frame(&mut air, 0, 0, &[0]);
        assert_eq!(out[0].1.at, Ps(1_000_692));
        assert!(matches!(
            out[0].1.signal,
            Signal::Start { rssi_dbm: -80, .. }
        ));
    }

    #[test]
    fn a_link_that_changes_during_a_transmission_leaves_it_as_it_was() {
        let silent = Link {
            audible: false,
            ..Link::default()
        };
        for (before, after, heard) in [(Link::default(), silent, 2), (silent, Link::default(), 0)] {
            let mut air = Air::new(1, AirConfig::default());
            add(&mut air, 2);
            air.set_link(0, 1, before);
            let mut out = Vec::new();
            air.transmit(0, start(100), &mut out);
            air.set_link(0, 1, after);
            let at = Ps::from_micros(300);
            air.transmit(0, AirOut::End { at }, &mut out);
            assert_eq!(
                out.len(),
                heard,
                "what began for a receiver also ends for it"
            );
        }
    }

    #[test]
    fn every_transmission_has_its_own_name_and_an_end_without_a_start_is_silent() {
        let mut air = Air::new(1, AirConfig::default());
        add(&mut air, 2);
        let mut out = Vec::new();
        air.transmit(0, AirOut::End { at: Ps::ZERO }, &mut out);
        assert!(out.is_empty());
        let names = [0, 1, 0].map(|from| frame(&mut air, from, 0, &[0])[0].1.tx);
        assert_eq!(names, [TxId(0), TxId(1), TxId(2)]);
    }

    #[test]
    fn loss_has_its_rate_depends_on_the_seed_and_not_on_the_order() {
        let run = |seed, swapped: bool| {
            let mut air = Air::new(seed, lossy(0.3));
            add(&mut air, 3);
            if swapped {
                air.set_link(0, 1, Link::default());
            }
            let decoded = |out: Vec<(MoteIndex, AirIn)>| {
                out.iter().any(|(to, event)| {
                    *to == 2
                        && matches!(
                            event.signal,
                            Signal::Start {
                                decodable: true,
                                ..
                            }
                        )
                })
            };
            (0..2_000)
                .map(|_| decoded(frame(&mut air, 0, 0, &[0])))
                .collect::<Vec<bool>>()
        };
        let first = run(7, false);
        let arrived = first.iter().filter(|&&decoded| decoded).count();
        assert!(
            (1_330..1_470).contains(&arrived),
            "{arrived} of 2000 at a loss of 0.3"
        );
        assert_eq!(first, run(7, false));
        assert_eq!(
            first,
            run(7, true),
            "another receiver's link does not matter"
        );
        assert_ne!(first, run(8, false));
    }

    #[test]
    fn no_loss_and_total_loss_are_exact() {
        for (loss, decodable) in [(0.0, true), (1.0, false)] {
            let mut air = Air::new(3, lossy(loss));
            add(&mut air, 2);
            for _ in 0..500 {
                let out = frame(&mut air, 0, 0, &[0]);
                assert!(
                    matches!(out[0].1.signal, Signal::Start { decodable: is, .. } if is == decodable)
                );
            }
        }
    }

    #[test]
    fn complete_frames_are_captured_and_cut_ones_are_marked() {
        let mut air = Air::new(1, AirConfig::default());
        add(&mut air, 2);
        frame(&mut air, 0, 100, &[3, 0xAA, 0xBB, 0xCC]);
        frame(&mut air, 1, 900, &[3, 0xAA]);
        let mut out = Vec::new();
        air.transmit(1, start(2_000), &mut out);
        air.transmit(
            1,
            AirOut::End {
                at: Ps::from_micros(1_900),
            },
            &mut out,
        );
        let frames = air.take_frames();
        assert_eq!(frames.len(), 2, "what ended before it began was no frame");
        let whole = AirFrame {
            from: 0,
            medium: &OQPSK_2450,
            channel: 11,
            power_dbm: 0,
            start: Ps::from_micros(100),
            sfd: Ps::from_micros(260),
            end: Ps::from_micros(388),
            octets: vec![0xAA, 0xBB, 0xCC],
            complete: true,
        };
        assert_eq!(frames[0], whole);
        assert!(!frames[1].complete && frames[1].octets == [0xAA]);
        assert!(air.take_frames().is_empty());
    }
}
