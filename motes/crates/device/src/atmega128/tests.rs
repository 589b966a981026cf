//! The chip through its registers.

use super::*;
use crate::random::split_mix;

/// What was soldered to the chip saw.
#[derive(Default)]
struct Seen {
    pins: Vec<(u64, u8, u8, bool)>,
    spi: Vec<(u64, u8)>,
    uart: Vec<(u64, u8, u8)>,
}

impl External for Seen {
    fn pin_output(&mut self, now: u64, port: u8, bit: u8, level: bool) {
        self.pins.push((now, port, bit, level));
    }
    fn spi_byte(&mut self, now: u64, mosi: u8) -> u8 {
        self.spi.push((now, mosi));
        !mosi
    }
    fn uart_byte(&mut self, now: u64, usart: u8, octet: u8) {
        self.uart.push((now, usart, octet));
    }
}

struct Bench {
    chip: Atmega128,
    seen: Seen,
}

impl Bench {
    fn new() -> Bench {
        Bench::of(Chip::Atmega128)
    }

    fn of(chip: Chip) -> Bench {
        Bench {
            chip: Atmega128::new(chip, 8_000_000, Fuses::default()),
            seen: Seen::default(),
        }
    }

    fn set(&mut self, now: u64, addr: u16, value: u8) {
        self.chip
            .write(addr, value, now, &mut self.seen)
            .expect("a register");
    }

    fn get(&mut self, now: u64, addr: u16) -> u8 {
        self.chip
            .read(addr, now, &mut self.seen)
            .expect("a register")
    }
}

#[test]
fn a_timer_interrupts_and_its_flag_is_cleared_by_the_cpu_or_by_a_one() {
    let mut b = Bench::new();
    for (addr, value) in [(0x4B, 0x01), (0x4A, 0xF3), (0x57, 0x10), (0x4E, 0x0A)] {
        b.set(0, addr, value);
    }
    assert_eq!(b.chip.deadline(), Some(500 * 8));
    b.chip.advance(500 * 8, &mut b.seen);
    assert_eq!(
        (b.chip.interrupt(), b.get(4000, 0x56)),
        (Some(12), 0x10 | 0x08),
        "OCR1B is 0"
    );
    b.chip.acknowledge(12);
    assert_eq!(
        (b.chip.interrupt(), b.chip.deadline()),
        (None, Some(1000 * 8))
    );
    b.chip.advance(8000, &mut b.seen);
    b.set(8001, 0x56, 0x10);
    assert_eq!(b.chip.interrupt(), None);
}

#[test]
fn sixteen_bits_are_written_and_read_at_once() {
    let mut b = Bench::new();
    b.set(0, 0x4D, 0x12);
    assert_eq!(b.get(0, 0x4C), 0);
    b.set(0, 0x4D, 0x12);
    b.set(0, 0x4C, 0xFF);
    b.set(0, 0x4E, 0x01);
    assert_eq!(
        (b.get(0, 0x4C), b.get(1, 0x4D)),
        (0xFF, 0x12),
        "the high octet is that of the moment of the low one"
    );
    assert_eq!((b.get(1, 0x4C), b.get(1, 0x4D)), (0x00, 0x13));
}

#[test]
fn priorities_are_those_of_the_table() {
    let mut b = Bench::new();
    b.set(0, 0x57, 0xFF);
    b.set(0, 0x53, 0x01);
    b.set(0, 0x45, 0x01);
    b.chip.advance(256, &mut b.seen);
    let mut taken = Vec::new();
    while let Some(vector) = b.chip.interrupt() {
        taken.push(vector);
        b.chip.acknowledge(vector);
    }
    assert_eq!(taken, [9, 10, 15, 16]);
}

