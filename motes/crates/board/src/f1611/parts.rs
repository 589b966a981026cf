//! Parts on a TelosB behind wires of their own: the DS2411 with the serial number, the SHT11, the
//! user button. Lines with a pull-up are high unless the chip or the part pulls them low.

use crate::board::BoardError;
use crate::description::{Description, Pin};
use crate::sensors;
use device::Ps;
use device::sensor::ds2411::Ds2411;
use device::sensor::sht11::Sht11;

/// The sensor's table in a board's data file: `[wiring.sht11]`. It is also its name for the meter.
pub(super) const SHT11: &str = "sht11";

/// A line with a pull-up.
#[derive(Clone)]
struct Line {
    pin: Pin,
    /// The chip pulls it low.
    low: bool,
    /// Its level as the chip knows it; at power-on inputs are low.
    told: bool,
}

impl Line {
    fn new(pin: Pin) -> Line {
        Line {
            pin,
            low: false,
            told: false,
        }
    }

    /// Tells the chip if the level has changed.
    fn propagate(&mut self, pulls: bool, drive: &mut impl FnMut(Pin, bool)) {
        let level = !self.low && !pulls;
        if level != self.told {
            self.told = level;
            drive(self.pin, level);
        }
    }
}

#[derive(Clone)]
struct WiredSht11 {
    sensor: Sht11,
    data: Line,
    clock: Pin,
    power: Pin,
}

/// The parts, at power-on.
#[derive(Clone)]
pub(super) struct Parts {
    serial: Option<(Ds2411, Line)>,
    sht11: Option<WiredSht11>,
    /// The SHT11 has had power once: its charge is counted from then on.
    pub(super) sht11_known: bool,
    /// Buttons, which are high until they are pressed.
    button: Option<Line>,
    /// A line may have changed.
    pub(super) touched: bool,
}

impl Parts {
    /// As the board's data file has them, with this serial number.
    pub(super) fn new(board: &Description, serial: u64) -> Result<Parts, BoardError> {
        let line = |part, name| board.wire(part, name).map(Line::new);
        let wired = |part| board.wires(part);
        let serial = match wired("ds2411") {
            true => Some((Ds2411::new(serial), line("ds2411", "data")?)),
            false => None,
        };
        let sht11 = match wired(SHT11) {
            true => Some(WiredSht11 {
                sensor: Sht11::new(sensors::environment(board)?),
                data: line(SHT11, "data")?,
                clock: board.wire(SHT11, "clock")?,
                power: board.wire(SHT11, "power")?,
            }),
            false => None,
        };
        let button = wired("button").then(|| line("button", "pin")).transpose()?;
        Ok(Parts {
            serial,
            sht11,
            sht11_known: false,
            button,
            touched: true,
        })
    }

    /// When a part does something by itself.
    pub(super) fn deadline(&self) -> Option<Ps> {
        let serial = self.serial.as_ref().and_then(|(chip, _)| chip.deadline());
        let sensor = self.sht11.as_ref().and_then(|part| part.sensor.deadline());
        match (serial, sensor) {
            (Some(serial), Some(sensor)) => Some(serial.min(sensor)),
            (serial, sensor) => serial.or(sensor),
        }
    }

    /// Does what is due at `now`.
    pub(super) fn advance(&mut self, now: Ps) {
        if let Some((chip, _)) = &mut self.serial {
            chip.advance(now);
        }
        if let Some(part) = &mut self.sht11 {
            part.sensor.advance(now);
        }
        self.touched = true;
    }

    /// The chip drives `pin` to a level, or releases it (`None`). False: no wire of these parts.
    pub(super) fn drive(&mut self, now: Ps, pin: Pin, level: Option<bool>) -> bool {
        let low = level == Some(false);
        if let Some((chip, line)) = self.serial.as_mut().filter(|(_, line)| line.pin == pin) {
            line.low = low;
            chip.pull(now, low);
        } else if let Some(part) = &mut self.sht11
            && [part.data.pin, part.clock, part.power].contains(&pin)
        {
            if pin == part.data.pin {
                part.data.low = low;
                part.sensor.data(low);
            } else if pin == part.clock {
                part.sensor.clock(now, level == Some(true));
            } else {
                part.sensor.power(level == Some(true));
                self.sht11_known |= level == Some(true);
            }
        } else {
            return false;
        }
        self.touched = true;
        true
    }

    /// Somebody presses the user button, or lets it go. False: there is none.
    pub(super) fn press(&mut self, pressed: bool) -> bool {
        self.touched = true;
        self.button.as_mut().is_some_and(|line| {
            line.low = pressed;
            true
        })
    }

    /// Calls `drive` for every line whose level has changed since the last call.
    pub(super) fn propagate(&mut self, mut drive: impl FnMut(Pin, bool)) {
        self.touched = false;
        if let Some((chip, line)) = &mut self.serial {
            line.propagate(chip.pulls(), &mut drive);
        }
        if let Some(part) = &mut self.sht11 {
            part.data.propagate(part.sensor.pulls(), &mut drive);
        }
        if let Some(line) = &mut self.button {
            line.propagate(false, &mut drive);
        }
    }

    /// What the SHT11 does.
    pub(super) fn sht11_state(&self) -> Option<&'static str> {
        let part = self.sht11.as_ref().filter(|_| self.sht11_known)?;
        Some(part.sensor.state())
    }
}
