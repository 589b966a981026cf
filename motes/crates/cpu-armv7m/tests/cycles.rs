//! The cycle rules: each row of the manual's table and each rule of its section "Load/store
//! timings".

mod common;

use common::{DEVICE, Machine, NOP, RAM, START, last};
use cpu_armv7m::{LongMultiply, Stop, Timing, cycles};

fn both() -> [Timing; 2] {
    [Timing::low(), Timing::high()]
}

/// R0 and R1 point into RAM, R2 is 8, R3 is 3.
fn pointers(machine: &mut Machine) {
    machine.cpu.regs[..4].copy_from_slice(&[RAM + 0x100, RAM + 0x200, 8, 3]);
}

/// Cycles of a whole program.
fn total(timing: Timing, program: &[u16], count: usize) -> u32 {
    let mut machine = Machine::new(timing, program);
    pointers(&mut machine);
    machine.steps(count)
}

#[test]
fn one_cycle_instructions() {
    let simple: [&[u16]; 12] = [
        &[0x1888],         // ADDS R0, R1, R2
        &[0x2005],         // MOVS R0, #5
        &[0x4048],         // EORS R0, R1
        &[0x4088],         // LSLS R0, R1
        &[0x4348],         // MULS R0, R1
        &[0x4288],         // CMP R0, R1
        &[0xf041, 0x0001], // ORR R0, R1, #1
        &[0xea81, 0x20f2], // EOR R0, R1, R2, ROR #11
        &[0xfb01, 0xf002], // MUL R0, R1, R2
        &[0xf3c1, 0x0007], // UBFX R0, R1, #0, #8
        &[0xfab1, 0xf081], // CLZ R0, R1
        &[0xf301, 0x0007], // SSAT R0, #8, R1
    ];
    for timing in both() {
        for program in simple {
            assert_eq!(last(timing, program, 1, pointers), 1, "{program:04x?}");
        }
    }
}

#[test]
fn multiply_accumulate_takes_two() {
    for timing in both() {
        assert_eq!(last(timing, &[0xfb01, 0x0302], 1, pointers), 2); // MLA R3, R1, R2, R0
        assert_eq!(last(timing, &[0xfb01, 0x0312], 1, pointers), 2); // MLS
    }
}

#[test]
fn long_multiplies_end_early_within_the_range() {
    let umull = [0xfba2, 0x0103]; // UMULL R0, R1, R2, R3
    let umlal = [0xfbe2, 0x0103];
    assert_eq!(last(Timing::low(), &umull, 1, pointers), 3);
    assert_eq!(last(Timing::high(), &umull, 1, pointers), 5);
    assert_eq!(last(Timing::low(), &umlal, 1, pointers), 4);
    assert_eq!(last(Timing::high(), &umlal, 1, pointers), 7);
    let by_size = Timing {
        long_multiply: LongMultiply::ByBothOperands,
        ..Timing::low()
    };
    assert_eq!(last(by_size, &umull, 1, pointers), 3);
    assert_eq!(
        last(by_size, &umull, 1, |machine| machine.cpu.regs[3] = 0x1_0000),
        5
    );
}

#[test]
fn divisions_end_with_the_quotient() {
    let udiv = [0xfbb2, 0xf0f3]; // UDIV R0, R2, R3
    let with = |timing, a, b| {
        last(timing, &udiv, 1, |machine| {
            machine.cpu.regs[2] = a;
            machine.cpu.regs[3] = b;
        })
    };
    for timing in both() {
        assert_eq!(with(timing, 1, 2), 2, "quotient 0");
        assert_eq!(with(timing, 5, 0), 2, "by zero");
        assert!((2..=12).contains(&with(timing, u32::MAX, 1)));
    }
    assert_eq!(
        (
            with(Timing::low(), 0xffff, 1),
            with(Timing::high(), 0xffff, 1)
        ),
        (6, 8)
    );
    assert_eq!(
        (
            with(Timing::low(), u32::MAX, 1),
            with(Timing::high(), u32::MAX, 1)
        ),
        (10, 12)
    );
    // SDIV counts magnitudes: -1 / 1.
    let sdiv = [0xfb92, 0xf0f3];
    assert_eq!(
        last(Timing::low(), &sdiv, 1, |m| m.cpu.regs[2..4]
            .copy_from_slice(&[u32::MAX, 1])),
        3
    );
}

