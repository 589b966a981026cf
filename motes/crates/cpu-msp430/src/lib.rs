//! The MSP430 CPU of the 1xx family (not the MSP430X): its whole instruction set, and TI's cycle
//! table as data.
//!
//! [`Cpu`] executes one instruction per [`Cpu::step`] against any [`Bus`] and returns the MCLK
//! cycles it took, taken from [`cycles`]. Peripherals, sleep and time are not here: the
//! board asks [`Cpu::cpu_off`] and [`Cpu::interruptible`], and calls [`Cpu::interrupt`].
//!
//! The reference is TI's "MSP430x1xx Family User's Guide" (SLAU049). Where it is silent or leaves a
//! result undefined, this crate does the following:
//!
//! | case | here | why |
//! | --- | --- | --- |
//! | V after DADD | cleared | undefined by the guide |
//! | DADD of digits above 9 | the digit sum, if above 9, plus 6, carry 1 | no statement in the guide |
//! | `PUSH SP` | pushes the decremented SP | figure "PUSH SP, POP SP sequence" (SP2 = SP1) |
//! | `PUSH @SP`, `x(SP)`, `@SP+` | operand is read through the SP before the push | unchecked on silicon |
//! | `PUSH.B` | the high octet of the stack word keeps its value | a byte write |
//! | R3 as a destination | reads 0, the result is dropped (flags are set) | R3 holds no state |
//! | `x(R3)` as a destination | address x | R3 reads 0 |
//! | result and flags both go to SR | the result wins | unchecked on silicon |
//! | bits 15..9 of SR, bit 0 of SP | always 0 | figures of the two registers |
//! | word access at an odd address | bit 0 is ignored | the chip does not drive it |
//! | RRA, RRC, SWPB, SXT on a constant or immediate | illegal | "do not use" (note in the cycle table section) |
//! | SWPB.B, SXT.B, CALL.B, RETI but for 0x1300 | illegal | no such instruction in the guide |
//! | odd PC | [`Fault::OddPc`] | the chip would clear bit 0; no program means that |
//! | reading the destination of MOV | not done | matters for registers with read side effects |
//!
//! Erratum CPU4 of many 1xx parts says that `PUSH #4` and `PUSH #8` cannot use the constant
//! generator; assemblers avoid the form. It is executed here as the guide describes it.

mod alu;
mod bus;
mod cpu;
pub mod cycles;
mod outside;
mod shadow;
mod status;

pub use bus::{Bus, BusError, Fault};
pub use cpu::Cpu;
pub use shadow::Shadow;
pub use status::{SR_C, SR_CPUOFF, SR_GIE, SR_MASK, SR_N, SR_OSCOFF, SR_SCG0, SR_SCG1, SR_V, SR_Z};
pub use trace::{NoTrace, Step, Tracer};
