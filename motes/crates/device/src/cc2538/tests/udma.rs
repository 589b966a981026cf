//! uDMA moves what the program and the peripherals ask for.

use super::*;

constants! { u32:
    UDMA = 0x400F_F000, CFG = UDMA + 4,       CTLBASE = UDMA + 8,   SWREQ = UDMA + 0x14,
    ENASET = UDMA + 0x28, ALTSET = UDMA + 0x30, ERRCLR = UDMA + 0x4C, CHIS = UDMA + 0x504,
    USEBURSTSET = UDMA + 0x18, REQMASKSET = UDMA + 0x20, CHMAP0 = UDMA + 0x510,
    CHMAP1 = UDMA + 0x514, ENACLR = UDMA + 0x2C,
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

constants! { u32: UART0 = 0x4000_C000, UART1 = 0x4000_D000, SSI0 = 0x4000_8000, }
const SOURCE_STAYS: u32 = 3 << 26;

impl Bench {
    /// 115 200 baud, eight bits, FIFOs, both directions by uDMA.
    fn uart(&mut self, base: u32) {
        for (offset, value) in [
            (0x24, 17),
            (0x28, 23),
            (0x2C, 0x70),
            (0x30, 0x301),
            (0x48, 3),
        ] {
            self.write(base + offset, value);
        }
    }

    fn uart_sent(&mut self) -> Vec<u8> {
        let mut sent = Vec::new();
        self.chip.take_uart(&mut sent);
        sent.iter().map(|sent| sent.octet).collect()
    }
}

#[test]
fn a_uart_sends_by_udma_and_tells_on_its_own_line() {
    let mut bench = Bench::ready(9);
    bench.uart(UART0);
    bench.write(ENACLR, 1 << 9);
    for (place, octet) in (0..).zip(&mut bench.mem.ram[0x200..0x228]) {
        *octet = place;
    }
    let ends = (RAM + 0x227, UART0);
    // Four items a turn; the FIFO never holds more than 16.
    bench.structure(
        TABLE + 16 * 9,
        ends,
        OCTETS | TARGET_STAYS | 2 << 14 | 1,
        40,
    );
    bench.write(ENASET, 1 << 9);
    bench.wait(1_000);
    assert_eq!(
        bench.read(CHIS),
        0,
        "24 of 40 can have left the FIFO at most"
    );
    bench.wait(3_000);
    assert_eq!(bench.uart_sent(), (0..40).collect::<Vec<u8>>());
    assert_eq!(bench.read(CHIS), 1 << 9);
    assert!(bench.irq(Irq::Uart(0)) && bench.lines() == [false, false]);
    bench.write(CHIS, 1 << 9);
    assert!(!bench.irq(Irq::Uart(0)));
    assert_eq!(bench.read(ENASET), 0);
}

#[test]
fn a_uart_receives_by_udma_through_the_channel_that_chmap_selects() {
    let mut bench = Bench::ready(8);
    bench.uart(UART1);
    bench.structure(TABLE + 16 * 8, (UART1, RAM + 0x102), SOURCE_STAYS | 1, 3);
    bench.chip.uart_input(bench.now, 1, 7);
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x100], 0, "channel 8 belongs to UART0");
    bench.write(CHMAP1, 1);
    for octet in [8, 9] {
        bench.wait(100);
        bench.chip.uart_input(bench.now, 1, octet);
    }
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x100..0x103], [7, 8, 9]);
    assert!(bench.irq(Irq::Uart(1)) && !bench.irq(Irq::Uart(0)));
}

#[test]
fn useburst_waits_for_the_trigger_level_and_the_mask_for_the_program() {
    let mut bench = Bench::ready(8);
    bench.uart(UART0);
    bench.write(REQMASKSET, 1 << 8);
    bench.write(USEBURSTSET, 1 << 8);
    // Eight items a turn; the FIFO's interrupt level is eight too.
    bench.structure(
        TABLE + 16 * 8,
        (UART0, RAM + 0x109),
        SOURCE_STAYS | 3 << 14 | 1,
        10,
    );
    for octet in 1..=8 {
        bench.chip.uart_input(bench.now, 0, octet);
    }
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x100], 0, "masked");
    bench.write(REQMASKSET + 4, 1 << 8);
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x100..0x109], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
    assert_eq!(bench.read(USEBURSTSET), 0, "fewer are left than a turn has");
    bench.chip.uart_input(bench.now, 0, 9);
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x108], 9, "a single request");
}

#[test]
fn an_ssi_exchanges_by_two_channels() {
    let mut bench = Bench::ready(10);
    bench.write(SYS_CTRL + 0x18, 1);
    // Eight bits at 1 MHz in loop-back.
    for (offset, value) in [(0x10, 32), (0, 7), (4, 3), (0x24, 3)] {
        bench.write(SSI0 + offset, value);
    }
    let turn = 2 << 14 | 1;
    bench.structure(
        TABLE + 16 * 10,
        (SSI0 + 8, RAM + 0x107),
        SOURCE_STAYS | turn,
        8,
    );
    bench.structure(TABLE + 16 * 11, (RAM + 7, SSI0 + 8), TARGET_STAYS | turn, 8);
    bench.write(ENASET, 3 << 10);
    bench.wait(66);
    assert_eq!(bench.mem.ram[0x100..0x108], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(bench.read(CHIS), 3 << 10);
    assert!(bench.irq(Irq::Ssi(0)));
}

#[test]
fn requests_of_other_peripherals_are_named_when_their_channel_listens() {
    let mut bench = Bench::ready(0);
    bench.write(CHMAP0, 4 << 12);
    let refused = bench.try_write(ENASET, 1 << 3);
    let name = "uDMA on request of the RF core";
    assert_eq!(refused, Err(AccessError::NotModelled { name }));
    let mut bench = Bench::ready(0);
    let refused = bench.try_write(ENASET, 1 << 18);
    let name = "uDMA on request of a general-purpose timer";
    assert_eq!(refused, Err(AccessError::NotModelled { name }));
    let mut bench = Bench::ready(0);
    bench.write(REQMASKSET, 1 << 18);
    bench.write(ENASET, 1 << 18);
    bench.structure(TABLE + 16 * 18, (RAM + 7, RAM + 0x107), ALL | 1, 8);
    bench.write(SWREQ, 1 << 18);
    bench.wait(10);
    assert_eq!(bench.mem.ram[0x107], 8, "the program may use it");
}

#[test]
fn a_structure_that_says_stop_switches_its_channel_off() {
    let mut bench = Bench::ready(4);
    bench.structure(TABLE + 64, (RAM, RAM), ALL, 1);
    bench.write(SWREQ, 1 << 4);
    bench.wait(10);
    assert_eq!((bench.read(ENASET), bench.read(CHIS)), (0, 0));
    assert_eq!(bench.lines(), [false, false]);
}
