/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of blocks and octet strings, by halves where the addresses allow it. The way taken depends on
 * addresses and lengths only. */
#ifndef WM_UTIL_XOR_H
#define WM_UTIL_XOR_H

#include <stdint.h>
#include <wardmote/block128.h>

/** to = from. Written out: an assignment of structures becomes a call of memcpy on small CPUs. */
static inline void wm_block_copy(wm_block128 *to, const wm_block128 *from)
{
    to->half[0] = from->half[0];
    to->half[1] = from->half[1];
    to->half[2] = from->half[2];
    to->half[3] = from->half[3];
    to->half[4] = from->half[4];
    to->half[5] = from->half[5];
    to->half[6] = from->half[6];
    to->half[7] = from->half[7];
}

/** to ^= from. */
static inline void wm_block_xor(wm_block128 *to, const wm_block128 *from)
{
    to->half[0] ^= from->half[0];
    to->half[1] ^= from->half[1];
    to->half[2] ^= from->half[2];
    to->half[3] ^= from->half[3];
    to->half[4] ^= from->half[4];
    to->half[5] ^= from->half[5];
    to->half[6] ^= from->half[6];
    to->half[7] ^= from->half[7];
}

/** to[i] ^= from[i] for i < len, len <= 16; any alignment. The strings do not overlap. */
void wm_xor(uint8_t *to, const uint8_t *from, uint8_t len);

#endif
