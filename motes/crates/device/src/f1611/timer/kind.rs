//! What makes Timer_A3 and Timer_B7 of the F1611 different.

/// What a capture input is wired to inside the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Pin of a port.
    Pin(u8, u8),
    /// ACLK.
    Aclk,
    /// The comparator's output.
    Comparator,
}

/// What makes the two timers different.
#[derive(Debug)]
pub struct Kind<const N: usize> {
    /// CCIxA and CCIxB (data sheet, timer connection tables).
    pub inputs: [[Input; 2]; N],
    /// Timer_B: selectable length, compare latches, no SCCI.
    pub latches: bool,
    /// Vector word of the overflow in TAIV, TBIV.
    pub overflow_iv: u16,
}

/// Timer_A3 of the F1611.
pub static TIMER_A3: Kind<3> = Kind {
    inputs: [
        [Input::Pin(1, 1), Input::Pin(2, 2)],
        [Input::Pin(1, 2), Input::Comparator],
        [Input::Pin(1, 3), Input::Aclk],
    ],
    latches: false,
    overflow_iv: 10,
};

/// Timer_B7 of the F1611.
pub static TIMER_B7: Kind<7> = Kind {
    inputs: [
        [Input::Pin(4, 0), Input::Pin(4, 0)],
        [Input::Pin(4, 1), Input::Pin(4, 1)],
        [Input::Pin(4, 2), Input::Pin(4, 2)],
        [Input::Pin(4, 3), Input::Pin(4, 3)],
        [Input::Pin(4, 4), Input::Pin(4, 4)],
        [Input::Pin(4, 5), Input::Pin(4, 5)],
        [Input::Pin(4, 6), Input::Aclk],
    ],
    latches: true,
    overflow_iv: 14,
};
