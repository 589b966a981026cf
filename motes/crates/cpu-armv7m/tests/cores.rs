//! The cores of the family: rows of the tables of their manuals, and what they refuse.

mod common;

use common::{Machine, NOP, RAM, START, last, pointers};
use cpu_armv7m::{Cause, Core, Fault, Halt, Op, Timing};

/// A program, how many of its instructions execute, the cycles of the last one, and what it shows.
type Row<'a> = (&'a [u16], usize, u32, &'a str);

fn check(timing: Timing, rows: &[Row]) {
    for (program, count, cycles, what) in rows {
        assert_eq!(last(timing, program, *count, pointers), *cycles, "{what}");
    }
}

/// ARM DDI0484C, table 3-1.
#[test]
fn cortex_m0plus() {
    let timing = Timing::of(Core::CortexM0Plus, true);
    assert_eq!(timing, Timing::of(Core::CortexM0Plus, false));
    check(
        timing,
        &[
            (&[0x2005], 1, 1, "MOVS R0, #5"),
            (&[0x4687], 1, 2, "MOV PC, R0"),
            (&[0x1888], 1, 1, "ADDS R0, R1, R2"),
            (&[0x4487], 1, 2, "ADD PC, R0"),
            (&[0x4348], 1, 1, "MULS R0, R1"),
            (&[0x6808], 1, 2, "LDR R0, [R1]"),
            (
                &[0x6808, 0x680a],
                2,
                2,
                "no pipeline: LDR R2, [R1] after it",
            ),
            (
                &[0x3104, 0x6808],
                2,
                2,
                "nor a stall: LDR R0, [R1] after ADDS R1",
            ),
            (&[0x4801], 1, 2, "LDR R0, literal"),
            (&[0x5088], 1, 2, "STR R0, [R1, R2]"),
            (&[0x6008], 1, 2, "STR R0, [R1]"),
            (&[0x6808, 0x6008], 2, 2, "STR R0, [R1] after LDR"),
            (&[0xc907], 1, 4, "LDM R1, {R0-R2}: 1+N"),
            (&[0xb407], 1, 4, "PUSH {R0-R2}: 1+N"),
            (&[0xbc07], 1, 4, "POP {R0-R2}: 1+N"),
            (&[0xe000, NOP, NOP], 1, 2, "B"),
            (&[0x2000, 0xd000, NOP, NOP], 2, 2, "BEQ taken"),
            (&[0x2000, 0xd100, NOP, NOP], 2, 1, "BNE not taken"),
            (&[0xf000, 0xf800], 1, 3, "BL"),
            (&[0x4700], 1, 2, "BX R0"),
            (&[0x4780], 1, 2, "BLX R0"),
            (&[0xb2c0], 1, 1, "UXTB"),
            (&[0xba00], 1, 1, "REV"),
            (&[0xb672], 1, 1, "CPSID i"),
            (&[0xf3ef, 0x8010], 1, 3, "MRS R0, PRIMASK"),
            (&[0xf380, 0x8810], 1, 3, "MSR PRIMASK, R0"),
            (&[0xf3bf, 0x8f5f], 1, 3, "DMB"),
            (&[0xf3bf, 0x8f6f], 1, 3, "ISB"),
            (&[0xbf20], 1, 2, "WFE"),
            (&[NOP], 1, 1, "NOP"),
        ],
    );
    let pop = last(timing, &[0xbd00], 1, |machine| {
        machine.memory.put(RAM + 0x1000, START | 1)
    });
    assert_eq!(pop, 4, "POP {{PC}}: 3+N");
    // A 32-bit branch target that straddles two words costs nothing more.
    let straddling = [0xe001, NOP, NOP, 0xf000, 0xf800];
    assert_eq!(last(timing, &straddling, 2, pointers), 3);
}

