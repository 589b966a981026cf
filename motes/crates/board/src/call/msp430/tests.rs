//! Places of arguments, and what counts as a conditional jump.

use super::*;
use crate::call::Placement;

fn value(bits: u64, octets: u8) -> Value {
    Value { bits, octets }
}

/// The arguments go into these registers and to this stack.
fn goes_to(arguments: &[Value], registers: &[u16], stack: &[u16]) {
    let (registers, stack) = (registers.to_vec(), stack.to_vec());
    assert_eq!(place(arguments), Ok(Placement { registers, stack }));
}

#[test]
fn words_fill_registers_then_the_stack() {
    let words: Vec<Value> = (1..=6).map(|n| value(n, 2)).collect();
    goes_to(&words, &[1, 2, 3, 4], &[5, 6]);
}

#[test]
fn a_long_is_split_over_the_last_register_and_the_stack() {
    let arguments = [
        value(1, 2),
        value(2, 2),
        value(3, 1),
        value(0x5555_4444, 4),
        value(6, 2),
    ];
    goes_to(&arguments, &[1, 2, 3, 0x4444], &[0x5555, 6]);
}

#[test]
fn what_does_not_fit_leaves_the_registers_to_the_next() {
    let arguments = [value(1, 2), value(0x5555_4444_3333_2222, 8), value(6, 2)];
    goes_to(&arguments, &[1, 6], &[0x2222, 0x3333, 0x4444, 0x5555]);
}

#[test]
fn four_words_are_not_split() {
    let arguments = [
        value(1, 2),
        value(2, 2),
        value(3, 2),
        value(0x5555_4444_3333_2222, 8),
        value(6, 2),
    ];
    goes_to(&arguments, &[1, 2, 3, 6], &[0x2222, 0x3333, 0x4444, 0x5555]);
}

#[test]
fn a_long_that_finds_no_register_is_not_split() {
    let words: Vec<Value> = (1..=4).map(|n| value(n, 2)).collect();
    let arguments = [words, vec![value(0x6666_5555, 4)]].concat();
    goes_to(&arguments, &[1, 2, 3, 4], &[0x5555, 0x6666]);
}

#[test]
fn an_octet_is_widened_with_zeros_and_odd_widths_are_refused() {
    assert_eq!(
        place(&[value(0xFFFF, 1)]).map(|p| p.registers),
        Ok(vec![0xFF])
    );
    assert_eq!(place(&[value(0, 3)]), Err(CallError::ArgumentWidth(3)));
}
