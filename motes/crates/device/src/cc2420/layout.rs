//! Which octets of a frame an in-line operation reads and writes, cut into AES blocks.

use super::engine::Setup;
use super::registers::SecMode;

/// What one step does.
#[derive(Clone)]
pub(super) enum Op {
    /// CBC-MAC over `prefix[..length]`, then the octets, zero padded.
    Mac { prefix: [u8; 16], length: usize },
    /// Keystream block `counter` over the octets.
    Crypt { counter: u16 },
    /// The octets are the MIC: written when sending, compared when receiving; in CCM encrypted with
    /// counter 0.
    Tag { encrypted: bool },
}

/// One AES block over FIFO octets `from..to`; only a plain tag takes none.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Octets at the start of the frame that do not change after this step; 0: as before.
    pub(super) ready: usize,
}

/// FIFO indices of the parts of a frame; index 0 is the length octet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// End of the octets before m (or before the authenticated octets of CBC-MAC).
    pub(super) clear_end: usize,
    /// End of m.
    pub(super) message_end: usize,
    /// End of the MIC.
    pub(super) mic_end: usize,
}

impl Layout {
    /// The layout of a frame of PHY length `length`. Lengths that do not fit are cut, m first, then
    /// the octets before.
    pub(super) fn new(setup: &Setup, length: usize) -> Layout {
        let mic_end = 1 + length.saturating_sub(2);
        let mic = match setup.mode {
            SecMode::CbcMac | SecMode::Ccm => setup.mic_octets(),
            SecMode::Disabled | SecMode::Ctr => 0,
        };
        let message_end = mic_end.saturating_sub(mic).max(1);
        Layout {
            clear_end: (1 + setup.clear).min(message_end),
            message_end,
            mic_end,
        }
    }

    /// The steps in the order in which the engine does them. A sender authenticates m before it
    /// encrypts it; a receiver does the reverse.
    pub(super) fn steps(&self, setup: &Setup) -> Vec<Step> {
        let mut steps = Vec::new();
        match setup.mode {
            SecMode::Ccm => self.ccm(setup, &mut steps),
            SecMode::CbcMac => {
                let octets = self.message_end - self.clear_end;
                let head: &[u8] = if setup.cbc_head { &[octets as u8] } else { &[] };
                mac_steps(&mut steps, head, self.clear_end, self.message_end);
            }
            SecMode::Ctr => {
                for (index, from) in (self.clear_end..self.message_end).step_by(16).enumerate() {
                    steps.push(self.crypt(setup, index, from));
                }
            }
            SecMode::Disabled => {}
        }
        let encrypted = setup.mode == SecMode::Ccm;
        steps.push(Step {
            op: Op::Tag { encrypted },
            from: self.message_end,
            to: self.mic_end,
            ready: self.mic_end,
        });
        steps
    }

    fn ccm(&self, setup: &Setup, steps: &mut Vec<Step>) {
        let b0 = setup.b0((self.message_end - self.clear_end) as u16);
        steps.push(Step {
            op: Op::Mac {
                prefix: b0,
                length: 16,
            },
            from: 0,
            to: 0,
            ready: 0,
        });
        let clear = self.clear_end - 1;
        if clear > 0 {
            mac_steps(steps, &(clear as u16).to_be_bytes(), 1, self.clear_end);
        }
        for (index, from) in (self.clear_end..self.message_end).step_by(16).enumerate() {
            let to = (from + 16).min(self.message_end);
            let mac = Step {
                op: Op::Mac {
                    prefix: [0; 16],
                    length: 0,
                },
                from,
                to,
                ready: 0,
            };
            let crypt = self.crypt(setup, index, from);
            steps.extend(if setup.receive {
                [crypt, mac]
            } else {
                [mac, crypt]
            });
        }
    }

    fn crypt(&self, setup: &Setup, index: usize, from: usize) -> Step {
        let to = (from + 16).min(self.message_end);
        Step {
            op: Op::Crypt {
                counter: setup.block_counter().wrapping_add(index as u16),
            },
            from,
            to,
            ready: to,
        }
    }
}

/// CBC-MAC blocks over `head` and the octets `from..to`.
fn mac_steps(steps: &mut Vec<Step>, head: &[u8], from: usize, to: usize) {
    let (mut prefix, mut length, mut from) = ([0; 16], head.len(), from);
    prefix[..length].copy_from_slice(head);
    while from < to || length > 0 {
        let end = (from + 16 - length).min(to);
        steps.push(Step {
            op: Op::Mac { prefix, length },
            from,
            to: end,
            ready: end,
        });
        (prefix, length, from) = ([0; 16], 0, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(mode: SecMode, clear: usize, sec_m: u8) -> Setup {
        Setup {
            mode,
            receive: false,
            key_in_ram: [0; 16],
            nonce_in_ram: [0; 16],
            clear,
            sec_m,
            cbc_head: true,
        }
    }

    fn blocks(setup: &Setup, length: usize) -> usize {
        let steps = Layout::new(setup, length).steps(setup);
        steps
            .iter()
            .filter(|step| !matches!(step.op, Op::Tag { encrypted: false }))
            .count()
    }

    #[test]
    fn block_counts_of_the_data_sheet_and_of_802_15_4_frames() {
        // SWRS041 table 8: l(a) 50, l(m) 69, MIC 8 is 222 us, 16 blocks.
        assert_eq!(blocks(&setup(SecMode::Ccm, 50, 3), 50 + 69 + 8 + 2), 16);
        // 127-octet frames: level 5 with 2- and 14-octet ASH, levels 1, 2, 3; and a 33-octet
        // acknowledgement.
        assert_eq!(blocks(&setup(SecMode::Ccm, 23, 1), 127), 18);
        assert_eq!(blocks(&setup(SecMode::Ccm, 35, 1), 127), 17);
        assert_eq!(blocks(&setup(SecMode::Ccm, 121, 1), 127), 10);
        assert_eq!(blocks(&setup(SecMode::Ccm, 117, 3), 127), 10);
        assert_eq!(blocks(&setup(SecMode::Ccm, 109, 7), 127), 9);
        assert_eq!(blocks(&setup(SecMode::Ccm, 27, 1), 33), 4);
        // Table 8, CBC-MAC 98 octets: 99 us, 7 blocks with the length octet.
        assert_eq!(blocks(&setup(SecMode::CbcMac, 17, 5), 17 + 98 + 12 + 2), 7);
        assert_eq!(blocks(&setup(SecMode::Ctr, 3, 0), 3 + 33 + 2), 3);
    }

    #[test]
    fn lengths_that_do_not_fit_are_cut() {
        let layout = Layout::new(&setup(SecMode::Ccm, 100, 7), 20);
        assert_eq!(
            layout,
            Layout {
                clear_end: 3,
                message_end: 3,
                mic_end: 19
            }
        );
        let layout = Layout::new(&setup(SecMode::Ccm, 100, 7), 0);
        assert_eq!(
            layout,
            Layout {
                clear_end: 1,
                message_end: 1,
                mic_end: 1
            }
        );
        let layout = Layout::new(&setup(SecMode::Ctr, 5, 0), 3);
        assert_eq!(
            layout,
            Layout {
                clear_end: 2,
                message_end: 2,
                mic_end: 2
            }
        );
    }
}
