//! Tests of the USART: SPI octets back to back, flags, overrun, and what stops the shift register.

use super::super::clock::Period;
use super::*;

/// 4 MHz: 250 ns.
const PERIOD: u64 = 250_000;

#[derive(Default)]
struct Echo {
    octets: Vec<(Ps, u8)>,
    characters: Vec<(Ps, u8)>,
    misuse: Vec<&'static str>,
}

impl External for Echo {
    fn pin_output(&mut self, _now: Ps, _port: u8, _bit: u8, _level: bool) {}
    fn spi_byte(&mut self, now: Ps, _usart: u8, mosi: u8) -> u8 {
        self.octets.push((now, mosi));
        !mosi
    }
    fn uart_byte(&mut self, now: Ps, _usart: u8, byte: u8) {
        self.characters.push((now, byte));
    }
    fn misuse(&mut self, _now: Ps, what: &'static str) {
        self.misuse.push(what);
    }
}

struct Rig {
    clock: Clock,
    sfr: Sfr,
    usart: Usart,
    echo: Echo,
    wiring: Wiring,
}

impl Rig {
    fn new(ctl: u8, divider: u8) -> Rig {
        let mut rig = Rig {
            clock: Clock::new(Ps::ZERO, 0, 4_000_000_000),
            sfr: Sfr::new(),
            usart: Usart::new(0, 0),
            echo: Echo::default(),
            wiring: Wiring {
                simo_and_clock: true,
                somi: true,
                utxd: true,
                urxd: true,
            },
        };
        rig.write(0, ctl | SWRST, 0);
        rig.write(1, 0x20, 0);
        rig.write(4, divider, 0);
        rig.sfr.me[0] = 0xC0;
        rig.write(0, ctl, 0);
        rig
    }

    fn spi() -> Rig {
        Rig::new(CHAR | SYNC | MM, 2)
    }

    fn try_write(&mut self, offset: u16, value: u8, cycle: u64) -> Result<(), AccessError> {
        let clocks = Sources {
            aclk: &self.clock,
            smclk: &self.clock,
            mclk: &self.clock,
        };
        self.usart
            .write(offset, value, Ps(cycle * PERIOD), &mut self.sfr, clocks)
    }

    fn write(&mut self, offset: u16, value: u8, cycle: u64) {
        self.try_write(offset, value, cycle)
            .expect("an accepted write");
    }

    fn run(&mut self) {
        while self.usart.due() < NEVER {
            let clocks = Sources {
                aclk: &self.clock,
                smclk: &self.clock,
                mclk: &self.clock,
            };
            self.usart.advance(
                self.usart.due(),
                self.wiring,
                &mut self.sfr,
                clocks,
                &mut self.echo,
            );
        }
    }

    fn read(&mut self, offset: u16) -> u8 {
        self.usart.read(offset, &mut self.sfr)
    }

    fn flags(&self) -> u8 {
        self.sfr.ifg[0] & 0xC0
    }
}

#[test]
fn an_octet_takes_8_ubr_cycles_and_both_flags_follow() {
    let mut rig = Rig::spi();
    assert_eq!((rig.flags(), rig.read(1) & TXEPT), (0x80, 1));
    rig.write(7, 0x5A, 10);
    assert_eq!(
        (rig.flags(), rig.read(1) & TXEPT),
        (0x80, 0),
        "the shifter takes it, TXBUF is free at once"
    );
    assert_eq!(rig.usart.due(), Ps((10 + 16) * PERIOD));
    rig.run();
    assert_eq!(rig.echo.octets, [(Ps(26 * PERIOD), 0x5A)]);
    assert_eq!((rig.flags(), rig.read(1) & TXEPT), (0xC0, 1));
    assert_eq!(rig.read(6), 0xA5);
    assert_eq!(rig.flags(), 0x80, "reading RXBUF clears URXIFG");
}

#[test]
fn octets_follow_without_a_gap_when_txbuf_waits() {
    let mut rig = Rig::spi();
    rig.write(7, 1, 0);
    rig.write(7, 2, 3);
    assert_eq!(rig.flags(), 0, "TXBUF is full");
    rig.run();
    assert_eq!(
        rig.echo.octets,
        [(Ps(16 * PERIOD), 1), (Ps(32 * PERIOD), 2)]
    );
    assert_eq!(rig.read(2) & OE, OE, "the first answer was never read");
    assert_eq!(rig.read(6), !2);
    assert_eq!(rig.read(2) & OE, 0);
}

