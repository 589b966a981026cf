//! Interrupts, sleep, the registers in the data space, program memory, faults and the tracer.

mod common;

use common::Flat;
use cpu_avr::{BusError, Cpu, DATA_START, Fault, SREG_I, Step, Tracer};

const SEI: u16 = 0x9478;
const CLI: u16 = 0x94f8;
const NOP: u16 = 0;
const RETI: u16 = 0x9518;
const SLEEP: u16 = 0x9588;

fn cpu() -> Cpu {
    let mut cpu = Cpu::new();
    (cpu.pc, cpu.sp) = (0x1234, 0x10ff);
    cpu
}

#[test]
fn an_interrupt_pushes_the_pc_and_clears_i() {
    let mut bus = Flat::new(0x1234, &[]);
    let mut cpu = cpu();
    cpu.sreg = 0xff;
    assert_eq!(cpu.interrupt(&mut bus, 0x2e), Ok(4));
    assert_eq!(
        (cpu.pc, cpu.sp, cpu.sreg, cpu.cycles),
        (0x2e, 0x10fd, 0x7f, 4)
    );
    assert_eq!((bus.data[0x10ff], bus.data[0x10fe]), (0x34, 0x12));
    assert!(!cpu.interruptible());
}

#[test]
fn one_instruction_runs_after_sei_and_none_after_cli() {
    let mut bus = Flat::new(0x1234, &[SEI, NOP, CLI]);
    let mut cpu = cpu();
    for expected in [false, true, false] {
        assert!(cpu.step(&mut bus).is_ok());
        assert_eq!(cpu.interruptible(), expected);
    }
}

#[test]
fn one_instruction_runs_after_sreg_is_written_by_out() {
    let mut bus = Flat::new(0x1234, &[0xbf0f, NOP]); // OUT 0x3f, R16
    let mut cpu = cpu();
    cpu.regs[16] = SREG_I;
    assert!(cpu.step(&mut bus).is_ok());
    assert!(!cpu.interruptible());
    assert!(cpu.step(&mut bus).is_ok());
    assert!(cpu.interruptible());
}

#[test]
fn one_instruction_runs_after_reti_even_if_i_was_set() {
    for sreg in [0, SREG_I] {
        let mut bus = Flat::new(0x1234, &[RETI]);
        let mut cpu = cpu();
        (cpu.sp, cpu.sreg) = (0x10fd, sreg);
        [bus.data[0x10fe], bus.data[0x10ff]] = [0x45, 0x67];
        assert_eq!(cpu.step(&mut bus), Ok(4));
        assert_eq!((cpu.pc, cpu.sp, cpu.sreg), (0x4567, 0x10ff, SREG_I));
        assert!(!cpu.interruptible());
        assert!(cpu.step(&mut bus).is_ok());
        assert!(cpu.interruptible());
    }
}

#[test]
fn an_interrupt_out_of_sleep_takes_four_cycles_more() {
    let mut bus = Flat::new(0x1234, &[SEI, SLEEP]);
    let mut cpu = cpu();
    assert!(cpu.step(&mut bus).is_ok());
    assert_eq!(cpu.step(&mut bus), Ok(1));
    assert!(cpu.sleeping() && cpu.interruptible());
    assert_eq!(cpu.interrupt(&mut bus, 2), Ok(8));
    assert!(!cpu.sleeping());
    assert_eq!((bus.data[0x10ff], bus.data[0x10fe]), (0x36, 0x12));
    assert_eq!((cpu.wake(), cpu.cycles), (0, 10));
}

#[test]
fn sleep_needs_to_be_enabled() {
    let mut bus = Flat::new(0x1234, &[SLEEP]);
    bus.sleep_enabled = false;
    let mut cpu = cpu();
    assert_eq!(cpu.step(&mut bus), Ok(1));
    assert!(!cpu.sleeping());
}

