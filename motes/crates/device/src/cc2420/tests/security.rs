//! The security engine: results against IEEE 802.15.4 CCM* vectors, times against the data sheet.

use super::transmit::octets;
use super::*;
use crate::vectors::{ANNEX_C_KEY, Vector, tsch_data, vectors};
use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};

fn reversed(octets: &[u8]) -> Vec<u8> {
    octets.iter().rev().copied().collect()
}

impl Vector {
    fn plain(&self) -> Vec<u8> {
        [hex(&self.a), hex(self.m), vec![0; self.mic.len() / 2]].concat()
    }

    fn secured(&self) -> Vec<u8> {
        [hex(&self.a), hex(self.c), hex(self.mic)].concat()
    }

    /// Key 1, nonce and registers for one direction. Level 4 is CTR, everything else CCM.
    fn set_up(&self, bench: &mut Bench, receive: bool) {
        let (a, mic) = (self.a.len() as u16 / 2, self.mic.len() as u16 / 2);
        let flags = if mic > 0 { 0x09 } else { 0x01 };
        let nonce = [vec![flags], hex(&self.nonce), vec![0, 1]].concat();
        bench.write_ram(0x130, &reversed(&hex(self.key)));
        bench.write_ram(if receive { 0x110 } else { 0x140 }, &reversed(&nonce));
        let mode = if mic > 0 { ((mic - 2) / 2) << 2 | 3 } else { 2 };
        bench.write(registers::SECCTRL0, 0x0060 | mode);
        bench.write(registers::SECCTRL1, if receive { a } else { a << 8 });
    }
}

/// A bench in IDLE whose TXFIFO holds the vector's plaintext and whose registers are set.
fn loaded(vector: &Vector) -> Bench {
    let mut bench = Bench::idle();
    vector.set_up(&mut bench, false);
    bench.load(&vector.plain());
    bench
}

/// Runs until the engine is idle, at most 1 ms.
fn run_engine(bench: &mut Bench) {
    let start = bench.now;
    while bench.radio.engine_busy() && bench.now < start + Ps::from_micros(1_000) {
        let next = bench.radio.deadline().expect("the engine has a deadline");
        bench.run_to(next);
    }
    assert!(!bench.radio.engine_busy());
}

#[test]
fn stxenc_gives_the_ccm_star_results() {
    for vector in vectors() {
        let mut bench = loaded(&vector);
        bench.strobe(STXENC);
        run_engine(&mut bench);
        let secured = vector.secured();
        assert_eq!(
            bench.read_ram(0x001, secured.len()),
            secured,
            "{}",
            vector.name
        );
        assert!(bench.air.is_empty() && bench.radio.take_misuse().is_empty());
    }
}

#[test]
fn stxon_sends_the_frame_secured() {
    for vector in vectors() {
        let mut bench = loaded(&vector);
        bench.strobe(STXON);
        assert_eq!(bench.status() & 0x18, 0x18);
        bench.wait(6_000);
        let sent = octets(&bench.air);
        assert_eq!(sent[1..], with_fcs(&vector.secured()), "{}", vector.name);
    }
}

#[test]
fn srxdec_inverts_and_judges_the_mic() {
    for vector in vectors() {
        for damage in [None, Some(0), Some(vector.secured().len() - 1)] {
            let mut bench = Bench::listening();
            vector.set_up(&mut bench, true);
            let mut frame = vector.secured();
            if let Some(place) = damage {
                frame[place] ^= 0x80;
            }
            bench.hear_frame(1, bench.now, -60, &with_fcs(&frame));
            bench.wait(6_000);
            assert!(bench.radio.pins().fifop);
            bench.strobe(SRXDEC);
            let pins = bench.radio.pins();
            assert!(!pins.fifo && !pins.fifop, "nothing may be read meanwhile");
            run_engine(&mut bench);
            assert!(bench.radio.pins().fifo && bench.radio.pins().fifop);
            let read = bench.read_rxfifo(frame.len() + 3);
            let mic = vector.mic.len() / 2;
            let clear = frame.len() - mic;
            if damage.is_none() {
                assert_eq!(
                    read[1..1 + clear],
                    vector.plain()[..clear],
                    "{}",
                    vector.name
                );
            }
            if mic > 0 {
                assert_eq!(
                    read[1 + clear..frame.len()],
                    frame[clear..frame.len() - 1],
                    "the rest of the MIC stays"
                );
                assert_eq!(
                    read[frame.len()],
                    if damage.is_some() { 0xFF } else { 0x00 },
                    "{}",
                    vector.name
                );
            }
        }
    }
}

/// A radio with the vector's key, which begins to hear its secured frame.
fn hearing(vector: &Vector) -> Bench {
    let mut bench = Bench::listening();
    vector.set_up(&mut bench, true);
    bench.hear_frame(1, bench.now, -60, &with_fcs(&vector.secured()));
    bench
}

