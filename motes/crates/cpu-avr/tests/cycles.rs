//! The cycles and the length of every instruction word, against a table written from the data
//! sheet, form by form.

mod common;

use common::{Flat, Random};
use cpu_avr::{Cpu, Fault, Step};

/// Opcode pattern ("AVR Instruction Set Manual"), words, and the column "#Clocks" of the
/// ATmega128's data sheet; for branches and skips the clocks if nothing is taken or skipped.
const TABLE: &[(&str, u16, u32)] = &[
    ("0000 0000 0000 0000", 1, 1),  // NOP
    ("0000 0001 .... ....", 1, 1),  // MOVW
    ("0000 0010 .... ....", 1, 2),  // MULS
    ("0000 0011 .... ....", 1, 2),  // MULSU, FMUL, FMULS, FMULSU
    ("0000 01.. .... ....", 1, 1),  // CPC
    ("0000 10.. .... ....", 1, 1),  // SBC
    ("0000 11.. .... ....", 1, 1),  // ADD
    ("0001 00.. .... ....", 1, 1),  // CPSE
    ("0001 01.. .... ....", 1, 1),  // CP
    ("0001 10.. .... ....", 1, 1),  // SUB
    ("0001 11.. .... ....", 1, 1),  // ADC
    ("0010 .... .... ....", 1, 1),  // AND, EOR, OR, MOV
    ("0011 .... .... ....", 1, 1),  // CPI
    ("010. .... .... ....", 1, 1),  // SBCI, SUBI
    ("011. .... .... ....", 1, 1),  // ORI, ANDI
    ("10.0 .... .... ....", 1, 2),  // LDD, STD
    ("1001 000. .... 0000", 2, 2),  // LDS
    ("1001 001. .... 0000", 2, 2),  // STS
    ("1001 00.. .... 0001", 1, 2),  // LD, ST Z+
    ("1001 00.. .... 0010", 1, 2),  // LD, ST -Z
    ("1001 000. .... 01..", 1, 3),  // LPM, ELPM Z, Z+
    ("1001 00.. .... 1001", 1, 2),  // LD, ST Y+
    ("1001 00.. .... 1010", 1, 2),  // LD, ST -Y
    ("1001 00.. .... 1100", 1, 2),  // LD, ST X
    ("1001 00.. .... 1101", 1, 2),  // LD, ST X+
    ("1001 00.. .... 1110", 1, 2),  // LD, ST -X
    ("1001 00.. .... 1111", 1, 2),  // POP, PUSH
    ("1001 010. .... 0000", 1, 1),  // COM
    ("1001 010. .... 0001", 1, 1),  // NEG
    ("1001 010. .... 0010", 1, 1),  // SWAP
    ("1001 010. .... 0011", 1, 1),  // INC
    ("1001 010. .... 0101", 1, 1),  // ASR
    ("1001 010. .... 0110", 1, 1),  // LSR
    ("1001 010. .... 0111", 1, 1),  // ROR
    ("1001 010. .... 1010", 1, 1),  // DEC
    ("1001 0100 .... 1000", 1, 1),  // BSET, BCLR
    ("1001 0100 0000 1001", 1, 2),  // IJMP
    ("1001 0101 0000 1001", 1, 3),  // ICALL
    ("1001 0101 0000 1000", 1, 4),  // RET
    ("1001 0101 0001 1000", 1, 4),  // RETI
    ("1001 0101 1000 1000", 1, 1),  // SLEEP
    ("1001 0101 1001 1000", 1, 1),  // BREAK
    ("1001 0101 1010 1000", 1, 1),  // WDR
    ("1001 0101 1100 1000", 1, 3),  // LPM
    ("1001 0101 1101 1000", 1, 3),  // ELPM
    ("1001 0101 1110 1000", 1, 11), // SPM: 4, and 7 of the bus
    ("1001 010. .... 110.", 2, 3),  // JMP
    ("1001 010. .... 111.", 2, 4),  // CALL
    ("1001 0110 .... ....", 1, 2),  // ADIW
    ("1001 0111 .... ....", 1, 2),  // SBIW
    ("1001 10.0 .... ....", 1, 2),  // CBI, SBI
    ("1001 1001 .... ....", 1, 1),  // SBIC
    ("1001 1011 .... ....", 1, 1),  // SBIS
    ("1001 11.. .... ....", 1, 2),  // MUL
    ("1011 .... .... ....", 1, 1),  // IN, OUT
    ("1100 .... .... ....", 1, 2),  // RJMP
    ("1101 .... .... ....", 1, 3),  // RCALL
    ("1110 .... .... ....", 1, 1),  // LDI
    ("1111 0... .... ....", 1, 1),  // BRBS, BRBC
    ("1111 10.. .... 0...", 1, 1),  // BLD, BST
    ("1111 11.. .... 0...", 1, 1),  // SBRC, SBRS
];