#[test]
fn a_module_that_begins_late_keeps_its_octet_in_txbuf_until_then() {
    let mut rig = Rig::spi();
    rig.usart.start_cycles = 3;
    rig.write(7, 1, 10);
    assert_eq!((rig.flags(), rig.read(1) & TXEPT), (0, 0), "TXBUF is full");
    assert_eq!(rig.usart.due(), Ps(13 * PERIOD));
    rig.write(7, 2, 12);
    rig.run();
    assert_eq!(
        rig.echo.octets,
        [(Ps(29 * PERIOD), 2)],
        "the second replaced the first"
    );
    rig.write(7, 3, 40);
    let clocks = Sources {
        aclk: &rig.clock,
        smclk: &rig.clock,
        mclk: &rig.clock,
    };
    let due = rig.usart.due();
    rig.usart
        .advance(due, rig.wiring, &mut rig.sfr, clocks, &mut rig.echo);
    assert_eq!(rig.sfr.ifg[0] & 0x80, 0x80, "the shifter has taken it");
    rig.write(7, 4, 50);
    rig.run();
    let ends = rig.echo.octets[1..].to_vec();
    assert_eq!(
        ends,
        [(Ps(59 * PERIOD), 3), (Ps(75 * PERIOD), 4)],
        "only the first of a row is late"
    );
    rig.write(7, 5, 100);
    rig.write(0, CHAR | SYNC | MM | SWRST, 101);
    assert_eq!(rig.usart.due(), NEVER, "SWRST before it began");
}

#[test]
fn a_write_between_edges_starts_at_the_next_edge() {
    let mut rig = Rig::spi();
    let clocks = Sources {
        aclk: &rig.clock,
        smclk: &rig.clock,
        mclk: &rig.clock,
    };
    rig.usart
        .write(7, 1, Ps(10 * PERIOD + 1), &mut rig.sfr, clocks)
        .expect("TXBUF");
    assert_eq!(rig.usart.due(), Ps((11 + 16) * PERIOD));
}

#[test]
fn an_octet_freezes_while_its_clock_stands_still() {
    let mut rig = Rig::spi();
    rig.write(7, 1, 0);
    rig.clock = rig.clock.stopped(Ps(10 * PERIOD));
    let still = rig.clock;
    rig.usart.reschedule(Sources {
        aclk: &still,
        smclk: &still,
        mclk: &still,
    });
    assert_eq!(rig.usart.due(), NEVER);
    rig.clock = rig
        .clock
        .retuned(Ps(1_000 * PERIOD), Period::of_millihertz(4_000_000_000));
    let again = rig.clock;
    rig.usart.reschedule(Sources {
        aclk: &again,
        smclk: &again,
        mclk: &again,
    });
    assert_eq!(rig.usart.due(), Ps((1_000 + 6) * PERIOD));
}

#[test]
fn pins_that_are_not_selected_carry_nothing() {
    let mut rig = Rig::spi();
    let selected = |simo_and_clock, somi| Wiring {
        simo_and_clock,
        somi,
        utxd: false,
        urxd: false,
    };
    rig.wiring = selected(false, true);
    rig.write(7, 0, 0);
    rig.run();
    assert!(rig.echo.octets.is_empty());
    rig.wiring = selected(true, false);
    rig.write(7, 0x0F, 100);
    rig.run();
    assert_eq!((rig.echo.octets.len(), rig.read(6)), (1, 0xFF));
}

#[test]
fn a_module_in_reset_or_not_enabled_sends_nothing() {
    let mut rig = Rig::spi();
    rig.write(7, 1, 0);
    rig.write(0, CHAR | SYNC | MM | SWRST, 4);
    assert_eq!(
        (rig.usart.due(), rig.flags()),
        (NEVER, 0x80),
        "SWRST breaks the octet off"
    );
    rig.write(7, 1, 5);
    rig.write(0, CHAR | SYNC | MM, 6);
    rig.sfr.me[0] = 0;
    rig.write(7, 1, 7);
    rig.run();
    assert!(rig.echo.octets.is_empty());
}

