//! The core's state, one instruction at a time, and what a board does with it.

use crate::alu::Flags;
use crate::bus::{Bus, Cause, Fault};
use crate::cache::{self, Cache, Slot};
use crate::nvic::{Exceptions, FIRST_INTERRUPT, INTERRUPTS, NMI};
use crate::prefetch::Prefetch;
use crate::system::{CycleCounter, SCR_SLEEPDEEP, Scb, SysTick};
use crate::timing::Timing;
use trace::{Step, Tracer, Watched};

/// Index of the stack pointer in [`Cpu::regs`].
pub(crate) const SP: usize = 13;
/// Index of the link register.
pub(crate) const LR: usize = 14;
/// Index of the program counter.
pub(crate) const PC: usize = 15;

/// What ends a run besides a lockup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halt {
    /// Faults of the architecture end the run with [`Fault::Exception`] instead of entering a
    /// handler.
    pub faults: bool,
    /// BKPT ends the run too.
    pub breakpoints: bool,
}

/// Why [`Cpu::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The cycle counter reached the limit.
    Limit,
    /// The last instruction accessed an address at or above 0x40000000: levels and deadlines may
    /// have changed.
    Device,
    /// WFI or WFE (or SLEEPONEXIT): nothing will happen before an interrupt or event.
    Sleep,
    /// The PC reached the address given as stop.
    Address,
}

/// What the core waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sleep {
    Awake,
    /// WFI, SLEEPONEXIT.
    Interrupt,
    /// WFE.
    Event,
}

/// One Cortex-M.
#[derive(Clone, Debug)]
pub struct Cpu {
    /// R0..R15: R13 the stack pointer in use, R15 the address of the next instruction.
    pub regs: [u32; 16],
    /// Clock cycles of the core since the beginning, sleep told by [`Cpu::idle`] included.
    pub cycles: u64,
    /// What ends a run.
    pub halt: Halt,
    pub(crate) flags: Flags,
    /// Q.
    pub(crate) q: bool,
    /// GE, four bits; 0 without the DSP extension.
    pub(crate) ge: u8,
    /// S0 to S31 of the FPU.
    pub singles: [u32; 32],
    /// FPSCR.
    pub fpscr: u32,
    /// ITSTATE; 0 outside IT blocks.
    pub(crate) it: u8,
    /// EPSR.T.
    pub(crate) thumb: bool,
    /// IPSR.
    pub(crate) ipsr: usize,
    /// The stack pointer that is not in use.
    pub(crate) other_sp: u32,
    /// CONTROL.nPRIV.
    pub(crate) unprivileged: bool,
    /// CONTROL.SPSEL.
    pub(crate) process_stack: bool,
    pub(crate) primask: bool,
    pub(crate) faultmask: bool,
    pub(crate) basepri: u8,
    /// The local monitor of LDREX and STREX.
    pub(crate) exclusive: bool,
    /// The event register of WFE.
    pub(crate) event: bool,
    pub(crate) sleep: Sleep,
    /// The access being made is one of LDRT, STRT and so on.
    pub(crate) as_user: bool,
    /// EXC_RETURN, between the instruction that loaded it and the return.
    pub(crate) returning: Option<u32>,
    /// The handler that was entered last, and the cycle in which its first instruction may start.
    pub(crate) entered: Option<(usize, u64)>,
    pub(crate) exceptions: Exceptions,
    pub(crate) scb: Scb,
    pub(crate) tick: SysTick,
    pub(crate) dwt: CycleCounter,
    pub(crate) timing: Timing,
    pub(crate) cache: Cache,
    pub(crate) prefetch: Prefetch,
    /// `meta` of the instruction before.
    pub(crate) previous: u32,
    /// Cycle in which the write buffer is empty.
    pub(crate) buffered: u64,
    /// Cycle from which [`Cpu::attend`] must look before the next instruction.
    pub(crate) attention: u64,
    /// An instruction accessed a device.
    pub(crate) touched: bool,
    /// The instruction that executes reloads the pipeline.
    pub(crate) jumped: bool,
    pub(crate) last_pc: u32,
    last_fault: Option<(u32, Cause)>,
    priority_bits: u32,
}

impl<B: Bus> Step<B> for Cpu {
    type Fault = Fault;

    /// One instruction, or the entry to an exception, or a return from one. Asleep with no cause to
    /// wake it does nothing and takes 0 cycles.
    #[inline]
    fn step_traced<T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<u32, Fault> {
        let start = self.cycles;
        if start < self.attention || self.attend(&mut Watched { bus, tracer })? {
            self.instruction(bus, tracer)?;
        }
        Ok((self.cycles - start) as u32)
    }
}

