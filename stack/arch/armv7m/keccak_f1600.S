/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] for ARMv7-M: takes the place of src/hash/keccak_f1600.c, which is its reference.
 * References: FIPS 202 §3; bit interleaving: Bertoni, Daemen, Peeters, Van Assche, Van Keer,
 * "Keccak implementation overview" 3.2 §2.1; rotations put off: Adomnicai, eprint 2023/773. Cycles:
 * ARM DDI 0337 (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch and no address depends on the state or on octets; the stack is wiped.
 *
 * A lane is two words, its bits of even and of odd place, so that a rotation by 2m turns both by m
 * and one by 2m + 1 exchanges them. No rotation is an instruction of its own: a word stays turned
 * as chi left it, and the next use turns it, which costs nothing with the barrel shifter. The sum
 * of two words may be turned like either of them. For row 0, whose turns are those of the parities
 * and so of theta, the choice makes a round end turned as it began. Between permutations words stay
 * turned too. So every round is the same code, less than a quarter of four rounds in place.
 * Word h of lane (x, y), turned right by wm_keccak_turns[25 h + 5 y + x], is at 100 h + 20 y + 4 x.
 *
 * A round reads one copy of the state and writes the other, row by row and half by half, so that a
 * row is one STM. The parities of columns that theta of the next round takes add up as rows are
 * made; what theta adds to words, D, lies on the stack and comes in groups of loads with the words:
 * k loads in a row take k + 1 cycles. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define FROM r0 /* the copy that a round reads */
#define TO r1   /* the next row of the other */

/* On the stack: ten words of theta, addresses in the table of constants, and a copy of the
 * state. */
#define NEXT_CONSTANT 40
#define END_OF_CONSTANTS 44
#define COPY 48
#define FRAME 248
#define SAVED 20 /* the parities of even places, below all that while rows of odd places are made */

        .macro  TURNED op, out, a, b, right
        .if     (\right) & 31
        \op     \out, \a, \b, ror #((\right) & 31)
        .else
        \op     \out, \a, \b
        .endif
        .endm

/* Word \x of the row to come: where it is, where its word of theta is, how much farther it is
 * turned than that, and how far rho leaves it turned. */
        .macro  LANE x, at, theta, farther, leaves
        .set    AT\x, \at
        .set    THETA\x, \theta
        .set    FARTHER\x, \farther
        .set    LEAVES\x, \leaves
        .endm

        .macro  LOAD word, x
        ldr     \word, [FROM, #AT\x]
        .endm

        .macro  LOAD_THETA word, x
        ldr     \word, [sp, #THETA\x]
        .endm

        .macro  ADD_THETA out, theta, word, x
        TURNED  eor, \out, \theta, \word, -FARTHER\x
        .endm

/* The words of a row, with theta: two groups of loads and an instruction between them, more loads
 * if need be, the rest. */
        .macro  WORDS o0, o1, w2, w0, w1, w3, w4, between
        LOAD    \w0, 0
        LOAD    \w1, 1
        LOAD    \w2, 2
        LOAD_THETA \o0, 0
        LOAD_THETA \o1, 1
        LOAD_THETA \w3, 2
        ADD_THETA \w0, \o0, \w0, 0
        ADD_THETA \w1, \o1, \w1, 1
        ADD_THETA \w2, \w3, \w2, 2
        \between
        LOAD    \w3, 3
        LOAD    \w4, 4
        LOAD_THETA \o0, 3
        LOAD_THETA \o1, 4
        .endm

        .macro  LAST_WORDS o0, o1, w3, w4
        ADD_THETA \w3, \o0, \w3, 3
        ADD_THETA \w4, \o1, \w4, 4
        .endm

/* The last step of chi for word \x: \term, turned as word \z is, and word \x itself. The result is
 * turned as the word is if \own is 1, else as the term is. */
        .macro  COMPLETE out, term, word, own, x, z
        .if     \own
        TURNED  eor, \out, \word, \term, LEAVES\x - LEAVES\z
        .set    LEFT\x, LEAVES\x
        .else
        TURNED  eor, \out, \term, \word, LEAVES\z - LEAVES\x
        .set    LEFT\x, LEAVES\z
        .endif
        .endm

/* chi: out in o0, o1, w2, w0, w1. */
        .macro  CHI o0, o1, w2, w0, w1, w3, w4, own0, own1, own2, own3, own4
        TURNED  bic, \o0, \w2, \w1, LEAVES2 - LEAVES1
        COMPLETE \o0, \o0, \w0, \own0, 0, 2
        TURNED  bic, \o1, \w3, \w2, LEAVES3 - LEAVES2
        COMPLETE \o1, \o1, \w1, \own1, 1, 3
        TURNED  bic, \w1, \w1, \w0, LEAVES1 - LEAVES0
        TURNED  bic, \w0, \w0, \w4, LEAVES0 - LEAVES4
        COMPLETE \w1, \w1, \w4, \own4, 4, 1
        COMPLETE \w0, \w0, \w3, \own3, 3, 0
        TURNED  bic, \w4, \w4, \w3, LEAVES4 - LEAVES3
        COMPLETE \w2, \w4, \w2, \own2, 2, 4
        .endm

/* The parities of columns are turned as row 0 is. */
        .macro  PARITIES_OF_ROW_0
        .irp    x, 0, 1, 2, 3, 4
        .set    PARITY\x, LEFT\x
        .endr
        .endm

/* Any other row, in r7..r11, added to the parities in r2..r6. */
        .macro  ROW
        WORDS   r7, r8, r9, r10, r11, r12, lr
        LAST_WORDS r7, r8, r12, lr
        CHI     r7, r8, r9, r10, r11, r12, lr, 0, 0, 0, 0, 0
        stm     TO!, {r7-r11}
        TURNED  eor, r2, r2, r7, PARITY0 - LEFT0
        TURNED  eor, r3, r3, r8, PARITY1 - LEFT1
        TURNED  eor, r4, r4, r9, PARITY2 - LEFT2
        TURNED  eor, r5, r5, r10, PARITY3 - LEFT3
        TURNED  eor, r6, r6, r11, PARITY4 - LEFT4
        .endm

/* A row of the state as it is given, turned by the five, added to parities turned by PARITY0 to
 * PARITY4. */
        .macro  GIVEN turned0, turned1, turned2, turned3, turned4
        ldm     r12!, {r7-r11}
        TURNED  eor, r2, r2, r7, PARITY0 - \turned0
        TURNED  eor, r3, r3, r8, PARITY1 - \turned1
        TURNED  eor, r4, r4, r9, PARITY2 - \turned2
        TURNED  eor, r5, r5, r10, PARITY3 - \turned3
        TURNED  eor, r6, r6, r11, PARITY4 - \turned4
        .endm

        .section .text.wm_keccak_f1600, "ax", %progbits
        .p2align 2
        .globl  wm_keccak_f1600
        .type   wm_keccak_f1600, %function
/* void wm_keccak_f1600(wm_keccak_state *state (r0)) */
wm_keccak_f1600:
        push    {r4-r11, lr}
        sub     sp, sp, #FRAME
        movw    r2, #:lower16:wm_keccak_constants
        movt    r2, #:upper16:wm_keccak_constants
        add     r3, r2, #8 * 24
        strd    r2, r3, [sp, #NEXT_CONSTANT]
        add     TO, sp, #COPY
        mov     r12, FROM

        ldm     r12!, {r2-r6}           /* parities of even places */
        .set    PARITY0, 0
        .set    PARITY1, 25
        .set    PARITY2, 26
        .set    PARITY3, 25
        .set    PARITY4, 0
        GIVEN   13, 5, 3, 8, 3
        GIVEN   27, 29, 9, 15, 28
        GIVEN   5, 12, 22, 18, 18
        GIVEN   24, 0, 1, 24, 10
        push    {r2-r6}
        ldm     r12!, {r2-r6}           /* parities of odd places */
        .set    PARITY0, 14
        .set    PARITY1, 4
        .set    PARITY2, 14
        .set    PARITY3, 4
        .set    PARITY4, 11
        GIVEN   1, 22, 23, 28, 14
        GIVEN   6, 8, 20, 0, 7
        GIVEN   19, 0, 10, 6, 29
        GIVEN   12, 20, 15, 3, 21

/* Parities of odd places in r2..r6, those of even places on the stack, each turned as row 0 is.
 * Theta adds to a word of column x the parities of columns x - 1 and, turned by a place more, x +
 * 1: even words take an odd one, odd words an even one. Each parity is used twice, all ten in one
 * ring, so that one more register is enough. */
        .p2align 2
.Lround:
        pop     {r7-r11}
        eor     r12, r7, r4, ror #17    /* even, 1 */
        eor     r4, r4, r11, ror #14    /* odd, 3 */
        eor     r11, r11, r3, ror #27   /* even, 0 */
        eor     r3, r3, r10, ror #11    /* odd, 2 */
        eor     r10, r10, r2, ror #10   /* even, 4 */
        eor     r2, r2, r9, ror #20     /* odd, 1 */
        eor     r9, r9, r6, ror #14     /* even, 3 */
        eor     r6, r6, r8, ror #18     /* odd, 0 */
        eor     r8, r8, r5, ror #20     /* even, 2 */
        eor     r5, r5, r7, ror #4      /* odd, 4 */
        stm     sp, {r2-r6, r8-r12}

/* Row 0 of even places: its words of theta are where they were made. */
        LANE    0, 0, 32, 0, 0
        LANE    1, 24, 36, 5, 22
        LANE    2, 148, 4, 16, 26
        LANE    3, 172, 8, 24, 25
        LANE    4, 96, 28, 17, 0
        ldr     r2, [sp, #NEXT_CONSTANT]
        LOAD    r5, 0
        LOAD    r6, 1
        LOAD    r7, 2
        LOAD    r8, 3
        LOAD    r9, 4
        ldr     lr, [r2]
        ADD_THETA r5, r11, r5, 0
        ADD_THETA r6, r12, r6, 1
        ADD_THETA r8, r4, r8, 3
        ADD_THETA r4, r3, r7, 2
        ADD_THETA r9, r10, r9, 4
        CHI     r2, r3, r4, r5, r6, r8, r9, 1, 0, 1, 1, 1
        eor     r2, r2, lr              /* iota */
        stm     TO!, {r2-r6}
        PARITIES_OF_ROW_0

        LANE    0, 12, 24, 31, 8
        LANE    1, 36, 28, 10, 3
        LANE    2, 140, 16, 27, 13
        LANE    3, 164, 0, 18, 5
        LANE    4, 188, 4, 11, 3
        ROW
        LANE    0, 104, 0, 22, 15
        LANE    1, 28, 20, 10, 28
        LANE    2, 152, 8, 18, 27
        LANE    3, 76, 28, 25, 29
        LANE    4, 80, 32, 24, 9
        ROW
        LANE    0, 116, 12, 7, 18
        LANE    1, 20, 32, 13, 18
        LANE    2, 44, 36, 29, 5
        LANE    3, 168, 4, 6, 12
        LANE    4, 92, 24, 30, 22
        ROW
        LANE    0, 8, 20, 1, 24
        LANE    1, 132, 8, 14, 10
        LANE    2, 156, 12, 3, 24
        LANE    3, 160, 16, 8, 0
        LANE    4, 84, 36, 0, 1
        ROW
        push    {r2-r6}

/* Row 0 of odd places. */
        LANE    0, 100, 36, 3, 11
        LANE    1, 124, 20, 8, 4
        LANE    2, 48, 40, 16, 14
        LANE    3, 72, 44, 24, 4
        LANE    4, 196, 32, 17, 11
        ldr     r7, [sp, #SAVED + NEXT_CONSTANT]
        ldr     r10, [sp, #SAVED + END_OF_CONSTANTS]
        WORDS   r2, r3, r4, r5, r6, r12, lr, "add r8, r7, #8"
        ldr     r9, [r7, #4]
        str     r8, [sp, #SAVED + NEXT_CONSTANT]
        LAST_WORDS r2, r3, r12, lr
        CHI     r2, r3, r4, r5, r6, r12, lr, 0, 1, 1, 1, 1
        eor     r2, r2, r9
        stm     TO!, {r2-r6}
        cmp     r8, r10
        PARITIES_OF_ROW_0

        LANE    0, 112, 28, 22, 28
        LANE    1, 136, 32, 10, 14
        LANE    2, 40, 52, 27, 1
        LANE    3, 64, 56, 12, 22
        LANE    4, 88, 40, 8, 23
        ROW
        LANE    0, 4, 56, 25, 0
        LANE    1, 128, 24, 19, 7
        LANE    2, 52, 44, 21, 6
        LANE    3, 176, 32, 25, 8
        LANE    4, 180, 36, 1, 20
        ROW
        LANE    0, 16, 48, 7, 6
        LANE    1, 120, 36, 22, 29
        LANE    2, 144, 20, 26, 19
        LANE    3, 68, 40, 29, 0
        LANE    4, 192, 28, 21, 10
        ROW
        LANE    0, 108, 24, 10, 3
        LANE    1, 32, 44, 14, 21
        LANE    2, 56, 48, 3, 12
        LANE    3, 60, 52, 5, 20
        LANE    4, 184, 20, 6, 15
        ROW
        mov     lr, FROM
        sub     FROM, TO, #200
        mov     TO, lr
        bne     .Lround

        mov     r0, sp
        .irp    zero, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11
        mov     \zero, #0
        .endr
        .rept   6
        stm     r0!, {r2-r11}
        .endr
        stm     r0!, {r2-r8}
        add     sp, sp, #SAVED + FRAME
        pop     {r4-r11, pc}
        .size   wm_keccak_f1600, . - wm_keccak_f1600

/* Bits of even place to the lower half of a word, of odd place to the upper; and back. */
        .macro  EXCHANGE word, mask, by
        eor     r12, \word, \word, lsr #\by
        and     r12, r12, #\mask
        eor     \word, \word, r12
        eor     \word, \word, r12, lsl #\by
        .endm

        .macro  APART word
        EXCHANGE \word, 0x22222222, 1
        EXCHANGE \word, 0x0c0c0c0c, 2
        EXCHANGE \word, 0x00f000f0, 4
        EXCHANGE \word, 0x0000ff00, 8
        .endm

        .macro  TOGETHER word
        EXCHANGE \word, 0x0000ff00, 8
        EXCHANGE \word, 0x00f000f0, 4
        EXCHANGE \word, 0x0c0c0c0c, 2
        EXCHANGE \word, 0x22222222, 1
        .endm

/* The upper half of one word against the lower of the other. */
        .macro  CROSS first, second
        lsr     r12, \first, #16
        bfi     \first, \second, #16, #16
        bfi     \second, r12, #0, #16
        .endm

/* Both functions below go lane by lane: r0 word, r1 its turns, r2 octets, r3 how many are left, r4
 * place in the lane, r8 and r9 the lane. What is not a whole lane goes through eight octets of
 * stack. */
        .macro  BEGIN
        push    {r4-r9, lr}
        sub     sp, sp, #8
        movw    r5, #:lower16:wm_keccak_turns
        movt    r5, #:upper16:wm_keccak_turns
        lsr     r6, r1, #3
        and     r4, r1, #7
        add     r0, r0, r6, lsl #2
        add     r1, r5, r6
        .endm

/* r5 = how many octets of this lane, r4 = where on the stack. */
        .macro  PART
        rsb     r5, r4, #8
        cmp     r5, r3
        it      hi
        movhi   r5, r3
        sub     r3, r3, r5
        add     r4, sp, r4
        .endm

        .macro  END
        mov     r8, #0
        mov     r9, #0
        strd    r8, r9, [sp]
        add     sp, sp, #8
        pop     {r4-r9, pc}
        .endm

        .section .text.wm_keccak_f1600_xor, "ax", %progbits
        .p2align 2
        .globl  wm_keccak_f1600_xor
        .type   wm_keccak_f1600_xor, %function
/* void wm_keccak_f1600_xor(wm_keccak_state *state (r0), uint8_t at (r1), const uint8_t *octets
 *                          (r2), uint8_t len (r3)) */
wm_keccak_f1600_xor:
        BEGIN
        cmp     r4, #0
        bne     .Lxor_rest
        cmp     r3, #8
        blo     .Lxor_rest
.Lxor_lane:
        ldr     r8, [r2]
        ldr     r9, [r2, #4]
        sub     r3, r3, #8
        add     r2, r2, #8
.Lxor_words:
        APART   r8
        APART   r9
        CROSS   r8, r9
        ldrb    r4, [r1]
        ldrb    r5, [r1, #25]
        ldr     r6, [r0]
        ldr     r7, [r0, #100]
        ror     r8, r8, r4
        ror     r9, r9, r5
        eor     r6, r6, r8
        eor     r7, r7, r9
        str     r7, [r0, #100]
        str     r6, [r0], #4
        add     r1, r1, #1
        cmp     r3, #8
        bhs     .Lxor_lane
        mov     r4, #0
.Lxor_rest:
        cmp     r3, #0
        beq     .Lxored
        mov     r8, #0
        mov     r9, #0
        strd    r8, r9, [sp]
        PART
.Lxor_octet:
        ldrb    r8, [r2], #1
        strb    r8, [r4], #1
        subs    r5, r5, #1
        bne     .Lxor_octet
        ldrd    r8, r9, [sp]
        b       .Lxor_words
.Lxored:
        END
        .size   wm_keccak_f1600_xor, . - wm_keccak_f1600_xor

        .section .text.wm_keccak_f1600_extract, "ax", %progbits
        .p2align 2
        .globl  wm_keccak_f1600_extract
        .type   wm_keccak_f1600_extract, %function
/* void wm_keccak_f1600_extract(const wm_keccak_state *state (r0), uint8_t at (r1), uint8_t *octets
 *                              (r2), uint8_t len (r3)) */
wm_keccak_f1600_extract:
        BEGIN
.Lextract_lane:
        cmp     r3, #0
        beq     .Lextracted
        ldrb    r5, [r1]
        ldrb    r6, [r1, #25]
        ldr     r9, [r0, #100]
        ldr     r8, [r0]
        rsb     r5, r5, #32
        rsb     r6, r6, #32
        ror     r8, r8, r5
        ror     r9, r9, r6
        CROSS   r8, r9
        TOGETHER r8
        TOGETHER r9
        add     r0, r0, #4
        add     r1, r1, #1
        cmp     r4, #0
        bne     .Lextract_part
        cmp     r3, #8
        blo     .Lextract_part
        str     r8, [r2]
        str     r9, [r2, #4]
        add     r2, r2, #8
        sub     r3, r3, #8
        b       .Lextract_lane
.Lextract_part:
        strd    r8, r9, [sp]
        PART
.Lextract_octet:
        ldrb    r8, [r4], #1
        strb    r8, [r2], #1
        subs    r5, r5, #1
        bne     .Lextract_octet
        mov     r4, #0
        b       .Lextract_lane
.Lextracted:
        END
        .size   wm_keccak_f1600_extract, . - wm_keccak_f1600_extract

/* How far the words of each lane are turned to the right, even places, then odd ones: what rho
 * leaves of the lane of which chi made it. */
        .section .rodata.wm_keccak_turns, "a", %progbits
        .type   wm_keccak_turns, %object
wm_keccak_turns:
        .byte    0, 25, 26, 25,  0
        .byte   13,  5,  3,  8,  3
        .byte   27, 29,  9, 15, 28
        .byte    5, 12, 22, 18, 18
        .byte   24,  0,  1, 24, 10
        .byte   14,  4, 14,  4, 11
        .byte    1, 22, 23, 28, 14
        .byte    6,  8, 20,  0,  7
        .byte   19,  0, 10,  6, 29
        .byte   12, 20, 15,  3, 21
        .size   wm_keccak_turns, . - wm_keccak_turns

/* RC of FIPS 202 §3.2.5, for each round its even and its odd places, turned as word 0 is. */
        .section .rodata.wm_keccak_constants, "a", %progbits
        .p2align 2
        .type   wm_keccak_constants, %object
wm_keccak_constants:
        .word   0x00000001, 0x00000000, 0x00000000, 0x02240000
        .word   0x00000000, 0x022e0000, 0x00000000, 0x02020002
        .word   0x00000001, 0x022c0000, 0x00000001, 0x00000002
        .word   0x00000001, 0x02220002, 0x00000001, 0x020a0000
        .word   0x00000000, 0x002c0000, 0x00000000, 0x00280000
        .word   0x00000001, 0x02080002, 0x00000000, 0x000c0002
        .word   0x00000001, 0x022c0002, 0x00000001, 0x002e0000
        .word   0x00000001, 0x022a0000, 0x00000001, 0x02060000
        .word   0x00000000, 0x02060000, 0x00000000, 0x00220000
        .word   0x00000000, 0x020c0000, 0x00000000, 0x000e0002
        .word   0x00000001, 0x02220002, 0x00000000, 0x02220000
        .word   0x00000001, 0x00000002, 0x00000000, 0x020a0002
        .size   wm_keccak_constants, . - wm_keccak_constants
