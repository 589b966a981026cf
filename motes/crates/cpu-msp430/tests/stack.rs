//! Directed cases: the stack, calls, interrupts and reset.

mod common;

use common::*;
use cpu_msp430::{SR_CPUOFF, SR_GIE, SR_MASK, SR_SCG0};

#[test]
fn push() {
    let pushed = |program: &[u16]| {
        let machine = Machine::new(program)
            .reg(5, 0xcafe)
            .reg(6, 0x1200)
            .mem(0x1200, &[0x1122]);
        let machine = machine
            .mem(0x3800, &[0x3344, 0x5566])
            .mem(0x37fe, &[0xaaaa])
            .ran();
        (
            machine.cpu.regs[1],
            machine.memory.word(machine.cpu.regs[1]),
        )
    };
    assert_eq!(pushed(&one(PUSH, false, Op::R(5))), (0x37fe, 0xcafe));
    assert_eq!(pushed(&one(PUSH, false, Op::Imm(0x7788))), (0x37fe, 0x7788));
    assert_eq!(pushed(&one(PUSH, false, Op::Cg(8))), (0x37fe, 8));
    assert_eq!(pushed(&one(PUSH, false, Op::At(6))), (0x37fe, 0x1122));
    assert_eq!(
        pushed(&one(PUSH, true, Op::R(5))),
        (0x37fe, 0xaafe),
        "the high octet stays"
    );
    assert_eq!(
        pushed(&one(PUSH, false, Op::R(1))),
        (0x37fe, 0x37fe),
        "SP after the decrement"
    );
    assert_eq!(pushed(&one(PUSH, false, Op::R(0))), (0x37fe, CODE + 2));
    assert_eq!(
        pushed(&one(PUSH, false, Op::At(1))),
        (0x37fe, 0xaaaa),
        "operand through the decremented SP"
    );
    assert_eq!(
        pushed(&one(PUSH, false, Op::X(2, 1))),
        (0x37fe, 0x3344),
        "operand through the decremented SP"
    );
    assert_eq!(
        pushed(&one(PUSH, false, Op::Inc(1))),
        (0x3800, 0xaaaa),
        "decremented, then incremented"
    );
}

#[test]
fn pop_and_return() {
    let pop = mov(Op::Inc(1), Op::R(5)).mem(0x3800, &[0x3344]).ran();
    assert_eq!((pop.cpu.regs[5], pop.cpu.regs[1]), (0x3344, 0x3802));
    assert_eq!(
        mov(Op::Inc(1), Op::R(1))
            .mem(0x3800, &[0x3344])
            .ran()
            .cpu
            .regs[1],
        0x3344,
        "POP SP"
    );
    let pop = mov(Op::Inc(1), Op::X(2, 1)).mem(0x3800, &[0x3344]).ran();
    assert_eq!(
        pop.memory.word(0x3804),
        0x3344,
        "the destination sees the incremented SP"
    );
    let ret = mov(Op::Inc(1), Op::R(0)).mem(0x3800, &[0x4400]).ran();
    assert_eq!((ret.cpu.regs[0], ret.cpu.regs[1]), (0x4400, 0x3802));
}

#[test]
fn call() {
    let called = |operand, return_to: u16| {
        let machine = Machine::new(&one(CALL, false, operand))
            .reg(5, 0x4400)
            .reg(6, 0x1200);
        let machine = machine
            .mem(0x1200, &[0x4402])
            .mem(0x37fe, &[0x440a, 0x4404, 0x4406])
            .ran();
        let (pc, sp) = (machine.cpu.regs[0], machine.cpu.regs[1]);
        assert_eq!(
            machine.memory.word(sp),
            return_to,
            "{operand:?}: return address"
        );
        (pc, sp)
    };
    assert_eq!(called(Op::R(5), CODE + 2), (0x4400, 0x37fe));
    assert_eq!(called(Op::Imm(0x4408), CODE + 4), (0x4408, 0x37fe));
    assert_eq!(called(Op::At(6), CODE + 2), (0x4402, 0x37fe));
    assert_eq!(called(Op::Abs(0x1200), CODE + 4), (0x4402, 0x37fe));
    assert_eq!(called(Op::Sym(0x1200), CODE + 4), (0x4402, 0x37fe));
    assert_eq!(
        called(Op::At(1), CODE + 2),
        (0x440a, 0x37fe),
        "through the decremented SP, before the return address is written"
    );
    assert_eq!(
        called(Op::X(2, 1), CODE + 4),
        (0x4404, 0x37fe),
        "through the decremented SP"
    );
    assert_eq!(called(Op::Inc(1), CODE + 2), (0x440a, 0x3800));
    assert_eq!(called(Op::R(1), CODE + 2), (0x37fe, 0x37fe));
}

#[test]
fn interrupt_and_reti() {
    let mut machine = Machine::new(&[])
        .sr(SR_MASK)
        .mem(0xffe8, &[0x4400])
        .mem(0x4400, &[RETI]);
    machine
        .cpu
        .interrupt(&mut machine.memory, 0xffe8)
        .expect("accepted");
    assert_eq!(
        (machine.cpu.regs[0], machine.cpu.regs[1], machine.cpu.sr()),
        (0x4400, 0x37fc, SR_SCG0)
    );
    assert_eq!(
        (machine.memory.word(0x37fe), machine.memory.word(0x37fc)),
        (CODE, SR_MASK)
    );
    machine.memory.put(0x37fc, &[0xffff]);
    machine.step().expect("RETI");
    assert_eq!(
        (machine.cpu.regs[0], machine.cpu.regs[1], machine.cpu.sr()),
        (CODE, 0x3800, SR_MASK)
    );
    assert!(machine.cpu.cpu_off() && machine.cpu.gie() && machine.cpu.interruptible());
}

#[test]
fn gie_takes_effect_one_instruction_late() {
    let nop = two(MOV, false, Op::Cg(0), Op::R(3))[0];
    let eint = two(BIS, false, Op::Cg(8), Op::R(2))[0];
    let dint = two(BIC, false, Op::Cg(8), Op::R(2))[0];
    let mut machine = Machine::new(&[eint, nop, dint, nop]);
    let mut seen = Vec::new();
    for _ in 0..4 {
        machine.step().expect("executes");
        seen.push((machine.cpu.gie(), machine.cpu.interruptible()));
    }
    assert_eq!(
        seen,
        [(true, false), (true, true), (false, true), (false, false)]
    );
    let sleep = two(BIS, false, Op::Imm(SR_GIE | SR_CPUOFF), Op::R(2));
    assert!(
        Machine::new(&sleep).ran().cpu.interruptible(),
        "a sleeping CPU is woken at once"
    );
}

#[test]
fn reset_loads_the_vector_and_clears_sr() {
    let mut machine = Machine::new(&[])
        .sr(SR_MASK)
        .reg(5, 7)
        .mem(0xfffe, &[0x4600]);
    machine
        .cpu
        .reset(&mut machine.memory)
        .expect("the vector can be read");
    assert_eq!(
        (machine.cpu.regs[0], machine.cpu.sr(), machine.cpu.regs[5]),
        (0x4600, 0, 7)
    );
}
