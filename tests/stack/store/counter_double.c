/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the promises that port/counter_port.h makes for a medium, and no more. */
#include "counter_double.h"
#include <stddef.h>

#define TWO_OCTETS 64
#define THREE_OCTETS 48

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

/* One octet becomes `to`, or some of it when power fails within this operation. */
static void change(counter_double *in, uint16_t at, uint8_t to, bool fails)
{
    uint8_t change = (uint8_t)((in->octet[at] ^ to) & ~in->worn[at]);
    in->octet[at] ^= fails ? (uint8_t)(change & arbitrary(in)) : change;
}

/* Counts an operation. @retval true  power fails within it */
static bool fails(counter_double *in)
{
    in->operations++;
    in->off = in->fuse != 0 && in->operations >= in->fuse;
    return in->off;
}

static wm_status read_at(const counter_double *in, uint16_t at, uint8_t *to, uint16_t len)
{
    for (uint16_t n = 0; n < len; n++) {
        to[n] = in->octet[at + n];
    }
    return in->off || in->broken ? WM_ERR_STORAGE : WM_OK;
}

static wm_status program_at(counter_double *in, uint16_t at, const uint8_t *from, uint16_t len)
{
    if (at % WM_COUNTER_UNIT != 0 || len % WM_COUNTER_UNIT != 0) {
        return WM_ERR_PARAM;
    }
    for (uint16_t n = 0; n < len && !in->off; n += WM_COUNTER_UNIT) {
        bool blank = (in->octet[at + n] & in->octet[at + n + 1]) == 0xFF;
        bool failing = fails(in);
        in->overwritten = in->overwritten || (!blank && (from[n] | from[n + 1]) != 0);
        change(in, (uint16_t)(at + n), from[n] & in->octet[at + n], failing);
        change(in, (uint16_t)(at + n + 1), from[n + 1] & in->octet[at + n + 1], failing);
    }
    return in->off ? WM_ERR_STORAGE : WM_OK;
}

static wm_status erase_at(counter_double *in, uint8_t segment, uint16_t octets)
{
    if (in->off) {
        return WM_ERR_STORAGE;
    }
    bool failing = fails(in);
    in->erasures[segment]++;
    for (uint16_t n = 0; n < octets; n++) {
        change(in, (uint16_t)(segment * octets + n), 0xFF, failing);
    }
    return in->off ? WM_ERR_STORAGE : WM_OK;
}

static wm_status two_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to, uint16_t len)
{
    return read_at(medium, (uint16_t)(segment * TWO_OCTETS + offset), to, len);
}

static wm_status two_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                             uint16_t len)
{
    return program_at(medium, (uint16_t)(segment * TWO_OCTETS + offset), from, len);
}

static wm_status two_erase(void *medium, uint8_t segment)
{
    return erase_at(medium, segment, TWO_OCTETS);
}

static wm_status three_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                            uint16_t len)
{
    return read_at(medium, (uint16_t)(segment * THREE_OCTETS + offset), to, len);
}

static wm_status three_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                               uint16_t len)
{
    return program_at(medium, (uint16_t)(segment * THREE_OCTETS + offset), from, len);
}

static wm_status three_erase(void *medium, uint8_t segment)
{
    return erase_at(medium, segment, THREE_OCTETS);
}

const wm_counter_port counter_double_two = {TWO_OCTETS, 2, two_read, two_program, two_erase, NULL};
const wm_counter_port counter_double_three = {THREE_OCTETS,  3,           three_read,
                                              three_program, three_erase, NULL};
const wm_counter_port counter_double_single = {TWO_OCTETS,  1,         two_read,
                                               two_program, two_erase, NULL};
const wm_counter_port counter_double_small = {24, 2, two_read, two_program, two_erase, NULL};
const wm_counter_port counter_double_odd = {33, 2, two_read, two_program, two_erase, NULL};
