/* SPDX-License-Identifier: BSD-3-Clause */
/** @file primitives.h
 *  The variant of AES-128 that an image `primitives-...` runs: one file each, chosen when it is
 *  linked. */
#ifndef FIRMWARE_PRIMITIVES_H
#define FIRMWARE_PRIMITIVES_H

#include <wardmote/block128.h>

extern const wm_cipher128 *const primitives_cipher; /**< its key is a wm_aes128 */

#endif
