//! The chip through its pins, by the instructions of its data sheet.

use super::*;
use crate::meter::{CurrentTable, State};

const OCTET: Ps = Ps::from_micros(2);

struct Bench {
    chip: M25p80,
    now: Ps,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            chip: M25p80::new(M25p80Config::default()),
            now: Ps::ZERO,
        }
    }

    fn wait(&mut self, micros: u64) {
        self.now += Ps::from_micros(micros);
        self.chip.advance(self.now);
    }

    /// CSn low, octets, CSn high.
    fn spi(&mut self, octets: &[u8]) -> Vec<u8> {
        self.chip.set_csn(self.now, false);
        let mut answer = Vec::new();
        for octet in octets {
            self.now += OCTET;
            answer.push(self.chip.spi_byte(self.now, *octet));
        }
        self.chip.set_csn(self.now, true);
        answer
    }

    fn status(&mut self) -> u8 {
        self.spi(&[RDSR, 0])[1]
    }

    /// READ of `count` octets.
    fn read(&mut self, address: u32, count: usize) -> Vec<u8> {
        let [_, high, mid, low] = address.to_be_bytes();
        let mut octets = vec![READ, high, mid, low];
        octets.resize(4 + count, 0);
        self.spi(&octets)[4..].to_vec()
    }

    /// WREN and an instruction with an address and data.
    fn write(&mut self, code: u8, address: u32, data: &[u8]) {
        let [_, high, mid, low] = address.to_be_bytes();
        self.spi(&[WREN]);
        self.spi(&[&[code, high, mid, low], data].concat());
    }

    fn misuse(&mut self) -> Vec<&'static str> {
        let list = self.chip.take_misuse();
        list.into_iter().map(|(_, what)| what).collect()
    }
}

#[test]
fn identity_and_signature() {
    let mut bench = Bench::new();
    assert_eq!(bench.spi(&[RDID, 0, 0, 0])[1..], [0x20, 0x20, 0x14]);
    assert_eq!(bench.spi(&[RES, 0, 0, 0, 0, 0])[4..], [0x13, 0x13]);
    assert_eq!(
        bench.read(0xF_FFFF, 2),
        [0xFF, 0xFF],
        "it is delivered erased"
    );
    assert_eq!(bench.misuse(), [""; 0]);
}

#[test]
fn a_page_is_programmed_in_its_time_and_reads_back() {
    let mut bench = Bench::new();
    bench.write(PP, 0x01_02FE, &[1, 2, 3]);
    assert_eq!(bench.status(), WIP | WEL);
    assert_eq!(bench.chip.state(), FlashState::Writing);
    assert_eq!(bench.read(0x01_02FE, 1), [0xFF]);
    assert_eq!(bench.misuse(), [BUSY]);
    bench.wait(20);
    assert_eq!(bench.status(), 0);
    assert_eq!(bench.read(0x01_02FE, 4), [1, 2, 0xFF, 0xFF]);
    assert_eq!(
        bench.read(0x01_0200, 2),
        [3, 0xFF],
        "it goes on in its page"
    );
    let fast = bench.spi(&[FAST_READ, 1, 2, 0xFE, 0, 0, 0]);
    assert_eq!(fast[5..], [1, 2]);
    bench.write(PP, 0x01_02FE, &[0xF0]);
    bench.wait(20);
    assert_eq!(bench.read(0x01_02FE, 1), [0], "bits fall, none rises");
}

#[test]
fn of_more_than_a_page_the_last_octets_stay() {
    let mut bench = Bench::new();
    let octets: Vec<u8> = (0..258_u16).map(|number| (number & 0x7F) as u8).collect();
    bench.write(PP, 0, &octets);
    let end = bench.now + Ps::from_micros(640);
    assert_eq!(bench.chip.deadline(), Some(end), "256 octets: 0.64 ms");
    bench.wait(640);
    let page = bench.read(0, 256);
    assert_eq!(page[..2], octets[256..]);
    assert_eq!(page[2..], octets[2..256]);
}

#[test]
fn sectors_and_the_whole_are_erased_in_their_times() {
    let mut bench = Bench::new();
    for sector in [0, 1, 15] {
        bench.write(PP, sector << 16, &[sector as u8]);
        bench.wait(20);
    }
    bench.write(SE, 0x1_8000, &[]);
    bench.wait(599_000);
    assert_eq!(bench.status() & WIP, WIP);
    bench.wait(1_000);
    let firsts = |bench: &mut Bench| [0, 1, 15].map(|sector| bench.read(sector << 16, 1)[0]);
    assert_eq!(firsts(&mut bench), [0, 0xFF, 15]);
    bench.spi(&[WREN]);
    bench.spi(&[BE]);
    bench.wait(8_000_000);
    assert_eq!(firsts(&mut bench), [0xFF; 3]);
    assert_eq!((bench.status(), bench.misuse()), (0, vec![]));
}

