//! The F1611's bus: which access meets RAM, flash or a peripheral, at which time.

use super::flash_array::FlashArray;
use super::memory::{self, Memory, Region};
use super::outside::Outside;
use super::parts;
use super::power::LowPower;
use crate::board::BoardError;
use crate::charge::BoardMeter;
use crate::description::Description;
use crate::external_flash;
use cpu_msp430::{Bus, BusError};
use device::Ps;
use device::cc2420::RadioState;
use device::f1611::{AccessError, Clock, DmaTransfer, F1611};
use device::meter::DeviceId;

/// Cycles of MCLK that DMA takes from the CPU for an item.
const CYCLES_PER_ITEM: u64 = 2;
/// What becomes of an item with no place to go.
const LOST_ITEM: &str = "DMA writes to where neither RAM nor a register is; the item is lost";

/// How an `impl Bus` reaches memory, with all peripherals around it or with the multiplier alone.
/// The type has the field `memory`, and answers for the rest in `flash16`, `peripheral` and
/// `write_flash`. A macro, because the core runs fastest when the compiler sees one type.
macro_rules! memory_access {
    () => {
        memory_access! {
            u8: read8 write8, get8 set8, |bus: &mut Self, addr: u16| {
                bus.flash16(addr & !1).to_le_bytes()[usize::from(addr & 1)]
            }
        }
        memory_access! {
            u16: read16 write16, get16 set16, |bus: &mut Self, addr: u16| bus.flash16(addr)
        }
    };
    ($value:ty: $read:ident $write:ident, $get:ident $set:ident, $flash:expr) => {
        #[inline(always)]
        fn $read(&mut self, addr: u16) -> Result<$value, BusError> {
            match memory::region(addr) {
                Region::Ram => Ok(self.memory.$get(addr)),
                Region::Flash | Region::Information => Ok($flash(self, addr)),
                Region::RamMirror => Ok(self.memory.$get(memory::real(addr))),
                Region::Peripherals => {
                    self.peripheral(addr, |chip, now, ext| chip.$read(addr, now, ext))
                }
                Region::Unmapped => Err(BusError::Unmapped(addr)),
            }
        }

        #[inline(always)]
        fn $write(&mut self, addr: u16, value: $value) -> Result<(), BusError> {
            match memory::region(addr) {
                Region::Ram | Region::RamMirror => {
                    self.memory.$set(memory::real(addr), value);
                    Ok(())
                }
                Region::Peripherals => {
                    self.peripheral(addr, |chip, now, ext| chip.$write(addr, value, now, ext))
                }
                Region::Flash | Region::Information => {
                    self.write_flash(addr, value.into(), size_of::<$value>() == 2)
                }
                Region::Unmapped => Err(BusError::Unmapped(addr)),
            }
        }
    };
}
pub(crate) use memory_access;

/// Memory, chip and what is around it, as the CPU meets them.
#[derive(Clone)]
pub(super) struct F1611Bus {
    pub memory: Memory,
    pub flash: FlashArray,
    pub chip: F1611,
    pub outside: Outside,
    pub meter: BoardMeter<LowPower>,
    radio: DeviceId,
    /// The external flash, from the moment on that the program first selects it.
    external_flash: Option<DeviceId>,
    /// The SHT11, from the moment on that it first has power.
    sht11: Option<DeviceId>,
    /// The CPU clock since its last change.
    pub clock: Clock,
    /// Number of clock edges minus number of CPU cycles. It grows while the CPU sleeps or waits for
    /// flash.
    pub lag: u64,
    /// CPU cycles at the first edge of the present instruction. All its accesses take place then:
    /// up to five cycles early, always by the same number for the same instruction.
    pub cycle: u64,
    /// Address of the present instruction.
    pub instruction: u16,
    /// A peripheral was accessed: deadlines, clocks and interrupts may be different now.
    pub touched: bool,
    /// The CPU is held by the flash controller until then.
    pub held_until: Option<Ps>,
    /// The flash controller may be busy while code runs from RAM.
    pub flash_busy: bool,
    /// Why the chip refused the last access.
    pub refusal: Option<AccessError>,
}

