//! A board with an ATmega128 or an ATmega1281 and a crystal, bare or with a radio.
//!
//! The CPU runs in bursts from one device deadline to the next. Inside a burst the board asks no
//! device, unless the program accesses a register. While the CPU sleeps, time jumps from deadline
//! to deadline. All times are counted in cycles of the main clock, even while that clock is
//! stopped.

mod bus;
pub mod memory;
mod power;
mod radio;

use crate::board::{
    Board, BoardError, CpuState, CutMoment, Edge, Label, MeterRow, Options, PowerCut, Processor,
    Progress, Register, StateChange,
};
use crate::charge::BoardMeter;
use crate::coprocessor::{Fitted, Fitting};
use crate::description::{Description, Pin};
use crate::elf::Elf;
use crate::fault::{self, MoteFault};
use crate::load::Loadable;
use crate::misuse::{Misuse, Notes};
use crate::serial::{Character, Incoming, Serial};
use crate::wiring::Unheard;
use bus::{AtmegaBus, Outside, Remembered};
use cpu_avr::{Cpu, Fault};
use device::Ps;
use device::air::{AirIn, AirOut, Medium};
use device::atmega128::{Atmega128, EEPROM_SIZE, Fuses, NRWW_START, Sleep};
use device::clock::{Clock, Period};
use device::meter::DeviceId;
use device::random::split_mix;
use memory::{Chip, EEPROM_OFFSET, Memory};
use radio::Radio;

/// Default frequency of the crystal in hertz, where the board's data file leaves a choice.
const CLOCK_HZ: u32 = 8_000_000;
/// Crystals that the chips allow. The ATmega128L and the ATmega1281V allow at most 8 MHz.
const CLOCK_RANGE: std::ops::RangeInclusive<u32> = 32_768..=16_000_000;
/// Cycles from an interrupt to a running clock, if the oscillator kept running. If not, the fuses
/// say.
const START_STANDBY: u64 = 6;
/// What happens when a program goes on where its flash is being changed.
const EXECUTED: &str = "code in the read-while-write section is executed, which a page erase or \
                        write has blocked: a chip executes anything there";

/// USARTs of either chip.
const USARTS: u8 = 2;

/// One board.
#[derive(Clone)]
pub struct Mote {
    label: Label,
    cpu: Cpu,
    bus: AtmegaBus,
    meter: BoardMeter<Option<Sleep>>,
    /// The radio on the meter, and the state it is in.
    radio: Option<(DeviceId, &'static str)>,
    clock: Clock,
    clock_hz: u32,
    /// Cycle of the main clock up to which devices have lived; the CPU is at or after it.
    now: u64,
    /// The latest time that a run had as its target.
    time: Ps,
    sleep: Option<Sleep>,
    /// An interrupt has come while asleep; the CPU runs from that cycle on.
    wake_at: Option<u64>,
    resets: u32,
    /// How power is to fail.
    cut: Option<PowerCut>,
    /// Power has failed.
    off: bool,
    notes: Notes,
}

impl Mote {
    /// A board at the moment of power-on.
    pub fn new(
        chip: Chip,
        elf: Elf,
        board: &Description,
        options: &Options,
    ) -> Result<Mote, BoardError> {
        let name = board.name;
        let usual = board.only_clock_hz().unwrap_or(CLOCK_HZ);
        let clock_hz = options.clock_hz.unwrap_or(usual);
        if !CLOCK_RANGE.contains(&clock_hz) {
            let (low, high) = (CLOCK_RANGE.start(), CLOCK_RANGE.end());
            let text = format!("clock of {clock_hz} Hz; {name} has {low} to {high} Hz");
            return Err(BoardError::Option(text));
        }
        options.check_ppm()?;
        if options.band.is_some() {
            let text = format!("{name} has no timing band: its timing is exact");
            return Err(BoardError::Option(text));
        }
        let mut state = options.seed;
        let mut memory = Memory::new(chip, split_mix(&mut state));
        memory.program(&elf, chip.name())?;
        let ppb = (options.ppm * 1000.0).round() as i64;
        let period = Period::of_crystal(clock_hz.into(), ppb);
        let clock = Clock::with_period(Ps::ZERO, 0, period);
        let outside = Outside {
            clock,
            cycle: 0,
            edges: Vec::new(),
            marks: board.marks()?,
            radio: Radio::new(board, ppb, split_mix(&mut state))?,
            serial: Serial::default(),
            coprocessor: None,
            misuse: Vec::new(),
            unheard: Unheard::default(),
            supply_uv: 0,
            step: Remembered::default(),
            due: Remembered::default(),
        };
        let mut meter = BoardMeter::new(board, None)?;
        let outside = Outside {
            supply_uv: (meter.supply_v() * 1e6).round() as u32,
            ..outside
        };
        let state = outside.radio.state();
        let radio = state.map(|(name, state)| (meter.add(name, state), state));
        let fuses = fuses(board)?;
        let mut cpu = Cpu::new();
        cpu.reset(fuses.reset_vector());
        Ok(Mote {
            label: Label::new(name, elf),
            cpu,
            bus: AtmegaBus {
                memory,
                chip: Atmega128::new(chip.registers(), clock_hz, fuses),
                outside,
                lag: 0,
                cycle: 0,
                touched: false,
                guarded: false,
                executed: false,
                works: true,
                restarted: false,
                refusal: None,
            },
            meter,
            radio,
            clock,
            clock_hz,
            now: 0,
            time: Ps::ZERO,
            sleep: None,
            wake_at: None,
            resets: 0,
            cut: None,
            off: false,
            notes: Notes::default(),
        })
    }

