/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's keys: the network's, and what all keys have in common.
 * References: the paper, section 7.
 * Invariants: all keys of a node share one counter, so that no IV comes twice under any of them. */
#include "tinysec_keys.h"
#include <wardmote/ct.h>
#include <wardmote/tinysec.h>
#include "../mode/bound.h"
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

/* Whether two keys differ, by what they make of a block of zeros. What cannot be used differs from
 * all. */
static wm_status differ(const wm_cipher *one, const wm_cipher *other)
{
    wm_block128 block[2] = {{{0}}, {{0}}};
    if (wm_tinysec_key(one) != WM_OK || wm_tinysec_key(other) != WM_OK) {
        return WM_OK;
    }
    wm_tinysec_encrypt(one, block);
    wm_tinysec_encrypt(other, block + 1);
    wm_status status = wm_tinysec_engine(one);
    if (status == WM_OK) {
        status = wm_tinysec_engine(other);
    }
    if (status == WM_OK && wm_ct_diff(block[0].octet, block[1].octet, TINYSEC_BLOCK) == 0) {
        status = WM_ERR_PARAM;
    }
    wm_wipe(block, sizeof block);
    return status;
}

static bool takes_tags(const wm_tinysec *node)
{
    return node->accept == WM_TINYSEC_AUTHENTICATED || node->accept == WM_TINYSEC_ANY;
}

wm_status wm_tinysec_check_keys(const wm_tinysec *node, const wm_cipher *encryption,
                                const wm_cipher *mac)
{
    const bool opens = takes_tags(node) && encryption != NULL;
    wm_status status = WM_OK;
    if (node->send < WM_TINYSEC_PLAIN || takes_tags(node)) {
        status = wm_tinysec_key(mac);
    }
    if (status == WM_OK && (node->send == WM_TINYSEC_AE || opens)) {
        status = wm_tinysec_key(encryption);
        if (status == WM_OK) {
            status = differ(encryption, mac);
        }
    }
    if (status == WM_OK && opens && encryption->ops->decrypt == NULL) {
        status = WM_ERR_PARAM;
    }
    return status;
}

wm_status wm_tinysec_check_new(const wm_tinysec *node, const wm_cipher *encryption,
                               const wm_cipher *mac)
{
    const wm_tinysec_keyring *ring = node->keyring;
    const wm_tinysec_keys own = {.encryption = node->encryption, .mac = node->mac};
    const wm_tinysec_keys *pair = ring != NULL ? ring->keys : &own;
    wm_status status = wm_tinysec_check_keys(node, encryption, mac);
    for (uint8_t n = ring != NULL ? ring->count : 1; n != 0 && pair != NULL; n--, pair++) {
        if (status == WM_OK) {
            status = differ(encryption, pair->encryption);
        }
        if (status == WM_OK) {
            status = differ(mac, pair->mac);
        }
    }
    return status;
}

wm_status wm_tinysec_start(wm_tinysec *node)
{
    const wm_tinysec_keyring *ring = node->keyring;
    wm_status status = WM_ERR_PARAM;
    if (ring == NULL) {
        status = wm_tinysec_check_keys(node, node->encryption, node->mac);
    } else if (ring->keying != NULL) {
        status = ring->keying->check(node, ring);
    }
    if (status != WM_OK) {
        return status;
    }
    if (node->store == NULL) {
        return node->send == WM_TINYSEC_AE ? WM_ERR_NO_STORE : WM_OK;
    }
    if (!wm_counter_made(node->store)) {
        return WM_ERR_NO_STORE;
    }
    node->counter = node->store->ops->limit(node->store);
    node->prepared = false;
    return WM_OK;
}

wm_status wm_tinysec_begin_anew(wm_tinysec *node, wm_status status,
                                const wm_tinysec_keyring *keyring, const wm_cipher *encryption,
                                const wm_cipher *mac)
{
    if (status == WM_OK && wm_counter_made(node->store)) {
        status = node->store->ops->clear(node->store);
    }
    if (status != WM_OK) {
        return status;
    }
    node->counter = 0;
    node->prepared = false;
    node->keys_made++;
    for (uint8_t i = 0; node->replay != NULL && i < node->replay->heard; i++) {
        node->replay->senders[i].next = 0;
    }
    node->keyring = keyring;
    node->encryption = encryption;
    node->mac = mac;
    return WM_OK;
}

wm_status wm_tinysec_change_keys(wm_tinysec *node, const wm_cipher *encryption,
                                 const wm_cipher *mac)
{
    const wm_status status = wm_tinysec_check_new(node, encryption, mac);
    return wm_tinysec_begin_anew(node, status, NULL, encryption, mac);
}
