//! Sensors that sit on boards, and what they sense.

pub mod adxl346;
pub mod ds2411;
pub mod max44009;
pub mod sht11;
pub mod sht21;

/// What there is to be sensed around a board. It does not change while the board runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Environment {
    /// Degrees Celsius.
    pub celsius: f64,
    /// Relative humidity in percent.
    pub humidity: f64,
    /// Illuminance in lux.
    pub lux: f64,
}

impl Default for Environment {
    fn default() -> Environment {
        Environment {
            celsius: 25.0,
            humidity: 40.0,
            lux: 500.0,
        }
    }
}

/// The check octet of Sensirion's sensors: x^8 + x^5 + x^4 + 1, the first bit first.
pub(crate) fn crc8(octets: &[u8], start: u8) -> u8 {
    octets.iter().fold(start, |crc, octet| {
        (0..8).fold(crc ^ octet, |crc, _| {
            if crc & 0x80 == 0 {
                crc << 1
            } else {
                crc << 1 ^ 0x31
            }
        })
    })
}
