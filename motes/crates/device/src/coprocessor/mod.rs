//! The AES-128 coprocessor of `hdl/`, clock by clock: the cores, the modes around them, and the two
//! interfaces. Files and names are those of the VHDL, whose headers say what they mean; `cargo run
//! --example replay_coprocessor` holds what ghdl recorded against this model, pin by pin.

mod core;
mod instruction;
mod modes;
mod registers;
mod serial;
mod state;

pub use core::{CoreKind, HostOut};
pub use modes::{HostIn, Modes};
pub use registers::{BusIn, Registers};
pub use serial::{LineOut, SerialLines};
