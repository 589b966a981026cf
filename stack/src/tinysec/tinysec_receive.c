/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's receiver: tag and plaintext while octets arrive.
 * References: the paper, sections 5.2, 5.3 and 8.
 * Order of checks: length, policy, address, group, type, keys by the header; then the tag or the
 * CRC; then the sender's counter. Invariants: nothing leaves the receiver and nothing is stored
 * before the tag is right. A refused packet is wiped. */
#include "tinysec_receive.h"
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/tinysec.h>
#include "../util/compiler.h"
#include "tinysec_keys.h"
#include "tinysec_packet.h"
#include "tinysec_replay.h"

#define COUNTED UINT16_MAX /* of refused packets */

/* Octets that say how long the packet is. */
static uint8_t header(const wm_tinysec *node)
{
    return node->accept == WM_TINYSEC_STANDARD_CRC ? TINYSEC_HEADER + TINYSEC_GROUP
                                                   : TINYSEC_HEADER;
}

uint8_t wm_tinysec_receive(wm_tinysec_receiver *receiver, const wm_tinysec *node)
{
    wm_wipe(receiver, sizeof *receiver);
    receiver->node = node;
    receiver->keys_made = node->keys_made;
    receiver->wanted = header(node);
    return receiver->wanted;
}

/* What `length` says: mode, octets of data, and where the tag begins. */
static uint8_t read_length(wm_tinysec_receiver *receiver)
{
    const bool standard = receiver->node->accept == WM_TINYSEC_STANDARD_CRC;
    const uint8_t octet = receiver->packet[standard ? TINYSEC_HEADER : TINYSEC_HEADER - 1];
    const uint8_t data_octets = standard ? octet : octet & TINYSEC_LENGTH;
    uint8_t before = TINYSEC_HEADER + TINYSEC_GROUP, body = data_octets;

    if (standard) {
        receiver->mode = WM_TINYSEC_STANDARD;
    } else if ((octet & TINYSEC_SECURED) == 0) {
        receiver->mode = WM_TINYSEC_PLAIN;
    } else if ((octet & TINYSEC_ENCRYPTED) == 0) {
        receiver->mode = WM_TINYSEC_AUTH;
        before = TINYSEC_HEADER;
    } else {
        receiver->mode = WM_TINYSEC_AE;
        before = TINYSEC_HEADER + TINYSEC_IV;
        body = wm_tinysec_ciphertext(data_octets);
    }
    receiver->tag_at = (uint8_t)(before + body);
    return data_octets;
}

/* What the header says: mode, length, and whether the packet is of use. Not inline, and
 * wm_tinysec_begin_tag neither: each octet would pay for their registers, 4 800 cycles of 40 800 a
 * packet on the AVR. */
WM_NOINLINE static wm_status judge_header(wm_tinysec_receiver *receiver)
{
    const wm_tinysec *node = receiver->node;
    const uint8_t *packet = receiver->packet;
    const uint16_t dst = wm_load_le16(packet);
    if (read_length(receiver) > WM_TINYSEC_DATA_MAX) {
        return WM_ERR_MALFORMED;
    }
    const bool tagged = receiver->mode < WM_TINYSEC_PLAIN;
    const wm_tinysec_accept other = tagged ? WM_TINYSEC_CRC : WM_TINYSEC_AUTHENTICATED;
    if (node->accept > WM_TINYSEC_STANDARD_CRC || node->accept == other) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if ((dst != node->address && dst != WM_TINYSEC_BROADCAST) ||
        (receiver->mode == WM_TINYSEC_STANDARD && packet[3] != node->group) ||
        (node->wants != NULL && !node->wants(node->context, packet[2]))) {
        return WM_ERR_NOT_FOR_US;
    }
    receiver->wanted = (uint8_t)(receiver->tag_at + (tagged ? WM_TINYSEC_TAG_LEN : TINYSEC_CRC));
    return WM_OK;
}

