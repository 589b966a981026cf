//! Programs of a few half-words at the start of flash, which the boot loader starts.

use super::*;
use crate::board::Band;
use crate::elf::testing::executable;
use crate::elf::{Machine, Segment};

/// Vector table: SP and PC. Code follows it.
const VECTORS: [u32; 2] = [memory::RAM_END, (memory::FLASH_START + 8) | 1];
/// Makes PC4 an output and toggles it for ever.
const TOGGLE: [u16; 12] = [
    0x4804, // LDR R0, =GPIO_C
    0x2110, // MOVS R1, #1 << 4
    0xF8C0, 0x1400, // STR R1, [R0, #DIR]
    0x3040, // ADDS R0, #1 << 4 << 2: DATA of this pin alone
    0x6001, // STR R1, [R0]
    0x2200, // MOVS R2, #0
    0x6002, // STR R2, [R0]
    0xE7FB, // B to the STR before
    0xBF00, // NOP
    0xB000, 0x400D, // GPIO_C
];
/// Sleeps for ever.
const SLEEP: [u16; 2] = [0xBF30, 0xE7FD];
/// Resets the chip.
const RESTART: [u16; 8] = [
    0x4801, // LDR R0, =AIRCR
    0x4902, // LDR R1, =key and SYSRESETREQ
    0x6001, // STR R1, [R0]
    0xBF00, // NOP
    0xED0C, 0xE000, // AIRCR
    0x0004, 0x05FA, // key and SYSRESETREQ
];

/// Starts SysTick with 16 000 cycles and the watchdog with a second, and sleeps.
const TWO_TIMERS: [u16; 16] = [
    0x4804, // LDR R0, =SYST_CSR
    0x4905, // LDR R1, =15 999
    0x6041, // STR R1, [R0, #4]: SYST_RVR
    0x2107, // MOVS R1, #7
    0x6001, // STR R1, [R0]
    0x4A04, // LDR R2, =WDCTL
    0x2108, // MOVS R1, #EN
    0x6011, // STR R1, [R2]
    0xBF30, // WFI
    0xE7FD, // B to the WFI
    0xE010, 0xE000, // SYST_CSR
    0x3E7F, 0x0000, // 15 999
    0x5000, 0x400D, // WDCTL
];

/// The executable of these half-words, with or without a CCA page that calls it valid.
fn elf(code: &[u16], valid: bool) -> Elf {
    let vectors = VECTORS.iter().flat_map(|word| word.to_le_bytes());
    let code: Vec<u8> = vectors
        .chain(code.iter().flat_map(|half| half.to_le_bytes()))
        .collect();
    let file = executable(40, memory::FLASH_START, &code, 5);
    let mut elf = Elf::parse(&file, "openmote-cc2538", &[Machine::ARM]).expect("an executable");
    if valid {
        let data = [0_u32, memory::FLASH_START]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        elf.segments.push(Segment {
            physical: IMAGE_VALID,
            address: IMAGE_VALID,
            data,
            memory_size: 8,
            executable: false,
        });
    }
    elf
}

fn openmote() -> Description {
    crate::register::describe("openmote-cc2538").expect("a board")
}

fn board(code: &[u16], band: Band) -> Mote {
    let options = Options {
        band: Some(band),
        ..Options::default()
    };
    Mote::new(elf(code, true), &openmote(), &options).expect("a board")
}

#[test]
fn an_endless_toggle_moves_its_pin_at_whole_cycles() {
    for band in [Band::Low, Band::High] {
        let mut board = board(&TOGGLE, band);
        board.run_until(Ps::from_micros(100)).expect("it runs");
        let edges = board.take_edges();
        assert!(edges.len() > 100);
        let clock = board.bus.clock;
        for edge in &edges {
            assert_eq!(
                (edge.port, edge.bit, edge.at),
                (2, 4, clock.time_of(edge.cycle))
            );
        }
        let turns: Vec<u64> = edges
            .windows(3)
            .map(|three| three[2].cycle - three[0].cycle)
            .collect();
        assert!(
            turns.windows(2).all(|two| two[0] == two[1]),
            "{band:?}: {turns:?}"
        );
        // Two stores of 1 or 2 cycles, MOVS 1, B 1 + P, wait states of flash; the write buffer may
        // hide those of the registers.
        let wait = u64::from(board.bus.chip.config().peripheral_wait);
        assert!(
            (5..=12 + 2 * wait).contains(&turns[0]),
            "{band:?}: {}",
            turns[0]
        );
        assert!(board.take_edges().is_empty());
    }
}