#[test]
fn spi_takes_eight_periods_and_gives_the_answer() {
    let mut b = Bench::new();
    b.set(0, 0x2D, 0xD0);
    b.set(0, 0x2E, 0x01);
    b.set(10, 0x2F, 0x5A);
    b.set(12, 0x2F, 0x77);
    assert_eq!(
        b.get(25, 0x2E),
        0x41,
        "the octet is under way, the second write collided"
    );
    assert_eq!(b.chip.deadline(), Some(26));
    b.chip.advance(26, &mut b.seen);
    assert_eq!(
        (b.chip.interrupt(), b.seen.spi.as_slice()),
        (Some(17), &[(26, 0x5A)][..])
    );
    assert_eq!(b.get(27, 0x2E), 0xC1);
    assert_eq!((b.get(28, 0x2F), b.get(29, 0x2E)), (0xA5, 0x01));
}

#[test]
fn an_spi_slave_is_clocked_while_ss_is_low() {
    let mut b = Bench::new();
    assert_eq!(b.chip.slave(), None);
    b.set(0, 0x37, 0x08);
    b.set(0, 0x2D, 0xC0);
    b.set(1, 0x2F, 0x96);
    let slave = |missing, outgoing| {
        Some(Slave {
            missing,
            outgoing,
            drives: true,
        })
    };
    assert_eq!(b.chip.slave(), slave(8, 0x96));
    for _ in 0..7 {
        b.chip.clock_slave(true);
    }
    assert_eq!((b.chip.slave(), b.chip.interrupt()), (slave(1, 0x7F), None));
    b.chip.clock_slave(false);
    assert_eq!(b.chip.interrupt(), Some(17));
    b.chip.acknowledge(17);
    assert_eq!((b.get(2, 0x2E), b.get(3, 0x2F)), (0, 0xFE));
    b.chip.clock_slave(true);
    b.chip.set_pin(1, 0, true);
    b.chip.clock_slave(true);
    assert_eq!((b.chip.slave(), b.chip.interrupt()), (None, None));
    b.chip.set_pin(1, 0, false);
    assert_eq!(b.chip.slave(), slave(8, 0xFD), "the octet begins anew");
}

#[test]
fn an_spi_slave_may_begin_with_the_lowest_bit() {
    let mut b = Bench::new();
    b.set(0, 0x37, 0x08);
    b.set(0, 0x2D, 0xE0);
    b.set(1, 0x2F, 0x96);
    let outgoing = |b: &Bench| b.chip.slave().map(|slave| slave.outgoing);
    assert_eq!(outgoing(&b), Some(0x69), "the lowest bit leaves first");
    for bit in [true, true, false, true] {
        b.chip.clock_slave(bit);
    }
    // Four bits of 0x96 are left, and the four that came in are behind them.
    assert_eq!(outgoing(&b), Some(0x9D));
    for bit in [false, false, true, false] {
        b.chip.clock_slave(bit);
    }
    assert_eq!((b.get(2, 0x2E) & 0x80, b.get(3, 0x2F)), (0x80, 0x4B));
}

#[test]
fn the_adc_interrupts_when_its_conversion_is_complete() {
    let mut b = Bench::new();
    b.set(0, 0x27, 0x1E);
    b.set(0, 0x26, 0xCF);
    assert_eq!(b.get(1, 0x26), 0xCF);
    let end = 25 * 128;
    assert_eq!(b.chip.deadline(), Some(27 * 64), "the input is held");
    b.chip.advance(27 * 64, &mut b.seen);
    assert_eq!(b.chip.deadline(), Some(end));
    b.chip.advance(end, &mut b.seen);
    assert_eq!((b.chip.interrupt(), b.get(end, 0x26)), (Some(21), 0x9F));
    b.chip.acknowledge(21);
    assert_eq!((b.get(end, 0x24), b.get(end, 0x25)), (0xA3, 0x01));
    b.set(end, 0x27, 0x10);
    let refused = b.chip.write(0x26, 0xC0, end, &mut b.seen);
    let name = "a differential input of the ADC (MUX)";
    assert_eq!(refused, Err(AccessError::NotModelled(name)));
}

