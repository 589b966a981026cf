//! Radios that meet in the medium, driven as the simulation drives them: quanta, transmitters
//! first.

use air::Air;
use device::air::{AirIn, AirOut};
use device::{OQPSK_2450, Ps};

/// A radio without CPU.
pub trait Radio {
    fn on_air(&self) -> bool;
    fn advance(&mut self, now: Ps);
    fn take_air(&mut self, out: &mut Vec<AirOut>);
    fn hear(&mut self, event: AirIn);
}

/// Radios and the medium.
pub struct Motes<R> {
    pub radios: Vec<R>,
    pub air: Air,
    pub now: Ps,
}

impl<R: Radio> Motes<R> {
    /// These radios in this medium, at time 0.
    pub fn meet(radios: Vec<R>, mut air: Air) -> Motes<R> {
        for _ in &radios {
            air.add_mote(Some(&OQPSK_2450));
        }
        Motes {
            radios,
            air,
            now: Ps::ZERO,
        }
    }

    /// Lets `micros` microseconds pass.
    pub fn run(&mut self, micros: u64) {
        let end = self.now + Ps::from_micros(micros);
        while self.now < end {
            let next = Ps((self.now + OQPSK_2450.lookahead).0.min(end.0));
            let mut order: Vec<usize> = (0..self.radios.len()).collect();
            order.sort_by_key(|&index| !self.radios[index].on_air());
            for index in order {
                self.radios[index].advance(next);
                self.hand_over(index);
            }
            self.now = next;
        }
    }

    fn hand_over(&mut self, from: usize) {
        let (mut sent, mut heard) = (Vec::new(), Vec::new());
        self.radios[from].take_air(&mut sent);
        for event in sent {
            self.air.transmit(from, event, &mut heard);
        }
        for (to, event) in heard {
            self.radios[to].hear(event);
        }
    }
}
