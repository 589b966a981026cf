//! Ports 1..6: IN OUT DIR SEL, and on ports 1 and 2 IFG IES IE (SLAU049, chapter "Digital I/O").

/// Registers of a port in the order of their addresses on ports 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// PxIN, read only.
    In,
    /// PxOUT.
    Out,
    /// PxDIR.
    Dir,
    /// PxIFG.
    Ifg,
    /// PxIES.
    Ies,
    /// PxIE.
    Ie,
    /// PxSEL.
    Sel,
}

/// Which output pins have changed, and to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Pins whose driven level changed or that have become outputs.
    pub changed: u8,
    /// The levels.
    pub level: u8,
    /// Pins that were driven and are inputs now.
    pub released: u8,
}

/// One port of eight pins.
#[derive(Clone, Debug, Default)]
pub struct Port {
    out: u8,
    dir: u8,
    ifg: u8,
    ies: u8,
    ie: u8,
    sel: u8,
    interrupts: bool,
    /// Pins with a module output (timer) when PxSEL and PxDIR are set.
    module_pins: u8,
    module_level: u8,
    outside: u8,
    level: u8,
    reported: u8,
    reported_level: u8,
    /// What the modules see: follows the pin while PxSEL is set, else holds.
    module_input: u8,
}

impl Port {
    /// A port; `interrupts` for ports 1 and 2; `module_pins` have a timer output.
    pub fn new(interrupts: bool, module_pins: u8) -> Port {
        Port {
            interrupts,
            module_pins,
            ..Port::default()
        }
    }

    /// PUC: DIR, IFG, IE and SEL become 0; OUT and IES stay.
    pub fn reset(&mut self) -> Outputs {
        (self.dir, self.ifg, self.ie, self.sel) = (0, 0, 0, 0);
        let outputs = self.settle(self.ies);
        self.ifg = 0;
        outputs
    }

    /// Reads a register.
    pub fn read(&self, register: Register) -> u8 {
        match register {
            Register::In => self.level,
            Register::Out => self.out,
            Register::Dir => self.dir,
            Register::Ifg => self.ifg,
            Register::Ies => self.ies,
            Register::Ie => self.ie,
            Register::Sel => self.sel,
        }
    }

    /// Writes a register.
    pub fn write(&mut self, register: Register, value: u8) -> Outputs {
        let ies_before = self.ies;
        match register {
            Register::In => return Outputs::default(),
            Register::Out => self.out = value,
            Register::Dir => self.dir = value,
            Register::Ifg => self.ifg = value,
            Register::Ies => self.ies = value,
            Register::Ie => self.ie = value,
            Register::Sel => self.sel = value,
        }
        self.settle(ies_before)
    }

    /// Drives pins from outside: those of `mask` to `level`.
    pub fn set_outside(&mut self, mask: u8, level: bool) {
        self.outside = if level {
            self.outside | mask
        } else {
            self.outside & !mask
        };
        self.settle(self.ies);
    }

    /// The modules' output levels.
    pub fn set_module_level(&mut self, mask: u8, level: u8) -> Outputs {
        self.module_level = (self.module_level & !mask) | (level & mask);
        self.settle(self.ies)
    }

    /// What the modules see at the pins.
    pub fn module_input(&self) -> u8 {
        self.module_input
    }

    /// Pins given to modules.
    pub fn sel(&self) -> u8 {
        self.sel
    }

    /// Is an interrupt pending and enabled?
    pub fn pending(&self) -> bool {
        self.ifg & self.ie != 0
    }

    /// The level the chip drives at the pins of `mask`, if it does.
    pub fn driven(&self, mask: u8) -> Option<bool> {
        (self.reported & mask != 0).then_some(self.reported_level & mask != 0)
    }

