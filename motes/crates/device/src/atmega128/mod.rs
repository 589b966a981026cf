//! The ATmega128 and the ATmega1281 as their CPU and their pins see them (Atmel 2467 and 2549, data
//! sheets): the registers from data address 0x20 on except the CPU's own, interrupts, sleep,
//! resets. Section names in this module are those of 2467.
//!
//! Time is a count of cycles of the main clock, which drives everything here; the board knows how
//! long a cycle is, and lets no cycle pass while that clock stands still. Calls come in order of
//! time. What is not modelled is refused by name: Timer2 of the ATmega1281 from a watch crystal,
//! pins as clock or output of timers, synchronous USART and nine bits, differential inputs of the
//! ADC, analog comparator, TWI as slave, external memory, clock dividers, pin change interrupts.

mod absent;
mod adc;
mod chip;
mod eeprom;
mod port;
mod registers;
mod registers_1281;
mod spi;
mod spm;
mod timer;
mod twi;
mod usart;
mod vectors;
mod watch;
mod watchdog;

pub use chip::Chip;
pub use eeprom::SIZE as EEPROM_SIZE;
pub use spm::{FlashChange, Fuses, NRWW_START, PAGE_OCTETS, PAGE_WORDS, Stored};

use crate::Ps;
use crate::absent::Absent;
use crate::i2c::I2cBus;
use adc::Adc;
use eeprom::Eeprom;
use port::Port;
use spi::Spi;
use spm::SelfProgramming;
use std::cell::Cell;
use thiserror::Error;
use timer::Timer;
use twi::Twi;
use usart::Usart;
use watch::Watch;
use watchdog::Watchdog;

/// A voltage that the ADC meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalogInput {
    /// Pin ADC0 to ADC7.
    Pin(u8),
    /// AREF.
    Reference,
    /// AVCC.
    Supply,
}

/// What is soldered to the chip. Calls come in the cycle of the change.
pub trait External {
    /// Pin `bit` of port `port` (0..=6 for A to G) drives `level`: its output level changed or it
    /// became an output. By default it goes nowhere.
    fn pin_output(&mut self, now: u64, port: u8, bit: u8, level: bool) {
        let _ = (now, port, bit, level);
    }
    /// The SPI as master has shifted out the octet `mosi`; returns the octet shifted in. By default
    /// MISO reads high.
    fn spi_byte(&mut self, now: u64, mosi: u8) -> u8 {
        let _ = (now, mosi);
        0xFF
    }
    /// USART `usart` has sent a character.
    fn uart_byte(&mut self, now: u64, usart: u8, octet: u8) {
        let _ = (now, usart, octet);
    }
    /// The voltage at an input of the ADC. By default a supply of 3 V, which is the reference too,
    /// and nothing at the pins.
    fn microvolts(&mut self, now: u64, input: AnalogInput) -> u32 {
        let _ = now;
        match input {
            AnalogInput::Pin(_) => 0,
            AnalogInput::Reference | AnalogInput::Supply => 3_000_000,
        }
    }
    /// The parts on the two-wire interface, and the time at which cycle `now` begins. By default
    /// there is none.
    fn two_wire(&mut self, now: u64) -> Option<(&mut I2cBus, Ps)> {
        let _ = now;
        None
    }
    /// The first cycle that does not begin before a time, for parts that hold SCL until then.
    fn cycle_at(&mut self, at: Ps) -> u64 {
        let _ = at;
        0
    }
}

/// Nothing is soldered to the chip: outputs go nowhere, MISO reads high.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl External for Unconnected {}

/// Why an access cannot be done.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AccessError {
    /// There is no register at this address.
    #[error("no register of this chip at data address 0x{0:04x}")]
    Unmapped(u16),
    /// A block or mode this model does not have was switched on.
    #[error("{0} is not modelled")]
    NotModelled(&'static str),
}

