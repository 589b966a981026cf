//! The quick ways of [`cpu_armv7m::Cpu::run`] against single steps: registers, memory and cycles,
//! wherever a run is cut and whenever an interrupt comes.

#[path = "common/programs.rs"]
mod programs;

use cpu_armv7m::Timing;
use programs::{Machine, RAM, Random, START, random_program};

/// Wait states and log2 of the octets of a line.
const MEMORIES: [(u32, u32); 4] = [(0, 3), (1, 3), (3, 4), (2, 2)];
const NEVER: u64 = u64::MAX;

/// Machines for one program at both ends of the band and with several memories, and where the
/// program ends.
fn machines(random: &mut Random) -> Vec<(Machine, u32)> {
    let (parts, end) = random_program(random);
    [Timing::low(), Timing::high()]
        .into_iter()
        .flat_map(|timing| MEMORIES.map(|memory| (timing, memory)))
        .map(|(timing, memory)| {
            (
                Machine::new(timing, memory, &parts, &mut random.clone()),
                end,
            )
        })
        .collect()
}

/// All ways to the end; they must agree in everything.
fn compare(seed: u64, slow: &mut Machine, quick: &mut Machine, end: u32) {
    let mut sprint = quick.clone();
    let outcome = sprint.run_without_blocks(end);
    let outcomes = (slow.step_to(NEVER, end), quick.run_to(NEVER, end));
    assert_eq!(
        (outcomes.0, outcomes.0),
        (outcomes.1, outcome),
        "seed {seed}"
    );
    assert_eq!(slow.state(), quick.state(), "seed {seed}");
    assert_eq!(slow.state(), sprint.state(), "seed {seed}, without blocks");
    quick.memory.plain = false;
    assert!(slow.memory == quick.memory, "memory, seed {seed}");
}

/// Loops of random instructions: whole, then again with what is known of them, cut at random
/// cycles.
#[test]
fn random_programs() {
    for seed in 0..1500 {
        let mut random = Random(seed);
        for (mut slow, end) in machines(&mut random) {
            let mut quick = slow.clone();
            compare(seed, &mut slow, &mut quick, end);
            for round in 0..2 {
                let data = random.next();
                slow.begin(&mut Random(data.into()));
                quick.begin(&mut Random(data.into()));
                let longest = if round == 0 { 30 } else { 3000 };
                while slow.cpu.regs[15] != end {
                    let limit = slow.cpu.cycles + 1 + u64::from(random.below(longest));
                    let outcomes = (slow.step_to(limit, end), quick.run_to(limit, end));
                    assert_eq!(outcomes.0, outcomes.1, "seed {seed}");
                    assert_eq!(slow.state(), quick.state(), "seed {seed}, limit {limit}");
                    if outcomes.0.is_err() {
                        break;
                    }
                }
                assert!(slow.memory.ram == quick.memory.ram, "memory, seed {seed}");
            }
        }
    }
}

/// An interrupt anywhere: the same handler at the same time, and the same end. At every cycle of a
/// run of up to 400, at about as many evenly spaced ones of a longer run.
#[test]
fn interrupts_all_over_a_run() {
    for seed in 10_000..10_024 {
        let mut random = Random(seed);
        for (mut machine, end) in machines(&mut random) {
            // From here on the fast path knows the code that is executed.
            let fresh = machine.clone();
            if machine.run_to(NEVER, end).is_err() {
                continue;
            }
            let cycles = machine.cpu.cycles - fresh.cpu.cycles;
            let data = u64::from(random.next());
            machine.begin(&mut Random(data));
            let begun = machine.cpu.cycles;
            for at in (begun..begun + cycles).step_by(1 + cycles as usize / 400) {
                let (mut slow, mut quick) = (machine.clone(), machine.clone());
                let outcomes = (slow.step_to(at, end), quick.run_to(at, end));
                assert_eq!(outcomes.0, outcomes.1, "seed {seed}");
                assert_eq!(
                    slow.state(),
                    quick.state(),
                    "seed {seed}, before the interrupt at {at}"
                );
                slow.cpu.pend_irq(0);
                quick.cpu.pend_irq(0);
                compare(seed, &mut slow, &mut quick, end);
            }
        }
    }
}

