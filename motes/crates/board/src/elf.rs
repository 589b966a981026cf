//! Executables: what an ELF file puts where, and which function an address belongs to.
//!
//! Any 32-bit little-endian executable of a CPU that the reader names can be read.

use object::elf;
use object::endian::LittleEndian as Le;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym, SymbolTable};
use std::collections::BTreeMap;
use thiserror::Error;

type Header = elf::FileHeader32<Le>;

/// Why a file is not an executable for us. One line each.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ElfError {
    /// No ELF magic.
    #[error("not an ELF file: it begins with {}", first_octets(.0))]
    NotElf(Vec<u8>),
    /// The file ends before something its headers announce.
    #[error("truncated ELF file: {what} ends at octet {need}, the file has {have}")]
    Truncated {
        /// What is cut off.
        what: String,
        /// Octets the file would need.
        need: u64,
        /// Octets it has.
        have: u64,
    },
    /// Built for another CPU.
    #[error("this is an ELF for {found}; {board} needs {wanted}")]
    OtherCpu {
        /// The CPU it is for.
        found: String,
        /// Who asked.
        board: String,
        /// The CPU that would fit.
        wanted: String,
    },
    /// Not a linked program.
    #[error("this ELF is not a linked executable (type {0}); link it first")]
    NotExecutable(u16),
    /// A segment that the CPU's memory does not have.
    #[error("segment at 0x{address:04X}, {size} octets, is outside {board}'s memory ({map})")]
    OutsideMemory {
        /// Physical address.
        address: u32,
        /// Octets.
        size: u32,
        /// Who asked.
        board: String,
        /// What there is.
        map: String,
    },
    /// No segment carries instructions.
    #[error("this ELF has no code: no executable segment with contents")]
    NoCode,
    /// Headers that contradict themselves.
    #[error("damaged ELF file: {0}")]
    Damaged(String),
}

fn first_octets(octets: &[u8]) -> String {
    if octets.is_empty() {
        return "nothing (0 octets)".into();
    }
    octets
        .iter()
        .map(|o| format!("{o:02X}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The CPU an ELF file is for: `e_machine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine(pub u16);

impl Machine {
    /// TI MSP430.
    pub const MSP430: Machine = Machine(elf::EM_MSP430.0);
    /// ARM, here always ARMv7-M.
    pub const ARM: Machine = Machine(elf::EM_ARM.0);
    /// Atmel AVR.
    pub const AVR: Machine = Machine(elf::EM_AVR.0);
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match elf::Machine(self.0) {
            elf::EM_MSP430 => "MSP430",
            elf::EM_386 => "x86",
            elf::EM_X86_64 => "x86-64",
            elf::EM_ARM => "ARM",
            elf::EM_AARCH64 => "AArch64",
            elf::EM_AVR => "AVR",
            elf::EM_RISCV => "RISC-V",
            elf::EM_XTENSA => "Xtensa",
            elf::EM_MIPS => "MIPS",
            elf::Machine(number) => return write!(f, "CPU number {number}"),
        };
        f.write_str(name)
    }
}

/// One loadable piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where a programmer writes it (load address).
    pub physical: u32,
    /// Where the program uses it; start-up code copies initialised data from `physical` to here.
    pub address: u32,
    /// Contents.
    pub data: Vec<u8>,
    /// Octets it occupies when used; beyond `data` they begin as zero.
    pub memory_size: u32,
    /// Holds instructions.
    pub executable: bool,
}

/// A named address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Address, without the bit that marks Thumb code.
    pub address: u32,
    /// Octets, 0 when the file does not say.
    pub size: u32,
    /// Function (or a label in code) rather than data.
    pub function: bool,
}

/// One section that occupies memory, for size tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Name, e.g. `.text`.
    pub name: String,
    /// Address when used.
    pub address: u32,
    /// Octets.
    pub size: u32,
    /// Has contents in the file, so it takes flash.
    pub in_flash: bool,
    /// Is written at run time, or can be read in RAM only, so it takes RAM.
    pub in_ram: bool,
}

/// An executable, read whole.
#[derive(Clone, Debug)]
pub struct Elf {
    /// The CPU it is for.
    pub machine: Machine,
    /// Address of the first instruction.
    pub entry: u32,
    /// What to load.
    pub segments: Vec<Segment>,
    /// Sections that occupy memory.
    pub sections: Vec<Section>,
    symbols: BTreeMap<String, Symbol>,
    functions: Vec<(Symbol, String)>,
}

