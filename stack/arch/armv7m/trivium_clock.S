/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Trivium for ARMv7-M, 32 at once: takes the place of src/cipher/trivium_clock.c, which is
 * its reference, for speed. All of the state is in registers while words of keystream are made.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: no branch or address depends on the state; the number of steps is that of the
 * words. */
        .syntax unified
        .thumb

/* The registers, last bit first: s_93..s_1, s_177..s_94, s_288..s_178, each above bits that no tap
 * sees. */
#define A0 r2
#define A1 r3
#define A2 r4
#define B0 r5
#define B1 r6
#define B2 r7
#define C0 r8
#define C1 r9
#define C2 r10
#define C3 r11
#define T r12
#define U lr
#define T1 r0
#define Z r1

/* The 32 bits from bit `n` of two words, into or onto a register. */
.macro tap to, low, high, n
        lsr     \to, \low, #\n
        orr     \to, \to, \high, lsl #(32 - \n)
.endm
.macro tap_onto to, low, high, n
        eor     \to, \to, \low, lsr #\n
        eor     \to, \to, \high, lsl #(32 - \n)
.endm

/* What goes into each register, and Z: keystream, the first bit the least. First t3, then t1, then
 * t2. */
.macro t3 /* s_286 s_287 + s_69 + s_243 + s_288 */
        tap     T, C0, C1, 19
        tap     U, C0, C1, 18
        ands    T, T, U
        tap_onto T, A0, A1, 27
        tap     Z, C1, C2, 30
        tap_onto Z, C0, C1, 17
        eors    T, T, Z
.endm
.macro t1 to /* s_91 s_92 + s_171 + s_66 + s_93 */
        tap     \to, A0, A1, 5
        tap     U, A0, A1, 4
        ands    \to, \to, U
        tap_onto \to, B0, B1, 18
        tap     U, A0, A1, 30
        tap_onto U, A0, A1, 3
        eors    Z, Z, U
        eors    \to, \to, U
.endm
.macro t2 /* s_175 s_176 + s_264 + s_162 + s_177 */
        tap     T, B0, B1, 14
        tap     U, B0, B1, 13
        ands    T, T, U
        tap_onto T, C1, C2, 9
        tap     U, B0, B1, 27
        tap_onto U, B0, B1, 12
        eors    Z, Z, U
        eors    T, T, U
.endm

        .section .text.wm_trivium_clock, "ax", %progbits
        .balign 4
        .global wm_trivium_clock
        .type   wm_trivium_clock, %function
/* uint32_t wm_trivium_clock(wm_trivium *ctx (r0)): each word goes to memory where it belongs
 * next. */
wm_trivium_clock:
        push    {r4-r11, lr}
        ldm     r0, {A0, A1, A2, B0, B1, B2, C0, C1, C2, C3}
        t3
        str     T, [r0, #8]
        t1      T
        strd    A1, A2, [r0]
        str     T, [r0, #20]
        t2
        strd    B1, B2, [r0, #12]
        adds    r0, r0, #24
        stm     r0, {C1, C2, C3, T}
        mov     r0, Z
        pop     {r4-r11, pc}
        .size   wm_trivium_clock, . - wm_trivium_clock

        .section .text.wm_trivium_words, "ax", %progbits
        .balign 4
        .global wm_trivium_words
        .type   wm_trivium_words, %function
/* void wm_trivium_words(wm_trivium *ctx (r0), uint8_t *data (r1), size_t words (r2)). On the
 * stack: ctx, data, its end. */
wm_trivium_words:
        cmp     r2, #0
        it      eq
        bxeq    lr
        add     r2, r1, r2, lsl #2
        push    {r0-r2, r4-r11, lr}
        ldm     r0, {A0, A1, A2, B0, B1, B2, C0, C1, C2, C3}
1:
        t3
        t1      T1
        mov     A0, A1
        mov     A1, A2
        mov     A2, T
        t2
        mov     B0, B1
        mov     B1, B2
        mov     B2, T1
        mov     C0, C1
        mov     C1, C2
        mov     C2, C3
        mov     C3, T
        ldrd    U, T, [sp, #4]
        ldr     T1, [U]
        eors    T1, T1, Z
        str     T1, [U], #4
        str     U, [sp, #4]
        cmp     U, T
        bne     1b
        pop     {r0}
        stm     r0, {A0, A1, A2, B0, B1, B2, C0, C1, C2, C3}
        add     sp, sp, #8
        pop     {r4-r11, pc}
        .size   wm_trivium_words, . - wm_trivium_words
