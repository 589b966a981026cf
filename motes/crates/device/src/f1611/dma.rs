//! The DMA controller with three channels (SLAU049, "DMA Controller"): single, block and burst-block
//! transfers, once or repeated, on the rising edge of a trigger. The chip says which octet or word
//! moves next; the board moves it, because memory is the board's. Level-sensitive triggers, NMI
//! priority and round robin are refused by name, DMAE0 and I2C never trigger.

use super::sfr::{Sfr, USART_RX, USART_TX};

// A channel's registers, by their words from 0x1E0 on.
constants! { u16: CTL = 0, SA = 1, DA = 2, }

constants! { u16:
    REQ = 0x0001, ABORT = 0x0002, IE = 0x0004, IFG = 0x0008, EN = 0x0010, LEVEL = 0x0020,
    SRCBYTE = 0x0040, DSTBYTE = 0x0080,
}

// Trigger sources: the program, and flags.
constants! { pub u8:
    REQUEST = 0, TACCR2 = 1, TBCCR2 = 2, URX0 = 3, UTX0 = 4, DAC12 = 5, ADC12 = 6, TACCR0 = 7, TBCCR0 = 8,
    URX1 = 9, UTX1 = 10, CHAIN = 14,
}

/// One octet or word to be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DmaTransfer {
    /// Where it comes from.
    pub source: u16,
    /// Where it goes.
    pub target: u16,
    /// Only an octet is read, or written.
    pub octets: (bool, bool),
}

#[derive(Clone, Copy, Debug, Default)]
struct Channel {
    control: u16,
    source: u16,
    target: u16,
    size: u16,
    /// Where the transfer has come to.
    at: (u16, u16),
    left: u16,
    /// A trigger waits to be served; of a block all of it.
    wanted: bool,
}

impl Channel {
    fn mode(&self) -> u16 {
        self.control >> 12 & 7
    }

    /// EN has risen, or the transfer begins anew.
    fn reload(&mut self) {
        (self.at, self.left) = ((self.source, self.target), self.size);
    }
}

fn advance(address: u16, increment: u16, octet: bool) -> u16 {
    let step = if octet { 1 } else { 2 };
    match increment & 3 {
        2 => address.wrapping_sub(step),
        3 => address.wrapping_add(step),
        _ => address,
    }
}

/// The controller.
#[derive(Clone, Debug, Default)]
pub struct Dma {
    triggers: u16,
    options: u16,
    channels: [Channel; 3],
    /// Levels of the triggers when they were looked at last.
    levels: u16,
}

impl Dma {
    /// A PUC stops all channels.
    pub fn reset(&mut self) {
        *self = Dma::default();
    }

    /// Is a channel enabled? Then triggers matter.
    pub fn active(&self) -> bool {
        self.channels
            .iter()
            .any(|channel| channel.control & EN != 0)
    }

    /// Does a trigger wait to be served?
    #[inline]
    pub fn wants(&self) -> bool {
        self.channels.iter().any(|channel| channel.wanted)
    }

    /// Is an interrupt pending and enabled?
    pub fn pending(&self) -> bool {
        self.channels
            .iter()
            .any(|channel| channel.control & (IE | IFG) == IE | IFG)
    }

    /// Reads DMACTL0 (0) or DMACTL1 (1).
    pub fn read_control(&self, register: u16) -> u16 {
        if register == 0 {
            self.triggers
        } else {
            self.options
        }
    }

    /// Writes DMACTL0 or DMACTL1; what is not modelled comes back by name.
    pub fn write_control(&mut self, register: u16, value: u16) -> Result<(), &'static str> {
        if register == 0 {
            self.triggers = value & 0x0FFF;
        } else if value & 0x0003 != 0 {
            return Err("round robin, and DMA that an NMI interrupts (DMACTL1)");
        } else {
            self.options = value & 0x0004;
        }
        Ok(())
    }

    /// Reads a register of a channel, by its word from 0x1E0 on.
    pub fn read(&self, word: u16) -> u16 {
        let channel = &self.channels[usize::from(word / 4).min(2)];
        match word % 4 {
            CTL => channel.control,
            SA => channel.source,
            DA => channel.target,
            _ if channel.control & EN != 0 => channel.left,
            _ => channel.size,
        }
    }

    /// Writes one; what is not modelled comes back by name.
    pub fn write(&mut self, word: u16, value: u16) -> Result<(), &'static str> {
        let number = usize::from(word / 4).min(2);
        let channel = &mut self.channels[number];
        match word % 4 {
            CTL if value & LEVEL != 0 && value & EN != 0 => {
                return Err("a level-sensitive trigger of DMA (DMALEVEL)");
            }
            CTL => {
                let enabled = channel.control & EN == 0 && value & EN != 0;
                channel.control = value & !(REQ | ABORT);
                if enabled {
                    channel.reload();
                }
                if value & EN == 0 {
                    channel.wanted = false;
                }
                if value & REQ != 0 {
                    self.trigger(REQUEST);
                }
            }
            SA => channel.source = value,
            DA => channel.target = value,
            _ => channel.size = value,
        }
        Ok(())
    }

    /// The channels that wait for this source have their trigger.
    fn trigger(&mut self, source: u8) {
        for (number, channel) in self.channels.iter_mut().enumerate() {
            let selected = (self.triggers >> (4 * number) & 0xF) as u8;
            if channel.control & EN != 0 && channel.left > 0 && selected == source {
                channel.wanted = true;
            }
        }
    }

    /// The levels of all triggers, one bit each by its number. Rising ones start transfers.
    pub fn look(&mut self, levels: u16) {
        let rising = levels & !self.levels;
        self.levels = levels;
        for source in (0..16).filter(|source| rising >> source & 1 != 0) {
            self.trigger(source);
        }
    }

    /// The next item to be moved, and the trigger whose flag it resets. Lower channels come first.
    pub fn next(&mut self) -> Option<(DmaTransfer, u8)> {
        let number = self.channels.iter().position(|channel| channel.wanted)?;
        let source = (self.triggers >> (4 * number) & 0xF) as u8;
        let channel = &mut self.channels[number];
        let octets = (
            channel.control & SRCBYTE != 0,
            channel.control & DSTBYTE != 0,
        );
        let transfer = DmaTransfer {
            source: channel.at.0,
            target: channel.at.1,
            octets,
        };
        channel.at.0 = advance(channel.at.0, channel.control >> 8, octets.0);
        channel.at.1 = advance(channel.at.1, channel.control >> 10, octets.1);
        channel.left -= 1;
        channel.wanted = channel.mode() & 3 != 0 && channel.left > 0;
        if channel.left == 0 {
            channel.control |= IFG;
            if channel.mode() & 4 == 0 {
                channel.control &= !EN;
            }
            channel.reload();
            // The flag of this channel triggers the next one.
            let next = number + 1;
            if next < 3 && (self.triggers >> (4 * next) & 0xF) as u8 == CHAIN {
                self.channels[next].wanted = self.channels[next].control & EN != 0;
            }
        }
        // A transfer may set its own trigger anew, which is an edge then.
        self.levels &= !(1 << source);
        Some((transfer, source))
    }
}

