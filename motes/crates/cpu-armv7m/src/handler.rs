//! Exceptions: when they are taken, entry, tail chaining, late arrival, return, faults. ARM
//! DDI0403E, section B1.5.

use crate::alu::Flags;
use crate::bus::{Bus, BusError, Cause, Fault};
use crate::cpu::{Cpu, LR, PC, SP, Sleep};
use crate::nvic::{BUS_FAULT, HARD_FAULT, MEM_MANAGE, NMI, SYS_TICK, THREAD_PRIORITY, USAGE_FAULT};
use crate::outside::Outside;
use crate::system::{CCR_NONBASETHRDENA, CCR_STKALIGN, SCR_SLEEPONEXIT};
use trace::Tracer;

/// Octets of a stacked frame.
const FRAME: u32 = 32;
/// Bits of HFSR.
const HFSR_VECTTBL: u32 = 1 << 1;
const HFSR_FORCED: u32 = 1 << 30;
const HFSR_DEBUGEVT: u32 = 1 << 31;
/// Bit 9 of a stacked xPSR: four octets of padding lie above the frame.
const PADDED: u32 = 1 << 9;

impl Cpu {
    /// Priority of what executes, mask registers included (B1.5.4).
    pub(crate) fn execution_priority(&self) -> i32 {
        let mask = match () {
            () if self.faultmask => -1,
            () if self.primask => 0,
            () => self.basepri_priority(),
        };
        mask.min(self.exceptions.active_priority())
    }

    fn basepri_priority(&self) -> i32 {
        if self.basepri == 0 {
            THREAD_PRIORITY
        } else {
            i32::from(self.exceptions.group_of(self.basepri))
        }
    }

    /// Whether a waiting core has a cause to wake: an exception that would be taken, and for WFI
    /// also one that only PRIMASK holds back; for WFE the event register.
    pub(crate) fn wakes(&self) -> bool {
        let level = match self.sleep {
            Sleep::Awake => return true,
            Sleep::Interrupt => self
                .basepri_priority()
                .min(self.exceptions.active_priority()),
            Sleep::Event if self.event => return true,
            Sleep::Event => self.execution_priority(),
        };
        self.exceptions
            .next()
            .is_some_and(|number| self.exceptions.group_priority(number) < level)
    }

    /// Does what may be due before the next instruction: exception return, SysTick, sleep,
    /// exceptions. Returns whether the instruction may execute in this step.
    #[cold]
    #[inline(never)]
    pub(crate) fn attend(&mut self, out: &mut impl Outside) -> Result<bool, Fault> {
        if let Some(value) = self.returning.take() {
            self.exception_return(value, out)?;
            return Ok(false);
        }
        if self.tick.advance(self.cycles) {
            self.pend(SYS_TICK);
        }
        if self.sleep != Sleep::Awake {
            if !self.wakes() {
                return Ok(false);
            }
            if self.sleep == Sleep::Event {
                self.event = false;
            }
            self.sleep = Sleep::Awake;
        }
        if let Some(number) = self.preempting() {
            self.enter(number, out)?;
            return Ok(false);
        }
        if !self.thumb {
            self.fault(Cause::InvalidState, self.regs[PC], out)?;
            return Ok(false);
        }
        self.attention = self.tick.deadline().unwrap_or(u64::MAX);
        Ok(true)
    }

    /// The pending exception that is to be taken now.
    fn preempting(&self) -> Option<usize> {
        let number = self.exceptions.next()?;
        (self.exceptions.group_priority(number) < self.execution_priority()).then_some(number)
    }

    /// Enters an exception: stacks registers and reads the vector. If another handler has just been
    /// entered and none of its instructions ran, the late exception takes over its frame.
    fn enter(&mut self, number: usize, out: &mut impl Outside) -> Result<(), Fault> {
        match self.entered.take() {
            Some((handler, cycle)) if cycle == self.cycles && handler == self.ipsr => {
                self.exceptions.active.put(handler, false);
                self.exceptions.pending.put(handler, true);
                self.cycles += u64::from(self.timing.late_arrival);
            }
            _ => {
                self.cycles += u64::from(self.timing.exception_entry);
                if let Err(cause) = self.push_frame(out) {
                    self.derived(cause)?;
                }
            }
        }
        self.take(number, out)
    }

