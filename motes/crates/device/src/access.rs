//! Why an access to a register cannot be done.

use crate::absent::Refusal;
use std::fmt::LowerHex;
use thiserror::Error;

/// Why an access to the peripherals cannot be done. `A` is an address of the chip.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AccessError<A: LowerHex> {
    /// There is no register at this address.
    #[error("no peripheral register at {0:#0width$x}", width = 2 + 2 * size_of::<A>())]
    Unmapped(A),
    /// Byte access to the odd half of a word register.
    #[error("byte access to the odd address {0:#0width$x} of a word peripheral", width = 2 + 2 * size_of::<A>())]
    OddByte(A),
    /// Word read of byte registers: the high byte would be unpredictable.
    #[error("word access to the byte peripheral at {0:#0width$x}", width = 2 + 2 * size_of::<A>())]
    WordAccess(A),
    /// The clock of the block is gated (RCGCx, SCGCx, DCGCx) or the block is held in reset.
    #[error("{what}")]
    Gated {
        /// In words, with the block.
        what: &'static str,
    },
    /// A block or mode this model does not have was switched on.
    #[error("{name} is not modelled")]
    NotModelled {
        /// The block or mode.
        name: &'static str,
    },
    /// The user's guide says that this must not be done, or that the result is unpredictable.
    #[error("unpredictable on the real chip: {what}")]
    Unpredictable {
        /// What was wrong.
        what: &'static str,
    },
}

impl Refusal {
    /// The error of an access to `addr`.
    pub(crate) fn at<A: LowerHex>(self, addr: A) -> AccessError<A> {
        match self {
            Refusal::Unmapped => AccessError::Unmapped(addr),
            Refusal::NotModelled(name) => AccessError::NotModelled { name },
        }
    }
}
