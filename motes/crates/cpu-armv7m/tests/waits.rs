//! Waiting: wait states of data and of fetches, the prefetch unit, and that [`cpu_armv7m::Cpu::run`]
//! waits as single steps do.

mod common;

use common::{DEVICE, Machine, NOP, RAM, START, both, last, pointers};
use cpu_armv7m::{Stop, Timing};

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

/// The prefetch unit runs ahead during a long instruction, but by three words at most.
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
