//! Exceptions: entry, return, priorities, tail chaining, late arrival, sleep, SVC and PendSV.

mod common;

use common::{Machine, NOP, RAM, STACK, START, handler};
use cpu_armv7m::{Bus, Cause, Fault, Step, Timing};

const BX_LR: u16 = 0x4770;
const ISER: u32 = 0xe000_e100;
const IPR: u32 = 0xe000_e400;
const AIRCR: u32 = 0xe000_ed0c;
const SCR: u32 = 0xe000_ed10;
const SHPR2: u32 = 0xe000_ed1c;
const SHPR3: u32 = 0xe000_ed20;

/// Runs one store instruction with this address and value from a scratch place.
fn poke(machine: &mut Machine, addr: u32, value: u32) {
    let (regs, xpsr) = (machine.cpu.regs, machine.cpu.xpsr());
    machine.memory.halves(0x1f00, &[0x6001]); // STR R1, [R0]
    machine.cpu.regs[..2].copy_from_slice(&[addr, value]);
    machine.cpu.regs[15] = 0x1f00;
    machine.cpu.step(&mut machine.memory).expect("store");
    machine.cpu.regs = regs;
    machine.cpu.set_xpsr(xpsr);
}

fn peek(machine: &mut Machine, addr: u32) -> u32 {
    let regs = machine.cpu.regs;
    machine.memory.halves(0x1f10, &[0x6800]); // LDR R0, [R0]
    machine.cpu.regs[0] = addr;
    machine.cpu.regs[15] = 0x1f10;
    machine.cpu.step(&mut machine.memory).expect("load");
    let value = machine.cpu.regs[0];
    machine.cpu.regs = regs;
    value
}

/// A machine of NOPs with interrupts 0–3 enabled and handlers that are NOP; BX LR.
fn ready(program: &[u16]) -> Machine {
    let mut machine = Machine::low(&[program, &[NOP; 20]].concat());
    for number in 2..20 {
        machine.memory.halves(handler(number), &[NOP, BX_LR]);
    }
    poke(&mut machine, ISER, 0xf);
    machine
}

fn priority(machine: &mut Machine, irq: u32, value: u32) {
    let shift = 8 * (irq % 4);
    let word = peek(machine, IPR + irq / 4 * 4) & !(0xff << shift) | value << shift;
    poke(machine, IPR + irq / 4 * 4, word);
}

#[test]
fn entry_stacks_eight_words_and_return_restores_them() {
    let mut machine = ready(&[NOP]);
    for register in 0..13 {
        machine.cpu.regs[register] = 0x1111_1111 * register as u32;
    }
    machine.cpu.regs[14] = 0x1234_5679;
    machine.cpu.set_xpsr(0xa900_0000);
    let before = machine.cpu.regs;
    machine.cpu.pend_irq(2);
    assert_eq!(machine.step(), 12, "entry");
    assert_eq!((machine.pc(), machine.cpu.exception()), (handler(18), 18));
    assert_eq!(
        (machine.cpu.regs[14], machine.cpu.regs[13]),
        (0xffff_fff9, STACK - 32)
    );
    let frame: Vec<u32> = (0..8)
        .map(|i| machine.memory.word(STACK - 32 + 4 * i))
        .collect();
    let expected = [
        before[0],
        before[1],
        before[2],
        before[3],
        before[12],
        before[14],
        START,
        0xa900_0000,
    ];
    assert_eq!(frame, expected);
    machine.cpu.regs[..4].fill(0);
    machine.steps(2);
    assert_eq!(machine.step(), 10, "return");
    assert_eq!(
        (machine.cpu.regs, machine.cpu.xpsr()),
        (before, 0xa900_0000)
    );
    assert_eq!(machine.cpu.exception(), 0);
}

#[test]
fn frames_are_aligned_to_eight() {
    let mut machine = ready(&[NOP]);
    machine.cpu.regs[13] = STACK - 4;
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(machine.cpu.regs[13], STACK - 40);
    assert_eq!(
        machine.memory.word(STACK - 40 + 28) >> 9 & 1,
        1,
        "padding is marked"
    );
    machine.steps(3);
    assert_eq!(machine.cpu.regs[13], STACK - 4);
}

#[test]
fn waits_of_the_stack_lengthen_entry() {
    let mut machine = ready(&[NOP]);
    machine.memory.data_wait = 2;
    machine.cpu.pend_irq(0);
    assert_eq!(machine.step(), 12 + 16);
}

