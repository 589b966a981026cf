//! Basic clock module: DCOCTL, BCSCTL1, BCSCTL2 and the low-power bits of SR make MCLK, SMCLK and
//! ACLK (SLAU049, chapter "Basic Clock Module"). XT2 has no crystal and LFXT1 is a 32 768 Hz
//! crystal (XTS = 0).

use super::clock::{Clock, Period};
use super::dco::{DcoModel, DcoTap};
use super::{AccessError, F1611Config};
use crate::Ps;

/// SR bits that stop clocks.
pub const SR_CPUOFF: u16 = 0x0010;
/// LFXT1 off unless MCLK or SMCLK needs it.
pub const SR_OSCOFF: u16 = 0x0020;
/// DCO generator off unless MCLK or SMCLK needs it.
pub const SR_SCG0: u16 = 0x0040;
/// SMCLK off.
pub const SR_SCG1: u16 = 0x0080;
const SR_CLOCK_BITS: u16 = SR_CPUOFF | SR_OSCOFF | SR_SCG0 | SR_SCG1;

const CRYSTAL_HZ: u64 = 32_768;
constants! { u8:
    DCOCTL_RESET = 0x60,  BCSCTL1_RESET = 0x84, XT2OFF = 0x80,        XTS = 0x40,
    SELS = 0x08,          DCOR = 0x01,
}

/// The registers of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// DCOCTL, 0x56.
    Dcoctl,
    /// BCSCTL1, 0x57.
    Bcsctl1,
    /// BCSCTL2, 0x58.
    Bcsctl2,
}

/// The clocks a peripheral can be clocked from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// ACLK.
    pub aclk: &'a Clock,
    /// SMCLK.
    pub smclk: &'a Clock,
    /// MCLK.
    pub mclk: &'a Clock,
}

/// The module and its three clocks.
#[derive(Clone, Debug)]
pub struct BasicClock {
    dcoctl: u8,
    bcsctl1: u8,
    bcsctl2: u8,
    sr: u16,
    dco: DcoModel,
    dco_start: Ps,
    crystal: Period,
    crystal_start: Ps,
    lfxt: Clock,
    /// CPU clock.
    pub mclk: Clock,
    /// Sub-main clock.
    pub smclk: Clock,
    /// Auxiliary clock.
    pub aclk: Clock,
    /// MCLK is not what it was when this was last cleared.
    pub mclk_changed: bool,
}

impl BasicClock {
    /// After power-on at time 0.
    pub fn new(config: &F1611Config) -> BasicClock {
        let parts_per_billion = (config.aclk_ppm * 1e3).round() as i64;
        let crystal = Period::of_crystal(CRYSTAL_HZ, parts_per_billion);
        let lfxt = Clock::with_phase(crystal, config.aclk_phase);
        let still = Clock::new(Ps::ZERO, 0, 0);
        let mut module = BasicClock {
            dcoctl: DCOCTL_RESET,
            bcsctl1: BCSCTL1_RESET,
            bcsctl2: 0,
            sr: 0,
            dco: config.dco.clone(),
            dco_start: config.dco_start,
            crystal,
            crystal_start: config.crystal_start,
            lfxt,
            mclk: still,
            smclk: still,
            aclk: lfxt,
            mclk_changed: false,
        };
        module.settle(Ps::ZERO);
        module
    }

    /// The registers as a PUC leaves them, the CPU on.
    pub fn reset(&mut self, now: Ps) {
        (self.dcoctl, self.bcsctl1, self.bcsctl2, self.sr) = (DCOCTL_RESET, BCSCTL1_RESET, 0, 0);
        self.settle(now);
    }

