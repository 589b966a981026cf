//! Which octets of an executable belong to something.

use crate::elf::{Elf, Machine, Section, Symbol};
use std::ops::Range;
use taint::{Extents, Taint};

/// Octets between two objects that may be there for alignment alone.
const PADDING: u32 = 4;

/// Octets that a compiler may copy at once: it copies an object up to the end of its last word.
fn word(elf: &Elf) -> u32 {
    match elf.machine {
        Machine::ARM => 4,
        Machine::MSP430 => 2,
        _ => 1,
    }
}

/// Gives the program its objects, and names them.
pub(super) fn own_program(elf: &Elf, taint: &mut Taint, extents: &mut Extents) {
    for section in &elf.sections {
        own_section(elf, section, taint, extents);
    }
}

fn own_section(elf: &Elf, section: &Section, taint: &mut Taint, extents: &mut Extents) {
    let whole = section.address..section.address + section.size;
    let mut symbols: Vec<&(Symbol, String)> = elf
        .places()
        .iter()
        .filter(|(symbol, _)| whole.contains(&symbol.address))
        .collect();
    symbols.sort_by_key(|(symbol, _)| symbol.address);
    let sized = symbols.iter().any(|(symbol, _)| symbol.size > 0);
    if !sized {
        taint.own(whole, true);
        return;
    }
    // Names without a size are marks of the linker in RAM, and of assembly elsewhere.
    symbols.retain(|(symbol, _)| symbol.size > 0 || !section.in_ram);
    let mut end = whole.start;
    for (at, (symbol, name)) in symbols.iter().enumerate() {
        let next = symbols
            .get(at + 1)
            .map_or(whole.end, |(next, _)| next.address);
        let own = match symbol.size {
            0 => symbol.address..next,
            size => symbol.address..symbol.address.saturating_add(size).min(whole.end),
        };
        if !symbol.function && symbol.size > 0 {
            extents.add(own.clone(), name.as_str());
        }
        own_gap(elf, section, end..own.start, taint);
        end = end.max(own.end.next_multiple_of(word(elf)));
        taint.own(own.start..end, true);
    }
    own_gap(elf, section, end..whole.end, taint);
}

/// Literals and tables of jumps have no names: what lies between named octets belongs to the
/// program, unless it is short and all zeros. Variables have names.
fn own_gap(elf: &Elf, section: &Section, gap: Range<u32>, taint: &mut Taint) {
    if gap.is_empty() || !section.in_flash {
        return;
    }
    let zeros = gap.clone().all(|address| octet(elf, address) == 0);
    if gap.end - gap.start >= PADDING || !zeros {
        taint.own(gap, true);
    }
}

/// An octet of the file, at the address where the program uses it.
fn octet(elf: &Elf, address: u32) -> u8 {
    let found = elf.segments.iter().find_map(|segment| {
        let at = address.checked_sub(segment.address)?;
        segment.data.get(at as usize).copied()
    });
    found.unwrap_or(0)
}