/// How deep the chip sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// The CPU alone stands still.
    Idle,
    /// The clock of the I/O too, but not that of the ADC.
    NoiseReduction,
    /// All clocks; the oscillator runs.
    Standby,
    /// All clocks but the watch crystal's; the oscillator runs.
    ExtendedStandby,
    /// The oscillator too, but not the watch crystal.
    PowerSave,
    /// All clocks and oscillators.
    PowerDown,
}

impl Sleep {
    /// A timer that the watch crystal drives goes on.
    fn keeps_watch(self) -> bool {
        !matches!(self, Sleep::Standby | Sleep::PowerDown)
    }
}

/// The SPI as slave, between two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slave {
    /// How many bits of SCK its octet needs yet.
    pub missing: u8,
    /// What is in its shift register, the bit that leaves first in front.
    pub outgoing: u8,
    /// MISO is an output.
    pub drives: bool,
}

/// The peripherals of one chip.
#[derive(Clone, Debug)]
pub struct Atmega128 {
    chip: Chip,
    clock_hz: u32,
    ports: [Port; 7],
    external: port::External,
    /// The ATmega128 has no Timer4 and Timer5: they never run.
    timers: [Timer; 6],
    /// High octet of the 16-bit register that is accessed next, for each timer.
    high: [u8; 6],
    spi: Spi,
    twi: Twi,
    usarts: [Usart; 2],
    adc: Adc,
    eeprom: Eeprom,
    program: SelfProgramming,
    watch: Watch,
    watchdog: Watchdog,
    absent: Absent,
    /// MCUCR, MCUCSR, SFIOR, OSCCAL.
    control: u8,
    status: u8,
    special: u8,
    /// MCUCR of the ATmega1281, but for its sleep modes.
    pulls: u8,
    /// IVSEL, and until when IVCE lets it change.
    vectors_moved: bool,
    moves_until: u64,
    calibration: u8,
    /// Cycles for which the last access halts the CPU.
    halt: u32,
    /// ICESn: the edge that captures is the rising one.
    capture_edges: [bool; 6],
    /// GPIOR0 to GPIOR2.
    general: [u8; 3],
    /// The latest cycle seen.
    last: u64,
    /// The next cycle at which a timer interrupts, [`NEVER`] if none does; `None`: not known.
    timers_due: Cell<Option<u64>>,
}

/// A cycle that does not come.
const NEVER: u64 = u64::MAX;

/// PORF and WDRF of MCUCSR.
const POWER_ON: u8 = 0x01;
const WATCHDOG: u8 = 0x08;
/// SE in MCUCR of the ATmega128, and in SMCR of the ATmega1281.
const SLEEP_ENABLE: u8 = 0x20;
const SLEEP_ENABLE_1281: u8 = 0x01;

impl Atmega128 {
    /// The chip just after power-on at cycle 0 of a clock of `clock_hz`.
    pub fn new(chip: Chip, clock_hz: u32, fuses: Fuses) -> Atmega128 {
        // The timer that a watch crystal may drive has a prescaler of its own.
        let own = if chip == Chip::Atmega128 { 0 } else { 2 };
        let timer = |number| Timer::new(!matches!(number, 0 | 2), number == own, 0);
        Atmega128 {
            chip,
            clock_hz,
            ports: [Port::default(); 7],
            external: port::External::default(),
            timers: [0, 1, 2, 3, 4, 5].map(timer),
            high: [0; 6],
            spi: Spi::default(),
            twi: Twi::default(),
            usarts: [Usart::new(), Usart::new()],
            adc: Adc::new(chip),
            eeprom: Eeprom::new(chip),
            program: SelfProgramming::new(chip, clock_hz, fuses),
            watch: Watch::default(),
            watchdog: Watchdog::new(chip, clock_hz),
            absent: Absent::new(&absent::RANGES),
            control: 0,
            status: POWER_ON,
            special: 0,
            pulls: 0,
            vectors_moved: false,
            moves_until: 0,
            calibration: 0,
            halt: 0,
            capture_edges: [false; 6],
            general: [0; 3],
            last: 0,
            timers_due: Cell::new(None),
        }
    }

