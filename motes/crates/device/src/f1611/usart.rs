//! USART0 and USART1: SPI master and UART, octet by octet (SLAU049, "USART Peripheral Interface",
//! UART and SPI modes). An SPI octet begins with the first edge of the source clock at or after the
//! moment the shifter is loaded, takes 8·UBR source periods, and the next one, if TXBUF holds it,
//! follows without a gap. An idle module may begin some cycles late; the octet stays in TXBUF until
//! then.
//!
//! What a line brings comes as a start edge and a whole character. Not modelled: wake-up by address
//! (URXWIE), which takes characters like any other.

use super::basic_clock::Sources;
use super::clock::{Clock, NEVER};
use super::sfr::{Sfr, USART_RX, USART_TX};
use super::{AccessError, External};
use crate::{Ps, UartReceiver};

constants! { u8:
    PENA = 0x80,       SPB_OR_I2C = 0x20, CHAR = 0x10,       LISTEN = 0x08,     SYNC = 0x04,
    MM = 0x02,         SWRST = 0x01,      TXEPT = 0x01,      OE = 0x20,
    URXSE = 0x08,
    RXERR = 0x01,
}
/// FE PE OE BRK RXERR: cleared when RXBUF is read.
const RECEIVE_STATUS: u8 = 0xF1;

/// Which of a USART's pins are given to it by PxSEL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    /// SIMO and UCLK both: an SPI device sees the octet.
    pub simo_and_clock: bool,
    /// SOMI: the answer is seen.
    pub somi: bool,
    /// UTXD.
    pub utxd: bool,
    /// URXD.
    pub urxd: bool,
}

#[derive(Clone, Copy, Debug)]
struct Shift {
    octet: u8,
    /// Source clock edge at which the last bit ends.
    end: u64,
    /// Why nobody understands it.
    wrong: Option<&'static str>,
}

/// One USART.
#[derive(Clone, Debug)]
pub struct Usart {
    index: u8,
    ctl: u8,
    tctl: u8,
    rctl: u8,
    mctl: u8,
    br: [u8; 2],
    rxbuf: u8,
    txbuf: u8,
    /// TXBUF waits for the shifter.
    tx_full: bool,
    /// Cycles of the source clock from a write to TXBUF of an idle module to the first bit.
    start_cycles: u64,
    /// Source clock edge at which an idle module will take TXBUF.
    start: Option<u64>,
    /// RXBUF has not been read.
    rx_full: bool,
    /// URXS: a start edge that URXSE waited for has come.
    start_edge: bool,
    shift: Option<Shift>,
    due: Ps,
}

impl Usart {
    /// After power-on: held in reset by SWRST.
    pub fn new(index: u8, start_cycles: u8) -> Usart {
        Usart {
            index,
            ctl: SWRST,
            tctl: TXEPT,
            rctl: 0,
            mctl: 0,
            br: [0; 2],
            rxbuf: 0,
            txbuf: 0,
            tx_full: false,
            start_cycles: start_cycles.into(),
            start: None,
            rx_full: false,
            start_edge: false,
            shift: None,
            due: NEVER,
        }
    }

    /// A PUC.
    pub fn reset(&mut self) {
        *self = Usart {
            start_cycles: self.start_cycles,
            ..Usart::new(self.index, 0)
        };
    }

    /// When the octet being shifted is complete, or an idle module begins with the next.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// Reads the register `offset` (0..=7: CTL TCTL RCTL MCTL BR0 BR1 RXBUF TXBUF).
    pub fn read(&mut self, offset: u16, sfr: &mut Sfr) -> u8 {
        match offset {
            0 => self.ctl,
            1 => {
                (self.tctl & !TXEPT)
                    | if self.shift.is_none() && !self.tx_full {
                        TXEPT
                    } else {
                        0
                    }
            }
            2 => self.rctl,
            3 => self.mctl,
            4 => self.br[0],
            5 => self.br[1],
            6 => {
                self.rx_full = false;
                self.rctl &= !RECEIVE_STATUS;
                sfr.set_flag(USART_RX[usize::from(self.index)], false);
                self.rxbuf
            }
            _ => self.txbuf,
        }
    }

    /// Writes the register `offset`.
    pub fn write(
        &mut self,
        offset: u16,
        value: u8,
        now: Ps,
        sfr: &mut Sfr,
        clocks: Sources,
    ) -> Result<(), AccessError> {
        match offset {
            0 => return self.write_control(value, sfr),
            1 => {
                self.tctl = value & !TXEPT;
                self.start_edge &= value & URXSE != 0;
            }
            2 => self.rctl = value,
            3 => self.mctl = value,
            4 => self.br[0] = value,
            5 => self.br[1] = value,
            6 => {}
            _ => return self.transmit(value, now, sfr, clocks),
        }
        Ok(())
    }

