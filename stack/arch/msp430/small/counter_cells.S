/* SPDX-License-Identifier: BSD-3-Clause */
/* A counter in two cells, for the MSP430 in half the flash: takes the place of
 * src/store/counter_cells.c, which is its reference and has the reasons.
 *
 * Between the functions of this file: r10 is the counter, r6 an address in the medium, r5:r4 a limit.
 * Those that are called from here alone keep nothing but r10. */

/* wm_counter_cells */
#define LIMIT 2
#define LIMIT_HIGH 4
#define AT 6
#define BLOCK 8
#define LOWER 10
#define WRITTEN 11
#define FAILED 12
#define EXHAUSTED -1 /* WM_COUNTER_EXHAUSTED: both halves */

/* wm_status */
#define ERR_PARAM -1
#define ERR_COUNTER -4
#define ERR_STATE -11
#define ERR_STORAGE -20
#define ERR_NO_STORE -21

        .section .text.wm_counter_cells, "ax", @progbits
        .balign 2

/* uint32_t limit_of(counter (r12)): r13:r12 */
        .type   limit_of, @function
limit_of:
        mov     LIMIT_HIGH(r12), r13
        mov     LIMIT(r12), r12
        ret
        .size   limit_of, . - limit_of

/* bool continues(counter (r12), uint32_t next (r14:r13)): r12 */
        .type   continues, @function
continues:
        mov     LIMIT(r12), r15
        mov     LIMIT_HIGH(r12), r11
        sub     r13, r15
        subc    r14, r11                /* limit - next */
        jnc     .Lfrom_limit            /* next is above it */
        jnz     .Lno                    /* further below than the longest block */
        tst     r15
        jz      .Lfrom_limit
        tst.b   WRITTEN(r12)
        jz      .Lno
        cmp     BLOCK(r12), r15
        jc      .Lno
.Lyes:  mov     #1, r12
        ret
.Lfrom_limit:
        mov     LIMIT(r12), r15
        and     LIMIT_HIGH(r12), r15
        inc     r15
        jnz     .Lyes                   /* not exhausted */
.Lno:   clr     r12
        ret
        .size   continues, . - continues

/* wm_status advance(counter (r12), uint32_t next (r14:r13)): r12. Here the limit that is wanted is
 * r9:r8. */
        .type   advance, @function
advance:
        call    #wm_saved_4
        mov     r12, r10
        mov     r13, r8
        mov     r14, r9
        mov     #ERR_COUNTER, r12
        bis     r13, r14
        tst     r14
        jz      .Lrestore
        mov     #ERR_STORAGE, r12
        tst     BLOCK(r10)
        jz      .Lrestore               /* not open */
.Lnext: clr     r12
        mov     LIMIT(r10), r14
        mov     LIMIT_HIGH(r10), r15
        sub     r8, r14
        subc    r9, r15
        jc      .Lrestore
        call    #raise
        tst     r12
        jz      .Lnext
.Lrestore:
        br      #wm_restored_4
        .size   advance, . - advance

/* wm_status clear(counter (r12)): r12. Here r9 is the address of the lower cell. */
        .type   clear, @function
clear:
        call    #wm_saved_4
        mov     r12, r10
        mov     #ERR_STORAGE, r12
        tst.b   FAILED(r10)
        jnz     .Lrestore
        call    #lower_cell
        mov     r6, r9
        call    #write_zero
        jnz     .Lold
        cmp     AT(r10), r9
        jz      .Lother                 /* r6 is behind the first cell */
        mov     AT(r10), r6
.Lother:
        call    #write_zero
        jnz     .Lold
        call    #hold
        jmp     .Lrestore
.Lold:  mov     r9, r6                  /* the old keys hold */
        mov     LIMIT(r10), r4
        mov     LIMIT_HIGH(r10), r5
        call    #write_cell
        call    #fail
        jmp     .Lrestore
        .size   clear, . - clear

/* Grants a block more: a status in r12. */
        .type   raise, @function
raise:
        mov     LIMIT(r10), r4
        mov     LIMIT_HIGH(r10), r5
        add     BLOCK(r10), r4
        adc     r5
        jnc     .Lraised
        mov     #EXHAUSTED, r4
        mov     r4, r5
.Lraised:
        tst.b   FAILED(r10)
        jnz     fail
        call    #lower_cell
        call    #write_cell
        jnz     fail
        xor.b   #1, LOWER(r10)
/* The limit r5:r4 is written. */
hold:   mov     r4, LIMIT(r10)
        mov     r5, LIMIT_HIGH(r10)
        mov.b   #1, WRITTEN(r10)
        clr     r12
        ret
/* The medium did not do what it was asked. */
fail:   mov.b   #1, FAILED(r10)
        mov     #ERR_STORAGE, r12
        ret
        .size   raise, . - raise

/* r6: the address of the cell that is written next. */
        .type   lower_cell, @function
lower_cell:
        mov     AT(r10), r6
        tst.b   LOWER(r10)
        jz      .Lfirst_cell
        add     #8, r6
.Lfirst_cell:
        ret
        .size   lower_cell, . - lower_cell

/* Writes a cell of 0, or of r5:r4, at r6, and reads each octet back. Z: all were right, r6 is behind
 * the cell, r12 is 0, and r5:r4 are what they were. */
        .type   write_zero, @function
write_zero:
        clr     r4
        clr     r5
