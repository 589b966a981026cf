//! Requests of peripherals, SWRU319 "Micro Direct Memory Access", channel assignments: which
//! peripheral owns a channel, and what UARTs and SSIs ask for. A request for a burst moves as many
//! items as the control structure has for a turn (ARBSIZE); a single request moves one. The end of
//! a transfer is told on the line of the peripheral that owns the channel.

use super::{ENA, REQMASK, USEBURST, Udma};
use crate::Ps;
use crate::cc2538::Cc2538;
use crate::clock::Clock;

/// One bit per channel: at least one item can move; as many as a burst has can.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    pub(super) single: u32,
    pub(super) burst: u32,
}

/// What a FIFO asks of the uDMA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cc2538) struct FifoAsks {
    /// An item can move.
    pub(in crate::cc2538) single: bool,
    /// The FIFO is beyond its trigger level.
    pub(in crate::cc2538) burst: bool,
}

/// A peripheral whose FIFOs have channels.
#[derive(Clone, Copy)]
enum Fifos {
    Uart(u8),
    Ssi(u8),
}

/// Channel of its receiver (the transmitter's follows), selection in CHMAP, and the peripheral.
const OWNERS: [(u32, u32, Fifos); 6] = [
    (8, 0, Fifos::Uart(0)),
    (8, 1, Fifos::Uart(1)),
    (10, 0, Fifos::Ssi(0)),
    (10, 1, Fifos::Ssi(1)),
    (22, 0, Fifos::Uart(1)),
    (24, 0, Fifos::Ssi(1)),
];
/// All channels in it.
const OWNED: u32 = 0x03C0_0F00;

const OF_TIMERS: &str = "uDMA on request of a general-purpose timer";
const OF_ADC: &str = "uDMA on request of the ADC";
const OF_FLASH: &str = "uDMA on request of the flash controller";
const OF_RF: &str = "uDMA on request of the RF core";
const OF_USB: &str = "uDMA on request of USB";

/// Channels, selection, and whose requests are not modelled.
const OTHERS: [(u32, u32, &str); 10] = [
    (0x0000_0001, 4, OF_USB),
    (0x0000_0002, 4, OF_ADC),
    (0x0000_0004, 4, OF_FLASH),
    (0x6000_0018, 4, OF_RF),
    (0x0000_00FC, 1, OF_TIMERS),
    (0x0003_C000, 0, OF_ADC),
    (0x0000_C000, 1, OF_TIMERS),
    (0x003C_0000, 0, OF_TIMERS),
    (0x000C_0000, 1, OF_TIMERS),
    (0x0F00_0000, 1, OF_ADC),
];

impl Udma {
    /// What CHMAP, or the older CHASGN, selects for a channel.
    fn selection(&self, channel: u32) -> u32 {
        match self.map[channel as usize / 8] >> (4 * (channel % 8)) & 0xF {
            0 => self.assign >> channel & 1,
            selection => selection,
        }
    }

    /// Channels that are on and listen to their peripheral.
    fn listening(&self) -> u32 {
        self.sets[ENA] & !self.sets[REQMASK]
    }

    /// Does it matter what UARTs and SSIs ask for?
    #[inline]
    pub(in crate::cc2538) fn listens(&self) -> bool {
        self.on && self.listening() & OWNED != 0
    }

    /// A channel that is on listens to a peripheral whose requests are not modelled.
    pub(super) fn other_requests(&self) -> Option<&'static str> {
        let listening = self.listening();
        let heard = |channels: u32, selection: u32| {
            let channels = channels & listening;
            (0..32)
                .any(|channel| channels >> channel & 1 != 0 && self.selection(channel) == selection)
        };
        let named = |(channels, selection, name)| heard(channels, selection).then_some(name);
        OTHERS.into_iter().find_map(named)
    }

    fn owners(&self) -> impl Iterator<Item = (u32, Fifos)> {
        OWNERS
            .into_iter()
            .flat_map(|(receiver, selection, fifos)| {
                [receiver, receiver + 1].map(|channel| (channel, selection, fifos))
            })
            .filter(|(channel, selection, _)| self.selection(*channel) == *selection)
            .map(|(channel, _, fifos)| (channel, fifos))
    }

    /// Channels that a UART or an SSI owns.
    pub(super) fn owned(&self) -> u32 {
        self.owners()
            .fold(0, |channels, (channel, _)| channels | 1 << channel)
    }

    /// Channels whose peripheral asks for a turn.
    pub(super) fn peripherals(&self) -> u32 {
        let single = self.asked.single & !self.sets[USEBURST];
        (self.asked.burst | single) & self.listening()
    }

    /// What the peripherals ask for from now on.
    fn ask(&mut self, asked: Asked, now: Ps, clock: &Clock) {
        self.asked = asked;
        self.begin(now, clock);
    }

    /// UARTs and SSIs whose transfer is done: one bit for each, UART0, UART1, SSI0, SSI1.
    pub(in crate::cc2538) fn told(&self) -> u32 {
        if self.done & OWNED == 0 {
            return 0;
        }
        let done = self
            .owners()
            .filter(|(channel, _)| self.done >> channel & 1 != 0);
        done.fold(0, |told, (_, fifos)| match fifos {
            Fifos::Uart(number) => told | 1 << number,
            Fifos::Ssi(number) => told | 4 << number,
        })
    }
}

impl Cc2538 {
    /// Brings what UARTs and SSIs ask for to the uDMA.
    pub(in crate::cc2538) fn follow_requests(&mut self) {
        let mut asked = Asked::default();
        for (channel, fifos) in self.udma.owners() {
            let both = match fifos {
                Fifos::Uart(number) => self.uarts[usize::from(number)].asks(),
                Fifos::Ssi(number) => self.ssis[usize::from(number)].asks(),
            };
            let FifoAsks { single, burst } = both[channel as usize & 1];
            asked.single |= u32::from(single) << channel;
            asked.burst |= u32::from(burst) << channel;
        }
        let clock = self.system.system_clock();
        self.udma.ask(asked, self.last, &clock);
    }
}