    /// Stacks R0–R3, R12, LR, the return address and xPSR, and puts EXC_RETURN into LR.
    fn push_frame(&mut self, out: &mut impl Outside) -> Result<(), Cause> {
        let sp = self.regs[SP];
        let padded = self.scb.ccr & CCR_STKALIGN != 0 && sp & 4 != 0;
        let frame = sp.wrapping_sub(FRAME) & if padded { !4 } else { !0 };
        let psr = self.xpsr() & !PADDED | if padded { PADDED } else { 0 };
        let r = &self.regs;
        let words = [r[0], r[1], r[2], r[3], r[12], r[LR], r[PC], psr];
        self.regs[SP] = frame;
        self.regs[LR] = match (self.ipsr, self.process_stack) {
            (0, false) => 0xffff_fff9,
            (0, true) => 0xffff_fffd,
            _ => 0xffff_fff1,
        };
        for (addr, word) in (frame..=frame.wrapping_add(FRAME - 4))
            .step_by(4)
            .zip(words)
        {
            out.tracer().write(addr);
            let wait = out.bus().write32(addr, word).map_err(Cause::Stacking)?;
            self.cycles += u64::from(wait);
            if self.cache.may_hold(addr) {
                self.cache.invalidate(addr, 4);
            }
        }
        Ok(())
    }

    /// Starts a handler; the frame is stacked and LR holds EXC_RETURN.
    fn take(&mut self, number: usize, out: &mut impl Outside) -> Result<(), Fault> {
        self.exceptions.pending.put(number, false);
        self.exceptions.active.put(number, true);
        self.ipsr = number;
        self.select_stack(false);
        (self.it, self.exclusive, self.event, self.previous) = (0, false, true, 0);
        self.sleep = Sleep::Awake;
        self.request_attention();
        let addr = self.scb.vtor.wrapping_add(4 * number as u32);
        out.tracer().read(addr);
        match out.bus().read32(addr) {
            Ok(vector) => {
                self.thumb = vector.value & 1 != 0;
                self.regs[PC] = vector.value & !1;
                self.cycles += u64::from(vector.wait);
                self.cycles = self.prefetch.refill(self.regs[PC], self.cycles, out.bus());
                self.entered = Some((number, self.cycles));
                Ok(())
            }
            Err(error) => self.vector_fault(Cause::Vector(error), out),
        }
    }

    /// A vector cannot be read: HardFault, or lockup if it was the vector of HardFault or NMI.
    fn vector_fault(&mut self, cause: Cause, out: &mut impl Outside) -> Result<(), Fault> {
        let pc = self.last_pc;
        self.remember_fault(pc, cause);
        if self.no_fault_allowed() {
            return Err(Fault::Lockup { pc, cause });
        }
        self.scb.hfsr |= HFSR_VECTTBL;
        self.take(HARD_FAULT, out)
    }

    /// Return by a value of EXC_RETURN.
    fn exception_return(&mut self, value: u32, out: &mut impl Outside) -> Result<(), Fault> {
        let number = self.ipsr;
        let nested = self.exceptions.active.count();
        let to_thread = value & 8 != 0;
        let allowed = match value {
            0xffff_fff1 => nested > 1,
            0xffff_fff9 | 0xffff_fffd => nested == 1 || self.scb.ccr & CCR_NONBASETHRDENA != 0,
            _ => false,
        };
        let active = self.exceptions.active.has(number);
        if number != NMI {
            self.faultmask = false;
        }
        self.exceptions.deactivate(number);
        self.regs[LR] = value;
        self.request_attention();
        if !allowed || !active {
            return self.return_fault(Cause::InvalidReturn, out);
        }
        if let Some(next) = self.preempting() {
            self.cycles += u64::from(self.timing.tail_chain);
            return self.take(next, out);
        }
        self.cycles += u64::from(self.timing.exception_return);
        let process = value & 4 != 0;
        match self.pop_frame(process, to_thread, out) {
            Ok(()) => {
                (self.exclusive, self.event, self.previous) = (false, true, 0);
                self.cycles = self.prefetch.refill(self.regs[PC], self.cycles, out.bus());
                if to_thread && self.scb.scr & SCR_SLEEPONEXIT != 0 {
                    self.sleep = Sleep::Interrupt;
                }
                Ok(())
            }
            Err(cause) => self.return_fault(cause, out),
        }
    }

    /// Unstacks the registers. If that fails, nothing has changed.
    fn pop_frame(
        &mut self,
        process: bool,
        to_thread: bool,
        out: &mut impl Outside,
    ) -> Result<(), Cause> {
        let frame = *self.stack_mut(process);
        let mut words = [0; 8];
        for (addr, word) in (frame..=frame.wrapping_add(FRAME - 4))
            .step_by(4)
            .zip(&mut words)
        {
            out.tracer().read(addr);
            let read = out.bus().read32(addr).map_err(Cause::Unstacking)?;
            self.cycles += u64::from(read.wait);
            *word = read.value;
        }
        let psr = words[7];
        let number = psr as usize & 0x1ff;
        if to_thread != (number == 0) {
            return Err(Cause::InvalidReturn);
        }
        let padding = if psr & PADDED != 0 && self.scb.ccr & CCR_STKALIGN != 0 {
            4
        } else {
            0
        };
        *self.stack_mut(process) = frame.wrapping_add(FRAME) | padding;
        self.regs[..4].copy_from_slice(&words[..4]);
        (self.regs[12], self.regs[LR], self.regs[PC]) = (words[4], words[5], words[6] & !1);
        self.select_stack(process);
        self.ipsr = number & 255;
        self.flags = Flags::from_psr(psr);
        self.q = psr >> 27 & 1 != 0;
        self.it = (psr >> 25 & 3 | psr >> 8 & 0xfc) as u8;
        self.thumb = psr >> 24 & 1 != 0;
        Ok(())
    }

