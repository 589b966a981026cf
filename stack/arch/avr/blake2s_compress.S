/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F for the AVR: takes the place of src/hash/blake2s_compress.c,
 * which is its reference.
 * References: RFC 7693 §2.7, §3.1, §3.2; names of the RFC in comments.
 * Invariants: no branch and no address depends on the state or the block.
 *
 * v lies in the stack, where Y reaches all of it; G has four words of it in registers. The columns
 * go in the order 2, 0, 1, 3, so that the d of the last one is the d of the first diagonal, and
 * that of the last diagonal the d of the next round's first column: it stays in its registers.
 *
 * Cycles: 153 a G, with 64 for its words of v and 36 for its words of the message. */

#include "words.inc"

#define A 2
#define B 6
#define C 10
#define D 14
#define T 18
#define BLOCK r22   /* r23:r22, address of the message */
#define SIXTEEN r24
#define ROUNDS r25
#define FRAME 64

#define AT_BLOCK 40 /* in wm_blake2s, behind h and t */

/* A word of v to or from registers; its lowest octet is \up registers above its first. 8 cycles. */
        .macro  load_up to up word
        ldd     \to+((\up)&3), Y+4*\word
        ldd     \to+((\up+1)&3), Y+4*\word+1
        ldd     \to+((\up+2)&3), Y+4*\word+2
        ldd     \to+((\up+3)&3), Y+4*\word+3
        .endm
        .macro  store_up word from up
        std     Y+4*\word, \from+((\up)&3)
        std     Y+4*\word+1, \from+((\up+1)&3)
        std     Y+4*\word+2, \from+((\up+2)&3)
        std     Y+4*\word+3, \from+((\up+3)&3)
        .endm

/* a += \b + the next word of the message; Z points to its place in the block. r1 is zero. 22
 * cycles. */
        .macro  add_message b
        movw    r26, BLOCK
        lpm     r0, Z+
        add     r26, r0
        adc     r27, r1
        sum     A, \b
        ld      r0, X+
        add     A, r0
        ld      r0, X+
        adc     A+1, r0
        ld      r0, X+
        adc     A+2, r0
        ld      r0, X
        adc     A+3, r0
        .endm

/* d ^= a, c += d rotated right by \octets octets. 8 cycles. */
        .macro  mix up octets
        xor_up  D, \up, A, 0
        add     C, D+((\up+\octets)&3)
        adc     C+1, D+((\up+\octets+1)&3)
        adc     C+2, D+((\up+\octets+2)&3)
        adc     C+3, D+((\up+\octets+3)&3)
        .endm

/* G but for loading d and storing it, which is \up registers up before and one less afterwards. */
        .macro  g a b c up
        load_up A, 0, \a
        load_up B, 0, \b
        load_up C, 0, \c
        add_message B
        mix     \up, 2                  /* R1 = 16 */
        xor     B, C
        mul     B, SIXTEEN /* R2 = 12: four bits to the left into other registers, two octets */
        movw    T+2, r0
        mul     B+1, SIXTEEN
        eor     T+3, r0
        mov     T, r1
        mul     B+2, SIXTEEN
        eor     T, r0
        mov     T+1, r1
        mul     B+3, SIXTEEN
        eor     T+1, r0
        eor     T+2, r1
        clr     r1
        add_message T
        mix     (\up+2), 1              /* R3 = 8 */
        xor     T, C
        lsl     T+1                     /* R4 = 7: one bit to the left, one octet to the right */
        rol     T+2
        rol     T+3
        rol     T
        adc     T+1, r1
        store_up \a, A, 0
        store_up \b, T, 1
        store_up \c, C, 0
        .endm

/* G with all of its words in v. */
        .macro  whole a b c d
        load_up D, 0, \d
        g       \a, \b, \c, 0
        store_up \d, D, 3
        .endm

/* A row of sigma in the order in which it is taken, as places in the block. */
        .macro  sigma s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15
        .byte   4*\s4, 4*\s5, 4*\s0, 4*\s1, 4*\s2, 4*\s3, 4*\s6, 4*\s7
        .byte   4*\s8, 4*\s9, 4*\s10, 4*\s11, 4*\s12, 4*\s13, 4*\s14, 4*\s15
        .endm

/* Octet of v_14 ^= that of f0. */
        .macro  mask_f0 at
        ldd     r0, Y+4*14+\at
        eor     r0, 20+\at
        std     Y+4*14+\at, r0
        .endm

/* Octet of h ^= those of two words of v. */
        .macro  take at
        ldd     r0, Z+\at
        ldd     r1, Z+32+\at
        eor     r0, r1
        ld      r1, X
        eor     r0, r1
        st      X+, r0
        .endm

        .section .progmem.blake2s_sigma, "a", @progbits
/* §2.7 */
places: sigma   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        sigma   14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3
        sigma   11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4
        sigma   7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8
        sigma   9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13
        sigma   2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9
        sigma   12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11
        sigma   13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10
        sigma   6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5
        sigma   10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0

        .section .text.wm_blake2s_compress, "ax", @progbits
        .globl  wm_blake2s_compress
        .type   wm_blake2s_compress, @function
/* void wm_blake2s_compress(wm_blake2s *ctx (r25:r24), uint32_t f0 (r23:r20)) */
wm_blake2s_compress:
        enter   FRAME                   /* Y: v */
        movw    r26, r24
        movw    r30, r28
        ldi     r24, 32
1:      ld      r0, X+                  /* v_0 to v_7: h */
        st      Z+, r0
        dec     r24
        brne    1b
        movw    r16, r26                /* t */
        ldi     r26, lo8(wm_blake2s_iv)
        ldi     r27, hi8(wm_blake2s_iv)
        ldi     r24, 32
2:      ld      r0, X+                  /* v_8 to v_15: IV */
        st      Z+, r0
        dec     r24
        brne    2b
        for_each mask_f0, 0, 1, 2, 3
        movw    r26, r16
        movw    r30, r28
        adiw    r30, 48
        ldi     r24, 8
3:      ld      r0, X+                  /* v_12 and v_13 ^= t */
        ld      r1, Z
        eor     r0, r1
        st      Z+, r0
        dec     r24
        brne    3b
        movw    BLOCK, r26
        ldi     r30, lo8(places)
        ldi     r31, hi8(places)
        ldi     SIXTEEN, 16
        ldi     ROUNDS, 10
        clr     r1
        load_up D, 0, 14
4:      g       2, 6, 10, 0             /* d: v_14 */
        store_up 14, D, 3
        whole   0, 4, 8, 12
        whole   1, 5, 9, 13
        load_up D, 0, 15
        g       3, 7, 11, 0
        g       0, 5, 10, 3             /* d: v_15 */
        store_up 15, D, 2
        whole   1, 6, 11, 12
        whole   2, 7, 8, 13
        load_up D, 1, 14
        g       3, 4, 9, 1
        dec     ROUNDS
        breq    5f
        rjmp    4b
5:      store_up 14, D, 0
        movw    r26, BLOCK
        sbiw    r26, AT_BLOCK
        movw    r30, r28
        ldi     r24, 8
6:      for_each take, 0, 1, 2, 3
        adiw    r30, 4
        dec     r24
        brne    6b
        leave   FRAME
        .size   wm_blake2s_compress, . - wm_blake2s_compress
