//! How long every instruction takes, in CPU clock cycles: the data sheets' tables as data.
//!
//! Source: "Instruction Set Summary" (column "#Clocks") of the data sheets ATmega128(L) (Atmel
//! 2467) and ATmega640/V-1280/V-1281/V-2560/V-2561/V (Atmel 2549), which agree for a 16-bit PC; the
//! columns "AVRe" of the "AVR Instruction Set Manual" (Atmel 0856) say the same. Flash has no wait
//! states and internal SRAM none either.

/// Rows of "Arithmetic and Logic Instructions" on one register or two, MOV, MOVW, LDI, IN, OUT,
/// shifts, SWAP, BSET, BCLR, BST, BLD, NOP, WDR, BREAK (not in debug mode).
pub const ONE: u8 = 1;
/// ADIW, SBIW: two octets through one adder.
pub const WORD: u8 = 2;
/// MUL, MULS, MULSU, FMUL, FMULS, FMULSU.
pub const MULTIPLY: u8 = 2;
/// LD, LDD, LDS, ST, STD, STS in internal SRAM, registers and I/O. External memory adds wait states
/// (not here).
pub const DATA: u8 = 2;
/// PUSH, POP.
pub const STACK: u8 = 2;
/// SBI, CBI.
pub const BIT: u8 = 2;
/// LPM and ELPM in all forms.
pub const LPM: u8 = 3;
/// RJMP and IJMP.
pub const JUMP: u8 = 2;
/// JMP.
pub const JUMP_LONG: u8 = 3;
/// RCALL and ICALL, 16-bit PC.
pub const CALL: u8 = 3;
/// CALL, 16-bit PC.
pub const CALL_LONG: u8 = 4;
/// RET and RETI, 16-bit PC.
pub const RETURN: u8 = 4;
/// BRBS, BRBC: not taken, taken.
pub const BRANCH: [u8; 2] = [1, 2];
/// CPSE, SBRC, SBRS, SBIC, SBIS by the number of words skipped.
pub const SKIP: [u8; 3] = [1, 2, 3];
/// SLEEP; the sleep itself is the board's time.
pub const SLEEP: u8 = 1;
/// SPM before the halt that [`crate::Bus::store_program`] returns. The data sheets print "-" here:
/// assumed.
pub const SPM: u8 = 4;
/// Section "Interrupt Response Time": "four clock cycles minimum".
pub const INTERRUPT: u8 = 4;
/// The same section: what a sleeping CPU needs in addition, besides the start-up time of its clock.
pub const WAKE: u8 = 4;