/// Timer0 from the watch crystal, up to 99: 1024 edges in 250 000 cycles of 8 MHz.
fn by_the_watch() -> Bench {
    let mut b = Bench::new();
    b.set(0, 0x50, 0x08);
    b.set(0, 0x53, 0x09);
    b.set(0, 0x51, 99);
    b.set(0, 0x57, 0x02);
    b
}

#[test]
fn timer0_counts_a_watch_crystal() {
    let mut b = by_the_watch();
    assert_eq!(b.get(1, 0x50), 0x0B, "OCR0 and TCCR0 wait");
    assert_eq!((b.get(1, 0x51), b.get(1, 0x53)), (99, 0x09));
    // The second edge.
    let begun = 2 * 250_000 / 1024 + 1;
    assert_eq!(b.chip.deadline(), Some(begun));
    b.chip.advance(begun, &mut b.seen);
    assert_eq!(b.get(begun, 0x50), 0x08);
    // CTC: 100 ticks from then on.
    let tick = |n: u64| (n * 250_000).div_ceil(1024);
    assert_eq!(b.chip.deadline(), Some(tick(102)));
    b.chip.advance(tick(102), &mut b.seen);
    assert_eq!((b.chip.interrupt(), b.get(tick(102), 0x52)), (Some(15), 0));
    b.chip.acknowledge(15);
    let due = tick(102 + 100 * 10_000);
    b.chip.advance(due - 1, &mut b.seen);
    b.chip.acknowledge(15);
    assert_eq!(b.chip.deadline(), Some(due), "it does not drift");
    let refused = b.chip.write(0x53, 0x10, due, &mut b.seen);
    assert!(refused.is_err(), "no pin is moved");
}

#[test]
fn a_watch_crystal_wakes_from_power_save_alone() {
    let mut b = by_the_watch();
    b.chip.advance(1000, &mut b.seen);
    let due = (102_u64 * 250_000).div_ceil(1024);
    for (sleep, wakes) in [
        (Sleep::PowerSave, Some(due)),
        (Sleep::ExtendedStandby, Some(due)),
        (Sleep::NoiseReduction, Some(due)),
        (Sleep::Standby, None),
        (Sleep::PowerDown, None),
    ] {
        assert_eq!(b.chip.deep_deadline(sleep), wakes, "{sleep:?}");
    }
    b.chip.freeze(Sleep::PowerSave, due - 1000, due);
    b.chip.advance(due, &mut b.seen);
    assert_eq!(b.chip.interrupt(), Some(15));
}

#[test]
fn noise_reduction_begins_a_conversion_and_the_adc_goes_on() {
    let mut b = Bench::new();
    b.set(0, 0x26, 0x89);
    assert_eq!(b.chip.deep_deadline(Sleep::NoiseReduction), None);
    b.chip.fall_asleep(Sleep::PowerDown, 10);
    assert_eq!(b.chip.deadline(), None);
    b.chip.fall_asleep(Sleep::NoiseReduction, 10);
    assert_eq!(b.chip.deep_deadline(Sleep::NoiseReduction), Some(10 + 27));
    assert_eq!(b.chip.deep_deadline(Sleep::Standby), None);
    b.chip.freeze(Sleep::NoiseReduction, 50, 60);
    b.chip.advance(60, &mut b.seen);
    assert_eq!(b.chip.interrupt(), Some(21));
}

