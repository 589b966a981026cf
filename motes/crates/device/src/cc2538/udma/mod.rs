//! uDMA (0x400F_F000), SWRU319 "Micro Direct Memory Access": 32 channels, whose control structures
//! lie in RAM; basic, automatic and ping-pong transfers on request of the program, of the UARTs and
//! of the SSIs (`request.rs`). Requests of other peripherals and scatter-gather are refused by name
//! where they are switched on.
//!
//! An item takes two cycles of the bus, and a request eight for the control structure (assumed: TI
//! prints no figure).

mod request;

use super::{AccessError, Cc2538, Memory, Written, not_modelled};
use crate::Ps;
use crate::clock::Clock;
use crate::countdown::Countdown;
use request::Asked;
pub(super) use request::FifoAsks;

constants! { u32:
    STAT = 0x000,     CFG = 0x004,      CTLBASE = 0x008,     ALTBASE = 0x00C,
    WAITSTAT = 0x010, SWREQ = 0x014,    USEBURSTSET = 0x018, ENASET = 0x028,
    PRIOCLR = 0x03C,
    ERRCLR = 0x04C,   CHASGN = 0x500,   CHIS = 0x504,        CHMAP0 = 0x510,
    CHMAP3 = 0x51C,
}

/// Octets from the primary control structures to the alternate ones.
const ALTERNATE: u32 = 0x200;
/// Cycles for reading and writing back a control structure, and for an item.
const CONTROL_CYCLES: u64 = 8;
const ITEM_CYCLES: u64 = 2;
/// What a scatter-gather mode is.
const SCATTER: &str = "scatter-gather of uDMA (XFERMODE)";

// Transfer modes.
constants! { u32: AUTO = 2, PING_PONG = 3, }

/// The controller.
#[derive(Clone, Default)]
pub(super) struct Udma {
    on: bool,
    base: u32,
    /// USEBURST, REQMASK, ENA, ALT, PRIO, whose registers set and clear: one bit per channel.
    sets: [u32; 5],
    requests: u32,
    done: u32,
    error: bool,
    assign: u32,
    map: [u32; 4],
    /// What the peripherals ask for at present.
    asked: Asked,
    /// The channel that is served, until the end of its turn, and the items of that turn at most.
    turn: Option<(u32, u32)>,
    busy: Countdown,
}

/// Places in `sets`.
const USEBURST: usize = 0;
const REQMASK: usize = 1;
const ENA: usize = 2;
const ALT: usize = 3;
const PRIO: usize = 4;

impl Udma {
    pub(super) fn reset(&mut self) {
        *self = Udma::default();
    }

    pub(super) fn due(&self) -> Ps {
        self.busy.due()
    }

    /// A channel that no peripheral owns is done.
    pub(super) fn interrupt(&self) -> bool {
        self.done != 0 && self.done & !self.owned() != 0
    }

    pub(super) fn error_interrupt(&self) -> bool {
        self.error
    }

    pub(super) fn clock_changed(&mut self, clock: &Clock) {
        self.busy.reschedule(clock, true);
    }

    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            STAT => 31 << 16 | u32::from(self.on),
            CTLBASE => self.base,
            ALTBASE => self.base + ALTERNATE,
            WAITSTAT => 0,
            CFG | SWREQ => 0,
            USEBURSTSET..=PRIOCLR if offset & 4 == 0 => {
                self.sets[(offset - USEBURSTSET) as usize / 8]
            }
            USEBURSTSET..=PRIOCLR => 0,
            ERRCLR => self.error.into(),
            CHASGN => self.assign,
            CHIS => self.done,
            CHMAP0..=CHMAP3 => self.map[(offset - CHMAP0) as usize / 4],
            _ => return None,
        })
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, now: Ps, clock: &Clock) -> Written {
        match offset {
            CFG => self.on = value & 1 != 0,
            CTLBASE => self.base = value & !0x3FF,
            SWREQ if self.on => {
                self.requests |= value & self.sets[ENA];
                self.begin(now, clock);
            }
            USEBURSTSET..=PRIOCLR => {
                let set = &mut self.sets[(offset - USEBURSTSET) as usize / 8];
                if offset & 4 == 0 {
                    *set |= value;
                } else {
                    *set &= !value;
                }
                if let Some(name) = self.other_requests() {
                    return not_modelled(name);
                }
            }
            ERRCLR => self.error &= value & 1 == 0,
            CHASGN => self.assign = value,
            CHIS => self.done &= !value,
            CHMAP0..=CHMAP3 => self.map[(offset - CHMAP0) as usize / 4] = value,
            STAT | ALTBASE | WAITSTAT | SWREQ => {}
            _ => return None,
        }
        Some(Ok(()))
    }

    /// The next turn, if a channel asks.
    fn begin(&mut self, now: Ps, clock: &Clock) {
        self.next_turn(now, 0, clock);
    }

    /// The next turn, `cycles` from now: the lowest channel that asks, of those with priority first.
    fn next_turn(&mut self, now: Ps, cycles: u64, clock: &Clock) {
        let asking = self.requests | self.peripherals();
        if self.turn.is_some() || asking == 0 || !clock.running() {
            return;
        }
        let urgent = asking & self.sets[PRIO];
        let channel = if urgent != 0 { urgent } else { asking }.trailing_zeros();
        let all = (self.requests | self.asked.burst) >> channel & 1 != 0;
        self.turn = Some((channel, if all { u32::MAX } else { 1 }));
        self.busy.start(now, cycles + CONTROL_CYCLES, clock);
    }

    /// Where the control structure of a channel lies.
    fn structure(&self, channel: u32) -> u32 {
        let alternate = self.sets[ALT] >> channel & 1;
        self.base + alternate * ALTERNATE + 16 * channel
    }

    /// A turn of `channel` is over. `more`: it asks again by itself.
    fn end(&mut self, channel: u32, more: bool, cycles: u64, now: Ps, clock: &Clock) {
        self.requests = self.requests & !(1 << channel) | u32::from(more) << channel;
        self.turn = None;
        self.busy.stop();
        self.next_turn(now, cycles, clock);
    }

    /// The channel is switched off, because its control structure says so or by a bus error.
    fn stop(&mut self, channel: u32) {
        self.sets[ENA] &= !(1 << channel);
        self.requests &= !(1 << channel);
        self.turn = None;
        self.busy.stop();
    }
}