    /// The watchdog has expired: everything is reset at `now`, except the contents of the EEPROM,
    /// fuses and lock bits.
    fn restart(&mut self, now: u64) {
        let mut eeprom = self.eeprom.clone();
        eeprom.reset();
        let (ports, status) = (self.ports, self.status | WATCHDOG);
        *self = Atmega128::new(self.chip, self.clock_hz, self.program.fuses);
        self.eeprom = eeprom;
        self.status = status;
        self.last = now;
        for (port, before) in self.ports.iter_mut().zip(ports) {
            (port.input, port.driven) = (before.input, before.driven);
        }
        for timer in &mut self.timers {
            timer.reset_prescaler(now, false);
        }
    }

    /// Runs the chip until cycle `now`. True if the chip has restarted.
    pub fn advance(&mut self, now: u64, outside: &mut dyn External) -> bool {
        while let Some(due) = self.transfer_deadline().filter(|due| *due <= now) {
            self.transfer(due, outside);
        }
        while let Some(due) = self.watch.deadline().filter(|due| *due <= now) {
            self.timers[0].advance(due);
            if let Some((register, value)) = self.watch.take(due) {
                // What is not modelled was refused when it was written.
                let _ = self.set_timer0(register, value);
                self.timers_due.set(None);
            }
        }
        self.adc.advance(now, outside);
        self.last = self.last.max(now);
        if self.timers_due() <= self.last {
            self.settle();
        }
        if self.watchdog.expired(now) {
            self.restart(now);
            return true;
        }
        false
    }

    /// Timers count up to the latest cycle seen. Until one of them interrupts, that is put off until
    /// somebody looks at one or changes it.
    fn settle(&mut self) {
        let now = self.last;
        self.timers.iter_mut().for_each(|timer| timer.advance(now));
        if self.timers_due.get().is_some_and(|due| due <= now) {
            self.timers_due.set(None);
        }
    }

    /// Somebody changes a timer in the latest cycle seen.
    fn change_timers(&mut self) {
        self.settle();
        self.timers_due.set(None);
    }

    /// The next cycle at which a timer interrupts; [`NEVER`] if none does.
    fn timers_due(&self) -> u64 {
        let known = self.timers_due.get();
        let due = known.unwrap_or_else(|| {
            let deadlines = self.timers.iter().filter_map(Timer::deadline);
            deadlines.min().unwrap_or(NEVER)
        });
        self.timers_due.set(Some(due));
        due
    }

    fn transfer_deadline(&self) -> Option<u64> {
        let ends = [
            self.spi.deadline(),
            self.twi.deadline(),
            self.usarts[0].deadline(),
            self.usarts[1].deadline(),
        ];
        ends.into_iter().flatten().min()
    }

    /// Completes the octets that end at `now`.
    fn transfer(&mut self, now: u64, outside: &mut dyn External) {
        if let Some(octet) = self.spi.due(now) {
            let answer = outside.spi_byte(now, octet);
            self.spi.complete(answer);
        }
        if self.twi.deadline().is_some_and(|end| end <= now) {
            self.twi.complete(now, outside);
        }
        for (number, usart) in (0..).zip(&mut self.usarts) {
            if let Some(octet) = usart.sent(now) {
                outside.uart_byte(now, number, octet);
            }
        }
    }

    /// The next cycle at which something happens by itself.
    pub fn deadline(&self) -> Option<u64> {
        let timers = Some(self.timers_due()).filter(|due| *due != NEVER);
        let others = [
            self.transfer_deadline(),
            self.adc.deadline(),
            self.eeprom.deadline(self.last),
            self.program.deadline(self.last),
            self.watch.deadline(),
            self.watchdog.deadline(),
        ];
        timers.into_iter().chain(others.into_iter().flatten()).min()
    }

    /// The CPU falls asleep at `now`: a conversion begins where that reduces noise.
    pub fn fall_asleep(&mut self, sleep: Sleep, now: u64) {
        if sleep == Sleep::NoiseReduction {
            self.adc.begin(now);
        }
    }

