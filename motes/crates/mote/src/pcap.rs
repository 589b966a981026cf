//! pcap files of frames in the air: classic format, nanosecond times.
//!
//! Everything is little-endian. With link type 283 (IEEE 802.15.4 TAP), a record is a TAP header
//! (version 0, reserved 0, its length), TLVs padded to four octets, and the PSDU with its FCS. With
//! any other, it is the octets that the medium says a capture keeps. The time of a record is the end
//! of the start-of-frame delimiter. The same frames give the same octets.

use crate::simulation::Captured;
use board::device::Ps;

/// LINKTYPE_IEEE802_15_4_TAP.
const TAP: u32 = 283;
/// Magic of a classic pcap file whose times are in nanoseconds.
const MAGIC_NANOSECONDS: u32 = 0xA1B2_3C4D;
/// Largest record a reader must expect.
const SNAP_LENGTH: u32 = 65_535;

/// TLV types of the TAP header.
mod tlv {
    pub(super) const FCS_TYPE: u16 = 0;
    pub(super) const CHANNEL_ASSIGNMENT: u16 = 3;
    pub(super) const START_OF_FRAME: u16 = 5;
    pub(super) const END_OF_FRAME: u16 = 6;
    pub(super) const ASN: u16 = 7;
}

/// FCS type: 16-bit CRC.
const FCS_16_BIT: u8 = 1;

/// One frame of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// First preamble symbol.
    pub start: Ps,
    /// End of the start-of-frame delimiter.
    pub sfd: Ps,
    /// End of the last symbol.
    pub end: Ps,
    /// Channel of page 0, as the TAP header has it; 0 if it is unknown.
    pub channel: u32,
    /// Absolute Slot Number.
    pub asn: Option<u64>,
    /// What the capture keeps: PSDU with its FCS.
    pub octets: &'a [u8],
}

impl<'a> From<&'a Captured> for Packet<'a> {
    fn from(captured: &'a Captured) -> Packet<'a> {
        let frame = &captured.frame;
        Packet {
            start: frame.start,
            sfd: frame.sfd,
            end: frame.end,
            channel: frame.channel,
            asn: captured.asn,
            octets: &frame.octets,
        }
    }
}

/// A file of this link type with these packets, in this order.
pub fn file<'a, I>(link_type: u32, packets: I) -> Vec<u8>
where
    I: IntoIterator,
    I::Item: Into<Packet<'a>>,
{
    let mut out = header(link_type);
    for packet in packets {
        let packet = packet.into();
        let tap = if link_type == TAP {
            tap_header(&packet)
        } else {
            Vec::new()
        };
        record(&mut out, &packet, &tap);
    }
    out
}

/// File header: magic, version 2.4, no time zone, no accuracy, lengths, link type.
fn header(link_type: u32) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC_NANOSECONDS.to_le_bytes());
    out.extend_from_slice(&2u16.to_le_bytes());
    out.extend_from_slice(&4u16.to_le_bytes());
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&SNAP_LENGTH.to_le_bytes());
    out.extend_from_slice(&link_type.to_le_bytes());
    out
}

/// The TAP header of a packet.
fn tap_header(packet: &Packet) -> Vec<u8> {
    let mut tlvs = Vec::new();
    push_tlv(&mut tlvs, tlv::FCS_TYPE, &[FCS_16_BIT]);
    // A channel of a medium with TAP is below 256: it is one of page 0.
    if packet.channel != 0 {
        push_tlv(
            &mut tlvs,
            tlv::CHANNEL_ASSIGNMENT,
            &[packet.channel as u8, 0, 0],
        );
    }
    push_tlv(
        &mut tlvs,
        tlv::START_OF_FRAME,
        &nanoseconds(packet.start).to_le_bytes(),
    );
    push_tlv(
        &mut tlvs,
        tlv::END_OF_FRAME,
        &nanoseconds(packet.end).to_le_bytes(),
    );
    if let Some(asn) = packet.asn {
        push_tlv(&mut tlvs, tlv::ASN, &asn.to_le_bytes());
    }
    // At most 5 TLVs of 12 octets: the length fits its field.
    let length = (4 + tlvs.len()) as u16;
    [&[0, 0], &length.to_le_bytes()[..], &tlvs].concat()
}

