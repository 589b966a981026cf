//! What the CPU draws in each sleep mode, by the names of the data file.

use crate::charge::CpuMode;
use device::atmega128::Sleep;
use device::meter::State;

/// `None`: the CPU runs.
impl CpuMode for Option<Sleep> {
    fn state(self, _clock_hz: u32) -> State {
        State::named(match self {
            None => "active",
            Some(Sleep::Idle) => "idle",
            Some(Sleep::NoiseReduction) => "noise_reduction",
            Some(Sleep::Standby) => "standby",
            Some(Sleep::ExtendedStandby) => "extended_standby",
            Some(Sleep::PowerSave) => "power_save",
            Some(Sleep::PowerDown) => "power_down",
        })
    }
}
