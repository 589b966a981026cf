//! Programs of a few instruction words in the last 32 octets of flash, where the reset vector is.

use super::*;
use crate::board::{Band, CutMoment};
use crate::elf::Machine;
use crate::elf::testing::executable;

const START: u16 = 0xFFE0;
/// MOV #0x5A80, &WDTCTL: the watchdog stops.
const STOP_WATCHDOG: [u16; 3] = [0x40B2, 0x5A80, 0x0120];
/// BIS.B #1, &P2DIR.
const P2_0_OUT: [u16; 2] = [0xD3D2, 0x002A];
/// XOR.B #1, &P2OUT.
const TOGGLE: [u16; 2] = [0xE3D2, 0x0029];
/// JMP to the TOGGLE before it.
const AGAIN: [u16; 1] = [0x3FFD];

fn telosb() -> Description {
    crate::register::describe("telosb").expect("a board")
}

/// A board with these words from [`START`] on.
fn board(words: &[&[u16]]) -> Mote {
    let mut code: Vec<u8> = words
        .concat()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    assert!(code.len() <= 30, "room before the reset vector");
    code.resize(30, 0xFF);
    code.extend(START.to_le_bytes());
    let elf = Elf::parse(
        &executable(105, START.into(), &code, 5),
        "telosb",
        &[Machine::MSP430],
    )
    .expect("an executable");
    Mote::new(elf, &telosb(), &Options::default()).expect("a board")
}

#[test]
fn an_endless_toggle_moves_its_pin_every_six_cycles() {
    let mut board = board(&[&STOP_WATCHDOG, &P2_0_OUT, &TOGGLE, &AGAIN]);
    board.run_until(Ps::from_micros(1_000)).expect("it runs");
    let edges = board.take_edges();
    // Reset 4, MOV #N,&EDE 5, BIS.B #1,&EDE 4: then XOR.B #1,&EDE 4 and JMP 2 in turn.
    assert_eq!(edges[1].cycle, edges[0].cycle.max(9) + 4);
    let clock = board.bus.clock;
    for pair in edges[1..].windows(2) {
        assert_eq!(pair[1].cycle - pair[0].cycle, 6);
        assert_eq!(pair[1].level, !pair[0].level);
        assert_eq!(pair[0].at, clock.time_of(pair[0].cycle));
    }
    let cycles = board.cpu().cycles;
    assert!(
        clock.time_of(cycles) >= Ps::from_micros(1_000)
            && clock.time_of(cycles - 4) < Ps::from_micros(1_000)
    );
}

#[test]
fn cutting_time_into_pieces_changes_nothing() {
    let run = |step: u64| {
        let mut board = board(&[&STOP_WATCHDOG, &P2_0_OUT, &TOGGLE, &AGAIN]);
        for at in (0..2_000_000_000).step_by(step as usize) {
            board.run_until(Ps(at)).expect("it runs");
        }
        board.run_until(Ps(2_000_000_000)).expect("it runs");
        (board.take_edges(), board.cpu())
    };
    assert_eq!(run(2_000_000_000), run(777_777));
}

#[test]
fn a_jump_into_erased_flash_stops_with_where_it_came_from() {
    // BR #0x5000
    let mut board = board(&[&STOP_WATCHDOG, &[0x4030, 0x5000]]);
    let fault = board
        .run_until(Ps::from_micros(1_000))
        .expect_err("no code there");
    assert_eq!((fault.pc, fault.symbol.as_str()), (0x5000, "no symbol"));
    assert_eq!(fault.from, Some((0xFFE6, "main+0x6".to_string())));
    assert_eq!(fault.cycle, 4 + 5 + 3);
    assert_eq!(
        board.run_until(Ps::from_micros(2_000)),
        Err(fault),
        "a stopped mote stays stopped"
    );
}

