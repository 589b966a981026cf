//! Texas Instruments CC2538 as its CPU and its pins see it: everything that is mapped below
//! 0xE000_0000 and is neither RAM, ROM nor the flash array. Register names, addresses and fields
//! are those of TI's header files (hw_*.h) and of the user's guide SWRU319; electrical figures
//! those of the data sheet SWRS096.
//!
//! Calls come in order of time. The board
//! * takes every 32-bit access of the CPU to 0x4000_0000..=0x44FF_FFFF through [`Cc2538::read32`]
//!   and [`Cc2538::write32`], and maps [`Cc2538::info_page`] at 0x0028_0000;
//! * asks [`Cc2538::deadline`] when the chip next does something by itself and calls
//!   [`Cc2538::advance`];
//! * when [`Cc2538::take_irq_change`] is true, drives the levels of [`Cc2538::irq_levels`] on the
//!   NVIC and pends each line of [`Cc2538::take_irq_pulses`] once (the sleep timer's line pulses,
//!   the others are levels);
//! * on WFI calls [`Cc2538::sleep`], on a wake-up waits [`Cc2538::wake_delay`] and then calls
//!   [`Cc2538::wake`];
//! * follows [`Cc2538::system_clock`] whenever [`Cc2538::take_clock_change`] is true;
//! * gives its memories as [`Memory`]: the AES engine's DMA and the flash controller work on them.
//!
//! Modelled: clocks, gates and power modes; sleep timer; watchdog; four general-purpose timers;
//! GPIO; transmit side of the UARTs and octets received by them; SSI and I2C masters; ADC with the
//! random number generator; uDMA on request of program, UARTs and SSIs; flash controller; RF core with
//! FIFOs, strobes, frame filtering, acknowledgement and MAC timer; AES engine with key store and
//! DMA. Registers of the other blocks read as after a reset and keep written values. A write that
//! switches such a block on is refused by name. Access to a block whose clock is gated is refused
//! too.
//!
//! The radio's symbols keep nominal time; the deviation of the 32 MHz crystal acts on CPU, timers
//! and MAC timer.

mod absent;
mod adc;
mod aes;
mod bus;
mod config;
mod error;
mod flash;
mod gpio;
mod gptimer;
mod i2c;
mod info;
mod irq;
mod rf;
mod rom;
mod sleep_timer;
mod ssi;
mod system;
#[cfg(test)]
mod tests;
mod uart;
mod udma;
mod watchdog;

pub use aes::EngineState;
pub use config::Cc2538Config;
pub use error::{AccessError, ResetCause};
use error::{Written, not_modelled};
pub use flash::{CacheMode, FlashState};
pub use gpio::PinChange;
pub use info::{INFO_PAGE, INFO_PAGE_OCTETS};
pub use irq::{Irq, IrqSet};
pub use rf::RadioState;
pub use rom::{ROM_API, ROM_API_TABLE, RomEntry};
pub use system::PowerMode;
pub use uart::UartOctet;

use crate::absent::Absent;
use crate::air::{AirIn, AirOut};
use crate::clock::{Clock, NEVER};
use crate::i2c::I2cBus;
use crate::{EngineFault, Ps, UartReceiver};
use adc::Adc;
use aes::Aes;
use flash::Flash;
use gpio::Gpio;
use gptimer::GpTimer;
use i2c::I2cMaster;
use info::InfoPage;
use rf::RfCore;
use sleep_timer::SleepTimer;
use ssi::Ssi;
use system::{Block, SystemControl};
use uart::Uart;
use udma::{FifoAsks, Udma};
use watchdog::Watchdog;

/// The memories of the board as the chip's own bus masters and the flash controller reach them.
pub trait Memory {
    /// Reads octets from `addr` on (RAM, flash, ROM). `None`: there is no memory, the bus answers
    /// with an error.
    fn read(&self, addr: u32, octets: &mut [u8]) -> Option<()>;
    /// Writes octets from `addr` on (RAM only). `None`: there is no RAM, the bus answers with an
    /// error.
    fn write(&mut self, addr: u32, octets: &[u8]) -> Option<()>;
    /// The flash word at `addr` (a multiple of 4) becomes old AND `word`.
    fn flash_program(&mut self, addr: u32, word: u32);
    /// The `octets` octets of flash from `addr` on become 0xFF.
    fn flash_erase(&mut self, addr: u32, octets: u32);
}

