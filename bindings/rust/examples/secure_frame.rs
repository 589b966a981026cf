//! Builds a frame with the crate `ieee802154`, secures and unsecures it, and reads it again.

use byte::{BytesExt, TryRead};
use ieee802154::mac::{
    Address, ExtendedAddress, FooterMode, Frame, FrameContent, FrameSerDesContext, FrameType,
    FrameVersion, Header, PanId,
};
use wardmote::{Error, FRAME_OCTETS, FrameKey, Level, Security};

fn main() {
    let address = |last| Some(Address::Extended(PanId(0xabcd), ExtendedAddress(last)));
    let header = Header {
        frame_type: FrameType::Data,
        frame_pending: false,
        ack_request: true,
        pan_id_compress: false,
        seq_no_suppress: false,
        ie_present: false,
        version: FrameVersion::Ieee802154_2006,
        seq: 7,
        destination: address(1),
        source: address(2),
        auxiliary_security_header: None,
    };
    let frame = Frame {
        header,
        content: FrameContent::Data,
        payload: b"21.5 degrees",
        footer: [0; 2],
    };
    let (mut buffer, mut len) = ([0; FRAME_OCTETS], 0);
    let mut clear = FrameSerDesContext::no_security(FooterMode::None);
    buffer
        .write_with(&mut len, frame, &mut clear)
        .expect("a frame");

    let key = FrameKey::new(&[0xc0; 16]);
    let security = Security {
        level: Level::EncMic32,
        key_index: 1,
        counter: 5,
    };
    let secured = key
        .secure(security, None, &mut buffer, len)
        .expect("secured");
    let text: String = buffer[..secured]
        .iter()
        .map(|octet| format!("{octet:02x}"))
        .collect();
    println!("{text}");

    let mut forged = buffer;
    forged[secured - 1] ^= 1;
    let refused = key.unsecure(None, &mut forged[..secured]);
    assert_eq!(refused, Err(Error::Tag));

    let (opened, how) = key
        .unsecure(None, &mut buffer[..secured])
        .expect("unsecured");
    assert_eq!((opened, how), (len, security));
    let (read, _) = Frame::try_read(&buffer[..opened], FooterMode::None).expect("a frame");
    assert_eq!(read.header, header);
    println!("{}", String::from_utf8_lossy(read.payload));
}