#[test]
fn loads_pipeline_behind_loads() {
    for timing in both() {
        // The manual's four examples.
        assert_eq!(
            total(timing, &[0x6800, 0x6809], 2),
            3,
            "LDR R0,[R0]; LDR R1,[R1]"
        );
        assert_eq!(
            total(timing, &[0x5884, 0x614c], 2),
            3,
            "LDR R4,[R0,R2]; STR R4,[R1,#20]"
        );
        assert_eq!(
            total(timing, &[0x5884, 0x508c], 2),
            3,
            "LDR R4,[R0,R2]; STR R4,[R1,R2]"
        );
        assert_eq!(
            total(timing, &[0x5884, 0x680d, 0x684e], 3),
            4,
            "three loads"
        );
        // The loaded register is in the address: no pipelining.
        let chase = |machine: &mut Machine| {
            pointers(machine);
            machine.memory.put(RAM + 0x100, RAM + 0x300);
        };
        assert_eq!(
            last(timing, &[0x6800, 0x6801], 2, chase),
            2,
            "LDR R0,[R0]; LDR R1,[R0]"
        );
        assert_eq!(
            last(timing, &[0x6800, 0xbf00, 0x6801], 3, chase),
            2,
            "something stands between"
        );
    }
}

#[test]
fn base_updates_doubles_and_multiples_do_not_pipeline() {
    let load = [0x680c]; // LDR R4, [R1]
    let with = |program: &[u16], count| {
        let program: Vec<u16> = load.iter().chain(program).copied().collect();
        last(Timing::low(), &program, count, pointers)
    };
    assert_eq!(with(&[0xf850, 0x5b04], 2), 2, "LDR R5, [R0], #4");
    assert_eq!(with(&[0xe9d0, 0x5600], 2), 3, "LDRD");
    assert_eq!(with(&[0xe9c0, 0x5600], 2), 3, "STRD");
    assert_eq!(with(&[0xc860], 2), 3, "LDM R0!, {{R5, R6}}");
    assert_eq!(with(&[0xb43f], 2), 7, "PUSH of six");
    assert_eq!(
        with(&[0xf850, 0x5b04, 0x680e], 3),
        2,
        "nor does a load behind a base update"
    );
}

#[test]
fn stores() {
    assert_eq!(
        last(Timing::low(), &[0x6008], 1, |m| m.cpu.regs[1] = RAM),
        1,
        "STR [R1, #0]: the text"
    );
    assert_eq!(
        last(Timing::high(), &[0x6008], 1, |m| m.cpu.regs[1] = RAM),
        2,
        "the table"
    );
    for timing in both() {
        assert_eq!(last(timing, &[0x5088], 1, pointers), 2, "STR [R1, R2]");
        assert_eq!(
            last(timing, &[0x5088, 0x680c], 2, pointers),
            2,
            "nothing pipelines behind a store"
        );
        assert_eq!(
            last(timing, &[0x680c, 0x6008], 2, pointers),
            1,
            "a store pipelines behind a load"
        );
    }
}

#[test]
fn address_just_computed_stalls() {
    for timing in both() {
        assert_eq!(
            last(timing, &[0x3004, 0x6804], 2, pointers),
            3,
            "ADDS R0, #4; LDR R4, [R0]"
        );
        assert_eq!(
            last(timing, &[0x3204, 0x5884], 2, pointers),
            3,
            "ADDS R2, #4; LDR R4, [R0, R2]"
        );
        assert_eq!(
            last(timing, &[0x3504, 0x6804], 2, pointers),
            2,
            "another register"
        );
        assert_eq!(
            last(timing, &[0x3004, NOP, 0x6804], 3, pointers),
            2,
            "something stands between"
        );
        assert_eq!(
            last(timing, &[0x3004, 0xc830], 2, pointers),
            4,
            "LDM R0!, {{R4, R5}}"
        );
    }
}

#[test]
fn literals_may_contend() {
    assert_eq!(last(Timing::low(), &[0x4801], 1, pointers), 2);
    assert_eq!(last(Timing::high(), &[0x4801], 1, pointers), 3);
}