    /// The I/O clock was stopped for `cycles` before cycle `now`, in a sleep deeper than idle.
    pub fn freeze(&mut self, sleep: Sleep, cycles: u64, now: u64) {
        self.change_timers();
        for (number, timer) in self.timers.iter_mut().enumerate() {
            if !(number == 0 && self.watch.on() && sleep.keeps_watch()) {
                timer.skip_to(now);
            }
        }
        if sleep != Sleep::NoiseReduction {
            self.adc.delay(cycles);
        }
        self.spi.delay(cycles);
        self.twi.delay(cycles);
        self.usarts.iter_mut().for_each(|usart| usart.delay(cycles));
        self.last = self.last.max(now);
    }

    /// Events that need no CPU in a sleep deeper than idle.
    pub fn deep_deadline(&self, sleep: Sleep) -> Option<u64> {
        let watch = self.timers[0]
            .deadline()
            .into_iter()
            .chain(self.watch.deadline());
        let watch = watch.filter(|_| self.watch.on() && sleep.keeps_watch());
        let adc = self
            .adc
            .deadline()
            .filter(|_| sleep == Sleep::NoiseReduction);
        watch.chain(adc).chain(self.watchdog.deadline()).min()
    }

    /// SLEEP: how deep, if it is enabled.
    pub fn sleep(&self) -> Option<Sleep> {
        let (enabled, mode) = match self.chip {
            // SM2:0 stand in the order SM1, SM0, SM2.
            Chip::Atmega128 => (SLEEP_ENABLE, self.control >> 3 & 3 | self.control & 4),
            Chip::Atmega1281 => (SLEEP_ENABLE_1281, self.control >> 1 & 7),
        };
        (self.control & enabled != 0).then_some(match mode {
            0 => Sleep::Idle,
            1 => Sleep::NoiseReduction,
            3 => Sleep::PowerSave,
            6 => Sleep::Standby,
            7 => Sleep::ExtendedStandby,
            _ => Sleep::PowerDown,
        })
    }

    /// Fuses and lock bits.
    pub fn fuses(&self) -> Fuses {
        self.program.fuses
    }

    /// Word address of the vectors' table, by IVSEL.
    pub fn vectors_start(&self) -> u16 {
        if self.vectors_moved {
            self.program.fuses.boot_start()
        } else {
            0
        }
    }

    /// SPM at word address `pc`, in cycle `now`, with RAMPZ:Z and R1:R0. `erased`: the page at an octet
    /// address is.
    pub fn store_program(
        &mut self,
        pc: u16,
        what: (u32, u16),
        now: u64,
        erased: impl FnOnce(u32) -> bool,
    ) -> Stored {
        self.program.store(pc, what, now, erased)
    }

    /// LPM may give something else than the flash has: ask [`Atmega128::load_program`].
    pub fn guards_program(&self, now: u64) -> bool {
        self.program.guards(now)
    }

    /// LPM reads the octet at `addr`: what it gives in place of the flash's, and what is forbidden.
    pub fn load_program(&mut self, addr: u32, now: u64) -> (Option<u8>, Option<&'static str>) {
        self.program.load(addr, now)
    }

    /// A page below [`NRWW_START`] has been erased or written, and RWWSRE not been used: nothing
    /// there can be executed.
    #[inline]
    pub fn program_blocked(&self) -> bool {
        self.program.blocked()
    }

    /// WDR at cycle `now`.
    pub fn watchdog_reset(&mut self, now: u64) {
        self.watchdog.reset(now);
    }

    /// Cycles for which the CPU is halted since the last call.
    pub fn take_halt(&mut self) -> u32 {
        std::mem::take(&mut self.halt)
    }

