//! Maxim MAX44009: ambient light over I2C, eight registers (data sheet 19-5719). Interrupts are
//! kept in their registers; the pin is not modelled.

use super::Environment;
use crate::Ps;
use crate::i2c::I2cPart;

constants! { usize: STATUS = 0, CONFIG = 2, LUX_HIGH = 3, LUX_LOW = 4, }
const ADDRESS: u8 = 0x4A;
/// Registers after power-on.
const RESET: [u8; 8] = [0x00, 0x00, 0x03, 0x00, 0x00, 0xFF, 0x00, 0xFF];

/// One sensor.
#[derive(Clone)]
pub struct Max44009 {
    registers: [u8; 8],
    pointer: usize,
    fresh: bool,
}

impl Max44009 {
    /// At power-on.
    pub fn new(environment: Environment) -> Max44009 {
        let mut registers = RESET;
        let (exponent, mantissa) = floating(environment.lux);
        registers[LUX_HIGH] = exponent << 4 | mantissa >> 4;
        registers[LUX_LOW] = mantissa & 0xF;
        Max44009 {
            registers,
            pointer: 0,
            fresh: false,
        }
    }
}

/// Lux as 2^exponent × mantissa × 0.045, the mantissa as precise as its eight bits allow.
fn floating(lux: f64) -> (u8, u8) {
    let steps = lux.max(0.0) / 0.045;
    let exponent = (0..15).find(|exponent| steps < f64::from(256_u32 << exponent));
    match exponent {
        Some(exponent) => (exponent, (steps / f64::from(1_u32 << exponent)) as u8),
        None => (0xF, 0xFF),
    }
}

impl I2cPart for Max44009 {
    fn name(&self) -> &'static str {
        "max44009"
    }

    fn address(&self) -> u8 {
        ADDRESS
    }

    fn begin(&mut self, _: Ps, read: bool) -> bool {
        self.fresh = !read;
        true
    }

    fn write(&mut self, _: Ps, octet: u8) -> bool {
        if std::mem::take(&mut self.fresh) {
            self.pointer = usize::from(octet & 7);
        } else if !matches!(self.pointer, STATUS | LUX_HIGH | LUX_LOW) {
            self.registers[self.pointer] = octet;
        }
        true
    }

    /// The same register again and again.
    fn read(&mut self, _: Ps) -> u8 {
        self.registers[self.pointer]
    }

    fn state(&self, _: Ps) -> &'static str {
        if self.registers[CONFIG] & 0x80 == 0 {
            "slow"
        } else {
            "continuous"
        }
    }

    fn copy(&self) -> Box<dyn I2cPart> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(sensor: &mut Max44009, number: u8) -> u8 {
        sensor.begin(Ps::ZERO, false);
        sensor.write(Ps::ZERO, number);
        sensor.begin(Ps::ZERO, true);
        sensor.read(Ps::ZERO)
    }

    #[test]
    fn light_is_a_mantissa_and_an_exponent() {
        for lux in [0.1, 3.0, 500.0, 100_000.0] {
            let environment = Environment {
                lux,
                ..Environment::default()
            };
            let mut sensor = Max44009::new(environment);
            let (high, low) = (register(&mut sensor, 3), register(&mut sensor, 4));
            let steps = f64::from(u32::from(high << 4 | low) << (high >> 4));
            assert!(
                (steps * 0.045 - lux).abs() <= 0.045_f64.max(lux / 100.0),
                "{lux}"
            );
        }
        assert_eq!(floating(1e9), (0xF, 0xFF), "overrange");
    }

    #[test]
    fn configuration_is_kept_and_results_are_not_written() {
        let mut sensor = Max44009::new(Environment::default());
        let before = register(&mut sensor, 3);
        assert_eq!(register(&mut sensor, 2), 3);
        for (number, value) in [(2, 0x80), (3, 0x55)] {
            sensor.begin(Ps::ZERO, false);
            assert!(sensor.write(Ps::ZERO, number) && sensor.write(Ps::ZERO, value));
        }
        assert_eq!(
            (register(&mut sensor, 2), register(&mut sensor, 3)),
            (0x80, before)
        );
        assert_eq!(sensor.state(Ps::ZERO), "continuous");
    }
}
