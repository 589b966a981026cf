//! UART0 and UART1 (0x4000_C000, 0x4000_D000): FIFOs, transmission with time, octets received from
//! the host. The receiver's time-out interrupt comes with the octet, not 32 bit times later.
//! Loop-back, IrDA, LIN, smart card and flow control modes are refused.

use super::{AccessError, FifoAsks, Written, not_modelled};
use crate::clock::{Clock, NEVER};
use crate::{Ps, UartReceiver};
use std::collections::VecDeque;

constants! { u32:
    DR = 0x000,     RSR = 0x004,    FR = 0x018,     IBRD = 0x024,   FBRD = 0x028,   LCRH = 0x02C,
    CTL = 0x030,    IFLS = 0x034,   IM = 0x038,     RIS = 0x03C,    MIS = 0x040,    ICR = 0x044,
    DMACTL = 0x048, CC = 0xFC8,
}

constants! { u32:
    FR_BUSY = 1 << 3, FR_RXFE = 1 << 4, FR_TXFF = 1 << 5, FR_RXFF = 1 << 6, FR_TXFE = 1 << 7,
}

constants! { u32:
    RX = 1 << 4,         TX = 1 << 5,         RX_TIMEOUT = 1 << 6, OVERRUN = 1 << 10,
}

constants! { u32:
    UARTEN = 1 << 0, EOT = 1 << 4,    HSE = 1 << 5,    TXE = 1 << 8,    RXE = 1 << 9,
}
// DMACTL: the receiver asks; the transmitter asks; an error stops the receiver from asking.
constants! { u32: RXDMAE = 1, TXDMAE = 2, DMAERR = 4, }
/// SIREN, SIRLP, LIN, LBE, RTSEN, CTSEN.
const OTHER_MODES: u32 = 0xC0C6;

const FIFO: usize = 16;

/// An octet that a UART has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UartOctet {
    /// UART 0 or 1.
    pub uart: u8,
    /// The octet.
    pub octet: u8,
    /// End of its last stop bit.
    pub at: Ps,
}

/// One UART.
#[derive(Clone)]
pub(super) struct Uart {
    divider: u32,
    fraction: u32,
    line: u32,
    control: u32,
    levels: u32,
    mask: u32,
    raw: u32,
    clock_source: u32,
    dma: u32,
    transmit: VecDeque<u8>,
    receive: VecDeque<u8>,
    overrun: bool,
    /// The octet in the shift register, and the cycle at which it is out.
    shifting: Option<(u8, u64)>,
    clocked: bool,
    due: Ps,
    sent: Vec<UartOctet>,
}

impl Uart {
    pub(super) fn new() -> Uart {
        Uart {
            divider: 0,
            fraction: 0,
            line: 0,
            control: TXE | RXE,
            levels: 0x12,
            mask: 0,
            raw: 0,
            clock_source: 0,
            dma: 0,
            transmit: VecDeque::new(),
            receive: VecDeque::new(),
            overrun: false,
            shifting: None,
            clocked: false,
            due: NEVER,
            sent: Vec::new(),
        }
    }

    /// Back to reset; the gate and what was sent stay.
    pub(super) fn reset(&mut self) {
        *self = Uart {
            clocked: self.clocked,
            sent: std::mem::take(&mut self.sent),
            ..Uart::new()
        };
    }

    pub(super) fn take_sent(&mut self, out: &mut Vec<UartOctet>) {
        out.append(&mut self.sent);
    }

    pub(super) fn due(&self) -> Ps {
        self.due
    }

    pub(super) fn interrupt(&self) -> bool {
        self.raw & self.mask != 0
    }

