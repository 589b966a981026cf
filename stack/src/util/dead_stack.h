/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions leave in the stack below their caller: registers that they saved, and what a
 * compiler put there for want of registers. It has no name by which it could be wiped. */
#ifndef WM_UTIL_DEAD_STACK_H
#define WM_UTIL_DEAD_STACK_H

#include <wardmote/ct.h>
#include "compiler.h"

/** Defines wipe_dead_stack(), which overwrites the next `octets` of the stack below its caller's
 *  frame. As many as the functions take that the caller has called; tests/stack/test_residue.py
 *  fails where they took more. */
#define WM_DEAD_STACK(octets)                                                                      \
    WM_NOINLINE static void wipe_dead_stack(void)                                                  \
    {                                                                                              \
        uint8_t dead[octets];                                                                      \
        wm_wipe(dead, sizeof dead);                                                                \
    }

#endif
