//! Files that a programmer takes: ELF files, Intel HEX, Motorola S-records, and octets alone. The
//! others than ELF have no CPU and no symbols.

mod hex;
mod srecord;
#[cfg(test)]
mod tests;

use crate::elf::{Elf, ElfError, Machine, Segment};

/// Octets at an address, as a record has them.
type Piece = (u32, Vec<u8>);

/// What is wrong, and in which line, from 1.
type Wrong = (usize, String);

/// Reads a file for `board`, which has one of the CPUs `wanted`; the first of them is that of a file
/// which names none.
pub(crate) fn read(data: &[u8], board: &str, wanted: &[Machine]) -> Result<Elf, ElfError> {
    let form = match data {
        [b':', ..] => "Intel HEX",
        [b'S', b'0'..=b'9', ..] => "S-records",
        _ => {
            return Elf::parse(data, board, wanted).map_err(|error| match error {
                ElfError::NotElf(octets) => ElfError::NotImage(octets),
                other => other,
            });
        }
    };
    let pieces = text(data).and_then(|text| match form {
        "Intel HEX" => hex::pieces(text),
        _ => srecord::pieces(text),
    });
    let wrong = |(line, reason): Wrong| ElfError::Record { form, line, reason };
    let segments = joined(pieces.map_err(wrong)?).map_err(|address| ElfError::Twice { address })?;
    match wanted {
        [machine, ..] if !segments.is_empty() => Ok(Elf::without_symbols(*machine, segments)),
        _ => Err(ElfError::NoOctets(form)),
    }
}

/// Octets alone, the first at `address`.
pub(crate) fn octets(data: &[u8], address: u32, machine: Machine) -> Result<Elf, ElfError> {
    if data.is_empty() {
        return Err(ElfError::NoOctets("a file of octets alone"));
    }
    let beyond = ElfError::BeyondAddresses {
        address,
        size: data.len(),
    };
    let memory_size = u32::try_from(data.len()).map_err(|_| beyond.clone())?;
    address.checked_add(memory_size).ok_or(beyond)?;
    let segment = Segment {
        physical: address,
        address,
        data: data.to_vec(),
        memory_size,
        executable: true,
    };
    Ok(Elf::without_symbols(machine, vec![segment]))
}

fn text(data: &[u8]) -> Result<&str, Wrong> {
    std::str::from_utf8(data).map_err(|error| {
        let lines = data[..error.valid_up_to()].split(|octet| *octet == b'\n');
        (
            lines.count(),
            "characters that are no hexadecimal digits".into(),
        )
    })
}

/// Segments in order of address, neighbours in one; or an address that has two octets.
fn joined(mut pieces: Vec<Piece>) -> Result<Vec<Segment>, u32> {
    pieces.retain(|(_, octets)| !octets.is_empty());
    pieces.sort_by_key(|(address, _)| *address);
    let mut segments: Vec<Segment> = Vec::new();
    for (address, octets) in pieces {
        let last = segments.last_mut();
        let end = |segment: &Segment| u64::from(segment.physical) + segment.data.len() as u64;
        match last {
            Some(last) if end(last) > u64::from(address) => return Err(address),
            Some(last) if end(last) == u64::from(address) => {
                last.memory_size += octets.len() as u32;
                last.data.extend(octets);
            }
            _ => segments.push(Segment {
                physical: address,
                address,
                memory_size: octets.len() as u32,
                data: octets,
                executable: true,
            }),
        }
    }
    Ok(segments)
}
