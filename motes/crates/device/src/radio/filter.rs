//! Address recognition (SWRS041 18; IEEE 802.15.4-2003 7.5.6.2). The chip predates frame versions:
//! bits 12 and 13 of the frame control field are ignored, bit 6 is the intra-PAN bit.

/// What address recognition compares with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    pub(crate) pan_id: u16,
    pub(crate) short: u16,
    /// As it lies in RAM and on the air: least significant octet first.
    pub(crate) extended: [u8; 8],
    /// MDMCTRL0.PAN_COORDINATOR.
    pub(crate) coordinator: bool,
    /// MDMCTRL0.RESERVED_FRAME_MODE.
    pub(crate) reserved_accepted: bool,
    /// IOCFG0.BCN_ACCEPT.
    pub(crate) any_beacon: bool,
}

/// PAN identifier, short and extended address, which lie at these places of the radio's RAM.
pub(crate) fn addresses(ram: &[u8], [pan, short, ext]: [usize; 3]) -> (u16, u16, [u8; 8]) {
    let pair = |at: usize| u16::from_le_bytes([ram[at], ram[at + 1]]);
    (
        pair(pan),
        pair(short),
        std::array::from_fn(|index| ram[ext + index]),
    )
}

/// Outcome for the octets so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    NeedMore,
    Accept,
    Reject,
}

const BROADCAST: u16 = 0xFFFF;
const BEACON: u16 = 0;
const ACK: u16 = 2;

fn verdict(accept: bool) -> Decision {
    if accept {
        Decision::Accept
    } else {
        Decision::Reject
    }
}

fn u16_at(mpdu: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes([*mpdu.get(at)?, *mpdu.get(at + 1)?]))
}

/// Decides about a frame. `mpdu` is the part that has arrived.
pub(crate) fn decide(mpdu: &[u8], own: &Identity) -> Decision {
    decide_known(mpdu, own).unwrap_or(Decision::NeedMore)
}

/// `None`: an octet that matters has not arrived.
fn decide_known(mpdu: &[u8], own: &Identity) -> Option<Decision> {
    let fcf = u16_at(mpdu, 0)?;
    let (kind, intra_pan) = (fcf & 7, fcf & 0x40 != 0);
    let (dst_mode, src_mode) = (fcf >> 10 & 3, fcf >> 14 & 3);
    if kind >= 4 {
        return Some(verdict(own.reserved_accepted));
    }
    if dst_mode == 1 || src_mode == 1 {
        return Some(Decision::Reject);
    }
    let mut at = 3;
    if dst_mode != 0 {
        let pan = u16_at(mpdu, at)?;
        if pan != own.pan_id && pan != BROADCAST {
            return Some(Decision::Reject);
        }
        at += 2;
        let matches = if dst_mode == 2 {
            let short = u16_at(mpdu, at)?;
            short == own.short || short == BROADCAST
        } else {
            mpdu.get(at..at + 8)? == own.extended
        };
        if !matches {
            return Some(Decision::Reject);
        }
        at += if dst_mode == 2 { 2 } else { 8 };
    }
    if kind == BEACON && !own.any_beacon && own.pan_id != BROADCAST && src_mode != 0 {
        let carried = if intra_pan && dst_mode != 0 { 3 } else { at };
        return Some(verdict(u16_at(mpdu, carried)? == own.pan_id));
    }
    if dst_mode == 0 && src_mode != 0 && kind != BEACON && kind != ACK {
        return Some(verdict(own.coordinator && u16_at(mpdu, at)? == own.pan_id));
    }
    Some(Decision::Accept)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::Identity;

    /// The receiver that frames of the tests are for.
    pub(crate) const OWN: Identity = Identity {
        pan_id: 0xABCD,
        short: 0x0001,
        extended: [1, 2, 3, 4, 5, 6, 7, 8],
        coordinator: false,
        reserved_accepted: false,
        any_beacon: false,
    };
}

#[cfg(test)]
mod tests {
    use super::testing::OWN;
    use super::*;

    fn frame(fcf: u16, rest: &[u8]) -> Vec<u8> {
        let mut frame = fcf.to_le_bytes().to_vec();
        frame.push(0x55);
        frame.extend_from_slice(rest);
        frame
    }

    #[test]
    fn short_destination() {
        let mine = frame(0x8841, &[0xCD, 0xAB, 1, 0, 2, 0]);
        assert_eq!(decide(&mine[..6], &OWN), Decision::NeedMore);
        assert_eq!(decide(&mine[..7], &OWN), Decision::Accept);
        assert_eq!(
            decide(&frame(0x8841, &[0xCD, 0xAB, 0xFF, 0xFF]), &OWN),
            Decision::Accept
        );
        assert_eq!(
            decide(&frame(0x8841, &[0xFF, 0xFF, 1, 0]), &OWN),
            Decision::Accept
        );
        assert_eq!(
            decide(&frame(0x8841, &[0xCD, 0xAB, 2, 0]), &OWN),
            Decision::Reject
        );
        assert_eq!(
            decide(&frame(0x8841, &[0xCE, 0xAB]), &OWN),
            Decision::Reject
        );
    }

    #[test]
    fn extended_destination_of_frame_versions_0_and_1() {
        for version in [0x0000, 0x1000] {
            let fcf = 0xCC41 | version;
            assert_eq!(
                decide(&frame(fcf, &[0xCD, 0xAB, 1, 2, 3, 4, 5, 6, 7, 8]), &OWN),
                Decision::Accept
            );
            assert_eq!(
                decide(&frame(fcf, &[0xCD, 0xAB, 1, 2, 3, 4, 5, 6, 7, 9]), &OWN),
                Decision::Reject
            );
        }
    }

    #[test]
    fn beacons_by_source_pan() {
        let beacon = frame(0x8000, &[0xCD, 0xAB, 9, 0]);
        let foreign = frame(0x8000, &[0xCE, 0xAB, 9, 0]);
        assert_eq!(decide(&beacon, &OWN), Decision::Accept);
        assert_eq!(decide(&foreign, &OWN), Decision::Reject);
        assert_eq!(
            decide(
                &foreign,
                &Identity {
                    any_beacon: true,
                    ..OWN
                }
            ),
            Decision::Accept
        );
        assert_eq!(
            decide(
                &foreign,
                &Identity {
                    pan_id: 0xFFFF,
                    ..OWN
                }
            ),
            Decision::Accept
        );
    }

    #[test]
    fn source_only_goes_to_the_coordinator() {
        let data = frame(0x8001, &[0xCD, 0xAB, 9, 0]);
        assert_eq!(decide(&data, &OWN), Decision::Reject);
        assert_eq!(
            decide(
                &data,
                &Identity {
                    coordinator: true,
                    ..OWN
                }
            ),
            Decision::Accept
        );
    }

    #[test]
    fn acknowledgements_and_reserved_types() {
        assert_eq!(decide(&frame(0x0002, &[]), &OWN), Decision::Accept);
        assert_eq!(decide(&frame(0x0005, &[]), &OWN), Decision::Reject);
        assert_eq!(
            decide(
                &frame(0x0005, &[]),
                &Identity {
                    reserved_accepted: true,
                    ..OWN
                }
            ),
            Decision::Accept
        );
        assert_eq!(
            decide(&frame(0x0401, &[]), &OWN),
            Decision::Reject,
            "reserved addressing mode"
        );
    }
}
