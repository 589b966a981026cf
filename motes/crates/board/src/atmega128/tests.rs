//! The board by a few words of program memory.

use super::*;
use crate::elf::testing::executable;
use crate::elf::{Elf, Machine};

fn described(name: &str) -> Description {
    crate::register::describe(name).expect("a board")
}

/// A board with these words from the reset vector on.
fn board(words: &[u16]) -> Mote {
    named("atmega128", words)
}

fn named(name: &str, words: &[u16]) -> Mote {
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let elf = Elf::parse(&executable(83, 0, &code, 5), "atmega128", &[Machine::AVR])
        .expect("a good file");
    Mote::new(Chip::Atmega128, elf, &described(name), &Options::default()).expect("a board")
}

fn micros(n: u64) -> Ps {
    Ps::from_micros(n)
}

/// SBI DDRB,0; SBI PORTB,0; CBI PORTB,0; RJMP to the second.
const BLINK: [u16; 4] = [0x9AB8, 0x9AC0, 0x98C0, 0xCFFD];

#[test]
fn edges_are_where_the_cycles_are() {
    let mut board = board(&BLINK);
    board.run_until(micros(2)).expect("no fault");
    let edges: Vec<_> = board
        .take_edges()
        .iter()
        .map(|e| (e.cycle, e.level, e.at.0))
        .collect();
    let cycles = [
        (0, false),
        (2, true),
        (4, false),
        (8, true),
        (10, false),
        (14, true),
    ];
    let want: Vec<_> = cycles
        .into_iter()
        .map(|(cycle, level)| (cycle, level, cycle * 125_000))
        .collect();
    assert_eq!(edges, want);
}

#[test]
fn running_in_small_steps_is_running_at_once() {
    let (mut steps, mut whole) = (board(&BLINK), board(&BLINK));
    for n in 1..=1000 {
        steps.run_until(Ps(n * 33_333)).expect("no fault");
    }
    whole.run_until(Ps(33_333_000)).expect("no fault");
    assert_eq!(
        (steps.cpu(), steps.take_edges()),
        (whole.cpu(), whole.take_edges())
    );
}

#[test]
fn an_unmodelled_block_is_named() {
    // LDI R16,0x80; STS XDIV,R16.
    let mut board = board(&[0xE800, 0x9300, 0x005C]);
    let fault = board.run_until(micros(1)).expect_err("XDIV");
    assert_eq!(
        fault.to_string(),
        "PC 0x0002 (main+0x2), cycle 1: the clock divider (XDIVEN) is not modelled"
    );
    assert_eq!(board.run_until(micros(2)), Err(fault), "it stays so");
}

/// A master of the SPI that sends for ever: SPCR = SPE | MSTR; again: SPDR = R16; wait for SPIF; read
/// SPDR.
const SPI_FOR_EVER: [u16; 7] = [0xE500, 0xB90D, 0xB90F, 0x9B77, 0xCFFE, 0xB11F, 0xCFFB];

#[test]
fn a_driver_that_waits_for_a_part_that_is_not_there_is_noted() {
    for name in ["atmega128", "mica2", "micaz"] {
        let mut board = named(name, &SPI_FOR_EVER);
        // An octet takes 32 cycles on the wire: 256 of them more than 500 us.
        board.run_until(micros(500)).expect("it goes on");
        assert_eq!(board.take_misuse(), [], "{name}");
        board.run_until(micros(5_000)).expect("it goes on");
        let notes = board.take_misuse();
        let [note] = &notes[..] else {
            panic!("{name}: noted once, not {notes:?}");
        };
        assert_eq!(
            note.what,
            "256 octets over SPI, and no part is selected: it reads 0xFF for ever"
        );
        assert!(note.pc < 14 && note.at < micros(2_000), "{note:?}");
        assert_eq!(board.cpu.regs[17], 0xFF);
    }
}

