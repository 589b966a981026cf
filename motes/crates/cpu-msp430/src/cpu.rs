//! The CPU: registers, decoding, addressing, and one instruction at a time.

use crate::alu;
use crate::bus::{Bus, BusError, Fault};
use crate::cycles::{self, Destination, SingleOperand};
use crate::outside::Outside;
use crate::status::{SR_C, SR_CPUOFF, SR_GIE, SR_MASK, SR_N, SR_SCG0, SR_Z};
use trace::{NoTrace, Step, Tracer, Watched};

const PC: usize = 0;
const SP: usize = 1;
const SR: usize = 2;
const R3: usize = 3;

/// Address of the reset vector.
const RESET_VECTOR: u16 = 0xfffe;

/// Why an instruction stopped; [`Fault`] adds its address.
enum Stop {
    Bus(BusError),
    Illegal,
}

impl From<BusError> for Stop {
    fn from(error: BusError) -> Stop {
        Stop::Bus(error)
    }
}

/// Where a format-II instruction that modifies its operand finds it.
enum Place {
    Register(usize),
    Memory(u16),
}

/// Registers and cycle counter of one MSP430 CPU.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    /// R0..R15. R0 = PC, R1 = SP, R2 = SR; R3 holds no state and stays 0.
    pub regs: [u16; 16],
    /// MCLK cycles spent executing since the beginning; sleep is not in it.
    pub cycles: u64,
    /// Address of the last instruction that completed.
    last_pc: u16,
    /// The SR that the interrupt logic sees: that before the last instruction, or after it if that
    /// was RETI.
    sampled_sr: u16,
}

/// The B/W bit of an instruction word.
const BYTE_BIT: u16 = 1 << 6;
/// The Ad bit: destination in memory.
const AD_BIT: u16 = 1 << 7;

impl<B: Bus> Step<B> for Cpu {
    type Fault = Fault;

    /// Executes the instruction even while CPUOFF is set: the caller asks [`Cpu::cpu_off`] first.
    #[inline]
    fn step_traced<T: Tracer>(&mut self, bus: &mut B, tracer: &mut T) -> Result<u32, Fault> {
        let pc = self.regs[PC];
        if pc & 1 != 0 {
            return Err(Fault::OddPc { pc });
        }
        let word = bus.fetch(pc).map_err(|error| Fault::Bus { pc, error })?;
        tracer.pc(pc.into());
        self.regs[PC] = pc.wrapping_add(2);
        self.sampled_sr = self.regs[SR];
        let cycles = self
            .execute(word, &mut Watched { bus, tracer })
            .map_err(|stop| self.fault(pc, word, stop))?;
        self.last_pc = pc;
        self.cycles += u64::from(cycles);
        Ok(cycles)
    }
}

impl Cpu {
    /// A CPU with all registers 0. Call [`Cpu::reset`] or set the registers before the first step.
    pub fn new() -> Cpu {
        Cpu::default()
    }

    /// Power-up clear: loads the PC from the reset vector and clears SR; the other registers keep
    /// their values. It takes 4 cycles.
    pub fn reset<B: Bus>(&mut self, bus: &mut B) -> Result<(), Fault> {
        let pc = self.regs[PC];
        self.regs[PC] = bus
            .read16(RESET_VECTOR)
            .map_err(|error| Fault::Bus { pc, error })?;
        self.regs[SR] = 0;
        self.sampled_sr = 0;
        self.cycles += u64::from(cycles::RESET);
        Ok(())
    }

    /// Accepts an interrupt: pushes PC and SR, clears SR except SCG0, and loads the PC from the
    /// vector at address `vector`. 6 cycles, also added to [`Cpu::cycles`].
    pub fn interrupt<B: Bus>(&mut self, bus: &mut B, vector: u16) -> Result<u32, Fault> {
        let pc = self.regs[PC];
        let fault = |error| Fault::Bus { pc, error };
        let tracer = &mut NoTrace;
        let mut out = Watched { bus, tracer };
        self.push(self.regs[PC], &mut out).map_err(fault)?;
        self.push(self.regs[SR], &mut out).map_err(fault)?;
        self.regs[PC] = out.bus.read16(vector & !1).map_err(fault)?;
        self.regs[SR] &= SR_SCG0;
        self.sampled_sr = self.regs[SR];
        self.cycles += u64::from(cycles::INTERRUPT);
        Ok(u32::from(cycles::INTERRUPT))
    }