/// One CC2538 without CPU and memories.
#[derive(Clone)]
pub struct Cc2538 {
    config: Cc2538Config,
    system: SystemControl,
    sleep_timer: SleepTimer,
    watchdog: Watchdog,
    gptimers: [GpTimer; 4],
    gpio: Gpio,
    uarts: [Uart; 2],
    ssis: [Ssi; 2],
    i2c: I2cMaster,
    adc: Adc,
    udma: Udma,
    flash: Flash,
    info: InfoPage,
    rf: RfCore,
    aes: Aes,
    absent: Absent,
    reset: Option<ResetCause>,
    /// The latest time seen.
    last: Ps,
    /// The earliest moment of all parts.
    next: Ps,
    levels: IrqSet,
    pulses: IrqSet,
    irq_changed: bool,
}

impl Cc2538 {
    /// The chip just after power-on reset at time 0: 16 MHz RC oscillator, sleep timer running, all
    /// pins inputs.
    pub fn new(config: Cc2538Config) -> Cc2538 {
        let system = SystemControl::new(&config);
        let mut chip = Cc2538 {
            sleep_timer: SleepTimer::new(&config),
            watchdog: Watchdog::new(),
            gptimers: std::array::from_fn(|_| GpTimer::new()),
            gpio: Gpio::new(),
            uarts: std::array::from_fn(|_| Uart::new()),
            ssis: std::array::from_fn(|_| Ssi::new()),
            i2c: I2cMaster::new(),
            adc: Adc::new(),
            udma: Udma::default(),
            flash: Flash::new(),
            info: InfoPage::new(config.eui64),
            rf: RfCore::new(&config),
            aes: Aes::new(&config),
            absent: Absent::new(&absent::RANGES),
            reset: None,
            last: Ps::ZERO,
            next: NEVER,
            levels: IrqSet::EMPTY,
            pulses: IrqSet::EMPTY,
            irq_changed: true,
            system,
            config,
        };
        chip.refresh();
        chip
    }

    /// Its parameters.
    pub fn config(&self) -> &Cc2538Config {
        &self.config
    }

    /// When something next happens by itself. Ask again after every call.
    #[inline]
    pub fn deadline(&self) -> Option<Ps> {
        (self.next < NEVER).then_some(self.next)
    }

    /// Does everything that is due up to and including `now`, in order of time.
    #[inline]
    pub fn advance(&mut self, now: Ps, mem: &mut dyn Memory) {
        while self.next <= now {
            let due = self.next;
            self.last = self.last.max(due);
            self.happen(due, mem);
        }
        if self.rf.unheard() <= now {
            self.rf.advance(now);
        }
        self.last = self.last.max(now);
    }

    /// Lines that are high now. Numbers follow the interrupt map that I_MAP selects.
    #[inline]
    pub fn irq_levels(&self) -> IrqSet {
        self.levels
    }

    /// Has [`Cc2538::irq_levels`] changed, or is there a pulse, since the last call?
    #[inline]
    pub fn take_irq_change(&mut self) -> bool {
        std::mem::take(&mut self.irq_changed)
    }

    /// Lines that went high and low again since the last call: each becomes pending once.
    pub fn take_irq_pulses(&mut self) -> IrqSet {
        std::mem::replace(&mut self.pulses, IrqSet::EMPTY)
    }

    /// The system clock of CPU, bus and timers. It stands still in PM1, PM2 and PM3.
    #[inline]
    pub fn system_clock(&self) -> Clock {
        self.system.system_clock()
    }

    /// Has [`Cc2538::system_clock`] changed since the last call?
    #[inline]
    pub fn take_clock_change(&mut self) -> bool {
        self.system.take_clock_change()
    }

