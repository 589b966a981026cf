/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of RC5-32/12 for the AVR; src/cipher/rc5_rounds.c is the reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names are
 * kept.
 * Invariants: no branch, address or number of steps depends on key or block.
 *
 * Cycles: 53 a rotation, 70 half a round of encryption. */
#include "rc5_rotate.inc"

/* Half a round: the word \x takes in \y, is rotated by it and takes in the next word of S. It is
 * then at \to. */
        .macro half_round x y to
        word    eor, \x, \y, eor
        mov     N, \y
        rotate_to \to, \x
        add_next \to
        .endm

        .section .text.wm_rc5_encrypt, "ax", @progbits
        .globl  wm_rc5_encrypt
        .type   wm_rc5_encrypt, @function
/* void wm_rc5_encrypt(const wm_rc5 *ctx (r25:r24), uint8_t block[8] (r23:r22)) */
wm_rc5_encrypt:
        save
        for_each push, r22, r23
        movw    ZL, r24
        movw    YL, r22
        fetch   WORD_A, Y, 0
        fetch   WORD_B, Y, 4
        add_next WORD_A
        add_next WORD_B
        ldi     ROUNDS, 4
1:
        half_round WORD_A, WORD_B, FREE
        half_round WORD_B, FREE, WORD_A
        half_round FREE, WORD_A, WORD_B
        half_round WORD_A, WORD_B, FREE
        half_round WORD_B, FREE, WORD_A
        half_round FREE, WORD_A, WORD_B
        dec     ROUNDS
        breq    2f
        rjmp    1b
2:
        for_each pop, YH, YL
        put     WORD_A, Y, 0
        put     WORD_B, Y, 4
        restore
        .size   wm_rc5_encrypt, . - wm_rc5_encrypt

        .section .text.wm_rc5_decrypt, "ax", @progbits
        .globl  wm_rc5_decrypt
        .type   wm_rc5_decrypt, @function
/* void wm_rc5_decrypt(const wm_rc5 *ctx (r25:r24), uint8_t block[8] (r23:r22)) */
wm_rc5_decrypt:
        save
        for_each push, r22, r23
        movw    ZL, r24
        subi    ZL, lo8(-13 * 8)
        sbci    ZH, hi8(-13 * 8)
        movw    YL, r22
        fetch   WORD_A, Y, 0
        fetch   WORD_B, Y, 4
        ldi     ROUNDS, 12
1:
        subtract_last WORD_B
        mov     N, WORD_A
        neg     N
        rotate  WORD_B
        word    eor, WORD_B, WORD_A, eor
        subtract_last WORD_A
        mov     N, WORD_B
        neg     N
        rotate  WORD_A
        word    eor, WORD_A, WORD_B, eor
        dec     ROUNDS
        breq    2f
        rjmp    1b
2:
        subtract_last WORD_B
        subtract_last WORD_A
        for_each pop, YH, YL
        put     WORD_A, Y, 0
        put     WORD_B, Y, 4
        restore
        .size   wm_rc5_decrypt, . - wm_rc5_decrypt

        .section .text.wm_rc5_mix, "ax", @progbits
        .globl  wm_rc5_mix
        .type   wm_rc5_mix, @function
/* void wm_rc5_mix(uint32_t s[26] (r25:r24), uint32_t *l (r23:r22), uint8_t c (r20)). In r8..r11:
 * the words of S and of L that remain until the end of each, c, and steps; S begins again where L
 * of it is at an end. */
wm_rc5_mix:
        for_each push, r7, r8, r9, r10, r11
        save
        movw    ZL, r24
        mov     r9, r20                 /* words left of L */
        mov     r10, r20                /* c */
        ldi     MASK, 78
        mov     r11, MASK
        ldi     MASK, 26
        mov     r8, MASK                /* words left of S */
        movw    YL, r22
        .irp    i, 18, 19, 20, 21, 22, 23, 24, 25
        clr     r\i
        .endr
1:
        word    add, WORD_A, WORD_B, adc
        add_next WORD_A
        sbiw    ZL, 4
        .rept   3
        lsl     WORD_A
        rol     WORD_A+1
        rol     WORD_A+2
        rol     WORD_A+3
        adc     WORD_A, ZERO
        .endr
        .irp    i, 0, 1, 2, 3
        st      Z+, WORD_A+\i
        .endr
        word    add, WORD_B, WORD_A, adc
        mov     r7, WORD_B
        fetch   FREE, Y, 0
        word    add, WORD_B, FREE, adc
        for_each push, YL, YH
        mov     N, r7
        rotate  WORD_B
        for_each pop, YH, YL
        put     WORD_B, Y, 0
        adiw    YL, 4
        dec     r9
        brne    2f
        mov     r9, r10
        mov     r0, r10
        lsl     r0
        lsl     r0
        sub     YL, r0
        sbc     YH, ZERO
2:
        dec     r8
        brne    3f
        ldi     MASK, 26
        mov     r8, MASK
        subi    ZL, 26 * 4
        sbc     ZH, ZERO
3:
        dec     r11
        breq    4f
        rjmp    1b
4:
        for_each pop, r29, r28, r17, r16, r15, r14, r13, r12
        for_each pop, r11, r10, r9, r8, r7
        clr     r1
        ret
        .size   wm_rc5_mix, . - wm_rc5_mix
