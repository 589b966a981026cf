//! Program images: ELF executables for the MSP430, and Intel hex.

use std::path::Path;

/// A piece of an image: where it goes, and its octets.
pub type Segment = (usize, Vec<u8>);

/// Machine number of the MSP430 in an ELF header.
const EM_MSP430: u16 = 105;
/// A program header that is to be loaded.
const PT_LOAD: u32 = 1;

/// Reads an image; the content tells its kind.
pub fn read(path: &Path) -> Result<Vec<Segment>, String> {
    let octets = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let segments = if octets.starts_with(b"\x7fELF") {
        elf(&octets)
    } else {
        intel_hex(&octets)
    };
    segments.map_err(|error| format!("{}: {error}", path.display()))
}

/// Loadable segments at their physical addresses, where flash holds the initial values of RAM too.
fn elf(octets: &[u8]) -> Result<Vec<Segment>, String> {
    let u16_at = |at: usize| field::<2>(octets, at).map(u16::from_le_bytes);
    let u32_at = |at: usize| field::<4>(octets, at).map(u32::from_le_bytes);
    // e_ident: ELFCLASS32, ELFDATA2LSB.
    if octets.get(4..6) != Some(&[1, 1]) || u16_at(18)? != EM_MSP430 {
        return Err("not an ELF executable for the MSP430".into());
    }
    let (table, size, count) = (
        u32_at(28)? as usize,
        u16_at(42)? as usize,
        u16_at(44)? as usize,
    );
    let mut segments = Vec::new();
    for header in (0..count).map(|i| table + i * size) {
        let (kind, offset) = (u32_at(header)?, u32_at(header + 4)? as usize);
        let (addr, length) = (u32_at(header + 12)? as usize, u32_at(header + 16)? as usize);
        if kind == PT_LOAD && length != 0 {
            let content = octets
                .get(offset..)
                .and_then(|rest| rest.get(..length))
                .ok_or(TRUNCATED)?;
            segments.push((addr, content.to_vec()));
        }
    }
    Ok(segments)
}

const TRUNCATED: &str = "the file is truncated";

fn field<const N: usize>(octets: &[u8], at: usize) -> Result<[u8; N], String> {
    octets
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .ok_or_else(|| TRUNCATED.into())
}

/// Data records (type 00) up to the end record (01); start addresses (03, 05) are ignored.
fn intel_hex(octets: &[u8]) -> Result<Vec<Segment>, String> {
    let text = std::str::from_utf8(octets).map_err(|_| "neither ELF nor Intel hex")?;
    let mut segments = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        let record = line
            .trim()
            .strip_prefix(':')
            .ok_or_else(|| wrong("neither ELF nor Intel hex"))?;
        let record = crate::octets_of_hex(record).ok_or_else(|| wrong("not hexadecimal"))?;
        let &[length, high, low, kind, ref rest @ ..] = record.as_slice() else {
            return Err(wrong("too short"));
        };
        let sum = record
            .iter()
            .fold(0_u8, |sum, octet| sum.wrapping_add(*octet));
        if rest.len() != usize::from(length) + 1 || sum != 0 {
            return Err(wrong("wrong length or checksum"));
        }
        match kind {
            0 => segments.push((
                usize::from(u16::from_be_bytes([high, low])),
                rest[..rest.len() - 1].to_vec(),
            )),
            1 => return Ok(segments),
            3 | 5 => {}
            _ => return Err(wrong("an address above 64 KiB")),
        }
    }
    Err("no end record".into())
}
