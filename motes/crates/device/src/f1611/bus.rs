//! The peripheral space as the CPU addresses it: special function registers 0x00..=0x0F and byte
//! peripherals 0x10..=0xFF by bytes, word peripherals 0x100..=0x1FF by words (SLAU049, "Peripheral
//! Modules").

use super::basic_clock::{Register as ClockRegister, Sources};
use super::port::Register as PortRegister;
use super::timer::Timer;
use super::{AccessError, External, F1611, ResetCause, sfr};
use crate::Ps;
use crate::absent::Absent;

constants! { u16:
    IFG1 = 0x02,              BYTE_PERIPHERALS = 0x10,  WORD_PERIPHERALS = 0x100,
    TBIV = 0x11E,             WDTCTL = 0x120,           FCTL1 = 0x128,
    FCTL3 = 0x12C,            TAIV = 0x12E,             MPY = 0x130,
    SUMEXT = 0x13E,           TIMER_A = 0x160,          TIMER_A_LAST = 0x176,
    TIMER_B = 0x180,          TIMER_B_LAST = 0x19E,
    ADC12MEM0 = 0x140,        ADC12MEM15 = 0x15E,       ADC12CTL0 = 0x1A0,
    ADC12IV = 0x1A8,          DMACTL0 = 0x122,          DMACTL1 = 0x124,
    DMA = 0x1E0,              DMA_LAST = 0x1F6,         CACTL1 = 0x59,
    CAPD = 0x5B,              P2IN = 0x28,
    DAC12_0CTL = 0x1C0,       DAC12_1CTL = 0x1C2,       DAC12_0DAT = 0x1C8,
    DAC12_1DAT = 0x1CA,       I2COA = 0x118,            I2CIV = 0x11C,
}
/// MST of U0CTL.
const MST: u8 = 0x02;

/// Registers of ports 1 and 2, and of the others.
const PORT_WITH_INTERRUPTS: [PortRegister; 7] = [
    PortRegister::In,
    PortRegister::Out,
    PortRegister::Dir,
    PortRegister::Ifg,
    PortRegister::Ies,
    PortRegister::Ie,
    PortRegister::Sel,
];
const PORT_PLAIN: [PortRegister; 4] = [
    PortRegister::In,
    PortRegister::Out,
    PortRegister::Dir,
    PortRegister::Sel,
];

/// A register of a timer by its offset from TxCTL.
#[derive(Clone)]
enum TimerRegister {
    Control,
    Count,
    UnitControl(usize),
    UnitValue(usize),
}

impl F1611 {
    /// Reads an octet. Word peripherals give their low octet at even addresses.
    #[inline]
    pub fn read8(
        &mut self,
        addr: u16,
        now: Ps,
        ext: &mut impl External,
    ) -> Result<u8, AccessError> {
        if addr >= WORD_PERIPHERALS {
            if addr & 1 != 0 {
                return Err(AccessError::OddByte(addr));
            }
            return Ok((self.read16(addr, now, ext)? & 0xFF) as u8);
        }
        self.advance(now, ext);
        match addr {
            0x00..=0x05 => Ok(self.sfr.read(addr)),
            0x50..=0x52 | 0x71..=0x76 if self.reaches_i2c(addr) => {
                let value = self.i2c.read(addr, now, self.clocks.sources());
                self.refresh();
                Ok(value as u8)
            }
            0x70 if self.usarts[0].in_i2c_mode() => {
                let value = self.usarts[0].read(0, &mut self.sfr);
                Ok(value & !MST | if self.i2c.master() { MST } else { 0 })
            }
            0x70..=0x7F => {
                let value = self.usarts[usize::from(addr >> 3 & 1)].read(addr & 7, &mut self.sfr);
                if addr & 7 == 6 {
                    self.refresh();
                }
                Ok(value)
            }
            P2IN => Ok(self.ports[1].read(PortRegister::In) & !self.analog.comparator.disabled()),
            0x18..=0x37 => {
                port_register(addr).map(|(index, register)| self.ports[index].read(register))
            }
            CACTL1..=CAPD => Ok(self.read_comparator(addr - CACTL1, now, ext)),
            0x56..=0x58 => Ok(self.clocks.read(clock_register(addr))),
            0x80..=0x8F => Ok(self.adc.read_memory_control(usize::from(addr & 0xF))),
            _ => absent(&self.absent_bytes, addr).map(|value| value as u8),
        }
    }

