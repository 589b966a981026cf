/* SPDX-License-Identifier: BSD-3-Clause */
/* Which keys a packet has. */
#ifndef WM_TINYSEC_KEYS_H
#define WM_TINYSEC_KEYS_H

#include <wardmote/tinysec.h>

#define TINYSEC_NO_PAIR UINT8_MAX

/** Whether a key can be used: made, and of a cipher with blocks of 8 octets. */
wm_status wm_tinysec_key(const wm_cipher *cipher);

/** The keys that a packet to `dst` is made with.
 *  @retval WM_ERR_UNAVAILABLE_KEY  the keyring has none */
wm_status wm_tinysec_keys_to(const wm_tinysec *node, uint16_t dst, wm_tinysec_keys *keys);

/** Whether the source in the iv of a packet tells its keys. */
bool wm_tinysec_source_tells(const wm_tinysec *node, wm_tinysec_mode mode);

/** The first pair from `from` on that a received packet may have, by its number in the keyring; 0
 *  where the keys are the network's. `src` matters where it tells the keys.
 *  @returns TINYSEC_NO_PAIR  there is none */
uint8_t wm_tinysec_next_pair(const wm_tinysec *node, wm_tinysec_mode mode, uint16_t src,
                             uint8_t from);

/** The keys of that number. */
wm_tinysec_keys wm_tinysec_pair(const wm_tinysec *node, uint8_t pair);

#endif
