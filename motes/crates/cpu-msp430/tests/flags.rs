//! Results and flags of every operation, against plain integer arithmetic: all operands of byte
//! instructions, corner values of word instructions.

mod common;

use common::*;
use cpu_msp430::{SR_C, SR_GIE, SR_N, SR_SCG1, SR_V, SR_Z};

/// Result (`None`: nothing is written) and the flags C, Z, N, V.
type Outcome = (Option<u32>, [bool; 4]);

/// The width of an operation and what follows from it.
#[derive(Clone, Copy)]
struct Width {
    byte: bool,
    bits: u32,
}

const WORD: Width = Width {
    byte: false,
    bits: 16,
};
const BYTE: Width = Width {
    byte: true,
    bits: 8,
};

impl Width {
    fn modulus(self) -> u32 {
        1 << self.bits
    }

    fn signed(self, value: u32) -> i32 {
        if value >= self.modulus() / 2 {
            value as i32 - self.modulus() as i32
        } else {
            value as i32
        }
    }

    fn zero_negative(self, value: u32) -> (bool, bool) {
        (value == 0, self.signed(value) < 0)
    }
}

fn bcd_to_number(bcd: u32) -> u32 {
    (0..4)
        .map(|digit| (bcd >> (4 * digit) & 0xf) * 10_u32.pow(digit))
        .sum()
}

fn number_to_bcd(number: u32) -> u32 {
    (0..4)
        .map(|digit| (number / 10_u32.pow(digit) % 10) << (4 * digit))
        .sum()
}

/// What SLAU049 says of `opcode src,dst`.
fn expected(opcode: u16, width: Width, src: u32, dst: u32, carry: bool) -> Outcome {
    let (s, d, m) = (width.signed(src), width.signed(dst), width.modulus());
    let arithmetic = |exact: i32, sum: u32| {
        let result = sum % m;
        let (zero, negative) = width.zero_negative(result);
        (
            result,
            [sum >= m, zero, negative, exact != width.signed(result)],
        )
    };
    let logical = |result: u32, overflow: bool| {
        let (zero, negative) = width.zero_negative(result);
        (result, [!zero, zero, negative, overflow])
    };
    let borrow = i32::from(!carry);
    let (result, flags) = match opcode {
        ADD => arithmetic(s + d, src + dst),
        ADDC => arithmetic(s + d + i32::from(carry), src + dst + u32::from(carry)),
        SUB | CMP => arithmetic(d - s, dst + (m - 1 - src) + 1),
        SUBC => arithmetic(d - s - borrow, dst + (m - 1 - src) + u32::from(carry)),
        DADD => {
            let limit = if width.byte { 100 } else { 10_000 };
            let sum = bcd_to_number(src) + bcd_to_number(dst) + u32::from(carry);
            let result = number_to_bcd(sum % limit);
            let (zero, negative) = width.zero_negative(result);
            (result, [sum >= limit, zero, negative, false])
        }
        XOR => logical(src ^ dst, s < 0 && d < 0),
        BIT | AND => logical(src & dst, false),
        _ => panic!("opcode {opcode} has no flags"),
    };
    (
        if opcode == CMP || opcode == BIT {
            None
        } else {
            Some(result)
        },
        flags,
    )
}

fn sr_of([c, z, n, v]: [bool; 4]) -> u16 {
    [(c, SR_C), (z, SR_Z), (n, SR_N), (v, SR_V)]
        .iter()
        .map(|&(set, bit)| if set { bit } else { 0 })
        .sum()
}

/// The bits of SR that no operation may touch.
const KEPT: u16 = SR_GIE | SR_SCG1;

fn check(machine: &mut Machine, opcode: u16, width: Width, src: u32, dst: u32, carry: bool) {
    let before = KEPT | SR_V | if carry { SR_C } else { 0 };
    machine.cpu.regs[0] = CODE;
    machine.cpu.regs[2] = before;
    machine.cpu.regs[5] = src as u16 | if width.byte { 0xa500 } else { 0 };
    machine.cpu.regs[6] = dst as u16 | if width.byte { 0x5a00 } else { 0 };
    let untouched = machine.cpu.regs[6];
    machine.step().expect("the instruction executes");
    let (result, flags) = expected(opcode, width, src, dst, carry);
    let what = format!("opcode {opcode} {src:04x},{dst:04x} C={carry}");
    // A byte result clears the high octet; without a result nothing changes.
    assert_eq!(
        machine.cpu.regs[6],
        result.map_or(untouched, |value| value as u16),
        "{what}: result"
    );
    assert_eq!(machine.cpu.sr(), KEPT | sr_of(flags), "{what}: SR");
}

fn is_bcd(value: u32) -> bool {
    (0..4).all(|digit| value >> (4 * digit) & 0xf < 10)
}

#[test]
fn byte_operations_of_all_operands() {
    for opcode in [ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, XOR, AND] {
        let mut machine = Machine::new(&two(opcode, true, Op::R(5), Op::R(6)));
        for (src, dst) in (0..256).flat_map(|src| (0..256).map(move |dst| (src, dst))) {
            if opcode != DADD || is_bcd(src) && is_bcd(dst) {
                check(&mut machine, opcode, BYTE, src, dst, false);
                check(&mut machine, opcode, BYTE, src, dst, true);
            }
        }
    }
}

