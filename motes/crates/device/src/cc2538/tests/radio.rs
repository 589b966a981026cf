//! RF core: strobes, transmission, registers.

use super::*;
use crate::radio::OCTET;

constants! { pub(super) u32:
    RF = 0x4008_8000,       FRMFILT0 = RF + 0x600,  FRMCTRL0 = RF + 0x624,  FRMCTRL1 = RF + 0x628,
    RXENABLE = RF + 0x62C,  FREQCTRL = RF + 0x63C,  TXPOWER = RF + 0x640,   FSMSTAT0 = RF + 0x648,
    FSMSTAT1 = RF + 0x64C,  FIFOPCTRL = RF + 0x650, CCACTRL0 = RF + 0x658,  RSSI = RF + 0x660,
    RSSISTAT = RF + 0x664,  RXFIFOCNT = RF + 0x66C, TXFIFOCNT = RF + 0x670, RFIRQM0 = RF + 0x68C,
    RFIRQM1 = RF + 0x690,   RFERRM = RF + 0x694,    RFDATA = RF + 0x828,    RFERRF = RF + 0x82C,
    RFIRQF1 = RF + 0x830,   RFIRQF0 = RF + 0x834,   RFST = RF + 0x838,
}

constants! { pub(super) u32:
    ISRXON = 0xE3,    ISTXON = 0xE9,    ISTXONCCA = 0xEA, ISFLUSHRX = 0xED, ISFLUSHTX = 0xEE,
    ISRFOFF = 0xEF,
}

/// FSMSTAT1.
pub(super) const FIFO: u32 = 0x80;
pub(super) const FIFOP: u32 = 0x40;
pub(super) const SFD: u32 = 0x20;
pub(super) const CCA: u32 = 0x10;
const LOCK: u32 = 0x04;
pub(super) const TX_ACTIVE: u32 = 0x02;
pub(super) const RX_ACTIVE: u32 = 0x01;

impl Bench {
    pub(super) fn strobe(&mut self, code: u32) {
        self.write(RFST, code);
    }

    /// Writes a frame: length octet, `psdu` without FCS (the length counts it).
    pub(super) fn load(&mut self, psdu: &[u8]) {
        self.write(RFDATA, psdu.len() as u32 + 2);
        for &octet in psdu {
            self.write(RFDATA, octet.into());
        }
    }

    pub(super) fn fsm(&mut self) -> u32 {
        self.read(FSMSTAT0) & 0x3F
    }

    pub(super) fn status(&mut self, bits: u32) -> u32 {
        self.read(FSMSTAT1) & bits
    }

    /// The octets on the air.
    pub(super) fn sent(&self) -> Vec<u8> {
        let octet = |event: &AirOut| match event {
            AirOut::Octet { octet, .. } => Some(*octet),
            _ => None,
        };
        self.air.iter().filter_map(octet).collect()
    }
}

#[test]
fn a_frame_goes_out_192_us_after_the_strobe() {
    let mut bench = Bench::running();
    bench.write(RFIRQM0, 0x02);
    bench.write(RFIRQM1, 0x02);
    bench.load(&[1, 2, 3]);
    assert_eq!(bench.read(TXFIFOCNT), 4);
    bench.strobe(ISTXON);
    let start = bench.now + us(192);
    let announced = AirOut::Start {
        at: start,
        channel: 11,
        power_dbm: 5,
    };
    assert_eq!(bench.air, [announced], "TXPOWER F5 from reset");
    assert!(bench.chip.on_air());
    assert_eq!(bench.status(TX_ACTIVE | LOCK | SFD), TX_ACTIVE);
    bench.run_to(start);
    assert_eq!((bench.fsm(), bench.status(LOCK)), (34, LOCK));
    bench.run_to(Ps((start + us(160)).0 - 1));
    assert!(bench.status(SFD) == 0 && !bench.irq(Irq::Rf));
    bench.run_to(start + us(160));
    assert!(bench.status(SFD) != 0 && bench.irq(Irq::Rf));
    bench.write(RFIRQF0, !0x02);
    assert!(!bench.irq(Irq::Rf));
    let end = start + us(160) + Ps(OCTET.0 * 6);
    bench.run_to(Ps(end.0 - 1));
    assert!(bench.chip.on_air() && bench.read(RFIRQF1) & 0x02 == 0);
    bench.run_to(end);
    assert!(!bench.chip.on_air() && bench.irq(Irq::Rf));
    assert_eq!(bench.read(RFIRQF1), 0x02, "TXDONE");
    assert_eq!(bench.sent(), [&[5][..], &with_fcs(&[1, 2, 3])].concat());
    assert_eq!(
        (bench.fsm(), bench.read(RXENABLE)),
        (2, 0x40),
        "STXON has set a bit of RXENABLE"
    );
    bench.wait(192);
    assert_eq!(bench.fsm(), 3);
}