    /// Writes an octet. Word peripherals get it as their low octet with a high octet of 0.
    #[inline]
    pub fn write8(
        &mut self,
        addr: u16,
        value: u8,
        now: Ps,
        ext: &mut impl External,
    ) -> Result<(), AccessError> {
        if addr >= WORD_PERIPHERALS {
            if addr & 1 != 0 {
                return Err(AccessError::OddByte(addr));
            }
            return self.write16(addr, u16::from(value), now, ext);
        }
        self.advance(now, ext);
        match addr {
            0x00..=0x05 => self.write_sfr(addr, value, now),
            0x50..=0x52 | 0x71..=0x76 if self.reaches_i2c(addr) => {
                self.write_i2c(addr, value.into(), now)?;
            }
            0x70..=0x7F => {
                let usart = &mut self.usarts[usize::from(addr >> 3 & 1)];
                usart.write(addr & 7, value, now, &mut self.sfr, self.clocks.sources())?;
                if addr == 0x70 {
                    let on = self.usarts[0].in_i2c_mode();
                    self.i2c
                        .control(on && value & 1 != 0, on && value & MST != 0);
                }
                self.refresh();
            }
            0x18..=0x37 => {
                let (index, register) = port_register(addr)?;
                let outputs = self.ports[index].write(register, value);
                self.tell_outputs(index, outputs, now, ext);
                self.follow_comparator(now);
                self.refresh();
            }
            CACTL1..=CAPD => self.write_comparator(addr - CACTL1, value, now, ext),
            0x56..=0x58 => {
                self.clocks.write(clock_register(addr), value, now)?;
                self.note_fault(now);
                self.clocks_changed(now);
            }
            0x80..=0x8F => self
                .adc
                .write_memory_control(usize::from(addr & 0xF), value),
            _ => {
                let written = self.absent_bytes.write(addr.into(), value.into());
                written.map_err(|why| why.at(addr))?;
            }
        }
        Ok(())
    }

    /// Reads a word. Byte peripherals cannot be read so: the high octet would be unpredictable.
    #[inline]
    pub fn read16(
        &mut self,
        addr: u16,
        now: Ps,
        ext: &mut impl External,
    ) -> Result<u16, AccessError> {
        if addr < WORD_PERIPHERALS {
            return Err(AccessError::WordAccess(addr));
        }
        self.advance(now, ext);
        let addr = addr & !1;
        match addr {
            MPY..=SUMEXT => Ok(self.multiplier.read(addr - MPY)),
            TIMER_A..=TIMER_A_LAST => {
                read_timer(&mut self.timer_a, addr, now, self.clocks.sources())
            }
            TIMER_B..=TIMER_B_LAST => {
                read_timer(&mut self.timer_b, addr, now, self.clocks.sources())
            }
            TAIV | TBIV => Ok(self.take_vector_word(addr, now)),
            WDTCTL => Ok(self.watchdog.read()),
            FCTL1..=FCTL3 => Ok(self.flash.read((addr - FCTL1) / 2, now)),
            ADC12MEM0..=ADC12MEM15 | ADC12CTL0..=ADC12IV => Ok(self.read_adc(addr)),
            DMACTL0 | DMACTL1 => Ok(self.dma.read_control((addr - DMACTL0) / 2)),
            DMA..=DMA_LAST => Ok(self.dma.read((addr - DMA) / 2)),
            I2COA..=I2CIV => {
                let value = self.i2c.read(addr, now, self.clocks.sources());
                self.refresh();
                Ok(value)
            }
            DAC12_0CTL | DAC12_1CTL | DAC12_0DAT | DAC12_1DAT => {
                Ok(self.analog.dac.read(dac_register(addr), now))
            }
            _ => absent(&self.absent_words, addr).map(|value| value as u16),
        }
    }

