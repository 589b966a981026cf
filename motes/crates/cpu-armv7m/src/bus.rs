//! The outside of the core: the memory bus, and the ways a run can stop.

use thiserror::Error;

/// One access to memory, and what it cost beyond the zero-wait access that the pipeline rules
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed<T> {
    /// What was read.
    pub value: T,
    /// Wait states in core cycles.
    pub wait: u32,
}

impl<T> Timed<T> {
    /// A value without wait states.
    pub const fn free(value: T) -> Timed<T> {
        Timed { value, wait: 0 }
    }
}

/// Memory and devices below the system control space (0xE0000000 to 0xE00FFFFF is inside the core
/// and never comes here). All addresses are aligned to the size of the access: the core splits
/// other accesses, as the chip does, and it turns accesses to the two bit-band aliases into
/// accesses to the bit-band regions.
pub trait Bus {
    /// Fetches one aligned word of code for the prefetch unit, with wait states and with effects on
    /// caches.
    fn fetch32(&mut self, addr: u32) -> Result<Timed<u32>, BusError>;

    /// Reads one octet.
    fn read8(&mut self, addr: u32) -> Result<Timed<u8>, BusError>;

    /// Reads two octets, little endian; `addr` is even.
    fn read16(&mut self, addr: u32) -> Result<Timed<u16>, BusError>;

    /// Reads one little-endian word; `addr` is a multiple of 4.
    fn read32(&mut self, addr: u32) -> Result<Timed<u32>, BusError>;

    /// Writes one octet; the wait states.
    fn write8(&mut self, addr: u32, value: u8) -> Result<u32, BusError>;

    /// Writes two octets, little endian; the wait states. `addr` is even.
    fn write16(&mut self, addr: u32, value: u16) -> Result<u32, BusError>;

    /// Writes one little-endian word; the wait states. `addr` is a multiple of 4.
    fn write32(&mut self, addr: u32, value: u32) -> Result<u32, BusError>;

    /// The content of one aligned word of code for the decoder, without time and without effects.
    /// By default it is a fetch; override it if fetches change a line buffer.
    fn code32(&mut self, addr: u32) -> Result<u32, BusError> {
        self.fetch32(addr).map(|fetched| fetched.value)
    }

    /// The wait states of a fetch whose content the core knows already. The core calls it for every
    /// word that the prefetch unit fetches, so it should be fast. By default it is a fetch.
    #[inline(always)]
    fn fetch_wait(&mut self, addr: u32) -> u32 {
        self.fetch32(addr).map_or(0, |fetched| fetched.wait)
    }

    /// Whether fetches from the memory at `addr` have neither wait states nor effects, until a
    /// device register is written. Then [`crate::Cpu::run`] does not call [`Bus::fetch_wait`]. By
    /// default false.
    #[inline(always)]
    fn free_code(&mut self, addr: u32) -> bool {
        let _ = addr;
        false
    }

    /// Memory that the core may use directly. Offer it only if fetches and accesses wait as
    /// [`Plain::lines`] says and have no other effects, until a device register is written. Then
    /// [`crate::Cpu::run`] executes code there block by block, with the same result, and reports
    /// the last line by a call of [`Bus::fetch_wait`]. By default there is none.
    #[inline(always)]
    fn plain(&mut self) -> Option<Plain<'_>> {
        None
    }

    /// Tells the time, in [`crate::Cpu::cycles`], before every data access at or above 0x40000000,
    /// so that the device can bring itself up to date.
    #[inline(always)]
    fn now(&mut self, cycles: u64) {
        let _ = cycles;
    }
}

/// Memory that the core may use without asking for every access: aligned words whose first address
/// is a multiple of 4. Addresses and lengths never change while the bus lives.
#[derive(Debug)]
pub struct Plain<'a> {
    /// First address of code memory, below [`Plain::ram_start`].
    pub code_start: u32,
    /// Code memory: fetched and read, written only through the bus.
    pub code: &'a [[u8; 4]],
    /// First address of RAM.
    pub ram_start: u32,
    /// RAM: read and written without wait states.
    pub ram: &'a mut [[u8; 4]],
    /// How long code memory keeps fetches and reads waiting.
    pub lines: Lines,
}

/// Code memory with a buffer of one line: an access waits unless it is in the line of the access
/// before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Wait states; 0: there is no buffer.
    pub wait: u32,
    /// log2 of the octets of a line, which never changes.
    pub shift: u32,
    /// Number of the line in the buffer: an address without its lowest bits.
    pub line: u32,
}

impl Lines {
    /// No wait states.
    pub const FREE: Lines = Lines {
        wait: 0,
        shift: 0,
        line: 0,
    };

    /// The line of an address.
    #[inline(always)]
    pub(crate) fn of(&self, addr: u32) -> u32 {
        addr >> self.shift
    }

    /// Wait states of an access.
    #[inline(always)]
    pub(crate) fn access(&mut self, addr: u32) -> u32 {
        let line = self.of(addr);
        let hit = std::mem::replace(&mut self.line, line) == line;
        if hit { 0 } else { self.wait }
    }
}