    /// A fault during a return: its handler starts as a tail chain; the frame stays.
    fn return_fault(&mut self, cause: Cause, out: &mut impl Outside) -> Result<(), Fault> {
        let pc = self.last_pc;
        if self.halt.faults {
            return Err(Fault::Exception { pc, cause });
        }
        let number = self.route(cause, pc)?;
        self.cycles += u64::from(self.timing.tail_chain);
        self.take(number, out)
    }

    /// A fault while stacking: its exception becomes pending. If its priority allows, it is taken as
    /// a late arrival.
    fn derived(&mut self, cause: Cause) -> Result<(), Fault> {
        let pc = self.regs[PC];
        if self.halt.faults {
            return Err(Fault::Exception { pc, cause });
        }
        let number = self.route(cause, pc)?;
        self.pend(number);
        Ok(())
    }

    /// A fault of the instruction at `pc`: its exception is entered.
    #[cold]
    #[inline(never)]
    pub(crate) fn fault(
        &mut self,
        cause: Cause,
        pc: u32,
        out: &mut impl Outside,
    ) -> Result<(), Fault> {
        self.regs[PC] = pc;
        self.entered = None;
        match cause {
            Cause::Data(error @ BusError::NotModelled(_))
            | Cause::Fetch(error @ BusError::NotModelled(_)) => {
                return Err(Fault::NotModelled { pc, error });
            }
            Cause::Breakpoint(_) if self.halt.breakpoints => {
                return Err(Fault::Exception { pc, cause });
            }
            Cause::Breakpoint(_) => {}
            _ if self.halt.faults => return Err(Fault::Exception { pc, cause }),
            _ => {}
        }
        let number = self.route(cause, pc)?;
        self.enter(number, out)
    }

    /// Writes the fault status registers. Returns the exception that results, or lockup.
    fn route(&mut self, cause: Cause, pc: u32) -> Result<usize, Fault> {
        self.remember_fault(pc, cause);
        let priority = self.execution_priority();
        let lockup = self.no_fault_allowed();
        let number = self.record(cause);
        let takes = self.exceptions.enabled.has(number)
            && self.exceptions.group_priority(number) < priority;
        match number {
            _ if lockup => Err(Fault::Lockup { pc, cause }),
            HARD_FAULT => Ok(number),
            _ if takes => Ok(number),
            _ => {
                self.scb.hfsr |= HFSR_FORCED;
                Ok(HARD_FAULT)
            }
        }
    }

    /// The bits of CFSR, HFSR, BFAR and DFSR that tell a cause (B3.2.15 to B3.2.19), and its
    /// exception.
    fn record(&mut self, cause: Cause) -> usize {
        const BFARVALID: u32 = 1 << 15;
        let (number, bits) = match cause {
            Cause::ExecuteNever(_) => (MEM_MANAGE, 1),
            Cause::Fetch(_) => (BUS_FAULT, 1 << 8),
            Cause::Data(error) => {
                self.scb.bfar = error.addr();
                (BUS_FAULT, 1 << 9 | BFARVALID)
            }
            Cause::Unstacking(_) => (BUS_FAULT, 1 << 11),
            Cause::Stacking(_) => (BUS_FAULT, 1 << 12),
            Cause::Undefined => (USAGE_FAULT, 1 << 16),
            Cause::InvalidState => (USAGE_FAULT, 1 << 17),
            Cause::InvalidReturn => (USAGE_FAULT, 1 << 18),
            Cause::NoCoprocessor => (USAGE_FAULT, 1 << 19),
            Cause::Unaligned(_) => (USAGE_FAULT, 1 << 24),
            Cause::DivideByZero => (USAGE_FAULT, 1 << 25),
            Cause::Vector(_) => {
                self.scb.hfsr |= HFSR_VECTTBL;
                (HARD_FAULT, 0)
            }
            Cause::Breakpoint(_) => {
                self.scb.hfsr |= HFSR_DEBUGEVT;
                // DFSR.BKPT.
                self.scb.dfsr |= 1 << 1;
                (HARD_FAULT, 0)
            }
            Cause::Escalated => {
                self.scb.hfsr |= HFSR_FORCED;
                (HARD_FAULT, 0)
            }
        };
        self.scb.cfsr |= bits;
        number
    }
}
