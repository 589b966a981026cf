//! The medium of IEEE 802.15.4 at 2.4 GHz: O-QPSK, 250 kbit/s.

use crate::Ps;
use crate::air::{AirOut, Assembled, Medium};

/// One octet on the air.
pub const OCTET: Ps = Ps::from_micros(32);

/// The shortest turnaround of a radio here (CC2420, TXCTRL.TX_TURNAROUND = 0, 8 symbols).
pub const LOOKAHEAD: Ps = Ps::from_micros(128);

/// IEEE 802.15.4, O-QPSK at 2.4 GHz, channels 11 to 26. The octets of a transmission are the length
/// and the PSDU with its FCS; captures have link type IEEE 802.15.4 TAP.
pub static OQPSK_2450: Medium = Medium {
    name: "IEEE 802.15.4, O-QPSK at 2.4 GHz",
    octet: OCTET,
    lookahead: LOOKAHEAD,
    loss_at_1_m_db: 40.2,
    link_type: 283,
    assemble,
};

/// Octets of preamble (4) and start-of-frame delimiter (1).
const HEADER_OCTETS: u64 = 5;
/// SYNCWORD with which every radio comes up.
pub(crate) const SYNCWORD: u16 = 0xA70F;

/// What a transmitter without a chip does, in order of time: a frame of at most 127 octets whose
/// first preamble symbol is at `at`.
pub fn burst(at: Ps, channel: u8, power_dbm: i8, psdu: &[u8]) -> Vec<AirOut> {
    let mut end = at + Ps(OCTET.0 * HEADER_OCTETS);
    let mut events = vec![
        AirOut::Start {
            at,
            channel: channel.into(),
            power_dbm,
        },
        AirOut::Sync {
            at: end,
            syncword: SYNCWORD,
        },
    ];
    for octet in std::iter::once(psdu.len() as u8).chain(psdu.iter().copied()) {
        end += OCTET;
        events.push(AirOut::Octet { at: end, octet });
    }
    events.push(AirOut::End { at: end });
    events
}

/// The PSDU, if its length octet was sent after a delimiter.
fn assemble(sync: Option<Ps>, octets: &[(Ps, u8)]) -> Option<Assembled> {
    let (&(_, length), rest) = octets.split_first()?;
    Some(Assembled {
        sync: sync?,
        octets: rest.iter().map(|(_, octet)| *octet).collect(),
        complete: rest.len() == usize::from(length & 0x7F),
    })
}