    /// The clocks as a peripheral sees them.
    pub fn sources(&self) -> Sources<'_> {
        Sources {
            aclk: &self.aclk,
            smclk: &self.smclk,
            mclk: &self.mclk,
        }
    }

    /// Reads a register.
    pub fn read(&self, register: Register) -> u8 {
        match register {
            Register::Dcoctl => self.dcoctl,
            Register::Bcsctl1 => self.bcsctl1,
            Register::Bcsctl2 => self.bcsctl2,
        }
    }

    /// Writes a register; the clocks change at `now`.
    pub fn write(&mut self, register: Register, value: u8, now: Ps) -> Result<(), AccessError> {
        match register {
            Register::Dcoctl => self.dcoctl = value,
            Register::Bcsctl1 if value & XTS != 0 => {
                return Err(AccessError::NotModelled {
                    name: "LFXT1 in high-frequency mode (BCSCTL1.XTS)",
                });
            }
            Register::Bcsctl1 => self.bcsctl1 = value,
            Register::Bcsctl2 if value >> 6 == 2 || value & SELS != 0 => {
                return Err(AccessError::NotModelled {
                    name: "XT2 (there is no crystal) as source of MCLK or SMCLK",
                });
            }
            Register::Bcsctl2 => self.bcsctl2 = value,
        }
        self.settle(now);
        Ok(())
    }

    /// Takes the low-power bits of SR; says whether a clock changed.
    pub fn set_low_power(&mut self, now: Ps, sr: u16) -> bool {
        let bits = sr & SR_CLOCK_BITS;
        if bits == self.sr {
            return false;
        }
        self.sr = bits;
        self.settle(now)
    }

    /// Is there an oscillator fault, so that OFIFG cannot be cleared? The crystal is starting, or
    /// XT2 is on without one.
    pub fn fault(&self, now: Ps) -> bool {
        now < self.crystal_start || self.bcsctl1 & XT2OFF == 0
    }

    /// From an interrupt to a running MCLK.
    pub fn wake_delay(&self) -> Ps {
        let generator_on = self.dco_needed() || self.sr & SR_SCG0 == 0;
        if generator_on || self.mclk_from_crystal() {
            Ps::ZERO
        } else {
            self.dco_start
        }
    }

    fn mclk_from_crystal(&self) -> bool {
        self.bcsctl2 >> 6 == 3
    }

    fn dco_needed(&self) -> bool {
        let for_cpu = self.sr & SR_CPUOFF == 0 && !self.mclk_from_crystal();
        for_cpu || self.sr & SR_SCG1 == 0
    }

    /// The DCO's period at the current setting.
    fn dco_period(&self) -> Period {
        let tap = DcoTap {
            rsel: self.bcsctl1 & 7,
            dco: self.dcoctl >> 5,
            modulation: self.dcoctl & 0x1F,
            external: self.bcsctl2 & DCOR != 0,
        };
        Period::of_millihertz(self.dco.millihertz(tap))
    }

    /// Brings the clocks in line with the registers; says whether one changed.
    fn settle(&mut self, now: Ps) -> bool {
        let before = (self.mclk, self.smclk, self.aclk);
        let crystal_for_cpu = self.mclk_from_crystal() && self.sr & SR_CPUOFF == 0;
        let crystal_on = self.sr & SR_OSCOFF == 0 || crystal_for_cpu;
        if crystal_on != self.lfxt.running() {
            self.lfxt = if crystal_on {
                self.lfxt.retuned(now, self.crystal)
            } else {
                self.lfxt.stopped(now)
            };
        }
        self.aclk = follow(self.aclk, now, &self.lfxt, (self.bcsctl1 >> 4) & 3);
        let divm = (self.bcsctl2 >> 4) & 3;
        if self.mclk_from_crystal() {
            self.mclk = follow(self.mclk, now, &self.lfxt, divm);
        } else {
            let period = if self.dco_needed() {
                self.dco_period().divided(divm)
            } else {
                Period::STOPPED
            };
            self.mclk = steer(self.mclk, now, period);
        }
        let divs = (self.bcsctl2 >> 1) & 3;
        let period = if self.sr & SR_SCG1 == 0 {
            self.dco_period().divided(divs)
        } else {
            Period::STOPPED
        };
        self.smclk = steer(self.smclk, now, period);
        self.mclk_changed |= self.mclk != before.0;
        (self.mclk, self.smclk, self.aclk) != before
    }
}

/// A clock with its own oscillator: it goes on, changes, stops or starts.
fn steer(clock: Clock, now: Ps, period: Period) -> Clock {
    if clock.period() == period {
        clock
    } else if period == Period::STOPPED {
        clock.stopped(now)
    } else {
        clock.retuned(now, period)
    }
}

