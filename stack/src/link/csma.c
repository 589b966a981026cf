/* SPDX-License-Identifier: BSD-3-Clause */
/* Unslotted CSMA-CA.
 *
 * References: IEEE 802.15.4-2015 6.2.5.1 (algorithm), 6.2.4 (spaces between frames), 6.7.4.3 (acks),
 * 6.7.4.4 (retransmission), 6.7.2 (who a frame is for). */
#include <wardmote/csma.h>

#define SEQ_AT 2u
#define ACK_LEN 3u
#define FCF_TYPE 0x07u
#define FCF_ACK_REQUEST 0x20u
#define SHR_PHR_SYMBOLS 12u /* preamble 8, SFD 2, PHR 2 */
#define SYMBOLS_PER_OCTET 2u
#define NO_SHORT_ADDR 0xFFFEu

/* LOADED: a frame waits for the end of the space. */
enum { IDLE, BACKOFF, ON_AIR, SPACE, LOADED };

/* Xorshift of 16 bits with the triple 7, 9, 8: every number but 0 comes once in 65535. */
static uint16_t draw(wm_csma *mac)
{
    uint16_t x = mac->random;
    x ^= (uint16_t)(x << 7);
    x ^= (uint16_t)(x >> 9);
    x ^= (uint16_t)(x << 8);
    mac->random = x;
    return x;
}

wm_status wm_csma_init(wm_csma *mac, uint16_t pan, uint16_t address, uint16_t seed)
{
    uint8_t n;

    if (seed == 0 || address >= NO_SHORT_ADDR) {
        return WM_ERR_PARAM;
    }
    mac->pan = pan;
    mac->address = address;
    mac->random = seed;
    mac->state = IDLE;
    mac->retries = 0;
    for (n = 0; n < WM_CSMA_SENDERS; n++) {
        mac->sender[n].address.mode = WM_ADDR_NONE;
    }
    return WM_OK;
}

/* An alarm of 0 unit periods would be none: it is the shortest there is. */
static void back_off(wm_csma *mac)
{
    uint16_t units = draw(mac) & (uint16_t)((1u << mac->exponent) - 1u);
    mac->state = BACKOFF;
    wm_port_csma_alarm(units == 0 ? 1 : (uint16_t)(units * WM_CSMA_UNIT_BACKOFF));
}

static void begin(wm_csma *mac)
{
    mac->backoffs = 0;
    mac->exponent = WM_CSMA_MIN_BE;
    back_off(mac);
}

wm_status wm_csma_send(wm_csma *mac, const uint8_t *frame, wm_psdu_len len)
{
    wm_mhr mhr;
    wm_frame_map map;

    if (wm_csma_sending(mac)) {
        return WM_ERR_STATE;
    }
    if (len > WM_FRAME_MAX) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (wm_frame_parse(frame, len, &mhr, &map) != WM_OK || mhr.type == WM_FRAME_ACK ||
        mhr.seq_suppressed ||
        (mhr.ack_request && mhr.dst.mode == WM_ADDR_SHORT && mhr.dst.octet[0] == 0xFF &&
         mhr.dst.octet[1] == 0xFF)) {
        return WM_ERR_MALFORMED;
    }
    mac->wants_ack = mhr.ack_request;
    mac->seq = mhr.seq;
    mac->len = len;
    mac->sent = 0;
    if (mac->state == SPACE) {
        mac->state = LOADED;
    } else {
        begin(mac);
    }
    wm_port_csma_load(frame, len); /* the space or the back-off runs meanwhile */
    return WM_OK;
}

bool wm_csma_sending(const wm_csma *mac)
{
    return mac->state != IDLE && mac->state != SPACE;
}

/* The next frame may be made ready at once; its back-off begins no sooner than a space behind this one
 * or its ack. */
static void finish(wm_csma *mac, wm_csma_result result)
{
    mac->state = SPACE;
    wm_port_csma_alarm(mac->len + WM_FCS_LEN > WM_CSMA_SIFS_MAX ? WM_CSMA_LIFS : WM_CSMA_SIFS);
    wm_port_csma_done(mac, result);
}

