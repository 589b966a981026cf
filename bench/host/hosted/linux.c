/* SPDX-License-Identifier: BSD-3-Clause */
/* 64 bits: `server LIBRARY` loads the library whose functions are called. They may use the C
 * library; their output goes to standard error, so that it does not mix with the answers. */
#define _GNU_SOURCE
#include "../server.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FIRST_FILE 100 /* no function has that many files open */

uint64_t wm_instructions;
uint32_t wm_path[2];
static int questions, answers;

void wm_read(void *to, size_t octets)
{
    for (ssize_t moved; octets; to = (char *)to + moved, octets -= (size_t)moved)
        if ((moved = read(questions, to, octets)) <= 0)
            wm_leave(moved == 0 ? 0 : 2);
}

void wm_write(const void *from, size_t octets)
{
    for (ssize_t moved; octets; from = (const char *)from + moved, octets -= (size_t)moved)
        if ((moved = write(answers, from, octets)) <= 0)
            wm_leave(2);
}

void *wm_map(uintptr_t address, size_t octets, int shared)
{
    int flags = MAP_ANONYMOUS | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE) |
                (address ? MAP_FIXED_NOREPLACE : 0);
    void *at = mmap((void *)address, octets, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED)
        wm_leave(2);
    return at;
}

uint64_t wm_now_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t))
        wm_leave(2);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

long wm_fork(void)
{
    long child = fork();
    if (child < 0)
        wm_leave(2);
    return child;
}

uint64_t wm_wait(long process)
{
    int status = 0;
    if (waitpid((pid_t)process, &status, 0) < 0)
        wm_leave(2);
    return (uint64_t)(unsigned)status;
}

void wm_alarm(unsigned seconds)
{
    alarm(seconds);
}

_Noreturn void wm_leave(int status)
{
    _exit(status);
}

/* First address of the library, and past its last one. */
static int bounds(struct dl_phdr_info *object, size_t size, void *data)
{
    struct answer *a = data;
    (void)size;
    if (object->dlpi_addr != a->address)
        return 0;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uint64_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
        if (part->p_type == PT_LOAD && end > a->top)
            a->top = end;
    }
    return 1;
}

/* Loads the library: where it lies is the greeting, or why it cannot be loaded. */
static void load(const char *library, struct answer *a)
{
    struct link_map *map;
    void *object = dlopen(library, RTLD_NOW);
    if (!object || dlinfo(object, RTLD_DI_LINKMAP, &map)) {
        (void)snprintf(a->text, sizeof a->text, "%s", dlerror());
        return;
    }
    a->returned = 1;
    a->address = map->l_addr;
    (void)dl_iterate_phdr(bounds, a);
}

int main(int count, char **words)
{
    struct answer *a = wm_map(0, sizeof *a, 1);
    questions = fcntl(0, F_DUPFD_CLOEXEC, FIRST_FILE);
    answers = fcntl(1, F_DUPFD_CLOEXEC, FIRST_FILE);
    int nothing = open("/dev/null", O_RDONLY);
    if (questions < 0 || answers < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(2, 1) < 0)
        return 2;
    if (count == 2)
        load(words[1], a);
    wm_open_steps();
    wm_serve(a);
}
