/* SPDX-License-Identifier: BSD-3-Clause */
    .macro  enter
    dint
    nop
    .endm
    #include "arithmetic.inc"
