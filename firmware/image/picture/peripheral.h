/* SPDX-License-Identifier: BSD-3-Clause */
/** @file peripheral.h
 *  The AES coprocessor of hdl/ as a peripheral: octets out and in on the second serial line, eight
 *  cycles of the CPU a bit. Each block is an instruction of its own, so that a node that was reset
 *  finds the coprocessor at the begin of one, unless it was reset within a block.
 *
 *  While a block comes back, for 16 characters, no interrupt is taken: the line's receiver holds two. */
#ifndef IMAGE_PICTURE_PERIPHERAL_H
#define IMAGE_PICTURE_PERIPHERAL_H

#include <wardmote/block128.h>
#include <stdbool.h>

typedef enum peripheral_does {
    PERIPHERAL_ENCRYPT = 0x10,
    PERIPHERAL_DECRYPT = 0x11
} peripheral_does;

/** Gives it the key. */
void peripheral_key(const uint8_t key[16]);

/** En- or decrypts a block in place, which is zero if that fails. */
void peripheral_block(peripheral_does does, wm_block128 *block);

/** Whether the coprocessor has refused anything, or has been silent: then it is not asked again. */
bool peripheral_failed(void);

#endif
