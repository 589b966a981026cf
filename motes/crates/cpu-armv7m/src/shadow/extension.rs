//! The DSP extension, and the registers of the FPU.

use super::shift::shifted;
use super::{CLEAN, Following, Word};
use crate::op::{Index, Lanes, Op, Rounding, Shift, Width};
use taint::any;

/// Two words octet by octet.
fn each(a: Word, b: Word) -> Word {
    std::array::from_fn(|octet| a[octet] | b[octet])
}

/// Halves depend on all of themselves.
fn halves([first, second, third, last]: Word) -> Word {
    let (low, high) = (first | second, third | last);
    [low, low, high, high]
}

impl Following<'_> {
    #[rustfmt::skip]
    pub(super) fn dsp(&mut self, op: Op) -> bool {
        match op {
            Op::Pkhbt { rd, rn, rm, amount } => {
                let ([a, b, ..], (upper, _)) = (self.of(rn), shifted(self.of(rm), Shift::Lsl, amount.into(), 0));
                self.set(rd, [a, b, upper[2], upper[3]]);
            }
            Op::Pkhtb { rd, rn, rm, amount } => {
                let amount = if amount == 0 { 32 } else { i32::from(amount) };
                let ([.., c, d], (lower, _)) = (self.of(rn), shifted(self.of(rm), Shift::Asr, amount, 0));
                self.set(rd, [lower[0], lower[1], c, d]);
            }
            Op::Ssat16 { rd, rn, .. } | Op::Usat16 { rd, rn, .. } => { let of = halves(self.of(rn)); self.saturated(rd, of); }
            Op::Sxtah { rd, rn, rm, rotate } => { let [a, b, ..] = self.turned(rm, rotate); self.added(rd, rn, [a, b, b, b]); }
            Op::Uxtah { rd, rn, rm, rotate } => { let [a, b, ..] = self.turned(rm, rotate); self.added(rd, rn, [a, b, 0, 0]); }
            Op::Sxtab { rd, rn, rm, rotate } => { let [a, ..] = self.turned(rm, rotate); self.added(rd, rn, [a; 4]); }
            Op::Uxtab { rd, rn, rm, rotate } => { let [a, ..] = self.turned(rm, rotate); self.added(rd, rn, [a, 0, 0, 0]); }
            Op::Sxtab16 { rd, rn, rm, rotate } | Op::Uxtab16 { rd, rn, rm, rotate } => {
                let [a, _, c, _] = self.turned(rm, rotate);
                let old = if rn == 15 { CLEAN } else { self.of(rn) };
                self.set(rd, halves(each(old, [a, a, c, c])));
            }
            Op::SaturatedSum { rd, rn, rm, .. } => { let all = any(self.of(rn)) | any(self.of(rm)); self.saturated(rd, [all; 4]); }
            Op::Sel { rd, rn, rm } => {
                let ge = self.shadow.flags.ge;
                self.set(rd, each(each(self.of(rn), self.of(rm)), [ge; 4]));
            }
            Op::Parallel { lanes, rounding, rd, rn, rm, .. } => self.parallel(lanes, rounding, rd, [rn, rm]),
            Op::Product { rd, rn, rm, ra, .. } => {
                let old = if ra == 15 { 0 } else { any(self.of(ra)) };
                let all = any(self.of(rn)) | any(self.of(rm)) | old;
                self.saturated(rd, [all; 4]);
            }
            Op::LongProduct { lo, hi, rn, rm, .. } => {
                let all = [lo, hi, rn, rm].into_iter().fold(0, |all, register| all | any(self.of(register)));
                self.set(lo, [all; 4]);
                self.set(hi, [all; 4]);
            }
            _ => return self.fpu(op),
        }
        true
    }

    fn turned(&self, rm: u8, rotate: u8) -> Word {
        shifted(self.of(rm), Shift::Ror, rotate.into(), 0).0
    }

    /// A sum: each octet depends on those that are not above it.
    fn added(&mut self, rd: u8, rn: u8, octets: Word) {
        let both = each(self.of(rn), octets);
        let mut all = 0;
        let of = both.map(|octet| {
            all |= octet;
            all
        });
        self.set(rd, of);
    }

    fn saturated(&mut self, rd: u8, of: Word) {
        self.shadow.flags.q |= any(of);
        self.set(rd, of);
    }

    fn parallel(&mut self, lanes: Lanes, rounding: Rounding, rd: u8, [rn, rm]: [u8; 2]) {
        let both = each(self.of(rn), self.of(rm));
        let of = match lanes {
            Lanes::Add8 | Lanes::Subtract8 => both,
            Lanes::Add16 | Lanes::Subtract16 => halves(both),
            Lanes::AddSubtract | Lanes::SubtractAdd => [any(both); 4],
        };
        if rounding == Rounding::Modulo {
            self.shadow.flags.ge = any(of);
        }
        self.set(rd, of);
    }

    fn single(&mut self, s: u8) -> &mut Word {
        &mut self.shadow.singles[usize::from(s) % 32]
    }

    /// Moves between the registers of the core, those of the FPU, and memory.
    #[rustfmt::skip]
    fn fpu(&mut self, op: Op) -> bool {
        match op {
            Op::VmovIn { rt, s } => *self.single(s) = self.of(rt),
            Op::VmovOut { rt, s } => { let of = *self.single(s); self.set(rt, of); }
            Op::VmovPairIn { rt, rt2, s } => { *self.single(s) = self.of(rt); *self.single(s + 1) = self.of(rt2); }
            Op::VmovPairOut { rt, rt2, s } => {
                let (low, high) = (*self.single(s), *self.single(s + 1));
                self.set(rt, low);
                self.set(rt2, high);
            }
            Op::Vmov { to, from } => { let of = *self.single(from); *self.single(to) = of; }
            Op::VmovImm { s, .. } => *self.single(s) = CLEAN,
            Op::Vmrs { rt: 15 } => {
                let of = self.shadow.status;
                let flags = &mut self.shadow.flags;
                (flags.n, flags.z, flags.c, flags.v) = (of, of, of, of);
            }
            Op::Vmrs { rt } => { let of = self.shadow.status; self.set(rt, [of; 4]); }
            Op::Vmsr { rt } => self.shadow.status = any(self.of(rt)),
            Op::Vldr { s, words, rn, imm } => {
                let address = self.offset(rn, imm.into());
                self.load_singles(s, words, address);
            }
            Op::Vstr { s, words, rn, imm } => {
                let address = self.offset(rn, imm.into());
                self.store_singles(s, words, address);
            }
            Op::Vldm { s, count, rn, wback, before } => {
                let address = self.many(count, rn, wback, before);
                self.load_singles(s, count, address);
            }
            Op::Vstm { s, count, rn, wback, before } => {
                let address = self.many(count, rn, wback, before);
                if wback && before {
                    self.grows(rn, address);
                }
                self.store_singles(s, count, address);
            }
            _ => return false,
        }
        true
    }

    /// Where VLDM and VSTM begin; the base moves.
    fn many(&mut self, count: u8, rn: u8, wback: bool, before: bool) -> super::access::Address {
        let size = 4 * i16::from(count);
        match (before, wback) {
            (true, true) => self.moving(rn, Index::Pre, -size),
            (true, false) => self.offset(rn, i32::from(-size)),
            (false, true) => self.moving(rn, Index::Post, size),
            (false, false) => self.offset(rn, 0),
        }
    }

    fn load_singles(&mut self, s: u8, words: u8, (address, of): super::access::Address) {
        for word in 0..words {
            let loaded = self.read(Width::Word, (address.wrapping_add(4 * u32::from(word)), of));
            *self.single(s + word) = loaded;
        }
    }

    fn store_singles(&mut self, s: u8, words: u8, (address, of): super::access::Address) {
        for word in 0..words {
            let stored = *self.single(s + word);
            self.write(
                Width::Word,
                (address.wrapping_add(4 * u32::from(word)), of),
                stored,
            );
        }
    }
}
