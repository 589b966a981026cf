//! GPIO ports A to D (0x400D_9000 and 0x1000 each): data with address masks, interrupts, alternate
//! function select, and the power-up interrupts of all ports (0x704..=0x720, alike in each port).
//!
//! While the system clock stands still (PM1 to PM3) the interrupt logic of a port sees no edge, and a
//! level only afterwards; the power-up logic, which needs no clock, latches edges in every mode.
//! SWRU319 was not at hand in print: that is how TI's driver library and its examples wake a chip,
//! with GPIOPowIntTypeSet, GPIOPowIntEnable and GPIOIntWakeupEnable.

use super::Written;
use crate::Ps;

constants! { u32:
    DIR = 0x400,               IS = 0x404,                IBE = 0x408,
    IEV = 0x40C,               IE = 0x410,                RIS = 0x414,
    MIS = 0x418,               IC = 0x41C,                AFSEL = 0x420,
    LOCK = 0x520,              CR = 0x524,                PMUX = 0x700,
    P_EDGE_CTRL = 0x704,       USB_CTRL = 0x708,          PI_IEN = 0x710,
    IRQ_DETECT_ACK = 0x718,    USB_IRQ_ACK = 0x71C,       IRQ_DETECT_UNMASK = 0x720,
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
    pmux: u32,
}

/// The power-up interrupts of all pins, port A in the lowest octet.
#[derive(Clone, Copy, Default)]
struct PowerUp {
    /// P_EDGE_CTRL: a falling edge instead of a rising one.
    falling: u32,
    /// PI_IEN.
    enable: u32,
    /// Edges that have come.
    detected: u32,
    usb: u32,
}

impl PowerUp {
    fn detect(&mut self, port: usize, rose: u8, fell: u8) {
        let place = 8 * port;
        let edges =
            u32::from(rose) << place & !self.falling | u32::from(fell) << place & self.falling;
        self.detected |= edges;
    }

    fn interrupt(&self, port: u8) -> bool {
        (self.detected & self.enable) >> (8 * port) & 0xFF != 0
    }

    fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            P_EDGE_CTRL => self.falling,
            USB_CTRL => self.usb,
            PI_IEN => self.enable,
            IRQ_DETECT_ACK => self.detected & self.enable,
            IRQ_DETECT_UNMASK => self.detected,
            USB_IRQ_ACK => 0,
            _ => return None,
        })
    }

    fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            P_EDGE_CTRL => self.falling = value,
            USB_CTRL => self.usb = value & 1,
            PI_IEN => self.enable = value,
            IRQ_DETECT_ACK | IRQ_DETECT_UNMASK => self.detected &= !value,
            USB_IRQ_ACK => {}
            _ => return None,
        }
        Some(())
    }
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
    power_up: PowerUp,
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
            power_up: PowerUp::default(),
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
        self.power_up = PowerUp::default();
    }

    pub(super) fn take_changes(&mut self, out: &mut Vec<PinChange>) {
        out.append(&mut self.changes);
    }

    pub(super) fn interrupt(&self, port: u8) -> bool {
        let Port { raw, enable, .. } = self.ports[usize::from(port)];
        raw & enable != 0 || self.power_up.interrupt(port)
    }

    /// A pin is driven from outside. `clocked`: the system clock runs.
    pub(super) fn set_input(&mut self, port: u8, bit: u8, level: bool, clocked: bool) {
        let index = usize::from(port & 3);
        let port = &mut self.ports[index];
        let before = port.level();
        port.input = port.input & !(1 << bit) | u8::from(level) << bit;
        let after = port.level();
        if clocked {
            port.detect(before);
        }
        self.power_up
            .detect(index, after & !before, before & !after);
    }

    /// The system clock runs again: levels are seen, edges that came meanwhile are not.
    pub(super) fn clock_again(&mut self) {
        for port in &mut self.ports {
            port.detect(port.level());
        }
    }

    /// Changes a port and tells which outputs moved.
    fn change(&mut self, index: usize, now: Ps, change: impl FnOnce(&mut Port)) {
        let port = &mut self.ports[index];
        let (driven, level) = (port.driven(), port.level());
        change(port);
        port.detect(level);
        let after = port.level();
        if after != level {
            self.power_up.detect(index, after & !level, level & !after);
        }
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
            P_EDGE_CTRL..=IRQ_DETECT_UNMASK => return self.power_up.read(offset),
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
            PMUX => port.pmux,
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
            PMUX => self.ports[index].pmux = value & 0x99,
            P_EDGE_CTRL..=IRQ_DETECT_UNMASK => self.power_up.write(offset, value)?,
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
        gpio.set_input(2, 0, true, true);
        assert_eq!(gpio.read(C, 0x3FC), Some(1));
    }

    #[test]
    fn edges_latch_and_levels_follow() {
        let mut gpio = Gpio::new();
        write(&mut gpio, IEV, 0x01);
        write(&mut gpio, IC, 0xFF);
        write(&mut gpio, IE, 0x03);
        gpio.set_input(2, 0, true, true);
        assert!(gpio.interrupt(2));
        assert_eq!((gpio.read(C, RIS), gpio.read(C, MIS)), (Some(1), Some(1)));
        gpio.set_input(2, 0, false, true);
        assert!(gpio.interrupt(2), "an edge is kept");
        write(&mut gpio, IC, 0x01);
        assert!(!gpio.interrupt(2));
        write(&mut gpio, IBE, 0x02);
        gpio.set_input(2, 1, true, true);
        write(&mut gpio, IC, 0x02);
        gpio.set_input(2, 1, false, true);
        assert_eq!(gpio.read(C, MIS), Some(2), "both edges");
        write(&mut gpio, IC, 0x02);
        write(&mut gpio, IS, 0x01);
        assert!(!gpio.interrupt(2));
        gpio.set_input(2, 0, true, true);
        write(&mut gpio, IC, 0x01);
        assert!(gpio.interrupt(2), "a level cannot be cleared");
        gpio.set_input(2, 0, false, true);
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

    #[test]
    fn power_up_edges_latch_for_all_ports_and_need_no_clock() {
        let mut gpio = Gpio::new();
        for (offset, value) in [
            (IE, 0xFF),
            (P_EDGE_CTRL, 2 << 16),
            (PI_IEN, 3 << 16),
            (IS, 0),
            (IEV, 0xFF),
        ] {
            write(&mut gpio, offset, value);
        }
        write(&mut gpio, IC, 0xFF);
        for (bit, level) in [(1, true), (2, true), (2, false)] {
            gpio.set_input(2, bit, level, false);
        }
        assert!(
            !gpio.interrupt(2),
            "a falling edge of bit 1; bit 2 is masked"
        );
        assert_eq!(gpio.read(C, RIS), Some(0), "no clock, no edge");
        gpio.set_input(2, 1, false, false);
        assert!(gpio.interrupt(2) && !gpio.interrupt(1));
        for port in 0..4 {
            assert_eq!(gpio.read(port, IRQ_DETECT_ACK), Some(2 << 16));
            assert_eq!(gpio.read(port, IRQ_DETECT_UNMASK), Some(6 << 16));
        }
        assert_eq!(gpio.write(0, IRQ_DETECT_ACK, 2 << 16, Ps(7)), Some(Ok(())));
        assert!(!gpio.interrupt(2));
        write(&mut gpio, IS, 1);
        gpio.set_input(2, 0, true, false);
        assert_eq!(gpio.read(C, RIS), Some(0), "a level is seen with the clock");
        gpio.clock_again();
        assert_eq!(gpio.read(C, RIS), Some(1));
        assert_eq!(gpio.read(C, 0x70C), None);
    }
}
