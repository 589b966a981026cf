//! AES engine.

use super::*;
use crate::vectors::vectors;

constants! { u32:
    AES = 0x4008_B000,          CH0 = AES,                  CH1 = AES + 0x20,
    WRITE_AREA = AES + 0x400,   WRITTEN_AREA = AES + 0x404, READ_AREA = AES + 0x40C,
    IV = AES + 0x540,           CTRL = AES + 0x550,         C_LENGTH = AES + 0x554,
    AUTH_LENGTH = AES + 0x55C,  TAG = AES + 0x570,          ALG_SEL = AES + 0x700,
    INT_CFG = AES + 0x780,      INT_EN = AES + 0x784,       INT_CLR = AES + 0x788,
    INT_STAT = AES + 0x790,
}

constants! { u32:
    RESULT_AV = 1,          DMA_IN_DONE = 2,        ENCRYPT = 4,            CBC = 1 << 5,
    CTR = 1 << 6 | 3 << 7,  CBC_MAC = 1 << 15,      SAVE_CONTEXT = 1 << 29, SAVED = 1 << 30,
}

/// Where the tests keep key, a and m.
const KEY: u32 = 0x2000_1000;
const A: u32 = 0x2000_2001;
const M: u32 = 0x2000_3003;

impl Bench {
    fn put(&mut self, addr: u32, octets: &[u8]) {
        self.mem.write(addr, octets).expect("RAM");
    }

    fn get(&self, addr: u32, count: usize) -> Vec<u8> {
        let mut octets = vec![0; count];
        self.mem.read(addr, &mut octets).expect("RAM");
        octets
    }

    fn dma(&mut self, channel: u32, addr: u32, octets: usize) {
        self.write(channel, 1);
        self.write(channel + 4, addr);
        self.write(channel + 0xC, octets as u32);
    }

    /// Runs until one of `flags` is set; gives the time it took.
    fn until(&mut self, flags: u32) -> Ps {
        let begin = self.now;
        while self.read(INT_STAT) & flags == 0 {
            let due = self.chip.deadline().expect("something goes on");
            self.run_to(due);
        }
        self.now - begin
    }

    /// Interrupts on, the key into area 0 and selected.
    fn load_key(&mut self, key: &[u8]) {
        self.write(INT_CFG, 1);
        self.write(INT_EN, RESULT_AV | DMA_IN_DONE);
        self.put(KEY, key);
        self.write(ALG_SEL, 1);
        self.write(WRITTEN_AREA, 1);
        self.write(WRITE_AREA, 1);
        self.dma(CH0, KEY, key.len());
        assert_eq!(self.until(RESULT_AV), us(1));
        self.write(INT_CLR, RESULT_AV | DMA_IN_DONE);
        self.write(ALG_SEL, 0);
        assert_eq!(self.read(WRITTEN_AREA), 1);
        self.select_key();
    }

    fn select_key(&mut self) {
        self.write(ALG_SEL, 2);
        self.write(READ_AREA, 0);
        assert_eq!(self.read(READ_AREA), 1 << 31, "BUSY");
        self.wait(1);
        assert_eq!(self.read(READ_AREA), 0);
    }

    fn set_iv(&mut self, iv: &[u8]) {
        for (index, word) in (0..).zip(iv.chunks(4)) {
            self.write(
                IV + 4 * index,
                u32::from_le_bytes([word[0], word[1], word[2], word[3]]),
            );
        }
    }

    fn words(&mut self, addr: u32) -> Vec<u8> {
        (0..4)
            .flat_map(|index| self.read(addr + 4 * index).to_le_bytes())
            .collect()
    }

    /// One operation without a, in place at M; gives its time.
    fn run(&mut self, control: u32, octets: usize) -> Ps {
        self.write(CTRL, control);
        self.write(C_LENGTH, octets as u32);
        self.write(C_LENGTH + 4, 0);
        self.dma(CH0, M, octets);
        self.dma(CH1, M, octets);
        let span = self.until(RESULT_AV);
        self.write(INT_CLR, RESULT_AV | DMA_IN_DONE);
        span
    }

