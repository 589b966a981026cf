//! Registers and breakpoints as gdb numbers them: one form for all CPUs, whose layout the board
//! knows.

use gdbstub::arch::{self, Arch};
use std::num::NonZeroUsize;

/// All CPUs of the boards.
pub(super) enum AnyCpu {}

/// The registers of a CPU, octets in gdb's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Octets(pub(super) Vec<u8>);

/// gdb's number of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(pub(super) usize);

impl Arch for AnyCpu {
    /// Wider than any address: a debugger may ask for one that no CPU has.
    type Usize = u64;
    type Registers = Octets;
    type BreakpointKind = usize;
    type RegId = Number;
}

impl arch::Registers for Octets {
    type ProgramCounter = u64;

    /// Not asked for: the target knows it.
    fn pc(&self) -> u64 {
        0
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().for_each(|octet| write_byte(Some(*octet)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.0 = bytes.to_vec();
        Ok(())
    }
}

impl arch::RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Number, Option<NonZeroUsize>)> {
        Some((Number(id), None))
    }
}

/// The registers of an MSP430, for LLDB. It reads a return address from the stack with as many bits
/// as the PC has here: 16. gdb knows them without it, and has 32 bits for each; those are what both
/// get, and LLDB takes the lower ones.
pub(super) const MSP430: &str = r#"<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0">
<feature name="msp430">
<reg name="pc" bitsize="16" type="code_ptr"/><reg name="sp" bitsize="16" type="data_ptr"/>
<reg name="r2" bitsize="16"/><reg name="r3" bitsize="16"/><reg name="fp" bitsize="16"/>
<reg name="r5" bitsize="16"/><reg name="r6" bitsize="16"/><reg name="r7" bitsize="16"/>
<reg name="r8" bitsize="16"/><reg name="r9" bitsize="16"/><reg name="r10" bitsize="16"/>
<reg name="r11" bitsize="16"/><reg name="r12" bitsize="16"/><reg name="r13" bitsize="16"/>
<reg name="r14" bitsize="16"/><reg name="r15" bitsize="16"/>
</feature></target>"#;

/// What gdb must be told of a Cortex-M3, whose registers are not those of other ARM cores.
pub(super) const CORTEX_M: &str = r#"<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0"><architecture>arm</architecture>
<feature name="org.gnu.gdb.arm.m-profile">
<reg name="r0" bitsize="32"/><reg name="r1" bitsize="32"/><reg name="r2" bitsize="32"/>
<reg name="r3" bitsize="32"/><reg name="r4" bitsize="32"/><reg name="r5" bitsize="32"/>
<reg name="r6" bitsize="32"/><reg name="r7" bitsize="32"/><reg name="r8" bitsize="32"/>
<reg name="r9" bitsize="32"/><reg name="r10" bitsize="32"/><reg name="r11" bitsize="32"/>
<reg name="r12" bitsize="32"/><reg name="sp" bitsize="32" type="data_ptr"/>
<reg name="lr" bitsize="32"/><reg name="pc" bitsize="32" type="code_ptr"/>
<reg name="xpsr" bitsize="32"/>
</feature></target>"#;
