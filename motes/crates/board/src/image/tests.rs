//! Good records, and what is said of wrong ones.

use super::*;

const HEX: &str = ":020000040000FA\n:0400000001020304F2\n:02000400050 6EF\n:00000001FF\n";
const SREC: &str = "S00600004844521B\nS1070000010203 04EE\nS105000405 06EB\nS9030000FC\n";

fn good(text: &str) -> String {
    text.replace(' ', "")
}

fn load(data: &[u8]) -> Result<Elf, ElfError> {
    read(data, "mica2", &[Machine::AVR])
}

#[test]
fn records_become_segments() {
    for text in [HEX, SREC] {
        for text in [
            good(text),
            good(text).replace('\n', "\r\n"),
            format!("{}\n\n", good(text)),
        ] {
            let elf = load(text.as_bytes()).expect("a good file");
            let [segment] = &elf.segments[..] else {
                panic!("{} segments", elf.segments.len());
            };
            assert_eq!(
                (segment.physical, &segment.data[..]),
                (0, &[1, 2, 3, 4, 5, 6][..])
            );
            assert_eq!(elf.machine, Machine::AVR);
            assert_eq!(elf.describe(2), "no symbol");
        }
    }
}

#[test]
fn upper_addresses_count() {
    for text in [
        ":020000040001F9\n:01001000AA45\n:00000001FF",
        ":020000021000EC\n:01001000AA45\n:00000001FF",
        "S205010010AA3F\nS804000000FB",
        "S30600010010AA3E\nS70500000000FA",
    ] {
        let elf = load(text.as_bytes()).expect("a good file");
        assert_eq!(
            (elf.segments[0].physical, &elf.segments[0].data[..]),
            (0x1_0010, &[0xAA][..])
        );
    }
}

/// What takes the place of what in a good file, and what is then said; `all` is all of it.
const WRONG: &str = r"
HEX|F2|F3|Intel HEX, line 2: wrong checksum
HEX|:00000001FF||Intel HEX, line 3: the file ends without its last record, type 01
HEX|:0200|0200|neither an ELF file nor Intel HEX nor S-records: it begins with 30 32 30 30
HEX|all|:00000001FF|Intel HEX without octets
HEX|all|:x|Intel HEX, line 1: invalid characters encountered in record
SREC|04EE|04ED|S-records, line 2: wrong checksum
SREC|S105|S106|S-records, line 3: 5 octets, 6 announced
SREC|S107|S407|S-records, line 2: no record has this type
SREC|0506EB|0506E|S-records, line 3: half an octet at the end
SREC|S9030000FC||S-records, line 3: the file ends without its last record, S7, S8 or S9
SREC|all|S9030000FC|S-records without octets
SREC|all|S100FF|S-records, line 1: 1 octets, 0 announced
SREC|all|S101FE|S-records, line 1: too short
SREC|all|S1|S-records, line 1: too short
SREC|all|S1ü|S-records, line 1: characters that are no hexadecimal digits
SREC|S10500040506EB|S10500030506EC|two records give the octet at 0x0003
";

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for row in WRONG.trim().lines() {
        let [form, from, to, said] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let file = good(if form == "HEX" { HEX } else { SREC });
        let text = match from {
            "all" => to.to_string(),
            _ => file.replacen(from, to, 1),
        };
        assert_ne!(text, file, "{row}");
        let error = load(text.as_bytes()).expect_err("a wrong file");
        assert_eq!(error.to_string(), said);
    }
}

#[test]
fn no_damage_makes_the_readers_panic() {
    for text in [good(HEX), good(SREC)] {
        for at in 0..text.len() {
            for octet in [0, b'0', b'9', b'F', b'S', b':', b'\n', 0x80, 0xFF] {
                let mut damaged = text.clone().into_bytes();
                damaged[at] = octet;
                let _ = load(&damaged);
                let _ = load(&damaged[..at]);
            }
        }
    }
}
