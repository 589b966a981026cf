//! Boards: a CPU, its memory map and the devices soldered to it, and how an executable gets into them.

mod board;
pub mod call;
mod charge;
pub mod elf;
mod fault;
pub mod memory;
pub mod openmote;
pub mod telosb;

pub use board::{Band, Board, BoardError, CpuState, Edge, MeterRow, NAMES, Options, StateChange, create};
pub use device;
pub use fault::MoteFault;
