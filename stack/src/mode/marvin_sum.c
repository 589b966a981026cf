/* SPDX-License-Identifier: BSD-3-Clause */
/* Sum of masked blocks, Marvin steps 2 to 5.
 * Invariants: no branch depends on anything but lengths. */
#include "marvin_sum.h"
#include "../util/unit.h"
#include "../util/xor.h"

#define UNITS (WM_CURUPIRA_BLOCK_LEN / WM_UNIT_OCTETS)

static inline void add(wm_block96 *to, const wm_block96 *from)
{
    for (uint8_t i = 0; i < UNITS; i++) {
        to->wm_units[i] ^= from->wm_units[i];
    }
}

static inline void copy(wm_block96 *to, const wm_block96 *from)
{
    for (uint8_t i = 0; i < UNITS; i++) {
        to->wm_units[i] = from->wm_units[i];
    }
}

void wm_marvin_sum_begin(wm_marvin_sum *sum, const wm_block96 *r)
{
    copy(&sum->sum, r);
    copy(&sum->mask, r);
    sum->octets = 0;
    sum->fill = 0;
}

/* The mask times x^8 modulo x^96 + x^16 + x^13 + x^11 + 1: octets move up by one, and the one that
 * falls out is folded in at x^0 and, bit by bit, at x^11, x^13 and x^16. */
void wm_marvin_sum_next(wm_marvin_sum *sum)
{
    uint8_t *o = sum->mask.octet, out = o[0];
    for (uint8_t i = 0; i < 11; i++) {
        o[i] = o[i + 1];
    }
    o[11] = out;
    o[10] ^= (uint8_t)(out << 5 ^ out << 3);
    o[9] ^= (uint8_t)(out ^ out >> 3 ^ out >> 5);
    copy(&sum->block, &sum->mask);
}

static void add_block(wm_marvin_sum *sum)
{
    wm_curupira_sct(sum->block.octet);
    add(&sum->sum, &sum->block);
    sum->fill = 0;
}

void wm_marvin_sum_take(wm_marvin_sum *sum, const uint8_t *data, uint8_t len)
{
    wm_xor(sum->block.octet + sum->fill, data, len);
    sum->fill = (uint8_t)(sum->fill + len);
    sum->octets += len;
    if (sum->fill == WM_CURUPIRA_BLOCK_LEN) {
        add_block(sum);
    }
}

void wm_marvin_sum_update(wm_marvin_sum *sum, const uint8_t *data, size_t len)
{
    while (len != 0) {
        uint8_t n = (uint8_t)(WM_CURUPIRA_BLOCK_LEN - sum->fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        if (sum->fill == 0) {
            wm_marvin_sum_next(sum);
        }
        wm_marvin_sum_take(sum, data, n);
        data += n;
        len -= n;
    }
}

void wm_marvin_sum_end(wm_marvin_sum *sum, uint8_t tag_len)
{
    if (sum->fill != 0) {
        add_block(sum);
    }
    /* The bits a tag lacks of a block, in binary without leading zeros, then a bit 1, at the left:
     * 129 at most. */
    uint8_t lacks = (uint8_t)((unsigned)(WM_CURUPIRA_BLOCK_LEN - tag_len) << 4 | 1);
    while ((lacks & 0x80) == 0) {
        lacks = (uint8_t)(lacks << 1);
    }
    uint8_t *a = sum->sum.octet;
    a[0] ^= lacks;
    /* The length of the string in bits, at the right. */
    uint32_t bits = sum->octets << 3;
    a[7] ^= (uint8_t)(sum->octets >> 29);
    a[8] ^= (uint8_t)(bits >> 24);
    a[9] ^= (uint8_t)(bits >> 16);
    a[10] ^= (uint8_t)(bits >> 8);
    a[11] ^= (uint8_t)bits;
}
