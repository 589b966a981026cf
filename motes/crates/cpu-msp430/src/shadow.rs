//! Which secrets the registers depend on: every instruction is followed before the core executes it.
//!
//! No instruction's time depends on its operands here, so secrets show in conditions, in the PC and
//! in addresses.

use crate::bus::Bus;
use crate::cpu::Cpu;
use crate::status::{SR_C, SR_N, SR_V, SR_Z};
use taint::{Kind, Registers, Secrets, Taint, and, any, or, sum, zero};

const PC: usize = 0;
const SP: usize = 1;
const SR: usize = 2;
const R3: usize = 3;

type Word = [Secrets; 2];

/// A value of the program, and what its octets depend on.
type Value = (u16, Word);

const BYTE_BIT: u16 = 1 << 6;
const AD_BIT: u16 = 1 << 7;

/// The shadow of the registers.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    registers: [Word; 16],
    carry: Secrets,
    zero: Secrets,
    negative: Secrets,
    overflow: Secrets,
}

/// Where a result goes.
enum Place {
    Register(usize),
    /// An address, and what it depends on.
    Memory(u16, Secrets),
}

/// One instruction: registers as its operands find them, and the outside.
struct Following<'a, B> {
    shadow: &'a mut Shadow,
    regs: [u16; 16],
    bus: &'a mut B,
    taint: &'a mut Taint,
    byte: bool,
}

impl Shadow {
    /// Follows the instruction at the PC, which `cpu` executes next. A word that is no instruction
    /// changes nothing.
    pub fn follow<B: Bus>(&mut self, cpu: &Cpu, bus: &mut B, taint: &mut Taint) {
        let mut regs = cpu.regs;
        let word = bus.fetch(regs[PC] & !1).unwrap_or(0);
        regs[PC] = regs[PC].wrapping_add(2);
        let byte = word & BYTE_BIT != 0 && word >> 12 != 2 && word >> 12 != 3;
        let mut following = Following {
            shadow: self,
            regs,
            bus,
            taint,
            byte,
        };
        match word >> 12 {
            0 => {}
            1 => following.one_operand(word),
            2 | 3 => following.jump(word),
            _ => following.two_operands(word),
        }
    }

    /// What the flags C, Z, N and V depend on.
    pub fn flags(&self) -> [Secrets; 4] {
        [self.carry, self.zero, self.negative, self.overflow]
    }
}

/// The low octet of R0 is the first.
impl Registers for Shadow {
    fn octet(&mut self, index: usize) -> &mut Secrets {
        &mut self.registers[index / 2 % 16][index % 2]
    }

    fn forget_flags(&mut self) {
        (self.carry, self.zero, self.negative, self.overflow) = (0, 0, 0, 0);
    }
}