    /// CPUOFF is set: the CPU waits for an interrupt.
    #[inline]
    pub fn cpu_off(&self) -> bool {
        self.regs[SR] & SR_CPUOFF != 0
    }

    /// The GIE bit.
    #[inline]
    pub fn gie(&self) -> bool {
        self.regs[SR] & SR_GIE != 0
    }

    /// Whether a pending maskable interrupt is accepted before the next instruction. GIE counts as
    /// it was before the last instruction: the instruction after EINT always executes, and one
    /// interrupt may still come after DINT (SLAU049, notes at EINT and DINT). RETI's GIE counts at
    /// once, and so does GIE when the CPU sleeps.
    #[inline]
    pub fn interruptible(&self) -> bool {
        (if self.cpu_off() {
            self.regs[SR]
        } else {
            self.sampled_sr
        }) & SR_GIE
            != 0
    }

    /// The status register.
    #[inline]
    pub fn sr(&self) -> u16 {
        self.regs[SR]
    }

    /// Address of the last instruction that completed: after a fault, where the CPU came from.
    #[inline]
    pub fn last_pc(&self) -> u16 {
        self.last_pc
    }

    #[cold]
    fn fault(&mut self, pc: u16, word: u16, stop: Stop) -> Fault {
        self.regs[PC] = pc;
        match stop {
            Stop::Bus(error) => Fault::Bus { pc, error },
            Stop::Illegal => Fault::IllegalInstruction { pc, word },
        }
    }

    #[inline(always)]
    fn execute(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        match word >> 12 {
            0 => Err(Stop::Illegal),
            1 => self.format_ii(word, out),
            2 | 3 => Ok(self.jump(word)),
            _ if word & BYTE_BIT == 0 => self.format_i::<false>(word, out),
            _ => self.format_i::<true>(word, out),
        }
    }

    /// Jumps: condition in bits 12..10, signed word offset from the next instruction in bits 9..0.
    #[inline(always)]
    fn jump(&mut self, word: u16) -> u32 {
        let sr = self.regs[SR];
        // N xor V of signed comparisons, as bit 0.
        let less = (sr >> 2 ^ sr >> 8) & 1 != 0;
        let taken = match word >> 10 & 7 {
            0 => sr & SR_Z == 0, // JNE, JNZ
            1 => sr & SR_Z != 0, // JEQ, JZ
            2 => sr & SR_C == 0, // JNC, JLO
            3 => sr & SR_C != 0, // JC, JHS
            4 => sr & SR_N != 0, // JN
            5 => !less,          // JGE
            6 => less,           // JL
            _ => true,           // JMP
        };
        let offset = ((word << 6) as i16 >> 5) as u16;
        self.regs[PC] = self.regs[PC].wrapping_add(if taken { offset } else { 0 });
        u32::from(cycles::JUMP)
    }

    /// Two operands: opcode, source register, Ad, B/W, As, destination register.
    #[inline(always)]
    fn format_i<const BYTE: bool>(
        &mut self,
        word: u16,
        out: &mut impl Outside,
    ) -> Result<u32, Stop> {
        let opcode = word >> 12;
        let src = self.operand::<BYTE>(word >> 4 & 3, word as usize >> 8 & 0xf, out)?;
        let register = word as usize & 0xf;
        if word & AD_BIT == 0 {
            let dst = self.regs[register] & alu::mask::<BYTE>();
            if let Some(result) = self.operate::<BYTE>(opcode, src, dst) {
                self.set_register(register, result);
            }
            let destination = if register == PC {
                Destination::Pc
            } else {
                Destination::Register
            };
            return Ok(cycles::format_i(word, destination));
        }
        let addr = self.indexed(register, out)?;
        // MOV does not read the value that it replaces, because a read can have effects.
        let dst = if opcode == MOV {
            0
        } else {
            out.load::<BYTE>(addr)?
        };
        if let Some(result) = self.operate::<BYTE>(opcode, src, dst) {
            out.store::<BYTE>(addr, result)?;
        }
        Ok(cycles::format_i(word, Destination::Memory))
    }

