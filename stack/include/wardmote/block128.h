/* SPDX-License-Identifier: BSD-3-Clause */
/** @file block128.h
 *  A block of at most 16 octets, as block ciphers take it. */
#ifndef WARDMOTE_BLOCK128_H
#define WARDMOTE_BLOCK128_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Most octets of a block. */
#define WM_BLOCK_MAX 16

/** One block: octets in the order of the standard, aligned so that a CPU may take it word by
 *  word. */
typedef union wm_block128 {
    uint8_t octet[16];
    uint16_t half[8];
    uint32_t word[4];
} wm_block128;

WM_C_END

#endif