    /// Writes a word. Byte peripherals get its low octet; special function registers take no words.
    #[inline]
    pub fn write16(
        &mut self,
        addr: u16,
        value: u16,
        now: Ps,
        ext: &mut impl External,
    ) -> Result<(), AccessError> {
        if addr < WORD_PERIPHERALS {
            if addr < BYTE_PERIPHERALS {
                return Err(AccessError::WordAccess(addr));
            }
            return self.write8(addr, (value & 0xFF) as u8, now, ext);
        }
        self.advance(now, ext);
        let addr = addr & !1;
        match addr {
            MPY..=SUMEXT => {
                self.multiplier.write(addr - MPY, value);
                return Ok(());
            }
            TIMER_A..=TIMER_A_LAST => {
                write_timer(&mut self.timer_a, addr, value, now, self.clocks.sources())?;
                self.tell_timer_outputs(now, ext);
            }
            TIMER_B..=TIMER_B_LAST => {
                write_timer(&mut self.timer_b, addr, value, now, self.clocks.sources())?;
                self.tell_timer_outputs(now, ext);
            }
            TAIV | TBIV => {
                self.take_vector_word(addr, now);
            }
            WDTCTL => {
                if !self.watchdog.write(value, now, self.clocks.sources()) {
                    self.sfr.ifg[0] |= sfr::WDT;
                    self.restart(now, ResetCause::WatchdogPassword);
                }
            }
            FCTL1..=FCTL3 => {
                if !self.flash.write((addr - FCTL1) / 2, value, now)? {
                    self.restart(now, ResetCause::FlashKey);
                }
            }
            ADC12MEM0..=ADC12MEM15 => self.adc.write_memory(adc_memory(addr), value),
            ADC12CTL0..=ADC12IV => {
                let register = (addr - ADC12CTL0) / 2;
                self.adc.write(register, value, now, self.clocks.sources());
            }
            DMACTL0 | DMACTL1 => {
                let written = self.dma.write_control((addr - DMACTL0) / 2, value);
                written.map_err(|name| AccessError::NotModelled { name })?;
            }
            DMA..=DMA_LAST => {
                let written = self.dma.write((addr - DMA) / 2, value);
                written.map_err(|name| AccessError::NotModelled { name })?;
            }
            I2COA..=I2CIV => self.write_i2c(addr, value, now)?,
            DAC12_0CTL | DAC12_1CTL | DAC12_0DAT | DAC12_1DAT => {
                let reference = self.adc.reference_uv() != 0;
                let dac = &mut self.analog.dac;
                dac.write(dac_register(addr), value, now, reference, ext);
            }
            _ => {
                let written = self.absent_words.write(addr.into(), value.into());
                written.map_err(|why| why.at(addr))?;
            }
        }
        self.refresh();
        Ok(())
    }

    /// Does a register belong to I2C mode? Those from 0x71 on only in that mode.
    #[inline]
    fn reaches_i2c(&self, addr: u16) -> bool {
        addr < 0x70 || self.usarts[0].in_i2c_mode()
    }

    fn write_i2c(&mut self, addr: u16, value: u16, now: Ps) -> Result<(), AccessError> {
        let written = self.i2c.write(addr, value, now, self.clocks.sources());
        self.refresh();
        written.map_err(|name| AccessError::NotModelled { name })
    }

    fn write_sfr(&mut self, addr: u16, value: u8, now: Ps) {
        self.sfr.write(addr, value);
        if addr == IFG1 {
            self.note_fault(now);
        }
        self.refresh();
    }

    /// OFIFG is set as long as there is an oscillator fault.
    fn note_fault(&mut self, now: Ps) {
        if self.clocks.fault(now) {
            self.sfr.ifg[0] |= sfr::OF;
        }
    }

