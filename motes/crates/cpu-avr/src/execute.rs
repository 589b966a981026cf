//! Decoding, arithmetic, jumps and skips. Loads and stores are in `memory`.

use crate::alu;
use crate::bus::{Bus, BusError};
use crate::cpu::{Cpu, Stop};
use crate::cycles;
use crate::outside::Outside;
use crate::status::{SREG_C, SREG_I, SREG_T};

/// Low register of the pair that MUL and its family write, and of SPM's word.
pub(crate) const R0: usize = 0;
/// Low register of the pointer Z.
pub(crate) const Z: usize = 30;

/// Field d of the forms with 32 registers.
#[inline(always)]
pub(crate) fn field_d(word: u16) -> usize {
    usize::from(word >> 4 & 0x1f)
}

/// Field r of the forms with two registers.
#[inline(always)]
fn field_r(word: u16) -> usize {
    usize::from(word >> 5 & 0x10 | word & 0xf)
}

/// Field d of the forms with R16 to R31.
#[inline(always)]
fn field_high(word: u16) -> usize {
    usize::from(0x10 | word >> 4 & 0xf)
}

/// Immediate octet K.
#[inline(always)]
fn field_k(word: u16) -> u8 {
    (word >> 4 & 0xf0 | word & 0xf) as u8
}

/// Bit number b as a mask.
#[inline(always)]
fn field_mask(word: u16) -> u8 {
    1 << (word & 7)
}

/// Data address of the I/O register of SBI, CBI, SBIC and SBIS.
#[inline(always)]
fn field_io_low(word: u16) -> u16 {
    0x20 + (word >> 3 & 0x1f)
}

/// Data address of the I/O register of IN and OUT.
#[inline(always)]
fn field_io(word: u16) -> u16 {
    0x20 + (word >> 5 & 0x30 | word & 0xf)
}

/// Whether an instruction has two words: LDS, STS, JMP, CALL.
#[inline(always)]
fn has_two_words(word: u16) -> bool {
    word & 0xfc0f == 0x9000 || word & 0xfe0c == 0x940c
}

impl Cpu {
    #[inline(always)]
    pub(crate) fn execute(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        match word >> 10 {
            0x00 => return self.low_group(word),
            0x01..=0x0b => return self.two_registers(word, out.bus()),
            0x0c..=0x1f => self.immediate(word),
            0x20..=0x23 | 0x28..=0x2b => return Ok(self.displacement(word, out)?),
            0x24 => return self.load_store(word, out),
            0x25 if word & 0x0200 == 0 => return self.one_operand(word, out),
            0x25 => return Ok(self.word_immediate(word)),
            0x26 => return Ok(self.io_bit(word, out.bus())?),
            0x27 => {
                let product =
                    u16::from(self.regs[field_d(word)]) * u16::from(self.regs[field_r(word)]);
                return Ok(self.multiply(product, false));
            }
            0x2c | 0x2d => self.regs[field_d(word)] = self.read(field_io(word), out.bus())?,
            0x2e | 0x2f => self.write(field_io(word), self.regs[field_d(word)], out.bus())?,
            0x30..=0x33 => {
                self.jump_relative(word << 4, 4);
                return Ok(u32::from(cycles::JUMP));
            }
            0x34..=0x37 => {
                self.push_pc(self.pc, out)?;
                self.jump_relative(word << 4, 4);
                return Ok(u32::from(cycles::CALL));
            }
            0x38..=0x3b => self.regs[field_high(word)] = field_k(word),
            0x3c | 0x3d => return Ok(self.branch(word)),
            _ if word & 8 != 0 => return Err(Stop::Illegal),
            0x3e => self.bit_copy(word),
            _ => {
                let set = self.regs[field_d(word)] & field_mask(word) != 0;
                return Ok(self.skip(set == (word & 0x0200 != 0), out.bus())?);
            }
        }
        Ok(u32::from(cycles::ONE))
    }

    /// 0000 00..: NOP, MOVW, and the multiplications of R16 to R31 or R16 to R23.
    fn low_group(&mut self, word: u16) -> Result<u32, Stop> {
        match word >> 8 {
            0 if word == 0 => Ok(u32::from(cycles::ONE)),
            1 => {
                let value = self.pair(usize::from(word & 0xf) << 1);
                self.set_pair(usize::from(word >> 4 & 0xf) << 1, value);
                Ok(u32::from(cycles::ONE))
            }
            2 => {
                let a = i16::from(self.regs[field_high(word)] as i8);
                let b = i16::from(self.regs[usize::from(0x10 | word & 0xf)] as i8);
                Ok(self.multiply((a * b) as u16, false))
            }
            3 => Ok(self.multiply_fraction(word)),
            _ => Err(Stop::Illegal),
        }
    }

