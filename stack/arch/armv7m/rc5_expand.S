/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: the key schedule for ARMv7-M: takes the place of src/cipher/rc5_expand.c, which is its
 * reference.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.3; its names are kept.
 * Invariants: no branch, address or number of steps depends on the key; its length is public. No
 * word of it is on the stack.
 *
 * L lies in registers, so there is a loop for each number of its words. Steps are taken in pairs,
 * for two words of S come with one load; S has 13 pairs. The first pair begins with constants. Left
 * by n is right by -n: a register's rotation takes the lowest octet of another modulo 32. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define S r0     /* the next two words of it */
#define KEY r1   /* behind its octets, then where its last word begins */
#define LENGTH r2
#define COUNT r2
#define L0 r3
#define L1 r6
#define L2 r7
#define L3 r1
#define T r12    /* the last word of L, at first */
#define END lr   /* of S */
#define WM_ERR_PARAM -1
#define KEY_MAX 16
#define OCTETS 104 /* of S */
#define P32 0xb7e15163
#define Q32 0x9e3779b9
#define A0 0xbf0a8b1d /* P32 to the left by 3: the first A, and S[0] of the first pass */

        .macro  CONSTANT register, value
        movw    \register, #(\value) & 0xffff
        movt    \register, #(\value) >> 16 & 0xffff
        .endm

/* The first pair: A and B are 0, S[0] and S[1] known. Out: A in r5. */
        .macro  FIRST one, two
        CONSTANT r4, A0
        CONSTANT T, P32 + Q32 + A0
        add     \one, \one, r4
        ror     \one, \one, #32 - (A0 & 31)
        add     r5, \one, T
        ror     r5, r5, #29
        stm     S!, {r4, r5}
        add     T, r5, \one
        add     \two, \two, T
        rsb     T, T, #0
        ror     \two, \two, T
        .endm

/* Two steps: A is in r5, B the word \last of L. */
        .macro  PAIR last, one, two
        add     T, r5, \last
        ldm     S, {r4, r5}
        add     r4, r4, T
        ror     r4, r4, #29
        add     T, r4, \last
        add     \one, \one, T
        rsb     T, T, #0
        ror     \one, \one, T
        add     r5, r5, r4
        add     r5, r5, \one
        ror     r5, r5, #29
        stm     S!, {r4, r5}
        add     T, r5, \one
        add     \two, \two, T
        cmp     S, END
        it      eq
        subeq   S, S, #OCTETS
        rsb     T, T, #0
        ror     \two, \two, T
        .endm

        .section .text.wm_rc5_expand, "ax", %progbits
        .p2align 2
        .globl  wm_rc5_expand
        .type   wm_rc5_expand, %function
/* wm_status wm_rc5_expand(wm_rc5 *ctx (r0), const uint8_t *key (r1), size_t key_len (r2)) */
wm_rc5_expand:
        subs    r3, LENGTH, #1
        cmp     r3, #KEY_MAX
        bhs     .Lrefused
        push    {r4-r7, lr}
        add     END, S, #OCTETS
        adds    S, S, #8
        CONSTANT r3, Q32
        CONSTANT r4, P32 + 2 * Q32      /* S[2] */
        add     r5, r4, r3
        add     r6, r5, r3
        add     r7, r6, r3
        lsls    r3, r3, #2
.Lfill:
        stm     S!, {r4-r7}
        cmp     S, END
        add     r4, r4, r3
        add     r5, r5, r3
        add     r6, r6, r3
        add     r7, r7, r3
        bne     .Lfill
        sub     S, S, #OCTETS
        add     KEY, KEY, LENGTH
        ands    r3, LENGTH, #3
        bne     .Lpart
        ldr     T, [KEY, #-4]!
.Lwords:
        cmp     LENGTH, #8
        bhi     .Lthree_or_four
        cmp     LENGTH, #4
        bhi     .Ltwo

        mov     L0, T
        FIRST   L0, L0
        movs    COUNT, #38
1:
        PAIR    L0, L0, L0
        subs    COUNT, COUNT, #1
        bne     1b
        b       .Ldone

.Ltwo:
        mov     L1, T
        ldr     L0, [KEY, #-4]
        FIRST   L0, L1
        movs    COUNT, #38
1:
        PAIR    L1, L0, L1
        subs    COUNT, COUNT, #1
        bne     1b
        b       .Ldone

.Lthree_or_four:
        cmp     LENGTH, #12
        bhi     .Lfour
        mov     L2, T
        ldr     L0, [KEY, #-8]
        ldr     L1, [KEY, #-4]
        FIRST   L0, L1
        movs    COUNT, #13
        b       2f
1:
        PAIR    L2, L0, L1
2:
        PAIR    L1, L2, L0
        PAIR    L0, L1, L2
        subs    COUNT, COUNT, #1
        bne     1b
        b       .Ldone

.Lfour:
        ldr     L0, [KEY, #-12]
        ldr     L1, [KEY, #-8]
        ldr     L2, [KEY, #-4]
        mov     L3, T
        FIRST   L0, L1
        movs    COUNT, #19
1:
        PAIR    L1, L2, L3
        PAIR    L3, L0, L1
        subs    COUNT, COUNT, #1
        bne     1b
.Ldone:
        movs    r0, #0
        pop     {r4-r7, pc}

.Lpart:                                 /* the last word of the key has one to three octets */
        movs    r5, #0
1:
        ldrb    r4, [KEY, #-1]!
        orr     r5, r4, r5, lsl #8
        subs    r3, r3, #1
        bne     1b
        mov     T, r5
        b       .Lwords
.Lrefused:
        mov     r0, #WM_ERR_PARAM
        bx      lr
        .size   wm_rc5_expand, . - wm_rc5_expand
