//! ECB, CBC, CTR and CCM\* around a core: the state machine of aes128_coprocessor.vhd, phase by phase,
//! and the memories of coprocessor_memory.vhd, which give a word a clock after they are asked.

use super::core::{Core, CoreIn, CoreKind, HostOut};
use super::instruction::{
    CBC_DECRYPT, CBC_ENCRYPT, CCM_SEAL, KEY, MESSAGE_LEN, OK, PARAM, SECURITY, WIPE, is_ccm,
    is_known, keeps_message, operands_of,
};
use super::state::{EMPTY, Now, Phase};

/// What goes into the coprocessor in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostIn {
    /// Forgets everything.
    pub wipe: bool,
    /// `octet` is there to be taken.
    pub valid: bool,
    /// See `valid`.
    pub octet: u8,
    /// An octet is taken if one comes.
    pub ready: bool,
}

/// Octets of the memories at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Words {
    chain: u8,
    counter: u8,
    kept: u8,
    message: u8,
}

/// What is written into the memories in a clock.
#[derive(Clone, Copy, Debug, Default)]
struct Store {
    of_block: u8,
    of_message: u16,
    chain: Option<u8>,
    counter: Option<u8>,
    kept: Option<u8>,
    message: Option<u8>,
}

/// What a clock sees: the inputs, and what becomes of them.
#[derive(Clone)]
struct Clock {
    host: HostIn,
    core: HostOut,
    to_core: CoreIn,
    out: HostOut,
    store: Store,
    /// An octet of the phase moves.
    moved: bool,
    /// It is the last one of its block.
    ends: bool,
}

/// The coprocessor without an interface.
#[derive(Clone, Debug)]
pub struct Modes {
    core: Core,
    now: Now,
    words: Words,
    chain: [u8; 16],
    counter: [u8; 16],
    kept: [u8; 16],
    message: [u8; MESSAGE_LEN],
    /// The last clock changed nothing but the time that the core still takes.
    still: bool,
}

impl Clock {
    /// An octet of the coprocessor itself goes into the core.
    fn feed(&mut self, octet: u8) {
        self.to_core.valid = true;
        self.to_core.octet = octet;
        self.moved = self.core.ready;
    }

    /// The host's octet, changed to `octet`, goes into the core.
    fn pass_in(&mut self, octet: u8) {
        self.to_core.valid = self.host.valid;
        self.to_core.octet = octet;
        self.out.ready = self.core.ready;
        self.moved = self.host.valid && self.core.ready;
    }

    /// The core's octet stays inside.
    fn keep(&mut self) {
        self.to_core.ready = true;
        self.moved = self.core.valid;
    }
}

impl Modes {
    /// After a wipe.
    pub fn new(kind: CoreKind) -> Modes {
        Modes {
            core: Core::new(kind),
            now: EMPTY,
            words: Words::default(),
            chain: [0; 16],
            counter: [0; 16],
            kept: [0; 16],
            message: [0; MESSAGE_LEN],
            still: false,
        }
    }

    /// How many clocks may pass with the inputs of the last one in which nothing changes;
    /// `None`: any number.
    pub fn quiet(&self) -> Option<u32> {
        if self.still {
            self.core.computes().map(|clocks| clocks - 1)
        } else {
            Some(0)
        }
    }

    /// Lets clocks pass in which nothing changes: at most [`Modes::quiet`].
    pub fn skip(&mut self, clocks: u32) {
        self.core.skip(clocks);
    }

    /// A clock passes; what the outputs were in it.
    pub fn clock(&mut self, host: HostIn) -> HostOut {
        let was = self.now;
        let core = self.core.out();
        let mut clock = Clock {
            host,
            core,
            to_core: CoreIn {
                wipe: host.wipe,
                decrypt: was.decrypt,
                octet: host.octet,
                ..CoreIn::default()
            },
            out: HostOut {
                busy: was.phase == Phase::Clear || core.busy,
                ..HostOut::default()
            },
            store: Store {
                of_block: was.index & 15,
                of_message: was.at,
                ..Store::default()
            },
            moved: false,
            ends: was.index == 15,
        };
        let mut next = was;
        self.phase(&was, &mut next, &mut clock);
        if clock.moved && was.phase != Phase::Operands {
            next.index = if clock.ends { 0 } else { (was.index + 1) & 31 };
        }
        if host.wipe {
            next = EMPTY;
        }
        self.end(&was, next, &clock);
        clock.out
    }

