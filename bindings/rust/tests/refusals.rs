//! Vectors, and what must be refused before the C sees it.

use wardmote::{CcmKey, Error, FrameKey, Level, Nonce, Security};

const SECURITY: Security = Security {
    level: Level::EncMic128,
    key_index: 1,
    counter: 0,
};
const NONCE: Nonce = Nonce([0, 0, 0, 3, 2, 1, 0, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5]);

/// RFC 3610 §8, packet vector 1; one changed octet leaves only zeros.
#[test]
fn packet_vector_1() {
    let key = CcmKey::new(&core::array::from_fn(|i| 0xc0 + i as u8));
    let clear: [u8; 23] = core::array::from_fn(|i| 8 + i as u8);
    let (mut message, mut tag) = (clear, [0; 8]);
    key.seal(&NONCE, &[0, 1, 2, 3, 4, 5, 6, 7], &mut message, &mut tag)
        .unwrap();
    assert_eq!(message[..4], [0x58, 0x8c, 0x97, 0x9a]);
    assert_eq!(tag, [0x17, 0xe8, 0xd1, 0x2c, 0xfd, 0xf9, 0x26, 0xe0]);
    let mut opened = message;
    key.open(&NONCE, &[0, 1, 2, 3, 4, 5, 6, 7], &mut opened, &tag)
        .unwrap();
    assert_eq!(opened, clear);
    tag[0] ^= 1;
    assert_eq!(
        key.open(&NONCE, &[0, 1, 2, 3, 4, 5, 6, 7], &mut message, &tag),
        Err(Error::Tag)
    );
    assert_eq!(message, [0; 23]);
}

/// Lengths that the stack's own types cannot hold are refused, not cut off.
#[test]
fn lengths() {
    let key = CcmKey::new(&[0; 16]);
    let long = vec![0; 65_537];
    for (a, m, tag) in [
        (0, 65_537, 8),
        (65_280, 0, 8),
        (0, 0, 0),
        (0, 0, 5),
        (0, 0, 17),
    ] {
        let mut message = long[..m].to_vec();
        let refused = key.seal(&NONCE, &long[..a], &mut message, &mut [0; 32][..tag]);
        assert_eq!(refused, Err(Error::Parameter), "{a} {m} {tag}");
    }
}

/// No frame, a frame in clear and a buffer without room are refused by name.
#[test]
fn frames() {
    let key = FrameKey::new(&[0; 16]);
    let mut clear = [
        0x41, 0xd8, 7, 0xcd, 0xab, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9,
    ];
    assert_eq!(key.unsecure(None, &mut clear), Err(Error::Level));
    assert_eq!(key.unsecure(None, &mut []), Err(Error::Malformed));
    assert_eq!(key.unsecure(None, &mut [0x49]), Err(Error::Malformed));
    assert_eq!(key.unsecure(None, &mut [0; 126]), Err(Error::TooLong));
    for (size, len) in [(22, 22), (43, 22), (22, 23), (125, 126), (22, usize::MAX)] {
        let mut buffer = vec![0; size];
        let kept = buffer.len().min(22);
        buffer[..kept].copy_from_slice(&clear[..kept]);
        let refused = key.secure(SECURITY, None, &mut buffer, len);
        assert_eq!(refused, Err(Error::TooLong), "{size} {len}");
    }
    let used_up = Security {
        counter: u32::MAX,
        ..SECURITY
    };
    let mut buffer = [0; 44];
    buffer[..22].copy_from_slice(&clear);
    let refused = key.secure(used_up, None, &mut buffer, 22);
    assert_eq!(
        (refused, buffer),
        (Err(Error::Counter), [0; 44]),
        "nothing looks secured"
    );
    buffer[..22].copy_from_slice(&clear);
    let octets = key.secure(SECURITY, None, &mut buffer, 22).unwrap();
    assert_eq!(octets, 44);
    assert_eq!(key.unsecure(None, &mut buffer), Ok((22, SECURITY)));
    assert_eq!(buffer[..22], clear);
}
