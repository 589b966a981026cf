//! Boards: a CPU, its memory map and the devices soldered to it, and how an executable gets into
//! them.

mod atmega128;
mod board;
pub mod call;
mod cc2538;
mod charge;
mod coprocessor;
mod description;
pub mod elf;
mod external_flash;
mod f1611;
mod fault;
mod image;
mod load;
mod misuse;
mod register;
mod sensors;
mod serial;
mod wiring;

pub use board::{
    Band, Board, BoardError, Copied, CpuState, CutMoment, Edge, Label, MeterRow, Options, PowerCut,
    Processor, Progress, Register, StateChange, Wear,
};
pub use coprocessor::{Fitting, Place};
pub use device;
pub use fault::MoteFault;
pub use misuse::Misuse;
pub use register::{NAMES, create, factory_bits, record_text};
pub use serial::{Character, Incoming};
