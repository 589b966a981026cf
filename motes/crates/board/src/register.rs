//! The register of boards. Every file `boards/<name>.toml` is a board; the build script lists them,
//! so a board made of known chips needs no line of Rust.

use crate::atmega128::memory::Chip::{self as Atmega, Atmega128, Atmega1281};
use crate::board::{Board, BoardError, Options};
use crate::description::Description;
use crate::elf::{Elf, Machine};
use crate::{atmega128, cc2538, f1611, image};

include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// The names of all boards, in alphabetical order.
pub const NAMES: [&str; FILES.len()] = {
    let mut names = [""; FILES.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = FILES[index].0;
        index += 1;
    }
    names
};

/// Makes a board with this executable.
type Make = fn(Elf, &Description, &Options) -> Result<Box<dyn Board>, BoardError>;

/// A microcontroller that boards are built around.
struct Chip {
    /// Its name in a board's data file.
    name: &'static str,
    /// Its CPU, as ELF files name it.
    cpu: Machine,
    /// Makes a board around it.
    make: Make,
    /// How many bits the number has that a board around it carries from its factory; 0: none.
    factory_bits: fn(&Description) -> u32,
}

/// Of a TelosB's DS2411, if one is wired.
fn serial_bits(board: &Description) -> u32 {
    if board.wires("ds2411") { 48 } else { 0 }
}

/// Of a CC2538's IEEE address.
fn address_bits(_: &Description) -> u32 {
    64
}

/// An AVR has no such number.
fn no_bits(_: &Description) -> u32 {
    0
}

/// A board around one of the two AVRs.
fn atmega(
    chip: Atmega,
    elf: Elf,
    board: &Description,
    options: &Options,
) -> Result<Box<dyn Board>, BoardError> {
    Ok(Box::new(atmega128::Mote::new(chip, elf, board, options)?))
}

const CHIPS: [Chip; 4] = [
    Chip {
        name: "msp430f1611",
        cpu: Machine::MSP430,
        make: |elf, board, options| Ok(Box::new(f1611::Mote::new(elf, board, options)?)),
        factory_bits: serial_bits,
    },
    Chip {
        name: "cc2538",
        cpu: Machine::ARM,
        make: |elf, board, options| Ok(Box::new(cc2538::Mote::new(elf, board, options)?)),
        factory_bits: address_bits,
    },
    Chip {
        name: "atmega128",
        cpu: Machine::AVR,
        make: |elf, board, options| atmega(Atmega128, elf, board, options),
        factory_bits: no_bits,
    },
    Chip {
        name: "atmega1281",
        cpu: Machine::AVR,
        make: |elf, board, options| atmega(Atmega1281, elf, board, options),
        factory_bits: no_bits,
    },
];

/// Makes the board `name` and programs it with `file`: ELF, Intel HEX, S-records, or octets alone if
/// the options say where they belong.
pub fn create(name: &str, file: &[u8], options: &Options) -> Result<Box<dyn Board>, BoardError> {
    let mut board = describe(name)?;
    if let Some(volts) = options.supply_v {
        board = board.supplied_with(volts)?;
    }
    for (place, value) in &options.changes {
        board = board.changed(place, *value)?;
    }
    let chip = chip_of(&board)?;
    check_identity(name, (chip.factory_bits)(&board), options.identity)?;
    let elf = match options.octets_at {
        Some(address) => image::octets(file, address, chip.cpu)?,
        None => image::read(file, name, &[chip.cpu])?,
    };
    (chip.make)(elf, &board, options)
}

/// How many bits the number has that the board `name` carries from its factory
/// ([`Options::identity`]); 0: it carries none.
pub fn factory_bits(name: &str) -> Result<u32, BoardError> {
    let board = describe(name)?;
    Ok((chip_of(&board)?.factory_bits)(&board))
}

/// The record of the board `name` as TOML, with what it has from the board that it is like.
pub fn record_text(name: &str) -> Result<String, BoardError> {
    Ok(describe(name)?.text)
}

