//! The address space as the CPU sees it: which block an access meets, and whether its clock runs.

use super::system::{Block, Effect};
use super::{AccessError, Cc2538, GpTimer, Memory, ResetCause, Watchdog, Written, udma, watchdog};
use crate::Ps;

const UARTS: [u32; 2] = [0x4000_C000, 0x4000_D000];
const SSIS: [u32; 2] = [0x4000_8000, 0x4000_9000];
constants! { u32:
    GPTIMERS = 0x4003_0000,   RF_CORE = 0x4008_8000,    AES = 0x4008_B000,
    SYS_CTRL = 0x400D_2000,   FLASH_CTRL = 0x400D_3000, SMWDTHROSC = 0x400D_5000,
    GPIO = 0x400D_9000,       I2C = 0x4002_0000,        ADC = 0x400D_7000,
    UDMA = 0x400F_F000,
}

/// The registers of the I2C master; those of the slave follow.
const I2C_MASTER: u32 = 0x800;

/// CLOCK_CTRL in SYS_CTRL and its bit that selects the 32 kHz RC oscillator.
const CLOCK_CTRL: u32 = 0;
const OSC32K: u32 = 1 << 24;

/// What an access to a block without clock is.
macro_rules! gated {
    ($block:literal) => {
        concat!(
            $block,
            " is accessed while its clock is gated or its reset is held"
        )
    };
}

/// What answers at an address, with the offset in it.
#[derive(Clone)]
enum Target {
    Uart(usize, u32),
    GpTimer(usize, u32),
    Rf(u32),
    Aes(u32),
    System(u32),
    Flash(u32),
    Sleep(u32),
    Gpio(usize, u32),
    Ssi(usize, u32),
    I2c(u32),
    Adc(u32),
    Udma(u32),
    Other,
}

fn target(addr: u32) -> Target {
    let offset = addr & 0xFFF;
    match addr & !0xFFF {
        page if UARTS.contains(&page) => Target::Uart((page >> 12 & 1) as usize, offset),
        GPTIMERS..=0x4003_3000 => Target::GpTimer((addr >> 12 & 3) as usize, offset),
        RF_CORE => Target::Rf(offset),
        AES => Target::Aes(offset),
        SYS_CTRL => Target::System(offset),
        FLASH_CTRL => Target::Flash(offset),
        SMWDTHROSC => Target::Sleep(offset),
        GPIO..=0x400D_C000 => Target::Gpio(((addr - GPIO) >> 12) as usize, offset),
        page if SSIS.contains(&page) => Target::Ssi((page >> 12 & 1) as usize, offset),
        I2C if offset < I2C_MASTER => Target::I2c(offset),
        ADC => Target::Adc(offset),
        UDMA => Target::Udma(offset),
        _ => Target::Other,
    }
}

impl Cc2538 {
    /// Refuses an access to a block without clock.
    fn gate(&self, target: &Target) -> Result<(), AccessError> {
        let (block, what) = match *target {
            Target::Uart(0, _) => (Block::Uart(0), gated!("UART0")),
            Target::Uart(..) => (Block::Uart(1), gated!("UART1")),
            Target::GpTimer(number, _) => (
                Block::GpTimer(number as u8),
                gated!("a general-purpose timer"),
            ),
            Target::Ssi(0, _) => (Block::Ssi(0), gated!("SSI0")),
            Target::Ssi(..) => (Block::Ssi(1), gated!("SSI1")),
            Target::I2c(_) => (Block::I2c, gated!("the I2C master")),
            Target::Rf(_) => (Block::Rf, gated!("the RF core")),
            Target::Aes(_) => (Block::Security, gated!("the AES engine")),
            _ => return Ok(()),
        };
        if self.system.clocked(block) {
            Ok(())
        } else {
            Err(AccessError::Gated { what })
        }
    }

    /// The CPU reads the word at `addr` (a multiple of 4). Everything due before has happened.
    pub fn read32(&mut self, addr: u32, now: Ps, mem: &mut dyn Memory) -> Result<u32, AccessError> {
        self.advance(now, mem);
        let target = target(addr);
        self.gate(&target)?;
        let clock = self.system.system_clock();
        let value = match target {
            Target::Uart(number, offset) => self.uarts[number].read(offset),
            Target::GpTimer(number, offset) => {
                self.gptimers[number].advance(now, &clock);
                self.gptimers[number].read(offset, now, &clock)
            }
            Target::Rf(offset) => self.rf.read(offset, now),
            Target::Aes(offset) => self.aes.read(offset),
            Target::System(offset) => self.system.read(offset, || self.sleep_timer.level(now)),
            Target::Flash(offset) => self.flash.read(offset),
            Target::Sleep(watchdog::WDCTL) => Some(self.watchdog.read()),
            Target::Sleep(offset) => self.sleep_timer.read(offset, now),
            Target::Gpio(port, offset) => self.gpio.read(port, offset),
            Target::Ssi(number, offset) => self.ssis[number].read(offset),
            Target::I2c(offset) => self.i2c.read(offset),
            Target::Adc(offset) => self.adc.read(offset),
            Target::Udma(offset) => self.udma.read(offset),
            Target::Other => {
                return self.absent.read(addr).map_err(|why| why.at(addr));
            }
        };
        self.refresh();
        value.ok_or(AccessError::Unmapped(addr))
    }

