//! uDMA moves what the program asks for.

use super::*;

constants! { u32:
    UDMA = 0x400F_F000, CFG = UDMA + 4,       CTLBASE = UDMA + 8,   SWREQ = UDMA + 0x14,
    ENASET = UDMA + 0x28, ALTSET = UDMA + 0x30, ERRCLR = UDMA + 0x4C, CHIS = UDMA + 0x504,
    TABLE = RAM + 0x400, RFDATA = 0x4008_8828,
}

/// Size and increment of source and target for octets; an address that stays is increment 3.
const OCTETS: u32 = 0;
const TARGET_STAYS: u32 = 3 << 30;
const WORDS: u32 = 2 << 30 | 2 << 28 | 2 << 26 | 2 << 24;
/// One item a turn, all at once.
const ALL: u32 = 10 << 14;

impl Bench {
    /// A control structure: ends of source and target, the word of control with so many items.
    fn structure(&mut self, at: u32, ends: (u32, u32), control: u32, items: u32) {
        let words = [ends.0, ends.1, control | (items - 1) << 4];
        let octets: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.mem.write(at, &octets).expect("RAM");
    }

    fn ready(channel: u32) -> Bench {
        let mut bench = Bench::running();
        for (register, value) in [(CFG, 1), (CTLBASE, TABLE), (ENASET, 1 << channel)] {
            bench.write(register, value);
        }
        bench.mem.ram[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        bench
    }

    fn lines(&self) -> [bool; 2] {
        [Irq::Dma, Irq::DmaError].map(|irq| self.chip.irq_levels().contains(irq.line(false)))
    }
}

#[test]
fn an_automatic_transfer_copies_words_and_tells() {
    let mut bench = Bench::ready(30);
    let ends = (RAM + 4, RAM + 0x104);
    bench.structure(TABLE + 16 * 30, ends, WORDS | 2, 2);
    bench.write(SWREQ, 1 << 30);
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x100..0x108], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(bench.read(CHIS), 1 << 30);
    assert_eq!(bench.lines(), [true, false]);
    bench.write(CHIS, 1 << 30);
    assert_eq!(bench.lines(), [false, false]);
    assert_eq!(bench.read(ENASET), 0, "done");
    let mut control = [0xFF; 4];
    bench.mem.read(TABLE + 16 * 30 + 8, &mut control);
    assert_eq!(control[0] & 7, 0, "stopped");
}

#[test]
fn a_basic_transfer_moves_one_turn_a_request_into_a_register() {
    let mut bench = Bench::ready(0);
    let ends = (RAM + 1, RFDATA);
    bench.structure(TABLE, ends, OCTETS | TARGET_STAYS | 1, 2);
    bench.write(SWREQ, 1);
    bench.wait(10);
    let written = |bench: &mut Bench| bench.read(0x4008_8670);
    assert_eq!((written(&mut bench), bench.read(CHIS)), (1, 0));
    bench.write(SWREQ, 1);
    bench.wait(10);
    assert_eq!((written(&mut bench), bench.read(CHIS)), (2, 1));
    assert_eq!([0, 4].map(|place| bench.read(0x4008_8200 + place)), [1, 2]);
}

#[test]
fn ping_pong_goes_on_with_the_other_structure() {
    let mut bench = Bench::ready(1);
    bench.structure(TABLE + 16, (RAM + 3, RAM + 0x103), ALL | 3, 4);
    bench.structure(TABLE + 0x200 + 16, (RAM + 7, RAM + 0x107), ALL | 3, 4);
    bench.write(SWREQ, 2);
    bench.wait(10);
    assert_eq!(bench.read(ALTSET), 2);
    bench.write(SWREQ, 2);
    bench.wait(10);
    assert_eq!(bench.read(ALTSET), 0);
    assert_eq!(bench.mem.ram[0x100..0x108], [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn an_address_without_memory_is_a_bus_error_and_scatter_gather_is_named() {
    let mut bench = Bench::ready(2);
    bench.structure(TABLE + 32, (0x6000_0000, RAM), ALL | 1, 1);
    bench.write(SWREQ, 4);
    bench.wait(10);
    assert_eq!((bench.lines(), bench.read(ERRCLR)), ([false, true], 1));
    bench.write(ERRCLR, 1);
    assert_eq!((bench.lines(), bench.read(ENASET)), ([false, false], 0));
    bench.write(ENASET, 4);
    bench.structure(TABLE + 32, (RAM, RAM), ALL | 4, 1);
    let refused = bench.try_write(SWREQ, 4);
    assert!(
        matches!(refused, Err(AccessError::NotModelled { .. })),
        "{refused:?}"
    );
}
