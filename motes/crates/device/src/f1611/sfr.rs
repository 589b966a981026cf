//! Special function registers 0x00..=0x05 and the interrupt vector numbers (vector n lies at 0xFFE0
//! + 2n).

/// DMA and DAC12.
pub const VECTOR_DMA: u8 = 0;
/// Port 2.
pub const VECTOR_PORT2: u8 = 1;
/// USART1 transmit.
pub const VECTOR_USART1_TX: u8 = 2;
/// USART1 receive.
pub const VECTOR_USART1_RX: u8 = 3;
/// Port 1.
pub const VECTOR_PORT1: u8 = 4;
/// Timer_A3 CCR1, CCR2, overflow.
pub const VECTOR_TIMER_A1: u8 = 5;
/// Timer_A3 CCR0.
pub const VECTOR_TIMER_A0: u8 = 6;
/// ADC12.
pub const VECTOR_ADC12: u8 = 7;
/// USART0 transmit.
pub const VECTOR_USART0_TX: u8 = 8;
/// USART0 receive.
pub const VECTOR_USART0_RX: u8 = 9;
/// Watchdog in interval mode.
pub const VECTOR_WATCHDOG: u8 = 10;
/// Comparator_A.
pub const VECTOR_COMPARATOR: u8 = 11;
/// Timer_B7 CCR1..CCR6, overflow.
pub const VECTOR_TIMER_B1: u8 = 12;
/// Timer_B7 CCR0.
pub const VECTOR_TIMER_B0: u8 = 13;
/// NMI pin, oscillator fault, flash access violation: not masked by GIE.
pub const VECTOR_NMI: u8 = 14;

/// IE1 and IFG1: watchdog.
pub const WDT: u8 = 0x01;
/// IE1 and IFG1: oscillator fault.
pub const OF: u8 = 0x02;
/// IE1 and IFG1: NMI pin.
pub const NMI: u8 = 0x10;
/// IE1: flash access violation (its flag is in FCTL3).
pub const ACCVIE: u8 = 0x20;

/// One bit in a pair of SFRs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// 0: IE1, IFG1, ME1. 1: IE2, IFG2, ME2.
    pub bank: usize,
    /// The bit's mask.
    pub mask: u8,
}

/// Receive bit of USART0, USART1; in ME it is USPIE in SPI mode.
pub const USART_RX: [Flag; 2] = [
    Flag {
        bank: 0,
        mask: 0x40,
    },
    Flag {
        bank: 1,
        mask: 0x10,
    },
];
/// Transmit bit of USART0, USART1.
pub const USART_TX: [Flag; 2] = [
    Flag {
        bank: 0,
        mask: 0x80,
    },
    Flag {
        bank: 1,
        mask: 0x20,
    },
];

/// IE1, IE2, IFG1, IFG2, ME1, ME2.
#[derive(Clone, Debug)]
pub struct Sfr {
    /// Interrupt enable.
    pub ie: [u8; 2],
    /// Interrupt flags.
    pub ifg: [u8; 2],
    /// Module enable.
    pub me: [u8; 2],
}

impl Sfr {
    /// After power-on: OFIFG, UTXIFG0 and UTXIFG1 are set.
    pub fn new() -> Sfr {
        Sfr {
            ie: [0; 2],
            ifg: [USART_TX[0].mask | OF, USART_TX[1].mask],
            me: [0; 2],
        }
    }

    /// After a PUC: as after power-on, but WDTIFG, OFIFG and NMIIFG stay.
    pub fn reset(&mut self) {
        let kept = self.ifg[0] & (WDT | OF | NMI);
        *self = Sfr::new();
        self.ifg[0] = USART_TX[0].mask | kept;
    }

    /// Reads register 0..=5.
    pub fn read(&self, index: u16) -> u8 {
        let bank = usize::from(index & 1);
        match index >> 1 {
            0 => self.ie[bank],
            1 => self.ifg[bank],
            _ => self.me[bank],
        }
    }

    /// Writes register 0..=5.
    pub fn write(&mut self, index: u16, value: u8) {
        let bank = usize::from(index & 1);
        match index >> 1 {
            0 => self.ie[bank] = value,
            1 => self.ifg[bank] = value,
            _ => self.me[bank] = value,
        }
    }

    /// Sets or clears an interrupt flag.
    pub fn set_flag(&mut self, flag: Flag, on: bool) {
        if on {
            self.ifg[flag.bank] |= flag.mask;
        } else {
            self.ifg[flag.bank] &= !flag.mask;
        }
    }

    /// Is the module enable bit set?
    pub fn enabled(&self, flag: Flag) -> bool {
        self.me[flag.bank] & flag.mask != 0
    }

    /// The pending and enabled vectors among those whose flags are here, one bit each.
    pub fn pending(&self) -> u16 {
        let first = self.ie[0] & self.ifg[0];
        let second = self.ie[1] & self.ifg[1];
        bit(first & WDT != 0, VECTOR_WATCHDOG)
            | bit(first & USART_RX[0].mask != 0, VECTOR_USART0_RX)
            | bit(first & USART_TX[0].mask != 0, VECTOR_USART0_TX)
            | bit(first & (OF | NMI) != 0, VECTOR_NMI)
            | bit(second & USART_RX[1].mask != 0, VECTOR_USART1_RX)
            | bit(second & USART_TX[1].mask != 0, VECTOR_USART1_TX)
    }
}

impl Default for Sfr {
    fn default() -> Sfr {
        Sfr::new()
    }
}

/// The mask of one vector if `on`.
pub fn bit(on: bool, vector: u8) -> u16 {
    u16::from(on) << vector
}