#[test]
fn erased_flash_and_missing_memory_are_faults() {
    for (program, says) in [
        (&[0x0000][..], "erased flash executed at 0x0002"),
        (
            &[0x9300, 0x1100],
            "nothing is mapped at data address 0x1100",
        ),
    ] {
        let fault = board(program).run_until(micros(1)).expect_err(says);
        assert!(fault.to_string().contains(says), "{fault}");
    }
}

#[test]
fn the_watchdog_starts_the_program_anew() {
    // LDI R16,8; OUT WDTCR,R16; RJMP itself.
    let mut board = board(&[0xE008, 0xBD01, 0xCFFF]);
    board.run_until(micros(100_000)).expect("no fault");
    let cpu = board.cpu();
    assert_eq!(
        (cpu.resets, cpu.last_reset.as_deref()),
        (6, Some("the watchdog expired"))
    );
}

#[test]
fn time_asleep_is_on_the_meter_and_not_in_the_cycles() {
    // LDI R16,0x30; OUT MCUCR,R16; SLEEP; RJMP back.
    let mut board = board(&[0xE300, 0xBF05, 0x9588, 0xCFFE]);
    board.run_until(micros(1_000_000)).expect("no fault");
    assert_eq!(
        (board.cpu().cycles, board.cpu().asleep, board.next_event()),
        (3, true, None)
    );
    let rows = board.meter().expect("all states are known");
    let states: Vec<_> = rows
        .iter()
        .map(|row| (row.state.as_str(), (row.seconds * 1e9).round()))
        .collect();
    assert_eq!(states, [("active", 375.0), ("power_down", 1e9 - 375.0)]);
}

#[test]
fn every_state_has_a_current_in_the_data_file() {
    for name in ["atmega128", "atmega1281"] {
        let mut meter = BoardMeter::new(&described(name), None).expect("the data file parses");
        let states = [
            Sleep::Idle,
            Sleep::NoiseReduction,
            Sleep::Standby,
            Sleep::ExtendedStandby,
            Sleep::PowerSave,
            Sleep::PowerDown,
        ];
        for (n, sleep) in (1..).zip(states) {
            meter.mode(micros(n), Some(sleep));
        }
        assert_eq!(meter.rows(micros(9)).expect("all known").len(), 7);
    }
}

