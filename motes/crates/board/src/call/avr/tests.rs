//! Places of arguments, and what counts as a conditional jump.

use super::*;

fn value(bits: u64, octets: u8) -> Value {
    Value { bits, octets }
}

fn registers(pairs: &[(usize, u8)]) -> [u8; 32] {
    let mut registers = std::array::from_fn(stale);
    pairs
        .iter()
        .for_each(|(register, octet)| registers[*register] = *octet);
    registers
}

#[test]
fn arguments_begin_at_even_registers_downwards() {
    let placed =
        place(&[value(0x11, 1), value(0x2233, 2), value(0x4455_6677, 4)]).expect("room for all");
    let want = [
        (24, 0x11),
        (22, 0x33),
        (23, 0x22),
        (18, 0x77),
        (19, 0x66),
        (20, 0x55),
        (21, 0x44),
    ];
    assert_eq!(
        (placed.first, placed.registers, placed.stack),
        (18, registers(&want), vec![])
    );
}

#[test]
fn after_the_first_on_the_stack_all_are() {
    let long = value(0x0807_0605_0403_0201, 8);
    let placed = place(&[
        long,
        value(0, 8),
        value(0x1234_5678, 4),
        value(9, 1),
        value(0x0B0A, 2),
    ]);
    let placed = placed.expect("room for all");
    assert_eq!(placed.stack, [0x78, 0x56, 0x34, 0x12, 9, 0x0A, 0x0B]);
    assert_eq!(placed.registers[18..26], [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn widths_that_no_type_has_are_refused() {
    assert_eq!(place(&[value(0, 9)]), Err(CallError::ArgumentWidth(9)));
    assert_eq!(place(&[value(0, 0)]), Err(CallError::ArgumentWidth(0)));
}

#[test]
fn a_stack_pointer_between_its_halves_does_not_count() {
    let mut halves = StackHalves::default();
    let mut torn = |word| {
        halves.note(word);
        halves.torn != 0
    };
    let writes = [0xBFDE, 0xBE0F, 0xBFCD, 0];
    assert_eq!(writes.map(&mut torn), [true, true, false, false]);
    assert!(torn(0xBFDE));
    assert_eq!(
        [0; 3].map(torn),
        [true, true, false],
        "no low half follows: the high one alone was meant"
    );
}

#[test]
fn what_jumps_or_skips_on_a_condition() {
    let yes = [0xF409, 0xF001, 0x1001, 0xFC00, 0xFE07, 0x9900, 0x9B07];
    let no = [0x9800, 0x9A00, 0xF800, 0xFA00, 0xC000, 0x940C, 0xFC08];
    assert!(yes.iter().all(|word| conditional_jump(*word) == Some(2)));
    assert!(no.iter().all(|word| conditional_jump(*word).is_none()));
}
