/* SPDX-License-Identifier: BSD-3-Clause */
/* Key of the equivalent inverse cipher with a page of doubles. src/cipher/aes128_inverse_expand.c
 * is the reference.
 * References: FIPS 197 §5.3.5.
 * Invariants: no branch depends on the key; tables are indexed by it (see wardmote/aes128.h). */
#include "aes128_registers.inc"
#include "aes128_inverse_mix.inc"

#define ROUNDS r22
#define COUNT r23

        .section .text.wm_aes128_tab_expand_inverse, "ax", @progbits
        .globl  wm_aes128_tab_expand_inverse
        .type   wm_aes128_tab_expand_inverse, @function
/* void wm_aes128_tab_expand_inverse(wm_aes128_two_way *ctx (r25:r24), const uint8_t key[16]
 * (r23:r22)) */
wm_aes128_tab_expand_inverse:
        for_each push, r16, YL, YH
        movw    YL, r24
        call    wm_aes128_expand
        movw    ZL, YL
        subi    ZL, lo8(-160)           /* from round key 10 of encryption downwards */
        sbci    ZH, hi8(-160)
        subi    YL, lo8(-176)           /* to those of decryption upwards */
        sbci    YH, hi8(-176)
        ldi     XH, hi8(wm_aes128_twice)
        rcall   .Lcopy
        ldi     ROUNDS, 9
.Lround:
        sbiw    ZL, 32
        ldi     COUNT, 4
.Lcolumn:
        ld      r18, Z+
        ld      r19, Z+
        ld      r20, Z+
        ld      r21, Z+
        inverse_mix r18, r19, r20, r21
        st      Y+, r19
        st      Y+, r18
        st      Y+, r21
        st      Y+, r20
        dec     COUNT
        brne    .Lcolumn
        dec     ROUNDS
        brne    .Lround
        sbiw    ZL, 32
        rcall   .Lcopy
        for_each pop, YH, YL, r16
        ret
.Lcopy:
        ldi     COUNT, 16
.Loctet:
        ld      r18, Z+
        st      Y+, r18
        dec     COUNT
        brne    .Loctet
        ret
        .size   wm_aes128_tab_expand_inverse, . - wm_aes128_tab_expand_inverse