    /// Computes pin levels, interrupt flags and output changes. A flag is set when pin XOR IES
    /// rises. So a write to IES always sets the flags that "may be set" according to the guide.
    fn settle(&mut self, ies_before: u8) -> Outputs {
        let active_before = self.level ^ ies_before;
        let drive = (self.out & !self.sel) | (self.module_level & self.sel);
        self.level = (drive & self.dir) | (self.outside & !self.dir);
        self.module_input = (self.level & self.sel) | (self.module_input & !self.sel);
        if self.interrupts {
            self.ifg |= (self.level ^ self.ies) & !active_before & !self.sel;
        }
        let reported = self.dir & (!self.sel | self.module_pins);
        let changed = reported & ((self.reported_level ^ drive) | !self.reported);
        let released = self.reported & !reported;
        self.reported = reported;
        self.reported_level = drive & reported;
        Outputs {
            changed,
            level: drive,
            released,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_told_when_they_change() {
        let mut port = Port::new(false, 0);
        assert_eq!(port.write(Register::Out, 0x04).changed, 0);
        assert_eq!(
            port.write(Register::Dir, 0x06),
            Outputs {
                changed: 0x06,
                level: 0x04,
                released: 0,
            }
        );
        assert_eq!(
            port.write(Register::Out, 0x02),
            Outputs {
                changed: 0x06,
                level: 0x02,
                released: 0,
            }
        );
        assert_eq!(port.write(Register::Out, 0x82).changed, 0);
        assert_eq!(port.driven(0x02), Some(true));
        assert_eq!(port.driven(0x80), None);
        assert_eq!(port.read(Register::In), 0x02);
        assert_eq!(port.write(Register::Sel, 0x02).changed, 0);
        assert_eq!(port.write(Register::Dir, 0x02).released, 0x04);
    }

    #[test]
    fn the_selected_edge_sets_the_flag() {
        let mut port = Port::new(true, 0);
        port.write(Register::Ie, 0x01);
        port.set_outside(0x01, true);
        assert!(port.pending());
        port.write(Register::Ifg, 0);
        port.set_outside(0x01, false);
        assert!(!port.pending());
        port.set_outside(0x01, true);
        port.write(Register::Ifg, 0);
        assert_eq!(port.write(Register::Ies, 0x01).changed, 0);
        assert!(!port.pending(), "pin high, falling edge selected");
        port.set_outside(0x01, false);
        assert!(port.pending());
    }

    #[test]
    fn changing_the_edge_select_can_set_the_flag() {
        let mut port = Port::new(true, 0);
        port.write(Register::Ies, 0x01);
        assert_eq!(port.read(Register::Ifg), 0x01, "0 to 1 with the pin low");
        port.write(Register::Ifg, 0);
        port.write(Register::Ies, 0x00);
        assert_eq!(port.read(Register::Ifg), 0, "1 to 0 with the pin low");
    }

    #[test]
    fn software_sets_a_flag_and_ports_without_interrupts_have_none() {
        let mut port = Port::new(true, 0);
        port.write(Register::Ie, 0x80);
        port.write(Register::Ifg, 0x80);
        assert!(port.pending());
        let mut plain = Port::new(false, 0);
        plain.set_outside(0xFF, true);
        assert_eq!(
            (plain.read(Register::Ifg), plain.read(Register::In)),
            (0, 0xFF)
        );
    }

    #[test]
    fn a_module_input_holds_while_sel_is_clear() {
        let mut port = Port::new(false, 0);
        port.set_outside(0x02, true);
        assert_eq!(port.module_input(), 0);
        port.write(Register::Sel, 0x02);
        assert_eq!(port.module_input(), 0x02);
        port.write(Register::Sel, 0);
        port.set_outside(0x02, false);
        assert_eq!(port.module_input(), 0x02);
    }

    #[test]
    fn a_pin_given_to_a_module_interrupts_nobody() {
        let mut port = Port::new(true, 0);
        port.write(Register::Sel, 0x02);
        port.set_outside(0x03, true);
        assert_eq!(port.read(Register::Ifg), 0x01);
        port.write(Register::Sel, 0);
        assert_eq!(
            port.read(Register::Ifg),
            0x01,
            "no edge when it is given back"
        );
    }

    #[test]
    fn a_timer_output_reaches_its_pin_through_sel() {
        let mut port = Port::new(false, 0x04);
        port.write(Register::Dir, 0x04);
        port.write(Register::Sel, 0x04);
        assert_eq!(
            port.set_module_level(0x04, 0x04),
            Outputs {
                changed: 0x04,
                level: 0x04,
                released: 0,
            }
        );
    }

    #[test]
    fn a_reset_makes_inputs_of_all_pins_and_keeps_out_and_ies() {
        let mut port = Port::new(true, 0);
        port.write(Register::Out, 0x81);
        port.write(Register::Dir, 0xFF);
        port.write(Register::Ies, 0x0F);
        port.write(Register::Ie, 0xFF);
        port.reset();
        let registers = [
            Register::Out,
            Register::Dir,
            Register::Ifg,
            Register::Ies,
            Register::Ie,
        ];
        assert_eq!(
            registers.map(|register| port.read(register)),
            [0x81, 0, 0, 0x0F, 0]
        );
    }
}
