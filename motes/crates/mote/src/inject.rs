//! Frames from outside: what a stranger in range of every mote could send, octet by octet with
//! exact times.

use board::device::air::AirOut;
use board::device::{OQPSK_2450, Ps, burst};

/// Longest PSDU.
const PSDU_MAX: usize = 127;
/// Channels of the 2.4 GHz band.
const CHANNELS: std::ops::RangeInclusive<u8> = 11..=26;

/// A frame that no mote sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection<'a> {
    /// 11..=26.
    pub channel: u8,
    /// First preamble symbol.
    pub at: Ps,
    /// PSDU with its FCS, right or wrong.
    pub psdu: &'a [u8],
    /// Output power, at the distance of the default link.
    pub power_dbm: i8,
}

impl Injection<'_> {
    /// Why it cannot be sent at a time `now`, if so.
    pub(crate) fn objection(&self, now: Ps) -> Option<String> {
        if !CHANNELS.contains(&self.channel) {
            return Some(format!("channel {}; there are 11 to 26", self.channel));
        }
        if self.psdu.is_empty() || self.psdu.len() > PSDU_MAX {
            return Some(format!(
                "a PSDU of {} octets; it has 1 to {PSDU_MAX}",
                self.psdu.len()
            ));
        }
        let earliest = now + OQPSK_2450.lookahead;
        (self.at < earliest).then(|| {
            format!(
                "a frame at {} ps; the earliest that all can hear begins at {} ps",
                self.at.0, earliest.0
            )
        })
    }

    /// What its transmitter does, in order of time.
    pub(crate) fn events(&self) -> Vec<AirOut> {
        burst(self.at, self.channel, self.power_dbm, self.psdu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(psdu: &[u8]) -> Injection<'_> {
        Injection {
            channel: 15,
            at: Ps::from_micros(1_000),
            psdu,
            power_dbm: 0,
        }
    }

    #[test]
    fn a_frame_takes_the_air_time_of_the_standard() {
        let octets = [7; 127];
        let events = frame(&octets).events();
        assert_eq!(events.len(), 2 + 128 + 1);
        assert_eq!(
            events.last(),
            Some(&AirOut::End {
                at: Ps::from_micros(1_000 + 4_256)
            })
        );
        assert_eq!(
            events[2],
            AirOut::Octet {
                at: Ps::from_micros(1_000 + 192),
                octet: 127
            }
        );
    }

    #[test]
    fn what_cannot_be_sent_is_named() {
        let objection = |injection: Injection<'_>, now| {
            injection
                .objection(Ps::from_micros(now))
                .unwrap_or_default()
        };
        assert_eq!(objection(frame(&[1, 2, 3]), 0), "");
        assert!(objection(frame(&[]), 0).contains("0 octets"));
        assert!(objection(frame(&[0; 128]), 0).contains("128 octets"));
        assert!(objection(frame(&[1, 2, 3]), 990).contains("the earliest"));
        let wrong = Injection {
            channel: 27,
            ..frame(&[1, 2, 3])
        };
        assert!(objection(wrong, 0).contains("channel 27"));
    }
}
