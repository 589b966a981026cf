/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of RC5-32/12 for the MSP430: takes the place of src/cipher/rc5_rounds.c, which is its
 * reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names are
 * kept.
 * Invariants: no branch, address or number of steps depends on key or block. */
#include "rc5_rotate.inc"

        .section .text.wm_rc5_encrypt,"ax",@progbits
        .balign 2
        .globl  wm_rc5_encrypt
        .type   wm_rc5_encrypt,@function
/* void wm_rc5_encrypt(const wm_rc5 *ctx (S), uint8_t block[8] (r13)) */
wm_rc5_encrypt:
        SAVE
        FETCH   AL, AH, r13
        FETCH   BL, BH, r13
        add     @S+, AL
        addc    @S+, AH
        add     @S+, BL
        addc    @S+, BH
        mov     #12, ROUNDS
1:
        xor     BL, AL
        xor     BH, AH
        ROTATE  AL, AH, BL
        add     @S+, AL
        addc    @S+, AH
        xor     AL, BL
        xor     AH, BH
        ROTATE  BL, BH, AL
        add     @S+, BL
        addc    @S+, BH
        dec     ROUNDS
        jnz     1b
        PUT     AL, AH, -8, r13
        PUT     BL, BH, -4, r13
        RESTORE
        ret
        .size   wm_rc5_encrypt, .-wm_rc5_encrypt

        .section .text.wm_rc5_decrypt,"ax",@progbits
        .balign 2
        .globl  wm_rc5_decrypt
        .type   wm_rc5_decrypt,@function
/* void wm_rc5_decrypt(const wm_rc5 *ctx (S), uint8_t block[8] (r13)) */
wm_rc5_decrypt:
        SAVE
        FETCH   AL, AH, r13
        FETCH   BL, BH, r13
        add     #96, S
        mov     #12, ROUNDS
1:
        sub     4(S), BL
        subc    6(S), BH
        clr     N
        sub     AL, N
        ROTATE  BL, BH, N
        xor     AL, BL
        xor     AH, BH
        sub     @S, AL
        subc    2(S), AH
        clr     N
        sub     BL, N
        ROTATE  AL, AH, N
        xor     BL, AL
        xor     BH, AH
        sub     #8, S
        dec     ROUNDS
        jnz     1b
        sub     @S+, AL
        subc    @S+, AH
        sub     @S+, BL
        subc    @S+, BH
        PUT     AL, AH, -8, r13
        PUT     BL, BH, -4, r13
        RESTORE
        ret
        .size   wm_rc5_decrypt, .-wm_rc5_decrypt

        .section .text.wm_rc5_mix,"ax",@progbits
        .balign 2
        .globl  wm_rc5_mix
        .type   wm_rc5_mix,@function
/* void wm_rc5_mix(uint32_t s[26] (S), uint32_t *l (L), uint8_t c (r14)). On the stack: steps left,
 * words left of S and of L, and c. */
wm_rc5_mix:
        SAVE
        push    r14
        push    r14
        push    #26
        push    #78
        clr     AL
        clr     AH
        clr     BL
        clr     BH
1:
        add     BL, AL
        addc    BH, AH
        add     @S+, AL
        addc    @S+, AH
        ONE_BIT AL, AH
        ONE_BIT AL, AH
        ONE_BIT AL, AH
        mov     AL, -4(S)
        mov     AH, -2(S)
        add     AL, BL
        addc    AH, BH
        mov     BL, N
        add     @L+, BL
        addc    @L+, BH
        ROTATE  BL, BH, N
        mov     BL, -4(L)
        mov     BH, -2(L)
        dec     4(sp)
        jnz     2f
        mov     6(sp), T
        mov     T, 4(sp)
        rla     T
        rla     T
        sub     T, L
2:
        dec     2(sp)
        jnz     3f
        mov     #26, 2(sp)
        sub     #104, S
3:
        dec     0(sp)
        jnz     1b
        add     #8, sp
        RESTORE
        ret
        .size   wm_rc5_mix, .-wm_rc5_mix
