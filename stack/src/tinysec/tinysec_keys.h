/* SPDX-License-Identifier: BSD-3-Clause */
/* Which keys a packet has: the network's, or those of a keyring. What a keyring needs is reached by
 * its `keying` alone, so that a program without a keyring does not link it. */
#ifndef WM_TINYSEC_KEYS_H
#define WM_TINYSEC_KEYS_H

#include <wardmote/tinysec.h>

#define TINYSEC_NO_PAIR UINT8_MAX

/** What a way of keying does. */
struct wm_tinysec_keying {
    bool links; /**< a pair is for one neighbour */
    /** Whether the keyring can be used by the node. */
    wm_status (*check)(const wm_tinysec *node, const wm_tinysec_keyring *ring);
    /** The number of the pair that a packet to `dst` is made with; TINYSEC_NO_PAIR: there is none. */
    uint8_t (*pair_to)(const wm_tinysec_keyring *ring, uint16_t dst);
    /** Begins the tag of a packet whose header is there; if it does not, it waits for more octets.
     *  @retval WM_ERR_UNAVAILABLE_KEY  the keyring has no keys for it */
    wm_status (*begin)(wm_tinysec_receiver *receiver);
    /** Answers a whole packet that the first pair answered with `status`: tries the others, and
     *  decrypts what waited for the tag. */
    wm_status (*settle)(wm_tinysec_receiver *receiver, wm_status status);
};

/** Whether a key can be used: made, and of a cipher with blocks of 8 octets. */
wm_status wm_tinysec_key(const wm_cipher *cipher);

/** Whether these keys do for what the node sends and accepts. */
wm_status wm_tinysec_check_keys(const wm_tinysec *node, const wm_cipher *encryption,
                                const wm_cipher *mac);

/** The same, and whether the node has none of them now: its counter would begin again under a key
 *  that has used it. */
wm_status wm_tinysec_check_new(const wm_tinysec *node, const wm_cipher *encryption,
                               const wm_cipher *mac);

/** Takes new keys, a keyring or the network's, whose check said `status`: all counters begin at 0
 *  again. Or nothing changes. */
wm_status wm_tinysec_begin_anew(wm_tinysec *node, wm_status status,
                                const wm_tinysec_keyring *keyring, const wm_cipher *encryption,
                                const wm_cipher *mac);

#endif
