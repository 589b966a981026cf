//! Files as a linker writes them, damaged ones, and files for other CPUs.

use super::testing::executable;
use super::*;
use read::is_mapping_symbol;

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
fn segments_that_overlap_are_refused() {
    for (distance, refused) in [(0, true), (1, true), (2, false), (-1, true), (-2, false)] {
        let mut file = executable(105, 0x4000, &[0x30, 0x41], 5);
        // Both program headers stand at the end of the file; the second differs in its address.
        let first = file[52..84].to_vec();
        let mut second = first.clone();
        let address = 0x4000_u32.wrapping_add_signed(distance);
        second[12..16].copy_from_slice(&address.to_le_bytes());
        let end = file.len() as u32;
        file[28..32].copy_from_slice(&end.to_le_bytes());
        file[44..46].copy_from_slice(&2_u16.to_le_bytes());
        file.extend([first, second].concat());
        let address = address.max(0x4000);
        let error = refused.then_some(ElfError::Overlap { address });
        assert_eq!(parse(&file).err(), error, "{distance}");
    }
}

#[test]
fn headers_of_the_file_are_no_part_of_the_program() {
    let mut file = executable(105, 0x4000, &[0x30, 0x41], 5);
    // The segment begins with the file: 84 octets of headers before the code.
    let (headers, code) = (84_u32, 2_u32);
    let put = |file: &mut Vec<u8>, at: usize, value: u32| {
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    for (field, value) in [(4, 0), (8, 0x4000 - headers), (12, 0x4000 - headers)] {
        put(&mut file, 52 + field, value);
    }
    put(&mut file, 52 + 16, headers + code);
    put(&mut file, 52 + 20, headers + code);
    let elf = parse(&file).expect("a good file");
    let [segment] = &elf.segments[..] else {
        panic!("one segment");
    };
    assert_eq!((segment.physical, segment.address), (0x4000, 0x4000));
    assert_eq!(
        (&segment.data[..], segment.memory_size),
        (&[0x30, 0x41][..], 2)
    );
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