/// A clock made of LFXT1.
fn follow(clock: Clock, now: Ps, crystal: &Clock, shift: u8) -> Clock {
    if !crystal.running() {
        steer(clock, now, Period::STOPPED)
    } else if clock.period() == crystal.period().divided(shift) {
        clock
    } else {
        clock.following(now, crystal, shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module() -> BasicClock {
        BasicClock::new(&F1611Config::default().with_tap_at(4e6))
    }

    fn calibrate(module: &mut BasicClock, now: Ps) {
        let tap = module.dco.exact_tap().expect("an exact tap");
        module
            .write(Register::Bcsctl1, XT2OFF | tap.rsel, now)
            .expect("BCSCTL1");
        module
            .write(Register::Dcoctl, tap.dco << 5, now)
            .expect("DCOCTL");
    }

    #[test]
    fn the_reset_setting_is_rsel_4_tap_3() {
        let module = module();
        let tap = DcoTap {
            rsel: 4,
            dco: 3,
            modulation: 0,
            external: false,
        };
        assert_eq!(module.mclk.mhz, module.dco.millihertz(tap));
        assert_eq!(module.aclk.mhz, 32_768_000);
    }

    #[test]
    fn the_first_aclk_edge_comes_at_the_phase() {
        let config = F1611Config {
            aclk_phase: Ps::from_micros(7),
            aclk_ppm: -10.0,
            ..F1611Config::default()
        };
        let module = BasicClock::new(&config);
        assert_eq!(module.aclk.time_of(1), Ps::from_micros(7));
        assert_eq!(module.aclk.cycles_at(Ps(6_999_999)), 0);
        let edges = 32_768 * 100_000 - 32_768 + 1;
        assert_eq!(
            module.aclk.time_of(edges),
            Ps(7_000_000 + 100_000 * 1_000_000_000_000)
        );
    }

    #[test]
    fn a_divided_aclk_does_not_begin_before_the_crystal() {
        let config = F1611Config {
            aclk_phase: Ps::from_micros(90_000),
            ..F1611Config::default()
        };
        let mut module = BasicClock::new(&config);
        module
            .write(Register::Bcsctl1, XT2OFF | 0x30, Ps::from_micros(5))
            .expect("DIVA 8");
        assert!(module.aclk.time_of(1) >= Ps::from_micros(90_000));
    }

    #[test]
    fn dividers_divide() {
        let mut module = module();
        calibrate(&mut module, Ps::from_micros(3));
        module
            .write(Register::Bcsctl2, 0x10 | 0x04, Ps::from_micros(4))
            .expect("DIVM 2, DIVS 4");
        assert_eq!(
            (module.mclk.mhz, module.smclk.mhz),
            (2_000_000_000, 1_000_000_000)
        );
        assert!(module.mclk_changed);
        module
            .write(Register::Bcsctl1, XT2OFF | 0x30 | 7, Ps::from_micros(5))
            .expect("DIVA 8");
        assert_eq!(module.aclk.mhz, 4_096_000);
        let edge = module.aclk.time_of(module.aclk.origin_cycles + 1);
        let crystal_edge = module.lfxt.next_cycle(edge);
        assert_eq!(module.lfxt.time_of(crystal_edge), edge);
    }

    #[test]
    fn low_power_modes_stop_the_right_clocks() {
        let mut module = module();
        let at = Ps::from_micros(50);
        for (sr, smclk, aclk, delay) in [
            (SR_CPUOFF, true, true, 0),
            (SR_CPUOFF | SR_SCG0, true, true, 0),
            (SR_CPUOFF | SR_SCG1, false, true, 0),
            (SR_CPUOFF | SR_SCG1 | SR_SCG0, false, true, 6),
            (SR_CPUOFF | SR_SCG1 | SR_SCG0 | SR_OSCOFF, false, false, 6),
        ] {
            module.set_low_power(at, sr);
            assert_eq!(
                (module.smclk.running(), module.aclk.running()),
                (smclk, aclk),
                "SR {sr:#x}"
            );
            assert_eq!(module.wake_delay(), Ps::from_micros(delay));
            module.set_low_power(at, 0);
            assert!(module.mclk.running() && module.smclk.running() && module.aclk.running());
        }
    }

    #[test]
    fn mclk_can_come_from_the_crystal() {
        let mut module = module();
        module
            .write(Register::Bcsctl2, 0xC0, Ps::from_micros(100))
            .expect("SELM 3");
        assert_eq!(module.mclk.mhz, 32_768_000);
        let edge = module.mclk.origin_cycles + 5;
        assert_eq!(
            module
                .lfxt
                .time_of(module.lfxt.next_cycle(module.mclk.time_of(edge))),
            module.mclk.time_of(edge)
        );
    }

    #[test]
    fn oscillators_that_are_not_there_are_refused() {
        let mut module = module();
        assert!(module.write(Register::Bcsctl1, 0xC4, Ps::ZERO).is_err());
        assert!(module.write(Register::Bcsctl2, 0x80, Ps::ZERO).is_err());
        assert!(module.write(Register::Bcsctl2, 0x08, Ps::ZERO).is_err());
        assert!(module.fault(Ps::ZERO) && !module.fault(Ps::from_micros(10_000)));
    }
}
