/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-XCBC-MAC-96, for the MSP430 in three quarters of the flash: takes the place of
 * src/mode/xcbc_mac.c, which is its reference.
 * Invariants: no branch and no address depends on key, data or tag. */

/* wm_xcbc_mac; `key` is its first member */
#define OPS 2   /* mac.ops */
#define CHAIN 6 /* mac.chain */
#define FILL 22 /* mac.fill */
/* wm_xcbc_mac_key; `cipher` is its first member */
#define K2 2
#define K3 18
#define KEY_OCTETS 34 /* of all */
/* wm_cipher_ops; `encrypt` is its first member */
#define REKEY 8
#define FAILED 10
#define BLOCK_OCTETS 12

#define BLOCK 16
#define TAG_OCTETS 12 /* WM_XCBC_MAC_96_LEN */
/* wm_status */
#define ERR_PARAM -1
#define ERR_STATE -11
#define ERR_ENGINE -22

        .section .text.wm_xcbc_mac_derive, "ax", @progbits
        .balign 2
        .globl  wm_xcbc_mac_derive
        .type   wm_xcbc_mac_derive, @function
/* wm_status wm_xcbc_mac_derive(key (r12), wm_cipher *cipher (r13)): r12. Here r10 is the key, r9 the
 * schedule behind the cipher, r8 its operations, r7 the status; K1 is on the stack. */
wm_xcbc_mac_derive:
        call    #wm_saved_7
        mov     r12, r10
        clr     0(r10)
        mov     #ERR_STATE, r12
        tst     r13
        jz      .Lrefused
        mov     r13, r9
        mov     @r9+, r8
        tst     r8
        jz      .Lrefused
        mov     #ERR_PARAM, r12
        tst     REKEY(r8)
        jz      .Lrefused
        cmp.b   #BLOCK, BLOCK_OCTETS(r8)
        jne     .Lrefused
        sub     #BLOCK, r1
        mov     r1, r12
        mov     #0x0101, r13
        call    #derive
        mov     r10, r12
        add     #K2, r12
        mov     #0x0202, r13
        call    #derive
        mov     r10, r12
        add     #K3, r12
        mov     #0x0303, r13
        call    #derive
        clr     r7
        mov     FAILED(r8), r15
        tst     r15
        jz      .Lmade
        mov     r9, r12
        call    r15
        tst.b   r12
        jz      .Lmade
        mov     #ERR_ENGINE, r7
        mov     r10, r12
        mov     #KEY_OCTETS, r13
        call    #wm_wipe
        jmp     .Lend
.Lmade: mov     r9, r12
        mov     r1, r13
        call    REKEY(r8)
        decd    r9
        mov     r9, 0(r10)
.Lend:  mov     r1, r12
        mov     #BLOCK, r13
        call    #wm_wipe
        add     #BLOCK, r1
        mov     r7, r12
.Lrefused:
        br      #wm_restored_7

/* The block r12 becomes that of the octets r13, encrypted (§4 step 1). */
derive: mov     r12, r14
        mov     #BLOCK/2, r15
.Lfill: mov     r13, 0(r14)
        incd    r14
        dec     r15
        jnz     .Lfill
        mov     r12, r13
        mov     r9, r12
        mov     @r8, pc
        .size   wm_xcbc_mac_derive, . - wm_xcbc_mac_derive

        .section .text.wm_xcbc_mac_init, "ax", @progbits
        .balign 2
        .globl  wm_xcbc_mac_init
        .type   wm_xcbc_mac_init, @function
/* wm_status wm_xcbc_mac_init(ctx (r12), const wm_xcbc_mac_key *key (r13)): r12 */
wm_xcbc_mac_init:
        mov     r13, 0(r12)
        mov     @r13, r13
        incd    r12
        br      #wm_cbc_mac_init
        .size   wm_xcbc_mac_init, . - wm_xcbc_mac_init

        .section .text.wm_xcbc_mac_update, "ax", @progbits
        .balign 2
        .globl  wm_xcbc_mac_update
        .type   wm_xcbc_mac_update, @function
/* void wm_xcbc_mac_update(ctx (r12), const uint8_t *data (r13), size_t len (r14)) */
wm_xcbc_mac_update:
        incd    r12
        br      #wm_cbc_mac_update
        .size   wm_xcbc_mac_update, . - wm_xcbc_mac_update

        .section .text.wm_xcbc_mac_final, "ax", @progbits
        .balign 2
        .globl  wm_xcbc_mac_final
        .type   wm_xcbc_mac_final, @function
/* wm_status wm_xcbc_mac_final(ctx (r12), uint8_t *tag (r13), size_t tag_len (r14)): r12 */
wm_xcbc_mac_final:
        mov     #wm_cbc_mac_final, r15
/* Ends the message as r15 does, if it can end with a tag of that length. */
end:    tst     OPS(r12)
        jz      .Lstate
        cmp     #TAG_OCTETS, r14
        jne     .Lparam
        push    r15
        push    r12
        push    r13
        push    r14
        mov     @r12, r13               /* §4 step 4: K2 to a whole last block; a bit 1 and K3 to */
        clr     0(r12)                  /* any other */
        add     #K2, r13
        mov.b   FILL(r12), r14
        cmp     #BLOCK, r14
        jeq     .Lkey
        add     r12, r14
        xor.b   #0x80, CHAIN(r14)
        add     #K3-K2, r13
.Lkey:  add     #CHAIN, r12
        mov     #BLOCK, r14
        call    #wm_xor
        pop     r14
        pop     r13
        pop     r12
        incd    r12
        ret                             /* to what r15 was */
.Lstate:
        mov     #ERR_STATE, r12
        ret
.Lparam:
        mov     #ERR_PARAM, r12
        ret
        .size   wm_xcbc_mac_final, . - wm_xcbc_mac_final

        .section .text.wm_xcbc_mac_verify, "ax", @progbits
        .balign 2
        .globl  wm_xcbc_mac_verify
        .type   wm_xcbc_mac_verify, @function
/* wm_status wm_xcbc_mac_verify(ctx (r12), const uint8_t *tag (r13), size_t tag_len (r14)): r12 */
wm_xcbc_mac_verify:
        mov     #wm_cbc_mac_verify, r15
        br      #end
        .size   wm_xcbc_mac_verify, . - wm_xcbc_mac_verify