#[test]
fn unaligned_accesses_add_transactions() {
    for (offset, extra) in [(0, 0), (2, 1), (1, 2), (3, 2)] {
        let load = last(Timing::low(), &[0x6804], 1, |m| {
            m.cpu.regs[0] = RAM + offset
        });
        assert_eq!(load, 2 + extra, "word at {offset}");
    }
    assert_eq!(
        last(Timing::low(), &[0x8804], 1, |m| m.cpu.regs[0] = RAM + 1),
        3,
        "halfword at 1"
    );
}

#[test]
fn bit_band_writes_read_first() {
    for timing in both() {
        let plain = last(timing, &[0x6008], 1, |m| m.cpu.regs[1] = RAM);
        let alias = last(timing, &[0x6008], 1, |m| m.cpu.regs[1] = 0x2200_0004);
        assert_eq!(alias, plain + timing.bit_band_write);
    }
}

#[test]
fn branches_refill() {
    for timing in both() {
        let p = timing.refill;
        assert_eq!(
            last(timing, &[0xe002], 1, pointers),
            1 + p,
            "B to an aligned target"
        );
        assert_eq!(
            last(timing, &[0xe001, NOP, NOP, 0x2000], 1, pointers),
            1 + p,
            "16-bit target at address 2 mod 4"
        );
        assert_eq!(
            last(timing, &[0x2800, 0xd002], 2, pointers),
            1,
            "BEQ not taken"
        );
        assert_eq!(
            last(timing, &[0x2800, 0xd102], 2, pointers),
            1 + p,
            "BNE taken"
        );
        assert_eq!(last(timing, &[0xb1c0], 1, pointers), 1, "CBZ not taken");
        assert_eq!(last(timing, &[0xb9c0], 1, pointers), 1 + p, "CBNZ taken");
        assert_eq!(last(timing, &[0xf000, 0xf802], 1, pointers), 1 + p, "BL");
        assert_eq!(
            last(timing, &[0x4720], 1, |m| m.cpu.regs[4] = START | 1),
            1 + p,
            "BX R4"
        );
        assert_eq!(
            last(timing, &[0x46a7], 1, |m| m.cpu.regs[4] = START),
            1 + p,
            "MOV PC, R4"
        );
    }
}

/// A 32-bit target that straddles two words costs one fetch more: P is 2 or 3 then.
#[test]
fn straddled_targets() {
    for timing in both() {
        for (program, extra) in [
            (&[0xe001, NOP, NOP, NOP, 0xf041, 0x0001, NOP], 0), // B to +6: 16-bit NOP at 2 mod 4
            (&[0xe002, NOP, NOP, NOP, 0xf041, 0x0001, NOP], 0), // B to +8: ORR at 0 mod 4
            (&[0xe001, NOP, NOP, 0xf041, 0x0001, NOP, NOP], 1), // B to +6: ORR at 2 mod 4
        ] {
            let mut machine = Machine::new(timing, program);
            assert_eq!(
                machine.steps(2),
                1 + timing.refill + 1 + extra,
                "{program:04x?}"
            );
        }
    }
}

#[test]
fn loads_to_the_pc_block() {
    let ldr_pc = |timing| {
        last(timing, &[0xf8d0, 0xf000], 1, |m| {
            m.cpu.regs[0] = RAM;
            m.memory.put(RAM, START + 0x41);
        })
    };
    assert_eq!(
        (ldr_pc(Timing::low()), ldr_pc(Timing::high())),
        (3, 5),
        "2 + P"
    );
    let pop = |timing| {
        last(timing, &[0xb403, 0xbd01], 2, |m| {
            pointers(m);
            m.cpu.regs[1] = START + 0x41;
        })
    };
    assert_eq!(
        (pop(Timing::low()), pop(Timing::high())),
        (4, 6),
        "POP {{R0, PC}}: 1 + N + P"
    );
    let tbb = |timing| {
        last(timing, &[0xe8d0, 0xf003], 1, |m| {
            m.cpu.regs[0] = RAM;
            m.cpu.regs[3] = 0;
        })
    };
    assert_eq!(
        (tbb(Timing::low()), tbb(Timing::high())),
        (3, 6),
        "TBB: 2 + P, and six"
    );
}

