//! Register-level device models with time. A device knows no CPU: it is read, written and advanced by the board it is
//! on, tells when it next does something by itself, and says in which state it is so that charge can be counted.

pub mod cc2420;
pub mod f1611;
pub mod meter;
pub mod time;

pub use time::Ps;
