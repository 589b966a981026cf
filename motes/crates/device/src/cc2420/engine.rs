//! The security engine: plain AES on the stand-alone buffer, and CBC-MAC, CTR and CCM in place in a
//! FIFO (SWRS041 21).
//!
//! A frame of PHY length L lies in the FIFO as length octet, MPDU octets 1..=L. The last two, the
//! FCS, are never touched. With t = SEC_TXL or SEC_RXL and M the length of the MIC:
//!
//! | mode | in the clear, authenticated | encrypted | MIC |
//! |---|---|---|---|
//! | CTR | – | t+1 ..= L−2 | – |
//! | CBC-MAC | t+1 ..= L−2−M | – | L−1−M ..= L−2 |
//! | CCM | a = 1 ..= t | m = t+1 ..= L−2−M | L−1−M ..= L−2, encrypted with A_0 |
//!
//! So the length octet is never authenticated, L counts the MIC, and authentication without
//! encryption is CCM with t = L−2−M (m empty). CBC-MAC with SEC_CBC_HEAD puts the number of
//! authenticated octets before the first of them. The model assumes that this number leaves the MIC
//! out, as IEEE 802.15.4-2003 requires.
//!
//! Keys and nonces lie in RAM with their first octet at the highest address. Octet 15 of a nonce is
//! not the flag octet of A_i or B_0 but the material for both (figure 26): bits 6:5 are bits 7:6 of
//! the CTR flags, bits 4:3 are bits 7:6 of the CBC-MAC flags (so bit 3 is Adata), bits 2:0 are L'
//! of both; the chip adds M' to B_0. Octets 14..=2 are the 13 octets N, octets 1:0 the block
//! counter of the first block of m, which IEEE 802.15.4 wants to be 1. The MIC is encrypted with
//! counter 0. The intermediate CBC-MAC lies in CBCSTATE (table 6); its octet order is assumed. The
//! engine increments a copy of the block counter; the one in RAM stays as it was (21.2).
//!
//! Each AES block takes one time step. A step waits until the octets it needs are in the FIFO, so
//! an operation may be started before its frame is complete.

use super::layout::{Layout, Op, Step};
use super::registers::SecMode;
use crate::radio::FIFO_OCTETS;
use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};

/// AES-128 of one block.
pub(super) fn encrypt(aes: &Aes128, block: &mut [u8; 16]) {
    let mut buffer = (*block).into();
    aes.encrypt_block(&mut buffer);
    *block = buffer.into();
}

/// The cipher for a key as it lies in RAM.
pub(super) fn cipher(key_in_ram: &[u8; 16]) -> Aes128 {
    let mut key = *key_in_ram;
    key.reverse();
    Aes128::new(&key.into())
}

/// One frame's window into a FIFO ring: octet 0 is its length octet.
pub(super) struct View<'a> {
    pub(super) ring: &'a mut [u8],
    pub(super) start: usize,
}

impl View<'_> {
    fn at(&mut self, index: usize) -> &mut u8 {
        &mut self.ring[(self.start + index) % FIFO_OCTETS]
    }
}

/// Everything an in-line operation latches when it starts.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) mode: SecMode,
    /// Receiving: decrypt and verify.
    pub(super) receive: bool,
    pub(super) key_in_ram: [u8; 16],
    pub(super) nonce_in_ram: [u8; 16],
    /// SEC_TXL or SEC_RXL.
    pub(super) clear: usize,
    pub(super) sec_m: u8,
    pub(super) cbc_head: bool,
}

impl Setup {
    /// M of SEC_M = (M − 2) / 2.
    pub(super) fn mic_octets(&self) -> usize {
        2 * usize::from(self.sec_m) + 2
    }

    /// Counter of the first block of m.
    pub(super) fn block_counter(&self) -> u16 {
        u16::from_le_bytes([self.nonce_in_ram[0], self.nonce_in_ram[1]])
    }

    /// Flags | N | value, in the order in which AES takes them.
    fn block(&self, flags: u8, value: u16) -> [u8; 16] {
        let mut block = self.nonce_in_ram;
        block.reverse();
        block[0] = flags;
        block[14..].copy_from_slice(&value.to_be_bytes());
        block
    }

