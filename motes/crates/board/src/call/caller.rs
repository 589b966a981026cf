//! A call by the rules of any ABI: registers are filled, instructions run until the function
//! returns, and what it did is counted.

use super::follow::{self, Follower, Guard, Window};
use super::heap::Heap;
use super::record::{Recorder, Watch};
use super::{CallError, CallOptions, CallResult, Callee, Follow, Trace, Value};
use crate::elf::Elf;
use crate::fault::MoteFault;
use std::ops::Range;
use std::sync::Arc;
use taint::{Registers, Secrets, Taint};
use trace::{NoTrace, Tracer};

/// Seed of what memory holds before start-up code runs.
pub(super) const SEED: u64 = 0x6D77;

/// A CPU with its memory, and how its ABI calls a function. Addresses are those of ELF files.
pub(super) trait Abi: Send {
    /// Octets of an address.
    const POINTER_OCTETS: u8;
    /// Return address that ends a call.
    const TRAP: u32;
    /// Other state that a function must restore besides its saved registers. The text ends an error
    /// message.
    const ALSO: &'static str = "";

    /// Memory becomes as start-up code leaves it.
    fn restore(&mut self);

    /// Copies octets out of memory; `None`: there is no memory.
    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>>;

    /// Copies octets into memory; false: there is no memory.
    fn write(&mut self, address: u32, octets: &[u8]) -> bool;

    /// A function may lie at this address.
    fn holds_code(&self, address: u32) -> bool;

    /// Sets registers and stack as the caller leaves them. `heap` is the RAM that is free. The
    /// result is the SP that the function must leave behind.
    fn enter(&mut self, function: u32, args: &[Value], heap: &Heap) -> Result<u32, CallError>;

    /// Executes one instruction and lets the tracer see what it did. An error is the address of
    /// the instruction and what is wrong with it.
    fn step<T: Tracer>(&mut self, tracer: &mut T) -> Result<(), (u32, String)>;

    /// Address of the next instruction.
    fn pc(&self) -> u32;

    /// Cycles since the call began.
    fn cycles(&self) -> u64;

    /// The CPU sleeps: nothing would wake it.
    fn asleep(&self) -> bool;

    /// The stack pointer.
    fn sp(&self) -> u32;

    /// False after the program has written one half of the stack pointer, until it writes the
    /// other.
    #[inline(always)]
    fn sp_is_whole(&self) -> bool {
        true
    }

    /// The lowest value that SP may have when the RAM from `free` on is free.
    fn lowest_sp(free: u32) -> u32 {
        free
    }

    /// Names of the registers, without SP, that the function should have restored but did not.
    fn changed(&self) -> Vec<String>;

    /// The result registers, first register in the lowest bits.
    fn value(&self) -> u64;

    /// Octets of the conditional jump at `pc`, if there is one.
    fn jump_at(&self, pc: u32) -> Option<u32>;

    /// The shadow of the registers.
    type Shadow: Registers;
    /// Octets of [`Abi::registers`] that hold a result.
    const RESULT: Range<usize>;

    /// Memory that a function may use.
    fn windows(&self) -> Vec<Window>;

    /// The octets of the stack that are in use.
    fn stack(&self) -> Range<u32>;

    /// The octets of the registers that pass arguments, in the order of [`Abi::Shadow`].
    fn registers(&self) -> Vec<u8>;

    /// At the first instruction of a function: where it returns to, with which SP.
    fn call_ends(&self) -> (u32, u32);

    /// Follows the instruction that is next.
    fn follow(&mut self, shadow: &mut Self::Shadow, taint: &mut Taint);
}

/// An executable in the memory of a CPU, ready to be called.
pub(super) struct Caller<A> {
    elf: Arc<Elf>,
    heap: Heap,
    abi: A,
    /// Since the first call that was followed.
    guard: Option<Guard>,
}

impl<A: Abi> Caller<A> {
    /// Calls functions of `elf`, which is loaded into the memory of `abi`. `heap` is the RAM that
    /// the executable leaves free.
    pub(super) fn new(elf: Arc<Elf>, heap: Heap, abi: A) -> Caller<A> {
        let guard = None;
        Caller {
            elf,
            heap,
            abi,
            guard,
        }
    }

    /// Runs until the function returns. The result is the number of its instructions, and the
    /// lowest SP.
    fn run<T: Tracer + Watch<A>>(
        &mut self,
        tracer: &mut T,
        limit: u64,
    ) -> Result<(u64, u32), CallError> {
        let Caller { elf, heap, abi, .. } = self;
        let floor = A::lowest_sp(heap.mark());
        let (mut instructions, mut lowest_sp) = (0, abi.sp());
        let mut previous = abi.pc();
        let stop = |pc: u32, previous: u32, cycles: u64, reason: &str| {
            MoteFault::new(elf, pc, previous, cycles, reason)
        };
        while abi.pc() != A::TRAP {
            if abi.cycles() > limit {
                let at = stop(abi.pc(), previous, abi.cycles(), "still running");
                return Err(CallError::CycleLimit { limit, at });
            }
            let pc = abi.pc();
            if let Err(reason) = tracer.before(abi) {
                return Err(stop(pc, previous, abi.cycles(), &reason).into());
            }
            if let Err((pc, reason)) = abi.step(tracer) {
                return Err(stop(pc, previous, abi.cycles(), &reason).into());
            }
            tracer.retired(abi.cycles(), abi.sp());
            if abi.sp_is_whole() {
                lowest_sp = lowest_sp.min(abi.sp());
            }
            previous = pc;
            instructions += 1;
            let reason = if lowest_sp < floor {
                "the stack has grown into the data below it"
            } else if abi.asleep() {
                "the CPU was put to sleep inside a call"
            } else {
                continue;
            };
            return Err(stop(abi.pc(), previous, abi.cycles(), reason).into());
        }
        Ok((instructions, lowest_sp))
    }

