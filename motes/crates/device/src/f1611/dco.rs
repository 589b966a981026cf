//! The digitally controlled oscillator: frequency of every RSELx/DCOx/MODx/DCOR setting of one
//! part.

/// One number of the model and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// What it is.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Unit of the value; empty for a ratio.
    pub unit: &'static str,
    /// A document, or `assumed` with the reason.
    pub source: &'static str,
}

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
pub const TYPICAL_TAP3_MHZ: [Parameter; 8] = [
    tap3("f(DCO03)", 0.12),
    tap3("f(DCO13)", 0.19),
    tap3("f(DCO23)", 0.30),
    tap3("f(DCO33)", 0.49),
    tap3("f(DCO43)", 0.77),
    tap3("f(DCO53)", 1.2),
    tap3("f(DCO63)", 1.9),
    tap3("f(DCO73)", 2.9),
];

/// f(n + 1) / f(n) between neighbouring DCO taps.
pub const TAP_RATIO: Parameter = Parameter {
    name: "S(DCO)",
    value: 1.14,
    unit: "",
    source: "assumed: inside 1.07..1.16 of the MSP430x1xx data sheets; with f(DCO73) it gives their typical f(DCO77) 4.9 MHz",
};

/// Frequency with R_OSC = 100 kΩ (DCOR = 1) over the frequency with the internal resistor.
pub const EXTERNAL_RATIO: Parameter = Parameter {
    name: "f(R_OSC 100 kΩ) / f(internal)",
    value: 2.53,
    unit: "",
    source: "assumed: 1.95 MHz over 0.77 MHz at RSEL 4, DCO 3, 3 V, figures of the MSP430x1xx data sheets, taken for all taps",
};

/// Highest frequency asked of the internal resistor by [`DcoModel::with_tap_at`]: typical f(DCO77).
const INTERNAL_LIMIT_HZ: f64 = 4.9e6;

const fn tap3(name: &'static str, value: f64) -> Parameter {
    Parameter {
        name,
        value,
        unit: "MHz",
        source: "assumed: typical value of the MSP430x1xx data sheets, 3 V, 25 °C",
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
    pub fn with_scale(scale: f64) -> DcoModel {
        let mut taps = [[[0; 8]; 8]; 2];
        for (external, ranges) in taps.iter_mut().enumerate() {
            for (rsel, range) in ranges.iter_mut().enumerate() {
                for (dco, tap) in range.iter_mut().enumerate() {
                    *tap = ((typical_hz(rsel, dco, external == 1) * scale * 1e3).round() as u64)
                        .max(1);
                }
            }
        }
        DcoModel {
            scale,
            taps,
            exact: None,
        }
    }

    /// A part of which one tap with MOD 0 hits `hz` exactly, so that firmware that calibrates its
    /// DCO against ACLK ends at that clock, if it takes the highest RSELx whose lowest tap is not
    /// above `hz` (there the modulator is finest). Above 4.9 MHz it is a tap of RSEL 7 with R_OSC,
    /// else one with the internal resistor; of the taps that such firmware finds, the one that asks
    /// the smallest deviation from the typical part is taken.
    pub fn with_tap_at(hz: f64) -> DcoModel {
        let external = hz > INTERNAL_LIMIT_HZ;
        let mut best = DcoTap {
            rsel: 7,
            dco: 3,
            modulation: 0,
            external,
        };
        let mut best_distance = f64::INFINITY;
        for rsel in if external { 7..8_u8 } else { 0..8 } {
            for dco in (1..7_u8).filter(|dco| found_from_above(rsel.into(), (*dco).into())) {
                let distance = (hz / typical_hz(rsel.into(), dco.into(), external))
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
        let mut model = DcoModel::with_scale(hz / typical_hz(rsel, dco, external));
        model.taps[usize::from(external)][rsel][dco] = ((hz * 1e3).round() as u64).max(1);
        model.exact = Some(best);
        model
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
        DcoModel::with_scale(1.0)
    }
}

/// Is the lowest tap of the next range clearly above this tap?
fn found_from_above(rsel: usize, dco: usize) -> bool {
    rsel == 7 || typical_hz(rsel + 1, 0, false) > 1.01 * typical_hz(rsel, dco, false)
}

fn typical_hz(rsel: usize, dco: usize, external: bool) -> f64 {
    let tap = TYPICAL_TAP3_MHZ[rsel].value * 1e6 * TAP_RATIO.value.powi(dco as i32 - 3);
    if external {
        tap * EXTERNAL_RATIO.value
    } else {
        tap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for model in [
            DcoModel::default(),
            DcoModel::with_tap_at(8e6),
            DcoModel::with_tap_at(4_194_304.0),
        ] {
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
        let model = DcoModel::with_tap_at(8e6);
        let tap = model.exact_tap().expect("an exact tap");
        assert!(tap.external && tap.rsel == 7 && tap.modulation == 0);
        assert_eq!(model.millihertz(tap), 8_000_000_000);
        assert!((0.9..1.1).contains(&model.scale));
    }

    #[test]
    fn two_to_the_22_hertz_needs_no_external_resistor() {
        let model = DcoModel::with_tap_at(4_194_304.0);
        let tap = model.exact_tap().expect("an exact tap");
        assert!(!tap.external && tap.rsel == 7);
        assert_eq!(model.millihertz(tap), 4_194_304_000);
        assert!((0.9..1.1).contains(&model.scale));
    }

    #[test]
    fn calibrating_firmware_finds_the_exact_tap() {
        for hz in (100_000_u32..8_100_000).step_by(7_919) {
            let model = DcoModel::with_tap_at(f64::from(hz));
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
