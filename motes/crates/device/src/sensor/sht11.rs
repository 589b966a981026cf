//! Sensirion SHT11: humidity and temperature over two wires, SCK and an open-drain DATA (data sheet
//! SHT1x, version 5). Commands: measure temperature or humidity, read and write the status
//! register, soft reset. A measurement takes the time that the data sheet gives as the longest.

use super::{Environment, crc8};
use crate::Ps;
use crate::clock::NEVER;

// Commands, with address 000.
constants! { u8: TEMPERATURE = 0x03, HUMIDITY = 0x05, READ = 0x07, WRITE = 0x06, RESET = 0x1E, }
/// Bit 0 of the status register: 12 and 8 bits instead of 14 and 12.
const LOW_RESOLUTION: u8 = 0x01;
// Microseconds of a measurement with 14, 12 and 8 bits (table 1), and of a soft reset.
constants! { u64: US_14 = 320_000, US_12 = 80_000, US_8 = 20_000, US_RESET = 11_000, }

/// How the octets on the wires go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Until a transmission start.
    Idle,
    /// A command comes, or the status register (`data`); `bits` of it are there.
    Take { octet: u8, bits: u8, data: bool },
    /// The sensor acknowledges a command, or the status register.
    Acknowledge { command: u8, data: bool },
    /// It measures.
    Measure,
    /// An octet goes out; `bits` of it are gone.
    Give { place: usize, bits: u8 },
    /// The master acknowledges an octet, or not.
    Wait { place: usize },
}

/// One sensor.
#[derive(Clone, Debug)]
pub struct Sht11 {
    environment: Environment,
    powered: bool,
    clock: bool,
    /// The master holds DATA low.
    low: bool,
    pulls: bool,
    /// DATA has fallen while SCK was high, and SCK has fallen and risen since.
    start: u8,
    phase: Phase,
    status: u8,
    answer: [u8; 3],
    length: usize,
    ready: Ps,
}

impl Sht11 {
    /// Without power.
    pub fn new(environment: Environment) -> Sht11 {
        Sht11 {
            environment,
            powered: false,
            clock: false,
            low: false,
            pulls: false,
            start: 0,
            phase: Phase::Idle,
            status: 0,
            answer: [0; 3],
            length: 0,
            ready: NEVER,
        }
    }

    /// Its supply comes or goes.
    pub fn power(&mut self, on: bool) {
        if self.powered != on {
            *self = Sht11 {
                powered: on,
                clock: self.clock,
                low: self.low,
                ..Sht11::new(self.environment)
            };
        }
    }

    /// The sensor holds DATA low.
    pub fn pulls(&self) -> bool {
        self.pulls
    }

    /// When it does something by itself.
    pub fn deadline(&self) -> Option<Ps> {
        (self.ready < NEVER).then_some(self.ready)
    }

