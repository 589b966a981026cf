//! What every board offers to the medium and to the instrument.

use crate::coprocessor::Fitting;
use crate::elf::{Elf, ElfError};
use crate::fault::MoteFault;
use crate::misuse::Misuse;
use crate::register::NAMES;
use crate::serial::{Character, Incoming};
use device::air::{AirIn, AirOut, Medium};
use device::{EngineFault, Ps};
use std::sync::Arc;
use thiserror::Error;

/// End of the band where the timing of a CPU or its flash is not published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Band {
    /// The quick end.
    Low,
    /// The slow end.
    #[default]
    High,
}

/// Properties of one specimen of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Decides the contents of RAM at power-on and the phase of the crystal.
    pub seed: u64,
    /// Deviation of the crystals in parts per million.
    pub ppm: f64,
    /// Frequency of the CPU clock in hertz. The chip limits it. `None`: the chip's default.
    pub clock_hz: Option<u32>,
    /// Supply voltage, at which charge and energy are counted. `None`: that of the data file.
    pub supply_v: Option<f64>,
    /// End of the timing band. `None`: the slow end, or a CPU whose timing is exact.
    pub band: Option<Band>,
    /// Numbers that this specimen has instead of those in the data file, by their places in the
    /// file, e.g. `timing.cc2538.aes_block`.
    pub changes: Vec<(String, f64)>,
    /// The executable is octets alone, and this is the address of the first. `None`: it is a file
    /// that says where its octets belong.
    pub octets_at: Option<u32>,
    /// The number that the board carries from its factory: the IEEE address of a CC2538, the 48-bit
    /// serial number of a TelosB's DS2411. `None`: one that follows from the seed.
    pub identity: Option<u64>,
}

#[cfg(test)]
impl Options {
    /// Two configurations that no board can have: a clock that it does not offer, and a crystal
    /// whose deviation is not a number.
    pub(crate) fn out_of_range(clock_hz: u32) -> [Options; 2] {
        [(Some(clock_hz), 0.0), (None, f64::NAN)].map(|(clock_hz, ppm)| Options {
            clock_hz,
            ppm,
            ..Options::default()
        })
    }
}

/// A change of an output pin that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Port: 1..=6 on a board with an MSP430, 0..=3 for A to D on one with a CC2538, 0..=6 for A to
    /// G on an ATmega128.
    pub port: u8,
    /// Bit, 0..=7.
    pub bit: u8,
    /// Level from now on.
    pub level: bool,
    /// Cycles the CPU had executed; sleep is not in it.
    pub cycle: u64,
    /// When.
    pub at: Ps,
}

/// Time and charge of one device in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct MeterRow {
    /// Device, e.g. `cpu`.
    pub device: String,
    /// State, e.g. `active`.
    pub state: String,
    /// Clock the state ran at, 0 where its current does not depend on one.
    pub clock_hz: u32,
    /// Time in it.
    pub seconds: f64,
    /// Current in it.
    pub current_ma: f64,
    /// Time times current.
    pub charge_uc: f64,
    /// Charge times supply voltage.
    pub energy_uj: f64,
    /// Where the current comes from.
    pub source: String,
    /// `datasheet`, `measured` or `assumed`.
    pub kind: String,
}

/// A device of a board is in a state from a moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct StateChange {
    /// When.
    pub at: Ps,
    /// Device, e.g. `cpu`.
    pub device: String,
    /// State, e.g. `active`.
    pub state: String,
    /// Clock at which the state runs; 0 if its current depends on no clock.
    pub clock_hz: u32,
    /// Current in it.
    pub current_ma: f64,
}

/// When power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutMoment {
    /// At this time of the board.
    At(Ps),
    /// While the flash array is busy, or the EEPROM of an ATmega128.
    InFlash {
        /// Number of operations that finish first. An operation programs a word or octet of flash,
        /// erases a segment, or writes an octet of the EEPROM.
        operation: u32,
        /// How much of the next operation is complete when power fails, in units of 2^-32.
        part: u32,
    },
}

/// A power cut. The same `seed` leaves the same contents of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerCut {
    /// When.
    pub moment: CutMoment,
    /// Decides the contents of memory that a cut leaves undefined.
    pub seed: u64,
}

