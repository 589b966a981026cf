//! The hardware multiplier: the first operand's address chooses the operation, writing OP2 does it.
//! The result is there at once (the chip needs one instruction in between only for indirect reads).

/// Byte offset of OP2 from MPY.
const OP2: u16 = 0x08;

/// MPY 0x130, MPYS, MAC, MACS, OP2, RESLO, RESHI, SUMEXT 0x13E.
#[derive(Clone, Debug, Default)]
pub struct Multiplier {
    signed: bool,
    accumulate: bool,
    op1: u16,
    op2: u16,
    reslo: u16,
    reshi: u16,
    sumext: u16,
}

impl Multiplier {
    /// Reads the register `offset` octets after MPY.
    pub fn read(&self, offset: u16) -> u16 {
        match offset {
            0x00..=0x06 => self.op1,
            OP2 => self.op2,
            0x0A => self.reslo,
            0x0C => self.reshi,
            _ => self.sumext,
        }
    }

    /// Writes the register `offset` octets after MPY. SUMEXT is read only.
    pub fn write(&mut self, offset: u16, value: u16) {
        match offset {
            0x00..=0x06 => {
                self.signed = offset & 2 != 0;
                self.accumulate = offset & 4 != 0;
                self.op1 = value;
            }
            OP2 => {
                self.op2 = value;
                self.multiply();
            }
            0x0A => self.reslo = value,
            0x0C => self.reshi = value,
            _ => {}
        }
    }

    fn multiply(&mut self) {
        let product = if self.signed {
            (i32::from(self.op1.cast_signed()) * i32::from(self.op2.cast_signed())).cast_unsigned()
        } else {
            u32::from(self.op1) * u32::from(self.op2)
        };
        let old = if self.accumulate {
            u32::from(self.reshi) << 16 | u32::from(self.reslo)
        } else {
            0
        };
        let (sum, carry) = old.overflowing_add(product);
        self.reslo = (sum & 0xFFFF) as u16;
        self.reshi = (sum >> 16) as u16;
        self.sumext = if self.signed {
            if sum >> 31 == 1 { 0xFFFF } else { 0 }
        } else {
            u16::from(carry)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(start: (u16, u16), operation: u16, op1: u16, op2: u16) -> (u16, u16, u16) {
        let mut unit = Multiplier::default();
        unit.write(0x0C, start.0);
        unit.write(0x0A, start.1);
        unit.write(operation, op1);
        unit.write(OP2, op2);
        (unit.read(0x0E), unit.read(0x0C), unit.read(0x0A))
    }

    #[test]
    fn unsigned_products() {
        assert_eq!(run((9, 9), 0, 0xFFFF, 0xFFFF), (0, 0xFFFE, 0x0001));
        assert_eq!(run((9, 9), 0, 0x1234, 0x5678), (0, 0x0626, 0x0060));
        assert_eq!(run((9, 9), 0, 0, 0x5678), (0, 0, 0));
    }

    #[test]
    fn signed_products() {
        assert_eq!(run((9, 9), 2, 0xFFFF, 0xFFFF), (0, 0, 1));
        assert_eq!(run((9, 9), 2, 0xFFFF, 2), (0xFFFF, 0xFFFF, 0xFFFE));
        assert_eq!(run((9, 9), 2, 0x8000, 0x8000), (0, 0x4000, 0));
    }

    #[test]
    fn accumulation_carries_into_sumext() {
        assert_eq!(run((0xFFFF, 0xFFFF), 4, 1, 1), (1, 0, 0));
        assert_eq!(run((0x0001, 0xFFFF), 4, 2, 3), (0, 2, 5));
        assert_eq!(run((0, 1), 6, 0xFFFF, 2), (0xFFFF, 0xFFFF, 0xFFFF));
        assert_eq!(run((0xFFFF, 0xFFFF), 6, 1, 2), (0, 0, 1));
    }

    #[test]
    fn sumext_of_macs_is_the_sign_of_the_sum_not_of_the_product() {
        assert_eq!(run((0, 5), 6, 0xFFFF, 2), (0, 0, 3), "5 - 2");
        assert_eq!(
            run((0xFFFF, 0x0000), 6, 1, 2),
            (0xFFFF, 0xFFFF, 2),
            "-65536 + 2"
        );
    }

    #[test]
    fn the_first_operand_and_the_operation_stay() {
        let mut unit = Multiplier::default();
        unit.write(4, 10);
        for _ in 0..3 {
            unit.write(OP2, 7);
        }
        assert_eq!(unit.read(0x0A), 210);
        assert_eq!((unit.read(0), unit.read(OP2)), (10, 7));
        unit.write(0x0E, 0xAAAA);
        assert_eq!(unit.read(0x0E), 0);
    }
}
