//! The pins between ports, timers and USARTs (SLAS368, pin functions).

use super::port::{Outputs, Port};
use super::usart::Wiring;
use super::{External, F1611, Trigger};
use crate::Ps;

/// Pins with a Timer_A or Timer_B output, by port.
const TIMER_PINS: [u8; 6] = [0xEE, 0x98, 0, 0x7F, 0, 0];

/// The six ports after power-on.
pub fn ports() -> [Port; 6] {
    std::array::from_fn(|n| Port::new(n < 2, TIMER_PINS[n]))
}

/// Which pins USART `n` has: USART0 P3.1 SIMO, P3.2 SOMI, P3.3 UCLK, P3.4 UTXD, P3.5 URXD; USART1
/// P5.1, P5.2, P5.3, P3.6, P3.7.
pub fn usart_wiring(ports: &[Port; 6], n: usize) -> Wiring {
    let (spi, utxd) = if n == 0 {
        (ports[2].sel(), 0x10)
    } else {
        (ports[4].sel(), 0x40)
    };
    Wiring {
        simo_and_clock: spi & 0x0A == 0x0A,
        somi: spi & 0x04 != 0,
        utxd: ports[2].sel() & utxd != 0,
        urxd: ports[2].sel() & (utxd << 1) != 0,
    }
}

/// Timer_A's outputs at ports 1 and 2: OUT0 P1.1 P1.5 P2.7, OUT1 P1.2 P1.6 P2.3, OUT2 P1.3 P1.7
/// P2.4.
fn timer_a_levels(outputs: u8) -> [u8; 2] {
    let port1 = outputs << 1 | outputs << 5;
    let port2 = (outputs & 1) << 7 | (outputs & 6) << 2;
    [port1, port2]
}

impl F1611 {
    /// Pin `port`.`bit` (ports 1..=6, bits 0..=7) is driven to `level` from outside, from `now` on;
    /// initially all are low. [`F1611::advance`] has been called up to this moment.
    pub fn set_input(&mut self, now: Ps, port: u8, bit: u8, level: bool) {
        let index = usize::from(port.wrapping_sub(1));
        assert!(
            index < self.ports.len() && bit < 8,
            "there is no pin P{port}.{bit}"
        );
        self.last = self.last.max(now);
        self.ports[index].set_outside(1 << bit, level);
        self.tell_modules(index, self.last);
        self.follow_comparator(self.last);
        self.refresh();
    }

    /// The level the chip drives at pin `port`.`bit`, if it does and the level is one of PxOUT or
    /// of a timer.
    pub fn driven(&self, port: u8, bit: u8) -> Option<bool> {
        let index = usize::from(port.wrapping_sub(1));
        assert!(
            index < self.ports.len() && bit < 8,
            "there is no pin P{port}.{bit}"
        );
        self.ports[index].driven(1 << bit)
    }

    /// Tells the outside what a port has changed, and the timers what they see at its pins.
    pub(super) fn tell_outputs(
        &mut self,
        index: usize,
        outputs: Outputs,
        now: Ps,
        ext: &mut impl External,
    ) {
        for bit in (0..8).filter(|bit| outputs.changed >> bit & 1 != 0) {
            ext.pin_output(now, index as u8 + 1, bit, outputs.level >> bit & 1 != 0);
        }
        for bit in (0..8).filter(|bit| outputs.released >> bit & 1 != 0) {
            ext.pin_released(now, index as u8 + 1, bit);
        }
        self.tell_modules(index, now);
    }

    /// Carries changed timer outputs to the ports.
    pub(super) fn tell_timer_outputs(&mut self, now: Ps, ext: &mut impl External) {
        let outputs = [self.timer_a.outputs(), self.timer_b.outputs()];
        if outputs == self.timer_outputs {
            return;
        }
        self.trigger_adc(outputs, now);
        self.trigger_dac(outputs);
        self.timer_outputs = outputs;
        let [port1, port2] = timer_a_levels(outputs[0]);
        for (index, level) in [(0, port1), (1, port2), (3, outputs[1])] {
            let changed = self.ports[index].set_module_level(TIMER_PINS[index], level);
            self.tell_outputs(index, changed, now, ext);
        }
    }

    /// Carries changed timer outputs to the ADC12.
    fn trigger_adc(&mut self, outputs: [u8; 2], now: Ps) {
        let changed = [0, 1].map(|n| outputs[n] ^ self.timer_outputs[n]);
        for (trigger, timer, bit) in [
            (Trigger::TimerA1, 0, 2),
            (Trigger::TimerB0, 1, 1),
            (Trigger::TimerB1, 1, 2),
        ] {
            if changed[timer] & bit != 0 {
                let level = outputs[timer] & bit != 0;
                self.adc.trigger(trigger, level, now, self.clocks.sources());
            }
        }
    }

    fn tell_modules(&mut self, index: usize, now: Ps) {
        let levels = self.ports[index].module_input();
        match index {
            0 | 1 => self
                .timer_a
                .pins(index as u8 + 1, levels, now, self.clocks.sources()),
            3 => self.timer_b.pins(4, levels, now, self.clocks.sources()),
            _ => {}
        }
    }
}
