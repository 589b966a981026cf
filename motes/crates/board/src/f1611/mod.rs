//! A board with an MSP430F1611 and a CC2420, such as the TelosB (Tmote Sky). The board's data file
//! says how they are wired.
//!
//! The CPU runs in bursts from one device deadline to the next. Inside a burst the board asks no
//! device, unless the program accesses the peripheral space. While the CPU sleeps, time jumps from
//! deadline to deadline.

pub(crate) mod bus;
mod flash_array;
pub mod memory;
mod outside;
mod parts;
mod power;

use crate::board::{
    Board, BoardError, CpuState, Edge, Label, MeterRow, Options, PowerCut, Processor, Progress,
    Register, StateChange, Wear,
};
use crate::description::{Description, Pin};
use crate::elf::Elf;
use crate::fault::{self, MoteFault};
use crate::load::Loadable;
use crate::misuse::{Misuse, Notes};
use crate::serial::{Character, Incoming};
use bus::F1611Bus;
use cpu_msp430::{Cpu, Fault, SR_GIE, Step};
use device::air::{AirIn, AirOut, Medium};
use device::f1611::{F1611, F1611Config, ResetCause};
use device::parameter::Configured;
use device::random::split_mix;
use device::{EngineFault, OQPSK_2450, Ps};
use memory::Memory;
use power::LowPower;

/// SR bits whose change ends a burst.
const ATTENTION: u16 = LowPower::MASK | SR_GIE;
/// The number of the vector of NMI, oscillator fault and flash access violation.
const VECTOR_NMI: u8 = 14;
/// Address of the first vector.
const VECTORS: u16 = 0xFFE0;
/// One cycle of the 32 768 Hz crystal.
const CRYSTAL_PERIOD: u64 = 30_517_578;
/// Default frequency of one tap of the DCO in hertz.
const CLOCK_HZ: u32 = 8_000_000;
/// The largest serial number of a DS2411.
const MOST_SERIAL: u64 = (1 << 48) - 1;
/// USART0 and USART1.
const LINES: u8 = 2;
/// The clocks a part of the F1611 reaches, in hertz.
const CLOCK_RANGE: std::ops::RangeInclusive<u32> = 100_000..=8_000_000;

/// One board.
#[derive(Clone)]
pub struct Mote {
    label: Label,
    cpu: Cpu,
    bus: F1611Bus,
    /// Time up to which the devices have run. The CPU is there or later.
    now: Ps,
    /// Low-power bits of SR as the chip knows them.
    mode: LowPower,
    /// An interrupt has come while asleep; the CPU runs from then on.
    wake_at: Option<Ps>,
    resets: u32,
    last_reset: Option<String>,
    /// Power has failed.
    off: bool,
    notes: Notes,
}

impl Mote {
    /// A board at the moment of power-on.
    pub fn new(elf: Elf, board: &Description, options: &Options) -> Result<Mote, BoardError> {
        let name = board.name;
        let clock_hz = options.clock_hz.unwrap_or(CLOCK_HZ);
        if !CLOCK_RANGE.contains(&clock_hz) {
            let (low, high) = (CLOCK_RANGE.start(), CLOCK_RANGE.end());
            return Err(BoardError::Option(format!(
                "clock of {clock_hz} Hz; {name} has {low} to {high} Hz"
            )));
        }
        options.check_ppm()?;
        if options.band.is_some() {
            return Err(BoardError::Option(format!(
                "{name} has no timing band: its timing is exact"
            )));
        }
        let mut state = options.seed;
        let mut memory = Memory::new(split_mix(&mut state));
        memory.program(&elf, name)?;
        let config = F1611Config {
            aclk_ppm: options.ppm,
            aclk_phase: Ps(split_mix(&mut state) % CRYSTAL_PERIOD),
            noise_seed: split_mix(&mut state),
            ..F1611Config::from_toml(&board.text).map_err(|error| board.wrong(error))?
        };
        let chip = F1611::new(config.with_tap_at(clock_hz.into()));
        let serial = split_mix(&mut state) & MOST_SERIAL;
        let identity = options.identity.unwrap_or(serial);
        let mut mote = Mote {
            label: Label::new(name, elf),
            cpu: Cpu::new(),
            bus: F1611Bus::new(memory, chip, board, identity)?,
            now: Ps::ZERO,
            mode: LowPower::ACTIVE,
            wake_at: None,
            resets: 0,
            last_reset: None,
            off: false,
            notes: Notes::default(),
        };
        mote.bus.settle(Ps::ZERO);
        mote.restart(Ps::ZERO)
            .map_err(|fault| BoardError::Option(mote.stop(fault).to_string()))?;
        Ok(mote)
    }

