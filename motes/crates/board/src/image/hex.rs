//! Intel HEX (Intel, "Hexadecimal Object File Format Specification", 1988), read by the crate `ihex`.

use super::{Piece, Wrong};
use ihex::{ReaderError, Record};

/// The octets of every data record.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, Wrong> {
    let mut pieces = Vec::new();
    let mut base = 0_u32;
    for (line, record) in (1..).zip(text.lines()) {
        if record.is_empty() {
            continue;
        }
        let record = Record::from_record_string(record.trim_end());
        match record.map_err(|error| (line, reason(error)))? {
            Record::Data { offset, value } => {
                let address = base
                    .checked_add(offset.into())
                    .filter(|address| u64::from(*address) + value.len() as u64 <= 1 << 32);
                let beyond = || (line, "address beyond 32 bits".into());
                pieces.push((address.ok_or_else(beyond)?, value));
            }
            Record::ExtendedSegmentAddress(segment) => base = u32::from(segment) << 4,
            Record::ExtendedLinearAddress(high) => base = u32::from(high) << 16,
            Record::StartSegmentAddress { .. } | Record::StartLinearAddress(_) => {}
            Record::EndOfFile => return Ok(pieces),
        }
    }
    Err((
        text.trim_end().lines().count(),
        "the file ends without its last record, type 01".into(),
    ))
}

/// The crate's text of a checksum has its two numbers the wrong way round.
fn reason(error: ReaderError) -> String {
    match error {
        ReaderError::ChecksumMismatch(..) => "wrong checksum".into(),
        other => other.to_string(),
    }
}
