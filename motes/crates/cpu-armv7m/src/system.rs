//! The registers inside the core: SysTick, NVIC, system control block, DWT cycle counter. ARM
//! DDI0403E, chapter B3 and section C1.8.

use crate::bus::BusError;
use crate::cpu::Cpu;
use crate::nvic::{
    BUS_FAULT, FIRST_INTERRUPT, HARD_FAULT, INTERRUPTS, MEM_MANAGE, NMI, PEND_SV, SV_CALL,
    SYS_TICK, Set, USAGE_FAULT,
};

/// Key of AIRCR writes, and what its reads show in its place.
const AIRCR_KEY: u32 = 0x05fa;
const AIRCR_KEY_READ: u32 = 0xfa05;
/// SysTick counts 24 bits.
const TICK_MASK: u32 = 0x00ff_ffff;
/// AIRCR.SYSRESETREQ.
const RESET_REQUEST: u32 = 1 << 2;

/// Bits of SCR.
pub const SCR_SLEEPONEXIT: u32 = 1 << 1;
/// SCR.SLEEPDEEP.
pub const SCR_SLEEPDEEP: u32 = 1 << 2;
/// SCR.SEVONPEND.
pub const SCR_SEVONPEND: u32 = 1 << 4;
/// CCR.NONBASETHRDENA.
pub const CCR_NONBASETHRDENA: u32 = 1 << 0;
/// CCR.UNALIGN_TRP.
const CCR_UNALIGN_TRP: u32 = 1 << 3;
/// CCR.DIV_0_TRP.
const CCR_DIV_0_TRP: u32 = 1 << 4;
/// CCR.STKALIGN, set after reset from r2p0 on.
pub const CCR_STKALIGN: u32 = 1 << 9;
/// Writable bits of CCR.
const CCR_MASK: u32 = 0x31b;

/// Bits of SHCSR that show which exceptions are active: the bit, and its exception.
const SHCSR_ACTIVE: [(u32, usize); 6] = [
    (0, MEM_MANAGE),
    (1, BUS_FAULT),
    (3, USAGE_FAULT),
    (7, SV_CALL),
    (10, PEND_SV),
    (11, SYS_TICK),
];
/// Bits of SHCSR that show which exceptions are pending.
const SHCSR_PENDING: [(u32, usize); 4] = [
    (12, USAGE_FAULT),
    (13, MEM_MANAGE),
    (14, BUS_FAULT),
    (15, SV_CALL),
];
/// Bits of SHCSR that enable exceptions.
const SHCSR_ENABLED: [(u32, usize); 3] = [(16, MEM_MANAGE), (17, BUS_FAULT), (18, USAGE_FAULT)];

/// The system control block, without what the NVIC holds.
#[derive(Clone, Debug)]
pub struct Scb {
    /// VTOR.
    pub vtor: u32,
    /// SCR.
    pub scr: u32,
    /// CCR.
    pub ccr: u32,
    /// CFSR: MMFSR, BFSR and UFSR.
    pub cfsr: u32,
    /// HFSR.
    pub hfsr: u32,
    /// DFSR.
    pub dfsr: u32,
    /// MMFAR.
    pub mmfar: u32,
    /// BFAR.
    pub bfar: u32,
    /// AIRCR.SYSRESETREQ was written.
    pub reset_request: bool,
    /// DEMCR.
    pub demcr: u32,
}

impl Scb {
    /// After reset. If `aligned_only`, no unaligned access is allowed.
    pub const fn new(vtor: u32, aligned_only: bool) -> Scb {
        Scb {
            vtor,
            scr: 0,
            ccr: CCR_STKALIGN | if aligned_only { CCR_UNALIGN_TRP } else { 0 },
            cfsr: 0,
            hfsr: 0,
            dfsr: 0,
            mmfar: 0,
            bfar: 0,
            reset_request: false,
            demcr: 0,
        }
    }

    /// CCR.UNALIGN_TRP.
    pub const fn traps_unaligned(&self) -> bool {
        self.ccr & CCR_UNALIGN_TRP != 0
    }

    /// CCR.DIV_0_TRP.
    pub const fn traps_division(&self) -> bool {
        self.ccr & CCR_DIV_0_TRP != 0
    }
}

/// SysTick. The core clock drives it whatever CLKSOURCE says: the CC2538 has no other reference.
#[derive(Clone, Debug, Default)]
pub struct SysTick {
    /// ENABLE, TICKINT and CLKSOURCE.
    control: u32,
    reload: u32,
    /// The counter, at cycle `since`.
    value: u32,
    since: u64,
    /// COUNTFLAG.
    wrapped: bool,
}

