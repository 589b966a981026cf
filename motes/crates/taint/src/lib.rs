//! Which secrets each octet of a program depends on, and which octets the program may touch.
//!
//! A CPU keeps a shadow of its registers and tells a [`Taint`] of every access, condition and
//! operand of an instruction whose time varies. The [`Taint`] has the shadow of memory. It collects
//! what depends on a secret, whether or not the values of this run show it. It also refuses accesses
//! to octets that belong to nobody.
//!
//! Addresses are those of ELF files, as in the crate `trace`.

mod extent;
mod word;

pub use extent::{Extent, Extents};
pub use word::{Sum, and, any, or, sum, zero};

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// A set of secrets, one bit for each.
pub type Secrets = u32;

/// The shadow of a CPU's registers.
pub trait Registers: Default + Send {
    /// Octet `index` of the registers, in an order that the CPU defines.
    fn octet(&mut self, index: usize) -> &mut Secrets;

    /// No flag depends on a secret any more.
    fn forget_flags(&mut self);
}

/// How a secret shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It decides which instruction is next, or whether an instruction takes effect.
    Branch,
    /// It is part of an address.
    Address,
    /// It is an operand of an instruction whose time depends on its operands.
    Time,
}

/// Something that depends on secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// Address of the instruction.
    pub pc: u32,
    /// How it shows.
    pub kind: Kind,
    /// The secrets.
    pub secrets: Secrets,
}

/// An access to an octet that belongs to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The octet.
    pub address: u32,
    /// Write, else read.
    pub write: bool,
}

/// How often a condition held and did not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Times it held.
    pub held: u64,
    /// Times it did not.
    pub failed: u64,
}

/// A piece of memory and its shadow.
#[derive(Clone, Debug)]
struct Window {
    start: u32,
    /// One for each octet; empty for memory that cannot be written.
    secrets: Vec<Secrets>,
    /// Whether the program may touch the octet.
    owned: Vec<bool>,
}

impl Window {
    #[inline(always)]
    fn at(&self, address: u32) -> Option<usize> {
        let at = address.wrapping_sub(self.start) as usize;
        (at < self.owned.len()).then_some(at)
    }
}

/// The shadow of a program's memory, and what was found.
#[derive(Clone, Debug, Default)]
pub struct Taint {
    windows: Vec<Window>,
    pc: u32,
    /// The octets of the stack that are in use.
    stack: Range<u32>,
    found: BTreeMap<(u32, Kind), Secrets>,
    conditions: HashMap<u32, Sides>,
    stray: Option<Stray>,
    written: Option<u32>,
}

impl Taint {
    /// Adds memory from `start`, of which nobody owns an octet yet. What can be written may hold
    /// secrets.
    pub fn add_window(&mut self, start: u32, octets: u32, writable: bool) {
        let octets = octets as usize;
        let secrets = vec![0; if writable { octets } else { 0 }];
        let owned = vec![false; octets];
        self.windows.push(Window {
            start,
            secrets,
            owned,
        });
    }

    /// Says whether the program may touch these octets. Octets outside all memory do not count.
    pub fn own(&mut self, range: Range<u32>, owned: bool) {
        for window in &mut self.windows {
            let length = window.owned.len();
            let begin = (range.start.saturating_sub(window.start) as usize).min(length);
            let end = (range.end.saturating_sub(window.start) as usize).min(length);
            window.owned[begin..end.max(begin)].fill(owned);
        }
    }

    /// These octets depend on these secrets, and on no other.
    pub fn mark(&mut self, range: Range<u32>, secrets: Secrets) {
        for window in &mut self.windows {
            let length = window.secrets.len();
            let begin = (range.start.saturating_sub(window.start) as usize).min(length);
            let end = (range.end.saturating_sub(window.start) as usize).min(length);
            window.secrets[begin..end.max(begin)].fill(secrets);
        }
    }