/// The levels of the USARTs' triggers. One whose interrupt is enabled triggers nothing.
pub fn usart_levels(sfr: &Sfr) -> u16 {
    let flags = [
        (USART_RX[0], URX0),
        (USART_TX[0], UTX0),
        (USART_RX[1], URX1),
        (USART_TX[1], UTX1),
    ];
    let set = |bank: usize, mask: u8| sfr.ifg[bank] & !sfr.ie[bank] & mask != 0;
    flags
        .into_iter()
        .filter(|(flag, _)| set(flag.bank, flag.mask))
        .fold(0, |levels, (_, source)| levels | 1 << source)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SZ: u16 = 3;

    const SINGLE: u16 = 0x0F00;
    const BLOCK: u16 = 0x1F00;
    const REPEATED_SINGLE: u16 = 0x4F00;

    fn channel(dma: &mut Dma, number: u16, control: u16, size: u16) {
        let first = 4 * number;
        let registers = [(SA, 0x1100), (DA, 0x1200), (SZ, size), (CTL, control | EN)];
        for (register, value) in registers {
            dma.write(first + register, value).expect("modelled");
        }
    }

    fn places(dma: &mut Dma) -> Vec<(u16, u16)> {
        std::iter::from_fn(|| dma.next())
            .map(|(transfer, _)| (transfer.source, transfer.target))
            .collect()
    }

    #[test]
    fn a_single_transfer_moves_one_item_a_trigger() {
        let mut dma = Dma::default();
        dma.write_control(0, u16::from(URX1)).expect("modelled");
        channel(&mut dma, 0, SINGLE | IE, 2);
        assert!(dma.active() && places(&mut dma).is_empty());
        dma.look(1 << URX1);
        assert_eq!(places(&mut dma), [(0x1100, 0x1200)]);
        assert_eq!(dma.read(SZ), 1, "one is left");
        dma.look(0);
        dma.look(1 << URX1);
        assert_eq!(places(&mut dma), [(0x1102, 0x1202)]);
        assert!(dma.pending() && !dma.active());
        assert_eq!((dma.read(CTL) & (EN | IFG), dma.read(SZ)), (IFG, 2));
    }

    #[test]
    fn a_block_moves_whole_and_octets_count_by_one() {
        let mut dma = Dma::default();
        channel(&mut dma, 1, BLOCK | SRCBYTE | DSTBYTE | REQ, 3);
        let expected = [(0x1100, 0x1200), (0x1101, 0x1201), (0x1102, 0x1202)];
        assert_eq!(places(&mut dma), expected);
        assert_eq!(dma.read(4 + CTL) & (EN | IFG), IFG);
    }

    #[test]
    fn a_repeated_transfer_begins_anew_and_addresses_go_down() {
        let mut dma = Dma::default();
        channel(&mut dma, 0, REPEATED_SINGLE & !0x0100, 1);
        for _ in 0..2 {
            let control = dma.read(CTL);
            dma.write(CTL, control | REQ).expect("modelled");
            assert_eq!(places(&mut dma), [(0x1100, 0x1200)]);
        }
        assert!(dma.active());
        assert_eq!(advance(0x1100, 2, false), 0x10FE);
        assert_eq!(advance(0x1100, 1, true), 0x1100);
    }

    #[test]
    fn channels_have_their_order_and_one_triggers_the_next() {
        let mut dma = Dma::default();
        dma.write_control(0, u16::from(CHAIN) << 4)
            .expect("modelled");
        channel(&mut dma, 1, SINGLE, 1);
        channel(&mut dma, 0, SINGLE | REQ, 1);
        assert_eq!(places(&mut dma).len(), 2);
        dma.reset();
        assert!(!dma.active());
    }

    #[test]
    fn a_level_that_stays_triggers_once_and_what_is_absent_is_named() {
        let mut dma = Dma::default();
        dma.write_control(0, u16::from(UTX0)).expect("modelled");
        dma.look(1 << UTX0);
        channel(&mut dma, 0, SINGLE, 4);
        dma.look(1 << UTX0);
        assert!(places(&mut dma).is_empty(), "no edge");
        assert!(dma.write(CTL, EN | LEVEL).is_err());
        assert!(dma.write_control(1, 2).is_err());
    }
}