impl SysTick {
    /// The cycle at which the counter goes from 1 to 0 next; none if it is off or stuck at 0.
    pub fn deadline(&self) -> Option<u64> {
        if self.control & 1 == 0 {
            return None;
        }
        match (self.value, self.reload) {
            (0, 0) => None,
            // At 0 it loads the reload value first, with one cycle more.
            (0, reload) => Some(self.since + u64::from(reload) + 1),
            (value, _) => Some(self.since + u64::from(value)),
        }
    }

    /// Brings the counter to a cycle; whether its exception is to be pended.
    pub fn advance(&mut self, now: u64) -> bool {
        let mut pend = false;
        if let Some(first) = self.deadline()
            && now >= first
        {
            self.wrapped = true;
            pend = self.control & 2 != 0;
            let period = u64::from(self.reload) + 1;
            self.since = first + (now - first) / period * period;
            self.value = 0;
            if self.reload == 0 {
                self.since = now;
            }
        }
        let passed = now.saturating_sub(self.since) as u32;
        if self.control & 1 != 0 && passed > 0 {
            self.value = match self.value {
                0 if self.reload == 0 => 0,
                0 => self.reload + 1 - passed,
                value => value - passed,
            };
        }
        self.since = now;
        pend
    }
}

/// The cycle counter of the DWT; the rest of the DWT reads as zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct CycleCounter {
    enabled: bool,
    /// Its value while stopped; while running what to add to the cycles of the core.
    offset: u32,
}

impl Cpu {
    /// Reads a word of the private peripheral bus.
    pub(crate) fn system_read(&mut self, addr: u32) -> Result<u32, BusError> {
        let index = (addr as usize & 0x7f) >> 2;
        Ok(match addr {
            0xe000_1000 => 0x4000_0000 | u32::from(self.dwt.enabled),
            0xe000_1004 => self.cycle_counter(),
            // ITM without a trace port, and the rest of the DWT.
            0xe000_0000..=0xe000_1fff => 0,
            0xe000_e004 => (INTERRUPTS as u32).div_ceil(32) - 1,
            0xe000_e010..=0xe000_e01c => self.tick_read(addr),
            0xe000_e100..=0xe000_e11c | 0xe000_e180..=0xe000_e19c => {
                self.exceptions.enabled.interrupts(index)
            }
            0xe000_e200..=0xe000_e21c | 0xe000_e280..=0xe000_e29c => {
                self.exceptions.pending.interrupts(index)
            }
            0xe000_e300..=0xe000_e31c => self.exceptions.active.interrupts(index),
            0xe000_e400..=0xe000_e4ec => self.priorities(FIRST_INTERRUPT + (addr as usize & 0xfc)),
            0xe000_ed18..=0xe000_ed20 => self.priorities(4 + addr as usize - 0xe000_ed18),
            0xe000_ed00..=0xe000_edff => self.control_read(addr),
            0xe000_e000..=0xe000_efff => 0,
            _ => return Err(BusError::NotModelled(addr)),
        })
    }

    /// Writes 1, 2 or 4 octets of the private peripheral bus. Octets and halfwords are for
    /// priorities and CFSR.
    pub(crate) fn system_write(
        &mut self,
        addr: u32,
        value: u32,
        octets: u32,
    ) -> Result<(), BusError> {
        self.request_attention();
        match addr {
            0xe000_e400..=0xe000_e4ef => {
                self.set_priorities(FIRST_INTERRUPT + (addr as usize & 0xff), value, octets)
            }
            0xe000_ed18..=0xe000_ed23 => {
                self.set_priorities(4 + addr as usize - 0xe000_ed18, value, octets)
            }
            // Write 1 to clear.
            0xe000_ed28..=0xe000_ed2b => self.scb.cfsr &= !(value << (8 * (addr & 3))),
            _ if octets != 4 => return Err(BusError::Width(addr)),
            _ => return self.word_write(addr, value),
        }
        Ok(())
    }

