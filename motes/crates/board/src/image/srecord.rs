//! Motorola S-records. The crate `srec` (0.2.0) panics on a short header record, so they are read
//! here.

use super::{Piece, Wrong};

/// Octets of a record's address, by its type: header, data, count, start.
const ADDRESS_OCTETS: [Option<usize>; 10] = [
    Some(2),
    Some(2),
    Some(3),
    Some(4),
    None,
    Some(2),
    Some(3),
    Some(4),
    Some(3),
    Some(2),
];

/// The octets of every data record.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, Wrong> {
    let mut pieces = Vec::new();
    for (line, record) in (1..).zip(text.lines()) {
        let record = record.trim_end();
        if record.is_empty() {
            continue;
        }
        let (kind, address, octets) = parse(record).map_err(|reason| (line, reason))?;
        match kind {
            1..=3 => pieces.push((address, octets)),
            7..=9 => return Ok(pieces),
            _ => {}
        }
    }
    Err((
        text.trim_end().lines().count(),
        "the file ends without its last record, S7, S8 or S9".into(),
    ))
}

/// Type, address and octets of a record.
fn parse(record: &str) -> Result<(u8, u32, Vec<u8>), String> {
    let kind = record
        .strip_prefix('S')
        .and_then(|rest| rest.bytes().next())
        .map(|digit| digit.wrapping_sub(b'0'))
        .ok_or("a record begins with S and its type")?;
    let address_octets = ADDRESS_OCTETS
        .get(usize::from(kind))
        .copied()
        .flatten()
        .ok_or("no record has this type")?;
    let octets = octets(&record.as_bytes()[2..])?;
    let (count, rest) = octets.split_first().ok_or("too short")?;
    if usize::from(*count) != rest.len() {
        return Err(format!("{} octets, {count} announced", rest.len()));
    }
    let sum = octets
        .iter()
        .fold(0_u8, |sum, octet| sum.wrapping_add(*octet));
    if sum != 0xFF {
        return Err("wrong checksum".into());
    }
    if rest.len() < address_octets + 1 {
        return Err("too short".into());
    }
    let (address, data) = rest[..rest.len() - 1].split_at(address_octets);
    let address = address
        .iter()
        .fold(0, |sum, octet| sum << 8 | u32::from(*octet));
    if u64::from(address) + data.len() as u64 > 1 << 32 {
        return Err("address beyond 32 bits".into());
    }
    Ok((kind, address, data.to_vec()))
}

fn octets(digits: &[u8]) -> Result<Vec<u8>, String> {
    let digit = |digit: &u8| {
        let value = char::from(*digit).to_digit(16);
        value.ok_or("characters that are no hexadecimal digits")
    };
    let values: Vec<u32> = digits.iter().map(digit).collect::<Result<_, _>>()?;
    if !values.len().is_multiple_of(2) {
        return Err("half an octet at the end".into());
    }
    Ok(values
        .chunks(2)
        .map(|pair| (pair[0] << 4 | pair[1]) as u8)
        .collect())
}
