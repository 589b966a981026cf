/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of ZigBee share. */
#include "zigbee_target.h"

#define BLOCK 4u
#define LEVEL_BITS 7u

static uint32_t limit(const wm_counter *counter)
{
    return ((const fuzz_counter *)counter)->limit;
}

static bool continues(const wm_counter *counter, uint32_t next)
{
    (void)counter;
    (void)next;
    return true;
}

static wm_status advance(wm_counter *counter, uint32_t next)
{
    fuzz_counter *const of = (fuzz_counter *)counter;
    FUZZ_REQUIRE(next != 0);
    if (next > of->limit) {
        of->limit = next > UINT32_MAX - BLOCK ? UINT32_MAX : next + BLOCK;
    }
    return WM_OK;
}

static wm_status clear(wm_counter *counter)
{
    ((fuzz_counter *)counter)->limit = 0;
    return WM_OK;
}

void fuzz_counter_make(fuzz_counter *made)
{
    static const wm_counter_ops ops = {limit, continues, advance, clear};
    *made = (fuzz_counter){{&ops}, 0};
}

void fuzz_zigbee_change(fuzz_input *in, fuzz_zigbee_frame *frame, uint8_t aux_at, bool ignored)
{
    const uint8_t at = fuzz_u8(in), change = fuzz_u8(in);
    if (at >= frame->len || change == 0) {
        return;
    }
    frame->octet[at] ^= change;
    if (at != aux_at || !ignored || (change & ~LEVEL_BITS) != 0) {
        frame->made = false;
    }
}

uint32_t fuzz_zigbee_counter(fuzz_input *in)
{
    const uint8_t how = fuzz_u8(in);
    return how >= 0xF8u ? UINT32_MAX - 1u - (how & 7u) : how % 48u;
}

bool fuzz_zigbee_kept(const uint8_t *left, const fuzz_zigbee_frame *came)
{
    uint8_t same = 0;
    while (same < came->len && left[same] == came->octet[same]) {
        same++;
    }
    return fuzz_all(left + same, (size_t)(came->len - same), 0);
}
