//! Loads and stores of more than one register, with base update, without privilege, exclusive, and
//! to the PC.

use crate::bus::{Bus, Cause};
use crate::cpu::Cpu;
use crate::cycles::octets;
use crate::execute::literal_base;
use crate::op::{Index, Width};
use crate::trace::Tracer;

type Done = Result<(), Cause>;

impl Cpu {
    /// Reads any width at a cycle, extended.
    #[inline(always)]
    pub(crate) fn read<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        addr: u32,
        cycles: u64,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<(u32, u64), Cause> {
        let (value, cycles) = match octets(width) {
            4 => self.read32(addr, cycles, bus, tracer)?,
            2 => self.read16(addr, cycles, bus, tracer)?,
            _ => self.read8(addr, cycles, bus, tracer)?,
        };
        let value = match width {
            Width::SignedByte => value as i8 as u32,
            Width::SignedHalf => value as i16 as u32,
            _ => value,
        };
        Ok((value, cycles))
    }

    fn load<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        addr: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<u32, Cause> {
        let (value, cycles) = self.read(width, addr, self.cycles, bus, tracer)?;
        self.cycles = cycles;
        Ok(value)
    }

    fn store<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        addr: u32,
        value: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        match width {
            Width::Word => self.store32(addr, value, bus, tracer),
            Width::Half | Width::SignedHalf => self.store16(addr, value, bus, tracer),
            Width::Byte | Width::SignedByte => self.store8(addr, value, bus, tracer),
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

    /// Stall on an address just computed, for accesses that never pipeline behind a load.
    fn base_stall(&mut self, address_registers: u32) {
        if self.previous & crate::cache::COMPUTE != 0 && self.previous & address_registers != 0 {
            self.cycles += u64::from(self.timing.address_stall);
        }
    }

    pub(crate) fn load_indexed<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rt: u8,
        rn: u8,
        (post, imm): (bool, i16),
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn);
        let base = self.r(rn);
        let moved = base.wrapping_add_signed(i32::from(imm));
        let value = self.load(width, if post { base } else { moved }, bus, tracer)?;
        self.set(rn, moved);
        self.set(rt, value);
        Ok(())
    }

    pub(crate) fn store_indexed<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rt: u8,
        rn: u8,
        (post, imm): (bool, i16),
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn);
        let base = self.r(rn);
        let moved = base.wrapping_add_signed(i32::from(imm));
        self.store(
            width,
            if post { base } else { moved },
            self.r(rt),
            bus,
            tracer,
        )?;
        self.set(rn, moved);
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of the instruction and the world"
    )]
    pub(crate) fn load_unprivileged<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rt: u8,
        rn: u8,
        imm: u8,
        meta: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.cycles = self.neighbour(1 << rn, meta, self.cycles);
        self.as_user = true;
        let loaded = self.load(width, self.r(rn).wrapping_add(imm.into()), bus, tracer);
        self.as_user = false;
        self.set(rt, loaded?);
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of the instruction and the world"
    )]
    pub(crate) fn store_unprivileged<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rt: u8,
        rn: u8,
        imm: u8,
        meta: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.cycles = self.neighbour(1 << rn, meta, self.cycles);
        self.as_user = true;
        let stored = self.store(
            width,
            self.r(rn).wrapping_add(imm.into()),
            self.r(rt),
            bus,
            tracer,
        );
        self.as_user = false;
        stored
    }

    /// LDR PC; from R15 as base: a literal.
    pub(crate) fn load_pc<B: Bus, T: Tracer>(
        &mut self,
        pc: u32,
        rn: u8,
        index: Index,
        imm: i16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn);
        let base = if rn == 15 {
            literal_base(pc)
        } else {
            self.r(rn)
        };
        let moved = base.wrapping_add_signed(i32::from(imm));
        let addr = Self::aligned(if index == Index::Post { base } else { moved }, 4)?;
        let target = self.load32(addr, bus, tracer)?;
        if index != Index::Offset {
            self.set(rn, moved);
        }
        self.exchange(target, self.timing.refill_load, true)
    }

    pub(crate) fn load_pc_register<B: Bus, T: Tracer>(
        &mut self,
        rn: u8,
        rm: u8,
        lsl: u8,
        meta: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        let (addr, cycles) = self.at_register(rn, rm, lsl, meta, self.cycles);
        self.cycles = cycles;
        let addr = Self::aligned(addr, 4)?;
        let target = self.load32(addr, bus, tracer)?;
        self.exchange(target, self.timing.refill_load, true)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of the instruction and the world"
    )]
    pub(crate) fn load_double<B: Bus, T: Tracer>(
        &mut self,
        pc: u32,
        rt: [u8; 2],
        rn: u8,
        index: Index,
        imm: i16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn);
        let base = if rn == 15 {
            literal_base(pc)
        } else {
            self.r(rn)
        };
        let moved = base.wrapping_add_signed(i32::from(imm));
        let addr = Self::aligned(if index == Index::Post { base } else { moved }, 4)?;
        let values = [
            self.load32(addr, bus, tracer)?,
            self.load32(addr.wrapping_add(4), bus, tracer)?,
        ];
        if index != Index::Offset {
            self.set(rn, moved);
        }
        self.set(rt[0], values[0]);
        self.set(rt[1], values[1]);
        Ok(())
    }

    pub(crate) fn store_double<B: Bus, T: Tracer>(
        &mut self,
        rt: [u8; 2],
        rn: u8,
        index: Index,
        imm: i16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn);
        let base = self.r(rn);
        let moved = base.wrapping_add_signed(i32::from(imm));
        let addr = Self::aligned(if index == Index::Post { base } else { moved }, 4)?;
        self.store32(addr, self.r(rt[0]), bus, tracer)?;
        self.store32(addr.wrapping_add(4), self.r(rt[1]), bus, tracer)?;
        if index != Index::Offset {
            self.set(rn, moved);
        }
        Ok(())
    }

    /// First address of a multiple transfer and the base after it.
    fn block(&mut self, rn: u8, before: bool, list: u16) -> Result<(u32, u32), Cause> {
        self.base_stall(1 << rn);
        let count = list.count_ones();
        self.cycles += u64::from(count);
        let base = Self::aligned(self.r(rn), 4)?;
        let size = 4 * count;
        Ok(if before {
            (base.wrapping_sub(size), base.wrapping_sub(size))
        } else {
            (base, base.wrapping_add(size))
        })
    }

    /// LDM and POP. Registers are written when all words are there, so that a fault leaves them as
    /// they were.
    pub(crate) fn load_multiple<B: Bus, T: Tracer>(
        &mut self,
        rn: u8,
        wback: bool,
        before: bool,
        list: u16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        let (mut addr, base) = self.block(rn, before, list)?;
        let mut values = [0; 16];
        let mut rest = list;
        while rest != 0 {
            values[rest.trailing_zeros() as usize & 15] = self.load32(addr, bus, tracer)?;
            addr = addr.wrapping_add(4);
            rest &= rest - 1;
        }
        if wback {
            self.set(rn, base);
        }
        let mut rest = list & 0x7fff;
        while rest != 0 {
            let register = rest.trailing_zeros() as usize & 15;
            self.regs[register] = values[register];
            rest &= rest - 1;
        }
        if list >> 15 != 0 {
            return self.exchange(values[15], self.timing.refill_load, true);
        }
        Ok(())
    }

    /// STM and PUSH.
    pub(crate) fn store_multiple<B: Bus, T: Tracer>(
        &mut self,
        rn: u8,
        wback: bool,
        before: bool,
        list: u16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        let (mut addr, base) = self.block(rn, before, list)?;
        let mut rest = list;
        while rest != 0 {
            self.store32(
                addr,
                self.regs[rest.trailing_zeros() as usize & 15],
                bus,
                tracer,
            )?;
            addr = addr.wrapping_add(4);
            rest &= rest - 1;
        }
        if wback {
            self.set(rn, base);
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of the instruction and the world"
    )]
    pub(crate) fn load_exclusive<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rt: u8,
        rn: u8,
        imm: u8,
        meta: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.cycles = self.neighbour(1 << rn, meta, self.cycles);
        let addr = Self::aligned(self.r(rn).wrapping_add(u32::from(imm) * 4), octets(width))?;
        let value = self.load(width, addr, bus, tracer)?;
        self.exclusive = true;
        self.set(rt, value);
        Ok(())
    }

    /// STREX succeeds if the local monitor is still exclusive; the monitor of this core does not
    /// look at addresses.
    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of the instruction and the world"
    )]
    pub(crate) fn store_exclusive<B: Bus, T: Tracer>(
        &mut self,
        width: Width,
        rd: u8,
        rt: u8,
        (rn, imm): (u8, u8),
        meta: u32,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.cycles = self.neighbour(1 << rn, meta, self.cycles);
        let addr = Self::aligned(self.r(rn).wrapping_add(u32::from(imm) * 4), octets(width))?;
        if self.exclusive {
            self.store(width, addr, self.r(rt), bus, tracer)?;
        }
        let failed = !std::mem::take(&mut self.exclusive);
        self.set(rd, u32::from(failed));
        Ok(())
    }

    /// TBB and TBH; from R15 as base: a table that follows the instruction.
    pub(crate) fn table_branch<B: Bus, T: Tracer>(
        &mut self,
        pc: u32,
        rn: u8,
        rm: u8,
        half: bool,
        bus: &mut B,
        tracer: &mut T,
    ) -> Done {
        self.base_stall(1 << rn | 1 << rm);
        let base = if rn == 15 {
            pc.wrapping_add(4)
        } else {
            self.r(rn)
        };
        let entry = if half {
            self.load16(base.wrapping_add(self.r(rm) << 1), bus, tracer)?
        } else {
            self.load8(base.wrapping_add(self.r(rm)), bus, tracer)?
        };
        self.jump(
            pc.wrapping_add(4).wrapping_add(2 * entry),
            self.timing.refill_table,
        );
        Ok(())
    }
}
