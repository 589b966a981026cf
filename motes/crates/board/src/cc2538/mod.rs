//! A board with a CC2538 and its two crystals, such as the OpenMote-CC2538.
//!
//! The CPU runs in bursts from one device deadline to the next; an access to a peripheral ends a
//! burst. While the CPU sleeps, time jumps from deadline to deadline. A fault of the architecture
//! ends the run with its place, instead of entering the program's handler.

pub(crate) mod bus;
pub(crate) mod flash;
pub mod memory;
mod power;
mod rom;
#[cfg(test)]
mod tests;

use crate::board::{
    Board, BoardError, CpuState, Edge, Label, MeterRow, Options, Processor, Progress, Register,
    StateChange,
};
use crate::description::{Description, Pin};
use crate::elf::Elf;
use crate::fault::{self, MoteFault};
use crate::load::Loadable;
use crate::misuse::{Misuse, Notes};
use crate::serial::{Character, Incoming};
use bus::Cc2538Bus;
use cpu_armv7m::{Cpu, Fault};
use device::air::{AirIn, AirOut, Medium};
use device::cc2538::{Cc2538, Cc2538Config, INFO_PAGE, IrqSet, PowerMode, ResetCause};
use device::parameter::Configured;
use device::random::split_mix;
use device::{EngineFault, OQPSK_2450, Ps};
use flash::{FlashTiming, LineBuffer};
use memory::Memory;

/// One cycle of the 32 768 Hz crystal.
const CRYSTAL_PERIOD: u64 = 30_517_578;
/// The clocks an image may be asked to select, in hertz.
const CLOCKS: [u32; 2] = [32_000_000, 16_000_000];
/// Bits of priority of the NVIC: INT_PRI_BITS of TI's hw_nvic.h has the upper three bits of each
/// field.
const PRIORITY_BITS: u32 = 3;
/// Where the CCA page says whether an image is valid, and where its vector table is.
const IMAGE_VALID: u32 = 0x0027_FFD8;
/// Where it says where the vector table is. The boot loader writes it to VTOR: released images start
/// an operating system, which looks there, without having set it themselves. Here it takes no time.
const VECTOR_TABLE: u32 = IMAGE_VALID + 4;
/// First three octets of the IEEE addresses of Texas Instruments.
const OUI: [u8; 3] = [0x00, 0x12, 0x4B];
/// UART0 and UART1.
const UARTS: u8 = 2;
/// Numbers of LR and PC.
const LR: usize = 14;
const PC: usize = 15;

/// One board.
#[derive(Clone)]
pub struct Mote {
    label: Label,
    cpu: Cpu,
    bus: Cc2538Bus,
    /// Time up to which the devices have run. While the CPU runs, it is there or later.
    now: Ps,
    /// Active, or how deep it sleeps.
    mode: PowerMode,
    /// An interrupt has come while asleep; the CPU runs from then on.
    wake_at: Option<Ps>,
    /// Interrupt lines as the CPU sees them.
    driven: IrqSet,
    /// The lines that wake have changed.
    redrive: bool,
    /// What RAM holds after it has lost its contents follows from it.
    noise: u64,
    resets: u32,
    last_reset: Option<String>,
    notes: Notes,
}

impl Mote {
    /// A board at the moment of power-on.
    pub fn new(elf: Elf, board: &Description, options: &Options) -> Result<Mote, BoardError> {
        let name = board.name;
        options.check_ppm()?;
        if let Some(clock_hz) = options.clock_hz.filter(|hertz| !CLOCKS.contains(hertz)) {
            let [high, low] = CLOCKS;
            return Err(BoardError::Option(format!(
                "clock of {clock_hz} Hz; {name} has {high} or {low} Hz"
            )));
        }
        let mut state = options.seed;
        let mut memory = Memory::new(split_mix(&mut state), &rom::ROM);
        memory.program(&elf, name)?;
        check_image(&memory)?;
        let [high, low] = [split_mix(&mut state), split_mix(&mut state)];
        let serial = high.to_be_bytes();
        let [a, b, c] = OUI;
        let usual = [
            a, b, c, serial[3], serial[4], serial[5], serial[6], serial[7],
        ];
        let config = Cc2538Config {
            xosc_ppm: options.ppm,
            xosc32k_ppm: options.ppm,
            xosc32k_phase: Ps(low % CRYSTAL_PERIOD),
            eui64: options.identity.map_or(usual, u64::to_be_bytes),
            noise_seed: split_mix(&mut state),
            ..Cc2538Config::from_toml(&board.text).map_err(|error| board.wrong(error))?
        };
        let band = options.band.unwrap_or_default();
        let flash = LineBuffer::new(FlashTiming::of(band, &config));
        let mut cpu = Cpu::new(flash::core_timing(band));
        cpu.set_priority_bits(PRIORITY_BITS);
        cpu.halt.faults = true;
        cpu.halt.breakpoints = true;
        let mut mote = Mote {
            label: Label::new(name, elf),
            cpu,
            bus: Cc2538Bus::new(memory, flash, Cc2538::new(config), board)?,
            now: Ps::ZERO,
            mode: PowerMode::Active,
            wake_at: None,
            driven: IrqSet::EMPTY,
            redrive: false,
            noise: split_mix(&mut state),
            resets: 0,
            last_reset: None,
            notes: Notes::default(),
        };
        mote.bus.settle(Ps::ZERO, 0);
        mote.restart()
            .map_err(|fault| BoardError::Image(mote.stop(fault).to_string()))?;
        Ok(mote)
    }

