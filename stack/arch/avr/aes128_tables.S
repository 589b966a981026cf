/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the AVR's `tab` variant: entry x is 2x in the field of FIPS 197 §4.2. It fills a page
 * (256 octets at a multiple of 256), so that the low octet of a pointer is the index. */

        .section .rodata.page.wm_aes128_twice, "a", @progbits
        .balign 256
        .globl  wm_aes128_twice
        .type   wm_aes128_twice, @object
wm_aes128_twice:
        .set    x, 0
        .rept   256
        .byte   (x << 1 ^ (x >> 7) * 0x11b)
        .set    x, x + 1
        .endr
        .size   wm_aes128_twice, . - wm_aes128_twice
