//! The ARMv7-M core of a Cortex-M3: its whole instruction set, exceptions with the NVIC, SysTick,
//! the system control block and the cycle counter of the DWT, with the cycle rules of its manual as
//! data.
//!
//! [`Cpu`] executes one instruction per [`Cpu::step`], or many per [`Cpu::run`], against any
//! [`Bus`]. A run gives the state and the cycles of single steps. Where the bus offers its memory
//! for direct use ([`Bus::plain`]), it executes whole blocks.
//!
//! Instructions are decoded once and kept by address. The core notices its own writes to code; if
//! anything else writes code, call [`Cpu::invalidate_code`]. The board sets the levels of interrupt
//! lines, asks [`Cpu::sleeping`], and says with [`Cpu::idle`] how long the core slept. Registers
//! from 0xE0000000 to 0xE00FFFFF are inside the core.
//!
//! References: ARM DDI0403E "ARMv7-M Architecture Reference Manual" for what instructions and
//! exceptions do, ARM DDI0337I "Cortex-M3 Technical Reference Manual" for their time. Rows of the
//! timing table are in [`cycles`]; what the manual gives as a range is a field of [`Timing`], whose
//! [`Timing::low`] and [`Timing::high`] are the ends of the band. The prefetch unit is modelled
//! word by word, so a slow instruction hides the wait states of the next fetch.
//!
//! Where the references leave a choice, or the model is simpler than the chip:
//!
//! | case | here | why |
//! | --- | --- | --- |
//! | R15 where the manual calls it UNPREDICTABLE, and other unpredictable encodings of 32-bit instructions | undefined instruction | a program that relies on it is noticed |
//! | unpredictable placement in IT blocks (IT, CBZ, CPS; branches that are not last) | executed as elsewhere | |
//! | bits that should be 0 or 1 | ignored | as most decoders |
//! | LDM, STM, DIV and long multiplications | finish before an exception is taken | the chip restarts or continues them; latency differs by their length |
//! | a bus fault of a store in the write buffer | precise | the chip reports it later, as imprecise |
//! | late arrival | only before the first instruction of the handler, at the time the board pends | devices advance between steps |
//! | STREX | the local monitor does not look at addresses | as the manual of the core says |
//! | exception return | the cycles of BX or POP, then 10–12 | the manual's figure may hold the former |
//! | a faulting load multiple | leaves all registers | the chip may have loaded some |
//! | contention of data and code on the system bus | not modelled | code in SRAM: only the registered fetch |
//! | MPU, FPB, data watchpoints, ITM, debug | absent; enabling the MPU ends a run ([`Fault::NotModelled`]) | nothing here uses them |
//! | SysTick reference clock | none (CALIB.NOREF); the core clock always counts | the CC2538 has no other |
//! | BKPT | HardFault, or ends the run ([`Halt`]) | no debugger |

mod access;
mod alu;
mod block;
mod bus;
mod cache;
mod control;
mod core;
mod cpu;
pub mod cycles;
mod decode16;
mod decode32;
mod dsp;
mod execute;
mod forms;
mod forms_memory;
mod fpu;
mod handler;
mod memory32;
mod micro;
mod nvic;
mod op;
mod outside;
mod prefetch;
mod run;
mod run_blocks;
mod shadow;
mod system;
mod timing;
mod transfer;
mod translate;
mod waits;

pub use crate::core::Core;
pub use bus::{Bus, BusError, Cause, Fault, Lines, Plain, Timed};
pub use cpu::{Cpu, Halt, Stop};
pub use nvic::INTERRUPTS;
pub use op::{
    F_CARRY, F_CARRY_DEFINED, F_SET, Index, Lanes, LongProduct, Op, Product, Rounding, Shift, Width,
};
pub use shadow::{FlagSecrets, Shadow};
pub use timing::{Divide, LongMultiply, Timing};
pub use trace::{NoTrace, Step, Tracer};
