//! What the tests share: flat memory, an encoder of instructions, and a machine that runs one
//! program.
#![allow(dead_code)] // every test binary uses a part

use cpu_msp430::{Bus, BusError, Cpu, Fault, Step};

/// 64 KiB of RAM, but for one read-only word and one hole.
pub struct Memory(pub Box<[u8; 0x1_0000]>);

/// A word that refuses to be written.
pub const READ_ONLY: u16 = 0xff00;
/// An address where nothing answers.
pub const HOLE: u16 = 0xfe00;

impl Memory {
    pub fn new() -> Memory {
        Memory(Box::new([0; 0x1_0000]))
    }

    pub fn word(&self, addr: u16) -> u16 {
        u16::from_le_bytes([self.0[usize::from(addr)], self.0[usize::from(addr) + 1]])
    }

    pub fn put(&mut self, addr: u16, words: &[u16]) {
        for (i, word) in words.iter().enumerate() {
            let at = usize::from(addr) + 2 * i;
            self.0[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
    }

    fn mapped(addr: u16) -> Result<(), BusError> {
        if addr & !1 == HOLE {
            Err(BusError::Unmapped(addr))
        } else {
            Ok(())
        }
    }

    fn writable(addr: u16) -> Result<(), BusError> {
        if addr & !1 == READ_ONLY {
            Err(BusError::ReadOnly(addr))
        } else {
            Memory::mapped(addr)
        }
    }
}

impl Bus for Memory {
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        Memory::mapped(addr)?;
        Ok(self.0[usize::from(addr)])
    }

    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        assert_eq!(addr & 1, 0, "the CPU keeps word addresses even");
        Memory::mapped(addr)?;
        Ok(self.word(addr))
    }

    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        Memory::writable(addr)?;
        self.0[usize::from(addr)] = value;
        Ok(())
    }

    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        assert_eq!(addr & 1, 0, "the CPU keeps word addresses even");
        Memory::writable(addr)?;
        self.put(addr, &[value]);
        Ok(())
    }
}

/// An operand as an assembler knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Rn
    R(u16),
    /// A constant of the generator: 0, 1, 2, 4, 8 or -1.
    Cg(i16),
    /// #N in a word of its own
    Imm(u16),
    /// x(Rn)
    X(i16, u16),
    /// EDE: an address, encoded relative to the PC
    Sym(u16),
    /// &EDE
    Abs(u16),
    /// @Rn
    At(u16),
    /// @Rn+
    Inc(u16),
}

impl Op {
    /// Register, addressing bits, and the word that follows for an operand whose word stands at
    /// `at`.
    fn fields(self, at: u16) -> (u16, u16, Option<u16>) {
        match self {
            Op::R(n) => (n, 0, None),
            Op::Cg(0) => (3, 0, None),
            Op::Cg(1) => (3, 1, None),
            Op::Cg(2) => (3, 2, None),
            Op::Cg(-1) => (3, 3, None),
            Op::Cg(4) => (2, 2, None),
            Op::Cg(8) => (2, 3, None),
            Op::Cg(value) => panic!("{value} is no constant of the generator"),
            Op::Imm(value) => (0, 3, Some(value)),
            Op::X(offset, n) => (n, 1, Some(offset as u16)),
            Op::Sym(addr) => (0, 1, Some(addr.wrapping_sub(at))),
            Op::Abs(addr) => (2, 1, Some(addr)),
            Op::At(n) => (n, 2, None),
            Op::Inc(n) => (n, 3, None),
        }
    }
}

pub const MOV: u16 = 4;
pub const ADD: u16 = 5;
pub const ADDC: u16 = 6;
pub const SUBC: u16 = 7;
pub const SUB: u16 = 8;
pub const CMP: u16 = 9;
pub const DADD: u16 = 10;
pub const BIT: u16 = 11;
pub const BIC: u16 = 12;
pub const BIS: u16 = 13;
pub const XOR: u16 = 14;
pub const AND: u16 = 15;

pub const RRC: u16 = 0x1000;
pub const SWPB: u16 = 0x1080;
pub const RRA: u16 = 0x1100;
pub const SXT: u16 = 0x1180;
pub const PUSH: u16 = 0x1200;
pub const CALL: u16 = 0x1280;
pub const RETI: u16 = 0x1300;

/// Where [`Machine`] puts the instruction under test.
pub const CODE: u16 = 0x4000;

/// The B/W bit.
fn byte_bit(byte: bool) -> u16 {
    u16::from(byte) << 6
}

/// The words of a format-I instruction at [`CODE`].
pub fn two(opcode: u16, byte: bool, src: Op, dst: Op) -> Vec<u16> {
    let (src_register, src_mode, src_word) = src.fields(CODE + 2);
    let dst_at = CODE + 2 + 2 * src_word.is_some() as u16;
    let (dst_register, dst_mode, dst_word) = dst.fields(dst_at);
    assert!(dst_mode < 2, "{dst:?} is no destination");
    let first = opcode << 12
        | src_register << 8
        | dst_mode << 7
        | byte_bit(byte)
        | src_mode << 4
        | dst_register;
    std::iter::once(first)
        .chain(src_word)
        .chain(dst_word)
        .collect()
}

/// The words of a format-II instruction at [`CODE`].
pub fn one(operation: u16, byte: bool, operand: Op) -> Vec<u16> {
    let (register, mode, word) = operand.fields(CODE + 2);
    std::iter::once(operation | byte_bit(byte) | mode << 4 | register)
        .chain(word)
        .collect()
}

/// A CPU at [`CODE`] with its memory.
pub struct Machine {
    pub cpu: Cpu,
    pub memory: Memory,
}

impl Machine {
    /// The program at [`CODE`], SP = 0x3800, all else 0.
    pub fn new(program: &[u16]) -> Machine {
        let mut machine = Machine {
            cpu: Cpu::new(),
            memory: Memory::new(),
        };
        machine.memory.put(CODE, program);
        machine.cpu.regs[0] = CODE;
        machine.cpu.regs[1] = 0x3800;
        machine
    }

    pub fn reg(mut self, register: usize, value: u16) -> Machine {
        self.cpu.regs[register] = value;
        self
    }

    pub fn sr(self, value: u16) -> Machine {
        self.reg(2, value)
    }

    pub fn mem(mut self, addr: u16, words: &[u16]) -> Machine {
        self.memory.put(addr, words);
        self
    }

    pub fn step(&mut self) -> Result<u32, Fault> {
        self.cpu.step(&mut self.memory)
    }

    /// One instruction that must not fault.
    pub fn ran(mut self) -> Machine {
        self.step().expect("the instruction executes");
        self
    }

    /// One instruction that must fault.
    pub fn fault(mut self) -> Fault {
        self.step().expect_err("the instruction faults")
    }
}

/// A machine with a MOV.
pub fn mov(src: Op, dst: Op) -> Machine {
    Machine::new(&two(MOV, false, src, dst))
}

/// A machine with a MOV.B.
pub fn movb(src: Op, dst: Op) -> Machine {
    Machine::new(&two(MOV, true, src, dst))
}
