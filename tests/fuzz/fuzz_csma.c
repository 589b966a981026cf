/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSMA-CA MAC: frames as received, acks, alarms, a channel that is clear or not, frames to send.
 *
 * Judged: a frame is taken if it parses and is for this node or for everybody, and only then; no
 * frame but the ack that is waited for changes anything; a frame is said to be repeated if the last
 * one of its sender had its number, and a sender is only forgotten behind eight others; what is sent
 * ends once, and within as many tries as there may be. */
#include <wardmote/csma.h>
#include "../stack/link/csma_double.h"
#include "harness.h"

#define PAN 0xBEEFu
#define OWN 0x00A1u
#define EVERYBODY 0xFFFFu
#define ACK_LEN 3u
#define HEADER_LEN 9u
#define HEARD 64u
#define STEPS 200u
/* Looks at the channel and waits for an ack in each of four tries, and the space behind them. */
#define MOST_ALARMS ((WM_CSMA_MAX_RETRIES + 1u) * (WM_CSMA_MAX_BACKOFFS + 2u) + 1u)

typedef struct heard {
    wm_mhr last; /* of a sender */
} heard;

/* Every sender, the one that was heard last in front. */
typedef struct history {
    heard of[HEARD];
    uint8_t count;
} history;

static bool is_ours(const wm_mhr *mhr)
{
    const uint16_t to = (uint16_t)(mhr->dst.octet[0] << 8 | mhr->dst.octet[1]);
    if (mhr->type == WM_FRAME_ACK) {
        return false;
    }
    if (mhr->dst.mode == WM_ADDR_NONE) {
        return mhr->type == WM_FRAME_BEACON && mhr->src_pan == PAN;
    }
    return mhr->dst.mode == WM_ADDR_SHORT && (mhr->dst_pan == PAN || mhr->dst_pan == EVERYBODY) &&
           (to == OWN || to == EVERYBODY);
}

static bool same_sender(const wm_mhr *a, const wm_mhr *b)
{
    return a->src.mode == b->src.mode && a->src_pan == b->src_pan &&
           memcmp(a->src.octet, b->src.octet, a->src.mode == WM_ADDR_EXT ? 8 : 2) == 0;
}

/* Asks about a frame that was taken, and notes its sender. */
static void judge_repeated(wm_csma *mac, history *past, const wm_mhr *mhr)
{
    uint8_t at = 0;
    const bool repeated = wm_csma_repeated(mac, mhr);
    if (mhr->src.mode == WM_ADDR_NONE || mhr->seq_suppressed) {
        FUZZ_REQUIRE(!repeated);
        return;
    }
    while (at < past->count && !same_sender(&past->of[at].last, mhr)) {
        at++;
    }
    const bool same = at < past->count && past->of[at].last.seq == mhr->seq;
    FUZZ_REQUIRE(repeated == (same && at < WM_CSMA_SENDERS));
    if (at == past->count && past->count < HEARD) {
        past->count++;
    }
    at = at < HEARD ? at : HEARD - 1u;
    memmove(past->of + 1, past->of, at * sizeof past->of[0]);
    past->of[0].last = *mhr;
}

static void receive(wm_csma *mac, history *past, const uint8_t *octets, wm_psdu_len len)
{
    uint8_t *frame = fuzz_copy(octets, len);
    const wm_csma before = *mac;
    const uint16_t alarms = csma_double_noted(CSMA_DOUBLE_ALARMS);
    wm_mhr mhr, expected;
    wm_frame_map map, there;
    const wm_status status = wm_csma_receive(mac, frame, len, &mhr, &map);
    const bool short_ack = len == ACK_LEN && (frame[0] & 7u) == WM_FRAME_ACK;
    const bool ended = before.state != mac->state;
    if (ended) {
        FUZZ_REQUIRE(short_ack && before.wants_ack && frame[2] == before.seq);
        FUZZ_REQUIRE(csma_double_noted(CSMA_DOUBLE_ALARMS) == (uint16_t)(alarms + 1));
    } else {
        FUZZ_REQUIRE(memcmp(mac, &before, sizeof before) == 0);
        FUZZ_REQUIRE(csma_double_noted(CSMA_DOUBLE_ALARMS) == alarms);
    }
    if (short_ack) {
        FUZZ_REQUIRE(status == WM_ERR_NOT_FOR_US);
    } else {
        const wm_status parsed = wm_frame_parse(frame, len, &expected, &there);
        const bool ours = parsed == WM_OK && is_ours(&expected);
        FUZZ_REQUIRE(status == (parsed != WM_OK ? parsed : ours ? WM_OK : WM_ERR_NOT_FOR_US));
        if (status == WM_OK) {
            judge_repeated(mac, past, &mhr);
        }
    }
    free(frame);
}