impl<B: Bus> Following<'_, B> {
    fn width(&self) -> usize {
        if self.byte { 1 } else { 2 }
    }

    /// The octets that an operation of this width works on.
    fn narrow(&self, (value, of): Value) -> Value {
        if self.byte {
            (value & 0xff, [of[0], 0])
        } else {
            (value, of)
        }
    }

    /// The octet or word, extended with zeros.
    fn load(&mut self, addr: u16, of: Secrets) -> Value {
        if self.byte {
            let [octet] = self.taint.read(addr.into(), of);
            return (self.bus.read8(addr).unwrap_or(0).into(), [octet, 0]);
        }
        let addr = addr & !1;
        let octets = self.taint.read(addr.into(), of);
        (self.bus.read16(addr).unwrap_or(0), octets)
    }

    fn register(&self, register: usize) -> Value {
        let shadow = &self.shadow;
        let of = match register {
            SR => [
                shadow.carry | shadow.zero | shadow.negative,
                shadow.overflow,
            ],
            _ => shadow.registers[register],
        };
        (self.regs[register], of)
    }

    fn next_word(&mut self) -> u16 {
        let pc = self.regs[PC];
        self.regs[PC] = pc.wrapping_add(2);
        self.bus.fetch(pc).unwrap_or(0)
    }

    /// Address of `x(Rn)`, EDE and &EDE.
    fn indexed(&mut self, register: usize) -> (u16, Secrets) {
        let (base, of) = match register {
            SR | R3 => (0, 0),
            _ => (self.regs[register], any(self.shadow.registers[register])),
        };
        (self.next_word().wrapping_add(base), of)
    }

    fn postincrement(&mut self, register: usize) -> (u16, Secrets) {
        let addr = self.regs[register];
        let size = if self.byte && register > SP { 1 } else { 2 };
        self.regs[register] = addr.wrapping_add(size);
        let of = self.shadow.registers[register];
        let carried = sum((addr.into(), of), (size.into(), [0; 2]), (false, 0));
        self.shadow.registers[register] = carried.octets;
        (addr, any(of))
    }

    /// A source operand.
    fn operand(&mut self, word: u16, register: usize) -> Value {
        let ones = if self.byte { 0xff } else { 0xffff };
        let (addr, of) = match (word >> 4 & 3, register) {
            (0, R3) => return (0, [0; 2]),
            (0, _) => return self.narrow(self.register(register)),
            (1, R3) => return (1, [0; 2]),
            (1, _) => self.indexed(register),
            (2, SR) => return (4, [0; 2]),
            (2, R3) => return (2, [0; 2]),
            (2, _) => (self.regs[register], any(self.shadow.registers[register])),
            (_, PC) => return (self.next_word() & ones, [0; 2]),
            (_, SR) => return (8, [0; 2]),
            (_, R3) => return (ones, [0; 2]),
            _ => self.postincrement(register),
        };
        self.load(addr, of)
    }

    fn jump(&mut self, word: u16) {
        let (sr, shadow) = (self.regs[SR], &self.shadow);
        let (is, flag) = (|flag| sr & flag != 0, word >> 10 & 7);
        let less = is(SR_N) != is(SR_V);
        let (taken, of) = match flag {
            0 => (!is(SR_Z), shadow.zero),
            1 => (is(SR_Z), shadow.zero),
            2 => (!is(SR_C), shadow.carry),
            3 => (is(SR_C), shadow.carry),
            4 => (is(SR_N), shadow.negative),
            5 => (!less, shadow.negative | shadow.overflow),
            6 => (less, shadow.negative | shadow.overflow),
            _ => return,
        };
        self.taint.condition(taken, of);
    }

    fn two_operands(&mut self, word: u16) {
        let (opcode, source) = (word >> 12, usize::from(word >> 8 & 0xf));
        let src = self.operand(word, source);
        let register = usize::from(word & 0xf);
        let (place, dst) = if word & AD_BIT == 0 {
            let dst = self.narrow(self.register(register));
            (Place::Register(register), dst)
        } else {
            let (addr, of) = self.indexed(register);
            let dst = if opcode == 4 {
                (0, [0; 2])
            } else {
                self.load(addr, of)
            };
            (Place::Memory(addr, of), dst)
        };
        let alone = word & 0x00b0 == 0 && source == register;
        let (clears, sets) = (opcode == 12, opcode == 13);
        if matches!(place, Place::Register(SR)) && (clears || sets) && any(src.1) == 0 {
            self.forget_of_status(src.0);
            return;
        }
        if let Some(of) = self.operate(opcode, src, dst, alone) {
            self.put(place, of);
        }
    }

    /// What the result of a format-I operation depends on; `None` if it writes none. `alone`: both
    /// operands are one register.
    fn operate(&mut self, opcode: u16, src: Value, dst: Value, alone: bool) -> Option<Word> {
        let carry = (self.regs[SR] & SR_C != 0, self.shadow.carry);
        let ones = if self.byte { 0xff } else { 0xffff };
        let inverse = (src.0 ^ ones, src.1);
        match opcode {
            4 => return Some(src.1),
            12 => return Some(self.logic(inverse, dst, and)),
            13 => return Some(self.logic(src, dst, or)),
            5 => return Some(self.add(src, dst, (false, 0))),
            6 => return Some(self.add(src, dst, carry)),
            7 if alone => return Some(self.add((ones, [0; 2]), (0, [0; 2]), carry)),
            7 => return Some(self.add(inverse, dst, carry)),
            8 | 9 if alone => self.put_flags((0, [0; 2]), [0; 2], 0),
            8 | 9 => {
                let of = self.add(inverse, dst, (true, 0));
                return (opcode == 8).then_some(of);
            }
            10 => {
                let all = any(src.1) | any(dst.1) | carry.1;
                self.put_flags((0, [all; 2]), [all; 2], all);
                self.shadow.overflow = 0;
                return Some(if self.byte { [all, 0] } else { [all; 2] });
            }
            // The result is 0 and known, but V says whether both operands were negative.
            14 if alone => {
                self.put_flags((0, [0; 2]), [0; 2], 0);
                self.shadow.overflow = dst.1[self.width() - 1];
            }
            14 => {
                let of: Word = std::array::from_fn(|i| src.1[i] | dst.1[i]);
                self.put_flags((src.0 ^ dst.0, of), of, 0);
                let top = self.logic(src, dst, and)[self.width() - 1];
                self.shadow.carry = self.shadow.zero;
                self.shadow.overflow = top;
                return Some(of);
            }
            _ => {
                let of = self.logic(src, dst, and);
                self.put_flags((src.0 & dst.0, of), of, 0);
                self.shadow.carry = self.shadow.zero;
                self.shadow.overflow = 0;
                return (opcode == 15).then_some(of);
            }
        }
        (opcode != 9).then_some([0; 2])
    }

    /// Known flags of SR are cleared or set; the others stay as they are.
    fn forget_of_status(&mut self, flags: u16) {
        let shadow = &mut *self.shadow;
        if self.byte {
            shadow.overflow = 0;
        }
        for (flag, of) in [
            (SR_C, &mut shadow.carry),
            (SR_Z, &mut shadow.zero),
            (SR_N, &mut shadow.negative),
            (SR_V, &mut shadow.overflow),
        ] {
            if flags & flag != 0 {
                *of = 0;
            }
        }
    }

    fn logic(&self, a: Value, b: Value, operation: fn((u32, Word), (u32, Word)) -> Word) -> Word {
        let of = operation((a.0.into(), a.1), (b.0.into(), b.1));
        if self.byte { [of[0], 0] } else { of }
    }

    /// A sum and its flags.
    fn add(&mut self, a: Value, b: Value, carry: (bool, Secrets)) -> Word {
        let total = a.0.wrapping_add(b.0).wrapping_add(carry.0.into());
        let (of, carry) = if self.byte {
            let sum = sum((a.0.into(), [a.1[0]]), (b.0.into(), [b.1[0]]), carry);
            ([sum.octets[0], 0], sum.carry)
        } else {
            let sum = sum((a.0.into(), a.1), (b.0.into(), b.1), carry);
            (sum.octets, sum.carry)
        };
        self.put_flags(self.narrow((total, of)), of, carry);
        of
    }

    /// The flags of a result. The overflow depends on what the sign and the carry depend on.
    fn put_flags(&mut self, result: Value, of: Word, carry: Secrets) {
        let top = of[self.width() - 1];
        let shadow = &mut *self.shadow;
        shadow.zero = if self.byte {
            of[0]
        } else {
            zero((result.0.into(), result.1))
        };
        (shadow.negative, shadow.carry, shadow.overflow) = (top, carry, top | carry);
    }

    fn one_operand(&mut self, word: u16) {
        let register = usize::from(word & 0xf);
        match word >> 6 & 0x3f {
            0 | 1 | 2 | 4 | 5 | 6 => self.modify(word),
            8 | 9 => {
                self.regs[SP] = self.regs[SP].wrapping_sub(2);
                let of = self.operand(word, register).1;
                let (sp, of_sp) = (self.regs[SP], any(self.shadow.registers[SP]));
                self.taint.begin_push(sp.into());
                if self.byte {
                    self.taint.write(sp.into(), of_sp, [of[0]]);
                } else {
                    self.taint.write((sp & !1).into(), of_sp, of);
                }
            }
            10 => {
                self.regs[SP] = self.regs[SP].wrapping_sub(2);
                let target = self.operand(word, register).1;
                let (sp, of_sp) = (self.regs[SP], any(self.shadow.registers[SP]));
                self.taint.begin_push(sp.into());
                self.taint.write((sp & !1).into(), of_sp, [0; 2]);
                self.taint.note(Kind::Branch, any(target));
            }
            12 => self.reti(),
            _ => {}
        }
    }

    fn reti(&mut self) {
        let sp = self.regs[SP];
        let of = any(self.shadow.registers[SP]);
        let sr = self.taint.read(sp.into(), of);
        let pc = self.taint.read(sp.wrapping_add(2).into(), of);
        self.put(Place::Register(SR), sr);
        self.put(Place::Register(PC), pc);
    }

    /// RRC, SWPB, RRA, SXT.
    fn modify(&mut self, word: u16) {
        let register = usize::from(word & 0xf);
        let (place, value) = match (word >> 4 & 3, register) {
            (0, _) => (
                Place::Register(register),
                self.narrow(self.register(register)),
            ),
            (_, R3) | (2 | 3, SR) | (3, PC) => return,
            (mode, _) => {
                let (addr, of) = match mode {
                    1 => self.indexed(register),
                    2 => (self.regs[register], any(self.shadow.registers[register])),
                    _ => self.postincrement(register),
                };
                (Place::Memory(addr, of), self.load(addr, of))
            }
        };
        let of = self.modified(word >> 7 & 7, value);
        self.put(place, of);
    }

    fn modified(&mut self, operation: u16, (value, [low, high]): Value) -> Word {
        let carry_in = self.shadow.carry;
        let of = match (operation, self.byte) {
            (1, _) => return [high, low],
            (3, _) => {
                self.put_flags((value as u8 as i8 as u16, [low; 2]), [low; 2], 0);
                self.shadow.carry = self.shadow.zero;
                self.shadow.overflow = 0;
                return [low; 2];
            }
            (0, true) => [low | carry_in, 0],
            (0, false) => [low | high, high | carry_in],
            (_, true) => [low, 0],
            (_, false) => [low | high, high],
        };
        // An octet of the result is known only where its two sources are: its value does not matter.
        self.put_flags((0, of), of, low);
        self.shadow.negative = match operation {
            0 => carry_in,
            _ => of[self.width() - 1],
        };
        self.shadow.overflow = 0;
        of
    }

    fn put(&mut self, place: Place, of: Word) {
        match place {
            Place::Memory(addr, of_addr) if self.byte => {
                self.taint.write(addr.into(), of_addr, [of[0]]);
            }
            Place::Memory(addr, of_addr) => {
                self.taint.write((addr & !1).into(), of_addr, of);
            }
            Place::Register(PC) => self.taint.note(Kind::Branch, any(of)),
            Place::Register(SR) => {
                let shadow = &mut *self.shadow;
                (shadow.carry, shadow.zero, shadow.negative) = (of[0], of[0], of[0]);
                shadow.overflow = of[1];
            }
            Place::Register(R3) => {}
            Place::Register(register) => self.shadow.registers[register] = of,
        }
    }
}