#[test]
fn priorities_decide_and_equal_ones_wait() {
    let mut machine = ready(&[NOP]);
    for (irq, value) in [(0, 0x40), (1, 0x20), (2, 0x40)] {
        priority(&mut machine, irq, value);
    }
    machine.cpu.pend_irq(2);
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(
        machine.cpu.exception(),
        16,
        "the lower number of two equal ones"
    );
    machine.step();
    machine.cpu.pend_irq(1);
    machine.step();
    assert_eq!(machine.cpu.exception(), 17, "preempts");
    assert_eq!(machine.cpu.regs[14], 0xffff_fff1, "returns to a handler");
    machine.steps(3);
    assert_eq!(machine.cpu.exception(), 16, "2 does not preempt 0");
    machine.steps(1);
    assert_eq!(machine.step(), 6, "but is chained to");
    assert_eq!(
        (machine.cpu.exception(), machine.cpu.regs[14]),
        (18, 0xffff_fff9)
    );
    machine.steps(3);
    assert_eq!((machine.cpu.exception(), machine.cpu.regs[13]), (0, STACK));
}

#[test]
fn subpriorities_order_without_preempting() {
    let mut machine = ready(&[NOP]);
    // PRIGROUP 6: bit 7 preempts, bits 6:5 order.
    poke(&mut machine, AIRCR, 0x05fa_0600);
    assert_eq!(peek(&mut machine, AIRCR), 0xfa05_0600);
    priority(&mut machine, 0, 0xe0);
    priority(&mut machine, 1, 0xa0);
    priority(&mut machine, 2, 0xc0);
    machine.cpu.pend_irq(0);
    machine.steps(2);
    machine.cpu.pend_irq(2);
    machine.cpu.pend_irq(1);
    machine.step();
    assert_eq!(machine.cpu.exception(), 16, "the same group");
    machine.step();
    assert_eq!(machine.cpu.exception(), 17, "the smaller subpriority first");
}

#[test]
fn late_arrival_takes_over_the_frame() {
    for timing in [Timing::low(), Timing::high()] {
        let mut machine = ready(&[NOP]);
        machine.cpu.set_timing(timing);
        priority(&mut machine, 0, 0x40);
        machine.cpu.pend_irq(0);
        machine.step();
        machine.cpu.pend_irq(1);
        assert_eq!(machine.step(), timing.late_arrival);
        assert_eq!(
            (machine.cpu.exception(), machine.cpu.regs[13]),
            (17, STACK - 32),
            "one frame"
        );
        assert_eq!(machine.cpu.regs[14], 0xffff_fff9);
        machine.steps(3);
        assert_eq!(
            (machine.cpu.exception(), machine.cpu.regs[13]),
            (16, STACK - 32),
            "then the first, chained"
        );
        machine.steps(3);
        assert_eq!((machine.cpu.exception(), machine.cpu.regs[13]), (0, STACK));
    }
}

#[test]
fn mask_registers_hold_back() {
    let mut machine = ready(&[0xb672, NOP, 0xb662, NOP]); // CPSID i … CPSIE i
    machine.step();
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!((machine.cpu.exception(), machine.cpu.primask()), (0, true));
    machine.steps(2);
    assert_eq!(machine.cpu.exception(), 16);

    let mut machine = ready(&[0xf380, 0x8811, NOP]); // MSR BASEPRI, R0
    priority(&mut machine, 0, 0x60);
    priority(&mut machine, 1, 0x40);
    machine.cpu.regs[0] = 0x60;
    machine.step();
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(
        machine.cpu.exception(),
        0,
        "BASEPRI holds back its own priority"
    );
    machine.cpu.pend_irq(1);
    machine.step();
    assert_eq!(machine.cpu.exception(), 17);

    let mut machine = ready(&[0xb671, NOP]); // CPSID f
    machine.step();
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(
        (machine.cpu.exception(), machine.cpu.faultmask()),
        (0, true)
    );
    machine.cpu.pend_nmi();
    machine.step();
    assert_eq!(machine.cpu.exception(), 2, "NMI passes");
}

