/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack for the AVR, four steps written out: the words stay where they are, and their names move
 * on. src/cipher/skipjack_rounds.c is the reference, and has the rules in these terms.
 *
 * Cycles: 36 or 37 a step. */
#include "skipjack_step.inc"

        .macro rule_a w1 w4
        inc     COUNTER
        g       \w1
        take_in \w4, \w1
        .endm

        .macro rule_b w1 w2
        inc     COUNTER
        take_in \w2, \w1
        g       \w1
        .endm

        .macro inverse_a w1 w4
        take_in \w4, \w1
        g_inverse \w1
        dec     COUNTER
        .endm

        .macro inverse_b w1 w2
        g_inverse \w1
        take_in \w2, \w1
        dec     COUNTER
        .endm

        .section .text.wm_skipjack_encrypt, "ax", @progbits
        .globl  wm_skipjack_encrypt
        .type   wm_skipjack_encrypt, @function
wm_skipjack_encrypt:
        begin   10
2:
        rule_a  W1, W4
        rule_a  W4, W3
        rule_a  W3, W2
        rule_a  W2, W1
        sbrc    COUNTER, 2              /* four more, to a multiple of eight */
        rjmp    2b
3:
        rule_b  W1, W2
        rule_b  W4, W1
        rule_b  W3, W4
        rule_b  W2, W3
        sbrc    COUNTER, 2
        rjmp    3b
        sbrs    COUNTER, 5              /* 32 */
        rjmp    2b
        finish
        .size   wm_skipjack_encrypt, . - wm_skipjack_encrypt

        .section .text.wm_skipjack_decrypt, "ax", @progbits
        .globl  wm_skipjack_decrypt
        .type   wm_skipjack_decrypt, @function
wm_skipjack_decrypt:
        begin   4
        adiw    XL, 32 * 4 % 10
        ldi     ZL, 32
        mov     COUNTER, ZL
2:
        inverse_b W2, W3
        inverse_b W3, W4
        inverse_b W4, W1
        inverse_b W1, W2
        sbrc    COUNTER, 2
        rjmp    2b
3:
        inverse_a W2, W1
        inverse_a W3, W2
        inverse_a W4, W3
        inverse_a W1, W4
        sbrc    COUNTER, 2
        rjmp    3b
        tst     COUNTER
        breq    4f
        rjmp    2b
4:
        finish
        .size   wm_skipjack_decrypt, . - wm_skipjack_decrypt
