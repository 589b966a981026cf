//! Sensirion SHT21: humidity and temperature over I2C (data sheet, version 4). Measurements hold the
//! clock (`hold master`), or are asked for until they are ready (`no hold master`).

use super::{Environment, crc8};
use crate::Ps;
use crate::i2c::I2cPart;

const ADDRESS: u8 = 0x40;
// Commands.
constants! { u8:
    TEMPERATURE_HOLD = 0xE3, HUMIDITY_HOLD = 0xE5, WRITE_USER = 0xE6, READ_USER = 0xE7,
    TEMPERATURE = 0xF3,      HUMIDITY = 0xF5,      RESET = 0xFE,
}
/// Microseconds by bits 7 and 0 of the user register, at most (table 7): temperature 14, 12, 13, 11
/// bits; humidity 12, 8, 10, 11 bits.
const TEMPERATURE_US: [u64; 4] = [85_000, 22_000, 43_000, 11_000];
const HUMIDITY_US: [u64; 4] = [29_000, 4_000, 9_000, 15_000];
/// Reset of the user register: 12 and 14 bits, the heater off.
const USER: u8 = 0x02;
/// What the user register keeps of a write: the rest is reserved.
const WRITABLE: u8 = 0x87;

/// One sensor.
#[derive(Clone)]
pub struct Sht21 {
    environment: Environment,
    user: u8,
    command: u8,
    fresh: bool,
    /// Octets to be read.
    answer: [u8; 3],
    read: usize,
    ready: Ps,
    hold: bool,
}

impl Sht21 {
    /// At power-on.
    pub fn new(environment: Environment) -> Sht21 {
        Sht21 {
            environment,
            user: USER,
            command: 0,
            fresh: false,
            answer: [0xFF; 3],
            read: 0,
            ready: Ps::ZERO,
            hold: false,
        }
    }

    fn resolution(&self) -> usize {
        usize::from(self.user >> 6 & 2 | self.user & 1)
    }

    /// 16 bits of result: the two lowest say what was measured.
    fn measure(&mut self, now: Ps, humidity: bool) {
        let Environment {
            celsius,
            humidity: percent,
            ..
        } = self.environment;
        let (share, status, micros) = if humidity {
            let time = HUMIDITY_US[self.resolution()];
            ((percent + 6.0) / 125.0, 2, time)
        } else {
            let time = TEMPERATURE_US[self.resolution()];
            ((celsius + 46.85) / 175.72, 0, time)
        };
        let value = (share * 65_536.0).clamp(0.0, 65_535.0) as u16 & !3 | status;
        let [high, low] = value.to_be_bytes();
        self.answer = [high, low, crc8(&[high, low], 0)];
        self.ready = now + Ps::from_micros(micros);
    }
}

