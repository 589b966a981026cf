/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of Curupira for the MSP430, the state in six registers: takes the place of
 * src/cipher/curupira1_rounds.c, which is its reference and tells why decryption adds a round key
 * before theta.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007.
 * Invariants: no branch and no address but those of the S-box depends on key or block.
 *
 * Cycles: 161 a round; 68 for gamma and pi, 76 for theta, 12 for the round key, 5 for the loop. */

#define A0 r4 /* row 0, columns 0 (low octet) and 1 */
#define A1 r5 /* row 0, columns 2 and 3 */
#define B0 r6 /* row 1 */
#define B1 r7
#define C0 r8 /* row 2 */
#define C1 r9
#define T r10
#define MASK r11 /* the most significant bit of each octet */
#define KEY r12
#define ROUNDS r13
#define U r14
#define W r15

/* gamma of two octets that stay where they are. */
        .macro  KEEP half
        mov.b   \half, T
        swpb    \half
        mov.b   \half, \half
        mov.b   wm_curupira_sbox(T), T
        mov.b   wm_curupira_sbox(\half), \half
        swpb    \half
        bis     T, \half
        .endm

/* gamma of two octets that pi exchanges. */
        .macro  EXCHANGE half
        mov.b   \half, T
        swpb    \half
        mov.b   \half, \half
        mov.b   wm_curupira_sbox(T), T
        mov.b   wm_curupira_sbox(\half), \half
        swpb    T
        bis     T, \half
        .endm

/* gamma and pi. The halves of row 2 change places. */
        .macro  SUBSTITUTE
        KEEP    A0
        KEEP    A1
        EXCHANGE B0
        EXCHANGE B1
        mov.b   C0, U
        swpb    C0
        mov.b   C0, T
        mov.b   wm_curupira_sbox(U), U
        mov.b   wm_curupira_sbox(T), T
        swpb    T
        bis     T, U
        mov     C1, C0
        KEEP    C0
        mov     U, C1
        .endm

/* Doubles two octets modulo x^8 + x^6 + x^3 + x^2 + 1 by shifts of the bits that fall out. The sum
 * clears the carry. */
        .macro  DOUBLE half
        mov     \half, U
        and     MASK, U
        xor     U, \half
        add     \half, \half
        rrc     U
        xor     U, \half
        rra     U
        rra     U
        rra     U
        xor     U, \half
        rra     U
        xor     U, \half
        rra     U
        rra     U
        xor     U, \half
        .endm

/* theta of two columns. */
        .macro  COLUMNS a, b, c
        mov     \a, T
        xor     \b, T
        xor     \c, T
        DOUBLE  T
        mov     T, W
        DOUBLE  W
        xor     T, \a
        xor     W, \b
        xor     T, \c
        xor     W, \c
        .endm

        .macro  MIX
        COLUMNS A0, B0, C0
        COLUMNS A1, B1, C1
        .endm

/* sigma. */
        .macro  ADD_KEY
        xor     @KEY+, A0
        xor     @KEY+, A1
        xor     @KEY+, B0
        xor     @KEY+, B1
        xor     @KEY+, C0
        xor     @KEY+, C1
        .endm

/* Two octets of the block at W, which may lie at any address. */
        .macro  FETCH half, first, second
        mov.b   \first(W), \half
        mov.b   \second(W), T
        swpb    T
        bis     T, \half
        .endm

        .macro  PUT half, first, second
        mov.b   \half, \first(W)
        swpb    \half
        mov.b   \half, \second(W)
        .endm

/* Saves what the caller keeps and the address of the block, and loads the block: octet i + 3j is
 * row i, column j. */
        .macro  ENTER block
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    \block
        mov     \block, W
        FETCH   A0, 0, 3
        FETCH   A1, 6, 9
        FETCH   B0, 1, 4
        FETCH   B1, 7, 10
        FETCH   C0, 2, 5
        FETCH   C1, 8, 11
        mov     #0x8080, MASK
        .endm

        .macro  LEAVE
        pop     W
        PUT     A0, 0, 3
        PUT     A1, 6, 9
        PUT     B0, 1, 4
        PUT     B1, 7, 10
        PUT     C0, 2, 5
        PUT     C1, 8, 11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .endm

        .section .text.wm_curupira_encrypt, "ax", @progbits
        .balign 2
        .globl  wm_curupira_encrypt
        .type   wm_curupira_encrypt, @function
/* void wm_curupira_encrypt(const wm_block96 *round_key (r12), uint8_t rounds (r13), uint8_t
 * block[12] (r14)) */
wm_curupira_encrypt:
        ENTER   r14
        ADD_KEY
1:
        SUBSTITUTE
        dec.b   ROUNDS
        jz      2f
        MIX
        ADD_KEY
        jmp     1b
2:
        ADD_KEY
        LEAVE
        .size   wm_curupira_encrypt, . - wm_curupira_encrypt

        .section .text.wm_curupira_decrypt, "ax", @progbits
        .balign 2
        .globl  wm_curupira_decrypt
        .type   wm_curupira_decrypt, @function
/* void wm_curupira_decrypt(const wm_block96 *round_key (r12), uint8_t rounds (r13), uint8_t
 * block[12] (r14)) */
wm_curupira_decrypt:
        mov.b   ROUNDS, W
        add     W, W
        add     W, W
        add     W, KEY
        add     W, W
        add     W, KEY                  /* the last round key, 12 octets for each round */
        ENTER   r14
        ADD_KEY
1:
        sub     #24, KEY
        SUBSTITUTE
        ADD_KEY
        dec.b   ROUNDS
        jz      2f
        MIX
        jmp     1b
2:
        LEAVE
        .size   wm_curupira_decrypt, . - wm_curupira_decrypt

        .section .text.wm_curupira_sct, "ax", @progbits
        .balign 2
        .globl  wm_curupira_sct
        .type   wm_curupira_sct, @function
/* void wm_curupira_sct(uint8_t block[12] (r12)) */
wm_curupira_sct:
        ENTER   r12
        mov     #4, ROUNDS
1:
        SUBSTITUTE
        MIX
        dec     ROUNDS
        jnz     1b
        LEAVE
        .size   wm_curupira_sct, . - wm_curupira_sct
