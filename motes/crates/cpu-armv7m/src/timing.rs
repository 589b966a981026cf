//! The pipeline rules that are not one number in ARM's manual, as named parameters: the two ends of
//! a band.
//!
//! Source of the rules: ARM DDI0337I "Cortex-M3 Technical Reference Manual" (r2p0/r2p1), section
//! 3.3 "Instruction set summary" with its subsection "Load/store timings", and section 3.9
//! "Exceptions". Where the manual gives a range, the low end and the high end of the band are its
//! ends. Where it gives a range and no law between the ends, the law is marked "assumed". Wait
//! states are not here: they come from the [`crate::Bus`].

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
    /// MRS, MSR and CPS: 1 or 2 in the manual.
    pub special_register: u32,
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
    /// The quick end of the band.
    pub const fn low() -> Timing {
        Timing {
            refill: 1,
            refill_load: 1,
            refill_table: 1,
            store_immediate: 1,
            address_stall: 1,
            literal_contention: 0,
            folded_it: 0,
            special_register: 1,
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

    /// The slow end of the band.
    pub const fn high() -> Timing {
        Timing {
            refill: 2,
            refill_load: 3,
            refill_table: 4,
            store_immediate: 2,
            address_stall: 1,
            literal_contention: 1,
            folded_it: 1,
            special_register: 2,
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
}