impl I2cPart for Sht21 {
    fn name(&self) -> &'static str {
        "sht21"
    }

    fn address(&self) -> u8 {
        ADDRESS
    }

    /// Without hold it does not acknowledge while it measures.
    fn begin(&mut self, now: Ps, read: bool) -> bool {
        self.fresh = !read;
        self.read = 0;
        now >= self.ready || read && self.hold
    }

    fn write(&mut self, now: Ps, octet: u8) -> bool {
        if !std::mem::take(&mut self.fresh) {
            let user = self.command == WRITE_USER;
            if user {
                self.user = self.user & !WRITABLE | octet & WRITABLE;
            }
            return user;
        }
        self.command = octet;
        self.hold = matches!(octet, TEMPERATURE_HOLD | HUMIDITY_HOLD);
        match octet {
            TEMPERATURE_HOLD | TEMPERATURE => self.measure(now, false),
            HUMIDITY_HOLD | HUMIDITY => self.measure(now, true),
            READ_USER => self.answer = [self.user, 0xFF, 0xFF],
            RESET => {
                self.user = USER;
                self.ready = now + Ps::from_micros(15_000);
            }
            WRITE_USER => {}
            _ => return false,
        }
        true
    }

    fn read(&mut self, _: Ps) -> u8 {
        self.read += 1;
        *self.answer.get(self.read - 1).unwrap_or(&0xFF)
    }

    fn holds_until(&self) -> Ps {
        if self.hold { self.ready } else { Ps::ZERO }
    }

    fn settles_at(&self) -> Ps {
        self.ready
    }

    fn state(&self, now: Ps) -> &'static str {
        if now < self.ready { "measure" } else { "sleep" }
    }

    fn copy(&self) -> Box<dyn I2cPart> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Ps = Ps::from_micros(100_000);

    fn asked(sensor: &mut Sht21, command: u8) -> [u8; 3] {
        assert!(sensor.begin(Ps::ZERO, false) && sensor.write(Ps::ZERO, command));
        assert!(sensor.begin(LATER, true));
        [0; 3].map(|_| sensor.read(LATER))
    }

    #[test]
    fn results_follow_the_formulas_of_the_data_sheet_with_their_check() {
        let mut sensor = Sht21::new(Environment::default());
        let [high, low, check] = asked(&mut sensor, TEMPERATURE_HOLD);
        let raw = f64::from(u16::from_be_bytes([high, low & !3]));
        assert!((raw * 175.72 / 65_536.0 - 46.85 - 25.0).abs() < 0.02);
        assert_eq!(check, crc8(&[high, low], 0));
        let [high, low, _] = asked(&mut Sht21::new(Environment::default()), HUMIDITY);
        assert_eq!(low & 3, 2, "humidity");
        let raw = f64::from(u16::from_be_bytes([high, low & !3]));
        assert!((raw * 125.0 / 65_536.0 - 6.0 - 40.0).abs() < 0.02);
    }

    #[test]
    fn the_check_is_that_of_the_application_note() {
        // Sensirion, "CRC Checksum Calculation": 0xDC gives 0x79, 0x683A gives 0x7C, 0x4E85 0x6B.
        assert_eq!(crc8(&[0xDC], 0), 0x79);
        assert_eq!(crc8(&[0x68, 0x3A], 0), 0x7C);
        assert_eq!(crc8(&[0x4E, 0x85], 0), 0x6B);
    }

    #[test]
    fn it_holds_the_clock_or_does_not_acknowledge_while_it_measures() {
        let mut sensor = Sht21::new(Environment::default());
        sensor.begin(Ps::ZERO, false);
        sensor.write(Ps::ZERO, TEMPERATURE_HOLD);
        assert!(sensor.begin(Ps(1), true));
        assert_eq!(sensor.holds_until(), Ps::from_micros(85_000));
        assert_eq!(
            (sensor.state(Ps(1)), sensor.state(LATER)),
            ("measure", "sleep")
        );
        let mut sensor = Sht21::new(Environment::default());
        sensor.begin(Ps::ZERO, false);
        sensor.write(Ps::ZERO, HUMIDITY);
        assert!(!sensor.begin(Ps(1), true) && sensor.begin(LATER, true));
        assert_eq!(sensor.holds_until(), Ps::ZERO);
    }

    #[test]
    fn the_user_register_is_kept_and_reset() {
        let mut sensor = Sht21::new(Environment::default());
        assert_eq!(asked(&mut sensor, READ_USER)[0], USER);
        sensor.begin(Ps::ZERO, false);
        assert!(sensor.write(Ps::ZERO, WRITE_USER) && sensor.write(Ps::ZERO, 0x81));
        assert_eq!(asked(&mut sensor, READ_USER)[0], 0x81);
        sensor.begin(Ps::ZERO, false);
        assert!(sensor.write(Ps::ZERO, TEMPERATURE), "11 bits");
        assert_eq!(sensor.ready, Ps::from_micros(11_000));
        sensor.begin(LATER, false);
        assert!(sensor.write(LATER, RESET) && !sensor.begin(LATER, true));
        sensor.begin(LATER + LATER, false);
        assert!(!sensor.write(LATER + LATER, 0x00), "no command");
    }
}