    /// The CPU begins at the reset vector.
    fn restart(&mut self, now: Ps) -> Result<(), Fault> {
        self.cpu.reset(&mut self.bus)?;
        self.mode = LowPower::ACTIVE;
        self.wake_at = None;
        self.bus.held_until = None;
        self.bus.chip.set_low_power(now, 0);
        self.resync(now);
        Ok(())
    }

    /// The CPU's next cycle is the first edge of its clock at or after `now`.
    fn resync(&mut self, now: Ps) {
        self.bus.cycle = self.cpu.cycles;
        self.bus.chip.take_mclk_change();
        self.bus.follow_clock(now);
        self.bus.meter.mode(now, self.mode);
    }

    fn asleep(&self) -> bool {
        self.mode.asleep()
    }

    /// When the CPU executes its next instruction, awake.
    fn cpu_time(&self) -> Ps {
        self.bus.time_of(self.cpu.cycles)
    }

    fn advance(&mut self, to: Ps) {
        self.bus.advance(self.now, to);
        self.now = self.now.max(to);
    }

    fn live(&mut self, target: Ps) -> Result<(), Fault> {
        loop {
            // The power cut that is planned may have become nearer in the last turn.
            let target = self
                .bus
                .flash
                .fails_at()
                .map_or(target, |at| at.min(target));
            let more = if self.asleep() {
                self.sleep(target)?
            } else {
                self.work(target)?
            };
            if !more {
                return Ok(());
            }
            if let Some(cause) = self.bus.chip.take_reset() {
                self.resets += 1;
                self.last_reset = Some(cause_text(cause).to_string());
                self.restart(self.now)?;
            }
        }
    }

    /// One step while the CPU is off; false when `target` is reached.
    fn sleep(&mut self, target: Ps) -> Result<bool, Fault> {
        if let Some(wake) = self.wake_at {
            self.advance(wake.min(target));
            if wake > target {
                return Ok(false);
            }
            self.mode = LowPower::ACTIVE;
            self.wake_at = None;
            self.bus.chip.set_low_power(wake, 0);
            self.resync(wake);
            self.take_interrupt()?;
        } else if self.acceptable() {
            self.wake_at = Some(self.now + self.bus.chip.wake_delay());
        } else {
            let due = self
                .bus
                .deadline()
                .map(|at| at.max(self.now))
                .filter(|at| *at <= target);
            self.advance(due.unwrap_or(target));
            return Ok(due.is_some());
        }
        Ok(true)
    }

    /// One burst of instructions; false when `target` is reached.
    fn work(&mut self, target: Ps) -> Result<bool, Fault> {
        let now = self.cpu_time();
        self.advance(now.min(target));
        if self.bus.chip.take_mclk_change() {
            self.resync(self.now);
        }
        if now >= target {
            return Ok(false);
        }
        let mode = LowPower::of(self.cpu.sr());
        if mode != self.mode {
            self.mode = mode;
            self.bus.chip.set_low_power(now, mode.0);
            self.resync(now);
            return Ok(true);
        }
        if self.acceptable() {
            self.take_interrupt()?;
            return Ok(true);
        }
        let pending = self.bus.chip.interrupt().is_some();
        let stop = self.bus.deadline().map_or(target, |due| due.min(target));
        let stop_cycle = self.bus.clock.next_cycle(stop).saturating_sub(self.bus.lag);
        // If an interrupt waits for GIE to be set, look again after each instruction.
        let stop_cycle = if pending && self.cpu.gie() {
            0
        } else {
            stop_cycle
        };
        self.burst(stop_cycle)?;
        if self.bus.touched {
            self.note_misuse();
        }
        if let Some(until) = self.bus.held_until.take() {
            let edge = self.bus.clock.next_cycle(until);
            self.bus.lag = self.bus.lag.max(edge.saturating_sub(self.cpu.cycles));
        }
        Ok(true)
    }