#[test]
fn multiples_take_one_and_n() {
    for timing in both() {
        for (list, count) in [(0x01, 1), (0x03, 2), (0xff, 8)] {
            assert_eq!(
                last(timing, &[0xb400 | list], 1, pointers),
                1 + count,
                "PUSH of {count}"
            );
            assert_eq!(
                last(timing, &[0xbc00 | list], 1, pointers),
                1 + count,
                "POP of {count}"
            );
        }
    }
}

#[test]
fn it_folds_behind_narrow_instructions() {
    // MOVS R0, #1; IT EQ; MOVEQ R0, #2: not executed, one cycle.
    let program = [0x2001, 0xbf08, 0x2002];
    assert_eq!(total(Timing::low(), &program, 3), 2);
    assert_eq!(total(Timing::high(), &program, 3), 3);
    // Behind a 32-bit instruction it is not folded.
    assert_eq!(
        total(Timing::low(), &[0xf051, 0x0001, 0xbf08, 0x2002], 3),
        3
    );
    // A skipped load takes one cycle too.
    assert_eq!(
        last(Timing::low(), &[0x2001, 0xbf08, 0x6804], 3, pointers),
        1
    );
}

#[test]
fn special_registers_and_barriers() {
    for timing in both() {
        assert_eq!(
            last(timing, &[0xf3ef, 0x8010], 1, pointers),
            timing.special_register,
            "MRS R0, PRIMASK"
        );
        assert_eq!(
            last(timing, &[0xb672], 1, pointers),
            timing.special_register,
            "CPSID i"
        );
        assert_eq!(
            last(timing, &[0xf3bf, 0x8f5f], 1, pointers),
            1 + timing.barrier,
            "DMB"
        );
        assert_eq!(
            last(timing, &[0xf3bf, 0x8f6f], 1, pointers),
            1 + timing.barrier + timing.refill,
            "ISB"
        );
    }
}

#[test]
fn wait_states_of_data() {
    let waits = |machine: &mut Machine| {
        pointers(machine);
        machine.memory.data_wait = 3;
    };
    assert_eq!(last(Timing::low(), &[0x6800], 1, waits), 5, "a load waits");
    assert_eq!(
        last(Timing::low(), &[0x6008], 1, waits),
        1,
        "a store goes to the buffer"
    );
    assert_eq!(
        last(Timing::low(), &[0x6008, 0x2500], 2, waits),
        1,
        "which delays nothing"
    );
    // The store begins in cycle 0–1 and holds the bus until cycle 4: the load begins then.
    assert_eq!(
        last(Timing::low(), &[0x6008, 0x680c], 2, waits),
        3 + 3,
        "but the next access"
    );
    assert_eq!(
        last(Timing::low(), &[0x6008, 0xf3bf, 0x8f4f], 2, waits),
        3,
        "and DSB"
    );
}

/// Straight code at one wait state per fetch: 16-bit instructions are ready in time, 32-bit ones
/// wait.
#[test]
fn wait_states_of_fetches() {
    let run = |program: &[u16], count: usize, wait| {
        let mut machine = Machine::low(program);
        machine.memory.fetch_wait = wait;
        machine.steps(1);
        machine.steps(count - 1)
    };
    assert_eq!(
        run(&[NOP; 41], 41, 1),
        40,
        "two instructions a word, two cycles a word"
    );
    let wide: Vec<u16> = [0xf041, 0x0001].repeat(21);
    assert_eq!(run(&wide, 21, 0), 20);
    assert_eq!(run(&wide, 21, 1), 40, "a word each, two cycles a word");
    assert_eq!(run(&wide, 21, 2), 60);
    // A taken branch waits for its target.
    let mut machine = Machine::low(&[NOP, 0xe001, NOP, NOP, NOP]);
    machine.memory.fetch_wait = 2;
    machine.step();
    assert_eq!(machine.step(), 1 + 1 + 2);
}

