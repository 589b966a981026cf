//! Branches, IT, sleep, barriers and the special registers.

use crate::alu::Flags;
use crate::bus::Cause;
use crate::cache;
use crate::core::Core;
use crate::cpu::{Cpu, PC, SP, Sleep};
use crate::nvic::SV_CALL;

/// Numbers of the special registers in MRS and MSR (B5.1.1).
mod special {
    pub const MSP: u8 = 8;
    pub const PSP: u8 = 9;
    pub const PRIMASK: u8 = 16;
    pub const BASEPRI: u8 = 17;
    pub const BASEPRI_MAX: u8 = 18;
    pub const FAULTMASK: u8 = 19;
    pub const CONTROL: u8 = 20;
}

/// Values of the PC from here on return from an exception when a handler loads them.
pub(crate) const EXC_RETURN: u32 = 0xf000_0000;

impl Cpu {
    /// Changes the PC. The pipeline is reloaded in `refill` cycles; the prefetch unit follows.
    pub(crate) fn jump(&mut self, target: u32, refill: u32) {
        self.regs[PC] = target;
        self.cycles += u64::from(refill);
        self.jumped = true;
    }

    /// BX and what behaves like it: bit 0 becomes T, and in a handler EXC_RETURN returns (not for
    /// BLX).
    pub(crate) fn exchange(
        &mut self,
        target: u32,
        refill: u32,
        may_return: bool,
    ) -> Result<(), Cause> {
        if target >= EXC_RETURN && self.ipsr != 0 && may_return {
            self.returning = Some(target);
            self.request_attention();
            return Ok(());
        }
        self.thumb = target & 1 != 0;
        if !self.thumb {
            self.request_attention();
        }
        self.jump(target & !1, refill);
        Ok(())
    }

    pub(crate) fn begin_it(&mut self, state: u8) -> Result<(), Cause> {
        self.it = state;
        // Conditional instructions need full steps.
        self.request_attention();
        if self.previous & cache::NARROW != 0 {
            self.cycles = self.cycles + u64::from(self.timing.folded_it) - 1;
        }
        Ok(())
    }

    /// DMB and DSB: the write buffer is empty after them; ISB reloads the pipeline too.
    pub(crate) fn barrier(&mut self, flush: bool) -> Result<(), Cause> {
        self.cycles = self.cycles.max(self.buffered) + u64::from(self.timing.barrier);
        if flush {
            self.jump(self.regs[PC], self.timing.refill_barrier);
        }
        Ok(())
    }

    pub(crate) fn wait(&mut self, kind: Sleep) -> Result<(), Cause> {
        if kind == Sleep::Interrupt || !std::mem::take(&mut self.event) {
            self.sleep = kind;
            self.request_attention();
        }
        Ok(())
    }

    /// SVC: its exception is taken before the next instruction, or escalates if its priority does
    /// not let it through.
    pub(crate) fn supervisor_call(&mut self) -> Result<(), Cause> {
        if self.exceptions.group_priority(SV_CALL) >= self.execution_priority() {
            return Err(Cause::Escalated);
        }
        self.pend(SV_CALL);
        Ok(())
    }

    pub(crate) fn change_masks(
        &mut self,
        disable: bool,
        primask: bool,
        faultmask: bool,
    ) -> Result<(), Cause> {
        if self.privileged() {
            if primask {
                self.primask = disable;
            }
            // FAULTMASK cannot be set at the priority of HardFault or NMI.
            if faultmask && !(disable && self.no_fault_allowed()) {
                self.faultmask = disable;
            }
            self.request_attention();
        }
        Ok(())
    }

    pub(crate) fn special_register(&mut self, register: u8) -> u32 {
        let privileged = self.privileged();
        let (msp, psp) = (self.msp(), self.psp());
        match register {
            // APSR (bit 2 clear) and IPSR (bit 0 set); T and IT read as 0.
            0..=7 => {
                let flags = if register & 4 == 0 {
                    self.xpsr() & 0xf80f_0000
                } else {
                    0
                };
                let number = if register & 1 != 0 && privileged {
                    self.exception()
                } else {
                    0
                };
                flags | number
            }
            special::CONTROL => self.control(),
            _ if !privileged => 0,
            special::MSP => msp,
            special::PSP => psp,
            special::PRIMASK => u32::from(self.primask),
            special::BASEPRI | special::BASEPRI_MAX => u32::from(self.basepri),
            special::FAULTMASK => u32::from(self.faultmask),
            _ => 0,
        }
    }

