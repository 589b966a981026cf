//! Motes in one medium: simulation, function calls in executables, captures, gdb.

pub mod call;
pub mod debug;
pub mod inject;
pub mod pcap;
pub mod simulation;

pub use board;