WM_NOINLINE wm_status wm_tinysec_begin_tag(wm_tinysec_receiver *receiver,
                                           const wm_cipher *encryption, const wm_cipher *mac)
{
    const bool ae = receiver->mode == WM_TINYSEC_AE;
    wm_status status = wm_tinysec_key(mac);
    if (status == WM_OK && ae) {
        status = encryption == NULL ? WM_ERR_IMPROPER_SECURITY_LEVEL : wm_tinysec_key(encryption);
    }
    if (status == WM_OK && ae && encryption->ops->decrypt == NULL) {
        status = WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (status != WM_OK) {
        return status;
    }
    receiver->encryption = ae ? encryption : NULL;
    wm_tinysec_mac_init(&receiver->mac, mac, receiver->node->profile,
                        (uint8_t)(receiver->tag_at + (ae ? 0 : TINYSEC_IV)));
    wm_tinysec_mac_update(&receiver->mac, receiver->packet, TINYSEC_HEADER);
    if (!ae) {
        wm_tinysec_mac_no_iv(&receiver->mac);
    }
    receiver->read = TINYSEC_HEADER;
    return WM_OK;
}

/* Under the keys that the packet may have. */
static wm_status begin(wm_tinysec_receiver *receiver)
{
    const wm_tinysec *node = receiver->node;
    return node->keyring != NULL ? node->keyring->keying->begin(receiver)
                                 : wm_tinysec_begin_tag(receiver, node->encryption, node->mac);
}

wm_status wm_tinysec_open_blocks(wm_tinysec_receiver *receiver, uint8_t end)
{
    const wm_cipher *cipher = receiver->encryption;
    if (receiver->opened == 0) {
        if (end < TINYSEC_HEADER + TINYSEC_IV) {
            return WM_OK;
        }
        wm_tinysec_cbc_begin(cipher, receiver->node->profile, receiver->packet, &receiver->chain);
        receiver->opened = TINYSEC_HEADER + TINYSEC_IV;
    }
    while (end - receiver->opened >= (int)TINYSEC_BLOCK &&
           receiver->tag_at - receiver->opened > 2 * (int)TINYSEC_BLOCK) {
        wm_tinysec_cbc_decrypt(cipher, &receiver->chain, receiver->packet + receiver->opened,
                               TINYSEC_BLOCK);
        receiver->opened = (uint8_t)(receiver->opened + TINYSEC_BLOCK);
    }
    if (end == receiver->tag_at && receiver->opened < end) {
        wm_tinysec_cbc_decrypt(cipher, &receiver->chain, receiver->packet + receiver->opened,
                               (uint8_t)(end - receiver->opened));
        receiver->opened = end;
    }
    return wm_tinysec_engine(cipher);
}

/* Computes what can be computed from the octets that are there. */
static wm_status work(wm_tinysec_receiver *receiver)
{
    const uint8_t end = receiver->have < receiver->tag_at ? receiver->have : receiver->tag_at;
    if (receiver->keys_made != receiver->node->keys_made) {
        return WM_ERR_STATE;
    }
    if (receiver->mode == WM_TINYSEC_STANDARD) {
        return WM_OK;
    }
    if (receiver->mode == WM_TINYSEC_PLAIN) {
        const bool other = receiver->have > TINYSEC_HEADER &&
                           receiver->packet[TINYSEC_HEADER] != receiver->node->group;
        return other ? WM_ERR_NOT_FOR_US : WM_OK;
    }
    if (receiver->read == 0) {
        wm_status status = begin(receiver);
        if (status != WM_OK || receiver->read == 0) {
            return status;
        }
    }
    wm_tinysec_mac_update(&receiver->mac, receiver->packet + receiver->read,
                          (uint8_t)(end - receiver->read));
    receiver->read = end;
    return receiver->encryption != NULL ? wm_tinysec_open_blocks(receiver, end) : WM_OK;
}

uint8_t wm_tinysec_take(wm_tinysec_receiver *receiver, const uint8_t *octets, size_t len)
{
    while (len != 0 && receiver->have < receiver->wanted) {
        uint8_t n = (uint8_t)(receiver->wanted - receiver->have);
        if (len < n) {
            n = (uint8_t)len;
        }
        len -= n;
        for (; n != 0; n--) {
            receiver->packet[receiver->have++] = *octets++;
        }
        if (receiver->tag_at == 0) {
            if (receiver->have < header(receiver->node)) {
                break;
            }
            receiver->status = judge_header(receiver);
        }
        if (receiver->status == WM_OK) {
            receiver->status = work(receiver);
        }
        if (receiver->status != WM_OK) {
            receiver->wanted = receiver->have; /* early rejection */
        }
    }
    return (uint8_t)(receiver->wanted - receiver->have);
}

wm_status wm_tinysec_verify_tag(wm_tinysec_receiver *receiver)
{
    const uint8_t *end = receiver->packet + receiver->tag_at;
    uint8_t tag[WM_TINYSEC_TAG_LEN];
    wm_status status = wm_tinysec_mac_final(&receiver->mac, tag);
    if (status == WM_OK && wm_ct_diff(tag, end, sizeof tag) != 0) {
        status = WM_ERR_SECURITY;
    }
    wm_wipe(tag, sizeof tag);
    return status;
}

/* Whether the end of a whole packet is right. */
static wm_status verify(wm_tinysec_receiver *receiver)
{
    const uint8_t tag_at = receiver->tag_at;
    const wm_tinysec_keyring *ring = receiver->node->keyring;
    if (receiver->mode >= WM_TINYSEC_PLAIN) {
        uint16_t crc = wm_tinysec_crc(0, receiver->packet, tag_at);
        return crc == wm_load_le16(receiver->packet + tag_at) ? WM_NOT_SECURED : WM_ERR_FCS;
    }
    wm_status status = wm_tinysec_verify_tag(receiver);
    return ring != NULL ? ring->keying->settle(receiver, status) : status;
}

static void give(const wm_tinysec_receiver *receiver, wm_tinysec_message *message)
{
    const wm_tinysec_keyring *ring = receiver->node->keyring;
    const uint8_t *packet = receiver->packet;
    uint8_t at = TINYSEC_HEADER;
    message->dst = wm_load_le16(packet);
    message->type = packet[2];
    message->len = packet[3] & TINYSEC_LENGTH;
    message->mode = receiver->mode;
    message->src = WM_TINYSEC_NOBODY;
    if (receiver->mode == WM_TINYSEC_AE) {
        message->src = wm_tinysec_source(receiver);
        at += TINYSEC_IV;
    } else if (receiver->mode == WM_TINYSEC_STANDARD) {
        message->len = packet[at++];
    } else if (receiver->mode == WM_TINYSEC_PLAIN) {
        at += TINYSEC_GROUP;
    } else if (ring != NULL && ring->keying->links) {
        message->src = ring->keys[receiver->pair].peer;
    }
    for (uint8_t i = 0; i < message->len; i++) {
        message->data[i] = packet[at + i];
    }
}

wm_status wm_tinysec_accept_packet(wm_tinysec *node, wm_tinysec_receiver *receiver,
                                   wm_tinysec_message *message)
{
    wm_status status = receiver->status;
    if (receiver->node != node) {
        status = WM_ERR_STATE;
    } else if (status == WM_OK && (receiver->have < receiver->wanted || receiver->tag_at == 0)) {
        status = WM_ERR_MALFORMED;
    } else if (status == WM_OK && receiver->keys_made != node->keys_made) {
        status = WM_ERR_STATE;
    }
    if (status == WM_OK) {
        status = verify(receiver);
    }
    if (status == WM_ERR_SECURITY && node->refused != COUNTED) {
        node->refused++;
    }
    if (status == WM_OK && receiver->mode == WM_TINYSEC_AE) {
        status = wm_tinysec_hear(node->replay, receiver);
    }
    if (status >= WM_OK) {
        give(receiver, message);
    }
    wm_wipe(receiver, sizeof *receiver);
    return status;
}
