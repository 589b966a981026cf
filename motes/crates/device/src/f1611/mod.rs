//! The MSP430F1611 as its CPU and its pins see it: the peripheral space 0x0000..=0x01FF, clocks,
//! interrupts, resets. RAM and the flash array are the board's. Sources: TI SLAU049 (user's guide
//! of the x1xx family), SLAS368 (data sheet).
//!
//! Calls come in time order. The board's part of sleep: when [`F1611::interrupt`] is `Some` while
//! the CPU is off, wait [`F1611::wake_delay`], call [`F1611::set_low_power`] with SR = 0 at that
//! time (clocks start), then let the CPU take the interrupt from the next edge of [`F1611::mclk`]
//! on.

mod absent;
mod adc12;
mod analog;
mod basic_clock;
mod bus;
mod comparator;
mod config;
mod count;
mod dac12;
pub mod dco;
mod dma;
mod flash;
mod i2c_mode;
mod multiplier;
mod output;
mod pins;
mod port;
mod sfr;
mod timer;
mod usart;
mod watchdog;

use crate::Ps;
use crate::UartReceiver;
use crate::absent::Absent;
pub use crate::clock::{self, Clock, NEVER, Period};
use crate::i2c::I2cBus;
use adc12::{Adc12, Trigger};
use analog::Analog;
use basic_clock::BasicClock;
pub use basic_clock::{SR_CPUOFF, SR_OSCOFF, SR_SCG0, SR_SCG1};
pub use config::F1611Config;
pub use dco::{DcoFigures, DcoModel, DcoTap};
use dma::Dma;
pub use dma::DmaTransfer;
use flash::Flash;
use i2c_mode::I2cMode;
use multiplier::Multiplier;
use port::Port;
use sfr::Sfr;
use std::fmt;
use timer::Timer;
use usart::Usart;
use watchdog::{Expiry, Watchdog};

/// What is soldered to the chip. Calls come at the exact time `now` of the change.
pub trait External {
    /// Pin `bit` of port `port` (1..=6) drives `level` from now on: it became an output, or its
    /// output changed. By default nothing is connected to it.
    fn pin_output(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        let _ = (now, port, bit, level);
    }
    /// Pin `bit` of port `port` was an output and is an input from now on.
    fn pin_released(&mut self, now: Ps, port: u8, bit: u8) {
        let _ = (now, port, bit);
    }
    /// USART `usart` as SPI master has shifted out the octet `mosi`, all eight bits at `now`;
    /// returns the octet shifted in. By default SOMI reads high.
    fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        let _ = (now, usart, mosi);
        0xFF
    }
    /// USART `usart` in UART mode has sent the character `byte`; its last stop bit ends at `now`.
    fn uart_byte(&mut self, now: Ps, usart: u8, byte: u8) {
        let _ = (now, usart, byte);
    }
    /// The parts on the I2C bus of USART0. By default there are none.
    fn two_wire(&mut self, now: Ps) -> Option<&mut I2cBus> {
        let _ = now;
        None
    }
    /// The program does what the user's guide forbids, without an effect that it could rely on.
    fn misuse(&mut self, now: Ps, what: &'static str) {
        let _ = (now, what);
    }
    /// The voltage at an input of the ADC12 or the comparator. By default a supply of 3 V, 25 degrees, and nothing at
    /// the pins.
    fn microvolts(&mut self, now: Ps, input: AnalogInput) -> u32 {
        let _ = now;
        match input {
            AnalogInput::Pin(_) | AnalogInput::Comparator(_) | AnalogInput::Reference => 0,
            AnalogInput::Supply => 3_000_000,
            AnalogInput::Temperature => TEMPERATURE_UV,
        }
    }
}

/// A voltage that the ADC12 and the comparator meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalogInput {
    /// Pin A0 to A7.
    Pin(u8),
    /// Pin CA0 or CA1 of the comparator, while it is no output.
    Comparator(u8),
    /// VeREF+.
    Reference,
    /// AVCC.
    Supply,
    /// The diode that measures the chip's temperature.
    Temperature,
}

