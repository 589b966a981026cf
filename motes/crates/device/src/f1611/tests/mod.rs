//! The chip as a whole, through its registers.

mod resets;

use super::*;

constants! { u16:
    IE1 = 0x00,                           IFG1 = 0x02,
    ME1 = 0x04,                           P1IES = 0x24,
    P1IE = 0x25,                          P1IFG = 0x23,
    P3SEL = 0x1B,                         P4OUT = 0x1D,
    P4DIR = 0x1E,                         P4SEL = 0x1F,
    DCOCTL = 0x56,                        BCSCTL1 = 0x57,
    BCSCTL2 = 0x58,                       U0CTL = 0x70,
    U0TCTL = 0x71,                        U0BR0 = 0x74,
    U0RXBUF = 0x76,                       U0TXBUF = 0x77,
    WDTCTL = 0x120,                       FCTL1 = 0x128,
    FCTL3 = 0x12C,                        TACTL = 0x160,
    TACCTL0 = 0x162,                      TACCTL2 = 0x166,
    TAR = 0x170,                          TACCR0 = 0x172,
    TACCR2 = 0x176,                       TBCTL = 0x180,
    TBCCTL0 = 0x182,                      TBCCTL1 = 0x184,
    TBR = 0x190,                          TBCCR0 = 0x192,
    TBCCR1 = 0x194,                       HOLD = 0x5A80,
    LPM3 = SR_SCG1 | SR_SCG0 | SR_CPUOFF,
}

#[derive(Default)]
struct Log {
    pins: Vec<(Ps, u8, u8, bool)>,
    octets: Vec<(Ps, u8)>,
}

impl External for Log {
    fn pin_output(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        self.pins.push((now, port, bit, level));
    }
    fn spi_byte(&mut self, now: Ps, _usart: u8, mosi: u8) -> u8 {
        self.octets.push((now, mosi));
        mosi ^ 0xFF
    }
}

struct Rig {
    chip: F1611,
    log: Log,
}

impl Rig {
    /// A chip of exactly `hz`, its watchdog held, an edge of its DCO at 1 µs.
    fn at(hz: f64) -> Rig {
        let config = F1611Config::default().with_tap_at(hz);
        let tap = config.dco.exact_tap().expect("an exact tap");
        let chip = F1611::new(config);
        let mut rig = Rig {
            chip,
            log: Log::default(),
        };
        rig.write16(WDTCTL, HOLD, us(0));
        rig.write8(BCSCTL2, u8::from(tap.external), us(1));
        rig.write8(BCSCTL1, 0x80 | tap.rsel, us(1));
        rig.write8(DCOCTL, tap.dco << 5, us(1));
        rig.chip.set_low_power(us(1), LPM3);
        rig.chip.set_low_power(us(1), 0);
        rig
    }

    fn write8(&mut self, addr: u16, value: u8, now: Ps) {
        self.chip
            .write8(addr, value, now, &mut self.log)
            .expect("an accepted write");
    }

    fn write16(&mut self, addr: u16, value: u16, now: Ps) {
        self.chip
            .write16(addr, value, now, &mut self.log)
            .expect("an accepted write");
    }

    fn read8(&mut self, addr: u16, now: Ps) -> u8 {
        self.chip
            .read8(addr, now, &mut self.log)
            .expect("a register")
    }

    fn read16(&mut self, addr: u16, now: Ps) -> u16 {
        self.chip
            .read16(addr, now, &mut self.log)
            .expect("a register")
    }

    fn advance(&mut self, now: Ps) {
        self.chip.advance(now, &mut self.log);
    }

    fn start_spi(&mut self) {
        self.write8(P3SEL, 0x0E, us(2));
        self.write8(U0CTL, 0x17, us(2));
        self.write8(U0TCTL, 0xA2, us(2));
        self.write8(U0BR0, 2, us(2));
        self.write8(ME1, 0x40, us(2));
        self.write8(U0CTL, 0x16, us(2));
    }
}

fn us(microseconds: u64) -> Ps {
    Ps::from_micros(microseconds)
}

#[test]
fn registers_read_their_reset_values() {
    let mut chip = F1611::new(F1611Config::default());
    let octets = [
        (IFG1, 0x82),
        (0x03, 0x20),
        (DCOCTL, 0x60),
        (BCSCTL1, 0x84),
        (U0CTL, 1),
        (U0TCTL, 1),
        (0x79, 1),
    ];
    for (addr, value) in octets {
        let read = chip.read8(addr, Ps::ZERO, &mut Unconnected);
        assert_eq!(read, Ok(value), "0x{addr:02x}");
    }
    let words = [
        (WDTCTL, 0x6900),
        (FCTL1, 0x9600),
        (0x12A, 0x9642),
        (FCTL3, 0x9618),
        (TACTL, 0),
        (0x1A0, 0),
    ];
    for (addr, value) in words {
        let read = chip.read16(addr, Ps::ZERO, &mut Unconnected);
        assert_eq!(read, Ok(value), "0x{addr:03x}");
    }
}

