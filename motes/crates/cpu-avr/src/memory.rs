//! Loads and stores: data space through X, Y, Z and by address, the stack, and tables in program
//! memory.

use crate::bus::{Bus, BusError};
use crate::core::{Core, data};
use crate::cycles;
use crate::execute::R0;
use crate::outside::Outside;
use crate::registers::place;
use trace::Tracer;

/// Where the three pointers lie.
pub(crate) const X: u8 = place(26);
pub(crate) const Y: u8 = place(28);
pub(crate) const Z: u8 = place(30);

/// How a pointer moves: not at all, or by one, up after the access or down before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    Stays,
    After,
    Before,
}

impl Move {
    /// The address of the access, and the pointer after it.
    #[inline(always)]
    fn of(self, pointer: u16) -> (u16, u16) {
        match self {
            Move::Stays => (pointer, pointer),
            Move::After => (pointer, pointer.wrapping_add(1)),
            Move::Before => (pointer.wrapping_sub(1), pointer.wrapping_sub(1)),
        }
    }
}

impl Core<'_> {
    /// LDS, LDD, and LD through X.
    #[inline(always)]
    pub(crate) fn load(
        &mut self,
        d: u8,
        addr: u16,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        out.tracer().read(data(addr));
        let value = self.read(addr, out.bus())?;
        self.put(d, value);
        Ok(cycles::DATA)
    }

    /// STS and STD.
    #[inline(always)]
    pub(crate) fn store(
        &mut self,
        addr: u16,
        r: u8,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        out.tracer().write(data(addr));
        self.write(addr, self.get(r), out.bus())?;
        Ok(cycles::DATA)
    }

    /// LD through a pointer that moves. The loaded octet wins over the moved pointer.
    #[inline(always)]
    pub(crate) fn load_moving(
        &mut self,
        d: u8,
        pointer: u8,
        movement: Move,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        let (addr, after) = movement.of(self.regs.pair(pointer));
        out.tracer().read(data(addr));
        let value = self.read(addr, out.bus())?;
        self.regs.set_pair(pointer, after);
        self.put(d, value);
        Ok(cycles::DATA)
    }

    /// ST through X, and through a pointer that moves. The pointer after the access wins over the stored octet.
    #[inline(always)]
    pub(crate) fn store_moving(
        &mut self,
        r: u8,
        pointer: u8,
        movement: Move,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        let (addr, after) = movement.of(self.regs.pair(pointer));
        let cycles = self.store(addr, r, out)?;
        self.regs.set_pair(pointer, after);
        Ok(cycles)
    }

    /// The program address in Z, and in RAMPZ for the extended forms.
    #[inline(always)]
    fn program_address(&self, extended: bool) -> u32 {
        let high = if extended {
            u32::from(self.rampz & 1)
        } else {
            0
        };
        high << 16 | u32::from(self.regs.pair(Z))
    }

    /// LPM and ELPM; the extended form moves RAMPZ:Z as one number.
    #[inline(always)]
    pub(crate) fn load_program(
        &mut self,
        d: u8,
        extended: bool,
        moves: bool,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        let addr = self.program_address(extended);
        out.tracer().read(addr);
        let value = out.bus().read_program(addr)?;
        self.put(d, value);
        if moves {
            let after = addr.wrapping_add(1);
            self.regs.set_pair(Z, after as u16);
            if extended {
                self.rampz = (after >> 16) as u8 & 1;
            }
        }
        Ok(cycles::LPM)
    }

    /// SPM.
    pub(crate) fn store_program<B: Bus>(&mut self, bus: &mut B) -> Result<u32, BusError> {
        // The PC is behind the instruction.
        let at = self.pc.wrapping_sub(1);
        let halt = bus.store_program(at, self.program_address(true), self.regs.pair(R0))?;
        Ok(u32::from(cycles::SPM) + halt)
    }
}
