//! Which secrets the registers depend on: every instruction is followed before the core executes it.
//!
//! No instruction's time depends on its operands here, so secrets show in branches and skips, in the
//! PC and in addresses.

use crate::bus::Bus;
use crate::core::{RAMPZ, SPH, SPL, SREG as SREG_AT, data};
use crate::cpu::Cpu;
use crate::execute::R0;
use crate::memory::{X, Y, Z};
use crate::operation::{Kind, Operation};
use crate::registers::place;
use crate::status::{SREG_C, SREG_H, SREG_N, SREG_S, SREG_T, SREG_V, SREG_Z};
use taint::{Kind as Shows, Registers, Secrets, Taint, and, any, or, sum, zero};

/// From the lower register of a pair to its upper one.
const UPPER: u8 = place(1);

/// The shadow of the registers.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    /// In the order in which the registers lie.
    registers: [Secrets; 32],
    /// By their bits of SREG.
    flags: [Secrets; 8],
    sp: Secrets,
    rampz: Secrets,
}

/// Octets in the order of the registers' numbers.
impl Registers for Shadow {
    fn octet(&mut self, index: usize) -> &mut Secrets {
        &mut self.registers[usize::from(place((index % 32) as u8))]
    }

    fn forget_flags(&mut self) {
        self.flags = [0; 8];
    }
}

/// One instruction.
struct Following<'a> {
    shadow: &'a mut Shadow,
    cpu: &'a Cpu,
    taint: &'a mut Taint,
}

impl Shadow {
    /// Follows the instruction at the PC, which `cpu` executes next.
    pub fn follow<B: Bus>(&mut self, cpu: &Cpu, bus: &mut B, taint: &mut Taint) {
        let Ok(operation) = bus.operation(cpu.pc) else {
            return;
        };
        let mut following = Following {
            shadow: self,
            cpu,
            taint,
        };
        following.operation(operation);
    }

    /// What the flags depend on, bit 0 of SREG first.
    pub fn flags(&self) -> [Secrets; 8] {
        self.flags
    }

    /// What a flag depends on, by its bit of SREG.
    pub fn flag_of(&mut self, bit: usize) -> &mut Secrets {
        &mut self.flags[bit % 8]
    }

    fn flag(&mut self, mask: u8) -> &mut Secrets {
        &mut self.flags[mask.trailing_zeros() as usize & 7]
    }

    fn set_flags(&mut self, masks: &[u8], of: Secrets) {
        masks.iter().for_each(|mask| *self.flag(*mask) = of);
    }
}