    fn word_write(&mut self, addr: u32, value: u32) -> Result<(), BusError> {
        let index = (addr as usize & 0x7f) >> 2;
        match addr {
            0xe000_1000 => self.set_cycle_counter(value & 1 != 0, None),
            0xe000_1004 => self.set_cycle_counter(self.dwt.enabled, Some(value)),
            0xe000_0000..=0xe000_1fff => {}
            0xe000_e010..=0xe000_e018 => self.tick_write(addr, value),
            0xe000_e100..=0xe000_e11c => {
                self.for_interrupts(index, value, |cpu, n| cpu.exceptions.enabled.put(n, true))
            }
            0xe000_e180..=0xe000_e19c => {
                self.for_interrupts(index, value, |cpu, n| cpu.exceptions.enabled.put(n, false))
            }
            0xe000_e200..=0xe000_e21c => self.for_interrupts(index, value, Cpu::pend),
            0xe000_e280..=0xe000_e29c => self.for_interrupts(index, value, |cpu, n| {
                // A line that is high pends again at once.
                let high = cpu.exceptions.lines.has(n) && !cpu.exceptions.active.has(n);
                cpu.exceptions.pending.put(n, high);
            }),
            0xe000_ed00..=0xe000_edff => return self.control_write(addr, value),
            0xe000_ef00 if value as usize & 0x1ff < INTERRUPTS => {
                self.pend(FIRST_INTERRUPT + (value as usize & 0xff))
            }
            0xe000_e000..=0xe000_efff => {}
            _ => return Err(BusError::NotModelled(addr)),
        }
        Ok(())
    }

    fn for_interrupts(&mut self, index: usize, value: u32, act: impl Fn(&mut Cpu, usize)) {
        for bit in (0..32).filter(|bit| value >> bit & 1 != 0) {
            let interrupt = 32 * index + bit;
            if interrupt < INTERRUPTS {
                act(self, FIRST_INTERRUPT + interrupt);
            }
        }
    }

    fn priorities(&self, first: usize) -> u32 {
        (0..4)
            .map(|i| u32::from(self.exceptions.priority[(first + i) & 255]) << (8 * i))
            .sum()
    }

    fn set_priorities(&mut self, first: usize, value: u32, octets: u32) {
        for i in 0..octets as usize {
            let number = first + i;
            // SHPR1–3 have no field for 7–10 and 13; the debug monitor (12) is not there.
            if number >= FIRST_INTERRUPT || matches!(number, 4..=6 | 11 | 14 | 15) {
                self.exceptions
                    .set_priority(number, (value >> (8 * i)) as u8);
            }
        }
    }

    fn control_read(&mut self, addr: u32) -> u32 {
        match addr {
            0xe000_ed00 => self.timing.core.cpuid(),
            0xe000_ed04 => self.icsr(),
            0xe000_ed08 => self.scb.vtor,
            0xe000_ed0c => AIRCR_KEY_READ << 16 | self.exceptions.group << 8,
            0xe000_ed10 => self.scb.scr,
            0xe000_ed14 => self.scb.ccr,
            0xe000_ed24 => self.shcsr(),
            0xe000_ed28 => self.scb.cfsr,
            0xe000_ed2c => self.scb.hfsr,
            0xe000_ed30 => self.scb.dfsr,
            0xe000_ed34 => self.scb.mmfar,
            0xe000_ed38 => self.scb.bfar,
            0xe000_edfc => self.scb.demcr,
            // ID registers of the manual's table of a Cortex-M3: ID_PFR0, ID_PFR1, ID_DFR0,
            // ID_MMFR0–3, ID_ISAR0–4.
            0xe000_ed40..=0xe000_ed70 => {
                const ID: [u32; 13] = [
                    0x30,
                    0x200,
                    0x0010_0000,
                    0,
                    0x0010_0030,
                    0,
                    0x0100_0000,
                    0,
                    0x0110_1110,
                    0x0211_1000,
                    0x2111_2231,
                    0x0111_1110,
                    0x0131_0132,
                ];
                ID[(addr - 0xe000_ed40) as usize >> 2]
            }
            // No MPU: MPU_TYPE and all its registers read 0; CPACR too, without coprocessors.
            _ => 0,
        }
    }

    fn control_write(&mut self, addr: u32, value: u32) -> Result<(), BusError> {
        match addr {
            0xe000_ed04 => self.set_icsr(value),
            0xe000_ed08 => self.scb.vtor = value & 0x3fff_ff80,
            0xe000_ed0c if value >> 16 == AIRCR_KEY => {
                self.exceptions.group = value >> 8 & 7;
                self.scb.reset_request |= value & RESET_REQUEST != 0;
            }
            0xe000_ed10 => self.scb.scr = value & (SCR_SLEEPONEXIT | SCR_SLEEPDEEP | SCR_SEVONPEND),
            0xe000_ed14 => self.scb.ccr = value & CCR_MASK,
            0xe000_ed24 => self.set_shcsr(value),
            0xe000_ed2c => self.scb.hfsr &= !value,
            0xe000_ed30 => self.scb.dfsr &= !value,
            0xe000_ed34 => self.scb.mmfar = value,
            0xe000_ed38 => self.scb.bfar = value,
            0xe000_edfc => self.set_demcr(value),
            // The MPU of the chip is not modelled: only leaving it off is.
            0xe000_ed94 if value & 1 != 0 => return Err(BusError::NotModelled(addr)),
            _ => {}
        }
        Ok(())
    }

