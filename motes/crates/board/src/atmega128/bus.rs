//! The chip's bus: which access meets SRAM or a register, in which cycle.

use super::memory::{Chip, Memory, program_of_memory};
use super::radio::Radio;
use crate::board::Edge;
use crate::coprocessor::Fitted;
use crate::description::Pin;
use crate::load::{ERASED, Loadable};
use crate::serial::{self, Character, MISMATCH, Serial};
use crate::wiring::Unheard;
use cpu_avr::{Bus, BusError};
use device::Ps;
use device::atmega128::{AccessError, AnalogInput, Atmega128, External, FlashChange, PAGE_OCTETS};
use device::clock::Clock;
use std::cell::Cell;

/// What happens when a coprocessor misses an octet.
const GAP: &str = "the coprocessor lost an octet: it takes and gives nothing until a reset";
/// What happens when the mote and the other end talk to a coprocessor at once.
const CLASH: &str = "the mote and the other end sent to the coprocessor at the same time";

/// The outside of the chip: a radio, if the board has one. Pin edges are recorded, and what the USARTs
/// send.
#[derive(Clone)]
pub(super) struct Outside {
    pub clock: Clock,
    /// Cycles of the CPU, for edges.
    pub cycle: u64,
    pub edges: Vec<Edge>,
    /// Pins whose edges are recorded; all of them if none is named.
    pub marks: Vec<Pin>,
    pub radio: Radio,
    pub serial: Serial,
    pub coprocessor: Option<Fitted>,
    /// Characters that the USARTs could not understand, and octets that no part on the SPI answered.
    pub misuse: Vec<(Ps, &'static str)>,
    pub unheard: Unheard,
    /// Supply, which is the reference of the ADC too.
    pub supply_uv: u32,
    /// The radio's next step and its next deadline.
    pub step: Remembered,
    pub due: Remembered,
}

/// A moment, and the first cycle that does not begin before it. Moments are asked for again and
/// again.
#[derive(Clone, Default)]
pub(super) struct Remembered(Cell<(Ps, u64)>);

impl Remembered {
    fn cycle(&self, clock: &Clock, at: Ps) -> u64 {
        if self.0.get().0 != at {
            self.0.set((at, clock.next_cycle(at)));
        }
        self.0.get().1
    }
}

impl External for Outside {
    fn pin_output(&mut self, now: u64, port: u8, bit: u8, level: bool) {
        let pin = Pin { port, bit };
        let (cycle, at): (u64, Ps) = (self.cycle, self.clock.time_of(now));
        if self.radio.drive(at, pin, level) {
            return;
        }
        if !self.marks.is_empty() && !self.marks.contains(&pin) {
            return;
        }
        self.edges.push(Edge {
            port,
            bit,
            level,
            cycle,
            at,
        });
    }

    fn spi_byte(&mut self, now: u64, mosi: u8) -> u8 {
        let at = self.clock.time_of(now);
        let noted = self.unheard.count(self.radio.listens());
        self.misuse.extend(noted.map(|what| (at, what)));
        self.radio.spi_byte(at, mosi)
    }

    fn uart_byte(&mut self, now: u64, usart: u8, octet: u8) {
        let at = self.clock.time_of(now);
        let behind = |fitted: &Fitted| fitted.gives_outside() && fitted.follows(usart);
        if self.coprocessor.as_ref().is_some_and(behind) {
            return;
        }
        self.serial.sent.push(Character {
            at,
            line: usart,
            octet,
        });
    }

    fn microvolts(&mut self, now: u64, input: AnalogInput) -> u32 {
        match input {
            AnalogInput::Pin(pin) => {
                let at = self.clock.time_of(now);
                self.radio.microvolts(at, pin).unwrap_or(0)
            }
            AnalogInput::Reference | AnalogInput::Supply => self.supply_uv,
        }
    }
}

/// Memory, chip and what is around it, as the CPU meets them.
#[derive(Clone)]
pub(super) struct AtmegaBus {
    pub memory: Memory,
    pub chip: Atmega128,
    pub outside: Outside,
    /// Number of main clock cycles minus number of CPU cycles. It grows while the CPU sleeps or
    /// waits for the EEPROM.
    pub lag: u64,
    /// CPU cycles at the start of the current instruction. The model does all its accesses at that
    /// time.
    pub cycle: u64,
    /// A register was written: deadlines and interrupts may have changed. Reads do not set it: a
    /// read moves no deadline, and an interrupt that it clears is noticed at the next look.
    pub touched: bool,
    /// LPM may give something else than the flash has.
    pub guarded: bool,
    /// Code that an erase or write of a page has blocked was executed; it is told once for each.
    pub executed: bool,
    /// The clock of the chip's I/O runs: the CPU runs, or is idle.
    pub works: bool,
    /// The chip has restarted.
    pub restarted: bool,
    /// Why the chip refused the last access.
    pub refusal: Option<AccessError>,
}

impl AtmegaBus {
    /// Cycle of the main clock at the begin of the present instruction.
    fn now(&mut self) -> u64 {
        self.outside.cycle = self.cycle;
        self.cycle + self.lag
    }

