//! Frame filtering (FRMFILT0, FRMFILT1): frame type, version, reserved bits, then the addresses as
//! in IEEE 802.15.4-2006 7.5.6.2. The chip predates the frame formats of 2015: an acknowledgement
//! must have three octets and an FCS.

use super::registers::Registers;
use crate::radio::filter::{self, Decision, Identity};

const ACK: u16 = 2;
const ACK_LENGTH: usize = 5;

/// Decides about a frame of PHY length `length`. `mpdu` is the part that has arrived.
pub(super) fn decide(
    mpdu: &[u8],
    length: usize,
    registers: &Registers,
    own: &Identity,
) -> Decision {
    let &[low, high, ..] = mpdu else {
        return Decision::NeedMore;
    };
    let fcf = u16::from_le_bytes([low, high]);
    let kind = fcf & 7;
    let refused = fcf >> 12 & 3 > registers.max_frame_version()
        || fcf >> 7 & registers.reserved_mask() != 0
        || !registers.accepts_type(kind)
        || kind == ACK && length != ACK_LENGTH;
    if refused {
        return Decision::Reject;
    }
    filter::decide(mpdu, own)
}

#[cfg(test)]
mod tests {
    use super::super::registers::{FRMFILT0, FRMFILT1};
    use super::*;

    const OWN: Identity = Identity {
        reserved_accepted: true,
        ..filter::testing::OWN
    };

    fn frame(fcf: u16) -> Vec<u8> {
        let mut frame = fcf.to_le_bytes().to_vec();
        frame.extend_from_slice(&[0x55, 0xCD, 0xAB, 0x01, 0x00, 0x02, 0x00]);
        frame
    }

    #[test]
    fn types_versions_and_reserved_bits() {
        let mut registers = Registers::new();
        let verdict = |registers: &Registers, fcf: u16| decide(&frame(fcf), 11, registers, &OWN);
        assert_eq!(decide(&[0x41], 11, &registers, &OWN), Decision::NeedMore);
        assert_eq!(verdict(&registers, 0x8841), Decision::Accept);
        assert_eq!(
            verdict(&registers, 0xA841),
            Decision::Accept,
            "version 2, as from reset"
        );
        assert_eq!(verdict(&registers, 0x8845), Decision::Reject, "type 5");
        registers.set(FRMFILT1, 0x80 | 0x68);
        assert_eq!(verdict(&registers, 0x8845), Decision::Accept);
        assert_eq!(
            verdict(&registers, 0x8841),
            Decision::Reject,
            "data switched off"
        );
        registers.set(FRMFILT1, 0x78);
        registers.set(FRMFILT0, 0x05 | 1 << 4);
        assert_eq!(verdict(&registers, 0x8841), Decision::Accept);
        assert_eq!(
            verdict(&registers, 0xA841),
            Decision::Reject,
            "version 2 over 1"
        );
        assert_eq!(
            verdict(&registers, 0x88C1),
            Decision::Reject,
            "reserved bit 7"
        );
    }

    #[test]
    fn addresses_and_acknowledgements() {
        let registers = Registers::new();
        let mut foreign = frame(0x8841);
        foreign[5] = 9;
        assert_eq!(decide(&foreign, 11, &registers, &OWN), Decision::Reject);
        assert_eq!(
            decide(&[0x02, 0x00, 7], 5, &registers, &OWN),
            Decision::Accept
        );
        assert_eq!(
            decide(&[0x02, 0x00, 7], 12, &registers, &OWN),
            Decision::Reject
        );
    }
}