    /// USART0 is in I2C mode: [`super::i2c_mode`] has its registers, but for U0CTL.
    #[inline]
    pub fn in_i2c_mode(&self) -> bool {
        self.ctl & (SYNC | SPB_OR_I2C) == SYNC | SPB_OR_I2C
    }

    /// What the receiver expects of a character that began at `begun` and ends now. `None`: it does
    /// not listen, or its clock has not run since half of the start bit.
    pub fn receiver(
        &self,
        begun: Ps,
        wiring: Wiring,
        sfr: &Sfr,
        clocks: Sources,
    ) -> Option<UartReceiver> {
        let on = self.ctl & (SWRST | SYNC | LISTEN) == 0
            && wiring.urxd
            && sfr.enabled(USART_RX[usize::from(self.index)]);
        let clock = self.clock(clocks).filter(|clock| on && clock.running())?;
        let half = clock.time_of(clock.origin_cycles + self.divider() / 2).0 - clock.origin.0;
        let ran = clock.origin.0 <= begun.0 + half;
        ran.then(|| UartReceiver {
            hz: clock.mhz * self.character_bits() / (1000 * self.character_cycles().max(1)),
            plain: self.ctl & (PENA | CHAR | MM) == CHAR,
        })
    }

    /// The line falls: with URXSE and URXIE, a request without URXIFG, which also ends a mode in
    /// which the receiver has no clock (SLAU049, "Receive-Start Edge Detect Operation"). GIE, which
    /// that section names too, is not known here: without it the request waits.
    pub fn start_edge(&mut self, wiring: Wiring, sfr: &Sfr) {
        let flag = USART_RX[usize::from(self.index)];
        let on = self.ctl & (SWRST | SYNC | LISTEN) == 0 && wiring.urxd && sfr.enabled(flag);
        let asked = self.tctl & URXSE != 0 && sfr.ie[flag.bank] & flag.mask != 0;
        self.start_edge |= on && asked;
    }

    /// URXS asks for the receiver's interrupt until URXSE is cleared.
    pub fn start_seen(&self) -> bool {
        self.start_edge
    }

    /// The receiver's interrupt is served: URXIFG clears, but with URXSE it stays until RXBUF is
    /// read, so that the handler can tell a character from a start edge.
    pub fn served(&self, sfr: &mut Sfr) {
        if self.tctl & URXSE == 0 {
            sfr.set_flag(USART_RX[usize::from(self.index)], false);
        }
    }

    /// A character that the receiver expects has come: its stop bit ends now.
    pub fn receive_uart(&mut self, byte: u8, sfr: &mut Sfr) {
        if self.rx_full {
            self.rctl |= RXERR;
        }
        self.store(byte, sfr);
    }

    /// Completes the octet that is due at `now` and begins the next one.
    pub fn advance(
        &mut self,
        now: Ps,
        wiring: Wiring,
        sfr: &mut Sfr,
        clocks: Sources,
        ext: &mut impl External,
    ) {
        let Some(Shift { octet, end, wrong }) = self.shift.take() else {
            if let Some(start) = self.start.take() {
                self.load(start, sfr);
            }
            self.reschedule(clocks);
            return;
        };
        if let Some(what) = wrong {
            ext.misuse(now, what);
        }
        if self.ctl & SYNC == 0 {
            if wiring.utxd && wrong.is_none() {
                ext.uart_byte(now, self.index, octet);
            }
            if self.ctl & LISTEN != 0 {
                self.receive_uart(octet, sfr);
            }
        } else {
            let answer = if wiring.simo_and_clock && wrong.is_none() {
                ext.spi_byte(now, self.index, octet)
            } else {
                0xFF
            };
            let heard = if self.ctl & LISTEN != 0 {
                octet
            } else if wiring.somi {
                answer
            } else {
                0xFF
            };
            self.store(heard & self.octet_mask(), sfr);
        }
        if self.tx_full {
            self.load(end, sfr);
        }
        self.reschedule(clocks);
    }

    /// The clocks have changed; their counts go on.
    pub fn reschedule(&mut self, clocks: Sources) {
        let edge = self.shift.map(|shift| shift.end).or(self.start);
        self.due = match (edge, self.clock(clocks)) {
            (Some(edge), Some(clock)) => clock.time_of(edge),
            _ => NEVER,
        };
    }

