//! Why an access is refused, and why the chip restarts.

use std::fmt;

/// Why an access cannot be done.
pub type AccessError = crate::access::AccessError<u32>;

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
