//! What an instruction reaches outside the core, as one argument.

use crate::bus::Bus;
use trace::Tracer;

/// The bus, and the tracer that watches it.
pub(crate) trait Outside {
    type Bus: Bus;
    type Tracer: Tracer;

    fn bus(&mut self) -> &mut Self::Bus;
    fn tracer(&mut self) -> &mut Self::Tracer;
    fn parts(&mut self) -> Watched<'_, Self::Bus, Self::Tracer>;
}

/// A bus and its tracer as one argument.
pub(crate) struct Watched<'a, B, T> {
    pub bus: &'a mut B,
    pub tracer: &'a mut T,
}

impl<B: Bus, T: Tracer> Outside for Watched<'_, B, T> {
    type Bus = B;
    type Tracer = T;

    #[inline(always)]
    fn bus(&mut self) -> &mut B {
        self.bus
    }

    #[inline(always)]
    fn tracer(&mut self) -> &mut T {
        self.tracer
    }

    #[inline(always)]
    fn parts(&mut self) -> Watched<'_, B, T> {
        let Watched { bus, tracer } = self;
        Watched { bus, tracer }
    }
}