    fn read_adc(&mut self, addr: u16) -> u16 {
        let value = if addr <= ADC12MEM15 {
            self.adc.read_memory(adc_memory(addr))
        } else {
            self.adc.read((addr - ADC12CTL0) / 2)
        };
        self.refresh();
        value
    }

    fn take_vector_word(&mut self, addr: u16, now: Ps) -> u16 {
        let word = if addr == TAIV {
            self.timer_a.take_vector_word(now, self.clocks.sources())
        } else {
            self.timer_b.take_vector_word(now, self.clocks.sources())
        };
        self.refresh();
        word
    }
}

/// A register of a block that this model does not have.
fn absent(blocks: &Absent, addr: u16) -> Result<u32, AccessError> {
    blocks.read(addr.into()).map_err(|why| why.at(addr))
}

fn read_timer<const N: usize>(
    timer: &mut Timer<N>,
    addr: u16,
    now: Ps,
    clocks: Sources,
) -> Result<u16, AccessError> {
    Ok(match timer_register(addr, N)? {
        TimerRegister::Control => timer.read_control(now, clocks),
        TimerRegister::Count => timer.read_count(now, clocks),
        TimerRegister::UnitControl(n) => timer.read_unit_control(n, now, clocks),
        TimerRegister::UnitValue(n) => timer.read_unit_value(n),
    })
}

fn write_timer<const N: usize>(
    timer: &mut Timer<N>,
    addr: u16,
    value: u16,
    now: Ps,
    clocks: Sources,
) -> Result<(), AccessError> {
    match timer_register(addr, N)? {
        TimerRegister::Control => timer.write_control(value, now, clocks)?,
        TimerRegister::Count => timer.write_count(value, now, clocks),
        TimerRegister::UnitControl(n) => timer.write_unit_control(n, value, now, clocks)?,
        TimerRegister::UnitValue(n) => timer.write_unit_value(n, value, now, clocks),
    }
    Ok(())
}

/// The index of ADC12MEMx.
fn adc_memory(addr: u16) -> usize {
    usize::from((addr - ADC12MEM0) / 2)
}

/// DAC12_0CTL, DAC12_1CTL, DAC12_0DAT, DAC12_1DAT as 0 to 3.
fn dac_register(addr: u16) -> usize {
    usize::from((addr >> 2 & 2) | (addr >> 1 & 1))
}

fn clock_register(addr: u16) -> ClockRegister {
    match addr {
        0x56 => ClockRegister::Dcoctl,
        0x57 => ClockRegister::Bcsctl1,
        _ => ClockRegister::Bcsctl2,
    }
}

/// Port index (0 = port 1) and register.
fn port_register(addr: u16) -> Result<(usize, PortRegister), AccessError> {
    let offset = usize::from(addr & 7);
    let found = match addr {
        0x18..=0x1F => Some((2 + offset / 4, PORT_PLAIN[offset % 4])),
        0x20..=0x2F => PORT_WITH_INTERRUPTS
            .get(offset)
            .map(|register| (usize::from(addr >> 3 & 1), *register)),
        0x30..=0x37 => Some((4 + offset / 4, PORT_PLAIN[offset % 4])),
        _ => None,
    };
    found.ok_or(AccessError::Unmapped(addr))
}

/// TxCTL, TxCCTLn, TxR, TxCCRn of a timer with `units` units at a multiple of 0x20.
fn timer_register(addr: u16, units: usize) -> Result<TimerRegister, AccessError> {
    let unit = usize::from(addr & 0x0E) / 2;
    match (addr & 0x10, unit) {
        (0, 0) => Ok(TimerRegister::Control),
        (_, 0) => Ok(TimerRegister::Count),
        (_, n) if n > units => Err(AccessError::Unmapped(addr)),
        (0, n) => Ok(TimerRegister::UnitControl(n - 1)),
        (_, n) => Ok(TimerRegister::UnitValue(n - 1)),
    }
}
