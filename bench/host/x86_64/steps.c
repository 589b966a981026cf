/* SPDX-License-Identifier: BSD-3-Clause */
/* The trap flag makes the CPU stop after every instruction; the kernel turns that into SIGTRAP, and
 * its handler writes the registers down. No second process watches, so no right to trace one is
 * needed. Handlers run on a stack of their own, so nothing below the function's stack pointer is
 * touched. */
#define _GNU_SOURCE
#include "../server.h"
#include "enter.h"
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/ucontext.h>

#define TRAP_FLAG 0x100u
#define HANDLER_OCTETS 65536u
#define MOST_STEPS                                                                                 \
    1000000u          /* of one call: 144 MB, which are taken only as far as they are written */
#define REGISTERS 18u /* the first of <sys/ucontext.h>, REG_R8 to REG_EFL, in that order */
#define WRITES 1u
#define NO_PAGE 2u

typedef uint64_t step[REGISTERS];

static step *steps;
const void *wm_steps;
const size_t wm_step_octets = sizeof(step);

static struct {
    struct answer *answer;
    uint64_t limit;
    uintptr_t function;
    int within; /* the function has begun and has not returned */
} here;
static struct entering entering;
static unsigned char handler_stack[HANDLER_OCTETS];

/* Before the first child: parent and children share the list. */
void wm_open_steps(void)
{
    wm_steps = steps = wm_map(0, MOST_STEPS * sizeof *steps, 1);
}

/* Leaves the function as if it had returned. */
static void leave(greg_t *registers)
{
    here.within = 0;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    registers[REG_RIP] = (greg_t)(uintptr_t)wm_back;
    registers[REG_RSP] = (greg_t)entering.stack;
    registers[REG_RBX] = (greg_t)(uintptr_t)&entering;
}

/* Leaves the function for a reason that has to do with the instruction at `pc`. */
static void stop_at(uintptr_t pc, greg_t *registers)
{
    Dl_info info;
    here.answer->pc = pc;
    if (dladdr((const void *)pc, &info) && info.dli_sname)
        strncpy(here.answer->text, info.dli_sname, TEXT_OCTETS - 1);
    leave(registers);
}

static void note(greg_t *registers)
{
    struct answer *a = here.answer;
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    if (!here.within && pc == here.function && a->instructions == 0) {
        here.within = 1;
        a->top = (uint64_t)registers[REG_RSP];
    }
    if (!here.within)
        return;
    if (pc == (uintptr_t)wm_back) {
        leave(registers);
    } else if (a->instructions == here.limit) {
        a->exhausted = 1;
        stop_at(pc, registers);
    } else {
        memcpy(steps[a->instructions++], registers, sizeof(step));
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct answer *a = here.answer;
    /* int3 and a signal that someone sends are no steps. */
    if (number == SIGTRAP && (info->si_code == TRAP_TRACE || info->si_code == TRAP_BRKPT)) {
        note(registers);
        return;
    }
    a->signal = (uint64_t)number;
    a->address = (uint64_t)(uintptr_t)info->si_addr;
    /* The code of a page fault says which access it was; other faults have no address. */
    a->access = info->si_code == SI_KERNEL ? NO_PAGE : (uint64_t)registers[REG_ERR] >> 1 & WRITES;
    stop_at((uintptr_t)registers[REG_RIP], registers);
}

void wm_step(const struct request *r, struct answer *a)
{
    static const int faults[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t own = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    entering = wm_entering((uintptr_t)r->address, r->words, (size_t)r->count);
    entering.flags |= TRAP_FLAG;
    here.answer = a;
    here.function = (uintptr_t)r->address;
    here.limit = r->limit < MOST_STEPS ? r->limit : MOST_STEPS;
    sigaltstack(&own, NULL);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
    wm_enter_with(&entering);
    a->value = entering.value;
}