impl Elf {
    /// Reads a file for `board`, which has one of the CPUs `wanted`.
    pub fn parse(data: &[u8], board: &str, wanted: &[Machine]) -> Result<Elf, ElfError> {
        let machine = identify(data, board, wanted)?;
        let header = Header::parse(data).map_err(damaged)?;
        let kind = header.e_type(Le);
        if kind != elf::ET_EXEC {
            return Err(ElfError::NotExecutable(kind.0));
        }
        let segments = read_segments(header, data)?;
        if !segments.iter().any(|s| s.executable && !s.data.is_empty()) {
            return Err(ElfError::NoCode);
        }
        let (sections, symbols) = read_sections(header, data)?;
        let mut functions: Vec<(Symbol, String)> = symbols
            .iter()
            .filter(|(_, s)| s.function)
            .map(|(n, s)| (*s, n.clone()))
            .collect();
        functions.sort_by(|a, b| (a.0.address, a.0.size, &a.1).cmp(&(b.0.address, b.0.size, &b.1)));
        Ok(Elf {
            machine,
            entry: header.e_entry(Le),
            segments,
            sections,
            symbols,
            functions,
        })
    }

    /// The symbol of that name.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// All symbols by name.
    pub fn symbols(&self) -> impl Iterator<Item = (&str, Symbol)> {
        self.symbols
            .iter()
            .map(|(name, symbol)| (name.as_str(), *symbol))
    }

    /// The function that holds `address`, and how far into it: the nearest one that begins at or
    /// before it and, where its size is known, does not end before it.
    pub fn function_at(&self, address: u32) -> Option<(&str, u32)> {
        let end = self
            .functions
            .partition_point(|(s, _)| s.address <= address);
        let (symbol, name) = self.functions[..end].last()?;
        let offset = address - symbol.address;
        (symbol.size == 0 || offset < symbol.size).then_some((name.as_str(), offset))
    }

    /// `name+0x12` for messages, `no symbol` where there is none.
    pub fn describe(&self, address: u32) -> String {
        match self.function_at(address) {
            Some((name, 0)) => name.to_string(),
            Some((name, offset)) => format!("{name}+0x{offset:X}"),
            None => "no symbol".to_string(),
        }
    }
}

fn damaged(error: object::read::Error) -> ElfError {
    ElfError::Damaged(error.to_string())
}

/// Magic, CPU, class and octet order, in the order in which a reader wants to hear of them.
fn identify(data: &[u8], board: &str, wanted: &[Machine]) -> Result<Machine, ElfError> {
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

fn read_segments(header: &Header, data: &[u8]) -> Result<Vec<Segment>, ElfError> {
    let table = u64::from(header.e_phnum(Le)) * size_of::<elf::ProgramHeader32<Le>>() as u64;
    within(
        "the program header table",
        u64::from(header.e_phoff(Le)),
        table,
        data,
    )?;
    let mut segments = Vec::new();
    for program in header.program_headers(Le, data).map_err(damaged)? {
        if program.p_type(Le) != elf::PT_LOAD || program.p_memsz(Le) == 0 {
            continue;
        }
        let physical = program.p_paddr(Le);
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
            address: program.p_vaddr(Le),
            data: contents.to_vec(),
            memory_size: program.p_memsz(Le).max(size),
            executable: program.p_flags(Le).contains(elf::PF_X),
        });
    }
    Ok(segments)
}

/// ARM's marks of where code, Thumb code and data begin ("ELF for the Arm Architecture", 5.5.5): no
/// names of anything.
fn is_mapping_symbol(name: &str) -> bool {
    name.strip_prefix(['$'])
        .and_then(|rest| rest.strip_prefix(['a', 't', 'd']))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Where the data space of an AVR begins in ELF files; constants there are copied to RAM too.
const AVR_DATA: u32 = 0x80_0000;

type Sections = (Vec<Section>, BTreeMap<String, Symbol>);

fn read_sections(header: &Header, data: &[u8]) -> Result<Sections, ElfError> {
    let table = u64::from(header.e_shnum(Le)) * size_of::<elf::SectionHeader32<Le>>() as u64;
    within(
        "the section header table",
        u64::from(header.e_shoff(Le)),
        table,
        data,
    )?;
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
    let symbols: SymbolTable<'_, Header> = sections
        .symbols(Le, data, elf::SHT_SYMTAB)
        .map_err(damaged)?;
    let mut named = BTreeMap::new();
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
        // A global name wins over a local one of another file.
        if symbol.is_local() && named.contains_key(&name) {
            continue;
        }
        named.insert(name, value);
    }
    Ok((list, named))
}

