//! Flash controller and information page.

use super::*;

constants! { u32:
    FCTL = 0x400D_3008,   FADDR = 0x400D_300C,  FWDATA = 0x400D_3010, BUSY = 0x80,
    ABORT = 0x20,
}

fn word(bench: &Bench, addr: u32) -> u32 {
    let mut octets = [0; 4];
    bench.mem.read(addr, &mut octets).expect("flash");
    u32::from_le_bytes(octets)
}

#[test]
fn the_cache_mode_is_on_from_reset_and_follows_fctl() {
    let mut bench = Bench::running();
    assert_eq!(
        (bench.read(FCTL), bench.chip.flash_cache()),
        (0x04, CacheMode::On)
    );
    for (value, mode) in [
        (0x00, CacheMode::Off),
        (0x08, CacheMode::Prefetch),
        (0x0C, CacheMode::RealTime),
    ] {
        bench.write(FCTL, value);
        assert_eq!(bench.chip.flash_cache(), mode);
    }
}

#[test]
fn a_page_is_erased_and_words_are_written_with_time() {
    let mut bench = Bench::running();
    bench.mem.flash[0x1000..0x1800].fill(0);
    bench.write(FADDR, 0x0020_1008);
    assert_eq!(bench.read(FADDR), 0x402, "as a word number");
    bench.write(FCTL, 0x05);
    assert_eq!(bench.read(FCTL), 0x85);
    let until = bench.chip.flash_busy_until(bench.now).expect("busy");
    assert_eq!(
        (until - bench.now, bench.chip.flash_state()),
        (us(20_000), FlashState::Erase)
    );
    bench.run_to(until);
    assert_eq!(
        (bench.read(FCTL), bench.chip.flash_state()),
        (0x04, FlashState::Idle)
    );
    assert_eq!(
        (word(&bench, 0x0020_1000), word(&bench, 0x0020_17FC)),
        (u32::MAX, u32::MAX)
    );

    bench.write(FCTL, 0x06);
    bench.write(FWDATA, 0x1234_5678);
    bench.write(FWDATA, 0x0BAD_CAFE);
    assert_eq!(bench.read(FCTL) & 0xC2, 0xC2, "BUSY, FULL, WRITE");
    bench.write(FWDATA, 0xFFFF_0000);
    bench.wait(40);
    assert_eq!(bench.read(FCTL) & 0xC2, 0x82, "the sequence is open");
    bench.wait(20);
    assert_eq!(bench.read(FCTL) & 0xC2, 0, "and times out");
    assert_eq!(word(&bench, 0x0020_1008), 0x1234_5678);
    assert_eq!(word(&bench, 0x0020_100C), 0x0BAD_CAFE);
    assert_eq!(
        word(&bench, 0x0020_1010),
        u32::MAX,
        "the third word found the buffer full"
    );
}

#[test]
fn locked_pages_abort() {
    let mut bench = Bench::running();
    bench.mem.flash[0x8_0000 - 32] = 0xFB;
    bench.write(FADDR, 2 * 2_048);
    bench.write(FCTL, 0x05);
    assert_eq!(bench.read(FCTL), 0x24, "page 2");
    bench.write(FCTL, 0x06);
    assert_eq!(bench.read(FCTL) & ABORT, 0, "cleared by a start");
    bench.write(FWDATA, 0);
    assert_eq!(
        (bench.read(FCTL) & (ABORT | BUSY), word(&bench, 0x0020_1000)),
        (ABORT, u32::MAX)
    );
    bench.write(FADDR, 0x0027_F800);
    bench.write(FCTL, 0x05);
    assert_eq!(bench.read(FCTL) & ABORT, ABORT, "the uppermost page");
    bench.write(FCTL, 0x205);
    assert_eq!(bench.read(FCTL) & (ABORT | BUSY), BUSY);
    assert!(matches!(bench.try_write(FCTL, 0x104), Ok(())));
    bench.wait(30_000);
    assert!(matches!(
        bench.try_write(FCTL, 0x105),
        Err(AccessError::NotModelled { .. })
    ));
}

#[test]
fn the_information_page_holds_the_address() {
    let chip = Cc2538::new(Cc2538Config {
        eui64: [0x00, 0x12, 0x4B, 0x00, 0xAA, 0xBB, 0xCC, 0xDD],
        ..Cc2538Config::default()
    });
    assert_eq!(
        chip.info_page()[0x28..0x30],
        [0x00, 0x4B, 0x12, 0x00, 0xDD, 0xCC, 0xBB, 0xAA]
    );
    assert_eq!(INFO_PAGE + 0x28, 0x0028_0028);
}
