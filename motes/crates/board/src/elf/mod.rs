//! Executables: what an ELF file puts where, and which function an address belongs to.
//!
//! Any 32-bit little-endian executable of a CPU that the reader names can be read.

mod read;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use object::elf;
use object::endian::LittleEndian as Le;
use object::read::elf::FileHeader;
use read::{damaged, identify, read_sections, read_segments};
use std::collections::BTreeMap;
use thiserror::Error;

type Header = elf::FileHeader32<Le>;

/// Why a file is no executable that can be loaded. Each message is one line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ElfError {
    /// No ELF magic.
    #[error("not an ELF file: it begins with {}", first_octets(.0))]
    NotElf(Vec<u8>),
    /// Nothing that a programmer takes.
    #[error("neither an ELF file nor Intel HEX nor S-records: it begins with {}", first_octets(.0))]
    NotImage(Vec<u8>),
    /// A record that cannot be read.
    #[error("{form}, line {line}: {reason}")]
    Record {
        /// `Intel HEX` or `S-records`.
        form: &'static str,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Two records for one address.
    #[error("two records give the octet at 0x{address:04X}")]
    Twice {
        /// The address.
        address: u32,
    },
    /// Two segments for one address.
    #[error("two segments of this ELF give the octet at 0x{address:04X}")]
    Overlap {
        /// The address.
        address: u32,
    },
    /// Records without data.
    #[error("{0} without octets")]
    NoOctets(&'static str),
    /// Octets alone whose last would have an address that does not exist.
    #[error("{size} octets at 0x{address:04X} go beyond the last address")]
    BeyondAddresses {
        /// Of the first.
        address: u32,
        /// How many there are.
        size: usize,
    },
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
        /// Name of what the file was read for.
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
        /// Name of what the file was read for.
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
    /// Octets it occupies in memory. Those beyond `data` begin as zero.
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
    places: Vec<(Symbol, String)>,
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
        let (sections, symbols, places) = read_sections(header, data)?;
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
            places,
            functions,
        })
    }

    /// What a file without symbols says: octets at addresses.
    pub(crate) fn without_symbols(machine: Machine, segments: Vec<Segment>) -> Elf {
        Elf {
            machine,
            entry: 0,
            segments,
            sections: Vec::new(),
            symbols: BTreeMap::new(),
            places: Vec::new(),
            functions: Vec::new(),
        }
    }

    /// Where a programmer writes the first value of what the program has at `address`, if it has
    /// one.
    pub fn load_address(&self, address: u32) -> Option<u32> {
        self.segments.iter().find_map(|segment| {
            let offset = address.checked_sub(segment.address)?;
            ((offset as usize) < segment.data.len()).then(|| segment.physical + offset)
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

    /// All symbols, local ones of several files with one name too.
    pub fn places(&self) -> &[(Symbol, String)] {
        &self.places
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
