//! The registers by their data addresses (2467, "Register Summary"); of the ATmega1281, those it
//! shares.

use super::absent::refused;
use super::chip::{ABSENT, Chip, ENABLES, FLAGS};
use super::watch::{CRYSTAL_HZ, Register};
use super::{AccessError, Atmega128, External, Port, timer};

/// TIFR and TIMSK: bits 0 to 7 by timer and flag.
const COMMON: [(usize, u8); 8] = [
    (0, timer::TOV),
    (0, timer::OCF[0]),
    (1, timer::TOV),
    (1, timer::OCF[1]),
    (1, timer::OCF[0]),
    (1, timer::ICF),
    (2, timer::TOV),
    (2, timer::OCF[0]),
];
/// ETIFR and ETIMSK: bits 0 to 5.
const EXTENDED: [(usize, u8); 6] = [
    (1, timer::OCF[2]),
    (3, timer::OCF[2]),
    (3, timer::TOV),
    (3, timer::OCF[1]),
    (3, timer::OCF[0]),
    (3, timer::ICF),
];
/// PINx, DDRx and PORTx of ports A to G.
const PORTS: [[u16; 3]; 7] = [
    [0x39, 0x3A, 0x3B],
    [0x36, 0x37, 0x38],
    [0x33, 0x34, 0x35],
    [0x30, 0x31, 0x32],
    [0x21, 0x22, 0x23],
    [0x20, 0x61, 0x62],
    [0x63, 0x64, 0x65],
];
/// Flags of the external interrupts.
const EIFR: u16 = 0x58;
// Bits of MCUCR, and the cycles from the begin of an OUT within which IVSEL must follow IVCE.
constants! { u8: IVSEL = 0x02, IVCE = 0x01, }
const MOVES_WITHIN: u64 = 1 + 4;
/// A write of the EEPROM is under way.
const EEWE: u8 = 0x02;
/// Pins that port G has.
const PINS_G: u8 = 0x1F;
/// Bits of SFIOR: TSM, PSR0, PSR321; PSRASY and PSRSYNC of the ATmega1281 are the same for its
/// timers.
const TSM: u8 = 0x80;
const PSR0: u8 = 0x02;
const PSR321: u8 = 0x01;

/// A register of a 16-bit timer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wide {
    Count,
    Compare(usize),
    Capture,
}

/// The 16-bit register at an address: timer, register, whether it is the high octet.
fn wide(addr: u16) -> Option<(usize, Wide, bool)> {
    let (timer, register) = match addr & !1 {
        0x46 => (1, Wide::Capture),
        0x48 => (1, Wide::Compare(1)),
        0x4A => (1, Wide::Compare(0)),
        0x4C => (1, Wide::Count),
        0x78 => (1, Wide::Compare(2)),
        0x80 => (3, Wide::Capture),
        0x82 => (3, Wide::Compare(2)),
        0x84 => (3, Wide::Compare(1)),
        0x86 => (3, Wide::Compare(0)),
        0x88 => (3, Wide::Count),
        _ => return None,
    };
    Some((timer, register, addr & 1 != 0))
}

/// A port's register: which port, and PIN, DDR or PORT as 0, 1, 2.
fn port_of(addr: u16) -> Option<(usize, usize)> {
    let place = usize::from(*PLACES.get(usize::from(addr))?);
    (place != 0).then(|| ((place - 1) / 3, (place - 1) % 3))
}

/// By address: the place of a register in [`PORTS`], from 1 on; 0: it is not there.
const PLACES: [u8; 0x66] = {
    let mut places = [0; 0x66];
    let mut place = 0;
    while place < 21 {
        places[PORTS[place / 3][place % 3] as usize] = place as u8 + 1;
        place += 1;
    }
    places
};

/// No register below this one is of a timer, or changes one.
const TIMERS: u16 = 0x40;

impl Atmega128 {
    fn gather(&self, bits: &[(usize, u8)], of: impl Fn(&timer::Timer) -> u8) -> u8 {
        let set = |(timer, flag): &(usize, u8)| of(&self.timers[*timer]) & flag != 0;
        (0..)
            .zip(bits)
            .fold(0, |value, (bit, place)| value | u8::from(set(place)) << bit)
    }

    fn spread(
        &mut self,
        bits: &[(usize, u8)],
        value: u8,
        mut to: impl FnMut(&mut timer::Timer, u8, bool),
    ) {
        for (bit, (timer, flag)) in bits.iter().enumerate() {
            to(&mut self.timers[*timer], *flag, value >> bit & 1 != 0);
        }
    }

