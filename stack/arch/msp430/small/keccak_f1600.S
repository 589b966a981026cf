/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] for the MSP430 in little flash: takes the place of src/hash/keccak_f1600.c, which
 * is its reference.
 * References: FIPS 202 §3; lane (x, y) is octets 8 (x + 5 y) to 8 (x + 5 y) + 7, least significant
 * first.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * Cycles of a round: 5 660; some 1 350 for theta, 3 300 for rho and pi, 950 for chi. */

#include "../frame.inc"
#include "../state_octets.inc"

#define IOTA r4 /* where the round constant is */
#define BY r5 /* how far rho moved the lane before */
#define M r6
#define U r7
#define T0 r8 /* a lane */
#define T1 r9
#define T2 r10
#define T3 r11
#define STATE r12
#define AT r13
#define N r14
#define FROM r15

/* theta's sums of columns 4, 0, 1, 2, 3, 4, 0 are in the stack. */
#define FRAME 56

        .section .rodata.keccak_small, "a", @progbits
/* 8 times where pi (§3.2.3) takes lane 1, what it takes from there, and so on until lane 1 is
 * reached again. */
place:
        .byte   80, 56, 88, 136, 144, 24, 40, 128, 64, 168, 192, 32
        .byte   120, 184, 152, 104, 96, 16, 160, 112, 176, 72, 48, 8
/* RC of each round (§3.2.5): bits 0, 1, 3 and 7 in their places, bits 15, 31 and 63 as 2, 4 and
 * 5. */
iota:
        .byte   0x01, 0x86, 0xae, 0x34, 0x8f, 0x11, 0xb5, 0x2d, 0x8a, 0x88, 0x1d, 0x1a
        .byte   0x9f, 0xab, 0xad, 0x27, 0x26, 0xa0, 0x0e, 0x3a, 0xb5, 0xa4, 0x11, 0x3c
iota_end:

/* Half \at of lane 0 changes bit 15 where bit \bit of the packed round constant is set. */
        .macro  IOTA_BIT at, bit
        bit     #\bit, U
        jz      1f
        xor     #0x8000, \at(STATE)
1:
        .endm

/* The lane gives one half of itself for one half at AT. */
        .macro  EXCHANGE t
        mov     @AT, U
        mov     \t, 0(AT)
        mov     U, \t
        incd    AT
        .endm

        .section .text.wm_keccak_f1600, "ax", @progbits
        .balign 2
/* Rotates T by N bits to the left: halves, then bits. */
1:
        mov     T3, U
        mov     T2, T3
        mov     T1, T2
        mov     T0, T1
        mov     U, T0
rotate:
        sub     #16, N
        jc      1b
        add     #16, N
        jmp     3f
2:
        rla     T0
        rlc     T1
        rlc     T2
        rlc     T3
        adc     T0
3:
        sub     #1, N
        jc      2b
        ret

        .globl  wm_keccak_f1600
        .type   wm_keccak_f1600, @function
/* void wm_keccak_f1600(wm_keccak_state *state (r12)) */
wm_keccak_f1600:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        sub     #FRAME, SP
        mov     #iota, IOTA
.Lround:
        /* theta (§3.2.1) */
        mov     STATE, AT
        mov     SP, FROM
        mov     #20, N
1:
        mov     @AT+, U
        xor     38(AT), U
        xor     78(AT), U
        xor     118(AT), U
        xor     158(AT), U
        mov     U, 8(FROM)
        incd    FROM
        dec     N
        jnz     1b
        mov     SP, FROM
        mov     #4, N
1:
        mov     40(FROM), 0(FROM)
        mov     8(FROM), 48(FROM)
        incd    FROM
        dec     N
        jnz     1b
        mov     SP, FROM
        mov     STATE, AT
        mov     #5, M
1:
        mov     16(FROM), T0
        mov     18(FROM), T1
        mov     20(FROM), T2
        mov     22(FROM), T3
        mov     #1, N
        call    #rotate
        xor     @FROM+, T0
        xor     @FROM+, T1
        xor     @FROM+, T2
        xor     @FROM+, T3
        mov     #5, N
2:
        xor     T0, 0(AT)
        xor     T1, 2(AT)
        xor     T2, 4(AT)
        xor     T3, 6(AT)
        add     #40, AT
        dec     N
        jnz     2b
        sub     #192, AT
        dec     M
        jnz     1b

        /* rho and pi (§3.2.2, §3.2.3): the lane that is the t-th moves by 1 + 2 + .. + t bits. AT
         * is at lane 5. */
        mov     -32(AT), T0
        mov     -30(AT), T1
        mov     -28(AT), T2
        mov     -26(AT), T3
        mov     #place, FROM
        clr     BY
        mov     #1, M
1:
        add     M, BY
        mov     BY, N
        and     #63, N
        call    #rotate
        mov.b   @FROM+, AT
        add     STATE, AT
        EXCHANGE T0
        EXCHANGE T1
        EXCHANGE T2
        EXCHANGE T3
        inc     M
        cmp     #25, M
        jne     1b

        /* chi (§3.2.4), as in ../keccak_f1600.S */
        mov     STATE, AT
        mov     #5, M
1:
        mov     #4, N
2:
        mov     @AT, r8
        mov     8(AT), r9
        mov     16(AT), r10
        mov     24(AT), r11
        mov     32(AT), r15
        mov     r9, U
        bic     r8, U
        xor     U, 32(AT)
        bic     r15, r8
        xor     r8, 24(AT)
        bic     r11, r15
        xor     r15, 16(AT)
        bic     r10, r11
        xor     r11, 8(AT)
        bic     r9, r10
        xor     r10, 0(AT)
        incd    AT
        dec     N
        jnz     2b
        add     #32, AT
        dec     M
        jnz     1b

        /* iota (§3.2.5) */
        mov.b   @IOTA+, U
        IOTA_BIT 0, 4
        IOTA_BIT 2, 16
        IOTA_BIT 6, 32
        and     #0x8b, U
        xor     U, 0(STATE)
        cmp     #iota_end, IOTA
        jne     .Lround
        WIPE_FRAME FRAME, r15
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_keccak_f1600, . - wm_keccak_f1600

        OCTETS_XOR wm_keccak_f1600
        OCTETS_EXTRACT wm_keccak_f1600
