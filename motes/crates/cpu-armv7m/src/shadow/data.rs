//! Data processing.

use super::shift::{bit, by_register, field, inserted, shifted};
use super::{CLEAN, Following, Value, Word};
use crate::op::{F_CARRY_DEFINED, F_SET, Op, Shift};
use taint::{Kind, Secrets, and, any, or, sum, zero};

/// A logic operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    And,
    Bic,
    Orr,
    Orn,
    Eor,
    Mov,
    Mvn,
}

/// A sum or a difference.
#[derive(Clone, Copy)]
enum Sum {
    Add,
    Adc,
    Sub,
    Sbc,
    Rsb,
}

/// What becomes of a result and its flags.
#[derive(Clone, Copy)]
struct Destination {
    /// `None`: only the flags count.
    rd: Option<u8>,
    sets: bool,
}

fn to(rd: u8, sets: bool) -> Destination {
    let rd = Some(rd);
    Destination { rd, sets }
}

const FLAGS: Destination = Destination {
    rd: None,
    sets: true,
};

/// What a product depends on: an octet depends on those octets of the factors that are not above it.
fn product<const N: usize>(a: Value, b: Value) -> [Secrets; N] {
    let known_zero = |(value, of): Value| value == 0 && any(of) == 0;
    if known_zero(a) || known_zero(b) {
        return [0; N];
    }
    let mut all = 0;
    std::array::from_fn(|octet| {
        all |= a.1.get(octet).unwrap_or(&0) | b.1.get(octet).unwrap_or(&0);
        all
    })
}

