//! The AVRe+ CPU of the ATmega128 and ATmega1281 (PC of 16 bits): its whole instruction set, cycle
//! by cycle.
//!
//! [`Cpu`] executes one instruction per [`Cpu::step`] against any [`Bus`] and returns the cycles it
//! took, taken from [`cycles`]; [`Cpu::run`] executes many. A bus may keep each [`Operation`] of its
//! program memory decoded. Peripherals and time are not here: the board asks
//! [`Cpu::sleeping`] and [`Cpu::interruptible`], and calls [`Cpu::interrupt`] or [`Cpu::wake`].
//! Code addresses are word addresses, as in the PC; linkers show them doubled.
//!
//! The reference is Atmel's "AVR Instruction Set Manual" (0856) with the two chips' data sheets
//! (2467, 2549). Where they are silent or leave a result undefined, this crate does the following:
//!
//! | case | here | why |
//! | --- | --- | --- |
//! | LD into the pointer it moves | the octet read wins over the moved pointer | undefined by the manual; simavr too |
//! | ST of a register of the pointer it moves | the value before the move | the same |
//! | ST into the pointer it moves, and through X into X | the moved pointer wins, or the old one | the same |
//! | LPM, ELPM with Z+ into R30, R31 | the moved pointer wins | the same |
//! | RAMPZ | bit 0; the others read 0 | 128 KiB of flash; reserved bits (data sheet of the ATmega128) |
//! | PC past the last word | continues at 0 | the PC has 16 bits |
//! | address past 0xffff by a displacement | continues at 0 | 16-bit adder, unchecked on silicon |
//! | BREAK | one cycle, nothing | "treated as NOP" without a debugger |
//! | words that the manual does not list | [`Fault::IllegalInstruction`] | no program means them |
//! | I set by BSET, OUT, ST | one instruction runs before an interrupt | manual at SEI; compilers rely on it for OUT |

mod alu;
mod bus;
mod core;
mod cpu;
pub mod cycles;
mod execute;
mod memory;
mod operation;
mod outside;
mod registers;
mod shadow;
mod status;

pub use bus::{Bus, BusError, Fault};
pub use cpu::{Cpu, DATA_START};
pub use operation::Operation;
pub use registers::Registers;
pub use shadow::Shadow;
pub use status::{SREG_C, SREG_H, SREG_I, SREG_N, SREG_S, SREG_T, SREG_V, SREG_Z};
pub use trace::{NoTrace, Step, Tracer};