    /// MULSU, FMUL, FMULS, FMULSU by bits 7 and 3.
    fn multiply_fraction(&mut self, word: u16) -> u32 {
        let a = self.regs[usize::from(0x10 | word >> 4 & 7)];
        let b = self.regs[usize::from(0x10 | word & 7)];
        let (a_signed, b_signed) = (i32::from(a as i8), i32::from(b as i8));
        let (a, b) = (i32::from(a), i32::from(b));
        match word & 0x88 {
            0x00 => self.multiply((a_signed * b) as u16, false), // MULSU
            0x08 => self.multiply((a * b) as u16, true),         // FMUL
            0x80 => self.multiply((a_signed * b_signed) as u16, true), // FMULS
            _ => self.multiply((a_signed * b) as u16, true),     // FMULSU
        }
    }

    #[inline(always)]
    fn multiply(&mut self, product: u16, fraction: bool) -> u32 {
        let (result, sreg) = alu::multiply(product, fraction, self.sreg);
        self.set_pair(R0, result);
        self.sreg = sreg;
        u32::from(cycles::MULTIPLY)
    }

    /// CPC to MOV: two of the 32 registers.
    #[inline(always)]
    fn two_registers<B: Bus>(&mut self, word: u16, bus: &mut B) -> Result<u32, Stop> {
        let d = field_d(word);
        let (a, b, sreg) = (self.regs[d], self.regs[field_r(word)], self.sreg);
        let (result, flags) = match word >> 10 {
            0x01 => (a, alu::subtract_with_carry(a, b, sreg).1), // CPC
            0x02 => alu::subtract_with_carry(a, b, sreg),        // SBC
            0x03 => alu::add(a, b, 0, sreg),
            0x04 => return Ok(self.skip(a == b, bus)?), // CPSE
            0x05 => (a, alu::subtract(a, b, 0, sreg).1), // CP
            0x06 => alu::subtract(a, b, 0, sreg),
            0x07 => alu::add(a, b, sreg & SREG_C, sreg), // ADC
            0x08 => (a & b, alu::logic(a & b, sreg)),
            0x09 => (a ^ b, alu::logic(a ^ b, sreg)),
            0x0a => (a | b, alu::logic(a | b, sreg)),
            _ => (b, sreg), // MOV
        };
        self.regs[d] = result;
        self.sreg = flags;
        Ok(u32::from(cycles::ONE))
    }

    /// CPI, SBCI, SUBI, ORI, ANDI.
    #[inline(always)]
    fn immediate(&mut self, word: u16) {
        let d = field_high(word);
        let (a, k, sreg) = (self.regs[d], field_k(word), self.sreg);
        let (result, flags) = match word >> 12 {
            3 => (a, alu::subtract(a, k, 0, sreg).1),
            4 => alu::subtract_with_carry(a, k, sreg),
            5 => alu::subtract(a, k, 0, sreg),
            6 => (a | k, alu::logic(a | k, sreg)),
            _ => (a & k, alu::logic(a & k, sreg)),
        };
        self.regs[d] = result;
        self.sreg = flags;
    }

    /// ADIW, SBIW.
    #[inline(always)]
    fn word_immediate(&mut self, word: u16) -> u32 {
        let low = usize::from(24 + (word >> 3 & 6));
        let (a, k) = (self.pair(low), word >> 2 & 0x30 | word & 0xf);
        let (result, sreg) = if word & 0x0100 == 0 {
            alu::add_word(a, k, self.sreg)
        } else {
            alu::subtract_word(a, k, self.sreg)
        };
        self.set_pair(low, result);
        self.sreg = sreg;
        u32::from(cycles::WORD)
    }

    /// 1001 010.: one register, or an operation without one.
    #[inline(always)]
    fn one_operand(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        let d = field_d(word);
        let (a, sreg) = (self.regs[d], self.sreg);
        let (result, flags) = match word & 0xf {
            0x0 => alu::complement(a, sreg),
            0x1 => alu::subtract(0, a, 0, sreg), // NEG
            0x2 => (a.rotate_left(4), sreg),     // SWAP
            0x3 => alu::increment(a, sreg),
            0x5 => alu::shift_right(a, a & 0x80, sreg), // ASR
            0x6 => alu::shift_right(a, 0, sreg),
            0x7 => alu::shift_right(a, sreg << 7, sreg), // ROR
            0xa => alu::decrement(a, sreg),
            0xc..=0xf => return self.jump_long(word, out),
            0x8 | 0x9 => return self.control(word, out),
            _ => return Err(Stop::Illegal),
        };
        self.regs[d] = result;
        self.sreg = flags;
        Ok(u32::from(cycles::ONE))
    }

