//! Every word from 0x0000 to 0xffff as an instruction, in several states, against the rules of
//! SLAU049 written out a second time: plain integers, one operand at a time. So each instruction is
//! tried with PC, SP, SR and the constant generators as source and destination in every mode. The
//! crate's decoder and its arithmetic are not consulted.

use std::collections::BTreeMap;

use cpu_msp430::{Bus, BusError, Cpu, Fault, Step};

const CODE: u16 = 0x4000;

/// 64 KiB in which every octet has a value of its own, and what was written over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Memory {
    seed: u16,
    written: BTreeMap<u16, u8>,
}

impl Memory {
    fn octet(&self, addr: u16) -> u8 {
        let fresh = || ((addr ^ self.seed).wrapping_mul(0x9e37) >> 7) as u8;
        self.written.get(&addr).copied().unwrap_or_else(fresh)
    }

    fn word(&self, addr: u16) -> u16 {
        u16::from_le_bytes([self.octet(addr & !1), self.octet(addr | 1)])
    }

    fn put(&mut self, addr: u16, value: u16) {
        self.written.insert(addr & !1, value as u8);
        self.written.insert(addr | 1, (value >> 8) as u8);
    }
}

impl Bus for Memory {
    fn read8(&mut self, addr: u16) -> Result<u8, BusError> {
        Ok(self.octet(addr))
    }

    fn read16(&mut self, addr: u16) -> Result<u16, BusError> {
        assert_eq!(addr & 1, 0, "the CPU keeps word addresses even");
        Ok(self.word(addr))
    }

    fn write8(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        self.written.insert(addr, value);
        Ok(())
    }

    fn write16(&mut self, addr: u16, value: u16) -> Result<(), BusError> {
        assert_eq!(addr & 1, 0, "the CPU keeps word addresses even");
        self.put(addr, value);
        Ok(())
    }
}

/// Where an operand is.
#[derive(Clone, Copy)]
enum Operand {
    Constant(u16),
    Register(usize),
    Memory(u16),
}

/// The machine of the guide.
struct Guide {
    regs: [u16; 16],
    memory: Memory,
    byte: bool,
}

/// What the guide says of a word.
#[derive(Debug, PartialEq, Eq)]
enum Says {
    Done,
    NoInstruction,
    /// DADD of digits above 9: the result is undefined.
    Undefined,
}

impl Guide {
    fn next_word(&mut self) -> u16 {
        let word = self.memory.word(self.regs[0]);
        self.regs[0] = self.regs[0].wrapping_add(2);
        word
    }

    /// Tables "Source/Destination Operand Addressing Modes" and "Values of Constant Generators".
    fn locate(&mut self, register: u16, mode: u16) -> Operand {
        let n = usize::from(register);
        let step = if self.byte && n > 1 { 1 } else { 2 };
        match (register, mode) {
            (2, 2) => Operand::Constant(4),
            (2, 3) => Operand::Constant(8),
            (3, 1) => Operand::Constant(1),
            (3, 2) => Operand::Constant(2),
            (3, 3) => Operand::Constant(0xffff),
            (0, 3) => Operand::Constant(self.next_word()),
            (2, 1) => Operand::Memory(self.next_word()),
            (_, 0) => Operand::Register(n),
            (_, 1) => {
                let base = self.regs[n];
                Operand::Memory(self.next_word().wrapping_add(base))
            }
            (_, 2) => Operand::Memory(self.regs[n]),
            _ => {
                let addr = self.regs[n];
                self.regs[n] = addr.wrapping_add(step);
                Operand::Memory(addr)
            }
        }
    }

    /// A destination has one mode bit, and R3 is no constant there: x(R3) is the address x.
    fn locate_destination(&mut self, register: u16, mode: u16) -> Operand {
        if (register, mode) == (3, 1) {
            Operand::Memory(self.next_word())
        } else {
            self.locate(register, mode)
        }
    }

    fn width(&self) -> u32 {
        if self.byte { 8 } else { 16 }
    }

    fn ones(&self) -> u32 {
        (1 << self.width()) - 1
    }

    fn read(&self, operand: Operand) -> u32 {
        let value = match operand {
            Operand::Constant(value) => value,
            Operand::Register(n) => self.regs[n],
            Operand::Memory(addr) if self.byte => self.memory.octet(addr).into(),
            Operand::Memory(addr) => self.memory.word(addr),
        };
        u32::from(value) & self.ones()
    }

    /// "CPU Registers": SP is even, SR has nine bits, R3 none; a byte clears the high octet.
    fn write(&mut self, operand: Operand, value: u32) {
        let value = (value & self.ones()) as u16;
        match operand {
            Operand::Register(1) => self.regs[1] = value / 2 * 2,
            Operand::Register(2) => self.regs[2] = value % 512,
            Operand::Register(3) => {}
            Operand::Register(n) => self.regs[n] = value,
            Operand::Memory(addr) if self.byte => {
                self.memory.written.insert(addr, value as u8);
            }
            Operand::Memory(addr) => self.memory.put(addr, value),
            Operand::Constant(_) => panic!("a constant is no destination"),
        }
    }

