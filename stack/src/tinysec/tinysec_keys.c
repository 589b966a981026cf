/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's keys: the network's, or a keyring of links or groups.
 * References: the paper, section 7 and Table 1.
 * Invariants: all keys of a node share one counter, so that no IV comes twice under any of them. */
#include <wardmote/tinysec.h>
#include "../mode/bound.h"
#include "tinysec_keys.h"
#include "tinysec_packet.h"

wm_status wm_tinysec_key(const wm_cipher *cipher)
{
    if (cipher == NULL) {
        return WM_ERR_PARAM;
    }
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    return cipher->ops->block_octets == TINYSEC_BLOCK ? WM_OK : WM_ERR_PARAM;
}

static bool takes_tags(const wm_tinysec *node)
{
    return node->accept == WM_TINYSEC_AUTHENTICATED || node->accept == WM_TINYSEC_ANY;
}

/* Whether these keys do for what the node sends and accepts. */
static wm_status check_keys(const wm_tinysec *node, const wm_cipher *encryption,
                            const wm_cipher *mac)
{
    const bool opens = takes_tags(node) && encryption != NULL;
    wm_status status = WM_OK;
    if (node->send < WM_TINYSEC_PLAIN || takes_tags(node)) {
        status = wm_tinysec_key(mac);
    }
    if (status == WM_OK && (node->send == WM_TINYSEC_AE || opens)) {
        status = wm_tinysec_key(encryption);
    }
    if (status == WM_OK && opens && encryption->ops->decrypt == NULL) {
        status = WM_ERR_PARAM;
    }
    return status;
}

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

static wm_status check_ring(const wm_tinysec *node, const wm_tinysec_keyring *ring)
{
    const bool links = ring->keying == WM_TINYSEC_LINK;
    if (ring->keying > WM_TINYSEC_GROUP || ring->keys == NULL || ring->count == 0 ||
        ring->count == TINYSEC_NO_PAIR || (!links && ring->sends >= ring->count)) {
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < ring->count; i++) {
        const wm_tinysec_keys *keys = ring->keys + i;
        if (links && (keys->peer == WM_TINYSEC_BROADCAST ||
                      find(ring, keys->peer, (uint8_t)(i + 1)) != TINYSEC_NO_PAIR)) {
            return WM_ERR_PARAM;
        }
        wm_status status = check_keys(node, keys->encryption, keys->mac);
        if (status != WM_OK) {
            return status;
        }
    }
    return WM_OK;
}

wm_status wm_tinysec_start(wm_tinysec *node)
{
    wm_status status = node->keyring != NULL ? check_ring(node, node->keyring)
                                             : check_keys(node, node->encryption, node->mac);
    if (status != WM_OK) {
        return status;
    }
    if (node->store == NULL) {
        return node->send == WM_TINYSEC_AE ? WM_ERR_NO_STORE : WM_OK;
    }
    node->counter = wm_counter_store_limit(node->store, node->slot);
    node->prepared = false;
    return WM_OK;
}

/* All counters begin anew, or nothing changes. */
static wm_status begin_anew(wm_tinysec *node)
{
    if (node->store != NULL) {
        wm_status status = wm_counter_store_clear(node->store, node->slot);
        if (status != WM_OK) {
            return status;
        }
    }
    node->counter = 0;
    node->prepared = false;
    node->keys_made++;
    if (node->replay != NULL) {
        node->replay->heard = 0;
    }
    return WM_OK;
}

wm_status wm_tinysec_change_keys(wm_tinysec *node, const wm_cipher *encryption,
                                 const wm_cipher *mac)
{
    wm_status status = check_keys(node, encryption, mac);
    if (status == WM_OK) {
        status = begin_anew(node);
    }
    if (status == WM_OK) {
        node->keyring = NULL;
        node->encryption = encryption;
        node->mac = mac;
    }
    return status;
}

wm_status wm_tinysec_change_keyring(wm_tinysec *node, const wm_tinysec_keyring *keyring)
{
    wm_status status = keyring == NULL ? WM_ERR_PARAM : check_ring(node, keyring);
    if (status == WM_OK) {
        status = begin_anew(node);
    }
    if (status == WM_OK) {
        node->keyring = keyring;
        node->encryption = NULL;
        node->mac = NULL;
    }
    return status;
}

wm_status wm_tinysec_keys_to(const wm_tinysec *node, uint16_t dst, wm_tinysec_keys *keys)
{
    const wm_tinysec_keyring *ring = node->keyring;
    uint8_t pair = 0;
    if (ring != NULL) {
        pair = ring->keying == WM_TINYSEC_LINK ? find(ring, dst, 0) : ring->sends;
        if (pair >= ring->count) {
            return WM_ERR_UNAVAILABLE_KEY;
        }
    }
    *keys = wm_tinysec_pair(node, pair);
    return WM_OK;
}

bool wm_tinysec_source_tells(const wm_tinysec *node, wm_tinysec_mode mode)
{
    return mode == WM_TINYSEC_AE && node->keyring != NULL &&
           node->keyring->keying == WM_TINYSEC_LINK;
}

uint8_t wm_tinysec_next_pair(const wm_tinysec *node, wm_tinysec_mode mode, uint16_t src,
                             uint8_t from)
{
    const wm_tinysec_keyring *ring = node->keyring;
    if (ring == NULL) {
        return from == 0 ? 0 : TINYSEC_NO_PAIR;
    }
    for (; from < ring->count; from++) {
        const wm_tinysec_keys *keys = ring->keys + from;
        if ((mode != WM_TINYSEC_AE || keys->encryption != NULL) &&
            (!wm_tinysec_source_tells(node, mode) || keys->peer == src)) {
            return from;
        }
    }
    return TINYSEC_NO_PAIR;
}

wm_tinysec_keys wm_tinysec_pair(const wm_tinysec *node, uint8_t pair)
{
    if (node->keyring != NULL) {
        return node->keyring->keys[pair];
    }
    return (wm_tinysec_keys){
        .peer = WM_TINYSEC_NOBODY, .encryption = node->encryption, .mac = node->mac};
}
