//! Reading the parts of an ELF file: its CPU, segments, sections and symbols.

use super::{ElfError, Header, Machine, Section, Segment, Symbol};
use object::elf;
use object::endian::LittleEndian as Le;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym, SymbolTable};
use std::collections::BTreeMap;

pub(super) fn damaged(error: object::read::Error) -> ElfError {
    ElfError::Damaged(error.to_string())
}

/// Checks magic, CPU, class and octet order, and reports the first that is wrong.
pub(super) fn identify(data: &[u8], board: &str, wanted: &[Machine]) -> Result<Machine, ElfError> {
    let have = data.len() as u64;
    if data.len() < 4 || data[..4] != elf::ELFMAG {
        return Err(ElfError::NotElf(data[..data.len().min(4)].to_vec()));
    }
    let header_size = size_of::<Header>() as u64;
    if have < header_size {
        return Err(ElfError::Truncated {
            what: "the ELF header".into(),
            need: header_size,
            have,
        });
    }
    let little = data[5] == elf::ELFDATA2LSB.0;
    let number = [data[18], data[19]];
    let machine = Machine(if little {
        u16::from_le_bytes(number)
    } else {
        u16::from_be_bytes(number)
    });
    if !wanted.contains(&machine) {
        return Err(ElfError::OtherCpu {
            found: machine.to_string(),
            board: board.into(),
            wanted: wanted
                .iter()
                .map(Machine::to_string)
                .collect::<Vec<_>>()
                .join(" or "),
        });
    }
    if data[4] != elf::ELFCLASS32.0 || !little {
        return Err(ElfError::Damaged(format!(
            "for {machine} it would be 32-bit and little-endian"
        )));
    }
    Ok(machine)
}

fn within(what: impl Into<String>, offset: u64, size: u64, data: &[u8]) -> Result<(), ElfError> {
    let have = data.len() as u64;
    let need = offset.saturating_add(size);
    if need > have {
        Err(ElfError::Truncated {
            what: what.into(),
            need,
            have,
        })
    } else {
        Ok(())
    }
}

/// Whether a table of `T` ends within the file.
fn table<T>(what: &str, offset: u32, count: u16, data: &[u8]) -> Result<(), ElfError> {
    let size = u64::from(count) * size_of::<T>() as u64;
    within(what, offset.into(), size, data)
}

/// Octets at the begin of a segment that are headers of the file and not of the program. The linker
/// of mspgcc lets its first segment begin with the ELF header, before the address of its first
/// section; a programmer writes sections.
fn headers_in(program: &elf::ProgramHeader32<Le>, header: &Header, data: &[u8]) -> u32 {
    let (begin, size) = (program.p_offset(Le), program.p_filesz(Le));
    let table = u32::from(header.e_phnum(Le)) * size_of::<elf::ProgramHeader32<Le>>() as u32;
    let headers_end = header.e_phoff(Le).saturating_add(table);
    if begin >= headers_end {
        return 0;
    }
    let sections = header.sections(Le, data);
    let first = sections
        .iter()
        .flat_map(|sections| sections.iter())
        .filter(|section| {
            section.sh_flags(Le).contains(elf::SHF_ALLOC)
                && section.sh_type(Le) != elf::SHT_NOBITS
                && section.sh_size(Le) > 0
        });
    let first = first.map(|section| section.sh_offset(Le));
    let first = first.filter(|&at| at >= begin).min();
    (first.unwrap_or(headers_end) - begin).min(size)
}

pub(super) fn read_segments(header: &Header, data: &[u8]) -> Result<Vec<Segment>, ElfError> {
    let (offset, count) = (header.e_phoff(Le), header.e_phnum(Le));
    table::<elf::ProgramHeader32<Le>>("the program header table", offset, count, data)?;
    let mut segments = Vec::new();
    for program in header.program_headers(Le, data).map_err(damaged)? {
        if program.p_type(Le) != elf::PT_LOAD || program.p_memsz(Le) == 0 {
            continue;
        }
        let skipped = headers_in(program, header, data);
        let physical = program.p_paddr(Le).wrapping_add(skipped);
        let size = program.p_filesz(Le);
        within(
            format!("the segment for 0x{physical:04X}"),
            program.p_offset(Le).into(),
            size.into(),
            data,
        )?;
        let contents = program
            .data(Le, data)
            .map_err(|()| ElfError::Damaged("segment without data".into()))?;
        segments.push(Segment {
            physical,
            address: program.p_vaddr(Le).wrapping_add(skipped),
            data: contents[skipped as usize..].to_vec(),
            memory_size: program.p_memsz(Le).max(size) - skipped,
            executable: program.p_flags(Le).contains(elf::PF_X),
        });
    }
    overlap(&segments).map_or(Ok(segments), |address| Err(ElfError::Overlap { address }))
}