#[cfg(test)]
pub(crate) mod testing {
    /// An executable with one code segment of `code` at `address` and one function symbol `main`
    /// over it.
    pub(crate) fn executable(machine: u16, address: u32, code: &[u8], flags: u32) -> Vec<u8> {
        let (phoff, data_at) = (52_u32, 84_u32);
        let names = b"\0.symtab\0.strtab\0.text\0";
        let strings = b"\0main\0";
        let symbols_at = data_at + code.len() as u32;
        let strings_at = symbols_at + 32;
        let names_at = strings_at + strings.len() as u32;
        let shoff = names_at + names.len() as u32;
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        let half = |file: &mut Vec<u8>, values: &[u16]| {
            values.iter().for_each(|v| file.extend(v.to_le_bytes()))
        };
        let word = |file: &mut Vec<u8>, values: &[u32]| {
            values.iter().for_each(|v| file.extend(v.to_le_bytes()))
        };
        half(&mut file, &[2, machine]);
        word(&mut file, &[1, address, phoff, shoff, 0]);
        half(&mut file, &[52, 32, 1, 40, 5, 4]);
        let size = code.len() as u32;
        word(
            &mut file,
            &[1, data_at, address, address, size, size, flags, 1],
        );
        file.extend(code);
        word(&mut file, &[0, 0, 0, 0, 1, address, size]);
        half(&mut file, &[0x12, 1]);
        file.extend(strings);
        file.extend(names);
        word(&mut file, &[0; 10]);
        word(&mut file, &[17, 1, 6, address, data_at, size, 0, 0, 1, 0]);
        word(&mut file, &[1, 2, 0, 0, symbols_at, 32, 3, 1, 4, 16]);
        word(
            &mut file,
            &[9, 3, 0, 0, strings_at, strings.len() as u32, 0, 0, 1, 0],
        );
        word(
            &mut file,
            &[0, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0],
        );
        file
    }
}

#[cfg(test)]
mod tests {
    use super::testing::executable;
    use super::*;

    const WANTED: &[Machine] = &[Machine::MSP430];

    fn parse(file: &[u8]) -> Result<Elf, ElfError> {
        Elf::parse(file, "telosb", WANTED)
    }

    #[test]
    fn an_executable_gives_segments_sections_and_symbols() {
        let elf = parse(&executable(105, 0x4000, &[0x30, 0x41], 5)).expect("a good file");
        assert_eq!(elf.entry, 0x4000);
        assert_eq!(elf.segments.len(), 1);
        assert_eq!(
            (elf.segments[0].physical, &elf.segments[0].data[..]),
            (0x4000, &[0x30, 0x41][..])
        );
        assert_eq!(
            elf.symbol("main"),
            Some(Symbol {
                address: 0x4000,
                size: 2,
                function: true
            })
        );
        assert_eq!(elf.function_at(0x4001), Some(("main", 1)));
        assert_eq!(
            (elf.function_at(0x4002), elf.function_at(0x3FFF)),
            (None, None)
        );
        assert_eq!(elf.describe(0x4001), "main+0x1");
        let text = Section {
            name: ".text".into(),
            address: 0x4000,
            size: 2,
            in_flash: true,
            in_ram: false,
        };
        assert_eq!(elf.sections, vec![text]);
    }

    #[test]
    fn another_cpu_is_named_and_so_is_the_one_wanted() {
        let error = parse(&executable(40, 0x4000, &[0, 0], 5)).expect_err("an ARM file");
        assert_eq!(
            error.to_string(),
            "this is an ELF for ARM; telosb needs MSP430"
        );
    }

    #[test]
    fn thumb_functions_have_even_addresses_and_mapping_symbols_are_none() {
        let file = executable(40, 0x0020_0001, &[0x70, 0x47], 5);
        let elf = Elf::parse(&file, "openmote-cc2538", &[Machine::ARM]).expect("a good file");
        assert_eq!(elf.symbol("main").map(|s| s.address), Some(0x0020_0000));
        let mapping = ["$a", "$t", "$d", "$t.12"].map(is_mapping_symbol);
        let others = ["$", "$x", "$done", "t", "main"].map(is_mapping_symbol);
        assert_eq!((mapping, others), ([true; 4], [false; 5]));
    }

    #[test]
    fn every_truncation_is_refused() {
        let file = executable(105, 0x4000, &[0x30, 0x41], 5);
        for length in 0..file.len() {
            let error = parse(&file[..length]).expect_err("a truncated file");
            match error {
                ElfError::NotElf(_) => assert!(length < 4),
                ElfError::Truncated { need, have, .. } => {
                    assert!(need > have && have == length as u64)
                }
                other => panic!("{length} octets: {other}"),
            }
        }
        assert!(parse(&file).is_ok());
    }

    #[test]
    fn what_is_no_elf_or_has_no_code_is_refused() {
        assert_eq!(
            parse(b"MZ\x90\0").expect_err("no ELF").to_string(),
            "not an ELF file: it begins with 4D 5A 90 00"
        );
        assert_eq!(
            parse(&executable(105, 0x1100, &[1, 2], 6)).err(),
            Some(ElfError::NoCode)
        );
        let mut object = executable(105, 0x4000, &[0, 0], 5);
        object[16] = 1;
        assert_eq!(parse(&object).err(), Some(ElfError::NotExecutable(1)));
    }

    #[test]
    fn no_damaged_header_makes_the_reader_panic() {
        let file = executable(105, 0x4000, &[0x30, 0x41], 5);
        for at in 0..file.len() {
            for octet in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = octet;
                let _ = parse(&damaged);
            }
        }
    }
}