impl F1611Bus {
    /// A chip with this memory, on this board, at power-on.
    pub fn new(
        memory: Memory,
        chip: F1611,
        board: &Description,
        identity: u64,
    ) -> Result<F1611Bus, BoardError> {
        let clock = chip.mclk();
        let mut meter = BoardMeter::new(board, LowPower::ACTIVE)?;
        let radio = meter.add("cc2420", RadioState::Off.name());
        Ok(F1611Bus {
            memory,
            flash: FlashArray::default(),
            chip,
            outside: Outside::new(board, meter.supply_v(), identity)?,
            meter,
            radio,
            external_flash: None,
            sht11: None,
            clock,
            lag: 0,
            cycle: 0,
            instruction: 0,
            touched: false,
            held_until: None,
            flash_busy: false,
            refusal: None,
        })
    }

    /// When the CPU's cycle number `cycle` begins.
    pub fn time_of(&self, cycle: u64) -> Ps {
        self.clock.time_of(cycle + self.lag)
    }

    /// The earliest moment at which a device does something by itself.
    pub fn deadline(&self) -> Option<Ps> {
        let due = [
            self.chip.deadline(),
            self.outside.wired.radio.deadline(),
            self.outside.serial.deadline(),
            self.outside.parts.deadline(),
            self.outside
                .flash
                .as_ref()
                .and_then(|flash| flash.flash.deadline()),
        ];
        due.into_iter().flatten().min()
    }

    /// Runs the devices until `now`, in order of time. `since` is the time they have reached: an
    /// event that was due earlier happens at `since`. If events have the same time, the radio's comes
    /// first, so that a timer captures the new level of its pins, and a line's comes last.
    pub fn advance(&mut self, since: Ps, now: Ps) {
        let mut last = since;
        loop {
            let due = self.deadline();
            let Some(at) = due.map(|at| at.max(last)).filter(|at| *at <= now) else {
                break;
            };
            last = at;
            if self.outside.wired.radio.deadline() == due {
                self.outside.wired.radio.advance(at);
            } else if self.chip.deadline() == due {
                self.chip.advance(at, &mut self.outside);
            } else {
                self.outside.follow_lines(at, &mut self.chip);
                self.outside.parts.advance(at);
                if let Some(flash) = &mut self.outside.flash {
                    flash.flash.advance(at);
                }
            }
            self.move_items(at);
            self.settle(at);
        }
    }

    /// Moves what DMA has a trigger for. The CPU stands still meanwhile.
    #[inline]
    fn move_items(&mut self, now: Ps) {
        while self.chip.transfers() {
            let Some(transfer) = self.chip.take_transfer() else {
                break;
            };
            self.move_item(transfer, now);
            self.lag += CYCLES_PER_ITEM;
        }
    }

    fn move_item(&mut self, transfer: DmaTransfer, now: Ps) {
        let DmaTransfer {
            source,
            target,
            octets: (read_octet, write_octet),
        } = transfer;
        let even = |address: u16, octet: bool| if octet { address } else { address & !1 };
        let (source, target) = (even(source, read_octet), even(target, write_octet));
        let (chip, outside) = (&mut self.chip, &mut self.outside);
        let value = match memory::region(source) {
            Region::Peripherals if read_octet => chip.read8(source, now, outside).map(u16::from),
            Region::Peripherals => chip.read16(source, now, outside),
            Region::Unmapped => Err(AccessError::Unmapped(source)),
            _ if read_octet => Ok(self.memory.get8(memory::real(source)).into()),
            _ => Ok(self.memory.get16(memory::real(source))),
        };
        let value = value.unwrap_or(0xFFFF);
        let written = match memory::region(target) {
            Region::Peripherals if write_octet => chip.write8(target, value as u8, now, outside),
            Region::Peripherals => chip.write16(target, value, now, outside),
            Region::Ram | Region::RamMirror if write_octet => {
                self.memory.set8(memory::real(target), value as u8);
                Ok(())
            }
            Region::Ram | Region::RamMirror => {
                self.memory.set16(memory::real(target), value);
                Ok(())
            }
            _ => Err(AccessError::Unmapped(target)),
        };
        if written.is_err() {
            self.outside.misuse.push((now, LOST_ITEM));
        }
    }

