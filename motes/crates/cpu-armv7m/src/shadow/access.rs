//! Loads and stores.

use super::{CLEAN, Following, Word};
use crate::execute::literal_base;
use crate::op::{Index, Op, Width};
use taint::{Kind, Secrets, any};

const SP: u8 = 13;

/// An address, and what it depends on.
pub(super) type Address = (u32, Secrets);

impl Following<'_> {
    /// `[Rn, #imm]`; R15 is the base of literals.
    pub(super) fn offset(&self, rn: u8, imm: i32) -> Address {
        if rn == 15 {
            return (literal_base(self.pc).wrapping_add_signed(imm), 0);
        }
        let (base, of) = self.value(rn);
        (base.wrapping_add_signed(imm), any(of))
    }

    /// `[Rn, Rm, LSL #lsl]`.
    fn indexed(&self, rn: u8, rm: u8, lsl: u8) -> Address {
        let address = self.cpu.r(rn).wrapping_add(self.cpu.r(rm) << lsl);
        (address, any(self.of(rn)) | any(self.of(rm)))
    }

    /// An address whose base moves, and the base after it.
    pub(super) fn moving(&mut self, rn: u8, index: Index, imm: i16) -> Address {
        let imm = i32::from(imm);
        let address = match index {
            Index::Post => self.offset(rn, 0),
            Index::Offset | Index::Pre => self.offset(rn, imm),
        };
        if index != Index::Offset && rn != 15 {
            let moved = taint::sum(self.value(rn), (imm as u32, CLEAN), (false, 0));
            self.set(rn, moved.octets);
        }
        address
    }

    pub(super) fn read(&mut self, width: Width, (address, of): Address) -> Word {
        match width {
            Width::Word => self.taint.read(address, of),
            Width::Half => {
                let [low, high] = self.taint.read(address, of);
                [low, high, 0, 0]
            }
            Width::SignedHalf => {
                let [low, high] = self.taint.read(address, of);
                [low, high, high, high]
            }
            Width::Byte => {
                let [octet] = self.taint.read(address, of);
                [octet, 0, 0, 0]
            }
            Width::SignedByte => {
                let [octet] = self.taint.read(address, of);
                [octet; 4]
            }
        }
    }

    pub(super) fn write(&mut self, width: Width, (address, of): Address, value: Word) {
        let [first, second, ..] = value;
        match width {
            Width::Word => self.taint.write(address, of, value),
            Width::Half | Width::SignedHalf => self.taint.write(address, of, [first, second]),
            Width::Byte | Width::SignedByte => self.taint.write(address, of, [first]),
        }
    }

    /// Into a register; R15 is a jump.
    fn arrive(&mut self, rt: u8, of: Word) {
        if rt == 15 {
            self.taint.note(Kind::Branch, any(of));
        } else {
            self.set(rt, of);
        }
    }

    fn load_from(&mut self, width: Width, rt: u8, address: Address) {
        let of = self.read(width, address);
        self.arrive(rt, of);
    }

    #[rustfmt::skip]
    pub(super) fn load(&mut self, op: Op) -> bool {
        match op {
            Op::LdrImm { rt, rn, imm } => self.load_from(Width::Word, rt, self.offset(rn, imm.into())),
            Op::LdrbImm { rt, rn, imm } => self.load_from(Width::Byte, rt, self.offset(rn, imm.into())),
            Op::LdrhImm { rt, rn, imm } => self.load_from(Width::Half, rt, self.offset(rn, imm.into())),
            Op::LdrsbImm { rt, rn, imm } => self.load_from(Width::SignedByte, rt, self.offset(rn, imm.into())),
            Op::LdrshImm { rt, rn, imm } => self.load_from(Width::SignedHalf, rt, self.offset(rn, imm.into())),
            Op::LdrReg { rt, rn, rm, lsl } => self.load_from(Width::Word, rt, self.indexed(rn, rm, lsl)),
            Op::LdrbReg { rt, rn, rm, lsl } => self.load_from(Width::Byte, rt, self.indexed(rn, rm, lsl)),
            Op::LdrhReg { rt, rn, rm, lsl } => self.load_from(Width::Half, rt, self.indexed(rn, rm, lsl)),
            Op::LdrsbReg { rt, rn, rm, lsl } => self.load_from(Width::SignedByte, rt, self.indexed(rn, rm, lsl)),
            Op::LdrshReg { rt, rn, rm, lsl } => self.load_from(Width::SignedHalf, rt, self.indexed(rn, rm, lsl)),
            Op::LoadLiteral { width, rt, imm } => self.load_from(width, rt, self.offset(15, imm.into())),
            Op::LoadUnprivileged { width, rt, rn, imm } => self.load_from(width, rt, self.offset(rn, imm.into())),
            Op::Ldrex { width, rt, rn, imm } => self.load_from(width, rt, self.offset(rn, 4 * i32::from(imm))),
            Op::LdrPcReg { rn, rm, lsl } => self.load_from(Width::Word, 15, self.indexed(rn, rm, lsl)),
            Op::LoadIndexed { width, rt, rn, post, imm } => {
                let address = self.moving(rn, if post { Index::Post } else { Index::Pre }, imm);
                self.load_from(width, rt, address);
            }
            Op::LdrPcImm { rn, index, imm } => {
                let address = self.moving(rn, index, imm);
                self.load_from(Width::Word, 15, address);
            }
            Op::Ldrd { rt, rt2, rn, index, imm } => {
                let address = self.moving(rn, index, imm);
                self.load_from(Width::Word, rt, address);
                self.load_from(Width::Word, rt2, next(address, 4));
            }
            Op::Ldm { rn, wback, before, list } => self.load_multiple(rn, wback, before, list),
            Op::Tbb { rn, rm } => self.table(rn, rm, Width::Byte),
            Op::Tbh { rn, rm } => self.table(rn, rm, Width::Half),
            _ => return false,
        }
        true
    }

    #[rustfmt::skip]
    pub(super) fn store(&mut self, op: Op) -> bool {
        match op {
            Op::StrImm { rt, rn, imm } => self.write(Width::Word, self.offset(rn, imm.into()), self.of(rt)),
            Op::StrbImm { rt, rn, imm } => self.write(Width::Byte, self.offset(rn, imm.into()), self.of(rt)),
            Op::StrhImm { rt, rn, imm } => self.write(Width::Half, self.offset(rn, imm.into()), self.of(rt)),
            Op::StrReg { rt, rn, rm, lsl } => self.write(Width::Word, self.indexed(rn, rm, lsl), self.of(rt)),
            Op::StrbReg { rt, rn, rm, lsl } => self.write(Width::Byte, self.indexed(rn, rm, lsl), self.of(rt)),
            Op::StrhReg { rt, rn, rm, lsl } => self.write(Width::Half, self.indexed(rn, rm, lsl), self.of(rt)),
            Op::StoreUnprivileged { width, rt, rn, imm } => self.write(width, self.offset(rn, imm.into()), self.of(rt)),
            Op::StoreIndexed { width, rt, rn, post, imm } => {
                let of = self.of(rt);
                let address = self.moving(rn, if post { Index::Post } else { Index::Pre }, imm);
                self.grows(rn, address);
                self.write(width, address, of);
            }
            Op::Strd { rt, rt2, rn, index, imm } => {
                let values = [self.of(rt), self.of(rt2)];
                let address = self.moving(rn, index, imm);
                if index == Index::Pre {
                    self.grows(rn, address);
                }
                self.write(Width::Word, address, values[0]);
                self.write(Width::Word, next(address, 4), values[1]);
            }
            Op::Stm { rn, wback, before, list } => self.store_multiple(rn, wback, before, list),
            Op::Strex { width, rd, rt, rn, imm } => {
                if self.cpu.exclusive {
                    let address = self.offset(rn, 4 * i32::from(imm));
                    self.write(width, address, self.of(rt));
                }
                self.set(rd, CLEAN);
            }
            _ => return false,
        }
        true
    }

    /// SP moves to the address before the access.
    pub(super) fn grows(&mut self, rn: u8, (address, _): Address) {
        if rn == SP {
            self.taint.begin_push(address);
        }
    }

    /// Where a multiple access begins; the base moves.
    fn multiple(&mut self, rn: u8, wback: bool, before: bool, list: u16) -> Address {
        let size = 4 * list.count_ones();
        let by = if before { size.wrapping_neg() } else { size };
        let (base, of) = self.value(rn);
        if wback {
            let moved = taint::sum((base, of), (by, CLEAN), (false, 0));
            self.set(rn, moved.octets);
        }
        (if before { base.wrapping_add(by) } else { base }, any(of))
    }

    fn load_multiple(&mut self, rn: u8, wback: bool, before: bool, list: u16) {
        let mut address = self.multiple(rn, wback, before, list);
        for register in (0..16).filter(|register| list >> register & 1 != 0) {
            self.load_from(Width::Word, register, address);
            address = next(address, 4);
        }
    }

    fn store_multiple(&mut self, rn: u8, wback: bool, before: bool, list: u16) {
        let values: [Word; 16] = std::array::from_fn(|register| self.of(register as u8));
        let mut address = self.multiple(rn, wback, before, list);
        if wback && before {
            self.grows(rn, address);
        }
        for register in (0..16).filter(|register| list >> register & 1 != 0) {
            self.write(Width::Word, address, values[register]);
            address = next(address, 4);
        }
    }

    /// TBB and TBH.
    fn table(&mut self, rn: u8, rm: u8, width: Width) {
        let (base, of) = match rn {
            15 => (self.pc.wrapping_add(4), 0),
            _ => (self.cpu.r(rn), any(self.of(rn))),
        };
        let lsl = u32::from(width == Width::Half);
        let address = base.wrapping_add(self.cpu.r(rm) << lsl);
        let entry = self.read(width, (address, of | any(self.of(rm))));
        self.taint.note(Kind::Branch, any(entry));
    }
}

fn next((address, of): Address, by: u32) -> Address {
    (address.wrapping_add(by), of)
}