    fn refuse(&mut self, addr: u16, refusal: AccessError) -> BusError {
        self.refusal = Some(refusal);
        BusError::Refused(addr)
    }

    #[inline(never)]
    fn read_register(&mut self, addr: u16) -> Result<u8, BusError> {
        let now = self.now();
        self.follow_radio(now);
        let outcome = self.chip.read(addr, now, &mut self.outside);
        outcome.map_err(|refusal| self.refuse(addr, refusal))
    }

    #[inline(never)]
    fn write_register(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        let now = self.now();
        self.touched = true;
        self.follow_radio(now);
        let outcome = self.chip.write(addr, value, now, &mut self.outside);
        self.outside.radio.propagate(&mut self.chip);
        self.follow_transmitter();
        self.lag += u64::from(self.chip.take_halt());
        self.guarded = self.chip.guards_program(now);
        outcome.map_err(|refusal| self.refuse(addr, refusal))
    }

    /// LPM while SPMCSR asks for fuses or lock bits, or while a section is blocked.
    #[cold]
    fn load_program(&mut self, addr: u32) -> u8 {
        let now = self.now();
        let (value, misuse) = self.chip.load_program(addr, now);
        self.note(now, misuse);
        self.guarded = self.chip.guards_program(now);
        value.unwrap_or_else(|| {
            self.memory.word((addr >> 1) as u16).to_le_bytes()[addr as usize & 1]
        })
    }

    fn note(&mut self, now: u64, misuse: Option<&'static str>) {
        let at = self.outside.clock.time_of(now);
        self.touched |= misuse.is_some();
        self.outside.misuse.extend(misuse.map(|what| (at, what)));
    }

    /// The flash changes as SPM wants it.
    fn change_flash(&mut self, change: FlashChange) {
        self.executed = false;
        let (page, octets) = match change {
            FlashChange::Erase(page) => (page, vec![ERASED; PAGE_OCTETS as usize]),
            FlashChange::Write(page, words) => {
                let first = (page / 2) as u16;
                let both = |(place, word): (u16, &u16)| {
                    (self.memory.word(first + place) & word).to_le_bytes()
                };
                (page, (0..).zip(words.iter()).flat_map(both).collect())
            }
        };
        let written = self.memory.write(page, &octets);
        debug_assert!(written, "a page is inside the flash");
    }

    /// Lets everything happen that is due until cycle `now` of the main clock.
    pub fn advance(&mut self, now: u64) {
        self.restarted |= self.chip.advance(now, &mut self.outside);
        self.follow_transmitter();
        self.follow_serial(now);
        self.follow_radio(now);
    }

    /// A coprocessor behind a USART hears what that begins to send.
    fn follow_transmitter(&mut self) {
        let Some(fitted) = self.outside.coprocessor.as_mut() else {
            return;
        };
        let line = fitted.fitting.line;
        if !fitted.follows(line) {
            return;
        }
        if let Some((octet, begin)) = self.chip.uart_under_way(line) {
            let at = self.outside.clock.time_of(begin);
            fitted.follow(begin, at, self.chip.uart_hz(line), octet);
        }
    }

