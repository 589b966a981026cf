//! Random programs of loops, calls and branches, and a memory that can offer itself for direct use.

use cpu_armv7m::{Bus, BusError, Cpu, Fault, Lines, Plain, Step, Timed, Timing};

pub const RAM: u32 = 0x2000_0000;
pub const DEVICE: u32 = 0x4000_0000;
/// Where programs begin, where their function, the handler of interrupt 0, and a table are.
pub const START: u32 = 0x1000;
pub const FUNCTION: u32 = 0x1800;
pub const HANDLER: u32 = 0x0400;
pub const TABLE: u32 = 0x2000;
const SIZE: usize = 0x4000;

/// Pseudorandom numbers.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    fn pick(&mut self, from: &[u16]) -> u16 {
        from[self.below(from.len() as u32) as usize]
    }
}

/// Code memory behind a buffer of one line, RAM, and a device that counts its reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub code: Vec<u8>,
    pub ram: Vec<u8>,
    pub reads: u32,
    wait: u32,
    shift: u32,
    line: u32,
    /// Offers itself for direct use.
    pub plain: bool,
}

impl Memory {
    pub fn halves(&mut self, addr: u32, halves: &[u16]) {
        for (at, half) in (addr as usize..).step_by(2).zip(halves) {
            self.code[at..at + 2].copy_from_slice(&half.to_le_bytes());
        }
    }

    /// Wait states of an access: one line of code memory is at hand.
    fn wait(&mut self, addr: u32) -> u32 {
        if addr >= RAM || self.wait == 0 {
            return 0;
        }
        let there = self.line == addr >> self.shift;
        self.line = addr >> self.shift;
        if there { 0 } else { self.wait }
    }

    fn place(&mut self, addr: u32, octets: usize) -> Result<&mut [u8], BusError> {
        let (block, offset) = if addr < RAM {
            (&mut self.code, addr)
        } else {
            (&mut self.ram, addr - RAM)
        };
        let offset = offset as usize;
        block
            .get_mut(offset..offset + octets)
            .ok_or(BusError::Unmapped(addr))
    }

    fn read(&mut self, addr: u32, octets: usize) -> Result<Timed<u32>, BusError> {
        if addr == DEVICE {
            self.reads += 1;
            let value = self.reads;
            return Ok(Timed { value, wait: 2 });
        }
        let value = self
            .place(addr, octets)?
            .iter()
            .rev()
            .fold(0, |word, octet| word << 8 | u32::from(*octet));
        let wait = self.wait(addr);
        Ok(Timed { value, wait })
    }

    fn write(&mut self, addr: u32, octets: &[u8]) -> Result<u32, BusError> {
        self.place(addr, octets.len())?.copy_from_slice(octets);
        Ok(0)
    }
}

impl Bus for Memory {
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        self.read(addr, 4)
    }
    fn fetch_wait(&mut self, addr: u32) -> u32 {
        self.wait(addr)
    }
    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        let octets = self.place(addr, 4)?;
        Ok(u32::from_le_bytes([
            octets[0], octets[1], octets[2], octets[3],
        ]))
    }
    fn free_code(&mut self, _addr: u32) -> bool {
        self.wait == 0
    }
    fn plain(&mut self) -> Option<Plain<'_>> {
        let lines = Lines {
            wait: self.wait,
            shift: self.shift,
            line: self.line,
        };
        self.plain.then(|| Plain {
            code_start: 0,
            code: self.code.as_chunks().0,
            ram_start: RAM,
            ram: self.ram.as_chunks_mut().0,
            lines,
        })
    }
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
        let Timed { value, wait } = self.read(addr, 1)?;
        Ok(Timed {
            value: value as u8,
            wait,
        })
    }
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
        let Timed { value, wait } = self.read(addr, 2)?;
        Ok(Timed {
            value: value as u16,
            wait,
        })
    }
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        self.read(addr, 4)
    }
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError> {
        self.write(addr, &[value])
    }
    fn write16(&mut self, addr: u32, value: u16) -> Result<u32, BusError> {
        self.write(addr, &value.to_le_bytes())
    }
    fn write32(&mut self, addr: u32, value: u32) -> Result<u32, BusError> {
        self.write(addr, &value.to_le_bytes())
    }
}

/// Core and memory.
#[derive(Clone)]
pub struct Machine {
    pub cpu: Cpu,
    pub memory: Memory,
}

/// All that a program can tell of.
pub type State = (u64, [u32; 16], u32, u32);

