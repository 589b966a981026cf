/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's sender: counter of the IV, and packets.
 * References: the paper, sections 5.2 and 5.3.
 * Invariants: the store knows that a counter is used before a packet has it. A refused call leaves
 * packet and counter unchanged. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/tinysec.h>
#include "tinysec_keys.h"
#include "tinysec_packet.h"

#define COUNTERS 0x10000u /* a counter on the air has 16 bits */

/* The counter of the next IV is used from now on, whatever happens. It is node->counter - 1. */
static wm_status use_counter(wm_tinysec *node)
{
    if (node->prepared) {
        return WM_OK;
    }
    if (!wm_counter_made(node->store)) {
        return WM_ERR_NO_STORE;
    }
    if (node->counter == UINT32_MAX ||
        (node->counter >= COUNTERS && !node->reuse_ivs_when_used_up)) {
        return WM_ERR_COUNTER;
    }
    const wm_counter_ops *store = node->store->ops;
    if (!store->continues(node->store, node->counter)) {
        return WM_ERR_STATE;
    }
    wm_status status = store->advance(node->store, node->counter + 1);
    if (status == WM_OK) {
        node->counter++;
        node->prepared = true;
    }
    return status;
}

wm_status wm_tinysec_prepare(wm_tinysec *node)
{
    return node->send == WM_TINYSEC_AE ? use_counter(node) : WM_OK;
}

/* Octets of the packet of a message. */
static uint8_t octets_of(wm_tinysec_mode mode, uint8_t data_octets)
{
    if (mode >= WM_TINYSEC_PLAIN) {
        return (uint8_t)(TINYSEC_HEADER + TINYSEC_GROUP + data_octets + TINYSEC_CRC);
    }
    uint8_t body = mode == WM_TINYSEC_AE
                       ? (uint8_t)(TINYSEC_IV + wm_tinysec_ciphertext(data_octets))
                       : data_octets;
    return (uint8_t)(TINYSEC_HEADER + body + WM_TINYSEC_TAG_LEN);
}

static void copy(uint8_t *to, const uint8_t *from, uint8_t octets)
{
    for (; octets != 0; octets--) {
        *to++ = *from++;
    }
}

static wm_status make_plain(const wm_tinysec *node, const wm_tinysec_message *message,
                            uint8_t *packet)
{
    uint8_t crc_at = (uint8_t)(TINYSEC_HEADER + TINYSEC_GROUP + message->len);
    const bool standard = node->send == WM_TINYSEC_STANDARD;
    packet[3] = standard ? node->group : message->len;
    packet[TINYSEC_HEADER] = standard ? message->len : node->group;
    copy(packet + TINYSEC_HEADER + TINYSEC_GROUP, message->data, message->len);
    wm_store_le16(packet + crc_at, wm_tinysec_crc(0, packet, crc_at));
    return WM_NOT_SECURED;
}

static wm_status make_auth(const wm_tinysec *node, const wm_cipher *key,
                           const wm_tinysec_message *message, uint8_t *packet)
{
    wm_tinysec_mac mac;
    uint8_t tag_at = (uint8_t)(TINYSEC_HEADER + message->len);
    packet[3] |= TINYSEC_SECURED;
    copy(packet + TINYSEC_HEADER, message->data, message->len);
    wm_tinysec_mac_init(&mac, key, node->profile, (uint8_t)(tag_at + TINYSEC_IV));
    wm_tinysec_mac_update(&mac, packet, TINYSEC_HEADER);
    wm_tinysec_mac_no_iv(&mac);
    wm_tinysec_mac_update(&mac, packet + TINYSEC_HEADER, message->len);
    return wm_tinysec_mac_final(&mac, packet + tag_at);
}

static wm_status make_ae(const wm_tinysec *node, const wm_tinysec_keys *keys, uint16_t counter,
                         const wm_tinysec_message *message, uint8_t *packet)
{
    wm_tinysec_mac mac;
    wm_block128 chain;
    uint8_t *body = packet + TINYSEC_HEADER + TINYSEC_IV;
    const uint8_t octets = wm_tinysec_ciphertext(message->len);
    const uint8_t tag_at = (uint8_t)(TINYSEC_HEADER + TINYSEC_IV + octets);
    const bool shipped = node->profile == WM_TINYSEC_SHIPPED;
    packet[3] |= TINYSEC_SECURED | TINYSEC_ENCRYPTED;
    wm_store_le16(packet + TINYSEC_HEADER + (shipped ? 0 : 2), counter);
    wm_store_le16(packet + TINYSEC_HEADER + (shipped ? 2 : 0), node->address);
    copy(body, message->data, octets);
    wm_tinysec_cbc_begin(keys->encryption, node->profile, packet, &chain);
    wm_tinysec_cbc_encrypt(keys->encryption, &chain, body, octets);
    const wm_status status = wm_tinysec_engine(keys->encryption);
    if (status != WM_OK) {
        return status;
    }
    wm_tinysec_mac_init(&mac, keys->mac, node->profile, tag_at);
    wm_tinysec_mac_update(&mac, packet, tag_at);
    return wm_tinysec_mac_final(&mac, packet + tag_at);
}

/* Whether a message can be sent, and with which keys if a keyring has them: all that is refused
 * without a counter being used. */
static wm_status may_send(const wm_tinysec *node, const wm_tinysec_message *message, size_t size,
                          wm_tinysec_keys *keys)
{
    if (message->len > WM_TINYSEC_DATA_MAX || node->send > WM_TINYSEC_STANDARD) {
        return WM_ERR_PARAM;
    }
    if (octets_of(node->send, message->len) > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (node->send >= WM_TINYSEC_PLAIN) {
        return WM_OK;
    }
    if (node->keyring != NULL) {
        const uint8_t pair = node->keyring->keying->pair_to(node->keyring, message->dst);
        if (pair == TINYSEC_NO_PAIR) {
            return WM_ERR_UNAVAILABLE_KEY;
        }
        *keys = node->keyring->keys[pair];
    }
    wm_status status = wm_tinysec_key(keys->mac);
    if (status == WM_OK && node->send == WM_TINYSEC_AE) {
        status = wm_tinysec_key(keys->encryption);
    }
    return status;
}

wm_status wm_tinysec_secure(wm_tinysec *node, const wm_tinysec_message *message, uint8_t *packet,
                            size_t size, uint8_t *len)
{
    wm_tinysec_keys keys = {.encryption = node->encryption, .mac = node->mac};
    wm_status status = may_send(node, message, size, &keys);
    if (status == WM_OK && node->send == WM_TINYSEC_AE) {
        status = use_counter(node);
    }
    if (status != WM_OK) {
        return status;
    }
    wm_store_le16(packet, message->dst);
    packet[2] = message->type;
    packet[3] = message->len;
    if (node->send >= WM_TINYSEC_PLAIN) {
        status = make_plain(node, message, packet);
    } else if (node->send == WM_TINYSEC_AUTH) {
        status = make_auth(node, keys.mac, message, packet);
    } else {
        node->prepared = false;
        status = make_ae(node, &keys, (uint16_t)(node->counter - 1), message, packet);
    }
    if (status < WM_OK) {
        wm_wipe(packet, octets_of(node->send, message->len));
        return status;
    }
    *len = octets_of(node->send, message->len);
    return status;
}