    /// CCM over a at A and m in place at M, as TI's sequence does it.
    fn ccm(&mut self, nonce: &[u8], a: &[u8], m: &[u8], tag: usize, encrypt: bool) -> Vec<u8> {
        self.put(A, a);
        self.put(M, m);
        self.set_iv(&[&[1], nonce, &[0, 0]].concat());
        let mic = ((tag.max(2) - 2) / 2) as u32;
        let direction = if encrypt { ENCRYPT } else { 0 };
        self.write(
            CTRL,
            SAVE_CONTEXT | mic << 22 | 1 << 19 | 1 << 18 | CTR | direction,
        );
        self.write(C_LENGTH, m.len() as u32);
        self.write(C_LENGTH + 4, 0);
        self.write(AUTH_LENGTH, a.len() as u32);
        if !a.is_empty() {
            self.dma(CH0, A, a.len());
            self.until(DMA_IN_DONE);
            self.write(INT_CLR, DMA_IN_DONE);
        }
        if !m.is_empty() {
            self.dma(CH0, M, m.len());
            self.dma(CH1, M, m.len());
        }
        self.until(RESULT_AV);
        self.write(INT_CLR, RESULT_AV | DMA_IN_DONE);
        assert_eq!(self.read(CTRL) & SAVED, SAVED);
        let mut octets = self.words(TAG);
        assert_eq!(self.read(CTRL) & SAVED, 0, "reading the tag clears it");
        octets.truncate(tag);
        octets
    }
}

#[test]
fn ccm_star_vectors_both_ways() {
    for vector in vectors() {
        let tag = hex(vector.mic);
        let (nonce, a) = (hex(&vector.nonce), hex(&vector.a));
        let (m, c) = (hex(vector.m), hex(vector.c));
        let mut bench = Bench::running();
        bench.load_key(&hex(vector.key));
        for (from, to, seals) in [(&m, &c, true), (&c, &m, false)] {
            let found = bench.ccm(&nonce, &a, from, tag.len(), seals);
            assert_eq!(found, tag, "{}", vector.name);
            assert_eq!(bench.get(M, to.len()), *to, "{}", vector.name);
            bench.select_key();
        }
    }
}

#[test]
fn a_frame_takes_its_blocks() {
    let mut bench = Bench::running();
    bench.load_key(&[0; 16]);
    let begin = bench.now;
    bench.ccm(&[0; 13], &[0; 35], &[0; 86], 4, true);
    assert_eq!(bench.now - begin, Ps(17 * 5_333_000));
}

#[test]
fn ecb_and_cbc_as_in_sp_800_38a() {
    let key = hex("2b7e151628aed2a6abf7158809cf4f3c");
    let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    let iv = hex("000102030405060708090a0b0c0d0e0f");
    let counter = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let expected = [
        (
            0,
            "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf",
        ),
        (
            CBC,
            "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
        ),
        (
            CTR,
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff",
        ),
    ];
    for (mode, cipher) in expected {
        let start = if mode == CTR { &counter } else { &iv };
        let mut bench = Bench::running();
        bench.load_key(&key);
        bench.put(M, &plain);
        bench.set_iv(start);
        bench.write(AUTH_LENGTH, 7); // means nothing outside of CCM, and begins nothing
        assert_eq!(bench.run(mode | ENCRYPT, 32), Ps(2 * 7_111_000));
        assert_eq!(bench.get(M, 32), hex(cipher));
        bench.set_iv(start);
        bench.run(mode, 32);
        assert_eq!(bench.get(M, 32), plain, "mode {mode:x} backwards");
    }
}

#[test]
fn cbc_mac_gives_a_tag_and_ctr_its_next_counter() {
    let mut bench = Bench::running();
    bench.load_key(&hex("2b7e151628aed2a6abf7158809cf4f3c"));
    let plain = hex("6bc1bee22e409f96e93d7e117393172a");
    bench.put(M, &plain);
    bench.set_iv(&[0; 16]);
    bench.run(CBC_MAC | SAVE_CONTEXT | ENCRYPT, 16);
    assert_eq!(bench.words(TAG), hex("3ad77bb40d7a3660a89ecaf32466ef97"));
    assert_eq!(bench.get(M, 16), plain, "nothing is written");
    bench.set_iv(&hex("f0f1f2f3f4f5f6f7f8f9fafbfffffffe"));
    bench.run(1 << 6 | SAVE_CONTEXT | ENCRYPT, 32);
    assert_eq!(
        bench.words(IV),
        hex("f0f1f2f3f4f5f6f7f8f9fafb00000000"),
        "a counter of 32 bits"
    );
    assert_eq!(bench.read(CTRL) & SAVED, 0);
}

#[test]
fn nothing_to_authenticate_and_nothing_to_encrypt_freezes_it() {
    let mut bench = Bench::running();
    bench.load_key(&[0; 16]);
    bench.set_iv(&[1; 16]);
    bench.write(
        CTRL,
        SAVE_CONTEXT | 1 << 22 | 1 << 19 | 1 << 18 | CTR | ENCRYPT,
    );
    bench.write(C_LENGTH, 0);
    bench.write(AUTH_LENGTH, 0);
    bench.wait(1_000_000);
    assert_eq!((bench.read(INT_STAT), bench.chip.deadline()), (0, None));
    assert_eq!(bench.chip.engine_state(), EngineState::Idle);
    bench.write(ALG_SEL, 0);
    bench.select_key();
    assert_eq!(
        bench.ccm(&[1; 13], &[7], &[], 4, true).len(),
        4,
        "it works again"
    );
}

