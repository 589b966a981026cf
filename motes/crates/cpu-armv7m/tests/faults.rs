//! Faults: what each cause leaves in the status registers, escalation, lockup, and what stops a
//! run.

mod common;

use common::{Machine, NOP, RAM, STACK, START, handler};
use cpu_armv7m::{BusError, Cause, Fault};

const SHCSR: u32 = 0xe000_ed24;
const CCR: u32 = 0xe000_ed14;
const CFSR: u32 = 0xe000_ed28;
const HFSR: u32 = 0xe000_ed2c;
const BFAR: u32 = 0xe000_ed38;

fn system(machine: &mut Machine, halves: [u16; 1], addr: u32, value: u32) -> u32 {
    let (regs, xpsr) = (machine.cpu.regs, machine.cpu.xpsr());
    machine.memory.halves(0x1f00, &halves);
    machine.cpu.invalidate_code(0x1f00, 2);
    machine.cpu.regs[..2].copy_from_slice(&[addr, value]);
    machine.cpu.regs[15] = 0x1f00;
    machine.step();
    let read = machine.cpu.regs[1];
    machine.cpu.regs = regs;
    machine.cpu.set_xpsr(xpsr);
    read
}

/// HFSR.FORCED.
const FORCED: u32 = 1 << 30;

fn poke(machine: &mut Machine, addr: u32, value: u32) {
    system(machine, [0x6001], addr, value);
}

fn peek(machine: &mut Machine, addr: u32) -> u32 {
    system(machine, [0x6801], addr, 0)
}

fn with(program: &[u16]) -> Machine {
    let mut machine = Machine::low(&[program, &[NOP; 8]].concat());
    for number in 2..20 {
        machine.memory.halves(handler(number), &[NOP, 0x4770]);
    }
    machine
}

/// Each cause: program, R0, the exception with its own handler enabled, CFSR.
#[test]
fn causes_and_their_bits() {
    let cases: [(&[u16], u32, u32, u32); 9] = [
        (&[0x6801], 0x7000_0000, 5, 1 << 9 | 1 << 15), // LDR from nowhere
        (&[0x6001], 0x7000_0000, 5, 1 << 9 | 1 << 15), // STR to nowhere
        (&[0x4700, NOP], 0x1000_0001, 5, 1 << 8),      // BX to nowhere
        (&[0x4700, NOP], 0x4000_0001, 4, 1),           // BX to a device
        (&[0xde00], 0, 6, 1 << 16),                    // UDF
        (&[0x4700, NOP], 0x500, 6, 1 << 17),           // BX to ARM state
        (&[0xee00, 0x0a10], 0, 6, 1 << 19),            // VMOV
        (&[0xe8d0, 0x1f4f, NOP], RAM, 0, 0),           // LDREXB: no fault
        (&[0xe9d0, 0x1200], RAM + 2, 6, 1 << 24),      // LDRD unaligned
    ];
    for (program, r0, exception, bits) in cases {
        let mut machine = with(program);
        poke(&mut machine, SHCSR, 7 << 16);
        machine.cpu.regs[0] = r0;
        machine.steps(2);
        assert_eq!(machine.cpu.exception(), exception, "{program:04x?}");
        assert_eq!(peek(&mut machine, CFSR), bits, "{program:04x?}");
        if bits & 1 << 15 != 0 {
            assert_eq!(peek(&mut machine, BFAR), r0);
        }
        assert_eq!(peek(&mut machine, HFSR), 0);
    }
}

#[test]
fn faults_return_to_their_instruction() {
    let mut machine = with(&[NOP, 0x6801]);
    machine.cpu.regs[0] = 0x7000_0000;
    machine.steps(2);
    assert_eq!(
        (machine.cpu.exception(), machine.memory.word(STACK - 8)),
        (3, START + 2)
    );
    assert_eq!(peek(&mut machine, HFSR), FORCED, "BusFault is not enabled");
    assert_eq!(
        machine.cpu.last_fault(),
        Some((START + 2, Cause::Data(BusError::Unmapped(0x7000_0000))))
    );
    // The cause removed, the instruction executes.
    machine.memory.put(STACK - 32, RAM);
    machine.memory.put(RAM, 0x55);
    machine.steps(4);
    assert_eq!(machine.cpu.regs[1], 0x55);
}

#[test]
fn bits_are_cleared_by_writing_ones() {
    let mut machine = with(&[0xde00]);
    machine.step();
    assert_eq!(peek(&mut machine, CFSR), 1 << 16);
    poke(&mut machine, CFSR, u32::MAX);
    poke(&mut machine, HFSR, u32::MAX);
    assert_eq!((peek(&mut machine, CFSR), peek(&mut machine, HFSR)), (0, 0));
}

#[test]
fn division_and_alignment_trap_when_asked() {
    let mut machine = with(&[0xfbb0, 0xf1f2, 0x6803]); // UDIV R1, R0, R2; LDR R3, [R0]
    machine.cpu.regs[0] = RAM + 1;
    machine.steps(2);
    assert_eq!((machine.cpu.regs[1], machine.cpu.exception()), (0, 0));
    for (trap, bit) in [(1 << 4, 1 << 25), (1 << 3, 1 << 24)] {
        let mut machine = with(&[0xfbb0, 0xf1f2, 0x6803]);
        poke(&mut machine, CCR, trap);
        machine.cpu.regs[0] = RAM + 1;
        machine.steps(2);
        assert_eq!(machine.cpu.exception(), 3);
        assert_eq!(peek(&mut machine, CFSR), bit);
    }
}