    /// Executes instructions until `stop_cycle`, or until one did something that concerns the
    /// devices or the sleep logic.
    fn burst(&mut self, stop_cycle: u64) -> Result<(), Fault> {
        let before = self.cpu.sr() & ATTENTION;
        self.bus.touched = false;
        loop {
            self.bus.cycle = self.cpu.cycles;
            self.bus.instruction = self.cpu.regs[0];
            self.cpu.step(&mut self.bus)?;
            if self.cpu.cycles >= stop_cycle
                || self.bus.touched
                || self.cpu.sr() & ATTENTION != before
            {
                return Ok(());
            }
        }
    }

    /// Is an interrupt pending that the CPU accepts now? A non-maskable one ignores GIE.
    fn acceptable(&self) -> bool {
        match self.bus.chip.interrupt() {
            Some(VECTOR_NMI) => true,
            Some(_) => self.cpu.interruptible(),
            None => false,
        }
    }

    /// Notes what the parts have found wrong, with the present instruction.
    fn note_misuse(&mut self) {
        let list = self.bus.outside.take_misuse();
        if !list.is_empty() {
            let pc = self.bus.instruction.into();
            self.notes.add(self.label.elf(), pc, list);
        }
    }

    fn take_interrupt(&mut self) -> Result<(), Fault> {
        if let Some(vector) = self.bus.chip.interrupt() {
            self.bus.cycle = self.cpu.cycles;
            self.cpu
                .interrupt(&mut self.bus, VECTORS + 2 * u16::from(vector))?;
            self.bus.chip.accept(vector);
        }
        Ok(())
    }

    /// Power fails: RAM and radio lose their contents, flash keeps its present contents. The
    /// board's time stops.
    fn fail(&mut self) {
        self.off = true;
        self.bus.outside.wired.radio.set_vreg_en(self.now, false);
        self.bus.settle(self.now);
        self.bus.flash.fail(&mut self.bus.memory, self.now);
        self.bus.memory.forget();
    }

    fn stop(&self, fault: Fault) -> MoteFault {
        let reason = match &self.bus.refusal {
            Some(refusal) => refusal.to_string(),
            None => fault::reason(fault),
        };
        MoteFault::new(
            self.elf(),
            fault.pc().into(),
            self.cpu.last_pc().into(),
            self.cpu.cycles,
            reason,
        )
    }
}

