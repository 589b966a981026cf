//! What the registers of the hardware multiplier depend on.

use crate::call::follow::Window;
use taint::{Secrets, Taint};

/// The registers.
pub(super) const WINDOW: Window = Window {
    start: MPY,
    octets: 0x10,
    writable: true,
    owned: true,
};
const MPY: u32 = 0x0130;
const OP2: u32 = 0x0138;
const RESLO: u32 = 0x013A;
const SUMEXT: u32 = 0x013E;
const END: u32 = 0x0140;
/// The bits of an address of the first operand that choose the operation.
const SIGNED: u32 = 2;
const ACCUMULATES: u32 = 4;

/// The operation that the last write of the first operand chose.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Multiplier {
    operation: u32,
}

/// All secrets that these octets depend on.
fn any(taint: &Taint, from: u32, to: u32) -> Secrets {
    (from..to).fold(0, |all, address| all | taint.of(address))
}

impl Multiplier {
    /// Follows what the last instruction's write makes of the other registers. The four addresses of
    /// the first operand are one register.
    pub(super) fn follow(&mut self, taint: &mut Taint) {
        let Some(address) = taint.written() else {
            return;
        };
        match address & !1 {
            first if (MPY..OP2).contains(&first) => {
                self.operation = first & (SIGNED | ACCUMULATES);
                for octet in 0..2 {
                    let of = taint.of(first + octet);
                    for other in (MPY + octet..OP2).step_by(2) {
                        taint.mark(other..other + 1, of);
                    }
                }
            }
            OP2 => self.multiply(taint),
            _ => {}
        }
    }

    fn multiply(self, taint: &mut Taint) {
        let accumulates = self.operation & ACCUMULATES != 0;
        let old = |taint: &Taint, to| {
            if accumulates {
                any(taint, RESLO, to)
            } else {
                0
            }
        };
        let lowest = taint.of(MPY) | taint.of(OP2) | old(taint, RESLO + 1);
        let product = any(taint, MPY, MPY + 2) | any(taint, OP2, OP2 + 2);
        let sum = product | old(taint, SUMEXT);
        // Without sign and sum it is 0.
        let extension = if self.operation == 0 { 0 } else { sum };
        taint.mark(RESLO..RESLO + 1, lowest);
        taint.mark(RESLO + 1..SUMEXT, sum);
        taint.mark(SUMEXT..END, extension);
    }
}