#[test]
fn access_widths_are_as_in_the_users_guide() {
    let mut rig = Rig::at(4e6);
    let ext = &mut Unconnected;
    for (addr, refusal) in [
        (0x131, AccessError::OddByte(0x131)),
        (0x0A, AccessError::Unmapped(0x0A)),
        (0x27, AccessError::Unmapped(0x27)),
    ] {
        assert_eq!(rig.chip.read8(addr, us(2), ext), Err(refusal));
    }
    let word = rig.chip.read16(0x20, us(2), ext);
    assert_eq!(word, Err(AccessError::WordAccess(0x20)));
    let hole = rig.chip.read16(0x168, us(2), ext);
    assert_eq!(hole, Err(AccessError::Unmapped(0x168)));
    let written = rig.chip.write16(0x00, 0, us(2), ext);
    assert_eq!(written, Err(AccessError::WordAccess(0x00)));
    assert_eq!(rig.chip.write16(0x21, 0x1234, us(2), ext), Ok(()));
    assert_eq!(
        rig.read8(0x21, us(2)),
        0x34,
        "a byte peripheral takes the low octet"
    );
    rig.write16(0x130, 0xFFFF, us(2));
    rig.write8(0x132, 0x80, us(2));
    assert_eq!(
        rig.read16(0x132, us(2)),
        0x0080,
        "a byte written to a word peripheral has a high octet of 0"
    );
}

#[test]
fn bytes_multiply() {
    let mut rig = Rig::at(4e6);
    rig.write8(0x130, 0x12, us(2));
    rig.write8(0x138, 0x34, us(2));
    assert_eq!(rig.read16(0x13A, us(2)), 0x12 * 0x34);
    assert_eq!(rig.read8(0x13A, us(2)), 0xA8);
}

#[test]
fn spi_octets_follow_back_to_back_at_half_smclk() {
    let mut rig = Rig::at(8e6);
    rig.start_spi();
    rig.write8(U0TXBUF, 0x11, us(10));
    assert_eq!(rig.read8(IFG1, us(10)) & 0xC0, 0x80);
    rig.write8(U0TXBUF, 0x22, us(11));
    assert_eq!(rig.read8(IFG1, us(11)) & 0xC0, 0);
    assert_eq!(rig.chip.deadline(), Some(us(12)), "8 bits at 4 MHz");
    assert_eq!(rig.read8(IFG1, us(12)) & 0xC0, 0xC0);
    assert_eq!(rig.read8(U0RXBUF, us(12)), 0xEE);
    rig.advance(us(20));
    assert_eq!(rig.log.octets, [(us(12), 0x11), (us(14), 0x22)]);
    assert_eq!(rig.read8(U0RXBUF, us(20)), 0xDD);
}

#[test]
fn two_edges_of_the_dco_frequency_count_in_one_octet() {
    let mut rig = Rig::at(4e6);
    rig.start_spi();
    rig.write8(U0TXBUF, 0, us(10));
    rig.write8(BCSCTL2, 0x02, us(12));
    assert_eq!(
        rig.chip.deadline(),
        Some(us(16)),
        "8 cycles of 250 ns, then 8 of 500 ns"
    );
}

#[test]
fn lpm3_freezes_smclk_and_not_aclk() {
    let mut rig = Rig::at(4e6);
    rig.write16(TACTL, 0x0220, us(100));
    rig.write16(TBCTL, 0x0120, us(100));
    let ticks_before = rig.chip.aclk().cycles_at(us(100));
    assert_eq!(rig.read16(TAR, us(110)), 40);
    rig.start_spi();
    rig.write8(U0TXBUF, 0x77, us(110));
    rig.chip.set_low_power(us(112), LPM3);
    assert_eq!(rig.chip.deadline(), None);
    assert_eq!(rig.chip.wake_delay(), us(6));
    assert!(!rig.chip.smclk().running());
    assert_eq!(rig.read16(TAR, us(1_000)), 48);
    let ticks = rig.chip.aclk().cycles_at(us(1_000)) - ticks_before;
    assert_eq!(u64::from(rig.read16(TBR, us(1_000))), ticks);
    rig.chip.set_low_power(us(2_000), 0);
    assert_eq!(
        rig.chip.deadline(),
        Some(us(2_002)),
        "half of the octet was left"
    );
    assert_eq!(rig.read16(TAR, us(2_001)), 52);
    rig.advance(us(2_002));
    assert_eq!(rig.log.octets, [(us(2_002), 0x77)]);
}

