/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of Grain v1: the part that takes most of the time. */
#ifndef WM_CIPHER_GRAIN_V1_CLOCK_H
#define WM_CIPHER_GRAIN_V1_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/grain_v1.h>

#define WM_GRAIN_V1_HALVES 5

/* Sixteen steps; their output, the first bit the least. What else is fed back may be added to the
 * newest 16 bits of each register afterwards: no step of these 16 looks at them. */
uint16_t wm_grain_v1_clock(wm_grain_v1 *ctx);

/* Exclusive or of output with two octets, for each of `pairs` times 16 steps. */
void wm_grain_v1_pairs(wm_grain_v1 *ctx, uint8_t *data, size_t pairs);

#endif
