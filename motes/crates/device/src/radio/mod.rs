//! The modem that the radios of CC2420 and CC2538 share: state machine, receiver, RXFIFO and
//! transmitter. A chip puts its registers, strobes, FIFO memory and interrupts around it.

mod antenna;
mod events;
pub(crate) mod fcs;
pub(crate) mod filter;
mod medium;
mod modem;
mod outgoing;
mod receiver;
mod rxfifo;
mod station;
mod transmitter;

pub(crate) use events::Radio;
pub use medium::{LOOKAHEAD, OCTET, OQPSK_2450, burst};
pub(crate) use modem::{Fsm, Modem, acknowledgement};
pub use receiver::Ear;
pub(crate) use receiver::{CcaLimits, Reception};
pub(crate) use rxfifo::FIFO_OCTETS;
pub use station::{HeardFrame, Outcome, Sending, SentFrame, Station, StationConfig, TURNAROUND};
pub(crate) use transmitter::{Announcement, Header, Step, Transmitter};