fn record(out: &mut Vec<u8>, packet: &Packet, tap: &[u8]) {
    // A frame has at most some thousand octets: the length fits its field.
    let length = (tap.len() + packet.octets.len()) as u32;
    let time = nanoseconds(packet.sfd);
    for field in [
        (time / 1_000_000_000) as u32,
        (time % 1_000_000_000) as u32,
        length,
        length,
    ] {
        out.extend_from_slice(&field.to_le_bytes());
    }
    out.extend_from_slice(tap);
    out.extend_from_slice(packet.octets);
}

/// Type, length, value, zeros up to a multiple of four; the length does not count the zeros.
fn push_tlv(out: &mut Vec<u8>, kind: u16, value: &[u8]) {
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&(value.len() as u16).to_le_bytes());
    out.extend_from_slice(value);
    out.resize(out.len().next_multiple_of(4), 0);
}

fn nanoseconds(time: Ps) -> u64 {
    time.0 / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(octets: &[u8]) -> Packet<'_> {
        let micros = Ps::from_micros;
        let (start, sfd, end) = (micros(2_000_000), Ps(2_000_160_033_356), micros(2_000_288));
        Packet {
            start,
            sfd,
            end,
            channel: 26,
            asn: Some(0x01_0203_0405),
            octets,
        }
    }

    #[test]
    fn header_and_record_octet_by_octet() {
        let expected: [&[u8]; 15] = [
            &[
                0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0x1B,
                0x01, 0, 0,
            ],
            &[2, 0, 0, 0],               // seconds
            &[0x21, 0x71, 0x02, 0x00],   // 160 033 ns
            &[59, 0, 0, 0, 59, 0, 0, 0], // captured and original length
            &[0, 0, 56, 0],              // TAP version, length
            &[0, 0, 1, 0, 1, 0, 0, 0],   // FCS type
            &[3, 0, 3, 0, 26, 0, 0, 0],  // channel 26, page 0
            &[5, 0, 8, 0],               // start of frame
            &[0x00, 0x94, 0x35, 0x77, 0, 0, 0, 0],
            &[6, 0, 8, 0], // end of frame
            &[0x00, 0xF9, 0x39, 0x77, 0, 0, 0, 0],
            &[7, 0, 8, 0], // ASN
            &[5, 4, 3, 2, 1, 0, 0, 0],
            &[0xAA],
            &[0xBB, 0xCC],
        ];
        assert_eq!(file(TAP, [packet(&[0xAA, 0xBB, 0xCC])]), expected.concat());
    }

    #[test]
    fn without_asn_and_channel_their_tlvs_are_absent() {
        let bare = Packet {
            channel: 0,
            asn: None,
            ..packet(&[1, 2])
        };
        let octets = file(TAP, [bare]);
        assert_eq!(octets.len(), 24 + 16 + 4 + 8 + 12 + 12 + 2);
        assert_eq!(octets[24 + 16 + 2], 36);
    }

    #[test]
    fn packets_follow_each_other_in_the_given_order() {
        let one = file(TAP, [packet(&[1])]);
        let two = file(TAP, [packet(&[1]), packet(&[2])]);
        assert_eq!(two[..one.len()], one);
        assert_eq!(two.len(), 2 * one.len() - 24);
        assert_eq!(two.last(), Some(&2));
        assert_eq!(file(TAP, Vec::<Packet>::new()).len(), 24);
    }

    #[test]
    fn another_link_type_has_the_octets_alone() {
        const USER0: u32 = 147;
        let octets = file(USER0, [packet(&[0xAA, 0xBB, 0xCC])]);
        assert_eq!(octets[20..24], [147, 0, 0, 0]);
        assert_eq!(octets[24 + 8..], [3, 0, 0, 0, 3, 0, 0, 0, 0xAA, 0xBB, 0xCC]);
    }
}
