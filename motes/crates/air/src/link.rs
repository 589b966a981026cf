//! Distance, loss and level between two motes.

use device::Ps;
use device::air::Medium;

/// Speed of light in m/s.
const LIGHT: f64 = 299_792_458.0;

/// One direction between two motes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// False: not even energy arrives.
    pub audible: bool,
    /// Distance in metres: propagation delay and, without `rssi_dbm`, path loss.
    pub distance_m: f64,
    /// Probability that a frame is not decoded, 0 to 1.
    pub loss: f64,
    /// Fixed level at the receiver; transmit power and distance have no effect.
    pub rssi_dbm: Option<i8>,
}

impl Default for Link {
    /// Ten metres, no loss.
    fn default() -> Link {
        Link {
            audible: true,
            distance_m: 10.0,
            loss: 0.0,
            rssi_dbm: None,
        }
    }
}

/// Properties of the medium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirConfig {
    /// Link between motes whose link nobody has set.
    pub link: Link,
    /// Path loss exponent. Default: 2, free space.
    pub exponent: f64,
}

impl Default for AirConfig {
    fn default() -> AirConfig {
        AirConfig {
            link: Link::default(),
            exponent: 2.0,
        }
    }
}

impl Link {
    /// Time of flight.
    pub fn delay(&self) -> Ps {
        Ps((self.distance_m.max(0.0) / LIGHT * 1e12).round() as u64)
    }

    /// Level at the receiver, limited to −128..=20 dBm.
    pub fn rssi_dbm(&self, power_dbm: i8, medium: &Medium, config: &AirConfig) -> i8 {
        let path =
            medium.loss_at_1_m_db + 10.0 * config.exponent * self.distance_m.max(0.1).log10();
        self.rssi_dbm
            .unwrap_or((f64::from(power_dbm) - path).round().clamp(-128.0, 20.0) as i8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device::OQPSK_2450;

    #[test]
    fn level_falls_by_6_db_when_distance_doubles() {
        let config = AirConfig::default();
        let at = |distance_m| {
            Link {
                distance_m,
                ..Link::default()
            }
            .rssi_dbm(0, &OQPSK_2450, &config)
        };
        assert_eq!((at(1.0), at(10.0), at(20.0)), (-40, -60, -66));
        assert_eq!(at(1e9), -128);
    }

    #[test]
    fn light_needs_3336_ps_per_metre() {
        assert_eq!(
            Link {
                distance_m: 1.0,
                ..Link::default()
            }
            .delay(),
            Ps(3_336)
        );
    }
}
