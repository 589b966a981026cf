//! The pipeline rules that are not one number in ARM's manual, as named parameters: the two ends of
//! a band.
//!
//! Source of the rules: ARM DDI0337I "Cortex-M3 Technical Reference Manual" (r2p0/r2p1), section
//! 3.3 "Instruction set summary" with its subsection "Load/store timings", and section 3.9
//! "Exceptions". Where the manual gives a range, the low end and the high end of the band are its
//! ends. Where it gives a range and no law between the ends, the law is marked "assumed". Wait
//! states are not here: they come from the [`crate::Bus`].

use crate::core::Core;

/// How long UMULL, SMULL, UMLAL and SMLAL take. The manual says that they end early "depending on
/// the size of the source values" and gives only the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongMultiply {
    /// Always the shortest: 3, and 4 with accumulation.
    Shortest,
    /// Always the longest: 5, and 7 with accumulation.
    Longest,
    /// The shortest if both operands are below 2^16, else the longest (assumed; a law that users
    /// have reported).
    ByBothOperands,
    /// One cycle, with accumulation too (Cortex-M4).
    One,
}

/// How long UDIV and SDIV take: `base + ceil(quotient bits / bits_per_cycle)`, at most 12, and 2
/// when the quotient is 0. The manual gives 2–12, ending early "based on the number of leading ones
/// and zeroes in the input operands". The quotient bits are the difference of the operands' lengths
/// plus 1. The law is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divide {
    /// Cycles besides the steps.
    pub base: u32,
    /// Bits of the quotient that a cycle makes.
    pub bits_per_cycle: u32,
}

/// The rules of one end of the band. All fields are core cycles unless they say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The core that these rules are of. It says too which instructions there are.
    pub core: Core,
    /// Loads and stores pipeline with their neighbours, and wait for an address that was computed
    /// just before.
    pub pipelined: bool,
    /// MUL.
    pub multiply: u32,
    /// MLA, MLS.
    pub multiply_accumulate: u32,
    /// BL takes so many cycles more than B.
    pub link: u32,
    /// P of a taken branch to a target inside one fetched word: 1 if its address was speculated
    /// early, else 2. A 32-bit target that straddles two words needs one fetch more, which the
    /// fetch model adds: so P is 1–3 in all.
    pub refill: u32,
    /// LDR to PC and POP with PC reload the pipeline after the load: the manual's "at least five
    /// cycles" are 2 + 3.
    pub refill_load: u32,
    /// Reload of TBB and TBH: the manual's table says 2+P, its text "at least six cycles" (2 load,
    /// 1 add, 3 reload).
    pub refill_table: u32,
    /// Reload of ISB.
    pub refill_barrier: u32,
    /// STR with an immediate offset that follows no load: 2 in the table, "always one cycle" in the
    /// text.
    pub store_immediate: u32,
    /// Stall of an access whose address register is the result of the data-processing instruction
    /// just before.
    pub address_stall: u32,
    /// Added cycles of a PC-relative load, which "might add a cycle because of contention with the
    /// fetch unit".
    pub literal_contention: u32,
    /// Cycles of an IT instruction after a 16-bit instruction: 0 when it is folded.
    pub folded_it: u32,
    /// MRS and MSR: 1 or 2 in the manual.
    pub special_register: u32,
    /// CPS: 1 or 2 in the manual.
    pub masks: u32,
    /// WFI and WFE before they wait.
    pub wait: u32,
    /// B of DMB and DSB: at least 0; the high end is assumed.
    pub barrier: u32,
    /// UMULL, SMULL, UMLAL, SMLAL.
    pub long_multiply: LongMultiply,
    /// UDIV, SDIV.
    pub divide: Divide,
    /// Cycles that a fetch through the system bus (code at or above 0x20000000) waits for its
    /// register stage.
    pub system_bus_fetch: u32,
    /// Cycles of a bit-band write beyond those of a store, for the read of its read-modify-write
    /// (assumed).
    pub bit_band_write: u32,
    /// Exception entry from the end of an instruction to the first of the handler, vector fetch in
    /// parallel.
    pub exception_entry: u32,
    /// From one handler to the next without unstacking.
    pub tail_chain: u32,
    /// The added cost of a higher-priority exception that arrives during an entry. The core fetches
    /// the vector again and keeps the stacked registers (0 if it arrives early, at most a tail
    /// chain; assumed).
    pub late_arrival: u32,
    /// Exception return, 10–12 (the manual: "as few as 10"; the high end is assumed).
    pub exception_return: u32,
}

