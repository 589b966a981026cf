//! SPI protocol (SWRS041 13). The first octet of an access carries bit 7 RAM, bit 6 read, and the
//! address; with it the chip sends its status octet. Strobes and 16-bit registers follow each other
//! while CSn stays low; RAM and FIFO accesses last until CSn is high. Octets whose content the data
//! sheet leaves open are sent as 0.

use super::registers::{FSMSTATE, IOCFG0, IOCFG1, MAIN, MDMCTRL1, RSSI, RXFIFO, TXFIFO};
use super::{Cc2420, Misuse, RAM_OCTETS};
use crate::Ps;
use crate::radio::FIFO_OCTETS;

#[derive(Clone, Copy, Default)]
enum Access {
    /// The next octet is an address.
    #[default]
    Address,
    WriteHigh(u8),
    WriteLow(u8, u8),
    ReadHigh(u8),
    ReadLow(u8),
    /// Second address octet of a RAM access.
    RamBank(usize),
    Ram {
        at: usize,
        write: bool,
    },
    TxFifo,
    RxFifoRead,
    RxFifoWrite,
    /// Not a legal access; lasts until CSn is high.
    Nothing,
}

/// Where the chip is in an SPI access.
#[derive(Clone, Default)]
pub(super) struct Spi {
    selected: bool,
    access: Access,
    /// An octet was lost for want of supply: told once until the chip answers.
    unanswered: bool,
}

impl Spi {
    /// Ends the current access.
    pub(super) fn end(&mut self) {
        self.access = Access::Address;
    }
}

impl Cc2420 {
    /// Drives CSn. Both edges end the current access.
    pub fn set_csn(&mut self, now: Ps, level: bool) {
        self.advance(now);
        self.spi.selected = !level;
        self.spi.end();
    }

    /// One octet has been shifted both ways at `now`; returns what the chip sent. Without supply,
    /// in reset and while CSn is high it takes nothing and the line reads 0.
    pub fn spi_byte(&mut self, now: Ps, mosi: u8) -> u8 {
        self.advance(now);
        if !self.spi.selected {
            return 0;
        }
        if !self.power.core_on() {
            if !std::mem::replace(&mut self.spi.unanswered, true) {
                self.misused(now, Misuse::NoSupply);
            }
            return 0;
        }
        self.spi.unanswered = false;
        match self.spi.access {
            Access::Address => self.spi_address(now, mosi),
            Access::WriteHigh(addr) => {
                self.spi.access = Access::WriteLow(addr, mosi);
                0
            }
            Access::WriteLow(addr, high) => {
                self.spi.access = Access::Address;
                self.write_register(now, addr, u16::from_be_bytes([high, mosi]));
                0
            }
            Access::ReadHigh(addr) => {
                let [high, low] = self.read_register(addr).to_be_bytes();
                self.spi.access = Access::ReadLow(low);
                high
            }
            Access::ReadLow(low) => {
                self.spi.access = Access::Address;
                low
            }
            Access::RamBank(low) => {
                let at = usize::from(mosi >> 6) << 7 | low;
                self.spi.access = Access::Ram {
                    at,
                    write: mosi & 0x20 == 0,
                };
                0
            }
            Access::Ram { at, write } => {
                self.spi.access = Access::Ram {
                    at: (at + 1) & 0x1FF,
                    write,
                };
                self.ram_octet(now, at, write.then_some(mosi))
            }
            Access::TxFifo => {
                let status = self.status();
                self.write_txfifo(now, mosi);
                status
            }
            Access::RxFifoRead => self.read_rxfifo(now),
            Access::RxFifoWrite => {
                self.write_rxfifo(now, mosi);
                0
            }
            Access::Nothing => 0,
        }
    }

    fn spi_address(&mut self, now: Ps, mosi: u8) -> u8 {
        let status = self.status();
        let (addr, read) = (mosi & 0x3F, mosi & 0x40 != 0);
        self.spi.access = match addr {
            _ if mosi & 0x80 != 0 => Access::RamBank(usize::from(mosi & 0x7F)),
            0x00..=0x0F => {
                self.strobe(now, addr);
                Access::Address
            }
            TXFIFO if !read => Access::TxFifo,
            TXFIFO => Access::Nothing,
            RXFIFO if read => Access::RxFifoRead,
            RXFIFO => Access::RxFifoWrite,
            _ if read => Access::ReadHigh(addr),
            _ => Access::WriteHigh(addr),
        };
        status
    }

    fn read_register(&self, addr: u8) -> u16 {
        match addr {
            RSSI => {
                self.registers.get(RSSI) & 0xFF00 | u16::from(self.modem.receiver.rssi_register())
            }
            FSMSTATE => self.fsm_number(),
            super::registers::FSCTRL => self.registers.get(addr) | self.synthesizer_flags(),
            _ => self.registers.get(addr),
        }
    }

    /// CAL_DONE, CAL_RUNNING and LOCK_STATUS of FSCTRL.
    fn synthesizer_flags(&self) -> u16 {
        let on = self.modem.fsm.receives() || self.modem.fsm.transmits();
        let locked = self.status() & 0x04 != 0;
        u16::from(locked) << 13 | u16::from(on && !locked) << 12 | u16::from(locked) << 10
    }

    fn write_register(&mut self, now: Ps, addr: u8, value: u16) {
        if addr == MAIN {
            return self.write_main(now, value);
        }
        self.registers.set(addr, value);
        match addr {
            RSSI => self
                .modem
                .receiver
                .update_energy(self.registers.cca_limits()),
            MDMCTRL1 if self.registers.test_mode() => self.misused(now, Misuse::TestMode),
            IOCFG0 | IOCFG1
                if self.registers.sfd_mux() != 0 || !matches!(self.registers.cca_mux(), 0 | 24) =>
            {
                self.misused(now, Misuse::TestMode);
            }
            _ => {}
        }
    }

    /// Whether RAM and FIFOs work; notes the misuse if not.
    fn memory_on(&mut self, now: Ps) -> bool {
        let on = self.power.xosc_stable();
        if !on {
            self.misused(now, Misuse::NoOscillator);
        }
        on
    }

    /// Reads and, with `write`, replaces a RAM octet. Beyond the security bank there is nothing.
    fn ram_octet(&mut self, now: Ps, at: usize, write: Option<u8>) -> u8 {
        if !self.memory_on(now) || at >= RAM_OCTETS {
            return 0;
        }
        let old = self.ram[at];
        self.ram[at] = write.unwrap_or(old);
        old
    }

    fn write_txfifo(&mut self, now: Ps, octet: u8) {
        if !self.memory_on(now) {
            return;
        }
        match self.modem.tx.next_place() {
            Some(place) => self.ram[place] = octet,
            None => self.misused(now, Misuse::FifoFull),
        }
        self.security_poll(now);
    }

    /// The next octet of the RXFIFO; 0 if it is empty.
    fn read_rxfifo(&mut self, now: Ps) -> u8 {
        if !self.memory_on(now) {
            return 0;
        }
        self.modem
            .rxfifo
            .pop(&self.ram[FIFO_OCTETS..2 * FIFO_OCTETS])
            .unwrap_or(0)
    }

    fn write_rxfifo(&mut self, now: Ps, octet: u8) {
        if !self.memory_on(now) {
            return;
        }
        let protect = self.registers.rxfifo_protection();
        if !self
            .modem
            .rxfifo
            .write(&mut self.ram[FIFO_OCTETS..2 * FIFO_OCTETS], octet, protect)
        {
            self.misused(now, Misuse::FifoFull);
        }
        self.security_poll(now);
    }
}
