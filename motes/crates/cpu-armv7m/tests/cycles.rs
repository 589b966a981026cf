//! The cycle rules: each row of the manual's table and each rule of its section "Load/store
//! timings".

mod common;

use common::{Machine, NOP, RAM, START, both, last, pointers};
use cpu_armv7m::{LongMultiply, Timing, cycles};

/// Cycles of a whole program.
fn total(timing: Timing, program: &[u16], count: usize) -> u32 {
    let mut machine = Machine::new(timing, program);
    pointers(&mut machine);
    machine.steps(count)
}

/// A program, how many of its instructions execute, the cycles of the last one, and what it shows.
type Row<'a> = (&'a [u16], usize, u32, &'a str);

fn check(timing: Timing, rows: &[Row]) {
    for (program, count, cycles, what) in rows {
        assert_eq!(last(timing, program, *count, pointers), *cycles, "{what}");
    }
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
fn exclusive_accesses_take_as_long_as_loads() {
    let ldrex = [0xe850, 0x4f00]; // LDREX R4, [R0]
    let strex = [0xe840, 0x4500]; // STREX R5, R4, [R0]
    let ldrexb = [0xe8d0, 0x4f4f];
    let strexb = [0xe8c0, 0x4f45];
    let joined = |parts: &[&[u16]]| parts.concat();
    for timing in both() {
        for (load, store) in [(ldrex, strex), (ldrexb, strexb)] {
            let cycles = |program: &[u16], count| last(timing, program, count, pointers);
            assert_eq!(cycles(&load, 1), 2);
            assert_eq!(cycles(&store, 1), 2, "it fails");
            let both = joined(&[&load, &[NOP], &store]);
            assert_eq!(cycles(&both, 3), 2, "it succeeds");
            let behind = joined(&[&store, &[0x680e]]); // LDR R6, [R1]
            assert_eq!(cycles(&behind, 2), 1, "a load pipelines behind it");
        }
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
    let at_ram = |m: &mut Machine| m.cpu.regs[1] = RAM;
    let store_immediate = |timing| last(timing, &[0x6008], 1, at_ram);
    assert_eq!(store_immediate(Timing::low()), 1, "STR [R1, #0]: the text");
    assert_eq!(store_immediate(Timing::high()), 2, "the table");
    for timing in both() {
        check(
            timing,
            &[
                (&[0x5088], 1, 2, "STR [R1, R2]"),
                (&[0x5088, 0x680c], 2, 2, "nothing pipelines behind a store"),
                (&[0x680c, 0x6008], 2, 1, "a store pipelines behind a load"),
            ],
        );
    }
}

#[test]
fn address_just_computed_stalls() {
    for timing in both() {
        check(
            timing,
            &[
                (&[0x3004, 0x6804], 2, 3, "ADDS R0, #4; LDR R4, [R0]"),
                (&[0x3204, 0x5884], 2, 3, "ADDS R2, #4; LDR R4, [R0, R2]"),
                (&[0x3504, 0x6804], 2, 2, "another register"),
                (&[0x3004, NOP, 0x6804], 3, 2, "something stands between"),
                (&[0x3004, 0xc830], 2, 4, "LDM R0!, {R4, R5}"),
            ],
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
        let taken = 1 + timing.refill;
        check(
            timing,
            &[
                (&[0xe002], 1, taken, "B to an aligned target"),
                (
                    &[0xe001, NOP, NOP, 0x2000],
                    1,
                    taken,
                    "16-bit target at 2 mod 4",
                ),
                (&[0x2800, 0xd002], 2, 1, "BEQ not taken"),
                (&[0x2800, 0xd102], 2, taken, "BNE taken"),
                (&[0xb1c0], 1, 1, "CBZ not taken"),
                (&[0xb9c0], 1, taken, "CBNZ taken"),
                (&[0xf000, 0xf802], 1, taken, "BL"),
            ],
        );
        let to_start = |m: &mut Machine| m.cpu.regs[4] = START | 1;
        assert_eq!(last(timing, &[0x4720], 1, to_start), taken, "BX R4");
        assert_eq!(last(timing, &[0x46a7], 1, to_start), taken, "MOV PC, R4");
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
    let both = (ldr_pc(Timing::low()), ldr_pc(Timing::high()));
    assert_eq!(both, (3, 5), "2 + P");
    let pop = |timing| {
        last(timing, &[0xb403, 0xbd01], 2, |m| {
            pointers(m);
            m.cpu.regs[1] = START + 0x41;
        })
    };
    let both = (pop(Timing::low()), pop(Timing::high()));
    assert_eq!(both, (4, 6), "POP {{R0, PC}}: 1 + N + P");
    let tbb = |timing| {
        last(timing, &[0xe8d0, 0xf003], 1, |m| {
            m.cpu.regs[0] = RAM;
            m.cpu.regs[3] = 0;
        })
    };
    let both = (tbb(Timing::low()), tbb(Timing::high()));
    assert_eq!(both, (3, 6), "TBB: 2 + P, and six");
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
        let (special, barrier) = (timing.special_register, 1 + timing.barrier);
        check(
            timing,
            &[
                (&[0xf3ef, 0x8010], 1, special, "MRS R0, PRIMASK"),
                (&[0xb672], 1, special, "CPSID i"),
                (&[0xf3bf, 0x8f5f], 1, barrier, "DMB"),
                (&[0xf3bf, 0x8f6f], 1, barrier + timing.refill, "ISB"),
            ],
        );
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