    /// The registers take their next values.
    fn end(&mut self, was: &Now, next: Now, clock: &Clock) {
        let turned = next.phase == Phase::Increment && !clock.host.wipe;
        let place = usize::from(if turned { !next.index } else { next.index } & 15);
        let words = Words {
            chain: self.chain[place],
            counter: self.counter[place],
            kept: self.kept[place],
            message: self.message[usize::from(next.at)],
        };
        let Store {
            of_block,
            of_message,
            chain,
            counter,
            kept,
            message,
        } = clock.store;
        let of_block = usize::from(of_block & 15);
        let mut wrote = false;
        for (memory, octet) in [
            (&mut self.chain, chain),
            (&mut self.counter, counter),
            (&mut self.kept, kept),
        ] {
            if let Some(octet) = octet {
                memory[of_block] = octet;
                wrote = true;
            }
        }
        if let Some(octet) = message {
            self.message[usize::from(of_message)] = octet;
            wrote = true;
        }
        let (before, computes) = (self.core.out(), self.core.computes().is_some());
        self.core.clock(clock.to_core);
        let alike = self.core.out() == before && computes == self.core.computes().is_some();
        let waits = !(clock.to_core.valid && before.ready || clock.to_core.ready && before.valid);
        self.still = *was == next && words == self.words && !wrote && alike && waits;
        self.now = next;
        self.words = words;
    }

    fn phase(&self, was: &Now, next: &mut Now, clock: &mut Clock) {
        let (host, core) = (clock.host, clock.core);
        match was.phase {
            Phase::Clear => {
                clock.store.of_block = (was.at & 15) as u8;
                clock.store.chain = Some(0);
                clock.store.counter = Some(0);
                clock.store.kept = Some(0);
                clock.store.message = Some(0);
                next.at = (was.at + 1) % MESSAGE_LEN as u16;
                next.index = 0;
                let whole = usize::from(was.at) == MESSAGE_LEN - 1;
                if whole || was.at == 15 && !keeps_message(was.code, was.status) {
                    next.phase = if was.code == WIPE {
                        Phase::Status
                    } else {
                        Phase::Instruction
                    };
                }
            }
            Phase::Instruction => {
                clock.out.ready = true;
                if host.valid {
                    instruction(next, clock);
                }
            }
            Phase::Operands => operands(was, next, clock),
            Phase::Status => {
                clock.out.octet = was.status;
                clock.out.valid = was.code != WIPE || !core.busy;
                if host.ready && clock.out.valid {
                    next.after_status(was);
                }
            }
            Phase::BlockIn => {
                let chain = if was.code == CBC_ENCRYPT {
                    self.words.chain
                } else {
                    0
                };
                clock.pass_in(host.octet ^ chain);
                clock.store.kept = clock.moved.then_some(host.octet);
                if clock.moved && clock.ends {
                    next.phase = Phase::BlockOut;
                }
            }
            Phase::BlockOut => self.block_out(was, next, clock),
            Phase::CounterIn => {
                let zero = was.last && was.index >= 14;
                clock.feed(if zero { 0 } else { self.words.counter });
                if clock.moved && clock.ends {
                    next.carry = true;
                    next.phase = if was.last {
                        Phase::StreamOut
                    } else {
                        Phase::Increment
                    };
                }
            }
            Phase::Increment => {
                clock.moved = true;
                clock.store.of_block = !was.index & 15;
                let more = u8::from(was.carry);
                clock.store.counter = Some(self.words.counter.wrapping_add(more));
                next.carry = was.carry && self.words.counter == 0xFF;
                if clock.ends {
                    next.phase = if is_ccm(was.code) {
                        Phase::StreamOut
                    } else {
                        Phase::Stream
                    };
                }
            }
            Phase::Stream => stream(was, next, clock),
            Phase::StreamOut => {
                clock.keep();
                clock.store.kept = clock.moved.then_some(core.octet);
                if clock.moved && clock.ends {
                    next.phase = match (was.last, was.code) {
                        (false, _) => Phase::MIn,
                        (true, CCM_SEAL) => Phase::TagOut,
                        (true, _) => Phase::TagIn,
                    };
                }
            }
            Phase::StartMac => {
                let [high, low] = was.m_len.to_be_bytes();
                let associated = u8::from(was.a_len != 0) << 6;
                clock.feed(match was.index {
                    0 => associated | ((was.tag_len >> 1).wrapping_sub(1) & 7) << 3 | 1,
                    14 => high,
                    15 => low,
                    _ => self.words.counter,
                });
                if clock.moved && clock.ends {
                    next.phase = Phase::MacOut;
                }
            }
            Phase::AIn => self.a_in(was, next, clock),
            Phase::MIn => self.m_in(was, next, clock),
            Phase::MacOut => {
                clock.keep();
                clock.store.chain = clock.moved.then_some(core.octet);
                if clock.moved && clock.ends {
                    next.go_on();
                }
            }
            Phase::TagOut => {
                clock.out.valid = true;
                clock.out.octet = self.words.chain ^ self.words.kept;
                clock.moved = host.ready;
                if clock.moved && was.index == was.tag_len - 1 {
                    next.finish();
                }
            }
            Phase::TagIn => {
                clock.out.ready = true;
                clock.moved = host.valid;
                if clock.moved {
                    next.different |= host.octet ^ self.words.chain ^ self.words.kept;
                    if was.index == was.tag_len - 1 {
                        next.phase = Phase::Status;
                        next.tagged = true;
                        next.status = if next.different == 0 { OK } else { SECURITY };
                    }
                }
            }
            Phase::MessageOut => {
                clock.out.valid = true;
                clock.out.octet = self.words.message;
                if host.ready {
                    clock.store.message = Some(0);
                    next.at = (was.at + 1) % MESSAGE_LEN as u16;
                    next.m_len = was.m_len - 1;
                    if was.m_len == 1 {
                        next.finish();
                    }
                }
            }
        }
    }

