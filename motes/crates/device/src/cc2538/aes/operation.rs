//! One AES operation in steps of blocks: ECB, CBC, CTR, CBC-MAC and CCM (RFC 3610).

use super::key_store::Cipher;

/// How blocks are chained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Ecb,
    Cbc,
    /// With a counter of this many octets at the end of the block.
    Ctr(usize),
    CbcMac,
    /// M' = (M − 2) / 2 and L, the octets of the length field and of the counter.
    Ccm {
        m: u8,
        l: usize,
    },
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// CCM: B_0.
    First,
    /// CCM: a block of a, this many octets.
    Associated(usize),
    /// A block of data, this many octets.
    Data(usize),
    /// CCM: encrypts the tag.
    Tag,
}

impl Step {
    /// Octets that DMA must bring for it.
    pub(super) fn octets(self) -> usize {
        match self {
            Step::Associated(octets) | Step::Data(octets) => octets,
            Step::First | Step::Tag => 0,
        }
    }
}

/// An operation that has begun.
#[derive(Clone)]
pub(super) struct Operation {
    mode: Mode,
    encrypt: bool,
    /// IV, previous block, or counter block.
    chain: [u8; 16],
    mac: [u8; 16],
    /// CCM: A_0.
    first: [u8; 16],
    started: bool,
    a_length: usize,
    a_left: usize,
    m_left: usize,
    /// CCM without any data.
    empty: bool,
    finished: bool,
}

impl Operation {
    /// From the context registers. In CCM `iv` is A_0.
    pub(super) fn new(
        mode: Mode,
        encrypt: bool,
        iv: [u8; 16],
        a_length: usize,
        m_length: usize,
    ) -> Operation {
        let ccm = matches!(mode, Mode::Ccm { .. });
        let mut operation = Operation {
            mode,
            encrypt,
            chain: iv,
            mac: if ccm { [0; 16] } else { iv },
            first: iv,
            started: !ccm,
            a_length: if ccm { a_length } else { 0 },
            a_left: if ccm { a_length } else { 0 },
            m_left: m_length,
            empty: ccm && a_length == 0 && m_length == 0,
            finished: false,
        };
        if let Mode::Ccm { m, l } = mode {
            operation.mac = b0(&iv, m, l, a_length > 0, m_length);
            increment(&mut operation.chain, l);
        }
        operation
    }

    /// The step that comes next. CCM with nothing to authenticate and nothing to encrypt has none
    /// after B_0 and never finishes; every other operation ends with its last octet.
    pub(super) fn next(&self) -> Option<Step> {
        if self.finished {
            None
        } else if !self.started {
            Some(Step::First)
        } else if self.empty {
            None
        } else if self.a_left > 0 {
            let room = if self.a_left == self.a_length { 14 } else { 16 };
            Some(Step::Associated(self.a_left.min(room)))
        } else if self.m_left > 0 {
            Some(Step::Data(self.m_left.min(16)))
        } else {
            Some(Step::Tag)
        }
    }

    /// AES blocks of a step.
    pub(super) fn blocks(&self, step: Step) -> u64 {
        match (self.mode, step) {
            (Mode::Ccm { .. }, Step::Data(_)) => 2,
            _ => 1,
        }
    }

    /// Data come out as they go in; CBC-MAC only has a tag.
    pub(super) fn has_output(&self) -> bool {
        self.mode != Mode::CbcMac
    }

    pub(super) fn is_ccm(&self) -> bool {
        matches!(self.mode, Mode::Ccm { .. })
    }

    /// Every step is done.
    pub(super) fn finished(&self) -> bool {
        self.finished
    }

    /// The next IV or counter block.
    pub(super) fn iv(&self) -> [u8; 16] {
        self.chain
    }

    /// The tag of CBC-MAC or CCM.
    pub(super) fn tag(&self) -> Option<[u8; 16]> {
        matches!(self.mode, Mode::Ccm { .. } | Mode::CbcMac).then_some(self.mac)
    }

    /// Does `step` with the octets it needs; gives what comes out.
    pub(super) fn run(&mut self, cipher: &Cipher, step: Step, octets: &[u8]) -> Vec<u8> {
        match step {
            Step::First => {
                self.started = true;
                self.mac = cipher.encrypt(&self.mac);
                Vec::new()
            }
            Step::Associated(count) => {
                let prefix = if self.a_left == self.a_length { 2 } else { 0 };
                let length = (self.a_length as u16).to_be_bytes();
                let block = length[..prefix].iter().chain(octets);
                self.absorb(cipher, block);
                self.a_left -= count;
                Vec::new()
            }
            Step::Data(count) => {
                self.m_left -= count;
                let out = self.data(cipher, octets);
                self.finished = self.m_left == 0 && !self.is_ccm();
                out
            }
            Step::Tag => {
                let mask = cipher.encrypt(&self.first);
                self.mac = xor(&self.mac, &mask);
                self.finished = true;
                Vec::new()
            }
        }
    }

