/* SPDX-License-Identifier: BSD-3-Clause */
/** @file engine.h
 *  The AES engine of a CC2420 as images use it. Every board with an engine has the same names. */
#ifndef DRIVER_CC2420_ENGINE_H
#define DRIVER_CC2420_ENGINE_H

#include <wardmote/block128.h>
#include "cc2420.h"

/** Loads the key of slot 0 or 1. */
static inline void engine_key(uint8_t slot, const uint8_t key[16])
{
    cc2420_key(slot, key);
}

/** Before the blocks of a frame. */
static inline void engine_begin(void)
{ /* the radio keeps its keys */
}

/** Encrypts a block in place with the key of `slot`. */
static inline void engine_encrypt(uint8_t slot, wm_block128 *block)
{
    cc2420_aes(slot, block->octet);
}

/** Whether a block has failed since this was last asked. */
static inline bool engine_failed(void)
{
    return cc2420_aes_failed();
}

#endif
