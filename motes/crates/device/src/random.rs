//! Arbitrary numbers that follow from a seed.

/// SplitMix64: the next number of the sequence that `state` stands in. Good enough to fill memory,
/// to draw phases and to make noise; not for secrets.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::split_mix;

    #[test]
    fn the_published_sequence_from_seed_1234567() {
        let mut state = 1_234_567;
        let numbers = [(); 3].map(|()| split_mix(&mut state));
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(numbers, published);
    }
}
