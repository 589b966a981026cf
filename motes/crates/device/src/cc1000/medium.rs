//! The medium of the CC1000: frequency shift keying at 433 MHz, 19.2 kbit/s coded by Manchester's
//! rule.

use crate::Ps;
use crate::air::{Assembled, Medium};

/// Data bits in a second, coded by Manchester's rule: the one rate at which octets are exchanged.
pub(super) const BITS_PER_SECOND: u32 = 19_200;
/// A data bit.
pub(super) const BIT: Ps = Ps(52_083_333);

/// The radios of a Mica2. A channel is a carrier in kHz. The octets of a transmission begin with
/// the preamble; a capture keeps what follows the sync word that TinyOS sends.
pub static FSK_433: Medium = Medium {
    name: "CC1000, FSK at 433 MHz, 19.2 kbit/s",
    octet: Ps(8 * BIT.0),
    lookahead: Ps::from_micros(250),
    loss_at_1_m_db: 25.2,
    link_type: 147,
    assemble,
};

/// Preamble and sync word of TinyOS.
const PREAMBLE: u8 = 0xAA;
const SYNC: [u8; 2] = [0x33, 0xCC];

/// What follows the first sync word after a preamble.
fn assemble(_sync: Option<Ps>, octets: &[(Ps, u8)]) -> Option<Assembled> {
    let found = octets.windows(3).position(|window| {
        let [before, first, second] = [0, 1, 2].map(|place| window[place].1);
        before == PREAMBLE && [first, second] == SYNC
    })?;
    let (head, frame) = octets.split_at(found + 3);
    Some(Assembled {
        sync: head.last()?.0,
        octets: frame.iter().map(|(_, octet)| *octet).collect(),
        complete: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_what_follows_the_sync_word() {
        let octets: Vec<(Ps, u8)> = (1..)
            .map(Ps)
            .zip([0x33, 0xCC, 0xAA, 0xAA, 0x33, 0xCC, 1, 0x33])
            .collect();
        let frame = assemble(None, &octets).expect("a frame");
        assert_eq!((frame.sync, frame.octets), (Ps(6), vec![1, 0x33]));
        assert_eq!(assemble(None, &octets[..5]), None);
        assert_eq!(assemble(None, &[]), None);
    }
}
