//! Comparator_A (SLAU049, "Comparator_A"): two inputs, its reference, its output as a flag, an
//! interrupt and an input of Timer_A (CCI1B). It looks when a register is accessed and when a pin
//! changes; the filter's 2 us and the settling of the reference are not modelled.

constants! { u8:
    CAEX = 0x80,  CARSEL = 0x40, CAON = 0x08,  CAIES = 0x04, CAIE = 0x02, CAIFG = 0x01,
    P2CA1 = 0x08, P2CA0 = 0x04,  CAOUT = 0x01,
}
/// The reference by a diode, about 0.55 V (SLAS368, from memory).
const DIODE_UV: u32 = 550_000;

/// The comparator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparator {
    ctl1: u8,
    ctl2: u8,
    /// CAPD: pins of port 2 whose input buffer is off.
    disabled: u8,
    output: bool,
}

impl Comparator {
    /// It is on.
    #[inline]
    pub fn on(&self) -> bool {
        self.ctl1 & CAON != 0
    }

    /// Reads CACTL1, CACTL2 or CAPD.
    pub fn read(&self, register: u16) -> u8 {
        match register {
            0 => self.ctl1,
            1 => self.ctl2 | u8::from(self.output),
            _ => self.disabled,
        }
    }

    /// Writes CACTL1, CACTL2 or CAPD.
    pub fn write(&mut self, register: u16, value: u8) {
        match register {
            0 => self.ctl1 = value,
            1 => self.ctl2 = value & !CAOUT,
            _ => self.disabled = value,
        }
    }

    /// Pins of port 2 whose input buffer is off.
    pub fn disabled(&self) -> u8 {
        self.disabled
    }

    /// The inputs have these voltages: CA0, CA1 and AVCC, in microvolts. Returns the output, if it
    /// has changed.
    pub fn look(&mut self, [ca0, ca1, supply]: [u32; 3]) -> Option<bool> {
        let output = self.on() && self.compare([ca0, ca1, supply]);
        if output == self.output {
            return None;
        }
        self.output = output;
        if output == (self.ctl1 & CAIES == 0) && self.on() {
            self.ctl1 |= CAIFG;
        }
        Some(output)
    }

    /// A terminal without an input lies at 0 V here; on a chip it floats.
    fn compare(&self, [ca0, ca1, supply]: [u32; 3]) -> bool {
        let reference = match self.ctl1 >> 4 & 3 {
            0 => None,
            1 => Some(supply / 4),
            2 => Some(supply / 2),
            _ => Some(DIODE_UV),
        };
        let exchanged = self.ctl1 & CAEX != 0;
        let pin = |bit: u8, volts: u32| if self.ctl2 & bit != 0 { volts } else { 0 };
        // CA0 belongs to the terminal that CAEX makes the inverting one.
        let (mut plus, mut minus) = (pin(P2CA0, ca0), pin(P2CA1, ca1));
        let at_plus = self.ctl1 & CARSEL == 0;
        match reference {
            Some(volts) if at_plus => plus = volts,
            Some(volts) => minus = volts,
            None => {}
        }
        if exchanged {
            // Inputs exchanged and the output inverted: the same comparison, but for its offset.
            return plus >= minus;
        }
        plus > minus
    }

    /// The interrupt is taken: its flag is cleared.
    pub fn accept(&mut self) {
        self.ctl1 &= !CAIFG;
    }

    /// Whether it interrupts.
    pub fn pending(&self) -> bool {
        self.ctl1 & (CAIE | CAIFG) == CAIE | CAIFG
    }
}