#[test]
fn word_operations_of_corner_values() {
    let corners = [
        0, 1, 2, 9, 0x10, 0x7f, 0x80, 0x99, 0xff, 0x100, 0x0999, 0x1000, 0x4999, 0x5000, 0x5001,
        0x7ffe, 0x7fff, 0x8000, 0x8001, 0x9999, 0xfffe, 0xffff,
    ];
    for opcode in [ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, XOR, AND] {
        let mut machine = Machine::new(&two(opcode, false, Op::R(5), Op::R(6)));
        for (src, dst) in corners
            .iter()
            .flat_map(|&src| corners.map(|dst| (src, dst)))
        {
            if opcode != DADD || is_bcd(src) && is_bcd(dst) {
                check(&mut machine, opcode, WORD, src, dst, false);
                check(&mut machine, opcode, WORD, src, dst, true);
            }
        }
    }
}

#[test]
fn mov_bic_bis_leave_the_flags() {
    for (opcode, result) in [(MOV, 0x0ff0), (BIC, 0xc00c), (BIS, 0xcffc)] {
        for sr in [0, 0x1ef] {
            let machine = Machine::new(&two(opcode, false, Op::R(5), Op::R(6)))
                .reg(5, 0x0ff0)
                .reg(6, 0xcccc & 0xf00f | 0x0cc0);
            let machine = machine.sr(sr).ran();
            assert_eq!(
                (machine.cpu.regs[6], machine.cpu.sr()),
                (result, sr),
                "opcode {opcode}"
            );
        }
    }
}

#[test]
fn rotates_of_all_octets_and_corner_words() {
    let words =
        [0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xffff, 0x00ff, 0xff00].map(|value| (WORD, value));
    for (width, value) in (0..256).map(|value| (BYTE, value)).chain(words) {
        for (operation, carry) in [(RRA, false), (RRA, true), (RRC, false), (RRC, true)] {
            let top = if operation == RRA {
                value >> (width.bits - 1)
            } else {
                u32::from(carry)
            };
            let result = value / 2 + top * width.modulus() / 2;
            let (zero, negative) = width.zero_negative(result);
            let machine = Machine::new(&one(operation, width.byte, Op::R(5))).reg(5, value as u16);
            let machine = machine.sr(KEPT | SR_V | if carry { SR_C } else { 0 }).ran();
            let what = format!("{operation:04x} of {value:04x} C={carry}");
            assert_eq!(u32::from(machine.cpu.regs[5]), result, "{what}");
            assert_eq!(
                machine.cpu.sr(),
                KEPT | sr_of([value % 2 == 1, zero, negative, false]),
                "{what}: SR"
            );
        }
    }
}

#[test]
fn sxt_and_swpb_of_all_octets() {
    for octet in 0..=255_u16 {
        let value = 0x5a00 | octet;
        let machine = Machine::new(&one(SXT, false, Op::R(5)))
            .reg(5, value)
            .sr(KEPT | SR_V)
            .ran();
        let extended = if octet > 127 { octet | 0xff00 } else { octet };
        assert_eq!(machine.cpu.regs[5], extended);
        assert_eq!(
            machine.cpu.sr(),
            KEPT | sr_of([octet != 0, octet == 0, octet > 127, false]),
            "SXT {octet:02x}"
        );
        let machine = Machine::new(&one(SWPB, false, Op::R(5)))
            .reg(5, value)
            .sr(0x1ef)
            .ran();
        assert_eq!(
            (machine.cpu.regs[5], machine.cpu.sr()),
            (octet << 8 | 0x5a, 0x1ef),
            "SWPB {octet:02x}"
        );
    }
}

#[test]
fn dadd_of_digits_above_nine_follows_the_documented_rule() {
    // 0xf + 0xf + 1 = 31: 31 + 6 = 37 leaves 5 and carries 1, in every digit.
    let machine = Machine::new(&two(DADD, false, Op::R(5), Op::R(6)))
        .reg(5, 0xffff)
        .reg(6, 0xffff)
        .sr(SR_C)
        .ran();
    assert_eq!((machine.cpu.regs[6], machine.cpu.sr()), (0x5555, SR_C));
}

#[test]
fn conditional_jumps() {
    for state in 0..16_u16 {
        let sr = state & 7 | state >> 3 << 8;
        let [c, z, n, v] = [SR_C, SR_Z, SR_N, SR_V].map(|bit| sr & bit != 0);
        let taken = [!z, z, !c, c, n, n == v, n != v, true];
        for (condition, taken) in (0..).zip(taken) {
            for (offset, distance) in [
                (5_u16, 10_u16),
                (0x3ff, 0xfffe),
                (0x200, 0xfc00),
                (0x1ff, 0x3fe),
            ] {
                let machine = Machine::new(&[0x2000 | condition << 10 | offset])
                    .sr(sr)
                    .ran();
                let target = (CODE + 2).wrapping_add(if taken { distance } else { 0 });
                assert_eq!(
                    machine.cpu.regs[0], target,
                    "condition {condition} SR {sr:03x} offset {offset:03x}"
                );
                assert_eq!(machine.cpu.sr(), sr);
            }
        }
    }
}