    /// From now on the AES engine has this defect, or none.
    pub fn break_engine(&mut self, fault: Option<EngineFault>) {
        self.aes.break_down(fault);
        self.system
            .withhold_security_clock(fault == Some(EngineFault::Dark));
    }

    /// The CPU has executed WFI or WFE and sleeps from `now` on; `deep`: SLEEPDEEP of SCR. Returns
    /// the mode entered: PM1, PM2 or PM3 need `deep` and PMCTL. In them only the lines of
    /// [`Cc2538::wake_lines`] wake.
    pub fn sleep(&mut self, now: Ps, deep: bool, mem: &mut dyn Memory) -> PowerMode {
        self.advance(now, mem);
        let mode = self.system.sleep(now, deep);
        if mode.stops_clocks() {
            self.rf.power_down(now);
            if mode.loses_state() {
                self.aes.reset(&self.config);
            }
            self.sleep_timer.freeze(now);
            self.sleep_timer.set_running(now, mode != PowerMode::Pm3);
            self.watchdog.reschedule(self.sleep_timer.clock());
        }
        self.clocks_changed(now);
        mode
    }

    /// From a waking interrupt now to a running system clock.
    pub fn wake_delay(&self) -> Ps {
        self.system.wake_delay(&self.config)
    }

    /// The CPU runs again from `now` on. After PM2 and PM3 it runs from the RC oscillator until the
    /// crystal is stable, and the lower half of RAM (0x2000_0000..=0x2000_3FFF) has lost its
    /// contents.
    pub fn wake(&mut self, now: Ps, mem: &mut dyn Memory) {
        self.advance(now, mem);
        self.system.wake(now, &self.config);
        self.sleep_timer.set_running(now, true);
        self.sleep_timer.thaw(now);
        self.watchdog.reschedule(self.sleep_timer.clock());
        self.gpio.clock_again();
        self.clocks_changed(now);
    }

    /// Active, or how deep it sleeps.
    pub fn power_mode(&self) -> PowerMode {
        self.system.mode()
    }

    /// Lines that end the present power mode: all, or in PM1 to PM3 what IWE allows (sleep timer,
    /// GPIO ports).
    pub fn wake_lines(&self) -> IrqSet {
        self.system.wake_lines()
    }

    /// Cache mode of the flash controller (FCTL.CM).
    pub fn flash_cache(&self) -> CacheMode {
        self.flash.cache()
    }

    /// The time until which the flash array is busy with erasing or writing. `None`: it can be
    /// read.
    pub fn flash_busy_until(&self, now: Ps) -> Option<Ps> {
        self.flash.busy_until(now)
    }

    /// What the flash controller does, for the meter.
    pub fn flash_state(&self) -> FlashState {
        self.flash.state()
    }

    /// The flash information page, mapped at [`INFO_PAGE`]: IEEE address at offset 0x28.
    pub fn info_page(&self) -> &[u8; INFO_PAGE_OCTETS] {
        self.info.octets()
    }

    /// What the radio's FIFOs hold.
    pub fn radio_memory(&self) -> [(&'static str, &[u8]); 2] {
        self.rf.memory()
    }

    /// Moves what was transmitted since the last call to the end of `out`, in the order of its
    /// announcement.
    pub fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.rf.take_air(out);
    }

    /// Queues what the antenna will hear; it takes effect at its time.
    pub fn hear(&mut self, event: AirIn) {
        self.rf.hear(event);
        self.refresh();
    }

    /// True from the strobe that starts a transmission until the carrier is off: such a mote runs
    /// first in its quantum.
    pub fn on_air(&self) -> bool {
        self.rf.on_air()
    }

    /// State of the radio, for the meter.
    pub fn radio_state(&self) -> RadioState {
        self.rf.state()
    }

    /// Channel tuned to, 11..=26; `None` for a frequency that is no channel.
    pub fn channel(&self) -> Option<u8> {
        self.rf.channel()
    }

    /// State of the AES engine, for the meter.
    pub fn engine_state(&self) -> EngineState {
        self.aes.state()
    }

