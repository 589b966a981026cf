//! Boards: a CPU, its memory map and the devices soldered to it, and how an executable gets into
//! them.

pub mod atmega128;
mod board;
pub mod call;
mod charge;
pub mod elf;
mod fault;
pub mod memory;
pub mod openmote;
pub mod telosb;

pub use board::{
    Band, Board, BoardError, CpuState, CutMoment, Edge, MeterRow, NAMES, Options, PowerCut,
    StateChange, Wear, create,
};
pub use device;
pub use fault::MoteFault;