#[test]
fn a_mote_in_lpm4_does_nothing_by_itself() {
    // BIS #CPUOFF|OSCOFF|SCG0|SCG1, SR
    let mut board = board(&[&STOP_WATCHDOG, &[0xD032, 0x00F0]]);
    board.run_until(Ps::from_micros(1_000)).expect("it sleeps");
    assert!(board.cpu().asleep);
    assert_eq!(board.next_event(), None);
    let cycles = board.cpu().cycles;
    board
        .run_until(Ps::from_micros(1_000_000_000))
        .expect("it still sleeps");
    assert_eq!(board.cpu().cycles, cycles);
    let rows = board.meter().expect("known states");
    let seconds = |state| {
        rows.iter()
            .filter(|row| row.state == state)
            .map(|row| row.seconds)
            .sum::<f64>()
    };
    assert!(seconds("lpm4") > 999.99 && seconds("off") == 1_000.0);
}

#[test]
fn spi_without_a_selected_part_reads_as_ones() {
    let mut board = board(&[&STOP_WATCHDOG]);
    use device::f1611::External;
    assert_eq!(board.bus.outside.spi_byte(Ps::ZERO, 0, 0x9F), 0xFF);
    assert!(board.take_misuse().is_empty());
    for _ in 0..1000 {
        board.bus.outside.spi_byte(Ps::ZERO, 0, 0x9F);
    }
    let told = board.take_misuse();
    assert_eq!(told.len(), 1, "it is told once");
    assert!(told[0].what.starts_with("256 octets over SPI"));
}

/// Starts a block transfer on channel 0, both addresses rising, and jumps to itself.
const COPY: [u16; 4] = [0x40B2, 0x1F11, 0x01E0, 0x3FFF];

#[test]
fn dma_moves_words_and_the_cpu_waits_two_cycles_for_each() {
    let mut board = board(&[&STOP_WATCHDOG, &COPY]);
    let mut outside = device::f1611::Unconnected;
    // DMA0SA, DMA0DA, DMA0SZ: four words from the program to RAM.
    for (register, value) in [(0x1E2, START), (0x1E4, 0x1200), (0x1E6, 4)] {
        let written = board
            .bus
            .chip
            .write16(register, value, Ps::ZERO, &mut outside);
        written.expect("a register");
    }
    let lag = board.bus.lag;
    board.run_until(Ps::from_micros(100)).expect("it runs");
    let moved = board.read(0x1200, 8).expect("RAM");
    assert_eq!(moved[..2], STOP_WATCHDOG[0].to_le_bytes());
    assert_eq!(Some(moved), board.read(START.into(), 8));
    assert_eq!(board.bus.lag, lag + 8);
}

#[test]
fn the_button_and_the_lines_with_a_pull_up_are_high_until_something_pulls() {
    let mut board = board(&[&STOP_WATCHDOG]);
    let level = |board: &mut Mote, port: u16, bit: u8| {
        let mut outside = device::f1611::Unconnected;
        let input = board.bus.chip.read8(port, board.now, &mut outside);
        input.expect("a port") >> bit & 1
    };
    const P1IN: u16 = 0x20;
    const P2IN: u16 = 0x28;
    let levels = [(P1IN, 5), (P2IN, 4), (P2IN, 7)].map(|(port, bit)| level(&mut board, port, bit));
    assert_eq!(levels, [1, 1, 1], "SHT11, DS2411, button");
    board.press_button(true).expect("a button");
    assert_eq!(level(&mut board, P2IN, 7), 0);
    board.press_button(false).expect("a button");
    assert_eq!(level(&mut board, P2IN, 7), 1);
}

#[test]
fn options_out_of_range_are_refused() {
    let elf = || {
        Elf::parse(
            &executable(105, 0x4000, &[0; 2], 5),
            "telosb",
            &[Machine::MSP430],
        )
        .expect("an executable")
    };
    let banded = Options {
        band: Some(Band::Low),
        ..Options::default()
    };
    for options in Options::out_of_range(16_000_000)
        .into_iter()
        .chain([banded])
    {
        assert!(matches!(
            Mote::new(elf(), &telosb(), &options),
            Err(BoardError::Option(_))
        ));
    }
}

/// MOV #src, &dst.
fn set(to: u16, value: u16) -> [u16; 3] {
    [0x40B2, value, to]
}