impl Following<'_> {
    fn carry(&self) -> (bool, Secrets) {
        (self.cpu.flags.c, self.shadow.flags.c)
    }

    /// A logic operation; `carry` is what C depends on after it.
    fn logic(&mut self, logic: Logic, result: Destination, a: Value, b: Value, carry: Secrets) {
        let inverse = (!b.0, b.1);
        let (value, of) = match logic {
            Logic::And => (a.0 & b.0, and(a, b)),
            Logic::Bic => (a.0 & !b.0, and(a, inverse)),
            Logic::Orr => (a.0 | b.0, or(a, b)),
            Logic::Orn => (a.0 | !b.0, or(a, inverse)),
            Logic::Eor => (a.0 ^ b.0, std::array::from_fn(|i| a.1[i] | b.1[i])),
            Logic::Mov => b,
            Logic::Mvn => inverse,
        };
        self.finish(result, (value, of));
        if result.sets {
            self.shadow.flags.c = carry;
        }
    }

    /// The register and the flags N and Z of a result.
    fn finish(&mut self, result: Destination, (value, of): Value) {
        if let Some(rd) = result.rd {
            self.set(rd, of);
        }
        if result.sets {
            self.shadow.flags.n = of[3];
            self.shadow.flags.z = zero((value, of));
        }
    }

    fn sum(&mut self, kind: Sum, result: Destination, a: Value, b: Value) {
        let not = |(value, of): Value| (!value, of);
        let (a, b, carry) = match kind {
            Sum::Add => (a, b, (false, 0)),
            Sum::Adc => (a, b, self.carry()),
            Sum::Sub => (a, not(b), (true, 0)),
            Sum::Sbc => (a, not(b), self.carry()),
            Sum::Rsb => (not(a), b, (true, 0)),
        };
        let total = sum(a, b, carry);
        let value = a.0.wrapping_add(b.0).wrapping_add(carry.0.into());
        self.finish(result, (value, total.octets));
        if result.sets {
            self.shadow.flags.c = total.carry;
            self.shadow.flags.v = total.octets[3];
        }
    }

    /// Operands that cancel each other out, whatever they are: of one register.
    fn alone(&self, rn: u8, rm: u8) -> (Value, Value) {
        if rn == rm {
            ((self.cpu.r(rn), CLEAN), (self.cpu.r(rn), CLEAN))
        } else {
            (self.value(rn), self.value(rm))
        }
    }

    fn logic_imm(&mut self, logic: Logic, rd: Option<u8>, rn: u8, f: u8, imm: u32) {
        let sets = rd.is_none() || f & F_SET != 0;
        let known = f & F_CARRY_DEFINED != 0;
        let carry = if known { 0 } else { self.shadow.flags.c };
        self.logic(
            logic,
            Destination { rd, sets },
            self.value(rn),
            (imm, CLEAN),
            carry,
        );
    }

    fn sum_imm(&mut self, kind: Sum, result: Destination, rn: u8, imm: u32) {
        self.sum(kind, result, self.value(rn), (imm, CLEAN));
    }

    #[rustfmt::skip]
    pub(super) fn immediate(&mut self, op: Op) -> bool {
        match op {
            Op::AndImm { rd, rn, f, imm } => self.logic_imm(Logic::And, Some(rd), rn, f, imm),
            Op::BicImm { rd, rn, f, imm } => self.logic_imm(Logic::Bic, Some(rd), rn, f, imm),
            Op::OrrImm { rd, rn, f, imm } => self.logic_imm(Logic::Orr, Some(rd), rn, f, imm),
            Op::OrnImm { rd, rn, f, imm } => self.logic_imm(Logic::Orn, Some(rd), rn, f, imm),
            Op::EorImm { rd, rn, f, imm } => self.logic_imm(Logic::Eor, Some(rd), rn, f, imm),
            Op::TstImm { rn, f, imm } => self.logic_imm(Logic::And, None, rn, f, imm),
            Op::TeqImm { rn, f, imm } => self.logic_imm(Logic::Eor, None, rn, f, imm),
            Op::MovImm { rd, f, imm } => self.logic_imm(Logic::Mov, Some(rd), 0, f, imm),
            Op::MvnImm { rd, f, imm } => self.logic_imm(Logic::Mvn, Some(rd), 0, f, imm),
            Op::AddImm { rd, rn, f, imm } => self.sum_imm(Sum::Add, to(rd, f & F_SET != 0), rn, imm),
            Op::AdcImm { rd, rn, f, imm } => self.sum_imm(Sum::Adc, to(rd, f & F_SET != 0), rn, imm),
            Op::SbcImm { rd, rn, f, imm } => self.sum_imm(Sum::Sbc, to(rd, f & F_SET != 0), rn, imm),
            Op::SubImm { rd, rn, f, imm } => self.sum_imm(Sum::Sub, to(rd, f & F_SET != 0), rn, imm),
            Op::RsbImm { rd, rn, f, imm } => self.sum_imm(Sum::Rsb, to(rd, f & F_SET != 0), rn, imm),
            Op::CmpImm { rn, imm } => self.sum_imm(Sum::Sub, FLAGS, rn, imm),
            Op::CmnImm { rn, imm } => self.sum_imm(Sum::Add, FLAGS, rn, imm),
            Op::Movt { rd, .. } => { let [first, second, ..] = self.of(rd); self.set(rd, [first, second, 0, 0]); }
            Op::Adr { rd, .. } | Op::MovFromPc { rd } => self.set(rd, CLEAN),
            Op::AddFromPc { rd } => self.sum_imm(Sum::Add, to(rd, false), rd, self.pc.wrapping_add(4)),
            _ => return false,
        }
        true
    }

    /// A logic operation without shift: the carry stays.
    fn logic_reg(&mut self, logic: Logic, result: Destination, (a, b): (Value, Value)) {
        let carry = self.shadow.flags.c;
        self.logic(logic, result, a, b, carry);
    }

    #[rustfmt::skip]
    pub(super) fn registers(&mut self, op: Op) -> bool {
        let both = |rn, rm| (self.value(rn), self.value(rm));
        match op {
            Op::AndReg { rd, rn, rm, s } => self.logic_reg(Logic::And, to(rd, s), both(rn, rm)),
            Op::OrrReg { rd, rn, rm, s } => self.logic_reg(Logic::Orr, to(rd, s), both(rn, rm)),
            Op::BicReg { rd, rn, rm, s } => self.logic_reg(Logic::Bic, to(rd, s), self.alone(rn, rm)),
            Op::EorReg { rd, rn, rm, s } => self.logic_reg(Logic::Eor, to(rd, s), self.alone(rn, rm)),
            Op::TstReg { rn, rm } => self.logic_reg(Logic::And, FLAGS, both(rn, rm)),
            Op::MovReg { rd, rm, s } => self.logic_reg(Logic::Mov, to(rd, s), both(rm, rm)),
            Op::MvnReg { rd, rm, s } => self.logic_reg(Logic::Mvn, to(rd, s), both(rm, rm)),
            Op::AddReg { rd, rn, rm, s } => { let (a, b) = both(rn, rm); self.sum(Sum::Add, to(rd, s), a, b); }
            Op::AdcReg { rd, rn, rm, s } => { let (a, b) = both(rn, rm); self.sum(Sum::Adc, to(rd, s), a, b); }
            Op::SbcReg { rd, rn, rm, s } => { let (a, b) = self.alone(rn, rm); self.sum(Sum::Sbc, to(rd, s), a, b); }
            Op::SubReg { rd, rn, rm, s } => { let (a, b) = self.alone(rn, rm); self.sum(Sum::Sub, to(rd, s), a, b); }
            Op::CmpReg { rn, rm } => { let (a, b) = self.alone(rn, rm); self.sum(Sum::Sub, FLAGS, a, b); }
            Op::LslReg { rd, rn, rm, s } => self.by_register(to(rd, s), rn, rm, Shift::Lsl),
            Op::LsrReg { rd, rn, rm, s } => self.by_register(to(rd, s), rn, rm, Shift::Lsr),
            Op::AsrReg { rd, rn, rm, s } => self.by_register(to(rd, s), rn, rm, Shift::Asr),
            Op::RorReg { rd, rn, rm, s } => self.by_register(to(rd, s), rn, rm, Shift::Ror),
            _ => return false,
        }
        true
    }

    fn by_register(&mut self, result: Destination, rn: u8, rm: u8, shift: Shift) {
        let (of, carry) = by_register(self.of(rn), shift, self.value(rm), self.shadow.flags.c);
        let value = self
            .cpu
            .flags
            .shift_by_register(self.cpu.r(rn), shift, self.cpu.r(rm))
            .0;
        self.logic(Logic::Mov, result, (0, CLEAN), (value, of), carry);
    }

    /// A shifted operand, and what the carry out of it depends on.
    fn shifted(&self, rm: u8, shift: Shift, amount: u8) -> (Value, Secrets) {
        let (of, carry) = shifted(self.of(rm), shift, amount.into(), self.shadow.flags.c);
        let value = self.cpu.flags.shift(self.cpu.r(rm), shift, amount).0;
        ((value, of), carry)
    }

    fn logic_shift(
        &mut self,
        logic: Logic,
        result: Destination,
        rn: u8,
        (b, carry): (Value, Secrets),
    ) {
        self.logic(logic, result, self.value(rn), b, carry);
    }

    fn sum_shift(&mut self, kind: Sum, result: Destination, rn: u8, (b, _): (Value, Secrets)) {
        self.sum(kind, result, self.value(rn), b);
    }

    #[rustfmt::skip]
    pub(super) fn shifted_register(&mut self, op: Op) -> bool {
        match op {
            Op::AndShift { rd, rn, rm, shift, amount, s } => self.logic_shift(Logic::And, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::BicShift { rd, rn, rm, shift, amount, s } => self.logic_shift(Logic::Bic, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::OrrShift { rd, rn, rm, shift, amount, s } => self.logic_shift(Logic::Orr, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::OrnShift { rd, rn, rm, shift, amount, s } => self.logic_shift(Logic::Orn, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::EorShift { rd, rn, rm, shift, amount, s } => self.logic_shift(Logic::Eor, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::MovShift { rd, rm, shift, amount, s } => self.logic_shift(Logic::Mov, to(rd, s), 0, self.shifted(rm, shift, amount)),
            Op::MvnShift { rd, rm, shift, amount, s } => self.logic_shift(Logic::Mvn, to(rd, s), 0, self.shifted(rm, shift, amount)),
            Op::TstShift { rn, rm, shift, amount } => self.logic_shift(Logic::And, FLAGS, rn, self.shifted(rm, shift, amount)),
            Op::TeqShift { rn, rm, shift, amount } => self.logic_shift(Logic::Eor, FLAGS, rn, self.shifted(rm, shift, amount)),
            Op::AddShift { rd, rn, rm, shift, amount, s } => self.sum_shift(Sum::Add, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::AdcShift { rd, rn, rm, shift, amount, s } => self.sum_shift(Sum::Adc, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::SbcShift { rd, rn, rm, shift, amount, s } => self.sum_shift(Sum::Sbc, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::SubShift { rd, rn, rm, shift, amount, s } => self.sum_shift(Sum::Sub, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::RsbShift { rd, rn, rm, shift, amount, s } => self.sum_shift(Sum::Rsb, to(rd, s), rn, self.shifted(rm, shift, amount)),
            Op::CmpShift { rn, rm, shift, amount } => self.sum_shift(Sum::Sub, FLAGS, rn, self.shifted(rm, shift, amount)),
            Op::CmnShift { rn, rm, shift, amount } => self.sum_shift(Sum::Add, FLAGS, rn, self.shifted(rm, shift, amount)),
            _ => return false,
        }
        true
    }

    /// Extensions, bit fields, and changes of order.
    #[rustfmt::skip]
    pub(super) fn rearranged(&mut self, op: Op) -> bool {
        let turned = |rm: u8, rotate: u8| shifted(self.of(rm), Shift::Ror, rotate.into(), 0).0;
        let (rd, of) = match op {
            Op::Clz { rd, rm } => (rd, [self.leading(rm), 0, 0, 0]),
            Op::Rbit { rd, rm } | Op::Rev { rd, rm } => { let [a, b, c, d] = self.of(rm); (rd, [d, c, b, a]) }
            Op::Rev16 { rd, rm } => { let [a, b, c, d] = self.of(rm); (rd, [b, a, d, c]) }
            Op::Revsh { rd, rm } => { let [a, b, ..] = self.of(rm); (rd, [b, a, a, a]) }
            Op::Sxtb { rd, rm, rotate } => { let [a, ..] = turned(rm, rotate); (rd, [a; 4]) }
            Op::Uxtb { rd, rm, rotate } => { let [a, ..] = turned(rm, rotate); (rd, [a, 0, 0, 0]) }
            Op::Sxth { rd, rm, rotate } => { let [a, b, ..] = turned(rm, rotate); (rd, [a, b, b, b]) }
            Op::Uxth { rd, rm, rotate } => { let [a, b, ..] = turned(rm, rotate); (rd, [a, b, 0, 0]) }
            Op::Bfi { rd, rn, lsb, width } => (rd, inserted(self.of(rd), self.of(rn), lsb, width)),
            Op::Bfc { rd, lsb, width } => (rd, inserted(self.of(rd), CLEAN, lsb, width)),
            Op::Ubfx { rd, rn, lsb, width } => (rd, field(self.of(rn), lsb, width, 0)),
            Op::Sbfx { rd, rn, lsb, width } => { let of = self.of(rn); (rd, field(of, lsb, width, bit(of, i32::from(lsb + width) - 1))) }
            Op::Ssat { rd, rn, .. } | Op::Usat { rd, rn, .. } => {
                let all = any(self.of(rn));
                self.shadow.flags.q |= all;
                (rd, [all; 4])
            }
            _ => return false,
        };
        self.set(rd, of);
        true
    }

    /// What the number of leading zeros depends on: the octets down to the first that is known to be
    /// another number.
    fn leading(&self, rm: u8) -> Secrets {
        let (value, of) = self.value(rm);
        let mut all = 0;
        for octet in (0..4).rev() {
            all |= of[octet];
            if of[octet] == 0 && value >> (8 * octet) & 0xff != 0 {
                break;
            }
        }
        all
    }

    /// Multiplications and divisions.
    #[rustfmt::skip]
    pub(super) fn product(&mut self, op: Op) -> bool {
        match op {
            Op::Mul { rd, rn, rm, s } => {
                let value = self.cpu.r(rn).wrapping_mul(self.cpu.r(rm));
                let of: Word = product(self.value(rn), self.value(rm));
                self.finish(to(rd, s), (value, of));
            }
            Op::Mla { rd, rn, rm, ra } => self.accumulate(Sum::Add, rd, [rn, rm], ra),
            Op::Mls { rd, rn, rm, ra } => self.accumulate(Sum::Sub, rd, [rn, rm], ra),
            Op::Umull { lo, hi, rn, rm } => self.long([lo, hi], [rn, rm], false, false),
            Op::Smull { lo, hi, rn, rm } => self.long([lo, hi], [rn, rm], true, false),
            Op::Umlal { lo, hi, rn, rm } => self.long([lo, hi], [rn, rm], false, true),
            Op::Smlal { lo, hi, rn, rm } => self.long([lo, hi], [rn, rm], true, true),
            Op::Udiv { rd, rn, rm } | Op::Sdiv { rd, rn, rm } => {
                let all = any(self.of(rn)) | any(self.of(rm));
                self.taint.note(Kind::Time, all);
                self.set(rd, [all; 4]);
            }
            _ => return false,
        }
        true
    }

    fn accumulate(&mut self, kind: Sum, rd: u8, [rn, rm]: [u8; 2], ra: u8) {
        let value = self.cpu.r(rn).wrapping_mul(self.cpu.r(rm));
        let of = product(self.value(rn), self.value(rm));
        self.sum(kind, to(rd, false), self.value(ra), (value, of));
    }

    fn long(&mut self, [lo, hi]: [u8; 2], [rn, rm]: [u8; 2], signed: bool, adds: bool) {
        let (a, b) = (self.value(rn), self.value(rm));
        if self.cpu.timing.long_multiply_varies() {
            self.taint.note(Kind::Time, any(a.1) | any(b.1));
        }
        let octets: [Secrets; 8] = product(a, b);
        let accumulator = [self.of(lo), self.of(hi)];
        let mut all = 0;
        let octets: [Secrets; 8] = std::array::from_fn(|octet| {
            let old = accumulator[octet / 4][octet % 4];
            all |= octets[octet] | if adds { old } else { 0 };
            let sign = if signed && octet > 3 { octets[7] } else { 0 };
            all | sign
        });
        let [first, second, third, fourth, high @ ..] = octets;
        self.set(lo, [first, second, third, fourth]);
        self.set(hi, high);
    }
}
