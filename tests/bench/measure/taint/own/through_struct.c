/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret goes into a structure, is copied with it, and decides later
// call: uint8_t through_struct(const uint8_t key[4])
// secret: key
#include <stdint.h>

struct state {
    uint8_t round;
    uint8_t word[4];
};

static struct state first, second;
volatile uint8_t rounds;

uint8_t through_struct(const uint8_t key[4])
{
    first.round = 7;
    for (uint8_t i = 0; i < 4; i++)
        first.word[i] = key[i];
    second = first;
    if (second.round == 7 && second.word[2] == 0xE1 && second.word[1] == 0x3B)
        rounds = 1;
    return second.round;
}