    /// What receiver and transmitter ask of the uDMA.
    pub(super) fn asks(&self) -> [FifoAsks; 2] {
        let on = |bits: u32| self.clocked && self.control & (UARTEN | bits) == UARTEN | bits;
        let (came, waits) = (self.receive.len(), self.transmit.len());
        let takes = on(RXE) && self.dma & RXDMAE != 0 && !(self.overrun && self.dma & DMAERR != 0);
        let gives = on(TXE) && self.dma & TXDMAE != 0;
        [
            FifoAsks {
                single: takes && came > 0,
                burst: takes && came >= self.trigger(3),
            },
            FifoAsks {
                single: gives && waits < self.depth(),
                burst: gives && waits <= self.trigger(0),
            },
        ]
    }

    fn depth(&self) -> usize {
        if self.line & 1 << 4 != 0 { FIFO } else { 1 }
    }

    /// Octets at which the transmit (`shift` 0) or receive (3) interrupt comes: 1/8 to 7/8 of the
    /// FIFO.
    fn trigger(&self, shift: u32) -> usize {
        if self.depth() == 1 {
            return usize::from(shift == 3);
        }
        [2, 4, 8, 12, 14, 14, 14, 14][(self.levels >> shift & 7) as usize]
    }

    fn clock<'a>(&self, system: &'a Clock, io: &'a Clock) -> &'a Clock {
        if self.clock_source == 1 { io } else { system }
    }

    fn character_bits(&self) -> u64 {
        let data = u64::from(self.line >> 5 & 3) + 5;
        1 + data + u64::from(self.line >> 1 & 1) + 1 + u64::from(self.line >> 3 & 1)
    }

    /// Clock cycles of one character: start, data, parity and stop bits of 16 (HSE: 8) × divisor.
    fn character(&self) -> u64 {
        let bits = self.character_bits();
        let divisor = u64::from(self.divider) * 64 + u64::from(self.fraction);
        let oversampling = if self.control & HSE != 0 { 8 } else { 16 };
        (bits * oversampling * divisor).div_ceil(64).max(1)
    }

    /// UART `number`'s shift register is empty.
    pub(super) fn advance(&mut self, now: Ps, number: u8, system: &Clock, io: &Clock) {
        if let Some((octet, _)) = self.shifting.take() {
            self.sent.push(UartOctet {
                uart: number,
                octet,
                at: now,
            });
        }
        self.shift(now, system, io);
        if self.control & EOT != 0 && self.shifting.is_none() {
            self.raw |= TX;
        }
    }

    /// Loads the shift register.
    fn shift(&mut self, now: Ps, system: &Clock, io: &Clock) {
        let on = self.control & (UARTEN | TXE) == UARTEN | TXE;
        if self.shifting.is_none()
            && on
            && let Some(octet) = self.transmit.pop_front()
        {
            let clock = self.clock(system, io);
            self.shifting = Some((octet, clock.next_cycle(now) + self.character()));
            if self.control & EOT == 0 && self.transmit.len() == self.trigger(0) {
                self.raw |= TX;
            }
        }
        self.reschedule(system, io);
    }

    /// A clock changed or the gate moved. While the gate is closed the character waits.
    pub(super) fn clock_changed(&mut self, now: Ps, system: &Clock, io: &Clock, clocked: bool) {
        if clocked && !self.clocked && self.shifting.is_some() {
            let restart = self.clock(system, io).next_cycle(now) + self.character();
            self.shifting = self.shifting.map(|(octet, _)| (octet, restart));
        }
        self.clocked = clocked;
        self.reschedule(system, io);
    }

    fn reschedule(&mut self, system: &Clock, io: &Clock) {
        let running = self.shifting.filter(|_| self.clocked);
        self.due = running.map_or(NEVER, |(_, cycle)| self.clock(system, io).time_of(cycle));
    }

