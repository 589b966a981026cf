//! Loads and stores of more than one register, with base update, without privilege, exclusive, and
//! to the PC.

use crate::bus::Cause;
use crate::cpu::Cpu;
use crate::cycles::octets;
use crate::execute::literal_base;
use crate::op::{Index, Width};
use crate::outside::Outside;

/// Outcome of an access.
pub(crate) type Done = Result<(), Cause>;

/// The address `[Rn, #imm]`, and how the access moves Rn.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    pub rn: u8,
    pub index: Index,
    pub imm: i16,
}

/// The registers of a multiple transfer, and where Rn points.
#[derive(Clone, Copy)]
pub(crate) struct Multiple {
    pub rn: u8,
    /// Rn is written.
    pub wback: bool,
    /// The words end below Rn (DB) instead of beginning there (IA).
    pub before: bool,
    /// Bits of the registers.
    pub list: u16,
}

impl Cpu {
    fn load(&mut self, width: Width, addr: u32, out: &mut impl Outside) -> Result<u32, Cause> {
        let value = match octets(width) {
            4 => self.load32(addr, out)?,
            2 => self.load16(addr, out)?,
            _ => self.load8(addr, out)?,
        };
        Ok(extended(width, value))
    }

    fn store(&mut self, width: Width, addr: u32, value: u32, out: &mut impl Outside) -> Done {
        match octets(width) {
            4 => self.store32(addr, value, out),
            2 => self.store16(addr, value, out),
            _ => self.store8(addr, value, out),
        }
    }

    /// An access waits for an address register that the instruction before has just computed. This
    /// is for accesses that never pipeline behind a load.
    fn base_stall(&mut self, address_registers: u32) {
        if self.previous & crate::cache::COMPUTE != 0 && self.previous & address_registers != 0 {
            self.cycles += u64::from(self.timing.address_stall);
        }
    }

    /// The address to access, and the value of the base after the access. R15 as the base: the
    /// address is that of a literal.
    pub(crate) fn address(&mut self, pc: u32, base: Base) -> (u32, u32) {
        self.base_stall(1 << base.rn);
        let start = if base.rn == 15 {
            literal_base(pc)
        } else {
            self.r(base.rn)
        };
        let moved = start.wrapping_add_signed(i32::from(base.imm));
        let addr = if base.index == Index::Post {
            start
        } else {
            moved
        };
        (addr, moved)
    }

    fn move_base(&mut self, base: Base, moved: u32) {
        if base.index != Index::Offset {
            self.set(base.rn, moved);
        }
    }

    /// The address of an access that can pipeline behind a load, and the time until then.
    pub(crate) fn offset(&mut self, rn: u8, imm: u32, meta: u32) -> u32 {
        self.cycles = self.neighbour(1 << rn, meta, self.cycles);
        self.r(rn).wrapping_add(imm)
    }

    /// LDR with base update, of any width.
    pub(crate) fn load_indexed(
        &mut self,
        width: Width,
        rt: u8,
        base: Base,
        out: &mut impl Outside,
    ) -> Done {
        let (addr, moved) = self.address(0, base);
        let value = self.load(width, addr, out)?;
        self.move_base(base, moved);
        self.set(rt, value);
        Ok(())
    }

    /// STR with base update, of any width.
    pub(crate) fn store_indexed(
        &mut self,
        width: Width,
        rt: u8,
        base: Base,
        out: &mut impl Outside,
    ) -> Done {
        let (addr, moved) = self.address(0, base);
        self.store(width, addr, self.r(rt), out)?;
        self.move_base(base, moved);
        Ok(())
    }

    /// Makes an access without privilege.
    fn as_user<R>(&mut self, access: impl FnOnce(&mut Cpu) -> R) -> R {
        self.as_user = true;
        let outcome = access(self);
        self.as_user = false;
        outcome
    }

    /// LDRT and its widths.
    pub(crate) fn load_user(
        &mut self,
        width: Width,
        rt: u8,
        addr: u32,
        out: &mut impl Outside,
    ) -> Done {
        let value = self.as_user(|cpu| cpu.load(width, addr, out))?;
        self.set(rt, value);
        Ok(())
    }

    /// STRT and its widths.
    pub(crate) fn store_user(
        &mut self,
        width: Width,
        rt: u8,
        addr: u32,
        out: &mut impl Outside,
    ) -> Done {
        self.as_user(|cpu| cpu.store(width, addr, cpu.r(rt), out))
    }

    /// LDR to the PC with an immediate offset.
    pub(crate) fn load_pc(&mut self, pc: u32, base: Base, out: &mut impl Outside) -> Done {
        let (addr, moved) = self.address(pc, base);
        let target = self.load32(aligned(addr, 4)?, out)?;
        self.move_base(base, moved);
        self.exchange(target, self.timing.refill_load, true)
    }

    /// LDR to the PC with a register offset.
    pub(crate) fn load_pc_from(&mut self, addr: u32, out: &mut impl Outside) -> Done {
        let target = self.load32(aligned(addr, 4)?, out)?;
        self.exchange(target, self.timing.refill_load, true)
    }

