//! Frame check sequence: x^16 + x^12 + x^5 + 1, least significant bit first, initial value 0 (IEEE
//! 802.15.4).

/// The FCS over `octets` continued from `fcs`. Sent low octet first; over a frame and its FCS it is
/// 0.
pub(crate) fn update(fcs: u16, octet: u8) -> u16 {
    let mut fcs = fcs ^ u16::from(octet);
    for _ in 0..8 {
        fcs = if fcs & 1 != 0 {
            fcs >> 1 ^ 0x8408
        } else {
            fcs >> 1
        };
    }
    fcs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_and_residue() {
        let fcs = b"123456789"
            .iter()
            .fold(0, |fcs, &octet| update(fcs, octet));
        assert_eq!(fcs, 0x2189, "CRC-16/KERMIT check value");
        assert_eq!(
            fcs.to_le_bytes()
                .iter()
                .fold(fcs, |fcs, &octet| update(fcs, octet)),
            0
        );
    }
}
