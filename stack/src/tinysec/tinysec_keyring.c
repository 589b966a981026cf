/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's keyrings: keys of links or groups.
 * References: the paper, section 7 and Table 1.
 * Invariants: a pair is tried only after the tag was wrong under the one before it. Decryption waits
 * until the tag is right where more than one pair may be it: the tag is over the ciphertext. */
#include <wardmote/octets.h>
#include <wardmote/tinysec.h>
#include "tinysec_keys.h"
#include "tinysec_packet.h"
#include "tinysec_receive.h"
#include "tinysec_replay.h"

/* The pair of a peer, from `from` on. */
static uint8_t find(const wm_tinysec_keyring *ring, uint16_t peer, uint8_t from)
{
    for (; from < ring->count; from++) {
        if (ring->keys[from].peer == peer) {
            return from;
        }
    }
    return TINYSEC_NO_PAIR;
}

static wm_status check(const wm_tinysec *node, const wm_tinysec_keyring *ring)
{
    const bool links = ring->keying->links;
    if (ring->keys == NULL || ring->count == 0 || ring->count == TINYSEC_NO_PAIR ||
        (!links && ring->sends >= ring->count)) {
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < ring->count; i++) {
        const wm_tinysec_keys *keys = ring->keys + i;
        if (links && (keys->peer == WM_TINYSEC_BROADCAST ||
                      find(ring, keys->peer, (uint8_t)(i + 1)) != TINYSEC_NO_PAIR)) {
            return WM_ERR_PARAM;
        }
        wm_status status = wm_tinysec_check_keys(node, keys->encryption, keys->mac);
        if (status != WM_OK) {
            return status;
        }
    }
    return WM_OK;
}

static uint8_t pair_of_peer(const wm_tinysec_keyring *ring, uint16_t dst)
{
    return find(ring, dst, 0);
}

static uint8_t pair_that_sends(const wm_tinysec_keyring *ring, uint16_t dst)
{
    (void)dst;
    return ring->sends < ring->count ? ring->sends : TINYSEC_NO_PAIR;
}

/* Whether the source in the iv of a packet tells its keys. */
static bool source_tells(const wm_tinysec_receiver *receiver)
{
    return receiver->mode == WM_TINYSEC_AE && receiver->node->keyring->keying->links;
}

/* The first pair from `from` on that a packet may have. */
static uint8_t next_pair(const wm_tinysec_receiver *receiver, uint8_t from)
{
    const wm_tinysec_keyring *ring = receiver->node->keyring;
    const bool tells = source_tells(receiver);
    const uint16_t src = wm_tinysec_source(receiver);
    for (; from < ring->count; from++) {
        const wm_tinysec_keys *keys = ring->keys + from;
        if ((receiver->mode != WM_TINYSEC_AE || keys->encryption != NULL) &&
            (!tells || keys->peer == src)) {
            return from;
        }
    }
    return TINYSEC_NO_PAIR;
}

/* Begins the tag under the next pair of keys, from the number `from` on. */
static wm_status try_pair(wm_tinysec_receiver *receiver, uint8_t from)
{
    const uint8_t pair = next_pair(receiver, from);
    if (pair == TINYSEC_NO_PAIR) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    const bool alone = next_pair(receiver, 0) == pair &&
                       next_pair(receiver, (uint8_t)(pair + 1)) == TINYSEC_NO_PAIR;
    const wm_tinysec_keys *keys = receiver->node->keyring->keys + pair;
    wm_status status = wm_tinysec_begin_tag(receiver, keys->encryption, keys->mac);
    if (status == WM_OK) {
        receiver->pair = pair;
        receiver->encryption = alone ? receiver->encryption : NULL;
    }
    return status;
}

static wm_status begin(wm_tinysec_receiver *receiver)
{
    const uint16_t dst = wm_load_le16(receiver->packet);
    if (dst == WM_TINYSEC_BROADCAST && receiver->node->keyring->keying->links) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    if (receiver->have < TINYSEC_HEADER + TINYSEC_IV && source_tells(receiver)) {
        return WM_OK;
    }
    return try_pair(receiver, 0);
}

static wm_status settle(wm_tinysec_receiver *receiver, wm_status status)
{
    const uint8_t tag_at = receiver->tag_at;
    while (status == WM_ERR_SECURITY) {
        wm_status next = try_pair(receiver, (uint8_t)(receiver->pair + 1));
        if (next == WM_ERR_UNAVAILABLE_KEY) {
            break;
        }
        status = next;
        if (status == WM_OK) {
            wm_tinysec_mac_update(&receiver->mac, receiver->packet + TINYSEC_HEADER,
                                  (uint8_t)(tag_at - TINYSEC_HEADER));
            status = wm_tinysec_verify_tag(receiver);
        }
    }
    if (status == WM_OK && receiver->mode == WM_TINYSEC_AE && receiver->encryption == NULL) {
        receiver->encryption = receiver->node->keyring->keys[receiver->pair].encryption;
        status = wm_tinysec_open_blocks(receiver, tag_at);
    }
    return status;
}

const wm_tinysec_keying wm_tinysec_link = {true, check, pair_of_peer, begin, settle};
const wm_tinysec_keying wm_tinysec_group = {false, check, pair_that_sends, begin, settle};

wm_status wm_tinysec_change_keyring(wm_tinysec *node, const wm_tinysec_keyring *keyring)
{
    const bool there = keyring != NULL && keyring->keying != NULL;
    wm_status status = there ? check(node, keyring) : WM_ERR_PARAM;
    for (uint8_t i = 0; status == WM_OK && i < keyring->count; i++) {
        status = wm_tinysec_check_new(node, keyring->keys[i].encryption, keyring->keys[i].mac);
    }
    return wm_tinysec_begin_anew(node, status, keyring, NULL, NULL);
}