    /// A call that is followed.
    fn call_followed(
        &mut self,
        function: u32,
        args: &[Value],
        options: &CallOptions,
        follow: &Follow,
    ) -> Result<CallResult, CallError> {
        let Caller { elf, heap, abi, .. } = self;
        let marks = follow::arguments(abi, function, args, heap, &follow.arguments)?;
        let sp = abi.enter(function, args, heap)?;
        let windows = abi.windows();
        let mut guard = self
            .guard
            .take()
            .unwrap_or_else(|| Guard::new(elf, &windows));
        let recorder = Recorder::new(Trace::Hash);
        let mut follower = Follower::<A>::new(&mut guard, recorder, follow, heap.room());
        follower.mark_arguments(abi.stack(), &marks);
        let ran = self.run(&mut follower, options.cycle_limit);
        let found = follower.result();
        self.guard = Some(guard);
        let (instructions, lowest_sp) = ran?;
        self.check_kept(function, sp)?;
        Ok(CallResult {
            value: self.abi.value(),
            cycles: self.abi.cycles(),
            instructions,
            stack_octets: sp - lowest_sp,
            ..found
        })
    }

    /// Refuses a function that has changed registers which the ABI keeps.
    fn check_kept(&self, function: u32, sp: u32) -> Result<(), CallError> {
        let mut changed = self.abi.changed();
        if self.abi.sp() != sp {
            changed.push("SP".into());
        }
        if changed.is_empty() {
            return Ok(());
        }
        let (changed, also) = (changed.join(", "), A::ALSO);
        let reason =
            format!("the function returned with {changed} changed; the ABI keeps them{also}");
        let cycles = self.abi.cycles();
        Err(MoteFault::new(&self.elf, function, function, cycles, reason).into())
    }
}

/// There is no memory for `length` octets at `address`.
fn no_memory(address: u32, length: usize) -> CallError {
    CallError::NoMemory {
        address: address as usize,
        length,
    }
}

impl<A: Abi> Callee for Caller<A> {
    fn pointer_octets(&self) -> u8 {
        A::POINTER_OCTETS
    }

    fn reset(&mut self) {
        self.abi.restore();
        self.heap.reset();
        self.guard = None;
    }

    fn allocate(&mut self, octets: usize, align: usize) -> Result<u32, CallError> {
        self.heap.allocate(octets, align)
    }

    fn mark(&self) -> u32 {
        self.heap.mark()
    }

    fn release(&mut self, mark: u32) {
        self.heap.release(mark);
    }

    fn read(&self, address: u32, length: usize) -> Result<Vec<u8>, CallError> {
        let octets = self.abi.read(address, length);
        octets.ok_or_else(|| no_memory(address, length))
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> Result<(), CallError> {
        let written = self.abi.write(address, octets);
        if let Some(guard) = &mut self.guard {
            guard.mark(address..address.saturating_add(octets.len() as u32), 0);
        }
        written
            .then_some(())
            .ok_or_else(|| no_memory(address, octets.len()))
    }

    fn mark_secret(&mut self, address: u32, octets: u32, secrets: Secrets) {
        let (elf, windows) = (&self.elf, self.abi.windows());
        let guard = self.guard.get_or_insert_with(|| Guard::new(elf, &windows));
        guard.mark(address..address.saturating_add(octets), secrets);
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Value],
        options: &CallOptions,
    ) -> Result<CallResult, CallError> {
        if !self.abi.holds_code(function) {
            return Err(no_memory(function, 2));
        }
        if let Some(follow) = &options.follow {
            return self.call_followed(function, arguments, options, follow);
        }
        let sp = self.abi.enter(function, arguments, &self.heap)?;
        let mut recorder = Recorder::new(options.trace);
        let (instructions, lowest_sp) = match options.trace {
            Trace::Off => self.run(&mut NoTrace, options.cycle_limit)?,
            Trace::Hash | Trace::Full => self.run(&mut recorder, options.cycle_limit)?,
        };
        self.check_kept(function, sp)?;
        let branches = recorder.branches(A::TRAP, |pc| self.abi.jump_at(pc));
        Ok(CallResult {
            value: self.abi.value(),
            cycles: self.abi.cycles(),
            instructions,
            stack_octets: sp - lowest_sp,
            ..recorder.result(branches)
        })
    }
}
