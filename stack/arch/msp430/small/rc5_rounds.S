/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of RC5-32/12 for the MSP430 in the least flash: half a round is a step of a loop, in which
 * the words change places; src/cipher/rc5_rounds.c is the reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names are
 * kept.
 * Invariants: no branch, address or number of steps depends on key or block. */
#include "../rc5_rotate.inc"

        .section .text.wm_rc5_encrypt,"ax",@progbits
        .balign 2
/* A rotated left by N. */
rotate:
        ROTATE  AL, AH, N
        ret

/* A and B from the block at r13, and how often half a round is done. */
fetch:
        FETCH   AL, AH, r13
        FETCH   BL, BH, r13
        mov     #24, ROUNDS
        ret

exchange:
        mov     AL, T
        mov     BL, AL
        mov     T, BL
        mov     AH, T
        mov     BH, AH
        mov     T, BH
        ret

        .globl  wm_rc5_encrypt
        .type   wm_rc5_encrypt,@function
/* void wm_rc5_encrypt(const wm_rc5 *ctx (S), uint8_t block[8] (r13)) */
wm_rc5_encrypt:
        SAVE
        call    #fetch
        add     @S+, AL
        addc    @S+, AH
        add     @S+, BL
        addc    @S+, BH
1:
        xor     BL, AL
        xor     BH, AH
        mov     BL, N
        call    #rotate
        add     @S+, AL
        addc    @S+, AH
        call    #exchange
        dec     ROUNDS
        jnz     1b
put:
        PUT     AL, AH, -8, r13
        PUT     BL, BH, -4, r13
leave:
        RESTORE
        ret
        .size   wm_rc5_encrypt, .-wm_rc5_encrypt

        .globl  wm_rc5_decrypt
        .type   wm_rc5_decrypt,@function
/* void wm_rc5_decrypt(const wm_rc5 *ctx (S), uint8_t block[8] (r13)). In A is what is rotated, the
 * second word first. */
wm_rc5_decrypt:
        SAVE
        call    #fetch
        call    #exchange
        add     #100, S
1:
        sub     @S, AL
        subc    2(S), AH
        clr     N
        sub     BL, N
        call    #rotate
        xor     BL, AL
        xor     BH, AH
        call    #exchange
        sub     #4, S
        dec     ROUNDS
        jnz     1b
        sub     @S+, AL
        subc    @S, AH
        call    #exchange
        sub     -6(S), AL
        subc    -4(S), AH
        jmp     put
        .size   wm_rc5_decrypt, .-wm_rc5_decrypt

        .globl  wm_rc5_mix
        .type   wm_rc5_mix,@function
/* void wm_rc5_mix(uint32_t s[26] (S), uint32_t *l (L), uint8_t c (r14)). B is a, and A, which is
 * rotated, is b. On the stack: words left of L and of S, and c. */
wm_rc5_mix:
        SAVE
        push    r14
        push    #26
        push    r14
        mov     #78, ROUNDS
        clr     AL
        clr     AH
        clr     BL
        clr     BH
1:
        add     AL, BL
        addc    AH, BH
        add     @S+, BL
        addc    @S+, BH
        mov     #3, T
2:
        ONE_BIT BL, BH
        dec     T
        jnz     2b
        mov     BL, -4(S)
        mov     BH, -2(S)
        add     BL, AL
        addc    BH, AH
        mov     AL, N
        add     @L+, AL
        addc    @L+, AH
        call    #rotate
        mov     AL, -4(L)
        mov     AH, -2(L)
        dec     0(sp)
        jnz     3f
        mov     4(sp), T
        mov     T, 0(sp)
        rla     T
        rla     T
        sub     T, L
3:
        dec     2(sp)
        jnz     4f
        mov     #26, 2(sp)
        sub     #104, S
4:
        dec     ROUNDS
        jnz     1b
        add     #6, sp
        jmp     leave
        .size   wm_rc5_mix, .-wm_rc5_mix
