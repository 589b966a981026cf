//! AES engine (0x4008_B000): key store, two DMA channels over the board's memories, master control,
//! and the modes of `operation` with the time each block takes.
//!
//! DMA and processing of a block share one time: octets are read and written when it is over. A
//! block begins when channel 0 has all of its octets and channel 1, where there is output, has been
//! started. DMA_IN_DONE comes when the last octet is taken in, RESULT_AV at the end of the
//! operation or of a key transfer. Each of these two flags is set only while its bit in INT_EN is
//! set. The interrupt line is a level, also with INT_CFG = 0. CCM with empty a and m waits for data
//! for ever. Hash, GCM, the tag over DMA and data through registers are refused by name.

mod key_store;
mod operation;
mod registers;

use super::{Cc2538Config, Memory};
use crate::clock::NEVER;
use crate::engine_fault::span_with;
use crate::{EngineFault, Ps};
use key_store::{Cipher, KeyStore};
use operation::{Mode, Operation, Step};

/// Bits of CTRL_INT_*.
mod int {
    constants! { pub(super) u32:
        RESULT_AV = 1 << 0,      DMA_IN_DONE = 1 << 1,    KEY_ST_RD_ERR = 1 << 29,
        KEY_ST_WR_ERR = 1 << 30, DMA_BUS_ERR = 1 << 31,
    }
}

/// Bits of CTRL_ALG_SEL.
mod alg {
    constants! { pub(super) u32:
        KEY_STORE = 1 << 0, AES = 1 << 1,       HASH = 1 << 2,      TAG = 1 << 31,
    }
}

/// Bits of AES_CTRL.
mod ctrl {
    constants! { pub(super) u32:
        OUTPUT_READY = 1 << 0,         INPUT_READY = 1 << 1,
        ENCRYPT = 1 << 2,              CBC = 1 << 5,
        CTR = 1 << 6,                  CBC_MAC = 1 << 15,
        GCM = 3 << 16,                 CCM = 1 << 18,
        SAVE_CONTEXT = 1 << 29,        SAVED_CONTEXT_READY = 1 << 30,
        CONTEXT_READY = 1 << 31,
    }
    /// ICM, CFB, XTS, F8, F9 of other members of this family of engines.
    pub(super) const OTHERS: u32 = 0x7E00;
    pub(super) const WRITABLE: u32 = 0x21FF_81E4;
}

/// What the engine does, for the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineState {
    /// No clock.
    Off,
    /// Nothing to do, or it waits for data.
    Idle,
    /// It works.
    Busy,
}

impl EngineState {
    /// Name of the state in a board's data file.
    pub fn name(self) -> &'static str {
        match self {
            EngineState::Off => "off",
            EngineState::Idle => "idle",
            EngineState::Busy => "busy",
        }
    }
}

/// A DMA channel.
#[derive(Clone, Copy, Default)]
struct Channel {
    control: u32,
    address: u32,
    left: u32,
}

impl Channel {
    fn active(&self) -> bool {
        self.control & 1 != 0 && self.left > 0
    }

    fn moved(&mut self, octets: usize) {
        self.address = self.address.wrapping_add(octets as u32);
        self.left = self.left.saturating_sub(octets as u32);
    }
}

/// What is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    /// DMA into the key store.
    KeyWrite,
    /// Key store into the core.
    KeyRead,
    /// A step of the operation.
    Block(Step),
}

/// Spans of the engine.
#[derive(Clone)]
struct Timing {
    aes_block: Ps,
    ccm_block: Ps,
    key_write: Ps,
    key_read: Ps,
}

/// The engine.
#[derive(Clone)]
pub(super) struct Aes {
    timing: Timing,
    store: KeyStore,
    read_area: u32,
    cipher: Option<Cipher>,
    channels: [Channel; 2],
    run_parameters: u32,
    bus_error: bool,
    algorithm: u32,
    protection: u32,
    int_config: u32,
    int_enable: u32,
    int_status: u32,
    control: u32,
    iv: [u8; 16],
    tag: [u8; 16],
    c_length: u64,
    a_length: u32,
    saved: bool,
    operation: Option<Operation>,
    job: Option<Job>,
    due: Ps,
    /// The time that the job still needs while the clock is gated.
    held: Option<Ps>,
    clocked: bool,
    fault: Option<EngineFault>,
}

