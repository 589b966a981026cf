//! Places of arguments, and what counts as a conditional jump.

use super::*;

fn value(bits: u64, octets: u8) -> Value {
    Value { bits, octets }
}

fn placed(arguments: &[Value]) -> (Vec<u32>, Vec<u32>) {
    let placed = place(arguments).expect("widths that exist");
    (placed.registers, placed.stack)
}

#[test]
fn words_fill_registers_then_the_stack() {
    let words: Vec<Value> = (1..=6).map(|n| value(n, 4)).collect();
    assert_eq!(placed(&words), (vec![1, 2, 3, 4], vec![5, 6]));
}

#[test]
fn sixty_four_bits_take_an_even_pair() {
    let wide = value(0x5555_4444_3333_2222, 8);
    let halves = [0x3333_2222, 0x5555_4444];
    assert_eq!(
        placed(&[value(1, 4), wide]),
        (vec![1, 0, halves[0], halves[1]], Vec::new())
    );
    assert_eq!(
        placed(&[value(1, 4), value(2, 4), value(3, 4), wide, value(6, 4)]),
        (vec![1, 2, 3, 0], vec![halves[0], halves[1], 6]),
        "nothing goes to r3 once the stack is used"
    );
    let five: Vec<Value> = (1..=5).map(|n| value(n, 4)).chain([wide]).collect();
    assert_eq!(placed(&five).1, [5, 0, halves[0], halves[1]]);
}

#[test]
fn what_is_narrow_is_widened_with_zeros_and_odd_widths_are_refused() {
    assert_eq!(
        placed(&[value(u64::MAX, 1), value(u64::MAX, 2)]).0,
        [0xFF, 0xFFFF]
    );
    assert_eq!(place(&[value(0, 3)]), Err(CallError::ArgumentWidth(3)));
}

#[test]
fn conditional_branches_are_known_by_their_words() {
    let narrow = [0xD0FE, 0xDDFE, 0xB100, 0xB900, 0xB300, 0xBB00];
    assert!(
        narrow
            .iter()
            .all(|&word| conditional_branch(word, 0) == Some(2))
    );
    assert_eq!(conditional_branch(0xF43F, 0xAFFE), Some(4), "BEQ.W");
    let others = [
        (0xE7FE, 0),
        (0xDE00, 0),
        (0xDF00, 0),
        (0xF000, 0xF800),
        (0xF3BF, 0x8F4F),
        (0x4770, 0),
    ];
    assert!(
        others
            .iter()
            .all(|&(first, second)| conditional_branch(first, second).is_none())
    );
}
