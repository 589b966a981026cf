//! Interrupt lines: what drives them and their numbers in the two interrupt maps (hw_ints.h).

/// What drives a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irq {
    /// Port A (0) to D (3).
    Gpio(u8),
    /// UART 0 or 1.
    Uart(u8),
    /// SSI 0 or 1.
    Ssi(u8),
    /// The I2C master.
    I2c,
    /// The ADC: a pulse.
    Adc,
    /// uDMA: a channel that no peripheral owns is done.
    Dma,
    /// uDMA: a bus error.
    DmaError,
    /// Subtimer A of general-purpose timer 0..=3.
    GpTimerA(u8),
    /// Subtimer B of general-purpose timer 0..=3.
    GpTimerB(u8),
    /// RF core: transmission and reception.
    Rf,
    /// RF core: errors.
    RfError,
    /// AES and hash engine.
    Aes,
    /// Sleep timer: a pulse.
    SleepTimer,
    /// MAC timer.
    MacTimer,
}

/// Interrupt lines of the chip: 147 in the regular map.
const LINES: u16 = 147;

impl Irq {
    /// Number of the line at the NVIC: exception number minus 16. `alternate`: I_MAP.ALTMAP.
    pub const fn line(self, alternate: bool) -> u16 {
        let (regular, other) = match self {
            Irq::Rf => (141, 26),
            Irq::RfError => (142, 27),
            Irq::Aes => (143, 30),
            Irq::SleepTimer => (145, 32),
            Irq::MacTimer => (146, 33),
            Irq::Gpio(port) => return port as u16,
            Irq::Uart(number) => return 5 + number as u16,
            Irq::Ssi(0) => return 7,
            Irq::Ssi(_) => return 34,
            Irq::I2c => return 8,
            Irq::Adc => return 14,
            Irq::Dma => return 46,
            Irq::DmaError => return 47,
            Irq::GpTimerA(3) => return 35,
            Irq::GpTimerB(3) => return 36,
            Irq::GpTimerA(number) => return 19 + 2 * number as u16,
            Irq::GpTimerB(number) => return 20 + 2 * number as u16,
        };
        if alternate { other } else { regular }
    }
}

/// A set of interrupt lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IrqSet([u64; 3]);

impl IrqSet {
    /// No line.
    pub const EMPTY: IrqSet = IrqSet([0; 3]);
    /// Every line the chip has.
    pub const ALL: IrqSet = IrqSet([u64::MAX, u64::MAX, (1 << (LINES - 128)) - 1]);

    /// Adds line `line`.
    pub const fn insert(&mut self, line: u16) {
        self.0[line as usize / 64] |= 1 << (line % 64);
    }

    /// Is line `line` in it?
    pub const fn contains(&self, line: u16) -> bool {
        self.0[line as usize / 64] >> (line % 64) & 1 != 0
    }

    /// No line at all?
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Lines in both.
    pub const fn and(self, other: IrqSet) -> IrqSet {
        IrqSet([
            self.0[0] & other.0[0],
            self.0[1] & other.0[1],
            self.0[2] & other.0[2],
        ])
    }

    /// Lines in one of the two.
    pub const fn or(self, other: IrqSet) -> IrqSet {
        IrqSet([
            self.0[0] | other.0[0],
            self.0[1] | other.0[1],
            self.0[2] | other.0[2],
        ])
    }

    /// Lines in exactly one of the two: what changed.
    pub const fn xor(self, other: IrqSet) -> IrqSet {
        IrqSet([
            self.0[0] ^ other.0[0],
            self.0[1] ^ other.0[1],
            self.0[2] ^ other.0[2],
        ])
    }

    /// Its lines, lowest first.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..LINES).filter(move |&line| self.contains(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_numbers_of_the_header_file() {
        // Vectors of the regular and of the alternate map.
        let vectors = [
            (Irq::Gpio(0), 16, 16),
            (Irq::Gpio(3), 19, 19),
            (Irq::Uart(0), 21, 21),
            (Irq::Ssi(0), 23, 23),
            (Irq::Ssi(1), 50, 50),
            (Irq::I2c, 24, 24),
            (Irq::Adc, 30, 30),
            (Irq::Dma, 62, 62),
            (Irq::DmaError, 63, 63),
            (Irq::GpTimerA(0), 35, 35),
            (Irq::GpTimerB(2), 40, 40),
            (Irq::GpTimerA(3), 51, 51),
            (Irq::GpTimerB(3), 52, 52),
            (Irq::Rf, 157, 42),
            (Irq::RfError, 158, 43),
            (Irq::Aes, 159, 46),
            (Irq::SleepTimer, 161, 48),
            (Irq::MacTimer, 162, 49),
        ];
        for (irq, regular, alternate) in vectors {
            assert_eq!(irq.line(false), regular - 16, "{irq:?}");
            assert_eq!(irq.line(true), alternate - 16, "{irq:?}");
        }
    }

    #[test]
    fn sets_hold_every_line() {
        let mut set = IrqSet::EMPTY;
        assert!(set.is_empty() && IrqSet::ALL.iter().count() == 147);
        for line in [0, 63, 64, 146] {
            set.insert(line);
        }
        assert_eq!(set.iter().collect::<Vec<u16>>(), [0, 63, 64, 146]);
        assert_eq!(set.and(IrqSet::ALL), set);
        assert!(set.xor(set).is_empty());
        assert_eq!(IrqSet::EMPTY.or(set), set);
    }
}
