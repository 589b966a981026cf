//! What the CPU draws in each low-power mode, by the names of the data file.

use crate::charge::CpuMode;
use cpu_msp430::{SR_CPUOFF, SR_OSCOFF, SR_SCG0, SR_SCG1};
use device::meter::State;

/// The bits of SR that stop clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LowPower(pub(super) u16);

impl LowPower {
    /// The bits that matter.
    pub(super) const MASK: u16 = SR_CPUOFF | SR_OSCOFF | SR_SCG0 | SR_SCG1;
    /// The CPU runs.
    pub(super) const ACTIVE: LowPower = LowPower(0);

    /// The mode that a value of SR selects.
    pub(super) fn of(sr: u16) -> LowPower {
        LowPower(sr & LowPower::MASK)
    }

    /// The CPU is off.
    pub(super) fn asleep(self) -> bool {
        self.0 & SR_CPUOFF != 0
    }
}

impl CpuMode for LowPower {
    /// Only the current of a running CPU depends on its clock.
    fn state(self, clock_hz: u32) -> State {
        if !self.asleep() {
            return State::clocked("active", clock_hz);
        }
        let set = |bit: u16| self.0 & bit != 0;
        State::named(match (set(SR_OSCOFF), set(SR_SCG1), set(SR_SCG0)) {
            (true, _, _) => "lpm4",
            (false, true, true) => "lpm3",
            (false, true, false) => "lpm2",
            (false, false, true) => "lpm1",
            (false, false, false) => "lpm0",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charge::BoardMeter;
    use crate::register::describe;
    use device::Ps;
    use device::cc2420::{Cc2420Config, RadioState};
    use device::parameter::Configured;

    fn meter() -> BoardMeter<LowPower> {
        let board = describe("telosb").expect("a board");
        BoardMeter::new(&board, LowPower::ACTIVE).expect("the data file parses")
    }

    #[test]
    fn the_bits_of_sr_select_the_mode() {
        // SLAU049, table "operating modes": SCG1 SCG0 OSCOFF CPUOFF are bits 7 to 4.
        let modes = [
            (0x00, "active"),
            (0x10, "lpm0"),
            (0x50, "lpm1"),
            (0x90, "lpm2"),
            (0xD0, "lpm3"),
            (0xF0, "lpm4"),
        ];
        for (sr, name) in modes {
            assert_eq!(LowPower::of(sr).state(0).name, name, "SR 0x{sr:02X}");
        }
    }

    #[test]
    fn every_state_has_a_current_in_the_data_file() {
        let mut meter = meter();
        let radio = meter.add("cc2420", RadioState::Off.name());
        let mut now = Ps::ZERO;
        let mut next = || {
            now += Ps::from_micros(1);
            now
        };
        for mode in 0..16 {
            meter.mode(next(), LowPower::of(mode << 4));
        }
        for state in RadioState::all() {
            meter.set(next(), radio, state.name());
        }
        let rows = meter.rows(next()).expect("all known");
        let count = |device: &str| rows.iter().filter(|row| row.device == device).count();
        assert_eq!(["cpu", "cc2420"].map(count), [6, 12]);
        let text = describe("telosb").expect("a board").text;
        Cc2420Config::from_toml(&text).expect("the data file has the radio's parameters");
    }

    #[test]
    fn an_active_cpu_draws_by_its_clock() {
        let mut meter = meter();
        meter.clock(Ps::ZERO, 8_000_000_000);
        let rows = meter.rows(Ps::from_micros(1_000_000)).expect("known");
        let active = rows
            .iter()
            .find(|row| row.state == "active" && row.seconds > 0.0)
            .expect("active");
        assert_eq!((active.clock_hz, active.seconds), (8_000_000, 1.0));
        let (ma, uj) = (active.current_ma, active.energy_uj);
        assert!((ma - 4.0).abs() < 1e-9, "500 uA/MHz at 8 MHz");
        assert!((uj - 12_000.0).abs() < 1e-6, "4 mA at 3 V for a second");
    }
}
