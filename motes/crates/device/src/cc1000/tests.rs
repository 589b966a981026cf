//! The radio through its wires.

use super::*;
use crate::air::{Signal, TxId};

/// A microcontroller's SPI: what it sends, and what it has received.
#[derive(Default)]
struct Line {
    on: bool,
    passed: u8,
    register: u8,
    octets: Vec<u8>,
    to_send: Vec<u8>,
}

impl DataLine for Line {
    fn slave(&self) -> Option<Slave> {
        self.on.then_some(Slave {
            missing: 8 - self.passed,
            outgoing: self.register,
            drives: true,
        })
    }

    fn clock(&mut self, incoming: bool) {
        self.register = self.register << 1 | u8::from(incoming);
        self.passed += 1;
        if self.passed == 8 {
            self.passed = 0;
            self.octets.push(self.register);
            self.register = self.to_send.pop().unwrap_or(self.register);
        }
    }
}

struct Bench {
    radio: Cc1000,
    line: Line,
    now: Ps,
}

const RX: u8 = TX_PD | RESET_N;
const TX: u8 = RXTX | F_REG | RX_PD | RESET_N;

impl Bench {
    fn new() -> Bench {
        let mut radio = Cc1000::new(Cc1000Config::default());
        radio.set_pale(true);
        radio.set_pclk(Ps::ZERO, true);
        Bench {
            radio,
            line: Line::default(),
            now: Ps::ZERO,
        }
    }

    fn bits(&mut self, value: u8) {
        for place in (0..8).rev() {
            self.radio.set_pdata(value >> place & 1 != 0);
            self.radio.set_pclk(self.now, false);
            self.radio.set_pclk(self.now, true);
        }
    }

    fn write(&mut self, address: u8, value: u8) {
        self.radio.set_pale(false);
        self.bits(address << 1 | 1);
        self.radio.set_pale(true);
        self.bits(value);
    }

    fn read(&mut self, address: u8) -> u8 {
        self.radio.set_pale(false);
        self.bits(address << 1);
        self.radio.set_pale(true);
        (0..8).fold(0, |value, _| {
            self.radio.set_pclk(self.now, false);
            let bit = self.radio.pdata().expect("it drives");
            self.radio.set_pclk(self.now, true);
            value << 1 | u8::from(bit)
        })
    }

    fn wait(&mut self, micros: u64) {
        self.now += Ps::from_micros(micros);
        self.radio.advance(self.now, &mut self.line);
    }

    /// At 433 MHz, its oscillator above the carrier; both registers calibrated.
    fn tuned() -> Bench {
        let mut b = Bench::new();
        b.write(MAIN, RX_PD | TX_PD | FS_PD | BIAS_PD | RESET_N);
        b.wait(2_000);
        let modem = [
            (registers::FRONT_END, 0x02),
            (registers::MODEM1, 0x6B),
            (registers::MODEM0, 0x55),
            (PA_POW, 0),
        ];
        for (address, value) in registers::tests::AT_433_MHZ.into_iter().chain(modem) {
            b.write(address, value);
        }
        for main in [RX, TX] {
            b.write(MAIN, main);
            b.write(CAL, CAL_START | 0x26);
            b.wait(34_000);
            b.write(CAL, 0x26);
        }
        b
    }

    fn sent(&mut self) -> Vec<AirOut> {
        let mut out = Vec::new();
        self.radio.take_air(&mut out);
        out
    }
}

#[test]
fn a_calibration_takes_its_time_and_is_read_back() {
    let mut b = Bench::new();
    b.write(MAIN, RX);
    b.write(CAL, CAL_START | 0x26);
    assert_eq!(
        b.radio.deadline(b.line.slave()),
        Some(Ps::from_micros(36_000))
    );
    b.wait(35_999);
    assert_eq!(b.read(CAL), CAL_START | 0x26);
    b.wait(1);
    assert_eq!(b.read(CAL), CAL_START | CAL_COMPLETE | 0x26);
    b.write(CAL, 0x26);
    assert_eq!(b.read(CAL), 0x26);
}

#[test]
fn without_calibration_or_crystal_nothing_locks() {
    let mut b = Bench::new();
    b.write(MAIN, TX);
    b.wait(10_000);
    assert_eq!((b.radio.on_air(), b.read(LOCK)), (false, 0));
    let mut b = Bench::tuned();
    b.write(MAIN, RX);
    b.wait(249);
    assert_eq!(b.read(LOCK), 0);
    b.wait(1);
    assert_eq!(b.read(LOCK), 3);
    b.write(FREQ_2A, 0x57);
    b.wait(1_000);
    assert_eq!(b.read(LOCK), 0, "another frequency");
}

#[test]
fn reset_gives_all_registers_but_main_their_values() {
    let mut b = Bench::tuned();
    b.write(MAIN, 0x3A);
    assert_eq!(
        (b.read(MAIN), b.read(PLL), b.read(FREQ_2A)),
        (0x3A, 0x10, 0x75)
    );
}

