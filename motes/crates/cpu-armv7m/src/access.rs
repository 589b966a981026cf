//! Data accesses: aligned ones to code and SRAM go straight to the bus; unaligned ones, bit-band
//! aliases, devices and the system control space have slower functions.

use crate::bus::{Bus, BusError, Cause};
use crate::cpu::Cpu;
use crate::outside::Outside;
use crate::transfer::Done;
use trace::{Tracer, Watched};

/// Accesses below go to code memory or SRAM; the SRAM's bit-band alias begins here.
const PLAIN_END: u32 = 0x2200_0000;
/// Devices begin here.
pub const DEVICES: u32 = 0x4000_0000;
/// First address of the region of RAM.
const SRAM: u32 = 0x2000_0000;
/// The private peripheral bus: 0xE0000000 to 0xE00FFFFF.
const PRIVATE: u32 = 0xe00;

/// The bit that an address in a bit-band alias stands for: the address of the access that holds it,
/// of `octets` octets, and the bit's number in it (DDI0337I, section 3.7).
const fn bit_band(addr: u32, octets: u32) -> Option<(u32, u32)> {
    if !matches!(addr >> 24, 0x22 | 0x23 | 0x42 | 0x43) {
        return None;
    }
    let offset = addr & 0x01ff_ffff;
    let octet = offset >> 5;
    Some((
        addr & 0xf000_0000 | octet & !(octets - 1),
        (octet & (octets - 1)) * 8 + (offset >> 2 & 7),
    ))
}

macro_rules! width {
    ($read:ident, $write:ident, $load:ident, $store:ident, $bus_read:ident, $bus_write:ident, $type:ty, $octets:expr) => {
        /// Reads at a cycle; the value, and the cycle in which it is there.
        #[inline(always)]
        pub(crate) fn $read<B: Bus, T: Tracer>(
            &mut self,
            addr: u32,
            cycles: u64,
            bus: &mut B,
            tracer: &mut T,
        ) -> Result<(u32, u64), Cause> {
            if addr < PLAIN_END && addr.is_multiple_of($octets) {
                tracer.read(addr);
                let read = bus.$bus_read(addr).map_err(Cause::Data)?;
                Ok((
                    u32::from(read.value),
                    self.buffered.max(cycles) + u64::from(read.wait),
                ))
            } else {
                self.cycles = cycles;
                self.load_slowly(addr, $octets, &mut Watched { bus, tracer })
                    .map(|value| (value, self.cycles))
            }
        }

        /// Writes at a cycle; the cycle in which the next instruction may go on.
        #[inline(always)]
        pub(crate) fn $write<B: Bus, T: Tracer>(
            &mut self,
            addr: u32,
            value: u32,
            cycles: u64,
            bus: &mut B,
            tracer: &mut T,
        ) -> Result<u64, Cause> {
            if addr.wrapping_sub(SRAM) < PLAIN_END - SRAM && addr.is_multiple_of($octets) {
                tracer.write(addr);
                let wait = bus.$bus_write(addr, value as $type).map_err(Cause::Data)?;
                let cycles = self.buffered.max(cycles);
                self.buffered = cycles + u64::from(wait);
                if self.cache.may_hold(addr) {
                    self.cache.invalidate(addr, $octets);
                }
                Ok(cycles)
            } else {
                self.cycles = cycles;
                self.store_slowly(addr, value, $octets, &mut Watched { bus, tracer })
                    .map(|()| self.cycles)
            }
        }

        /// Reads now.
        pub(crate) fn $load(&mut self, addr: u32, out: &mut impl Outside) -> Result<u32, Cause> {
            let Watched { bus, tracer } = out.parts();
            let (value, cycles) = self.$read(addr, self.cycles, bus, tracer)?;
            self.cycles = cycles;
            Ok(value)
        }

        /// Writes now.
        pub(crate) fn $store(&mut self, addr: u32, value: u32, out: &mut impl Outside) -> Done {
            let Watched { bus, tracer } = out.parts();
            self.cycles = self.$write(addr, value, self.cycles, bus, tracer)?;
            Ok(())
        }
    };
}

impl Cpu {
    width!(read8, write8, load8, store8, read8, write8, u8, 1);
    width!(read16, write16, load16, store16, read16, write16, u16, 2);
    width!(read32, write32, load32, store32, read32, write32, u32, 4);