#[test]
fn a_usart_sends_ten_bits_and_the_next_character_follows_at_once() {
    let mut b = Bench::new();
    b.set(0, 0x29, 51);
    b.set(0, 0x2A, 0x18);
    b.set(0, 0x2C, b'a');
    assert_eq!(b.get(0, 0x2B) & 0x20, 0x20);
    b.set(1, 0x2C, b'b');
    assert_eq!(b.get(1, 0x2B) & 0x20, 0);
    let character = 52 * 16 * 10;
    b.chip.advance(3 * character, &mut b.seen);
    assert_eq!(
        b.seen.uart,
        [(character, 0, b'a'), (2 * character, 0, b'b')]
    );
    assert_eq!(b.get(3 * character, 0x2B), 0x60);
    b.chip.receive_uart(0, b'c');
    assert_eq!(b.get(3 * character, 0x2B), 0xE0);
    assert_eq!(
        (b.get(3 * character, 0x2C), b.get(3 * character, 0x2B)),
        (b'c', 0x60)
    );
}

#[test]
fn an_eeprom_write_needs_its_sequence_and_its_time() {
    let mut b = Bench::new();
    b.set(0, 0x3F, 0x0F);
    b.set(0, 0x3E, 0xFE);
    b.set(0, 0x3D, 0x42);
    b.set(1, 0x3C, 0x02);
    assert_eq!(b.get(2, 0x3C), 0, "EEWE without EEMWE");
    b.set(10, 0x3C, 0x04);
    b.set(20, 0x3C, 0x02);
    assert_eq!(b.get(20, 0x3C), 0, "too late");
    b.set(30, 0x3C, 0x04);
    b.set(32, 0x3C, 0x0A);
    assert_eq!(
        (b.chip.take_halt(), b.get(33, 0x3C), b.chip.interrupt()),
        (2, 0x0A, None)
    );
    let end = 32 + 8448 * 8;
    assert_eq!(b.chip.deadline(), Some(end));
    b.chip.advance(end, &mut b.seen);
    assert_eq!((b.get(end, 0x3C), b.chip.interrupt()), (0x08, Some(22)));
    b.set(end, 0x3D, 0);
    b.set(end, 0x3C, 0x01);
    assert_eq!((b.chip.take_halt(), b.get(end, 0x3D)), (4, 0x42));
    assert_eq!(b.chip.eeprom()[0xFFE..], [0x42, 0xFF]);
}

#[test]
fn pins_drive_pull_up_and_interrupt() {
    let mut b = Bench::new();
    b.set(5, 0x37, 0x03);
    b.set(6, 0x38, 0x06);
    assert_eq!(
        b.seen.pins,
        [(5, 1, 0, false), (5, 1, 1, false), (6, 1, 1, true)]
    );
    assert_eq!(b.get(7, 0x36), 0x06, "an output, and a pull-up");
    b.chip.set_pin(1, 2, false);
    assert_eq!(b.get(8, 0x36), 0x02);
    b.set(9, 0x5A, 0x30);
    b.set(9, 0x59, 0x40);
    b.chip.set_pin(4, 6, true);
    assert_eq!((b.chip.interrupt(), b.get(10, 0x58)), (Some(7), 0x40));
    b.chip.acknowledge(7);
    b.chip.set_pin(4, 6, false);
    assert_eq!(b.chip.interrupt(), None, "the rising edge alone");
}

#[test]
fn the_watchdog_restarts_the_chip_and_can_be_stopped_in_its_sequence_only() {
    let mut b = Bench::new();
    b.set(0, 0x41, 0x08);
    b.set(10, 0x41, 0x00);
    assert_eq!(b.get(11, 0x41), 0x08);
    b.set(20, 0x41, 0x18);
    b.set(23, 0x41, 0x00);
    assert_eq!((b.get(24, 0x41), b.chip.deadline()), (0x00, None));
    b.set(100, 0x41, 0x09);
    b.chip.watchdog_reset(1000);
    let due = 1000 + 32_768 * 8;
    assert_eq!(b.chip.deadline(), Some(due));
    b.set(2000, 0x37, 0xFF);
    assert!(b.chip.advance(due, &mut b.seen));
    assert_eq!((b.get(due, 0x54), b.get(due, 0x37)), (0x09, 0));
}

