//! The antenna: what will be heard and what was sent, in order of time.

use crate::Ps;
use crate::air::{AirIn, AirOut, Signal};
use std::collections::VecDeque;

/// The queues between a radio and the medium.
#[derive(Clone, Default)]
pub(crate) struct Antenna {
    sent: Vec<AirOut>,
    heard: VecDeque<AirIn>,
    /// Up to when the radio has taken what it hears.
    taken_until: Ps,
}

impl Antenna {
    /// Announces something to the medium.
    pub(crate) fn send(&mut self, event: AirOut) {
        self.sent.push(event);
    }

    /// Moves what was announced since the last call to the end of `out`.
    pub(crate) fn take_sent(&mut self, out: &mut Vec<AirOut>) {
        out.append(&mut self.sent);
    }

    /// Queues what will be heard. The end of a transmission takes back what was announced for
    /// later. `listens`: the receiver is on, so nothing may come too late.
    pub(crate) fn hear(&mut self, event: AirIn, listens: bool) {
        debug_assert!(
            event.at >= self.taken_until || !listens,
            "heard too late: {event:?}"
        );
        if event.signal == Signal::End {
            let stays = |queued: &AirIn| queued.tx != event.tx || queued.at <= event.at;
            self.heard.retain(stays);
        }
        let place = self.heard.partition_point(|queued| queued.at <= event.at);
        self.heard.insert(place, event);
    }

    /// When the next event is heard.
    #[inline]
    pub(crate) fn next(&self) -> Option<Ps> {
        self.heard.front().map(|event| event.at)
    }

    /// The next event, for tests that change it.
    #[cfg(test)]
    pub(crate) fn first(&mut self) -> &mut AirIn {
        &mut self.heard[0]
    }

    /// Takes the next event.
    pub(crate) fn take_heard(&mut self) -> Option<AirIn> {
        self.heard.pop_front()
    }

    /// All that was heard until `now` has been taken.
    pub(crate) fn taken_until(&mut self, now: Ps) {
        self.taken_until = now;
    }
}
