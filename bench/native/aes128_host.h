/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes128_host.h
 *  AES-128 by the instructions of this machine's CPU, behind the stack's descriptor of a block
 *  cipher. */
#ifndef WARDMOTE_FRAMES_AES128_HOST_H
#define WARDMOTE_FRAMES_AES128_HOST_H

#include <wardmote/aes128.h>

/** The descriptor, whose key is a `const wm_aes128 *`; NULL where the CPU has no such instructions.
 *  Constant time. */
const wm_cipher128 *frames_aes128_host(void);

#endif
