//! Command strobes (RFST) and the state machine's own steps.

use super::super::AccessError;
use super::registers::RXENABLE;
use super::{RfCore, error, irq0, irq1};
use crate::Ps;
use crate::radio::{Fsm, Radio};

impl RfCore {
    /// A write to RFST: immediate strobes 0xE0 to 0xEF, and 0xFF, which empties the program memory.
    pub(super) fn strobe(&mut self, now: Ps, code: u8) -> Result<(), AccessError> {
        self.last_strobe = code;
        let starts = matches!(code, 0xE3 | 0xE9 | 0xEA | 0xEC);
        if starts && !self.clocked {
            return Err(AccessError::Unpredictable {
                what: "the radio is switched on without the 32 MHz crystal",
            });
        }
        match code {
            0xE2 | 0xFF => {}
            0xE3 => self.receiver_on(now),
            0xE4 => self.set_rx_mask(now, self.registers.get(RXENABLE) | 1 << 5),
            0xE5 => self.set_rx_mask(now, self.registers.get(RXENABLE) & !(1 << 5)),
            0xE6 => self.acknowledge(Some(false)),
            0xE7 => self.acknowledge(Some(true)),
            0xE8 => self.acknowledge(None),
            0xE9 => self.transmit(now),
            0xEA => {
                self.sampled_cca = self.channel_clear();
                if self.sampled_cca {
                    self.transmit(now);
                }
            }
            0xEB => self.sampled_cca = self.channel_clear(),
            0xEC => self.calibrate_for_tx(now),
            0xED => self.flush_rx(now),
            0xEE => self.flush_tx(now),
            0xEF => self.radio_off(now),
            _ => {
                return Err(AccessError::NotModelled {
                    name: "programs of the command strobe processor (RFST)",
                });
            }
        }
        self.update_fifop();
        Ok(())
    }

    /// Something the state machine was waiting for is over.
    pub(super) fn fsm_event(&mut self, at: Ps) {
        self.modem.fsm_due = None;
        match self.modem.fsm {
            Fsm::RxCalibrate => self.modem.search(at, true),
            Fsm::RxFrame => self.noise_octet(at),
            Fsm::RxWait if self.modem.receiver.receiving() => self.noise_octet(at),
            Fsm::RxWait => self.modem.search(at, false),
            fsm if fsm.transmits() => self.tx_event(at),
            _ => {}
        }
    }

    /// SRXON: forces a calibration in every state.
    fn receiver_on(&mut self, now: Ps) {
        self.registers
            .set(RXENABLE, self.registers.get(RXENABLE) | 1 << 7);
        self.abort(now);
        self.calibrate_rx(now, self.timing.rx_calibrate);
    }

    /// RX calibration for `span`.
    fn calibrate_rx(&mut self, now: Ps, span: Ps) {
        self.modem.calibrate_rx(now, self.registers.channel(), span);
    }

    /// After a transmission, or a frame that needs no answer: receives on if RXENABLE says so.
    pub(super) fn receive_or_idle(&mut self, now: Ps, span: Ps) {
        if self.registers.get(RXENABLE) == 0 {
            self.go_idle();
        } else {
            self.calibrate_rx(now, span);
        }
    }

    fn go_idle(&mut self) {
        self.modem.fsm = Fsm::Idle;
        self.modem.fsm_due = None;
        self.irqf1 |= irq1::RFIDLE;
    }

    /// RXENABLE is written or masked. This starts the receiver from idle and ends a search, and
    /// does not disturb a frame under way.
    pub(super) fn set_rx_mask(&mut self, now: Ps, mask: u8) {
        let before = self.registers.get(RXENABLE);
        self.registers.set(RXENABLE, mask);
        if before != 0 && mask == 0 {
            self.irqf0 |= irq0::RXMASKZERO;
            if matches!(self.modem.fsm, Fsm::RxCalibrate | Fsm::RxSearch) || self.pausing() {
                self.abort(now);
                self.go_idle();
            }
        } else if mask != 0 && self.modem.fsm == Fsm::Idle && self.clocked {
            self.calibrate_rx(now, self.timing.rx_calibrate);
        }
    }

    /// STXON.
    fn transmit(&mut self, now: Ps) {
        if self.modem.fsm == Fsm::TxUnderflow {
            self.errf |= error::STROBEERR;
            return;
        }
        if self.registers.rx_after_tx() {
            self.registers
                .set(RXENABLE, self.registers.get(RXENABLE) | 1 << 6);
        }
        self.abort(now);
        self.start_tx(now, None);
    }

    /// STXCAL: the synthesizer runs and locks, nothing is sent.
    fn calibrate_for_tx(&mut self, now: Ps) {
        self.abort(now);
        self.modem.calibrate_tx(now, self.timing.rx_calibrate);
    }

    /// SRFOFF: off at once. To switch off what is off is an error.
    fn radio_off(&mut self, now: Ps) {
        if self.modem.fsm == Fsm::Idle {
            self.errf |= error::STROBEERR;
        } else {
            self.abort(now);
            self.go_idle();
        }
        if self.registers.get(RXENABLE) != 0 {
            self.irqf0 |= irq0::RXMASKZERO;
            self.registers.set(RXENABLE, 0);
        }
    }

    /// SFLUSHRX: the RXFIFO is empty, the demodulator starts anew.
    fn flush_rx(&mut self, now: Ps) {
        self.modem.rxfifo.flush();
        self.modem.rx_sfd = false;
        if self.modem.holds_frame() {
            self.modem.search(now, false);
        }
    }

    fn flush_tx(&mut self, now: Ps) {
        self.modem.tx.flush();
        if self.modem.fsm == Fsm::TxUnderflow {
            self.receive_or_idle(now, self.timing.tx_to_rx);
        }
    }
}
