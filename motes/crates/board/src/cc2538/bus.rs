//! The CC2538's bus. For each access it finds the place (ROM, flash, RAM or a peripheral), the time
//! and the number of wait states.

use super::flash::LineBuffer;
use super::memory::{self, Memory, Region};
use super::power::Power;
use crate::board::{BoardError, Edge};
use crate::description::{Description, Pin};
use crate::sensors;
use crate::serial::{self, Character, MISMATCH, OTHER_FORM, Serial};
use cpu_armv7m::{Bus, BusError, Plain, Timed};
use device::Ps;
use device::cc2538::{AccessError, Cc2538, INFO_PAGE, PinChange, UartOctet};
use device::clock::Clock;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// What a write to the boot loader's ROM is. Released images store to a null pointer there.
const WRITE_TO_ROM: &str = "a write to ROM has no effect";

/// What it is to talk to an SSI, where nothing answers: the absent part is named if the data file
/// knows it.
fn silence(board: &Description) -> [&'static str; 2] {
    [0, 1].map(|number| {
        let parts = board.absent_on(&format!("ssi{number}"));
        let unit = format!("SSI{number} talks");
        lasting(match parts.first() {
            Some((title, _)) => {
                format!("{unit} to the {title}, which is not modelled: it reads zeros")
            }
            None => format!("{unit}, and no part is there: it reads zeros"),
        })
    })
}

/// Addresses on I2C of parts that the board has and the emulation has not, and what it is to talk to
/// them.
fn absent_on_i2c(board: &Description) -> Vec<(u8, &'static str)> {
    let told = |(title, address): (&str, Option<u8>)| {
        let what = format!("I2C talks to the {title}, which is not modelled: nobody answers");
        address.map(|address| (address, lasting(what)))
    };
    let parts = board.absent_on("i2c");
    parts.into_iter().filter_map(told).collect()
}

/// The text for as long as this program runs. There are as many of them as parts in data files.
fn lasting(text: String) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text.as_str()) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    texts.insert(text);
    text
}

/// Control register of the flash controller, with the cache mode.
const FCTL: u32 = 0x400D_3008;

/// How an `impl Bus` reaches memory, with or without peripherals around it. The type has the fields
/// `memory` and `flash`, and answers for the rest in `word`, `write_elsewhere` and `code_elsewhere`. A
/// macro, because the core runs fastest when the compiler sees one type.
macro_rules! memory_access {
    () => {
        #[inline(always)]
        fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
            let wait = self.fetch_wait(addr);
            self.code32(addr).map(|value| Timed { value, wait })
        }

        #[inline(always)]
        fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError> {
            let Timed { value, wait } = self.word(addr)?;
            let value = memory::octet(value, addr);
            Ok(Timed { value, wait })
        }

        #[inline(always)]
        fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError> {
            let Timed { value, wait } = self.word(addr)?;
            let value = memory::half(value, addr);
            Ok(Timed { value, wait })
        }

        #[inline(always)]
        fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
            self.word(addr)
        }

        memory_access!(u8: write8 set_ram8);
        memory_access!(u16: write16 set_ram16);
        memory_access!(u32: write32 set_ram32);

        fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
            match memory::region(addr) {
                Region::Flash => Ok(self.memory.flash32(addr)),
                Region::Ram => Ok(self.memory.ram32(addr)),
                region => self.code_elsewhere(region, addr),
            }
        }

        #[inline(always)]
        fn fetch_wait(&mut self, addr: u32) -> u32 {
            if memory::is_flash(addr) {
                self.flash.wait(addr)
            } else {
                0
            }
        }

        #[inline(always)]
        fn free_code(&mut self, addr: u32) -> bool {
            !memory::is_flash(addr) || self.flash.never_waits()
        }
    };
    ($value:ty: $write:ident $set:ident) => {
        #[inline(always)]
        fn $write(&mut self, addr: u32, value: $value) -> Result<u32, BusError> {
            if !memory::is_ram(addr) {
                return self.write_elsewhere(addr, value.into(), size_of::<$value>() as u32);
            }
            self.memory.$set(addr, value);
            Ok(0)
        }
    };
}
pub(crate) use memory_access;