/* A back-off is over. */
static void try_channel(wm_csma *mac)
{
    if (wm_port_csma_send()) {
        uint16_t on_air = (uint16_t)(SHR_PHR_SYMBOLS + SYMBOLS_PER_OCTET * (mac->len + WM_FCS_LEN));
        mac->retries += mac->sent != 0;
        mac->sent++;
        mac->state = ON_AIR;
        wm_port_csma_alarm(
            (uint16_t)(WM_CSMA_TURNAROUND + on_air + (mac->wants_ack ? WM_CSMA_ACK_WAIT : 0)));
        return;
    }
    mac->backoffs++;
    if (mac->exponent < WM_CSMA_MAX_BE) {
        mac->exponent++;
    }
    if (mac->backoffs > WM_CSMA_MAX_BACKOFFS) {
        finish(mac, WM_CSMA_CHANNEL_ACCESS);
    } else {
        back_off(mac);
    }
}

/* The frame and the wait for its ack are over. */
static void after_air(wm_csma *mac)
{
    if (!mac->wants_ack) {
        finish(mac, WM_CSMA_SENT);
    } else if (mac->sent > WM_CSMA_MAX_RETRIES) {
        finish(mac, WM_CSMA_NO_ACK);
    } else {
        begin(mac);
    }
}

void wm_csma_on_alarm(wm_csma *mac)
{
    if (mac->state == BACKOFF) {
        try_channel(mac);
    } else if (mac->state == ON_AIR) {
        after_air(mac);
    } else if (mac->state == LOADED) {
        begin(mac);
    } else if (mac->state == SPACE) {
        mac->state = IDLE;
    } /* else nobody waits for the alarm */
}

/* A PAN of 0xFFFF is every PAN (6.7.2). A frame without destination is the coordinator's. */
static bool is_for(const wm_csma *mac, const wm_mhr *mhr)
{
    uint16_t to;

    if (mhr->dst.mode == WM_ADDR_NONE) {
        return mhr->type == WM_FRAME_BEACON && mhr->src_pan == mac->pan;
    }
    if (mhr->dst_pan != mac->pan && mhr->dst_pan != WM_CSMA_BROADCAST) {
        return false;
    }
    if (mhr->dst.mode != WM_ADDR_SHORT) {
        return false;
    }
    to = (uint16_t)((uint16_t)mhr->dst.octet[0] << 8 | mhr->dst.octet[1]);
    return to == mac->address || to == WM_CSMA_BROADCAST;
}

wm_status wm_csma_receive(wm_csma *mac, const uint8_t *frame, wm_psdu_len len, wm_mhr *mhr,
                          wm_frame_map *map)
{
    wm_status status;

    if (len == ACK_LEN && (frame[0] & FCF_TYPE) == WM_FRAME_ACK) {
        if (mac->state == ON_AIR && mac->wants_ack && frame[SEQ_AT] == mac->seq) {
            finish(mac, WM_CSMA_SENT);
        }
        return WM_ERR_NOT_FOR_US;
    }
    status = wm_frame_parse(frame, len, mhr, map);
    if (status != WM_OK) {
        return status;
    }
    return mhr->type != WM_FRAME_ACK && is_for(mac, mhr) ? WM_OK : WM_ERR_NOT_FOR_US;
}

static bool same_address(const wm_csma_sender *known, const wm_mhr *mhr)
{
    uint8_t n, octets = mhr->src.mode == WM_ADDR_EXT ? 8 : 2;

    if (known->address.mode != mhr->src.mode || known->pan != mhr->src_pan) {
        return false;
    }
    for (n = 0; n < octets; n++) {
        if (known->address.octet[n] != mhr->src.octet[n]) {
            return false;
        }
    }
    return true;
}

/* The table is in the order in which senders were heard, the last one first. */
bool wm_csma_repeated(wm_csma *mac, const wm_mhr *mhr)
{
    wm_csma_sender latest;
    uint8_t at = 0;
    bool repeated;

    if (mhr->src.mode == WM_ADDR_NONE || mhr->seq_suppressed) {
        return false;
    }
    while (at < WM_CSMA_SENDERS - 1 && !same_address(&mac->sender[at], mhr)) {
        at++;
    }
    repeated = same_address(&mac->sender[at], mhr) && mac->sender[at].seq == mhr->seq;
    latest.address = mhr->src;
    latest.pan = mhr->src_pan;
    latest.seq = mhr->seq;
    for (; at != 0; at--) {
        mac->sender[at] = mac->sender[at - 1];
    }
    mac->sender[0] = latest;
    return repeated;
}
