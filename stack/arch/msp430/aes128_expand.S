/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion, for the MSP430: takes the place of src/cipher/aes128_expand.c, which is
 * its reference.
 * References: FIPS 197 §5.2.
 * Invariants: no branch depends on the key; the S-box is indexed by it (see wardmote/aes128.h). The
 * key may lie at any address: it is read by octets.
 *
 * A round key lies in the registers r4..r11, half by half. Cycles: 74 a round; 32 of them store
 * it. */

#define TO r12  /* the round key that the registers hold */
#define KEY r13 /* of 16 octets, at first */
#define T r13   /* two octets of SubWord */
#define X r14   /* index into the S-box */
#define RCON r15
#define AFTER_LAST 0x6c /* the round constant behind the tenth */

        .macro  LOAD half
        mov.b   @KEY+, \half
        mov.b   @KEY+, X
        swpb    X
        bis     X, \half
        .endm

        .macro  STORE
        mov     r4, 0(TO)
        mov     r5, 2(TO)
        mov     r6, 4(TO)
        mov     r7, 6(TO)
        mov     r8, 8(TO)
        mov     r9, 10(TO)
        mov     r10, 12(TO)
        mov     r11, 14(TO)
        .endm

/* \half ^= S-box of the high octet of \from, and of the low one of \next above it. Exchanges the
 * octets of \from. */
        .macro  ADD_SUB half, from, next
        mov.b   \next, X
        mov.b   wm_aes128_sbox(X), T
        swpb    T
        swpb    \from
        mov.b   \from, X
        mov.b   wm_aes128_sbox(X), X
        xor     X, T
        xor     T, \half
        .endm

        .section .text.wm_aes128_expand, "ax", @progbits
        .balign 2
        .globl  wm_aes128_expand
        .type   wm_aes128_expand, @function
/* void wm_aes128_expand(wm_aes128 *ctx (r12), const uint8_t key[16] (r13)) */
wm_aes128_expand:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        LOAD    r4
        LOAD    r5
        LOAD    r6
        LOAD    r7
        LOAD    r8
        LOAD    r9
        LOAD    r10
        LOAD    r11
        mov     #1, RCON
        jmp     .Lstore
.Lround:
        ADD_SUB r4, r10, r11            /* word 0 ^= SubWord(RotWord(word 3)) ^ Rcon */
        xor     RCON, r4
        swpb    r10
        ADD_SUB r5, r11, r10
        swpb    r11
        xor     r4, r6
        xor     r5, r7
        xor     r6, r8
        xor     r7, r9
        xor     r8, r10
        xor     r9, r11
        add     #16, TO
        add.b   RCON, RCON              /* doubled in the field of §4.2 */
        jnc     .Lstore
        mov     #0x1b, RCON             /* 2 * 0x80 */
.Lstore:
        STORE
        cmp     #AFTER_LAST, RCON
        jne     .Lround
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_aes128_expand, . - wm_aes128_expand