write_cell:
        mov     #8, r7
.Lwrite:
        mov     r6, r12
        mov.b   r4, r13
        call    #wm_port_cells_write
        mov     r6, r12
        call    #wm_port_cells_read
        xor.b   r4, r12
        jnz     .Lwritten
        swpb    r4                      /* down by an octet; its complement follows */
        swpb    r5
        mov     r4, r13
        xor     r5, r13
        and     #0xff00, r13
        xor     r13, r4
        xor     r13, r5
        xor     #0xff00, r5
        inc     r6
        dec     r7
        jnz     .Lwrite
.Lwritten:
        ret
        .size   write_zero, . - write_zero

/* Reads both cells at r6, and their limits to r9. Bit i of r8: cell i is right. */
        .type   read_cells, @function
read_cells:
        clr     r8
        mov     #1, r7
.Lcell: mov     #4, r5
        mov     r7, r4
.Loctet:
        mov     r6, r12
        call    #wm_port_cells_read
        mov.b   r12, 0(r9)
        inc     r9
        mov     r6, r12
        add     #4, r12
        call    #wm_port_cells_read
        xor.b   -1(r9), r12
        inc.b   r12
        jz      .Lagrees
        clr     r4
.Lagrees:
        inc     r6
        dec     r5
        jnz     .Loctet
        bis     r4, r8
        add     #4, r6
        rla     r7
        cmp     #4, r7
        jnz     .Lcell
        ret
        .size   read_cells, . - read_cells

/* Z: the first cell, at AT, was never written. Creation writes it last. */
        .type   is_blank, @function
is_blank:
        mov     #8, r5
        mov     #-1, r4
.Lblank:
        mov     r6, r12
        call    #wm_port_cells_read
        and.b   r12, r4
        inc     r6
        dec     r5
        jnz     .Lblank
        inc.b   r4
        ret
        .size   is_blank, . - is_blank

        .globl  wm_counter_cells_open
        .type   wm_counter_cells_open, @function
/* wm_status wm_counter_cells_open(cells (r12), uint16_t at (r13), uint16_t block (r14)): r12 */
wm_counter_cells_open:
        call    #wm_saved_4
        mov     r12, r10
        mov     #.Lops, 0(r10)
        mov     r13, AT(r10)
        mov     r14, BLOCK(r10)
        clr.b   LOWER(r10)
        mov.b   #1, FAILED(r10)
        mov     #ERR_PARAM, r12
        tst     r14
        jz      .Lopened
        mov     r13, r6
        sub     #8, r1
        mov     r1, r9
        call    #read_cells
        pop     r4                      /* limit of the first cell */
        pop     r5
        pop     r6                      /* of the second */
        pop     r7
        dec     r8
        jn      .Lnone
        clr.b   FAILED(r10)
        tst     r8
        jz      .Lfirst                 /* the first is right alone */
        dec     r8
        jz      .Lsecond                /* the second is */
        mov     r6, r14
        mov     r7, r15
        sub     r4, r14
        subc    r5, r15
        jc      .Lsecond
        inv     r14
        inv     r15
        inc     r14
        adc     r15
.Lfirst:
        mov     r4, r6
        mov     r5, r7
        mov.b   #1, LOWER(r10)
.Lsecond:
        mov     r6, LIMIT(r10)
        mov     r7, LIMIT_HIGH(r10)
        tst     r8
        jz      .Lagain                 /* r15:r14 is how far both are apart, or nothing */
        clr     r12
        tst     r15
        jnz     .Lagain
        cmp     r14, BLOCK(r10)
        jc      .Lopened
.Lagain:
        call    #raise
.Lopened:
        clr.b   WRITTEN(r10)            /* this says nothing about a counter */
        tst     r12
        jz      .Lright
        mov     #EXHAUSTED, LIMIT(r10)
        mov     #EXHAUSTED, LIMIT_HIGH(r10)
        clr     BLOCK(r10)
.Lright:
        br      #wm_restored_4
.Lnone: mov     AT(r10), r6
        call    #is_blank
        mov     #ERR_NO_STORE, r12
        jz      .Lopened
        mov     #ERR_STORAGE, r12
        jmp     .Lopened
        .size   wm_counter_cells_open, . - wm_counter_cells_open

        .section .text.wm_counter_cells_create, "ax", @progbits
        .balign 2
        .globl  wm_counter_cells_create
        .type   wm_counter_cells_create, @function
/* wm_status wm_counter_cells_create(uint16_t at (r12)): r12 */
wm_counter_cells_create:
        call    #wm_saved_4
        mov     r12, r10                /* the address here */
        mov     r12, r6
        sub     #8, r1
        mov     r1, r9
        call    #read_cells
        add     #8, r1
        mov     #ERR_STATE, r12
        tst     r8
        jnz     .Lcreated
        mov     r10, r6
        call    #is_blank
        jnz     .Lnot
        call    #write_zero             /* the second cell, behind the first */
        jnz     .Lnot
        mov     r10, r6
        call    #write_zero
        jz      .Lcreated
.Lnot:  mov     #ERR_STORAGE, r12
.Lcreated:
        br      #wm_restored_4
        .size   wm_counter_cells_create, . - wm_counter_cells_create

        .section .rodata.wm_counter_cells, "a", @progbits
        .balign 2
.Lops:  .word   limit_of, continues, advance, clear