#[test]
fn what_the_guide_forbids_is_noted_and_nobody_understands_it() {
    for (divider, mctl) in [(1, 0), (0, 0), (2, 0x55)] {
        let mut rig = Rig::new(CHAR | SYNC | MM, divider);
        rig.write(3, mctl, 0);
        rig.write(7, 0x5A, 0);
        rig.run();
        assert_eq!((rig.echo.octets.len(), rig.echo.misuse.len()), (0, 1));
        assert_eq!(rig.usart.read(6, &mut rig.sfr), 0xFF);
    }
    let mut uart = Rig::new(CHAR, 2);
    uart.write(7, 0x5A, 0);
    uart.run();
    assert_eq!((uart.echo.characters.len(), uart.echo.misuse.len()), (0, 1));
    assert!(uart.echo.misuse[0].starts_with("USART baud rate divider"));
}

#[test]
fn slaves_and_i2c_of_usart1_are_named() {
    let mut rig = Rig::spi();
    assert!(matches!(
        rig.try_write(0, SYNC, 0),
        Err(AccessError::NotModelled { .. })
    ));
    rig.write(0, SYNC | MM | SPB_OR_I2C, 0);
    assert!(rig.usart.in_i2c_mode());
    rig.usart = Usart::new(1, 0);
    assert!(matches!(
        rig.try_write(0, SYNC | MM | SPB_OR_I2C, 0),
        Err(AccessError::NotModelled { .. })
    ));
}

#[test]
fn a_uart_character_has_start_and_stop_bits_and_modulation() {
    let mut rig = Rig::new(CHAR, 34);
    rig.write(3, 0x09, 0);
    rig.write(7, b'w', 0);
    rig.run();
    let cycles = 10 * 34 + 3;
    assert_eq!(
        rig.echo.characters,
        [(Ps(cycles * PERIOD), b'w')],
        "UMCTL bits 0, 3 and, as bit 8, 0 again"
    );
    rig.usart.receive_uart(b'm', &mut rig.sfr);
    assert_eq!((rig.flags(), rig.read(6)), (0xC0, b'm'));
}

/// A UART that listens at 4 MHz / 34.
fn listener(ctl: u8) -> Rig {
    let mut rig = Rig::new(ctl, 34);
    rig.write(3, 0x09, 0);
    rig
}

fn receiver(rig: &Rig, begun: Ps) -> Option<UartReceiver> {
    let clocks = Sources {
        aclk: &rig.clock,
        smclk: &rig.clock,
        mclk: &rig.clock,
    };
    rig.usart.receiver(begun, rig.wiring, &rig.sfr, clocks)
}

#[test]
fn a_receiver_has_the_rate_of_divider_and_modulation() {
    let hz = 4_000_000 * 10 / (10 * 34 + 3);
    let expected = |plain| Some(UartReceiver { hz, plain });
    assert_eq!(receiver(&listener(CHAR), Ps::ZERO), expected(true));
    for other in [0, CHAR | PENA, CHAR | MM] {
        let found = receiver(&listener(other), Ps::ZERO).expect("it listens");
        assert!(!found.plain, "{other:#04x} is another form");
    }
    let two_stop_bits = receiver(&listener(CHAR | SPB_OR_I2C), Ps::ZERO).expect("it listens");
    assert!(two_stop_bits.plain, "only the first is looked at");
}

#[test]
fn a_receiver_that_is_off_hears_nothing() {
    for ctl in [CHAR | SWRST, CHAR | LISTEN, CHAR | SYNC | MM] {
        assert_eq!(receiver(&listener(ctl), Ps::ZERO), None, "{ctl:#04x}");
    }
    let mut rig = listener(CHAR);
    rig.sfr.me[0] = USART_TX[0].mask;
    assert_eq!(receiver(&rig, Ps::ZERO), None, "URXE");
    let mut rig = listener(CHAR);
    rig.wiring.urxd = false;
    assert_eq!(receiver(&rig, Ps::ZERO), None, "PxSEL");
    let mut rig = listener(CHAR);
    rig.write(1, 0, 0);
    assert_eq!(receiver(&rig, Ps::ZERO), None, "no clock at UCLK");
}