/// What a program has done to a segment of flash since power-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wear {
    /// First address.
    pub first: u32,
    /// Erasures, begun or done.
    pub erasures: u32,
    /// Octets and words programmed, begun or done.
    pub programmed: u32,
}

/// Where the CPU is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuState {
    /// Next instruction.
    pub pc: u32,
    /// Function it is in.
    pub symbol: String,
    /// Cycles executed; sleep is not in it.
    pub cycles: u64,
    /// Frequency of its clock now, or when it last ran.
    pub clock_hz: u32,
    /// Sleeping.
    pub asleep: bool,
    /// Times the chip restarted since power-on.
    pub resets: u32,
    /// Why it restarted last.
    pub last_reset: Option<String>,
}

/// How far a CPU has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Next instruction.
    pub pc: u32,
    /// Cycles executed; sleep is not in it.
    pub cycles: u64,
    /// Sleeping, or about to.
    pub asleep: bool,
}

/// Families of CPUs, as debuggers tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// TI MSP430.
    Msp430,
    /// Microchip AVR.
    Avr,
    /// ARM Cortex-M.
    CortexM,
}

/// A register of a CPU as gdb has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Octets, 1 to 4.
    pub octets: usize,
    /// What it holds.
    pub value: u32,
}

/// What a board was made of, and the fault that has stopped it.
#[derive(Clone)]
pub struct Label {
    name: &'static str,
    elf: Arc<Elf>,
    fault: Option<MoteFault>,
}

impl Label {
    /// Of a board that has not run yet.
    pub(crate) fn new(name: &'static str, elf: Elf) -> Label {
        Label {
            name,
            elf: Arc::new(elf),
            fault: None,
        }
    }

    /// The executable.
    pub(crate) fn elf(&self) -> &Elf {
        &self.elf
    }

    /// The fault that has stopped the board, if there was one: it does not run again.
    pub(crate) fn check(&self) -> Result<(), MoteFault> {
        self.fault.clone().map_or(Ok(()), Err)
    }

    /// `fault` stops the board.
    pub(crate) fn stop(&mut self, fault: MoteFault) -> MoteFault {
        self.fault = Some(fault.clone());
        fault
    }
}

/// A board that can be copied with all that it holds: the copy goes on as the original would.
pub trait Copied {
    /// The copy.
    fn copied(&self) -> Box<dyn Board>;
}