    /// Lets the USARTs have what their lines have brought until cycle `now` of the main clock; in a
    /// deep sleep it is lost.
    fn follow_serial(&mut self, now: u64) {
        let now = self.outside.clock.time_of(now);
        if let Some(fitted) = &mut self.outside.coprocessor {
            let fault = fitted.fault();
            for character in fitted.advance(now) {
                if fitted.gives_outside() {
                    self.outside.serial.sent.push(character);
                } else {
                    self.outside.serial.bring(character, fitted.baud());
                }
            }
            if fitted.fault() && !fault {
                self.outside.misuse.push((now, GAP));
            }
            if fitted.take_clash() {
                self.outside.misuse.push((now, CLASH));
            }
        }
        if self.outside.serial.deadline().is_none() {
            return;
        }
        while let Some((character, baud)) = self.outside.serial.due(now) {
            let Character { at, line, octet } = character;
            if !self.works {
                continue;
            }
            if serial::understands(self.chip.uart_hz(line), baud) {
                self.chip.receive_uart(line, octet);
            } else {
                self.outside.misuse.push((at, MISMATCH));
            }
        }
    }

    /// The cycle at which a line brings something next to a chip that can take it.
    pub fn serial_deadline(&self) -> Option<u64> {
        let line = self.outside.serial.deadline().filter(|_| self.works);
        let coprocessor = self.outside.coprocessor.as_ref();
        let coprocessor = coprocessor.and_then(Fitted::deadline);
        let due = line.into_iter().chain(coprocessor).min()?;
        Some(self.outside.clock.next_cycle(due))
    }

    /// Lets everything happen in the radio that is due until cycle `now` of the main clock.
    fn follow_radio(&mut self, now: u64) {
        let Some(step) = self.outside.radio.next_step() else {
            return;
        };
        if self.outside.step.cycle(&self.outside.clock, step) <= now {
            let at = self.outside.clock.time_of(now);
            let (radio, works) = (&mut self.outside.radio, self.works);
            radio.advance(at, &mut self.chip, works);
        }
    }

    /// The cycle at which the radio does something next that concerns the chip.
    pub fn radio_deadline(&self) -> Option<u64> {
        let due = self.outside.radio.deadline(&self.chip, self.works)?;
        Some(self.outside.due.cycle(&self.outside.clock, due))
    }
}

impl Bus for AtmegaBus {
    program_of_memory!();

    #[inline(always)]
    fn begin(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    #[inline(always)]
    fn attention(&self) -> bool {
        self.touched
    }

    #[inline(always)]
    fn read_program(&mut self, addr: u32) -> Result<u8, BusError> {
        if self.guarded {
            return Ok(self.load_program(addr));
        }
        Ok(self.memory.word((addr >> 1) as u16).to_le_bytes()[addr as usize & 1])
    }

    fn store_program(&mut self, pc: u16, addr: u32, word: u16) -> Result<u32, BusError> {
        let now = self.now();
        let memory = &self.memory;
        let erased = |page: u32| {
            let octets = memory.read(page, PAGE_OCTETS as usize);
            octets.is_some_and(|octets| octets.iter().all(|octet| *octet == ERASED))
        };
        let stored = self.chip.store_program(pc, (addr, word), now, erased);
        self.touched = true;
        self.note(now, stored.misuse);
        self.lag += stored.halt;
        if let Some(change) = stored.change {
            self.change_flash(change);
        }
        self.guarded = self.chip.guards_program(now);
        Ok(0)
    }

    #[inline(always)]
    fn read(&mut self, addr: u16) -> Result<u8, BusError> {
        if self.memory.is_ram(addr) {
            return Ok(self.memory.get(addr));
        }
        if addr >= self.memory.chip().ram_start() {
            return Err(BusError::Unmapped(addr));
        }
        self.read_register(addr)
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8) -> Result<(), BusError> {
        if self.memory.is_ram(addr) {
            self.memory.set(addr, value);
            return Ok(());
        }
        if addr >= self.memory.chip().ram_start() {
            return Err(BusError::Unmapped(addr));
        }
        self.write_register(addr, value)
    }

    fn write_bit(&mut self, addr: u16, mask: u8, set: bool) -> Result<(), BusError> {
        if self.memory.chip() == Chip::Atmega1281 && self.chip.takes_ones(addr) {
            return self.write(addr, if set { mask } else { 0 });
        }
        let value = self.read(addr)?;
        self.write(addr, if set { value | mask } else { value & !mask })
    }

    fn sleep_enabled(&mut self) -> bool {
        self.chip.sleep().is_some()
    }

    fn watchdog_reset(&mut self) {
        let now = self.now();
        self.touched = true;
        self.chip.watchdog_reset(now);
    }
}
