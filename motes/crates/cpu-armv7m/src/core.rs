//! The cores of one family: which instructions each of them has.
//!
//! All are decoded into the same operations. A Cortex-M0+ has the subset that ARM DDI0419E
//! ("ARMv6-M Architecture Reference Manual", section A5) lists; a Cortex-M4 has the DSP extension
//! and the registers of the FPU besides all that a Cortex-M3 has.

use crate::op::Op;
use crate::{decode16, decode32, dsp, fpu};

/// Which core of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Core {
    /// ARMv6-M.
    CortexM0Plus,
    /// ARMv7-M.
    #[default]
    CortexM3,
    /// ARMv7E-M.
    CortexM4,
}

impl Core {
    /// Every core, with its name.
    pub const ALL: [(&'static str, Core); 3] = [
        ("cortex-m0plus", Core::CortexM0Plus),
        ("armv7m", Core::CortexM3),
        ("cortex-m4", Core::CortexM4),
    ];

    /// The core of that name.
    pub fn named(name: &str) -> Option<Core> {
        let found = Core::ALL.iter().find(|(own, _)| *own == name);
        found.map(|(_, core)| *core)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Core::ALL.iter().find(|(_, core)| *core == self);
        found.map_or("", |(name, _)| name)
    }

    /// Decodes one instruction. Also: whether the flags it sets stay untouched inside an IT block.
    pub fn decode(self, first: u16, second: u16) -> (Op, bool) {
        if !decode16::is_wide(first) {
            let narrow = decode16::decode(first);
            let absent = self == Core::CortexM0Plus && !narrow_v6m(&narrow.0);
            return if absent {
                (Op::Undefined, false)
            } else {
                narrow
            };
        }
        let op = match self {
            Core::CortexM0Plus => wide_v6m(first, second),
            Core::CortexM3 => decode32::decode(first, second),
            Core::CortexM4 => dsp::decode(first, second)
                .or_else(|| fpu::decode(first, second))
                .unwrap_or_else(|| decode32::decode(first, second)),
        };
        (op, false)
    }

    /// CPUID: r0p1, r2p0 (the revision in the CC2538), r0p1.
    pub const fn cpuid(self) -> u32 {
        match self {
            Core::CortexM0Plus => 0x410c_c601,
            Core::CortexM3 => 0x412f_c230,
            Core::CortexM4 => 0x410f_c241,
        }
    }

    /// Unaligned accesses are always faults.
    pub const fn aligned_only(self) -> bool {
        matches!(self, Core::CortexM0Plus)
    }
}

/// Whether a 16-bit instruction of ARMv7-M is one of ARMv6-M (A5.2): all but IT, CBZ, CBNZ and the
/// CPS of FAULTMASK.
const fn narrow_v6m(op: &Op) -> bool {
    !matches!(
        op,
        Op::It { .. }
            | Op::Cbz { .. }
            | Op::Cps {
                faultmask: true,
                ..
            }
    )
}

/// The 32-bit instructions of ARMv6-M (A5.3): BL, MSR, MRS, DSB, DMB and ISB.
fn wide_v6m(first: u16, second: u16) -> Op {
    // BASEPRI, BASEPRI_MAX and FAULTMASK are not there.
    let there = |register| !matches!(register, 17..=19);
    match decode32::decode(first, second) {
        op @ (Op::Bl { .. } | Op::Dsb | Op::Dmb | Op::Isb) => op,
        op @ (Op::Mrs { register, .. } | Op::Msr { register, .. }) if there(register) => op,
        _ => Op::Undefined,
    }
}
