@ SPDX-License-Identifier: BSD-3-Clause
@ What stands in for the CC2538's ROM: the start of an image that the CCA page calls valid, and the functions of TI's rom.h
@ that drivers call. Our own code: it does what TI documents, in a time that is ours (assumed). The table of pointers is at
@ 0x48. TI does not print the polynomial of crc32. A boot loader released for CC2538 boards (Sensors Unleashed) compares
@ crc32 of an image that ends with its CRC with 0x2144DF1C: that is what IEEE 802.3's CRC-32 leaves there.
@
@ openmote/rom.rs holds the assembled half-words; tests/motes/test_openmote.py assembles this file and compares.

    .syntax unified
    .cpu cortex-m3
    .thumb
    .text

    .equ CCA, 0x0027FFD4            @ boot loader configuration, image valid, vector table
    .equ FCTL, 0x400D3008           @ then FADDR, FWDATA
    .equ PAGE, 2048
    .equ NOWHERE, 0x00010001        @ holds no code

    .word 0x20008000                @ the boot loader's stack
    .word boot
    .rept 14
    .word NOWHERE                   @ an exception before the image has set VTOR
    .endr
    .word 0, 0
    .word crc32
    .word get_flash_size
    .word get_chip_id
    .word page_erase
    .word program_flash
    .word reset_device
    .word memset
    .word memcpy
    .word memcmp
    .word memmove

    .thumb_func
boot:
    ldr     r0, =CCA
    ldr     r1, [r0, #4]
    cbnz    r1, 1f                  @ 0: the image is valid
    ldr     r0, [r0, #8]
    ldr     r1, [r0]
    msr     msp, r1
    ldr     pc, [r0, #4]
1:  wfi                             @ would wait for an image on UART or SSI
    b       1b

    .thumb_func
get_flash_size:
    mov     r0, #0x80000
    bx      lr

    .thumb_func
get_chip_id:
    ldr     r0, =0xB9640000
    bx      lr

@ r0 address, r1 octets: 0, -1 refused by the controller, -2 not whole pages.
    .thumb_func
page_erase:
    orr     r2, r0, r1
    lsls    r2, r2, #21
    bne     bad_parameters
    ldr     r2, =FCTL
    add     r1, r1, r0
1:  cmp     r0, r1
    bhs     done
    str     r0, [r2, #4]
    movs    r3, #1                  @ ERASE
    ldr     r12, [r2]
    orr     r3, r3, r12
    str     r3, [r2]
2:  ldr     r3, [r2]
    lsls    r12, r3, #24            @ BUSY
    bmi     2b
    lsls    r12, r3, #26            @ ABORT
    bmi     failed
    add     r0, r0, #PAGE
    b       1b

@ r0 words in RAM, r1 address, r2 octets: 0, -1 refused by the controller, -2 not whole words.
    .thumb_func
program_flash:
    orr     r3, r1, r2
    lsls    r3, r3, #30
    bne     bad_parameters
    ldr     r3, =FCTL
    str     r1, [r3, #4]
    ldr     r1, [r3]
    orr     r1, r1, #2              @ WRITE
    str     r1, [r3]
1:  cbz     r2, 3f
    ldr     r1, [r0], #4
    str     r1, [r3, #8]
2:  ldr     r1, [r3]
    lsls    r12, r1, #25            @ FULL
    bmi     2b
    lsls    r12, r1, #26            @ ABORT
    bmi     failed
    subs    r2, r2, #4
    b       1b
3:  ldr     r1, [r3]
    lsls    r12, r1, #24            @ BUSY
    bmi     3b
    bic     r1, r1, #2
    str     r1, [r3]

done:
    movs    r0, #0
    bx      lr
failed:
    mvn     r0, #0
    bx      lr
bad_parameters:
    mvn     r0, #1
    bx      lr

    .thumb_func
reset_device:
    ldr     r0, =0xE000ED0C         @ AIRCR
    ldr     r1, =0x05FA0004         @ SYSRESETREQ
    str     r1, [r0]
1:  b       1b

    .thumb_func
memset:
    mov     r3, r0
1:  cbz     r2, 2f
    strb    r1, [r3], #1
    subs    r2, r2, #1
    b       1b
2:  bx      lr

    .thumb_func
memmove:
    subs    r3, r0, r1
    cmp     r3, r2
    bhs     memcpy                  @ upwards unless `to` lies inside `from`
1:  cbz     r2, 2f
    subs    r2, r2, #1
    ldrb    r3, [r1, r2]
    strb    r3, [r0, r2]
    b       1b
2:  bx      lr

    .thumb_func
memcpy:
    mov     r12, r0
1:  cbz     r2, 2f
    ldrb    r3, [r1], #1
    strb    r3, [r12], #1
    subs    r2, r2, #1
    b       1b
2:  bx      lr

    .thumb_func
memcmp:
    mov     r12, r0
    movs    r0, #0
1:  cbz     r2, 2f
    ldrb    r0, [r12], #1
    ldrb    r3, [r1], #1
    subs    r2, r2, #1
    subs    r0, r0, r3
    beq     1b
2:  bx      lr

@ r0 from, r1 octets: reflected, from ones, complemented.
    .thumb_func
crc32:
    mvn     r2, #0
    ldr     r12, =0xEDB88320
1:  cbz     r1, 3f
    ldrb    r3, [r0], #1
    eors    r2, r2, r3
    movs    r3, #8
2:  lsrs    r2, r2, #1
    it      cs
    eorcs   r2, r2, r12
    subs    r3, r3, #1
    bne     2b
    subs    r1, r1, #1
    b       1b
3:  mvns    r0, r2
    bx      lr

    .ltorg
