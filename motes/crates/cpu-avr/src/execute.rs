//! Arithmetic, jumps and skips. Loads and stores are in `memory`.

use crate::alu;
use crate::bus::{Bus, BusError};
use crate::core::{Core, Stop};
use crate::cycles;
use crate::memory::{Move, X, Y, Z};
use crate::operation::{Kind, Operation, has_two_words};
use crate::outside::Outside;
use crate::registers::place;
use crate::status::{SREG_C, SREG_I, SREG_T};

/// Where the pair lies that MUL and its family write, and of SPM's word.
pub(crate) const R0: u8 = place(0);

impl Core<'_> {
    /// Executes an operation whose first word the PC is past already; the cycles it takes.
    #[inline(always)]
    pub(crate) fn execute(
        &mut self,
        operation: Operation,
        out: &mut impl Outside,
    ) -> Result<u32, Stop> {
        let sreg = self.sreg;
        let cycles = match operation.0 {
            Kind::Illegal(word) => return Err(Stop::Illegal(word)),
            Kind::Nop => cycles::ONE,
            Kind::Add { d, r } => self.two(d, r, |a, b| alu::add(a, b, 0, sreg)),
            Kind::Adc { d, r } => self.two(d, r, |a, b| alu::add(a, b, sreg & SREG_C, sreg)),
            Kind::Sub { d, r } => self.two(d, r, |a, b| alu::subtract(a, b, 0, sreg)),
            Kind::Sbc { d, r } => self.two(d, r, |a, b| alu::subtract_with_carry(a, b, sreg)),
            Kind::And { d, r } => self.two(d, r, |a, b| (a & b, alu::logic(a & b, sreg))),
            Kind::Or { d, r } => self.two(d, r, |a, b| (a | b, alu::logic(a | b, sreg))),
            Kind::Eor { d, r } => self.two(d, r, |a, b| (a ^ b, alu::logic(a ^ b, sreg))),
            Kind::Mov { d, r } => self.two(d, r, |_, b| (b, sreg)),
            Kind::Cp { d, r } => self.two(d, r, |a, b| (a, alu::subtract(a, b, 0, sreg).1)),
            Kind::Cpc { d, r } => {
                self.two(d, r, |a, b| (a, alu::subtract_with_carry(a, b, sreg).1))
            }
            Kind::Movw { d, r } => {
                self.regs.set_pair(d, self.regs.pair(r));
                cycles::ONE
            }
            Kind::Mul { d, r } => self.multiply(self.get(d).into(), self.get(r).into(), false),
            Kind::Muls { d, r } => self.multiply(self.signed(d), self.signed(r), false),
            Kind::Mulsu { d, r } => self.multiply(self.signed(d), self.get(r).into(), false),
            Kind::Fmul { d, r } => self.multiply(self.get(d).into(), self.get(r).into(), true),
            Kind::Fmuls { d, r } => self.multiply(self.signed(d), self.signed(r), true),
            Kind::Fmulsu { d, r } => self.multiply(self.signed(d), self.get(r).into(), true),
            Kind::Subi { d, k } => self.one(d, |a| alu::subtract(a, k, 0, sreg)),
            Kind::Sbci { d, k } => self.one(d, |a| alu::subtract_with_carry(a, k, sreg)),
            Kind::Andi { d, k } => self.one(d, |a| (a & k, alu::logic(a & k, sreg))),
            Kind::Ori { d, k } => self.one(d, |a| (a | k, alu::logic(a | k, sreg))),
            Kind::Cpi { d, k } => self.one(d, |a| (a, alu::subtract(a, k, 0, sreg).1)),
            Kind::Ldi { d, k } => self.one(d, |_| (k, sreg)),
            Kind::Adiw { d, k } => self.word(d, |a| alu::add_word(a, k.into(), sreg)),
            Kind::Sbiw { d, k } => self.word(d, |a| alu::subtract_word(a, k.into(), sreg)),
            Kind::Com(d) => self.one(d, |a| alu::complement(a, sreg)),
            Kind::Neg(d) => self.one(d, |a| alu::subtract(0, a, 0, sreg)),
            Kind::Swap(d) => self.one(d, |a| (a.rotate_left(4), sreg)),
            Kind::Inc(d) => self.one(d, |a| alu::increment(a, sreg)),
            Kind::Dec(d) => self.one(d, |a| alu::decrement(a, sreg)),
            Kind::Asr(d) => self.one(d, |a| alu::shift_right(a, a & 0x80, sreg)),
            Kind::Lsr(d) => self.one(d, |a| alu::shift_right(a, 0, sreg)),
            Kind::Ror(d) => self.one(d, |a| alu::shift_right(a, sreg << 7, sreg)),
            Kind::Bset(bit) => self.set_status(sreg | bit),
            Kind::Bclr(bit) => self.set_status(sreg & !bit),
            Kind::Bst { d, bit } => self.set_status(copy(sreg, SREG_T, self.get(d) & bit)),
            Kind::Bld { d, bit } => self.one(d, |a| (copy(a, bit, sreg & SREG_T), sreg)),
            Kind::Sbrc { d, bit } => self.skip(self.get(d) & bit == 0, out.bus())?,
            Kind::Sbrs { d, bit } => self.skip(self.get(d) & bit != 0, out.bus())?,
            Kind::Cpse { d, r } => self.skip(self.get(d) == self.get(r), out.bus())?,
            Kind::Brbs { bit, by } => self.branch(sreg & bit != 0, by),
            Kind::Brbc { bit, by } => self.branch(sreg & bit == 0, by),
            Kind::Rjmp(by) => self.jump(self.pc.wrapping_add_signed(by), cycles::JUMP),
            Kind::Rcall(by) => {
                self.push_pc(self.pc, out)?;
                self.jump(self.pc.wrapping_add_signed(by), cycles::CALL)
            }
            Kind::Jmp(target) => self.jump(target, cycles::JUMP_LONG),
            Kind::Call(target) => {
                self.push_pc(self.pc.wrapping_add(1), out)?;
                self.jump(target, cycles::CALL_LONG)
            }
            Kind::Ijmp => self.jump(self.regs.pair(Z), cycles::JUMP),
            Kind::Icall => {
                self.push_pc(self.pc, out)?;
                self.jump(self.regs.pair(Z), cycles::CALL)
            }
            Kind::Ret => self.return_from_call(out)?,
            Kind::Reti => {
                let cycles = self.return_from_call(out)?;
                self.sreg |= SREG_I;
                self.hold_interrupts();
                cycles
            }
            Kind::In { d, io } => self.put(d, self.read(io.into(), out.bus())?),
            Kind::Out { io, r } => {
                self.write(io.into(), self.get(r), out.bus())?;
                cycles::ONE
            }
            Kind::Cbi { io, bit } => {
                out.bus().write_bit(io.into(), bit, false)?;
                cycles::BIT
            }
            Kind::Sbi { io, bit } => {
                out.bus().write_bit(io.into(), bit, true)?;
                cycles::BIT
            }
            Kind::Sbic { io, bit } => {
                self.skip(out.bus().read(io.into())? & bit == 0, out.bus())?
            }
            Kind::Sbis { io, bit } => {
                self.skip(out.bus().read(io.into())? & bit != 0, out.bus())?
            }
            Kind::Lds { d, addr } => {
                self.pc = self.pc.wrapping_add(1);
                self.load(d, addr, out)?
            }
            Kind::Sts { addr, r } => {
                self.pc = self.pc.wrapping_add(1);
                self.store(addr, r, out)?
            }
            Kind::LddY { d, q } => self.load(d, self.regs.pair(Y).wrapping_add(q.into()), out)?,
            Kind::LddZ { d, q } => self.load(d, self.regs.pair(Z).wrapping_add(q.into()), out)?,
            Kind::StdY { q, r } => self.store(self.regs.pair(Y).wrapping_add(q.into()), r, out)?,
            Kind::StdZ { q, r } => self.store(self.regs.pair(Z).wrapping_add(q.into()), r, out)?,
            Kind::LdX(d) => self.load(d, self.regs.pair(X), out)?,
            Kind::LdPlus { d, pointer } => self.load_moving(d, pointer, Move::After, out)?,
            Kind::LdMinus { d, pointer } => self.load_moving(d, pointer, Move::Before, out)?,
            Kind::StX(r) => self.store_moving(r, X, Move::Stays, out)?,
            Kind::StPlus { pointer, r } => self.store_moving(r, pointer, Move::After, out)?,
            Kind::StMinus { pointer, r } => self.store_moving(r, pointer, Move::Before, out)?,
            Kind::Push(r) => {
                self.push(self.get(r), out)?;
                cycles::STACK
            }
            Kind::Pop(d) => {
                let value = self.pop(out)?;
                self.put(d, value);
                cycles::STACK
            }
            Kind::Lpm(d) => self.load_program(d, false, false, out)?,
            Kind::LpmPlus(d) => self.load_program(d, false, true, out)?,
            Kind::Elpm(d) => self.load_program(d, true, false, out)?,
            Kind::ElpmPlus(d) => self.load_program(d, true, true, out)?,
            Kind::Spm => return Ok(self.store_program(out.bus())?),
            Kind::Sleep => {
                self.sleeping = out.bus().sleep_enabled();
                cycles::SLEEP
            }
            Kind::Wdr => {
                out.bus().watchdog_reset();
                cycles::ONE
            }
        };
        Ok(u32::from(cycles))
    }

    #[inline(always)]
    pub(crate) fn get(&self, d: u8) -> u8 {
        self.regs.get(d)
    }

    #[inline(always)]
    fn signed(&self, d: u8) -> i16 {
        i16::from(self.get(d) as i8)
    }

    /// Sets a register.
    #[inline(always)]
    pub(crate) fn put(&mut self, d: u8, value: u8) -> u8 {
        self.regs.set(d, value);
        cycles::ONE
    }

    #[inline(always)]
    fn set_status(&mut self, sreg: u8) -> u8 {
        self.sreg = sreg;
        cycles::ONE
    }

    /// A register and SREG become what `result` makes of the register.
    #[inline(always)]
    fn one(&mut self, d: u8, result: impl FnOnce(u8) -> (u8, u8)) -> u8 {
        let (value, sreg) = result(self.get(d));
        self.put(d, value);
        self.set_status(sreg)
    }

    /// The same of two registers.
    #[inline(always)]
    fn two(&mut self, d: u8, r: u8, result: impl FnOnce(u8, u8) -> (u8, u8)) -> u8 {
        let b = self.get(r);
        self.one(d, |a| result(a, b))
    }

    /// The same of a pair of registers.
    #[inline(always)]
    fn word(&mut self, low: u8, result: impl FnOnce(u16) -> (u16, u8)) -> u8 {
        let (value, sreg) = result(self.regs.pair(low));
        self.regs.set_pair(low, value);
        self.sreg = sreg;
        cycles::WORD
    }

    #[inline(always)]
    fn multiply(&mut self, a: i16, b: i16, fraction: bool) -> u8 {
        let product = (i32::from(a) * i32::from(b)) as u16;
        let (result, sreg) = alu::multiply(product, fraction, self.sreg);
        self.regs.set_pair(R0, result);
        self.sreg = sreg;
        cycles::MULTIPLY
    }

    #[inline(always)]
    fn jump(&mut self, target: u16, cycles: u8) -> u8 {
        self.pc = target;
        cycles
    }

    #[inline(always)]
    fn branch(&mut self, taken: bool, by: i16) -> u8 {
        if taken {
            self.pc = self.pc.wrapping_add_signed(by);
        }
        cycles::BRANCH[usize::from(taken)]
    }

    #[inline(always)]
    fn return_from_call(&mut self, out: &mut impl Outside) -> Result<u8, BusError> {
        let high = self.pop(out)?;
        let low = self.pop(out)?;
        self.pc = u16::from_le_bytes([low, high]);
        Ok(cycles::RETURN)
    }

    #[inline(always)]
    fn skip<B: Bus>(&mut self, skips: bool, bus: &mut B) -> Result<u8, BusError> {
        let mut words = 0;
        if skips {
            words = 1 + u16::from(has_two_words(bus.fetch(self.pc)?));
            self.pc = self.pc.wrapping_add(words);
        }
        Ok(cycles::SKIP[usize::from(words)])
    }
}

/// `value`, where `bit` is set if `from` is not 0, else clear.
#[inline(always)]
fn copy(value: u8, bit: u8, from: u8) -> u8 {
    if from == 0 { value & !bit } else { value | bit }
}
