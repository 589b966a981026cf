/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption of two blocks at once in bit slices, for ARMv7-M: takes the place of
 * src/cipher/aes128_fix.c, which is its reference and says how ShiftRows is left out.
 * References: FIPS 197 §5.1; A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", TCHES 2021(1).
 * Invariants: no branch, address or shift depends on key or blocks.
 *
 * Between rounds slice i is in register r(4 + i); lr walks through the round keys. SUBSTITUTE
 * leaves the slices in other registers, and MixColumns with AddRoundKey brings them back: where
 * each sum goes is chosen so that no move is needed.
 *
 * Cycles (ARM DDI 0337 §3.3): SubBytes 149; MixColumns with AddRoundKey 45 when the rows are in
 * place, 69 two columns off, 93 one or three; transposition 48 each way. */
#include "aes128_fix.inc"

#define KEY lr

/* Stack: signals of SubBytes, then what is saved at entry. */
#define FIRST SIGNALS
#define SECOND (SIGNALS + 4)
#define LAST_KEY (SIGNALS + 8)
#define SAVED 12 /* octets of the three */

/* Undoes ten ShiftRows left out: the odd rows of a column change places with those two columns
 * on. */
        .macro  REPLACE a, b
        eor     r0, \a, \b
        and     r0, r0, #0xff00ff00
        eor     \a, \a, r0
        eor     \b, \b, r0
        .endm

/* MixColumns after n ShiftRows left out, see src/cipher/aes128_fix.c. The octet below (one row
 * down, n columns on) is two runs of bits, HIGH and LOW, of the slice, TURN and TURN - 8 to the
 * right; it is kept so that one turn is left to its users. t comes as the slice and leaves as the
 * slice plus the octets below. */
        .macro  BELOW   below, t, v
        and     \v, \t, #LOW
        and     \below, \t, #HIGH
        eor     \below, \below, \v, ror #24
        eor     \t, \t, \below, ror #TURN
        .endm

/* The sum for one slice: t of the slice before, the octets below, and t two rows down and 2n
 * columns on: for odd n two runs of four bits. What t of slice 7 adds to slices 4, 3 and 1, the
 * field's reduction, stands by itself. */
        .macro  SUM_ODD sum, before, below, t, v
        eor     \sum, \before, \below, ror #TURN
        and     \v, \t, #0xf0f0f0f0
        eor     \sum, \sum, \v, ror #20
        and     \v, \t, #0x0f0f0f0f
        eor     \sum, \sum, \v, ror #12
        .endm

        .macro  SUM_2   sum, before, below, t
        eor     \sum, \before, \below, ror #TURN
        eor     \sum, \sum, \t, ror #16
        .endm

/* n = 0: the octet below is a turn of the slice itself. */
        .macro  SUM_0   sum, before, slice, t
        eor     \sum, \before, \slice, ror #8
        eor     \sum, \sum, \t, ror #16
        .endm

        .macro  MIX_ADD_ODD high, low, turn
        .set    HIGH, \high
        .set    LOW, \low
        .set    TURN, \turn
        BELOW   r3, r8, r2
        BELOW   r5, r4, r12
        SUM_ODD r3, r4, r3, r8, r9
        BELOW   r9, r7, r12
        SUM_ODD r12, r7, r5, r4, r2
        BELOW   r2, r0, r4
        SUM_ODD r9, r0, r9, r7, r4
        BELOW   r4, r11, r5
        SUM_ODD r2, r11, r2, r0, r5
        eor     r2, r2, r8
        BELOW   r0, r1, r5
        SUM_ODD r7, r1, r4, r11, r4
        eor     r7, r7, r8
        BELOW   r4, r10, r11
        SUM_ODD r11, r10, r0, r1, r0
        BELOW   r1, r6, r0
        SUM_ODD r5, r6, r4, r10, r0
        eor     r5, r5, r8
        SUM_ODD r4, r8, r1, r6, r1
        ldm     KEY!, {r0, r1, r6, r8}
        eors    r4, r0
        eors    r5, r1
        eor     r6, r11, r6
        eor     r7, r7, r8
        ldm     KEY!, {r0, r1, r8, r10}
        eor     r9, r9, r1
        eor     r11, r3, r10
        eor     r10, r12, r8
        eor     r8, r2, r0
        .endm

        .macro  MIX_ADD_2
        .set    HIGH, 0xf0f0f0f0
        .set    LOW, 0x0f0f0f0f
        .set    TURN, 12
        BELOW   r5, r8, r12
        BELOW   r3, r4, r12
        SUM_2   r12, r4, r5, r8
        BELOW   r5, r7, r2
        SUM_2   r9, r7, r3, r4
        BELOW   r3, r0, r4
        SUM_2   r2, r0, r5, r7
        BELOW   r7, r11, r5
        SUM_2   r3, r11, r3, r0
        eor     r3, r3, r8
        BELOW   r5, r1, r0
        SUM_2   r7, r1, r7, r11
        eor     r7, r7, r8
        BELOW   r11, r10, r0
        SUM_2   r4, r10, r5, r1
        BELOW   r1, r6, r5
        SUM_2   r5, r6, r11, r10
        eor     r5, r5, r8
        SUM_2   r11, r8, r1, r6
        ldm     KEY!, {r0, r1, r6, r8}
        eors    r5, r1
        eors    r6, r4
        eor     r4, r11, r0
        eor     r7, r7, r8
        ldm     KEY!, {r0, r1, r8, r10}
        eor     r11, r12, r10
        eor     r10, r9, r8
        eor     r8, r3, r0
        eor     r9, r2, r1
        .endm

        .macro  MIX_ADD_0
        eor     r5, r8, r8, ror #8
        eor     r3, r4, r4, ror #8
        SUM_0   r2, r3, r8, r5
        eor     r12, r7, r7, ror #8
        SUM_0   r8, r12, r4, r3
        eor     r4, r0, r0, ror #8
        SUM_0   r9, r4, r7, r12
        eor     r7, r11, r11, ror #8
        SUM_0   r0, r7, r0, r4
        eors    r0, r5
        eor     r4, r1, r1, ror #8
        SUM_0   r12, r4, r11, r7
        eor     r12, r12, r5
        eor     r11, r10, r10, ror #8
        SUM_0   r7, r11, r1, r4
        eor     r4, r6, r6, ror #8
        SUM_0   r1, r4, r10, r11
        eors    r1, r5
        SUM_0   r10, r5, r6, r4
        ldm     KEY!, {r3, r4, r5, r11}
        eor     r6, r7, r5
        eor     r5, r1, r4
        eor     r4, r10, r3
        eor     r7, r12, r11
        ldm     KEY!, {r1, r3, r10, r11}
        eor     r9, r9, r3
        eor     r10, r8, r10
        eor     r8, r0, r1
        eor     r11, r2, r11
        .endm

        .section .text.wm_aes128_fix_encrypt2, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_fix_encrypt
        .type   wm_aes128_fix_encrypt, %function
        .globl  wm_aes128_fix_forward
        .type   wm_aes128_fix_forward, %function
