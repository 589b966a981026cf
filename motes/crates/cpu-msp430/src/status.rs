//! The bits of the status register R2 (SLAU049, "Status Register").

/// Carry.
pub const SR_C: u16 = 1 << 0;
/// Result was zero.
pub const SR_Z: u16 = 1 << 1;
/// Result was negative.
pub const SR_N: u16 = 1 << 2;
/// General interrupt enable.
pub const SR_GIE: u16 = 1 << 3;
/// CPU is off.
pub const SR_CPUOFF: u16 = 1 << 4;
/// The LFXT1 oscillator is off when nothing uses it.
pub const SR_OSCOFF: u16 = 1 << 5;
/// System clock generator 0: the DCO's DC generator is off when the DCO is unused.
pub const SR_SCG0: u16 = 1 << 6;
/// System clock generator 1: SMCLK is off.
pub const SR_SCG1: u16 = 1 << 7;
/// Signed overflow.
pub const SR_V: u16 = 1 << 8;
/// The bits that exist; bits 15..9 are reserved and read as 0.
pub const SR_MASK: u16 = 0x01ff;