#[test]
fn a_cpu_that_sleeps_for_ever_costs_nothing_and_counts_no_cycles() {
    let mut board = board(&SLEEP, Band::High);
    board.run_until(Ps::from_micros(1_000)).expect("it runs");
    let cycles = board.cpu().cycles;
    assert!(board.cpu().asleep && cycles < 100);
    board
        .run_until(Ps(3_600_000_000_000_000))
        .expect("it sleeps");
    assert_eq!(board.cpu().cycles, cycles);
    let rows = board.meter().expect("known states");
    let asleep = rows.iter().find(|row| row.state == "sleep").expect("a row");
    assert!(asleep.seconds > 3_599.99);
    assert!(board.next_event().is_none_or(|at| at > board.now));
}

#[test]
fn the_earlier_of_two_timers_wakes_a_cpu() {
    let mut board = board(&TWO_TIMERS, Band::Low);
    board.run_until(Ps::from_micros(500)).expect("it runs");
    assert!(board.cpu().asleep);
    assert!(board.bus.chip.deadline() > Some(Ps::from_micros(900_000)));
    // 1 ms at 16 MHz, a little after the program began.
    let due = board.next_event().expect("SysTick");
    assert!(
        Ps::from_micros(1_000) < due && due < Ps::from_micros(1_050),
        "{due:?}"
    );
}

#[test]
fn a_program_that_resets_the_chip_begins_anew() {
    let mut board = board(&RESTART, Band::Low);
    board.run_until(Ps::from_micros(100)).expect("it runs");
    let cpu = board.cpu();
    assert!(cpu.resets > 10, "{} resets", cpu.resets);
    assert_eq!(cpu.last_reset.as_deref(), Some("a reset by software"));
}

#[test]
fn memory_is_read_and_written_from_outside() {
    let mut board = board(&SLEEP, Band::High);
    assert!(board.write(0x0027_F000, &[1, 2, 3]) && board.write(0x2000_0000, &[4]));
    assert_eq!(board.read(0x0027_F000, 4), Some(vec![1, 2, 3, 0xFF]));
    assert_eq!(
        board
            .read(0x0028_0028, 4)
            .map(|address| address[1..].to_vec()),
        Some(vec![0x4B, 0x12, 0x00])
    );
    assert_eq!(board.read(0x0028_0FFF, 2), None);
    assert!(!board.write(0x0028_0000, &[0]) && !board.write(0x400D_B400, &[0]));
}

#[test]
fn what_the_boot_loader_refuses_is_no_board() {
    let options = Options::default();
    let Err(BoardError::Image(text)) = Mote::new(elf(&SLEEP, false), &openmote(), &options) else {
        panic!("no CCA page")
    };
    assert!(text.contains("IMAGE_VALID"), "{text}");
    let mut astray = elf(&SLEEP, true);
    if let Some(cca) = astray.segments.last_mut() {
        cca.data[5] = 0x01;
    }
    let Err(BoardError::Image(text)) = Mote::new(astray, &openmote(), &options) else {
        panic!("vectors at an odd place")
    };
    assert!(text.contains("multiple of 512"), "{text}");
}

#[test]
fn options_out_of_range_are_refused() {
    for options in Options::out_of_range(8_000_000) {
        assert!(matches!(
            Mote::new(elf(&SLEEP, true), &openmote(), &options),
            Err(BoardError::Option(_))
        ));
    }
}

/// Stores to ROM, to a UART without clock, and reads the UART.
const MISUSE: [u16; 10] = [
    0x2004, // MOVS R0, #4
    0x6000, // STR R0, [R0]
    0x4902, // LDR R1, =UART0
    0x6188, // STR R0, [R1, #0x18]
    0x698A, // LDR R2, [R1, #0x18]
    0xBF30, // WFI
    0xE7FD, // B to the WFI
    0xBF00, // NOP
    0xC000, 0x4000, // UART0
];

