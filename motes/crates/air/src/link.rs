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
    /// Distance in metres: propagation delay and, without the two levels below, path loss.
    pub distance_m: f64,
    /// Probability that a frame is not decoded, 0 to 1.
    pub loss: f64,
    /// Path loss in dB; distance has no effect on the level.
    pub path_loss_db: Option<f64>,
    /// Fixed level at the receiver; transmit power, path loss and distance have no effect.
    pub rssi_dbm: Option<i8>,
}

impl Default for Link {
    /// Ten metres, no loss.
    fn default() -> Link {
        Link {
            audible: true,
            distance_m: 10.0,
            loss: 0.0,
            path_loss_db: None,
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
        let path = self.path_loss_db.unwrap_or_else(|| {
            medium.loss_at_1_m_db + 10.0 * config.exponent * self.distance_m.max(0.1).log10()
        });
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
    fn a_given_path_loss_is_used_as_it_is_and_a_given_level_before_it() {
        let config = AirConfig::default();
        let lossy = Link {
            path_loss_db: Some(71.4),
            ..Link::default()
        };
        let at = |link: Link, power| link.rssi_dbm(power, &OQPSK_2450, &config);
        assert_eq!((at(lossy, 0), at(lossy, -7)), (-71, -78));
        let fixed = Link {
            rssi_dbm: Some(-90),
            ..lossy
        };
        assert_eq!((at(fixed, 0), at(fixed, -7)), (-90, -90));
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