impl Aes {
    pub(super) fn new(config: &Cc2538Config) -> Aes {
        Aes {
            timing: Timing {
                aes_block: config.aes_block,
                ccm_block: config.ccm_block,
                key_write: config.key_write,
                key_read: config.key_read,
            },
            store: KeyStore::new(),
            read_area: 8,
            cipher: None,
            channels: [Channel::default(); 2],
            run_parameters: 0x0000_6000,
            bus_error: false,
            algorithm: 0,
            protection: 0,
            int_config: 0,
            int_enable: 0,
            int_status: 0,
            control: 0,
            iv: [0; 16],
            tag: [0; 16],
            c_length: 0,
            a_length: 0,
            saved: false,
            operation: None,
            job: None,
            due: NEVER,
            held: None,
            clocked: false,
            fault: None,
        }
    }

    /// Back to reset, keys included; the gate and the defect as they are.
    pub(super) fn reset(&mut self, config: &Cc2538Config) {
        *self = Aes {
            clocked: self.clocked,
            fault: self.fault,
            ..Aes::new(config)
        };
    }

    /// From now on the engine has this defect, or none.
    pub(super) fn break_down(&mut self, fault: Option<EngineFault>) {
        self.fault = fault;
    }

    pub(super) fn due(&self) -> Ps {
        self.due
    }

    pub(super) fn interrupt(&self) -> bool {
        self.int_status != 0
    }

    pub(super) fn state(&self) -> EngineState {
        match (self.clocked, self.job) {
            (false, _) => EngineState::Off,
            (true, None) => EngineState::Idle,
            (true, Some(_)) => EngineState::Busy,
        }
    }

    /// The gate opens or closes: a job waits for its clock.
    pub(super) fn clock_changed(&mut self, now: Ps, clocked: bool) {
        if self.clocked && !clocked && self.due != NEVER {
            self.held = Some(Ps(self.due.0.saturating_sub(now.0)));
            self.due = NEVER;
        } else if clocked && let Some(left) = self.held.take() {
            self.due = now + left;
        }
        self.clocked = clocked;
    }

    /// A job is over.
    pub(super) fn advance(&mut self, now: Ps, mem: &mut dyn Memory) {
        self.due = NEVER;
        match self.job.take() {
            Some(Job::KeyWrite) => self.write_keys(mem),
            Some(Job::KeyRead) => {
                self.cipher = self.store.key(self.read_area as usize);
                if self.cipher.is_none() {
                    self.int_status |= int::KEY_ST_RD_ERR;
                }
            }
            Some(Job::Block(step)) => self.end_step(step, mem),
            None => {}
        }
        self.proceed(now);
    }

    fn raise(&mut self, flags: u32) {
        self.int_status |= flags & self.int_enable;
    }

    fn start(&mut self, now: Ps, job: Job, span: Ps) {
        if self.fault == Some(EngineFault::Deaf) {
            return;
        }
        self.job = Some(job);
        self.due = now + span_with(self.fault, span);
    }

    /// Begins what can begin now: a key transfer, or a step of the operation.
    fn proceed(&mut self, now: Ps) {
        if self.job.is_some() || self.bus_error || !self.clocked {
            return;
        }
        if self.algorithm == alg::KEY_STORE && self.channels[0].active() {
            let areas = u64::from(self.channels[0].left.div_ceil(16));
            return self.start(now, Job::KeyWrite, Ps(self.timing.key_write.0 * areas));
        }
        if self.algorithm != alg::AES || self.cipher.is_none() {
            return;
        }
        if self.operation.is_none() && self.channels[0].active() {
            self.begin();
        }
        let Some(operation) = &self.operation else {
            return;
        };
        let Some(step) = operation.next() else { return };
        let needs = step.octets() as u32;
        let [input, output] = self.channels;
        let brought = input.active() && input.left >= needs;
        let fed = match step {
            Step::First | Step::Tag => true,
            Step::Associated(_) => brought,
            Step::Data(_) => brought && (output.active() || !operation.has_output()),
        };
        if fed {
            let block = if operation.is_ccm() {
                self.timing.ccm_block
            } else {
                self.timing.aes_block
            };
            let span = Ps(block.0 * operation.blocks(step));
            self.start(now, Job::Block(step), span);
        }
    }

