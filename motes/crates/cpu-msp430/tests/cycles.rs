//! Cycles and length of every addressing mode, against the rows of SLAU049 "Instruction Cycles and
//! Lengths" written out once more here. The table of the crate is not consulted.

mod common;

use common::*;

/// One row per source: cycles to Rm, to the PC, and to x(Rm), EDE or &EDE.
const FORMAT_I: [(&str, [u32; 3]); 8] = [
    ("Rn", [1, 2, 4]),
    ("@Rn", [2, 2, 5]),
    ("@Rn+", [2, 3, 5]),
    ("#N", [2, 3, 5]),
    ("x(Rn)", [3, 3, 6]),
    ("EDE", [3, 3, 6]),
    ("&EDE", [3, 3, 6]),
    // Constants of the generator are registers to the CPU.
    ("#CG", [1, 2, 4]),
];

/// One row per operand: cycles of RRA/RRC/SWPB/SXT, of PUSH and of CALL; `None` where the
/// instruction is forbidden.
const FORMAT_II: [(&str, [Option<u32>; 3]); 8] = [
    ("Rn", [Some(1), Some(3), Some(4)]),
    ("@Rn", [Some(3), Some(4), Some(4)]),
    ("@Rn+", [Some(3), Some(5), Some(5)]),
    ("#N", [None, Some(4), Some(5)]),
    ("x(Rn)", [Some(4), Some(5), Some(5)]),
    ("EDE", [Some(4), Some(5), Some(5)]),
    ("&EDE", [Some(4), Some(5), Some(5)]),
    // PUSH: unconfirmed on silicon. CALL #CG is of no use but encodable.
    ("#CG", [None, Some(3), Some(4)]),
];

/// The operands that a row's name stands for. R6 points to data.
fn operands(row: &str) -> Vec<Op> {
    match row {
        "Rn" => vec![Op::R(5), Op::R(1), Op::R(15)],
        "@Rn" => vec![Op::At(6)],
        "@Rn+" => vec![Op::Inc(6)],
        "#N" => vec![Op::Imm(0x1234)],
        "x(Rn)" => vec![Op::X(2, 6), Op::X(-2, 6)],
        "EDE" => vec![Op::Sym(0x1202)],
        "&EDE" => vec![Op::Abs(0x1202)],
        "#CG" => [0, 1, 2, 4, 8, -1].map(Op::Cg).to_vec(),
        _ => panic!("no row {row}"),
    }
}

/// Words an operand adds to the instruction.
fn extra(row: &str) -> u16 {
    u16::from(matches!(row, "#N" | "x(Rn)" | "EDE" | "&EDE"))
}

fn machine(program: &[u16]) -> Machine {
    Machine::new(program)
        .reg(5, 0x5432)
        .reg(6, 0x1200)
        .reg(8, 0x1220)
}

fn cycles_of(program: &[u16], what: &str) -> (u32, Machine) {
    let mut machine = machine(program);
    let cycles = machine
        .step()
        .unwrap_or_else(|fault| panic!("{what}: {fault}"));
    assert_eq!(
        machine.cpu.cycles,
        u64::from(cycles),
        "{what}: the counter advances by what is returned"
    );
    (cycles, machine)
}

#[test]
fn format_i_takes_what_the_table_says() {
    let mut checked = 0;
    for (row, [register, _, memory]) in FORMAT_I {
        for (opcode, byte) in (MOV..=AND).flat_map(|opcode| [(opcode, false), (opcode, true)]) {
            for src in operands(row) {
                for dst in [Op::R(7), Op::X(4, 8), Op::Sym(0x1212), Op::Abs(0x1210)] {
                    let what = format!("opcode {opcode} byte {byte} {src:?} -> {dst:?}");
                    let (cycles, machine) = cycles_of(&two(opcode, byte, src, dst), &what);
                    let to_register = dst == Op::R(7);
                    assert_eq!(
                        cycles,
                        if to_register { register } else { memory },
                        "{what}"
                    );
                    let words = 1 + extra(row) + u16::from(!to_register);
                    assert_eq!(machine.cpu.regs[0], CODE + 2 * words, "{what}: length");
                    checked += 1;
                }
            }
        }
    }
    // 12 opcodes, byte and word, 16 sources, 4 destinations.
    assert_eq!(checked, 12 * 2 * 16 * 4);
}

