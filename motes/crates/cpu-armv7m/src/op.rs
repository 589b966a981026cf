//! Decoded instructions: what the decoder makes of one or two halfwords and the core executes.

/// The shift of a register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Logical left.
    Lsl,
    /// Logical right, 1–32.
    Lsr,
    /// Arithmetic right, 1–32.
    Asr,
    /// Rotate right, 1–31.
    Ror,
    /// Rotate right by one through carry.
    Rrx,
}

/// Size and extension of a load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    Word,
    /// 8 bits, zero-extended.
    Byte,
    /// 16 bits, zero-extended.
    Half,
    /// 8 bits, sign-extended.
    SignedByte,
    /// 16 bits, sign-extended.
    SignedHalf,
}

/// How offset and base make the address, and whether the base is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// `[Rn, #imm]`.
    Offset,
    /// `[Rn, #imm]!`.
    Pre,
    /// `[Rn], #imm`.
    Post,
}

/// Bit 0 of the `f` field of an immediate operation: it sets the flags.
pub const F_SET: u8 = 1;
/// Bit 1: the carry of the expanded immediate …
pub const F_CARRY: u8 = 2;
/// … which counts if bit 2 is set.
pub const F_CARRY_DEFINED: u8 = 4;

/// What a parallel instruction of the DSP extension does with octets or halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// ADD8.
    Add8,
    /// ADD16.
    Add16,
    /// SUB8.
    Subtract8,
    /// SUB16.
    Subtract16,
    /// ASX: the halves of the second operand change places; the lower ones are subtracted.
    AddSubtract,
    /// SAX: they change places; the upper ones are subtracted.
    SubtractAdd,
}

/// What a parallel instruction does with a result that its lane cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// It wraps, and sets GE.
    Modulo,
    /// It saturates.
    Saturate,
    /// It is halved.
    Halve,
}

/// Products of the DSP extension with a result of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// SMULxy, SMLAxy. Bit 1 of the variant: the upper half of Rn; bit 0: that of Rm.
    Halves,
    /// SMULWy, SMLAWy. Bit 0: the upper half of Rm.
    WordByHalf,
    /// SMUAD, SMLAD. Bit 0: the halves of Rm change places.
    DualAdd,
    /// SMUSD, SMLSD. Bit 0 as before.
    DualSubtract,
    /// SMMUL, SMMLA. Bit 0: rounded.
    MostSignificant,
    /// SMMLS. Bit 0: rounded.
    MostSignificantSubtract,
    /// USAD8, USADA8.
    AbsoluteDifferences,
}

/// Products of the DSP extension that add to two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongProduct {
    /// SMLALxy; variants as [`Product::Halves`].
    Halves,
    /// SMLALD; variants as [`Product::DualAdd`].
    DualAdd,
    /// SMLSLD.
    DualSubtract,
    /// UMAAL.
    AccumulateTwice,
}

/// One instruction. Register fields are 0–15, `s` says that the flags are set. 8 octets, so that a
/// slot of the instruction cache has 16; the names are the mnemonics of the architecture manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "a table of mnemonics and operand fields, named as in the architecture manual")]
pub enum Op {
    AndImm { rd: u8, rn: u8, f: u8, imm: u32 },
    BicImm { rd: u8, rn: u8, f: u8, imm: u32 },
    OrrImm { rd: u8, rn: u8, f: u8, imm: u32 },
    OrnImm { rd: u8, rn: u8, f: u8, imm: u32 },
    EorImm { rd: u8, rn: u8, f: u8, imm: u32 },
    AddImm { rd: u8, rn: u8, f: u8, imm: u32 },
    AdcImm { rd: u8, rn: u8, f: u8, imm: u32 },
    SbcImm { rd: u8, rn: u8, f: u8, imm: u32 },
    SubImm { rd: u8, rn: u8, f: u8, imm: u32 },
    RsbImm { rd: u8, rn: u8, f: u8, imm: u32 },
    TstImm { rn: u8, f: u8, imm: u32 },
    TeqImm { rn: u8, f: u8, imm: u32 },
    CmpImm { rn: u8, imm: u32 },
    CmnImm { rn: u8, imm: u32 },
    MovImm { rd: u8, f: u8, imm: u32 },
    MvnImm { rd: u8, f: u8, imm: u32 },
    Movt { rd: u8, imm: u16 },