    /// The context is complete: an operation begins.
    fn begin(&mut self) {
        let field = |low: u32, width: u32| self.control >> low & ((1 << width) - 1);
        let mode = if self.control & ctrl::CCM != 0 {
            Mode::Ccm {
                m: field(22, 3) as u8,
                l: field(19, 3) as usize + 1,
            }
        } else if self.control & ctrl::CBC_MAC != 0 {
            Mode::CbcMac
        } else if self.control & ctrl::CTR != 0 {
            Mode::Ctr(4 * (field(7, 2) as usize + 1))
        } else if self.control & ctrl::CBC != 0 {
            Mode::Cbc
        } else {
            Mode::Ecb
        };
        let ccm = matches!(mode, Mode::Ccm { .. });
        // Outside of CCM a length of 0 means as much as DMA brings.
        let length = if self.c_length == 0 && !ccm {
            u64::from(self.channels[0].left)
        } else {
            self.c_length
        };
        let encrypt = self.control & ctrl::ENCRYPT != 0;
        self.saved = false;
        self.operation = Some(Operation::new(
            mode,
            encrypt,
            self.iv,
            self.a_length as usize,
            length as usize,
        ));
    }

    fn write_keys(&mut self, mem: &mut dyn Memory) {
        let mut octets = vec![0; self.channels[0].left as usize];
        let [channel, _] = self.channels;
        self.channels[0].left = 0;
        if mem.read(channel.address, &mut octets).is_none() {
            return self.bus_failed();
        }
        if !self.store.load(&octets) {
            self.int_status |= int::KEY_ST_WR_ERR;
        }
        self.raise(int::DMA_IN_DONE | int::RESULT_AV);
    }

    fn bus_failed(&mut self) {
        self.bus_error = true;
        self.int_status |= int::DMA_BUS_ERR;
        self.channels
            .iter_mut()
            .for_each(|channel| channel.control &= !1);
        self.operation = None;
    }

    fn end_step(&mut self, step: Step, mem: &mut dyn Memory) {
        let (Some(operation), Some(cipher)) = (&mut self.operation, &self.cipher) else {
            return;
        };
        let mut octets = vec![0; step.octets()];
        if !octets.is_empty() && mem.read(self.channels[0].address, &mut octets).is_none() {
            return self.bus_failed();
        }
        let mut out = operation.run(cipher, step, &octets);
        if self.fault == Some(EngineFault::Echo) && !out.is_empty() {
            out.clone_from(&octets);
        }
        let finished = operation.finished();
        let (iv, tag) = (operation.iv(), operation.tag());
        self.channels[0].moved(octets.len());
        if !out.is_empty() {
            if mem.write(self.channels[1].address, &out).is_none() {
                return self.bus_failed();
            }
            self.channels[1].moved(out.len());
        }
        if !octets.is_empty() && self.channels[0].left == 0 {
            self.raise(int::DMA_IN_DONE);
        }
        if finished {
            self.operation = None;
            if self.control & ctrl::SAVE_CONTEXT != 0 {
                self.iv = iv;
                if self.fault != Some(EngineFault::Echo) {
                    self.tag = tag.unwrap_or(self.tag);
                }
                self.saved = true;
            }
            self.raise(int::RESULT_AV);
        }
    }

    /// Stops what goes on.
    fn stop(&mut self) {
        self.job = None;
        self.held = None;
        self.due = NEVER;
        self.operation = None;
    }
}