/// The unit runs ahead of a long instruction, but not more than three words.
#[test]
fn prefetch_runs_ahead() {
    // UDIV takes 10 cycles at the low end; then 32-bit instructions find three words ready at one
    // wait state each.
    let mut program = vec![0xfbb2, 0xf0f3];
    program.extend([0xf041, 0x0001].repeat(8));
    let mut machine = Machine::low(&program);
    machine.memory.fetch_wait = 1;
    machine.cpu.regs[2..4].copy_from_slice(&[u32::MAX, 1]);
    machine.step();
    let waits: Vec<u32> = (0..8).map(|_| machine.step()).collect();
    // The fourth word begins when the first is used, and each further one gives a cycle of the lead
    // away.
    assert_eq!(waits, [1, 1, 1, 1, 1, 2, 2, 2]);
}

#[test]
fn every_word_is_fetched_once_in_order() {
    let mut machine = Machine::low(&[NOP, 0xf041, 0x0001, NOP, 0xe7fa]);
    machine.steps(6);
    assert_eq!(
        machine.memory.fetches,
        [START, START + 4, START + 8, START, START + 4]
    );
}

#[test]
fn code_in_sram_waits_for_the_system_bus() {
    let mut machine = Machine::low(&[0x4720]);
    machine
        .memory
        .halves(RAM + 0x800, &[0xf041, 0x0001].repeat(4));
    machine.cpu.regs[4] = RAM + 0x801;
    assert_eq!(machine.step(), 1 + 1 + 1, "BX, refill, registered fetch");
    assert_eq!(machine.steps(3), 1 + 2 + 2);
}

#[test]
fn devices_are_told_the_time() {
    let mut machine = Machine::low(&[NOP, NOP, 0x6800]);
    machine.cpu.regs[0] = DEVICE;
    machine.steps(3);
    assert_eq!(
        machine.memory.told,
        [4],
        "two NOPs, and the load's own cycles are counted first"
    );
}

/// `run` gives the cycles of `step`, wherever it is interrupted, with free fetches and without.
#[test]
fn run_equals_step() {
    // ADDS R0, #4; LDR R4, [R0]; LDR R5, [R0, #4]; STR R4, [R0, #8]; EOR.W; IT NE; MOVNE; B over a
    // NOP to an ORR.W at 2 mod 4; PUSH; POP; SUBS R3, #1; BNE back to the start.
    let program = [
        0x3004, 0x6804, 0x6845, 0x6084, 0xea81, 0x27f2, 0xbf18, 0x2602, 0xe000, NOP, NOP, 0xf041,
        0x0601, 0xb430, 0xbc30, 0x3b01, 0xd1ee, NOP,
    ];
    for timing in both() {
        let mut reference = Machine::new(timing, &program);
        pointers(&mut reference);
        reference.cpu.regs[3] = 40;
        let mut moments = vec![(reference.cpu.cycles, reference.cpu.regs)];
        while reference.pc() != START + 34 {
            reference.step();
            moments.push((reference.cpu.cycles, reference.cpu.regs));
        }
        for free in [true, false] {
            for slice in [1, 2, 3, 7, 50, 100_000] {
                let mut machine = Machine::new(timing, &program);
                machine.memory.free = free;
                pointers(&mut machine);
                machine.cpu.regs[3] = 40;
                while machine.pc() != START + 34 {
                    let limit = machine.cpu.cycles + slice;
                    let stop = machine
                        .cpu
                        .run(&mut machine.memory, limit, Some(START + 34))
                        .expect("no fault");
                    assert!(matches!(stop, Stop::Limit | Stop::Address));
                }
                let end = moments.last().expect("moments");
                assert_eq!(
                    (machine.cpu.cycles, machine.cpu.regs),
                    *end,
                    "slice {slice}, free {free}"
                );
            }
        }
    }
}

/// The table's ranges hold the band, and the low end is never above the high end.
#[test]
fn the_band_is_a_band() {
    let (low, high) = (Timing::low(), Timing::high());
    assert!(low.refill <= high.refill && low.refill >= 1 && high.refill <= 3);
    assert!(low.exception_return >= 10 && high.exception_return <= 12);
    for a in [0, 1, 0xff, 0x1_0000, u32::MAX] {
        for b in [0, 1, 3, 0xffff, u32::MAX] {
            let (least, most) = (
                cycles::divide(low.divide, a, b),
                cycles::divide(high.divide, a, b),
            );
            assert!(
                2 <= least && least <= most && most <= 12,
                "{a} / {b}: {least}, {most}"
            );
        }
    }
}
