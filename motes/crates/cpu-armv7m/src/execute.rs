//! Execution: one line for each operation, class by class. Longer operations are methods in `transfer.rs` and
//! `control.rs`.

use crate::alu;
use crate::bus::{Bus, Cause};
use crate::cache;
use crate::cpu::{Cpu, PC, Sleep};
use crate::cycles::{self, LONG_ACCUMULATE, LONG_MULTIPLY};
use crate::op::{F_SET, Index, Op, Shift, Width};
use crate::outside::Outside;
use crate::transfer::{Base, Done, Multiple, extended};
use trace::{Tracer, Watched};

/// Where execution goes on after an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Next {
    /// The cycle after it.
    pub cycles: u64,
    /// Address of the next instruction.
    pub pc: u32,
    /// The pipeline is reloaded from there.
    pub jumped: bool,
}

impl Cpu {
    /// A register; R15 is the address of the next instruction here.
    #[inline(always)]
    pub(crate) fn r(&self, register: u8) -> u32 {
        self.regs[usize::from(register & 15)]
    }

    /// Sets a register.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: u8, value: u32) {
        self.regs[usize::from(register & 15)] = value;
    }

    #[inline(always)]
    fn shifted(&self, rm: u8, shift: Shift, amount: u8) -> (u32, bool) {
        self.flags.shift(self.r(rm), shift, amount)
    }

    /// A logic operation of a register and an immediate.
    #[inline(always)]
    fn logic_imm(&mut self, rd: u8, rn: u8, f: u8, operation: impl Fn(u32) -> u32) {
        let result = operation(self.r(rn));
        self.flags.logic_immediate(result, f);
        self.set(rd, result);
    }

    /// A logic operation of two registers without shift: the carry stays.
    #[inline(always)]
    fn logic_reg(&mut self, rd: u8, rn: u8, rm: u8, s: bool, operation: impl Fn(u32, u32) -> u32) {
        let result = operation(self.r(rn), self.r(rm));
        self.flags.result(result, s);
        self.set(rd, result);
    }

    /// A logic operation of a register and a shifted one.
    #[inline(always)]
    fn logic_shift(
        &mut self,
        rd: u8,
        rn: u8,
        b: (u32, bool),
        s: bool,
        operation: impl Fn(u32, u32) -> u32,
    ) {
        let result = operation(self.r(rn), b.0);
        self.flags.logic(result, b.1, s);
        self.set(rd, result);
    }

    #[inline(always)]
    fn sum(&mut self, rd: u8, a: u32, b: u32, carry: bool, s: bool) {
        let result = self.flags.add(a, b, carry, s);
        self.set(rd, result);
    }

    #[inline(always)]
    fn compare(&mut self, a: u32, b: u32, carry: bool) {
        self.flags.add(a, b, carry, true);
    }

    #[inline(always)]
    fn shift_register(&mut self, rd: u8, rn: u8, rm: u8, s: bool, shift: Shift) {
        let (result, carry) = self.flags.shift_by_register(self.r(rn), shift, self.r(rm));
        self.flags.logic(result, carry, s);
        self.set(rd, result);
    }

    fn saturated(&mut self, rd: u8, (result, changed): (u32, bool)) {
        self.q |= changed;
        self.set(rd, result);
    }

    /// UMULL, SMULL, UMLAL, SMLAL: sets the two registers of the product, returns the time.
    #[inline(always)]
    fn long(&mut self, lo: u8, hi: u8, range: [u32; 2], a: u32, b: u32, product: u64) -> u64 {
        self.set(lo, product as u32);
        self.set(hi, (product >> 32) as u32);
        u64::from(cycles::long_multiply(
            self.timing.long_multiply,
            range,
            a,
            b,
        ))
    }

    pub(crate) fn accumulator(&self, lo: u8, hi: u8) -> u64 {
        u64::from(self.r(hi)) << 32 | u64::from(self.r(lo))
    }

    fn divide(&mut self, rd: u8, rn: u8, rm: u8, signed: bool) -> Result<(), Cause> {
        let (a, b) = (self.r(rn), self.r(rm));
        if b == 0 && self.scb.traps_division() {
            return Err(Cause::DivideByZero);
        }
        let (quotient, cycles) = cycles::quotient(self.timing.divide, a, b, signed);
        self.cycles += u64::from(cycles);
        self.set(rd, quotient);
        Ok(())
    }

    /// The address of a load or store with an immediate offset, and the cycle after the rules for
    /// what came before.
    #[inline(always)]
    fn at(&self, rn: u8, imm: i16, meta: u32, cycles: u64) -> (u32, u64) {
        (
            self.r(rn).wrapping_add_signed(i32::from(imm)),
            self.neighbour(1 << rn, meta, cycles),
        )
    }

    /// The address of a load or store with a register offset, and the cycle after the rules for
    /// what came before.
    #[inline(always)]
    pub(crate) fn at_register(
        &self,
        rn: u8,
        rm: u8,
        lsl: u8,
        meta: u32,
        cycles: u64,
    ) -> (u32, u64) {
        (
            self.r(rn).wrapping_add(self.r(rm) << lsl),
            self.neighbour(1 << rn | 1 << rm, meta, cycles),
        )
    }

    /// "Load/store timings": behind a load whose result is not in the address an access takes one
    /// cycle; an address that the data-processing instruction before has just computed takes one
    /// more.
    #[inline(always)]
    pub(crate) fn neighbour(&self, address_registers: u32, meta: u32, cycles: u64) -> u64 {
        cache::neighbour(
            self.previous,
            address_registers,
            meta,
            cycles,
            self.timing.address_stall,
        )
    }

    /// Reads any width at a cycle; the value, and the cycle in which it is there.
    #[inline(always)]
    fn read<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        addr: u32,
        cycles: u64,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<(u32, u64), Cause> {
        let (value, cycles) = match cycles::octets(width) {
            4 => self.read32(addr, cycles, bus, tracer)?,
            2 => self.read16(addr, cycles, bus, tracer)?,
            _ => self.read8(addr, cycles, bus, tracer)?,
        };
        Ok((extended(width, value), cycles))
    }

    /// One instruction that starts at a cycle. Its class is that of the first method that knows it;
    /// the compiler makes one table of them all.
    #[inline(always)]
    pub(crate) fn execute<B: Bus, T: Tracer>(
        &mut self,
        op: Op,
        meta: u32,
        pc: u32,
        cycles: u64,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<Next, Cause> {
        let t = cycles + u64::from(meta >> cache::CYCLES_SHIFT);
        let next = pc.wrapping_add(cache::length(meta));
        let go_on = |cycles| {
            Ok(Next {
                cycles,
                pc: next,
                jumped: false,
            })
        };
        if self.immediate(op)
            || self.registers(op)
            || self.shifted_register(op)
            || self.rearranged(op)
            || self.other(op, pc)
            || self.of_the_dsp_extension(op)
            || self.of_the_fpu(op)
        {
            return go_on(t);
        }
        if let Some(more) = self.long_product(op) {
            return go_on(t + more);
        }
        if let Some(taken) = self.branch(op, pc) {
            let Some(target) = taken else {
                return go_on(t);
            };
            return Ok(Next {
                cycles: t + u64::from(self.timing.refill),
                pc: target & !1,
                jumped: true,
            });
        }
        if let Some(t) = self.load_at(op, meta, pc, t, bus, tracer)? {
            return go_on(t);
        }
        if let Some(t) = self.store_at(op, meta, t, bus, tracer)? {
            return go_on(t);
        }
        (self.cycles, self.regs[PC]) = (t, next);
        self.by_fields(op, meta, pc, &mut Watched { bus, tracer })?;
        Ok(Next {
            cycles: self.cycles,
            pc: self.regs[PC],
            jumped: std::mem::take(&mut self.jumped),
        })
    }

    /// Data processing with an immediate.
    #[inline(always)]
    #[rustfmt::skip]
    fn immediate(&mut self, op: Op) -> bool {
        match op {
            Op::AndImm { rd, rn, f, imm } => self.logic_imm(rd, rn, f, |a| a & imm),
            Op::BicImm { rd, rn, f, imm } => self.logic_imm(rd, rn, f, |a| a & !imm),
            Op::OrrImm { rd, rn, f, imm } => self.logic_imm(rd, rn, f, |a| a | imm),
            Op::OrnImm { rd, rn, f, imm } => self.logic_imm(rd, rn, f, |a| a | !imm),
            Op::EorImm { rd, rn, f, imm } => self.logic_imm(rd, rn, f, |a| a ^ imm),
            Op::AddImm { rd, rn, f, imm } => self.sum(rd, self.r(rn), imm, false, f & F_SET != 0),
            Op::AdcImm { rd, rn, f, imm } => self.sum(rd, self.r(rn), imm, self.flags.c, f & F_SET != 0),
            Op::SbcImm { rd, rn, f, imm } => self.sum(rd, self.r(rn), !imm, self.flags.c, f & F_SET != 0),
            Op::SubImm { rd, rn, f, imm } => self.sum(rd, self.r(rn), !imm, true, f & F_SET != 0),
            Op::RsbImm { rd, rn, f, imm } => self.sum(rd, !self.r(rn), imm, true, f & F_SET != 0),
            Op::TstImm { rn, f, imm } => { self.flags.logic_immediate(self.r(rn) & imm, f); }
            Op::TeqImm { rn, f, imm } => { self.flags.logic_immediate(self.r(rn) ^ imm, f); }
            Op::CmpImm { rn, imm } => self.compare(self.r(rn), !imm, true),
            Op::CmnImm { rn, imm } => self.compare(self.r(rn), imm, false),
            Op::MovImm { rd, f, imm } => { self.flags.logic_immediate(imm, f); self.set(rd, imm); }
            Op::MvnImm { rd, f, imm } => { self.flags.logic_immediate(!imm, f); self.set(rd, !imm); }
            Op::Movt { rd, imm } => self.set(rd, self.r(rd) & 0xffff | u32::from(imm) << 16),
            _ => return false,
        }
        true
    }

    /// Data processing with registers as they are.
    #[inline(always)]
    #[rustfmt::skip]
    fn registers(&mut self, op: Op) -> bool {
        match op {
            Op::AndReg { rd, rn, rm, s } => self.logic_reg(rd, rn, rm, s, |a, b| a & b),
            Op::BicReg { rd, rn, rm, s } => self.logic_reg(rd, rn, rm, s, |a, b| a & !b),
            Op::OrrReg { rd, rn, rm, s } => self.logic_reg(rd, rn, rm, s, |a, b| a | b),
            Op::EorReg { rd, rn, rm, s } => self.logic_reg(rd, rn, rm, s, |a, b| a ^ b),
            Op::AddReg { rd, rn, rm, s } => self.sum(rd, self.r(rn), self.r(rm), false, s),
            Op::AdcReg { rd, rn, rm, s } => self.sum(rd, self.r(rn), self.r(rm), self.flags.c, s),
            Op::SbcReg { rd, rn, rm, s } => self.sum(rd, self.r(rn), !self.r(rm), self.flags.c, s),
            Op::SubReg { rd, rn, rm, s } => self.sum(rd, self.r(rn), !self.r(rm), true, s),
            Op::TstReg { rn, rm } => self.flags.nz(self.r(rn) & self.r(rm)),
            Op::CmpReg { rn, rm } => self.compare(self.r(rn), !self.r(rm), true),
            Op::MovReg { rd, rm, s } => { self.flags.result(self.r(rm), s); self.set(rd, self.r(rm)); }
            Op::MvnReg { rd, rm, s } => { self.flags.result(!self.r(rm), s); self.set(rd, !self.r(rm)); }
            Op::LslReg { rd, rn, rm, s } => self.shift_register(rd, rn, rm, s, Shift::Lsl),
            Op::LsrReg { rd, rn, rm, s } => self.shift_register(rd, rn, rm, s, Shift::Lsr),
            Op::AsrReg { rd, rn, rm, s } => self.shift_register(rd, rn, rm, s, Shift::Asr),
            Op::RorReg { rd, rn, rm, s } => self.shift_register(rd, rn, rm, s, Shift::Ror),
            _ => return false,
        }
        true
    }

    /// Data processing with a shifted register.
    #[inline(always)]
    #[rustfmt::skip]
    fn shifted_register(&mut self, op: Op) -> bool {
        match op {
            Op::AndShift { rd, rn, rm, shift, amount, s } => self.logic_shift(rd, rn, self.shifted(rm, shift, amount), s, |a, b| a & b),
            Op::BicShift { rd, rn, rm, shift, amount, s } => self.logic_shift(rd, rn, self.shifted(rm, shift, amount), s, |a, b| a & !b),
            Op::OrrShift { rd, rn, rm, shift, amount, s } => self.logic_shift(rd, rn, self.shifted(rm, shift, amount), s, |a, b| a | b),
            Op::OrnShift { rd, rn, rm, shift, amount, s } => self.logic_shift(rd, rn, self.shifted(rm, shift, amount), s, |a, b| a | !b),
            Op::EorShift { rd, rn, rm, shift, amount, s } => self.logic_shift(rd, rn, self.shifted(rm, shift, amount), s, |a, b| a ^ b),
            Op::AddShift { rd, rn, rm, shift, amount, s } => self.sum(rd, self.r(rn), self.shifted(rm, shift, amount).0, false, s),
            Op::AdcShift { rd, rn, rm, shift, amount, s } => self.sum(rd, self.r(rn), self.shifted(rm, shift, amount).0, self.flags.c, s),
            Op::SbcShift { rd, rn, rm, shift, amount, s } => self.sum(rd, self.r(rn), !self.shifted(rm, shift, amount).0, self.flags.c, s),
            Op::SubShift { rd, rn, rm, shift, amount, s } => self.sum(rd, self.r(rn), !self.shifted(rm, shift, amount).0, true, s),
            Op::RsbShift { rd, rn, rm, shift, amount, s } => self.sum(rd, !self.r(rn), self.shifted(rm, shift, amount).0, true, s),
            Op::TstShift { rn, rm, shift, amount } => { let b = self.shifted(rm, shift, amount); self.flags.logic(self.r(rn) & b.0, b.1, true); }
            Op::TeqShift { rn, rm, shift, amount } => { let b = self.shifted(rm, shift, amount); self.flags.logic(self.r(rn) ^ b.0, b.1, true); }
            Op::CmpShift { rn, rm, shift, amount } => self.compare(self.r(rn), !self.shifted(rm, shift, amount).0, true),
            Op::CmnShift { rn, rm, shift, amount } => self.compare(self.r(rn), self.shifted(rm, shift, amount).0, false),
            Op::MovShift { rd, rm, shift, amount, s } => { let b = self.shifted(rm, shift, amount); self.flags.logic(b.0, b.1, s); self.set(rd, b.0); }
            Op::MvnShift { rd, rm, shift, amount, s } => { let b = self.shifted(rm, shift, amount); self.flags.logic(!b.0, b.1, s); self.set(rd, !b.0); }
            _ => return false,
        }
        true
    }

    /// Short multiplications, and bits and octets in another order.
    #[inline(always)]
    #[rustfmt::skip]
    fn rearranged(&mut self, op: Op) -> bool {
        match op {
            Op::Mul { rd, rn, rm, s } => { let product = self.r(rn).wrapping_mul(self.r(rm)); self.flags.result(product, s); self.set(rd, product); }
            Op::Mla { rd, rn, rm, ra } => self.set(rd, self.r(rn).wrapping_mul(self.r(rm)).wrapping_add(self.r(ra))),
            Op::Mls { rd, rn, rm, ra } => self.set(rd, self.r(ra).wrapping_sub(self.r(rn).wrapping_mul(self.r(rm)))),
            Op::Clz { rd, rm } => self.set(rd, self.r(rm).leading_zeros()),
            Op::Rbit { rd, rm } => self.set(rd, self.r(rm).reverse_bits()),
            Op::Rev { rd, rm } => self.set(rd, self.r(rm).swap_bytes()),
            Op::Rev16 { rd, rm } => self.set(rd, self.r(rm).swap_bytes().rotate_left(16)),
            Op::Revsh { rd, rm } => self.set(rd, (self.r(rm) as u16).swap_bytes() as i16 as u32),
            Op::Sxtb { rd, rm, rotate } => self.set(rd, self.r(rm).rotate_right(rotate.into()) as i8 as u32),
            Op::Sxth { rd, rm, rotate } => self.set(rd, self.r(rm).rotate_right(rotate.into()) as i16 as u32),
            Op::Uxtb { rd, rm, rotate } => self.set(rd, self.r(rm).rotate_right(rotate.into()) & 0xff),
            Op::Uxth { rd, rm, rotate } => self.set(rd, self.r(rm).rotate_right(rotate.into()) & 0xffff),
            Op::Bfi { rd, rn, lsb, width } => { let field = alu::field(lsb, width); self.set(rd, self.r(rd) & !field | self.r(rn) << lsb & field); }
            Op::Bfc { rd, lsb, width } => self.set(rd, self.r(rd) & !alu::field(lsb, width)),
            Op::Ubfx { rd, rn, lsb, width } => self.set(rd, self.r(rn) >> lsb & alu::field(0, width)),
            Op::Sbfx { rd, rn, lsb, width } => self.set(rd, ((self.r(rn) as i32) << (32 - lsb - width) >> (32 - width)) as u32),
            Op::Ssat { rd, rn, shift, amount, bits } => { let b = self.shifted(rn, shift, amount).0 as i32; self.saturated(rd, alu::saturate_signed(b, bits)); }
            Op::Usat { rd, rn, shift, amount, bits } => { let b = self.shifted(rn, shift, amount).0 as i32; self.saturated(rd, alu::saturate_unsigned(b, bits)); }
            _ => return false,
        }
        true
    }

    /// Addresses relative to the PC, hints, and what reads or sets one field.
    #[inline(always)]
    #[rustfmt::skip]
    fn other(&mut self, op: Op, pc: u32) -> bool {
        match op {
            Op::Adr { rd, imm } => self.set(rd, literal_base(pc).wrapping_add_signed(i32::from(imm))),
            Op::MovFromPc { rd } => self.set(rd, pc.wrapping_add(4)),
            Op::AddFromPc { rd } => self.set(rd, self.r(rd).wrapping_add(pc).wrapping_add(4)),
            Op::Clrex => self.exclusive = false,
            Op::Nop => {}
            Op::Sev => self.event = true,
            Op::Mrs { rd, register } => { let value = self.special_register(register); self.set(rd, value); }
            _ => return false,
        }
        true
    }

    /// UMULL, SMULL, UMLAL, SMLAL: their time.
    #[inline(always)]
    #[rustfmt::skip]
    fn long_product(&mut self, op: Op) -> Option<u64> {
        Some(match op {
            Op::Umull { lo, hi, rn, rm } => { let (a, b) = (self.r(rn), self.r(rm)); self.long(lo, hi, LONG_MULTIPLY, a, b, unsigned(a, b)) }
            Op::Smull { lo, hi, rn, rm } => { let (a, b) = (self.r(rn), self.r(rm)); self.long(lo, hi, LONG_MULTIPLY, a, b, signed(a, b)) }
            Op::Umlal { lo, hi, rn, rm } => { let (a, b) = (self.r(rn), self.r(rm)); self.long(lo, hi, LONG_ACCUMULATE, a, b, unsigned(a, b).wrapping_add(self.accumulator(lo, hi))) }
            Op::Smlal { lo, hi, rn, rm } => { let (a, b) = (self.r(rn), self.r(rm)); self.long(lo, hi, LONG_ACCUMULATE, a, b, signed(a, b).wrapping_add(self.accumulator(lo, hi))) }
            _ => return None,
        })
    }

    /// Branches that change no state but the PC and the link register: where to, if taken.
    #[inline(always)]
    #[rustfmt::skip]
    fn branch(&mut self, op: Op, pc: u32) -> Option<Option<u32>> {
        Some(match op {
            Op::MovToPc { rm } => Some(self.r(rm)),
            Op::AddToPc { rm } => Some(self.r(rm).wrapping_add(pc).wrapping_add(4)),
            Op::B { offset } => Some(relative(pc, offset)),
            Op::Bcc { cond, offset } => self.flags.holds(cond).then(|| relative(pc, offset)),
            Op::Bl { offset } => { self.set(14, pc.wrapping_add(4) | 1); Some(relative(pc, offset)) }
            Op::Cbz { rn, nonzero, offset } => ((self.r(rn) != 0) == nonzero).then(|| relative(pc, offset.into())),
            _ => return None,
        })
    }

    /// Loads without base update: the cycle after them.
    #[inline(always)]
    #[rustfmt::skip]
    fn load_at<B: Bus, T: Tracer>(&mut self, op: Op, meta: u32, pc: u32, t: u64, bus: &mut B, tracer: &mut T) -> Result<Option<u64>, Cause> {
        let (rt, value, t) = match op {
            Op::LdrImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); let (v, t) = self.read32(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrbImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); let (v, t) = self.read8(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrhImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); let (v, t) = self.read16(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrsbImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); let (v, t) = self.read8(at, t, bus, tracer)?; (rt, v as i8 as u32, t) }
            Op::LdrshImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); let (v, t) = self.read16(at, t, bus, tracer)?; (rt, v as i16 as u32, t) }
            Op::LdrReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); let (v, t) = self.read32(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrbReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); let (v, t) = self.read8(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrhReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); let (v, t) = self.read16(at, t, bus, tracer)?; (rt, v, t) }
            Op::LdrsbReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); let (v, t) = self.read8(at, t, bus, tracer)?; (rt, v as i8 as u32, t) }
            Op::LdrshReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); let (v, t) = self.read16(at, t, bus, tracer)?; (rt, v as i16 as u32, t) }
            Op::LoadLiteral { width, rt, imm } => { let t = self.neighbour(0, meta, t); let (v, t) = self.read(width, literal_base(pc).wrapping_add_signed(i32::from(imm)), t, bus, tracer)?; (rt, v, t) }
            _ => return Ok(None),
        };
        self.set(rt, value);
        Ok(Some(t))
    }

    /// Stores without base update: the cycle after them.
    #[inline(always)]
    #[rustfmt::skip]
    fn store_at<B: Bus, T: Tracer>(&mut self, op: Op, meta: u32, t: u64, bus: &mut B, tracer: &mut T) -> Result<Option<u64>, Cause> {
        Ok(Some(match op {
            Op::StrImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); self.write32(at, self.r(rt), t, bus, tracer)? }
            Op::StrbImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); self.write8(at, self.r(rt), t, bus, tracer)? }
            Op::StrhImm { rt, rn, imm } => { let (at, t) = self.at(rn, imm, meta, t); self.write16(at, self.r(rt), t, bus, tracer)? }
            Op::StrReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); self.write32(at, self.r(rt), t, bus, tracer)? }
            Op::StrbReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); self.write8(at, self.r(rt), t, bus, tracer)? }
            Op::StrhReg { rt, rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, t); self.write16(at, self.r(rt), t, bus, tracer)? }
            _ => return Ok(None),
        }))
    }

    /// Operations in methods of their own, which find PC and cycles in the fields of the core.
    #[inline(always)]
    #[rustfmt::skip]
    fn by_fields(&mut self, op: Op, meta: u32, pc: u32, out: &mut impl Outside) -> Done {
        match op {
            Op::Udiv { rd, rn, rm } => self.divide(rd, rn, rm, false),
            Op::Sdiv { rd, rn, rm } => self.divide(rd, rn, rm, true),
            Op::LoadIndexed { width, rt, rn, post, imm } => self.load_indexed(width, rt, moving(rn, post, imm), out),
            Op::StoreIndexed { width, rt, rn, post, imm } => self.store_indexed(width, rt, moving(rn, post, imm), out),
            Op::LoadUnprivileged { width, rt, rn, imm } => { let at = self.offset(rn, imm.into(), meta); self.load_user(width, rt, at, out) },
            Op::StoreUnprivileged { width, rt, rn, imm } => { let at = self.offset(rn, imm.into(), meta); self.store_user(width, rt, at, out) },
            Op::LdrPcImm { rn, index, imm } => self.load_pc(pc, Base { rn, index, imm }, out),
            Op::LdrPcReg { rn, rm, lsl } => { let (at, t) = self.at_register(rn, rm, lsl, meta, self.cycles); self.cycles = t; self.load_pc_from(at, out) },
            Op::Ldrd { rt, rt2, rn, index, imm } => self.load_double(pc, [rt, rt2], Base { rn, index, imm }, out),
            Op::Strd { rt, rt2, rn, index, imm } => self.store_double([rt, rt2], Base { rn, index, imm }, out),
            Op::Ldm { rn, wback, before, list } => self.load_multiple(Multiple { rn, wback, before, list }, out),
            Op::Stm { rn, wback, before, list } => self.store_multiple(Multiple { rn, wback, before, list }, out),
            Op::Ldrex { width, rt, rn, imm } => { let at = self.offset(rn, 4 * u32::from(imm), meta); self.load_exclusive(width, rt, at, out) },
            Op::Strex { width, rd, rt, rn, imm } => { let at = self.offset(rn, 4 * u32::from(imm), meta); self.store_exclusive(width, [rd, rt], at, out) },
            Op::Vldr { .. } | Op::Vstr { .. } => self.transfer_singles(op, pc, out),
            Op::Vldm { .. } | Op::Vstm { .. } => self.transfer_many(op, out),
            Op::Tbb { rn, rm } => self.table_branch(pc, [rn, rm], false, out),
            Op::Tbh { rn, rm } => self.table_branch(pc, [rn, rm], true, out),
            _ => self.of_the_system(op, pc),
        }
    }

    /// Exchanges of the instruction set, IT, waiting, barriers, special registers, and undefined
    /// encodings.
    #[inline(always)]
    #[rustfmt::skip]
    fn of_the_system(&mut self, op: Op, pc: u32) -> Done {
        match op {
            Op::Bx { rm } => self.exchange(if rm == 15 { pc.wrapping_add(4) } else { self.r(rm) }, self.timing.refill, true),
            Op::Blx { rm } => { let target = self.r(rm); self.set(14, pc.wrapping_add(2) | 1); self.exchange(target, self.timing.refill, false) }
            Op::It { state } => self.begin_it(state),
            Op::Wfi => self.wait(Sleep::Interrupt),
            Op::Wfe => self.wait(Sleep::Event),
            Op::Dmb | Op::Dsb => self.barrier(false),
            Op::Isb => self.barrier(true),
            Op::Msr { rn, register, mask } => self.set_special_register(register, mask, self.r(rn)),
            Op::Cps { disable, primask, faultmask } => self.change_masks(disable, primask, faultmask),
            Op::Svc => self.supervisor_call(),
            Op::Bkpt { number } => Err(Cause::Breakpoint(number)),
            Op::Coprocessor => Err(Cause::NoCoprocessor),
            _ => Err(Cause::Undefined),
        }
    }
}

/// The PC as literals and ADR see it.
#[inline(always)]
pub(crate) const fn literal_base(pc: u32) -> u32 {
    pc.wrapping_add(4) & !3
}

/// The target of a branch.
#[inline(always)]
const fn relative(pc: u32, offset: i32) -> u32 {
    pc.wrapping_add(4).wrapping_add_signed(offset)
}

/// A base that the access moves.
#[inline(always)]
fn moving(rn: u8, post: bool, imm: i16) -> Base {
    let index = if post { Index::Post } else { Index::Pre };
    Base { rn, index, imm }
}

#[inline(always)]
fn unsigned(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

#[inline(always)]
fn signed(a: u32, b: u32) -> u64 {
    (i64::from(a as i32) * i64::from(b as i32)) as u64
}