    fn clock<'a>(&self, clocks: Sources<'a>) -> Option<&'a Clock> {
        match (self.tctl >> 4) & 3 {
            0 => None,
            1 => Some(clocks.aclk),
            _ => Some(clocks.smclk),
        }
    }

    fn write_control(&mut self, value: u8, sfr: &mut Sfr) -> Result<(), AccessError> {
        if value & SYNC != 0 && value & SPB_OR_I2C != 0 {
            if self.index != 0 {
                return Err(AccessError::NotModelled {
                    name: "I2C mode of USART1, which the chip has not",
                });
            }
            self.ctl = value;
            self.software_reset(sfr);
            return Ok(());
        }
        if value & (SWRST | SYNC | MM) == SYNC {
            return Err(AccessError::NotModelled {
                name: "SPI slave mode of a USART",
            });
        }
        self.ctl = value;
        if value & SWRST != 0 {
            self.software_reset(sfr);
        }
        Ok(())
    }

    /// SWRST stops the state machine, clears receive interrupts and flags, and makes TXBUF ready.
    fn software_reset(&mut self, sfr: &mut Sfr) {
        let (rx, tx) = (
            USART_RX[usize::from(self.index)],
            USART_TX[usize::from(self.index)],
        );
        sfr.ie[rx.bank] &= !(rx.mask | tx.mask);
        sfr.set_flag(rx, false);
        sfr.set_flag(tx, true);
        self.rctl &= !RECEIVE_STATUS;
        (self.tx_full, self.rx_full, self.start_edge) = (false, false, false);
        (self.shift, self.start, self.due) = (None, None, NEVER);
    }

    fn transmit(
        &mut self,
        value: u8,
        now: Ps,
        sfr: &mut Sfr,
        clocks: Sources,
    ) -> Result<(), AccessError> {
        self.txbuf = value;
        let index = usize::from(self.index);
        let enable = if self.ctl & SYNC != 0 {
            USART_RX[index]
        } else {
            USART_TX[index]
        };
        if self.ctl & SWRST != 0 || !sfr.enabled(enable) {
            return Ok(());
        }
        let Some(clock) = self.clock(clocks) else {
            return Err(AccessError::NotModelled {
                name: "a USART clocked from the UCLK pin",
            });
        };
        sfr.set_flag(USART_TX[index], false);
        self.tx_full = true;
        if self.shift.is_none() && self.start.is_none() {
            let start = clock.next_cycle(now) + self.start_cycles;
            if self.start_cycles == 0 {
                self.load(start, sfr);
            } else {
                self.start = Some(start);
            }
            self.reschedule(clocks);
        }
        Ok(())
    }

    /// The least UBR: 2 for SPI, 3 for UART (SLAU049, UxBR0, UxBR1).
    fn least_divider(&self) -> u64 {
        if self.ctl & SYNC != 0 { 2 } else { 3 }
    }

    /// What SLAU049 says nobody can predict.
    fn wrong_timing(&self) -> Option<&'static str> {
        if u64::from(u16::from_le_bytes(self.br)) < self.least_divider() {
            return Some("USART baud rate divider UBR below 2 (SPI) or 3 (UART)");
        }
        let modulated = self.ctl & SYNC != 0 && self.mctl != 0;
        modulated.then_some("USART in SPI mode with UMCTL other than 0")
    }

    /// Moves TXBUF into the shifter; its first bit begins at source edge `start`.
    fn load(&mut self, start: u64, sfr: &mut Sfr) {
        self.tx_full = false;
        sfr.set_flag(USART_TX[usize::from(self.index)], true);
        self.shift = Some(Shift {
            octet: self.txbuf & self.octet_mask(),
            end: start + self.character_cycles(),
            wrong: self.wrong_timing(),
        });
    }

    fn divider(&self) -> u64 {
        u64::from(u16::from_le_bytes(self.br)).max(self.least_divider())
    }

    fn octet_mask(&self) -> u8 {
        if self.ctl & CHAR != 0 { 0xFF } else { 0x7F }
    }

    /// Source periods of one character: in SPI mode the data bits; in UART mode start, data,
    /// address, parity and stop bits, each lengthened by one where UMCTL says so (its bit 0 belongs
    /// to the start bit, and it repeats after 8).
    fn character_cycles(&self) -> u64 {
        let data = if self.ctl & CHAR != 0 { 8 } else { 7 };
        if self.ctl & SYNC != 0 {
            return data * self.divider();
        }
        let bits = self.character_bits();
        let lengthened = (0..bits)
            .filter(|bit| self.mctl >> (bit % 8) & 1 != 0)
            .count() as u64;
        bits * self.divider() + lengthened
    }

    /// Bits of a character in UART mode.
    fn character_bits(&self) -> u64 {
        let optional = [CHAR, PENA, MM, SPB_OR_I2C];
        1 + 7
            + optional
                .map(|option| u64::from(self.ctl & option != 0))
                .iter()
                .sum::<u64>()
            + 1
    }

    fn store(&mut self, octet: u8, sfr: &mut Sfr) {
        if self.rx_full {
            self.rctl |= OE;
        }
        self.rxbuf = octet;
        self.rx_full = true;
        sfr.set_flag(USART_RX[usize::from(self.index)], true);
    }
}

#[cfg(test)]
#[path = "usart_tests.rs"]
mod tests;