#[test]
fn a_clock_that_starts_in_the_middle_of_a_character_loses_it() {
    let mut rig = listener(CHAR);
    rig.clock = rig.clock.stopped(Ps(10 * PERIOD));
    assert_eq!(receiver(&rig, Ps::ZERO), None);
    let at = 1_000 * PERIOD;
    let period = Period::of_millihertz(4_000_000_000);
    rig.clock = rig.clock.retuned(Ps(at), period);
    let half = 17 * PERIOD;
    assert!(
        receiver(&rig, Ps(at - half)).is_some(),
        "half of the start bit is left"
    );
    assert_eq!(receiver(&rig, Ps(at - half - PERIOD)), None);
}

#[test]
fn a_character_that_was_not_read_is_overrun() {
    let mut rig = listener(CHAR);
    rig.usart.receive_uart(1, &mut rig.sfr);
    assert_eq!((rig.flags(), rig.read(2)), (0xC0, 0));
    rig.sfr.set_flag(USART_RX[0], false);
    rig.usart.receive_uart(2, &mut rig.sfr);
    assert_eq!(
        rig.read(2),
        OE | RXERR,
        "the handler took the flag, and read nothing"
    );
    assert_eq!((rig.read(6), rig.read(2), rig.flags()), (2, 0, 0x80));
    rig.usart.receive_uart(3, &mut rig.sfr);
    rig.write(0, CHAR | SWRST, 400);
    assert_eq!(rig.flags(), 0x80, "SWRST clears URXIFG");
}

/// URXSE and SMCLK.
const START_EDGE: u8 = 0x20 | URXSE;

/// A listener whose receiver's interrupt is enabled, with this UxTCTL.
fn waiting(tctl: u8) -> Rig {
    let mut rig = listener(CHAR);
    rig.sfr.ie[0] = USART_RX[0].mask;
    rig.write(1, tctl, 0);
    rig
}

#[test]
fn a_start_edge_asks_without_a_flag_until_urxse_is_toggled() {
    let mut rig = waiting(START_EDGE);
    rig.usart.start_edge(rig.wiring, &rig.sfr);
    assert_eq!((rig.usart.start_seen(), rig.flags()), (true, 0x80));
    rig.usart.served(&mut rig.sfr);
    assert!(rig.usart.start_seen(), "the handler has not toggled URXSE");
    rig.write(1, 0x20, 0);
    rig.write(1, START_EDGE, 0);
    assert!(!rig.usart.start_seen());
    rig.usart.start_edge(rig.wiring, &rig.sfr);
    rig.write(0, CHAR | SWRST, 0);
    assert!(!rig.usart.start_seen(), "SWRST");
}

#[test]
fn a_start_edge_is_seen_by_a_receiver_that_waits_for_it_alone() {
    let mut without_urxse = waiting(0x20);
    without_urxse
        .usart
        .start_edge(without_urxse.wiring, &without_urxse.sfr);
    let mut without_urxie = waiting(START_EDGE);
    without_urxie.sfr.ie[0] = 0;
    without_urxie
        .usart
        .start_edge(without_urxie.wiring, &without_urxie.sfr);
    let mut without_urxe = waiting(START_EDGE);
    without_urxe.sfr.me[0] = 0;
    without_urxe
        .usart
        .start_edge(without_urxe.wiring, &without_urxe.sfr);
    for rig in [without_urxse, without_urxie, without_urxe] {
        assert!(!rig.usart.start_seen());
    }
}

#[test]
fn with_urxse_the_flag_stays_until_the_character_is_read() {
    let mut rig = waiting(0x20);
    rig.usart.receive_uart(1, &mut rig.sfr);
    rig.usart.served(&mut rig.sfr);
    assert_eq!(rig.flags(), 0x80, "URXSE = 0: served");
    rig.read(6);
    rig.write(1, START_EDGE, 0);
    rig.usart.receive_uart(2, &mut rig.sfr);
    rig.usart.served(&mut rig.sfr);
    assert_eq!(rig.flags(), 0xC0, "the handler tells a character by it");
    assert_eq!((rig.read(6), rig.flags()), (2, 0x80));
}
