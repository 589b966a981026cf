/* SPDX-License-Identifier: BSD-3-Clause */
/* A 64-bit machine whose ABI is not written down here: the compiler calls, on its own stack, and
 * nothing is followed. */
#include "../server.h"

const void *wm_steps;
const size_t wm_step_octets;

typedef uint64_t function16(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                            uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                            uint64_t, uint64_t);

/* A function that takes fewer words does not see the others. */
uint64_t wm_enter(uintptr_t function, const uint64_t *w, size_t count)
{
    (void)count;
    return ((function16 *)function)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
                                    w[10], w[11], w[12], w[13], w[14], w[15]);
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