    /// LDRD.
    pub(crate) fn load_double(
        &mut self,
        pc: u32,
        rt: [u8; 2],
        base: Base,
        out: &mut impl Outside,
    ) -> Done {
        let (addr, moved) = self.address(pc, base);
        let first = self.load32(aligned(addr, 4)?, out)?;
        let second = self.load32(addr.wrapping_add(4), out)?;
        self.move_base(base, moved);
        self.set(rt[0], first);
        self.set(rt[1], second);
        Ok(())
    }

    /// STRD.
    pub(crate) fn store_double(&mut self, rt: [u8; 2], base: Base, out: &mut impl Outside) -> Done {
        let (addr, moved) = self.address(0, base);
        self.store32(aligned(addr, 4)?, self.r(rt[0]), out)?;
        self.store32(addr.wrapping_add(4), self.r(rt[1]), out)?;
        self.move_base(base, moved);
        Ok(())
    }

    /// First address of a multiple transfer, and the value of the base after it.
    fn range(&mut self, multiple: Multiple) -> Result<(u32, u32), Cause> {
        self.base_stall(1 << multiple.rn);
        let count = multiple.list.count_ones();
        self.cycles += u64::from(count);
        let base = aligned(self.r(multiple.rn), 4)?;
        let size = 4 * count;
        Ok(if multiple.before {
            (base.wrapping_sub(size), base.wrapping_sub(size))
        } else {
            (base, base.wrapping_add(size))
        })
    }

    /// LDM and POP. Registers are written when all words are there, so that a fault leaves them as
    /// they were.
    pub(crate) fn load_multiple(&mut self, multiple: Multiple, out: &mut impl Outside) -> Done {
        let (mut addr, base) = self.range(multiple)?;
        let mut values = [0; 16];
        for register in registers(multiple.list) {
            values[register] = self.load32(addr, out)?;
            addr = addr.wrapping_add(4);
        }
        if multiple.wback {
            self.set(multiple.rn, base);
        }
        for register in registers(multiple.list & 0x7fff) {
            self.regs[register] = values[register];
        }
        if multiple.list >> 15 != 0 {
            return self.exchange(values[15], self.timing.refill_load, true);
        }
        Ok(())
    }

    /// STM and PUSH.
    pub(crate) fn store_multiple(&mut self, multiple: Multiple, out: &mut impl Outside) -> Done {
        let (mut addr, base) = self.range(multiple)?;
        for register in registers(multiple.list) {
            self.store32(addr, self.regs[register], out)?;
            addr = addr.wrapping_add(4);
        }
        if multiple.wback {
            self.set(multiple.rn, base);
        }
        Ok(())
    }

    /// LDREX and its widths.
    pub(crate) fn load_exclusive(
        &mut self,
        width: Width,
        rt: u8,
        addr: u32,
        out: &mut impl Outside,
    ) -> Done {
        let value = self.load(width, aligned(addr, octets(width))?, out)?;
        self.exclusive = true;
        self.set(rt, value);
        Ok(())
    }

    /// STREX and its widths. It succeeds if the local monitor is still exclusive; the monitor of
    /// this core does not look at addresses.
    pub(crate) fn store_exclusive(
        &mut self,
        width: Width,
        [rd, rt]: [u8; 2],
        addr: u32,
        out: &mut impl Outside,
    ) -> Done {
        let addr = aligned(addr, octets(width))?;
        if self.exclusive {
            self.store(width, addr, self.r(rt), out)?;
        }
        let failed = !std::mem::take(&mut self.exclusive);
        self.set(rd, u32::from(failed));
        Ok(())
    }

    /// TBB, and TBH (`half`). R15 as the base: the table follows the instruction.
    pub(crate) fn table_branch(
        &mut self,
        pc: u32,
        [rn, rm]: [u8; 2],
        half: bool,
        out: &mut impl Outside,
    ) -> Done {
        self.base_stall(1 << rn | 1 << rm);
        let base = if rn == 15 {
            pc.wrapping_add(4)
        } else {
            self.r(rn)
        };
        let entry = if half {
            self.load16(base.wrapping_add(self.r(rm) << 1), out)?
        } else {
            self.load8(base.wrapping_add(self.r(rm)), out)?
        };
        let target = pc.wrapping_add(4).wrapping_add(2 * entry);
        self.jump(target, self.timing.refill_table);
        Ok(())
    }
}

/// An address that must be aligned whatever CCR says.
fn aligned(addr: u32, octets: u32) -> Result<u32, Cause> {
    if addr & (octets - 1) == 0 {
        Ok(addr)
    } else {
        Err(Cause::Unaligned(addr))
    }
}

/// The registers of a list, lowest first.
#[inline(always)]
fn registers(list: u16) -> impl Iterator<Item = usize> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let register = rest.trailing_zeros() as usize & 15;
        let found = rest != 0;
        rest &= rest.wrapping_sub(1);
        found.then_some(register)
    })
}

/// What a load of this width makes of the octets it read.
#[inline(always)]
pub(crate) fn extended(width: Width, value: u32) -> u32 {
    match width {
        Width::SignedByte => value as i8 as u32,
        Width::SignedHalf => value as i16 as u32,
        _ => value,
    }
}
