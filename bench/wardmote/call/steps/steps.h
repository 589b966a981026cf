/* SPDX-License-Identifier: BSD-3-Clause */
/* One function, instruction by instruction, in the process that asks: x86-64 Linux, one thread. */
#ifndef WM_STEPS_H
#define WM_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* of a step: the first 18 of <sys/ucontext.h>, REG_R8 to REG_EFL, in that order */
#define WM_STEPS_REGISTERS 18

#define WM_STEPS_NO_PAGE 2u

/* What a call did. It lies in memory that forked processes share, and so do the steps behind it. */
typedef struct {
    uint64_t count;     /* steps that were recorded */
    uint64_t value;     /* RAX at the return */
    uint64_t stack;     /* stack pointer at the first instruction: the return address is there */
    uint64_t signal;    /* that ended the call; 0 if it returned */
    uint64_t address;   /* that the signal is about */
    uint64_t pc;        /* of the instruction that was stopped */
    uint64_t access;    /* the signal is about a read (0), a write (1), or no page */
    uint64_t exhausted; /* the limit was reached before the return */
} wm_steps_result;

/* The registers before each instruction. */
typedef uint64_t wm_step[WM_STEPS_REGISTERS];

/* Maps result, `most` steps, and a stack of `stack_octets` with unmapped memory below. 0, or an
 * errno. */
int wm_steps_open(size_t most, size_t stack_octets);
wm_steps_result *wm_steps_answer(void);
const wm_step *wm_steps_list(void);
uintptr_t wm_steps_stack(void); /* lowest address of the stack */

/* Calls `entry` with words as the ABI has them: the first six in registers. At most `limit`
 * instructions. */
void wm_steps_call(uintptr_t entry, const uint64_t *words, size_t count, size_t limit);

/* The symbol that `address` belongs to, of those that can be called from outside; NULL if none. */
const char *wm_steps_symbol(uintptr_t address);

/* First octet of the object that `address` was loaded with, and past its last one; 0 if none
 * was. */
uintptr_t wm_steps_object(uintptr_t address, uintptr_t *end);

#endif