fn matches(pattern: &str, word: u16) -> bool {
    let digits = pattern.chars().filter(|c| *c != ' ');
    digits.zip((0..16).rev()).all(|(c, bit)| match c {
        '.' => true,
        digit => (digit == '1') == (word >> bit & 1 != 0),
    })
}

fn row(word: u16) -> Option<&'static (&'static str, u16, u32)> {
    let mut rows = TABLE.iter().filter(|row| matches(row.0, word));
    let first = rows.next();
    assert!(rows.next().is_none(), "0x{word:04x} has two rows");
    first
}

/// Whether a word is a skip or a branch whose clocks depend on its outcome.
fn is_conditional(word: u16) -> bool {
    word & 0xfc00 == 0x1000
        || word & 0xfd00 == 0x9900
        || word & 0xf800 == 0xf000
        || word & 0xfc00 == 0xfc00
}

/// Registers that differ pairwise and keep stack and pointers in SRAM.
fn cpu() -> Cpu {
    let mut cpu = Cpu::new();
    cpu.regs = std::array::from_fn(|number| 0x21 + number as u8).into();
    (cpu.sp, cpu.pc, cpu.sreg) = (0x1000, 0x100, 0x5a);
    cpu
}

#[test]
fn every_word_takes_its_row_or_is_refused() {
    for word in 0..=u16::MAX {
        let mut bus = Flat::new(0x100, &[word, 0x0200]);
        let mut cpu = cpu();
        match (cpu.step(&mut bus), row(word)) {
            (Ok(cycles), Some((_, _, expected))) if !is_conditional(word) => {
                assert_eq!(cycles, *expected, "0x{word:04x}");
                assert_eq!(cpu.cycles, u64::from(cycles));
            }
            (Ok(cycles), Some((_, _, expected))) => {
                // Untaken: the next word. Taken or skipping one NOP: a cycle more.
                let taken = cycles == expected + 1;
                assert!(taken || cycles == *expected, "0x{word:04x}");
                let untaken_pc = 0x101;
                assert!(taken || cpu.pc == untaken_pc, "0x{word:04x}");
            }
            (Err(Fault::IllegalInstruction { pc, word: said }), None) => {
                assert_eq!((pc, said, cpu.pc, cpu.cycles), (0x100, word, 0x100, 0));
            }
            (outcome, row) => panic!("0x{word:04x}: {outcome:?}, {row:?}"),
        }
    }
}

#[test]
fn every_word_has_its_length_when_skipped() {
    // SBRS R0, 0 with R0 = 1 skips whatever follows.
    for word in 0..=u16::MAX {
        let mut bus = Flat::new(0x100, &[0xfe00, word]);
        let mut cpu = cpu();
        cpu.regs[0] = 1;
        let words = row(word).map_or(1, |row| row.1);
        assert_eq!(cpu.step(&mut bus), Ok(1 + u32::from(words)), "0x{word:04x}");
        assert_eq!(cpu.pc, 0x101 + words, "0x{word:04x}");
    }
}

