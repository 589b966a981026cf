//! What an instruction works on: one step, the stack, and the registers of the core in the data
//! space.

use crate::bus::{Bus, BusError, Fault};
use crate::cpu::DATA_START;
use crate::outside::Outside;
use crate::registers::{Registers, place};
use trace::Tracer;

/// A data address as a [`Tracer`] sees it.
#[inline(always)]
pub(crate) const fn data(addr: u16) -> u32 {
    DATA_START + addr as u32
}

/// Data addresses of the registers that are part of the CPU.
pub(crate) const RAMPZ: u16 = 0x5b;
pub(crate) const SPL: u16 = 0x5d;
pub(crate) const SPH: u16 = 0x5e;
pub(crate) const SREG: u16 = 0x5f;

/// Why an instruction stopped; [`Fault`] adds its address.
pub(crate) enum Stop {
    Bus(BusError),
    Illegal(u16),
}

impl From<BusError> for Stop {
    fn from(error: BusError) -> Stop {
        Stop::Bus(error)
    }
}

/// The state of a [`crate::Cpu`] that instructions read and change: see there.
pub(crate) struct Core<'a> {
    pub(crate) regs: &'a mut Registers,
    pub(crate) pc: u16,
    pub(crate) sp: u16,
    pub(crate) sreg: u8,
    pub(crate) rampz: u8,
    pub(crate) sampled_sreg: u8,
    pub(crate) sleeping: bool,
}

/// PC, SP, SREG, RAMPZ, sampled SREG, asleep.
pub(crate) type Kept = (u16, u16, u8, u8, u8, bool);

impl Core<'_> {
    /// What goes back to the CPU.
    #[inline(always)]
    pub(crate) fn kept(&self) -> Kept {
        let (pc, sp, sreg) = (self.pc, self.sp, self.sreg);
        (pc, sp, sreg, self.rampz, self.sampled_sreg, self.sleeping)
    }

    /// Executes one instruction; the cycles it takes.
    #[inline(always)]
    pub(crate) fn step(&mut self, out: &mut impl Outside) -> Result<u32, Fault> {
        let pc = self.pc;
        let operation = out
            .bus()
            .operation(pc)
            .map_err(|error| Fault::Bus { pc, error })?;
        out.tracer().pc(u32::from(pc) * 2);
        self.pc = pc.wrapping_add(1);
        self.sampled_sreg = self.sreg;
        self.execute(operation, out).map_err(|stop| {
            self.pc = pc;
            match stop {
                Stop::Bus(error) => Fault::Bus { pc, error },
                Stop::Illegal(word) => Fault::IllegalInstruction { pc, word },
            }
        })
    }

    /// RETI: the instruction after it executes before any interrupt, even if I was set before.
    #[inline(always)]
    pub(crate) fn hold_interrupts(&mut self) {
        self.sampled_sreg = 0;
    }

    /// Reads the data space, registers of the CPU included.
    #[inline(always)]
    pub(crate) fn read<B: Bus>(&self, addr: u16, bus: &mut B) -> Result<u8, BusError> {
        if addr > SREG {
            return bus.read(addr);
        }
        match addr {
            0..0x20 => Ok(self.regs.get(place(addr as u8))),
            RAMPZ => Ok(self.rampz),
            SPL => Ok(self.sp as u8),
            SPH => Ok((self.sp >> 8) as u8),
            SREG => Ok(self.sreg),
            _ => bus.read(addr),
        }
    }

    /// Writes the data space, registers of the CPU included.
    #[inline(always)]
    pub(crate) fn write<B: Bus>(
        &mut self,
        addr: u16,
        value: u8,
        bus: &mut B,
    ) -> Result<(), BusError> {
        if addr > SREG {
            return bus.write(addr, value);
        }
        match addr {
            0..0x20 => self.regs.set(place(addr as u8), value),
            RAMPZ => self.rampz = value & 1,
            SPL => self.sp = self.sp & 0xff00 | u16::from(value),
            SPH => self.sp = self.sp & 0x00ff | u16::from(value) << 8,
            SREG => self.sreg = value,
            _ => return bus.write(addr, value),
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, value: u8, out: &mut impl Outside) -> Result<(), BusError> {
        let addr = self.sp;
        out.tracer().write(data(addr));
        self.sp = addr.wrapping_sub(1);
        self.write(addr, value, out.bus())
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self, out: &mut impl Outside) -> Result<u8, BusError> {
        self.sp = self.sp.wrapping_add(1);
        out.tracer().read(data(self.sp));
        self.read(self.sp, out.bus())
    }

    /// Pushes a return address: the low octet first, so that it lies above the high one.
    #[inline(always)]
    pub(crate) fn push_pc(&mut self, pc: u16, out: &mut impl Outside) -> Result<(), BusError> {
        let [low, high] = pc.to_le_bytes();
        self.push(low, out)?;
        self.push(high, out)
    }
}
