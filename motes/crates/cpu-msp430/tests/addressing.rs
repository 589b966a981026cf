//! Directed cases: addressing modes, special registers, faults, tracing.

mod common;

use common::*;
use cpu_msp430::{BusError, Cpu, Fault, SR_C, SR_MASK, SR_Z, Step, Tracer};

#[test]
fn constants() {
    for value in [0, 1, 2, 4, 8, -1_i16] {
        assert_eq!(mov(Op::Cg(value), Op::R(5)).ran().cpu.regs[5], value as u16);
        assert_eq!(
            movb(Op::Cg(value), Op::R(5)).ran().cpu.regs[5],
            value as u16 & 0xff
        );
    }
}

#[test]
fn sources() {
    let data = |machine: Machine| {
        machine
            .mem(0x1200, &[0x1122, 0x3344])
            .reg(6, 0x1200)
            .ran()
            .cpu
            .regs[5]
    };
    assert_eq!(data(mov(Op::Imm(0xbeef), Op::R(5))), 0xbeef);
    assert_eq!(data(mov(Op::X(2, 6), Op::R(5))), 0x3344);
    assert_eq!(data(mov(Op::Sym(0x1202), Op::R(5))), 0x3344);
    assert_eq!(data(mov(Op::Abs(0x1202), Op::R(5))), 0x3344);
    assert_eq!(
        data(mov(Op::Abs(0x1202), Op::R(5)).sr(SR_MASK)),
        0x3344,
        "&EDE does not add SR"
    );
    assert_eq!(data(mov(Op::At(6), Op::R(5))), 0x1122);
    assert_eq!(data(mov(Op::Inc(6), Op::R(5))), 0x1122);
    assert_eq!(data(mov(Op::R(6), Op::R(5))), 0x1200);
    assert_eq!(data(movb(Op::X(3, 6), Op::R(5))), 0x33);
    assert_eq!(data(movb(Op::Imm(0xbeef), Op::R(5))), 0xef);
}

#[test]
fn destinations() {
    let word = |dst| {
        mov(Op::R(5), dst)
            .reg(5, 0xbeef)
            .reg(6, 0x1200)
            .ran()
            .memory
            .word(0x1204)
    };
    assert_eq!(word(Op::X(4, 6)), 0xbeef);
    assert_eq!(word(Op::Sym(0x1204)), 0xbeef);
    assert_eq!(word(Op::Abs(0x1204)), 0xbeef);
    let octet = movb(Op::R(5), Op::X(5, 6))
        .reg(5, 0xbeef)
        .reg(6, 0x1200)
        .mem(0x1204, &[0x1122])
        .ran();
    let changed = octet.memory.word(0x1204);
    assert_eq!(changed, 0xef22, "only the addressed octet");
    let both = mov(Op::Sym(0x1200), Op::Sym(0x1204))
        .mem(0x1200, &[0xcafe])
        .ran();
    let moved = both.memory.word(0x1204);
    assert_eq!(moved, 0xcafe, "each index counts from its own word");
}

#[test]
fn addresses_wrap() {
    assert_eq!(
        mov(Op::X(-2, 6), Op::R(5))
            .reg(6, 0x1202)
            .mem(0x1200, &[7])
            .ran()
            .cpu
            .regs[5],
        7
    );
    assert_eq!(
        mov(Op::X(0x7000, 6), Op::R(5))
            .reg(6, 0xa200)
            .mem(0x1200, &[7])
            .ran()
            .cpu
            .regs[5],
        7
    );
    assert_eq!(
        mov(Op::Inc(6), Op::R(5)).reg(6, 0xfffe).ran().cpu.regs[6],
        0
    );
}

#[test]
fn words_at_odd_addresses_are_even_ones() {
    let machine = mov(Op::At(6), Op::X(0, 7))
        .reg(6, 0x1201)
        .reg(7, 0x1301)
        .mem(0x1200, &[0x1122])
        .ran();
    assert_eq!(machine.memory.word(0x1300), 0x1122);
    assert_eq!(
        mov(Op::Inc(6), Op::R(5)).reg(6, 0x1201).ran().cpu.regs[6],
        0x1203,
        "the register itself stays odd"
    );
}

