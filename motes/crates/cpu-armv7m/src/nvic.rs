//! Which exceptions are pending, enabled and active, and with what priority: ARM DDI0403E, sections
//! B1.5 and B3.4.

/// Interrupt lines of the NVIC.
pub const INTERRUPTS: usize = 240;
/// Number of the first interrupt among the exceptions.
pub const FIRST_INTERRUPT: usize = 16;

/// Exception numbers.
pub const NMI: usize = 2;
/// HardFault.
pub const HARD_FAULT: usize = 3;
/// MemManage.
pub const MEM_MANAGE: usize = 4;
/// BusFault.
pub const BUS_FAULT: usize = 5;
/// UsageFault.
pub const USAGE_FAULT: usize = 6;
/// SVCall.
pub const SV_CALL: usize = 11;
/// PendSV.
pub const PEND_SV: usize = 14;
/// SysTick.
pub const SYS_TICK: usize = 15;

/// A priority below all that exceptions can have: thread mode.
pub const THREAD_PRIORITY: i32 = 256;

/// One bit for each of 256 exception numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set([u32; 8]);

impl Set {
    /// Whether `number` is in the set.
    pub const fn has(&self, number: usize) -> bool {
        self.0[number >> 5 & 7] >> (number & 31) & 1 != 0
    }

    /// Puts `number` in or takes it out.
    pub const fn put(&mut self, number: usize, is_in: bool) {
        let bit = 1 << (number & 31);
        if is_in {
            self.0[number >> 5 & 7] |= bit;
        } else {
            self.0[number >> 5 & 7] &= !bit;
        }
    }

    /// The numbers in the set, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0;
        words.into_iter().enumerate().flat_map(|(index, word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| 32 * index + rest.trailing_zeros() as usize)
        })
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// 32 interrupts from interrupt `32 * index`, as an NVIC register shows them.
    pub const fn interrupts(&self, index: usize) -> u32 {
        let low = self.0[index & 7] >> 16;
        let high = if index < 7 {
            self.0[index + 1] << 16
        } else {
            0
        };
        low | high
    }

    const fn and(&self, other: &Set) -> Set {
        let mut both = [0; 8];
        let mut index = 0;
        while index < 8 {
            both[index] = self.0[index] & other.0[index];
            index += 1;
        }
        Set(both)
    }
}

/// The state of all exceptions.
#[derive(Clone, Debug)]
pub struct Exceptions {
    /// Waiting to be taken.
    pub pending: Set,
    /// May be taken (system exceptions that cannot be disabled are in it).
    pub enabled: Set,
    /// Being handled, preempted handlers included.
    pub active: Set,
    /// Levels of the interrupt lines.
    pub lines: Set,
    /// Configured priorities, as written; bits that the chip lacks are 0.
    pub priority: [u8; 256],
    /// AIRCR.PRIGROUP.
    pub group: u32,
    /// Mask of the priority bits that the chip has.
    pub priority_mask: u8,
}

impl Exceptions {
    /// After reset, with so many bits of priority (1–8).
    pub fn new(priority_bits: u32) -> Exceptions {
        let mut enabled = Set::default();
        for number in [NMI, HARD_FAULT, SV_CALL, PEND_SV, SYS_TICK] {
            enabled.put(number, true);
        }
        Exceptions {
            pending: Set::default(),
            enabled,
            active: Set::default(),
            lines: Set::default(),
            priority: [0; 256],
            group: 0,
            priority_mask: !(0xff_u32 >> priority_bits.clamp(1, 8)) as u8,
        }
    }

    /// Sets a priority.
    pub fn set_priority(&mut self, number: usize, value: u8) {
        self.priority[number & 255] = value & self.priority_mask;
    }

    /// The priority that counts for preemption: without the subpriority (B1.5.4).
    pub fn group_priority(&self, number: usize) -> i32 {
        match number {
            NMI => -2,
            HARD_FAULT => -1,
            _ => i32::from(self.group_of(self.priority[number & 255])),
        }
    }

    /// A priority value without its subpriority.
    pub const fn group_of(&self, priority: u8) -> u8 {
        priority & (0xff_u32 << (self.group + 1)) as u8
    }

    /// The priority of the executing code, without regard to the mask registers.
    pub fn active_priority(&self) -> i32 {
        self.active
            .iter()
            .map(|number| self.group_priority(number))
            .min()
            .unwrap_or(THREAD_PRIORITY)
    }

    /// The pending and enabled exception that comes first: smallest priority, then subpriority,
    /// then number.
    pub fn next(&self) -> Option<usize> {
        let key = |number: usize| match number {
            NMI => -2,
            HARD_FAULT => -1,
            _ => i32::from(self.priority[number]),
        };
        self.pending
            .and(&self.enabled)
            .iter()
            .min_by_key(|number| key(*number))
    }

    /// Ends the handling of an exception; a line that is still high pends its interrupt again.
    pub fn deactivate(&mut self, number: usize) {
        self.active.put(number, false);
        if self.lines.has(number) {
            self.pending.put(number, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Exceptions, Set};

    /// Members come back in order, also across words.
    #[test]
    fn sets() {
        let mut set = Set::default();
        for number in [255, 3, 16, 31, 32, 100] {
            set.put(number, true);
        }
        set.put(100, false);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 16, 31, 32, 255]);
        assert_eq!(set.count(), 5);
        assert_eq!(set.interrupts(0), 1 | 1 << 15 | 1 << 16);
        assert_eq!(set.interrupts(7), 1 << 15);
    }

    /// With three bits and PRIGROUP 5, bits 7:6 preempt and bit 5 only orders.
    #[test]
    fn priority_groups() {
        let mut exceptions = Exceptions::new(3);
        exceptions.set_priority(20, 0xff);
        assert_eq!(exceptions.priority[20], 0xe0);
        exceptions.group = 5;
        assert_eq!(exceptions.group_priority(20), 0xc0);
        exceptions.group = 7;
        assert_eq!(exceptions.group_priority(20), 0);
    }
}