impl<B: Board + Clone + 'static> Copied for B {
    fn copied(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Board> {
    fn clone(&self) -> Box<dyn Board> {
        self.as_ref().copied()
    }
}

/// A board with an executable in its flash. Time is the medium's.
pub trait Board: Send + Copied {
    /// What it was made of.
    fn label(&self) -> &Label;

    /// Its name, one of [`NAMES`].
    fn name(&self) -> &'static str {
        self.label().name
    }

    /// The executable.
    fn elf(&self) -> &Elf {
        &self.label().elf
    }

    /// Runs until `target`. All events at or before `target` are done, except an instruction that
    /// begins exactly at `target`.
    fn run_until(&mut self, target: Ps) -> Result<(), MoteFault>;

    /// The earliest time at which the board acts without an outside event. `None`: it sleeps until
    /// an outside event wakes it.
    fn next_event(&self) -> Option<Ps>;

    /// What its radio sends in and hears. `None`: it has no radio.
    fn medium(&self) -> Option<&'static Medium>;

    /// A transmission is announced or under way.
    fn on_air(&self) -> bool;

    /// Moves what was transmitted since the last call to the end of `out`.
    fn take_air(&mut self, out: &mut Vec<AirOut>);

    /// Queues what the antenna will hear.
    fn hear(&mut self, event: AirIn);

    /// Reads memory, without peripherals. `None`: some address has no memory.
    fn read(&self, address: u32, length: usize) -> Option<Vec<u8>>;

    /// Writes memory, and flash as a programmer does. False: some address has no memory.
    fn write(&mut self, address: u32, octets: &[u8]) -> bool;

    /// Edges of the watched pins since the last call.
    fn take_edges(&mut self) -> Vec<Edge>;

    /// From now on edges of this output are recorded, besides those of the data file's marks.
    fn watch_pin(&mut self, port: u8, bit: u8);

    /// Uses of a chip since the last call that its data sheet forbids. They have no effect or an
    /// undefined one.
    fn take_misuse(&mut self) -> Vec<Misuse>;

    /// Characters that its serial lines have sent since the last call.
    fn take_serial(&mut self) -> Vec<Character> {
        Vec::new()
    }

    /// What the other end of a serial line sends from `now` on.
    fn hear_serial(&mut self, now: Ps, incoming: &Incoming<'_>) -> Result<(), BoardError> {
        let _ = (now, incoming);
        let name = self.name();
        Err(BoardError::Option(format!(
            "serial lines into {name} are not modelled"
        )))
    }

    /// Somebody presses the user button from now on, or lets it go.
    fn press_button(&mut self, pressed: bool) -> Result<(), BoardError> {
        let _ = pressed;
        let name = self.name();
        Err(BoardError::Option(format!("{name} has no button")))
    }

    /// Puts an AES coprocessor on a serial line.
    fn fit_coprocessor(&mut self, fitting: Fitting) -> Result<(), BoardError> {
        let (name, line) = (self.name(), fitting.line);
        Err(BoardError::Option(format!(
            "no coprocessor can be put on line {line} of {name}; on one of an ATmega's it can"
        )))
    }

    /// Time and charge so far.
    fn meter(&self) -> Result<Vec<MeterRow>, BoardError>;

    /// Changes of state of its devices since the last call, in order of time. The first call begins
    /// to record them, and gives the state that each device is in.
    fn take_states(&mut self) -> Result<Vec<StateChange>, BoardError>;

    /// Where the CPU is.
    fn cpu(&self) -> CpuState;

    /// How far the CPU has come: [`Board::cpu`] without words.
    fn progress(&self) -> Progress;

    /// What CPU it has.
    fn processor(&self) -> Processor;

    /// The CPU's registers in the order and with the widths of gdb.
    fn registers(&self) -> Vec<Register>;

    /// What the radio's memory holds, by the names of its parts, behind the chip's bus or not. Empty:
    /// there is no radio, or it keeps one octet at a time.
    fn radio_memory(&self) -> Vec<(&'static str, &[u8])> {
        Vec::new()
    }

    /// Sets a register by its number in that order. False: there is none.
    fn set_register(&mut self, number: usize, value: u32) -> bool;

    /// Power fails as `cut` says and stays off. To go on, read the flash and make a new board with
    /// its contents.
    fn plan_power_cut(&mut self, cut: PowerCut) -> Result<(), BoardError> {
        let _ = cut;
        let name = self.name();
        let text = format!(
            "power cuts of {name} are not modelled; those of an MSP430F1611 and an ATmega128 are"
        );
        Err(BoardError::Option(text))
    }

    /// From now on the board's encryption engine has this defect, or none.
    fn break_engine(&mut self, fault: Option<EngineFault>) -> Result<(), BoardError> {
        let _ = fault;
        let name = self.name();
        Err(BoardError::Option(format!(
            "{name} has no encryption engine"
        )))
    }

    /// False after a power cut.
    fn powered(&self) -> bool {
        true
    }

    /// Segments of flash the program has written, in order of address. Empty where that is not
    /// counted.
    fn wear(&self) -> Vec<Wear> {
        Vec::new()
    }
}

/// Crystals deviate by no more than this, in parts per million.
const MOST_PPM: f64 = 1000.0;

impl Options {
    /// Checks the crystal's deviation.
    pub(crate) fn check_ppm(&self) -> Result<(), BoardError> {
        if (-MOST_PPM..=MOST_PPM).contains(&self.ppm) {
            return Ok(());
        }
        let text = format!("crystal deviation of {} ppm; at most {MOST_PPM}", self.ppm);
        Err(BoardError::Option(text))
    }
}

/// Why a board could not be made.
#[derive(Debug, Error)]
pub enum BoardError {
    /// No such board.
    #[error("unknown board {0:?}; boards are: {names}", names = NAMES.join(", "))]
    Unknown(String),
    /// The executable does not fit.
    #[error("{0}")]
    Elf(#[from] ElfError),
    /// The executable is not what the boot loader starts.
    #[error("{0}")]
    Image(String),
    /// The board's data file is wrong.
    #[error("data file of the board: {0}")]
    Data(String),
    /// An option is out of range.
    #[error("{0}")]
    Option(String),
}
