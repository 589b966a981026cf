//! Why an access is refused, and why the chip restarts.

use std::fmt;
use thiserror::Error;

/// Why an access cannot be done.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AccessError {
    /// There is no register at this address.
    #[error("no peripheral register at 0x{0:08x}")]
    Unmapped(u32),
    /// The clock of the block is gated (RCGCx, SCGCx, DCGCx) or the block is held in reset.
    #[error("{name} is accessed while its clock is gated or its reset is held")]
    Gated {
        /// The block.
        name: &'static str,
    },
    /// A block or mode this model does not have was switched on.
    #[error("{name} is not modelled")]
    NotModelled {
        /// The block or mode.
        name: &'static str,
    },
    /// The user's guide says that this must not be done.
    #[error("unpredictable on the real chip: {what}")]
    Unpredictable {
        /// What was wrong.
        what: &'static str,
    },
}

/// What becomes of a write to a register; `None`: there is no register.
pub(super) type Written<T = ()> = Option<Result<T, AccessError>>;

/// The write switches on what this model does not have.
pub(super) fn not_modelled<T>(name: &'static str) -> Written<T> {
    Some(Err(AccessError::NotModelled { name }))
}

/// Why the chip restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// Supply voltage came up.
    PowerOn,
    /// Pin RESET_N.
    External,
    /// The watchdog expired.
    Watchdog,
    /// PWRDBG.FORCE_WARM_RESET, or SYSRESETREQ of the CPU.
    Software,
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResetCause::PowerOn => "power-on",
            ResetCause::External => "RESET_N was low",
            ResetCause::Watchdog => "the watchdog expired",
            ResetCause::Software => "a reset by software",
        })
    }
}
