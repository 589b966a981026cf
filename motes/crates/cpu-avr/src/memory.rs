//! Loads and stores: data space through X, Y, Z and by address, the stack, and tables in program
//! memory.

use crate::bus::{Bus, BusError};
use crate::cpu::{Cpu, Stop, data};
use crate::cycles;
use crate::execute::{R0, Z, field_d};
use crate::outside::Outside;
use trace::Tracer;

/// Low registers of the other two pointers.
const X: usize = 26;
const Y: usize = 28;
/// Bit of an instruction word: set in a store, clear in the load of the same form.
const STORE: u16 = 0x0200;

/// How a pointer moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    Stays,
    AfterByOne,
    BeforeByOne,
}

impl Cpu {
    /// Words 1001 00..: all loads and stores but LDD and STD.
    #[inline(always)]
    pub(crate) fn load_store(&mut self, word: u16, out: &mut impl Outside) -> Result<u32, Stop> {
        let cycles = match word & 0xf {
            0x0 => {
                let addr = self.next_word(out.bus())?;
                self.transfer(word, addr, out)?;
                cycles::DATA
            }
            0x1 => self.indirect(word, Z, Move::AfterByOne, out)?,
            0x2 => self.indirect(word, Z, Move::BeforeByOne, out)?,
            0x9 => self.indirect(word, Y, Move::AfterByOne, out)?,
            0xa => self.indirect(word, Y, Move::BeforeByOne, out)?,
            0xc => self.indirect(word, X, Move::Stays, out)?,
            0xd => self.indirect(word, X, Move::AfterByOne, out)?,
            0xe => self.indirect(word, X, Move::BeforeByOne, out)?,
            0xf if word & STORE != 0 => {
                self.push(self.regs[field_d(word)], out)?;
                cycles::STACK
            }
            0xf => {
                self.regs[field_d(word)] = self.pop(out)?;
                cycles::STACK
            }
            form @ 0x4..=0x7 if word & STORE == 0 => {
                self.load_program(field_d(word), form & 2 != 0, form & 1 != 0, out)?
            }
            _ => return Err(Stop::Illegal),
        };
        Ok(u32::from(cycles))
    }

    /// LDD, STD; LD and ST through Y or Z have displacement 0.
    #[inline(always)]
    pub(crate) fn displacement(
        &mut self,
        word: u16,
        out: &mut impl Outside,
    ) -> Result<u32, BusError> {
        let q = word >> 8 & 0x20 | word >> 7 & 0x18 | word & 7;
        let pointer = if word & 8 != 0 { Y } else { Z };
        let addr = self.pair(pointer).wrapping_add(q);
        self.transfer(word, addr, out)?;
        Ok(u32::from(cycles::DATA))
    }

    /// LD and ST through a pointer. A loaded octet wins over the moved pointer, which wins over a
    /// stored one.
    #[inline(always)]
    fn indirect(
        &mut self,
        word: u16,
        pointer: usize,
        movement: Move,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        let before = self.pair(pointer);
        let (addr, after) = match movement {
            Move::Stays => (before, before),
            Move::AfterByOne => (before, before.wrapping_add(1)),
            Move::BeforeByOne => (before.wrapping_sub(1), before.wrapping_sub(1)),
        };
        let d = field_d(word);
        if word & STORE == 0 {
            out.tracer().read(data(addr));
            let value = self.read(addr, out.bus())?;
            self.set_pair(pointer, after);
            self.regs[d] = value;
        } else {
            out.tracer().write(data(addr));
            self.write(addr, self.regs[d], out.bus())?;
            self.set_pair(pointer, after);
        }
        Ok(cycles::DATA)
    }

    #[inline(always)]
    fn transfer(&mut self, word: u16, addr: u16, out: &mut impl Outside) -> Result<(), BusError> {
        let d = field_d(word);
        if word & STORE == 0 {
            out.tracer().read(data(addr));
            self.regs[d] = self.read(addr, out.bus())?;
            Ok(())
        } else {
            out.tracer().write(data(addr));
            self.write(addr, self.regs[d], out.bus())
        }
    }

    /// The program address in Z, and in RAMPZ for the extended forms.
    #[inline(always)]
    fn program_address(&self, extended: bool) -> u32 {
        let high = if extended {
            u32::from(self.rampz & 1)
        } else {
            0
        };
        high << 16 | u32::from(self.pair(Z))
    }

    /// LPM and ELPM; the extended form moves RAMPZ:Z as one number.
    #[inline(always)]
    pub(crate) fn load_program(
        &mut self,
        d: usize,
        extended: bool,
        moves: bool,
        out: &mut impl Outside,
    ) -> Result<u8, BusError> {
        let addr = self.program_address(extended);
        out.tracer().read(addr);
        self.regs[d] = out.bus().read_program(addr)?;
        if moves {
            let after = addr.wrapping_add(1);
            self.set_pair(Z, after as u16);
            if extended {
                self.rampz = (after >> 16) as u8 & 1;
            }
        }
        Ok(cycles::LPM)
    }

    /// SPM.
    pub(crate) fn store_program<B: Bus>(&mut self, bus: &mut B) -> Result<u32, BusError> {
        let halt = bus.store_program(self.program_address(true), self.pair(R0))?;
        Ok(u32::from(cycles::SPM) + halt)
    }
}
