//! Where a caller puts arguments.

use super::{ARGUMENTS, LAST_ARGUMENT, stale};
use crate::call::{CallError, Value};

/// Where arguments go: registers from `first` to R25, and octets of stack, first one lowest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) first: usize,
    pub(super) registers: [u8; 32],
    pub(super) stack: Vec<u8>,
}

/// Places arguments by the ABI's rules.
pub(super) fn place(arguments: &[Value]) -> Result<Placement, CallError> {
    let mut placed = Placement {
        first: ARGUMENTS,
        registers: std::array::from_fn(stale),
        stack: Vec::new(),
    };
    let mut register = ARGUMENTS;
    for argument in arguments {
        let size = usize::from(argument.octets);
        if !(1..=8).contains(&size) {
            return Err(CallError::ArgumentWidth(argument.octets));
        }
        let octets = &argument.bits.to_le_bytes()[..size];
        let taken = size.next_multiple_of(2);
        if register - LAST_ARGUMENT >= taken {
            register -= taken;
            placed.first = register;
            placed.registers[register..register + size].copy_from_slice(octets);
        } else {
            register = LAST_ARGUMENT;
            placed.stack.extend(octets);
        }
    }
    Ok(placed)
}