#[test]
fn every_state_of_a_radio_has_a_current_in_the_data_file() {
    use device::cc2420::RadioState;
    let cc2420: Vec<&str> = RadioState::all().map(RadioState::name).collect();
    let cc1000: Vec<&str> = device::cc1000::states().collect();
    for (name, radio, states) in [
        ("mica2", "cc1000", cc1000),
        ("micaz", "cc2420", Vec::clone(&cc2420)),
        ("atmega1281-cc2420", "cc2420", cc2420),
    ] {
        let board = described(name);
        let mut meter = BoardMeter::new(&board, None).expect("the data file parses");
        let device = meter.add(radio, states[0]);
        for (n, state) in (1..).zip(states) {
            meter.set(micros(n), device, state);
        }
        meter.rows(micros(99)).expect("all known");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let refused = |options: Options| {
        let elf = Elf::parse(&executable(83, 0, &[0, 0], 5), "atmega128", &[Machine::AVR])
            .expect("a good file");
        Mote::new(Chip::Atmega128, elf, &described("atmega128"), &options)
            .err()
            .map(|error| error.to_string())
    };
    let clock_hz = Some(20_000_000);
    let text = refused(Options {
        clock_hz,
        ..Options::default()
    })
    .expect("too fast");
    assert_eq!(
        text,
        "clock of 20000000 Hz; atmega128 has 32768 to 16000000 Hz"
    );
    let band = Some(crate::board::Band::Low);
    let text = refused(Options {
        band,
        ..Options::default()
    })
    .expect("no band");
    assert_eq!(text, "atmega128 has no timing band: its timing is exact");
}

#[test]
fn sbi_of_a_flag_clears_others_on_the_atmega128_alone() {
    use cpu_avr::Bus;
    // Timer0 and its flags TOV0 and OCF0(A): TCCR0, TCNT0 and TIFR of each chip.
    for (chip, control, flags, left) in [
        (Chip::Atmega128, 0x53, 0x56, 0),
        (Chip::Atmega1281, 0x45, 0x35, 2),
    ] {
        let elf = Elf::parse(&executable(83, 0, &[0, 0], 5), "atmega128", &[Machine::AVR])
            .expect("a good file");
        let mut board =
            Mote::new(chip, elf, &described("atmega128"), &Options::default()).expect("a board");
        board.bus.write(control, 1).expect("a register");
        board.bus.cycle = 300;
        assert_eq!(board.bus.read(flags).expect("a register") & 3, 3);
        board.bus.write_bit(flags, 1, true).expect("a register");
        assert_eq!(board.bus.read(flags).expect("a register") & 3, left);
    }
}

/// LDI R16,0x42; OUT EEDR,R16; SBI EECR,EEMWE; SBI EECR,EEWE; RJMP itself.
const WRITES_EEPROM: [u16; 5] = [0xE402, 0xBB0D, 0x9AE2, 0x9AE1, 0xCFFF];

/// The first two octets of the EEPROM after a cut, and when the board's time stopped.
fn after_cut(moment: CutMoment, seed: u64) -> (Vec<u8>, bool, f64) {
    let mut board = board(&WRITES_EEPROM);
    board
        .plan_power_cut(PowerCut { moment, seed })
        .expect("power is on");
    for n in 1..=20 {
        board.run_until(micros(1_000 * n)).expect("no fault");
    }
    let seconds = board
        .meter()
        .expect("known")
        .iter()
        .map(|row| row.seconds)
        .sum();
    let eeprom = board.read(EEPROM_OFFSET, 2).expect("an EEPROM");
    assert_eq!(board.next_event().is_none(), !board.powered());
    (eeprom, board.powered(), seconds)
}

#[test]
fn a_power_cut_in_a_write_leaves_an_octet_that_may_be_anything() {
    let half = |operation| CutMoment::InFlash {
        operation,
        part: 1 << 31,
    };
    let mut seen = Vec::new();
    for seed in 0..8 {
        let (eeprom, powered, seconds) = after_cut(half(0), seed);
        assert_eq!((eeprom[1], powered), (0xFF, false));
        // Half of 8448 us.
        assert!((seconds - 0.004_224).abs() < 1e-5, "{seconds}");
        assert_eq!(eeprom, after_cut(half(0), seed).0);
        seen.push(eeprom[0]);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 4, "{seen:?}");
    assert_eq!(after_cut(half(1), 1).0, [0x42, 0xFF]);
    assert!(after_cut(half(1), 1).1, "there is no second write");
}

#[test]
fn a_power_cut_after_a_write_leaves_what_was_written() {
    let (eeprom, powered, seconds) = after_cut(CutMoment::At(micros(9_000)), 3);
    assert_eq!((eeprom, powered), (vec![0x42, 0xFF], false));
    assert!((seconds - 0.009).abs() < 1e-6, "{seconds}");
}

#[test]
fn a_power_cut_takes_the_radio_along() {
    // SBI DDRA,5; SBI PORTA,5; RJMP itself: the regulator of the CC2420 is on.
    let mut board = named("micaz", &[0x9AD5, 0x9ADD, 0xCFFF]);
    let cut = CutMoment::At(micros(5_000));
    board
        .plan_power_cut(PowerCut {
            moment: cut,
            seed: 1,
        })
        .expect("power is on");
    board.take_states().expect("known"); // recorded from now on
    board.run_until(micros(9_000)).expect("no fault");
    let changes = board.take_states().expect("known");
    let radio: Vec<_> = changes
        .iter()
        .filter(|change| change.device == "cc2420")
        .map(|change| (change.at.0 / 1_000_000, change.state.as_str()))
        .collect();
    let [.., (on, before), last] = radio.as_slice() else {
        panic!("{radio:?}")
    };
    assert!(*on < 1_000 && *before != "off", "{radio:?}");
    assert_eq!(*last, (5_000, "off"));
}

/// Where the boot loader section begins, in octets.
const BOOT: u32 = 0x1_E000;

/// A board whose reset leads into the boot loader section, with these words there.
fn with_boot_loader(words: &[u16]) -> Mote {
    let elf = Elf::parse(
        &executable(83, 0, &[0xFF, 0xCF], 5),
        "atmega128",
        &[Machine::AVR],
    )
    .expect("a good file");
    let described = described("atmega128")
        .changed("fuses.high", 0x98.into())
        .expect("a number");
    let mut board =
        Mote::new(Chip::Atmega128, elf, &described, &Options::default()).expect("a board");
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(board.write(BOOT, &code));
    board
}

/// STS SPMCSR,R16 with a value that LDI has put there; SPM.
fn spm(asks: u16) -> [u16; 4] {
    [
        0xE000 | asks << 4 & 0xF00 | asks & 0xF,
        0x9300,
        0x0068,
        0x95E8,
    ]
}

/// Until SPMEN is clear: LDS R17,SPMCSR; SBRC R17,0; RJMP back.
const READY: [u16; 4] = [0x9110, 0x0068, 0xFD10, 0xCFFC];

#[test]
fn a_boot_loader_writes_a_page_and_the_program_in_it_runs() {
    let mut words = vec![0x27EE, 0xE0F2]; // CLR ZL; LDI ZH,2: page 0x200
    words.extend(spm(0x03));
    words.extend(READY);
    words.extend([0xEE0E, 0x2E00, 0xE20A, 0x2E10]); // R1:R0 = 0x2AEE, here a pattern
    words.extend(spm(0x01));
    words.extend(spm(0x05));
    words.extend(READY);
    words.extend(spm(0x11));
    words.extend([0x9125, 0x940C, 0x0000]); // LPM R18,Z+; JMP 0: RJMP itself
    let mut board = with_boot_loader(&words);
    board.run_until(micros(20_000)).expect("no fault");
    assert_eq!(board.read(0x200, 4), Some(vec![0xEE, 0x2A, 0xFF, 0xFF]));
    assert_eq!((board.cpu.regs[18], board.cpu.pc), (0xEE, 0));
    assert_eq!(board.take_misuse(), []);
    let cycles = board.cpu.cycles;
    assert!(
        cycles > 72_000,
        "two times 4.5 ms at 8 MHz, and the CPU waits"
    );
}

#[test]
fn the_application_section_is_blocked_until_rwwsre() {
    let mut words = vec![0x27EE, 0xE0F2];
    words.extend(spm(0x03));
    words.extend([0x9125, 0x940C, 0x0000]);
    let mut board = with_boot_loader(&words);
    board.run_until(micros(100)).expect("it goes on");
    let notes = board.take_misuse();
    let told: Vec<_> = notes.iter().map(|note| (note.what, note.pc)).collect();
    assert_eq!(
        told,
        [
            (
                "LPM in the read-while-write section, which a page erase or write has blocked",
                BOOT + 12
            ),
            (EXECUTED, 0)
        ]
    );
    assert_eq!(board.cpu.regs[18], 0xFF);
}

#[test]
fn spm_in_the_application_does_nothing_and_is_told() {
    let mut words = spm(0x03).to_vec();
    words.push(0xCFFF);
    let mut board = board(&words);
    board.run_until(micros(100)).expect("it goes on");
    let notes = board.take_misuse();
    let [note] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert_eq!(
        note.what,
        "SPM does nothing outside the boot loader section"
    );
    assert_eq!((note.pc, board.read(0, 2)), (6, Some(vec![0x03, 0xE0])));
}

#[test]
fn a_program_reads_its_fuses() {
    // LDI ZL,3; CLR ZH; LDI R16,9; STS SPMCSR,R16; LPM R18,Z; RJMP itself.
    let mut board = board(&[0xE0E3, 0x27FF, 0xE009, 0x9300, 0x0068, 0x9124, 0xCFFF]);
    board.run_until(micros(100)).expect("no fault");
    assert_eq!(board.cpu.regs[18], 0x99);
}