    /// Moves the changes of output pins since the last call to the end of `out`.
    pub fn take_pin_changes(&mut self, out: &mut Vec<PinChange>) {
        self.gpio.take_changes(out);
    }

    /// Pin `port` (0 = A … 3 = D) `bit` is driven to `level` from outside.
    pub fn set_input(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        self.last = self.last.max(now);
        let clocked = !self.system.mode().stops_clocks();
        self.gpio.set_input(port, bit, level, clocked);
        self.refresh();
    }

    /// The I2C bus and its parts.
    pub fn i2c_bus(&mut self) -> &mut I2cBus {
        &mut self.i2c.bus
    }

    /// The number of an SSI whose frames no part has answered since the last call.
    #[inline]
    pub fn take_unheard(&mut self) -> Option<usize> {
        (0..2).find(|number| self.ssis[*number].take_unheard())
    }

    /// Moves the octets that the UARTs have sent since the last call to the end of `out`.
    pub fn take_uart(&mut self, out: &mut Vec<UartOctet>) {
        self.uarts.iter_mut().for_each(|uart| uart.take_sent(out));
    }

    /// What UART `uart` (0 or 1) expects of a character that began at `begun`; `None`: it does not
    /// hear it.
    pub fn uart_receiver(&self, uart: u8, begun: Ps) -> Option<UartReceiver> {
        let (system, io) = (self.system.system_clock(), self.system.io_clock());
        self.uarts[usize::from(uart & 1)].receiver(begun, &system, &io)
    }

    /// UART `uart` (0 or 1) has received `octet`; its stop bit ends at `now`.
    pub fn uart_input(&mut self, now: Ps, uart: u8, octet: u8) {
        self.last = self.last.max(now);
        self.uarts[usize::from(uart & 1)].receive(octet);
        self.refresh();
    }

    /// The reset that has happened since the last call. Registers are reset already; the board
    /// restarts the CPU.
    #[inline]
    pub fn take_reset(&mut self) -> Option<ResetCause> {
        self.reset.take()
    }

    /// Resets the chip (SYSRESETREQ of the CPU, the reset pin). [`Cc2538::take_reset`] then gives
    /// `cause`.
    pub fn restart(&mut self, now: Ps, cause: ResetCause) {
        self.last = self.last.max(now);
        self.rf.power_down(now);
        self.rf.reset();
        self.system.reset(now, cause, &self.config);
        self.reset_watchdog();
        self.gptimers = std::array::from_fn(|_| GpTimer::new());
        self.gpio.reset(now);
        self.uarts.iter_mut().for_each(Uart::reset);
        self.ssis.iter_mut().for_each(Ssi::reset);
        self.i2c.reset();
        self.adc.reset();
        self.udma.reset();
        self.flash.reset();
        self.aes.reset(&self.config);
        self.absent.reset();
        self.sleep_timer.reset(now);
        self.reset = Some(cause);
        self.clocks_changed(now);
    }

    /// Does everything that is due at `now`.
    fn happen(&mut self, now: Ps, mem: &mut dyn Memory) {
        if self.system.due() <= now {
            self.system.advance(now, &self.config);
            self.clocks_changed(now);
        }
        if self.sleep_timer.due() <= now && self.sleep_timer.advance(now) {
            self.pulse(Irq::SleepTimer);
        }
        if self.watchdog.due() <= now {
            self.restart(now, ResetCause::Watchdog);
        }
        let clock = self.system.system_clock();
        for timer in &mut self.gptimers {
            if timer.due() <= now {
                timer.advance(now, &clock);
            }
        }
        for (number, uart) in (0..).zip(&mut self.uarts) {
            if uart.due() <= now {
                uart.advance(now, number, &clock, &self.system.io_clock());
            }
        }
        for ssi in &mut self.ssis {
            if ssi.due() <= now {
                ssi.advance(now, &clock, &self.system.io_clock());
            }
        }
        if self.i2c.due() <= now {
            self.i2c.advance(now);
        }
        if self.adc.due() <= now {
            self.adc.advance(now);
        }
        if self.adc.take_pulse() {
            self.pulse(Irq::Adc);
        }
        if self.udma.due() <= now {
            self.serve_dma(now, mem);
        }
        if self.flash.due() <= now {
            self.flash.advance(now, &self.config, mem);
        }
        if self.rf.due() <= now {
            self.rf.advance(now);
        }
        if self.aes.due() <= now {
            self.aes.advance(now, mem);
        }
        self.refresh();
    }