/// One item of 1, 2 or 4 octets, which moves from one end of a transfer to the other.
struct Step {
    /// log2 of its octets.
    size: u32,
    source: u32,
    target: u32,
}

/// The address of the item with `left` items after it; increment 3: always the same.
fn place(end: u32, left: u32, increment: u32) -> u32 {
    match increment {
        3 => end,
        shift => end.wrapping_sub(left << shift),
    }
}

impl Cc2538 {
    /// The turn of a channel of the uDMA ends: its items move.
    pub(super) fn serve_dma(&mut self, now: Ps, mem: &mut dyn Memory) {
        let Some((channel, most)) = self.udma.turn else {
            return;
        };
        // Its items may go through registers, which look at what is due.
        self.udma.busy.stop();
        if self.transfer(channel, most, now, mem).is_none() {
            self.udma.error = true;
            self.udma.stop(channel);
        }
    }

    /// `None`: a bus error.
    fn transfer(&mut self, channel: u32, most: u32, now: Ps, mem: &mut dyn Memory) -> Option<()> {
        let at = self.udma.structure(channel);
        let [source, target, control] = [0, 4, 8].map(|offset| word(mem, at + offset));
        let (source, target, mut control) = (source?, target?, control?);
        let mode = control & 7;
        if mode == 0 || mode > PING_PONG {
            self.udma.stop(channel);
            return Some(());
        }
        let left = (control >> 4 & 0x3FF) + 1;
        let together = 1 << (control >> 14 & 0xF).min(10);
        let turn = left.min(together).min(most);
        for item in 0..turn {
            let after = left - 1 - item;
            self.step(
                &Step {
                    size: control >> 24 & 3,
                    source: place(source, after, control >> 26 & 3),
                    target: place(target, after, control >> 30),
                },
                now,
                mem,
            )?;
        }
        let rest = left - turn;
        control &= !(0x3FF << 4);
        if rest == 0 {
            control &= !7;
            self.finish(channel, mode);
        } else {
            control |= (rest - 1) << 4;
            if rest < together {
                self.udma.sets[USEBURST] &= !(1 << channel);
            }
        }
        mem.write(at + 8, &control.to_le_bytes())?;
        let clock = self.system_clock();
        let more = rest > 0 && mode == AUTO;
        self.udma
            .end(channel, more, ITEM_CYCLES * u64::from(turn), now, &clock);
        Some(())
    }

    /// All items of a channel have moved. Ping-pong goes on with the other control structure.
    fn finish(&mut self, channel: u32, mode: u32) {
        self.udma.done |= 1 << channel;
        if mode == PING_PONG {
            self.udma.sets[ALT] ^= 1 << channel;
        } else {
            self.udma.sets[ENA] &= !(1 << channel);
        }
    }

    fn step(&mut self, step: &Step, now: Ps, mem: &mut dyn Memory) -> Option<()> {
        let octets = 1_usize << step.size.min(2);
        let mut item = [0; 4];
        if mem.read(step.source, &mut item[..octets]).is_none() {
            let value = self.read32(step.source & !3, now, mem).ok()?;
            item = (value >> (8 * (step.source & 3))).to_le_bytes();
        }
        if mem.write(step.target, &item[..octets]).is_none() {
            item[octets..].fill(0);
            let value = u32::from_le_bytes(item);
            self.write32(step.target & !3, value, now, mem).ok()?;
        }
        Some(())
    }
}

/// A mode that is switched on in a control structure in RAM cannot be refused where it is written,
/// so it is refused with the request, or when a peripheral's channel is switched on.
pub(super) fn refusal(
    udma: &Udma,
    offset: u32,
    value: u32,
    mem: &dyn Memory,
) -> Option<AccessError> {
    let value = match offset {
        SWREQ => value,
        ENASET if udma.on => value & udma.owned(),
        _ => return None,
    };
    let asked = (0..32).filter(|channel| value >> channel & 1 != 0);
    let mode = |channel| word(mem, udma.structure(channel) + 8).map_or(0, |control| control & 7);
    asked
        .map(mode)
        .any(|mode| mode > PING_PONG)
        .then_some(AccessError::NotModelled { name: SCATTER })
}

fn word(mem: &dyn Memory, addr: u32) -> Option<u32> {
    let mut octets = [0; 4];
    mem.read(addr, &mut octets)?;
    Some(u32::from_le_bytes(octets))
}