impl Following<'_> {
    fn of(&self, register: u8) -> Secrets {
        self.shadow.registers[usize::from(register)]
    }

    fn set(&mut self, register: u8, of: Secrets) {
        self.shadow.registers[usize::from(register)] = of;
    }

    fn value(&self, register: u8) -> u32 {
        self.cpu.regs.get(register).into()
    }

    fn pair(&self, low: u8) -> (u32, [Secrets; 2]) {
        let of = [self.of(low), self.of(low | UPPER)];
        (self.cpu.regs.pair(low).into(), of)
    }

    fn set_pair(&mut self, low: u8, [first, second]: [Secrets; 2]) {
        self.set(low, first);
        self.set(low | UPPER, second);
    }

    fn flag(&self, mask: u8) -> (bool, Secrets) {
        let of = self.shadow.flags[mask.trailing_zeros() as usize & 7];
        (self.cpu.sreg & mask != 0, of)
    }

    fn operation(&mut self, operation: Operation) {
        let kind = operation.0;
        let known = self.two_registers(kind)
            || self.immediate(kind)
            || self.one_register(kind)
            || self.control(kind);
        if !known {
            self.access(kind);
        }
    }

    fn two_registers(&mut self, kind: Kind) -> bool {
        let none = (false, 0);
        let carry = self.flag(SREG_C);
        match kind {
            Kind::Add { d, r } => self.add(d, self.operand(r), none, true),
            Kind::Adc { d, r } => self.add(d, self.operand(r), carry, true),
            Kind::Sub { d, r } | Kind::Eor { d, r } if d == r => self.cleared(d, kind),
            Kind::Cp { d, r } if d == r => self.cleared(d, kind),
            Kind::Sub { d, r } => self.subtract(d, self.operand(r), none, true),
            Kind::Cp { d, r } => self.subtract(d, self.operand(r), none, false),
            Kind::Sbc { d, r } | Kind::Cpc { d, r } => {
                let keeps = matches!(kind, Kind::Sbc { .. });
                self.subtract_carry(d, (d != r).then_some(r), carry, keeps);
            }
            Kind::And { d, r } => {
                let [of] = and(self.operand(d), self.operand(r));
                self.logic(d, of);
            }
            Kind::Or { d, r } => {
                let [of] = or(self.operand(d), self.operand(r));
                self.logic(d, of);
            }
            Kind::Eor { d, r } => self.logic(d, self.of(d) | self.of(r)),
            Kind::Mov { d, r } => self.set(d, self.of(r)),
            Kind::Movw { d, r } => self.set_pair(d, self.pair(r).1),
            Kind::Mul { d, r }
            | Kind::Muls { d, r }
            | Kind::Mulsu { d, r }
            | Kind::Fmul { d, r }
            | Kind::Fmuls { d, r }
            | Kind::Fmulsu { d, r } => self.multiply(d, r),
            _ => return false,
        }
        true
    }

    fn immediate(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Subi { d, k } => self.subtract(d, (k.into(), [0]), (false, 0), true),
            Kind::Cpi { d, k } => self.subtract(d, (k.into(), [0]), (false, 0), false),
            Kind::Sbci { d, k } => {
                let (carry, before) = (self.flag(SREG_C), self.flag(SREG_Z));
                self.subtract(d, (k.into(), [0]), carry, true);
                let value = self
                    .value(d)
                    .wrapping_sub(u32::from(k) + u32::from(carry.0));
                self.keep_zero(before, (value, [self.of(d)]));
            }
            Kind::Andi { d, k } => {
                let [of] = and(self.operand(d), (k.into(), [0]));
                self.logic(d, of);
            }
            Kind::Ori { d, k } => {
                let [of] = or(self.operand(d), (k.into(), [0]));
                self.logic(d, of);
            }
            Kind::Ldi { d, .. } => self.set(d, 0),
            Kind::Adiw { d, k } => self.add_word(d, k.into(), false),
            Kind::Sbiw { d, k } => self.add_word(d, u32::from(k) ^ 0xffff, true),
            _ => return false,
        }
        true
    }

    fn one_register(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Com(d) => {
                self.logic(d, self.of(d));
                self.shadow.set_flags(&[SREG_C], 0);
            }
            Kind::Neg(d) => {
                let of = self.of(d);
                self.shadow.set_flags(&[SREG_C, SREG_H], of);
                self.counted(d);
            }
            Kind::Swap(_) => {}
            Kind::Inc(d) | Kind::Dec(d) => self.counted(d),
            Kind::Asr(d) => self.shifted(d, self.of(d)),
            Kind::Lsr(d) => self.shifted(d, 0),
            Kind::Ror(d) => self.shifted(d, self.flag(SREG_C).1),
            Kind::Bset(bit) | Kind::Bclr(bit) => self.shadow.set_flags(&[bit], 0),
            Kind::Bst { d, .. } => {
                let of = self.of(d);
                self.shadow.set_flags(&[SREG_T], of);
            }
            Kind::Bld { d, .. } => self.set(d, self.of(d) | self.flag(SREG_T).1),
            _ => return false,
        }
        true
    }

    /// Branches, skips, calls and returns.
    fn control(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Sbrc { d, bit } => self.skip(d, self.value(d) & u32::from(bit) == 0),
            Kind::Sbrs { d, bit } => self.skip(d, self.value(d) & u32::from(bit) != 0),
            Kind::Cpse { d, r } => {
                let of = if d == r { 0 } else { self.of(d) | self.of(r) };
                self.taint.condition(self.value(d) == self.value(r), of);
            }
            Kind::Brbs { bit, .. } => {
                let (set, of) = self.flag(bit);
                self.taint.condition(set, of);
            }
            Kind::Brbc { bit, .. } => {
                let (set, of) = self.flag(bit);
                self.taint.condition(!set, of);
            }
            Kind::Rcall(_) | Kind::Call(_) => self.push_pc(),
            Kind::Ijmp => self.taint.note(Shows::Branch, any(self.pair(Z).1)),
            Kind::Icall => {
                self.push_pc();
                self.taint.note(Shows::Branch, any(self.pair(Z).1));
            }
            Kind::Ret | Kind::Reti => {
                let octets: [Secrets; 2] = self.taint.read(self.pop_at(1), self.shadow.sp);
                self.taint.note(Shows::Branch, any(octets));
                if matches!(kind, Kind::Reti) {
                    self.shadow.flags[7] = 0;
                }
            }
            _ => return false,
        }
        true
    }

    /// Loads and stores.
    fn access(&mut self, kind: Kind) {
        match kind {
            Kind::In { d, io } => {
                let of = self.load(io.into(), 0);
                self.set(d, of);
            }
            Kind::Out { io, r } => self.store(io.into(), 0, self.of(r)),
            Kind::Lds { d, addr } => {
                let of = self.load(addr, 0);
                self.set(d, of);
            }
            Kind::Sts { addr, r } => self.store(addr, 0, self.of(r)),
            Kind::LddY { d, q } => self.load_at(d, Y, q),
            Kind::LddZ { d, q } => self.load_at(d, Z, q),
            Kind::StdY { q, r } => self.store_at(r, Y, q),
            Kind::StdZ { q, r } => self.store_at(r, Z, q),
            Kind::LdX(d) => self.load_at(d, X, 0),
            Kind::StX(r) => self.store_at(r, X, 0),
            Kind::LdPlus { d, pointer } => {
                let of = self.load(self.cpu.regs.pair(pointer), any(self.pair(pointer).1));
                self.moved(pointer, 1, false);
                self.set(d, of);
            }
            Kind::LdMinus { d, pointer } => {
                let addr = self.cpu.regs.pair(pointer).wrapping_sub(1);
                let of = self.load(addr, any(self.pair(pointer).1));
                self.moved(pointer, 0xfffe, true);
                self.set(d, of);
            }
            Kind::StPlus { pointer, r } => {
                self.store_at(r, pointer, 0);
                self.moved(pointer, 1, false);
            }
            Kind::StMinus { pointer, r } => {
                let (addr, of) = (self.cpu.regs.pair(pointer), any(self.pair(pointer).1));
                self.store(addr.wrapping_sub(1), of, self.of(r));
                self.moved(pointer, 0xfffe, true);
            }
            Kind::Push(r) => {
                let of = self.of(r);
                self.taint.begin_push(data(self.cpu.sp));
                self.store(self.cpu.sp, self.shadow.sp, of);
            }
            Kind::Pop(d) => {
                let of = self.load(self.cpu.sp.wrapping_add(1), self.shadow.sp);
                self.set(d, of);
            }
            Kind::Lpm(d) => self.load_program(d, false, false),
            Kind::LpmPlus(d) => self.load_program(d, false, true),
            Kind::Elpm(d) => self.load_program(d, true, false),
            Kind::ElpmPlus(d) => self.load_program(d, true, true),
            _ => {}
        }
    }

    fn operand(&self, register: u8) -> (u32, [Secrets; 1]) {
        (self.value(register), [self.of(register)])
    }

    /// A result that is 0 whatever the register holds.
    fn cleared(&mut self, d: u8, kind: Kind) {
        const LOGIC: &[u8] = &[SREG_S, SREG_V, SREG_N, SREG_Z];
        self.shadow.set_flags(LOGIC, 0);
        if !matches!(kind, Kind::Eor { .. }) {
            self.shadow.set_flags(&[SREG_C, SREG_H], 0);
        }
        if !matches!(kind, Kind::Cp { .. }) {
            self.set(d, 0);
        }
    }

    /// A sum with all its flags; `keeps`: the register takes it.
    fn add(&mut self, d: u8, b: (u32, [Secrets; 1]), carry: (bool, Secrets), keeps: bool) {
        let sum = sum(self.operand(d), b, carry);
        let [of] = sum.octets;
        self.shadow
            .set_flags(&[SREG_H, SREG_S, SREG_V, SREG_N, SREG_Z], of);
        self.shadow.set_flags(&[SREG_C], sum.carry);
        if keeps {
            self.set(d, of);
        }
    }

    /// `d - b - borrow`, the borrow being the complement of a carry.
    fn subtract(&mut self, d: u8, b: (u32, [Secrets; 1]), borrow: (bool, Secrets), keeps: bool) {
        self.add(d, (b.0 ^ 0xff, b.1), (!borrow.0, borrow.1), keeps);
    }

    /// SBC and CPC; `r` is `None` if both operands are one register.
    fn subtract_carry(&mut self, d: u8, r: Option<u8>, carry: (bool, Secrets), keeps: bool) {
        let before = self.flag(SREG_Z);
        let (a, of_a) = self.operand(d);
        let (b, of_b) = r.map_or((a, [0]), |r| self.operand(r));
        let of = if r.is_some() {
            self.subtract(d, (b, of_b), carry, keeps);
            sum((a, of_a), (b ^ 0xff, of_b), (!carry.0, carry.1)).octets
        } else {
            // 0 or -1, as the carry says.
            self.shadow
                .set_flags(&[SREG_H, SREG_S, SREG_V, SREG_N, SREG_C], carry.1);
            if keeps {
                self.set(d, carry.1);
            }
            [carry.1]
        };
        let value = a.wrapping_sub(b).wrapping_sub(carry.0.into());
        self.keep_zero(before, (value & 0xff, of));
    }

    /// Z stays clear if it was.
    fn keep_zero(&mut self, before: (bool, Secrets), (value, of): (u32, [Secrets; 1])) {
        let result = zero((value & 0xff, of));
        let clear = !before.0 && before.1 == 0 || value & 0xff != 0 && of == [0];
        let of = if clear { 0 } else { before.1 | result };
        self.shadow.set_flags(&[SREG_Z], of);
    }

    fn logic(&mut self, d: u8, of: Secrets) {
        self.shadow.set_flags(&[SREG_S, SREG_N, SREG_Z], of);
        self.shadow.set_flags(&[SREG_V], 0);
        self.set(d, of);
    }

    /// INC, DEC and NEG: the register depends on what it did.
    fn counted(&mut self, d: u8) {
        let of = self.of(d);
        self.shadow.set_flags(&[SREG_S, SREG_V, SREG_N, SREG_Z], of);
    }

    /// A shift right; bit 7 of the result depends on `top`.
    fn shifted(&mut self, d: u8, top: Secrets) {
        let of = self.of(d);
        self.shadow.set_flags(&[SREG_C], of);
        self.shadow.set_flags(&[SREG_V, SREG_S], of | top);
        self.shadow.set_flags(&[SREG_N], top);
        self.shadow.set_flags(&[SREG_Z], of | top);
        self.set(d, of | top);
    }

    fn multiply(&mut self, d: u8, r: u8) {
        let (a, b) = (self.operand(d), self.operand(r));
        let [of] = and(
            if a.0 == 0 { a } else { (1, a.1) },
            if b.0 == 0 { b } else { (1, b.1) },
        );
        self.shadow.set_flags(&[SREG_C, SREG_Z], of);
        self.set_pair(R0, [of; 2]);
    }

    /// ADIW, and SBIW as the sum with a complement.
    fn add_word(&mut self, d: u8, b: u32, subtracts: bool) {
        let a = self.pair(d);
        let total = sum(a, (b, [0; 2]), (subtracts, 0));
        let value = a.0.wrapping_add(b).wrapping_add(subtracts.into());
        let [_, top] = total.octets;
        self.shadow.set_flags(&[SREG_S, SREG_V, SREG_N], top);
        self.shadow.set_flags(&[SREG_C], total.carry | top);
        self.shadow
            .set_flags(&[SREG_Z], zero((value & 0xffff, total.octets)));
        self.set_pair(d, total.octets);
    }

    fn skip(&mut self, d: u8, skips: bool) {
        let of = self.of(d);
        self.taint.condition(skips, of);
    }

    /// Address of what the stack holds, from the octet pushed last.
    fn pop_at(&self, octet: u16) -> u32 {
        data(self.cpu.sp.wrapping_add(octet))
    }

    fn push_pc(&mut self) {
        let lowest = data(self.cpu.sp.wrapping_sub(1));
        self.taint.begin_push(lowest);
        self.taint.write(lowest, self.shadow.sp, [0; 2]);
    }

    /// An octet of the data space, at an address that depends on `of`.
    fn load(&mut self, addr: u16, of: Secrets) -> Secrets {
        let inside = match addr {
            0..0x20 => self.of(place(addr as u8)),
            RAMPZ => self.shadow.rampz,
            SPL | SPH => self.shadow.sp,
            SREG_AT => any(self.shadow.flags),
            _ => {
                let [octet] = self.taint.read(data(addr), of);
                return octet;
            }
        };
        self.taint.note(Shows::Address, of);
        inside | of
    }

    fn store(&mut self, addr: u16, of: Secrets, value: Secrets) {
        let value = value | of;
        match addr {
            0..0x20 => self.set(place(addr as u8), value),
            RAMPZ => self.shadow.rampz = value,
            SPL | SPH => self.shadow.sp = value,
            SREG_AT => self.shadow.flags = [value; 8],
            _ => return self.taint.write(data(addr), of, [value]),
        }
        self.taint.note(Shows::Address, of);
    }

    fn load_at(&mut self, d: u8, pointer: u8, displacement: u8) {
        let addr = self
            .cpu
            .regs
            .pair(pointer)
            .wrapping_add(displacement.into());
        let of = self.load(addr, any(self.pair(pointer).1));
        self.set(d, of);
    }

    fn store_at(&mut self, r: u8, pointer: u8, displacement: u8) {
        let addr = self
            .cpu
            .regs
            .pair(pointer)
            .wrapping_add(displacement.into());
        self.store(addr, any(self.pair(pointer).1), self.of(r));
    }

    /// A pointer moves by the sum with `by` and a carry.
    fn moved(&mut self, pointer: u8, by: u32, carry: bool) {
        let total = sum(self.pair(pointer), (by, [0; 2]), (carry, 0));
        self.set_pair(pointer, total.octets);
    }

    fn load_program(&mut self, d: u8, extended: bool, moves: bool) {
        let high = if extended {
            u32::from(self.cpu.rampz & 1)
        } else {
            0
        };
        let (low, of) = self.pair(Z);
        let of_high = if extended { self.shadow.rampz } else { 0 };
        let [octet] = self.taint.read(high << 16 | low, any(of) | of_high);
        self.set(d, octet);
        if moves {
            self.moved(Z, 1, false);
            if extended {
                self.shadow.rampz |= any(of);
            }
        }
    }
}
