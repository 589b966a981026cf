/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of Curupira for ARMv7-M, a row of the state in a register: takes the place of
 * src/cipher/curupira1_rounds.c, which is its reference and tells why decryption adds a round key
 * before theta.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007. Cycles: ARM DDI 0337 (Cortex-M3 r2p1)
 * §3.3.
 * Invariants: no branch and no address but those of the S-box depends on key or block.
 *
 * Loads are cheap in groups (see aes128_tab.S): with nine registers to spare the look-ups of rows 0
 * and 1 are one group, those of row 2 another. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define KEY r0
#define ROUNDS r1
#define BLOCK r2
#define ROW0 r4 /* column 0 in the lowest octet */
#define ROW1 r5
#define ROW2 r6
#define SBOX lr

/* Octets of a row, the last one in the register of the row itself. */
        .macro  OCTETS row, o0, o1, o2
        uxtb    \o0, \row
        uxtb    \o1, \row, ror #8
        uxtb    \o2, \row, ror #16
        lsr     \row, \row, #24
        .endm

        .macro  LOOK_UP octets:vararg
        .irp    octet, \octets
        ldrb    \octet, [SBOX, \octet]
        .endr
        .endm

/* A row of four octets, the first of which is lost. */
        .macro  JOIN row, o0, o1, o2, o3
        orr     \o0, \o0, \o1, lsl #8
        orr     \o0, \o0, \o2, lsl #16
        orr     \row, \o0, \o3, lsl #24
        .endm

/* gamma and pi: row 1 exchanges columns 0 and 1, 2 and 3; row 2 columns 0 and 2, 1 and 3. */
        .macro  SUBSTITUTE
        OCTETS  ROW0, r3, r7, r8
        OCTETS  ROW1, r9, r10, r11
        LOOK_UP r3, r7, r8, ROW0, r9, r10, r11, ROW1
        JOIN    ROW0, r3, r7, r8, ROW0
        JOIN    ROW1, r10, r9, ROW1, r11
        OCTETS  ROW2, r3, r7, r8
        LOOK_UP r3, r7, r8, ROW2
        JOIN    ROW2, r8, ROW2, r3, r7
        .endm

/* Doubles four octets modulo x^8 + x^6 + x^3 + x^2 + 1: the bits that fall out, shifted. */
        .macro  DOUBLE out, in
        and     r7, \in, #0x80808080
        eor     \out, \in, r7
        lsl     \out, \out, #1
        eor     \out, \out, r7, lsr #1
        eor     \out, \out, r7, lsr #4
        eor     \out, \out, r7, lsr #5
        eor     \out, \out, r7, lsr #7
        .endm

/* theta. */
        .macro  MIX
        eor     r3, ROW0, ROW1
        eor     r3, r3, ROW2
        DOUBLE  r3, r3
        DOUBLE  r8, r3
        eor     ROW0, ROW0, r3
        eor     ROW1, ROW1, r8
        eor     ROW2, ROW2, r3
        eor     ROW2, ROW2, r8
        .endm

/* sigma; KEY moves on. */
        .macro  ADD_KEY
        ldm     KEY!, {r3, r7, r8}
        eor     ROW0, ROW0, r3
        eor     ROW1, ROW1, r7
        eor     ROW2, ROW2, r8
        .endm

/* A row of the block, whose octets are three apart. */
        .macro  FETCH row, at
        ldrb    \row, [BLOCK, #\at]
        ldrb    r3, [BLOCK, #\at + 3]
        ldrb    r7, [BLOCK, #\at + 6]
        ldrb    r8, [BLOCK, #\at + 9]
        JOIN    \row, \row, r3, r7, r8
        .endm

        .macro  PUT row, at
        strb    \row, [BLOCK, #\at]
        lsr     r3, \row, #8
        strb    r3, [BLOCK, #\at + 3]
        lsr     r3, \row, #16
        strb    r3, [BLOCK, #\at + 6]
        lsr     r3, \row, #24
        strb    r3, [BLOCK, #\at + 9]
        .endm

        .macro  ENTER
        push    {r4-r11, lr}
        movw    SBOX, #:lower16:wm_curupira_sbox
        movt    SBOX, #:upper16:wm_curupira_sbox
        FETCH   ROW0, 0
        FETCH   ROW1, 1
        FETCH   ROW2, 2
        .endm

        .macro  LEAVE
        PUT     ROW0, 0
        PUT     ROW1, 1
        PUT     ROW2, 2
        pop     {r4-r11, pc}
        .endm

        .section .text.wm_curupira_encrypt, "ax", %progbits
        .balign 4
        .globl  wm_curupira_encrypt
        .type   wm_curupira_encrypt, %function
/* void wm_curupira_encrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12]) */
wm_curupira_encrypt:
        ENTER
        ADD_KEY
1:
        SUBSTITUTE
        subs    ROUNDS, ROUNDS, #1
        beq     2f
        MIX
        ADD_KEY
        b       1b
2:
        ADD_KEY
        LEAVE
        .size   wm_curupira_encrypt, . - wm_curupira_encrypt

        .section .text.wm_curupira_decrypt, "ax", %progbits
        .balign 4
        .globl  wm_curupira_decrypt
        .type   wm_curupira_decrypt, %function
/* void wm_curupira_decrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12]) */
wm_curupira_decrypt:
        add     KEY, KEY, ROUNDS, lsl #3
        add     KEY, KEY, ROUNDS, lsl #2 /* the last round key, 12 octets for each round */
        ENTER
        ADD_KEY
1:
        sub     KEY, KEY, #24
        SUBSTITUTE
        ADD_KEY
        subs    ROUNDS, ROUNDS, #1
        beq     2f
        MIX
        b       1b
2:
        LEAVE
        .size   wm_curupira_decrypt, . - wm_curupira_decrypt

        .section .text.wm_curupira_sct, "ax", %progbits
        .balign 4
        .globl  wm_curupira_sct
        .type   wm_curupira_sct, %function
/* void wm_curupira_sct(uint8_t block[12]) */
wm_curupira_sct:
        mov     BLOCK, r0
        mov     ROUNDS, #4
        ENTER
1:
        SUBSTITUTE
        MIX
        subs    ROUNDS, ROUNDS, #1
        bne     1b
        LEAVE
        .size   wm_curupira_sct, . - wm_curupira_sct
