/* SPDX-License-Identifier: BSD-3-Clause */
/* Octets moved within an object. There is no memmove. */
#ifndef WM_UTIL_MOVE_H
#define WM_UTIL_MOVE_H

#include <stdbool.h>
#include <stdint.h>

/** Moves `len` octets, upwards or downwards; any alignment, and the strings may overlap. */
void wm_move(uint8_t *to, const uint8_t *from, uint16_t len);

#endif