/// A machine with these programs, no wait states, and where it stops.
fn machine(wait: u32, parts: &[(u32, Vec<u16>)]) -> Machine {
    Machine::new(Timing::low(), (wait, 3), parts, &mut Random(1))
}

/// A loop that writes the immediate of one of its own instructions.
#[test]
fn code_that_changes_itself() {
    for wait in [0, 1] {
        // ADDS R0, #1; STRB R0, [R1]; MOVS R2, #0 (the octet written); ADDS R3, R3, R2; SUBS R7,
        // #1; BNE
        let code = vec![0x3001, 0x7008, 0x2200, 0x189b, 0x3f01, 0xd1f9, 0xe7fe];
        let end = START + 12;
        let mut slow = machine(wait, &[(START, code)]);
        slow.cpu.regs[..4].copy_from_slice(&[0, START + 4, 0, 0]);
        slow.cpu.regs[7] = 100;
        let mut quick = slow.clone();
        compare(0, &mut slow, &mut quick, end);
        assert_eq!(quick.cpu.regs[3], (1..=100).sum());
    }
}

/// A function in RAM that a loop in code memory calls and rewrites, by stores of all sizes.
#[test]
fn code_in_ram() {
    for (wait, store) in [(0, 0x7008), (0, 0x8008), (0, 0x6008), (1, 0x6008)] {
        // ADDS R0, #1; STRB, STRH or STR R0, [R1]; BLX R4; ADDS R3, R3, R2; SUBS R7, #1; BNE
        let code = vec![0x3001, store, 0x47a0, 0x189b, 0x3f01, 0xd1f9, 0xe7fe];
        let mut slow = machine(wait, &[(START, code)]);
        let function = 0x4770_2200_u32; // MOVS R2, #0; BX LR
        slow.memory.ram[0x80..0x84].copy_from_slice(&function.to_le_bytes());
        slow.cpu.regs[..5].copy_from_slice(&[function, RAM + 0x80, 0, 0, RAM + 0x81]);
        slow.cpu.regs[7] = 100;
        let mut quick = slow.clone();
        compare(0, &mut slow, &mut quick, START + 12);
        assert_eq!(quick.cpu.regs[3], (1..=100).sum());
    }
}

/// A write from outside the core takes effect as soon as the core is told of it.
#[test]
fn code_that_another_writes() {
    let code = vec![0x2001, 0x1812, 0x3f01, 0xd1fb, 0xe7fe]; // MOVS R0, #1; ADDS R2, R2, R0; SUBS R7, #1; BNE
    let mut machine = machine(0, &[(START, code)]);
    for (immediate, expected) in [(1, 50), (3, 150)] {
        machine.memory.halves(START, &[0x2000 | immediate]);
        machine.cpu.invalidate_code(START, 2);
        (
            machine.cpu.regs[2],
            machine.cpu.regs[7],
            machine.cpu.regs[15],
        ) = (0, 50, START);
        machine.run_to(NEVER, START + 8).expect("no fault");
        assert_eq!(machine.cpu.regs[2], expected);
    }
}

/// A stop address in the middle of a translated block ends the run there.
#[test]
fn stops_inside_a_block() {
    let code = vec![0x2001, 0x1812, 0x1812, 0x1812, 0x3f01, 0xd1f9, 0xe7fe];
    let mut machine = machine(0, &[(START, code)]);
    machine.run_to(NEVER, START + 12).expect("no fault");
    for stop in (START + 2..START + 12).step_by(2) {
        machine.begin(&mut Random(2));
        machine.run_to(NEVER, stop).expect("no fault");
        assert_eq!(
            (machine.cpu.regs[15], machine.cpu.regs[7]),
            (stop, if stop > START + 8 { 4 } else { 5 })
        );
    }
}
