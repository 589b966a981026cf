//! What radios exchange with the medium. One transmission is `Start`, its octets, `End`.
//!
//! A radio whose hardware makes preamble and start-of-frame delimiter does not send them octet by
//! octet: `Start` marks the first symbol of the preamble, `Sync` the end of the delimiter, and then
//! come the octets of the frame. A radio that sends what its program gives it has no `Sync`: its
//! octets begin with the preamble.
//!
//! A radio says that it is on the air at least [`Medium::lookahead`] before its first energy. After
//! that, `Start` may be announced at any time up to the moment it carries; `Sync` and each `Octet`
//! are announced when that octet begins, and carry the time at which it ends; `End` is announced
//! when it happens. A transmission that is cut short may therefore carry one `Octet` with a time
//! after its `End`: receivers ignore it. One that is given up before it began has an `End` before
//! its `Start`: it never happens.

use crate::Ps;

/// What radios that can hear each other have in common. Each kind is one `static`; two radios are
/// in the same medium if they name the same one.
#[derive(Clone, Debug)]
pub struct Medium {
    /// Name, for people.
    pub name: &'static str,
    /// Duration of one octet.
    pub octet: Ps,
    /// The shortest time for which any of these radios is on the air before its first energy.
    pub lookahead: Ps,
    /// Path loss over the first metre in dB: free space at the frequency of the band.
    pub loss_at_1_m_db: f64,
    /// Link type of captured frames in a pcap file.
    pub link_type: u32,
    /// Makes the frame for a capture.
    pub assemble: Assemble,
}

/// Makes the frame out of the octets of a transmission, each with the time of its end, and the end
/// of the start-of-frame delimiter if the radio gave one. `None`: there is no frame.
pub type Assemble = fn(sync: Option<Ps>, octets: &[(Ps, u8)]) -> Option<Assembled>;

impl PartialEq for Medium {
    fn eq(&self, other: &Medium) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Medium {}

/// A frame made out of octets in the air.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// End of the start-of-frame delimiter.
    pub sync: Ps,
    /// What a capture keeps.
    pub octets: Vec<u8>,
    /// False: the transmitter stopped before the end.
    pub complete: bool,
}

/// An event of this radio's transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AirOut {
    /// A transmission will begin.
    Start {
        /// First energy.
        at: Ps,
        /// Channel, numbered as this medium does it; 0 for a frequency that is no channel.
        channel: u32,
        /// Output power at the antenna.
        power_dbm: i8,
    },
    /// The start-of-frame delimiter, if the radio makes it.
    Sync {
        /// Its end.
        at: Ps,
        /// The delimiter.
        syncword: u16,
    },
    /// One octet.
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
    /// First energy.
    Start {
        /// Channel of the transmission.
        channel: u32,
        /// Strength at this antenna.
        rssi_dbm: i8,
        /// False: energy only, the link loses this frame.
        decodable: bool,
    },
    /// End of the start-of-frame delimiter.
    Sync {
        /// Delimiter of the transmitter.
        syncword: u16,
    },
    /// End of one octet.
    Octet(
        /// The octet.
        u8,
    ),
    /// The carrier is off.
    End,
}