    fn pulse(&mut self, irq: Irq) {
        self.pulses.insert(irq.line(self.system.alternate_map()));
        self.irq_changed = true;
    }

    /// Clocks or gates have changed at `now`: every moment is computed anew.
    fn clocks_changed(&mut self, now: Ps) {
        let clock = self.system.system_clock();
        for (number, timer) in (0..).zip(&mut self.gptimers) {
            timer.clock_changed(now, &clock, self.system.clocked(Block::GpTimer(number)));
        }
        let io = self.system.io_clock();
        for (number, uart) in (0..).zip(&mut self.uarts) {
            uart.clock_changed(now, &clock, &io, self.system.clocked(Block::Uart(number)));
        }
        for (number, ssi) in (0..).zip(&mut self.ssis) {
            ssi.clock_changed(&clock, &io, self.system.clocked(Block::Ssi(number)));
        }
        self.i2c
            .clock_changed(&clock, self.system.clocked(Block::I2c));
        self.udma.clock_changed(&clock);
        if self.system.mode().stops_clocks() {
            self.adc.power_down();
        }
        let crystal = self.system.crystal_clock();
        let radio = self.system.clocked(Block::Rf) && self.system.runs_from_crystal();
        self.rf
            .clocks_changed(now, &crystal, self.sleep_timer.clock(), radio);
        self.aes
            .clock_changed(now, self.system.clocked(Block::Security));
        self.refresh();
    }

    /// Computes the next moment and the interrupt lines from the parts.
    fn refresh(&mut self) {
        if self.udma.listens() {
            self.follow_requests();
        }
        let timers = self
            .gptimers
            .iter()
            .map(GpTimer::due)
            .chain(self.uarts.iter().map(Uart::due))
            .chain(self.ssis.iter().map(Ssi::due));
        let parts = [
            self.system.due(),
            self.sleep_timer.due(),
            self.watchdog.due(),
            self.flash.due(),
            self.rf.due(),
            self.aes.due(),
            self.i2c.due(),
            self.adc.due(),
            self.udma.due(),
        ];
        self.next = parts.into_iter().chain(timers).fold(NEVER, Ps::min);
        let mut levels = IrqSet::EMPTY;
        let map = self.system.alternate_map();
        let mut drive = |irq: Irq, level: bool| {
            if level {
                levels.insert(irq.line(map));
            }
        };
        for port in 0..4 {
            drive(Irq::Gpio(port), self.gpio.interrupt(port));
        }
        let told = self.udma.told();
        for (number, uart) in (0..).zip(&self.uarts) {
            drive(
                Irq::Uart(number),
                uart.interrupt() || told >> number & 1 != 0,
            );
        }
        for (number, ssi) in (0..).zip(&self.ssis) {
            drive(Irq::Ssi(number), ssi.interrupt() || told >> number & 4 != 0);
        }
        drive(Irq::I2c, self.i2c.interrupt());
        drive(Irq::Dma, self.udma.interrupt());
        drive(Irq::DmaError, self.udma.error_interrupt());
        for (number, timer) in (0..).zip(&self.gptimers) {
            drive(Irq::GpTimerA(number), timer.interrupt(0));
            drive(Irq::GpTimerB(number), timer.interrupt(1));
        }
        drive(Irq::Rf, self.rf.interrupt());
        drive(Irq::RfError, self.rf.error_interrupt());
        drive(Irq::MacTimer, self.rf.mac_timer_interrupt());
        drive(Irq::Aes, self.aes.interrupt());
        if levels != self.levels {
            self.levels = levels;
            self.irq_changed = true;
        }
    }
}
