/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: the key schedule in little flash, for ARMv7-M; src/cipher/rc5_expand.c is the
 * reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.3; its names are kept.
 * Invariants: no branch, address or number of steps depends on the key; its length is public. The
 * words of the key on the stack are wiped. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define S r0     /* its next word */
#define S_END r4
#define L r1     /* its next word, in four words of the stack */
#define L_END r5
#define A r2
#define B r3
#define COUNT r6
#define T r7
#define WM_ERR_PARAM -1
#define KEY_MAX 16
#define OCTETS 104 /* of S */
#define P32 0xb7e15163
#define Q32 0x9e3779b9

        .macro  CONSTANT register, value
        movw    \register, #(\value) & 0xffff
        movt    \register, #(\value) >> 16 & 0xffff
        .endm

        .section .text.wm_rc5_expand, "ax", %progbits
        .p2align 2
        .globl  wm_rc5_expand
        .type   wm_rc5_expand, %function
/* wm_status wm_rc5_expand(wm_rc5 *ctx (r0), const uint8_t *key (r1), size_t key_len (r2)) */
wm_rc5_expand:
        subs    r3, r2, #1
        cmp     r3, #KEY_MAX
        bhs     .Lrefused
        push    {r4-r7, lr}
        movs    r4, #0
        movs    r5, #0
        movs    r6, #0
        movs    r7, #0
        push    {r4-r7}
        adds    r3, r3, #4
        bic     L_END, r3, #3           /* the octets of the words that the key takes */
        add     L_END, L_END, sp
.Lkey:
        subs    r2, r2, #1
        ldrb    T, [r1, r2]
        strb    T, [sp, r2]
        bne     .Lkey
        add     S_END, S, #OCTETS
        CONSTANT A, P32
        CONSTANT B, Q32
.Lfill:
        stm     S!, {A}
        add     A, A, B
        cmp     S, S_END
        bne     .Lfill
        mov     L, sp
        movs    A, #0
        movs    B, #0
        movs    COUNT, #78
.Lmix:
        cmp     S, S_END
        it      eq
        subeq   S, S, #OCTETS
        cmp     L, L_END
        it      eq
        moveq   L, sp
        ldr     T, [S]
        add     A, A, B
        add     A, A, T
        ror     A, A, #29
        stm     S!, {A}
        ldr     T, [L]
        add     B, B, A
        add     T, T, B
        negs    B, B
        rors    T, T, B
        mov     B, T
        stm     L!, {B}
        subs    COUNT, COUNT, #1
        bne     .Lmix
        movs    r4, #0                  /* WM_OK as well */
        movs    r0, #0
        movs    r1, #0
        movs    r2, #0
        mov     r3, sp
        stm     r3, {r0, r1, r2, r4}
        add     sp, sp, #16
        pop     {r4-r7, pc}
.Lrefused:
        mov     r0, #WM_ERR_PARAM
        bx      lr
        .size   wm_rc5_expand, . - wm_rc5_expand