    /// JMP, CALL: bits 21 to 16 of the target lie beyond these chips' program memory and are
    /// ignored.
    #[inline(always)]
    fn jump_long(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        let target = self.next_word(out.bus())?;
        let is_call = word & 2 != 0;
        if is_call {
            self.push_pc(self.pc, out)?;
        }
        self.pc = target;
        Ok(u32::from(if is_call {
            cycles::CALL_LONG
        } else {
            cycles::JUMP_LONG
        }))
    }

    /// 1001 010. .... 100.: BSET, BCLR, returns, indirect jumps, and instructions without operand.
    fn control(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        let cycles = match word {
            0x9508 => self.return_from_call(out)?,
            0x9518 => {
                let cycles = self.return_from_call(out)?;
                self.sreg |= SREG_I;
                self.hold_interrupts();
                cycles
            }
            0x9409 => {
                self.pc = self.pair(Z); // IJMP
                cycles::JUMP
            }
            0x9509 => {
                self.push_pc(self.pc, out)?; // ICALL
                self.pc = self.pair(Z);
                cycles::CALL
            }
            0x9588 => {
                self.sleeping = out.bus().sleep_enabled();
                cycles::SLEEP
            }
            0x9598 => cycles::ONE, // BREAK
            0x95a8 => {
                out.bus().watchdog_reset();
                cycles::ONE
            }
            0x95c8 => self.load_program(R0, false, false, out)?,
            0x95d8 => self.load_program(R0, true, false, out)?,
            0x95e8 => return Ok(self.store_program(out.bus())?),
            _ if word & 0xff0f == 0x9408 => {
                let mask = 1 << (word >> 4 & 7);
                self.sreg = if word & 0x80 == 0 {
                    self.sreg | mask
                } else {
                    self.sreg & !mask
                };
                cycles::ONE
            }
            _ => return Err(Stop::Illegal),
        };
        Ok(u32::from(cycles))
    }

    #[inline(always)]
    fn return_from_call(&mut self, out: &mut impl Outside) -> Result<u8, BusError> {
        let high = self.pop(out)?;
        let low = self.pop(out)?;
        self.pc = u16::from_le_bytes([low, high]);
        Ok(cycles::RETURN)
    }

    /// CBI, SBIC, SBI, SBIS. The I/O registers of these never are the core's own.
    #[inline(always)]
    fn io_bit<B: Bus>(&mut self, word: u16, bus: &mut B) -> Result<u32, BusError> {
        let (addr, mask, set) = (field_io_low(word), field_mask(word), word & 0x0200 != 0);
        if word & 0x0100 == 0 {
            bus.write_bit(addr, mask, set)?;
            return Ok(u32::from(cycles::BIT));
        }
        let is_set = bus.read(addr)? & mask != 0;
        self.skip(is_set == set, bus)
    }

    /// BRBS, BRBC.
    #[inline(always)]
    fn branch(&mut self, word: u16) -> u32 {
        let set = self.sreg & field_mask(word) != 0;
        let taken = set == (word & 0x0400 == 0);
        if taken {
            self.jump_relative(word << 6, 9);
        }
        u32::from(cycles::BRANCH[usize::from(taken)])
    }

    /// BLD and BST.
    #[inline(always)]
    fn bit_copy(&mut self, word: u16) {
        let (register, mask) = (&mut self.regs[field_d(word)], field_mask(word));
        let (from, to, to_mask) = if word & 0x0200 == 0 {
            (self.sreg & SREG_T, register, mask)
        } else {
            (*register & mask, &mut self.sreg, SREG_T)
        };
        *to = if from == 0 {
            *to & !to_mask
        } else {
            *to | to_mask
        };
    }

    /// Adds the signed offset in the high bits of `shifted` to the PC, which is past the
    /// instruction already.
    #[inline(always)]
    fn jump_relative(&mut self, shifted: u16, unused_bits: u32) {
        self.pc = self.pc.wrapping_add((shifted as i16 >> unused_bits) as u16);
    }

    #[inline(always)]
    fn skip<B: Bus>(&mut self, skips: bool, bus: &mut B) -> Result<u32, BusError> {
        let mut words = 0;
        if skips {
            words = 1 + u16::from(has_two_words(bus.fetch(self.pc)?));
            self.pc = self.pc.wrapping_add(words);
        }
        Ok(u32::from(cycles::SKIP[usize::from(words)]))
    }

    /// The second word of the instruction.
    #[inline(always)]
    pub(crate) fn next_word<B: Bus>(&mut self, bus: &mut B) -> Result<u16, BusError> {
        let pc = self.pc;
        self.pc = pc.wrapping_add(1);
        bus.fetch(pc)
    }
}