/* void wm_aes128_fix_encrypt(const wm_aes128_slices *ctx (r0), wm_block128 *block (r1)) */
wm_aes128_fix_encrypt:
wm_aes128_fix_forward:
        mov     r2, r1
        .size   wm_aes128_fix_encrypt, . - wm_aes128_fix_encrypt
        .size   wm_aes128_fix_forward, . - wm_aes128_fix_forward

        .globl  wm_aes128_fix_encrypt2
        .type   wm_aes128_fix_encrypt2, %function
        .globl  wm_aes128_fix_forward2
        .type   wm_aes128_fix_forward2, %function
/* void wm_aes128_fix_encrypt2(const wm_aes128_slices *ctx (r0), wm_block128 *first (r1),
 * wm_block128 *second (r2)) */
wm_aes128_fix_encrypt2:
wm_aes128_fix_forward2:
        add     r3, r0, #320            /* round key 10 */
        push    {r1-r11, lr}
        sub     sp, sp, #SIGNALS
        mov     KEY, r0
        ldm     r1, {r4, r6, r8, r10}
        ldm     r2, {r5, r7, r9, r11}
        TRANSPOSE
        ldm     KEY!, {r0-r3}
        eors    r4, r0
        eors    r5, r1
        eors    r6, r2
        eors    r7, r3
        ldm     KEY!, {r0-r3}
        eor     r8, r8, r0
        eor     r9, r9, r1
        eor     r10, r10, r2
        eor     r11, r11, r3

        .p2align 2
.Lfour_rounds:
        SUBSTITUTE
        MIX_ADD_ODD 0xfcfcfcfc, 0x03030303, 10
        SUBSTITUTE
        ldr     r2, [sp, #LAST_KEY]
        cmp     KEY, r2
        beq     .Llast                  /* the tenth SubBytes, like the second and the sixth */
        MIX_ADD_2
        SUBSTITUTE
        MIX_ADD_ODD 0xc0c0c0c0, 0x3f3f3f3f, 14
        SUBSTITUTE
        MIX_ADD_0
        b       .Lfour_rounds

        .p2align 2
.Llast:
        ldm     KEY!, {r2, r5, r9, r12}
        eors    r2, r6
        eor     r6, r1, r9
        eor     r5, r10, r5
        eor     r12, r11, r12
        ldm     KEY!, {r1, r9, r10, r11}
        eor     r11, r8, r11
        eor     r9, r7, r9
        eor     r10, r4, r10
        eor     r8, r0, r1
        mov     r4, r2
        mov     r7, r12
        TRANSPOSE
        REPLACE r4, r8
        REPLACE r5, r9
        REPLACE r6, r10
        REPLACE r7, r11
        ldr     r0, [sp, #FIRST]
        ldr     r1, [sp, #SECOND]
        stm     r0, {r4, r6, r8, r10}
        stm     r1, {r5, r7, r9, r11}
        movs    r0, #0                  /* no signal stays on the stack */
        movs    r1, #0
        movs    r2, #0
        movs    r3, #0
        mov     r12, sp
        .rept   (SIGNALS + 15) / 16
        stm     r12!, {r0-r3}
        .endr
        add     sp, sp, #(SIGNALS + SAVED)
        pop     {r4-r11, pc}
        .size   wm_aes128_fix_encrypt2, . - wm_aes128_fix_encrypt2
        .size   wm_aes128_fix_forward2, . - wm_aes128_fix_forward2