    /// The CPU begins in ROM. Its reset pends the lines that are high then, so they are brought to
    /// it first.
    fn restart(&mut self) -> Result<(), Fault> {
        self.mode = PowerMode::Active;
        self.wake_at = None;
        self.redrive = true;
        self.drive_interrupts();
        self.cpu.reset(&mut self.bus, 0)?;
        self.cpu
            .set_vector_table(word(&self.bus.memory, VECTOR_TABLE));
        self.bus.flash.forget();
        self.bus.flash.set_mode(self.bus.chip.flash_cache());
        self.resync();
        Ok(())
    }

    /// The CPU's next cycle is the first edge of its clock at or after now.
    fn resync(&mut self) {
        self.bus.chip.take_clock_change();
        self.bus.follow_clock(self.now, self.cpu.cycles);
        self.bus.power.cpu.mode(self.now, self.mode);
    }

    fn asleep(&self) -> bool {
        self.mode != PowerMode::Active
    }

    /// When the CPU executes its next instruction, awake.
    fn cpu_time(&self) -> Ps {
        self.bus.time_of(self.cpu.cycles)
    }

    fn advance(&mut self, to: Ps) {
        self.bus.advance(to, self.cpu.cycles);
        self.now = self.now.max(to);
    }

    fn live(&mut self, target: Ps) -> Result<(), Fault> {
        loop {
            let more = if self.asleep() {
                self.sleep(target)
            } else {
                self.work(target)?
            };
            if !more {
                return Ok(());
            }
            if self.cpu.take_reset_request() {
                self.advance(self.cpu_time());
                self.bus.chip.restart(self.now, ResetCause::Software);
            }
            if let Some(cause) = self.bus.chip.take_reset() {
                self.resets += 1;
                self.last_reset = Some(cause.to_string());
                self.restart()?;
            }
        }
    }

    /// One burst of instructions; false when `target` is reached.
    fn work(&mut self, target: Ps) -> Result<bool, Fault> {
        let now = self.cpu_time();
        self.advance(now.min(target));
        if self.bus.chip.take_clock_change() {
            self.resync();
            return Ok(true);
        }
        if now >= target {
            return Ok(false);
        }
        self.drive_interrupts();
        if self.cpu.sleeping() {
            self.fall_asleep();
            return Ok(true);
        }
        if self.wait_for_flash() {
            return Ok(true);
        }
        while let Some((address, octets)) = self.bus.memory.take_changes() {
            self.cpu.invalidate_code(address, octets);
            self.bus.flash.forget();
        }
        let stop = self.bus.deadline().map_or(target, |due| due.min(target));
        let limit = self.bus.clock.next_cycle(stop).saturating_sub(self.bus.lag);
        let outcome = self.cpu.run(&mut self.bus, limit, None);
        self.note_misuse();
        outcome?;
        Ok(true)
    }

    /// The CPU cannot fetch code while flash is being erased or written: it waits until flash is
    /// ready.
    fn wait_for_flash(&mut self) -> bool {
        let busy = memory::is_flash(self.cpu.regs[PC])
            .then(|| self.bus.chip.flash_busy_until(self.now))
            .flatten();
        let Some(until) = busy else { return false };
        let edge = self.bus.clock.next_cycle(until);
        self.bus.lag = self.bus.lag.max(edge.saturating_sub(self.cpu.cycles));
        true
    }

    fn fall_asleep(&mut self) {
        self.mode = self
            .bus
            .chip
            .sleep(self.now, self.cpu.deep_sleep(), &mut self.bus.memory);
        self.redrive = true;
        self.bus.settle(self.now, self.cpu.cycles);
        self.resync();
    }

