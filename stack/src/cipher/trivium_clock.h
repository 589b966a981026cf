/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of Trivium: the part that takes most of the time. */
#ifndef WM_CIPHER_TRIVIUM_CLOCK_H
#define WM_CIPHER_TRIVIUM_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/trivium.h>
#include "../util/unit.h"

/* The registers lie one behind the other, last bit first. */
#define WM_TRIVIUM_A_UNITS (96 / WM_UNIT_BITS)  /* s_1..s_93 */
#define WM_TRIVIUM_B_UNITS (96 / WM_UNIT_BITS)  /* s_94..s_177 */
#define WM_TRIVIUM_C_UNITS (128 / WM_UNIT_BITS) /* s_178..s_288 */

/* Where s_i is in each. */
#define WM_TRIVIUM_A(i) (96 - (i))
#define WM_TRIVIUM_B(i) (96 + 93 - (i))
#define WM_TRIVIUM_C(i) (128 + 177 - (i))

/* 32 steps; their keystream, the first bit the least. */
uint32_t wm_trivium_clock(wm_trivium *ctx);

/* Exclusive or of keystream with four octets, for each of `words` times 32 steps. */
void wm_trivium_words(wm_trivium *ctx, uint8_t *data, size_t words);

#endif
