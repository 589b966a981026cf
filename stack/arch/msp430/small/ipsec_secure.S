/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets that are sent, for the MSP430 in five sixths of the flash: takes the place of
 * src/net/ipsec_secure.c, which is its reference and has the reasons.
 *
 * Between the functions of this file: r10 is the wm_ipsec, r6 a SA or 0; a status in r12 comes with its
 * flags. The frame is that of wm_ipsec_secure, two octets further for those that it calls. */

/* wm_ipsec */
#define OUT 2
#define WANTS_KEYS 6
#define CONTEXT 8
#define OUTS 11
#define STARTED 16
/* wm_ipsec_sa; `protocol` is its first member */
#define INTEGRITY 4
#define SPI 10
#define GROUP 20
#define SEQUENCE 30
#define SEQUENCE_HIGH 32
#define SA_OCTETS 34 /* of all */
/* wm_ipsec_protocol; `number` is its first member */
#define SEAL 2
/* wm_ipsec_policy */
#define ACTION 24
#define AH_GROUP 26  /* ah */
#define ESP_GROUP 27 /* esp */
#define BYPASS 1     /* WM_IPSEC_BYPASS */

/* The frame: a wm_ipsec_map, a wm_ipsec_shape, the policy, and the SAs from the inmost on. */
/* wm_ipsec_map */
#define PACKET 0
#define END 2
#define INSIDE 4
#define INSIDE_AT 4   /* inside.at */
#define INSIDE_NEXT 8 /* inside.next */
#define SHAPE 16      /* of all */
/* wm_ipsec_shape, from SHAPE on */
#define FRONT 16
#define MASK 17
#define TAIL 19
#define ALL 21
#define POLICY 22 /* of all */

#define ESP_SA 24
#define AH_SA 26
#define FRAME 28
#define CALLED 2 /* by wm_ipsec_secure */

#define AH 51 /* WM_IPV6_AH */
#define ESP 50 /* WM_IPV6_ESP */
#define AH_SPI 4
#define AH_ICV 12 /* WM_IPSEC_AH_ICV */
#define IPV6_DESTINATION 24 /* IPV6_DESTINATION */

/* wm_status */
#define NOT_SECURED 1
#define ERR_FRAME_TOO_LONG -3
#define ERR_COUNTER -4
#define ERR_UNAVAILABLE_KEY -5
#define ERR_STATE -11

        .section .text.wm_ipsec_secure, "ax", @progbits
        .balign 2

/* Finds the SA of group r12 and protocol r13, in r6, which can be used: 0 for group 0. Takes what it puts
 * around the payload from the room that is left, r8, and adds it to the payload, r7. */
        .type   find_sa, @function
find_sa:
        clr     r6
        tst     r12
        jz      .Lfine
        mov     OUT(r10), r14
        mov.b   OUTS(r10), r15
.Lsa:   tst     r15
        jz      .Lsearched
        mov     @r14, r11
        tst     r11
        jz      .Lnext_sa
        cmp.b   r13, 0(r11)
        jne     .Lnext_sa
        cmp.b   r12, GROUP(r14)
        jne     .Lnext_sa
        mov     SEQUENCE(r14), r11
        and     SEQUENCE_HIGH(r14), r11
        inc     r11
        jnz     .Lfound                 /* it has a sequence number left */
        tst     r6
        jnz     .Lnext_sa
        mov     r14, r6                 /* of those that have none, the first */
.Lnext_sa:
        add     #SA_OCTETS, r14
        dec     r15
        jmp     .Lsa
.Lfound:
        mov     r14, r6
.Lsearched:
        mov     #ERR_UNAVAILABLE_KEY, r12
        tst     r6
        jz      .Lanswer
        mov     r10, r12
        mov     r6, r13
        clr     r14
        call    #wm_ipsec_usable
        tst.b   r12
        mov     #ERR_STATE, r12
        jz      .Lanswer
        mov     r7, r13
        call    #shape_of
        mov.b   ALL+CALLED(r1), r11
        mov     #ERR_FRAME_TOO_LONG, r12
        sub     r11, r8
        jnc     .Lanswer
        add     r11, r7
.Lfine: clr     r12
.Lanswer:
        tst     r12
        ret
        .size   find_sa, . - find_sa

/* What SA r6 puts around a payload of r13 octets. */
        .type   shape_of, @function
shape_of:
        mov     r6, r12
        mov     r1, r14
        add     #SHAPE+CALLED+2, r14
        br      #wm_ipsec_shape_of
        .size   shape_of, . - shape_of

/* The next sequence number of SA r12, which may be 0. */
        .type   use_sequence, @function
use_sequence:
        mov     r12, r6
        tst     r6
        jz      .Lfine
        call    #wm_ipsec_use_sequence
        cmp     #ERR_COUNTER, r12
        jne     .Lanswer
        mov     WANTS_KEYS(r10), r15
        tst     r15
        jz      .Lanswer
        mov     CONTEXT(r10), r12
        mov     r6, r13
        call    r15
        mov     #ERR_COUNTER, r12
        jmp     .Lanswer
        .size   use_sequence, . - use_sequence

