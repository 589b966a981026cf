//! The digitally controlled oscillator: frequency of every RSELx/DCOx/MODx/DCOR setting of one
//! part. Its steps are the chip's: 8 ranges of 8 taps, and 32 steps of the modulator between two
//! taps, 0.4 % each.
//!
//! The modulator mixes cycles of two neighbouring taps in a pattern of 32. Here each of the 32
//! cycles has the mean length. An edge inside the pattern is less than 0.2 cycles away from the
//! chip's edge, because the taps are 14 % apart.

/// A setting of the DCO: DCOCTL, BCSCTL1.RSELx and BCSCTL2.DCOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DcoTap {
    /// RSELx, 0..=7: nominal frequency range.
    pub rsel: u8,
    /// DCOx, 0..=7: tap within the range.
    pub dco: u8,
    /// MODx, 0..=31: how many of 32 cycles use tap DCOx + 1.
    pub modulation: u8,
    /// DCOR: the external resistor R_OSC instead of the internal one.
    pub external: bool,
}

/// Typical frequency with the internal resistor at DCO tap 3, MOD 0, 3 V, 25 °C, by RSELx, in MHz.
const TYPICAL_TAP3_MHZ: [f64; 8] = [0.12, 0.19, 0.30, 0.49, 0.77, 1.2, 1.9, 2.9];

/// What all parts have in common; parameters of [`super::F1611Config`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DcoFigures {
    /// Frequencies over the typical ones of the data sheet.
    pub typical: f64,
    /// f(n + 1) / f(n) between neighbouring DCO taps.
    pub tap_ratio: f64,
    /// Frequency with R_OSC = 100 kΩ over the frequency with the internal resistor.
    pub external_ratio: f64,
}

impl DcoFigures {
    /// Frequency of a tap of the typical part.
    fn hz(&self, rsel: usize, dco: usize, external: bool) -> f64 {
        let tap3 = TYPICAL_TAP3_MHZ[rsel] * 1e6 * self.typical;
        let tap = tap3 * self.tap_ratio.powi(dco as i32 - 3);
        if external {
            tap * self.external_ratio
        } else {
            tap
        }
    }

    /// Is the lowest tap of the next range clearly above this tap?
    fn found_from_above(&self, rsel: usize, dco: usize) -> bool {
        rsel == 7 || self.hz(rsel + 1, 0, false) > 1.01 * self.hz(rsel, dco, false)
    }

    /// The highest frequency with the internal resistor.
    fn internal_limit_hz(&self) -> f64 {
        self.hz(7, 7, false)
    }
}

impl Default for DcoFigures {
    fn default() -> DcoFigures {
        DcoFigures {
            typical: 1.0,
            tap_ratio: 1.14,
            external_ratio: 2.53,
        }
    }
}

/// The DCO of one part.
#[derive(Clone, Debug, PartialEq)]
pub struct DcoModel {
    /// This part's frequencies over the typical ones.
    pub scale: f64,
    /// Tap frequencies in millihertz: resistor (internal, external), RSELx, DCOx.
    taps: [[[u64; 8]; 8]; 2],
    exact: Option<DcoTap>,
}

impl DcoModel {
    /// A part that runs at `scale` times the typical frequencies.
    pub fn with_scale(scale: f64, figures: &DcoFigures) -> DcoModel {
        let mut taps = [[[0; 8]; 8]; 2];
        for (external, ranges) in taps.iter_mut().enumerate() {
            for (rsel, range) in ranges.iter_mut().enumerate() {
                for (dco, tap) in range.iter_mut().enumerate() {
                    *tap = millihertz(figures.hz(rsel, dco, external == 1) * scale);
                }
            }
        }
        DcoModel {
            scale,
            taps,
            exact: None,
        }
    }

