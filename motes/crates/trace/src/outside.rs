//! Everything outside the core that an instruction can reach, as one argument.

use crate::Tracer;

/// A bus, and the tracer that watches it.
pub trait Outside {
    /// The bus.
    type Bus;
    /// The tracer.
    type Tracer: Tracer;

    /// The bus.
    fn bus(&mut self) -> &mut Self::Bus;

    /// The tracer.
    fn tracer(&mut self) -> &mut Self::Tracer;

    /// Both at once.
    fn parts(&mut self) -> Watched<'_, Self::Bus, Self::Tracer>;
}

/// A bus and its tracer as one argument.
#[derive(Debug)]
pub struct Watched<'a, B, T> {
    /// The bus.
    pub bus: &'a mut B,
    /// The tracer.
    pub tracer: &'a mut T,
}

impl<B, T: Tracer> Outside for Watched<'_, B, T> {
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
