/* SPDX-License-Identifier: BSD-3-Clause */
/* 512 octets on both sides of the flash's address 0x10000. */
    .section .far, "a", @progbits
    .global far_table
far_table:
    .set    i, 0
    .rept   512
    .byte   (i * 37 + i / 256 + 11) & 0xFF
    .set    i, i + 1
    .endr
