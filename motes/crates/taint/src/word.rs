//! What the octets of a result depend on. Each function takes the octets of the operands, least
//! significant first, with their values: an octet that depends on no secret is known, and may
//! decide a result whatever the secrets are.

use crate::Secrets;

/// All secrets that a word depends on.
#[inline(always)]
pub fn any<const N: usize>(octets: [Secrets; N]) -> Secrets {
    octets.into_iter().fold(0, |all, octet| all | octet)
}

#[inline(always)]
fn octet(value: u32, at: usize) -> u8 {
    (value >> (8 * at)) as u8
}

/// A conjunction: a known 0 makes it known.
#[inline(always)]
pub fn and<const N: usize>(
    (a, of_a): (u32, [Secrets; N]),
    (b, of_b): (u32, [Secrets; N]),
) -> [Secrets; N] {
    decided(0, (a, of_a), (b, of_b))
}

/// A disjunction: known ones make it known.
#[inline(always)]
pub fn or<const N: usize>(
    (a, of_a): (u32, [Secrets; N]),
    (b, of_b): (u32, [Secrets; N]),
) -> [Secrets; N] {
    decided(0xff, (a, of_a), (b, of_b))
}

/// An operation that is known where an operand is known to be `by`.
#[inline(always)]
fn decided<const N: usize>(
    by: u8,
    (a, of_a): (u32, [Secrets; N]),
    (b, of_b): (u32, [Secrets; N]),
) -> [Secrets; N] {
    std::array::from_fn(|i| {
        let known = of_a[i] == 0 && octet(a, i) == by || of_b[i] == 0 && octet(b, i) == by;
        if known { 0 } else { of_a[i] | of_b[i] }
    })
}

/// A sum, and what its carries depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum<const N: usize> {
    /// The octets of the sum.
    pub octets: [Secrets; N],
    /// The carry out of it.
    pub carry: Secrets,
}

/// `a + b + carry`. A subtraction adds the complement. The carry goes on from octet to octet; known
/// octets that can neither make nor stop one end its dependence.
#[inline(always)]
pub fn sum<const N: usize>(
    (a, of_a): (u32, [Secrets; N]),
    (b, of_b): (u32, [Secrets; N]),
    (carry, of_carry): (bool, Secrets),
) -> Sum<N> {
    let (mut carry, mut of_carry) = (carry, of_carry);
    let octets = std::array::from_fn(|i| {
        let (x, y) = (octet(a, i), octet(b, i));
        let total = u16::from(x) + u16::from(y) + u16::from(carry);
        let of = of_a[i] | of_b[i] | of_carry;
        // A known operand and a known carry that let the other operand through as it is.
        let stays = if carry { 0xff } else { 0 };
        let passes = of_carry == 0 && (of_a[i] == 0 && x == stays || of_b[i] == 0 && y == stays);
        carry = total > 0xff;
        of_carry = if passes { 0 } else { of };
        of
    });
    Sum {
        octets,
        carry: of_carry,
    }
}

/// Whether a word is 0: known if one octet is known to be another number.
#[inline(always)]
pub fn zero<const N: usize>((value, of): (u32, [Secrets; N])) -> Secrets {
    let known = (0..N).any(|i| of[i] == 0 && octet(value, i) != 0);
    if known { 0 } else { any(of) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Secrets = 1;

    #[test]
    fn a_known_octet_decides() {
        assert_eq!(and((0x1200, [KEY, KEY]), (0x00ff, [0, 0])), [KEY, 0]);
        assert_eq!(or((0x1200, [KEY, KEY]), (0x00ff, [0, 0])), [0, KEY]);
        assert_eq!(and((0, [KEY, 0]), (0, [KEY, KEY])), [KEY, 0]);
        assert_eq!(zero((0x0100, [KEY, 0])), 0);
        assert_eq!(zero((0x0001, [KEY, 0])), KEY);
    }

    #[test]
    fn a_carry_goes_on_until_nothing_can_change_it() {
        let a = (0x0000_0012, [KEY, 0, 0, 0]);
        let plain = sum(a, (1, [0; 4]), (false, 0));
        assert_eq!(plain.octets, [KEY, KEY, KEY, KEY], "1 may carry on and on");
        let nothing = sum(a, (0, [0; 4]), (false, 0));
        assert_eq!((nothing.octets, nothing.carry), ([KEY, 0, 0, 0], 0));
        let minus_nothing = sum(a, (!0, [0; 4]), (true, 0));
        assert_eq!(
            (minus_nothing.octets, minus_nothing.carry),
            ([KEY, 0, 0, 0], 0)
        );
        let upper = sum((0, [0, 0, KEY, 0]), (0x00ff_ffff, [0; 4]), (false, 0));
        assert_eq!(upper.octets, [0, 0, KEY, KEY]);
    }
}
