/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC-MAC, for the MSP430 in four fifths of the flash: takes the place of src/mode/cbc_mac.c, which is
 * its reference.
 * Invariants: no branch and no address depends on key, data or tag.
 *
 * Between the functions of this file r10 is the context, and r8 the octets of a tag. */

/* wm_cbc_mac; `ops` is its first member */
#define SCHEDULE 2
#define CHAIN 4
#define FILL 20
#define BLOCK_OCTETS 21
#define CIPHER_FAILED 22  /* failed */
#define CONTEXT_OCTETS 24 /* of all */
/* wm_cipher_ops; `encrypt` is its first member */
#define FAILED 10
#define CIPHER_BLOCK_OCTETS 12 /* block_octets */

#define TAG_MIN 4 /* WM_CBC_MAC_TAG_MIN */
/* wm_status */
#define ERR_PARAM -1
#define ERR_SECURITY -10
#define ERR_STATE -11
#define ERR_ENGINE -22

        .section .text.wm_cbc_mac_init, "ax", @progbits
        .balign 2
        .globl  wm_cbc_mac_init
        .type   wm_cbc_mac_init, @function
/* wm_status wm_cbc_mac_init(ctx (r12), const wm_cipher *cipher (r13)): r12 */
wm_cbc_mac_init:
        mov     r12, r14
        mov     #CONTEXT_OCTETS/2, r15
.Lzero: clr     0(r14)
        incd    r14
        dec     r15
        jnz     .Lzero
        tst     r13
        jz      .Lno_key
        mov     @r13+, r14
        tst     r14
        jz      .Lno_key
        mov     r14, 0(r12)
        mov     r13, SCHEDULE(r12)      /* behind the cipher's operations */
        mov.b   CIPHER_BLOCK_OCTETS(r14), BLOCK_OCTETS(r12)
        clr     r12
        ret
.Lno_key:
        mov     #ERR_STATE, r12
        ret
        .size   wm_cbc_mac_init, . - wm_cbc_mac_init

        .section .text.wm_cbc_mac_update, "ax", @progbits
        .balign 2
        .globl  wm_cbc_mac_update
        .type   wm_cbc_mac_update, @function
/* void wm_cbc_mac_update(ctx (r12), const uint8_t *data (r13), size_t len (r14)). Here r9 is the data, r8
 * how many octets are left, r7 how many are taken next. */
wm_cbc_mac_update:
        call    #wm_saved_7
        mov     r12, r10
        mov     r13, r9
        mov     r14, r8
        tst.b   BLOCK_OCTETS(r10)
        jz      .Lupdated               /* never begun, or ended */
.Lupdate:
        tst     r8
        jz      .Ltaken
        mov.b   BLOCK_OCTETS(r10), r7
        sub.b   FILL(r10), r7
        jnz     .Lroom
        call    #encrypt
        clr.b   FILL(r10)
        mov.b   BLOCK_OCTETS(r10), r7
.Lroom: cmp     r7, r8
        jhs     .Ltake
        mov     r8, r7
.Ltake: mov.b   FILL(r10), r12
        add.b   r7, FILL(r10)
        add     r10, r12
        add     #CHAIN, r12
        mov     r9, r13
        mov     r7, r14
        call    #wm_xor
        add     r7, r9
        sub     r7, r8
        jmp     .Lupdate
.Ltaken:
        call    #ask
.Lupdated:
        br      #wm_restored_7
        .size   wm_cbc_mac_update, . - wm_cbc_mac_update

        .section .text.wm_cbc_mac_final, "ax", @progbits
        .balign 2
        .globl  wm_cbc_mac_final
        .type   wm_cbc_mac_final, @function
/* wm_status wm_cbc_mac_final(ctx (r12), uint8_t *tag (r13), size_t tag_len (r14)): r12 */
wm_cbc_mac_final:
        call    #wm_saved_8
        call    #end
        jnz     .Lfinal
        call    #wm_copy
        call    #wipe
        clr     r12
.Lfinal:
        br      #wm_restored_8
        .size   wm_cbc_mac_final, . - wm_cbc_mac_final

/* The last block; r9 is the tag. Z: r12 is the tag, r13 the chain, r14 the octets of a tag. Else a
 * status in r12. */
        .type   end, @function
end:    mov     r12, r10
        mov     r13, r9
        mov     r14, r8
        mov     #ERR_STATE, r12
        tst     0(r10)
        jz      .Lno_end
        mov     #ERR_PARAM, r12
        cmp     #TAG_MIN, r8
        jlo     .Lno_end
        mov.b   BLOCK_OCTETS(r10), r15
        cmp     r8, r15
        jlo     .Lno_end
        call    #encrypt
        call    #ask
        tst.b   CIPHER_FAILED(r10)
        jnz     .Lengine
        mov     r9, r12
        mov     r10, r13
        add     #CHAIN, r13
        mov     r8, r14
        clr     r15
        tst     r15
        ret
.Lengine:
        call    #wipe
        mov     #ERR_ENGINE, r12
.Lno_end:
        tst     r12
        ret
        .size   end, . - end

/* Encrypts the chain. */
        .type   encrypt, @function
encrypt:
        mov     SCHEDULE(r10), r12
        mov     r10, r13
        add     #CHAIN, r13
        mov     @r10, r15
        mov     @r15, pc
        .size   encrypt, . - encrypt

/* Asks the cipher whether it has failed; the context remembers. */
        .type   ask, @function
ask:    mov     @r10, r15
        mov     FAILED(r15), r15
        tst     r15
        jz      .Lasked
        mov     SCHEDULE(r10), r12
        call    r15
        bis.b   r12, CIPHER_FAILED(r10)
.Lasked:
        ret
        .size   ask, . - ask

        .type   wipe, @function
wipe:   mov     r10, r12
        mov     #CONTEXT_OCTETS, r13
        br      #wm_wipe
        .size   wipe, . - wipe

        .section .text.wm_cbc_mac_verify, "ax", @progbits
        .balign 2
        .globl  wm_cbc_mac_verify
        .type   wm_cbc_mac_verify, @function
/* wm_status wm_cbc_mac_verify(ctx (r12), const uint8_t *tag (r13), size_t tag_len (r14)): r12 */
wm_cbc_mac_verify:
        call    #wm_saved_8
        call    #end
        jnz     .Lverified
        call    #wm_ct_diff
        mov.b   r12, r9
        call    #wipe
        clr     r12
        tst     r9
        jz      .Lverified
        mov     #ERR_SECURITY, r12
.Lverified:
        br      #wm_restored_8
        .size   wm_cbc_mac_verify, . - wm_cbc_mac_verify