#[test]
fn without_set_rxenmask_the_radio_is_idle_after_a_frame_and_the_frame_can_go_again() {
    let mut bench = Bench::running();
    bench.write(FRMCTRL1, 0);
    bench.load(&[9]);
    for round in 1..3 {
        bench.strobe(ISTXON);
        bench.wait(1_000);
        assert_eq!(
            (bench.fsm(), bench.read(RFIRQF1)),
            (0, 0x06),
            "TXDONE, RFIDLE"
        );
        assert_eq!(bench.sent().len(), 4 * round);
    }
    bench.load(&[7, 7]);
    assert_eq!(
        bench.read(TXFIFOCNT),
        3,
        "the first write after a transmission begins a new frame"
    );
    bench.strobe(ISTXON);
    bench.wait(1_000);
    assert_eq!(bench.sent()[8..11], [4, 7, 7]);
}

#[test]
fn an_incomplete_frame_underflows_until_a_flush() {
    let mut bench = Bench::running();
    bench.write(RFERRM, 0x20);
    bench.write(RFDATA, 20);
    bench.write(RFDATA, 1);
    bench.strobe(ISTXON);
    bench.wait(1_000);
    assert_eq!(
        (bench.fsm(), bench.read(RFERRF), bench.irq(Irq::RfError)),
        (56, 0x20, true)
    );
    assert_eq!(
        bench.air.last(),
        Some(&AirOut::End {
            at: bench.now - us(1_000 - 192 - 160 - 64)
        })
    );
    bench.strobe(ISTXON);
    assert_eq!(
        bench.read(RFERRF) & 0x40,
        0x40,
        "a strobe that can not be done"
    );
    bench.strobe(ISFLUSHTX);
    assert_eq!((bench.fsm(), bench.read(TXFIFOCNT)), (2, 0));
    bench.write(RFERRF, 0);
    assert!(!bench.irq(Irq::RfError));
}

#[test]
fn without_autocrc_the_fcs_comes_from_the_fifo() {
    let mut bench = Bench::running();
    bench.write(FRMCTRL0, 0);
    for octet in [3, 0xAA, 0x12, 0x34] {
        bench.write(RFDATA, octet);
    }
    bench.strobe(ISTXON);
    bench.wait(1_000);
    assert_eq!(bench.sent(), [3, 0xAA, 0x12, 0x34]);
}

#[test]
fn the_fifo_overflows_after_128_octets_and_is_memory_too() {
    let mut bench = Bench::running();
    for octet in 0..128 {
        bench.write(RFDATA, octet);
    }
    assert_eq!(bench.read(RFERRF), 0);
    bench.write(RFDATA, 0xFF);
    assert_eq!((bench.read(RFERRF), bench.read(TXFIFOCNT)), (0x10, 128));
    assert_eq!((bench.read(RF + 0x200), bench.read(RF + 0x3FC)), (0, 127));
    bench.write(RF + 0x204, 0x77);
    assert_eq!(bench.read(RF + 0x204), 0x77);
    bench.read(RFDATA);
    assert_eq!(bench.read(RFERRF), 0x18, "nothing to read");
}

#[test]
fn output_power_and_channel_are_taken_at_the_strobe() {
    let mut bench = Bench::running();
    bench.write(TXPOWER, 0xB6);
    bench.write(FREQCTRL, 11 + 5 * 9);
    bench.load(&[1]);
    bench.strobe(ISTXON);
    assert!(matches!(
        bench.air[0],
        AirOut::Start {
            channel: 20,
            power_dbm: 0,
            ..
        }
    ));
    assert_eq!(bench.chip.radio_state(), RadioState::Tx { power_dbm: 0 });
    assert_eq!(bench.chip.channel(), Some(20));
}