    /// Result and flags of a format-I operation; `None` if it writes no result.
    #[inline(always)]
    fn operate<const BYTE: bool>(&mut self, opcode: u16, src: u16, dst: u16) -> Option<u16> {
        let sr = self.regs[SR];
        let carry = sr & SR_C;
        let (result, sr) = match opcode {
            MOV => return Some(src),
            5 => alu::add::<BYTE>(src, dst, 0, sr),
            6 => alu::add::<BYTE>(src, dst, carry, sr), // ADDC
            7 => alu::subtract::<BYTE>(src, dst, carry, sr), // SUBC
            8 | CMP => alu::subtract::<BYTE>(src, dst, 1, sr),
            10 => alu::add_decimal::<BYTE>(src, dst, sr), // DADD
            12 => return Some(dst & !src),                // BIC
            13 => return Some(dst | src),                 // BIS
            14 => alu::xor::<BYTE>(src, dst, sr),
            _ => alu::and::<BYTE>(src, dst, sr), // BIT, AND
        };
        self.regs[SR] = sr;
        if opcode == CMP || opcode == BIT {
            None
        } else {
            Some(result)
        }
    }

    /// One operand: operation in bits 9..7, B/W, As, register.
    fn format_ii(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        match word >> 6 & 0x3f {
            0 => self.modify::<false>(word, out, alu::rotate_through_carry::<false>),
            1 => self.modify::<true>(word, out, alu::rotate_through_carry::<true>),
            2 => self.modify::<false>(word, out, alu::swap),
            4 => self.modify::<false>(word, out, alu::rotate_arithmetic::<false>),
            5 => self.modify::<true>(word, out, alu::rotate_arithmetic::<true>),
            6 => self.modify::<false>(word, out, alu::sign_extend),
            8 => self.push_operand::<false>(word, out),
            9 => self.push_operand::<true>(word, out),
            10 => self.call(word, out),
            12 if word == RETI => self.reti(out),
            _ => Err(Stop::Illegal),
        }
    }

    /// RRC, SWPB, RRA, SXT: replaces the operand where it is.
    #[inline(always)]
    fn modify<const BYTE: bool>(
        &mut self,
        word: u16,
        out: &mut impl Outside,
        operation: impl Fn(u16, u16) -> (u16, u16),
    ) -> Result<u32, Stop> {
        match self.place::<BYTE>(word, out)? {
            Place::Register(register) => {
                let (result, sr) =
                    operation(self.regs[register] & alu::mask::<BYTE>(), self.regs[SR]);
                self.regs[SR] = sr;
                self.set_register(register, result);
            }
            Place::Memory(addr) => {
                let (result, sr) = operation(out.load::<BYTE>(addr)?, self.regs[SR]);
                self.regs[SR] = sr;
                out.store::<BYTE>(addr, result)?;
            }
        }
        Ok(cycles::format_ii(word, SingleOperand::Modify))
    }

    /// The operand that a format-II instruction modifies. A constant or an immediate cannot be
    /// modified.
    #[inline(always)]
    fn place<const BYTE: bool>(
        &mut self,
        word: u16,
        out: &mut impl Outside,
    ) -> Result<Place, Stop> {
        let register = word as usize & 0xf;
        match (word >> 4 & 3, register) {
            (0, _) => Ok(Place::Register(register)),
            (_, R3) | (2 | 3, SR) | (3, PC) => Err(Stop::Illegal),
            (1, _) => Ok(Place::Memory(self.indexed(register, out)?)),
            (2, _) => Ok(Place::Memory(self.regs[register])),
            _ => Ok(Place::Memory(self.postincrement::<BYTE>(register))),
        }
    }

    /// PUSH. The operand is evaluated with the SP that [`Cpu::make_room`] left.
    #[inline(always)]
    fn push_operand<const BYTE: bool>(
        &mut self,
        word: u16,
        out: &mut impl Outside,
    ) -> Result<u32, Stop> {
        self.make_room();
        let value = self.operand::<BYTE>(word >> 4 & 3, word as usize & 0xf, out)?;
        out.store::<BYTE>(self.regs[SP], value)?;
        Ok(cycles::format_ii(word, SingleOperand::Push))
    }