    /// CBC-MAC over one block, padded with zeros.
    fn absorb<'a>(&mut self, cipher: &Cipher, octets: impl Iterator<Item = &'a u8>) {
        for (state, octet) in self.mac.iter_mut().zip(octets) {
            *state ^= octet;
        }
        self.mac = cipher.encrypt(&self.mac);
    }

    fn data(&mut self, cipher: &Cipher, octets: &[u8]) -> Vec<u8> {
        let mut block = [0; 16];
        block[..octets.len()].copy_from_slice(octets);
        let out = match (self.mode, self.encrypt) {
            (Mode::Ecb, true) => cipher.encrypt(&block),
            (Mode::Ecb, false) => cipher.decrypt(&block),
            (Mode::Cbc, true) => {
                self.chain = cipher.encrypt(&xor(&block, &self.chain));
                self.chain
            }
            (Mode::Cbc, false) => {
                let before = std::mem::replace(&mut self.chain, block);
                xor(&cipher.decrypt(&block), &before)
            }
            (Mode::CbcMac, _) => {
                self.absorb(cipher, block.iter());
                return Vec::new();
            }
            (Mode::Ctr(width), _) => self.keystream(cipher, &block, width),
            (Mode::Ccm { l, .. }, encrypt) => {
                let out = self.keystream(cipher, &block, l);
                let message = if encrypt { &block } else { &out };
                self.absorb(cipher, message[..octets.len()].iter());
                out
            }
        };
        out[..octets.len()].to_vec()
    }

    /// `block` with the keystream of the counter block, which goes on by one.
    fn keystream(&mut self, cipher: &Cipher, block: &[u8; 16], width: usize) -> [u8; 16] {
        let out = xor(block, &cipher.encrypt(&self.chain));
        increment(&mut self.chain, width);
        out
    }
}

/// B_0 from A_0 (RFC 3610 2.2): flags, nonce, l(m) in L octets.
fn b0(a0: &[u8; 16], m: u8, l: usize, associated: bool, m_length: usize) -> [u8; 16] {
    let mut block = *a0;
    block[0] = u8::from(associated) << 6 | m << 3 | (l as u8 - 1);
    let length = (m_length as u128).to_be_bytes();
    block[16 - l..].copy_from_slice(&length[16 - l..]);
    block
}

/// Adds one to the last `width` octets, as a big-endian number.
fn increment(block: &mut [u8; 16], width: usize) {
    for octet in block.iter_mut().rev().take(width) {
        *octet = octet.wrapping_add(1);
        if *octet != 0 {
            break;
        }
    }
}

fn xor(a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
    std::array::from_fn(|index| a[index] ^ b[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(a: usize, m: usize) -> Vec<Step> {
        let mut store = super::super::key_store::KeyStore::new();
        store.selected = 1;
        assert!(store.load(&[0; 16]));
        let cipher = store.key(0).expect("a key");
        let mut operation = Operation::new(Mode::Ccm { m: 1, l: 2 }, true, [1; 16], a, m);
        let mut steps = Vec::new();
        while let Some(step) = operation.next() {
            steps.push(step);
            operation.run(&cipher, step, &vec![0; step.octets()]);
        }
        steps
    }

    #[test]
    fn ccm_takes_the_blocks_that_the_frame_formats_need() {
        let blocks = |a, m| {
            let operation = Operation::new(Mode::Ccm { m: 1, l: 2 }, true, [1; 16], a, m);
            steps(a, m)
                .into_iter()
                .map(|step| operation.blocks(step))
                .sum::<u64>()
        };
        // 127-octet frames of level 5 with 2 and 14 octets of security header, of level 1, and an
        // acknowledgement.
        assert_eq!(
            [
                blocks(23, 98),
                blocks(35, 86),
                blocks(121, 0),
                blocks(27, 0)
            ],
            [18, 17, 10, 4]
        );
    }

    #[test]
    fn only_a_ccm_operation_without_data_never_ends() {
        assert_eq!(steps(0, 0), [Step::First]);
        assert_eq!(steps(1, 0), [Step::First, Step::Associated(1), Step::Tag]);
        assert_eq!(
            steps(0, 17),
            [Step::First, Step::Data(16), Step::Data(1), Step::Tag]
        );
        assert_eq!(steps(15, 0).len(), 4, "14 octets fit behind the length");
    }

    #[test]
    fn counters_wrap_at_their_width() {
        let mut block = [0xFF; 16];
        increment(&mut block, 4);
        assert_eq!((block[11], block[12], block[15]), (0xFF, 0, 0));
        increment(&mut block, 16);
        assert_eq!((block[12], block[15]), (0, 1));
    }
}
