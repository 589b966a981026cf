//! The security engine at work: strobes, time steps, what it needs from the FIFOs.

use super::engine::{Inline, Setup, View, cipher, encrypt};
use super::registers::SecMode;
use super::{Cc2420, Misuse};
use crate::engine_fault::span_with;
use crate::radio::FIFO_OCTETS;
use crate::{EngineFault, Ps};

const RXFIFO: usize = 0x080;
const KEYS: [usize; 2] = [0x100, 0x130];
const RXNONCE: usize = 0x110;
const SABUF: usize = 0x120;
const TXNONCE: usize = 0x140;
const CBCSTATE: usize = 0x150;

#[derive(Clone)]
enum Job {
    /// Stand-alone: the ciphertext that will be in SABUF.
    Saes([u8; 16]),
    /// An in-line operation, with the position of the frame in the ring once it is known.
    Inline(Box<Inline>, Option<usize>),
}

/// The engine.
#[derive(Clone, Default)]
pub(super) struct Security {
    job: Option<Job>,
    /// End of the running AES block.
    due: Option<Ps>,
    /// STXON came while the engine was busy.
    transmission_waits: bool,
}

impl Security {
    pub(super) fn due(&self) -> Option<Ps> {
        self.due
    }

    pub(super) fn busy(&self) -> bool {
        self.job.is_some()
    }

    fn inline(&self) -> Option<&Inline> {
        match &self.job {
            Some(Job::Inline(inline, _)) => Some(inline),
            _ => None,
        }
    }

    pub(super) fn decrypting(&self) -> bool {
        self.inline().is_some_and(Inline::receives)
    }

    /// Octets of the TXFIFO that the engine will not change any more.
    pub(super) fn tx_ready(&self) -> usize {
        if self.transmission_waits {
            return 1;
        }
        self.inline()
            .filter(|inline| !inline.receives())
            .map_or(usize::MAX, Inline::ready)
    }

    /// Stops the operation that runs, if there is one.
    pub(super) fn cancel(&mut self) {
        *self = Security::default();
    }

    /// Stops an operation on the RXFIFO (`receive`) or the TXFIFO.
    pub(super) fn cancel_inline(&mut self, receive: bool) {
        if self
            .inline()
            .is_some_and(|inline| inline.receives() == receive)
        {
            self.job = None;
            self.due = None;
        }
        if !receive {
            self.transmission_waits = false;
        }
    }
}

impl Cc2420 {
    fn ram16(&self, at: usize) -> [u8; 16] {
        std::array::from_fn(|index| self.ram[at + index])
    }

    /// SAES: encrypts SABUF with the selected key.
    pub(super) fn strobe_saes(&mut self, now: Ps) {
        if self.security.busy() {
            return self.misused(now, Misuse::EngineBusy);
        }
        if matches!(
            self.engine_fault,
            Some(EngineFault::Deaf | EngineFault::Dark)
        ) {
            return;
        }
        let mut block = self.ram16(SABUF);
        if self.engine_fault != Some(EngineFault::Echo) {
            encrypt(
                &cipher(&self.ram16(KEYS[self.registers.sa_key()])),
                &mut block,
            );
        }
        self.security.job = Some(Job::Saes(block));
        self.security.due = Some(now + span_with(self.engine_fault, self.config.saes));
    }

    /// STXENC: secures the frame in the TXFIFO.
    pub(super) fn strobe_stxenc(&mut self, now: Ps) {
        self.start_inline(now, false);
    }

    /// SRXDEC: unsecures the first frame in the RXFIFO.
    pub(super) fn strobe_srxdec(&mut self, now: Ps) {
        self.start_inline(now, true);
    }

    /// The security operation that STXON starts, in addition to transmitting.
    pub(super) fn secure_transmission(&mut self, now: Ps) {
        if self.registers.sec_mode() == SecMode::Disabled {
            return;
        }
        if self.security.busy() {
            self.security.transmission_waits = true;
        } else {
            self.start_inline(now, false);
        }
    }