#[test]
fn mclk_tells_when_it_changes() {
    let mut rig = Rig::at(4_194_304.0);
    assert!(rig.chip.take_mclk_change());
    assert!(!rig.chip.take_mclk_change());
    let clock = rig.chip.mclk();
    assert_eq!((clock.origin, clock.mhz), (us(1), 4_194_304_000));
    rig.chip.set_low_power(us(50), SR_CPUOFF);
    assert!(!rig.chip.take_mclk_change(), "LPM0 leaves the DCO alone");
    rig.chip.set_low_power(us(60), LPM3);
    rig.chip.set_low_power(us(1_000), 0);
    assert!(rig.chip.take_mclk_change());
    let clock = rig.chip.mclk();
    assert_eq!(
        clock.next_cycle(us(1_000)),
        clock.origin_cycles,
        "the DCO starts with an edge"
    );
}

#[test]
fn firmware_can_measure_the_dco_against_aclk() {
    let mut rig = Rig::at(8e6);
    let rsel = rig.read8(BCSCTL1, us(1)) & 7;
    rig.write8(BCSCTL1, 0x80 | 0x30 | rsel, us(1));
    rig.write16(TACTL, 0x0220, us(2));
    rig.write16(TACCTL2, 0x5900, us(2));
    let mut captures = Vec::new();
    let mut now = us(2);
    while captures.len() < 5 {
        now += Ps(125_000);
        if rig.read16(TACCTL2, now) & 1 != 0 {
            captures.push(rig.read16(TACCR2, now));
            rig.write16(TACCTL2, 0x5900, now);
        }
    }
    let cycles = captures[4].wrapping_sub(captures[0]);
    assert!(
        (7_812..=7_813).contains(&cycles),
        "4 periods of ACLK / 8 are 7 812.5 cycles of 8 MHz, not {cycles}"
    );
    assert_eq!(rig.read16(TACCTL2, now) & 2, 0, "no capture was lost");
}

#[test]
fn the_sfd_pin_is_captured_by_timer_b() {
    let mut rig = Rig::at(4e6);
    rig.write8(P4SEL, 0x02, us(2));
    rig.write16(TBCTL, 0x0220, us(2));
    rig.write16(TBCCTL1, 0xC910, us(2));
    rig.chip.set_input(us(500), 4, 1, true);
    assert_eq!(rig.chip.interrupt(), Some(12));
    rig.chip.accept(12);
    assert_eq!(
        rig.chip.interrupt(),
        Some(12),
        "TB1 is shared: the flag stays"
    );
    assert_eq!(rig.read16(TBCCR1, us(501)), 4 * (500 - 2));
    assert_eq!(rig.read16(0x11E, us(501)), 2);
    assert_eq!(rig.chip.interrupt(), None);
    rig.write8(P4SEL, 0, us(502));
    rig.chip.set_input(us(600), 4, 1, false);
    assert_eq!(
        rig.chip.interrupt(),
        None,
        "with P4SEL clear the timer sees the old level"
    );
}

#[test]
fn a_port_interrupt_stays_until_software_clears_it() {
    let mut rig = Rig::at(4e6);
    rig.write8(P1IE, 0x01, us(2));
    rig.chip.set_input(us(5), 1, 0, true);
    assert_eq!(rig.chip.interrupt(), Some(4));
    rig.chip.accept(4);
    assert_eq!(rig.chip.interrupt(), Some(4));
    rig.write8(P1IFG, 0, us(6));
    assert_eq!(rig.chip.interrupt(), None);
    rig.write8(P1IES, 0x01, us(6));
    rig.chip.set_input(us(7), 1, 0, false);
    assert_eq!(rig.chip.interrupt(), Some(4));
}

#[test]
fn priorities_are_those_of_the_vector_table() {
    let mut rig = Rig::at(4e6);
    rig.write8(P1IE, 0xFF, us(2));
    rig.chip.set_input(us(2), 1, 7, true);
    rig.write16(TACCTL0, 0x0011, us(2));
    rig.write16(TBCCTL0, 0x0011, us(2));
    rig.write16(TBCCTL1, 0x0011, us(2));
    rig.write8(IE1, 0x80, us(2));
    let mut order = Vec::new();
    for _ in 0..5 {
        let vector = rig.chip.interrupt().expect("an interrupt");
        order.push(vector);
        rig.chip.accept(vector);
        match vector {
            12 => rig.write16(TBCCTL1, 0, us(3)),
            4 => rig.write8(P1IFG, 0, us(3)),
            _ => {}
        }
    }
    assert_eq!(order, [13, 12, 8, 6, 4]);
    assert_eq!(rig.chip.interrupt(), None);
}

