/* SPDX-License-Identifier: BSD-3-Clause */
/** @file protect.h
 *  How messages become packets and packets messages. protect_tinysec.c does it by TinySec,
 *  protect_none.c by TinyOS's own packets without it, protect_aead.c by an AEAD of today. */
#ifndef FIRMWARE_TINYSEC_PROTECT_H
#define FIRMWARE_TINYSEC_PROTECT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/tinysec.h>
#include "aead.h"

/** Octets of the longest packet of all three. */
#define PROTECT_MOST (AEAD_HEADER + WM_TINYSEC_DATA_MAX + AEAD_TAG_MAX)

/** Takes keys and store.
 *  @retval false  the block asks for what cannot be */
bool protect_start(void);

/** What may take long is done before the channel is asked for.
 *  @retval false  no packet can be sent any more */
bool protect_prepare(void);

/** Makes the packet of a message, which stays as it is until the next call.
 *  @returns octets; 0: there is none */
uint8_t protect_make(const wm_tinysec_message *message, const uint8_t **packet);

/** Begins a packet that comes in. */
void protect_begin(void);

/** Takes its next octet.
 *  @retval false  no more is wanted */
bool protect_take(uint8_t octet);

/** Octets of the packet that comes in, by its header. 0: nobody knows. Not after protect_end. */
uint8_t protect_octets(void);

/** Ends it.
 *  @retval WM_OK, WM_NOT_SECURED  `message` is what it carries
 *  @retval WM_ERR_NOT_FOR_US      it is of no use here
 *  Else it is refused. */
wm_status protect_end(wm_tinysec_message *message);

#endif