    /// A part that has a tap with MOD 0 exactly at `hz`. Firmware that calibrates its DCO against
    /// ACLK then ends at that clock, if it takes the highest RSELx whose lowest tap is not above
    /// `hz` (there the modulator is finest). For a clock that the internal resistor cannot reach,
    /// this is a tap of RSEL 7 with R_OSC; otherwise it is a tap with the internal resistor. Of all
    /// taps that such firmware can find, the part has the one with the smallest deviation from the
    /// typical part.
    pub fn with_tap_at(hz: f64, figures: &DcoFigures) -> DcoModel {
        let external = hz > figures.internal_limit_hz();
        let mut best = DcoTap {
            rsel: 7,
            dco: 3,
            modulation: 0,
            external,
        };
        let mut best_distance = f64::INFINITY;
        for rsel in if external { 7..8_u8 } else { 0..8 } {
            for dco in (1..7_u8).filter(|dco| figures.found_from_above(rsel.into(), (*dco).into()))
            {
                let distance = (hz / figures.hz(rsel.into(), dco.into(), external))
                    .ln()
                    .abs();
                if distance < best_distance {
                    best = DcoTap {
                        rsel,
                        dco,
                        modulation: 0,
                        external,
                    };
                    best_distance = distance;
                }
            }
        }
        let (rsel, dco) = (usize::from(best.rsel), usize::from(best.dco));
        let mut model = DcoModel::with_scale(hz / figures.hz(rsel, dco, external), figures);
        model.taps[usize::from(external)][rsel][dco] = millihertz(hz);
        model.exact = Some(best);
        model
    }

    /// The same part with all frequencies multiplied. No tap is then exactly at the requested
    /// clock.
    #[must_use]
    pub fn times(mut self, factor: f64) -> DcoModel {
        if (factor - 1.0).abs() < f64::EPSILON {
            return self;
        }
        for tap in self.taps.as_flattened_mut().as_flattened_mut() {
            *tap = millihertz(*tap as f64 * 1e-3 * factor);
        }
        self.scale *= factor;
        self.exact = None;
        self
    }

    /// The setting that hits the frequency given to [`DcoModel::with_tap_at`].
    pub fn exact_tap(&self) -> Option<DcoTap> {
        self.exact
    }

    /// Frequency of a setting in millihertz. Modulation is averaged over its pattern of 32 cycles:
    /// 32 - MOD of tap DCOx and MOD of tap DCOx + 1; the highest tap has no next one and is not
    /// modulated.
    pub fn millihertz(&self, tap: DcoTap) -> u64 {
        let range = &self.taps[usize::from(tap.external)][usize::from(tap.rsel & 7)];
        let low = range[usize::from(tap.dco & 7)];
        let modulation = u64::from(tap.modulation & 31);
        if tap.dco >= 7 || modulation == 0 {
            return low;
        }
        let high = range[usize::from(tap.dco & 7) + 1];
        let periods = u128::from((32 - modulation) * high + modulation * low);
        let mean = (32 * u128::from(low) * u128::from(high) + periods / 2) / periods;
        u64::try_from(mean).unwrap_or(u64::MAX)
    }
}

impl Default for DcoModel {
    /// The typical part.
    fn default() -> DcoModel {
        DcoModel::with_scale(1.0, &DcoFigures::default())
    }
}