#[test]
fn what_is_not_enabled_is_refused() {
    let mut bench = Bench::new();
    for octets in [&[PP, 0, 0, 0, 5][..], &[SE, 0, 0, 0], &[BE], &[WRSR, 0x1C]] {
        bench.spi(octets);
        assert_eq!((bench.status(), bench.misuse()), (0, vec![NOT_ENABLED]));
    }
    bench.spi(&[WREN]);
    assert_eq!(bench.status(), WEL);
    bench.spi(&[WRDI]);
    bench.spi(&[PP, 0, 0, 0, 5]);
    assert_eq!(bench.misuse(), [NOT_ENABLED]);
    assert_eq!(bench.read(0, 1), [0xFF]);
}

#[test]
fn protected_sectors_keep_their_contents() {
    for (level, first) in [
        (0, 16),
        (1, 15),
        (2, 14),
        (3, 12),
        (4, 8),
        (5, 0),
        (6, 0),
        (7, 0),
    ] {
        let mut bench = Bench::new();
        bench.spi(&[WREN]);
        bench.spi(&[WRSR, 0x80 | level << 2 | 0x63]);
        assert_eq!(bench.status() & WIP, WIP);
        bench.wait(1_300);
        assert_eq!(bench.status(), 0x80 | level << 2);
        for sector in 0..16 {
            bench.write(PP, sector << 16, &[0]);
            bench.wait(20);
            let refused = bench.misuse() == [PROTECTED];
            assert_eq!(refused, sector >= first, "BP {level}, sector {sector}");
            assert_eq!(
                bench.read(sector << 16, 1),
                [if refused { 0xFF } else { 0 }]
            );
        }
        bench.spi(&[WREN]);
        bench.spi(&[BE]);
        assert_eq!(bench.misuse() == [PROTECTED], level != 0);
    }
}

#[test]
fn in_deep_power_down_it_takes_res_alone() {
    let mut bench = Bench::new();
    bench.spi(&[DP]);
    assert_eq!(bench.chip.state(), FlashState::DeepPowerDown);
    assert_eq!(bench.spi(&[RDID, 0])[1], 0xFF);
    bench.wait(3);
    assert_eq!(bench.spi(&[RDID, 0])[1], 0xFF);
    assert_eq!(bench.misuse(), [TOO_EARLY, ASLEEP]);
    assert_eq!(bench.spi(&[RES, 0, 0, 0, 0])[4], 0x13);
    bench.wait(27);
    assert_eq!(bench.status(), 0xFF);
    bench.wait(1);
    assert_eq!((bench.status(), bench.misuse()), (0, vec![TOO_EARLY]));
    assert_eq!(bench.chip.state(), FlashState::Standby);
}

#[test]
fn an_instruction_of_another_length_is_refused() {
    let mut bench = Bench::new();
    bench.spi(&[WREN, 0]);
    assert_eq!((bench.status(), bench.misuse()), (0, vec![LENGTH]));
    for octets in [
        &[PP, 0, 0, 0][..],
        &[SE, 0, 0],
        &[SE, 0, 0, 0, 0],
        &[BE, 0],
        &[WRSR],
    ] {
        bench.spi(&[WREN]);
        bench.spi(octets);
        assert_eq!(
            (bench.status(), bench.misuse()),
            (WEL, vec![LENGTH]),
            "{octets:x?}"
        );
    }
    bench.spi(&[0x20, 0, 0, 0]);
    assert_eq!(bench.misuse(), [UNKNOWN]);
}

#[test]
fn an_octet_without_chip_select_is_not_heard() {
    let mut bench = Bench::new();
    assert_eq!(bench.chip.spi_byte(OCTET, RDID), 0xFF);
    assert_eq!(bench.chip.spi_byte(OCTET, 0), 0xFF);
}

#[test]
fn the_board_file_knows_every_state() {
    let table = CurrentTable::parse(include_str!("../../../../../boards/telosb.toml"));
    let table = table.expect("valid");
    for state in FlashState::ALL {
        let current = table.current_ua("m25p80", State::named(state.name()));
        assert!(current.is_ok_and(|current| current > 0.0), "{state:?}");
    }
}
