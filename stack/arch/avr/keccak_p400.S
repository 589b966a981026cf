/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] for the AVR: takes the place of src/hash/keccak_p400.c, which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state.
 *
 * The state stays in memory: its 50 octets are more than there are registers. A plane is made of
 * one lane of each plane, and written where it belongs as soon as it is made. What it overwrites
 * and a later plane takes has been pushed while the parities were summed: ten lanes, in such an
 * order that they are popped when they are needed.
 *
 * Cycles: 772 a round, 85 around them. */

/* The plane that is made, the lower octet of each lane; before that the parities of columns. */
#define B0 2
#define B1 4
#define B2 6
#define B3 8
#define B4 10
/* What theta adds to the lanes of each column. */
#define D0 12
#define D1 14
#define D2 16
#define D3 18
#define D4 20
#define ZERO 22
#define COUNT 23
#define T 24
#define POWER 26

        .macro  each_of operation, to, from
        \operation \to, \from
        \operation (\to + 1), (\from + 1)
        .endm

        .macro  fetch register, lane
        ldd     \register, Y + 2 * (\lane)
        ldd     \register + 1, Y + 2 * (\lane) + 1
        .endm

        .macro  store lane, register
        std     Y + 2 * (\lane), \register
        std     Y + 2 * (\lane) + 1, \register + 1
        .endm

        .macro  sum column, lane
        fetch   T, \lane
        each_of eor, \column, T
        .endm

        .macro  sum_and_save column, lane
        sum     \column, \lane
        push    T + 1
        push    T
        .endm

        .macro  left lane
        lsl     \lane
        rol     \lane + 1
        adc     \lane, ZERO
        .endm

        .macro  right lane
        bst     \lane, 0
        ror     \lane + 1
        ror     \lane
        bld     \lane + 1, 7
        .endm

        .macro  effect d, before, behind
        movw    \d, \behind
        left    \d
        each_of eor, \d, \before
        .endm

/* Three to the right, with octets exchanged where they were read: multiplied by 32. */
        .macro  by_five lane
        ldi     POWER, 32
        mul     \lane, POWER
        movw    T, r0
        mul     \lane + 1, POWER
        movw    \lane, T
        eor     \lane, r1
        eor     \lane + 1, r0
        .endm

        .macro  by_four lane
        swap    \lane
        swap    \lane + 1
        mov     T, \lane
        eor     T, \lane + 1
        andi    T, 0x0f
        eor     \lane, T
        eor     \lane + 1, T
        .endm

/* A lane from memory, or POPPED. */
        .macro  read lane, register, other
        .if \lane < 0
        pop     \register
        pop     \other
        .else
        ldd     \register, Y + 2 * (\lane)
        ldd     \other, Y + 2 * (\lane) + 1
        .endif
        .endm

#define POPPED -1

/* theta, rho and pi of one lane: exchanging its octets where they are read is a rotation by 8. */
        .macro  take b, lane, d, offset
        .if (((\offset) & 15) >= 6 && ((\offset) & 15) <= 12) || (\offset & 15) == 13
        read    \lane, \b + 1, \b
        eor     \b + 1, \d
        eor     \b, \d + 1
        turn    \b, ((\offset) + 8) & 15
        .else
        read    \lane, \b, \b + 1
        eor     \b, \d
        eor     \b + 1, \d + 1
        turn    \b, (\offset) & 15
        .endif
        .endm

/* By 0 to 5 bits to the left, or 1 or 2 to the right. */
        .macro  turn lane, n
        .if (\n) >= 1 && (\n) <= 3
        .rept   \n
        left    \lane
        .endr
        .elseif (\n) == 5
        by_five \lane
        .elseif (\n) == 4
        by_four \lane
        .elseif (\n) >= 14
        .rept   16 - (\n)
        right   \lane
        .endr
        .elseif (\n) != 0
        .error "no such rotation"
        .endif
        .endm

