//! Tests through the chip's pins: SPI, strobes, the air.

mod receive;
mod security;
mod spi;
mod transmit;

use super::*;
use crate::air::{Signal, TxId};
use crate::radio::fcs;

/// SPI octet time of the tests: 4 MHz.
const SPI: Ps = Ps::from_micros(2);

constants! { pub(super) u8:
    SRXON = 0x03,    STXON = 0x04,    STXONCCA = 0x05, SRFOFF = 0x06,   SFLUSHRX = 0x08,
    SFLUSHTX = 0x09, SACK = 0x0A,     SACKPEND = 0x0B, SRXDEC = 0x0C,   STXENC = 0x0D,
    SAES = 0x0E,
}

/// A radio, the time, and the hand of a board.
pub(super) struct Bench {
    pub(super) radio: Cc2420,
    pub(super) now: Ps,
    pub(super) air: Vec<AirOut>,
}

impl Bench {
    /// No supply.
    pub(super) fn off() -> Bench {
        Bench::with(Cc2420Config::default())
    }

    /// No supply, other parameters.
    pub(super) fn with(config: Cc2420Config) -> Bench {
        Bench {
            radio: Cc2420::new(config),
            now: Ps::ZERO,
            air: Vec::new(),
        }
    }

    /// Supply and crystal on, state IDLE.
    pub(super) fn idle() -> Bench {
        let mut bench = Bench::off();
        bench.start();
        bench
    }

    /// Turns supply and crystal on.
    pub(super) fn start(&mut self) {
        self.radio.set_vreg_en(self.now, true);
        self.wait(600);
        self.strobe(0x01);
        self.wait(1_000);
    }

    /// Receiving, without address recognition; searches for a delimiter and RSSI is valid.
    pub(super) fn listening() -> Bench {
        let mut bench = Bench::idle();
        bench.write(registers::MDMCTRL0, 0x02E2);
        bench.strobe(SRXON);
        bench.wait(320);
        bench
    }

    pub(super) fn wait(&mut self, micros: u64) {
        self.run_to(self.now + Ps::from_micros(micros));
    }

    pub(super) fn run_to(&mut self, at: Ps) {
        self.now = at;
        self.radio.advance(at);
        self.radio.take_air(&mut self.air);
    }

    /// One access: CSn low, octets, CSn high.
    pub(super) fn spi(&mut self, octets: &[u8]) -> Vec<u8> {
        self.radio.set_csn(self.now, false);
        let answer = octets.iter().map(|&octet| {
            self.now += SPI;
            self.radio.spi_byte(self.now, octet)
        });
        let answer = answer.collect();
        self.radio.set_csn(self.now, true);
        self.radio.take_air(&mut self.air);
        answer
    }

    pub(super) fn strobe(&mut self, code: u8) -> u8 {
        self.spi(&[code])[0]
    }

    pub(super) fn status(&mut self) -> u8 {
        self.strobe(0x00)
    }

    pub(super) fn write(&mut self, addr: u8, value: u16) {
        let [high, low] = value.to_be_bytes();
        self.spi(&[addr, high, low]);
    }

    pub(super) fn read(&mut self, addr: u8) -> u16 {
        let answer = self.spi(&[addr | 0x40, 0, 0]);
        u16::from_be_bytes([answer[1], answer[2]])
    }

    pub(super) fn write_ram(&mut self, at: u16, octets: &[u8]) -> Vec<u8> {
        let mut access = vec![0x80 | (at & 0x7F) as u8, (at >> 7 << 6) as u8];
        access.extend_from_slice(octets);
        self.spi(&access)[2..].to_vec()
    }

    pub(super) fn read_ram(&mut self, at: u16, count: usize) -> Vec<u8> {
        let mut access = vec![0x80 | (at & 0x7F) as u8, (at >> 7 << 6) as u8 | 0x20];
        access.resize(2 + count, 0);
        self.spi(&access)[2..].to_vec()
    }

    /// Writes a frame: length octet, `psdu` without FCS (the length counts it).
    pub(super) fn load(&mut self, psdu: &[u8]) {
        let mut access = vec![registers::TXFIFO, psdu.len() as u8 + 2];
        access.extend_from_slice(psdu);
        self.spi(&access);
    }

    pub(super) fn read_rxfifo(&mut self, count: usize) -> Vec<u8> {
        let mut access = vec![registers::RXFIFO | 0x40];
        access.resize(1 + count, 0);
        self.spi(&access)[1..].to_vec()
    }

    pub(super) fn fsm(&mut self) -> u16 {
        self.read(registers::FSMSTATE)
    }

    /// Hears the frame with this PSDU (FCS included) from `start` on.
    pub(super) fn hear_frame(&mut self, tx: u64, start: Ps, rssi_dbm: i8, psdu: &[u8]) {
        let mut signals = vec![(
            start,
            Signal::Start {
                channel: 11,
                rssi_dbm,
                decodable: true,
            },
        )];
        let mut at = start + Ps::from_micros(160);
        signals.push((at, Signal::Sync { syncword: 0xA70F }));
        for &octet in [psdu.len() as u8].iter().chain(psdu) {
            at += OCTET;
            signals.push((at, Signal::Octet(octet)));
        }
        signals.push((at, Signal::End));
        for (at, signal) in signals {
            self.radio.hear(AirIn {
                at,
                tx: TxId(tx),
                signal,
            });
        }
    }
}

/// The frame with its FCS.
pub(super) fn with_fcs(frame: &[u8]) -> Vec<u8> {
    let fcs = frame.iter().fold(0, |fcs, &octet| fcs::update(fcs, octet));
    [frame, &fcs.to_le_bytes()].concat()
}

/// Octets of a hexadecimal string; blanks do not count.
pub(super) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let value = |digit: u8| (digit as char).to_digit(16).expect("digit") as u8;
    digits
        .chunks(2)
        .map(|pair| value(pair[0]) << 4 | value(pair[1]))
        .collect()
}
