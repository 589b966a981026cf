/* SPDX-License-Identifier: BSD-3-Clause */
/* Octets moved within an object, in parts that are as long as wm_copy takes them and that no part
 * before has overwritten: none is longer than the way that octets go. */
#ifndef WM_FORM_SMALL
#include "move.h"
#include "xor.h"

#define MOST 16u
#define HALF 8u

void wm_move(uint8_t *to, const uint8_t *from, uint16_t len)
{
    const bool down = to < from;
    const uintptr_t way = down ? (uintptr_t)(from - to) : (uintptr_t)(to - from);
    const uint8_t most = way >= MOST ? MOST : way >= HALF ? HALF : 1;
    uint8_t part = (uint8_t)(len & (most - 1u)); /* of the last octets, which go first if upwards */
    if (way == 0) {
        return;
    }
    if (down) {
        for (; len >= most; len = (uint16_t)(len - most)) {
            wm_copy(to, from, most);
            to += most;
            from += most;
        }
        wm_copy(to, from, part);
        return;
    }
    len = (uint16_t)(len - part);
    wm_copy(to + len, from + len, part);
    while (len != 0) {
        len = (uint16_t)(len - most);
        wm_copy(to + len, from + len, most);
    }
}
#endif