#[test]
fn levels_pend_again_until_they_fall() {
    let mut machine = ready(&[NOP]);
    machine.cpu.set_irq_level(3, true);
    machine.steps(3);
    assert_eq!(machine.step(), 6, "chained to itself");
    assert_eq!(machine.cpu.exception(), 19);
    machine.cpu.set_irq_level(3, false);
    machine.steps(3);
    assert_eq!(machine.cpu.exception(), 0);
    machine.step();
    assert_eq!(machine.cpu.exception(), 0);
    // A pulse pends once.
    machine.cpu.set_irq_level(3, true);
    machine.cpu.set_irq_level(3, false);
    machine.step();
    assert_eq!(machine.cpu.exception(), 19);
}

#[test]
fn disabled_interrupts_wait_and_can_be_cleared() {
    let mut machine = ready(&[NOP]);
    poke(&mut machine, 0xe000_e180, 1);
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(machine.cpu.exception(), 0);
    assert_eq!(peek(&mut machine, 0xe000_e200), 1, "ISPR shows it");
    poke(&mut machine, 0xe000_e280, 1);
    poke(&mut machine, ISER, 1);
    machine.step();
    assert_eq!(machine.cpu.exception(), 0, "ICPR took it back");
    poke(&mut machine, 0xe000_ef00, 3);
    machine.step();
    assert_eq!(machine.cpu.exception(), 19, "STIR");
    assert_eq!(peek(&mut machine, 0xe000_e300), 8, "IABR");
}

#[test]
fn the_it_state_survives_an_interrupt() {
    // MOVS R0, #0; ITT EQ; MOVEQ R1, #1; MOVEQ R2, #2
    let mut machine = ready(&[0x2000, 0xbf04, 0x2101, 0x2202]);
    machine.steps(3);
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(
        machine.cpu.xpsr() & 0x0600_fc00,
        0,
        "handlers start outside IT blocks"
    );
    machine.steps(3);
    machine.step();
    assert_eq!(machine.cpu.regs[1..3], [1, 2]);
    assert_eq!(machine.cpu.xpsr() & 0x0600_fc00, 0);
}

#[test]
fn threads_may_use_the_process_stack() {
    // MSR PSP, R0; MSR CONTROL, R1; ISB
    let mut machine = ready(&[0xf380, 0x8809, 0xf381, 0x8814, 0xf3bf, 0x8f6f, NOP]);
    machine.cpu.regs[..2].copy_from_slice(&[RAM + 0x800, 2]);
    machine.steps(3);
    assert_eq!(
        (
            machine.cpu.regs[13],
            machine.cpu.msp(),
            machine.cpu.control()
        ),
        (RAM + 0x800, STACK, 2)
    );
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(
        (machine.cpu.regs[14], machine.cpu.psp()),
        (0xffff_fffd, RAM + 0x800 - 32)
    );
    assert_eq!(
        (machine.cpu.regs[13], machine.cpu.control()),
        (STACK, 0),
        "handlers use the main stack"
    );
    machine.steps(3);
    assert_eq!(
        (machine.cpu.regs[13], machine.cpu.control()),
        (RAM + 0x800, 2)
    );
}

#[test]
fn svc_and_pendsv() {
    let mut machine = ready(&[0xdf05, NOP]);
    machine.steps(2);
    assert_eq!(
        (machine.cpu.exception(), machine.memory.word(STACK - 8)),
        (11, START + 2),
        "after the SVC"
    );
    poke(&mut machine, SHPR3, 0xe0 << 16);
    poke(&mut machine, 0xe000_ed04, 1 << 28);
    machine.step();
    assert_eq!(machine.cpu.exception(), 11, "PendSV waits");
    machine.step();
    assert_eq!(machine.step(), 6);
    assert_eq!(machine.cpu.exception(), 14);
    // SVC at a priority that does not let it through is a HardFault.
    let mut machine = ready(&[0xb672, 0xdf05]);
    machine.steps(2);
    assert_eq!(
        (machine.cpu.exception(), machine.cpu.last_fault()),
        (3, Some((START + 2, Cause::Escalated)))
    );
    assert_eq!(peek(&mut machine, 0xe000_ed2c), 1 << 30);
    let mut machine = ready(&[0xdf05, NOP]);
    poke(&mut machine, SHPR2, 0x20 << 24);
    machine.cpu.pend_irq(0);
    machine.steps(4);
    assert_eq!(
        machine.cpu.exception(),
        0,
        "an interrupt that was there first"
    );
}