    /// One step while the CPU sleeps; false when `target` is reached.
    fn sleep(&mut self, target: Ps) -> bool {
        if let Some(wake) = self.wake_at {
            self.advance_asleep(wake.min(target));
            if wake > target {
                return false;
            }
            self.wake();
            return true;
        }
        self.drive_interrupts();
        if !self.cpu.sleeping() {
            self.wake_at = Some(self.now + self.bus.chip.wake_delay());
            return true;
        }
        let due = self
            .next_asleep()
            .map(|at| at.max(self.now))
            .filter(|at| *at <= target);
        self.advance_asleep(due.unwrap_or(target));
        due.is_some()
    }

    /// When something happens to a sleeping CPU.
    fn next_asleep(&self) -> Option<Ps> {
        let systick = self
            .cpu
            .systick_deadline()
            .filter(|_| self.bus.clock.running());
        let systick = systick.map(|cycle| self.bus.time_of(cycle));
        match (self.bus.deadline(), systick) {
            (Some(chip), Some(systick)) => Some(chip.min(systick)),
            (chip, systick) => chip.or(systick),
        }
    }

    /// Devices, and the counters that run on in a sleeping core, advance.
    fn advance_asleep(&mut self, to: Ps) {
        self.advance(to);
        if self.bus.clock.running() {
            let edge = self.bus.clock.cycles_at(self.now);
            let passed = edge.saturating_sub(self.bus.lag + self.cpu.cycles);
            self.cpu.idle(passed);
            self.bus.slept += passed;
        }
        if self.bus.chip.take_clock_change() {
            self.resync();
        }
    }

    fn wake(&mut self) {
        if self.mode.loses_state() {
            self.bus.memory.lose_lower_half(split_mix(&mut self.noise));
        }
        self.bus.chip.wake(self.now, &mut self.bus.memory);
        self.mode = PowerMode::Active;
        self.wake_at = None;
        self.redrive = true;
        self.bus.settle(self.now, self.cpu.cycles);
        self.resync();
    }

    /// Brings the chip's interrupt lines to the CPU; asleep, those that wake.
    fn drive_interrupts(&mut self) {
        if !self.bus.chip.take_irq_change() && !self.redrive {
            return;
        }
        self.redrive = false;
        let lines = if self.asleep() {
            self.bus.chip.wake_lines()
        } else {
            IrqSet::ALL
        };
        let levels = self.bus.chip.irq_levels().and(lines);
        for line in levels.xor(self.driven).iter() {
            self.cpu.set_irq_level(line.into(), levels.contains(line));
        }
        self.driven = levels;
        for line in self.bus.chip.take_irq_pulses().and(lines).iter() {
            self.cpu.pend_irq(line.into());
        }
    }

    /// Notes what went wrong, with the present instruction.
    #[inline]
    fn note_misuse(&mut self) {
        if !self.bus.misuse.is_empty() {
            let list = std::mem::take(&mut self.bus.misuse);
            self.notes.add(self.label.elf(), self.cpu.last_pc(), list);
        }
    }

    fn stop(&self, fault: Fault) -> MoteFault {
        let reason = match &self.bus.refusal {
            Some(refusal) => refusal.to_string(),
            None => fault::armv7m_reason(fault, &self.bus.memory),
        };
        let cycle = self.cpu.cycles - self.bus.slept;
        // If the instruction itself is the fault, the return address is the best sign of where the
        // program came from.
        let previous = match self.cpu.last_pc() {
            last if last == fault.pc() => self.cpu.regs[LR] & !1,
            last => last,
        };
        MoteFault::new(self.elf(), fault.pc(), previous, cycle, reason)
    }
}

/// The word at an address of memory.
fn word(memory: &Memory, address: u32) -> u32 {
    let octets = memory.read(address, 4).unwrap_or_default();
    octets
        .iter()
        .rev()
        .fold(0, |word, octet| word << 8 | u32::from(*octet))
}

/// The boot loader in ROM starts an image only if the CCA page calls it valid.
fn check_image(memory: &Memory) -> Result<(), BoardError> {
    let (valid, vectors) = (word(memory, IMAGE_VALID), word(memory, VECTOR_TABLE));
    if valid != 0 {
        return Err(BoardError::Image(format!(
            "the boot loader starts no image: IMAGE_VALID at 0x{IMAGE_VALID:08X} is 0x{valid:08X}, not 0"
        )));
    }
    if vectors % 512 != 0 || !memory::is_flash(vectors) {
        return Err(BoardError::Image(format!(
            "the boot loader starts no image: the vector table at 0x{vectors:08X} is not in flash at a multiple of 512"
        )));
    }
    Ok(())
}