#[test]
fn a_carrier_begins_with_the_amplifier_and_octets_follow_the_clock() {
    let mut b = Bench::tuned();
    b.sent();
    b.line.on = true;
    b.line.register = 0xAA;
    b.line.to_send = vec![0xCC, 0x33];
    b.write(MAIN, TX);
    assert!(b.radio.on_air());
    b.wait(270);
    let begin = b.now;
    b.write(PA_POW, 0x0F);
    b.wait(8 * 52 * 4);
    let start = AirOut::Start {
        at: begin,
        channel: 433_001,
        power_dbm: 0,
    };
    let sent = b.sent();
    assert_eq!(sent[0], start);
    let octets: Vec<(Ps, u8)> = sent[1..]
        .iter()
        .filter_map(|event| match event {
            AirOut::Octet { at, octet } => Some((*at, *octet)),
            _ => None,
        })
        .collect();
    let values: Vec<u8> = octets.iter().map(|(_, octet)| *octet).collect();
    assert_eq!(
        values,
        [0xAA, 0x33, 0xCC, 0xCC],
        "the last one goes out again"
    );
    let apart: Vec<u64> = octets
        .windows(2)
        .map(|two| two[1].0.0 - two[0].0.0)
        .collect();
    assert_eq!(apart, [8 * 52_083_333; 3]);
    b.write(PA_POW, 0);
    assert_eq!(b.sent(), [AirOut::End { at: b.now }]);
}

#[test]
fn bits_come_at_the_senders_phase_and_turned_over() {
    let mut b = Bench::tuned();
    b.line.on = true;
    b.write(MAIN, RX);
    b.wait(300);
    let begin = b.now + Ps(17_000_000);
    let mut hear = |at, signal| {
        b.radio.hear(AirIn {
            at,
            tx: TxId(1),
            signal,
        });
    };
    let start = Signal::Start {
        channel: 433_001,
        rssi_dbm: -60,
        decodable: true,
    };
    hear(begin, start);
    let sent = [0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC, 0x12, 0x34, 0x56, 0];
    for (n, octet) in (1..).zip(sent) {
        hear(begin + Ps(n * 8 * medium::BIT.0), Signal::Octet(octet));
    }
    b.wait(10 * 417 + 60);
    let bits =
        |octets: &[u8]| -> String { octets.iter().map(|octet| format!("{octet:08b}")).collect() };
    let got: Vec<u8> = b.line.octets.iter().map(|octet| !octet).collect();
    let wanted = bits(&[0xAA, 0x33, 0xCC, 0x12, 0x34]);
    let place = bits(&got).find(&wanted);
    assert!(place.is_some(), "{} in {}", wanted, bits(&got));
}

#[test]
fn rssi_is_a_voltage_that_falls_with_the_level() {
    let mut b = Bench::tuned();
    assert_eq!(b.radio.rssi_microvolts(b.now), 0, "it transmits");
    b.write(MAIN, RX);
    b.wait(250);
    let quiet = b.radio.rssi_microvolts(b.now);
    assert!((1_087_000..1_089_000).contains(&quiet), "{quiet}");
    b.radio.hear(AirIn {
        at: b.now,
        tx: TxId(1),
        signal: Signal::Start {
            channel: 433_001,
            rssi_dbm: -60,
            decodable: false,
        },
    });
    let loud = b.radio.rssi_microvolts(b.now);
    assert!((210_000..211_000).contains(&loud), "{loud}");
}

#[test]
fn states_follow_main_and_pa_pow() {
    let mut b = Bench::tuned();
    for (main, state) in [
        (
            RX_PD | TX_PD | FS_PD | CORE_PD | BIAS_PD | RESET_N,
            "power_down",
        ),
        (RX_PD | TX_PD | FS_PD | BIAS_PD | RESET_N, "crystal"),
        (RX_PD | TX_PD | FS_PD | RESET_N, "bias"),
        (RX_PD | TX_PD | RESET_N, "synthesizer"),
        (RX, "rx"),
        (TX, "tx_00"),
    ] {
        b.write(MAIN, main);
        assert_eq!(b.radio.state(), state);
        assert!(states().any(|known| known == state));
    }
    b.write(PA_POW, 0xFF);
    assert_eq!(b.radio.state(), "tx_ff");
}

#[test]
fn a_rate_without_octets_is_misuse_and_energy() {
    let mut b = Bench::tuned();
    b.line.on = true;
    b.write(registers::MODEM0, 0x45);
    b.write(MAIN, RX);
    b.write(MAIN, TX);
    b.write(PA_POW, 0x0F);
    b.wait(10_000);
    assert_eq!(b.radio.take_misuse().len(), 2);
    assert!(matches!(b.sent()[..], [AirOut::Start { .. }]));
}

#[test]
fn no_sequence_of_wires_and_times_makes_it_panic() {
    let mut b = Bench::tuned();
    let mut state = 7_u64;
    for n in 0..100_000_u64 {
        let draw = crate::random::split_mix(&mut state);
        let (address, value) = ((draw >> 8) as u8 & 0x1F, draw as u8);
        match draw >> 60 {
            0 => b.write(address, value),
            1 => b.wait(draw >> 16 & 0xFFF),
            2 => b.line.on = value & 1 != 0,
            3 => b.radio.hear(AirIn {
                at: b.now,
                tx: TxId(n % 5),
                signal: match value & 3 {
                    0 => Signal::End,
                    1 => Signal::Octet(address),
                    _ => Signal::Start {
                        channel: 433_001,
                        rssi_dbm: value as i8,
                        decodable: true,
                    },
                },
            }),
            4 => b.write(MAIN, value | RESET_N),
            _ => {
                b.radio.set_pdata(value & 1 != 0);
                b.radio.set_pclk(b.now, value & 2 != 0);
                b.radio.set_pale(value & 0xC != 0);
            }
        }
        let due = b.radio.deadline(b.line.slave());
        assert!(due.is_none_or(|due| due > b.now || b.radio.next_bit <= Some(b.now)));
        let _ = (b.radio.rssi_microvolts(b.now), b.radio.state());
    }
}

#[test]
fn the_data_file_states_every_parameter() {
    let board = include_str!("../../../../../boards/mica2.toml");
    crate::parameter::check_stated::<Cc1000Config>(board);
}