impl Cpu {
    /// A core with these timing rules. Call [`Cpu::reset`] or set registers before the first step.
    pub fn new(timing: Timing) -> Cpu {
        const PRIORITY_BITS: u32 = 3;
        Cpu {
            regs: [0; 16],
            cycles: 0,
            halt: Halt::default(),
            flags: Flags::from_psr(0),
            q: false,
            ge: 0,
            singles: [0; 32],
            fpscr: 0,
            it: 0,
            thumb: true,
            ipsr: 0,
            other_sp: 0,
            unprivileged: false,
            process_stack: false,
            primask: false,
            faultmask: false,
            basepri: 0,
            exclusive: false,
            event: false,
            sleep: Sleep::Awake,
            as_user: false,
            returning: None,
            entered: None,
            exceptions: Exceptions::new(PRIORITY_BITS),
            scb: Scb::new(0, timing.core.aligned_only()),
            tick: SysTick::default(),
            dwt: CycleCounter::default(),
            timing,
            cache: Cache::new(),
            prefetch: Prefetch::new(&timing),
            previous: 0,
            buffered: 0,
            attention: 0,
            touched: false,
            jumped: false,
            last_pc: 0,
            last_fault: None,
            priority_bits: PRIORITY_BITS,
        }
    }

    /// Bits of priority that the chip implements, 1–8; 3 (as the CC2538 has) if it is not called.
    /// Before reset.
    pub fn set_priority_bits(&mut self, bits: u32) {
        self.priority_bits = bits;
        self.exceptions = Exceptions::new(bits);
    }

    /// The timing rules.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Changes the timing rules; decoded instructions are dropped, for they know their cycles.
    pub fn set_timing(&mut self, timing: Timing) {
        self.timing = timing;
        self.prefetch = Prefetch::new(&timing);
        self.cache.clear();
    }

    /// Reset: all of the core to its reset state, VTOR to `vectors`, SP and PC from there.
    /// `cycles`, the decoded instructions and the levels of the interrupt lines stay.
    pub fn reset<B: Bus>(&mut self, bus: &mut B, vectors: u32) -> Result<(), Fault> {
        let lines = self.exceptions.lines;
        let old = std::mem::replace(self, Cpu::new(self.timing));
        (self.cycles, self.halt, self.cache, self.last_pc) =
            (old.cycles, old.halt, old.cache, old.last_pc);
        self.set_priority_bits(old.priority_bits);
        self.scb = Scb::new(vectors, self.timing.core.aligned_only());
        for number in lines.iter() {
            self.exceptions.lines.put(number, true);
            self.exceptions.pending.put(number, true);
        }
        self.regs[LR] = u32::MAX;
        let mut word = |addr| {
            bus.read32(addr)
                .map_err(|error| Fault::NoVectors { addr, error })
        };
        self.regs[SP] = word(vectors)?.value & !3;
        let start = word(vectors.wrapping_add(4))?.value;
        self.thumb = start & 1 != 0;
        self.regs[PC] = start & !1;
        self.request_attention();
        Ok(())
    }

    #[inline(always)]
    fn instruction<B: Bus, T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<(), Fault> {
        let mut slot = self.cache.slot(self.regs[PC]);
        if slot.tag != self.regs[PC] {
            self.regs[PC] &= !1;
            slot = match self.decode(self.regs[PC], bus) {
                Ok(slot) => slot,
                Err(cause) => {
                    return self.fault(cause, self.regs[PC], &mut Watched { bus, tracer });
                }
            };
        }
        let Slot { tag: pc, op, meta } = slot;
        tracer.pc(pc);
        self.last_pc = pc;
        self.cycles = self
            .prefetch
            .wait_for(pc, cache::last_word(pc, meta), self.cycles, bus);
        let unusual = u32::from(self.it) | meta & cache::WRITES_SP != 0;
        let before = (self.flags, self.it);
        if unusual && !self.passes(&slot) {
            return Ok(());
        }
        let start = self.cycles;
        let outcome = self.execute(op, meta, pc, start, bus, tracer);
        self.previous = meta;
        match outcome {
            Ok(next) => {
                (self.cycles, self.regs[PC]) = (next.cycles, next.pc);
                if next.jumped {
                    self.previous = 0;
                    self.cycles = self.prefetch.refill(next.pc, self.cycles, bus);
                }
                if unusual {
                    self.finish(meta, before);
                }
                Ok(())
            }
            Err(cause) => {
                self.cycles = start;
                self.fault(cause, pc, &mut Watched { bus, tracer })
            }
        }
    }

    /// Fetches and decodes an instruction. It takes no emulated time.
    #[cold]
    #[inline(never)]
    pub(crate) fn decode<B: Bus>(&mut self, pc: u32, bus: &mut B) -> Result<Slot, Cause> {
        let mut half = |at: u32| -> Result<u16, Cause> {
            // Devices and the system space are execute-never in the default memory map (B3.1).
            if matches!(at >> 29, 2 | 5 | 6 | 7) {
                return Err(Cause::ExecuteNever(at));
            }
            bus.code32(at & !3)
                .map(|word| (word >> (8 * (at & 2))) as u16)
                .map_err(Cause::Fetch)
        };
        let first = half(pc)?;
        let second = if crate::decode16::is_wide(first) {
            half(pc.wrapping_add(2))?
        } else {
            0
        };
        let slot = cache::decode(pc, first, second, &self.timing);
        self.cache.insert(slot);
        Ok(slot)
    }

