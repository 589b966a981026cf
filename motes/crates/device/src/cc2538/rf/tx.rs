//! Transmission of the TXFIFO or of an acknowledgement, and what follows it.

use super::{RfCore, SYNCWORD, error, irq1};
use crate::Ps;
use crate::radio::{Announcement, Header, Step};

impl RfCore {
    /// Announces a transmission of the TXFIFO or of `ack` and begins its calibration.
    pub(super) fn start_tx(&mut self, now: Ps, ack: Option<[u8; 4]>) {
        let begin = Announcement {
            turnaround: match ack {
                Some(_) => self.timing.ack_turnaround,
                None => self.timing.tx_turnaround,
            },
            channel: self.registers.channel(),
            power_dbm: self.registers.power_dbm(),
            ack,
        };
        self.modem.begin_transmission(now, begin);
    }

    /// A part of the transmission is over.
    pub(super) fn tx_event(&mut self, at: Ps) {
        let header = Header {
            preamble_octets: self.registers.preamble_octets(),
            syncword: SYNCWORD,
        };
        match self.modem.next_step(at, &header) {
            Step::Header => {}
            Step::FirstOctet => {
                self.sfd_event(at);
                self.send_octet(at);
            }
            Step::Octet => self.send_octet(at),
            Step::Over => self.end_tx(at),
        }
    }

    /// Begins the next octet of the frame, or fails for want of it.
    fn send_octet(&mut self, at: Ps) {
        let ignores_underflow = self.registers.ignores_underflow();
        let autocrc = self.registers.autocrc();
        let there = self.modem.send_octet(at, autocrc, |index, tx| {
            let there = index < tx.written() || ignores_underflow;
            self.tx_ram.get(index).copied().filter(|_| there)
        });
        if !there {
            self.modem.underflow(at);
            self.errf |= error::TXUNDERF;
        }
    }

    fn end_tx(&mut self, at: Ps) {
        self.irqf1 |= if self.modem.end_transmission(at) {
            irq1::TXACKDONE
        } else {
            irq1::TXDONE
        };
        self.receive_or_idle(at, self.timing.tx_to_rx);
    }
}