#[test]
fn sleep_is_as_deep_as_its_bits_say() {
    let mut b = Bench::new();
    let modes = [
        (0x00, None),
        (0x20, Some(Sleep::Idle)),
        (0x28, Some(Sleep::NoiseReduction)),
        (0x30, Some(Sleep::PowerDown)),
        (0x38, Some(Sleep::PowerSave)),
        (0x34, Some(Sleep::Standby)),
        (0x3C, Some(Sleep::ExtendedStandby)),
    ];
    for (value, want) in modes {
        b.set(0, 0x55, value);
        assert_eq!(b.chip.sleep(), want, "{value:02x}");
    }
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let mut b = Bench::new();
    for (addr, value, name) in [
        (0x42, 0x01, "the on-chip debug register (OCDR)"),
        (0x4F, 0x80, "the output compare pins of a timer (COM)"),
        (0x45, 0x07, "a timer clocked by a pin"),
        (0x95, 0x40, "a synchronous USART (UMSEL)"),
        (0x55, 0x80, "external memory (SRE, SRW10)"),
    ] {
        let refused = b.chip.write(addr, value, 0, &mut b.seen);
        assert_eq!(refused, Err(AccessError::NotModelled(name)));
    }
    assert_eq!(
        b.chip.read(0x60, 0, &mut b.seen),
        Err(AccessError::Unmapped(0x60))
    );
    assert_eq!(
        b.chip.write(0x9F, 0, 0, &mut b.seen),
        Err(AccessError::Unmapped(0x9F))
    );
}

#[test]
fn the_other_chip_has_its_registers_elsewhere() {
    let mut b = Bench::of(Chip::Atmega1281);
    // Timer4 in CTC mode, OCR4A = 0x01F3, divider 8, interrupt 42 by OCIE4A.
    for (addr, value) in [(0xA9, 0x01), (0xA8, 0xF3), (0x72, 0x02), (0xA1, 0x0A)] {
        b.set(0, addr, value);
    }
    assert_eq!(
        (b.get(0, 0xA9), b.get(0, 0xA1), b.chip.deadline()),
        (0x01, 0x0A, Some(4000))
    );
    b.chip.advance(4000, &mut b.seen);
    assert_eq!(
        (b.chip.interrupt(), b.get(4000, 0x39) & 0x02),
        (Some(42), 0x02)
    );
    b.set(4001, 0x39, 0x02);
    assert_eq!(b.chip.interrupt(), None);
    // Timer0 by OCR0A in fast PWM, mode 7: TOV0 at its top.
    for (addr, value) in [(0x47, 9), (0x44, 0x03), (0x45, 0x09), (0x6E, 0x01)] {
        b.set(5000, addr, value);
    }
    b.chip.advance(5001, &mut b.seen);
    b.chip.advance(5011, &mut b.seen);
    assert_eq!((b.chip.interrupt(), b.get(5011, 0x45)), (Some(23), 0x09));
    // A write to PINB toggles; port B begins at 0x23.
    b.set(5012, 0x23, 0x81);
    b.set(5013, 0x23, 0x80);
    assert_eq!(b.get(5014, 0x25), 0x01);
    // SPI at 0x4C, USART1 at 0xC8.
    b.set(6000, 0x4C, 0x50);
    b.set(6000, 0x4E, 0x5A);
    b.set(6000, 0xC9, 0x08);
    b.set(6000, 0xCE, b'x');
    b.chip.advance(6000 + 160, &mut b.seen);
    assert_eq!(
        (b.seen.spi.as_slice(), b.seen.uart.as_slice()),
        (&[(6032, 0x5A)][..], &[(6160, 1, b'x')][..])
    );
    // SMCR, and what the chip does not have.
    b.set(7000, 0x53, 0x05);
    assert_eq!(b.chip.sleep(), Some(Sleep::PowerDown));
    b.set(7000, 0x53, 0x0D);
    assert_eq!(b.chip.sleep(), Some(Sleep::Standby));
    assert_eq!(
        b.chip.read(0x52, 7000, &mut b.seen),
        Err(AccessError::Unmapped(0x52))
    );
    let refused = b.chip.write(0x61, 0x03, 7000, &mut b.seen);
    assert_eq!(
        refused,
        Err(AccessError::NotModelled("the clock divider (CLKPS)"))
    );
}