#[test]
fn srxdec_works_on_a_frame_whose_header_was_read() {
    let vector = &tsch_data(0);
    let mut bench = hearing(vector);
    bench.wait(6_000);
    let header = bench.read_rxfifo(24);
    assert_eq!(header[1..], hex(&vector.a));
    bench.strobe(SRXDEC);
    run_engine(&mut bench);
    let rest = bench.read_rxfifo(24);
    assert_eq!((&rest[..20], rest[23]), (&hex(vector.m)[..], 0x00));
}

#[test]
fn srxdec_follows_a_frame_that_is_still_arriving_or_written_by_spi() {
    let vector = &tsch_data(0);
    let mut bench = hearing(vector);
    bench.wait(400);
    bench.strobe(SRXDEC);
    bench.wait(6_000);
    assert!(!bench.radio.engine_busy());
    assert_eq!(bench.read_rxfifo(48)[24..44], hex(vector.m));

    let mut bench = Bench::idle();
    vector.set_up(&mut bench, true);
    let secured = vector.secured();
    let access = [
        &[registers::RXFIFO, secured.len() as u8 + 2][..],
        &secured,
        &[0, 0],
    ]
    .concat();
    bench.spi(&access);
    bench.strobe(SRXDEC);
    run_engine(&mut bench);
    assert_eq!(bench.read_ram(0x080 + 24, 20), hex(vector.m));
    assert_eq!(bench.read_ram(0x080 + 24 + 23, 1), [0x00]);
}

#[test]
fn encryption_may_start_before_the_frame_is_written() {
    let vector = &tsch_data(2);
    let mut bench = Bench::idle();
    vector.set_up(&mut bench, false);
    bench.strobe(STXON);
    bench.wait(100);
    assert!(bench.radio.engine_busy());
    bench.load(&vector.plain());
    bench.wait(6_000);
    assert_eq!(octets(&bench.air)[1..], with_fcs(&vector.secured()));
}

#[test]
fn a_frame_without_room_for_the_mic_written_underflows() {
    let vector = &tsch_data(0);
    let mut bench = Bench::idle();
    vector.set_up(&mut bench, false);
    let plain = vector.plain();
    let access = [
        &[registers::TXFIFO, plain.len() as u8 + 2],
        &plain[..plain.len() - 4],
    ]
    .concat();
    bench.spi(&access);
    bench.strobe(STXON);
    bench.wait(6_000);
    assert_eq!(octets(&bench.air).len(), 1 + plain.len() - 4);
    assert_eq!(bench.status() & 0x20, 0x20);
}

#[test]
fn the_block_counter_in_ram_stays_and_serves_the_next_frame() {
    let vector = &tsch_data(0);
    let mut bench = loaded(vector);
    let before = bench.read_ram(0x140, 16);
    for _ in 0..2 {
        bench.strobe(SFLUSHTX);
        bench.load(&vector.plain());
        bench.strobe(STXENC);
        run_engine(&mut bench);
        assert_eq!(
            bench.read_ram(0x001, vector.secured().len()),
            vector.secured()
        );
        assert_eq!(bench.read_ram(0x140, 16), before);
    }
}

/// SWRS041 table 8 prints 222 us for l(a) 50, l(m) 69, MIC 8. With the FCS that is two octets more
/// than a PSDU holds; 48 octets of a take the same number of blocks.
#[test]
fn ccm_of_table_8_takes_222_microseconds() {
    let mut bench = Bench::idle();
    bench.write(registers::SECCTRL0, 0x0003 | 3 << 2);
    bench.write(registers::SECCTRL1, 48 << 8);
    bench.load(&[0x5A; 48 + 69 + 8]);
    bench.strobe(STXENC);
    let strobed = bench.now;
    run_engine(&mut bench);
    assert_eq!(bench.now - strobed, Ps::from_micros(222));
}

#[test]
fn saes_encrypts_in_14_microseconds_and_ignores_strobes_meanwhile() {
    let mut bench = Bench::idle();
    bench.write(registers::SECCTRL0, 0x0080);
    // FIPS 197, C.1.
    bench.write_ram(0x130, &reversed(&hex("000102030405060708090a0b0c0d0e0f")));
    bench.write_ram(0x120, &hex("00112233445566778899aabbccddeeff"));
    bench.strobe(SAES);
    let done = bench.now + Ps::from_micros(14);
    assert_eq!(bench.radio.deadline(), Some(done));
    assert_eq!(bench.strobe(SAES) & 0x10, 0x10);
    assert_eq!(
        bench.radio.take_misuse().pop().map(|(_, what)| what),
        Some(Misuse::EngineBusy)
    );
    bench.run_to(Ps(done.0 - 1));
    assert!(bench.radio.engine_busy());
    bench.run_to(done);
    assert_eq!(bench.status() & 0x10, 0);
    assert_eq!(
        bench.read_ram(0x120, 16),
        hex("69c4e0d86a7b0430d8cdb78070b4c55a")
    );
}

