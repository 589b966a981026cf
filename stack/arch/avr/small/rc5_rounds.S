/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of RC5-32/12 for the AVR in the least flash: half a round is a step of a loop, in which
 * the words change places; src/cipher/rc5_rounds.c is the reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names are
 * kept.
 * Invariants: no branch, address or number of steps depends on key or block. */
#include "../rc5_rotate.inc"

        .section .text.wm_rc5_encrypt, "ax", @progbits
/* a rotated left by N, which is lost */
rotate:
        rotate  WORD_A
        ret

exchange:
        movw    FREE, WORD_A
        movw    FREE+2, WORD_A+2
        movw    WORD_A, WORD_B
        movw    WORD_A+2, WORD_B+2
        movw    WORD_B, FREE
        movw    WORD_B+2, FREE+2
        ret

/* a and b from the block at Y, and how often half a round is done. */
fetch:
        movw    YL, r22
        fetch   WORD_A, Y, 0
        fetch   WORD_B, Y, 4
        ldi     POWER, 24
        mov     ROUNDS, POWER
        ret

        .globl  wm_rc5_encrypt
        .type   wm_rc5_encrypt, @function
/* void wm_rc5_encrypt(const wm_rc5 *ctx (r25:r24), uint8_t block[8] (r23:r22)) */
wm_rc5_encrypt:
        save
        for_each push, r22, r23
        movw    ZL, r24
        rcall   fetch
        add_next WORD_A
        add_next WORD_B
1:
        word    eor, WORD_A, WORD_B, eor
        mov     N, WORD_B
        rcall   rotate
        add_next WORD_A
        rcall   exchange
        dec     ROUNDS
        brne    1b
put:
        for_each pop, YH, YL
        put     WORD_A, Y, 0
        put     WORD_B, Y, 4
        restore
        .size   wm_rc5_encrypt, . - wm_rc5_encrypt

        .globl  wm_rc5_decrypt
        .type   wm_rc5_decrypt, @function
/* void wm_rc5_decrypt(const wm_rc5 *ctx (r25:r24), uint8_t block[8] (r23:r22)). In a is what is
 * rotated, the second word first. */
wm_rc5_decrypt:
        save
        for_each push, r22, r23
        movw    ZL, r24
        subi    ZL, lo8(-13 * 8)
        sbci    ZH, hi8(-13 * 8)
        rcall   fetch
        rcall   exchange
1:
        rcall   subtract
        mov     N, WORD_B
        neg     N
        rcall   rotate
        word    eor, WORD_A, WORD_B, eor
        rcall   exchange
        dec     ROUNDS
        brne    1b
        rcall   subtract
        rcall   exchange
        rcall   subtract
        rjmp    put

subtract:
        subtract_last WORD_A
        ret
        .size   wm_rc5_decrypt, . - wm_rc5_decrypt

        .globl  wm_rc5_mix
        .type   wm_rc5_mix, @function
/* void wm_rc5_mix(uint32_t s[26] (r25:r24), uint32_t *l (r23:r22), uint8_t c (r20)). WORD_B is a,
 * and WORD_A, which is rotated, is b. In r8..r11: words left of S and of L, c, and steps. */
wm_rc5_mix:
        for_each push, r7, r8, r9, r10, r11
        save
        movw    ZL, r24
        movw    YL, r22
        mov     r9, r20
        mov     r10, r20
        ldi     MASK, 78
        mov     r11, MASK
        ldi     MASK, 26
        mov     r8, MASK
        .irp    i, 18, 20, 22, 24
        clr     \i
        clr     \i+1
        .endr
1:
        word    add, WORD_B, WORD_A, adc
        add_next WORD_B
        sbiw    ZL, 4
        ldi     MASK, 3
2:
        lsl     WORD_B
        rol     WORD_B+1
        rol     WORD_B+2
        rol     WORD_B+3
        adc     WORD_B, ZERO
        dec     MASK
        brne    2b
        .irp    i, 0, 1, 2, 3
        st      Z+, WORD_B+\i
        .endr
        word    add, WORD_A, WORD_B, adc
        mov     r7, WORD_A
        fetch   FREE, Y, 0
        word    add, WORD_A, FREE, adc
        for_each push, YL, YH
        mov     N, r7
        rcall   rotate
        for_each pop, YH, YL
        put     WORD_A, Y, 0
        adiw    YL, 4
        dec     r9
        brne    3f
        mov     r9, r10
        mov     r0, r10
        lsl     r0
        lsl     r0
        sub     YL, r0
        sbc     YH, ZERO
3:
        dec     r8
        brne    4f
        ldi     MASK, 26
        mov     r8, MASK
        subi    ZL, 26 * 4
        sbc     ZH, ZERO
4:
        dec     r11
        breq    5f
        rjmp    1b
5:
        for_each pop, r29, r28, r17, r16, r15, r14, r13, r12
        for_each pop, r11, r10, r9, r8, r7
        clr     r1
        ret
        .size   wm_rc5_mix, . - wm_rc5_mix
