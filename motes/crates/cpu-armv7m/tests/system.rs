//! SysTick, the cycle counter, bit-bands, ID registers and special registers.

mod common;

use common::{DEVICE, Machine, NOP, RAM, START, handler};
use cpu_armv7m::Stop;

const TICK: u32 = 0xe000_e010;

/// R0 is the address of a system register, R1 a value.
fn with(program: &[u16], r0: u32, r1: u32) -> Machine {
    let mut machine = Machine::low(&[program, &[NOP; 40]].concat());
    machine.cpu.regs[..2].copy_from_slice(&[r0, r1]);
    for number in 2..20 {
        machine.memory.halves(handler(number), &[NOP, 0x4770]);
    }
    machine
}

#[test]
fn systick_counts_and_interrupts() {
    // STR R1,[R0,#4]: reload 9; STR R1,[R0,#8]: value 0; MOVS R1,#7; STR R1,[R0]: on; then NOPs.
    let mut machine = with(&[0x6041, 0x6081, 0x2107, 0x6001], TICK, 9);
    machine.steps(4);
    let on = machine.cpu.cycles;
    // From 0 the reload value is loaded first: the first 1 → 0 is after 10 cycles, and then every
    // 10.
    let deadline = machine.cpu.systick_deadline().expect("on");
    assert_eq!(deadline - on, 10);
    while machine.cpu.exception() == 0 {
        machine.step();
    }
    assert_eq!(machine.cpu.cycles, deadline + 12);
    machine.steps(3);
    assert_eq!(
        machine.cpu.exception(),
        15,
        "it came again, and is chained to"
    );
}

#[test]
fn systick_value_and_flag_read_back() {
    // As above without TICKINT; then LDR R2,[R0,#8] and LDR R3,[R0].
    let mut machine = with(
        &[
            0x6041, 0x6081, 0x2105, 0x6001, NOP, NOP, 0x6882, 0x6803, 0x6804,
        ],
        TICK,
        99,
    );
    machine.steps(6);
    machine.steps(3);
    assert_eq!(machine.cpu.regs[3], 5);
    let first = machine.cpu.regs[2];
    assert!((90..=99).contains(&first), "{first}");
    machine.cpu.idle(100);
    assert_eq!(machine.cpu.exception(), 0);
    machine.cpu.regs[15] = START + 12;
    machine.steps(3);
    assert_eq!(
        (machine.cpu.regs[3], machine.cpu.regs[4]),
        (0x1_0005, 5),
        "COUNTFLAG is cleared by reading"
    );
    assert_eq!(
        machine
            .cpu
            .systick_deadline()
            .map(|at| at > machine.cpu.cycles),
        Some(true)
    );
}

#[test]
fn systick_wakes_a_sleeping_core() {
    let mut machine = with(&[0x6041, 0x6081, 0x2107, 0x6001, 0xbf30], TICK, 999);
    machine.steps(5);
    assert!(machine.cpu.sleeping());
    let deadline = machine.cpu.systick_deadline().expect("on");
    machine.cpu.idle(deadline - machine.cpu.cycles - 1);
    assert!(machine.cpu.sleeping());
    machine.cpu.idle(1);
    assert!(!machine.cpu.sleeping());
    assert_eq!((machine.step(), machine.cpu.exception()), (12, 15));
}

#[test]
fn the_cycle_counter_counts_cycles() {
    let mut machine = with(
        &[0x6001, 0x601a, NOP, NOP, 0x6864, 0x6864],
        0xe000_edfc,
        1 << 24,
    );
    // STR R1,[R0]: TRCENA; STR R2,[R3]: CYCCNTENA; LDR R4,[R4,#4] twice.
    machine.cpu.regs[2..5].copy_from_slice(&[1, 0xe000_1000, 0xe000_1000]);
    machine.steps(2);
    let start = machine.cpu.cycles;
    machine.steps(3);
    let counted = machine.cpu.regs[4];
    assert!(
        u64::from(counted) <= machine.cpu.cycles - start + 1 && counted >= 2,
        "{counted}"
    );
    // Two reads are as far apart as the clock says.
    let mut machine = with(
        &[0x6001, 0x601a, 0x6865, NOP, NOP, 0x6866],
        0xe000_edfc,
        1 << 24,
    );
    machine.cpu.regs[2..5].copy_from_slice(&[1, 0xe000_1000, 0xe000_1000]);
    machine.steps(6);
    assert_eq!(
        machine.cpu.regs[6] - machine.cpu.regs[5],
        4,
        "a load of two cycles and two NOPs"
    );
}

