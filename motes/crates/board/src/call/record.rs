//! Records a run: every program counter and every data access, as hashes and as lists.

use super::{Access, Branch, CallResult, Trace};
use std::collections::BTreeMap;
use trace::{NoTrace, Tracer};

/// Sees what an instruction finds and what it leaves behind. It does nothing unless overridden.
pub(super) trait Watch<A> {
    /// An instruction begins. An error says what is wrong with it.
    #[inline(always)]
    fn before(&mut self, abi: &mut A) -> Result<(), String> {
        let _ = abi;
        Ok(())
    }

    /// An instruction has ended: cycles since the call began, and SP.
    #[inline(always)]
    fn retired(&mut self, cycles: u64, sp: u32) {
        let _ = (cycles, sp);
    }
}

impl<A> Watch<A> for NoTrace {}

impl<A> Watch<A> for Recorder {
    fn retired(&mut self, cycles: u64, sp: u32) {
        if self.full {
            self.cycles.push(cycles);
            self.sps.push(sp);
        }
    }
}

/// Records a run as [`Trace`] asks.
#[derive(Default)]
pub(super) struct Recorder {
    full: bool,
    pc_hash: u64,
    access_hash: u64,
    pcs: Vec<u32>,
    accesses: Vec<Access>,
    cycles: Vec<u64>,
    sps: Vec<u32>,
}

impl Tracer for Recorder {
    fn pc(&mut self, pc: u32) {
        self.pc_hash = mix(self.pc_hash, pc);
        if self.full {
            self.pcs.push(pc);
        }
    }

    fn read(&mut self, addr: u32) {
        self.access(addr, false);
    }

    fn write(&mut self, addr: u32) {
        self.access(addr, true);
    }
}

fn mix(hash: u64, value: u32) -> u64 {
    (hash ^ u64::from(value))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(23)
}

impl Recorder {
    pub fn new(trace: Trace) -> Recorder {
        Recorder {
            full: trace == Trace::Full,
            ..Recorder::default()
        }
    }

    /// Data is read or written.
    fn access(&mut self, address: u32, write: bool) {
        self.access_hash = mix(self.access_hash, address << 1 | u32::from(write));
        if self.full {
            let pc = self.pcs.last().copied().unwrap_or_default();
            self.accesses.push(Access { address, write, pc });
        }
    }

    /// What was recorded, as part of a result. `branches` are those of [`Recorder::branches`].
    pub fn result(self, branches: Vec<Branch>) -> CallResult {
        CallResult {
            pc_trace_hash: self.pc_hash,
            address_trace_hash: self.access_hash,
            branches,
            pc_trace: self.pcs,
            cycle_trace: self.cycles,
            sp_trace: self.sps,
            address_trace: self.accesses,
            ..CallResult::default()
        }
    }

    /// Conditional jumps met, from the list of program counters. `jump` gives the octets of the
    /// instruction at an address if it is one; `end` is where the run stopped.
    pub fn branches(&self, end: u32, jump: impl Fn(u32) -> Option<u32>) -> Vec<Branch> {
        let mut met = BTreeMap::new();
        let next = self.pcs.iter().skip(1).copied().chain([end]);
        for (&address, next) in self.pcs.iter().zip(next) {
            if let Some(octets) = jump(address) {
                let branch = met.entry(address).or_insert(Branch {
                    address,
                    taken: 0,
                    not_taken: 0,
                });
                if next == address + octets {
                    branch.not_taken += 1
                } else {
                    branch.taken += 1
                }
            }
        }
        met.into_values().collect()
    }
}