#[test]
fn registers_lie_in_the_data_space() {
    // STS 0x5d, R1; STS 0x5e, R2; STS 0x5f, R3; STS 0x5b, R4; LDS R5, 0x1f; STS 0x0006, R1; IN R7,
    // 0x3e
    let mut words = Vec::new();
    for (word, addr) in [
        (0x9210, 0x5d),
        (0x9220, 0x5e),
        (0x9230, 0x5f),
        (0x9240, 0x5b),
        (0x9050, 0x1f),
        (0x9210, 6),
    ] {
        words.extend([word, addr]);
    }
    words.push(0xb67e);
    let mut bus = Flat::new(0x1234, &words);
    let mut cpu = cpu();
    for (number, value) in [0x11, 0x22, 0x33, 0xff].into_iter().enumerate() {
        cpu.regs[1 + number] = value;
    }
    cpu.regs[31] = 0x77;
    for _ in 0..7 {
        assert!(cpu.step(&mut bus).is_ok());
    }
    assert_eq!((cpu.sp, cpu.sreg, cpu.rampz), (0x2211, 0x33, 1));
    assert_eq!(cpu.regs.to_array()[5..8], [0x77, 0x11, 0x22]);
    assert!(bus.data.iter().all(|octet| *octet == 0));
}

#[test]
fn program_memory_by_octets_and_across_the_border() {
    // LPM R0; ELPM R3, Z+; ELPM R4, Z; LPM R5, Z+
    let mut bus = Flat::new(0x1234, &[0x95c8, 0x9037, 0x9046, 0x9055]);
    (bus.program[0x7fff], bus.program[0x8000], bus.program[0]) = (0xaabb, 0xccdd, 0xeeff);
    let mut cpu = cpu();
    cpu.set_pair(30, 0xffff);
    for _ in 0..4 {
        assert_eq!(cpu.step(&mut bus), Ok(3));
    }
    assert_eq!(
        (cpu.regs[0], cpu.regs[3], cpu.regs[4], cpu.regs[5]),
        (0xaa, 0xaa, 0xdd, 0xff)
    );
    assert_eq!((cpu.pair(30), cpu.rampz), (1, 1));
}

#[test]
fn self_programming_and_watchdog_reach_the_bus() {
    let mut bus = Flat::new(0x1234, &[0x95e8, 0x95a8]);
    let mut cpu = cpu();
    cpu.rampz = 1;
    cpu.set_pair(30, 0x2346);
    cpu.set_pair(0, 0xbeef);
    assert_eq!(cpu.step(&mut bus), Ok(11));
    assert_eq!(cpu.step(&mut bus), Ok(1));
    assert_eq!((bus.stored, bus.watchdog), (vec![(0x1_2346, 0xbeef)], 1));
}

struct Nothing;

impl cpu_avr::Bus for Nothing {
    fn fetch(&mut self, pc: u16) -> Result<u16, BusError> {
        if pc == 0 {
            Ok(0x900c)
        } else {
            Err(BusError::NoProgram(pc))
        }
    }

    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        Err(BusError::Unmapped(addr))
    }

    fn write(&mut self, addr: u16, _: u8) -> Result<(), BusError> {
        Err(BusError::ReadOnly(addr))
    }
}

#[test]
fn a_fault_names_the_instruction_and_the_address() {
    let mut cpu = Cpu::new();
    cpu.set_pair(26, 0x4321); // LD R0, X
    let fault = cpu.step(&mut Nothing);
    let error = BusError::Unmapped(0x4321);
    assert_eq!(fault, Err(Fault::Bus { pc: 0, error }));
    assert_eq!((cpu.pc, cpu.cycles), (0, 0));
    cpu.pc = 0x8000;
    let text = cpu.step(&mut Nothing).map_err(|fault| fault.to_string());
    assert_eq!(
        text,
        Err("instruction at 0x10000: no program memory at word 0x8000".into())
    );
    // The second push goes below address 0, where no register is.
    assert_eq!(
        cpu.interrupt(&mut Nothing, 2).map_err(Fault::pc),
        Err(0x8000)
    );
}