/// The temperature diode at 25 degrees Celsius: 0.986 V and 3.55 mV a degree (SLAU049, "Integrated
/// Temperature Sensor").
const TEMPERATURE_UV: u32 = 986_000 + 25 * 3_550;

/// Nothing is soldered to the chip: outputs go nowhere, SOMI reads high.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl External for Unconnected {}

/// Why an access to the peripheral space cannot be done.
pub type AccessError = crate::access::AccessError<u16>;

/// Why the chip restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// The watchdog expired.
    Watchdog,
    /// WDTCTL was written without its password.
    WatchdogPassword,
    /// A flash control register was written without its key.
    FlashKey,
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResetCause::Watchdog => "the watchdog expired",
            ResetCause::WatchdogPassword => "WDTCTL was written without its password",
            ResetCause::FlashKey => "a flash control register was written without its key",
        })
    }
}

/// The effect of a CPU write on the flash array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashAction {
    /// Programs: the array's bits become old AND new.
    Program,
    /// Erases: every octet from `first` to `last`, both included, becomes 0xFF. The written data is
    /// not used.
    Erase {
        /// First address.
        first: u16,
        /// Last address.
        last: u16,
    },
    /// Nothing; ACCVIFG has been set.
    AccessViolation,
}

/// The outcome of a CPU write into the flash array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashWrite {
    /// What happens to the array.
    pub action: FlashAction,
    /// BUSY is set until this time. A CPU that executes from flash waits until then; one that
    /// executes from RAM goes on.
    pub busy_until: Ps,
}

/// The peripherals of one MSP430F1611.
#[derive(Clone, Debug)]
pub struct F1611 {
    clocks: BasicClock,
    sfr: Sfr,
    ports: [Port; 6],
    timer_a: Timer<3>,
    timer_b: Timer<7>,
    usarts: [Usart; 2],
    i2c: I2cMode,
    adc: Adc12,
    analog: Analog,
    dma: Dma,
    multiplier: Multiplier,
    watchdog: Watchdog,
    flash: Flash,
    absent_bytes: Absent,
    absent_words: Absent,
    /// Timer output levels as the ports have them.
    timer_outputs: [u8; 2],
    reset: Option<ResetCause>,
    /// The latest time seen.
    last: Ps,
    /// The earliest moment of all parts.
    next: Ps,
    /// Pending and enabled vectors, one bit each.
    pending: u16,
}

impl F1611 {
    /// The chip just after power-on reset at time 0: all pins inputs, the watchdog running.
    pub fn new(config: F1611Config) -> F1611 {
        let seed = config.noise_seed;
        let mut chip = F1611 {
            clocks: BasicClock::new(&config),
            sfr: Sfr::new(),
            ports: pins::ports(),
            timer_a: Timer::new(&timer::TIMER_A3).with_jitter(config.dco_jitter, seed),
            timer_b: Timer::new(&timer::TIMER_B7).with_jitter(config.dco_jitter, !seed),
            usarts: [0, 1].map(|index| Usart::new(index, config.usart_start)),
            i2c: I2cMode::new(),
            adc: Adc12::new(),
            analog: Analog::default(),
            dma: Dma::default(),
            multiplier: Multiplier::default(),
            watchdog: Watchdog::new(),
            flash: Flash::new(),
            absent_bytes: Absent::new(&absent::BYTES),
            absent_words: Absent::new(&absent::WORDS),
            timer_outputs: [0; 2],
            reset: None,
            last: Ps::ZERO,
            next: NEVER,
            pending: 0,
        };
        chip.clocks_changed(Ps::ZERO);
        chip
    }

    /// When something next happens by itself.
    #[inline]
    pub fn deadline(&self) -> Option<Ps> {
        (self.next < NEVER).then_some(self.next)
    }

