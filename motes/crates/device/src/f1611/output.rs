//! The output unit of a timer's capture/compare unit: OUTMODx decides what EQUx and EQU0 do to
//! OUTx.

const OUT: u16 = 0x0004;

fn mode(control: u16) -> u16 {
    (control >> 5) & 7
}

/// Does EQUx move the output?
pub fn in_use(control: u16) -> bool {
    mode(control) != 0
}

/// Does EQU0 move the output?
pub fn uses_zero_unit(control: u16) -> bool {
    matches!(mode(control), 2 | 3 | 6 | 7)
}

/// The control word after a count at which EQUx (`equal`) and EQU0 (`zero`) may be true. EQUx comes
/// last: where both are true at once it decides.
pub fn after_event(control: u16, equal: bool, zero: bool) -> u16 {
    let mode = mode(control);
    let mut level = control & OUT != 0;
    if zero {
        level = match mode {
            2 | 3 => false,
            6 | 7 => true,
            _ => level,
        };
    }
    if equal {
        level = match mode {
            1 | 3 => true,
            2 | 4 | 6 => !level,
            5 | 7 => false,
            _ => level,
        };
    }
    (control & !OUT) | if level { OUT } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_does_what_its_name_says() {
        let run = |mode: u16, level: bool, equal, zero| {
            after_event(mode << 5 | if level { OUT } else { 0 }, equal, zero) & OUT != 0
        };
        for level in [false, true] {
            assert_eq!(run(0, level, true, true), level, "OUT bit");
            assert!(run(1, level, true, false), "set");
            assert_eq!(run(2, level, true, false), !level, "toggle/reset");
            assert!(!run(2, level, false, true), "toggle/reset");
            assert!(
                run(3, level, true, false) && !run(3, level, false, true),
                "set/reset"
            );
            assert_eq!(run(4, level, true, false), !level, "toggle");
            assert!(!run(5, level, true, false), "reset");
            assert_eq!(run(6, level, true, false), !level, "toggle/set");
            assert!(run(6, level, false, true), "toggle/set");
            assert!(
                !run(7, level, true, false) && run(7, level, false, true),
                "reset/set"
            );
            assert_eq!(
                run(4, level, false, true),
                level,
                "EQU0 does not matter to toggle"
            );
        }
    }
}
