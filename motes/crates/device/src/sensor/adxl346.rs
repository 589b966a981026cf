//! Analog Devices ADXL346: acceleration over I2C (data sheet, revision C). It lies still and flat:
//! 1 g along Z. Measurement, ranges and the identifier are modelled; FIFO, taps and interrupts are
//! registers that keep what is written.

use crate::Ps;
use crate::i2c::I2cPart;

constants! { usize:
    DEVID = 0x00, BW_RATE = 0x2C, POWER_CTL = 0x2D, INT_SOURCE = 0x30, DATA_FORMAT = 0x31,
    DATAX0 = 0x32, DATAZ0 = 0x36, DATAZ1 = 0x37, REGISTERS = 0x40,
}
/// ALT ADDRESS is low.
const ADDRESS: u8 = 0x53;
const IDENTIFIER: u8 = 0xE6;
const MEASURE: u8 = 0x08;
const FULL_RESOLUTION: u8 = 0x08;
const DATA_READY: u8 = 0x80;
/// Steps of 1 g in the range of 2 g with ten bits.
const ONE_G: i16 = 256;

/// One sensor.
#[derive(Clone)]
pub struct Adxl346 {
    registers: [u8; REGISTERS],
    pointer: usize,
    fresh: bool,
}

impl Default for Adxl346 {
    fn default() -> Adxl346 {
        let mut registers = [0; REGISTERS];
        registers[DEVID] = IDENTIFIER;
        registers[BW_RATE] = 0x0A;
        Adxl346 {
            registers,
            pointer: 0,
            fresh: false,
        }
    }
}

impl Adxl346 {
    fn measures(&self) -> bool {
        self.registers[POWER_CTL] & MEASURE != 0
    }

    /// Z's two octets: a range twice as wide has steps twice as wide, unless the resolution is full.
    fn settle(&mut self) {
        let format = self.registers[DATA_FORMAT];
        let shift = if format & FULL_RESOLUTION == 0 {
            format & 3
        } else {
            0
        };
        let z = if self.measures() { ONE_G >> shift } else { 0 };
        [self.registers[DATAZ0], self.registers[DATAZ1]] = z.to_le_bytes();
        self.registers[INT_SOURCE] = if self.measures() { DATA_READY } else { 0 };
    }
}

impl I2cPart for Adxl346 {
    fn name(&self) -> &'static str {
        "adxl346"
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
            self.pointer = usize::from(octet) % REGISTERS;
            return true;
        }
        if !matches!(self.pointer, DEVID | INT_SOURCE | DATAX0..=DATAZ1) {
            self.registers[self.pointer] = octet;
            self.settle();
        }
        self.pointer = (self.pointer + 1) % REGISTERS;
        true
    }

    fn read(&mut self, _: Ps) -> u8 {
        let value = self.registers[self.pointer];
        self.pointer = (self.pointer + 1) % REGISTERS;
        value
    }

    fn state(&self, _: Ps) -> &'static str {
        if self.measures() {
            "measure"
        } else {
            "standby"
        }
    }

    fn copy(&self) -> Box<dyn I2cPart> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(sensor: &mut Adxl346, register: usize, value: u8) {
        sensor.begin(Ps::ZERO, false);
        assert!(sensor.write(Ps::ZERO, register as u8) && sensor.write(Ps::ZERO, value));
    }

    fn read<const N: usize>(sensor: &mut Adxl346, register: usize) -> [u8; N] {
        sensor.begin(Ps::ZERO, false);
        sensor.write(Ps::ZERO, register as u8);
        sensor.begin(Ps::ZERO, true);
        [0; N].map(|_| sensor.read(Ps::ZERO))
    }

    #[test]
    fn it_names_itself_and_lies_flat_once_it_measures() {
        let mut sensor = Adxl346::default();
        assert_eq!(read(&mut sensor, DEVID), [IDENTIFIER]);
        assert_eq!(read(&mut sensor, DATAX0), [0; 6]);
        write(&mut sensor, POWER_CTL, MEASURE);
        assert_eq!(read(&mut sensor, DATAX0), [0, 0, 0, 0, 0, 1], "256 steps");
        assert_eq!(read(&mut sensor, INT_SOURCE), [DATA_READY]);
        write(&mut sensor, DATA_FORMAT, 3);
        assert_eq!(read(&mut sensor, DATAZ0), [32, 0], "16 g");
        write(&mut sensor, DATA_FORMAT, 3 | FULL_RESOLUTION);
        assert_eq!(read(&mut sensor, DATAZ0), [0, 1]);
        assert_eq!(sensor.state(Ps::ZERO), "measure");
    }

    #[test]
    fn results_and_identifier_are_not_written() {
        let mut sensor = Adxl346::default();
        write(&mut sensor, DEVID, 0);
        write(&mut sensor, DATAX0, 7);
        assert_eq!(read(&mut sensor, DEVID), [IDENTIFIER]);
        assert_eq!(read(&mut sensor, DATAX0), [0]);
        assert_eq!(sensor.state(Ps::ZERO), "standby");
    }
}
