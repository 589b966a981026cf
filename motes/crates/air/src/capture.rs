//! Frames as they were sent, for captures.

use crate::MoteIndex;
use device::Ps;
use device::cc2420::AirOut;

/// One frame as it left its transmitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AirFrame {
    /// The mote that sent it.
    pub from: MoteIndex,
    /// Channel, 11..=26; 0 for a frequency that is no channel.
    pub channel: u8,
    /// Output power.
    pub power_dbm: i8,
    /// First preamble symbol.
    pub start: Ps,
    /// End of the start-of-frame delimiter.
    pub sfd: Ps,
    /// End of the last symbol.
    pub end: Ps,
    /// PSDU with its FCS.
    pub psdu: Vec<u8>,
    /// False: the transmitter stopped before the end.
    pub complete: bool,
}

/// A frame that is being sent.
pub(crate) struct Capture {
    from: MoteIndex,
    channel: u8,
    power_dbm: i8,
    start: Ps,
    sfd: Option<Ps>,
    octets: Vec<(Ps, u8)>,
}

impl Capture {
    pub(crate) fn new(from: MoteIndex, start: Ps, channel: u8, power_dbm: i8) -> Capture {
        Capture {
            from,
            channel,
            power_dbm,
            start,
            sfd: None,
            octets: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, event: AirOut) {
        match event {
            AirOut::Sfd { at, .. } => self.sfd = Some(at),
            AirOut::Octet { at, octet } => self.octets.push((at, octet)),
            AirOut::Start { .. } | AirOut::End { .. } => {}
        }
    }

    /// The frame, if its length octet was sent.
    pub(crate) fn end(mut self, end: Ps) -> Option<AirFrame> {
        self.octets.retain(|(at, _)| *at <= end);
        let (_, length) = *self.octets.first()?;
        let psdu: Vec<u8> = self.octets[1..].iter().map(|(_, octet)| *octet).collect();
        let complete = psdu.len() == usize::from(length & 0x7F);
        let Capture {
            from,
            channel,
            power_dbm,
            start,
            ..
        } = self;
        Some(AirFrame {
            from,
            channel,
            power_dbm,
            start,
            sfd: self.sfd?,
            end,
            psdu,
            complete,
        })
    }
}
