/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the promises that port/counter_port.h makes for a medium, and no more. */
#include "counter_double.h"
#include <stddef.h>

/* One of many sequences in which bits change or do not (xorshift). */
static uint8_t arbitrary(counter_double *in)
{
    uint32_t x = in->seed | 1u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    in->seed = x;
    return (uint8_t)(x >> 11);
}

/* Counts an operation. @retval true  power fails within it */
static bool fails(counter_double *in)
{
    in->operations++;
    in->off = in->fuse != 0 && in->operations >= in->fuse;
    return in->off;
}

/* Octet `at` becomes `to`, apart from bits of `kept` and from those that are worn. */
static void change(counter_double *in, uint16_t at, uint8_t to, uint8_t kept)
{
    in->octet[at] ^= (uint8_t)((in->octet[at] ^ to) & ~in->worn[at] & ~kept);
}

/* What power that fails leaves of a unit that should become `to`: in units of 2 some of its bits as
 * they were; in others that, all or nothing of it, any octets, or an ECC that is wrong. A unit that
 * could not be read and is left as it was still cannot. */
static void spoil(counter_double *in, uint16_t at, const uint8_t *to)
{
    uint8_t how = in->unit == 2 ? 0 : arbitrary(in) % 5;
    for (uint8_t n = 0; n < in->unit; n++) {
        uint8_t some = arbitrary(in), goal = how == 1 ? arbitrary(in) : to[n];
        uint8_t kept = (uint8_t)(how == 0 ? some : how == 2 ? 0xFF : 0);
        change(in, (uint16_t)(at + n), goal, kept);
    }
    if (in->unit != 2) {
        uint8_t *unreadable = &in->unreadable[at / in->unit];
        *unreadable = how == 4 || (how == 2 && *unreadable != 0);
    }
}

static wm_status double_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                             uint16_t len)
{
    const counter_double *in = medium;
    uint16_t at = (uint16_t)(segment * in->segment_octets + offset);
    if (offset % in->unit != 0 || len % in->unit != 0 || offset + len > in->segment_octets) {
        return WM_ERR_PARAM;
    }
    bool failing = in->off || in->broken;
    for (uint16_t n = 0; n < len; n++) {
        to[n] = in->octet[at + n];
        failing = failing || (in->unit != 2 && in->unreadable[(at + n) / in->unit] != 0);
    }
    return failing ? WM_ERR_STORAGE : WM_OK;
}

/* May a unit be programmed? One of 2 octets also when it was, to zeros. */
static bool may_program(const counter_double *in, uint16_t at, const uint8_t *from)
{
    uint8_t there = 0xFF, wanted = 0;
    for (uint8_t n = 0; n < in->unit; n++) {
        there &= in->octet[at + n];
        wanted |= from[n];
    }
    if (in->unit == 2) {
        return there == 0xFF || wanted == 0;
    }
    return there == 0xFF && in->unreadable[at / in->unit] == 0;
}

static wm_status double_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                                uint16_t len)
{
    counter_double *in = medium;
    uint16_t at = (uint16_t)(segment * in->segment_octets + offset);
    if (offset % in->unit != 0 || len % in->unit != 0 || offset + len > in->segment_octets) {
        return WM_ERR_PARAM;
    }
    for (; len != 0 && !in->off; len = (uint16_t)(len - in->unit)) {
        in->overwritten = in->overwritten || !may_program(in, at, from);
        uint8_t to[8];
        for (uint8_t n = 0; n < in->unit; n++) {
            to[n] = from[n] & in->octet[at + n];
        }
        if (fails(in)) {
            spoil(in, at, to);
        } else {
            for (uint8_t n = 0; n < in->unit; n++) {
                change(in, (uint16_t)(at + n), to[n], 0);
            }
        }
        at = (uint16_t)(at + in->unit);
        from += in->unit;
    }
    return in->off ? WM_ERR_STORAGE : WM_OK;
}

static wm_status double_erase(void *medium, uint8_t segment)
{
    static const uint8_t ones[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    counter_double *in = medium;
    if (in->off) {
        return WM_ERR_STORAGE;
    }
    bool failing = fails(in);
    in->erasures[segment]++;
    for (uint16_t n = 0; n < in->segment_octets; n = (uint16_t)(n + in->unit)) {
        uint16_t at = (uint16_t)(segment * in->segment_octets + n);
        if (failing) {
            spoil(in, at, ones);
            continue;
        }
        for (uint8_t k = 0; k < in->unit; k++) {
            change(in, (uint16_t)(at + k), 0xFF, 0);
        }
        if (in->unit != 2) {
            in->unreadable[at / in->unit] = 0;
        }
    }
    return in->off ? WM_ERR_STORAGE : WM_OK;
}

static bool double_is_ours(void *medium)
{
    const counter_double *in = medium;
    return !in->copied;
}

#define PORT(octets, segments, unit)                                                               \
    {(octets), (segments), (unit), double_read, double_program, double_erase, double_is_ours}

const wm_counter_port counter_double_two = PORT(64, 2, 2);
const wm_counter_port counter_double_two4 = PORT(96, 2, 4);
const wm_counter_port counter_double_two8 = PORT(128, 2, 8);
const wm_counter_port counter_double_three = PORT(48, 3, 2);
const wm_counter_port counter_double_three4 = PORT(72, 3, 4);
const wm_counter_port counter_double_three8 = PORT(96, 3, 8);
const wm_counter_port counter_double_single = PORT(64, 1, 2);
const wm_counter_port counter_double_small = PORT(24, 2, 2);
const wm_counter_port counter_double_odd = PORT(33, 2, 2);
const wm_counter_port counter_double_none = PORT(64, 2, 0);
const wm_counter_port counter_double_six = PORT(96, 2, 6);
const wm_counter_port counter_double_sixteen = PORT(128, 2, 16);
const wm_counter_port counter_double_half = PORT(100, 2, 8);
