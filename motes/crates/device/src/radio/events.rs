//! What both chips do alike with what their modem hears.

use super::modem::Modem;
use super::receiver::Heard;
use crate::Ps;
use crate::air::{AirIn, TxId};

/// A chip around a modem.
pub(crate) trait Radio {
    fn modem(&mut self) -> &mut Modem;

    /// A delimiter ends: synchronise if the receiver can.
    fn delimiter(&mut self, at: Ps, tx: TxId, syncword: u16);

    /// An octet of a frame.
    fn receive_octet(&mut self, at: Ps, octet: u8);

    /// The receiver goes off. What it stored of an unfinished frame stays in the RXFIFO.
    fn abort_rx(&mut self);

    /// Something happens on the air.
    fn air_event(&mut self, event: AirIn) {
        match self.modem().follow(event) {
            Heard::Delimiter { tx, syncword } => self.delimiter(event.at, tx, syncword),
            Heard::Octet(octet) => self.receive_octet(event.at, octet),
            Heard::Silence | Heard::Nothing => {}
        }
    }

    /// The transmitter fell silent inside the frame; the demodulator goes on.
    fn noise_octet(&mut self, at: Ps) {
        if let Some(octet) = self.modem().noise_octet(at) {
            self.receive_octet(at, octet);
        }
    }

    /// Stops transmission and reception; the caller sets the next state.
    fn abort(&mut self, now: Ps) {
        self.modem().stop_transmission(now);
        self.abort_rx();
        self.modem().fsm_due = None;
    }
}