#[test]
fn strobes_that_abort_end_the_carrier() {
    for code in [ISRFOFF, ISRXON, ISTXON] {
        let mut bench = Bench::running();
        bench.load(&[1; 30]);
        bench.strobe(ISTXON);
        bench.wait(500);
        bench.strobe(code);
        let end = AirOut::End { at: bench.now };
        assert!(bench.air.contains(&end), "{code:x}");
        assert_eq!(bench.chip.on_air(), code == ISTXON);
    }
}

#[test]
fn switching_off_what_is_off_is_an_error_and_the_mask_tells() {
    let mut bench = Bench::running();
    bench.strobe(ISRFOFF);
    assert_eq!(bench.read(RFERRF), 0x40);
    bench.strobe(ISRXON);
    assert_eq!(
        (bench.read(RXENABLE), bench.status(RX_ACTIVE)),
        (0x80, RX_ACTIVE)
    );
    bench.strobe(ISRFOFF);
    assert_eq!(
        (bench.read(RXENABLE), bench.fsm(), bench.read(RFERRF)),
        (0, 0, 0x40)
    );
    assert_eq!(bench.read(RFIRQF0), 0x80, "RXMASKZERO");
    bench.write(RF + 0x630, 0x04);
    assert_eq!((bench.read(RXENABLE), bench.fsm()), (0x04, 2));
    bench.wait(192);
    bench.write(RF + 0x634, 0x04);
    assert_eq!(bench.fsm(), 0);
    bench.strobe(0xE4);
    assert_eq!(bench.read(RXENABLE), 0x20);
    bench.strobe(0xE5);
    assert_eq!((bench.read(RXENABLE), bench.fsm()), (0, 0));
}

#[test]
fn the_radio_needs_the_crystal_and_its_gate() {
    let mut bench = Bench::reset();
    bench.write(RCGCRFC, 1);
    let refused = Err(AccessError::Unpredictable {
        what: "the radio is switched on without the 32 MHz crystal",
    });
    assert_eq!(bench.try_write(RFST, ISRXON), refused);
    let mut bench = Bench::running();
    bench.strobe(ISRXON);
    bench.wait(300);
    bench.write(RCGCRFC + 4, 0);
    bench.chip.sleep(bench.now, false, &mut bench.mem);
    assert_eq!(
        bench.chip.radio_state(),
        RadioState::Off,
        "gated while the CPU sleeps"
    );
    let mut bench = Bench::running();
    bench.strobe(ISRXON);
    bench.wait(300);
    bench.chip.sleep(bench.now, false, &mut bench.mem);
    assert_eq!(bench.chip.radio_state(), RadioState::RxSearch);
}

#[test]
fn what_is_not_modelled_is_named() {
    let mut bench = Bench::running();
    for (addr, value) in [
        (RFST, 0x12),
        (RFST, 0xE1),
        (RF + 0x60C, 1),
        (RF + 0x618, 4),
        (FRMCTRL0, 0x42),
        (FRMCTRL0, 0x44),
        (FRMCTRL0, 0x50),
        (RF + 0x604, 0x7A),
        (RF + 0x654, 0x02),
    ] {
        assert!(
            matches!(
                bench.try_write(addr, value),
                Err(AccessError::NotModelled { .. })
            ),
            "{addr:x}"
        );
    }
    for value in [0x40, 0x48, 0x4C] {
        bench.write(FRMCTRL0, value);
    }
}

#[test]
fn the_mac_timer_captures_the_delimiter_and_interrupts() {
    let mut bench = Bench::running();
    bench.write(RF + 0x804, 0x01);
    let begin = bench.now;
    bench.load(&[1]);
    bench.strobe(ISTXON);
    bench.wait(1_000);
    bench.write(RF + 0x810, 0x11);
    let captured = bench.read(RF + 0x814) | bench.read(RF + 0x818) << 8;
    assert_eq!(u64::from(captured), (192 + 160) * 32);
    assert_eq!(bench.now - begin, us(1_000));
    bench.write(RF + 0x810, 0x03);
    bench.write(RF + 0x814, 0x00);
    bench.write(RF + 0x818, 0xF0);
    bench.write(RF + 0x80C, 0);
    bench.write(RF + 0x808, 0x02);
    bench.wait(920 - 1);
    assert!(!bench.irq(Irq::MacTimer));
    bench.wait(1);
    assert!(bench.irq(Irq::MacTimer), "0xF000 cycles are 1 920 us");
}
