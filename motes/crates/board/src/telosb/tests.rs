//! Programs of a few instruction words in the last 32 octets of flash, where the reset vector is.

use super::*;
use crate::board::Band;
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

/// A board with these words from [`START`] on.
fn board(words: &[&[u16]]) -> TelosB {
    let mut code: Vec<u8> = words.concat().iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(code.len() <= 30, "room before the reset vector");
    code.resize(30, 0xFF);
    code.extend(START.to_le_bytes());
    let elf = Elf::parse(&executable(105, START.into(), &code, 5), NAME, &[Machine::MSP430]).expect("an executable");
    TelosB::new(elf, &Options::default()).expect("a board")
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
    assert!(clock.time_of(cycles) >= Ps::from_micros(1_000) && clock.time_of(cycles - 4) < Ps::from_micros(1_000));
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
    let fault = board.run_until(Ps::from_micros(1_000)).expect_err("no code there");
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
fn the_flash_chip_that_is_not_there_reads_as_ones() {
    let board = board(&[&STOP_WATCHDOG]);
    let mut wiring = board.bus.wiring;
    use device::f1611::External;
    assert_eq!(wiring.spi_byte(Ps::ZERO, 0, 0x9F), 0xFF);
}

#[test]
fn options_out_of_range_are_refused() {
    let elf = || Elf::parse(&executable(105, 0x4000, &[0; 2], 5), NAME, &[Machine::MSP430]).expect("an executable");
    for options in [
        Options {
            clock_hz: Some(16_000_000),
            ..Options::default()
        },
        Options {
            ppm: f64::NAN,
            ..Options::default()
        },
        Options {
            band: Some(Band::Low),
            ..Options::default()
        },
    ] {
        assert!(matches!(TelosB::new(elf(), &options), Err(BoardError::Option(_))));
    }
    assert!(matches!(
        crate::create("sky", &[], &Options::default()),
        Err(BoardError::Unknown(_))
    ));
}
