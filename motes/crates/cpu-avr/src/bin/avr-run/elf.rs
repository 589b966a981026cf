//! ELF executables for the AVR.

use std::path::Path;

/// A piece of an image: where it goes, and its octets.
pub type Segment = (u32, Vec<u8>);

/// Machine number of the AVR in an ELF header.
const EM_AVR: u16 = 83;
/// A program header that is to be loaded.
const PT_LOAD: u32 = 1;
const TRUNCATED: &str = "the file is truncated";

/// Loadable segments at their physical addresses, where flash holds the initial values of RAM too.
pub fn read(path: &Path) -> Result<Vec<Segment>, String> {
    let wrong = |error: String| format!("{}: {error}", path.display());
    let octets = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    parse(&octets).map_err(wrong)
}

fn parse(octets: &[u8]) -> Result<Vec<Segment>, String> {
    let u16_at = |at: usize| field::<2>(octets, at).map(u16::from_le_bytes);
    let u32_at = |at: usize| field::<4>(octets, at).map(u32::from_le_bytes);
    // e_ident: ELFCLASS32, ELFDATA2LSB.
    if !octets.starts_with(b"\x7fELF") || octets.get(4..6) != Some(&[1, 1]) || u16_at(18)? != EM_AVR
    {
        return Err("not an ELF executable for the AVR".into());
    }
    let (table, size, count) = (
        u32_at(28)? as usize,
        u16_at(42)? as usize,
        u16_at(44)? as usize,
    );
    let mut segments = Vec::new();
    for header in (0..count).map(|i| table + i * size) {
        let (kind, offset) = (u32_at(header)?, u32_at(header + 4)? as usize);
        let (addr, length) = (u32_at(header + 12)?, u32_at(header + 16)? as usize);
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

fn field<const N: usize>(octets: &[u8], at: usize) -> Result<[u8; N], String> {
    octets
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .ok_or_else(|| TRUNCATED.into())
}
