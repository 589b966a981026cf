/* SPDX-License-Identifier: BSD-3-Clause */
/* References: hdl/rtl/coprocessor_pkg.vhd, the instructions; Atmel 2549 chapter 22, the USART. */
#include "peripheral.h"
#include <wardmote/ct.h>
#include "usart1.h"

#define KEY 0x01u
#define BLOCK 16u

static bool failed;

static void give(const uint8_t *from, uint8_t len)
{
    for (; len != 0; len--) {
        usart1_give(*from++);
    }
}

/* Gives what an instruction begins with, and takes its status. */
static void tell(const uint8_t *from, uint8_t len)
{
    uint8_t status = 0;
    give(from, len);
    failed = failed || !usart1_take(&status, 1) || status != 0;
}

void peripheral_key(const uint8_t key[16])
{
    static const uint8_t instruction = KEY;
    usart1_start();
    failed = false;
    give(&instruction, 1);
    tell(key, BLOCK);
}

void peripheral_block(peripheral_does does, wm_block128 *block)
{
    const uint8_t head[] = {(uint8_t)does, 0, BLOCK}; /* the length, the high octet first */
    if (!failed) {
        tell(head, sizeof head);
    }
    if (!failed) {
        give(block->octet, BLOCK);
        failed = !usart1_take(block->octet, BLOCK);
    }
    if (failed) {
        wm_wipe(block, sizeof *block);
    }
}

bool peripheral_failed(void)
{
    return failed;
}