    fn icsr(&self) -> u32 {
        let pending = self.exceptions.next().map_or(0, |number| number as u32);
        let bit = |number, bit| u32::from(self.exceptions.pending.has(number)) << bit;
        let interrupt = self
            .exceptions
            .pending
            .iter()
            .any(|number| number >= FIRST_INTERRUPT);
        bit(NMI, 31)
            | bit(PEND_SV, 28)
            | bit(SYS_TICK, 26)
            | u32::from(interrupt) << 22
            | pending << 12
            | u32::from(self.exceptions.active.count() <= 1) << 11
            | self.exception()
    }

    fn set_icsr(&mut self, value: u32) {
        for (bit, number, pending) in [
            (31, NMI, true),
            (28, PEND_SV, true),
            (27, PEND_SV, false),
            (26, SYS_TICK, true),
            (25, SYS_TICK, false),
        ] {
            match (value >> bit & 1 != 0, pending) {
                (true, true) => self.pend(number),
                (true, false) => self.exceptions.pending.put(number, false),
                _ => {}
            }
        }
    }

    fn shcsr(&self) -> u32 {
        let e = &self.exceptions;
        let shown = |set: &Set, bits: &[(u32, usize)]| -> u32 {
            bits.iter()
                .map(|(bit, number)| u32::from(set.has(*number)) << bit)
                .sum()
        };
        shown(&e.active, &SHCSR_ACTIVE)
            | shown(&e.pending, &SHCSR_PENDING)
            | shown(&e.enabled, &SHCSR_ENABLED)
    }

    fn set_shcsr(&mut self, value: u32) {
        let e = &mut self.exceptions;
        for (set, bits) in [
            (&mut e.active, &SHCSR_ACTIVE[..]),
            (&mut e.pending, &SHCSR_PENDING[..]),
            (&mut e.enabled, &SHCSR_ENABLED[..]),
        ] {
            for (bit, number) in bits {
                set.put(*number, value >> bit & 1 != 0);
            }
        }
    }

    fn tick_read(&mut self, addr: u32) -> u32 {
        if self.tick.advance(self.cycles) {
            self.pend(SYS_TICK);
        }
        match addr {
            0xe000_e010 => {
                self.tick.control | u32::from(std::mem::take(&mut self.tick.wrapped)) << 16
            }
            0xe000_e014 => self.tick.reload,
            0xe000_e018 => self.tick.value,
            // NOREF: there is no reference clock.
            _ => 1 << 31,
        }
    }

    fn tick_write(&mut self, addr: u32, value: u32) {
        if self.tick.advance(self.cycles) {
            self.pend(SYS_TICK);
        }
        match addr {
            0xe000_e010 => self.tick.control = value & 7,
            0xe000_e014 => self.tick.reload = value & TICK_MASK,
            _ => {
                self.tick.value = 0;
                self.tick.wrapped = false;
            }
        }
    }

    fn cycle_counter(&self) -> u32 {
        if self.dwt_runs() {
            (self.cycles as u32).wrapping_add(self.dwt.offset)
        } else {
            self.dwt.offset
        }
    }

    const fn dwt_runs(&self) -> bool {
        // DEMCR.TRCENA.
        self.dwt.enabled && self.scb.demcr >> 24 & 1 != 0
    }

    fn set_cycle_counter(&mut self, enabled: bool, value: Option<u32>) {
        let value = value.unwrap_or_else(|| self.cycle_counter());
        self.dwt.enabled = enabled;
        self.dwt.offset = if self.dwt_runs() {
            value.wrapping_sub(self.cycles as u32)
        } else {
            value
        };
    }

    fn set_demcr(&mut self, value: u32) {
        let counter = self.cycle_counter();
        // No debugger: only TRCENA means something.
        self.scb.demcr = value & 1 << 24;
        self.set_cycle_counter(self.dwt.enabled, Some(counter));
    }

    /// Pends an exception; with SEVONPEND that is an event.
    pub(crate) fn pend(&mut self, number: usize) {
        if !self.exceptions.pending.has(number) && self.scb.scr & SCR_SEVONPEND != 0 {
            self.event = true;
        }
        self.exceptions.pending.put(number, true);
        self.request_attention();
    }

    /// Whether HardFault or NMI is being handled, or FAULTMASK is set: a fault now is a lockup.
    pub(crate) fn no_fault_allowed(&self) -> bool {
        self.execution_priority() <= self.exceptions.group_priority(HARD_FAULT)
    }
}
