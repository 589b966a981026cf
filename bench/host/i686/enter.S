# SPDX-License-Identifier: BSD-3-Clause
# Calls a function on a stack of its own, and counts blocks for counted code. Nothing here is
# counted.
#include "../addresses.h"

    .text
# uint64_t wm_enter(uint32_t function, const uint64_t *words, size_t count)
# copies the low halves of all 16 words below STACK_TOP, then calls the function. A function that
# takes fewer words does not see the others.
    .globl wm_enter
    .type wm_enter, @function
wm_enter:
    pushl %ebp
    movl %esp, %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl 12(%ebp), %esi
    movl $(STACK_TOP - 4 * WORDS), %edi
    movl %edi, %edx
    movl $WORDS, %ecx
    cld
1:  movsl
    addl $4, %esi
    loop 1b
    movl 8(%ebp), %eax
    movl %edx, %esp
    # The fences keep the time of the call apart: it begins when everything before it is done, and
    # ends before anything after it begins.
    lfence
    calll *%eax
    lfence
    leal -12(%ebp), %esp
    popl %edi
    popl %esi
    popl %ebx
    popl %ebp
    retl
    .size wm_enter, . - wm_enter

# An empty function: calling it shows what a call itself costs.
    .globl wm_nothing
    .type wm_nothing, @function
wm_nothing:
    retl
    .size wm_nothing, . - wm_nothing

# Called at the start of each block, with the block's number of instructions on the stack. It
# changes no register but the flags, which the block keeps itself. The path is two sums that depend
# on the order of the blocks' addresses.
    .globl wm_block
    .type wm_block, @function
wm_block:
    pushl %eax
    movl 8(%esp), %eax
    addl %eax, wm_instructions
    adcl $0, wm_instructions + 4
    movl wm_path, %eax
    xorl 4(%esp), %eax
    imull $16777619, %eax
    movl %eax, wm_path
    movl wm_path + 4, %eax
    addl 4(%esp), %eax
    imull $1664525, %eax
    addl $1013904223, %eax
    movl %eax, wm_path + 4
    popl %eax
    retl $4
    .size wm_block, . - wm_block

    .bss
    .balign 8
    .globl wm_instructions, wm_path
wm_instructions:
    .zero 8
wm_path:
    .zero 8
    .section .note.GNU-stack, "", @progbits