#[test]
fn bit_bands_read_and_write_single_bits() {
    let mut machine = with(
        &[0x6802, 0x6001, 0x6803],
        0x2200_0000 + 0x40 * 32 + 5 * 4,
        0xff,
    );
    machine.memory.put(RAM + 0x40, 0xdead_be0f);
    machine.steps(3);
    assert_eq!((machine.cpu.regs[2], machine.cpu.regs[3]), (0, 1));
    assert_eq!(machine.memory.word(RAM + 0x40), 0xdead_be2f);
    // Devices: clearing bit 31 through the alias of its octet.
    let mut machine = with(&[0x7001], 0x4200_0000 + 3 * 32 + 7 * 4, 0);
    machine.memory.put(DEVICE, u32::MAX);
    machine.step();
    assert_eq!(machine.memory.word(DEVICE), 0x7fff_ffff);
    assert_eq!(machine.memory.told.len(), 2, "read and write");
}

#[test]
fn identification() {
    for (addr, value) in [
        (0xe000_ed00, 0x412f_c230),
        (0xe000_e004, 7),
        (0xe000_ed14, 0x200),
        (0xe000_ed90, 0),
        (0xe000_ed88, 0),
        (0xe000_ed60, 0x0110_1110),
    ] {
        let mut machine = with(&[0x6802], addr, 0);
        machine.step();
        assert_eq!(machine.cpu.regs[2], value, "0x{addr:08x}");
    }
}

#[test]
fn special_registers_read_back() {
    // MSR x, R0; MRS R2, x
    for (register, written, read) in [
        (8, 0x2000_0803, 0x2000_0800),
        (9, 0x2000_0c00, 0x2000_0c00),
        (16, 3, 1),
        (17, 0xff, 0xe0),
        (19, 1, 1),
        (20, 2, 2),
    ] {
        let mut machine = with(
            &[0xf380, 0x8800 | register, 0xf3ef, 0x8200 | register],
            written,
            0,
        );
        machine.steps(2);
        assert_eq!(machine.cpu.regs[2], read, "register {register}");
    }
    // BASEPRI_MAX only raises: 0x40, then 0x60 is refused, 0x20 taken.
    let mut machine = with(
        &[
            0xf380, 0x8812, 0xf381, 0x8812, 0xf3ef, 0x8211, 0xf383, 0x8812,
        ],
        0x40,
        0x60,
    );
    machine.cpu.regs[3] = 0x20;
    machine.steps(3);
    assert_eq!(machine.cpu.regs[2], 0x40);
    machine.step();
    assert_eq!(machine.cpu.basepri(), 0x20);
    // IPSR in a handler.
    let mut machine = with(&[NOP], 0, 0);
    machine.memory.halves(handler(2), &[0xf3ef, 0x8205]);
    machine.cpu.pend_nmi();
    machine.steps(2);
    assert_eq!(machine.cpu.regs[2], 2);
}

#[test]
fn run_stops_for_devices_sleep_and_addresses() {
    let mut machine = with(&[NOP, 0x6802, NOP, 0xbf30, NOP], DEVICE, 0);
    let run = |machine: &mut Machine, stop| {
        machine
            .cpu
            .run(&mut machine.memory, 1000, stop)
            .expect("no fault")
    };
    assert_eq!(
        (run(&mut machine, None), machine.pc()),
        (Stop::Device, START + 4)
    );
    assert_eq!(
        (run(&mut machine, Some(START + 6)), machine.pc()),
        (Stop::Address, START + 6)
    );
    assert_eq!(
        (run(&mut machine, None), machine.pc()),
        (Stop::Sleep, START + 8)
    );
    machine.cpu.send_event();
    machine.cpu.pend_nmi();
    assert_eq!(run(&mut machine, None), Stop::Limit);
}
