/* SPDX-License-Identifier: BSD-3-Clause */
/* How a function is entered: enter.S. */
#ifndef WM_ENTER_H
#define WM_ENTER_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER_WORDS 6u

/* In the order in which enter.S reads it. */
struct entering {
    uint64_t function, stack, flags, registers[REGISTER_WORDS];
    uint64_t value; /* RAX at the return */
    uint64_t own;   /* stack pointer of the caller */
};

/* Words as the ABI has them: six in registers, the others on the stack that ends at STACK_TOP. */
struct entering wm_entering(uintptr_t function, const uint64_t *words, size_t count);
void wm_enter_with(struct entering *e);
/* Where the function returns to. */
extern const char wm_back[];

#endif