impl Board for Mote {
    fn label(&self) -> &Label {
        &self.label
    }

    fn run_until(&mut self, target: Ps) -> Result<(), MoteFault> {
        self.label.check()?;
        let lived = self.live(target);
        self.bus.power.parts(self.now, self.bus.chip.i2c_bus());
        lived.map_err(|fault| {
            let stop = self.stop(fault);
            self.label.stop(stop)
        })
    }

    fn next_event(&self) -> Option<Ps> {
        if !self.asleep() {
            return Some(self.cpu_time());
        }
        if self.wake_at.is_none() && !self.cpu.sleeping() {
            return Some(self.now);
        }
        match (self.wake_at, self.next_asleep()) {
            (Some(wake), Some(due)) => Some(wake.min(due)),
            (wake, due) => wake.or(due),
        }
    }

    fn medium(&self) -> Option<&'static Medium> {
        Some(&OQPSK_2450)
    }

    fn on_air(&self) -> bool {
        self.bus.chip.on_air()
    }

    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.bus.chip.take_air(out);
    }

    fn hear(&mut self, event: AirIn) {
        self.bus.chip.hear(event);
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.bus.memory.read(address, length).or_else(|| {
            let at = address.checked_sub(INFO_PAGE)? as usize;
            let page = self.bus.chip.info_page();
            page.get(at..at.checked_add(length)?).map(<[u8]>::to_vec)
        })
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        self.cpu.invalidate_code(address, octets.len() as u32);
        self.bus.flash.forget();
        self.bus.memory.write(address, octets)
    }

    fn press_button(&mut self, pressed: bool) -> Result<(), BoardError> {
        let Some(Pin { port, bit }) = self.bus.button else {
            let name = self.name();
            return Err(BoardError::Option(format!("{name} has no button")));
        };
        self.bus.chip.set_input(self.now, port, bit, !pressed);
        Ok(())
    }

    fn take_edges(&mut self) -> Vec<Edge> {
        std::mem::take(&mut self.bus.edges)
    }

    fn watch_pin(&mut self, port: u8, bit: u8) {
        self.bus.marks.push(Pin { port, bit });
    }

    fn take_misuse(&mut self) -> Vec<Misuse> {
        self.note_misuse();
        self.notes.take()
    }

    fn take_serial(&mut self) -> Vec<Character> {
        std::mem::take(&mut self.bus.serial.sent)
    }

    fn hear_serial(&mut self, now: Ps, incoming: &Incoming<'_>) -> Result<(), BoardError> {
        self.bus.serial.hear(now, incoming, UARTS)
    }

    fn meter(&self) -> Result<Vec<MeterRow>, BoardError> {
        self.bus.power.cpu.rows(self.now)
    }

    fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        self.bus.power.cpu.take_states()
    }

    fn break_engine(&mut self, fault: Option<EngineFault>) -> Result<(), BoardError> {
        self.bus.chip.break_engine(fault);
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            pc: self.cpu.regs[PC],
            cycles: self.cpu.cycles - self.bus.slept,
            asleep: self.asleep() || self.cpu.sleeping(),
        }
    }

    fn processor(&self) -> Processor {
        Processor::CortexM
    }

    /// R0 to R15 and xPSR.
    fn registers(&self) -> Vec<Register> {
        let values = self.cpu.regs.into_iter().chain([self.cpu.xpsr()]);
        values.map(|value| Register { octets: 4, value }).collect()
    }

    fn radio_memory(&self) -> Vec<(&'static str, &[u8])> {
        self.bus.chip.radio_memory().to_vec()
    }

    fn set_register(&mut self, number: usize, value: u32) -> bool {
        match number {
            PC => {
                self.cpu.regs[PC] = value & !1;
                self.cpu.flush_pipeline();
            }
            0..PC => self.cpu.regs[number] = value,
            16 => self.cpu.set_xpsr(value),
            _ => return false,
        }
        true
    }

    fn cpu(&self) -> CpuState {
        let pc = self.cpu.regs[PC];
        CpuState {
            pc,
            symbol: self.elf().describe(pc),
            cycles: self.cpu.cycles - self.bus.slept,
            clock_hz: self.bus.power.cpu.clock_hz(),
            asleep: self.asleep(),
            resets: self.resets,
            last_reset: self.last_reset.clone(),
        }
    }
}