impl crate::prefetch::Fetches for Lines {
    #[inline(always)]
    fn fetch_wait(&mut self, addr: u32) -> u32 {
        self.access(addr)
    }
}

impl Plain<'_> {
    /// Whether an address is in code memory.
    #[inline(always)]
    pub(crate) fn has_code(&self, addr: u32) -> bool {
        (addr.wrapping_sub(self.code_start) >> 2) < self.code.len() as u32
    }
}

/// Why the bus refused an access.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BusError {
    /// Nothing answers at this address; the program sees a bus fault.
    #[error("nothing is mapped at 0x{0:08x}")]
    Unmapped(u32),
    /// The address holds memory that cannot be written now; the program sees a bus fault.
    #[error("memory at 0x{0:08x} is read-only")]
    ReadOnly(u32),
    /// A register was accessed with the wrong width; the program sees a bus fault.
    #[error("access of the wrong width at 0x{0:08x}")]
    Width(u32),
    /// The device at the address refused; the program sees a bus fault.
    #[error("the device at 0x{0:08x} refused the access")]
    Refused(u32),
    /// Code was fetched from an address that holds no code; the program sees a bus fault.
    #[error("no code can be fetched from 0x{0:08x}")]
    NotExecutable(u32),
    /// The chip has this function, the model does not: the run ends with [`Fault::NotModelled`].
    #[error("the function at 0x{0:08x} is not modelled")]
    NotModelled(u32),
}

impl BusError {
    /// The address of the refused access.
    pub const fn addr(self) -> u32 {
        match self {
            BusError::Unmapped(a)
            | BusError::ReadOnly(a)
            | BusError::Width(a)
            | BusError::Refused(a)
            | BusError::NotExecutable(a)
            | BusError::NotModelled(a) => a,
        }
    }
}

/// The fault of an instruction: one of the architecture's faults, before it becomes an exception.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Cause {
    /// A data access was refused.
    #[error("{0}")]
    Data(BusError),
    /// A fetch was refused.
    #[error("fetch refused: {0}")]
    Fetch(BusError),
    /// A fetch from the system space or a device region (execute never).
    #[error("code at 0x{0:08x} may not be executed")]
    ExecuteNever(u32),
    /// Stacking the registers of an exception was refused.
    #[error("stacking refused: {0}")]
    Stacking(BusError),
    /// Unstacking was refused.
    #[error("unstacking refused: {0}")]
    Unstacking(BusError),
    /// Reading an exception's vector was refused.
    #[error("vector refused: {0}")]
    Vector(BusError),
    /// No instruction of ARMv7-M, or UDF.
    #[error("undefined instruction")]
    Undefined,
    /// A coprocessor instruction (the core has no coprocessor, no FPU).
    #[error("no coprocessor")]
    NoCoprocessor,
    /// Execution with the Thumb bit clear.
    #[error("the Thumb bit is clear")]
    InvalidState,
    /// An exception return that the architecture does not allow.
    #[error("invalid exception return")]
    InvalidReturn,
    /// An unaligned access at a place that does not allow it.
    #[error("unaligned access at 0x{0:08x}")]
    Unaligned(u32),
    /// Division by zero while CCR.DIV_0_TRP is set.
    #[error("division by zero")]
    DivideByZero,
    /// BKPT without a debugger.
    #[error("breakpoint {0}")]
    Breakpoint(u8),
    /// SVC whose priority does not let it through.
    #[error("SVC at this priority")]
    Escalated,
}

/// Why a run ended. `pc` is the address of the instruction; the register PC holds it too.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The program used something that the chip has and the model has not.
    #[error("instruction at 0x{pc:08x}: {error}")]
    NotModelled {
        /// The instruction.
        pc: u32,
        /// What the bus said.
        error: BusError,
    },
    /// A fault at the priority of HardFault or NMI: the chip stops for good.
    #[error("lockup at 0x{pc:08x}: {cause}")]
    Lockup {
        /// The instruction.
        pc: u32,
        /// Its fault.
        cause: Cause,
    },
    /// A fault of the architecture, while [`crate::Halt::faults`] is set: the handler did not run.
    #[error("instruction at 0x{pc:08x}: {cause}")]
    Exception {
        /// The instruction.
        pc: u32,
        /// Its fault.
        cause: Cause,
    },
    /// The program cannot be started: the vector table cannot be read.
    #[error("no vector table at 0x{addr:08x}: {error}")]
    NoVectors {
        /// Where it should be.
        addr: u32,
        /// What the bus said.
        error: BusError,
    },
}

impl Fault {
    /// The address of the instruction that faulted.
    pub const fn pc(self) -> u32 {
        match self {
            Fault::NotModelled { pc, .. }
            | Fault::Lockup { pc, .. }
            | Fault::Exception { pc, .. } => pc,
            Fault::NoVectors { addr, .. } => addr,
        }
    }
}