    /// Cycle of the main clock at which the CPU executes its next instruction, awake.
    fn cpu_cycle(&self) -> u64 {
        self.cpu.cycles + self.bus.lag
    }

    fn advance(&mut self, to: u64) {
        self.bus.outside.cycle = self.cpu.cycles;
        self.bus.advance(to);
        self.now = self.now.max(to);
        self.follow_radio();
    }

    /// The radio's state on the meter.
    fn follow_radio(&mut self) {
        let state = self.bus.outside.radio.state();
        if let (Some((device, before)), Some((_, state))) = (&mut self.radio, state)
            && *before != state
        {
            *before = state;
            let now = self.clock.time_of(self.now);
            self.meter.set(now, *device, state);
        }
    }

    fn live(&mut self, target: Ps) -> Result<(), Fault> {
        // The first cycle that begins at or after the target.
        let target = self.clock.next_cycle(target);
        loop {
            // The power cut that is planned may have become nearer in the last turn.
            let end = self.fails_at().map_or(target, |at| at.min(target));
            let more = match self.sleep {
                Some(sleep) => self.sleep(sleep, end)?,
                None => self.work(end)?,
            };
            if std::mem::take(&mut self.bus.restarted) {
                self.restart();
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// The cycle at which power fails, as far as it is known.
    fn fails_at(&self) -> Option<u64> {
        match self.cut?.moment {
            CutMoment::At(at) => Some(self.clock.next_cycle(at)),
            CutMoment::InFlash { .. } => self.bus.chip.eeprom_fails_at(),
        }
    }

    /// Power fails: SRAM and radio lose their contents; flash and EEPROM keep theirs, but for an
    /// octet that is being written. The board's time stops.
    fn fail(&mut self) {
        let seed = self.cut.map_or(0, |cut| cut.seed);
        self.off = true;
        self.time = self.clock.time_of(self.now);
        self.bus.outside.radio.fail(self.time);
        self.follow_radio();
        self.bus.chip.fail_eeprom(self.now, seed);
        self.bus.memory.forget(seed);
    }

    /// Where `length` octets at `address` lie in the EEPROM, if they do.
    fn in_eeprom(address: u32, length: usize) -> Option<std::ops::Range<usize>> {
        let start = address.checked_sub(EEPROM_OFFSET)? as usize;
        let end = start.checked_add(length)?;
        (end <= EEPROM_SIZE).then_some(start..end)
    }

    /// The CPU begins at the reset vector; the chip has restarted.
    fn restart(&mut self) {
        self.resets += 1;
        self.cpu.reset(self.bus.chip.fuses().reset_vector());
        self.wake_at = None;
        self.enter(None);
        self.bus.lag = self.bus.lag.max(self.now - self.cpu.cycles.min(self.now));
    }

    /// The CPU sleeps so from now on, or runs.
    fn enter(&mut self, sleep: Option<Sleep>) {
        self.sleep = sleep;
        self.bus.works = matches!(sleep, None | Some(Sleep::Idle));
        self.meter.mode(self.clock.time_of(self.now), sleep);
    }

    /// One step while the CPU sleeps; false when cycle `end` is reached.
    fn sleep(&mut self, sleep: Sleep, end: u64) -> Result<bool, Fault> {
        if let Some(wake) = self.wake_at {
            self.pass(sleep, wake.min(end));
            if wake > end {
                return Ok(false);
            }
            self.wake_at = None;
            self.bus.lag = wake - self.cpu.cycles;
            self.enter(None);
            self.take_interrupt()?;
            return Ok(true);
        }
        if self.bus.chip.interrupt().is_some() && self.cpu.interruptible() {
            let start = match sleep {
                Sleep::Idle | Sleep::NoiseReduction => 0,
                Sleep::Standby | Sleep::ExtendedStandby => START_STANDBY,
                Sleep::PowerSave | Sleep::PowerDown => self.start_cycles(),
            };
            self.wake_at = Some(self.now + start);
            return Ok(true);
        }
        let due = self
            .deadline()
            .map(|at| at.max(self.now))
            .filter(|at| *at <= end);
        self.pass(sleep, due.unwrap_or(end));
        Ok(due.is_some())
    }

    /// What the oscillator takes to start, by the fuses.
    fn start_cycles(&self) -> u64 {
        let chip = self.bus.memory.chip().registers();
        self.bus.chip.fuses().start_cycles(chip)
    }

    /// Sleeps on until cycle `to`.
    fn pass(&mut self, sleep: Sleep, to: u64) {
        if sleep != Sleep::Idle {
            self.bus.chip.freeze(sleep, to - self.now.min(to), to);
        }
        self.advance(to);
    }

    /// The next cycle at which a device does something by itself.
    fn deadline(&self) -> Option<u64> {
        let chip = match self.sleep {
            None | Some(Sleep::Idle) => self.bus.chip.deadline(),
            Some(sleep) => self.bus.chip.deep_deadline(sleep),
        };
        let others = [self.bus.radio_deadline(), self.bus.serial_deadline()];
        chip.into_iter().chain(others.into_iter().flatten()).min()
    }

    /// One burst of instructions; false when cycle `end` is reached.
    fn work(&mut self, end: u64) -> Result<bool, Fault> {
        let now = self.cpu_cycle();
        self.advance(now.min(end));
        if now >= end {
            return Ok(false);
        }
        if self.bus.restarted {
            return Ok(true);
        }
        let pending = self.bus.chip.interrupt().is_some();
        if pending && self.cpu.interruptible() {
            self.take_interrupt()?;
            return Ok(true);
        }
        let stop = self.deadline().map_or(end, |due| due.min(end));
        self.burst(stop.saturating_sub(self.bus.lag), pending)?;
        if self.bus.touched {
            self.note_misuse();
        }
        if self.cpu.sleeping() {
            self.now = self.now.max(self.cpu_cycle());
            self.bus.advance(self.now);
            let sleep = self.bus.chip.sleep();
            if let Some(sleep) = sleep {
                self.bus.chip.fall_asleep(sleep, self.now);
            }
            self.enter(sleep);
        }
        Ok(true)
    }

    /// Executes instructions until CPU cycle `stop`, or until one did something that concerns the
    /// devices. With `pending`, it also stops when the CPU can take an interrupt.
    fn burst(&mut self, stop: u64, pending: bool) -> Result<(), Fault> {
        self.bus.touched = false;
        loop {
            let blocked = self.bus.chip.program_blocked();
            let single = pending || blocked;
            let until = if single { self.cpu.cycles + 1 } else { stop };
            if blocked {
                self.watch_blocked();
            }
            self.cpu.run(&mut self.bus, until)?;
            let attention =
                self.bus.touched || self.cpu.sleeping() || pending && self.cpu.interruptible();
            if self.cpu.cycles >= stop || attention {
                return Ok(());
            }
        }
    }

    /// The read-while-write section is blocked: the next instruction must not lie there.
    fn watch_blocked(&mut self) {
        let inside = self.cpu.pc < NRWW_START;
        if inside && !self.bus.executed {
            let now = self.clock.time_of(self.cpu_cycle());
            self.bus.outside.misuse.push((now, EXECUTED));
            self.bus.touched = true;
        }
        self.bus.executed |= inside;
    }

    /// Notes what the parts have found wrong, with the present instruction.
    fn note_misuse(&mut self) {
        let mut list = self.bus.outside.radio.take_misuse();
        list.append(&mut self.bus.outside.misuse);
        if !list.is_empty() {
            let pc = u32::from(self.cpu.last_pc()) * 2;
            self.notes.add(self.label.elf(), pc, list);
        }
    }

    fn take_interrupt(&mut self) -> Result<(), Fault> {
        if let Some(number) = self.bus.chip.interrupt() {
            self.bus.cycle = self.cpu.cycles;
            let vector = self.bus.chip.vectors_start() + 2 * u16::from(number);
            self.cpu.interrupt(&mut self.bus, vector)?;
            self.bus.chip.acknowledge(number);
        }
        Ok(())
    }

    fn stop(&self, fault: Fault) -> MoteFault {
        let reason = match self.bus.refusal {
            Some(refusal) => refusal.to_string(),
            None => fault::avr_reason(fault),
        };
        let octets = |pc: u16| u32::from(pc) * 2;
        let (pc, from) = (octets(fault.pc()), octets(self.cpu.last_pc()));
        MoteFault::new(self.elf(), pc, from, self.cpu.cycles, reason)
    }
}

/// The fuses and lock bits of `[fuses]`.
fn fuses(board: &Description) -> Result<Fuses, BoardError> {
    let usual = Fuses::default();
    let octet = |name, usual: u8| {
        let number = board.number_or(&["fuses", name], usual.into())?;
        let value = number as u8;
        (f64::from(value) == number)
            .then_some(value)
            .ok_or_else(|| board.wrong(format!("fuses.{name} is no octet")))
    };
    Ok(Fuses {
        low: octet("low", usual.low)?,
        high: octet("high", usual.high)?,
        extended: octet("extended", usual.extended)?,
        lock: octet("lock", usual.lock)?,
    })
}

impl Board for Mote {
    fn label(&self) -> &Label {
        &self.label
    }

    fn run_until(&mut self, target: Ps) -> Result<(), MoteFault> {
        self.label.check()?;
        if self.off {
            return Ok(());
        }
        self.time = self.time.max(target);
        let lived = self.live(target);
        if lived.is_ok() && self.fails_at().is_some_and(|at| at <= self.now) {
            self.fail();
        }
        lived.map_err(|fault| {
            let stop = self.stop(fault);
            self.label.stop(stop)
        })
    }

    fn next_event(&self) -> Option<Ps> {
        if self.off {
            return None;
        }
        let cycle = match self.sleep {
            None => Some(self.cpu_cycle()),
            Some(_) if self.wake_at.is_some() => self.wake_at,
            Some(_) if self.bus.chip.interrupt().is_some() && self.cpu.interruptible() => {
                Some(self.now)
            }
            Some(_) => self.deadline(),
        };
        cycle.map(|cycle| self.clock.time_of(cycle))
    }

    fn medium(&self) -> Option<&'static Medium> {
        self.bus.outside.radio.medium()
    }

    fn on_air(&self) -> bool {
        self.bus.outside.radio.on_air()
    }

    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.bus.outside.radio.take_air(out);
    }

    fn hear(&mut self, event: AirIn) {
        if !self.off {
            self.bus.outside.radio.hear(event);
        }
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        if let Some(range) = Mote::in_eeprom(address, length) {
            return Some(self.bus.chip.eeprom()[range].to_vec());
        }
        self.bus.memory.read(address, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        if let Some(range) = Mote::in_eeprom(address, octets.len()) {
            self.bus.chip.eeprom_mut()[range].copy_from_slice(octets);
            return true;
        }
        self.bus.memory.write(address, octets)
    }

    fn take_edges(&mut self) -> Vec<Edge> {
        std::mem::take(&mut self.bus.outside.edges)
    }

    fn watch_pin(&mut self, port: u8, bit: u8) {
        self.bus.outside.marks.push(Pin { port, bit });
    }

    fn take_misuse(&mut self) -> Vec<Misuse> {
        self.note_misuse();
        self.notes.take()
    }

    fn take_serial(&mut self) -> Vec<Character> {
        std::mem::take(&mut self.bus.outside.serial.sent)
    }

    fn hear_serial(&mut self, now: Ps, incoming: &Incoming<'_>) -> Result<(), BoardError> {
        let outside = &mut self.bus.outside;
        let hears = |fitted: &&mut Fitted| fitted.hears(incoming.line);
        if let Some(fitted) = outside.coprocessor.as_mut().filter(hears) {
            fitted.hear(now, incoming);
            return Ok(());
        }
        outside.serial.hear(now, incoming, USARTS)
    }

    fn fit_coprocessor(&mut self, fitting: Fitting) -> Result<(), BoardError> {
        if fitting.line >= USARTS {
            let line = fitting.line;
            return Err(BoardError::Option(format!(
                "line {line}; lines are below {USARTS}"
            )));
        }
        self.bus.outside.coprocessor = Some(Fitted::new(fitting)?);
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            pc: u32::from(self.cpu.pc) * 2,
            cycles: self.cpu.cycles,
            asleep: self.sleep.is_some() || self.cpu.sleeping(),
        }
    }

    fn processor(&self) -> Processor {
        Processor::Avr
    }

    /// R0 to R31, SREG, SP, PC as the address of an octet.
    fn registers(&self) -> Vec<Register> {
        let wide = |octets, value| Register { octets, value };
        let octets = self.cpu.regs.to_array().into_iter().chain([self.cpu.sreg]);
        let mut all: Vec<Register> = octets.map(|octet| wide(1, octet.into())).collect();
        all.push(wide(2, self.cpu.sp.into()));
        all.push(wide(4, u32::from(self.cpu.pc) * 2));
        all
    }

    fn set_register(&mut self, number: usize, value: u32) -> bool {
        match number {
            0..32 => self.cpu.regs[number] = value as u8,
            32 => self.cpu.sreg = value as u8,
            33 => self.cpu.sp = value as u16,
            34 => self.cpu.pc = (value / 2) as u16,
            _ => return false,
        }
        true
    }

    fn meter(&self) -> Result<Vec<MeterRow>, BoardError> {
        self.meter.rows(self.time.max(self.clock.time_of(self.now)))
    }

    fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        self.meter.take_states()
    }

    fn plan_power_cut(&mut self, cut: PowerCut) -> Result<(), BoardError> {
        if self.off {
            return Err(BoardError::Option("power is off already".into()));
        }
        if let CutMoment::InFlash { operation, part } = cut.moment {
            self.bus.chip.plan_eeprom_cut(operation, part);
        }
        self.cut = Some(cut);
        Ok(())
    }

    fn powered(&self) -> bool {
        !self.off
    }

    fn cpu(&self) -> CpuState {
        let pc = u32::from(self.cpu.pc) * 2;
        CpuState {
            pc,
            symbol: self.elf().describe(pc),
            cycles: self.cpu.cycles,
            clock_hz: self.clock_hz,
            asleep: self.sleep.is_some(),
            resets: self.resets,
            last_reset: (self.resets > 0).then(|| "the watchdog expired".into()),
        }
    }
}

#[cfg(test)]
mod tests;