/// The first address for which two segments have contents.
fn overlap(segments: &[Segment]) -> Option<u32> {
    let full = segments.iter().filter(|segment| !segment.data.is_empty());
    let mut places: Vec<(u32, u64)> = full
        .map(|one| {
            (
                one.physical,
                u64::from(one.physical) + one.data.len() as u64,
            )
        })
        .collect();
    places.sort_unstable();
    let pair = places
        .windows(2)
        .find(|pair| u64::from(pair[1].0) < pair[0].1)?;
    Some(pair[1].0)
}

/// ARM's marks of where code, Thumb code and data begin ("ELF for the Arm Architecture", 5.5.5): no
/// names of anything.
pub(super) fn is_mapping_symbol(name: &str) -> bool {
    name.strip_prefix(['$'])
        .and_then(|rest| rest.strip_prefix(['a', 't', 'd']))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Where the data space of an AVR begins in ELF files; constants there are copied to RAM too.
const AVR_DATA: u32 = 0x80_0000;

/// Sections, symbols by name, and all symbols: local ones of several files may have one name.
pub(super) type Sections = (
    Vec<Section>,
    BTreeMap<String, Symbol>,
    Vec<(Symbol, String)>,
);

pub(super) fn read_sections(header: &Header, data: &[u8]) -> Result<Sections, ElfError> {
    let (offset, count) = (header.e_shoff(Le), header.e_shnum(Le));
    table::<elf::SectionHeader32<Le>>("the section header table", offset, count, data)?;
    let sections = header.sections(Le, data).map_err(damaged)?;
    let avr = header.e_machine(Le) == elf::EM_AVR;
    let mut list = Vec::new();
    for section in sections.iter() {
        let (flags, kind) = (section.sh_flags(Le), section.sh_type(Le));
        if kind != elf::SHT_NOBITS {
            within(
                "a section",
                section.sh_offset(Le).into(),
                section.sh_size(Le).into(),
                data,
            )?;
        }
        if !flags.contains(elf::SHF_ALLOC) || section.sh_size(Le) == 0 {
            continue;
        }
        list.push(Section {
            name: String::from_utf8_lossy(sections.section_name(Le, section).map_err(damaged)?)
                .into_owned(),
            address: section.sh_addr(Le),
            size: section.sh_size(Le),
            in_flash: kind != elf::SHT_NOBITS,
            in_ram: flags.contains(elf::SHF_WRITE) || avr && section.sh_addr(Le) >= AVR_DATA,
        });
    }
    let (symbols, all) = read_symbols(header, data, &sections)?;
    Ok((list, symbols, all))
}

/// Symbols by name, and all of them.
type Symbols = (BTreeMap<String, Symbol>, Vec<(Symbol, String)>);

fn read_symbols(
    header: &Header,
    data: &[u8],
    sections: &SectionTable<'_, Header>,
) -> Result<Symbols, ElfError> {
    let symbols: SymbolTable<'_, Header> = sections
        .symbols(Le, data, elf::SHT_SYMTAB)
        .map_err(damaged)?;
    let (mut named, mut all) = (BTreeMap::new(), Vec::new());
    for symbol in symbols.iter() {
        let section = sections.section(object::SectionIndex(symbol.st_shndx(Le).0.into()));
        let name = String::from_utf8_lossy(symbol.name(Le, symbols.strings()).map_err(damaged)?)
            .into_owned();
        let kind = symbol.st_type();
        if name.is_empty()
            || is_mapping_symbol(&name)
            || symbol.is_undefined(Le)
            || !matches!(kind, elf::STT_FUNC | elf::STT_OBJECT | elf::STT_NOTYPE)
        {
            continue;
        }
        let in_code = section.is_ok_and(|s| s.sh_flags(Le).contains(elf::SHF_EXECINSTR));
        let function =
            kind == elf::STT_FUNC || (kind == elf::STT_NOTYPE && in_code && !name.starts_with('.'));
        let thumb = u32::from(kind == elf::STT_FUNC && header.e_machine(Le) == elf::EM_ARM);
        let value = Symbol {
            address: symbol.st_value(Le) & !thumb,
            size: symbol.st_size(Le),
            function,
        };
        all.push((value, name.clone()));
        // A global name wins over a local one of another file.
        if symbol.is_local() && named.contains_key(&name) {
            continue;
        }
        named.insert(name, value);
    }
    Ok((named, all))
}
