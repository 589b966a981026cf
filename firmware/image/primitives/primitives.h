/* SPDX-License-Identifier: BSD-3-Clause */
/** @file primitives.h
 *  The variant of AES-128 that an image `primitives-...` runs: one file each, chosen when it is
 *  linked. */
#ifndef FIRMWARE_PRIMITIVES_H
#define FIRMWARE_PRIMITIVES_H

#include <wardmote/aes128.h>

/** Encrypts a block in place. */
void primitives_encrypt(const wm_aes128 *key, wm_block128 *block);

#endif