#[test]
fn a_timer_interrupt_ends_lpm3_at_the_aclk_edge() {
    let mut rig = Rig::at(8e6);
    rig.write16(TBCCR0, 327, us(2));
    rig.write16(TBCCTL0, 0x0010, us(2));
    rig.write16(TBCTL, 0x0114, us(2));
    let first = rig.chip.aclk().cycles_at(us(2));
    rig.chip.set_low_power(us(3), LPM3);
    let deadline = rig.chip.deadline().expect("a deadline");
    assert_eq!(deadline, rig.chip.aclk().time_of(first + 327));
    rig.advance(Ps(deadline.0 - 1));
    assert_eq!(rig.chip.interrupt(), None);
    rig.advance(deadline);
    assert_eq!(rig.chip.interrupt(), Some(13));
    rig.chip.accept(13);
    assert_eq!(rig.chip.interrupt(), None);
    assert_eq!(
        rig.chip.deadline(),
        Some(rig.chip.aclk().time_of(first + 327 + 328))
    );
}

#[test]
fn a_timer_output_moves_its_pin_at_the_exact_time() {
    let mut rig = Rig::at(4e6);
    rig.write8(P4SEL, 0x02, us(2));
    rig.write8(P4DIR, 0x02, us(2));
    rig.write16(TBCCR1, 100, us(2));
    rig.write16(TBCCTL1, 0x0080, us(2));
    rig.write16(TBCTL, 0x0220, us(2));
    rig.advance(us(1_000));
    assert_eq!(rig.log.pins, [(us(2), 4, 1, false), (us(27), 4, 1, true)]);
}

#[test]
fn the_out_bit_of_a_timer_moves_its_pin_at_the_write() {
    let mut rig = Rig::at(4e6);
    rig.write8(0x26, 0x04, us(2));
    rig.write8(0x22, 0x04, us(2));
    rig.write16(0x164, 0x0004, us(3));
    rig.write16(TBCCTL1, 0x0004, us(4));
    rig.write8(P4SEL, 0x02, us(5));
    rig.write8(P4DIR, 0x02, us(5));
    assert_eq!(
        rig.log.pins,
        [
            (us(2), 1, 2, false),
            (us(3), 1, 2, true),
            (us(5), 4, 1, true)
        ]
    );
}

#[test]
fn reading_rxbuf_withdraws_the_receive_interrupt() {
    let mut rig = Rig::at(8e6);
    rig.start_spi();
    rig.write8(IE1, 0x40, us(9));
    rig.write8(U0TXBUF, 0x11, us(10));
    rig.advance(us(12));
    assert_eq!(rig.chip.interrupt(), Some(9));
    rig.read8(U0RXBUF, us(12));
    assert_eq!(rig.chip.interrupt(), None);
}

#[test]
fn output_pins_are_told_at_the_write() {
    let mut rig = Rig::at(4e6);
    rig.write8(P4OUT, 0x04, us(2));
    rig.write8(P4DIR, 0x64, us(3));
    rig.write8(P4OUT, 0x60, us(4));
    let at = |time, bit, level| (us(time), 4, bit, level);
    let expected = [
        at(3, 2, true),
        at(3, 5, false),
        at(3, 6, false),
        at(4, 2, false),
        at(4, 5, true),
        at(4, 6, true),
    ];
    assert_eq!(rig.log.pins, expected);
    assert_eq!(
        (rig.chip.driven(4, 5), rig.chip.driven(4, 0)),
        (Some(true), None)
    );
}

#[test]
fn the_same_accesses_give_the_same_times() {
    let run = || {
        let mut rig = Rig::at(7.3e6);
        rig.start_spi();
        rig.write16(TACCR0, 77, us(3));
        rig.write16(TACCTL0, 0x0090, us(3));
        rig.write16(TACTL, 0x0216, us(3));
        for step in 0..200 {
            rig.write8(U0TXBUF, step, us(10 + 7 * u64::from(step)));
        }
        rig.advance(us(3_000));
        rig.log.octets
    };
    assert_eq!(run().len(), 200);
    assert_eq!(run(), run());
}
