//! Ports A to G and the external interrupts INT0 to INT7 (2467, sections "I/O Ports" and "External
//! Interrupts").

/// One port.
#[derive(Clone, Copy, Debug, Default)]
pub struct Port {
    /// PORTx.
    pub output: u8,
    /// DDRx.
    pub direction: u8,
    /// Levels that the outside gives.
    pub input: u8,
    /// Pins that the outside drives; the others float and follow their pull-up.
    pub driven: u8,
}

impl Port {
    /// Levels at the pins: PINx.
    pub fn pins(&self) -> u8 {
        self.output & self.direction | self.outside() & !self.direction
    }

    /// Levels of the pins as inputs.
    pub fn outside(&self) -> u8 {
        self.input & self.driven | self.output & !self.driven
    }

    /// Levels of the pins that are outputs; the others read 0.
    pub fn driving(&self) -> u8 {
        self.output & self.direction
    }
}

/// EICRA, EICRB, EIMSK, EIFR.
#[derive(Clone, Copy, Debug, Default)]
pub struct External {
    /// Sense bits of INT0–3 and INT4–7.
    pub sense: [u8; 2],
    /// EIMSK.
    pub enabled: u8,
    flags: u8,
    levels: u8,
}

impl External {
    fn sense(&self, line: usize) -> u8 {
        self.sense[line / 4] >> (line % 4 * 2) & 3
    }

    /// EIFR: a level interrupt has no flag.
    pub fn flags(&self) -> u8 {
        self.flags
    }

    /// Writes EIFR: 1 clears.
    pub fn clear(&mut self, mask: u8) {
        self.flags &= !mask;
    }

    /// Levels of the eight lines now.
    pub fn follow(&mut self, levels: u8) {
        let changed = self.levels ^ levels;
        for line in 0..8 {
            let (bit, high) = (1 << line, levels >> line & 1 != 0);
            let meant = match self.sense(line) {
                0 => false,
                1 => true,
                2 => !high,
                _ => high,
            };
            if changed & bit != 0 && meant {
                self.flags |= bit;
            }
        }
        self.levels = levels;
    }

    /// The lines that interrupt.
    pub fn interrupts(&self) -> u8 {
        if self.enabled == 0 {
            return 0;
        }
        let low = (0..8).filter(|line| self.sense(*line) == 0 && self.levels >> line & 1 == 0);
        (low.fold(0, |set, line| set | 1 << line) | self.flags) & self.enabled
    }
}
