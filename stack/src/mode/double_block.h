/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubling of a block, which the subkeys of CMAC and the offsets of OCB3 are made by. */
#ifndef WM_MODE_DOUBLE_BLOCK_H
#define WM_MODE_DOUBLE_BLOCK_H

#include <wardmote/block128.h>

/* to = 2 from in GF(2^8b) for a block of `b` octets, 8, 12 or 16; `to` may be `from`. The octets
 * behind become zero. */
void wm_double_block(wm_block128 *to, const wm_block128 *from, uint8_t b);

#endif
