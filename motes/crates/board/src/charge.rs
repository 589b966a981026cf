//! From a board's meter to rows: what every device spent, and how its states changed.

use crate::board::{BoardError, MeterRow, StateChange};
use device::Ps;
use device::meter::{Change, Cost, CurrentTable, Meter};

/// Time and charge until `now`. A state without a current in the data file is an error of that
/// file; the unit tests of each board hold it against every state there is.
pub(crate) fn rows(
    meter: &Meter,
    table: &CurrentTable,
    now: Ps,
) -> Result<Vec<MeterRow>, BoardError> {
    let costs = table
        .cost(&meter.snapshot(now))
        .map_err(|error| BoardError::Data(error.to_string()))?;
    let row = |cost: Cost| MeterRow {
        device: cost.device.into(),
        state: cost.state.name.into(),
        clock_hz: cost.state.clock_hz,
        seconds: cost.time.as_secs_f64(),
        current_ma: cost.current_ua / 1000.0,
        charge_uc: cost.charge_uc,
        energy_uj: cost.energy_uj,
        source: cost.source,
        kind: cost.kind.name().into(),
    };
    Ok(costs
        .into_iter()
        .filter(|cost| cost.time > Ps::ZERO)
        .map(row)
        .collect())
}

/// The changes that a meter recorded, each with its current.
pub(crate) fn state_changes(
    meter: &mut Meter,
    table: &CurrentTable,
) -> Result<Vec<StateChange>, BoardError> {
    let with_current = |Change { at, device, state }| {
        let current_ua = table
            .current_ua(device, state)
            .map_err(|error| BoardError::Data(error.to_string()))?;
        Ok(StateChange {
            at,
            device: device.into(),
            state: state.name.into(),
            clock_hz: state.clock_hz,
            current_ma: current_ua / 1000.0,
        })
    };
    meter.take_changes().into_iter().map(with_current).collect()
}
