/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine whose ABI is not written down here: the compiler calls, on its own stack, and nothing is
 * followed. An argument is a word as wide as a pointer. */
#include "../server.h"

const void *wm_steps;
const size_t wm_step_octets;

typedef uintptr_t word;
typedef word function16(word, word, word, word, word, word, word, word, word, word, word, word,
                        word, word, word, word);

/* A function that takes fewer words does not see the others. */
uint64_t wm_enter(uintptr_t function, const uint64_t *w, size_t count)
{
    (void)count;
    const word v[WORDS] = {(word)w[0],  (word)w[1],  (word)w[2],  (word)w[3],
                           (word)w[4],  (word)w[5],  (word)w[6],  (word)w[7],
                           (word)w[8],  (word)w[9],  (word)w[10], (word)w[11],
                           (word)w[12], (word)w[13], (word)w[14], (word)w[15]};
    return ((function16 *)function)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9],
                                    v[10], v[11], v[12], v[13], v[14], v[15]);
}

void wm_nothing(void)
{
}

void wm_open_steps(void)
{
}

void wm_step(const struct request *r, struct answer *a)
{
    (void)r;
    (void)a;
    wm_leave(2);
}
