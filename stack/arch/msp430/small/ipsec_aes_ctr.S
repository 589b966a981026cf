/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CTR in ESP (RFC 3686), for the MSP430 in three quarters of the flash: takes the place of
 * small/ipsec_aes_ctr.c, which is its reference.
 * Invariants: no branch and no address depends on key, keystream or text. The stack holds no keystream
 * afterwards. */

/* wm_ipsec_sa */
#define CIPHER 6
#define SALT 14
/* wm_cipher_ops; `encrypt` is its first member */
#define FAILED 10
/* wm_cipher */
#define SCHEDULE 2 /* of all: it is behind */

#define NONCE_OCTETS 4
#define IV_OCTETS 8
#define BLOCK 16
/* wm_status */
#define ERR_ENGINE -22

#define SA r10
#define IV r9
#define LEFT r8
#define AT r7
#define NUMBER r6
#define KEY r5
#define N r4

        .section .text.wm_ipsec_aes_ctr, "ax", @progbits
        .balign 2
        .type   seal, @function
/* wm_status seal(sa (r12), uint8_t *esp (r13), uint16_t octets (r14)): r12. The IV is 4 zeros and the
 * sequence number; then as `crypt`. */
seal:
        mov     r13, r11
        mov     #4, r15
.Liv:   clr.b   8(r11)
        mov.b   4(r11), 12(r11)
        inc     r11
        dec     r15
        jnz     .Liv

        .type   crypt, @function
/* wm_status crypt(sa (r12), uint8_t *esp (r13), uint16_t octets (r14)): r12 */
crypt:
        call    #wm_saved_4
        sub     #BLOCK, r1
        mov     r12, SA
        mov     r13, IV
        mov     r14, LEFT
        add     #8, IV
        mov     IV, AT
        add     #IV_OCTETS, AT
        mov     CIPHER(SA), KEY
        clr     NUMBER
.Lblock:
        tst     LEFT
        jz      .Ldone
        mov     r1, r12                 /* §4: nonce, IV, and a counter of blocks from 1 on */
        mov     SA, r13
        add     #SALT, r13
        mov     #NONCE_OCTETS, r14
        call    #wm_copy
        mov     r1, r12
        add     #NONCE_OCTETS, r12
        mov     IV, r13
        mov     #IV_OCTETS, r14
        call    #wm_copy
        clr     12(r1)
        inc     NUMBER
        mov     NUMBER, r12
        swpb    r12
        mov     r12, 14(r1)
        mov     KEY, r12
        incd    r12                     /* SCHEDULE */
        mov     r1, r13
        mov     @KEY, r15
        call    @r15
        mov     #BLOCK, N
        cmp     N, LEFT
        jhs     .Lwhole
        mov     LEFT, N
.Lwhole:
        mov     AT, r12
        mov     r1, r13
        mov     N, r14
        call    #wm_xor
        add     N, AT
        sub     N, LEFT
        jmp     .Lblock
.Ldone: mov     r1, r12
        mov     #BLOCK, r13
        call    #wm_wipe
        add     #BLOCK, r1
        mov     @KEY, r15
        mov     FAILED(r15), r15
        clr     r12
        tst     r15
        jz      .Lend
        mov     KEY, r12
        incd    r12                     /* SCHEDULE */
        call    r15
        and.b   #1, r12
        jz      .Lend
        mov     #ERR_ENGINE, r12
.Lend:  br      #wm_restored_4
        .size   crypt, . - crypt
        .size   seal, . - seal

        .section .rodata.wm_ipsec_aes_ctr, "a", @progbits
        .balign 2
        .globl  wm_ipsec_aes_ctr
        .type   wm_ipsec_aes_ctr, @object
/* iv_octets, block_octets, icv_octets, cipher_octets, decrypts; seal, open */
wm_ipsec_aes_ctr:
        .byte   IV_OCTETS, 4, 0, BLOCK, 0, 0
        .word   seal, crypt
        .size   wm_ipsec_aes_ctr, . - wm_ipsec_aes_ctr