    /// An access waits until the write buffer is empty: the buffer takes one store, whose wait
    /// states delay nothing but the next access ("Load/store timings").
    fn drain(&mut self) {
        self.cycles = self.cycles.max(self.buffered);
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(
        &mut self,
        addr: u32,
        octets: u32,
        out: &mut impl Outside,
    ) -> Result<u32, Cause> {
        if addr & (octets - 1) == 0 {
            return self.load_aligned(addr, octets, out);
        }
        self.unaligned(addr)?;
        let mut value = 0;
        let mut at = 0;
        while at < octets {
            let piece = piece(addr.wrapping_add(at), octets - at);
            value |= self.load_aligned(addr.wrapping_add(at), piece, out)? << (8 * at);
            at += piece;
            self.cycles += u64::from(at < octets);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, addr: u32, value: u32, octets: u32, out: &mut impl Outside) -> Done {
        if addr & (octets - 1) == 0 {
            return self.store_aligned(addr, value, octets, out);
        }
        self.unaligned(addr)?;
        let mut at = 0;
        while at < octets {
            let piece = piece(addr.wrapping_add(at), octets - at);
            self.store_aligned(addr.wrapping_add(at), value >> (8 * at), piece, out)?;
            at += piece;
            self.cycles += u64::from(at < octets);
        }
        Ok(())
    }

    /// CCR.UNALIGN_TRP, and instructions that never allow it, make an unaligned access a fault.
    fn unaligned(&self, addr: u32) -> Done {
        if self.scb.traps_unaligned() || addr >> 20 == PRIVATE {
            Err(Cause::Unaligned(addr))
        } else {
            Ok(())
        }
    }

    fn load_aligned(
        &mut self,
        addr: u32,
        octets: u32,
        out: &mut impl Outside,
    ) -> Result<u32, Cause> {
        if addr >> 20 == PRIVATE {
            return self.private_read(addr, octets);
        }
        if let Some((at, bit)) = bit_band(addr, octets) {
            return Ok(self.load_raw(at, octets, out)? >> bit & 1);
        }
        self.load_raw(addr, octets, out)
    }

    fn store_aligned(
        &mut self,
        addr: u32,
        value: u32,
        octets: u32,
        out: &mut impl Outside,
    ) -> Done {
        if addr >> 20 == PRIVATE {
            return self.private_write(addr, value, octets);
        }
        if let Some((at, bit)) = bit_band(addr, octets) {
            let old = self.load_raw(at, octets, out)?;
            self.cycles += u64::from(self.timing.bit_band_write);
            return self.store_raw(at, old & !(1 << bit) | (value & 1) << bit, octets, out);
        }
        self.store_raw(addr, value, octets, out)
    }

    fn load_raw(&mut self, addr: u32, octets: u32, out: &mut impl Outside) -> Result<u32, Cause> {
        out.tracer().read(addr);
        self.drain();
        self.tell_time(addr, out.bus());
        let (value, wait) = match octets {
            1 => out
                .bus()
                .read8(addr)
                .map(|read| (u32::from(read.value), read.wait)),
            2 => out
                .bus()
                .read16(addr)
                .map(|read| (u32::from(read.value), read.wait)),
            _ => out.bus().read32(addr).map(|read| (read.value, read.wait)),
        }
        .map_err(Cause::Data)?;
        self.cycles += u64::from(wait);
        Ok(value)
    }

    fn store_raw(&mut self, addr: u32, value: u32, octets: u32, out: &mut impl Outside) -> Done {
        out.tracer().write(addr);
        self.drain();
        if addr < SRAM {
            // A store to code memory: the board may want to note who did it, and when.
            self.touch();
            out.bus().now(self.cycles);
        }
        self.tell_time(addr, out.bus());
        let wait = match octets {
            1 => out.bus().write8(addr, value as u8),
            2 => out.bus().write16(addr, value as u16),
            _ => out.bus().write32(addr, value),
        }
        .map_err(Cause::Data)?;
        self.buffered = self.cycles + u64::from(wait);
        if self.cache.may_hold(addr) {
            self.cache.invalidate(addr, octets);
        }
        Ok(())
    }

    fn tell_time<B: Bus>(&mut self, addr: u32, bus: &mut B) {
        if addr >= DEVICES {
            self.touch();
            bus.now(self.cycles);
        }
    }

    /// Ends [`Cpu::run`] after this instruction.
    fn touch(&mut self) {
        self.touched = true;
        self.request_attention();
    }

    /// Registers inside the core: privileged accesses only (except to the software trigger when CCR
    /// allows it).
    fn private_read(&mut self, addr: u32, octets: u32) -> Result<u32, Cause> {
        self.privileged_access(addr)?;
        self.touch();
        let word = self.system_read(addr & !3).map_err(Cause::Data)?;
        let value = word >> (8 * (addr & 3));
        Ok(if octets == 4 {
            value
        } else {
            value & ((1 << (8 * octets)) - 1)
        })
    }

    fn private_write(&mut self, addr: u32, value: u32, octets: u32) -> Done {
        self.privileged_access(addr)?;
        self.touch();
        self.system_write(addr, value, octets).map_err(Cause::Data)
    }

    fn privileged_access(&self, addr: u32) -> Done {
        if self.privileged() && !self.as_user {
            Ok(())
        } else {
            Err(Cause::Data(BusError::Refused(addr)))
        }
    }
}

/// Octets of the next aligned transaction of an unaligned access: octet, halfword.
const fn piece(addr: u32, left: u32) -> u32 {
    if addr & 1 != 0 || left == 1 { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::{bit_band, piece};

    /// Addresses of the manual's example (section 3.7.1): the alias of bit 7 of octet 0x200FFFFF is
    /// 0x23FFFFFC.
    #[test]
    fn bit_band_addresses() {
        assert_eq!(bit_band(0x23ff_ffe0, 1), Some((0x200f_ffff, 0)));
        assert_eq!(bit_band(0x23ff_fffc, 1), Some((0x200f_ffff, 7)));
        assert_eq!(bit_band(0x2200_0000, 4), Some((0x2000_0000, 0)));
        assert_eq!(bit_band(0x2200_001c, 4), Some((0x2000_0000, 7)));
        assert_eq!(bit_band(0x4200_007c, 4), Some((0x4000_0000, 31)));
        assert_eq!(bit_band(0x2100_0000, 4), None);
        assert_eq!(bit_band(0x4400_0000, 4), None);
    }

    /// A word at address 1 is octet, halfword, octet; at address 2 two halfwords.
    #[test]
    fn pieces_of_unaligned_words() {
        assert_eq!((piece(1, 4), piece(2, 3), piece(4, 1)), (1, 2, 1));
        assert_eq!((piece(2, 4), piece(4, 2)), (2, 2));
    }
}
