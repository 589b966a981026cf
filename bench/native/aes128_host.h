/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes128_host.h
 *  AES-128 by the instructions of this machine's CPU, as a block cipher of the stack. */
#ifndef WARDMOTE_FRAMES_AES128_HOST_H
#define WARDMOTE_FRAMES_AES128_HOST_H

#include <wardmote/aes128.h>

/** A key for the modes. Constant time. */
typedef struct frames_host_key {
    wm_cipher cipher;
    wm_aes128 schedule;
} frames_host_key;

/** Whether the CPU has such instructions. */
bool frames_has_aes128_host(void);

/** Makes a key from 16 octets; the modes refuse it where the CPU has no such instructions. */
void frames_host_init(frames_host_key *key, const uint8_t octets[16]);

#endif