    /// What the receiver expects of a character that began at `begun`; `None`: it does not hear it,
    /// because it is off, or its clock did not run half a bit later.
    pub(super) fn receiver(&self, begun: Ps, system: &Clock, io: &Clock) -> Option<UartReceiver> {
        let on = self.control & (UARTEN | RXE) == UARTEN | RXE && self.clocked;
        let clock = self.clock(system, io);
        if !on || !clock.running() || clock.origin > begun {
            return None;
        }
        let bits = self.character_bits();
        Some(UartReceiver {
            hz: clock.mhz * bits / (1000 * self.character()),
            plain: bits == 10,
        })
    }

    /// The host sends an octet.
    pub(super) fn receive(&mut self, octet: u8) {
        if self.control & (UARTEN | RXE) != UARTEN | RXE || !self.clocked {
            return;
        }
        if self.receive.len() >= self.depth() {
            self.overrun = true;
            self.raw |= OVERRUN;
            return;
        }
        self.receive.push_back(octet);
        self.raw |= RX_TIMEOUT;
        if self.receive.len() >= self.trigger(3) {
            self.raw |= RX;
        }
    }

    /// Reads the register at `offset`.
    pub(super) fn read(&mut self, offset: u32) -> Option<u32> {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Some(match offset {
            DR => {
                let octet = self.receive.pop_front().unwrap_or(0);
                if self.receive.len() < self.trigger(3) {
                    self.raw &= !RX;
                }
                if self.receive.is_empty() {
                    self.raw &= !RX_TIMEOUT;
                }
                u32::from(octet) | flag(self.overrun, 1 << 11)
            }
            RSR => flag(self.overrun, 1 << 3),
            FR => {
                flag(
                    self.shifting.is_some() || !self.transmit.is_empty(),
                    FR_BUSY,
                ) | flag(self.receive.is_empty(), FR_RXFE)
                    | flag(self.transmit.len() >= self.depth(), FR_TXFF)
                    | flag(self.receive.len() >= self.depth(), FR_RXFF)
                    | flag(self.transmit.is_empty(), FR_TXFE)
            }
            IBRD => self.divider,
            FBRD => self.fraction,
            LCRH => self.line,
            CTL => self.control,
            IFLS => self.levels,
            IM => self.mask,
            RIS => self.raw,
            MIS => self.raw & self.mask,
            ICR => 0,
            DMACTL => self.dma,
            CC => self.clock_source,
            _ => return None,
        })
    }

