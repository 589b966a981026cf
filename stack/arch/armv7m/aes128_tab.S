/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with a table, for ARMv7-M: takes the place of src/cipher/aes128_tab.c, which
 * is its reference.
 * References: FIPS 197 §5.1; the table method is that of Daemen and Rijmen. Cycles: ARM DDI 0337
 * (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch and no address but those of the table look-ups depends on key or block.
 *
 * One table of 256 words, (2s, s, s, 3s) for a value s of the S-box, serves all four rows: what an
 * octet of row r adds to its column is the entry turned by r octets, and the barrel shifter turns
 * an operand for nothing. The second octet of an entry is s itself, for the last round.
 *
 * Loads are cheap in groups: k loads in a row, none of an address that another just loaded, take k
 * + 1 cycles. With the state in four registers and eight to spare, a round takes three groups: 8
 * look-ups for columns 0 and 1; 8 for columns 2 and 3, whose last indices replace the old state,
 * with 2 words of the round key; the 2 other words. That makes 16 cycles to take octets apart, 23
 * of loads, 16 of exclusive or: 55. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define KEY r0 /* next word of the expanded key */
#define TABLE lr

/* Indices and look-ups. The index made first is used first: an address that the instruction before
 * made costs a cycle. `load` is what loads an entry. In: columns in r4..r7. Out: entries of column
 * 0 in r1 r2 r3 r8, of 1 in r9..r12. */
        .macro  LOOK_UP_01 load
        uxtb    r1, r4
        uxtb    r2, r5, ror #8
        uxtb    r3, r6, ror #16
        lsr     r8, r7, #24
        uxtb    r9, r5
        uxtb    r10, r6, ror #8
        uxtb    r11, r7, ror #16
        lsr     r12, r4, #24
        \load   r1, [TABLE, r1, lsl #2]
        \load   r2, [TABLE, r2, lsl #2]
        \load   r3, [TABLE, r3, lsl #2]
        \load   r8, [TABLE, r8, lsl #2]
        \load   r9, [TABLE, r9, lsl #2]
        \load   r10, [TABLE, r10, lsl #2]
        \load   r11, [TABLE, r11, lsl #2]
        \load   r12, [TABLE, r12, lsl #2]
        .endm

/* The same for columns 2 and 3. Out: entries of column 2 in r2 r3 r8 r10, of 3 in r7 r4 r5 r6,
 * words 0 and 1 of the round key in r11 r12. */
        .macro  LOOK_UP_23 load, at
        uxtb    r2, r6
        uxtb    r3, r7, ror #8
        uxtb    r8, r4, ror #16
        lsr     r10, r5, #24
        uxtb    r7, r7
        uxtb    r4, r4, ror #8
        uxtb    r5, r5, ror #16
        lsr     r6, r6, #24
        \load   r2, [TABLE, r2, lsl #2]
        \load   r3, [TABLE, r3, lsl #2]
        \load   r8, [TABLE, r8, lsl #2]
        \load   r10, [TABLE, r10, lsl #2]
        \load   r7, [TABLE, r7, lsl #2]
        \load   r4, [TABLE, r4, lsl #2]
        \load   r5, [TABLE, r5, lsl #2]
        \load   r6, [TABLE, r6, lsl #2]
        ldr     r11, [KEY, #\at]
        ldr     r12, [KEY, #\at + 4]
        .endm

/* SubBytes, ShiftRows, MixColumns and AddRoundKey of r4..r7, with the round key `at` octets after
 * KEY. */
        .macro  ROUND at
        LOOK_UP_01 ldr
        eor     r1, r1, r2, ror #24
        eor     r9, r9, r10, ror #24
        eor     r1, r1, r3, ror #16
        eor     r9, r9, r11, ror #16
        eor     r1, r1, r8, ror #8
        eor     r9, r9, r12, ror #8
        LOOK_UP_23 ldr, \at
        eor     r7, r7, r4, ror #24
        eor     r4, r1, r11
        eor     r7, r7, r5, ror #16
        eor     r5, r9, r12
        ldr     r11, [KEY, #\at + 8]
        ldr     r12, [KEY, #\at + 12]
        eor     r2, r2, r3, ror #24
        eor     r7, r7, r6, ror #8
        eor     r2, r2, r8, ror #16
        eor     r7, r7, r12
        eor     r2, r2, r10, ror #8
        eor     r6, r2, r11
        .endm

        .section .text.wm_aes128_tab_encrypt, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_tab_encrypt
        .type   wm_aes128_tab_encrypt, %function
        .globl  wm_aes128_tab_forward
        .type   wm_aes128_tab_forward, %function
/* void wm_aes128_tab_encrypt(const wm_aes128 *ctx (r0), wm_block128 *block (r1)) */
wm_aes128_tab_encrypt:
wm_aes128_tab_forward:
        add     r2, r0, #160            /* round key 10 */
        push    {r1, r2, r4-r11, lr}
        movw    TABLE, #:lower16:wm_aes128_table
        movt    TABLE, #:upper16:wm_aes128_table
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

        add     TABLE, TABLE, #1        /* last round: the S-box alone, no MixColumns */
        LOOK_UP_01 ldrb
        eor     r1, r1, r2, lsl #8
        eor     r9, r9, r10, lsl #8
        eor     r1, r1, r3, lsl #16
        eor     r9, r9, r11, lsl #16
        eor     r1, r1, r8, lsl #24
        eor     r9, r9, r12, lsl #24
        LOOK_UP_23 ldrb, 0
        eor     r7, r7, r4, lsl #8
        eor     r4, r1, r11
        eor     r7, r7, r5, lsl #16
        eor     r5, r9, r12
        ldr     r11, [KEY, #8]
        ldr     r12, [KEY, #12]
        ldr     r1, [sp], #8            /* the block */
        eor     r2, r2, r3, lsl #8
        eor     r7, r7, r6, lsl #24
        eor     r2, r2, r8, lsl #16
        eor     r7, r7, r12
        eor     r2, r2, r10, lsl #24
        eor     r6, r2, r11
        stm     r1, {r4-r7}
        pop     {r4-r11, pc}
        .size   wm_aes128_tab_encrypt, . - wm_aes128_tab_encrypt
        .size   wm_aes128_tab_forward, . - wm_aes128_tab_forward

/* Entry (2s, s, s, 3s) in memory order, for values s of the S-box (FIPS 197 §4.2, §5.1.1). A
 * section by itself: where flash has wait states or a cache, the linker script puts it in RAM, so
 * that every entry is equally near. */
        .macro  ENTRIES s:vararg
        .irp    v, \s
        .byte   ((\v << 1) ^ ((\v >> 7) * 0x11b)), \v, \v, ((\v << 1) ^ ((\v >> 7) * 0x11b)) ^ \v
        .endr
        .endm

        .section .rodata.wm_aes128_table, "a", %progbits
        .p2align 2
        .globl  wm_aes128_table
        .type   wm_aes128_table, %object
wm_aes128_table:
        ENTRIES 0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5
        ENTRIES 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76
        ENTRIES 0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0
        ENTRIES 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0
        ENTRIES 0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc
        ENTRIES 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15
        ENTRIES 0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a
        ENTRIES 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75
        ENTRIES 0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0
        ENTRIES 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84
        ENTRIES 0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b
        ENTRIES 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf
        ENTRIES 0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85
        ENTRIES 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8
        ENTRIES 0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5
        ENTRIES 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2
        ENTRIES 0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17
        ENTRIES 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73
        ENTRIES 0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88
        ENTRIES 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb
        ENTRIES 0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c
        ENTRIES 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79
        ENTRIES 0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9
        ENTRIES 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08
        ENTRIES 0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6
        ENTRIES 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a
        ENTRIES 0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e
        ENTRIES 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e
        ENTRIES 0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94
        ENTRIES 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf
        ENTRIES 0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68
        ENTRIES 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16
        .size   wm_aes128_table, . - wm_aes128_table
