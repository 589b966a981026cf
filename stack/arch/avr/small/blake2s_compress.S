/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F in little flash of the AVR: one G at a time. Takes the place of
 * small/blake2s_compress.c; src/hash/blake2s_compress.c is the reference.
 * References: RFC 7693 §2.7, §3.1, §3.2; names of the RFC in comments.
 * Invariants: branches and addresses depend on the number of the G only. */

#include "../words.inc"

#define A 2
#define B 6
#define C 10
#define D 14
#define T 18
#define COLUMN r18 /* of a word of v, times 4 */
#define TURN r19   /* 4 where a diagonal goes to the next column, otherwise 0 */
#define ROW r20    /* times 16 */
#define BLOCK r22  /* r23:r22, address of the message */
#define PLACES r24 /* in the block: which words G takes */
#define NUMBER r25 /* of the G */
#define V 64
#define AT_BLOCK 40 /* in wm_blake2s, behind h and t */

        .macro  fetch register
        ld      \register, X+
        .endm
        .macro  put register
        st      X+, \register
        .endm

/* d ^= a, c += d rotated right by \octets octets; d is \up registers up. */
        .macro  mix up octets
        xor_up  D, \up, A, 0
        add     C, D+((\up+\octets)&3)
        adc     C+1, D+((\up+\octets+1)&3)
        adc     C+2, D+((\up+\octets+2)&3)
        adc     C+3, D+((\up+\octets+3)&3)
        xor     B, C
        .endm

        .section .progmem.blake2s_sigma, "a", @progbits
/* §2.7: which word of the message each half of G takes, the first one's in the upper half of an
 * octet. */
sigma:  .byte   0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef
        .byte   0xea, 0x48, 0x9f, 0xd6, 0x1c, 0x02, 0xb7, 0x53
        .byte   0xb8, 0xc0, 0x52, 0xfd, 0xae, 0x36, 0x71, 0x94
        .byte   0x79, 0x31, 0xdc, 0xbe, 0x26, 0x5a, 0x40, 0xf8
        .byte   0x90, 0x57, 0x24, 0xaf, 0xe1, 0xbc, 0x68, 0x3d
        .byte   0x2c, 0x6a, 0x0b, 0x83, 0x4d, 0x75, 0xfe, 0x19
        .byte   0xc5, 0x1f, 0xed, 0x4a, 0x07, 0x63, 0x92, 0x8b
        .byte   0xdb, 0x7e, 0xc1, 0x39, 0x50, 0xf4, 0x86, 0x2a
        .byte   0x6f, 0xe9, 0xb3, 0x08, 0xc2, 0xd7, 0x14, 0xa5
        .byte   0xa2, 0x84, 0x76, 0x15, 0xfb, 0x9e, 0x3c, 0xd0

        .section .text.wm_blake2s_compress, "ax", @progbits
        .globl  wm_blake2s_compress
        .type   wm_blake2s_compress, @function
/* void wm_blake2s_compress(wm_blake2s *ctx (r25:r24), uint32_t f0 (r23:r20)) */
wm_blake2s_compress:
        enter   V                       /* Y: v */
        movw    r26, r24
        movw    r30, r28
        ldi     r24, 32
        rcall   copy_octets             /* v_0 to v_7: h */
        movw    r16, r26                /* t */
        ldi     r26, lo8(wm_blake2s_iv)
        ldi     r27, hi8(wm_blake2s_iv)
        ldi     r24, 32
        rcall   copy_octets             /* v_8 to v_15: IV */
        movw    r26, r16
        sbiw    r30, 16                 /* v_12 and v_13 ^= t */
        ldi     r24, 8
1:      ld      r0, X+
        ld      r1, Z
        eor     r0, r1
        st      Z+, r0
        dec     r24
        brne    1b
        ld      r0, Z                   /* v_14 ^= f0 */
        eor     r0, r20
        st      Z, r0
        ldd     r0, Z+1
        eor     r0, r21
        std     Z+1, r0
        ldd     r0, Z+2
        eor     r0, r22
        std     Z+2, r0
        ldd     r0, Z+3
        eor     r0, r23
        std     Z+3, r0
        movw    BLOCK, r26
        ldi     r30, lo8(sigma)
        ldi     r31, hi8(sigma)
        clr     NUMBER
2:      rcall   first_word
        for_each fetch, A, A+1, A+2, A+3
        rcall   next_word
        for_each fetch, B, B+1, B+2, B+3
        rcall   next_word
        for_each fetch, C, C+1, C+2, C+3
        rcall   next_word
        for_each fetch, D, D+1, D+2, D+3
        lpm     PLACES, Z+
        mov     r26, PLACES
        lsr     r26
        lsr     r26
        rcall   add_message
        mix     0, 2                    /* R1 = 16 */
        ldi     r26, 16                 /* R2 = 12: four bits to the left by products, two octets */
        mul     B, r26
        movw    T+2, r0
        mul     B+1, r26
        eor     T+3, r0
        mov     T, r1
        mul     B+2, r26
        eor     T, r0
        mov     T+1, r1
        mul     B+3, r26
        eor     T+1, r0
        eor     T+2, r1
        copy    B, T
        mov     r26, PLACES
        lsl     r26
        lsl     r26
        rcall   add_message
        mix     2, 1                    /* R3 = 8 */
        lsl     B+1                     /* R4 = 7: one bit to the left, one octet to the right */
        rol     B+2
        rol     B+3
        rol     B
        adc     B+1, r1
        rcall   first_word
        for_each put, A, A+1, A+2, A+3
        rcall   next_word
        for_each put, B+1, B+2, B+3, B
        rcall   next_word
        for_each put, C, C+1, C+2, C+3
        rcall   next_word
        for_each put, D+3, D, D+1, D+2
        inc     NUMBER
        cpi     NUMBER, 80
        breq    3f
        rjmp    2b
3:      movw    r26, BLOCK
        sbiw    r26, AT_BLOCK
        movw    r30, r28
        ldi     r24, 32
4:      ld      r0, Z                   /* h ^= both halves of v */
        ldd     r1, Z+V/2
        eor     r0, r1
        ld      r1, X
        eor     r0, r1
        st      X+, r0
        adiw    r30, 1
        dec     r24
        brne    4b
        leave   V

/* r24 octets from X to Z. */
copy_octets:
        ld      r0, X+
        st      Z+, r0
        dec     r24
        brne    copy_octets
        ret

/* X: the word of v that G calls a, and so on with b, c and d. */
first_word:
        mov     COLUMN, NUMBER
        lsl     COLUMN
        lsl     COLUMN
        mov     TURN, NUMBER
        andi    TURN, 4
        sub     COLUMN, TURN
        ldi     ROW, 0x100-16
next_word:
        add     COLUMN, TURN
        andi    COLUMN, 15
        subi    ROW, -16
        mov     r26, ROW
        or      r26, COLUMN
        clr     r27
        add     r26, r28
        adc     r27, r29
        ret

/* a += b + the word of the message whose place times 4 is in r26, with other bits around it. Leaves
 * zero in r1. */
add_message:
        andi    r26, 0x3c
        clr     r1
        add     r26, BLOCK
        mov     r27, r23
        adc     r27, r1
        sum     A, B
        ld      r0, X+
        add     A, r0
        ld      r0, X+
        adc     A+1, r0
        ld      r0, X+
        adc     A+2, r0
        ld      r0, X+
        adc     A+3, r0
        ret
        .size   wm_blake2s_compress, . - wm_blake2s_compress