    fn signed(&self, value: u32) -> i32 {
        let half = 1 << (self.width() - 1);
        ((value ^ half) as i32) - half as i32
    }

    /// Sets C and V as given, and N and Z by the result.
    fn flags(&mut self, result: u32, carry: bool, overflow: bool) {
        let result = result & self.ones();
        let bits = u16::from(carry)
            | u16::from(result == 0) << 1
            | u16::from(self.signed(result) < 0) << 2
            | u16::from(overflow) << 8;
        self.regs[2] = self.regs[2] & !0x107 | bits;
    }

    fn carry(&self) -> u32 {
        u32::from(self.regs[2] & 1)
    }

    /// dst + src + carry.
    fn sum(&mut self, src: u32, dst: u32, carry: u32) -> u32 {
        let exact = self.signed(src) + self.signed(dst) + carry as i32;
        let result = src + dst + carry;
        let fits = exact == self.signed(result & self.ones());
        self.flags(result, result > self.ones(), !fits);
        result
    }

    /// dst - src - 1 + carry; C means that nothing was borrowed.
    fn difference(&mut self, src: u32, dst: u32, carry: u32) -> u32 {
        let exact = self.signed(dst) - self.signed(src) - 1 + carry as i32;
        let result = dst.wrapping_sub(src).wrapping_sub(1 - carry);
        let fits = exact == self.signed(result & self.ones());
        self.flags(result, dst + carry > src, !fits);
        result
    }

    /// The numbers that decimal digits spell; `None` for a digit above 9.
    fn decimal(value: u32) -> Option<u32> {
        format!("{value:x}").parse().ok()
    }

    fn decimal_sum(&mut self, src: u32, dst: u32) -> Option<u32> {
        let sum = Guide::decimal(src)? + Guide::decimal(dst)? + self.carry();
        let full = 10_u32.pow(self.width() / 4);
        let result = u32::from_str_radix(&(sum % full).to_string(), 16).expect("decimal digits");
        // V is undefined in the guide; the crate clears it.
        self.flags(result, sum >= full, false);
        Some(result)
    }

    fn logical(&mut self, result: u32, overflow: bool) -> u32 {
        self.flags(result, result != 0, overflow);
        result
    }

    fn format_i(&mut self, word: u16) -> Says {
        self.byte = word & 0x40 != 0;
        let source = self.locate(word >> 8 & 15, word >> 4 & 3);
        let src = self.read(source);
        let destination = self.locate_destination(word & 15, word >> 7 & 1);
        let dst = self.read(destination);
        let negative = self.signed(src) < 0 && self.signed(dst) < 0;
        let result = match word >> 12 {
            4 => src,
            5 => self.sum(src, dst, 0),
            6 => self.sum(src, dst, self.carry()),
            7 => self.difference(src, dst, self.carry()),
            8 => self.difference(src, dst, 1),
            9 => {
                self.difference(src, dst, 1);
                return Says::Done;
            }
            10 => match self.decimal_sum(src, dst) {
                Some(sum) => sum,
                None => return Says::Undefined,
            },
            11 => {
                self.logical(src & dst, false);
                return Says::Done;
            }
            12 => dst & !src,
            13 => dst | src,
            14 => self.logical(src ^ dst, negative),
            _ => self.logical(src & dst, false),
        };
        self.write(destination, result);
        Says::Done
    }

    fn modify(&mut self, word: u16) -> Says {
        let operand = match (word & 15, word >> 4 & 3) {
            (3, 1..) => return Says::NoInstruction,
            (register, mode) => self.locate(register, mode),
        };
        if matches!(operand, Operand::Constant(_)) {
            return Says::NoInstruction;
        }
        let value = self.read(operand);
        let top = 1 << (self.width() - 1);
        let result = match word >> 7 & 7 {
            0 => {
                let result = value / 2 + if self.carry() == 1 { top } else { 0 };
                self.flags(result, value % 2 == 1, false);
                result
            }
            1 => (value % 256) * 256 + value / 256,
            2 => {
                let result = value / 2 + (value & top);
                self.flags(result, value % 2 == 1, false);
                result
            }
            _ => {
                let low = value % 256;
                self.logical(if low > 127 { low + 0xff00 } else { low }, false)
            }
        };
        self.write(operand, result);
        Says::Done
    }

    /// PUSH and CALL: SP is decremented before the address of the operand is formed.
    fn push_or_call(&mut self, word: u16, call: bool) -> Says {
        self.regs[1] = self.regs[1].wrapping_sub(2);
        let operand = self.locate(word & 15, word >> 4 & 3);
        let value = self.read(operand);
        let top = Operand::Memory(self.regs[1]);
        if call {
            self.write(top, self.regs[0].into());
            self.regs[0] = value as u16;
        } else {
            self.write(top, value);
        }
        Says::Done
    }