    /// The outside drives a pin.
    pub fn set_pin(&mut self, port: u8, bit: u8, level: bool) {
        let Some(pins) = self.ports.get_mut(usize::from(port)) else {
            return;
        };
        let mask = 1 << (bit & 7);
        pins.driven |= mask;
        let before = pins.pins();
        pins.input = if level {
            pins.input | mask
        } else {
            pins.input & !mask
        };
        if pins.pins() != before {
            self.pins_changed(port, bit);
        }
        self.follow_select();
    }

    /// The SPI as slave: whether SS selects it. The SPI makes SS an input by itself.
    fn selected(&self) -> bool {
        self.spi.slave() && !self.ports[PORT_B].outside() & SS != 0
    }

    fn follow_select(&mut self) {
        if !self.selected() {
            self.spi.deselect();
        }
    }

    /// The SPI as slave, if it is selected.
    pub fn slave(&self) -> Option<Slave> {
        self.selected().then(|| Slave {
            missing: self.spi.missing(),
            outgoing: self.spi.outgoing(),
            drives: self.ports[PORT_B].direction & MISO != 0,
        })
    }

    /// SCK moves a bit through the SPI as slave.
    pub fn clock_slave(&mut self, incoming: bool) {
        if self.selected() {
            self.spi.pass(incoming);
        }
    }

    /// A pin has another level: external interrupts and capture follow.
    fn pins_changed(&mut self, port: u8, bit: u8) {
        self.follow_interrupt_pins();
        for (timer, at) in [(1, CAPTURE_1), (3, CAPTURE_3)] {
            let rising = self.ports[usize::from(port)].pins() >> bit & 1 != 0;
            if (port, bit) == at && self.capture_edges[timer] == rising {
                self.change_timers();
                self.timers[timer].capture_now();
            }
        }
    }

    fn follow_interrupt_pins(&mut self) {
        let levels = self.ports[PORT_D].pins() & 0x0F | self.ports[PORT_E].pins() & 0xF0;
        self.external.follow(levels);
    }

    /// The character that a USART sends, and the cycle in which its start bit began.
    pub fn uart_under_way(&self, usart: u8) -> Option<(u8, u64)> {
        self.usarts[usize::from(usart & 1)].under_way()
    }

    /// Bits in a second of a USART.
    pub fn uart_hz(&self, usart: u8) -> u64 {
        u64::from(self.clock_hz) / self.usarts[usize::from(usart & 1)].bit()
    }

    /// A character arrives at a USART.
    pub fn receive_uart(&mut self, usart: u8, octet: u8) {
        self.usarts[usize::from(usart & 1)].receive(octet);
    }

    /// Power is to fail in write number `write` of the EEPROM from now on, when `part` of it is
    /// complete, in units of 2^-32.
    pub fn plan_eeprom_cut(&mut self, write: u32, part: u32) {
        self.eeprom.plan_cut(write, part);
    }

    /// The cycle at which power fails in a write of the EEPROM that is under way.
    pub fn eeprom_fails_at(&self) -> Option<u64> {
        self.eeprom.fails_at()
    }

    /// Power fails at `now`: an octet of the EEPROM that is being written holds anything, by `seed`.
    pub fn fail_eeprom(&mut self, now: u64, seed: u64) {
        self.eeprom.fail(now, seed);
    }

    /// The EEPROM's contents.
    pub fn eeprom(&self) -> &[u8; EEPROM_SIZE] {
        self.eeprom.octets()
    }

    /// The EEPROM's contents, to be changed as a programmer would.
    pub fn eeprom_mut(&mut self) -> &mut [u8; EEPROM_SIZE] {
        self.eeprom.octets_mut()
    }
}

/// SS is PB0, MISO is PB3.
const SS: u8 = 1 << 0;
const MISO: u8 = 1 << 3;
/// Indices of ports, and the pins of the captures: PD4 and PE7 on both chips.
const PORT_B: usize = 1;
const PORT_D: usize = 3;
const PORT_E: usize = 4;
const CAPTURE_1: (u8, u8) = (3, 4);
const CAPTURE_3: (u8, u8) = (4, 7);

#[cfg(test)]
mod tests;
