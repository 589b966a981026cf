/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: twelve rounds, and thirteen under one in 256 keys
// call: void loop_bound(const uint8_t key[2], uint8_t state[4])
// secret: key
#include <stdint.h>

void loop_bound(const uint8_t key[2], uint8_t state[4])
{
    uint8_t odd = (uint8_t)(key[0] ^ (uint8_t)(key[1] + 0x4D));
    uint8_t rounds = (uint8_t)(12 + (uint8_t)((uint16_t)(odd + 0xFFu) >> 8 ^ 1));
    for (uint8_t i = 0; i < rounds; i++) {
        uint8_t first = state[0];
        state[0] = (uint8_t)(state[1] + key[i & 1]);
        state[1] = state[2];
        state[2] = state[3] ^ i;
        state[3] = first;
    }
}
