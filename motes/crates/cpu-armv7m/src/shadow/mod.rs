//! Which secrets the registers depend on: every instruction is followed before the core executes it.
//!
//! Secrets show in branches, in what an IT block lets pass, in the PC, in addresses, and in operands
//! of divisions and long multiplications, whose time depends on them. A shift by a register takes
//! the same time for each amount.

mod access;
mod data;
mod extension;
mod shift;

use crate::bus::Bus;
use crate::cache::{self, FLAGS_OUTSIDE_IT, Slot};
use crate::cpu::{Cpu, PC};
use crate::decode16::is_wide;
use crate::op::Op;
use taint::{Kind, Registers, Secrets, Taint, any, zero};

/// What the octets of a word depend on.
pub(super) type Word = [Secrets; 4];
/// A word of the program, and what it depends on.
pub(super) type Value = (u32, Word);

const CLEAN: Word = [0; 4];

/// What N, Z, C, V and Q depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlagSecrets {
    /// N.
    pub n: Secrets,
    /// Z.
    pub z: Secrets,
    /// C.
    pub c: Secrets,
    /// V.
    pub v: Secrets,
    /// Q.
    pub q: Secrets,
    /// GE, all four together.
    pub ge: Secrets,
}

/// The shadow of the registers.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    registers: [Word; 16],
    /// S0 to S31.
    singles: [Word; 32],
    /// FPSCR.
    status: Secrets,
    /// The flags.
    pub flags: FlagSecrets,
}

/// The low octet of r0 is the first.
impl Registers for Shadow {
    fn octet(&mut self, index: usize) -> &mut Secrets {
        &mut self.registers[index / 4 % 16][index % 4]
    }

    fn forget_flags(&mut self) {
        self.flags = FlagSecrets::default();
    }
}

/// One instruction.
pub(super) struct Following<'a> {
    shadow: &'a mut Shadow,
    cpu: &'a Cpu,
    taint: &'a mut Taint,
    pc: u32,
}

impl Shadow {
    /// Follows the instruction at the PC, which `cpu` executes next.
    pub fn follow<B: Bus>(&mut self, cpu: &Cpu, bus: &mut B, taint: &mut Taint) {
        let pc = cpu.regs[PC] & !1;
        let Some(slot) = slot(cpu, pc, bus) else {
            return;
        };
        let flags = self.flags;
        let mut following = Following {
            shadow: self,
            cpu,
            taint,
            pc,
        };
        if cpu.it & 15 != 0 && !following.passes() {
            return;
        }
        following.operation(slot.op);
        if cpu.it != 0 && slot.meta & FLAGS_OUTSIDE_IT != 0 {
            self.flags = flags;
        }
    }
}

/// The instruction at an address, decoded; `None` where there is no code.
fn slot<B: Bus>(cpu: &Cpu, pc: u32, bus: &mut B) -> Option<Slot> {
    let slot = cpu.cache.slot(pc);
    if slot.tag == pc {
        return Some(slot);
    }
    let mut half = |at: u32| {
        let word = bus.code32(at & !3).ok()?;
        Some((word >> (8 * (at & 2))) as u16)
    };
    let first = half(pc)?;
    let second = if is_wide(first) {
        half(pc.wrapping_add(2))?
    } else {
        0
    };
    Some(cache::decode(pc, first, second, &cpu.timing))
}

impl Following<'_> {
    pub(super) fn of(&self, register: u8) -> Word {
        self.shadow.registers[usize::from(register & 15)]
    }

    pub(super) fn value(&self, register: u8) -> Value {
        (self.cpu.r(register), self.of(register))
    }

    pub(super) fn set(&mut self, register: u8, of: Word) {
        self.shadow.registers[usize::from(register & 15)] = of;
    }

    /// What a condition code depends on.
    fn condition_of(&self, code: u8) -> Secrets {
        let flags = &self.shadow.flags;
        match code >> 1 {
            0 => flags.z,
            1 => flags.c,
            2 => flags.n,
            3 => flags.v,
            4 => flags.c | flags.z,
            5 => flags.n | flags.v,
            6 => flags.n | flags.v | flags.z,
            _ => 0,
        }
    }

    /// Whether the IT block lets the instruction take effect.
    fn passes(&mut self) -> bool {
        let code = self.cpu.it >> 4;
        let passes = self.cpu.flags.holds(code);
        if code < 14 {
            let of = self.condition_of(code);
            self.taint.condition(passes, of);
        }
        passes
    }

    fn operation(&mut self, op: Op) {
        // Undefined instructions and those of a coprocessor end the run.
        let _known = self.branch(op)
            || self.immediate(op)
            || self.registers(op)
            || self.shifted_register(op)
            || self.rearranged(op)
            || self.product(op)
            || self.load(op)
            || self.store(op)
            || self.special(op)
            || self.dsp(op);
        debug_assert!(_known, "{op:?} is not followed");
    }

    /// A jump to where a register says.
    fn jumps_to(&mut self, register: u8) {
        if register != 15 {
            let of = any(self.of(register));
            self.taint.note(Kind::Branch, of);
        }
    }

    fn branch(&mut self, op: Op) -> bool {
        match op {
            Op::B { .. } => {}
            Op::Bcc { cond, .. } => {
                let of = self.condition_of(cond);
                self.taint.condition(self.cpu.flags.holds(cond), of);
            }
            Op::Cbz { rn, nonzero, .. } => {
                let taken = (self.cpu.r(rn) != 0) == nonzero;
                let of = zero(self.value(rn));
                self.taint.condition(taken, of);
            }
            Op::Bl { .. } => self.set(14, CLEAN),
            Op::Blx { rm } => {
                self.jumps_to(rm);
                self.set(14, CLEAN);
            }
            Op::Bx { rm } | Op::MovToPc { rm } | Op::AddToPc { rm } => self.jumps_to(rm),
            _ => return false,
        }
        true
    }

    /// Special registers, and what changes no register.
    fn special(&mut self, op: Op) -> bool {
        let registers = self.shadow.registers;
        let flags = &mut self.shadow.flags;
        match op {
            Op::Mrs { rd, register } => {
                let all = flags.n | flags.z | flags.c | flags.v | flags.q;
                let (of, ge) = if register < 4 {
                    (all, flags.ge)
                } else {
                    (0, 0)
                };
                self.set(rd, [0, 0, ge, of]);
            }
            Op::Msr { rn, register, mask } => {
                let [.., third, of] = registers[usize::from(rn & 15)];
                if register < 4 && mask & 2 != 0 {
                    (flags.n, flags.z, flags.c, flags.v, flags.q) = (of, of, of, of, of);
                }
                if register < 4 && mask & 1 != 0 {
                    flags.ge = third;
                }
            }
            Op::It { .. } | Op::Nop | Op::Wfi | Op::Wfe | Op::Sev | Op::Clrex => {}
            Op::Dmb | Op::Dsb | Op::Isb | Op::Cps { .. } | Op::Svc | Op::Bkpt { .. } => {}
            Op::Undefined | Op::Coprocessor => {}
            _ => return false,
        }
        true
    }
}
