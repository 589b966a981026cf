/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a branch two calls deep, on a value that a pointer hands down
// call: uint16_t through_callee(const uint16_t key[4], uint16_t nonce)
// secret: key
// arg: nonce=4660
#include <stdint.h>

struct state {
    uint16_t word;
    uint16_t rounds;
};

static __attribute__((noinline)) void reduce(struct state *state)
{
    if (state->word >= 0xFFF1)
        state->word -= 0xFFF1;
    state->rounds++;
}

static __attribute__((noinline)) void add(struct state *state, uint16_t key)
{
    state->word = (uint16_t)((uint16_t)(state->word << 3 | state->word >> 13) + key);
    reduce(state);
}

uint16_t through_callee(const uint16_t key[4], uint16_t nonce)
{
    struct state state = {nonce, 0};
    for (uint8_t i = 0; i < 4; i++)
        add(&state, key[i]);
    return (uint16_t)(state.word ^ state.rounds);
}