    /// Pins and meter after something happened at `now`.
    pub fn settle(&mut self, now: Ps) {
        self.outside.propagate(now, &mut self.chip);
        let state = self.outside.wired.radio.state();
        self.meter.set(now, self.radio, state.name());
        let flash = self.outside.flash.as_ref();
        if let Some(flash) = flash.filter(|flash| flash.known) {
            let state = flash.flash.state().name();
            let id = *self
                .external_flash
                .get_or_insert_with(|| self.meter.add_at(now, external_flash::PART, state));
            self.meter.set(now, id, state);
        }
        if let Some(state) = self.outside.parts.sht11_state() {
            let id = *self
                .sht11
                .get_or_insert_with(|| self.meter.add_at(now, parts::SHT11, state));
            self.meter.set(now, id, state);
        }
    }

    /// An access to the peripheral space by the present instruction.
    #[inline(never)]
    fn peripheral<T>(
        &mut self,
        addr: u16,
        access: impl FnOnce(&mut F1611, Ps, &mut Outside) -> Result<T, AccessError>,
    ) -> Result<T, BusError> {
        let now = self.time_of(self.cycle);
        self.touched = true;
        self.outside.cycle = self.cycle;
        let outcome = access(&mut self.chip, now, &mut self.outside);
        if self.outside.wired.touched || self.outside.parts.touched {
            self.settle(now);
        }
        self.move_items(now);
        if self.chip.take_mclk_change() {
            self.follow_clock(now);
        }
        outcome.map_err(|refusal| {
            self.refusal = Some(refusal);
            BusError::Refused(addr)
        })
    }

    /// Takes over the chip's new CPU clock at `now`. The CPU's cycle that begins then keeps its
    /// number.
    pub fn follow_clock(&mut self, now: Ps) {
        self.clock = self.chip.mclk();
        self.lag = self.clock.next_cycle(now).saturating_sub(self.cycle);
        self.meter.clock(now, self.clock.mhz);
    }

    /// The CPU writes into the flash array.
    #[inline(never)]
    fn write_flash(&mut self, addr: u16, value: u16, wide: bool) -> Result<(), BusError> {
        let now = self.time_of(self.cycle);
        self.touched = true;
        let outcome = self.chip.flash_write(now, addr).map_err(|refusal| {
            self.refusal = Some(refusal);
            BusError::Refused(addr)
        })?;
        let octets = &value.to_le_bytes()[..if wide { 2 } else { 1 }];
        self.flash
            .write(&mut self.memory, now, addr, octets, outcome);
        if matches!(
            memory::region(self.instruction),
            Region::Flash | Region::Information
        ) {
            self.held_until = Some(outcome.busy_until);
        } else {
            self.flash_busy = true;
        }
        Ok(())
    }

    /// Code in RAM reads flash. If the controller is busy, returns the value that it reads instead.
    #[inline(never)]
    fn read_busy_flash(&mut self) -> Option<u16> {
        let now = self.time_of(self.cycle);
        if self.chip.flash_busy_until(now).is_none() {
            self.flash_busy = false;
            return None;
        }
        self.touched = true;
        Some(self.chip.flash_read_while_busy(now))
    }

    #[inline(always)]
    fn flash16(&mut self, addr: u16) -> u16 {
        if self.flash_busy
            && let Some(word) = self.read_busy_flash()
        {
            return word;
        }
        self.memory.get16(addr)
    }
}

impl Bus for F1611Bus {
    memory_access!();

    #[inline(always)]
    fn fetch(&mut self, addr: u16) -> Result<u16, BusError> {
        match memory::region(addr) {
            Region::Flash => {
                let word = self.flash16(addr);
                if word == 0xFFFF && addr == self.instruction {
                    return Err(BusError::NotExecutable(addr));
                }
                Ok(word)
            }
            Region::Ram => Ok(self.memory.get16(addr)),
            Region::RamMirror => Ok(self.memory.get16(memory::real(addr))),
            Region::Information => Ok(self.flash16(addr)),
            Region::Peripherals | Region::Unmapped => Err(BusError::NotExecutable(addr)),
        }
    }
}