#[test]
fn wfi_sleeps_until_an_interrupt() {
    let mut machine = ready(&[0xbf30, NOP]);
    machine.step();
    assert!(machine.cpu.sleeping() && !machine.cpu.deep_sleep());
    assert_eq!((machine.step(), machine.pc()), (0, START + 2));
    machine.cpu.idle(100);
    assert!(machine.cpu.sleeping());
    machine.cpu.pend_irq(1);
    assert!(!machine.cpu.sleeping());
    assert_eq!(machine.step(), 12);
    // PRIMASK holds the handler back, not the waking.
    let mut machine = ready(&[0xb672, 0xbf30, 0x2007]);
    machine.steps(2);
    machine.cpu.pend_irq(1);
    machine.step();
    assert_eq!((machine.cpu.regs[0], machine.cpu.exception()), (7, 0));
}

#[test]
fn wfe_sleeps_until_an_event() {
    let mut machine = ready(&[0xbf40, 0xbf20, 0xbf20, NOP]); // SEV; WFE; WFE
    machine.steps(2);
    assert!(!machine.cpu.sleeping(), "SEV had set the event");
    machine.step();
    assert!(machine.cpu.sleeping());
    machine.cpu.send_event();
    assert!(!machine.cpu.sleeping());
    machine.step();
    assert_eq!(machine.pc(), START + 8);
    // With SEVONPEND a pending interrupt that is not enabled is an event.
    let mut machine = ready(&[0xbf20, NOP]);
    poke(&mut machine, SCR, 1 << 4);
    poke(&mut machine, 0xe000_e180, 0xf);
    machine.step();
    machine.cpu.pend_irq(0);
    assert!(!machine.cpu.sleeping());
}

#[test]
fn sleep_on_exit() {
    let mut machine = ready(&[NOP]);
    poke(&mut machine, SCR, 6);
    machine.cpu.pend_irq(0);
    machine.steps(4);
    assert!(machine.cpu.sleeping() && machine.cpu.deep_sleep());
    machine.cpu.pend_irq(0);
    assert_eq!(machine.step(), 12);
}

#[test]
fn reset_request_and_reset() {
    let mut machine = ready(&[NOP]);
    poke(&mut machine, AIRCR, 4);
    assert!(!machine.cpu.take_reset_request(), "the key is missing");
    poke(&mut machine, AIRCR, 0x05fa_0004);
    assert!(machine.cpu.take_reset_request());
    assert!(!machine.cpu.take_reset_request());
    let cycles = machine.cpu.cycles;
    machine.cpu.reset(&mut machine.memory, 0).expect("vectors");
    assert_eq!(
        (machine.pc(), machine.cpu.regs[13], machine.cpu.cycles),
        (START, STACK, cycles)
    );
    assert_eq!(peek(&mut machine, ISER), 0);
    let nowhere = machine.cpu.reset(&mut machine.memory, 0x7000_0000);
    assert!(matches!(
        nowhere,
        Err(Fault::NoVectors {
            addr: 0x7000_0000,
            ..
        })
    ));
}

#[test]
fn vectors_move_with_vtor() {
    let mut machine = ready(&[NOP]);
    poke(&mut machine, 0xe000_ed08, 0x800);
    assert_eq!(machine.cpu.vector_table(), 0x800);
    machine.memory.put(0x800 + 64, 0x1001);
    machine.cpu.pend_irq(0);
    machine.step();
    assert_eq!(machine.pc(), 0x1000);
}

#[test]
fn code_that_is_written_is_decoded_again() {
    // The program writes MOVS R0, #7 over a MOVS R0, #1 in RAM that has been executed.
    let mut machine = ready(&[NOP]);
    machine.memory.halves(RAM + 0x400, &[0x2001, 0xe7fd]);
    machine.cpu.regs[15] = RAM + 0x400;
    machine.steps(3);
    assert_eq!(machine.cpu.regs[0], 1);
    machine.cpu.regs[15] = RAM + 0x400;
    poke(&mut machine, RAM + 0x400, 0xe7fd_2007);
    machine.step();
    assert_eq!(machine.cpu.regs[0], 7);
    // The core is told of writes from outside.
    machine.memory.write16(RAM + 0x400, 0x2009).expect("RAM");
    machine.cpu.invalidate_code(RAM + 0x400, 2);
    machine.cpu.regs[15] = RAM + 0x400;
    machine.step();
    assert_eq!(machine.cpu.regs[0], 9);
}
