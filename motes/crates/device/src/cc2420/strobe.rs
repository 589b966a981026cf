//! Command strobes and the radio control state machine (SWRS041 20, figure 25).

use super::registers::{MAIN, MAIN_RESETN};
use super::{Cc2420, Misuse};
use crate::Ps;
use crate::radio::{Fsm, Radio};

impl Cc2420 {
    /// Does command strobe `code`, 0x00..=0x0F. SNOP and the oscillator's own strobes need no
    /// oscillator.
    pub(super) fn strobe(&mut self, now: Ps, code: u8) {
        let always = matches!(code, 0x00 | 0x01 | 0x07);
        if !always && !self.power.xosc_stable() {
            return self.misused(now, Misuse::NoOscillator);
        }
        if self.registers.get(MAIN) & MAIN_RESETN == 0 {
            return;
        }
        match code {
            0x01 => self.start_oscillator(now),
            0x02 => self.calibrate_for_tx(now),
            0x03 => self.receiver_on(now),
            0x04 => self.transmit(now),
            0x05 if self.modem.fsm.receives() && self.channel_clear() => self.transmit(now),
            0x06 => {
                self.abort(now);
                self.modem.fsm = Fsm::Idle;
            }
            0x07 => self.stop_oscillator(now),
            0x08 => self.flush_rx(now),
            0x09 => self.flush_tx(now),
            0x0A => self.acknowledge(now, false),
            0x0B => self.acknowledge(now, true),
            0x0C => self.strobe_srxdec(now),
            0x0D => self.strobe_stxenc(now),
            0x0E => self.strobe_saes(now),
            _ => {}
        }
    }

    /// Something the state machine was waiting for is over.
    pub(super) fn fsm_event(&mut self, at: Ps) {
        self.modem.fsm_due = None;
        match self.modem.fsm {
            Fsm::RxCalibrate => self.modem.search(at, true),
            Fsm::RxFrame | Fsm::RxWait => self.noise_octet(at),
            fsm if fsm.transmits() => self.tx_event(at),
            _ => {}
        }
    }

    /// STXCAL: the synthesizer runs and locks, nothing is sent.
    fn calibrate_for_tx(&mut self, now: Ps) {
        if self.modem.fsm.transmits() || self.modem.fsm == Fsm::TxUnderflow {
            return self.misused(now, Misuse::StrobeIgnored);
        }
        self.abort(now);
        self.modem.calibrate_tx(now, self.config.rx_calibrate);
    }

    /// SRXON, also to calibrate again after a change of channel.
    fn receiver_on(&mut self, now: Ps) {
        if self.modem.fsm.transmits() || self.modem.fsm == Fsm::TxUnderflow {
            return self.misused(now, Misuse::StrobeIgnored);
        }
        self.abort(now);
        self.calibrate_rx(now, self.config.rx_calibrate);
    }

    /// RX_CALIBRATE for `span`.
    pub(super) fn calibrate_rx(&mut self, now: Ps, span: Ps) {
        self.modem.calibrate_rx(now, self.registers.channel(), span);
    }

    /// STXON.
    fn transmit(&mut self, now: Ps) {
        if self.modem.fsm.transmits() || matches!(self.modem.fsm, Fsm::TxUnderflow | Fsm::PowerDown)
        {
            return self.misused(now, Misuse::StrobeIgnored);
        }
        self.abort_rx();
        self.start_tx(now, None);
        self.secure_transmission(now);
    }

    fn flush_rx(&mut self, now: Ps) {
        self.modem.rxfifo.flush();
        self.security.cancel_inline(true);
        if self.modem.holds_frame() {
            self.modem.search(now, false);
        } else {
            self.modem.rx_sfd = false;
        }
    }

    fn flush_tx(&mut self, now: Ps) {
        self.modem.tx.flush();
        self.tx_underflow = false;
        self.security.cancel_inline(false);
        if self.modem.fsm == Fsm::TxUnderflow {
            self.calibrate_rx(now, self.config.tx_to_rx);
        }
    }
}