/* A data frame with short addresses, whose fields are near to what is taken. */
static wm_psdu_len make_frame(fuzz_input *in, uint8_t *frame)
{
    const uint8_t how = fuzz_u8(in);
    const uint16_t dst = (how & 3u) == 0 ? EVERYBODY : (uint16_t)(OWN + (how & 3u) - 1u);
    const uint16_t pan = (how & 4u) == 0 ? PAN : (how & 8u) == 0 ? EVERYBODY : PAN ^ 1u;
    const uint8_t octets = fuzz_u8(in) & 63u;
    frame[0] = (uint8_t)(0x41u | ((how & 16u) != 0 ? 0x20u : 0));
    frame[1] = 0x88;
    frame[2] = fuzz_u8(in) & 3u;
    frame[3] = (uint8_t)pan;
    frame[4] = (uint8_t)(pan >> 8);
    frame[5] = (uint8_t)dst;
    frame[6] = (uint8_t)(dst >> 8);
    frame[7] = (uint8_t)(how >> 5 | (frame[2] & 2u) << 2);
    frame[8] = 0;
    memset(frame + HEADER_LEN, 0, octets);
    return (wm_psdu_len)(HEADER_LEN + octets);
}

/* An alarm, which may end the frame that is sent. */
static void alarm(wm_csma *mac, uint8_t *alarms)
{
    const uint16_t done = csma_double_noted(CSMA_DOUBLE_DONE);
    const bool sending = wm_csma_sending(mac);
    wm_csma_on_alarm(mac);
    *alarms = (uint8_t)(*alarms + sending);
    FUZZ_REQUIRE(*alarms <= MOST_ALARMS);
    const bool ended = csma_double_noted(CSMA_DOUBLE_DONE) != done;
    FUZZ_REQUIRE(ended == (sending && !wm_csma_sending(mac)));
    FUZZ_REQUIRE(csma_double_noted(CSMA_DOUBLE_ALARM) != 0 || !wm_csma_sending(mac));
}

static void send(wm_csma *mac, const uint8_t *octets, wm_psdu_len len, uint8_t *alarms)
{
    uint8_t *frame = fuzz_copy(octets, len);
    wm_mhr mhr;
    wm_frame_map map;
    const bool sending = wm_csma_sending(mac);
    const wm_status status = wm_csma_send(mac, frame, len);
    FUZZ_REQUIRE((status == WM_ERR_STATE) == sending);
    if (status == WM_OK) {
        FUZZ_REQUIRE(wm_frame_parse(frame, len, &mhr, &map) == WM_OK && !mhr.seq_suppressed);
        FUZZ_REQUIRE(wm_csma_sending(mac) && csma_double_noted(CSMA_DOUBLE_LOADED) == len);
        *alarms = 0;
    }
    free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    wm_csma mac;
    history past = {.count = 0};
    uint8_t frame[WM_PSDU_MAX];
    uint8_t alarms = 0, steps = 0;
    csma_double_begin();
    memset(&mac, 0, sizeof mac);
    FUZZ_REQUIRE(wm_csma_init(&mac, PAN, OWN, (uint16_t)(1u + fuzz_u8(&in))) == WM_OK);
    for (; in.left != 0 && steps < STEPS; steps++) {
        const uint8_t step = fuzz_u8(&in);
        wm_psdu_len len = 0;
        if ((step & 7u) < 4) {
            len = make_frame(&in, frame);
        } else if ((step & 7u) < 6) {
            len = (wm_psdu_len)(step >> 3);
            fuzz_octets(&in, frame, len);
        }
        if ((step & 7u) == 7) {
            csma_double_clear(step >> 3 & 1u);
        } else if ((step & 7u) == 6) {
            alarm(&mac, &alarms);
        } else if ((step & 7u) == 3) {
            send(&mac, frame, len, &alarms);
        } else {
            receive(&mac, &past, frame, len);
        }
        FUZZ_REQUIRE(mac.random != 0);
    }
    while (wm_csma_sending(&mac)) {
        alarm(&mac, &alarms);
    }
    return FUZZ_TAKEN;
}
