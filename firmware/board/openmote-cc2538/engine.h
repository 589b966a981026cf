/* SPDX-License-Identifier: BSD-3-Clause */
/** @file engine.h
 *  The board's AES engine as strategies hybrid and hardware use it. Key slot n lies in area n of
 *  the key store. */
#ifndef BOARD_OPENMOTE_CC2538_ENGINE_H
#define BOARD_OPENMOTE_CC2538_ENGINE_H

#include <wardmote/block128.h>
#include "aes.h"

/** Loads the key of slot 0 or 1. If the engine does not take it, operations with it fail. */
static inline void engine_key(uint8_t slot, const uint8_t key[16])
{
    (void)aes_key(slot, key);
}

/** Before the blocks of a frame. */
static inline void engine_begin(void)
{
    aes_blocks_begin();
}

/** Encrypts a block in place with the key of `slot`. */
static inline void engine_encrypt(uint8_t slot, wm_block128 *block)
{
    aes_block(slot, block->word);
}

/** Whether a block has failed since this was last asked. */
static inline bool engine_failed(void)
{
    return !aes_blocks_end();
}

#endif