#[test]
fn autoincrement_steps_by_the_operand() {
    assert_eq!(
        mov(Op::Inc(6), Op::R(5)).reg(6, 0x1200).ran().cpu.regs[6],
        0x1202
    );
    assert_eq!(
        movb(Op::Inc(6), Op::R(5)).reg(6, 0x1200).ran().cpu.regs[6],
        0x1201
    );
    assert_eq!(
        movb(Op::Inc(1), Op::R(5)).ran().cpu.regs[1],
        0x3802,
        "SP moves by words"
    );
    assert_eq!(
        movb(Op::Imm(5), Op::R(5)).ran().cpu.regs[0],
        CODE + 4,
        "PC moves by words"
    );
    let machine = mov(Op::Inc(6), Op::X(0, 6))
        .reg(6, 0x1200)
        .mem(0x1200, &[0xcafe, 0])
        .ran();
    assert_eq!(
        machine.memory.word(0x1202),
        0xcafe,
        "the destination sees the incremented register"
    );
    let machine = Machine::new(&two(ADD, false, Op::Inc(6), Op::R(6)))
        .reg(6, 0x1200)
        .mem(0x1200, &[0x10])
        .ran();
    assert_eq!(
        machine.cpu.regs[6], 0x1212,
        "so does a register destination"
    );
    let machine = Machine::new(&one(RRA, false, Op::Inc(6)))
        .reg(6, 0x1200)
        .mem(0x1200, &[0x10])
        .ran();
    assert_eq!(
        (machine.memory.word(0x1200), machine.cpu.regs[6]),
        (8, 0x1202)
    );
}

#[test]
fn byte_operations_clear_the_high_octet_of_a_register() {
    assert_eq!(
        movb(Op::R(5), Op::R(6))
            .reg(5, 0x1234)
            .reg(6, 0xffff)
            .ran()
            .cpu
            .regs[6],
        0x34
    );
    for (opcode, result) in [(BIC, 0x20), (BIS, 0x3f), (XOR, 0x2f), (AND, 0x10)] {
        let machine = Machine::new(&two(opcode, true, Op::Imm(0xff1f), Op::R(6)))
            .reg(6, 0xaa30)
            .ran();
        assert_eq!(machine.cpu.regs[6], result, "opcode {opcode}");
    }
}

#[test]
fn the_pc_as_an_operand() {
    assert_eq!(
        mov(Op::R(0), Op::R(5)).ran().cpu.regs[5],
        CODE + 2,
        "PC is ahead of the instruction"
    );
    assert_eq!(
        Machine::new(&[0x4025, 0x5678]).ran().cpu.regs[5],
        0x5678,
        "@PC reads the next word and stays"
    );
    assert_eq!(
        Machine::new(&two(ADD, false, Op::Cg(4), Op::R(0)))
            .ran()
            .cpu
            .regs[0],
        CODE + 6
    );
    assert_eq!(
        Machine::new(&two(ADD, false, Op::Imm(6), Op::R(0)))
            .ran()
            .cpu
            .regs[0],
        CODE + 10
    );
    assert_eq!(movb(Op::Imm(0x1244), Op::R(0)).ran().cpu.regs[0], 0x44);
    let cmp = Machine::new(&two(CMP, false, Op::Imm(CODE + 4), Op::R(0))).ran();
    assert_eq!(
        (cmp.cpu.regs[0], cmp.cpu.sr()),
        (CODE + 4, SR_C | SR_Z),
        "CMP does not write the PC"
    );
}

#[test]
fn special_registers_as_destinations() {
    assert_eq!(
        mov(Op::Imm(0xffff), Op::R(1)).ran().cpu.regs[1],
        0xfffe,
        "bit 0 of SP is 0"
    );
    assert_eq!(
        mov(Op::Imm(0xffff), Op::R(2)).ran().cpu.sr(),
        SR_MASK,
        "reserved bits of SR are 0"
    );
    assert_eq!(
        mov(Op::Imm(0xffff), Op::R(3)).ran().cpu.regs[3],
        0,
        "R3 holds no state"
    );
    let add = Machine::new(&two(ADD, false, Op::Cg(1), Op::R(2)))
        .sr(SR_C | SR_Z)
        .ran();
    assert_eq!(add.cpu.sr(), 4, "the result wins over the flags");
    let add = Machine::new(&two(ADD, false, Op::Cg(-1), Op::R(3))).ran();
    assert_eq!(
        (add.cpu.regs[3], add.cpu.sr()),
        (0, 4),
        "R3 reads 0, flags are set"
    );
    assert_eq!(
        mov(Op::Imm(7), Op::X(0x1204, 3)).ran().memory.word(0x1204),
        7,
        "x(R3) is address x"
    );
}

