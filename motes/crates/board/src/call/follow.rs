//! Follows secrets through a call, and refuses accesses to octets that belong to nobody.

use super::caller::Abi;
use super::heap::Heap;
use super::owned::own_program;
use super::record::{Recorder, Watch};
use super::{Branch, CallError, CallResult, Follow, Value};
use crate::elf::Elf;
use std::ops::Range;
use taint::{Extents, Registers, Secrets, Stray, Taint};
use trace::Tracer;

/// Memory that a function may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// First address.
    pub(super) start: u32,
    /// Octets.
    pub(super) octets: u32,
    /// Can be written.
    pub(super) writable: bool,
    /// A function may touch all of it.
    pub(super) owned: bool,
}

impl Window {
    /// Memory of which a function may touch what belongs to it.
    pub(super) fn memory(start: u32, end: u32, writable: bool) -> Window {
        Window {
            start,
            octets: end - start,
            writable,
            owned: false,
        }
    }
}

/// The shadow of a program's memory, from call to call.
pub(super) struct Guard {
    taint: Taint,
    /// The objects of the program.
    objects: Extents,
}

impl Guard {
    /// Of a program that no call has followed yet.
    pub(super) fn new(elf: &Elf, windows: &[Window]) -> Guard {
        let (mut taint, mut objects) = (Taint::default(), Extents::default());
        for window in windows {
            taint.add_window(window.start, window.octets, window.writable);
            taint.own(window.start..window.start + window.octets, window.owned);
        }
        own_program(elf, &mut taint, &mut objects);
        Guard { taint, objects }
    }

    /// These octets were written from outside, and depend on these secrets.
    pub(super) fn mark(&mut self, range: Range<u32>, secrets: Secrets) {
        self.taint.mark(range, secrets);
    }
}

/// Sees every instruction of one call before it executes.
pub(super) struct Follower<'a, A: Abi> {
    recorder: Recorder,
    shadow: A::Shadow,
    guard: &'a mut Guard,
    buffers: Extents,
    /// Functions whose results are public.
    published: &'a [u32],
    /// Where those that run will return to, with the stack pointer they leave.
    returns: Vec<(u32, u32)>,
}

impl<'a, A: Abi> Follower<'a, A> {
    /// `heap` is the RAM from which buffers are given out.
    pub(super) fn new(
        guard: &'a mut Guard,
        recorder: Recorder,
        follow: &'a Follow,
        heap: Range<u32>,
    ) -> Follower<'a, A> {
        let mut buffers = guard.objects.clone();
        guard.taint.start();
        guard.taint.own(heap, false);
        for buffer in &follow.buffers {
            let range = buffer.address..buffer.address.saturating_add(buffer.octets);
            guard.taint.own(range.clone(), true);
            if let Some(secrets) = buffer.secrets {
                guard.taint.mark(range.clone(), secrets);
            }
            buffers.add(range, buffer.name.as_str());
        }
        Follower {
            recorder,
            shadow: A::Shadow::default(),
            guard,
            buffers,
            published: &follow.published,
            returns: Vec::new(),
        }
    }

    /// Marks what the arguments depend on, in registers and on the stack.
    pub(super) fn mark_arguments(&mut self, stack: Range<u32>, marks: &[Mark]) {
        self.guard.taint.mark(stack, 0);
        for mark in marks {
            match *mark {
                Mark::Register(octet, secrets) => *self.shadow.octet(octet) |= secrets,
                Mark::Stack(address, secrets) => {
                    let all = secrets | self.guard.taint.of(address);
                    self.guard.taint.mark(address..address + 1, all);
                }
            }
        }
    }

    /// What was found, as part of a result.
    pub(super) fn result(self) -> CallResult {
        let sides = self.guard.taint.conditions();
        let branches = sides.into_iter().map(|(address, sides)| Branch {
            address,
            taken: sides.held,
            not_taken: sides.failed,
        });
        CallResult {
            dependences: self.guard.taint.dependences(),
            ..self.recorder.result(branches.collect())
        }
    }

    fn stray(&self, Stray { address, write }: Stray, stack: Range<u32>) -> String {
        let mut all = self.buffers.clone();
        all.add(stack, "the stack");
        let (does, place) = (if write { "writes" } else { "reads" }, all.place(address));
        format!("it {does} at 0x{address:04X}, which is {place}")
    }
}

impl<A: Abi> Tracer for Follower<'_, A> {
    fn pc(&mut self, pc: u32) {
        self.recorder.pc(pc);
    }

    fn read(&mut self, addr: u32) {
        self.recorder.read(addr);
    }

    fn write(&mut self, addr: u32) {
        self.recorder.write(addr);
    }
}

impl<A: Abi> Watch<A> for Follower<'_, A> {
    fn before(&mut self, abi: &mut A) -> Result<(), String> {
        let pc = abi.pc();
        if self.returns.last() == Some(&(pc, abi.sp())) {
            self.returns.pop();
            A::RESULT.for_each(|octet| *self.shadow.octet(octet) = 0);
            self.shadow.forget_flags();
        }
        if self.published.contains(&pc) {
            self.returns.push(abi.call_ends());
        }
        let stack = abi.stack();
        self.guard.taint.begin(pc, stack.clone());
        abi.follow(&mut self.shadow, &mut self.guard.taint);
        match self.guard.taint.stray() {
            None => Ok(()),
            Some(stray) => Err(self.stray(stray, stack)),
        }
    }
}

/// An octet of an argument, and what it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// Which of [`Abi::registers`].
    Register(usize, Secrets),
    /// Its address.
    Stack(u32, Secrets),
}

/// What a CPU holds that is ready to call: its registers, where its stack is, and the stack.
struct Ready {
    registers: Vec<u8>,
    stack: Range<u32>,
    octets: Vec<u8>,
}

/// Enters the function and looks at what that makes of the CPU.
fn ready<A: Abi>(
    abi: &mut A,
    function: u32,
    args: &[Value],
    heap: &Heap,
) -> Result<Ready, CallError> {
    abi.enter(function, args, heap)?;
    let stack = abi.stack();
    let octets = abi.read(stack.start, (stack.end - stack.start) as usize);
    Ok(Ready {
        registers: abi.registers(),
        stack,
        octets: octets.unwrap_or_default(),
    })
}

/// Finds the octets in which each secret argument goes: those that differ when the function is
/// entered with another value of it.
pub(super) fn arguments<A: Abi>(
    abi: &mut A,
    function: u32,
    args: &[Value],
    heap: &Heap,
    secrets: &[Secrets],
) -> Result<Vec<Mark>, CallError> {
    let mut marks = Vec::new();
    let marked = secrets.iter().zip(0..args.len());
    for (&secrets, at) in marked.filter(|(secrets, _)| **secrets != 0) {
        let mut with = |bits| {
            let mut args = args.to_vec();
            args[at].bits = bits;
            ready(abi, function, &args, heap)
        };
        let (zeros, ones) = (with(0)?, with(u64::MAX)?);
        let differ = |a: &[u8], b: &[u8]| {
            let pairs = a.iter().zip(b).enumerate();
            let differ = pairs.filter(|(_, (a, b))| a != b).map(|(at, _)| at);
            differ.collect::<Vec<_>>()
        };
        let registers = differ(&zeros.registers, &ones.registers).into_iter();
        marks.extend(registers.map(|octet| Mark::Register(octet, secrets)));
        let stack = differ(&zeros.octets, &ones.octets).into_iter();
        marks.extend(stack.map(|octet| Mark::Stack(zeros.stack.start + octet as u32, secrets)));
    }
    Ok(marks)
}
