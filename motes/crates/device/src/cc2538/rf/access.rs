//! The RF core's address space: FIFO memories, FFSM, XREG, SFR. One octet per word.

use super::super::{AccessError, Written};
use super::registers as xreg;
use super::{RfCore, error};
use crate::Ps;
use crate::radio::{FIFO_OCTETS, Fsm};

// Offsets of the parts from 0x4008_8000.
constants! { u32:
    TX_RAM = 0x200,
    TABLE = 0x400,          FFSM_LAST = 0x5D4,      XREG = 0x600,           SFR = 0x800,
    MAC_TIMER_LAST = 0x824, RFDATA = 0x828,         RFERRF = 0x82C,         RFIRQF1 = 0x830,
    RFIRQF0 = 0x834,        RFST = 0x838,
}

/// SRCRESINDEX in the FFSM memory and what it reads when nothing matched.
const SRCRESINDEX: usize = 0x63;

impl RfCore {
    /// Reads the register at `offset` from 0x4008_8000.
    pub(in super::super) fn read(&mut self, offset: u32, now: Ps) -> Option<u32> {
        let place = (offset / 4) as usize;
        let value = match offset {
            0..TX_RAM => self.rx_ram[place % FIFO_OCTETS],
            TX_RAM..TABLE => self.tx_ram[place % FIFO_OCTETS],
            TABLE..=FFSM_LAST if place - 0x100 == SRCRESINDEX => 0x3F,
            TABLE..=FFSM_LAST => self.ffsm[place - 0x100],
            XREG..SFR => self.read_xreg(place - 0x180),
            SFR..=MAC_TIMER_LAST => return self.mac_timer.read(offset - SFR, now),
            RFDATA => self.read_data(),
            RFERRF => self.errf,
            RFIRQF1 => self.irqf1,
            RFIRQF0 => self.irqf0,
            RFST => self.last_strobe,
            _ => return None,
        };
        Some(value.into())
    }

    /// RFDATA: the next octet of the RXFIFO.
    fn read_data(&mut self) -> u8 {
        let octet = self.modem.rxfifo.pop(&self.rx_ram);
        if octet.is_none() {
            self.errf |= error::RXUNDERF;
        }
        self.update_fifop();
        octet.unwrap_or(0)
    }

    fn read_xreg(&mut self, number: usize) -> u8 {
        let (first, arrived) = self.modem.rxfifo.first_frame();
        let count = self.modem.rxfifo.count();
        let next = self.modem.rxfifo.next_place();
        let place = |place: usize| (place % FIFO_OCTETS) as u8;
        match number {
            xreg::FSMSTAT0 => self.status0(),
            xreg::FSMSTAT1 => self.status1(),
            xreg::RSSI => self.modem.receiver.rssi_register(),
            xreg::RSSISTAT => self.modem.receiver.rssi_valid().into(),
            xreg::RXFIRST if count > 0 => self.rx_ram[next],
            xreg::RXFIFOCNT => count as u8,
            xreg::TXFIFOCNT => self.modem.tx.written() as u8,
            xreg::RXFIRST_PTR => place(next),
            xreg::RXLAST_PTR => place(next + count),
            xreg::RXP1_PTR => place(if arrived > 0 { first } else { next }),
            xreg::TXFIRST_PTR => place(self.modem.tx.taken()),
            xreg::TXLAST_PTR => place(self.modem.tx.written()),
            xreg::RFRND if self.modem.fsm.receives() => self.modem.receiver.noise() >> 1 & 3,
            xreg::RXFIRST | xreg::RFRND | xreg::RXMASKSET | xreg::RXMASKCLR => 0,
            _ => self.registers.get(number),
        }
    }

    /// FSMSTAT0: CAL_DONE, CAL_RUNNING, state.
    fn status0(&self) -> u8 {
        let calibrates = self.calibrates();
        let done = self.modem.fsm != Fsm::Idle && !calibrates;
        u8::from(done) << 7 | u8::from(calibrates) << 6 | self.fsm_number()
    }

    /// FSM_FFCTRL_STATE of FSMSTAT0.
    fn fsm_number(&self) -> u8 {
        match self.modem.fsm {
            Fsm::PowerDown | Fsm::Idle => 0,
            Fsm::RxCalibrate => 2,
            Fsm::RxSearch => 3,
            Fsm::RxFrame => 7,
            Fsm::RxWait => 14,
            Fsm::RxOverflow => 17,
            Fsm::TxCalibrate => 32,
            Fsm::TxPreamble => 34,
            Fsm::TxFrame => 37,
            Fsm::TxCalibrated => 38,
            Fsm::AckCalibrate => 48,
            Fsm::AckPreamble => 49,
            Fsm::AckFrame => 52,
            Fsm::TxUnderflow => 56,
        }
    }