    /// Inside an IT block: whether the condition lets the instruction execute. If not it takes one
    /// cycle.
    #[cold]
    fn passes(&mut self, slot: &Slot) -> bool {
        if self.it & 15 == 0
            || self.flags.holds(self.it >> 4)
            || matches!(slot.op, crate::op::Op::Bkpt { .. })
        {
            return true;
        }
        self.cycles += 1;
        self.regs[PC] = slot.tag.wrapping_add(cache::length(slot.meta));
        self.previous = slot.meta & cache::NARROW;
        self.advance_it();
        false
    }

    /// After an instruction in an IT block or one that may have made SP unaligned.
    #[cold]
    fn finish(&mut self, meta: u32, before: (Flags, u8)) {
        if meta & cache::WRITES_SP != 0 {
            self.regs[SP] &= !3;
        }
        if before.1 != 0 {
            if meta & cache::FLAGS_OUTSIDE_IT != 0 {
                self.flags = before.0;
            }
            self.advance_it();
        }
    }

    fn advance_it(&mut self) {
        self.it = if self.it & 7 == 0 {
            0
        } else {
            self.it & 0xe0 | self.it << 1 & 0x1f
        };
    }

    /// Pends interrupt `n` (an edge). Lines that the NVIC does not have are ignored.
    pub fn pend_irq(&mut self, n: usize) {
        if n < INTERRUPTS {
            self.pend(FIRST_INTERRUPT + n);
        }
    }

    /// Sets the level of interrupt line `n`. A high line pends its interrupt, and pends it again
    /// when its handler returns with the line still high. A low line leaves a pending interrupt
    /// pending.
    pub fn set_irq_level(&mut self, n: usize, high: bool) {
        if n >= INTERRUPTS {
            return;
        }
        let number = FIRST_INTERRUPT + n;
        let rises = high && !self.exceptions.lines.has(number);
        self.exceptions.lines.put(number, high);
        if rises {
            self.pend(number);
        }
    }

    /// Pends the non-maskable interrupt.
    pub fn pend_nmi(&mut self) {
        self.pend(NMI);
    }

    /// Sets the event register that WFE waits for (the RXEV input).
    pub fn send_event(&mut self) {
        self.event = true;
        self.request_attention();
    }

    /// Whether the core waits (WFI, WFE or SLEEPONEXIT) and has no cause to wake yet.
    pub fn sleeping(&self) -> bool {
        self.sleep != Sleep::Awake && !self.wakes()
    }

    /// SCR.SLEEPDEEP: the kind of sleep that [`Cpu::sleeping`] means.
    pub fn deep_sleep(&self) -> bool {
        self.scb.scr & SCR_SLEEPDEEP != 0
    }

    /// Lets `cycles` cycles of the core clock pass while the core sleeps; SysTick and the cycle
    /// counter count them. Do not call it for time in which the core clock stands still.
    pub fn idle(&mut self, cycles: u64) {
        self.cycles += cycles;
        self.request_attention();
        if self.tick.advance(self.cycles) {
            self.pend(crate::nvic::SYS_TICK);
        }
    }

    /// The value of [`Cpu::cycles`] at which SysTick counts to 0 next, if it is enabled.
    pub fn systick_deadline(&self) -> Option<u64> {
        self.tick.deadline()
    }

    /// Empties the pipeline. Call it after you set R15, so that the time of the next instructions
    /// does not depend on earlier ones.
    pub fn flush_pipeline(&mut self) {
        self.prefetch = Prefetch::new(&self.timing);
        (self.previous, self.buffered) = (0, 0);
    }

    /// Forgets decoded instructions in a range. Call it when something other than this core has
    /// written there: DMA, a flash controller, a debugger.
    pub fn invalidate_code(&mut self, addr: u32, octets: u32) {
        self.cache.invalidate(addr, octets);
    }

    /// Whether AIRCR.SYSRESETREQ was written; taken once.
    pub fn take_reset_request(&mut self) -> bool {
        std::mem::take(&mut self.scb.reset_request)
    }

    /// Address of the last instruction that started.
    pub fn last_pc(&self) -> u32 {
        self.last_pc
    }

    /// The last fault of the architecture and the address of its instruction. A handler may have
    /// run since.
    pub fn last_fault(&self) -> Option<(u32, Cause)> {
        self.last_fault
    }

    pub(crate) fn remember_fault(&mut self, pc: u32, cause: Cause) {
        self.last_fault = Some((pc, cause));
    }
}