#[test]
fn what_released_images_do_wrong_is_noted_with_its_place_and_does_nothing() {
    let mut board = board(&MISUSE, Band::High);
    board.run_until(Ps::from_micros(100)).expect("it goes on");
    let notes = board.take_misuse();
    let told: Vec<(u32, &str)> = notes.iter().map(|note| (note.pc, note.what)).collect();
    let gated = "UART0 is accessed while its clock is gated or its reset is held";
    let start = memory::FLASH_START + 8;
    let expected = [
        (start + 2, "a write to ROM has no effect"),
        (start + 6, gated),
        (start + 8, gated),
    ];
    assert_eq!(told, expected);
    assert_eq!(board.cpu.regs[2], 0, "it reads 0");
    assert_eq!(board.read(4, 2), Some(vec![0x71, 0]), "ROM is as before");
    assert!(board.take_misuse().is_empty());
    assert_eq!(
        notes[0].to_string(),
        "a write to ROM has no effect; PC 0x20000A (main+0xA)"
    );
}

#[test]
fn the_boot_loader_has_moved_the_vector_table() {
    let board = board(&SLEEP, Band::High);
    assert_eq!(board.cpu.vector_table(), memory::FLASH_START);
}

#[test]
fn an_identity_is_the_address_in_the_information_page() {
    let options = Options {
        identity: Some(0x0012_4B00_0102_0304),
        ..Options::default()
    };
    let board = Mote::new(elf(&SLEEP, true), &openmote(), &options).expect("a board");
    let page = board.read(0x0028_0028, 8);
    assert_eq!(
        page,
        Some(vec![0x00, 0x4B, 0x12, 0x00, 0x04, 0x03, 0x02, 0x01])
    );
}

/// The board `name`, asleep for ever.
fn sleeping(name: &str) -> Mote {
    let described = crate::register::describe(name).expect("a board");
    Mote::new(elf(&SLEEP, true), &described, &Options::default()).expect("a board")
}

impl Mote {
    fn poke(&mut self, address: u32, value: u32) {
        let written = self
            .bus
            .chip
            .write32(address, value, self.now, &mut self.bus.memory);
        assert_eq!(written, Ok(()), "{address:08x}");
    }
}

#[test]
fn a_part_that_is_not_modelled_is_named_when_a_program_talks_to_it() {
    for (name, texts) in [
        (
            "openmote-b",
            &[
                "I2C talks to the SI7006, which is not modelled: nobody answers",
                "SSI0 talks to the AT86RF215, which is not modelled: it reads zeros",
            ][..],
        ),
        (
            "firefly",
            &["SSI0 talks to the CC1200, which is not modelled: it reads zeros"],
        ),
        (
            "openmote-cc2538",
            &["SSI0 talks, and no part is there: it reads zeros"],
        ),
    ] {
        let mut board = sleeping(name);
        // SSI0: a clock in every mode, 8 bits at 1 MHz, two frames.
        for (address, value) in [
            (0x400D_2018, 1),
            (0x400D_201C, 1),
            (0x4000_8010, 16),
            (0x4000_8000, 7),
            (0x4000_8004, 2),
            (0x4000_8008, 1),
            (0x4000_8008, 1),
        ] {
            board.poke(address, value);
        }
        // I2C: the same, address 0x40 twice.
        for (address, value) in [
            (0x400D_2038, 1),
            (0x400D_203C, 1),
            (0x4002_0020, 0x10),
            (0x4002_0000, 0x80),
        ] {
            board.poke(address, value);
        }
        for n in 1..=2 {
            board.poke(0x4002_0004, 7);
            board
                .run_until(Ps::from_micros(1_000 * n))
                .expect("it sleeps");
        }
        board.note_misuse();
        let notes = board.take_misuse();
        let told: Vec<_> = notes.iter().map(|note| note.what).collect();
        assert_eq!(told, texts, "{name}");
    }
}

#[test]
fn a_button_pulls_its_pin_low_and_what_has_none_says_so() {
    for (name, data) in [
        ("openmote-b", 0x400D_C000 + (1 << 5 << 2)),
        ("firefly", 0x400D_9000 + (1 << 3 << 2)),
    ] {
        let mut board = sleeping(name);
        for (pressed, level) in [(false, true), (true, false), (false, true)] {
            board.press_button(pressed).expect("a button");
            let read = board
                .bus
                .chip
                .read32(data, board.now, &mut board.bus.memory);
            assert_eq!(read.map(|value| value != 0), Ok(level), "{name}");
        }
    }
    let refused = sleeping("openmote-cc2538").press_button(true);
    let text = refused.expect_err("it has none here").to_string();
    assert!(text.ends_with("openmote-cc2538 has no button"), "{text}");
}
