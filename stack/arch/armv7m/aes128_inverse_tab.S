/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 decryption with a table, for ARMv7-M: takes the place of src/cipher/aes128_inverse_tab.c,
 * which is its reference. References: FIPS 197 §5.3.5; the table method is that of Daemen and
 * Rijmen. Cycles: ARM DDI 0337 (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch and no address but those of the table look-ups depends on key or block.
 *
 * The rounds of aes128_tab.S, which tells how loads are grouped, with rows turned the other way.
 * One table of 256 words, (14s, 9s, 13s, 11s) for a value s of the inverse S-box, serves all four
 * rows; the last round takes the inverse S-box. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define KEY r0 /* next word of the expanded key */
#define TABLE lr

        .macro  WORD_AT entry
        ldr     \entry, [TABLE, \entry, lsl #2]
        .endm

        .macro  OCTET_AT entry
        ldrb    \entry, [TABLE, \entry]
        .endm

/* Indices and look-ups by `load`. In: columns in r4..r7. Out: entries of column 0 in r1 r2 r3 r8,
 * of 1 in r9..r12. */
        .macro  LOOK_UP_01 load
        uxtb    r1, r4
        uxtb    r2, r7, ror #8
        uxtb    r3, r6, ror #16
        lsr     r8, r5, #24
        uxtb    r9, r5
        uxtb    r10, r4, ror #8
        uxtb    r11, r7, ror #16
        lsr     r12, r6, #24
        .irp    entry, r1, r2, r3, r8, r9, r10, r11, r12
        \load   \entry
        .endr
        .endm

/* The same for columns 2 and 3. Out: entries of column 2 in r2 r3 r8 r10, of 3 in r7 r6 r5 r4,
 * words 0 and 1 of the round key in r11 r12. */
        .macro  LOOK_UP_23 load, at
        uxtb    r2, r6
        uxtb    r3, r5, ror #8
        uxtb    r8, r4, ror #16
        lsr     r10, r7, #24
        uxtb    r7, r7
        uxtb    r6, r6, ror #8
        uxtb    r5, r5, ror #16
        lsr     r4, r4, #24
        .irp    entry, r2, r3, r8, r10, r7, r6, r5, r4
        \load   \entry
        .endr
        ldr     r11, [KEY, #\at]
        ldr     r12, [KEY, #\at + 4]
        .endm

/* InvSubBytes, InvShiftRows, InvMixColumns and AddRoundKey of r4..r7, with the round key `at`
 * octets after KEY. */
        .macro  ROUND at
        LOOK_UP_01 WORD_AT
        eor     r1, r1, r2, ror #24
        eor     r9, r9, r10, ror #24
        eor     r1, r1, r3, ror #16
        eor     r9, r9, r11, ror #16
        eor     r1, r1, r8, ror #8
        eor     r9, r9, r12, ror #8
        LOOK_UP_23 WORD_AT, \at
        eor     r7, r7, r4, ror #8
        eor     r4, r1, r11
        eor     r7, r7, r5, ror #16
        eor     r5, r9, r12
        ldr     r11, [KEY, #\at + 8]
        ldr     r12, [KEY, #\at + 12]
        eor     r2, r2, r3, ror #24
        eor     r7, r7, r6, ror #24
        eor     r2, r2, r8, ror #16
        eor     r7, r7, r12
        eor     r2, r2, r10, ror #8
        eor     r6, r2, r11
        .endm

        .section .text.wm_aes128_tab_decrypt, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_tab_decrypt
        .type   wm_aes128_tab_decrypt, %function
/* void wm_aes128_tab_decrypt(const wm_aes128_two_way *ctx (r0), wm_block128 *block (r1)) */
wm_aes128_tab_decrypt:
        add     KEY, KEY, #176          /* the inverse's round keys */
        add     r2, KEY, #160           /* the last of them */
        push    {r1, r2, r4-r11, lr}
        movw    TABLE, #:lower16:wm_aes128_inverse_table
        movt    TABLE, #:upper16:wm_aes128_inverse_table
        ldm     r1, {r4-r7}
        ldm     KEY!, {r8-r11}
        eor     r4, r4, r8
        eor     r5, r5, r9
        eor     r6, r6, r10
        eor     r7, r7, r11

        .p2align 2
.Lthree_rounds:
        ROUND   0
        ROUND   16
        ROUND   32
        ldr     r1, [sp, #4]
        add     KEY, KEY, #48
        cmp     KEY, r1
        bne     .Lthree_rounds

        movw    TABLE, #:lower16:wm_aes128_inverse_sbox
        movt    TABLE, #:upper16:wm_aes128_inverse_sbox
        LOOK_UP_01 OCTET_AT             /* last round: no InvMixColumns */
        eor     r1, r1, r2, lsl #8
        eor     r9, r9, r10, lsl #8
        eor     r1, r1, r3, lsl #16
        eor     r9, r9, r11, lsl #16
        eor     r1, r1, r8, lsl #24
        eor     r9, r9, r12, lsl #24
        LOOK_UP_23 OCTET_AT, 0
        eor     r7, r7, r4, lsl #24
        eor     r4, r1, r11
        eor     r7, r7, r5, lsl #16
        eor     r5, r9, r12
        ldr     r11, [KEY, #8]
        ldr     r12, [KEY, #12]
        ldr     r1, [sp], #8            /* the block */
        eor     r2, r2, r3, lsl #8
        eor     r7, r7, r6, lsl #8
        eor     r2, r2, r8, lsl #16
        eor     r7, r7, r12
        eor     r2, r2, r10, lsl #24
        eor     r6, r2, r11
        stm     r1, {r4-r7}
        pop     {r4-r11, pc}
        .size   wm_aes128_tab_decrypt, . - wm_aes128_tab_decrypt

/* Entry (14s, 9s, 13s, 11s) in memory order, for values s of the inverse S-box (FIPS 197 §4.2,
 * §5.3.2). A section by itself, for the reason aes128_tab.S gives. */
        .macro  ENTRY s, s2, s4, s8
        .byte   \s8 ^ \s4 ^ \s2, \s8 ^ \s, \s8 ^ \s4 ^ \s, \s8 ^ \s2 ^ \s
        .endm

        .macro  ENTRIES s:vararg
        .irp    v, \s
        .set    s2, \v << 1 ^ (\v >> 7) * 0x11b
        .set    s4, s2 << 1 ^ (s2 >> 7) * 0x11b
        .set    s8, s4 << 1 ^ (s4 >> 7) * 0x11b
        ENTRY   \v, s2, s4, s8
        .endr
        .endm

        .section .rodata.wm_aes128_inverse_table, "a", %progbits
        .p2align 2
        .globl  wm_aes128_inverse_table
        .type   wm_aes128_inverse_table, %object
wm_aes128_inverse_table:
        ENTRIES 0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38
        ENTRIES 0xbf, 0x40, 0xa3, 0x9e, 0x81, 0xf3, 0xd7, 0xfb
        ENTRIES 0x7c, 0xe3, 0x39, 0x82, 0x9b, 0x2f, 0xff, 0x87
        ENTRIES 0x34, 0x8e, 0x43, 0x44, 0xc4, 0xde, 0xe9, 0xcb
        ENTRIES 0x54, 0x7b, 0x94, 0x32, 0xa6, 0xc2, 0x23, 0x3d
        ENTRIES 0xee, 0x4c, 0x95, 0x0b, 0x42, 0xfa, 0xc3, 0x4e
        ENTRIES 0x08, 0x2e, 0xa1, 0x66, 0x28, 0xd9, 0x24, 0xb2
        ENTRIES 0x76, 0x5b, 0xa2, 0x49, 0x6d, 0x8b, 0xd1, 0x25
        ENTRIES 0x72, 0xf8, 0xf6, 0x64, 0x86, 0x68, 0x98, 0x16
        ENTRIES 0xd4, 0xa4, 0x5c, 0xcc, 0x5d, 0x65, 0xb6, 0x92
        ENTRIES 0x6c, 0x70, 0x48, 0x50, 0xfd, 0xed, 0xb9, 0xda
        ENTRIES 0x5e, 0x15, 0x46, 0x57, 0xa7, 0x8d, 0x9d, 0x84
        ENTRIES 0x90, 0xd8, 0xab, 0x00, 0x8c, 0xbc, 0xd3, 0x0a
        ENTRIES 0xf7, 0xe4, 0x58, 0x05, 0xb8, 0xb3, 0x45, 0x06
        ENTRIES 0xd0, 0x2c, 0x1e, 0x8f, 0xca, 0x3f, 0x0f, 0x02
        ENTRIES 0xc1, 0xaf, 0xbd, 0x03, 0x01, 0x13, 0x8a, 0x6b
        ENTRIES 0x3a, 0x91, 0x11, 0x41, 0x4f, 0x67, 0xdc, 0xea
        ENTRIES 0x97, 0xf2, 0xcf, 0xce, 0xf0, 0xb4, 0xe6, 0x73
        ENTRIES 0x96, 0xac, 0x74, 0x22, 0xe7, 0xad, 0x35, 0x85
        ENTRIES 0xe2, 0xf9, 0x37, 0xe8, 0x1c, 0x75, 0xdf, 0x6e
        ENTRIES 0x47, 0xf1, 0x1a, 0x71, 0x1d, 0x29, 0xc5, 0x89
        ENTRIES 0x6f, 0xb7, 0x62, 0x0e, 0xaa, 0x18, 0xbe, 0x1b
        ENTRIES 0xfc, 0x56, 0x3e, 0x4b, 0xc6, 0xd2, 0x79, 0x20
        ENTRIES 0x9a, 0xdb, 0xc0, 0xfe, 0x78, 0xcd, 0x5a, 0xf4
        ENTRIES 0x1f, 0xdd, 0xa8, 0x33, 0x88, 0x07, 0xc7, 0x31
        ENTRIES 0xb1, 0x12, 0x10, 0x59, 0x27, 0x80, 0xec, 0x5f
        ENTRIES 0x60, 0x51, 0x7f, 0xa9, 0x19, 0xb5, 0x4a, 0x0d
        ENTRIES 0x2d, 0xe5, 0x7a, 0x9f, 0x93, 0xc9, 0x9c, 0xef
        ENTRIES 0xa0, 0xe0, 0x3b, 0x4d, 0xae, 0x2a, 0xf5, 0xb0
        ENTRIES 0xc8, 0xeb, 0xbb, 0x3c, 0x83, 0x53, 0x99, 0x61
        ENTRIES 0x17, 0x2b, 0x04, 0x7e, 0xba, 0x77, 0xd6, 0x26
        ENTRIES 0xe1, 0x69, 0x14, 0x63, 0x55, 0x21, 0x0c, 0x7d
        .size   wm_aes128_inverse_table, . - wm_aes128_inverse_table