    /// What an octet of memory depends on.
    pub fn of(&self, address: u32) -> Secrets {
        self.octet(address).unwrap_or(0)
    }

    /// Forgets what was found, but not what octets depend on.
    pub fn start(&mut self) {
        self.found.clear();
        self.conditions.clear();
        self.stray = None;
    }

    /// An instruction begins. `stack` are the octets of the stack that are in use before it.
    #[inline(always)]
    pub fn begin(&mut self, pc: u32, stack: Range<u32>) {
        self.pc = pc;
        self.stack = stack;
        self.written = None;
    }

    /// Something shows the secrets.
    #[inline(always)]
    pub fn note(&mut self, kind: Kind, secrets: Secrets) {
        if secrets != 0 {
            self.remember(kind, secrets);
        }
    }

    #[cold]
    fn remember(&mut self, kind: Kind, secrets: Secrets) {
        *self.found.entry((self.pc, kind)).or_default() |= secrets;
    }

    /// A condition was decided, with the help of these secrets.
    #[inline(always)]
    pub fn condition(&mut self, held: bool, secrets: Secrets) {
        let sides = self.conditions.entry(self.pc).or_default();
        if held {
            sides.held += 1;
        } else {
            sides.failed += 1;
        }
        self.note(Kind::Branch, secrets);
    }

    /// Reads octets at an address that depends on `of`.
    #[inline(always)]
    pub fn read<const N: usize>(&mut self, address: u32, of: Secrets) -> [Secrets; N] {
        self.note(Kind::Address, of);
        self.check::<N>(address, false);
        std::array::from_fn(|i| self.octet(address.wrapping_add(i as u32)).unwrap_or(0) | of)
    }

    /// Writes octets at an address that depends on `of`.
    #[inline(always)]
    pub fn write<const N: usize>(&mut self, address: u32, of: Secrets, octets: [Secrets; N]) {
        self.note(Kind::Address, of);
        self.check::<N>(address, true);
        self.put(address, octets.map(|octet| octet | of));
    }

    /// The stack grows to `lowest`, before the instruction writes there.
    #[inline(always)]
    pub fn begin_push(&mut self, lowest: u32) {
        self.stack.start = self.stack.start.min(lowest);
    }

    /// Address of the octets that the instruction wrote last, if it wrote any.
    pub fn written(&self) -> Option<u32> {
        self.written
    }

    /// The first access to an octet that belongs to nobody.
    #[inline(always)]
    pub fn stray(&self) -> Option<Stray> {
        self.stray
    }

    /// What was found, by address.
    pub fn dependences(&self) -> Vec<Dependence> {
        let found = self.found.iter();
        found
            .map(|(&(pc, kind), &secrets)| Dependence { pc, kind, secrets })
            .collect()
    }

    /// The conditions met, by address.
    pub fn conditions(&self) -> BTreeMap<u32, Sides> {
        self.conditions
            .iter()
            .map(|(pc, sides)| (*pc, *sides))
            .collect()
    }

    #[inline(always)]
    fn octet(&self, address: u32) -> Option<Secrets> {
        self.windows.iter().find_map(|window| {
            let at = window.at(address)?;
            window.secrets.get(at).copied()
        })
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, address: u32, octets: [Secrets; N]) {
        self.written = Some(address);
        for (i, octet) in octets.into_iter().enumerate() {
            let address = address.wrapping_add(i as u32);
            for window in &mut self.windows {
                if let Some(place) = window.at(address).and_then(|at| window.secrets.get_mut(at)) {
                    *place = octet;
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn check<const N: usize>(&mut self, address: u32, write: bool) {
        for address in (0..N as u32).map(|i| address.wrapping_add(i)) {
            let mine = self.stack.contains(&address)
                || self
                    .windows
                    .iter()
                    .any(|window| window.at(address).is_some_and(|at| window.owned[at]));
            if !mine && self.stray.is_none() {
                self.stray = Some(Stray { address, write });
            }
        }
    }
}
