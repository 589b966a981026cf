//! Frames as they were sent, for captures.

use crate::MoteIndex;
use device::Ps;
use device::air::{AirOut, Assembled, Medium};

/// One frame as it left its transmitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AirFrame {
    /// The mote that sent it.
    pub from: MoteIndex,
    /// The medium it was sent in.
    pub medium: &'static Medium,
    /// Channel, numbered as the medium does it; 0 for a frequency that is no channel.
    pub channel: u32,
    /// Output power.
    pub power_dbm: i8,
    /// First energy.
    pub start: Ps,
    /// End of the start-of-frame delimiter.
    pub sfd: Ps,
    /// End of the last symbol.
    pub end: Ps,
    /// What the medium says a capture keeps of it: of IEEE 802.15.4, the PSDU with its FCS.
    pub octets: Vec<u8>,
    /// False: the transmitter stopped before the end.
    pub complete: bool,
}

/// A frame that is being sent.
#[derive(Clone)]
pub(crate) struct Capture {
    from: MoteIndex,
    medium: &'static Medium,
    channel: u32,
    power_dbm: i8,
    start: Ps,
    sync: Option<Ps>,
    octets: Vec<(Ps, u8)>,
}

impl Capture {
    pub(crate) fn new(
        from: MoteIndex,
        medium: &'static Medium,
        start: Ps,
        channel: u32,
        power_dbm: i8,
    ) -> Capture {
        Capture {
            from,
            medium,
            channel,
            power_dbm,
            start,
            sync: None,
            octets: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, event: AirOut) {
        match event {
            AirOut::Sync { at, .. } => self.sync = Some(at),
            AirOut::Octet { at, octet } => self.octets.push((at, octet)),
            AirOut::Start { .. } | AirOut::End { .. } => {}
        }
    }

    /// The frame, if the medium finds one in what was sent.
    pub(crate) fn end(mut self, end: Ps) -> Option<AirFrame> {
        self.octets.retain(|(at, _)| *at <= end);
        let Assembled {
            sync,
            octets,
            complete,
        } = (self.medium.assemble)(self.sync, &self.octets)?;
        Some(AirFrame {
            from: self.from,
            medium: self.medium,
            channel: self.channel,
            power_dbm: self.power_dbm,
            start: self.start,
            sfd: sync,
            end,
            octets,
            complete,
        })
    }
}
