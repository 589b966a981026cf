//! The CPU: its state, one step, interrupts, and the registers of the core in the data space.

use crate::bus::{Bus, BusError, Fault};
use crate::cycles;
use crate::outside::Outside;
use crate::status::SREG_I;
use trace::{NoTrace, Step, Tracer, Watched};

/// Where the data space begins in ELF files, and for a [`Tracer`].
pub const DATA_START: u32 = 0x80_0000;

/// A data address as a [`Tracer`] sees it.
#[inline(always)]
pub(crate) const fn data(addr: u16) -> u32 {
    DATA_START + addr as u32
}

/// Data addresses of the registers that are part of the CPU.
const RAMPZ: u16 = 0x5b;
const SPL: u16 = 0x5d;
const SPH: u16 = 0x5e;
const SREG: u16 = 0x5f;

/// Why an instruction stopped; [`Fault`] adds its address.
pub(crate) enum Stop {
    Bus(BusError),
    Illegal,
}

impl From<BusError> for Stop {
    fn from(error: BusError) -> Stop {
        Stop::Bus(error)
    }
}

/// Registers and cycle counter of one AVR CPU. A new one is as after a reset: PC, SREG, SP and
/// RAMPZ are 0.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    /// R0..R31.
    pub regs: [u8; 32],
    /// Word address of the next instruction.
    pub pc: u16,
    /// Stack pointer: the address below the last octet pushed.
    pub sp: u16,
    /// Status register.
    pub sreg: u8,
    /// Bit 0 selects the 64 KiB of flash that ELPM and SPM use.
    pub rampz: u8,
    /// Cycles spent executing since the beginning; sleep is not in it.
    pub cycles: u64,
    /// Word address of the last instruction that completed.
    last_pc: u16,
    /// SREG before the last instruction; 0 after RETI.
    sampled_sreg: u8,
    pub(crate) sleeping: bool,
}

impl<B: Bus> Step<B> for Cpu {
    type Fault = Fault;

    /// Executes the instruction even while the CPU sleeps: the caller asks [`Cpu::sleeping`] first.
    #[inline]
    fn step_traced<T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<u32, Fault> {
        let pc = self.pc;
        let word = bus.fetch(pc).map_err(|error| Fault::Bus { pc, error })?;
        tracer.pc(u32::from(pc) * 2);
        self.pc = pc.wrapping_add(1);
        self.sampled_sreg = self.sreg;
        let cycles = self
            .execute(word, &mut Watched { bus, tracer })
            .map_err(|stop| self.fault(pc, word, stop))?;
        self.last_pc = pc;
        self.cycles += u64::from(cycles);
        Ok(cycles)
    }
}

impl Cpu {
    /// A CPU with all registers 0.
    pub fn new() -> Cpu {
        Cpu::default()
    }

    /// Resets the CPU: the I/O registers become 0 and the PC becomes `vector` (0, or where the boot
    /// loader begins); R0 to R31 keep their values. The start-up time is the board's.
    pub fn reset(&mut self, vector: u16) {
        let (regs, cycles) = (self.regs, self.cycles);
        *self = Cpu {
            regs,
            cycles,
            pc: vector,
            ..Cpu::default()
        };
    }

    /// Accepts an interrupt: pushes the PC, clears I, jumps to the word address `vector`. 4 cycles,
    /// 8 out of sleep (besides the start-up of the clock), also added to [`Cpu::cycles`].
    pub fn interrupt<B: Bus>(&mut self, bus: &mut B, vector: u16) -> Result<u32, Fault> {
        let (pc, tracer) = (self.pc, &mut NoTrace);
        self.push_pc(pc, &mut Watched { bus, tracer })
            .map_err(|error| Fault::Bus { pc, error })?;
        self.pc = vector;
        self.sreg &= !SREG_I;
        let cycles = u32::from(cycles::INTERRUPT) + self.wake();
        self.cycles += u64::from(cycles);
        Ok(cycles)
    }

    /// Ends sleep. Returns its cycles: 4, or 0 if the CPU was awake. They are not added to
    /// [`Cpu::cycles`]; [`Cpu::interrupt`] does that.
    pub fn wake(&mut self) -> u32 {
        let cycles = if self.sleeping {
            u32::from(cycles::WAKE)
        } else {
            0
        };
        self.sleeping = false;
        cycles
    }

    /// SLEEP was executed: the CPU waits for an interrupt.
    #[inline]
    pub fn sleeping(&self) -> bool {
        self.sleeping
    }

    /// Whether a pending interrupt is accepted before the next instruction. After I was set, and
    /// after every RETI, one more instruction executes first; clearing I counts at once.
    #[inline]
    pub fn interruptible(&self) -> bool {
        self.sreg & self.sampled_sreg & SREG_I != 0
    }

    /// Word address of the last instruction that completed: after a fault, where the CPU came from.
    #[inline]
    pub fn last_pc(&self) -> u16 {
        self.last_pc
    }

    /// RETI: the instruction after it executes before any interrupt, even if I was set before.
    #[inline(always)]
    pub(crate) fn hold_interrupts(&mut self) {
        self.sampled_sreg = 0;
    }

    #[cold]
    fn fault(&mut self, pc: u16, word: u16, stop: Stop) -> Fault {
        self.pc = pc;
        match stop {
            Stop::Bus(error) => Fault::Bus { pc, error },
            Stop::Illegal => Fault::IllegalInstruction { pc, word },
        }
    }

    /// The register pair whose low half is `low`.
    #[inline(always)]
    pub fn pair(&self, low: usize) -> u16 {
        u16::from_le_bytes([self.regs[low & 0x1e], self.regs[low & 0x1e | 1]])
    }

    /// Sets the register pair whose low half is `low`.
    #[inline(always)]
    pub fn set_pair(&mut self, low: usize, value: u16) {
        [self.regs[low & 0x1e], self.regs[low & 0x1e | 1]] = value.to_le_bytes();
    }

    /// Reads the data space, registers of the CPU included.
    #[inline(always)]
    pub fn read<B: Bus>(&self, addr: u16, bus: &mut B) -> Result<u8, BusError> {
        if addr > SREG {
            return bus.read(addr);
        }
        match addr {
            0..0x20 => Ok(self.regs[usize::from(addr)]),
            RAMPZ => Ok(self.rampz),
            SPL => Ok(self.sp as u8),
            SPH => Ok((self.sp >> 8) as u8),
            SREG => Ok(self.sreg),
            _ => bus.read(addr),
        }
    }

    /// Writes the data space, registers of the CPU included.
    #[inline(always)]
    pub fn write<B: Bus>(&mut self, addr: u16, value: u8, bus: &mut B) -> Result<(), BusError> {
        if addr > SREG {
            return bus.write(addr, value);
        }
        match addr {
            0..0x20 => self.regs[usize::from(addr)] = value,
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
