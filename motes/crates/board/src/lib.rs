//! Boards: a CPU, its memory map and the devices soldered to it, and how an executable gets into them.

mod board;
pub mod call;
pub mod elf;
mod fault;
pub mod memory;
pub mod telosb;

pub use board::{Board, BoardError, CpuState, Edge, MeterRow, NAMES, Options, create};
pub use device;
pub use fault::MoteFault;