/// The rows of ARM DDI0439D, table 3-1 and table 3-2, that differ from the Cortex-M3, and those of
/// the FPU (table 7-1).
#[test]
fn cortex_m4() {
    for quick in [true, false] {
        check(
            Timing::of(Core::CortexM4, quick),
            &[
                (&[0xfb01, 0x0302], 1, 1, "MLA"),
                (&[0xfb01, 0x0312], 1, 1, "MLS"),
                (&[0xfba2, 0x0103], 1, 1, "UMULL"),
                (&[0xfb82, 0x0103], 1, 1, "SMULL"),
                (&[0xfbe2, 0x0103], 1, 1, "UMLAL"),
                (&[0xfbc2, 0x0103], 1, 1, "SMLAL"),
                (&[0xfbe2, 0x0163], 1, 1, "UMAAL"),
                (&[0xfbc2, 0x0183], 1, 1, "SMLALBB"),
                (&[0xfb12, 0xf003], 1, 1, "SMULBB"),
                (&[0xfb22, 0x1003], 1, 1, "SMLAD"),
                (&[0xfb52, 0x1003], 1, 1, "SMMLA"),
                (&[0xfa82, 0xf043], 1, 1, "UADD8"),
                (&[0xfaa2, 0xf083], 1, 1, "SEL"),
                (&[0xeac2, 0x0003], 1, 1, "PKHBT"),
                (&[0xfb72, 0xf003], 1, 1, "USAD8"),
                (&[0xee00, 0x0a10], 1, 1, "VMOV S0, R0"),
                (&[0xec41, 0x0b10], 1, 2, "VMOV D0, R0, R1"),
                (&[0xed91, 0x0a00], 1, 2, "VLDR S0, [R1]"),
                (&[0xed91, 0x0b00], 1, 3, "VLDR D0, [R1]"),
                (&[0xed81, 0x0b00], 1, 3, "VSTR D0, [R1]"),
                (&[0xed2d, 0x0b08], 1, 9, "VPUSH {D0-D3}: 1+N"),
            ],
        );
    }
}

/// How an instruction of a core ends, if it is a fault.
fn fault(core: Core, program: &[u16], prepare: impl Fn(&mut Machine)) -> Option<Cause> {
    let mut machine = Machine::new(Timing::of(core, true), program);
    machine.cpu.halt = Halt {
        faults: true,
        breakpoints: true,
    };
    prepare(&mut machine);
    match machine.try_step() {
        Err(Fault::Exception { cause, .. }) => Some(cause),
        _ => None,
    }
}

#[test]
fn each_core_has_its_instructions() {
    use Core::{CortexM0Plus, CortexM3, CortexM4};
    let programs: [(&[u16], &[Core]); 10] = [
        (&[0xb100], &[CortexM3, CortexM4]),         // CBZ
        (&[0xbf08, NOP], &[CortexM3, CortexM4]),    // IT EQ
        (&[0xf240, 0x0001], &[CortexM3, CortexM4]), // MOVW
        (&[0xfbb0, 0xf1f2], &[CortexM3, CortexM4]), // UDIV
        (&[0xf000, 0xb800], &[CortexM3, CortexM4]), // B.W
        (&[0xfba2, 0x0103], &[CortexM3, CortexM4]), // UMULL
        (&[0xb671], &[CortexM3, CortexM4]),         // CPSID f
        (&[0xfbe2, 0x0163], &[CortexM4]),           // UMAAL
        (&[0xfaa2, 0xf083], &[CortexM4]),           // SEL
        (&[0xee00, 0x0a10], &[CortexM4]),           // VMOV S0, R0
    ];
    for (program, there) in programs {
        for (name, core) in Core::ALL {
            let faults = fault(core, program, pointers).is_some();
            assert_eq!(faults, !there.contains(&core), "{program:04x?} on {name}");
        }
    }
    let vadd = fault(CortexM4, &[0xee30, 0x0a20], pointers);
    assert_eq!(vadd, Some(Cause::NoCoprocessor), "VADD is not modelled");
    assert_eq!(
        fault(CortexM0Plus, &[0xfbe2, 0x0163], pointers),
        Some(Cause::Undefined)
    );
}

#[test]
fn a_cortex_m0plus_accesses_aligned_memory_only() {
    for (halfword, offset, faults) in [
        (0x6808, 2, true),  // LDR R0, [R1]
        (0x6008, 1, true),  // STR R0, [R1]
        (0x8808, 1, true),  // LDRH R0, [R1]
        (0x8808, 2, false), // LDRH R0, [R1]
        (0x7808, 1, false), // LDRB R0, [R1]
    ] {
        let unaligned = |machine: &mut Machine| machine.cpu.regs[1] = RAM + offset;
        let cause = fault(Core::CortexM0Plus, &[halfword], unaligned);
        let expected = faults.then_some(Cause::Unaligned(RAM + offset));
        assert_eq!(cause, expected, "{halfword:04x} at +{offset}");
        assert_eq!(fault(Core::CortexM4, &[halfword], unaligned), None);
    }
}

#[test]
fn names_and_cores_are_one_to_one() {
    for (name, core) in Core::ALL {
        assert_eq!((Core::named(name), core.name()), (Some(core), name));
    }
    assert_eq!(Core::named("cortex-m7"), None);
    assert_eq!(Core::CortexM0Plus.decode(0xbf08, 0).0, Op::Undefined);
}