    fn block_out(&self, was: &Now, next: &mut Now, clock: &mut Clock) {
        let back = was.code == CBC_DECRYPT;
        clock.out.valid = clock.core.valid;
        clock.to_core.ready = clock.host.ready;
        clock.moved = clock.core.valid && clock.host.ready;
        clock.out.octet = clock.core.octet ^ if back { self.words.chain } else { 0 };
        if !clock.moved {
            return;
        }
        clock.store.chain = Some(if back {
            self.words.kept
        } else {
            clock.core.octet
        });
        if clock.ends {
            next.phase = Phase::BlockIn;
            if !was.endless {
                next.m_left = was.m_left - 16;
                if was.m_left == 16 {
                    next.finish();
                }
            }
        }
    }

    fn a_in(&self, was: &Now, next: &mut Now, clock: &mut Clock) {
        let [high, low] = was.a_len.to_be_bytes();
        let own = match (was.a_first, was.index) {
            (true, 0) => Some(high),
            (true, 1) => Some(low),
            _ => (was.a_left == 0).then_some(0),
        };
        if let Some(octet) = own {
            clock.feed(octet ^ self.words.chain);
        } else {
            clock.pass_in(clock.host.octet ^ self.words.chain);
            if clock.moved {
                next.a_left = was.a_left - 1;
            }
        }
        if clock.moved && clock.ends {
            next.a_first = false;
            next.phase = Phase::MacOut;
        }
    }

    fn m_in(&self, was: &Now, next: &mut Now, clock: &mut Clock) {
        let host = clock.host;
        if was.m_left == 0 {
            clock.feed(self.words.chain);
        } else {
            let octet = host.octet ^ self.words.kept;
            clock.out.octet = octet;
            if was.code == CCM_SEAL {
                clock.to_core.octet = host.octet ^ self.words.chain;
                clock.to_core.valid = host.valid && host.ready;
                clock.out.ready = clock.core.ready && host.ready;
                clock.out.valid = clock.core.ready && host.valid;
                clock.moved = clock.core.ready && host.valid && host.ready;
            } else {
                clock.pass_in(octet ^ self.words.chain);
                clock.store.message = clock.moved.then_some(octet);
            }
            if clock.moved {
                next.m_left = was.m_left - 1;
                next.at = (was.at + 1) % MESSAGE_LEN as u16;
            }
        }
        if clock.moved && clock.ends {
            next.phase = Phase::MacOut;
        }
    }
}

fn instruction(next: &mut Now, clock: &mut Clock) {
    let code = clock.host.octet;
    next.code = code;
    next.index = 0;
    next.phase = Phase::Operands;
    next.status = OK;
    next.tagged = false;
    next.endless = false;
    next.decrypt = false;
    if code == KEY {
        next.keyed = false;
    } else if code == WIPE {
        clock.to_core.wipe = true;
        next.keyed = false;
        next.finish();
    } else if !is_known(code) {
        next.status = PARAM;
        next.phase = Phase::Status;
    }
}

fn operands(was: &Now, next: &mut Now, clock: &mut Clock) {
    let octet = clock.host.octet;
    if was.code == KEY {
        clock.to_core.key = true;
        clock.pass_in(octet);
    } else {
        clock.out.ready = true;
        clock.moved = clock.host.valid;
    }
    if !clock.moved {
        return;
    }
    next.index = (was.index + 1) & 31;
    next.a_len = was.a_len << 8 | was.m_len >> 8;
    next.m_len = was.m_len << 8 | u16::from(octet);
    if is_ccm(was.code) {
        clock.store.of_block = (was.index + 1) & 15;
        clock.store.counter = match was.index {
            0..13 => Some(octet),
            13 => Some(0),
            14 | 15 => Some(1),
            _ => None,
        };
        if was.index == 17 {
            next.tag_len = if octet > 16 { 31 } else { octet };
            next.a_len = was.a_len;
            next.m_len = was.m_len;
        }
    } else if was.code != KEY && was.index < 16 {
        clock.store.chain = Some(octet);
        clock.store.counter = Some(octet);
    }
    if was.index == operands_of(was.code) - 1 {
        next.start();
    }
}

fn stream(was: &Now, next: &mut Now, clock: &mut Clock) {
    let (host, core) = (clock.host, clock.core);
    if was.m_left == 0 {
        clock.keep();
    } else {
        clock.out.ready = core.valid && host.ready;
        clock.out.valid = core.valid && host.valid;
        clock.to_core.ready = host.valid && host.ready;
        clock.moved = core.valid && host.valid && host.ready;
    }
    clock.out.octet = core.octet ^ host.octet;
    if clock.moved {
        if was.m_left != 0 && !was.endless {
            next.m_left = was.m_left - 1;
        }
        if clock.ends {
            next.phase = Phase::CounterIn;
            if next.m_left == 0 {
                next.finish();
            }
        }
    }
}