fn check_identity(name: &str, bits: u32, identity: Option<u64>) -> Result<(), BoardError> {
    match identity {
        Some(_) if bits == 0 => Err(BoardError::Option(format!(
            "{name} carries no number from its factory: its program has its identity"
        ))),
        Some(number) if bits < u64::BITS && number >> bits != 0 => Err(BoardError::Option(
            format!("0x{number:X}: the number that {name} carries has {bits} bits"),
        )),
        _ => Ok(()),
    }
}

/// What the data file says about the board `name`.
pub(crate) fn describe(name: &str) -> Result<Description, BoardError> {
    let board = record(name).ok_or_else(|| BoardError::Unknown(name.into()))??;
    let Some(base) = board.base() else {
        return Ok(board);
    };
    let missing = || board.wrong(format!("it is like {base:?}, which is no board"));
    let base = record(base).ok_or_else(missing)??;
    Ok(board.like(&base))
}

/// The data file of a board alone; `None`: there is none.
fn record(name: &str) -> Option<Result<Description, BoardError>> {
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(Description::parse(name, text))
}

fn chip_of(board: &Description) -> Result<&'static Chip, BoardError> {
    let known = || CHIPS.map(|chip| chip.name).join(", ");
    CHIPS
        .iter()
        .find(|chip| chip.name == board.chip)
        .ok_or_else(|| board.wrong(format!("no chip {:?}; known: {}", board.chip, known())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_known_chip() {
        for name in NAMES {
            let board = describe(name).expect("the data file parses");
            assert!(chip_of(&board).is_ok(), "{name}: {}", board.chip);
        }
    }

    #[test]
    fn a_board_is_like_another_one_but_for_its_parts() {
        let board = describe("openmote-b").expect("the data file parses");
        let number = |path: &[&str]| board.number_or(path, f64::NAN).expect("a number");
        assert_eq!(number(&["current", "cpu", "pm2"]), 1.3);
        assert_eq!(number(&["timing", "cc2538", "xosc_start"]), 300.0);
        assert!(number(&["current", "sht21", "sleep"]).is_nan());
        assert!(board.wires("button") && !board.wires("sht21"));
        assert!(board.text.contains("xosc_start"));
        assert_eq!(board.absent_on("ssi0"), [("AT86RF215", None)]);
        assert_eq!(board.absent_on("i2c"), [("SI7006", Some(0x40))]);
        assert_eq!(board.marks().expect("pins").len(), 4);
    }

    #[test]
    fn a_number_from_the_factory_has_the_bits_of_its_board() {
        for (name, bits) in [("telosb", 48), ("openmote-cc2538", 64), ("micaz", 0)] {
            assert_eq!(factory_bits(name).ok(), Some(bits), "{name}");
        }
        assert!(factory_bits("sky").is_err());
        let refused = |bits, number| {
            let refusal = check_identity("a board", bits, number).err();
            refusal.map(|error| error.to_string())
        };
        for (bits, number) in [(0, None), (48, Some((1 << 48) - 1)), (64, Some(u64::MAX))] {
            assert_eq!(refused(bits, number), None);
        }
        assert_eq!(
            refused(48, Some(1 << 48)).as_deref(),
            Some("0x1000000000000: the number that a board carries has 48 bits")
        );
        let none = refused(0, Some(0)).expect("an AVR has none");
        assert!(none.starts_with("a board carries no number"), "{none}");
    }

    #[test]
    fn an_unknown_board_is_refused_with_the_names_there_are() {
        let error = create("sky", &[], &Options::default()).err();
        let text = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(NAMES.iter().all(|name| text.contains(name)), "{text}");
    }

    #[test]
    fn a_board_around_an_unknown_chip_is_refused() {
        let board = Description::parse("toy", "[board]\nchip = \"z80\"").expect("it parses");
        let error = chip_of(&board).err();
        let text = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains("toy") && text.contains("z80"), "{text}");
    }
}