    /// CALL. The operand is evaluated with the SP that [`Cpu::make_room`] left, and before the
    /// return address is written.
    #[inline(always)]
    fn call(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        self.make_room();
        let target = self.operand::<false>(word >> 4 & 3, word as usize & 0xf, out)?;
        out.store::<false>(self.regs[SP], self.regs[PC])?;
        self.regs[PC] = target;
        Ok(cycles::format_ii(word, SingleOperand::Call))
    }

    /// Makes room for a word on the stack. PUSH and CALL do so before they form the address of
    /// their operand: 2(SP) there is the word that 0(SP) was before. The operation lines of SLAU049
    /// say otherwise for CALL, its examples say this, and so does the chip (see the list of
    /// departures in docs/what-do-the-numbers-rest-on.md).
    #[inline(always)]
    fn make_room(&mut self) {
        self.regs[SP] = self.regs[SP].wrapping_sub(2);
    }

    #[inline(always)]
    fn reti(&mut self, out: &mut impl Outside) -> Result<u32, Stop> {
        let sp = self.regs[SP];
        let sr = out.load::<false>(sp)?;
        let pc = out.load::<false>(sp.wrapping_add(2))?;
        self.regs[SP] = sp.wrapping_add(4);
        self.regs[SR] = sr & SR_MASK;
        self.regs[PC] = pc;
        self.sampled_sr = self.regs[SR];
        Ok(u32::from(cycles::RETI))
    }

    #[inline(always)]
    fn push(&mut self, value: u16, out: &mut impl Outside) -> Result<(), BusError> {
        self.make_room();
        out.store::<false>(self.regs[SP], value)
    }

    /// Value of a source operand: register, constant, memory or immediate.
    #[inline(always)]
    fn operand<const BYTE: bool>(
        &mut self,
        as_bits: u16,
        register: usize,
        out: &mut impl Outside,
    ) -> Result<u16, BusError> {
        let addr = match (as_bits, register) {
            (0, _) => return Ok(self.regs[register] & alu::mask::<BYTE>()),
            (1, R3) => return Ok(1),
            (1, _) => self.indexed(register, out)?,
            (2, SR) => return Ok(4),
            (2, R3) => return Ok(2),
            (2, _) => self.regs[register],
            (_, PC) => return Ok(self.next_word(out)? & alu::mask::<BYTE>()),
            (_, SR) => return Ok(8),
            (_, R3) => return Ok(alu::mask::<BYTE>()),
            _ => self.postincrement::<BYTE>(register),
        };
        out.load::<BYTE>(addr)
    }

    /// Address of `@Rn+`, before the increment; SP and PC always move by whole words.
    #[inline(always)]
    fn postincrement<const BYTE: bool>(&mut self, register: usize) -> u16 {
        let addr = self.regs[register];
        let size = if BYTE && register > SP { 1 } else { 2 };
        self.regs[register] = addr.wrapping_add(size);
        addr
    }

    /// Address of `x(Rn)`; of EDE (Rn = PC: relative to the index word); of &EDE (Rn = SR counts as
    /// 0, R3 is 0).
    #[inline(always)]
    fn indexed(&mut self, register: usize, out: &mut impl Outside) -> Result<u16, BusError> {
        let base = if register == SR {
            0
        } else {
            self.regs[register]
        };
        Ok(self.next_word(out)?.wrapping_add(base))
    }

    /// The next word of the instruction.
    #[inline(always)]
    fn next_word(&mut self, out: &mut impl Outside) -> Result<u16, BusError> {
        let pc = self.regs[PC];
        self.regs[PC] = pc.wrapping_add(2);
        out.bus().fetch(pc)
    }

    /// Writes a result; byte results arrive with a clear high octet.
    #[inline(always)]
    fn set_register(&mut self, register: usize, value: u16) {
        self.regs[register] = match register {
            SP => value & !1,
            SR => value & SR_MASK,
            R3 => 0,
            _ => value,
        };
    }
}

/// Opcodes (bits 15..12) that have a name in the code above.
const MOV: u16 = 4;
const CMP: u16 = 9;
const BIT: u16 = 11;
/// The only word of RETI.
const RETI: u16 = 0x1300;