    pub(crate) fn set_special_register(
        &mut self,
        register: u8,
        mask: u8,
        value: u32,
    ) -> Result<(), Cause> {
        match register {
            0..=3 if mask != 0 => {
                if mask & 2 != 0 {
                    self.flags = Flags::from_psr(value);
                    self.q = value >> 27 & 1 != 0;
                }
                if mask & 1 != 0 && self.timing.core == Core::CortexM4 {
                    self.ge = (value >> 16 & 15) as u8;
                }
            }
            _ if !self.privileged() => {}
            special::MSP => *self.stack_mut(false) = value & !3,
            special::PSP => *self.stack_mut(true) = value & !3,
            special::PRIMASK => self.primask = value & 1 != 0,
            special::BASEPRI => self.basepri = value as u8 & self.exceptions.priority_mask,
            special::BASEPRI_MAX => {
                let wanted = value as u8 & self.exceptions.priority_mask;
                if wanted != 0 && (self.basepri == 0 || wanted < self.basepri) {
                    self.basepri = wanted;
                }
            }
            special::FAULTMASK if value & 1 == 0 || !self.no_fault_allowed() => {
                self.faultmask = value & 1 != 0
            }
            special::CONTROL => {
                self.unprivileged = value & 1 != 0;
                // SPSEL is read-only in a handler.
                if self.ipsr == 0 {
                    self.select_stack(value & 2 != 0);
                }
            }
            _ => {}
        }
        self.request_attention();
        Ok(())
    }

    /// Makes R13 the process stack pointer or the main one.
    pub(crate) fn select_stack(&mut self, process: bool) {
        if process != self.process_stack {
            std::mem::swap(&mut self.regs[SP], &mut self.other_sp);
            self.process_stack = process;
        }
    }

    /// One of the two stack pointers, wherever it is.
    pub(crate) fn stack_mut(&mut self, process: bool) -> &mut u32 {
        if process == self.process_stack {
            &mut self.regs[SP]
        } else {
            &mut self.other_sp
        }
    }

    /// Handlers are privileged, threads unless CONTROL.nPRIV is set.
    pub(crate) fn privileged(&self) -> bool {
        self.ipsr != 0 || !self.unprivileged
    }

    /// Makes [`Cpu::attend`] look for changes before the next instruction.
    pub(crate) fn request_attention(&mut self) {
        self.attention = 0;
    }

    /// Number of the exception being handled (IPSR), 0 in thread mode.
    pub fn exception(&self) -> u32 {
        self.ipsr as u32
    }

    /// xPSR: flags, Q, GE, IT state, T, exception number.
    pub fn xpsr(&self) -> u32 {
        let it = u32::from(self.it);
        self.flags.psr()
            | u32::from(self.q) << 27
            | u32::from(self.ge) << 16
            | (it & 3) << 25
            | (it >> 2) << 10
            | u32::from(self.thumb) << 24
            | self.exception()
    }

    /// Sets flags, Q, GE, IT state and T from an xPSR; not the exception number.
    pub fn set_xpsr(&mut self, value: u32) {
        self.flags = Flags::from_psr(value);
        self.q = value >> 27 & 1 != 0;
        if self.timing.core == Core::CortexM4 {
            self.ge = (value >> 16 & 15) as u8;
        }
        self.it = (value >> 25 & 3 | value >> 8 & 0xfc) as u8;
        self.thumb = value >> 24 & 1 != 0;
        self.request_attention();
    }

    /// Main stack pointer.
    pub fn msp(&self) -> u32 {
        if self.process_stack {
            self.other_sp
        } else {
            self.regs[SP]
        }
    }

    /// Process stack pointer.
    pub fn psp(&self) -> u32 {
        if self.process_stack {
            self.regs[SP]
        } else {
            self.other_sp
        }
    }

    /// Address of the vector table (VTOR).
    pub fn vector_table(&self) -> u32 {
        self.scb.vtor
    }

    /// A boot loader has moved the vector table.
    pub fn set_vector_table(&mut self, address: u32) {
        self.scb.vtor = address;
    }

    /// PRIMASK.
    pub fn primask(&self) -> bool {
        self.primask
    }

    /// FAULTMASK.
    pub fn faultmask(&self) -> bool {
        self.faultmask
    }

    /// BASEPRI.
    pub fn basepri(&self) -> u32 {
        u32::from(self.basepri)
    }

    /// CONTROL.
    pub fn control(&self) -> u32 {
        u32::from(self.unprivileged) | u32::from(self.process_stack) << 1
    }
}
