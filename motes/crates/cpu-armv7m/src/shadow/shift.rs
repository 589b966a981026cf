//! What the octets of shifted words and of bit fields depend on.

use super::{CLEAN, Value, Word};
use crate::op::Shift;
use taint::{Secrets, any};

/// What the bits from `low` to `high` of a word depend on. Bits that it does not have are known.
fn bits(of: Word, low: i32, high: i32) -> Secrets {
    let (low, high) = (low.max(0), high.min(31));
    if low > high {
        return 0;
    }
    let octets = &of[low as usize / 8..=high as usize / 8];
    octets.iter().fold(0, |all, octet| all | octet)
}

/// What one bit depends on.
pub(super) fn bit(of: Word, at: i32) -> Secrets {
    bits(of, at, at)
}

/// Each octet of a result, from the first bit of the word that its lowest bit is.
fn moved(of: Word, by: i32) -> Word {
    std::array::from_fn(|octet| {
        let low = 8 * octet as i32 + by;
        bits(of, low, low + 7)
    })
}

/// A word shifted by a known amount, at most 32, and the carry out of it; `carry` is what C depends
/// on.
pub(super) fn shifted(of: Word, shift: Shift, amount: i32, carry: Secrets) -> (Word, Secrets) {
    match shift {
        Shift::Lsl if amount == 0 => (of, carry),
        Shift::Lsl => (moved(of, -amount), bit(of, 32 - amount)),
        Shift::Lsr => (moved(of, amount), bit(of, amount - 1)),
        Shift::Asr => {
            let sign = of[3];
            let octets = moved(of, amount);
            let filled = std::array::from_fn(|octet| {
                let last = 8 * octet as i32 + 7 + amount;
                octets[octet] | if last > 31 { sign } else { 0 }
            });
            (filled, bit(of, (amount - 1).min(31)))
        }
        Shift::Ror => {
            let (right, left) = (moved(of, amount), moved(of, amount - 32));
            let turned = std::array::from_fn(|octet| right[octet] | left[octet]);
            (turned, bit(of, (amount - 1) & 31))
        }
        Shift::Rrx => {
            let [first, second, third, last] = moved(of, 1);
            ([first, second, third, last | carry], of[0])
        }
    }
}

/// A word shifted by the low octet of a register.
pub(super) fn by_register(
    of: Word,
    shift: Shift,
    (amount, of_amount): Value,
    carry: Secrets,
) -> (Word, Secrets) {
    if of_amount[0] != 0 {
        let all = any(of) | of_amount[0];
        return ([all; 4], all | carry);
    }
    let amount = (amount & 0xff) as i32;
    match shift {
        _ if amount == 0 => (of, carry),
        Shift::Lsl | Shift::Lsr if amount > 32 => (CLEAN, 0),
        Shift::Asr if amount > 32 => ([of[3]; 4], of[3]),
        Shift::Ror if amount & 31 == 0 => (of, of[3]),
        Shift::Ror => shifted(of, shift, amount & 31, carry),
        _ => shifted(of, shift, amount, carry),
    }
}

/// Bits `lsb` to `lsb + width - 1`, moved down to bit 0. Octets above them depend on `above`.
pub(super) fn field(of: Word, lsb: u8, width: u8, above: Secrets) -> Word {
    let (lsb, width) = (i32::from(lsb), i32::from(width));
    std::array::from_fn(|octet| {
        let low = 8 * octet as i32;
        let inside = bits(of, lsb + low, lsb + (low + 7).min(width - 1));
        inside | if low + 7 >= width { above } else { 0 }
    })
}

/// A word whose bits `lsb` to `lsb + width - 1` are the lowest bits of `from`.
pub(super) fn inserted(of: Word, from: Word, lsb: u8, width: u8) -> Word {
    let (lsb, end) = (i32::from(lsb), i32::from(lsb) + i32::from(width));
    std::array::from_fn(|octet| {
        let (low, high) = (8 * octet as i32, 8 * octet as i32 + 7);
        let stays = low < lsb || high >= end;
        let (first, last) = (low.max(lsb), high.min(end - 1));
        let comes = if first <= last {
            bits(from, first - lsb, last - lsb)
        } else {
            0
        };
        comes | if stays { of[octet] } else { 0 }
    })
}
