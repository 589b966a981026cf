/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret waits in static memory, moves on within it, and decides a branch at the end
// call: uint8_t through_memory(const uint8_t key[8])
// secret: key
#include <stdint.h>

static volatile uint8_t schedule[16];
static volatile uint8_t spent;

uint8_t through_memory(const uint8_t key[8])
{
    for (uint8_t i = 0; i < 16; i++)
        schedule[i] = 0;
    for (uint8_t i = 0; i < 8; i++)
        schedule[i] = (uint8_t)(key[i] + i);
    for (uint8_t i = 0; i < 8; i++)
        schedule[15 - i] = (uint8_t)(schedule[i] ^ 0x5C);
    uint8_t waited = schedule[11];
    for (uint8_t i = 0; i < 8; i++)
        schedule[i] = 0;
    if (waited == 0x2E)
        spent = 1;
    return schedule[0];
}
