/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack for the AVR in the least flash: one step, and the words move on in each.
 * src/cipher/skipjack_small_rounds.c is the reference. */
#include "skipjack_step.inc"

        .section .text.wm_skipjack_small_encrypt, "ax", @progbits
        .globl  wm_skipjack_small_encrypt
        .type   wm_skipjack_small_encrypt, @function
wm_skipjack_small_encrypt:
        begin   10
2:
        mov     ZL, COUNTER             /* bit 3 tells rule A from rule B */
        inc     COUNTER
        sbrs    ZL, 3
        rjmp    3f
        take_in W2, W1
3:
        g       W1
        mov     ZL, COUNTER
        dec     ZL
        sbrc    ZL, 3
        rjmp    4f
        take_in W4, W1
4:
        movw    ZL, W4
        movw    W4, W3
        movw    W3, W2
        movw    W2, W1
        movw    W1, ZL
        ldi     ZH, hi8(wm_skipjack_f)
        sbrs    COUNTER, 5
        rjmp    2b
        finish
        .size   wm_skipjack_small_encrypt, . - wm_skipjack_small_encrypt

        .section .text.wm_skipjack_small_decrypt, "ax", @progbits
        .globl  wm_skipjack_small_decrypt
        .type   wm_skipjack_small_decrypt, @function
wm_skipjack_small_decrypt:
        begin   4
        adiw    XL, 32 * 4 % 10
        ldi     ZL, 32
        mov     COUNTER, ZL
2:
        movw    ZL, W1
        movw    W1, W2
        movw    W2, W3
        movw    W3, W4
        movw    W4, ZL
        mov     ZL, COUNTER
        dec     ZL
        sbrc    ZL, 3
        rjmp    3f
        take_in W4, W1
3:
        ldi     ZH, hi8(wm_skipjack_f)
        g_inverse W1
        mov     ZL, COUNTER
        dec     ZL
        sbrs    ZL, 3
        rjmp    4f
        take_in W2, W1
4:
        dec     COUNTER
        brne    2b
        finish
        .size   wm_skipjack_small_decrypt, . - wm_skipjack_small_decrypt
