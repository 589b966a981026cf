//! What the radio exchanges with the medium. One transmission is `Start`, `Sfd`, its octets, `End`.
//!
//! The preamble is not sent octet by octet: `Start` marks its first symbol, `Sfd` the end of the
//! start-of-frame delimiter. `Start` is announced one turnaround (8 or 12 symbols) before it
//! happens; `Sfd` and each `Octet` are announced when that octet begins, 32 µs before the time they
//! carry; `End` is announced when it happens. A transmission that is cut short may therefore carry
//! one `Octet` with a time after its `End`: receivers ignore it. One that is given up while the
//! synthesizer calibrates has an `End` before its `Start`: it never happens.

use crate::Ps;

/// One octet on the air: 250 kbit/s.
pub const OCTET: Ps = Ps::from_micros(32);

/// A transmission is announced at least this long before its first symbol: the shortest turnaround
/// of a radio here (CC2420, TXCTRL.TX_TURNAROUND = 0, 8 symbols).
pub const LOOKAHEAD: Ps = Ps::from_micros(128);

/// An event of this radio's transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AirOut {
    /// A transmission will begin.
    Start {
        /// First preamble symbol.
        at: Ps,
        /// 11..=26, or 0 for a frequency that is no channel of the standard.
        channel: u8,
        /// Output power at the antenna.
        power_dbm: i8,
    },
    /// The start-of-frame delimiter.
    Sfd {
        /// Its end.
        at: Ps,
        /// SYNCWORD of the transmitter.
        syncword: u16,
    },
    /// One octet: first the length, then the PSDU with its FCS.
    Octet {
        /// Its end.
        at: Ps,
        /// The octet.
        octet: u8,
    },
    /// The carrier is off.
    End {
        /// When.
        at: Ps,
    },
}

/// Names one transmission in the medium; unique in a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxId(pub u64);

/// An event that reaches this radio's antenna.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AirIn {
    /// When it reaches the antenna.
    pub at: Ps,
    /// Which transmission it belongs to.
    pub tx: TxId,
    /// What happens.
    pub signal: Signal,
}

/// What happens to a transmission that can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// First preamble symbol.
    Start {
        /// Channel of the transmission.
        channel: u8,
        /// Strength at this antenna.
        rssi_dbm: i8,
        /// False: energy only, the link loses this frame.
        decodable: bool,
    },
    /// End of the start-of-frame delimiter.
    Sfd {
        /// SYNCWORD of the transmitter.
        syncword: u16,
    },
    /// End of one octet (length, then PSDU).
    Octet(
        /// The octet.
        u8,
    ),
    /// The carrier is off.
    End,
}