    /// Whether ones alone have an effect when they are written: flags, and PINx of the ATmega1281.
    /// SBI and CBI of that chip touch no other bit of it.
    pub fn takes_ones(&self, addr: u16) -> bool {
        let pins = |number: u16| matches!(port_of(number), Some((_, 0)));
        self.chip.register(addr).is_some_and(|number| {
            (FLAGS..ENABLES).contains(&number) || number == EIFR || pins(number)
        })
    }

    /// Everything happens until cycle `now`, timers included where the register at a data address is
    /// of one. Its number.
    fn reach(
        &mut self,
        addr: u16,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<u16, AccessError> {
        self.advance(now, outside);
        let register = self.chip.register(addr);
        let register = register.ok_or(AccessError::Unmapped(addr))?;
        if register >= TIMERS {
            self.settle();
        }
        Ok(register)
    }

    /// Reads the register at data address `addr` in cycle `now`, up to which everything has
    /// happened.
    pub fn read(
        &mut self,
        addr: u16,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<u8, AccessError> {
        let register = self.reach(addr, now, outside)?;
        let value = match register {
            FLAGS..ABSENT => self.read_1281(register, now),
            _ => self.read_common(register, now),
        };
        value.map_err(|error| at(error, addr))
    }

    fn read_common(&mut self, addr: u16, now: u64) -> Result<u8, AccessError> {
        if let Some((port, which)) = port_of(addr) {
            let port: &Port = &self.ports[port];
            return Ok([port.pins(), port.direction, port.output][which]);
        }
        if let Some((number, register, high)) = wide(addr) {
            return Ok(self.read_wide(number, register, high));
        }
        Ok(match addr {
            0x24 => self.adc.low(),
            0x25 => self.adc.high(),
            0x26 => self.adc.control(),
            0x27 => self.adc.select(),
            0x29 => self.usarts[0].rate() as u8,
            0x2A => self.usarts[0].control(),
            0x2B => self.usarts[0].status(),
            0x2C => self.usarts[0].data(),
            0x2D => self.spi.control(),
            0x2E => self.spi.status(),
            0x2F => self.spi.data(),
            0x3C => self.eeprom.control(now),
            0x3D => self.eeprom.data,
            0x3E => self.eeprom.address as u8,
            0x3F => (self.eeprom.address >> 8) as u8,
            0x40 => self.special,
            0x41 => self.watchdog.control(now),
            0x43 => self.timers[2].compare(0) as u8,
            0x44 => self.timers[2].count() as u8,
            0x45 => narrow_control(&self.timers[2]),
            0x4E => wide_control_b(&self.timers[1], self.capture_edges[1]),
            0x4F => self.timers[1].wgm & 3,
            0x50 => self.watch.status(),
            0x51 => self
                .watch
                .written(Register::Compare)
                .unwrap_or(self.timers[0].compare(0) as u8),
            0x52 => self.timers[0].count() as u8,
            0x53 => self
                .watch
                .written(Register::Control)
                .unwrap_or(narrow_control(&self.timers[0])),
            0x54 => self.status,
            0x55 => self.control | u8::from(self.vectors_moved) << 1,
            0x56 => self.gather(&COMMON, |timer| timer.flags),
            0x57 => self.gather(&COMMON, |timer| timer.enabled),
            0x58 => self.external.flags(),
            0x59 => self.external.enabled,
            0x5A => self.external.sense[1],
            0x68 => self.program.control(now),
            0x6A => self.external.sense[0],
            0x6F => self.calibration,
            0x70..=0x74 => self.twi.read(addr - 0x70),
            0x7C => self.gather(&EXTENDED, |timer| timer.flags),
            0x7D => self.gather(&EXTENDED, |timer| timer.enabled),
            0x8A => wide_control_b(&self.timers[3], self.capture_edges[3]),
            0x8B => self.timers[3].wgm & 3,
            0x8C => 0,
            0x90 => (self.usarts[0].rate() >> 8) as u8,
            0x95 => self.usarts[0].frame(),
            0x98 => (self.usarts[1].rate() >> 8) as u8,
            0x99 => self.usarts[1].rate() as u8,
            0x9A => self.usarts[1].control(),
            0x9B => self.usarts[1].status(),
            0x9C => self.usarts[1].data(),
            0x9D => self.usarts[1].frame(),
            _ => {
                let value = self.absent.read(addr.into());
                return value
                    .map(|value| value as u8)
                    .map_err(|why| refused(addr, why));
            }
        })
    }

    pub(super) fn read_wide(&mut self, number: usize, register: Wide, high: bool) -> u8 {
        let timer = &self.timers[number];
        let value = match register {
            Wide::Count => timer.count(),
            Wide::Capture => timer.capture,
            // The compare registers are read without the temporary register.
            Wide::Compare(channel) => {
                let [low, top] = timer.compare(channel).to_le_bytes();
                return if high { top } else { low };
            }
        };
        if high {
            return self.high[number];
        }
        self.high[number] = (value >> 8) as u8;
        value as u8
    }

    pub(super) fn write_wide(&mut self, number: usize, register: Wide, high: bool, value: u8) {
        if high {
            self.high[number] = value;
            return;
        }
        let value = u16::from_le_bytes([value, self.high[number]]);
        let timer = &mut self.timers[number];
        match register {
            Wide::Count => timer.set_count(value),
            Wide::Capture => timer.capture = value,
            Wide::Compare(channel) => timer.set_compare(channel, value),
        }
    }

    /// Writes the register at data address `addr` in cycle `now`.
    pub fn write(
        &mut self,
        addr: u16,
        value: u8,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<(), AccessError> {
        let register = self.reach(addr, now, outside)?;
        if register >= TIMERS {
            self.timers_due.set(None);
        }
        let done = match register {
            FLAGS..ABSENT => self.write_1281(register, value, now),
            _ => self.write_common(register, value, now, outside),
        };
        done.map_err(|error| at(error, addr))
    }

    fn write_common(
        &mut self,
        addr: u16,
        value: u8,
        now: u64,
        outside: &mut dyn External,
    ) -> Result<(), AccessError> {
        if let Some((port, which)) = port_of(addr) {
            self.write_port(port, which, value, now, outside);
            return Ok(());
        }
        if let Some((number, register, high)) = wide(addr) {
            self.write_wide(number, register, high, value);
            return Ok(());
        }
        match addr {
            0x24..=0x25 => {}
            0x26 => return self.write_adc(value, now),
            0x27 => self.adc.set_select(value),
            0x29..=0x2F | 0x90..=0x9D => return self.write_serial(addr, value, now),
            0x3C => self.halt += self.eeprom.set_control(value, now, self.clock_hz),
            0x3D => self.eeprom.data = value,
            0x3E => self.eeprom.address = self.eeprom.address & 0xFF00 | u16::from(value),
            0x3F => {
                self.eeprom.address = self.eeprom.address & 0x00FF | u16::from(value & 0x0F) << 8
            }
            0x40 => self.write_prescalers(value, now),
            0x41 => self.watchdog.set_control(value, now),
            0x43 => self.timers[2].set_compare(0, value.into()),
            0x44 => self.timers[2].set_count(value.into()),
            0x45 => return self.write_narrow(2, value),
            0x4E => return self.write_wide_b(1, value),
            0x4F => return self.write_wide_a(1, value),
            0x50 => self.write_watch(value, now),
            0x51 => return self.write_timer0(Register::Compare, value, now),
            0x52 => return self.write_timer0(Register::Count, value, now),
            0x53 => return self.write_timer0(Register::Control, value, now),
            // The flags are cleared by writing 0.
            0x54 => self.status &= value | 0x80,
            0x55 => {
                self.control = value & !(IVSEL | IVCE);
                self.move_vectors(value, now);
                return modelled(value & 0xC0 == 0, "external memory (SRE, SRW10)");
            }
            0x56 => self.spread(&COMMON, value, |timer, flag, one| {
                timer.flags &= if one { !flag } else { 0xFF }
            }),
            0x57 => self.spread(&COMMON, value, enable),
            0x58 => self.external.clear(value),
            0x59 => self.external.enabled = value,
            0x5A => self.external.sense[1] = value,
            0x68 => self.write_program(value, now),
            0x6A => self.external.sense[0] = value,
            0x6F => self.calibration = value,
            0x70..=0x74 => return self.twi.write(addr - 0x70, value, now, outside),
            0x7C => self.spread(&EXTENDED, value, |timer, flag, one| {
                timer.flags &= if one { !flag } else { 0xFF }
            }),
            0x7D => self.spread(&EXTENDED, value, enable),
            0x8A => return self.write_wide_b(3, value),
            0x8B => return self.write_wide_a(3, value),
            0x8C => return modelled(value & 0xE0 == 0, "the force of an output compare (FOC3)"),
            _ => return self.write_absent(addr, value),
        }
        Ok(())
    }

    /// SPMCSR.
    fn write_program(&mut self, value: u8, now: u64) {
        let writing = self.eeprom.control(now) & EEWE != 0;
        self.program.set_control(value, now, writing);
    }

    /// IVCE and IVSEL: the second moves the vectors within four cycles after the first.
    pub(super) fn move_vectors(&mut self, value: u8, now: u64) {
        let may = now <= self.moves_until;
        self.moves_until = 0;
        if value & IVCE != 0 {
            self.moves_until = now + MOVES_WITHIN;
        } else if may {
            self.vectors_moved = value & IVSEL != 0;
        }
    }

    /// Registers of SPI and USARTs.
    fn write_serial(&mut self, addr: u16, value: u8, now: u64) -> Result<(), AccessError> {
        match addr {
            0x29..=0x2C => return self.write_usart(0, usize::from(addr - 0x29), value, now),
            0x2D => self.spi.set_control(value),
            0x2E => self.spi.set_status(value),
            0x2F => self.spi.set_data(value, now),
            0x90 => return self.write_usart(0, 4, value, now),
            0x95 => return self.write_usart(0, 5, value, now),
            0x98 => return self.write_usart(1, 4, value, now),
            0x99..=0x9C => return self.write_usart(1, usize::from(addr - 0x99), value, now),
            0x9D => return self.write_usart(1, 5, value, now),
            _ => return self.write_absent(addr, value),
        }
        Ok(())
    }

    /// ADCSRA.
    fn write_adc(&mut self, value: u8, now: u64) -> Result<(), AccessError> {
        self.adc.set_control(value, now);
        modelled(
            self.adc.deadline().is_none() || !self.adc.differential(),
            "a differential input of the ADC (MUX)",
        )
    }

    /// ASSR.
    fn write_watch(&mut self, value: u8, now: u64) {
        let was = self.watch.on();
        self.watch.set_status(value);
        if self.watch.on() != was {
            let crystal = self.watch.on().then(|| watch_ratio(self.clock_hz));
            self.timers[0].drive(now, crystal);
        }
    }

    /// A register of Timer0: it counts later where the watch crystal drives the timer.
    fn write_timer0(&mut self, register: Register, value: u8, now: u64) -> Result<(), AccessError> {
        if self.watch.on() {
            if register == Register::Control {
                without_pins(value)?;
            }
            self.watch.write(register, value, now, self.clock_hz);
            return Ok(());
        }
        self.set_timer0(register, value)
    }

    /// A register of Timer0 takes a value that counts from now on.
    pub(super) fn set_timer0(&mut self, register: Register, value: u8) -> Result<(), AccessError> {
        match register {
            Register::Control => return self.write_narrow(0, value),
            Register::Compare => self.timers[0].set_compare(0, value.into()),
            Register::Count => self.timers[0].set_count(value.into()),
        }
        Ok(())
    }

    fn write_absent(&mut self, addr: u16, value: u8) -> Result<(), AccessError> {
        let written = self.absent.write(addr.into(), value.into());
        written.map_err(|why| refused(addr, why))
    }

    fn write_port(
        &mut self,
        number: usize,
        which: usize,
        value: u8,
        now: u64,
        outside: &mut dyn External,
    ) {
        let value = if number == 6 { value & PINS_G } else { value };
        let port = &mut self.ports[number];
        let before = (port.driving(), port.direction);
        match which {
            // PINx is read only on the ATmega128.
            0 if self.chip == Chip::Atmega128 => return,
            0 => port.output ^= value,
            1 => port.direction = value,
            _ => port.output = value,
        }
        let changed = port.driving() ^ before.0 | port.direction & !before.1;
        let levels = port.driving();
        for bit in (0..8).filter(|bit| changed >> bit & 1 != 0) {
            outside.pin_output(now, number as u8, bit, levels >> bit & 1 != 0);
        }
        self.follow_interrupt_pins();
        self.follow_select();
    }

    /// Registers of a USART: UBRRL, UCSRB, UCSRA, UDR, UBRRH, UCSRC.
    fn write_usart(
        &mut self,
        number: usize,
        register: usize,
        value: u8,
        now: u64,
    ) -> Result<(), AccessError> {
        let usart = &mut self.usarts[number];
        match register {
            0 => usart.set_rate(usart.rate() & 0xFF00 | u16::from(value)),
            1 => {
                return modelled(
                    usart.set_control(value),
                    "a USART with nine data bits (UCSZ2)",
                );
            }
            2 => {
                return modelled(
                    usart.set_status(value),
                    "the multi-processor mode of a USART",
                );
            }
            3 => usart.set_data(value, now),
            4 => usart.set_rate(usart.rate() & 0x00FF | u16::from(value) << 8),
            _ => return modelled(usart.set_frame(value), "a synchronous USART (UMSEL)"),
        }
        Ok(())
    }

    /// SFIOR, and GTCCR of the ATmega1281: resets and holds the prescalers.
    pub(super) fn write_prescalers(&mut self, value: u8, now: u64) {
        let held = value & TSM != 0;
        let released = self.special & TSM != 0 && !held;
        let own = if self.chip == Chip::Atmega128 { 0 } else { 2 };
        let was = self.special;
        self.special = if held { value & 0x8F } else { value & 0x0C };
        for (number, timer) in self.timers.iter_mut().enumerate() {
            let bit = if number == own { PSR0 } else { PSR321 };
            if value & bit != 0 || released && was & bit != 0 {
                timer.reset_prescaler(now, held && value & bit != 0);
            }
        }
    }

    /// TCCR0, TCCR2.
    fn write_narrow(&mut self, number: usize, value: u8) -> Result<(), AccessError> {
        let timer = &mut self.timers[number];
        timer.wgm = value >> 6 & 1 | value >> 2 & 2;
        timer.clock_select = value & 7;
        timer.mode_changed();
        without_pins(value)?;
        modelled(!timer.external(), "a timer clocked by a pin")
    }

    /// TCCRnA.
    pub(super) fn write_wide_a(&mut self, number: usize, value: u8) -> Result<(), AccessError> {
        let timer = &mut self.timers[number];
        timer.wgm = timer.wgm & 0x0C | value & 3;
        timer.mode_changed();
        modelled(
            value & 0xFC == 0,
            "the output compare pins of a timer (COM)",
        )
    }

    /// TCCRnB.
    pub(super) fn write_wide_b(&mut self, number: usize, value: u8) -> Result<(), AccessError> {
        self.capture_edges[number] = value & 0x40 != 0;
        let timer = &mut self.timers[number];
        timer.wgm = timer.wgm & 3 | value >> 1 & 0x0C;
        timer.clock_select = value & 7;
        timer.mode_changed();
        modelled(!timer.external(), "a timer clocked by a pin")?;
        modelled(
            !timer.reserved() || timer.clock_select == 0,
            "a reserved mode of a timer",
        )
    }
}

/// TCCR0 and TCCR2: the timer moves no pin.
fn without_pins(value: u8) -> Result<(), AccessError> {
    modelled(
        value & 0xB0 == 0,
        "the output compare pin of a timer (COM, FOC)",
    )
}

/// Cycles of a clock and edges of the watch crystal in the same time.
fn watch_ratio(clock_hz: u32) -> (u64, u64) {
    let (mut a, mut b) = (clock_hz, CRYSTAL_HZ);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (
        u64::from(clock_hz / a.max(1)),
        u64::from(CRYSTAL_HZ / a.max(1)),
    )
}

pub(super) fn modelled(is: bool, name: &'static str) -> Result<(), AccessError> {
    if is {
        Ok(())
    } else {
        Err(AccessError::NotModelled(name))
    }
}

/// An error that names an address, with the address of this chip.
fn at(error: AccessError, addr: u16) -> AccessError {
    match error {
        AccessError::Unmapped(_) => AccessError::Unmapped(addr),
        other => other,
    }
}

fn enable(timer: &mut timer::Timer, flag: u8, one: bool) {
    timer.enabled = if one {
        timer.enabled | flag
    } else {
        timer.enabled & !flag
    };
}

fn narrow_control(timer: &timer::Timer) -> u8 {
    (timer.wgm & 1) << 6 | (timer.wgm & 2) << 2 | timer.clock_select
}

pub(super) fn wide_control_b(timer: &timer::Timer, rising: bool) -> u8 {
    u8::from(rising) << 6 | (timer.wgm & 0x0C) << 1 | timer.clock_select
}
