//! The CPU: its state, one step and many, interrupts.

use crate::bus::{Bus, BusError, Fault};
use crate::core::{Core, Kept};
use crate::cycles;
use crate::registers::{Registers, place};
use crate::status::SREG_I;
use trace::{NoTrace, Step, Tracer, Watched};

/// Where the data space begins in ELF files, and for a [`Tracer`].
pub const DATA_START: u32 = 0x80_0000;

/// Registers and cycle counter of one AVR CPU. A new one is as after a reset: PC, SREG, SP and
/// RAMPZ are 0.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    /// R0..R31.
    pub regs: Registers,
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
    sleeping: bool,
    /// SREG before the last instruction; 0 after RETI.
    sampled_sreg: u8,
    /// Word address of the last instruction that completed.
    last_pc: u16,
}

impl<B: Bus> Step<B> for Cpu {
    type Fault = Fault;

    /// Executes the instruction even while the CPU sleeps: the caller asks [`Cpu::sleeping`] first.
    #[inline]
    fn step_traced<T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<u32, Fault> {
        let pc = self.pc;
        let cycles = self.with_core(|core| core.step(&mut Watched { bus, tracer }))?;
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
        self.with_core(|core| core.push_pc(pc, &mut Watched { bus, tracer }))
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

    /// The register pair whose low half is `low`.
    #[inline(always)]
    pub fn pair(&self, low: usize) -> u16 {
        self.regs.pair(place(low as u8))
    }

    /// Sets the register pair whose low half is `low`.
    #[inline(always)]
    pub fn set_pair(&mut self, low: usize, value: u16) {
        self.regs.set_pair(place(low as u8), value);
    }

    /// Reads the data space, registers of the CPU included.
    pub fn read<B: Bus>(&mut self, addr: u16, bus: &mut B) -> Result<u8, BusError> {
        self.with_core(|core| core.read(addr, bus))
    }

    /// Writes the data space, registers of the CPU included.
    pub fn write<B: Bus>(&mut self, addr: u16, value: u8, bus: &mut B) -> Result<(), BusError> {
        self.with_core(|core| core.write(addr, value, bus))
    }

    /// Executes instructions until cycle `stop` of the CPU has come, at least one, or until one of
    /// them puts it to sleep or something needs [`Bus::attention`].
    #[inline(never)]
    pub fn run<B: Bus>(&mut self, bus: &mut B, stop: u64) -> Result<(), Fault> {
        let (mut cycles, mut last_pc) = (self.cycles, self.last_pc);
        let mut core = self.lend();
        let done = loop {
            bus.begin(cycles);
            let (pc, tracer) = (core.pc, &mut NoTrace);
            match core.step(&mut Watched { bus, tracer }) {
                Ok(taken) => cycles += u64::from(taken),
                Err(fault) => break Err(fault),
            }
            last_pc = pc;
            if cycles >= stop || core.sleeping || bus.attention() {
                break Ok(());
            }
        };
        let kept = core.kept();
        self.take_back(kept);
        (self.cycles, self.last_pc) = (cycles, last_pc);
        done
    }

    /// Lends everything that instructions work on, apart from the registers in one place, so that
    /// the host keeps it in registers of its own.
    #[inline(always)]
    fn lend(&mut self) -> Core<'_> {
        Core {
            regs: &mut self.regs,
            pc: self.pc,
            sp: self.sp,
            sreg: self.sreg,
            rampz: self.rampz,
            sampled_sreg: self.sampled_sreg,
            sleeping: self.sleeping,
        }
    }

    /// What was lent comes back.
    #[inline(always)]
    fn take_back(&mut self, kept: Kept) {
        (
            self.pc,
            self.sp,
            self.sreg,
            self.rampz,
            self.sampled_sreg,
            self.sleeping,
        ) = kept;
    }

    /// Lends it for one piece of work.
    #[inline(always)]
    fn with_core<R>(&mut self, work: impl FnOnce(&mut Core<'_>) -> R) -> R {
        let mut core = self.lend();
        let result = work(&mut core);
        let kept = core.kept();
        self.take_back(kept);
        result
    }
}
