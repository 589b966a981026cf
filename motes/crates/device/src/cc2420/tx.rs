//! Transmission of the TXFIFO or of an acknowledgement, and back to reception.

use super::registers::SYNCWORD;
use super::{Cc2420, power};
use crate::Ps;
use crate::radio::{Announcement, Header, Step};

impl Cc2420 {
    /// Announces a transmission of the TXFIFO or of `ack` and begins its calibration.
    pub(super) fn start_tx(&mut self, now: Ps, ack: Option<[u8; 4]>) {
        let turnaround = match ack {
            Some(_) => self.config.ack_turnaround,
            None if self.registers.tx_turnaround_long() => self.config.tx_turnaround,
            None => self.config.tx_turnaround_short,
        };
        let begin = Announcement {
            turnaround,
            channel: self.registers.channel(),
            power_dbm: power::TX_STATES[usize::from(self.registers.pa_level() / 4)].1,
            ack,
        };
        self.modem.begin_transmission(now, begin);
    }

    /// A part of the transmission is over.
    pub(super) fn tx_event(&mut self, at: Ps) {
        let header = Header {
            preamble_octets: self.registers.preamble_octets(),
            syncword: self.registers.get(SYNCWORD),
        };
        match self.modem.next_step(at, &header) {
            Step::Header => {}
            Step::FirstOctet | Step::Octet => self.send_octet(at),
            Step::Over => {
                self.modem.end_transmission(at);
                self.calibrate_rx(at, self.config.tx_to_rx);
            }
        }
    }

    /// Begins the next octet of the frame. It fails if the octet is not written yet, or if the
    /// security engine has not finished it.
    fn send_octet(&mut self, at: Ps) {
        let ready = self.security.tx_ready();
        let there = self
            .modem
            .send_octet(at, self.registers.autocrc(), |index, tx| {
                Some(self.ram[index]).filter(|_| index < tx.written().min(ready))
            });
        if !there {
            self.modem.underflow(at);
            self.tx_underflow = true;
        }
    }
}
