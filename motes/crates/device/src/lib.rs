//! Register-level device models with time. A device knows no CPU. Its board reads it, writes it and
//! advances its time. The device tells when its next event is due, and in which state it is, so
//! that charge can be counted.

#[macro_use]
mod tables;

mod absent;
mod access;
pub mod air;
pub mod atmega128;
pub mod cc1000;
pub mod cc2420;
pub mod cc2538;
pub mod clock;
pub mod coprocessor;
mod countdown;
mod currents;
mod engine_fault;
pub mod f1611;
pub mod i2c;
mod line;
pub mod m25p80;
pub mod meter;
pub mod parameter;
mod radio;
pub mod random;
pub mod sensor;
pub mod time;
#[cfg(test)]
mod vectors;

pub use engine_fault::EngineFault;
pub use line::UartReceiver;
pub use radio::{
    Ear, HeardFrame, OQPSK_2450, Outcome, Sending, SentFrame, Station, StationConfig, TURNAROUND,
    burst,
};
pub use time::Ps;
