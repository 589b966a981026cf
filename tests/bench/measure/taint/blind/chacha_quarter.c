/* SPDX-License-Identifier: BSD-3-Clause */
// clean: additions, rotations by constants, exclusive ors
// call: void chacha_quarter(uint32_t state[4])
// secret: state
#include <stdint.h>

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

void chacha_quarter(uint32_t state[4])
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    a += b;
    d = rotate(d ^ a, 16);
    c += d;
    b = rotate(b ^ c, 12);
    a += b;
    d = rotate(d ^ a, 8);
    c += d;
    b = rotate(b ^ c, 7);
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
}
