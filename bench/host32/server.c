/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack's functions in a 32-bit x86 program that is told over its input what to call. No C library: what it needs of Linux
 * are five calls, so that no 32-bit packages are needed to build it. In the program whose name ends in -counted every block of
 * instructions adds its length to a sum (count_blocks.py); the other one is what is timed.
 *
 * A request is a struct request, a struct call, and the memory that the call is given; what is answered stands at each function
 * below. Numbers are little-endian. A request that cannot be fulfilled ends the program with status 2.
 */
#include <stddef.h>
#include <stdint.h>

#define ARENA 0x20000000u /* where the asker expects the memory that calls are given */
#define STACK 0x30000000u /* where called functions have their stack */
#define SAVED 0x40000000u /* the arena as it was before a timed call */
#define AREA_OCTETS (1u << 20)
#define PAINT 0xA7B3C5D9u
#define PAINTED_WORDS 16384u /* of the stack: its depth is known so far */
#define WORDS 16u
#define MOST_BATCHES 64u
#define LEAST_BATCH_NS 100000u

#define CALL_EXIT 1
#define CALL_READ 3
#define CALL_WRITE 4
#define CALL_MAP 90
#define CALL_CLOCK 265
#define CLOCK_MONOTONIC 1
#define READ_WRITE 3
#define PRIVATE_FIXED_ANONYMOUS 0x32

enum { RUN = 1, TIME = 2 };

/* The call and so many octets of memory follow. */
struct request {
    uint32_t kind, octets, batches;
};

struct call {
    uint32_t function, words[WORDS];
};

struct outcome {
    uint64_t value;
    uint64_t instructions; /* 0 in a program that does not count */
    uint64_t path;         /* depends on which blocks were met, and in which order */
    uint64_t stack_octets; /* down to the deepest octet written, the return address included */
};

/* One batch: the call so many times, and as many calls of an empty function instead. */
struct batch {
    uint64_t ns, ns_without;
};

struct mapping {
    uint32_t address, octets, protection, flags;
    int32_t file;
    uint32_t offset;
};

struct timespec {
    int32_t seconds, nanoseconds;
};

/* What counted code adds to: enter.S. */
extern uint64_t wm_instructions;
extern uint32_t wm_path[2];

/* Calls with these words as arguments on the stack that ends at `top`; function and words as the CPU's ABI has them. */
uint64_t wm_enter(uint32_t function, const uint32_t *words, uint32_t top);
void wm_nothing(void);

static long linux_call(long number, long first, const void *second, size_t third)
{
    long result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(first), "c"(second), "d"(third)
                     : "memory");
    return result;
}

__attribute__((noreturn)) static void leave(long status)
{
    for (;;)
        (void)linux_call(CALL_EXIT, status, NULL, 0);
}

/* All of it; the program ends without fault where the input does. */
static void move(long call, long file, const void *octets, size_t count)
{
    for (const uint8_t *at = octets; count;) {
        long moved = linux_call(call, file, at, count);
        if (moved <= 0)
            leave(moved == 0 ? 0 : 2);
        at += moved;
        count -= (size_t)moved;
    }
}

static void map(uint32_t address)
{
    const struct mapping m = {address, AREA_OCTETS, READ_WRITE, PRIVATE_FIXED_ANONYMOUS, -1, 0};
    if (linux_call(CALL_MAP, (long)&m, NULL, 0) != (long)address)
        leave(2);
}

static uint64_t now_ns(void)
{
    struct timespec t = {0};
    if (linux_call(CALL_CLOCK, CLOCK_MONOTONIC, &t, 0))
        leave(2);
    return (uint64_t)(uint32_t)t.seconds * 1000000000u + (uint32_t)t.nanoseconds;
}

static void copy(uint32_t to, uint32_t from, uint32_t octets)
{
    uint32_t words = (octets + 3) / 4;
    __asm__ volatile("rep movsl" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

/* Octets of the stack below its top that have changed since it was painted. */
static uint32_t depth(const uint32_t *stack, uint32_t words)
{
    uint32_t low = 0;
    while (low < words && stack[low] == PAINT)
        low++;
    return (words - low) * 4;
}

/* The answer is an outcome and the memory. */
static void run(const struct request *r, const struct call *c)
{
    struct outcome o = {0};
    /* The arguments are the caller's: they begin WORDS words below the top. */
    uint32_t *stack = (uint32_t *)(uintptr_t)(STACK + AREA_OCTETS) - WORDS - PAINTED_WORDS;
    for (uint32_t w = 0; w < PAINTED_WORDS; w++)
        stack[w] = PAINT;
    wm_instructions = 0;
    wm_path[0] = wm_path[1] = 0;
    o.value = wm_enter(c->function, c->words, STACK + AREA_OCTETS);
    o.instructions = wm_instructions;
    o.path = (uint64_t)wm_path[0] << 32 | wm_path[1];
    o.stack_octets = depth(stack, PAINTED_WORDS);
    move(CALL_WRITE, 1, &o, sizeof o);
    move(CALL_WRITE, 1, (const void *)(uintptr_t)ARENA, r->octets);
}

/* Time of so many calls, each on the arena as it was saved. */
static uint64_t rounds(const struct call *c, uint32_t function, uint32_t times, uint32_t octets)
{
    uint64_t start = now_ns();
    while (times--) {
        copy(ARENA, SAVED, octets);
        (void)wm_enter(function, c->words, STACK + AREA_OCTETS);
    }
    return now_ns() - start;
}

/* The answer is the number of calls in a batch, and the batches. */
static void time_call(const struct request *r, const struct call *c)
{
    static struct batch batches[MOST_BATCHES];
    uint32_t times = 1;
    if (r->batches > MOST_BATCHES)
        leave(2);
    copy(SAVED, ARENA, r->octets);
    while (rounds(c, c->function, times, r->octets) < LEAST_BATCH_NS && times < 1u << 30)
        times *= 2;
    for (uint32_t n = 0; n < r->batches; n++) {
        batches[n].ns = rounds(c, c->function, times, r->octets);
        batches[n].ns_without = rounds(c, (uint32_t)(uintptr_t)wm_nothing, times, r->octets);
    }
    move(CALL_WRITE, 1, &times, sizeof times);
    move(CALL_WRITE, 1, batches, r->batches * sizeof *batches);
}

__attribute__((force_align_arg_pointer, noreturn)) void _start(void)
{
    map(ARENA);
    map(STACK);
    map(SAVED);
    for (;;) {
        struct request r = {0};
        struct call c = {0};
        move(CALL_READ, 0, &r, sizeof r);
        move(CALL_READ, 0, &c, sizeof c);
        if (r.octets > AREA_OCTETS)
            leave(2);
        move(CALL_READ, 0, (const void *)(uintptr_t)ARENA, r.octets);
        if (r.kind == RUN)
            run(&r, &c);
        else if (r.kind == TIME)
            time_call(&r, &c);
        else
            leave(2);
    }
}