    fn calibrates(&self) -> bool {
        matches!(
            self.modem.fsm,
            Fsm::RxCalibrate | Fsm::TxCalibrate | Fsm::AckCalibrate
        ) || self.modem.fsm == Fsm::TxCalibrated && self.modem.fsm_due.is_some()
    }

    /// FSMSTAT1: FIFO, FIFOP, SFD, CCA, SAMPLED_CCA, LOCK_STATUS, TX_ACTIVE, RX_ACTIVE.
    fn status1(&self) -> u8 {
        let overflow = self.modem.fsm == Fsm::RxOverflow;
        let lock = self.modem.fsm != Fsm::Idle && !self.calibrates();
        u8::from(!overflow && self.modem.rxfifo.count() > 0) << 7
            | u8::from(self.fifop) << 6
            | u8::from(self.modem.rx_sfd || self.modem.tx.sfd) << 5
            | u8::from(self.channel_clear()) << 4
            | u8::from(self.sampled_cca) << 3
            | u8::from(lock) << 2
            | u8::from(self.modem.fsm.transmits()) << 1
            | u8::from(self.modem.fsm.receives())
    }

    /// Writes the register at `offset` from 0x4008_8000; `None`: there is none.
    pub(in super::super) fn write(&mut self, offset: u32, value: u32, now: Ps) -> Written {
        let place = (offset / 4) as usize;
        let octet = value as u8;
        match offset {
            0..TX_RAM => self.rx_ram[place % FIFO_OCTETS] = octet,
            TX_RAM..TABLE => self.tx_ram[place % FIFO_OCTETS] = octet,
            TABLE..=FFSM_LAST => self.ffsm[place - 0x100] = octet,
            XREG..SFR => return Some(self.write_xreg(place - 0x180, octet, now)),
            SFR..=MAC_TIMER_LAST => {
                return self
                    .mac_timer
                    .write(offset - SFR, value, now)
                    .then_some(Ok(()));
            }
            RFDATA => match self.modem.tx.next_place() {
                Some(place) => self.tx_ram[place] = octet,
                None => self.errf |= error::TXOVERF,
            },
            RFERRF => self.errf &= octet,
            RFIRQF1 => self.irqf1 &= octet,
            RFIRQF0 => self.irqf0 &= octet,
            RFST => return Some(self.strobe(now, octet)),
            _ => return None,
        }
        Some(Ok(()))
    }

    fn write_xreg(&mut self, number: usize, value: u8, now: Ps) -> Result<(), AccessError> {
        let refuse = |name| Err(AccessError::NotModelled { name });
        match number {
            xreg::FRMFILT1 if value & 0x06 != 0 => {
                return refuse("changing the frame type before filtering (FRMFILT1)");
            }
            xreg::SRCSHORTEN0..=xreg::SRCEXTEN2 if value != 0 => {
                return refuse("source address matching");
            }
            xreg::FRMCTRL0 if value & 0x10 != 0 => return refuse("energy scan (FRMCTRL0)"),
            xreg::FRMCTRL0 if value & 0x03 != 0 || value >> 2 & 3 == 1 => {
                return refuse("test modes of the radio (FRMCTRL0)");
            }
            xreg::FSMCTRL if value & 0x02 != 0 => {
                return refuse("slotted acknowledgements (FSMCTRL)");
            }
            xreg::RXENABLE => self.set_rx_mask(now, value),
            xreg::RXMASKSET => self.set_rx_mask(now, self.registers.get(xreg::RXENABLE) | value),
            xreg::RXMASKCLR => self.set_rx_mask(now, self.registers.get(xreg::RXENABLE) & !value),
            xreg::FSMSTAT0 | xreg::FSMSTAT1 | xreg::RSSI..=xreg::TXLAST_PTR | xreg::RFRND => {}
            _ => self.registers.set(number, value),
        }
        match number {
            xreg::CCACTRL0 | xreg::CCACTRL1 => self
                .modem
                .receiver
                .update_energy(self.registers.cca_limits()),
            xreg::FIFOPCTRL => self.update_fifop(),
            _ => {}
        }
        Ok(())
    }
}
