//! How long every instruction takes, in MCLK cycles: TI's tables as data.
//!
//! Source: SLAU049 "MSP430x1xx Family User's Guide", chapter "RISC 16-Bit CPU", section
//! "Instruction Cycles and Lengths": the tables "Interrupt and Reset Cycles", "Format-II
//! Instruction Cycles and Lengths" and "Format-I (Double Operand) Instruction Cycles and Lengths".
//! Every row below names its row there. Byte and word forms, and all opcodes of a format, take the
//! same time (MOV, CMP and BIT to memory too; that differs on the MSP430X). F1xx flash has no wait
//! state up to 8 MHz and there is no cache, so the table is the timing.

/// How the source of a format-I instruction, or the operand of a format-II instruction, is
/// addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `Rn`, and the constant generator: #0, #1, #2, #4, #8, #-1.
    Register,
    /// `@Rn`.
    Indirect,
    /// `@Rn+`.
    Autoincrement,
    /// `#N`: one word follows.
    Immediate,
    /// `x(Rn)`, `EDE` (symbolic), `&EDE` (absolute): one word follows.
    Indexed,
}

/// Where the result of a format-I instruction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// `Rm` but for the PC.
    Register,
    /// The PC.
    Pc,
    /// `x(Rm)`, `EDE`, `&EDE`: one word follows.
    Memory,
}

/// The columns of the format-II table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleOperand {
    /// RRA, RRC, SWPB, SXT.
    Modify,
    /// PUSH.
    Push,
    /// CALL.
    Call,
}

/// Table "Format-I (Double Operand) Instruction Cycles and Lengths"; columns as [`Destination`].
pub const FORMAT_I: [[u8; 3]; 5] = [
    /* rows "Rn -> Rm, PC, x(Rm), EDE, &EDE"   */ [1, 2, 4],
    /* rows "@Rn -> Rm, PC, x(Rm), EDE, &EDE"  */ [2, 2, 5],
    /* rows "@Rn+ -> Rm, PC, x(Rm), EDE, &EDE" */ [2, 3, 5],
    /* rows "#N -> Rm, PC, x(Rm), EDE, &EDE"   */ [2, 3, 5],
    /* rows "x(Rn), EDE, &EDE -> …"            */ [3, 3, 6],
];

/// Stands where the format-II table has no entry: the guide forbids the form and the CPU here
/// refuses it.
pub const NONE: u8 = 0;

/// Table "Format-II Instruction Cycles and Lengths"; columns as [`SingleOperand`].
///
/// PUSH of a constant generator's constant is encoded in register mode and takes that row's 3
/// cycles; so says erratum CPU4 of TI's device errata too, but it is unconfirmed on silicon
/// (simulators say 2, 4 or 5).
pub const FORMAT_II: [[u8; 3]; 5] = [
    /* row "Rn"                   */ [1, 3, 4],
    /* row "@Rn"                  */ [3, 4, 4],
    /* row "@Rn+"                 */ [3, 5, 5],
    /* row "#N"                   */ [NONE, 4, 5],
    /* rows "x(Rn)", "EDE", "&EDE" */ [4, 5, 5],
];

/// Section "Format-III (Jump) Instruction Cycles and Lengths": taken or not.
pub const JUMP: u8 = 2;

/// Table "Interrupt and Reset Cycles", row "Return from interrupt (RETI)".
pub const RETI: u8 = 5;

/// Table "Interrupt and Reset Cycles", row "Interrupt accepted".
pub const INTERRUPT: u8 = 6;

/// Table "Interrupt and Reset Cycles", rows "WDT reset" and "Reset (RST/NMI)".
pub const RESET: u8 = 4;

/// The mode that the two As bits and the register number of an operand mean; constants count as
/// registers.
pub const fn mode(as_bits: u16, register: u16) -> Mode {
    match (as_bits & 3, register) {
        (0, _) | (_, 3) | (2 | 3, 2) => Mode::Register,
        (1, _) => Mode::Indexed,
        (2, _) => Mode::Indirect,
        (_, 0) => Mode::Immediate,
        _ => Mode::Autoincrement,
    }
}

/// [`mode`] of every operand; index = As << 4 | register.
const MODE_ROW: [u8; 64] = {
    let mut rows = [0; 64];
    let mut i = 0;
    while i < 64 {
        rows[i] = mode(i as u16 >> 4, i as u16 & 0xf) as u8;
        i += 1;
    }
    rows
};

/// [`FORMAT_I`] by the fields of the instruction word; index = As << 4 | source register, then
/// [`Destination`].
const FORMAT_I_BY_SOURCE: [[u8; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut i = 0;
    while i < 64 {
        let [register, pc, memory] = FORMAT_I[MODE_ROW[i] as usize];
        table[i] = [register, pc, memory, NONE];
        i += 1;
    }
    table
};

/// Cycles of a format-I instruction word with this destination.
#[inline(always)]
pub(crate) const fn format_i(word: u16, destination: Destination) -> u32 {
    let source = word & 0x30 | word >> 8 & 0xf;
    FORMAT_I_BY_SOURCE[source as usize][destination as usize] as u32
}

/// Cycles of a format-II instruction word.
#[inline(always)]
pub(crate) const fn format_ii(word: u16, operation: SingleOperand) -> u32 {
    FORMAT_II[MODE_ROW[(word & 0x3f) as usize] as usize][operation as usize] as u32
}