impl Machine {
    /// A program in code memory, with these wait states for a line of so many bits. Interrupt 0 is
    /// enabled.
    pub fn new(
        timing: Timing,
        (wait, shift): (u32, u32),
        parts: &[(u32, Vec<u16>)],
        random: &mut Random,
    ) -> Machine {
        let mut memory = Memory {
            code: vec![0; SIZE],
            ram: vec![0; SIZE],
            reads: 0,
            wait,
            shift,
            line: u32::MAX,
            plain: false,
        };
        for octet in memory.code[TABLE as usize..]
            .iter_mut()
            .chain(&mut memory.ram)
        {
            *octet = random.next() as u8;
        }
        for (addr, halves) in parts {
            memory.halves(*addr, halves);
        }
        for (addr, word) in [(0, RAM + 0x3000), (4, 0x301), (0x40, HANDLER | 1)] {
            memory.code[addr..addr + 4].copy_from_slice(&u32::to_le_bytes(word));
        }
        // STR R1, [R0] enables the interrupt.
        memory.halves(0x300, &[0x6001]);
        let mut cpu = Cpu::new(timing);
        cpu.halt.faults = true;
        cpu.reset(&mut memory, 0).expect("vectors");
        cpu.regs[..2].copy_from_slice(&[0xe000_e100, 1]);
        cpu.step(&mut memory).expect("enabled");
        let mut machine = Machine { cpu, memory };
        machine.begin(random);
        machine
    }

    /// Goes to the beginning of the program with new data in registers.
    pub fn begin(&mut self, random: &mut Random) {
        for register in 0..13 {
            self.cpu.regs[register] = random.next();
        }
        let pointers = [
            (4, TABLE),
            (6, RAM + 0x200),
            (8, DEVICE),
            (9, TABLE),
            (10, START + 4 * random.below(64)),
            (11, RAM + 0x400),
            (12, TABLE ^ (RAM + 0x600)),
        ];
        for (register, value) in pointers {
            self.cpu.regs[register] = value;
        }
        self.cpu.regs[7] = 5;
        (self.cpu.regs[13], self.cpu.regs[14], self.cpu.regs[15]) = (RAM + 0x3000, 0, START);
        self.cpu.flush_pipeline();
    }

    pub fn state(&self) -> State {
        let cpu = &self.cpu;
        (cpu.cycles, cpu.regs, cpu.xpsr(), cpu.last_pc())
    }

    /// To a cycle or an address, one instruction after the other.
    pub fn step_to(&mut self, limit: u64, stop: u32) -> Result<(), Fault> {
        while self.cpu.cycles < limit && self.cpu.regs[15] != stop {
            self.cpu.step(&mut self.memory)?;
        }
        Ok(())
    }

    /// The same by the quick way.
    pub fn run_to(&mut self, limit: u64, stop: u32) -> Result<(), Fault> {
        self.memory.plain = true;
        let outcome = self.run_as_it_is(limit, stop);
        self.memory.plain = false;
        outcome
    }

    /// To an address, as on a memory that does not offer itself for direct use.
    pub fn run_without_blocks(&mut self, stop: u32) -> Result<(), Fault> {
        self.run_as_it_is(u64::MAX, stop)
    }

    fn run_as_it_is(&mut self, limit: u64, stop: u32) -> Result<(), Fault> {
        while self.cpu.cycles < limit && self.cpu.regs[15] != stop {
            self.cpu.run(&mut self.memory, limit, Some(stop))?;
        }
        Ok(())
    }
}

/// Registers for data.
const DATA: [u16; 5] = [0, 1, 2, 3, 5];

