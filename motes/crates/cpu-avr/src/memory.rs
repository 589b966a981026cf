//! Loads and stores: data space through X, Y, Z and by address, the stack, and tables in program
//! memory.

use crate::bus::{Bus, BusError};
use crate::cpu::{Cpu, Stop, data};
use crate::cycles;
use crate::execute::{R0, Z, field_d};
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
    pub(crate) fn load_store<B: Bus, T: Tracer>(
        &mut self,
        word: u16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<u32, Stop> {
        let cycles = match word & 0xf {
            0x0 => {
                let addr = self.next_word(bus)?;
                self.transfer(word, addr, bus, tracer)?;
                cycles::DATA
            }
            0x1 => self.indirect(word, Z, Move::AfterByOne, bus, tracer)?,
            0x2 => self.indirect(word, Z, Move::BeforeByOne, bus, tracer)?,
            0x9 => self.indirect(word, Y, Move::AfterByOne, bus, tracer)?,
            0xa => self.indirect(word, Y, Move::BeforeByOne, bus, tracer)?,
            0xc => self.indirect(word, X, Move::Stays, bus, tracer)?,
            0xd => self.indirect(word, X, Move::AfterByOne, bus, tracer)?,
            0xe => self.indirect(word, X, Move::BeforeByOne, bus, tracer)?,
            0xf if word & STORE != 0 => {
                self.push(self.regs[field_d(word)], bus, tracer)?;
                cycles::STACK
            }
            0xf => {
                self.regs[field_d(word)] = self.pop(bus, tracer)?;
                cycles::STACK
            }
            form @ 0x4..=0x7 if word & STORE == 0 => {
                self.load_program(field_d(word), form & 2 != 0, form & 1 != 0, bus, tracer)?
            }
            _ => return Err(Stop::Illegal),
        };
        Ok(u32::from(cycles))
    }

    /// LDD, STD; LD and ST through Y or Z have displacement 0.
    #[inline(always)]
    pub(crate) fn displacement<B: Bus, T: Tracer>(
        &mut self,
        word: u16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<u32, BusError> {
        let q = word >> 8 & 0x20 | word >> 7 & 0x18 | word & 7;
        let pointer = if word & 8 != 0 { Y } else { Z };
        let addr = self.pair(pointer).wrapping_add(q);
        self.transfer(word, addr, bus, tracer)?;
        Ok(u32::from(cycles::DATA))
    }

    /// LD and ST through a pointer. A loaded octet wins over the moved pointer, which wins over a
    /// stored one.
    #[inline(always)]
    fn indirect<B: Bus, T: Tracer>(
        &mut self,
        word: u16,
        pointer: usize,
        movement: Move,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<u8, BusError> {
        let before = self.pair(pointer);
        let (addr, after) = match movement {
            Move::Stays => (before, before),
            Move::AfterByOne => (before, before.wrapping_add(1)),
            Move::BeforeByOne => (before.wrapping_sub(1), before.wrapping_sub(1)),
        };
        let d = field_d(word);
        if word & STORE == 0 {
            tracer.read(data(addr));
            let value = self.read(addr, bus)?;
            self.set_pair(pointer, after);
            self.regs[d] = value;
        } else {
            tracer.write(data(addr));
            self.write(addr, self.regs[d], bus)?;
            self.set_pair(pointer, after);
        }
        Ok(cycles::DATA)
    }

    #[inline(always)]
    fn transfer<B: Bus, T: Tracer>(
        &mut self,
        word: u16,
        addr: u16,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<(), BusError> {
        let d = field_d(word);
        if word & STORE == 0 {
            tracer.read(data(addr));
            self.regs[d] = self.read(addr, bus)?;
            Ok(())
        } else {
            tracer.write(data(addr));
            self.write(addr, self.regs[d], bus)
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
    pub(crate) fn load_program<B: Bus, T: Tracer>(
        &mut self,
        d: usize,
        extended: bool,
        moves: bool,
        bus: &mut B,
        tracer: &mut T,
    ) -> Result<u8, BusError> {
        let addr = self.program_address(extended);
        tracer.read(addr);
        self.regs[d] = bus.read_program(addr)?;
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
