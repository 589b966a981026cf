//! The medium of IEEE 802.15.4 at 2.4 GHz: O-QPSK, 250 kbit/s.

use crate::Ps;
use crate::air::{Assembled, Medium};

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

/// The PSDU, if its length octet was sent after a delimiter.
fn assemble(sync: Option<Ps>, octets: &[(Ps, u8)]) -> Option<Assembled> {
    let (&(_, length), rest) = octets.split_first()?;
    Some(Assembled {
        sync: sync?,
        octets: rest.iter().map(|(_, octet)| *octet).collect(),
        complete: rest.len() == usize::from(length & 0x7F),
    })
}
