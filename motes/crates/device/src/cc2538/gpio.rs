//! GPIO ports A to D (0x400D_9000 and 0x1000 each): data with address masks, interrupts, alternate
//! function select. The registers of power-up interrupts (0x700..=0x720) hold what is written and
//! select edges for waking.

use super::Written;
use crate::Ps;

constants! { u32:
    DIR = 0x400,               IS = 0x404,                IBE = 0x408,
    IEV = 0x40C,               IE = 0x410,                RIS = 0x414,
    MIS = 0x418,               IC = 0x41C,                AFSEL = 0x420,
    LOCK = 0x520,              CR = 0x524,                PMUX = 0x700,
    IRQ_DETECT_UNMASK = 0x720,
}

/// A change of an output pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinChange {
    /// Port: 0 = A, 1 = B, 2 = C, 3 = D.
    pub port: u8,
    /// Bit, 0..=7.
    pub bit: u8,
    /// Level driven from now on.
    pub level: bool,
    /// When.
    pub at: Ps,
}

#[derive(Clone, Copy, Default)]
struct Port {
    out: u8,
    input: u8,
    dir: u8,
    sense: u8,
    both: u8,
    event: u8,
    enable: u8,
    raw: u8,
    alternate: u8,
    commit: u8,
    /// 0x700..=0x720.
    power_up: [u32; 9],
}

impl Port {
    /// The levels that DATA reads and that the interrupt logic sees.
    fn level(&self) -> u8 {
        self.out & self.dir | self.input & !self.dir
    }

    /// The levels that software drives at the pins.
    fn driven(&self) -> u8 {
        self.out & self.dir & !self.alternate
    }

    /// The pins had the levels `before`: latches their edges and follows their levels.
    fn detect(&mut self, before: u8) {
        let now = self.level();
        let (rose, fell) = (now & !before, before & !now);
        let edges =
            self.both & (rose | fell) | !self.both & (self.event & rose | !self.event & fell);
        self.raw |= edges & !self.sense;
        let active = self.event & now | !self.event & !now;
        self.raw = self.raw & !self.sense | active & self.sense;
    }
}

/// The four ports.
#[derive(Clone)]
pub(super) struct Gpio {
    ports: [Port; 4],
    changes: Vec<PinChange>,
}

impl Gpio {
    pub(super) fn new() -> Gpio {
        let port = Port {
            commit: 0xFF,
            ..Port::default()
        };
        Gpio {
            ports: [port; 4],
            changes: Vec::new(),
        }
    }

    /// All pins inputs; levels from outside stay.
    pub(super) fn reset(&mut self, now: Ps) {
        for index in 0..4 {
            let input = self.ports[index].input;
            let fresh = Port {
                input,
                commit: 0xFF,
                ..Port::default()
            };
            self.change(index, now, |port| *port = fresh);
        }
    }

    pub(super) fn take_changes(&mut self, out: &mut Vec<PinChange>) {
        out.append(&mut self.changes);
    }

    pub(super) fn interrupt(&self, port: u8) -> bool {
        let port = &self.ports[usize::from(port)];
        port.raw & port.enable != 0
    }

    pub(super) fn set_input(&mut self, port: u8, bit: u8, level: bool) {
        let port = &mut self.ports[usize::from(port & 3)];
        let before = port.level();
        port.input = port.input & !(1 << bit) | u8::from(level) << bit;
        port.detect(before);
    }

    /// Changes a port and tells which outputs moved.
    fn change(&mut self, index: usize, now: Ps, change: impl FnOnce(&mut Port)) {
        let port = &mut self.ports[index];
        let (driven, level) = (port.driven(), port.level());
        change(port);
        port.detect(level);
        let moved = driven ^ port.driven();
        for bit in (0..8).filter(|bit| moved >> bit & 1 != 0) {
            self.changes.push(PinChange {
                port: index as u8,
                bit,
                level: port.driven() >> bit & 1 != 0,
                at: now,
            });
        }
    }

    /// Reads the register at `offset` of a port.
    pub(super) fn read(&self, port: usize, offset: u32) -> Option<u32> {
        let port = &self.ports[port];
        Some(match offset {
            0..DIR => u32::from(port.level()) & (offset >> 2),
            DIR => port.dir.into(),
            IS => port.sense.into(),
            IBE => port.both.into(),
            IEV => port.event.into(),
            IE => port.enable.into(),
            RIS => port.raw.into(),
            MIS => (port.raw & port.enable).into(),
            IC => 0,
            AFSEL => port.alternate.into(),
            LOCK => 0,
            CR => port.commit.into(),
            PMUX..=IRQ_DETECT_UNMASK => port.power_up[(offset - PMUX) as usize / 4],
            _ => return None,
        })
    }