/// One instruction that may stand anywhere, sometimes more than one.
fn instruction(random: &mut Random) -> Vec<u16> {
    let (d, n, m) = (random.pick(&DATA), random.pick(&DATA), random.pick(&DATA));
    let (imm3, imm5, imm8) = (
        random.below(8) as u16,
        random.below(32) as u16,
        random.below(256) as u16,
    );
    let amount = (imm5 & 0x1c) << 10 | (imm5 & 3) << 6;
    match random.below(50) {
        0 => vec![0x1800 | m << 6 | n << 3 | d],            // ADDS
        1 => vec![0x1a00 | m << 6 | n << 3 | d],            // SUBS
        2 => vec![imm5 << 6 | n << 3 | d],                  // LSLS
        3 => vec![0x0800 | imm5 << 6 | n << 3 | d],         // LSRS
        4 => vec![0x1000 | imm5 << 6 | n << 3 | d],         // ASRS
        5 => vec![0x4000 | imm3 << 6 | n << 3 | d],         // ANDS … SBCS, RORS
        6 => vec![0x4340 | n << 3 | d],                     // MULS
        7 => vec![0x2000 | d << 8 | imm8],                  // MOVS
        8 => vec![0x2800 | d << 8 | imm8],                  // CMP
        9 => vec![0xb2c0 | n << 3 | d],                     // UXTB
        10 => vec![0xba00 | n << 3 | d],                    // REV
        11 | 12 => vec![0x6830 | imm3 << 6 | d],            // LDR [R6, #]
        13 => vec![0x7830 | imm5 << 6 | d],                 // LDRB
        14 => vec![0x8830 | imm5 << 6 | d],                 // LDRH
        15 => vec![0x6030 | imm3 << 6 | d],                 // STR
        16 => vec![0x7030 | imm5 << 6 | d],                 // STRB
        17 => vec![0x8030 | imm5 << 6 | d],                 // STRH
        18 => vec![0x4800 | d << 8 | imm3],                 // LDR literal, from the code itself
        19 => vec![0xea80 | n, amount | 0x30 | d << 8 | m], // EOR, ROR
        20 => vec![0xea80 | n, d << 8 | m],                 // EOR
        21 => vec![0xeb10 | n, amount | d << 8 | m],        // ADDS, LSL
        22 => vec![0xeb60 | n, d << 8 | m],                 // SBC
        23 => vec![0xf3c0 | n, d << 8 | (imm5 & 7) << 12 | (imm5 & 15)], // UBFX
        24 => vec![0xf360 | n, 4 << 12 | d << 8 | 20],      // BFI
        25 | 26 => vec![0xb2c0 | n << 3 | d, 0xf859, m << 12 | 0x20 | d], // UXTB, LDR [R9, LSL #2]
        27 => vec![0xb2c0 | n << 3 | d, 0xf819, m << 12 | d], // UXTB, LDRB [R9, Rd]
        28 => vec![0xf8da, d << 12 | imm5 << 2],            // LDR [R10, #]: code, near or far
        29 => vec![0xf89a, d << 12 | imm8],                 // LDRB [R10, #]
        30 => vec![0xe9d6, d << 12 | 5 << 8 | imm3],        // LDRD [R6]
        31 => vec![0xe9c6, d << 12 | n << 8 | imm3],        // STRD [R6]
        32 => vec![0xe899, 0x001f],                         // LDM R9: table
        33 => vec![0xc607 & !0x0700 | 0x0600, 0x3e0c],      // STM R6!, {R0-R2}; SUBS R6, #12
        34 => vec![0xb407, 0xbc07],                         // PUSH, POP {R0-R2}
        35 => vec![0xfbb0 | n, 0xf0f0 | d << 8 | m],        // UDIV
        36 => vec![0xfba0 | n, d << 12 | ((d + 1) % 3) << 8 | m], // UMULL
        37 => vec![0xfb00 | n, 0x1000 | d << 8 | m],        // MLA
        38 => vec![0xf856, d << 12 | 0x0b04, 0x3e04],       // LDR [R6], #4; SUBS R6, #4
        39 => vec![0xbf0c, 0x3001 | d << 8, 0x3801 | n << 8], // ITE EQ; ADD; SUB
        40 => vec![0xb100 | d, 0x3003 | n << 8],            // CBZ over an instruction
        41 => vec![0xf8d6, d << 12 | imm5],                 // LDR [R6, #], often unaligned
        42 if imm3 == 0 => vec![0xf8d8, d << 12],           // LDR from the device
        43 => vec![0xd000 | (imm8 % 14) << 8, 0x3001 | d << 8, 0xbf00], // B<c> over two
        // IT EQ; ADD R6, #0; LDR [R6]: the address stalls if the condition held.
        47 => vec![0xbf08, 0x3600, 0x6830 | d],
        44 | 45 => vec![0x7820 | imm5 << 6 | d], // LDRB [R4, #]: table
        46 => vec![0x6820 | imm5 << 6 | d, 0xd000 | (imm8 % 14) << 8, 0xbf00], // LDR [R4, #]; B<c>; NOP
        _ => vec![0xbf00],
    }
}

fn instructions(random: &mut Random, count: u32) -> Vec<u16> {
    (0..count).flat_map(|_| instruction(random)).collect()
}

/// A loop around a call and random instructions; the address where it ends.
pub fn random_program(random: &mut Random) -> (Vec<(u32, Vec<u16>)>, u32) {
    let length = 4 + random.below(28);
    // EOR R4, R4, R12: the table, RAM, the table …
    let mut code = [vec![0xea84, 0x040c], instructions(random, length)].concat();
    let here = START + 4 + 2 * code.len() as u32;
    let offset = (FUNCTION as i32 - here as i32) / 2;
    code.extend([
        0xf000 | (offset >> 11) as u16 & 0x7ff,
        0xf800 | offset as u16 & 0x7ff,
    ]); // BL
    let length = 1 + random.below(6);
    code.extend(instructions(random, length));
    // SUBS R7, #1; BNE.W to the beginning.
    code.extend([0x3f01, 0xf47f, 0]);
    let back = -(code.len() as i32 * 2 + 2) / 2;
    let last = code.len() - 1;
    code[last] = 0xa800 | back as u16 & 0x7ff;
    let end = START + 2 * code.len() as u32;
    code.push(0xe7fe);
    let length = 2 + random.below(10);
    // PUSH {R4, LR}; …; POP {R4, PC}
    let function = [vec![0xb510], instructions(random, length), vec![0xbd10]].concat();
    // R0–R3 are on the stack, R4–R11 as they were.
    let handler = vec![0x4671, 0x6832, 0x3201, 0x6032, 0x4770]; // MOV R1, LR; LDR, ADDS, STR R2 [R6]; BX LR
    (
        vec![(START, code), (FUNCTION, function), (HANDLER, handler)],
        end,
    )
}