fn cause_text(cause: ResetCause) -> &'static str {
    match cause {
        ResetCause::Watchdog => "the watchdog expired",
        ResetCause::WatchdogPassword => "WDTCTL was written without its password",
        ResetCause::FlashKey => "a flash control register was written without its key",
    }
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
        let lived = self.live(target);
        if lived.is_ok() && self.bus.flash.fails_at().is_some_and(|at| at <= self.now) {
            self.fail();
        }
        // The radio off: nothing has asked it to forget what it could have heard.
        self.bus.outside.wired.radio.advance(self.now);
        lived.map_err(|fault| {
            let stop = self.stop(fault);
            self.label.stop(stop)
        })
    }

    fn next_event(&self) -> Option<Ps> {
        if self.off {
            return None;
        }
        if !self.asleep() {
            return Some(self.cpu_time());
        }
        if self.wake_at.is_none() && self.acceptable() {
            return Some(self.now);
        }
        match (self.wake_at, self.bus.deadline()) {
            (Some(wake), Some(due)) => Some(wake.min(due)),
            (wake, due) => wake.or(due),
        }
    }

    fn medium(&self) -> Option<&'static Medium> {
        Some(&OQPSK_2450)
    }

    fn on_air(&self) -> bool {
        self.bus.outside.wired.radio.on_air()
    }

    fn take_air(&mut self, out: &mut Vec<AirOut>) {
        self.bus.outside.wired.radio.take_air(out);
    }

    fn hear(&mut self, event: AirIn) {
        if !self.off {
            self.bus.outside.wired.radio.hear(event);
        }
    }

    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.bus.memory.read(u16::try_from(address).ok()?, length)
    }

    fn write(&mut self, address: u32, octets: &[u8]) -> bool {
        self.bus.memory.write(address, octets)
    }

    fn take_edges(&mut self) -> Vec<Edge> {
        std::mem::take(&mut self.bus.outside.edges)
    }

    fn take_serial(&mut self) -> Vec<Character> {
        std::mem::take(&mut self.bus.outside.serial.sent)
    }

    fn hear_serial(&mut self, now: Ps, incoming: &Incoming<'_>) -> Result<(), BoardError> {
        self.bus.outside.serial.hear(now, incoming, LINES)
    }

    fn press_button(&mut self, pressed: bool) -> Result<(), BoardError> {
        if self.bus.outside.parts.press(pressed) {
            self.bus.settle(self.now);
            return Ok(());
        }
        let name = self.name();
        Err(BoardError::Option(format!("{name} has no button")))
    }

    fn watch_pin(&mut self, port: u8, bit: u8) {
        self.bus.outside.marks.push(Pin { port, bit });
    }

    fn take_misuse(&mut self) -> Vec<Misuse> {
        self.note_misuse();
        self.notes.take()
    }

    fn meter(&self) -> Result<Vec<MeterRow>, BoardError> {
        self.bus.meter.rows(self.now)
    }

    fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError> {
        self.bus.meter.take_states()
    }

    fn cpu(&self) -> CpuState {
        let pc = u32::from(self.cpu.regs[0]);
        CpuState {
            pc,
            symbol: self.elf().describe(pc),
            cycles: self.cpu.cycles,
            clock_hz: self.bus.meter.clock_hz(),
            asleep: self.asleep(),
            resets: self.resets,
            last_reset: self.last_reset.clone(),
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            pc: self.cpu.regs[0].into(),
            cycles: self.cpu.cycles,
            asleep: self.asleep() || LowPower::of(self.cpu.sr()).asleep(),
        }
    }

    fn processor(&self) -> Processor {
        Processor::Msp430
    }

    /// gdb has room for the 20 bits of an MSP430X in each.
    fn registers(&self) -> Vec<Register> {
        let register = |value: &u16| Register {
            octets: 4,
            value: (*value).into(),
        };
        self.cpu.regs.iter().map(register).collect()
    }

    fn radio_memory(&self) -> Vec<(&'static str, &[u8])> {
        self.bus.outside.wired.radio.memory().to_vec()
    }

    fn set_register(&mut self, number: usize, value: u32) -> bool {
        let even = if number < 2 { !1 } else { !0 };
        let Some(register) = self.cpu.regs.get_mut(number) else {
            return false;
        };
        *register = value as u16 & even;
        true
    }

    fn plan_power_cut(&mut self, cut: PowerCut) -> Result<(), BoardError> {
        if self.off {
            return Err(BoardError::Option("power is off already".into()));
        }
        self.bus.flash.plan(cut);
        Ok(())
    }

    fn break_engine(&mut self, fault: Option<EngineFault>) -> Result<(), BoardError> {
        self.bus.outside.wired.radio.break_engine(fault);
        Ok(())
    }

    fn powered(&self) -> bool {
        !self.off
    }

    fn wear(&self) -> Vec<Wear> {
        self.bus.flash.wear()
    }
}

#[cfg(test)]
mod tests;
