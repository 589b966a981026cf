//! SSI0 and SSI1 (0x4000_8000, 0x4000_9000), SWRU319 "Synchronous Serial Interface": master with
//! Motorola's, TI's or Microwire's frames of 4 to 16 bits, FIFOs of eight entries. A bit takes
//! CPSDVSR × (1 + SCR) clocks. Slave mode is refused by name. No part of the boards here is on it: MISO reads low, and the board is told.

use super::{FifoAsks, Written, not_modelled};
use crate::Ps;
use crate::clock::Clock;
use crate::countdown::Countdown;
use std::collections::VecDeque;

constants! { u32:
    CR0 = 0x000,  CR1 = 0x004, DR = 0x008,  SR = 0x00C,  CPSR = 0x010, IM = 0x014,
    RIS = 0x018,  MIS = 0x01C, ICR = 0x020, DMACTL = 0x024, CC = 0xFC8,
}

constants! { u32: TFE = 1, TNF = 2, RNE = 4, RFF = 8, BSY = 16, }
constants! { u32: OVERRUN = 1, TIMEOUT = 2, HALF_RX = 4, HALF_TX = 8, }
constants! { u32: LOOPBACK = 1, ENABLE = 2, SLAVE = 4, }

// DMACTL: the receiver asks, the transmitter asks.
constants! { u32: RXDMAE = 1, TXDMAE = 2, }

const FIFO: usize = 8;
/// Bits of silence after which what waits in the receive FIFO is told.
const SILENCE: u64 = 32;

/// One SSI.
#[derive(Clone)]
pub(super) struct Ssi {
    control: [u32; 2],
    prescaler: u32,
    mask: u32,
    raw: u32,
    clock_source: u32,
    dma: u32,
    transmit: VecDeque<u16>,
    receive: VecDeque<u16>,
    shifting: Option<u16>,
    end: Countdown,
    silence: Countdown,
    clocked: bool,
    /// Frames that no part has answered since the last look.
    unheard: bool,
}

