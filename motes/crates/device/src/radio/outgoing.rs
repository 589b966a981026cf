//! The frame that a radio sends: which octet follows, and its FCS.

use super::fcs;

/// Place in the frame being sent.
#[derive(Clone, Default)]
pub(crate) struct Outgoing {
    /// Index of the octet that follows, 0 = length.
    next: usize,
    length: usize,
    fcs: u16,
}

impl Outgoing {
    /// Every octet has been given out.
    pub(crate) fn over(&self) -> bool {
        self.next > self.length
    }

    /// The octet that follows: one of the FCS if `generated`, otherwise the octet of `stored` at
    /// that index. `None`: it is not there.
    pub(crate) fn next(
        &mut self,
        generated: bool,
        stored: impl FnOnce(usize) -> Option<u8>,
    ) -> Option<u8> {
        let index = self.next;
        let fcs_place = (index + 2)
            .checked_sub(self.length + 1)
            .filter(|_| index > 0 && self.length >= 2);
        let octet = match fcs_place.filter(|_| generated) {
            Some(place) => self.fcs.to_le_bytes()[place],
            None => stored(index)?,
        };
        if index == 0 {
            self.length = usize::from(octet & 0x7F);
        } else if fcs_place.is_none() {
            self.fcs = fcs::update(self.fcs, octet);
        }
        self.next += 1;
        Some(octet)
    }
}
