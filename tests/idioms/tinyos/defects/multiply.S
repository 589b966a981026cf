/* SPDX-License-Identifier: BSD-3-Clause */
/* A defect: a handler that multiplies takes the multiplier from under the program. */
    .macro  enter
    .endm
    #include "arithmetic.inc"