impl Ssi {
    pub(super) fn new() -> Ssi {
        Ssi {
            control: [0; 2],
            prescaler: 0,
            mask: 0,
            raw: 0,
            clock_source: 0,
            dma: 0,
            transmit: VecDeque::new(),
            receive: VecDeque::new(),
            shifting: None,
            end: Countdown::IDLE,
            silence: Countdown::IDLE,
            clocked: false,
            unheard: false,
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Ssi {
            clocked: self.clocked,
            ..Ssi::new()
        };
    }

    pub(super) fn due(&self) -> Ps {
        self.end.due().min(self.silence.due())
    }

    pub(super) fn take_unheard(&mut self) -> bool {
        std::mem::take(&mut self.unheard)
    }

    /// Half-full and half-empty are levels.
    fn raised(&self) -> u32 {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        self.raw
            | flag(self.receive.len() >= FIFO / 2, HALF_RX)
            | flag(self.transmit.len() <= FIFO / 2, HALF_TX)
    }

    pub(super) fn interrupt(&self) -> bool {
        self.control[1] & ENABLE != 0 && self.raised() & self.mask != 0
    }

    /// What receiver and transmitter ask of the uDMA: bursts at half of the FIFO.
    pub(super) fn asks(&self) -> [FifoAsks; 2] {
        let on = |bit: u32| self.clocked && self.control[1] & ENABLE != 0 && self.dma & bit != 0;
        let (came, waits) = (self.receive.len(), self.transmit.len());
        [
            FifoAsks {
                single: on(RXDMAE) && came > 0,
                burst: on(RXDMAE) && came >= FIFO / 2,
            },
            FifoAsks {
                single: on(TXDMAE) && waits < FIFO,
                burst: on(TXDMAE) && waits <= FIFO / 2,
            },
        ]
    }

    fn clock<'a>(&self, system: &'a Clock, io: &'a Clock) -> &'a Clock {
        if self.clock_source == 1 { io } else { system }
    }

    pub(super) fn clock_changed(&mut self, system: &Clock, io: &Clock, clocked: bool) {
        self.clocked = clocked;
        let clock = *self.clock(system, io);
        self.end.reschedule(&clock, clocked);
        self.silence.reschedule(&clock, clocked);
    }

    fn bit(&self) -> u64 {
        u64::from(self.prescaler & 0xFE) * (1 + u64::from(self.control[0] >> 8 & 0xFF))
    }

    fn frame_bits(&self) -> u32 {
        (self.control[0] & 0xF) + 1
    }

    /// Loads the shift register.
    fn shift(&mut self, now: Ps, system: &Clock, io: &Clock) {
        if self.control[1] & ENABLE == 0 || self.shifting.is_some() || self.bit() == 0 {
            return;
        }
        if let Some(frame) = self.transmit.pop_front() {
            self.shifting = Some(frame);
            self.silence.stop();
            let cycles = self.bit() * u64::from(self.frame_bits());
            let clock = *self.clock(system, io);
            self.end.start(now, cycles, &clock);
        }
    }

    /// A frame is out and in, or the line has been silent.
    pub(super) fn advance(&mut self, now: Ps, system: &Clock, io: &Clock) {
        if self.silence.due() <= now {
            self.silence.stop();
            self.raw |= TIMEOUT;
        }
        if self.end.due() > now {
            return;
        }
        self.end.stop();
        let Some(frame) = self.shifting.take() else {
            return;
        };
        let looped = self.control[1] & LOOPBACK != 0;
        self.unheard |= !looped;
        let came = if looped { frame } else { 0 };
        if self.receive.len() < FIFO {
            self.receive.push_back(came);
        } else {
            self.raw |= OVERRUN;
        }
        let clock = *self.clock(system, io);
        self.silence.start(now, SILENCE * self.bit(), &clock);
        self.shift(now, system, io);
    }

    pub(super) fn read(&mut self, offset: u32) -> Option<u32> {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Some(match offset {
            CR0 => self.control[0],
            CR1 => self.control[1],
            DR => {
                let frame = self.receive.pop_front().unwrap_or(0);
                if self.receive.is_empty() {
                    self.silence.stop();
                }
                frame.into()
            }
            SR => {
                let busy = self.shifting.is_some() || !self.transmit.is_empty();
                flag(self.transmit.is_empty(), TFE)
                    | flag(self.transmit.len() < FIFO, TNF)
                    | flag(!self.receive.is_empty(), RNE)
                    | flag(self.receive.len() == FIFO, RFF)
                    | flag(busy, BSY)
            }
            CPSR => self.prescaler,
            IM => self.mask,
            RIS => self.raised(),
            MIS => self.raised() & self.mask,
            ICR => 0,
            DMACTL => self.dma,
            CC => self.clock_source,
            _ => return None,
        })
    }

    pub(super) fn write(
        &mut self,
        offset: u32,
        value: u32,
        now: Ps,
        clocks: (&Clock, &Clock),
    ) -> Written {
        match offset {
            CR0 => self.control[0] = value & 0xFFFF,
            CR1 if value & SLAVE != 0 && value & ENABLE != 0 => {
                return not_modelled("SSI as a slave (SSICR1.MS)");
            }
            CR1 => self.control[1] = value & 0xF,
            DR if self.transmit.len() < FIFO => {
                let kept = (1_u32 << self.frame_bits()) - 1;
                self.transmit.push_back((value & kept) as u16);
            }
            CPSR => self.prescaler = value & 0xFF,
            IM => self.mask = value & 0xF,
            ICR => self.raw &= !(value & (OVERRUN | TIMEOUT)),
            DMACTL => self.dma = value & (RXDMAE | TXDMAE),
            CC => self.clock_source = value & 7,
            DR | SR | RIS | MIS => {}
            _ => return None,
        }
        self.shift(now, clocks.0, clocks.1);
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::NEVER;

    fn write(ssi: &mut Ssi, clock: &Clock, offset: u32, value: u32) -> Written {
        ssi.write(offset, value, Ps::ZERO, (clock, clock))
    }

    /// Eight bits at 1 MHz from 32 MHz: CPSDVSR = 16, SCR = 1.
    fn ready(mode: u32) -> (Ssi, Clock) {
        let clock = Clock::new(Ps::ZERO, 0, 32_000_000_000);
        let mut ssi = Ssi::new();
        for (offset, value) in [(CPSR, 16), (CR0, 0x0107), (CR1, ENABLE | mode)] {
            assert_eq!(write(&mut ssi, &clock, offset, value), Some(Ok(())));
        }
        (ssi, clock)
    }

    #[test]
    fn frames_take_their_bits_and_come_back_in_loopback() {
        let (mut ssi, clock) = ready(LOOPBACK);
        for frame in [0x1A5, 0x5A] {
            write(&mut ssi, &clock, DR, frame);
        }
        assert_eq!(ssi.due(), Ps::from_micros(8));
        assert_eq!(ssi.read(SR), Some(BSY | TNF));
        ssi.advance(ssi.due(), &clock, &clock);
        assert_eq!(ssi.due(), Ps::from_micros(16));
        ssi.advance(ssi.due(), &clock, &clock);
        assert_eq!(ssi.read(SR), Some(TFE | TNF | RNE));
        assert_eq!((ssi.read(DR), ssi.read(DR)), (Some(0xA5), Some(0x5A)));
        assert!(!ssi.take_unheard());
    }

    #[test]
    fn a_frame_that_no_part_answers_reads_0_and_is_told() {
        let (mut ssi, clock) = ready(0);
        write(&mut ssi, &clock, DR, 0xFF);
        ssi.advance(ssi.due(), &clock, &clock);
        assert_eq!(ssi.read(DR), Some(0));
        assert!(ssi.take_unheard() && !ssi.take_unheard());
    }

    #[test]
    fn interrupts_follow_the_fifos_and_the_silence() {
        let (mut ssi, clock) = ready(LOOPBACK);
        write(&mut ssi, &clock, IM, TIMEOUT | HALF_RX);
        for frame in 0..4 {
            assert!(!ssi.interrupt());
            write(&mut ssi, &clock, DR, frame);
            ssi.advance(ssi.due(), &clock, &clock);
        }
        assert!(ssi.interrupt(), "half of eight");
        ssi.read(DR);
        assert!(!ssi.interrupt());
        let quiet = ssi.due();
        assert_eq!(quiet, Ps::from_micros(8 + 32));
        ssi.advance(quiet, &clock, &clock);
        assert!(ssi.interrupt(), "32 bits of silence");
        write(&mut ssi, &clock, ICR, TIMEOUT);
        assert!(!ssi.interrupt());
        for frame in 0..9 {
            write(&mut ssi, &clock, DR, frame);
            while ssi.end.active() {
                ssi.advance(ssi.due(), &clock, &clock);
            }
        }
        assert_eq!(ssi.read(RIS).map(|raw| raw & OVERRUN), Some(OVERRUN));
    }

    #[test]
    fn a_slave_is_refused_by_name() {
        let (mut ssi, clock) = ready(0);
        let written = write(&mut ssi, &clock, CR1, SLAVE | ENABLE);
        assert!(matches!(written, Some(Err(_))));
        ssi.clock_changed(&clock, &clock, false);
        assert_eq!((ssi.due(), ssi.read(0x40)), (NEVER, None));
    }
}
