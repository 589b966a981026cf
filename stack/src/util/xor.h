/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of blocks and octet strings, in units of the CPU where the addresses allow
 * it. The way taken depends on addresses and lengths only. */
#ifndef WM_UTIL_XOR_H
#define WM_UTIL_XOR_H

#include <stdint.h>
#include <wardmote/block128.h>

/* A block as the CPU sees it: a list of registers. Written out: an assignment of structures becomes
 * a call of memcpy on small CPUs. */
#if UINTPTR_MAX > 0xffff
#define WM_BLOCK_PARTS(step) step(word, 0) step(word, 1) step(word, 2) step(word, 3)
#else
#define WM_BLOCK_PARTS(step)                                                                       \
    step(half, 0) step(half, 1) step(half, 2) step(half, 3) step(half, 4) step(half, 5)            \
        step(half, 6) step(half, 7)
#endif

/** to = from. */
static inline void wm_block_copy(wm_block128 *to, const wm_block128 *from)
{
#define WM_COPY(part, i) to->part[i] = from->part[i];
    WM_BLOCK_PARTS(WM_COPY)
#undef WM_COPY
}

/** to ^= from. */
static inline void wm_block_xor(wm_block128 *to, const wm_block128 *from)
{
#define WM_XOR(part, i) to->part[i] ^= from->part[i];
    WM_BLOCK_PARTS(WM_XOR)
#undef WM_XOR
}

/** Overwrites a block with zeros; the compiler may not leave it out. wm_wipe takes three times as
 *  long. */
static inline void wm_block_wipe(wm_block128 *block)
{
    volatile wm_block128 *dead = block;
#define WM_WIPE(part, i) dead->part[i] = 0;
    WM_BLOCK_PARTS(WM_WIPE)
#undef WM_WIPE
}

/** to[i] ^= from[i] for i < len, len <= 16; any alignment. The strings do not overlap. */
void wm_xor(uint8_t *to, const uint8_t *from, uint8_t len);

/** to[i] = from[i] for i < len, len <= 16; any alignment. The strings do not overlap. */
void wm_copy(uint8_t *to, const uint8_t *from, uint8_t len);

#endif