/* chi (§3.2.4) with lanes 1 and 3 complemented first, which spares half of the complements. */
        .macro  chi_1_to_4 plane
        movw    T, B2
        each_of or, T, B3
        each_of eor, T, B1
        store   5 * \plane + 1, T
        movw    T, B4
        each_of and, T, B3
        each_of eor, T, B2
        store   5 * \plane + 2, T
        com     B0
        com     B0 + 1
        com     B1
        com     B1 + 1
        each_of and, B1, B0
        each_of eor, B1, B4
        store   5 * \plane + 4, B1
        each_of or, B0, B4
        each_of eor, B0, B3
        store   5 * \plane + 3, B0
        .endm

        .macro  chi_0
        com     B1
        com     B1 + 1
        com     B3
        com     B3 + 1
        movw    T, B2
        each_of and, T, B1
        each_of eor, T, B0
        .endm

        .macro  chi plane
        chi_0
        store   5 * \plane, T
        chi_1_to_4 \plane
        .endm

        .section .progmem.wm_keccak_p400, "a", @progbits
constants: /* RC (§3.2.5), 16 bits of each */
        .word   0x0001, 0x8082, 0x808a, 0x8000, 0x808b, 0x0001, 0x8081, 0x8009, 0x008a, 0x0088
        .word   0x8009, 0x000a, 0x808b, 0x008b, 0x8089, 0x8003, 0x8002, 0x0080, 0x800a, 0x000a
constants_end:

        .section .text.wm_keccak_p400, "ax", @progbits
        .globl  wm_keccak_p400
        .type   wm_keccak_p400, @function
/* void wm_keccak_p400(uint16_t state[25] (r25:r24), uint8_t rounds (r22)) */
wm_keccak_p400:
        .irp    register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
        push    \register
        .endr
        movw    r28, T
        mov     COUNT, r22
        clr     ZERO
        ldi     r30, lo8(constants_end)
        ldi     r31, hi8(constants_end)
        sub     r30, COUNT
        sbc     r31, ZERO
        sub     r30, COUNT
        sbc     r31, ZERO
1:
        fetch   B0, 0
        fetch   B1, 1
        fetch   B2, 2
        fetch   B3, 3
        fetch   B4, 4
        sum     B0, 10
        sum     B0, 20
        sum     B1, 16
        sum     B1, 21
        sum     B2, 17
        sum     B2, 22
        sum     B3, 13
        sum     B3, 23
        sum     B4, 9
        sum     B4, 19
        sum_and_save B4, 24
        sum_and_save B3, 18
        sum_and_save B2, 12
        sum_and_save B1, 6
        sum_and_save B0, 15
        sum_and_save B4, 14
        sum_and_save B3, 8
        sum_and_save B1, 11
        sum_and_save B0, 5
        sum_and_save B2, 7
        effect  D0, B4, B1
        effect  D1, B0, B2
        effect  D2, B1, B3
        effect  D3, B2, B4
        effect  D4, B3, B0
        take    B0, 3, D3, 28
        take    B1, 9, D4, 20
        take    B2, 10, D0, 3
        take    B3, 16, D1, 45
        take    B4, 22, D2, 61
        chi     1
        take    B0, 1, D1, 1
        take    B1, POPPED, D2, 6
        take    B2, 13, D3, 25
        take    B3, 19, D4, 8
        take    B4, 20, D0, 18
        chi     2
        take    B0, 4, D4, 27
        take    B1, POPPED, D0, 36
        take    B2, POPPED, D1, 10
        take    B3, 17, D2, 15
        take    B4, 23, D3, 56
        chi     3
        take    B0, 2, D2, 62
        take    B1, POPPED, D3, 55
        take    B2, POPPED, D4, 39
        take    B3, POPPED, D0, 41
        take    B4, 21, D1, 2
        chi     4
        take    B0, 0, D0, 0
        take    B1, POPPED, D1, 44
        take    B2, POPPED, D2, 43
        take    B3, POPPED, D3, 21
        take    B4, POPPED, D4, 14
        chi_0
        lpm     r0, Z+
        eor     T, r0
        lpm     r0, Z+
        eor     T + 1, r0
        store   0, T
        chi_1_to_4 0
        dec     COUNT
        breq    2f
        rjmp    1b
2:
        clr     r1
        .irp    register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     \register
        .endr
        ret
        .size   wm_keccak_p400, . - wm_keccak_p400
