/* SPDX-License-Identifier: BSD-3-Clause */
/* 32 bits: a program that is linked to the functions it calls. It has no C library and asks Linux
 * by itself, so it can be built without any 32-bit package. */
#include "../server.h"

#define CALL_EXIT 1
#define CALL_FORK 2
#define CALL_READ 3
#define CALL_WRITE 4
#define CALL_WAIT 7
#define CALL_ALARM 27
#define CALL_MAP 90
#define CALL_CLOCK 265
#define CLOCK_MONOTONIC 1
#define READ_WRITE 3
#define FIXED 0x10
#define ANONYMOUS 0x20
#define SHARED 1
#define PRIVATE 2

struct mapping {
    uint32_t address, octets, protection, flags;
    int32_t file;
    uint32_t offset;
};

struct timespec {
    int32_t seconds, nanoseconds;
};

const void *wm_steps;
const size_t wm_step_octets;

static long linux_call(long number, long first, const void *second, size_t third)
{
    long result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(first), "c"(second), "d"(third)
                     : "memory");
    return result;
}

_Noreturn void wm_leave(int status)
{
    for (;;)
        (void)linux_call(CALL_EXIT, status, NULL, 0);
}

static void move(long call, long file, const void *octets, size_t count)
{
    for (const uint8_t *at = octets; count;) {
        long moved = linux_call(call, file, at, count);
        if (moved <= 0)
            wm_leave(moved == 0 ? 0 : 2);
        at += moved;
        count -= (size_t)moved;
    }
}

void wm_read(void *to, size_t octets)
{
    move(CALL_READ, 0, to, octets);
}

void wm_write(const void *from, size_t octets)
{
    move(CALL_WRITE, 1, from, octets);
}

void *wm_map(uintptr_t address, size_t octets, int shared)
{
    uint32_t flags = ANONYMOUS | (shared ? SHARED : PRIVATE) | (address ? FIXED : 0);
    const struct mapping m = {address, octets, READ_WRITE, flags, -1, 0};
    long at = linux_call(CALL_MAP, (long)&m, NULL, 0);
    if (at < 0 && at > -4096)
        wm_leave(2);
    return (void *)at;
}

uint64_t wm_now_ns(void)
{
    struct timespec t = {0};
    if (linux_call(CALL_CLOCK, CLOCK_MONOTONIC, &t, 0))
        wm_leave(2);
    return (uint64_t)(uint32_t)t.seconds * 1000000000u + (uint32_t)t.nanoseconds;
}

long wm_fork(void)
{
    long child = linux_call(CALL_FORK, 0, NULL, 0);
    if (child < 0)
        wm_leave(2);
    return child;
}

uint64_t wm_wait(long process)
{
    uint32_t status = 0;
    if (linux_call(CALL_WAIT, process, &status, 0) < 0)
        wm_leave(2);
    return status;
}

void wm_alarm(unsigned seconds)
{
    (void)linux_call(CALL_ALARM, (long)seconds, NULL, 0);
}

/* Steps are for x86-64; here instructions are counted block by block. */
void wm_step(const struct request *r, struct answer *a)
{
    (void)r;
    (void)a;
    wm_leave(2);
}

__attribute__((force_align_arg_pointer)) _Noreturn void _start(void)
{
    struct answer *greeting = wm_map(0, sizeof *greeting, 1);
    greeting->returned = 1;
    wm_serve(greeting);
}