#[test]
fn interrupts_are_levels_and_only_what_is_enabled_is_set() {
    let mut bench = Bench::running();
    bench.load_key(&[0; 16]);
    bench.write(INT_EN, RESULT_AV);
    bench.write(CTRL, ENCRYPT);
    bench.write(C_LENGTH, 16);
    bench.dma(CH0, M, 16);
    bench.dma(CH1, M, 16);
    assert_eq!(bench.chip.engine_state(), EngineState::Busy);
    assert_eq!(bench.read(AES + 0x18), 3, "both channels active");
    bench.wait(8);
    assert_eq!(
        (bench.read(INT_STAT), bench.irq(Irq::Aes)),
        (RESULT_AV, true)
    );
    bench.write(INT_CLR, RESULT_AV);
    assert!(!bench.irq(Irq::Aes));
    bench.write(INT_EN, RESULT_AV | DMA_IN_DONE);
    assert_eq!(
        bench.read(INT_STAT),
        0,
        "what was not enabled is not remembered"
    );
}

#[test]
fn errors_of_bus_and_key_store() {
    let mut bench = Bench::running();
    bench.load_key(&[0; 16]);
    bench.write(READ_AREA, 3);
    bench.wait(1);
    assert_eq!(bench.read(INT_STAT), 1 << 29, "no key there");
    bench.write(INT_CLR, 1 << 29);
    bench.write(ALG_SEL, 1);
    bench.write(WRITE_AREA, 1);
    bench.dma(CH0, KEY, 16);
    bench.wait(2);
    assert_eq!(bench.read(INT_STAT) & 1 << 30, 1 << 30, "occupied");
    bench.write(INT_CLR, u32::MAX);
    bench.select_key();
    bench.write(CTRL, ENCRYPT);
    bench.write(C_LENGTH, 16);
    bench.dma(CH0, 0x3000_0000, 16);
    bench.dma(CH1, M, 16);
    bench.wait(8);
    assert_eq!(bench.read(INT_STAT), 1 << 31);
    assert_eq!(
        (bench.read(AES + 0x7C), bench.read(CH0)),
        (0x1000, 0),
        "port error, channel off"
    );
    bench.write(AES + 0x1C, 1);
    bench.write(INT_CLR, 1 << 31);
    assert_eq!(bench.read(AES + 0x18), 0);
    bench.run(ENCRYPT, 16);
}

#[test]
fn a_closed_gate_holds_the_engine_and_a_reset_forgets_the_keys() {
    let mut bench = Bench::running();
    bench.load_key(&[0; 16]);
    bench.write(CTRL, ENCRYPT);
    bench.write(C_LENGTH, 16);
    bench.dma(CH0, M, 16);
    bench.wait(100);
    assert_eq!(
        bench.chip.engine_state(),
        EngineState::Idle,
        "it waits for somewhere to put the output"
    );
    bench.dma(CH1, M, 16);
    bench.wait(3);
    bench.write(RCGCSEC, 0);
    assert_eq!(bench.chip.engine_state(), EngineState::Off);
    bench.wait(100);
    bench.write(RCGCSEC, 2);
    assert_eq!(bench.read(INT_STAT), 0);
    bench.wait(5);
    assert_eq!(bench.read(INT_STAT), RESULT_AV | DMA_IN_DONE);
    bench.write(SYS_CTRL + 0x54, 2);
    bench.write(SYS_CTRL + 0x54, 0);
    assert_eq!((bench.read(WRITTEN_AREA), bench.read(INT_STAT)), (0, 0));
}

#[test]
fn what_is_not_modelled_is_named() {
    let mut bench = Bench::running();
    for (addr, value) in [
        (CTRL, 3 << 16),
        (CTRL, 1 << 10),
        (AES + 0x560, 1),
        (AES + 0x644, 8),
        (ALG_SEL, 4),
        (ALG_SEL, 1 << 31),
    ] {
        assert!(
            matches!(
                bench.try_write(addr, value),
                Err(AccessError::NotModelled { .. })
            ),
            "{addr:x}"
        );
    }
    assert_eq!(bench.read(AES + 0x7FC) & 0xFF, 0x78, "EIP-120");
}
