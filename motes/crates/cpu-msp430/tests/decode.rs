//! Every possible first word: either it is an instruction of the guide, or it is refused; nothing
//! panics.

mod common;

use common::*;
use cpu_msp430::Fault;

/// Whether SLAU049 describes an instruction with this first word.
fn described(word: u16) -> bool {
    let (mode, register) = (word >> 4 & 3, word & 0xf);
    // Constants and immediates, which cannot be modified.
    let constant =
        mode != 0 && register == 3 || mode >= 2 && register == 2 || mode == 3 && register == 0;
    match word {
        0x1000..=0x107f | 0x1100..=0x117f => !constant, // RRC, RRA and .B
        0x1080..=0x10bf | 0x1180..=0x11bf => !constant, // SWPB, SXT
        0x1200..=0x127f | 0x1280..=0x12bf | 0x1300 => true, // PUSH and .B, CALL, RETI
        0x2000..=0xffff => true,                        // jumps, format I
        _ => false,
    }
}

#[test]
fn every_first_word_executes_or_is_refused() {
    let mut executed = 0;
    for word in 0..=u16::MAX {
        for fill in [0x1200, 0x1201, 0xffff] {
            let mut machine = Machine::new(&[word, fill, fill]);
            for register in (1..16).filter(|&register| register != 3) {
                machine.cpu.regs[register] = if register == 2 { fill & 0x1ff } else { fill };
            }
            match machine.step() {
                Ok(cycles) => {
                    assert!(described(word), "0x{word:04x} is no instruction");
                    assert!((1..=6).contains(&cycles), "0x{word:04x} took {cycles}");
                    executed += 1;
                }
                Err(fault) => {
                    assert_eq!(fault, Fault::IllegalInstruction { pc: CODE, word });
                    assert!(!described(word), "0x{word:04x}: {fault}");
                    assert_eq!(
                        machine.cpu.regs[0], CODE,
                        "PC shows the instruction that faulted"
                    );
                }
            }
            assert_eq!(machine.cpu.regs[3], 0, "0x{word:04x}: R3 holds no state");
            assert_eq!(
                machine.cpu.sr() & 0xfe00,
                0,
                "0x{word:04x}: reserved bits of SR"
            );
        }
    }
    assert_eq!(
        executed,
        3 * (0..=u16::MAX).filter(|&word| described(word)).count()
    );
}