/// The contents and the wear of a board's flash after power failed at `cut` while `words` ran.
fn cut_flash(words: &[&[u16]], cut: PowerCut) -> (Vec<u8>, Vec<Wear>) {
    let mut board = board(words);
    assert!(board.write(0x1000, &[0x00; 128]) && board.write(0x1080, &[0xFF; 128]));
    board.plan_power_cut(cut).expect("it has power");
    board.run_until(Ps::from_micros(100_000)).expect("it runs");
    assert!(!board.powered());
    (
        board.read(0x1000, 256).expect("information memory"),
        board.wear(),
    )
}

/// DCO / 2 (about 400 kHz) for the flash; mode; a write to `addr`. Four instructions and the jump
/// on the spot.
fn operation(mode: u16, addr: u16, value: u16) -> Vec<u16> {
    [
        &set(0x012A, 0xA5C1)[..],
        &set(0x012C, 0xA500)[..],
        &set(0x0128, 0xA500 | mode)[..],
        &set(addr, value)[..],
        &[0x3FFF],
    ]
    .concat()
}

#[test]
fn a_word_cut_short_is_between_old_and_new() {
    let program = operation(0x40, 0x1080, 0x1234);
    let word = |operation, part, seed| {
        let moment = CutMoment::InFlash { operation, part };
        let (flash, wear) = cut_flash(&[&program], PowerCut { moment, seed });
        let untouched = flash[..0x80].iter().all(|octet| *octet == 0)
            && flash[0x82..].iter().all(|octet| *octet == 0xFF);
        assert!(untouched, "nothing else changes");
        assert_eq!(
            wear,
            [Wear {
                first: 0x1080,
                erasures: 0,
                programmed: 1
            }]
        );
        u16::from_le_bytes([flash[0x80], flash[0x81]])
    };
    let mut seen: Vec<u16> = (0..40).map(|seed| word(0, 1 << 31, seed)).collect();
    assert!(
        seen.iter().all(|value| value & 0x1234 == 0x1234),
        "no bit falls that should stay"
    );
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 20, "different seeds, different bits");
    assert_eq!(
        word(0, 1 << 31, 7),
        word(0, 1 << 31, 7),
        "the same seed, the same bits"
    );
}

#[test]
fn a_segment_cut_short_is_between_old_and_erased() {
    let program = operation(0x02, 0x1000, 0);
    let moment = CutMoment::InFlash {
        operation: 0,
        part: 1 << 30,
    };
    let (flash, wear) = cut_flash(&[&program], PowerCut { moment, seed: 3 });
    let ones: u32 = flash[..0x80].iter().map(|octet| octet.count_ones()).sum();
    assert!((1..1024).contains(&ones), "{ones} of 1024 bits");
    assert_eq!(wear[0].erasures, 1);
}

#[test]
fn a_cut_after_an_operation_leaves_it_whole() {
    let program = operation(0x40, 0x1080, 0x1234);
    let moment = CutMoment::At(Ps::from_micros(50_000));
    let (flash, _) = cut_flash(&[&program], PowerCut { moment, seed: 3 });
    assert_eq!(flash[0x80..0x82], [0x34, 0x12]);
}

#[test]
fn without_power_nothing_happens_and_ram_is_lost() {
    let mut board = board(&[&STOP_WATCHDOG, &P2_0_OUT, &TOGGLE, &AGAIN]);
    assert!(board.write(0x1100, &[0x55; 64]));
    let at = Ps::from_micros(500);
    let moment = CutMoment::At(at);
    board
        .plan_power_cut(PowerCut { moment, seed: 1 })
        .expect("it has power");
    board.run_until(Ps::from_micros(499)).expect("it runs");
    assert!(board.powered());
    board
        .run_until(Ps::from_micros(1_000))
        .expect("it is silent");
    assert!(board.take_edges().iter().all(|edge| edge.at < at));
    assert_eq!((board.powered(), board.next_event()), (false, None));
    assert_ne!(board.read(0x1100, 64), Some(vec![0x55; 64]));
    assert!(board.plan_power_cut(PowerCut { moment, seed: 1 }).is_err());
}
