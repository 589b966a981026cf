/* SPDX-License-Identifier: BSD-3-Clause */
/* Key expansion of the `fix` variant, for ARMv7-M: takes the place of
 * src/cipher/aes128_fix_expand.c, which is its reference.
 * References: FIPS 197 §5.2.
 * Invariants: no branch, address or shift depends on the key.
 *
 * The slices of the round key are in r4..r11 and, while SubBytes takes all registers, on the stack;
 * lr walks through the result. */
#include "aes128_fix.inc"

/* Stack: signals of SubBytes, the slices of a round key in the standard order of columns, its round
 * constant. */
#define KEY SIGNALS
#define RCON (SIGNALS + 32)
#define ROOM (SIGNALS + 40)
#define END ROOM /* what is saved at entry: the end of the result */

#define COLUMN_0 0x03030303

/* result = the next slice of the round key: `key` plus column 3 of `sub`, one row up, in column 0
 * (RotWord), plus what the constant of SubBytes, left out by SUBSTITUTE, is there; then each column
 * takes in all before it. */
        .macro  TAKE    key, sub, result, constant
        and     \sub, \sub, #0xc0c0c0c0
        eor     \key, \key, \sub, ror #14
        .ifnb   \constant
        eor     \key, \key, #\constant
        .endif
        and     \sub, \key, #0x3f3f3f3f
        eor     \key, \key, \sub, lsl #2
        and     \sub, \key, #0x0f0f0f0f
        eor     \result, \key, \sub, lsl #4
        .endm

/* The round constant, bit i of r0, reaches all columns of row 0. */
        .macro  ADD_RCON slice, i
        sbfx    r1, r0, #\i, #1
        eor     \slice, \slice, r1, lsr #24
        .endm

/* Rows chosen by r0 move two columns on. */
        .macro  MOVE_TWO slice
        eor     r1, \slice, \slice, lsr #4
        and     r1, r1, r0
        eor     \slice, \slice, r1
        eor     \slice, \slice, r1, lsl #4
        .endm

/* The odd rows move one column on. */
        .macro  MOVE_ONE slice
        and     r1, \slice, #0xc000c000
        and     r2, \slice, #0x3f003f00
        and     \slice, \slice, #0x00ff00ff
        orr     \slice, \slice, r2, lsl #2
        orr     \slice, \slice, r1, lsr #6
        .endm

        .macro  ALL     step
        .irp    slice, r4, r5, r6, r7, r8, r9, r10, r11
        \step   \slice
        .endr
        .endm

        .section .text.wm_aes128_fix_expand, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_fix_expand
        .type   wm_aes128_fix_expand, %function
/* void wm_aes128_fix_expand(wm_aes128_slices *ctx (r0), const uint8_t key[16] (r1)) */
wm_aes128_fix_expand:
        add     r3, r0, #352
        push    {r3-r11, lr}
        sub     sp, sp, #ROOM
        mov     lr, r0
        ldr     r4, [r1]
        ldr     r6, [r1, #4]
        ldr     r8, [r1, #8]
        ldr     r10, [r1, #12]
        movs    r0, #1
        str     r0, [sp, #RCON]
        mov     r5, r4
        mov     r7, r6
        mov     r9, r8
        mov     r11, r10
        TRANSPOSE
        add     r0, sp, #KEY
        stm     r0, {r4-r11}
        stm     lr!, {r4-r11}

        .p2align 2
.Lround:
        SUBSTITUTE
        ldr     r2, [sp, #(KEY + 0)]
        ldr     r5, [sp, #(KEY + 4)]
        ldr     r9, [sp, #(KEY + 20)]
        ldr     r3, [sp, #(KEY + 8)]
        ldr     r12, [sp, #(KEY + 24)]
        TAKE    r5, r10, r5, COLUMN_0
        TAKE    r12, r4, r10, COLUMN_0
        TAKE    r2, r6, r4, COLUMN_0
        TAKE    r3, r1, r6
        TAKE    r9, r7, r9, COLUMN_0
        ldr     r2, [sp, #(KEY + 16)]
        ldr     r1, [sp, #(KEY + 28)]
        ldr     r7, [sp, #(KEY + 12)]
        TAKE    r7, r11, r7
        TAKE    r1, r8, r11
        TAKE    r2, r0, r8
        ldr     r0, [sp, #RCON]
        ADD_RCON r4, 0
        ADD_RCON r5, 1
        ADD_RCON r6, 2
        ADD_RCON r7, 3
        ADD_RCON r8, 4
        ADD_RCON r9, 5
        ADD_RCON r10, 6
        ADD_RCON r11, 7
        lsls    r0, r0, #1              /* doubled in the field of FIPS 197 §4.2 */
        sbfx    r1, r0, #8, #1
        and     r1, r1, #0x1b
        eors    r0, r1
        uxtb    r0, r0
        add     r1, sp, #KEY
        str     r0, [sp, #RCON]
        stm     r1, {r4-r11}

        /* For round n row r stands r * n columns on: first the rows that move by two or three
         * columns move by two, then the odd rows by what is left, one column. n from the place in
         * the result: 11 keys of 32 octets. */
        ldr     r12, [sp, #END]
        sub     r12, r12, lr            /* 320 for round 1, 32 for round 10 */
        and     r1, r12, #96            /* 64, 32, 0, 96 for n = 1, 2, 3, 0 modulo 4 */
        cmp     r1, #96
        beq     .Lin_place
        lsrs    r1, r1, #3
        adr     r0, .Lby_two
        ldr     r0, [r0, r1]
        ALL     MOVE_TWO
        tst     r12, #32
        bne     .Lin_place
        ALL     MOVE_ONE
.Lin_place:
        mvn     r4, r4                  /* the constant of SubBytes, which rounds leave out */
        mvn     r5, r5
        mvn     r9, r9
        mvn     r10, r10
        add     r0, sp, #KEY
        stm     lr!, {r4-r11}
        ldm     r0, {r4-r11}
        cmp     r12, #32
        bne     .Lround

        movs    r0, #0                  /* nothing of the key stays on the stack */
        movs    r1, #0
        movs    r2, #0
        movs    r3, #0
        mov     r12, sp
        .rept   (RCON + 15) / 16
        stm     r12!, {r0-r3}
        .endr
        add     sp, sp, #(ROOM + 4)
        pop     {r4-r11, pc}

        .p2align 2
.Lby_two:                               /* masks for n = 3, 2, 1 */
        .word   0x000f0f00, 0x0f000f00, 0x0f0f0000
        .size   wm_aes128_fix_expand, . - wm_aes128_fix_expand