    /// Does everything that is due up to and including `now`, in order of time.
    #[inline]
    pub fn advance(&mut self, now: Ps, ext: &mut impl External) {
        while self.next <= now {
            let due = self.next;
            self.last = self.last.max(due);
            self.happen(due, ext);
        }
        self.last = self.last.max(now);
    }

    /// The highest-priority source that is pending and enabled, as vector number 0..=15 (vector n
    /// lies at 0xFFE0 + 2n). This ignores GIE, which masks every vector except 14 (NMI).
    #[inline]
    pub fn interrupt(&self) -> Option<u8> {
        self.pending.checked_ilog2().map(|vector| vector as u8)
    }

    /// The CPU has taken the interrupt `vector`: the flags of single-source vectors clear, those of
    /// shared vectors (ports, TA1, TB1) stay, an NMI clears its enable bits. [`F1611::advance`] has
    /// been called up to this moment.
    pub fn accept(&mut self, vector: u8) {
        match vector {
            sfr::VECTOR_TIMER_A0 => self.timer_a.accept0(self.last, self.clocks.sources()),
            sfr::VECTOR_TIMER_B0 => self.timer_b.accept0(self.last, self.clocks.sources()),
            sfr::VECTOR_WATCHDOG => self.sfr.ifg[0] &= !sfr::WDT,
            sfr::VECTOR_USART0_RX => self.usarts[0].served(&mut self.sfr),
            sfr::VECTOR_USART0_TX => self.sfr.set_flag(sfr::USART_TX[0], false),
            sfr::VECTOR_USART1_RX => self.usarts[1].served(&mut self.sfr),
            sfr::VECTOR_USART1_TX => self.sfr.set_flag(sfr::USART_TX[1], false),
            sfr::VECTOR_COMPARATOR => self.analog.comparator.accept(),
            sfr::VECTOR_NMI => self.sfr.ie[0] &= !(sfr::OF | sfr::NMI | sfr::ACCVIE),
            _ => {}
        }
        self.refresh();
    }

    /// What USART `usart` (0 or 1) expects of a character that began at `begun`; `None`: it does not
    /// hear it. [`F1611::advance`] has been called up to the end of the character.
    pub fn uart_receiver(&self, usart: u8, begun: Ps) -> Option<UartReceiver> {
        let n = usize::from(usart & 1);
        let wiring = pins::usart_wiring(&self.ports, n);
        self.usarts[n].receiver(begun, wiring, &self.sfr, self.clocks.sources())
    }

    /// A start bit begins at `now` on the line of a USART.
    pub fn uart_start(&mut self, now: Ps, usart: u8) {
        self.last = self.last.max(now);
        let n = usize::from(usart & 1);
        let wiring = pins::usart_wiring(&self.ports, n);
        self.usarts[n].start_edge(wiring, &self.sfr);
        self.refresh();
    }

    /// A character that [`F1611::uart_receiver`] expects has come; its stop bit ends at `now`.
    pub fn uart_input(&mut self, now: Ps, usart: u8, byte: u8) {
        self.last = self.last.max(now);
        self.usarts[usize::from(usart & 1)].receive_uart(byte, &mut self.sfr);
        self.refresh();
    }

    /// The CPU clock. CPUOFF alone does not stop it here: a CPU that wakes starts at one of its
    /// edges.
    pub fn mclk(&self) -> Clock {
        self.clocks.mclk
    }

    /// SMCLK.
    pub fn smclk(&self) -> Clock {
        self.clocks.smclk
    }

    /// ACLK.
    pub fn aclk(&self) -> Clock {
        self.clocks.aclk
    }

    /// Has [`F1611::mclk`] changed since the last call?
    #[inline]
    pub fn take_mclk_change(&mut self) -> bool {
        std::mem::take(&mut self.clocks.mclk_changed)
    }