/* Puts AH or ESP of SA r12, which may be 0, in front of what is inside, which it then is. Here r8 is
 * its header, r7 the octets of the payload, r5 where it is in the packet, r4 what is in it. */
        .type   put, @function
put:
        mov     r12, r6
        tst     r6
        jz      .Lfine
        mov     INSIDE_AT+CALLED(r1), r5
        mov     END+CALLED(r1), r7
        sub     r5, r7
        mov     r7, r13
        call    #shape_of
        mov     r5, r8
        add     PACKET+CALLED(r1), r8
        mov.b   FRONT+CALLED(r1), r12
        add     r8, r12
        mov     r8, r13
        mov     r7, r14
        call    #wm_move
        mov.b   INSIDE_NEXT+CALLED(r1), r4
        mov     @r6, r15
        mov.b   @r15, r14
        mov.b   r14, INSIDE_NEXT+CALLED(r1)
        mov.b   ALL+CALLED(r1), r15
        add     END+CALLED(r1), r15
        mov     r1, r12
        incd    r12                     /* CALLED */
        mov     r12, r13
        add     #INSIDE, r13
        call    #wm_ipsec_set
        mov     r8, r12
        mov     @r6, r15
        cmp.b   #AH, 0(r15)
        jne     .Lnumbers
        add     #AH_SPI, r12
.Lnumbers:
        mov     r6, r13
        add     #SPI, r13
        call    #store
        mov     r6, r13
        add     #SEQUENCE, r13
        call    #store
        push    r4
        mov     r6, r12
        mov     r1, r13
        add     #SHAPE+CALLED+2, r13
        mov     r8, r14
        mov     r7, r15
        mov     @r6, r11
        call    SEAL(r11)
        incd    r1
        tst     r12
        jnz     .Lanswer
        tst     INTEGRITY(r6)
        jz      .Lfine
        mov     #AH_ICV, r15
        tst.b   MASK+CALLED(r1)
        jz      .Licv
        mov.b   TAIL+CALLED(r1), r12
        mov     END+CALLED(r1), r15
        sub     r12, r15
        sub     r5, r15
.Licv:  mov     r6, r12
        mov     r1, r13
        incd    r13                     /* CALLED */
        mov     r5, r14
        call    #wm_ipsec_make_icv
        jmp     .Lanswer
        .size   put, . - put

/* Stores the number of 32 bits at r13 to r12, the most significant octet first; r12 is behind it. */
        .type   store, @function
store:
        mov     #4, r14
        add     r14, r13
.Lstore:
        dec     r13
        mov.b   @r13, 0(r12)
        inc     r12
        dec     r14
        jnz     .Lstore
        ret
        .size   store, . - store

        .globl  wm_ipsec_secure
        .type   wm_ipsec_secure, @function
/* wm_status wm_ipsec_secure(ipsec (r12), uint8_t *packet (r13), size_t size (r14), uint16_t *len (r15)):
 * r12. `len` stays in r9. */
wm_ipsec_secure:
        call    #wm_saved_4
        sub     #FRAME, r1
        mov     r12, r10
        mov     r15, r9
        mov     r14, r8
        mov     r13, PACKET(r1)
        mov     @r15, END(r1)
        mov     #ERR_STATE, r12
        tst.b   STARTED(r10)
        jz      .Lend
        mov     r1, r12
        call    #wm_ipsec_walk
        tst     r12
        jnz     .Lend
        mov     r10, r12
        mov     r1, r13
        mov     #IPV6_DESTINATION, r14
        mov     r1, r15
        add     #POLICY, r15
        call    #wm_ipsec_find_policy
        tst     r12
        jnz     .Lend
        mov     POLICY(r1), r11
        mov     #NOT_SECURED, r12
        cmp     #BYPASS, ACTION(r11)
        jeq     .Lend
        sub     END(r1), r8
        jc      .Lroom
        clr     r8
.Lroom: mov     END(r1), r7
        sub     INSIDE_AT(r1), r7
        mov.b   ESP_GROUP(r11), r12
        mov     #ESP, r13
        call    #find_sa
        jnz     .Lend
        mov     r6, ESP_SA(r1)
        mov     POLICY(r1), r11
        mov.b   AH_GROUP(r11), r12
        mov     #AH, r13
        call    #find_sa
        jnz     .Lend
        mov     r6, AH_SA(r1)
        mov     ESP_SA(r1), r12
        call    #use_sequence
        jnz     .Lend
        mov     AH_SA(r1), r12
        call    #use_sequence
        jnz     .Lend                   /* what can be refused is refused by now */
        mov     ESP_SA(r1), r12
        call    #put
        jnz     .Lfailed
        mov     AH_SA(r1), r12
        call    #put
        jnz     .Lfailed
        mov     END(r1), 0(r9)
.Lend:  add     #FRAME, r1
        br      #wm_restored_4
.Lfailed:
        mov     r12, r7
        mov     @r1, r12
        mov     END(r1), r13
        call    #wm_wipe
        clr     0(r9)
        mov     r7, r12
        jmp     .Lend
        .size   wm_ipsec_secure, . - wm_ipsec_secure