/// Memory and chip as the CPU meets them.
#[derive(Clone)]
pub(super) struct Cc2538Bus {
    pub memory: Memory,
    pub flash: LineBuffer,
    pub chip: Cc2538,
    pub power: Power,
    /// The CPU clock since its last change.
    pub clock: Clock,
    /// Number of clock edges minus number of CPU cycles. It grows while the CPU is halted, because
    /// its clock is stopped or flash is busy.
    pub lag: u64,
    /// Cycles of the CPU in which it slept.
    pub slept: u64,
    /// CPU cycles at the present access to a peripheral.
    cycle: u64,
    /// Wait states of an access to a peripheral.
    peripheral_wait: u32,
    pub edges: Vec<Edge>,
    /// Pins whose edges are recorded, port 0 for A.
    pub marks: Vec<Pin>,
    /// Why the chip refused the last access.
    pub refusal: Option<AccessError>,
    pins: Vec<PinChange>,
    octets: Vec<UartOctet>,
    pub serial: Serial,
    /// What the program did against the user's guide, with no effect.
    pub misuse: Vec<(Ps, &'static str)>,
    /// What it is to talk to each SSI, until it has been told.
    silent: [Option<&'static str>; 2],
    /// The same for addresses on I2C.
    absent_on_i2c: Vec<(u8, &'static str)>,
    /// The user button, which pulls its pin low.
    pub button: Option<Pin>,
}

impl Cc2538Bus {
    /// A chip with these memories, on this board, at power-on.
    pub fn new(
        memory: Memory,
        flash: LineBuffer,
        mut chip: Cc2538,
        board: &Description,
    ) -> Result<Cc2538Bus, BoardError> {
        for part in sensors::i2c_parts(board)? {
            chip.i2c_bus().attach(part);
        }
        let wired = board.wires("button");
        let button = wired.then(|| board.wire("button", "pin")).transpose()?;
        if let Some(Pin { port, bit }) = button {
            chip.set_input(Ps::ZERO, port, bit, true);
        }
        let clock = chip.system_clock();
        let peripheral_wait = chip.config().peripheral_wait.into();
        Ok(Cc2538Bus {
            memory,
            flash,
            chip,
            power: Power::new(board)?,
            clock,
            lag: 0,
            slept: 0,
            cycle: 0,
            peripheral_wait,
            edges: Vec::new(),
            marks: board.marks()?,
            refusal: None,
            pins: Vec::new(),
            octets: Vec::new(),
            serial: Serial::default(),
            misuse: Vec::new(),
            silent: silence(board).map(Some),
            absent_on_i2c: absent_on_i2c(board),
            button,
        })
    }

    /// When the CPU's cycle number `cycle` begins.
    #[inline]
    pub fn time_of(&self, cycle: u64) -> Ps {
        self.clock.time_of(cycle + self.lag)
    }

    /// The earliest moment at which a device does something by itself.
    #[inline]
    pub fn deadline(&self) -> Option<Ps> {
        match (self.chip.deadline(), self.serial.deadline()) {
            (Some(chip), Some(line)) => Some(chip.min(line)),
            (chip, line) => chip.or(line),
        }
    }

    /// Lets the UARTs have what their lines have brought until `now`.
    fn follow_lines(&mut self, now: Ps) {
        while let Some((character, baud)) = self.serial.due(now) {
            let Character { at, line, octet } = character;
            match self.chip.uart_receiver(line, character.begun(baud)) {
                None => {}
                Some(receiver) if !receiver.plain => self.misuse.push((at, OTHER_FORM)),
                Some(receiver) if !serial::understands(receiver.hz, baud) => {
                    self.misuse.push((at, MISMATCH));
                }
                Some(_) => self.chip.uart_input(now, line, octet),
            }
        }
    }

    /// Lets the devices do everything due until `now`, in time order. `cycle` is that of the CPU,
    /// for marks.
    pub fn advance(&mut self, now: Ps, cycle: u64) {
        while let Some(due) = self.deadline().filter(|due| *due <= now) {
            self.chip.advance(due, &mut self.memory);
            self.follow_lines(due);
            self.settle(due, cycle);
        }
        self.chip.advance(now, &mut self.memory);
    }

    /// Marks and meter after something happened at `now`.
    pub fn settle(&mut self, now: Ps, cycle: u64) {
        self.chip.take_pin_changes(&mut self.pins);
        for change in self.pins.drain(..) {
            let (port, bit) = (change.port, change.bit);
            if self.marks.contains(&Pin { port, bit }) {
                self.edges.push(Edge {
                    port,
                    bit,
                    level: change.level,
                    cycle: cycle - self.slept,
                    at: change.at,
                });
            }
        }
        self.chip.take_uart(&mut self.octets);
        self.serial
            .sent
            .extend(self.octets.drain(..).map(|sent| Character {
                at: sent.at,
                line: sent.uart,
                octet: sent.octet,
            }));
        self.power.devices(now, &self.chip);
        if self.chip.i2c_bus().take_touched() {
            self.power.parts(now, self.chip.i2c_bus());
            self.note_absent(now);
        }
        if let Some(number) = self.chip.take_unheard()
            && let Some(what) = self.silent[number].take()
        {
            self.misuse.push((now, what));
        }
    }

    /// A program talks over I2C to a part that is not modelled: that is told once.
    fn note_absent(&mut self, now: Ps) {
        let Some(missed) = self.chip.i2c_bus().take_missed() else {
            return;
        };
        let place = self.absent_on_i2c.iter().position(|part| part.0 == missed);
        if let Some(place) = place {
            self.misuse
                .push((now, self.absent_on_i2c.swap_remove(place).1));
        }
    }

    /// Takes over the chip's new CPU clock at `now`. The CPU's cycle that begins then keeps its
    /// number.
    pub fn follow_clock(&mut self, now: Ps, cycle: u64) {
        self.clock = self.chip.system_clock();
        self.lag = self.clock.next_cycle(now).saturating_sub(cycle);
        self.power.cpu.clock(now, self.clock.mhz);
    }

    /// Reads one word of a register or of the information page. Flash timing applies to the page.
    #[inline(never)]
    fn read_peripheral(&mut self, addr: u32) -> Result<Timed<u32>, BusError> {
        if addr < memory::PERIPHERALS_START {
            let at = (addr - INFO_PAGE) as usize & !3;
            let octets = &self.chip.info_page()[at..at + 4];
            let value = octets
                .iter()
                .rev()
                .fold(0, |word, octet| word << 8 | u32::from(*octet));
            let wait = self.flash.wait(addr);
            return Ok(Timed { value, wait });
        }
        let now = self.begin();
        let outcome = self.chip.read32(addr & !3, now, &mut self.memory);
        self.end(now);
        let wait = self.peripheral_wait;
        let value = self.tolerate(addr, now, outcome)?;
        Ok(Timed { value, wait })
    }

    /// Registers have 32 bits, and the peripheral bus has no octet lanes: narrower accesses are
    /// refused.
    #[inline(never)]
    fn write_elsewhere(&mut self, addr: u32, value: u32, octets: u32) -> Result<u32, BusError> {
        match memory::region(addr) {
            Region::Peripherals if addr < memory::PERIPHERALS_START => {
                return Err(BusError::ReadOnly(addr));
            }
            Region::Peripherals if octets < 4 => return Err(BusError::Width(addr)),
            Region::Peripherals => {}
            Region::Rom => {
                self.misuse.push((self.time_of(self.cycle), WRITE_TO_ROM));
                return Ok(0);
            }
            Region::Flash => return Err(BusError::ReadOnly(addr)),
            Region::Ram | Region::Unmapped => return Err(BusError::Unmapped(addr)),
        }
        let now = self.begin();
        let outcome = self.chip.write32(addr, value, now, &mut self.memory);
        if addr == FCTL {
            self.flash.set_mode(self.chip.flash_cache());
        }
        self.end(now);
        self.tolerate(addr, now, outcome)?;
        Ok(self.peripheral_wait)
    }

    /// Devices are up to date for an access; when it takes place.
    fn begin(&mut self) -> Ps {
        let now = self.time_of(self.cycle);
        self.advance(now, self.cycle);
        now
    }

    /// What an access has changed.
    fn end(&mut self, now: Ps) {
        self.settle(now, self.cycle);
        if self.chip.take_clock_change() {
            self.follow_clock(now, self.cycle);
        }
    }

    /// A register whose clock is gated reads 0 and does not take what is written. The user's guide
    /// says nothing of it; released images do it and run on boards.
    fn tolerate<T: Default>(
        &mut self,
        addr: u32,
        now: Ps,
        outcome: Result<T, AccessError>,
    ) -> Result<T, BusError> {
        match outcome {
            Ok(value) => Ok(value),
            Err(AccessError::Gated { what }) => {
                self.misuse.push((now, what));
                Ok(T::default())
            }
            Err(refusal) => Err(self.refuse(addr, refusal)),
        }
    }

    fn refuse(&mut self, addr: u32, refusal: AccessError) -> BusError {
        self.refusal = Some(refusal);
        match refusal {
            AccessError::Unmapped(_) => BusError::Unmapped(addr),
            AccessError::NotModelled { .. } => BusError::NotModelled(addr),
            _ => BusError::Refused(addr),
        }
    }

    /// The aligned word that holds `address`, and its wait states.
    #[inline(always)]
    fn word(&mut self, address: u32) -> Result<Timed<u32>, BusError> {
        match self.flash.word(&self.memory, address) {
            Some(word) => Ok(word),
            None if memory::region(address) == Region::Peripherals => self.read_peripheral(address),
            None => Err(BusError::Unmapped(address)),
        }
    }

    /// The instruction in ROM; there is no other code outside flash and RAM.
    fn code_elsewhere(&mut self, region: Region, address: u32) -> Result<u32, BusError> {
        match region {
            Region::Rom if self.memory.rom_knows(address) => Ok(self.memory.rom32(address)),
            _ => Err(BusError::NotExecutable(address)),
        }
    }
}

impl Bus for Cc2538Bus {
    memory_access!();

    #[inline(always)]
    fn plain(&mut self) -> Option<Plain<'_>> {
        let lines = self.flash.lines()?;
        Some(self.memory.plain(lines))
    }

    #[inline(always)]
    fn now(&mut self, cycles: u64) {
        self.cycle = cycles;
    }
}