#[test]
fn all_skips_skip_and_do_not() {
    // CPSE R0, R1; SBRC R0, 3; SBRS R0, 3; SBIC 0x1e, 3; SBIS 0x1e, 3 with R0 = I/O 0x1e = 8 or 0,
    // R1 = 8.
    for (word, skips_if_set) in [
        (0x1001, true),
        (0xfc03, false),
        (0xfe03, true),
        (0x99f3, false),
        (0x9bf3, true),
    ] {
        for set in [false, true] {
            let mut bus = Flat::new(0x100, &[word, 0x940e, 0x1234]);
            let mut cpu = cpu();
            cpu.regs[0] = if set { 8 } else { 0 };
            cpu.regs[1] = 8;
            bus.data[0x3e] = cpu.regs[0];
            let expected = if set == skips_if_set {
                (3, 0x103)
            } else {
                (1, 0x101)
            };
            assert_eq!(
                (cpu.step(&mut bus), cpu.pc),
                (Ok(expected.0), expected.1),
                "0x{word:04x} {set}"
            );
        }
    }
}

#[test]
fn branches_reach_every_offset_on_every_flag() {
    for offset in -64_i32..64 {
        for (base, taken_if) in [(0xf000, true), (0xf400, false)] {
            for bit in 0..8 {
                for set in [false, true] {
                    let word = base | (offset as u16 & 0x7f) << 3 | bit;
                    let mut cpu = cpu();
                    cpu.sreg = if set { 1 << bit } else { !(1 << bit) };
                    let cycles = cpu.step(&mut Flat::new(0x100, &[word]));
                    let expected = if set == taken_if {
                        (2, 0x101 + offset)
                    } else {
                        (1, 0x101)
                    };
                    assert_eq!((cycles, i32::from(cpu.pc)), (Ok(expected.0), expected.1));
                }
            }
        }
    }
}

#[test]
fn relative_jumps_reach_every_offset_and_wrap() {
    for offset in -2048_i32..2048 {
        for (base, cycles) in [(0xc000, 2), (0xd000, 3)] {
            let mut cpu = cpu();
            cpu.pc = 0xffff;
            let mut bus = Flat::new(0xffff, &[base | offset as u16 & 0xfff]);
            assert_eq!(cpu.step(&mut bus), Ok(cycles));
            assert_eq!(cpu.pc, offset as u16);
            if base == 0xd000 {
                assert_eq!((cpu.sp, bus.data[0x1000], bus.data[0xfff]), (0xffe, 0, 0));
            }
        }
    }
}

#[test]
fn no_pair_of_words_panics() {
    let mut random = Random(5);
    for word in 0..=u16::MAX {
        for _ in 0..40 {
            let noise = random.next();
            let mut cpu = Cpu::new();
            cpu.regs = std::array::from_fn(|_| random.next() as u8).into();
            (cpu.sp, cpu.sreg, cpu.rampz, cpu.pc) = (
                noise as u16,
                (noise >> 16) as u8,
                (noise >> 24) as u8,
                0xffff,
            );
            let mut bus = Wild([word, (noise >> 32) as u16], noise >> 48);
            let _ = cpu.step(&mut bus);
        }
    }
}

/// Two words of program at 0xffff, and memory that refuses every second access.
struct Wild([u16; 2], u64);

impl cpu_avr::Bus for Wild {
    fn fetch(&mut self, pc: u16) -> Result<u16, cpu_avr::BusError> {
        Ok(self.0[usize::from(pc != 0xffff)])
    }

    fn read(&mut self, addr: u16) -> Result<u8, cpu_avr::BusError> {
        self.1 = self.1.rotate_right(1);
        if self.1 & 1 == 0 {
            Ok(addr as u8)
        } else {
            Err(cpu_avr::BusError::Unmapped(addr))
        }
    }

    fn write(&mut self, addr: u16, _: u8) -> Result<(), cpu_avr::BusError> {
        self.read(addr).map(|_| ())
    }
}