    /// B_0 for a message of `l_m` octets.
    pub(super) fn b0(&self, l_m: u16) -> [u8; 16] {
        let flags = self.nonce_in_ram[15];
        self.block((flags & 0x18) << 3 | self.sec_m << 3 | flags & 0x07, l_m)
    }

    /// Keystream block A_`counter`.
    fn keystream(&self, aes: &Aes128, counter: u16) -> [u8; 16] {
        let flags = self.nonce_in_ram[15];
        let mut block = self.block((flags & 0x60) << 1 | flags & 0x07, counter);
        encrypt(aes, &mut block);
        block
    }
}

/// An in-line operation on one frame.
#[derive(Clone)]
pub(super) struct Inline {
    setup: Setup,
    aes: Aes128,
    /// Empty until the length octet is known.
    steps: Vec<Step>,
    next: usize,
    mac: [u8; 16],
    ready: usize,
}

impl Inline {
    pub(super) fn new(setup: Setup) -> Inline {
        let aes = cipher(&setup.key_in_ram);
        Inline {
            setup,
            aes,
            steps: Vec::new(),
            next: 0,
            mac: [0; 16],
            ready: 1,
        }
    }

    pub(super) fn receives(&self) -> bool {
        self.setup.receive
    }

    /// Octets from the start of the FIFO frame that this operation will not change any more.
    pub(super) fn ready(&self) -> usize {
        self.ready
    }

    /// The CBC-MAC so far, as it lies in RAM.
    pub(super) fn mac_in_ram(&self) -> [u8; 16] {
        let mut mac = self.mac;
        mac.reverse();
        mac
    }

    /// Lays out the steps once the length octet is there.
    pub(super) fn plan(&mut self, view: &mut View) {
        if self.steps.is_empty() {
            let layout = Layout::new(&self.setup, usize::from(*view.at(0) & 0x7F));
            self.ready = if self.setup.mode == SecMode::Ccm {
                1
            } else {
                layout.clear_end
            };
            self.steps = layout.steps(&self.setup);
        }
    }

    /// True when every step is done; false before the length octet is known.
    pub(super) fn done(&self) -> bool {
        !self.steps.is_empty() && self.next == self.steps.len()
    }

    /// FIFO octets that must be there before the next step can start.
    pub(super) fn needs(&self) -> usize {
        self.steps.get(self.next).map_or(1, |step| step.to.max(1))
    }

    /// Whether the next step costs an AES block.
    pub(super) fn takes_time(&self) -> bool {
        self.steps
            .get(self.next)
            .is_some_and(|step| !matches!(step.op, Op::Tag { encrypted: false }))
    }

    /// Does the next step.
    pub(super) fn step(&mut self, view: &mut View) {
        let Some(step) = self.steps.get(self.next) else {
            return;
        };
        self.next += 1;
        if step.ready > 0 {
            self.ready = step.ready;
        }
        match step.op {
            Op::Mac { prefix, length } => {
                for (state, octet) in self.mac.iter_mut().zip(&prefix[..length]) {
                    *state ^= octet;
                }
                for (state, index) in self.mac[length..].iter_mut().zip(step.from..step.to) {
                    *state ^= *view.at(index);
                }
                encrypt(&self.aes, &mut self.mac);
            }
            Op::Crypt { counter } => {
                let keystream = self.setup.keystream(&self.aes, counter);
                for (index, octet) in (step.from..step.to).zip(keystream) {
                    *view.at(index) ^= octet;
                }
            }
            Op::Tag { encrypted } => {
                let mask = if encrypted {
                    self.setup.keystream(&self.aes, 0)
                } else {
                    [0; 16]
                };
                let mut difference = 0;
                for (place, index) in (step.from..step.to).enumerate() {
                    let octet = self.mac[place] ^ mask[place];
                    difference |= *view.at(index) ^ octet;
                    if !self.setup.receive {
                        *view.at(index) = octet;
                    }
                }
                if self.setup.receive && step.to > step.from {
                    *view.at(step.to - 1) = if difference == 0 { 0x00 } else { 0xFF };
                }
            }
        }
    }
}