impl Timing {
    /// The rules of a core. The quick end of its band if `quick`, else the slow one. Those of a
    /// Cortex-M0+ are exact.
    pub const fn of(core: Core, quick: bool) -> Timing {
        match (core, quick) {
            (Core::CortexM0Plus, _) => Timing::cortex_m0plus(),
            (Core::CortexM3, true) => Timing::low(),
            (Core::CortexM3, false) => Timing::high(),
            (Core::CortexM4, true) => Timing::cortex_m4(Timing::low()),
            (Core::CortexM4, false) => Timing::cortex_m4(Timing::high()),
        }
    }

    /// A Cortex-M4 by ARM DDI0439D "Cortex-M4 Technical Reference Manual" (r0p1), section 3.3: the
    /// rules of the Cortex-M3, whose text it repeats, except that every multiplication takes one
    /// cycle, and so does every instruction of the DSP extension (table 3-1 and table 3-2).
    const fn cortex_m4(m3: Timing) -> Timing {
        Timing {
            core: Core::CortexM4,
            multiply_accumulate: 1,
            long_multiply: LongMultiply::One,
            ..m3
        }
    }

    /// A Cortex-M0+ by ARM DDI0484C "Cortex-M0+ Technical Reference Manual" (r0p1), table 3-1: one
    /// figure for each instruction without wait states, with the multiplier of one cycle (the other
    /// one takes 32). Two stages: nothing pipelines, and a taken branch costs one cycle. Exceptions:
    /// 15 cycles to enter.
    const fn cortex_m0plus() -> Timing {
        Timing {
            core: Core::CortexM0Plus,
            pipelined: false,
            link: 1,
            refill: 1,
            refill_load: 2,
            refill_barrier: 0,
            store_immediate: 2,
            address_stall: 0,
            literal_contention: 0,
            special_register: 3,
            masks: 1,
            wait: 2,
            barrier: 2,
            system_bus_fetch: 0,
            exception_entry: 15,
            ..Timing::low()
        }
    }

    /// The quick end of the band of a Cortex-M3.
    pub const fn low() -> Timing {
        Timing {
            core: Core::CortexM3,
            pipelined: true,
            multiply: 1,
            multiply_accumulate: 2,
            link: 0,
            refill: 1,
            refill_load: 1,
            refill_table: 1,
            refill_barrier: 1,
            store_immediate: 1,
            address_stall: 1,
            literal_contention: 0,
            folded_it: 0,
            special_register: 1,
            masks: 1,
            wait: 1,
            barrier: 0,
            long_multiply: LongMultiply::Shortest,
            divide: Divide {
                base: 2,
                bits_per_cycle: 4,
            },
            system_bus_fetch: 1,
            bit_band_write: 1,
            exception_entry: 12,
            tail_chain: 6,
            late_arrival: 0,
            exception_return: 10,
        }
    }

    /// The slow end of the band of a Cortex-M3.
    pub const fn high() -> Timing {
        Timing {
            core: Core::CortexM3,
            pipelined: true,
            multiply: 1,
            multiply_accumulate: 2,
            link: 0,
            refill: 2,
            refill_load: 3,
            refill_table: 4,
            refill_barrier: 2,
            store_immediate: 2,
            address_stall: 1,
            literal_contention: 1,
            folded_it: 1,
            special_register: 2,
            masks: 2,
            wait: 1,
            barrier: 2,
            long_multiply: LongMultiply::Longest,
            divide: Divide {
                base: 2,
                bits_per_cycle: 3,
            },
            system_bus_fetch: 1,
            bit_band_write: 2,
            exception_entry: 12,
            tail_chain: 6,
            late_arrival: 6,
            exception_return: 12,
        }
    }
    /// Whether the time of UMULL, SMULL, UMLAL and SMLAL depends on their operands. The ends of the
    /// band are each one number, but the chip is between them as the operands say.
    pub const fn long_multiply_varies(&self) -> bool {
        match self.long_multiply {
            LongMultiply::One => false,
            LongMultiply::Shortest | LongMultiply::Longest | LongMultiply::ByBothOperands => true,
        }
    }
}