    /// Writes the register at `offset` of a port. DATA takes the bits that the address bits 9:2
    /// select.
    pub(super) fn write(&mut self, index: usize, offset: u32, value: u32, now: Ps) -> Written {
        let octet = value as u8;
        match offset {
            0..DIR => {
                let mask = (offset >> 2) as u8;
                self.change(index, now, |port| {
                    port.out = port.out & !mask | octet & mask
                });
            }
            DIR => self.change(index, now, |port| port.dir = octet),
            IS => self.change(index, now, |port| port.sense = octet),
            IBE => self.ports[index].both = octet,
            IEV => self.change(index, now, |port| port.event = octet),
            IE => self.ports[index].enable = octet,
            IC => {
                let port = &mut self.ports[index];
                port.raw &= !octet | port.sense;
            }
            AFSEL => self.change(index, now, |port| port.alternate = octet),
            CR => self.ports[index].commit = octet,
            RIS | MIS | LOCK => {}
            PMUX..=IRQ_DETECT_UNMASK => {
                self.ports[index].power_up[(offset - PMUX) as usize / 4] = value
            }
            _ => return None,
        }
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: usize = 2;

    fn write(gpio: &mut Gpio, offset: u32, value: u32) {
        assert_eq!(gpio.write(C, offset, value, Ps(7)), Some(Ok(())));
    }

    #[test]
    fn data_is_masked_by_the_address_and_changes_are_told() {
        let mut gpio = Gpio::new();
        write(&mut gpio, DIR, 0xF0);
        write(&mut gpio, 0x30 << 2, 0xFF);
        assert_eq!(gpio.read(C, 0xFF << 2), Some(0x30));
        assert_eq!(gpio.read(C, 0x10 << 2), Some(0x10));
        let mut changes = Vec::new();
        gpio.take_changes(&mut changes);
        let change = |bit, level| PinChange {
            port: 2,
            bit,
            level,
            at: Ps(7),
        };
        assert_eq!(changes, [change(4, true), change(5, true)]);
        write(&mut gpio, 0xFF << 2, 0x20);
        write(&mut gpio, DIR, 0);
        changes.clear();
        gpio.take_changes(&mut changes);
        assert_eq!(changes, [change(4, false), change(5, false)]);
        gpio.set_input(2, 0, true);
        assert_eq!(gpio.read(C, 0x3FC), Some(1));
    }

    #[test]
    fn edges_latch_and_levels_follow() {
        let mut gpio = Gpio::new();
        write(&mut gpio, IEV, 0x01);
        write(&mut gpio, IC, 0xFF);
        write(&mut gpio, IE, 0x03);
        gpio.set_input(2, 0, true);
        assert!(gpio.interrupt(2));
        assert_eq!((gpio.read(C, RIS), gpio.read(C, MIS)), (Some(1), Some(1)));
        gpio.set_input(2, 0, false);
        assert!(gpio.interrupt(2), "an edge is kept");
        write(&mut gpio, IC, 0x01);
        assert!(!gpio.interrupt(2));
        write(&mut gpio, IBE, 0x02);
        gpio.set_input(2, 1, true);
        write(&mut gpio, IC, 0x02);
        gpio.set_input(2, 1, false);
        assert_eq!(gpio.read(C, MIS), Some(2), "both edges");
        write(&mut gpio, IC, 0x02);
        write(&mut gpio, IS, 0x01);
        assert!(!gpio.interrupt(2));
        gpio.set_input(2, 0, true);
        write(&mut gpio, IC, 0x01);
        assert!(gpio.interrupt(2), "a level cannot be cleared");
        gpio.set_input(2, 0, false);
        assert!(!gpio.interrupt(2));
    }

    #[test]
    fn a_pin_with_an_alternate_function_is_not_driven_by_software() {
        let mut gpio = Gpio::new();
        write(&mut gpio, DIR, 0x01);
        write(&mut gpio, AFSEL, 0x01);
        write(&mut gpio, 0x04, 0x01);
        let mut changes = Vec::new();
        gpio.take_changes(&mut changes);
        assert!(changes.is_empty());
        gpio.reset(Ps(9));
        assert_eq!(gpio.read(C, DIR), Some(0));
        assert_eq!(gpio.read(C, 0x600), None);
    }
}
