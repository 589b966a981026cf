/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption that makes each round key as it goes, for the MSP430: takes the place of
 * src/cipher/aes128_lean.c, which is its reference.
 * References: FIPS 197 §5.1, §5.2.
 * Invariants: no branch depends on key or block; the S-box is indexed by both (see
 * wardmote/aes128.h). The stack holds neither afterwards. */

#define FROM r12  /* key */
#define BLOCK r13
#define P r14     /* a place, or its number */
#define Q r15     /* another */
#define X r11     /* an octet */
#define RCON r10
#define SUM r9    /* of a column */
#define FIRST r8  /* octet of a column, as it was */
#define MASK r7
#define COUNT r12
#define COLUMNS r6
#define AFTER_LAST 0x6c /* the round constant behind the tenth */

/* On the stack. */
#define ROUND_KEY 0
#define STATE 16
#define OCTETS 32

        .section .text.wm_aes128_lean_encrypt, "ax", @progbits
        .balign 2
        .globl  wm_aes128_lean_encrypt
        .globl  wm_aes128_lean_forward
        .type   wm_aes128_lean_encrypt, @function
        .type   wm_aes128_lean_forward, @function
/* void wm_aes128_lean_encrypt(const wm_block128 *key (r12), wm_block128 *block (r13)) */
wm_aes128_lean_encrypt:
wm_aes128_lean_forward:
        push    r10
        push    r9
        push    r8
        push    r7
        push    r6
        sub     #16, r1
        add     #16, FROM
        mov     #8, P
.Lcopy: decd    FROM
        mov     @FROM, X
        push    X
        dec     P
        jnz     .Lcopy
        mov     #1, RCON

.Lround:                                /* AddRoundKey; the state is kept beside the block */
        mov     BLOCK, Q
        mov     r1, P
        mov     #8, COUNT
.Ladd:  xor     @P, 0(Q)
        mov     @Q, STATE(P)
        incd    Q
        incd    P
        dec     COUNT
        jnz     .Ladd
        cmp     #AFTER_LAST, RCON
        jeq     .Lend

        mov     BLOCK, Q                /* SubBytes, ShiftRows: octet i comes from 5i (mod 16) */
        clr     P
.Lsub:  mov     P, X
        add     r1, X
        mov.b   STATE(X), X
        mov.b   wm_aes128_sbox(X), 0(Q)
        inc     Q
        add     #5, P
        and     #15, P
        jnz     .Lsub

        xor.b   RCON, ROUND_KEY(r1)     /* the next round key */
        mov.b   ROUND_KEY+12(r1), STATE(r1)
        mov     r1, P
        mov     #4, COUNT
.Lword: mov.b   13(P), X
        xor.b   wm_aes128_sbox(X), 0(P)
        inc     P
        dec     COUNT
        jnz     .Lword
        mov     #6, COUNT
.Lrest: xor     -4(P), 0(P)
        incd    P
        dec     COUNT
        jnz     .Lrest
        add.b   RCON, RCON              /* public; doubled in the field of §4.2 */
        jnc     .Llast
        mov     #0x1b, RCON
.Llast: cmp     #AFTER_LAST, RCON
        jeq     .Lround

        mov     BLOCK, P                /* MixColumns: a_i ^= sum ^ 2(a_i ^ a_{i+1}) */
        mov     #4, COLUMNS
.Lcolumn:
        mov.b   @P, FIRST
        mov.b   FIRST, SUM
        xor.b   1(P), SUM
        xor.b   2(P), SUM
        xor.b   3(P), SUM
        mov     #4, COUNT
.Loctet:
        mov.b   FIRST, X
        dec     COUNT
        jz      .Lmix
        mov.b   1(P), X
.Lmix:  xor.b   @P, X
        add.b   X, X
        subc.b  MASK, MASK              /* 0 with a carry, else 0xff */
        mov.b   #0x1b, Q
        bic.b   MASK, Q
        xor.b   Q, X
        xor.b   SUM, X
        xor.b   X, 0(P)
        inc     P
        tst     COUNT
        jnz     .Loctet
        dec     COLUMNS
        jnz     .Lcolumn
        jmp     .Lround

.Lend:  mov     #OCTETS / 2, COUNT
.Lwipe: clr     0(r1)
        incd    r1
        dec     COUNT
        jnz     .Lwipe
        pop     r6
        pop     r7
        pop     r8
        pop     r9
        pop     r10
        ret
        .size   wm_aes128_lean_encrypt, . - wm_aes128_lean_encrypt
        .size   wm_aes128_lean_forward, . - wm_aes128_lean_forward
