//! Where a caller puts arguments.

use crate::call::{CallError, Placement, Value};

/// Places arguments by the ABI's rules: registers r0.., then the stack.
pub(super) fn place(arguments: &[Value]) -> Result<Placement<u32>, CallError> {
    let mut placed = Placement::default();
    let mut full = false;
    for argument in arguments {
        let (bits, wide) = match argument.octets {
            octets @ (1 | 2 | 4) => (
                argument.bits & (u64::MAX >> (64 - 8 * u32::from(octets))),
                false,
            ),
            8 => (argument.bits, true),
            other => return Err(CallError::ArgumentWidth(other)),
        };
        let words = [bits as u32, (bits >> 32) as u32];
        let words = &words[..if wide { 2 } else { 1 }];
        if wide && !full {
            placed
                .registers
                .resize(placed.registers.len().next_multiple_of(2), 0);
        }
        full |= placed.registers.len() + words.len() > 4;
        if !full {
            placed.registers.extend(words);
            continue;
        }
        if wide {
            placed
                .stack
                .resize(placed.stack.len().next_multiple_of(2), 0);
        }
        placed.stack.extend(words);
    }
    placed.registers.truncate(4);
    Ok(placed)
}
