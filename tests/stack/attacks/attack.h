/* SPDX-License-Identifier: BSD-3-Clause */
/** @file attack.h
 *  What the programs of this folder share. Each does what once broke the stack. It ends with 0 if
 *  the stack holds, with ATTACK_WORKED if not, and with ATTACK_USELESS if a step failed that has to
 *  work before the attack means anything. */
#ifndef TESTS_STACK_ATTACKS_ATTACK_H
#define TESTS_STACK_ATTACKS_ATTACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTACK_WORKED 1
#define ATTACK_USELESS 2

/** Ends the program with `code` unless `condition` holds. */
#define END_UNLESS(condition, code)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);   \
            exit(code);                                                                            \
        }                                                                                          \
    } while (0)
#define MUST(condition) END_UNLESS(condition, ATTACK_USELESS)
#define HOLDS(condition) END_UNLESS(condition, ATTACK_WORKED)

#define PAN 0xABCD

#endif