fn millihertz(hz: f64) -> u64 {
    ((hz * 1e3).round() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_for(hz: f64) -> DcoModel {
        DcoModel::with_tap_at(hz, &DcoFigures::default())
    }

    fn settings(external: bool, rsel: u8) -> impl Iterator<Item = DcoTap> {
        (0..8).flat_map(move |dco| {
            let last = if dco == 7 { 1 } else { 32 };
            (0..last).map(move |modulation| DcoTap {
                rsel,
                dco,
                modulation,
                external,
            })
        })
    }

    #[test]
    fn frequency_rises_with_mod_dco_and_rsel() {
        for model in [DcoModel::default(), made_for(8e6), made_for(4_194_304.0)] {
            for external in [false, true] {
                for rsel in 0..8 {
                    let range: Vec<u64> = settings(external, rsel)
                        .map(|tap| model.millihertz(tap))
                        .collect();
                    assert!(range.is_sorted_by(|a, b| a < b), "RSEL {rsel}");
                }
                for rsel in 0..7 {
                    for (low, high) in settings(external, rsel).zip(settings(external, rsel + 1)) {
                        assert!(model.millihertz(low) < model.millihertz(high));
                    }
                }
            }
        }
    }

    #[test]
    fn a_part_with_a_tap_at_eight_megahertz_hits_it_exactly() {
        let model = made_for(8e6);
        let tap = model.exact_tap().expect("an exact tap");
        assert!(tap.external && tap.rsel == 7 && tap.modulation == 0);
        assert_eq!(model.millihertz(tap), 8_000_000_000);
        assert!((0.9..1.1).contains(&model.scale));
    }

    #[test]
    fn two_to_the_22_hertz_needs_no_external_resistor() {
        let model = made_for(4_194_304.0);
        let tap = model.exact_tap().expect("an exact tap");
        assert!(!tap.external && tap.rsel == 7);
        assert_eq!(model.millihertz(tap), 4_194_304_000);
        assert!((0.9..1.1).contains(&model.scale));
    }

    #[test]
    fn calibrating_firmware_finds_the_exact_tap() {
        for hz in (100_000_u32..8_100_000).step_by(7_919) {
            let model = made_for(f64::from(hz));
            let exact = model.exact_tap().expect("an exact tap");
            assert!(
                (0.85..1.2).contains(&model.scale),
                "{hz} Hz: {}",
                model.scale
            );
            let target = u64::from(hz) * 1_000;
            let highest = DcoTap {
                rsel: 7,
                dco: 7,
                modulation: 0,
                external: false,
            };
            let external = model.millihertz(highest) < target;
            let lowest = |rsel| DcoTap {
                rsel,
                dco: 0,
                modulation: 0,
                external,
            };
            let rsel = (0..8)
                .rev()
                .find(|&rsel| model.millihertz(lowest(rsel)) <= target)
                .unwrap_or(0);
            let found = settings(external, rsel)
                .filter(|tap| model.millihertz(*tap) <= target + target / 512)
                .last();
            assert_eq!(found, Some(exact), "{hz} Hz");
            assert_eq!(model.millihertz(exact), target);
        }
    }

    #[test]
    fn the_typical_part_spans_what_the_data_sheet_says() {
        let top = DcoTap {
            rsel: 7,
            dco: 7,
            modulation: 0,
            external: false,
        };
        let model = DcoModel::default();
        assert!((4_700_000_000..5_100_000_000).contains(&model.millihertz(top)));
        assert!(
            model.millihertz(DcoTap {
                external: true,
                ..top
            }) > 8_000_000_000
        );
    }

    #[test]
    fn a_step_of_the_modulator_is_a_32nd_of_a_tap_and_a_part_may_be_off() {
        let exact = made_for(8e6);
        let tap = exact.exact_tap().expect("an exact tap");
        let off = made_for(8e6).times(1.2);
        assert_eq!(off.exact_tap(), None);
        assert_eq!(off.millihertz(tap), 9_600_000_000);
        for modulation in 0..31 {
            let at = |modulation| exact.millihertz(DcoTap { modulation, ..tap }) as f64;
            let step = at(modulation + 1) / at(modulation);
            assert!((1.0035..1.0055).contains(&step), "MOD {modulation}: {step}");
        }
    }

    #[test]
    fn half_modulation_is_the_mean_of_two_periods() {
        let model = DcoModel::default();
        let at = |dco, modulation| {
            model.millihertz(DcoTap {
                rsel: 5,
                dco,
                modulation,
                external: false,
            }) as f64
        };
        let mean = 2.0 / (1.0 / at(3, 0) + 1.0 / at(4, 0));
        assert!((at(3, 16) - mean).abs() <= 1.0);
    }
}