#[derive(Default)]
struct Log(Vec<(char, u32)>);

impl Tracer for Log {
    fn pc(&mut self, pc: u32) {
        self.0.push(('p', pc));
    }

    fn read(&mut self, addr: u32) {
        self.0.push(('r', addr));
    }

    fn write(&mut self, addr: u32) {
        self.0.push(('w', addr));
    }
}

#[test]
fn the_tracer_sees_every_access() {
    // LD R2, X+; STD Y+5, R2; ELPM R3, Z; CALL 0x2000; at 0x2000: RET
    let mut bus = Flat::new(0x1234, &[0x902d, 0x822d, 0x9036, 0x940e, 0x2000]);
    bus.program[0x2000] = 0x9508;
    let mut cpu = cpu();
    (cpu.rampz, cpu.sp) = (1, 0x10ff);
    cpu.set_pair(26, 0x300);
    cpu.set_pair(28, 0x400);
    cpu.set_pair(30, 0x567);
    let mut log = Log::default();
    for _ in 0..5 {
        assert!(cpu.step_traced(&mut bus, &mut log).is_ok());
    }
    let expected = [
        ('p', 2 * 0x1234),
        ('r', DATA_START + 0x300),
        ('p', 2 * 0x1235),
        ('w', DATA_START + 0x405),
        ('p', 2 * 0x1236),
        ('r', 0x1_0567),
        ('p', 2 * 0x1237),
        ('w', DATA_START + 0x10ff),
        ('w', DATA_START + 0x10fe),
        ('p', 2 * 0x2000),
        ('r', DATA_START + 0x10fe),
        ('r', DATA_START + 0x10ff),
    ];
    assert_eq!(
        (log.0.as_slice(), cpu.pc, cpu.last_pc()),
        (expected.as_slice(), 0x1239, 0x2000)
    );
    cpu.reset(0xf000);
    assert_eq!(
        (cpu.pc, cpu.sp, cpu.rampz, cpu.pair(26)),
        (0xf000, 0, 0, 0x301)
    );
}

#[test]
fn a_store_through_x_into_x_leaves_x_as_it_was() {
    // ST X, R1; STD Y+0, R1; STD Z+0, R1
    for (word, pointer, after) in [(0x921c, 26, 26), (0x8218, 28, 0x77), (0x8210, 30, 0x77)] {
        let mut bus = Flat::new(0x1234, &[word]);
        let mut cpu = cpu();
        cpu.regs[1] = 0x77;
        cpu.set_pair(pointer, pointer as u16);
        assert_eq!((cpu.step(&mut bus), cpu.pair(pointer)), (Ok(2), after));
    }
}

#[test]
fn a_run_is_steps_one_after_the_other() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u16
    };
    for _ in 0..200 {
        let program: Vec<u16> = (0..64).map(|_| random()).collect();
        let (mut stepped, mut ran) = (cpu(), cpu());
        let mut buses = [Flat::new(0x1234, &program), Flat::new(0x1234, &program)];
        for stop in (5..200).step_by(5) {
            let fault = loop {
                let fault = stepped.step(&mut buses[0]).err();
                if fault.is_some() || stepped.cycles >= stop || stepped.sleeping() {
                    break fault;
                }
            };
            assert_eq!(ran.run(&mut buses[1], stop).err(), fault);
            let state = |cpu: &Cpu| (cpu.regs, cpu.pc, cpu.sp, cpu.sreg, cpu.rampz, cpu.cycles);
            assert_eq!(state(&ran), state(&stepped));
            let more = |cpu: &Cpu| (cpu.interruptible(), cpu.sleeping(), cpu.last_pc());
            assert_eq!(more(&ran), more(&stepped));
            if fault.is_some() {
                break;
            }
        }
        assert_eq!(buses[0].data, buses[1].data);
    }
}