    /// The CPU writes the word at `addr` (a multiple of 4). Everything due before has happened.
    pub fn write32(
        &mut self,
        addr: u32,
        value: u32,
        now: Ps,
        mem: &mut dyn Memory,
    ) -> Result<(), AccessError> {
        self.advance(now, mem);
        let target = target(addr);
        self.gate(&target)?;
        let clock = self.system.system_clock();
        let outcome = match target {
            Target::Uart(number, offset) => {
                let io = self.system.io_clock();
                self.uarts[number].write(offset, value, now, (&clock, &io))
            }
            Target::GpTimer(number, offset) => {
                self.gptimers[number].write(offset, value, now, &clock)
            }
            Target::Rf(offset) => self.rf.write(offset, value, now),
            Target::Aes(offset) => self.aes.write(offset, value, now, &self.config),
            Target::System(offset) => self.write_system(offset, value, now),
            Target::Flash(offset) => self.flash.write(offset, value, now, &self.config, mem),
            Target::Sleep(watchdog::WDCTL) => {
                self.watchdog.write(value, now, self.sleep_timer.clock());
                Some(Ok(()))
            }
            Target::Sleep(offset) => self.sleep_timer.write(offset, value, now),
            Target::Gpio(port, offset) => self.gpio.write(port, offset, value, now),
            Target::Ssi(number, offset) => {
                let io = self.system.io_clock();
                self.ssis[number].write(offset, value, now, (&clock, &io))
            }
            Target::I2c(offset) => self.i2c.write(offset, value, now, &clock),
            Target::Adc(offset) => self.adc.write(offset, value, now),
            Target::Udma(offset) => match udma::refusal(&self.udma, offset, value, mem) {
                Some(refusal) => Some(Err(refusal)),
                None => self.udma.write(offset, value, now, &clock),
            },
            Target::Other => {
                let written = self.absent.write(addr, value);
                Some(written.map_err(|why| why.at(addr)))
            }
        };
        self.refresh();
        outcome.unwrap_or(Err(AccessError::Unmapped(addr)))
    }

    fn write_system(&mut self, offset: u32, value: u32, now: Ps) -> Written {
        let effect = match self.system.write(offset, value, now, &self.config)? {
            Ok(effect) => effect,
            Err(error) => return Some(Err(error)),
        };
        match effect {
            Effect::None => {}
            Effect::Clocks => {
                if offset == CLOCK_CTRL {
                    self.sleep_timer.select(now, value & OSC32K != 0);
                    self.watchdog.reschedule(self.sleep_timer.clock());
                }
                self.clocks_changed(now);
            }
            Effect::ModuleReset(row, bits) => self.reset_modules(row, bits, now),
            Effect::Restart => self.restart(now, ResetCause::Software),
        }
        Some(Ok(()))
    }

    /// SRGPT, SRUART, SRSEC: the modules whose bits went to 1.
    fn reset_modules(&mut self, row: u32, bits: u32, now: Ps) {
        match row {
            0 => {
                let chosen = self.gptimers.iter_mut().enumerate();
                chosen
                    .filter(|(number, _)| bits >> number & 1 != 0)
                    .for_each(|(_, timer)| GpTimer::reset(timer));
            }
            2 => {
                let chosen = self.uarts.iter_mut().enumerate();
                chosen
                    .filter(|(number, _)| bits >> number & 1 != 0)
                    .for_each(|(_, uart)| uart.reset());
            }
            1 => {
                let chosen = self.ssis.iter_mut().enumerate();
                chosen
                    .filter(|(number, _)| bits >> number & 1 != 0)
                    .for_each(|(_, ssi)| ssi.reset());
            }
            3 => self.i2c.reset(),
            4 if bits >> 1 & 1 != 0 => self.aes.reset(&self.config),
            _ => {}
        }
        self.clocks_changed(now);
    }

    /// The watchdog as after a reset; it follows the sleep timer's clock.
    pub(super) fn reset_watchdog(&mut self) {
        self.watchdog = Watchdog::new();
    }
}
