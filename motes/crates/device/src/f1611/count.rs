//! How a 16-bit timer counts: where it is after so many ticks, and when it reaches a value. No time
//! in here.

/// MCx of TACTL and TBCTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 0: halted.
    Stop,
    /// 1: from 0 to CCR0 and again.
    Up,
    /// 2: from 0 to the greatest count and again.
    Continuous,
    /// 3: from 0 to CCR0, back to 0, and again.
    UpDown,
}

impl Mode {
    /// From the MCx bits of the control word.
    pub fn of(control: u16) -> Mode {
        match (control >> 4) & 3 {
            0 => Mode::Stop,
            1 => Mode::Up,
            2 => Mode::Continuous,
            _ => Mode::UpDown,
        }
    }
}

/// A way to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The mode.
    pub mode: Mode,
    /// The turning point: CCR0, or the greatest count in continuous mode.
    pub top: u16,
}

/// Where a timer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// TAR or TBR.
    pub value: u16,
    /// Going down (up/down mode only).
    pub down: bool,
}

impl Shape {
    /// Ticks until the timer next counts *to* `target` (at least 1), if it ever does.
    pub fn ticks_until(self, from: Count, target: u16) -> Option<u64> {
        let (top, value, target) = (
            u64::from(self.top),
            u64::from(from.value),
            u64::from(target),
        );
        if self.mode == Mode::Stop {
            return None;
        }
        let lead_in = self.lead_in(from);
        if self.mode == Mode::UpDown && lead_in > 0 && target < value {
            return Some(value - target);
        }
        if target > top {
            return None;
        }
        let length = self.length();
        if lead_in > 0 {
            return Some(lead_in + target);
        }
        if length <= 1 {
            return None;
        }
        let position = self.position(from);
        let ahead = |goal: u64| match (goal + length - position) % length {
            0 => length,
            ticks => ticks,
        };
        let rising = ahead(target);
        Some(if self.mode == Mode::UpDown {
            rising.min(ahead((length - target) % length))
        } else {
            rising
        })
    }

    /// Where the timer is `ticks` later.
    pub fn after(self, from: Count, ticks: u64) -> Count {
        if self.mode == Mode::Stop || ticks == 0 {
            return from;
        }
        let lead_in = self.lead_in(from);
        if ticks < lead_in {
            return Count {
                value: from.value - low16(ticks),
                down: true,
            };
        }
        let length = self.length();
        let start = if lead_in > 0 { 0 } else { self.position(from) };
        let position = (start + ticks - lead_in) % length;
        let top = u64::from(self.top);
        if self.mode == Mode::UpDown && position >= top && top > 0 {
            Count {
                value: low16(length - position),
                down: true,
            }
        } else {
            Count {
                value: low16(position),
                down: false,
            }
        }
    }

    /// Ticks to get back to 0 when the value is beyond the turning point (CCR0 was made smaller):
    /// up mode rolls to 0, up/down mode counts down.
    fn lead_in(self, from: Count) -> u64 {
        match self.mode {
            _ if from.value <= self.top => 0,
            Mode::UpDown => u64::from(from.value),
            _ => 1,
        }
    }

    /// Ticks of one round; 1 for a timer that a turning point of 0 halts.
    fn length(self) -> u64 {
        match self.mode {
            Mode::UpDown => (2 * u64::from(self.top)).max(1),
            _ => u64::from(self.top) + 1,
        }
    }

    fn position(self, from: Count) -> u64 {
        if self.mode == Mode::UpDown && from.down {
            (self.length() - u64::from(from.value)) % self.length()
        } else {
            u64::from(from.value)
        }
    }
}

/// The low 16 bits of a count that is smaller than 2^16 by construction.
fn low16(value: u64) -> u16 {
    (value & 0xFFFF) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts one tick at a time, as the guide describes the modes. Tests compare the closed forms
    /// with it.
    fn tick(shape: Shape, from: Count) -> Count {
        let Count { value, down } = from;
        match shape.mode {
            Mode::Stop => from,
            Mode::Up | Mode::Continuous if value >= shape.top => Count::default(),
            Mode::Up | Mode::Continuous => Count {
                value: value + 1,
                down: false,
            },
            Mode::UpDown if shape.top == 0 && value == 0 => from,
            Mode::UpDown if value >= shape.top || (down && value > 0) => Count {
                value: value - 1,
                down: value > 1,
            },
            Mode::UpDown => Count {
                value: value + 1,
                down: value + 1 == shape.top,
            },
        }
    }

    #[test]
    fn closed_forms_agree_with_counting() {
        for mode in [Mode::Stop, Mode::Up, Mode::Continuous, Mode::UpDown] {
            for top in 0..6 {
                for value in 0..9 {
                    let shape = Shape { mode, top };
                    let start = Count { value, down: false };
                    let mut count = start;
                    let mut first_seen = [None; 10];
                    for ticks in 1..40 {
                        count = tick(shape, count);
                        let halted = top == 0 && value == 0 || mode == Mode::Stop;
                        if !halted && first_seen[usize::from(count.value)].is_none() {
                            first_seen[usize::from(count.value)] = Some(ticks);
                        }
                        assert_eq!(
                            shape.after(start, ticks).value,
                            count.value,
                            "{shape:?} {start:?} {ticks}"
                        );
                    }
                    for target in 0..10_u16 {
                        let expected = first_seen[usize::from(target)];
                        assert_eq!(
                            shape.ticks_until(start, target),
                            expected,
                            "{shape:?} {start:?} to {target}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_way_in_two_parts_is_the_whole_way() {
        for mode in [Mode::Up, Mode::Continuous, Mode::UpDown] {
            let shape = Shape { mode, top: 7 };
            for first in 0..40 {
                let between = shape.after(
                    Count {
                        value: 3,
                        down: false,
                    },
                    first,
                );
                for second in 0..40 {
                    let whole = shape.after(
                        Count {
                            value: 3,
                            down: false,
                        },
                        first + second,
                    );
                    assert_eq!(shape.after(between, second).value, whole.value);
                }
            }
        }
    }
}
