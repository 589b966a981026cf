/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of 64 octets for SHA-1 and SHA-256 for ARMv7-M: takes the place of src/util/md64.c, which
 * is its reference, for speed. Octets go four at a time; a word may lie anywhere, as the core reads
 * it by itself.
 * References: FIPS 180-4 §5.1.1, §5.2.1. Invariants: no branch and no address depends on anything
 * but lengths. */
        .syntax unified
        .thumb

        .section .text.wm_md64_init, "ax", %progbits
        .balign 4
        .global wm_md64_init
        .type   wm_md64_init, %function
/* void wm_md64_init(wm_md64 *md (r0)) */
wm_md64_init:
        movs    r1, #0
        str     r1, [r0]
        str     r1, [r0, #4]
        bx      lr
        .size   wm_md64_init, . - wm_md64_init

        .section .text.wm_md64_words, "ax", %progbits
        .balign 4
        .global wm_md64_words
        .type   wm_md64_words, %function
/* void wm_md64_words(wm_md64 *md (r0)) */
wm_md64_words:
        adds    r0, r0, #8
        add     r1, r0, #64
1:
        ldr     r2, [r0]
        rev     r2, r2
        str     r2, [r0], #4
        cmp     r0, r1
        bne     1b
        bx      lr
        .size   wm_md64_words, . - wm_md64_words

        .section .text.wm_md64_update, "ax", %progbits
        .balign 4
        .global wm_md64_update
        .type   wm_md64_update, %function
/* void wm_md64_update(wm_md64 *md (r0), uint32_t *state (r1), wm_md64_compress *compress (r2),
 * const uint8_t *data (r3), uint16_t len (stack)). r8: octets left; r9: fill; r10: octets of this
 * piece. */
wm_md64_update:
        push    {r4-r10, lr}
        mov     r4, r0
        mov     r5, r1
        mov     r6, r2
        mov     r7, r3
        ldrh    r8, [sp, #32]
        ldr     r0, [r4]
        and     r9, r0, #63
        adds    r0, r0, r8
        str     r0, [r4]
        bcc     1f
        ldr     r0, [r4, #4]
        adds    r0, r0, #1
        str     r0, [r4, #4]
1:
        cmp     r8, #0
        beq     6f
        rsb     r10, r9, #64
        cmp     r8, r10
        it      lo
        movlo   r10, r8
        sub     r8, r8, r10
        add     r12, r4, #8
        add     r12, r12, r9
        add     r9, r9, r10
        b       3f
2:
        ldr     r0, [r7]
        ldr     r1, [r7, #4]
        ldr     r2, [r7, #8]
        ldr     r3, [r7, #12]
        adds    r7, r7, #16
        str     r0, [r12]
        str     r1, [r12, #4]
        str     r2, [r12, #8]
        str     r3, [r12, #12]
        add     r12, r12, #16
3:
        subs    r10, r10, #16
        bhs     2b
        adds    r10, r10, #16
        beq     5f
4:
        ldrb    r0, [r7], #1
        strb    r0, [r12], #1
        subs    r10, r10, #1
        bne     4b
5:
        cmp     r9, #64
        bne     1b
        mov     r0, r5
        mov     r1, r4
        blx     r6
        mov     r9, #0
        b       1b
6:
        pop     {r4-r10, pc}
        .size   wm_md64_update, . - wm_md64_update

        .section .text.wm_md64_finish, "ax", %progbits
        .balign 4
        .global wm_md64_finish
        .type   wm_md64_finish, %function
/* void wm_md64_finish(wm_md64 *md (r0), uint32_t *state (r1), wm_md64_compress *compress (r2)). r3:
 * where the next octet goes; r12: where the block ends. */
wm_md64_finish:
        push    {r4, r5, r6, lr}
        mov     r4, r0
        mov     r5, r1
        mov     r6, r2
        ldr     r3, [r4]
        and     r3, r3, #63
        add     r3, r3, r4
        adds    r3, r3, #8
        add     r12, r4, #72
        movs    r0, #0x80
        strb    r0, [r3], #1
        movs    r0, #0
1:      /* to the next whole word: the block lies on one */
        tst     r3, #3
        beq     2f
        strb    r0, [r3], #1
        b       1b
2:
        sub     r1, r12, r3
        cmp     r1, #8
        bhs     4f
3:      /* the length does not fit behind it */
        cmp     r3, r12
        itt     ne
        strne   r0, [r3], #4
        bne     3b
        mov     r0, r5
        mov     r1, r4
        blx     r6
        add     r12, r4, #72
        add     r3, r4, #8
        movs    r0, #0
4:
        sub     r12, r12, #8
5:
        cmp     r3, r12
        itt     ne
        strne   r0, [r3], #4
        bne     5b
        ldrd    r0, r1, [r4]
        lsls    r2, r1, #3
        orr     r2, r2, r0, lsr #29
        lsls    r0, r0, #3
        rev     r2, r2
        rev     r0, r0
        strd    r2, r0, [r3]
        mov     r0, r5
        mov     r1, r4
        mov     r2, r6
        pop     {r4, r5, r6, lr}
        bx      r2
        .size   wm_md64_finish, . - wm_md64_finish
