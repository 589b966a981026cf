/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is told over its input which function to call, on this machine: as a 64-bit x86 it
 * loads the function's library, as a 32-bit x86 it is linked to the function. Each call is made in
 * a child, so static variables begin anew and a crash is one call's. The memory that the call is
 * given, and the answer, are shared between child and parent. Only STAY calls in the server itself:
 * static variables stay, and a crash ends it. */
#include "server.h"

#define PAINT 0xA7B3C5D9u
#define PAINTED_WORDS 16384u /* of the stack: its depth is known so far */
#define LEAST_BATCH_NS 100000u
#define MOST_CALLS (1u << 30)

/* Octets of the stack below its top that have changed since it was painted. */
static uint32_t depth(const uint32_t *stack, uint32_t words)
{
    uint32_t low = 0;
    while (low < words && stack[low] == PAINT)
        low++;
    return (words - low) * 4;
}

/* The arguments are the caller's: they begin WORDS words below the top. */
static uint32_t *painted(void)
{
    return (uint32_t *)(uintptr_t)STACK_TOP - WORDS - PAINTED_WORDS;
}

static void run(const struct request *r, struct answer *a)
{
    wm_instructions = 0;
    wm_path[0] = wm_path[1] = 0;
    a->value = wm_enter((uintptr_t)r->address, r->words, (size_t)r->count);
    a->instructions = wm_instructions;
    a->path = (uint64_t)wm_path[0] << 32 | wm_path[1];
    a->stack_octets = depth(painted(), PAINTED_WORDS);
}

/* Time of so many calls, each on the arena as it was saved. */
static uint64_t rounds(const struct request *r, uintptr_t function, uint32_t times)
{
    uint64_t start = wm_now_ns();
    while (times--) {
        __builtin_memcpy((void *)ARENA, (const void *)SAVED, (size_t)r->octets);
        (void)wm_enter(function, r->words, (size_t)r->count);
    }
    return wm_now_ns() - start;
}

static void time_call(const struct request *r, struct answer *a)
{
    uint32_t times = 1;
    __builtin_memcpy((void *)SAVED, (const void *)ARENA, (size_t)r->octets);
    while (rounds(r, (uintptr_t)r->address, times) < LEAST_BATCH_NS && times < MOST_CALLS)
        times *= 2;
    for (uint32_t n = 0; n < r->limit && n < MOST_BATCHES; n++) {
        a->batches[n].ns = rounds(r, (uintptr_t)r->address, times);
        a->batches[n].ns_without = rounds(r, (uintptr_t)wm_nothing, times);
    }
    a->value = times;
}

/* In the child. */
_Noreturn static void work(const struct request *r, struct answer *a)
{
    wm_alarm((unsigned)r->seconds);
    if (r->kind == RUN)
        run(r, a);
    else if (r->kind == TIME)
        time_call(r, a);
    else if (r->kind == STEP)
        wm_step(r, a);
    else if (r->kind == READ)
        __builtin_memcpy((void *)ARENA, (const void *)(uintptr_t)r->address, (size_t)r->octets);
    a->returned = 1;
    wm_leave(0);
}

/* Memory of the child is lost with it, but for the arena and the answer. */
static void make_call(const struct request *r, struct answer *a)
{
    const struct answer nothing = {0};
    *a = nothing;
    long child = wm_fork();
    if (child == 0)
        work(r, a);
    a->status = wm_wait(child);
}

static void stay(const struct request *r, struct answer *a)
{
    const struct answer nothing = {0};
    *a = nothing;
    wm_alarm((unsigned)r->seconds);
    a->value = wm_enter((uintptr_t)r->address, r->words, (size_t)r->count);
    wm_alarm(0);
    a->returned = 1;
}

_Noreturn void wm_serve(struct answer *a)
{
    struct request r;
    wm_map(ARENA, AREA_OCTETS, 1);
    wm_map(STACK, AREA_OCTETS, 0);
    wm_map(SAVED, AREA_OCTETS, 0);
    /* Each child has the stack as it is here: pages that the call does not write cost nothing. */
    for (uint32_t w = 0; w < PAINTED_WORDS; w++)
        painted()[w] = PAINT;
    wm_write(a, sizeof *a);
    for (;;) {
        wm_read(&r, sizeof r);
        if (r.octets > AREA_OCTETS)
            wm_leave(2);
        if (r.kind != READ)
            wm_read((void *)ARENA, (size_t)r.octets);
        if (r.kind == STAY)
            stay(&r, a);
        else
            make_call(&r, a);
        wm_write(a, sizeof *a);
        wm_write((const void *)ARENA, (size_t)r.octets);
        if (r.kind == STEP)
            wm_write(wm_steps, (size_t)a->instructions * wm_step_octets);
    }
}
