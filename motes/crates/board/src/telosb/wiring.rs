//! What is soldered to the F1611 on a TelosB, and the pins that are watched.
//!
//! | pin | to |
//! | --- | --- |
//! | USART0 P3.1–P3.3 | SPI of CC2420 and of the M25P80 flash |
//! | P4.2, P4.5, P4.6 | CC2420 CSn, VREG_EN, RESETn |
//! | P1.0, P1.3, P1.4, P4.1 | from CC2420 FIFOP, FIFO, CCA, SFD (P4.1 is capture input TB1) |
//! | P4.4 | M25P80 CSn: the flash is not modelled, every octet reads 0xFF |

use crate::board::Edge;
use device::Ps;
use device::cc2420::{Cc2420, Cc2420Pins};
use device::f1611::{External, F1611};

/// Pins whose edges are recorded: the marks of the firmware on the expansion connector (GIO0–GIO3,
/// ADC0).
const WATCHED: [(u8, u8); 5] = [(2, 0), (2, 1), (2, 3), (2, 6), (6, 0)];

/// The USART with the SPI bus.
const SPI_USART: u8 = 0;

/// Everything outside the F1611.
pub(super) struct Wiring {
    pub radio: Cc2420,
    pub edges: Vec<Edge>,
    /// CPU cycles at the instruction that may move a pin.
    pub cycle: u64,
    /// The radio was told something: its pins may have moved.
    pub stirred: bool,
    radio_selected: bool,
    pins: Cc2420Pins,
}

impl Wiring {
    pub fn new(radio: Cc2420) -> Wiring {
        Wiring {
            radio,
            edges: Vec::new(),
            cycle: 0,
            stirred: true,
            radio_selected: false,
            pins: Cc2420Pins {
                fifo: true,
                fifop: true,
                cca: true,
                sfd: true,
            },
        }
    }

    /// Tells the chip which of the radio's pins have moved. They begin as "all high", so that the
    /// first call after power-on drives every one of them.
    pub fn propagate(&mut self, now: Ps, chip: &mut F1611) {
        self.stirred = false;
        let (old, new) = (self.pins, self.radio.pins());
        if old == new {
            return;
        }
        self.pins = new;
        // SFD first: it is the one whose time is captured.
        let wires = [
            (4, 1, old.sfd, new.sfd),
            (1, 3, old.fifo, new.fifo),
            (1, 0, old.fifop, new.fifop),
            (1, 4, old.cca, new.cca),
        ];
        for (port, bit, before, level) in wires {
            if before != level {
                chip.set_input(now, port, bit, level);
            }
        }
    }
}

impl External for Wiring {
    fn pin_output(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        match (port, bit) {
            (4, 2) => {
                self.radio_selected = !level;
                self.radio.set_csn(now, level);
                self.stirred = true;
            }
            (4, 5) => {
                self.radio.set_vreg_en(now, level);
                self.stirred = true;
            }
            (4, 6) => {
                self.radio.set_resetn(now, level);
                self.stirred = true;
            }
            pin if WATCHED.contains(&pin) => {
                self.edges.push(Edge {
                    port,
                    bit,
                    level,
                    cycle: self.cycle,
                    at: now,
                });
            }
            _ => {}
        }
    }

    fn spi_byte(&mut self, now: Ps, usart: u8, mosi: u8) -> u8 {
        if usart != SPI_USART || !self.radio_selected {
            return 0xFF;
        }
        self.stirred = true;
        self.radio.spi_byte(now, mosi)
    }
}