    // Register operands without a shift.
    AndReg { rd: u8, rn: u8, rm: u8, s: bool },
    BicReg { rd: u8, rn: u8, rm: u8, s: bool },
    OrrReg { rd: u8, rn: u8, rm: u8, s: bool },
    EorReg { rd: u8, rn: u8, rm: u8, s: bool },
    AddReg { rd: u8, rn: u8, rm: u8, s: bool },
    AdcReg { rd: u8, rn: u8, rm: u8, s: bool },
    SbcReg { rd: u8, rn: u8, rm: u8, s: bool },
    SubReg { rd: u8, rn: u8, rm: u8, s: bool },
    TstReg { rn: u8, rm: u8 },
    CmpReg { rn: u8, rm: u8 },
    MovReg { rd: u8, rm: u8, s: bool },
    MvnReg { rd: u8, rm: u8, s: bool },

    AndShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    BicShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    OrrShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    OrnShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    EorShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    AddShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    AdcShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    SbcShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    SubShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    RsbShift { rd: u8, rn: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    TstShift { rn: u8, rm: u8, shift: Shift, amount: u8 },
    TeqShift { rn: u8, rm: u8, shift: Shift, amount: u8 },
    CmpShift { rn: u8, rm: u8, shift: Shift, amount: u8 },
    CmnShift { rn: u8, rm: u8, shift: Shift, amount: u8 },
    MovShift { rd: u8, rm: u8, shift: Shift, amount: u8, s: bool },
    MvnShift { rd: u8, rm: u8, shift: Shift, amount: u8, s: bool },

    LslReg { rd: u8, rn: u8, rm: u8, s: bool },
    LsrReg { rd: u8, rn: u8, rm: u8, s: bool },
    AsrReg { rd: u8, rn: u8, rm: u8, s: bool },
    RorReg { rd: u8, rn: u8, rm: u8, s: bool },

    /// ADR, ADD and SUB from the aligned PC.
    Adr { rd: u8, imm: i16 },
    /// MOV Rd, PC.
    MovFromPc { rd: u8 },
    /// ADD Rd, PC.
    AddFromPc { rd: u8 },
    /// MOV PC, Rm.
    MovToPc { rm: u8 },
    /// ADD PC, Rm.
    AddToPc { rm: u8 },

    Mul { rd: u8, rn: u8, rm: u8, s: bool },
    Mla { rd: u8, rn: u8, rm: u8, ra: u8 },
    Mls { rd: u8, rn: u8, rm: u8, ra: u8 },
    Umull { lo: u8, hi: u8, rn: u8, rm: u8 },
    Smull { lo: u8, hi: u8, rn: u8, rm: u8 },
    Umlal { lo: u8, hi: u8, rn: u8, rm: u8 },
    Smlal { lo: u8, hi: u8, rn: u8, rm: u8 },
    Udiv { rd: u8, rn: u8, rm: u8 },
    Sdiv { rd: u8, rn: u8, rm: u8 },

    Clz { rd: u8, rm: u8 },
    Rbit { rd: u8, rm: u8 },
    Rev { rd: u8, rm: u8 },
    Rev16 { rd: u8, rm: u8 },
    Revsh { rd: u8, rm: u8 },
    Sxtb { rd: u8, rm: u8, rotate: u8 },
    Sxth { rd: u8, rm: u8, rotate: u8 },
    Uxtb { rd: u8, rm: u8, rotate: u8 },
    Uxth { rd: u8, rm: u8, rotate: u8 },
    Bfi { rd: u8, rn: u8, lsb: u8, width: u8 },
    Bfc { rd: u8, lsb: u8, width: u8 },
    Sbfx { rd: u8, rn: u8, lsb: u8, width: u8 },
    Ubfx { rd: u8, rn: u8, lsb: u8, width: u8 },
    Ssat { rd: u8, rn: u8, shift: Shift, amount: u8, bits: u8 },
    Usat { rd: u8, rn: u8, shift: Shift, amount: u8, bits: u8 },

    // The DSP extension. `ra` or `rn` 15: without an addition.
    Pkhbt { rd: u8, rn: u8, rm: u8, amount: u8 },
    Pkhtb { rd: u8, rn: u8, rm: u8, amount: u8 },
    Ssat16 { rd: u8, rn: u8, bits: u8 },
    Usat16 { rd: u8, rn: u8, bits: u8 },
    Sxtah { rd: u8, rn: u8, rm: u8, rotate: u8 },
    Uxtah { rd: u8, rn: u8, rm: u8, rotate: u8 },
    Sxtab { rd: u8, rn: u8, rm: u8, rotate: u8 },
    Uxtab { rd: u8, rn: u8, rm: u8, rotate: u8 },
    Sxtab16 { rd: u8, rn: u8, rm: u8, rotate: u8 },
    Uxtab16 { rd: u8, rn: u8, rm: u8, rotate: u8 },
    /// QADD, QDADD, QSUB, QDSUB: Rm and Rn, or twice Rn.
    SaturatedSum { rd: u8, rn: u8, rm: u8, double: bool, subtract: bool },
    Sel { rd: u8, rn: u8, rm: u8 },
    Parallel { lanes: Lanes, rounding: Rounding, signed: bool, rd: u8, rn: u8, rm: u8 },
    Product { product: Product, variant: u8, rd: u8, rn: u8, rm: u8, ra: u8 },
    LongProduct { product: LongProduct, variant: u8, lo: u8, hi: u8, rn: u8, rm: u8 },

    // Registers of the FPU: `s` is the first single register.
    VmovIn { rt: u8, s: u8 },
    VmovOut { rt: u8, s: u8 },
    VmovPairIn { rt: u8, rt2: u8, s: u8 },
    VmovPairOut { rt: u8, rt2: u8, s: u8 },
    Vmov { to: u8, from: u8 },
    VmovImm { s: u8, imm: u8 },
    /// R15: the flags go to the APSR.
    Vmrs { rt: u8 },
    Vmsr { rt: u8 },
    Vldr { s: u8, words: u8, rn: u8, imm: i16 },
    Vstr { s: u8, words: u8, rn: u8, imm: i16 },
    Vldm { s: u8, count: u8, rn: u8, wback: bool, before: bool },
    Vstm { s: u8, count: u8, rn: u8, wback: bool, before: bool },

    LdrImm { rt: u8, rn: u8, imm: i16 },
    LdrbImm { rt: u8, rn: u8, imm: i16 },
    LdrhImm { rt: u8, rn: u8, imm: i16 },
    LdrsbImm { rt: u8, rn: u8, imm: i16 },
    LdrshImm { rt: u8, rn: u8, imm: i16 },
    StrImm { rt: u8, rn: u8, imm: i16 },
    StrbImm { rt: u8, rn: u8, imm: i16 },
    StrhImm { rt: u8, rn: u8, imm: i16 },
    LdrReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    LdrbReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    LdrhReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    LdrsbReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    LdrshReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    StrReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    StrbReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    StrhReg { rt: u8, rn: u8, rm: u8, lsl: u8 },
    LoadLiteral { width: Width, rt: u8, imm: i16 },
    LoadIndexed { width: Width, rt: u8, rn: u8, post: bool, imm: i16 },
    StoreIndexed { width: Width, rt: u8, rn: u8, post: bool, imm: i16 },
    LoadUnprivileged { width: Width, rt: u8, rn: u8, imm: u8 },
    StoreUnprivileged { width: Width, rt: u8, rn: u8, imm: u8 },
    /// LDR PC from a base (R15: literal).
    LdrPcImm { rn: u8, index: Index, imm: i16 },
    LdrPcReg { rn: u8, rm: u8, lsl: u8 },
    /// `rn` may be R15: literal.
    Ldrd { rt: u8, rt2: u8, rn: u8, index: Index, imm: i16 },
    Strd { rt: u8, rt2: u8, rn: u8, index: Index, imm: i16 },
    /// LDMIA, LDMDB, POP.
    Ldm { rn: u8, wback: bool, before: bool, list: u16 },
    /// STMIA, STMDB, PUSH.
    Stm { rn: u8, wback: bool, before: bool, list: u16 },
    Ldrex { width: Width, rt: u8, rn: u8, imm: u8 },
    Strex { width: Width, rd: u8, rt: u8, rn: u8, imm: u8 },
    Clrex,
    Tbb { rn: u8, rm: u8 },
    Tbh { rn: u8, rm: u8 },

    B { offset: i32 },
    Bcc { cond: u8, offset: i32 },
    Bl { offset: i32 },
    Bx { rm: u8 },
    Blx { rm: u8 },
    Cbz { rn: u8, nonzero: bool, offset: u8 },
    It { state: u8 },

    /// NOP, YIELD, DBG, PLD, PLI and the hints without a meaning.
    Nop,
    Wfi,
    Wfe,
    Sev,
    Dmb,
    Dsb,
    Isb,
    Mrs { rd: u8, register: u8 },
    Msr { rn: u8, register: u8, mask: u8 },
    Cps { disable: bool, primask: bool, faultmask: bool },
    Svc,
    Bkpt { number: u8 },
    /// UDF and every other pattern that the architecture of the core does not define or calls unpredictable.
    Undefined,
    /// A coprocessor instruction.
    Coprocessor,
}
