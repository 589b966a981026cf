/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation for ARMv7-M: takes the place of src/hash/ascon_permutation.c, which is its
 * reference.
 * References: NIST SP 800-232 §3. Cycles: ARM DDI 0337 (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch and no address depends on the state or on octets.
 *
 * All ten halves of the state stay in registers over all rounds; with three for intermediate values
 * and one for the round constant nothing is spilled. A round is 1 + 32 + 40 instructions of one
 * cycle. Halves, not bits taken apart by even and odd place: those would make 20 of the 40, but a
 * word takes 35 cycles each way between them and octets, and a block of Ascon-AEAD128, two words
 * that go both ways, would gain nothing. So the state is its octets. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define CONSTANT lr

/* §3.3 on 32 columns, the circuit of the standard with what it complements taken from OR NOT: t3 is
 * complemented until it meets the complement of t2, which S_2 becomes. */
        .macro  SUBSTITUTE s0, s1, s2, s3, s4
        eor     \s0, \s0, \s4
        eor     \s4, \s4, \s3
        eor     \s2, \s2, \s1
        orn     r0, \s4, \s0
        bic     r1, \s1, \s0
        bic     r12, \s2, \s1
        eor     \s0, \s0, r12
        bic     r12, \s3, \s2
        eor     \s1, \s1, r12
        orn     r12, \s3, \s4
        eor     \s2, \s2, r12
        eor     \s3, \s3, r0
        eor     \s4, \s4, r1
        eor     \s1, \s1, \s0
        eor     \s0, \s0, \s4
        eor     \s3, \s3, \s2
        .endm

/* §3.4: what each of two rotations adds to a half from itself (own) and from the other half
 * (cross). */
        .macro  DIFFUSE low, high, own1, cross1, own2, cross2
        eor     r0, \low, \high, \cross1
        eor     r1, \high, \high, \own1
        eor     r0, r0, \high, \cross2
        eor     r1, r1, \high, \own2
        eor     r0, r0, \low, \own1
        eor     r1, r1, \low, \cross1
        eor     \high, r1, \low, \cross2
        eor     \low, r0, \low, \own2
        .endm

        .macro  ROUND
        eor     r6, r6, CONSTANT        /* §3.2 */
        sub     CONSTANT, CONSTANT, #0x0f
        SUBSTITUTE r2, r4, r6, r8, r10
        SUBSTITUTE r3, r5, r7, r9, r11
        DIFFUSE r2, r3, "lsr #19", "lsl #13", "lsr #28", "lsl #4"
        DIFFUSE r4, r5, "lsl #3", "lsr #29", "lsl #25", "lsr #7"
        DIFFUSE r6, r7, "lsr #1", "lsl #31", "lsr #6", "lsl #26"
        DIFFUSE r8, r9, "lsr #10", "lsl #22", "lsr #17", "lsl #15"
        DIFFUSE r10, r11, "lsr #7", "lsl #25", "lsl #23", "lsr #9"
        .endm

        .section .text.wm_ascon_permute, "ax", %progbits
        .p2align 2
        .globl  wm_ascon_permute
        .type   wm_ascon_permute, %function
/* void wm_ascon_permute(wm_ascon_state *state (r0), uint8_t rounds (r1)): S_i in r2 + 2i and r3 +
 * 2i, low half first. */
wm_ascon_permute:
        push    {r0, r4-r11, lr}
        rsb     CONSTANT, r1, r1, lsl #4
        add     CONSTANT, CONSTANT, #0x3c /* 15 rounds + 0x3c: 0xf0 for twelve */
        ldm     r0, {r2-r11}
        .p2align 2
.Ltwo_rounds:
        ROUND
        ROUND
        cmp     CONSTANT, #0x3c
        bne     .Ltwo_rounds
        pop     {r0}
        stm     r0, {r2-r11}
        pop     {r4-r11, pc}
        .size   wm_ascon_permute, . - wm_ascon_permute

/* A function (state (r0), at (r1), octets (r2), len (r3)) that goes through octets of the state and
 * `octets` with what `word` and `octet` say, four at a time while there are four; the core takes
 * them from any address. r12 is `octets`. */
        .macro  THROUGH name, step
        .section .text.\name, "ax", %progbits
        .p2align 2
        .globl  \name
        .type   \name, %function
\name:
        add     r0, r0, r1
        mov     r12, r2
        subs    r3, r3, #4
        blo     2f
1:
        \step
        subs    r3, r3, #4
        bhs     1b
2:
        adds    r3, r3, #4
        beq     4f
3:
        \step  b, 1
        subs    r3, r3, #1
        bne     3b
4:
        bx      lr
        .size   \name, . - \name
        .endm

        .macro  XOR size, step=4
        ldr\size r1, [r0]
        ldr\size r2, [r12], #\step
        eor     r1, r1, r2
        str\size r1, [r0], #\step
        .endm

        .macro  EXTRACT size, step=4
        ldr\size r1, [r0], #\step
        str\size r1, [r12], #\step
        .endm

        .macro  ENCRYPT size, step=4
        ldr\size r1, [r0]
        ldr\size r2, [r12]
        eor     r1, r1, r2
        str\size r1, [r0], #\step
        str\size r1, [r12], #\step
        .endm

        .macro  DECRYPT size, step=4
        ldr\size r1, [r0]
        ldr\size r2, [r12]
        eor     r1, r1, r2
        str\size r2, [r0], #\step
        str\size r1, [r12], #\step
        .endm

        THROUGH wm_ascon_xor, XOR
        THROUGH wm_ascon_extract, EXTRACT
        THROUGH wm_ascon_encrypt, ENCRYPT
        THROUGH wm_ascon_decrypt, DECRYPT
