/* SPDX-License-Identifier: BSD-3-Clause */
/* Octets moved within an object, one by one. */
#ifdef WM_FORM_SMALL
#include "../src/util/move.h"

void wm_move(uint8_t *to, const uint8_t *from, uint16_t len)
{
    if (to < from) {
        for (; len != 0; len--) {
            *to++ = *from++;
        }
    }
    for (; len != 0; len--) {
        to[len - 1] = from[len - 1];
    }
}
#endif