    /// What it does, as the data file names its currents.
    pub fn state(&self) -> &'static str {
        match self.phase {
            _ if !self.powered => "off",
            Phase::Measure => "measure",
            _ => "sleep",
        }
    }

    /// A measurement is over: DATA low says so, and is the first bit.
    pub fn advance(&mut self, now: Ps) {
        if now < self.ready {
            return;
        }
        self.ready = NEVER;
        if self.phase == Phase::Measure {
            self.give(0);
        }
    }

    /// The master holds DATA low, or lets it go up.
    pub fn data(&mut self, low: bool) {
        let fell = low && !self.low;
        let rose = !low && self.low;
        self.low = low;
        if !self.powered {
            return;
        }
        self.start = match (self.start, self.clock) {
            (_, true) if fell && self.start != 2 => 1,
            (2, true) if rose => {
                self.begin();
                0
            }
            (start, _) => start,
        };
    }

    /// SCK has a level.
    pub fn clock(&mut self, now: Ps, level: bool) {
        if std::mem::replace(&mut self.clock, level) == level || !self.powered {
            return;
        }
        self.start = match (self.start, level) {
            (1, false) => 3,
            (3, true) if self.low => 2,
            (1 | 3, _) | (2, false) => 0,
            (start, _) => start,
        };
        if level {
            self.rise();
        } else {
            self.fall(now);
        }
    }

    /// A transmission start ends what went on, but a measurement goes on alone.
    fn begin(&mut self) {
        self.pulls = false;
        self.phase = Phase::Take {
            octet: 0,
            bits: 0,
            data: false,
        };
    }

    /// Bits are sampled with the rising edge.
    fn rise(&mut self) {
        match self.phase {
            Phase::Take { octet, bits, data } => {
                self.phase = Phase::Take {
                    octet: octet << 1 | u8::from(!self.low),
                    bits: bits + 1,
                    data,
                };
            }
            Phase::Wait { place } if !self.low => {
                // Not acknowledged: the rest is not wanted.
                let _ = place;
                self.phase = Phase::Idle;
            }
            _ => {}
        }
    }

    /// The sensor changes DATA after the falling edge.
    fn fall(&mut self, now: Ps) {
        match self.phase {
            Phase::Take {
                octet,
                bits: 8,
                data,
            } => {
                self.pulls = data || matches!(octet, TEMPERATURE | HUMIDITY | READ | WRITE | RESET);
                self.phase = Phase::Acknowledge {
                    command: octet,
                    data,
                };
                if !self.pulls {
                    self.phase = Phase::Idle;
                }
            }
            Phase::Acknowledge { command, data } => {
                self.pulls = false;
                self.order(command, data, now);
            }
            Phase::Give { place, bits: 7 } => {
                self.pulls = false;
                self.phase = Phase::Wait { place };
            }
            Phase::Give { place, bits } => {
                self.phase = Phase::Give {
                    place,
                    bits: bits + 1,
                };
                self.pulls = self.answer[place] << (bits + 1) & 0x80 == 0;
            }
            Phase::Wait { place } if place + 1 < self.length => self.give(place + 1),
            Phase::Wait { .. } => self.phase = Phase::Idle,
            _ => {}
        }
    }

    fn give(&mut self, place: usize) {
        self.phase = Phase::Give { place, bits: 0 };
        self.pulls = self.answer[place] & 0x80 == 0;
    }

    fn order(&mut self, command: u8, data: bool, now: Ps) {
        self.phase = Phase::Idle;
        if data {
            self.status = command & 0x07;
            return;
        }
        match command {
            TEMPERATURE | HUMIDITY => {
                let (value, micros) = self.measured(command == HUMIDITY);
                let [high, low] = value.to_be_bytes();
                self.reply(command, &[high, low]);
                self.phase = Phase::Measure;
                self.ready = now + Ps::from_micros(micros);
            }
            READ => {
                self.reply(command, &[self.status]);
                self.give(0);
            }
            WRITE => {
                self.phase = Phase::Take {
                    octet: 0,
                    bits: 0,
                    data: true,
                };
            }
            _ => {
                self.status = 0;
                self.ready = now + Ps::from_micros(US_RESET);
            }
        }
    }

    /// The octets with their check, whose bits go out in reverse (from memory of the data sheet).
    fn reply(&mut self, command: u8, octets: &[u8]) {
        let start = (self.status & 0x0F).reverse_bits();
        let check = crc8(octets, crc8(&[command], start)).reverse_bits();
        self.answer[..octets.len()].copy_from_slice(octets);
        self.answer[octets.len()] = check;
        self.length = octets.len() + 1;
    }

    /// A result and the microseconds that it takes: the formulas of the data sheet at 3 V, the other
    /// way round.
    fn measured(&self, humidity: bool) -> (u16, u64) {
        let Environment {
            celsius,
            humidity: percent,
            ..
        } = self.environment;
        let low = self.status & LOW_RESOLUTION != 0;
        let (steps, bits, micros) = if humidity {
            // RH = -2.0468 + 0.0367 SO - 1.5955e-6 SO^2, and 0.01 + 0.00008 SO for each degree off 25.
            let (c1, c2, c3) = (-2.0468, 0.0367, -1.5955e-6);
            let (b, c) = (c2, c1 - percent);
            let root: f64 = b * b - 4.0 * c3 * c;
            let steps = (-b + root.max(0.0).sqrt()) / (2.0 * c3);
            if low {
                (steps / 16.0, 8, US_8)
            } else {
                (steps, 12, US_12)
            }
        } else {
            let steps = (celsius + 39.6) / 0.01;
            if low {
                (steps / 4.0, 12, US_12)
            } else {
                (steps, 14, US_14)
            }
        };
        let most = f64::from((1_u16 << bits) - 1);
        (steps.round().clamp(0.0, most) as u16, micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Master {
        sensor: Sht11,
        now: Ps,
    }

    impl Master {
        fn new() -> Master {
            let mut sensor = Sht11::new(Environment::default());
            sensor.power(true);
            Master {
                sensor,
                now: Ps::ZERO,
            }
        }

        fn tick(&mut self, level: bool) {
            self.now += Ps::from_micros(1);
            self.sensor.clock(self.now, level);
        }

        fn start(&mut self) {
            self.sensor.data(false);
            self.tick(true);
            self.sensor.data(true);
            self.tick(false);
            self.tick(true);
            self.sensor.data(false);
            self.tick(false);
        }

        /// Sends an octet; whether it is acknowledged.
        fn write(&mut self, octet: u8) -> bool {
            for bit in (0..8).rev() {
                self.sensor.data(octet >> bit & 1 == 0);
                self.tick(true);
                self.tick(false);
            }
            self.sensor.data(false);
            self.tick(true);
            let acknowledged = self.sensor.pulls();
            self.tick(false);
            acknowledged
        }

        fn read(&mut self, acknowledge: bool) -> u8 {
            let mut octet = 0;
            for _ in 0..8 {
                self.tick(true);
                octet = octet << 1 | u8::from(!self.sensor.pulls());
                self.tick(false);
            }
            self.sensor.data(acknowledge);
            self.tick(true);
            self.tick(false);
            self.sensor.data(false);
            octet
        }

        fn measure(&mut self, command: u8) -> (u16, u8, Ps) {
            self.start();
            assert!(self.write(command));
            assert!(!self.sensor.pulls(), "it measures");
            assert_eq!(self.sensor.state(), "measure");
            let (began, ready) = (self.now, self.sensor.deadline().expect("a measurement"));
            self.now = ready;
            self.sensor.advance(ready);
            assert!(self.sensor.pulls(), "ready");
            let octets = [self.read(true), self.read(true)];
            let check = self.read(false);
            (u16::from_be_bytes(octets), check, Ps(ready.0 - began.0))
        }
    }

    #[test]
    fn results_follow_the_formulas_of_the_data_sheet() {
        let mut master = Master::new();
        let (raw, check, took) = master.measure(TEMPERATURE);
        assert!((f64::from(raw) * 0.01 - 39.6 - 25.0).abs() < 0.01);
        let [high, low] = raw.to_be_bytes();
        assert_eq!(check.reverse_bits(), crc8(&[TEMPERATURE, high, low], 0));
        assert_eq!(took, Ps::from_micros(US_14));
        let (raw, _, took) = master.measure(HUMIDITY);
        let so = f64::from(raw);
        assert!((-2.0468 + 0.0367 * so - 1.5955e-6 * so * so - 40.0).abs() < 0.05);
        assert_eq!(took, Ps::from_micros(US_12));
        assert_eq!(master.sensor.state(), "sleep");
    }

    #[test]
    fn the_status_register_chooses_the_resolution() {
        let mut master = Master::new();
        master.start();
        assert!(master.write(WRITE) && master.write(LOW_RESOLUTION));
        master.start();
        assert!(master.write(READ));
        assert_eq!(master.read(true), LOW_RESOLUTION);
        master.read(false);
        let (_, _, took) = master.measure(HUMIDITY);
        assert_eq!(took, Ps::from_micros(US_8));
    }

    #[test]
    fn no_command_no_start_and_no_power_are_not_acknowledged() {
        let mut master = Master::new();
        assert!(!master.write(TEMPERATURE), "no start");
        master.start();
        assert!(!master.write(0x0F), "no command");
        master.start();
        master.sensor.power(false);
        assert!(!master.write(TEMPERATURE));
        assert_eq!(
            (master.sensor.state(), master.sensor.deadline()),
            ("off", None)
        );
    }
}
