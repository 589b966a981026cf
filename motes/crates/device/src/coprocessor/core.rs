//! The three cores of AES-128: what they give, and in which clock. Their rounds are those of a
//! library; the clocks are those of aes128_fast.vhd and aes128_bytewise.vhd.

use aes::Aes128;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};

/// Which core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreKind {
    /// A round a clock.
    Fast,
    /// An octet a clock, one S-box.
    Small,
    /// The same in two shares.
    Masked,
}

impl CoreKind {
    /// By the generic CORE of the VHDL.
    pub fn named(name: &str) -> Option<CoreKind> {
        Some(match name {
            "fast" => CoreKind::Fast,
            "small" => CoreKind::Small,
            "masked" => CoreKind::Masked,
            _ => return None,
        })
    }

    /// Clocks that its S-box adds to each step.
    fn sbox_clocks(self) -> u32 {
        if self == CoreKind::Masked { 8 } else { 0 }
    }

    /// It moves octets through memories, which are read a clock before.
    fn has_memories(self) -> bool {
        self != CoreKind::Fast
    }

    fn block_clocks(self) -> u32 {
        if self.has_memories() {
            10 * (21 + self.sbox_clocks())
        } else {
            11
        }
    }

    fn key_clocks(self) -> u32 {
        if self.has_memories() {
            160 * (3 + self.sbox_clocks())
        } else {
            0
        }
    }

    fn wipe_clocks(self) -> u32 {
        if self.has_memories() { 256 } else { 0 }
    }
}

/// What goes into a core in a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CoreIn {
    pub wipe: bool,
    pub key: bool,
    pub decrypt: bool,
    pub valid: bool,
    pub octet: u8,
    pub ready: bool,
}

/// What comes out of a core, or out of the coprocessor, in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostOut {
    /// It computes, or wipes.
    pub busy: bool,
    /// It takes an octet.
    pub ready: bool,
    /// It gives one: `octet`, which means nothing otherwise.
    pub valid: bool,
    /// See `valid`.
    pub octet: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Wipe,
    Take,
    Expand,
    Compute,
    Give,
}

/// A core between two clocks.
#[derive(Clone, Debug)]
pub(super) struct Core {
    kind: CoreKind,
    phase: Phase,
    /// Clocks that the phase still takes, where it ends by itself.
    left: u32,
    primed: bool,
    count: usize,
    data: [u8; 16],
    loading: [u8; 16],
    key: [u8; 16],
}

impl Core {
    pub fn new(kind: CoreKind) -> Core {
        let wipe = kind.wipe_clocks();
        Core {
            kind,
            phase: if wipe == 0 { Phase::Take } else { Phase::Wipe },
            left: wipe,
            primed: !kind.has_memories(),
            count: 0,
            data: [0; 16],
            loading: [0; 16],
            key: [0; 16],
        }
    }

    /// Clocks in which nothing comes from it, whatever its host does; `None`: it waits for its host.
    pub fn computes(&self) -> Option<u32> {
        (self.left > 0).then_some(self.left)
    }

    /// Lets clocks pass in which it computes; fewer than it still takes.
    pub fn skip(&mut self, clocks: u32) {
        self.left = self.left.saturating_sub(clocks);
    }

    pub fn out(&self) -> HostOut {
        HostOut {
            busy: !matches!(self.phase, Phase::Take | Phase::Give),
            ready: self.phase == Phase::Take && self.primed,
            valid: self.phase == Phase::Give && self.primed,
            octet: self.data[self.count],
        }
    }

    fn begin(&mut self, phase: Phase, clocks: u32) {
        (self.phase, self.left) = (phase, clocks);
    }

    /// Begins to take or to give. What lies in a memory is read in the first clock.
    fn serve(&mut self, phase: Phase) {
        self.begin(phase, 0);
        self.primed = !self.kind.has_memories();
    }

    fn take(&mut self, octet: u8, key: bool) {
        let to = if key {
            &mut self.loading
        } else {
            &mut self.data
        };
        to[self.count] = octet;
        self.count = (self.count + 1) % 16;
        if self.count != 0 {
            return;
        }
        if !key {
            self.begin(Phase::Compute, self.kind.block_clocks());
            return;
        }
        self.key = self.loading;
        if self.kind.has_memories() {
            self.begin(Phase::Expand, self.kind.key_clocks());
        }
    }

    fn compute(&mut self, decrypt: bool) {
        let cipher = Aes128::new(&self.key.into());
        let mut block = self.data.into();
        if decrypt {
            cipher.decrypt_block(&mut block);
        } else {
            cipher.encrypt_block(&mut block);
        }
        self.data = block.into();
    }

    /// A clock passes.
    pub fn clock(&mut self, host: CoreIn) {
        if host.wipe {
            *self = Core::new(self.kind);
            return;
        }
        match self.phase {
            Phase::Take => {
                if host.valid && self.primed {
                    self.take(host.octet, host.key);
                }
                self.primed = true;
            }
            Phase::Give => {
                if self.primed && host.ready {
                    self.primed = !self.kind.has_memories();
                    self.count = (self.count + 1) % 16;
                    if self.count == 0 {
                        self.serve(Phase::Take);
                    }
                } else {
                    self.primed = true;
                }
            }
            Phase::Wipe | Phase::Expand | Phase::Compute => {
                self.left -= 1;
                if self.left == 0 {
                    let gives = self.phase == Phase::Compute;
                    if gives {
                        self.compute(host.decrypt);
                    }
                    self.serve(if gives { Phase::Give } else { Phase::Take });
                }
            }
        }
    }
}
