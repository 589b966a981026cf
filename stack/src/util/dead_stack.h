/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions leave octets in the stack below their caller: registers that they saved, and values for
 * which the compiler had no register. C has no name for these octets, so it cannot wipe them
 * directly. */
#ifndef WM_UTIL_DEAD_STACK_H
#define WM_UTIL_DEAD_STACK_H

#include <wardmote/ct.h>
#include "compiler.h"

/** Defines wipe_dead_stack(), which overwrites the next `octets` of the stack below its caller's
 *  frame. Give as many as the functions called by the caller take; tests/stack/test_residue.py
 *  fails if they take more. */
#define WM_DEAD_STACK(octets)                                                                      \
    WM_NOINLINE static void wipe_dead_stack(void)                                                  \
    {                                                                                              \
        uint8_t dead[octets];                                                                      \
        wm_wipe(dead, sizeof dead);                                                                \
    }

/** The same in less time and more flash, for functions that are called for each block. The sizes in
 *  octets are for CPUs of 16 bits and for wider ones: multiples of 8 and 16. */
#define WM_DEAD_STACK_OFTEN(octets_16, octets_32)                                                  \
    WM_NOINLINE static void wipe_dead_stack(void)                                                  \
    {                                                                                              \
        volatile unsigned                                                                          \
            dead[(sizeof(unsigned) == 2 ? (octets_16) : (octets_32)) / sizeof(unsigned)];          \
        _Static_assert(sizeof dead % (4 * sizeof *dead) == 0, "whole steps");                      \
        volatile unsigned *word = dead;                                                            \
        do {                                                                                       \
            word[0] = 0;                                                                           \
            word[1] = 0;                                                                           \
            word[2] = 0;                                                                           \
            word[3] = 0;                                                                           \
            word += 4;                                                                             \
        } while (word != dead + sizeof dead / sizeof *dead);                                       \
    }

/** The same where only CPUs of 16 bits have too few registers. */
#if UINTPTR_MAX > 0xffff
#define WM_DEAD_STACK_16(octets)                                                                   \
    static inline void wipe_dead_stack(void)                                                       \
    {                                                                                              \
    }
#else
#define WM_DEAD_STACK_16(octets) WM_DEAD_STACK_OFTEN(octets, 16)
#endif

#endif