    /// Writes the register at `offset`; `None`: there is none.
    pub(super) fn write(
        &mut self,
        offset: u32,
        value: u32,
        now: Ps,
        clocks: (&Clock, &Clock),
    ) -> Written {
        match offset {
            DR if self.divider == 0 && self.control & UARTEN != 0 => {
                return Some(Err(AccessError::Unpredictable {
                    what: "a UART sends with a baud rate divisor of 0",
                }));
            }
            DR if self.transmit.len() < self.depth() => self.transmit.push_back(value as u8),
            RSR => self.overrun = false,
            IBRD => self.divider = value & 0xFFFF,
            FBRD => self.fraction = value & 0x3F,
            LCRH => self.line = value & 0xFF,
            CTL if value & OTHER_MODES != 0 => {
                return not_modelled("a UART mode other than plain transmission (UARTCTL)");
            }
            CTL => self.control = value & 0xFF_FF,
            IFLS => self.levels = value & 0x3F,
            IM => self.mask = value & 0xF7F2,
            ICR => self.raw &= !value,
            DMACTL => self.dma = value & (RXDMAE | TXDMAE | DMAERR),
            CC => self.clock_source = value & 7,
            DR | FR | RIS | MIS => {}
            _ => return None,
        }
        self.shift(now, clocks.0, clocks.1);
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready() -> (Uart, Clock) {
        let clock = Clock::new(Ps::ZERO, 0, 32_000_000_000);
        let mut uart = Uart::new();
        uart.clock_changed(Ps::ZERO, &clock, &clock, true);
        // 115 200 baud at 32 MHz: 17 + 23/64; eight bits, FIFO on.
        for (offset, value) in [
            (IBRD, 17),
            (FBRD, 23),
            (LCRH, 0x70),
            (CTL, UARTEN | TXE | RXE),
        ] {
            assert_eq!(
                uart.write(offset, value, Ps::ZERO, (&clock, &clock)),
                Some(Ok(()))
            );
        }
        (uart, clock)
    }

    #[test]
    fn octets_leave_at_their_time() {
        let (mut uart, clock) = ready();
        for octet in [0x55, 0xAA] {
            uart.write(DR, octet, Ps::ZERO, (&clock, &clock));
        }
        let first = uart.due();
        let bit = first.0 as f64 * 1e-6 / 10.0;
        assert!((bit - 8.68).abs() < 0.02, "{bit} us");
        assert_eq!(
            uart.read(FR).map(|flags| flags & (FR_BUSY | FR_TXFE)),
            Some(FR_BUSY)
        );
        uart.advance(first, 0, &clock, &clock);
        let second = uart.due();
        uart.advance(second, 0, &clock, &clock);
        let mut sent = Vec::new();
        uart.take_sent(&mut sent);
        assert_eq!(
            sent.iter()
                .map(|sent| (sent.octet, sent.at))
                .collect::<Vec<_>>(),
            [(0x55, first), (0xAA, second)]
        );
        assert_eq!(uart.due(), NEVER);
        assert_eq!(
            uart.read(FR).map(|flags| flags & (FR_BUSY | FR_TXFE)),
            Some(FR_TXFE)
        );
    }

    #[test]
    fn the_transmit_interrupt_comes_with_the_trigger_level_or_at_the_end() {
        let (mut uart, clock) = ready();
        uart.write(IM, TX, Ps::ZERO, (&clock, &clock));
        for octet in 0..10 {
            uart.write(DR, octet, Ps::ZERO, (&clock, &clock));
        }
        assert!(!uart.interrupt(), "nine wait");
        uart.advance(uart.due(), 0, &clock, &clock);
        assert!(uart.interrupt(), "half of sixteen");
        uart.write(ICR, TX, uart.due(), (&clock, &clock));
        uart.write(CTL, UARTEN | TXE | EOT, Ps::ZERO, (&clock, &clock));
        while uart.due() != NEVER {
            assert!(!uart.interrupt());
            uart.advance(uart.due(), 0, &clock, &clock);
        }
        assert!(uart.interrupt());
    }

    #[test]
    fn received_octets_wait_and_overrun() {
        let (mut uart, clock) = ready();
        uart.write(IM, RX | OVERRUN, Ps::ZERO, (&clock, &clock));
        for octet in 0..8 {
            uart.receive(octet);
        }
        assert!(uart.interrupt());
        assert_eq!(uart.read(DR), Some(0));
        assert!(!uart.interrupt());
        for octet in 0..20 {
            uart.receive(octet);
        }
        assert_eq!(uart.read(RSR), Some(8));
        assert_eq!(uart.read(FR).map(|flags| flags & FR_RXFF), Some(FR_RXFF));
    }

    #[test]
    fn a_gated_uart_holds_its_character_and_other_modes_are_refused() {
        let (mut uart, clock) = ready();
        uart.write(DR, 1, Ps::ZERO, (&clock, &clock));
        uart.clock_changed(Ps(5), &clock, &clock, false);
        assert_eq!(uart.due(), NEVER);
        uart.clock_changed(Ps(1_000_000), &clock, &clock, true);
        assert!(uart.due() > Ps(1_000_000));
        assert!(matches!(
            uart.write(CTL, 1 << 7, Ps::ZERO, (&clock, &clock)),
            Some(Err(AccessError::NotModelled { .. }))
        ));
        uart.write(IBRD, 0, Ps::ZERO, (&clock, &clock));
        assert!(matches!(
            uart.write(DR, 7, Ps::ZERO, (&clock, &clock)),
            Some(Err(AccessError::Unpredictable { .. }))
        ));
    }
}
