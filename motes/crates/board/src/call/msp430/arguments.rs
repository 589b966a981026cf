//! Where a caller puts arguments.

use crate::call::{CallError, Placement, Value};

/// Places arguments by the ABI's rules: registers R12.., then the stack.
pub(super) fn place(arguments: &[Value]) -> Result<Placement<u16>, CallError> {
    let mut placed = Placement::default();
    for argument in arguments {
        let bits = if argument.octets == 1 {
            argument.bits & 0xFF
        } else {
            argument.bits
        };
        let count = match argument.octets {
            1 | 2 => 1,
            4 => 2,
            8 => 4,
            other => return Err(CallError::ArgumentWidth(other)),
        };
        let words = (0..count).map(|i| (bits >> (16 * i)) as u16);
        let free = 4 - placed.registers.len();
        if count <= free || (count == 2 && free == 1) {
            for (i, word) in words.enumerate() {
                if i < free {
                    placed.registers.push(word)
                } else {
                    placed.stack.push(word)
                }
            }
        } else {
            placed.stack.extend(words);
        }
    }
    Ok(placed)
}