#[test]
fn refused_accesses_name_instruction_and_address() {
    let bus = |error| Fault::Bus { pc: CODE, error };
    assert_eq!(
        mov(Op::Abs(HOLE), Op::R(5)).fault(),
        bus(BusError::Unmapped(HOLE))
    );
    assert_eq!(
        movb(Op::Abs(HOLE + 1), Op::R(5)).fault(),
        bus(BusError::Unmapped(HOLE + 1))
    );
    assert_eq!(
        mov(Op::R(5), Op::Abs(READ_ONLY)).fault(),
        bus(BusError::ReadOnly(READ_ONLY))
    );
    assert_eq!(
        movb(Op::R(5), Op::Abs(READ_ONLY)).fault(),
        bus(BusError::ReadOnly(READ_ONLY))
    );
    assert_eq!(
        Machine::new(&one(PUSH, false, Op::R(5)))
            .reg(1, HOLE + 2)
            .fault(),
        bus(BusError::Unmapped(HOLE))
    );
    let mut machine = mov(Op::Imm(HOLE), Op::R(0)).ran();
    let fault = machine.step().expect_err("nothing to fetch");
    assert_eq!(
        fault,
        Fault::Bus {
            pc: HOLE,
            error: BusError::Unmapped(HOLE)
        }
    );
    assert_eq!(
        (fault.pc(), machine.cpu.last_pc()),
        (HOLE, CODE),
        "the fault says where, the CPU says whence"
    );
    assert_eq!(
        fault.to_string(),
        "instruction at 0xfe00: nothing is mapped at 0xfe00"
    );
}

#[test]
fn mov_does_not_read_its_destination_and_compares_do_not_write() {
    for opcode in [CMP, BIT] {
        Machine::new(&two(opcode, false, Op::R(5), Op::Abs(READ_ONLY))).ran();
    }
    let mut log = Log::default();
    let mut machine = mov(Op::R(5), Op::Abs(0x1200));
    machine
        .cpu
        .step_traced(&mut machine.memory, &mut log)
        .expect("executes");
    assert_eq!(log.0, ["pc 4000", "write 1200"]);
}

#[test]
fn an_odd_pc_is_a_fault() {
    let mut machine = mov(Op::Imm(0x4401), Op::R(0)).ran();
    assert_eq!(machine.step(), Err(Fault::OddPc { pc: 0x4401 }));
    assert_eq!(machine.cpu.last_pc(), CODE);
}

#[test]
fn illegal_words_leave_the_machine_as_it_was() {
    for word in [
        0x0000, 0x0fff, 0x10c5, 0x11c5, 0x12c5, 0x1301, 0x1340, 0x1380, 0x1400, 0x1fff, 0x1130,
        0x1113,
    ] {
        let mut machine = Machine::new(&[word]);
        let before = machine.cpu.regs;
        assert_eq!(
            machine.step(),
            Err(Fault::IllegalInstruction { pc: CODE, word })
        );
        assert_eq!(
            (machine.cpu.regs, machine.cpu.cycles),
            (before, 0),
            "0x{word:04x}"
        );
    }
}

/// Writes down what it is told.
#[derive(Default)]
struct Log(Vec<String>);

impl Tracer for Log {
    fn pc(&mut self, pc: u32) {
        self.0.push(format!("pc {pc:04x}"));
    }

    fn read(&mut self, addr: u32) {
        self.0.push(format!("read {addr:04x}"));
    }

    fn write(&mut self, addr: u32) {
        self.0.push(format!("write {addr:04x}"));
    }
}

#[test]
fn the_tracer_sees_data_accesses_in_order() {
    let traced = |program: &[u16]| {
        let mut machine = Machine::new(program).reg(6, 0x1201);
        let mut log = Log::default();
        machine
            .cpu
            .step_traced(&mut machine.memory, &mut log)
            .expect("executes");
        log.0
    };
    assert_eq!(
        traced(&two(ADD, false, Op::At(6), Op::Abs(0x1302))),
        ["pc 4000", "read 1200", "read 1302", "write 1302"]
    );
    assert_eq!(
        traced(&two(XOR, true, Op::At(6), Op::R(5))),
        ["pc 4000", "read 1201"]
    );
    assert_eq!(
        traced(&two(CMP, false, Op::Imm(5), Op::Abs(0x1302))),
        ["pc 4000", "read 1302"]
    );
    assert_eq!(
        traced(&one(CALL, false, Op::Imm(0x4400))),
        ["pc 4000", "write 37fe"]
    );
    assert_eq!(traced(&[RETI]), ["pc 4000", "read 3800", "read 3802"]);
    assert_eq!(traced(&[0x3c00]), ["pc 4000"]);
}

#[test]
fn a_new_cpu_is_all_zero() {
    let cpu = Cpu::new();
    assert_eq!((cpu.regs, cpu.cycles, cpu.last_pc()), ([0; 16], 0, 0));
}