#[test]
fn no_access_at_any_address_makes_it_panic() {
    no_access_panics(Bench::new());
    no_access_panics(Bench::of(Chip::Atmega1281));
}

fn no_access_panics(mut b: Bench) {
    let mut state = 1_u64;
    for now in 0..200_000_u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (addr, value) = ((state >> 33 & 0x1FF) as u16, (state >> 50) as u8);
        if state >> 63 == 0 {
            let _ = b.chip.write(addr, value, now, &mut b.seen);
        } else {
            let _ = b.chip.read(addr, now, &mut b.seen);
        }
        if let Some(vector) = b.chip.interrupt() {
            b.chip.acknowledge(vector);
        }
        if now % 64 == 0 {
            let due = b.chip.deadline();
            assert!(due.is_none_or(|due| due + 10 > now));
        }
    }
}

#[test]
fn a_timer_that_nobody_looks_at_counts_as_one_that_is_looked_at_all_the_time() {
    // TIMSK, TCCR1B, OCR1A, TCCR0, OCR0, TCNT1L, TIFR, and the prescalers.
    let registers = [0x57, 0x4E, 0x4A, 0x53, 0x51, 0x4C, 0x56, 0x40];
    let mut state = 1;
    for _ in 0..12 {
        let (mut seldom, mut often) = (Bench::new(), Bench::new());
        let mut now = 0;
        for _ in 0..60 {
            let draw = split_mix(&mut state);
            let wait = draw >> 8 & 0x3FF;
            for at in now..=now + wait {
                often.chip.advance(at, &mut often.seen);
                often.get(at, 0x4A);
            }
            now += wait;
            seldom.chip.advance(now, &mut seldom.seen);
            let (value, what) = ((draw >> 32) as u8, (draw >> 40) as usize % 12);
            for b in [&mut seldom, &mut often] {
                if let Some(address) = registers.get(what) {
                    // Modes and outputs that are not modelled stay off.
                    let mask = [0xFF, 0x0B, 0xFF, 0x0B, 0xFF, 0xFF, 0xFF, 0x03][what];
                    b.set(now, *address, value & mask);
                } else if let Some(number) = b.chip.interrupt().filter(|_| what > 8) {
                    b.chip.acknowledge(number);
                }
                b.chip.set_pin(CAPTURE_1.0, CAPTURE_1.1, draw & 4 != 0);
            }
            let asked = |b: &Bench| (b.chip.interrupt(), b.chip.deadline());
            assert_eq!(asked(&seldom), asked(&often), "cycle {now}");
        }
        for register in [0x56, 0x4C, 0x4D, 0x46, 0x52, 0x7C] {
            assert_eq!(seldom.get(now, register), often.get(now, register));
        }
    }
}

#[test]
fn ivsel_moves_the_vectors_within_four_cycles_after_ivce() {
    for (chip, control) in [(Chip::Atmega128, 0x55), (Chip::Atmega1281, 0x55)] {
        let mut b = Bench::of(chip);
        b.set(0, control, 0x01);
        b.set(10, control, 0x02);
        assert_eq!((b.chip.vectors_start(), b.get(11, control)), (0, 0), "late");
        b.set(20, control, 0x01);
        b.set(21, control, 0x02);
        assert_eq!(b.chip.vectors_start(), 0xF000);
        assert_eq!(b.get(22, control) & 3, 0x02);
        b.set(30, control, 0x00);
        assert_eq!(b.chip.vectors_start(), 0xF000, "it stays without IVCE");
    }
}
