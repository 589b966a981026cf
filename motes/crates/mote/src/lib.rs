//! Motes in one medium: simulation, function calls in executables, captures.

pub mod call;
pub mod inject;
pub mod pcap;
pub mod simulation;

pub use board;