#[test]
fn a_failed_transfer_leaves_registers() {
    for program in [
        &[0xc806_u16][..],
        &[0xf850, 0x1b04],
        &[0xe8f0, 0x1202],
        &[0xc006],
    ] {
        let mut machine = with(program);
        machine.cpu.halt.faults = true;
        machine.cpu.regs[0] = RAM + 0x1ffc + if program[0] == 0xf850 { 4 } else { 0 };
        let before = machine.cpu.regs;
        let fault = machine.try_step().expect_err("outside");
        assert!(matches!(
            fault,
            Fault::Exception {
                pc: START,
                cause: Cause::Data(BusError::Unmapped(0x2000_2000))
            }
        ));
        assert_eq!(machine.cpu.regs, before, "{program:04x?}");
    }
}

#[test]
fn a_fault_in_hard_fault_is_a_lockup() {
    let mut machine = with(&[0xde00]);
    machine.memory.halves(handler(3), &[0xde00]);
    machine.step();
    let lockup = machine.try_step();
    assert_eq!(
        lockup,
        Err(Fault::Lockup {
            pc: handler(3),
            cause: Cause::Undefined
        })
    );
    assert_eq!(machine.pc(), handler(3));
    assert_eq!(
        lockup.expect_err("lockup").to_string(),
        "lockup at 0x00000130: undefined instruction"
    );
}

#[test]
fn a_stack_that_is_not_there() {
    let mut machine = with(&[NOP]);
    machine.cpu.regs[13] = 0x7000_0000;
    machine.cpu.pend_nmi();
    machine.step();
    assert_eq!(
        (
            machine.cpu.exception(),
            machine.cpu.last_fault().map(|fault| fault.0)
        ),
        (2, Some(START))
    );
    assert_eq!(peek(&mut machine, CFSR), 1 << 12);
    // Without a vector a HardFault follows.
    let mut machine = with(&[NOP]);
    poke(&mut machine, 0xe000_ed08, 0x0001_0000);
    machine.cpu.pend_nmi();
    assert!(matches!(
        machine.try_step(),
        Err(Fault::Lockup {
            cause: Cause::Vector(_),
            ..
        })
    ));
}

#[test]
fn invalid_returns() {
    for value in [0xffff_fff1_u32, 0xffff_ffff, 0xf000_0009] {
        let mut machine = with(&[NOP]);
        machine.memory.halves(handler(2), &[0x4700]); // BX R0
        poke(&mut machine, SHCSR, 7 << 16);
        machine.cpu.pend_nmi();
        machine.step();
        machine.cpu.regs[0] = value;
        machine.steps(2);
        assert_eq!((machine.cpu.exception(), machine.cpu.regs[14]), (6, value));
        assert_eq!(peek(&mut machine, CFSR), 1 << 18);
    }
}

#[test]
fn breakpoints() {
    let mut machine = with(&[0xbe2a]);
    machine.step();
    assert_eq!(machine.cpu.exception(), 3);
    assert_eq!(peek(&mut machine, HFSR), 1 << 31);
    let mut machine = with(&[0xbe2a]);
    machine.cpu.halt.breakpoints = true;
    assert_eq!(
        machine.try_step(),
        Err(Fault::Exception {
            pc: START,
            cause: Cause::Breakpoint(42)
        })
    );
}

#[test]
fn what_is_not_modelled_ends_the_run() {
    let mut machine = with(&[0x6001, NOP]);
    machine.cpu.regs[..2].copy_from_slice(&[0xe000_ed94, 1]); // MPU_CTRL.ENABLE
    let fault = machine.try_step().expect_err("no MPU");
    assert_eq!(
        fault,
        Fault::NotModelled {
            pc: START,
            error: BusError::NotModelled(0xe000_ed94)
        }
    );
    assert_eq!((fault.pc(), machine.pc()), (START, START));
}

#[test]
fn unprivileged_threads_do_not_reach_the_system_space() {
    let mut machine = with(&[0xf380, 0x8814, 0x6808, 0xb672, NOP]); // MSR CONTROL, R0; LDR R0, [R1]; CPSID i
    machine.cpu.regs[..2].copy_from_slice(&[1, CFSR]);
    machine.steps(2);
    assert_eq!(machine.cpu.exception(), 3);
    let mut machine = with(&[0xf380, 0x8814, 0xb672, NOP]);
    machine.cpu.regs[0] = 1;
    machine.steps(2);
    assert!(!machine.cpu.primask(), "CPS does nothing");
    // LDRT is unprivileged in a privileged thread.
    let mut machine = with(&[0xf851, 0x0e00, NOP]);
    machine.cpu.regs[1] = CFSR;
    machine.step();
    assert_eq!(machine.cpu.exception(), 3);
}
