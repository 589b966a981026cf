//! Registers that only the ATmega1281 has, or has in another form (2549, "Register Summary").

use super::chip::{
    CONTROL, EEPROM, ENABLES, FLAGS, GENERAL, NARROW, PRESCALERS, SLEEP, WATCHDOG, WIDE,
};
use super::registers::{Wide, modelled, wide_control_b};
use super::{AccessError, Atmega128, timer};

/// ICF and ICIE stand one bit higher than the others would have it.
fn to_bits(flags: u8) -> u8 {
    flags & 0x0F | (flags & timer::ICF) << 1
}

fn from_bits(value: u8) -> u8 {
    value & 0x0F | value >> 1 & timer::ICF
}

/// Flags of an 8-bit timer.
const NARROW_FLAGS: u8 = timer::TOV | timer::OCF[0] | timer::OCF[1];

/// The 16-bit register at an offset from [`WIDE`]: timer, register, whether it is the high octet.
fn wide(offset: u16) -> Option<(usize, Wide, bool)> {
    let register = match offset & 0xE {
        0x4 => Wide::Count,
        0x6 => Wide::Capture,
        0x8 => Wide::Compare(0),
        0xA => Wide::Compare(1),
        0xC => Wide::Compare(2),
        _ => return None,
    };
    Some((usize::from(offset >> 4), register, offset & 1 != 0))
}

/// The 8-bit timer of an offset from [`NARROW`], and which of its registers.
fn narrow(offset: u16) -> (usize, u16) {
    (usize::from(offset >> 2) * 2, offset & 3)
}

impl Atmega128 {
    pub(super) fn read_1281(&mut self, register: u16, now: u64) -> Result<u8, AccessError> {
        Ok(match register {
            FLAGS..ENABLES => to_bits(
                self.timers[usize::from(register - FLAGS)].flags & self.flags_of(register - FLAGS),
            ),
            ENABLES..SLEEP => to_bits(self.timers[usize::from(register - ENABLES)].enabled),
            SLEEP => self.control,
            PRESCALERS => self.special,
            WATCHDOG => self.watchdog.control(now),
            EEPROM => self.eeprom.control(now),
            CONTROL => self.pulls | u8::from(self.vectors_moved) << 1,
            GENERAL..NARROW => self.general[usize::from(register - GENERAL) % 3],
            NARROW..WIDE => {
                let (number, which) = narrow(register - NARROW);
                let timer = &self.timers[number];
                match which {
                    0 => timer.wgm & 3,
                    1 => (timer.wgm & 4) << 1 | timer.clock_select,
                    _ => timer.compare(1) as u8,
                }
            }
            _ => {
                let offset = register - WIDE;
                if let Some((number, which, high)) = wide(offset) {
                    return Ok(self.read_wide(number, which, high));
                }
                let number = usize::from(offset >> 4);
                match offset & 3 {
                    0 => self.timers[number].wgm & 3,
                    1 => wide_control_b(&self.timers[number], self.capture_edges[number]),
                    _ => 0,
                }
            }
        })
    }

    /// Flags that a timer has.
    fn flags_of(&self, number: u16) -> u8 {
        if matches!(number, 0 | 2) {
            NARROW_FLAGS
        } else {
            0x1F
        }
    }

    pub(super) fn write_1281(
        &mut self,
        register: u16,
        value: u8,
        now: u64,
    ) -> Result<(), AccessError> {
        match register {
            FLAGS..ENABLES => self.timers[usize::from(register - FLAGS)].flags &= !from_bits(value),
            ENABLES..SLEEP => {
                let number = register - ENABLES;
                self.timers[usize::from(number)].enabled = from_bits(value) & self.flags_of(number);
            }
            SLEEP => self.control = value & 0x0F,
            PRESCALERS => self.write_prescalers(value, now),
            WATCHDOG => {
                modelled(
                    value & 0x60 == 0,
                    "the watchdog's interrupt or one of its longest periods (WDIE, WDP3)",
                )?;
                self.watchdog.set_control(value, now);
            }
            EEPROM => {
                modelled(
                    value & 0x30 == 0,
                    "an EEPROM write without erasure, or the reverse (EEPM)",
                )?;
                self.halt += self.eeprom.set_control(value, now, self.clock_hz);
            }
            CONTROL => {
                self.pulls = value & 0x90;
                self.move_vectors(value, now);
            }
            GENERAL..NARROW => self.general[usize::from(register - GENERAL) % 3] = value,
            NARROW..WIDE => return self.write_narrow_1281(register - NARROW, value),
            _ => {
                let offset = register - WIDE;
                let number = usize::from(offset >> 4);
                if let Some((number, which, high)) = wide(offset) {
                    self.write_wide(number, which, high, value);
                    return Ok(());
                }
                return match offset & 3 {
                    0 => self.write_wide_a(number, value),
                    1 => self.write_wide_b(number, value),
                    _ => modelled(value & 0xE0 == 0, "the force of an output compare (FOC)"),
                };
            }
        }
        Ok(())
    }

    /// TCCRnA, TCCRnB and OCRnB of Timer0 and Timer2.
    fn write_narrow_1281(&mut self, offset: u16, value: u8) -> Result<(), AccessError> {
        let (number, which) = narrow(offset);
        let timer = &mut self.timers[number];
        match which {
            0 => {
                timer.wgm = timer.wgm & 4 | value & 3;
                timer.mode_changed();
                modelled(
                    value & 0xF0 == 0,
                    "the output compare pins of a timer (COM)",
                )
            }
            1 => {
                timer.wgm = timer.wgm & 3 | value >> 1 & 4;
                timer.clock_select = value & 7;
                timer.mode_changed();
                modelled(value & 0xC0 == 0, "the force of an output compare (FOC)")?;
                modelled(!timer.external(), "a timer clocked by a pin")?;
                modelled(
                    !timer.reserved() || timer.clock_select == 0,
                    "a reserved mode of a timer",
                )
            }
            _ => {
                timer.set_compare(1, value.into());
                Ok(())
            }
        }
    }
}