    /// CPUOFF, OSCOFF, SCG0 and SCG1 of SR are as in `sr` from `now` on. Cheap when nothing
    /// changes.
    #[inline]
    pub fn set_low_power(&mut self, now: Ps, sr: u16) {
        let now = now.max(self.last);
        if self.clocks.set_low_power(now, sr) {
            self.clocks_changed(now);
        }
    }

    /// From an interrupt now to a running MCLK.
    pub fn wake_delay(&self) -> Ps {
        self.clocks.wake_delay()
    }

    /// The CPU writes to the flash array at `addr` (of a word: its even address).
    pub fn flash_write(&mut self, now: Ps, addr: u16) -> Result<FlashWrite, AccessError> {
        let write = self.flash.array_write(addr, now, self.clocks.sources());
        self.refresh();
        write
    }

    /// The time until which the flash array is busy and cannot be read. `None`: it is idle.
    pub fn flash_busy_until(&self, now: Ps) -> Option<Ps> {
        self.flash.busy_until(now)
    }

    /// The CPU reads the busy flash array: ACCVIFG is set; returns what the CPU gets.
    pub fn flash_read_while_busy(&mut self, now: Ps) -> u16 {
        self.last = self.last.max(now);
        self.flash.violate();
        self.refresh();
        0x3FFF
    }

    /// The reset that has happened since the last call. The registers are reset already; the board
    /// restarts the CPU.
    #[inline]
    pub fn take_reset(&mut self) -> Option<ResetCause> {
        self.reset.take()
    }

    /// RST/NMI goes low and high again: resets what a PUC resets. The board restarts the CPU.
    pub fn reset(&mut self, now: Ps) {
        self.clear(now.max(self.last));
    }

    /// Does everything that is due at `now`.
    fn happen(&mut self, now: Ps, ext: &mut impl External) {
        for n in 0..2 {
            if self.usarts[n].due() <= now {
                let wiring = pins::usart_wiring(&self.ports, n);
                self.usarts[n].advance(now, wiring, &mut self.sfr, self.clocks.sources(), ext);
            }
        }
        if self.i2c.due() <= now {
            let wired = pins::usart_wiring(&self.ports, 0).simo_and_clock;
            self.i2c.advance(now, wired, self.clocks.sources(), ext);
        }
        if self.timer_a.due() <= now {
            self.timer_a.advance(now, self.clocks.sources());
        }
        if self.timer_b.due() <= now {
            self.timer_b.advance(now, self.clocks.sources());
        }
        self.tell_timer_outputs(now, ext);
        if self.adc.due() <= now {
            self.convert(now, ext);
        }
        if self.watchdog.due() <= now {
            self.sfr.ifg[0] |= sfr::WDT;
            if self.watchdog.expire(self.clocks.sources()) == Expiry::Reset {
                self.restart(now, ResetCause::Watchdog);
            }
        }
        self.refresh();
    }

    /// A PUC with its cause.
    fn restart(&mut self, now: Ps, cause: ResetCause) {
        self.clear(now);
        self.reset = Some(cause);
    }

    /// A PUC. The timers, ADC12, DAC12, Comparator_A, PxOUT and PxIES are reset by power-on only.
    fn clear(&mut self, now: Ps) {
        self.sfr.reset();
        self.clocks.reset(now);
        for port in &mut self.ports {
            port.reset();
        }
        for usart in &mut self.usarts {
            usart.reset();
        }
        self.i2c = I2cMode::new();
        self.watchdog.reset(now, self.clocks.sources());
        self.flash.reset();
        self.dma.reset();
        self.absent_bytes.reset();
        self.absent_words.reset();
        self.clocks_changed(now);
    }

    /// The clocks have changed at `now`: computes every deadline anew.
    fn clocks_changed(&mut self, now: Ps) {
        self.timer_a.clocks_changed(now, self.clocks.sources());
        self.timer_b.clocks_changed(now, self.clocks.sources());
        for usart in &mut self.usarts {
            usart.reschedule(self.clocks.sources());
        }
        self.i2c.reschedule(self.clocks.sources());
        self.adc.reschedule(self.clocks.sources());
        self.watchdog.reschedule(self.clocks.sources());
        self.refresh();
    }