#[test]
fn key_0_and_key_1_are_selected_per_use() {
    let mut bench = Bench::idle();
    bench.write_ram(0x100, &reversed(&hex("2b7e151628aed2a6abf7158809cf4f3c")));
    bench.write(registers::SECCTRL0, 0x0000);
    bench.write_ram(0x120, &hex("6bc1bee22e409f96e93d7e117393172a"));
    bench.strobe(SAES);
    bench.wait(14);
    // SP 800-38A, F.1.1.
    assert_eq!(
        bench.write_ram(0x120, &[0; 16]),
        hex("3ad77bb40d7a3660a89ecaf32466ef97"),
        "read while writing the next"
    );
    bench.write(registers::SECCTRL0, 0x0080);
    bench.strobe(SAES);
    bench.wait(14);
    assert_eq!(
        bench.read_ram(0x120, 16),
        hex("66e94bd4ef8a2c3b884cfa59ca342b2e"),
        "the zero key"
    );
}

/// CBC-MAC with zero padding, by the book.
fn cbc_mac(key: &[u8], data: &[u8]) -> [u8; 16] {
    let aes = Aes128::new_from_slice(key).expect("16 octets");
    let mut state = [0u8; 16];
    for chunk in data.chunks(16) {
        state
            .iter_mut()
            .zip(chunk)
            .for_each(|(state, octet)| *state ^= octet);
        let mut block = state.into();
        aes.encrypt_block(&mut block);
        state = block.into();
    }
    state
}

#[test]
fn cbc_mac_with_and_without_head() {
    let key = hex(ANNEX_C_KEY);
    let frame: Vec<u8> = (0..40).collect();
    for head in [false, true] {
        let mut bench = Bench::idle();
        bench.write_ram(0x100, &reversed(&key));
        bench.write(registers::SECCTRL0, u16::from(head) << 8 | 5 << 2 | 1);
        bench.write(registers::SECCTRL1, 3 << 8);
        bench.load(&[&frame[..], &[0; 12]].concat());
        bench.strobe(STXENC);
        run_engine(&mut bench);
        let data = if head {
            [&[37][..], &frame[3..]].concat()
        } else {
            frame[3..].to_vec()
        };
        assert_eq!(bench.read_ram(0x001, 40), frame, "nothing is encrypted");
        assert_eq!(bench.read_ram(0x001 + 40, 12), cbc_mac(&key, &data)[..12]);
    }
}

#[test]
fn the_flag_octets_come_from_the_nonce() {
    let vector = &tsch_data(0);
    let mut bench = loaded(vector);
    bench.write_ram(0x14F, &[0x01]);
    bench.strobe(STXENC);
    run_engine(&mut bench);
    let wrong = bench.read_ram(0x001, vector.secured().len());
    assert_eq!(
        wrong[..43],
        vector.secured()[..43],
        "CTR flags do not hold Adata"
    );
    assert_ne!(
        wrong[43..],
        vector.secured()[43..],
        "without bit 3 B_0 lacks Adata"
    );
}

#[test]
fn bits_6_and_5_of_the_nonce_flags_are_bits_7_and_6_of_the_ctr_flags() {
    let mut bench = Bench::idle();
    let n: Vec<u8> = (1..=13).collect();
    bench.write_ram(0x140, &reversed(&[&[0x62][..], &n, &[0x01, 0xFF]].concat()));
    bench.write(registers::SECCTRL0, 0x0002);
    bench.load(&[0; 32]);
    bench.strobe(STXENC);
    run_engine(&mut bench);
    let keystream = |counter: [u8; 2]| cbc_mac(&[0; 16], &[&[0xC2][..], &n, &counter].concat());
    assert_eq!(
        bench.read_ram(0x001, 32),
        [keystream([0x01, 0xFF]), keystream([0x02, 0x00])].concat()
    );
}

#[test]
fn an_engine_that_is_too_slow_starves_the_transmitter() {
    let vector = &tsch_data(0);
    let mut bench = Bench::with(Cc2420Config {
        inline_block: Ps::from_micros(400),
        ..Cc2420Config::default()
    });
    bench.start();
    vector.set_up(&mut bench, false);
    bench.load(&vector.plain());
    bench.strobe(STXON);
    bench.wait(6_000);
    // After 384 us the length octet is out, but B_0 takes 400 us and the first block of a another
    // 400 us.
    assert_eq!(octets(&bench.air).len(), 1);
    assert_eq!(bench.status() & 0x20, 0x20);
}

#[test]
fn stxon_waits_for_a_busy_engine() {
    let vector = &tsch_data(0);
    let mut bench = loaded(vector);
    bench.strobe(SAES);
    bench.strobe(STXON);
    bench.wait(6_000);
    assert_eq!(octets(&bench.air)[1..], with_fcs(&vector.secured()));
}

#[test]
fn flushes_and_reset_stop_the_engine() {
    let vector = &tsch_data(0);
    let mut bench = loaded(vector);
    bench.strobe(STXENC);
    bench.strobe(SFLUSHTX);
    assert!(!bench.radio.engine_busy() && bench.radio.deadline().is_none());
    bench.strobe(SRXDEC);
    assert!(bench.radio.engine_busy(), "waits for a frame");
    bench.strobe(SFLUSHRX);
    assert!(!bench.radio.engine_busy());
    bench.strobe(SAES);
    bench.write(registers::MAIN, 0xB800);
    assert!(!bench.radio.engine_busy());
}