#[test]
fn writing_the_pc_takes_what_the_table_says() {
    for (row, [_, pc, _]) in FORMAT_I {
        for opcode in [MOV, ADD, SUB, BIC, BIS, XOR, AND] {
            for src in operands(row) {
                let what = format!("opcode {opcode} {src:?} -> PC");
                assert_eq!(
                    cycles_of(&two(opcode, false, src, Op::R(0)), &what).0,
                    pc,
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn format_ii_takes_what_the_table_says() {
    let columns: [&[(u16, bool)]; 3] = [
        &[
            (RRC, false),
            (RRC, true),
            (RRA, false),
            (RRA, true),
            (SWPB, false),
            (SXT, false),
        ],
        &[(PUSH, false), (PUSH, true)],
        &[(CALL, false)],
    ];
    for (row, expected) in FORMAT_II {
        for (column, expected) in columns.into_iter().zip(expected) {
            for &(operation, byte) in column {
                for operand in operands(row) {
                    // RRA #0 is encoded like RRA R3, which the guide does not forbid.
                    let expected = if operand == Op::Cg(0) {
                        expected.or(Some(1))
                    } else {
                        expected
                    };
                    let what = format!("operation {operation:04x} byte {byte} {operand:?}");
                    let program = one(operation, byte, operand);
                    let Some(expected) = expected else {
                        machine(&program).fault();
                        continue;
                    };
                    let (cycles, machine) = cycles_of(&program, &what);
                    assert_eq!(cycles, expected, "{what}");
                    if operation != CALL {
                        assert_eq!(
                            machine.cpu.regs[0],
                            CODE + 2 * (1 + extra(row)),
                            "{what}: length"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn jumps_take_two_cycles_taken_or_not() {
    for condition in 0..8 {
        for flags in 0..16 {
            let sr = flags & 7 | flags >> 3 << 8;
            let mut machine = Machine::new(&[0x2000 | condition << 10 | 5]).sr(sr);
            assert_eq!(machine.step(), Ok(2), "condition {condition} SR {sr:03x}");
        }
    }
}

#[test]
fn emulated_branches_and_returns() {
    // RET is MOV @SP+,PC; BR #N is MOV #N,PC; POP Rn is MOV @SP+,Rn; NOP is MOV #0,R3.
    let row = |program: &[u16]| cycles_of(program, "emulated").0;
    assert_eq!(row(&two(MOV, false, Op::Inc(1), Op::R(0))), 3, "RET");
    assert_eq!(row(&two(MOV, false, Op::Imm(0x4400), Op::R(0))), 3, "BR #N");
    assert_eq!(row(&two(MOV, false, Op::R(5), Op::R(0))), 2, "BR Rn");
    assert_eq!(row(&two(ADD, false, Op::Cg(4), Op::R(0))), 2, "ADD #4,PC");
    assert_eq!(row(&two(ADD, false, Op::Imm(4), Op::R(0))), 3, "ADD #N,PC");
    assert_eq!(row(&two(MOV, false, Op::Inc(1), Op::R(7))), 2, "POP Rn");
    assert_eq!(row(&two(MOV, false, Op::Cg(0), Op::R(3))), 1, "NOP");
    assert_eq!(row(&[RETI]), 5, "RETI");
}

#[test]
fn interrupt_and_reset() {
    let mut machine = Machine::new(&[])
        .mem(0xffe8, &[0x4400])
        .mem(0xfffe, &[0x4600]);
    assert_eq!(machine.cpu.interrupt(&mut machine.memory, 0xffe8), Ok(6));
    assert_eq!(machine.cpu.cycles, 6);
    machine
        .cpu
        .reset(&mut machine.memory)
        .expect("the vector can be read");
    assert_eq!(machine.cpu.cycles, 10);
}
