//! Registers of system control.

use super::{AMP_DET, Effect, OSC, OSC_PD, OSC32K, OSC32K_CALDIS, ROWS, SystemControl};
use crate::Ps;
use crate::cc2538::{Cc2538Config, ResetCause, Written, not_modelled};

constants! { u32:
    CLOCK_CTRL = 0x00, CLOCK_STA = 0x04,  FIRST_GATE = 0x08, LAST_GATE = 0x54,  PMCTL = 0x58,
    SRCRC = 0x5C,      PWRDBG = 0x74,     CLD = 0x80,        IWE = 0x94,        I_MAP = 0x98,
    RCGCRFC = 0xA8,    DCGCRFC = 0xB0,    EMUOVR = 0xB4,
}

const CLOCK_WRITABLE: u32 = OSC32K_CALDIS | OSC32K | AMP_DET | OSC_PD | OSC | 0x707;

constants! { u32:
    STA_SYNC_32K = 1 << 26,      STA_SOURCE_CHANGE = 1 << 20, STA_XOSC_STB = 1 << 19,
    STA_HSOSC_STB = 1 << 18,     STA_RST_SHIFT = 22,
}

const FORCE_WARM_RESET: u32 = 1 << 3;

/// Writable bits of each row: GPT, SSI, UART, I2C, security.
const ROW_BITS: [u32; ROWS] = [0xF, 0x3, 0x3, 0x1, 0x3];
const SECURITY_ROW: usize = 4;

impl SystemControl {
    /// Reads the register at `offset`; `slow` gives the level of the 32 kHz clock, which only
    /// CLOCK_STA holds.
    pub(in crate::cc2538) fn read(&self, offset: u32, slow: impl FnOnce() -> bool) -> Option<u32> {
        Some(match offset {
            CLOCK_CTRL => self.control,
            CLOCK_STA => self.status(slow()),
            FIRST_GATE..=LAST_GATE => {
                let place = (offset - FIRST_GATE) / 4;
                self.rows[place as usize / 4][place as usize % 4]
            }
            PMCTL => self.pmctl,
            SRCRC => self.srcrc,
            PWRDBG => 0,
            CLD => self.cld,
            IWE => self.iwe,
            I_MAP => self.i_map,
            RCGCRFC..=DCGCRFC => self.rf_gates[(offset - RCGCRFC) as usize / 4],
            EMUOVR => self.emuovr,
            _ => return None,
        })
    }

    fn status(&self, slow: bool) -> u32 {
        let change = (self.current ^ self.control) & OSC != 0;
        let both = self.xosc_stable() && self.rcosc_on && self.control & OSC_PD == 0;
        let reset = match self.cause {
            ResetCause::PowerOn => 0,
            ResetCause::External => 1,
            ResetCause::Watchdog => 2,
            ResetCause::Software => 3,
        };
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        self.control & (OSC32K_CALDIS | OSC32K)
            | self.current & (OSC | 0x707)
            | flag(slow, STA_SYNC_32K)
            | reset << STA_RST_SHIFT
            | flag(change, STA_SOURCE_CHANGE)
            | flag(self.xosc_stable(), STA_XOSC_STB)
            | flag(self.rcosc_on, STA_HSOSC_STB)
            | flag(!both, OSC_PD)
    }

    /// Writes the register at `offset`; `None`: there is none.
    pub(in crate::cc2538) fn write(
        &mut self,
        offset: u32,
        value: u32,
        now: Ps,
        config: &Cc2538Config,
    ) -> Written<Effect> {
        let mut effect = Effect::None;
        match offset {
            CLOCK_CTRL => {
                self.control = value & CLOCK_WRITABLE;
                self.settle(now, config);
                effect = Effect::Clocks;
            }
            CLOCK_STA => {}
            FIRST_GATE..=LAST_GATE => {
                let place = (offset - FIRST_GATE) / 4;
                effect = self.write_gate(place as usize / 4, place as usize % 4, value);
            }
            PMCTL => self.pmctl = value & 3,
            SRCRC => self.srcrc = value & 0x101,
            PWRDBG if value & FORCE_WARM_RESET != 0 => effect = Effect::Restart,
            PWRDBG => {}
            CLD if value & 1 != 0 => {
                return not_modelled("clock loss detection (CLD.EN)");
            }
            CLD => {}
            IWE => self.iwe = value & 0x3F,
            I_MAP => self.i_map = value & 1,
            RCGCRFC..=DCGCRFC => {
                self.rf_gates[(offset - RCGCRFC) as usize / 4] = value & 1;
                effect = Effect::Clocks;
            }
            EMUOVR => self.emuovr = value & 0xFF,
            _ => return None,
        }
        Some(Ok(effect))
    }

    fn write_gate(&mut self, row: usize, column: usize, value: u32) -> Effect {
        let withheld = self.security_withheld && (row, column) == (SECURITY_ROW, 0);
        let bits = if withheld { 0 } else { ROW_BITS[row] };
        let old = std::mem::replace(&mut self.rows[row][column], value & bits);
        let raised = self.rows[row][column] & !old;
        if column == 3 && raised != 0 {
            Effect::ModuleReset(row as u32, raised)
        } else {
            Effect::Clocks
        }
    }
}
