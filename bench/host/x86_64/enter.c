/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments where the ABI wants them. */
#include "enter.h"
#include "../server.h"
#include <string.h>

/* Interrupts on, as everywhere in user mode, and the bit that is always set. */
#define USER_FLAGS 0x202u

struct entering wm_entering(uintptr_t function, const uint64_t *words, size_t count)
{
    size_t pushed = count > REGISTER_WORDS ? count - REGISTER_WORDS : 0;
    struct entering e = {.function = function, .flags = USER_FLAGS};
    /* Before the call the stack pointer is a multiple of 16. */
    e.stack = (STACK_TOP - pushed * sizeof *words - 64) & ~(uintptr_t)15;
    for (size_t i = 0; i < count && i < REGISTER_WORDS; i++)
        e.registers[i] = words[i];
    if (pushed)
        memcpy((void *)e.stack, words + REGISTER_WORDS, pushed * sizeof *words);
    return e;
}

uint64_t wm_enter(uintptr_t function, const uint64_t *words, size_t count)
{
    struct entering e = wm_entering(function, words, count);
    wm_enter_with(&e);
    return e.value;
}
