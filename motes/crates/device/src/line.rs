//! Serial lines as a chip's receiver sees them.

/// What a UART that listens expects of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UartReceiver {
    /// Bits in a second.
    pub hz: u64,
    /// Eight data bits, no parity, no address bit.
    pub plain: bool,
}