    /// The flags that trigger DMA.
    fn look_for_triggers(&mut self) {
        let flags = [
            (self.timer_a.dma_flag(2), dma::TACCR2),
            (self.timer_b.dma_flag(2), dma::TBCCR2),
            (self.analog.dac.dma_flag(), dma::DAC12),
            (self.adc.has_result(), dma::ADC12),
            (self.timer_a.dma_flag(0), dma::TACCR0),
            (self.timer_b.dma_flag(0), dma::TBCCR0),
        ];
        let levels = flags
            .into_iter()
            .filter(|(set, _)| *set)
            .fold(dma::usart_levels(&self.sfr), |levels, (_, source)| {
                levels | 1 << source
            });
        self.dma.look(levels);
    }

    /// What DMA moves next, if it has a trigger. The flag of the trigger is reset, and the channel's
    /// flag is set with its last item.
    pub fn take_transfer(&mut self) -> Option<DmaTransfer> {
        let (transfer, source) = self.dma.next()?;
        match source {
            dma::TACCR2 => self.timer_a.take_dma_flag(2),
            dma::TBCCR2 => self.timer_b.take_dma_flag(2),
            dma::TACCR0 => self.timer_a.take_dma_flag(0),
            dma::TBCCR0 => self.timer_b.take_dma_flag(0),
            dma::DAC12 => self.analog.dac.take_dma_flag(),
            dma::URX0 => self.sfr.set_flag(sfr::USART_RX[0], false),
            dma::UTX0 => self.sfr.set_flag(sfr::USART_TX[0], false),
            dma::URX1 => self.sfr.set_flag(sfr::USART_RX[1], false),
            dma::UTX1 => self.sfr.set_flag(sfr::USART_TX[1], false),
            _ => {}
        }
        self.refresh();
        Some(transfer)
    }

    /// Does a transfer wait?
    #[inline]
    pub fn transfers(&self) -> bool {
        self.dma.wants()
    }

    /// Computes the next moment and the pending vectors from the parts.
    fn refresh(&mut self) {
        self.next = self
            .timer_a
            .due()
            .min(self.timer_b.due())
            .min(self.watchdog.due());
        self.next = self
            .next
            .min(self.usarts[0].due())
            .min(self.usarts[1].due())
            .min(self.i2c.due())
            .min(self.adc.due());
        if self.dma.active() {
            self.look_for_triggers();
        }
        let violated = self.flash.violated() && self.sfr.ie[0] & sfr::ACCVIE != 0;
        self.pending = self.sfr.pending()
            | sfr::bit(self.usarts[0].start_seen(), sfr::VECTOR_USART0_RX)
            | sfr::bit(self.usarts[1].start_seen(), sfr::VECTOR_USART1_RX)
            | sfr::bit(self.ports[0].pending(), sfr::VECTOR_PORT1)
            | sfr::bit(self.ports[1].pending(), sfr::VECTOR_PORT2)
            | sfr::bit(self.timer_a.pending0(), sfr::VECTOR_TIMER_A0)
            | sfr::bit(self.timer_a.pending1(), sfr::VECTOR_TIMER_A1)
            | sfr::bit(self.timer_b.pending0(), sfr::VECTOR_TIMER_B0)
            | sfr::bit(self.timer_b.pending1(), sfr::VECTOR_TIMER_B1)
            | sfr::bit(self.adc.pending(), sfr::VECTOR_ADC12)
            | sfr::bit(self.i2c.pending(), sfr::VECTOR_USART0_TX)
            | sfr::bit(
                self.dma.pending() || self.analog.dac.pending(),
                sfr::VECTOR_DMA,
            )
            | sfr::bit(self.analog.comparator.pending(), sfr::VECTOR_COMPARATOR)
            | sfr::bit(violated, sfr::VECTOR_NMI);
    }
}

#[cfg(test)]
mod tests;