    fn start_inline(&mut self, now: Ps, receive: bool) {
        let mode = self.registers.sec_mode();
        if mode == SecMode::Disabled {
            return;
        }
        if self.security.busy() {
            return self.misused(now, Misuse::EngineBusy);
        }
        if self.registers.sec_m() == 0 && mode != SecMode::Ctr {
            self.misused(now, Misuse::ReservedMicLength);
        }
        if matches!(
            self.engine_fault,
            Some(EngineFault::Deaf | EngineFault::Dark)
        ) {
            return;
        }
        let registers = &self.registers;
        let (key, nonce, clear) = if receive {
            (registers.rx_key(), RXNONCE, registers.sec_rxl())
        } else {
            (registers.tx_key(), TXNONCE, registers.sec_txl())
        };
        let setup = Setup {
            mode,
            receive,
            key_in_ram: self.ram16(KEYS[key]),
            nonce_in_ram: self.ram16(nonce),
            clear,
            sec_m: registers.sec_m(),
            cbc_head: registers.sec_cbc_head(),
        };
        self.security.job = Some(Job::Inline(Box::new(Inline::new(setup)), None));
        self.security_poll(now);
    }

    /// Starts the next AES block if its octets are there; called whenever a FIFO got an octet.
    pub(super) fn security_poll(&mut self, now: Ps) {
        while self.security.due.is_none() {
            let Some(Job::Inline(inline, frame)) = &mut self.security.job else {
                return;
            };
            let (start, count, base) = if inline.receives() {
                let (start, count) = self.modem.rxfifo.first_frame();
                // Firmware that reads the frame to its end meanwhile does not stop the engine.
                let whole = frame.is_some_and(|known| known != start);
                (
                    frame.unwrap_or(start),
                    if whole { FIFO_OCTETS } else { count },
                    RXFIFO,
                )
            } else {
                (0, self.modem.tx.written(), 0)
            };
            let echo = self.engine_fault == Some(EngineFault::Echo);
            let mut lost: [u8; FIFO_OCTETS] = std::array::from_fn(|at| self.ram[base + at]);
            let ring = if echo {
                &mut lost[..]
            } else {
                &mut self.ram[base..base + FIFO_OCTETS]
            };
            let mut view = View { ring, start };
            if count > 0 {
                *frame = Some(start);
                inline.plan(&mut view);
            }
            if inline.done() {
                return self.security_done(now);
            }
            if count < inline.needs() {
                return;
            }
            if inline.takes_time() {
                self.security.due =
                    Some(now + span_with(self.engine_fault, self.config.inline_block));
            } else {
                inline.step(&mut view);
            }
        }
    }

    /// The running block is done.
    pub(super) fn security_event(&mut self, at: Ps) {
        self.security.due = None;
        match &mut self.security.job {
            Some(Job::Saes(block)) => {
                self.ram[SABUF..SABUF + 16].copy_from_slice(block);
                self.security_done(at);
            }
            Some(Job::Inline(inline, frame)) => {
                let base = if inline.receives() { RXFIFO } else { 0 };
                let start = frame.unwrap_or(0);
                if self.engine_fault == Some(EngineFault::Echo) {
                    let mut lost: [u8; FIFO_OCTETS] = std::array::from_fn(|n| self.ram[base + n]);
                    inline.step(&mut View {
                        ring: &mut lost,
                        start,
                    });
                } else {
                    inline.step(&mut View {
                        ring: &mut self.ram[base..base + FIFO_OCTETS],
                        start,
                    });
                    self.ram[CBCSTATE..CBCSTATE + 16].copy_from_slice(&inline.mac_in_ram());
                }
                self.security_poll(at);
            }
            None => {}
        }
    }

    fn security_done(&mut self, now: Ps) {
        self.security.job = None;
        if std::mem::take(&mut self.security.transmission_waits) {
            self.start_inline(now, false);
        }
    }
}
