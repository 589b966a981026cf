//! Bits of the status register SREG.

/// Carry.
pub const SREG_C: u8 = 1 << 0;
/// Zero.
pub const SREG_Z: u8 = 1 << 1;
/// Negative.
pub const SREG_N: u8 = 1 << 2;
/// Two's complement overflow.
pub const SREG_V: u8 = 1 << 3;
/// Sign: N xor V.
pub const SREG_S: u8 = 1 << 4;
/// Half carry.
pub const SREG_H: u8 = 1 << 5;
/// Bit copy storage.
pub const SREG_T: u8 = 1 << 6;
/// Global interrupt enable.
pub const SREG_I: u8 = 1 << 7;
