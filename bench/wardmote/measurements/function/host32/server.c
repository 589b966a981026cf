/* SPDX-License-Identifier: BSD-3-Clause */
/* A 32-bit x86 program around one function: it reads arguments and memory from its input, calls, and
 * writes the result and the memory. There is no C library: the program needs four calls of Linux, so
 * it can be built without any 32-bit package. */
#include <stddef.h>
#include <stdint.h>

#define ARENA_OCTETS (1u << 20)
#define WORDS 16u
#define CALL_EXIT 1
#define CALL_READ 3
#define CALL_WRITE 4
#define CALL_MAP 90
#define READ_WRITE 3
#define PRIVATE_FIXED_ANONYMOUS 0x32

/* Where the caller of this program expects its memory. */
#define ARENA 0x20000000u

/* The function, by whatever name: --defsym=wm_target=NAME. */
uint64_t wm_target(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                   uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);

struct mapping {
    uint32_t address, octets, protection, flags;
    int32_t file;
    uint32_t offset;
};

struct request {
    uint32_t octets; /* of memory that follow */
    uint32_t words[WORDS];
};

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

/* All of it, or the program ends. */
static void move(long call, long file, void *octets, size_t count)
{
    for (uint8_t *at = octets; count;) {
        long moved = linux_call(call, file, at, count);
        if (moved <= 0)
            leave(2);
        at += moved;
        count -= (size_t)moved;
    }
}

/* The CPU's ABI: arguments are words on the stack, which the caller takes off; a function that takes fewer of them does
   not see the others. */
__attribute__((force_align_arg_pointer, noreturn)) void _start(void)
{
    struct request r;
    move(CALL_READ, 0, &r, sizeof r);
    if (r.octets > ARENA_OCTETS)
        leave(2);
    const struct mapping m = {ARENA, ARENA_OCTETS, READ_WRITE, PRIVATE_FIXED_ANONYMOUS, -1, 0};
    if (linux_call(CALL_MAP, (long)&m, NULL, 0) != ARENA)
        leave(2);
    void *arena = (void *)ARENA;
    move(CALL_READ, 0, arena, r.octets);
    const uint32_t *w = r.words;
    uint64_t result = wm_target(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10],
                                w[11], w[12], w[13], w[14], w[15]);
    move(CALL_WRITE, 1, &result, sizeof result);
    move(CALL_WRITE, 1, arena, r.octets);
    leave(0);
}
