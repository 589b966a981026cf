/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames made from the fuzzer's octets. */
#include "recipe.h"

#define HT1 0x00, 0x3F
#define HT2 0x80, 0x3F
#define TIME_CORRECTION 0x02, 0x0F, 0x34, 0x02

static const uint8_t key[2][16] = {"wardmote fuzz 1", "wardmote fuzz 2"};

const uint8_t *fuzz_key_octets(uint8_t which)
{
    return key[which & 1u];
}

const wm_cipher *fuzz_key(uint8_t which)
{
    static wm_aes128_tab_key tab[2];
    static wm_aes128_small_key small[2];
    static bool done;

    if (!done) {
        for (uint8_t k = 0; k < 2; k++) {
            wm_aes128_tab_init(&tab[k], key[k]);
            wm_aes128_small_init(&small[k], key[k]);
        }
        done = true;
    }
    return (which & 2u) != 0 ? &small[which & 1u].cipher : &tab[which & 1u].cipher;
}

static void take_addr(fuzz_input *in, wm_addr *addr, uint8_t mode)
{
    memset(addr, 0, sizeof *addr);
    addr->mode = mode == 1 ? WM_ADDR_EXT : mode;
    fuzz_octets(in, addr->octet,
                addr->mode == WM_ADDR_EXT     ? 8
                : addr->mode == WM_ADDR_SHORT ? 2
                                              : 0);
}

static void take_ash(fuzz_input *in, wm_ash *ash)
{
    const uint8_t control = fuzz_u8(in);
    const uint8_t source[4] = {0, 0, 4, 8};

    ash->level = control & 7u;
    ash->key_id_mode = control >> 3 & 3u;
    ash->counter_suppressed = (control & 0x20) != 0;
    ash->asn_in_nonce = (control & 0x40) != 0;
    ash->frame_counter = ash->counter_suppressed ? 0 : fuzz_u32(in);
    if (ash->key_id_mode != 0) {
        fuzz_octets(in, ash->key_source, source[ash->key_id_mode]);
        ash->key_index = fuzz_u8(in);
    }
}

void fuzz_take_mhr(fuzz_input *in, wm_mhr *mhr)
{
    const uint8_t first = fuzz_u8(in);
    const uint8_t second = fuzz_u8(in);
    const uint8_t version = second >> 4 & 3u;

    memset(mhr, 0, sizeof *mhr);
    mhr->type = first & 3u;
    mhr->security_enabled = (first & 0x08) != 0;
    mhr->frame_pending = (first & 0x10) != 0;
    mhr->ack_request = (first & 0x20) != 0;
    mhr->pan_id_compression = (first & 0x40) != 0;
    mhr->seq_suppressed = (second & 1u) != 0;
    mhr->ie_present = (second & 2u) != 0;
    mhr->version = version > WM_VERSION_2015 ? WM_VERSION_2015 : version;
    mhr->seq = mhr->seq_suppressed ? 0 : fuzz_u8(in);
    mhr->dst_pan = fuzz_u16(in);
    mhr->src_pan = fuzz_u16(in);
    take_addr(in, &mhr->dst, second >> 2 & 3u);
    take_addr(in, &mhr->src, second >> 6);
    if (mhr->security_enabled) {
        take_ash(in, &mhr->ash);
    }
}

void fuzz_take_security(fuzz_input *in, fuzz_frame *frame)
{
    const uint8_t choice = fuzz_u8(in);
    wm_security *sec = &frame->sec;

    sec->cipher = (choice & 0x18) == 0x18 ? NULL : fuzz_key((choice & 1u) | (choice >> 4 & 2u));
    sec->profile = (choice & 2u) != 0 ? WM_PROFILE_2015 : WM_PROFILE_2011;
    sec->nonce_form = (choice & 4u) != 0 ? WM_NONCE_ASN : WM_NONCE_COUNTER;
    fuzz_octets(in, sec->asn, sizeof sec->asn);
    fuzz_octets(in, frame->src_ext, sizeof frame->src_ext);
    sec->src_ext = (choice & 0x40) != 0 ? NULL : frame->src_ext;
}

/* Header IEs that one rarely meets by chance, chosen by two bits; behind them the input goes on. */
static uint8_t put_ies(uint8_t *at, uint8_t choice)
{
    static const uint8_t lists[4][6] = {{0}, {HT1}, {HT2}, {TIME_CORRECTION, HT1}};
    static const uint8_t octets[4] = {0, 2, 2, 6};

    memcpy(at, lists[choice & 3u], octets[choice & 3u]);
    return octets[choice & 3u];
}

bool fuzz_take_body(fuzz_input *in, fuzz_frame *frame, bool make_room)
{
    const uint8_t ies = fuzz_u8(in);
    uint8_t room = WM_FRAME_MAX;
    uint8_t more;

    if (make_room && frame->mhr.security_enabled) {
        room = (uint8_t)(room - wm_level_mic_len(frame->mhr.ash.level));
    }
    if (wm_mhr_build(&frame->mhr, frame->octet, room, &frame->len) != WM_OK) {
        return false;
    }
    if (frame->mhr.ie_present) {
        frame->len = (uint8_t)(frame->len + put_ies(frame->octet + frame->len, ies));
    }
    more = (uint8_t)(room - frame->len);
    more = in->left < more ? (uint8_t)in->left : more;
    fuzz_octets(in, frame->octet + frame->len, more);
    frame->len = (uint8_t)(frame->len + more);
    return wm_frame_parse_clear(frame->octet, frame->len, &frame->mhr, &frame->map) == WM_OK;
}

bool fuzz_take_frame(fuzz_input *in, fuzz_frame *frame, bool make_room)
{
    fuzz_take_mhr(in, &frame->mhr);
    return fuzz_take_body(in, frame, make_room);
}