    fn format_ii(&mut self, word: u16) -> Says {
        self.byte = word & 0x40 != 0;
        match (word >> 7 & 7, self.byte) {
            (1 | 3 | 5, true) | (7, _) => Says::NoInstruction,
            (0..=3, _) => self.modify(word),
            (4, _) => self.push_or_call(word, false),
            (5, _) => self.push_or_call(word, true),
            _ if word == 0x1300 => {
                let sp = self.regs[1];
                self.regs[2] = self.memory.word(sp) % 512;
                self.regs[0] = self.memory.word(sp.wrapping_add(2));
                self.regs[1] = sp.wrapping_add(4);
                Says::Done
            }
            _ => Says::NoInstruction,
        }
    }

    fn jump(&mut self, word: u16) -> Says {
        let sr = self.regs[2];
        let (c, z, n, v) = (sr & 1 != 0, sr & 2 != 0, sr & 4 != 0, sr & 256 != 0);
        let taken = [!z, z, !c, c, n, n == v, n != v, true][usize::from(word >> 10 & 7)];
        let field = i32::from(word & 0x3ff);
        let words = if field > 511 { field - 1024 } else { field };
        if taken {
            self.regs[0] = (i32::from(self.regs[0]) + 2 * words) as u16;
        }
        Says::Done
    }

    fn run(&mut self) -> Says {
        let word = self.next_word();
        match word >> 12 {
            1 if word < 0x1400 => self.format_ii(word),
            0 | 1 => Says::NoInstruction,
            2 | 3 => self.jump(word),
            _ => self.format_i(word),
        }
    }
}

/// Registers before the instruction: valid decimal numbers among them, odd and even addresses,
/// flags all clear, all set and mixed. No state lets an access meet the instruction itself.
const STATES: [(u16, [u16; 4]); 4] = [
    (0x0000, [0x1234, 0x8765, 0x0000, 0x9999]),
    (0x0107, [0x2301, 0x7fff, 0xffff, 0x0001]),
    (0x0001, [0x9998, 0x8000, 0x00ff, 0x5050]),
    (0x0106, [0x3001, 0x0080, 0x807f, 0x1999]),
];

fn registers(state: (u16, [u16; 4])) -> [u16; 16] {
    let (sr, values) = state;
    std::array::from_fn(|n| match n {
        0 => CODE,
        1 => 0x3800,
        2 => sr,
        3 => 0,
        _ => values[n % 4],
    })
}

/// Memory with `word` at [`CODE`] and two more words behind it, which are decimal numbers too.
fn memory(word: u16, seed: u16) -> Memory {
    let mut memory = Memory {
        seed,
        written: BTreeMap::new(),
    };
    memory.put(CODE, word);
    memory.put(CODE + 2, 0x1208);
    memory.put(CODE + 4, 0x2416);
    memory
}

/// The words that are no instruction, and the sums left out, in all states.
fn compare_all(state: (u16, [u16; 4]), seed: u16) -> (u32, u32) {
    let (mut refused, mut undefined) = (0, 0);
    for word in 0..=0xffff_u16 {
        let mut guide = Guide {
            regs: registers(state),
            memory: memory(word, seed),
            byte: false,
        };
        let mut ours = memory(word, seed);
        let mut cpu = Cpu::new();
        cpu.regs = registers(state);
        let says = guide.run();
        let done = cpu.step(&mut ours);
        match says {
            Says::Undefined => undefined += 1,
            Says::NoInstruction => {
                let fault = Fault::IllegalInstruction { pc: CODE, word };
                assert_eq!(done, Err(fault), "0x{word:04x}");
                refused += 1;
            }
            Says::Done => {
                done.unwrap_or_else(|fault| panic!("0x{word:04x}: {fault}"));
                assert_eq!(
                    cpu.regs, guide.regs,
                    "0x{word:04x} in {state:x?}: registers"
                );
                assert_eq!(ours, guide.memory, "0x{word:04x} in {state:x?}: memory");
            }
        }
    }
    (refused, undefined)
}

#[test]
fn every_word_does_what_the_guide_says() {
    for (seed, state) in (0x55aa..).step_by(0x1357).zip(STATES) {
        let (refused, undefined) = compare_all(state, seed);
        assert_eq!(refused, REFUSED, "words that are no instruction");
        assert!(
            undefined < 4096,
            "some sums of DADD are defined: {undefined}"
        );
    }
}

/// Words that are no instruction. 0x0000..0x0fff and 0x1400..0x1fff: 7168. RRC, SWPB, RRA, SXT of
/// an immediate or a constant, 7 of 64 operands, and of the two byte forms: 6 * 6. SWPB, SXT and
/// CALL have no byte form: 3 * 64. RETI is one word of 128, and 0x1380..0x13ff are none.
const REFUSED: u32 = 7168 + 6 * 6 + 3 * 64 + 127 + 128;
