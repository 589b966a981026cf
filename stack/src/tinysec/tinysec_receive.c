/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's receiver: tag and plaintext while octets arrive.
 * References: the paper, sections 5.2, 5.3 and 8.
 * Order of checks: length, policy, address, group, type by the header; then the tag or the CRC; then
 * the sender's counter. Invariants: nothing leaves the receiver and nothing is stored before the tag
 * is right. A refused packet is wiped. */
#include <wardmote/cbc.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/tinysec.h>
#include "tinysec_packet.h"
#include "tinysec_replay.h"

#define COUNTED UINT16_MAX /* of refused packets */

uint8_t wm_tinysec_receive(wm_tinysec_receiver *receiver, const wm_tinysec *node)
{
    wm_wipe(receiver, sizeof *receiver);
    receiver->node = node;
    receiver->keys_made = node->keys_made;
    receiver->wanted = TINYSEC_HEADER;
    return TINYSEC_HEADER;
}

/* Whether `accept` wants a packet of this mode, and the keys are there for it. */
static wm_status policy(const wm_tinysec *node, wm_tinysec_mode mode)
{
    const wm_tinysec_accept other =
        mode == WM_TINYSEC_PLAIN ? WM_TINYSEC_AUTHENTICATED : WM_TINYSEC_CRC;
    if (node->accept > WM_TINYSEC_ANY || node->accept == other) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    wm_status status = mode == WM_TINYSEC_PLAIN ? WM_OK : wm_tinysec_key(node->mac);
    if (status == WM_OK && mode == WM_TINYSEC_AE) {
        status = node->encryption == NULL ? WM_ERR_IMPROPER_SECURITY_LEVEL
                                          : wm_tinysec_key(node->encryption);
    }
    return status;
}

/* What the header says: mode, length, and whether the packet is of use. */
static wm_status judge_header(wm_tinysec_receiver *receiver)
{
    const wm_tinysec *node = receiver->node;
    const uint8_t *packet = receiver->packet, octet = packet[3];
    const uint8_t data_octets = octet & TINYSEC_LENGTH;
    const uint16_t dst = wm_load_le16(packet);
    const bool secured = (octet & TINYSEC_SECURED) != 0;

    if (data_octets > WM_TINYSEC_DATA_MAX) {
        return WM_ERR_MALFORMED;
    }
    if (!secured) {
        receiver->mode = WM_TINYSEC_PLAIN;
        receiver->tag_at = (uint8_t)(TINYSEC_HEADER + TINYSEC_GROUP + data_octets);
    } else if ((octet & TINYSEC_ENCRYPTED) == 0) {
        receiver->mode = WM_TINYSEC_AUTH;
        receiver->tag_at = (uint8_t)(TINYSEC_HEADER + data_octets);
    } else {
        receiver->mode = WM_TINYSEC_AE;
        receiver->tag_at =
            (uint8_t)(TINYSEC_HEADER + TINYSEC_IV + wm_tinysec_ciphertext(data_octets));
    }
    wm_status status = policy(node, receiver->mode);
    if (status != WM_OK) {
        return status;
    }
    if ((dst != node->address && dst != WM_TINYSEC_BROADCAST) ||
        (node->wants != NULL && !node->wants(node->context, packet[2]))) {
        return WM_ERR_NOT_FOR_US;
    }
    receiver->wanted = (uint8_t)(receiver->tag_at + (secured ? WM_TINYSEC_TAG_LEN : TINYSEC_CRC));
    return WM_OK;
}

/* The tag begins when the header is there. */
static void begin_tag(wm_tinysec_receiver *receiver)
{
    const wm_tinysec *node = receiver->node;
    const bool auth = receiver->mode == WM_TINYSEC_AUTH;
    if (receiver->mode == WM_TINYSEC_PLAIN) {
        return;
    }
    wm_tinysec_mac_init(&receiver->mac, node->mac, node->profile,
                        (uint8_t)(receiver->tag_at + (auth ? TINYSEC_IV : 0)));
    wm_tinysec_mac_update(&receiver->mac, receiver->packet, TINYSEC_HEADER);
    if (auth) {
        wm_tinysec_mac_no_iv(&receiver->mac);
    }
    receiver->read = TINYSEC_HEADER;
}

/* Decrypts all received blocks except the last two, which CBC-CS3 takes together. */
static wm_status open_blocks(wm_tinysec_receiver *receiver, uint8_t end)
{
    const wm_cipher *cipher = receiver->node->encryption;
    wm_status status = WM_OK;
    if (receiver->opened == 0 && end >= TINYSEC_HEADER + TINYSEC_IV) {
        wm_tinysec_iv(receiver->node->profile, receiver->packet, receiver->chain);
        status = wm_tinysec_encrypt_iv(cipher, receiver->chain);
        receiver->opened = TINYSEC_HEADER + TINYSEC_IV;
    }
    while (status == WM_OK && receiver->opened != 0 &&
           end - receiver->opened >= (int)TINYSEC_BLOCK &&
           receiver->tag_at - receiver->opened > 2 * (int)TINYSEC_BLOCK) {
        status = wm_cbc_decrypt(cipher, receiver->chain, receiver->packet + receiver->opened,
                                TINYSEC_BLOCK);
        receiver->opened = (uint8_t)(receiver->opened + TINYSEC_BLOCK);
    }
    if (status == WM_OK && end == receiver->tag_at && receiver->opened < end) {
        status = wm_cbc_cs3_decrypt(cipher, receiver->chain, receiver->packet + receiver->opened,
                                    (size_t)(end - receiver->opened));
        receiver->opened = end;
    }
    return status;
}

/* Computes what can be computed from the octets that are there. */
static wm_status work(wm_tinysec_receiver *receiver)
{
    const uint8_t end = receiver->have < receiver->tag_at ? receiver->have : receiver->tag_at;
    if (receiver->keys_made != receiver->node->keys_made) {
        return WM_ERR_STATE;
    }
    if (receiver->mode == WM_TINYSEC_PLAIN) {
        const bool other = receiver->have > TINYSEC_HEADER &&
                           receiver->packet[TINYSEC_HEADER] != receiver->node->group;
        return other ? WM_ERR_NOT_FOR_US : WM_OK;
    }
    wm_tinysec_mac_update(&receiver->mac, receiver->packet + receiver->read,
                          (uint8_t)(end - receiver->read));
    receiver->read = end;
    return receiver->mode == WM_TINYSEC_AE ? open_blocks(receiver, end) : WM_OK;
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
        if (receiver->have < TINYSEC_HEADER) {
            break;
        }
        if (receiver->tag_at == 0) {
            receiver->status = judge_header(receiver);
            if (receiver->status == WM_OK) {
                begin_tag(receiver);
            }
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

/* Whether the end of a whole packet is right. */
static wm_status verify(wm_tinysec_receiver *receiver)
{
    const uint8_t *end = receiver->packet + receiver->tag_at;
    uint8_t tag[WM_TINYSEC_TAG_LEN];
    if (receiver->mode == WM_TINYSEC_PLAIN) {
        uint16_t crc = wm_tinysec_crc(0, receiver->packet, receiver->tag_at);
        return crc == wm_load_le16(end) ? WM_NOT_SECURED : WM_ERR_FCS;
    }
    wm_status status = wm_tinysec_mac_final(&receiver->mac, tag);
    if (status == WM_OK && wm_ct_diff(tag, end, sizeof tag) != 0) {
        status = WM_ERR_SECURITY;
    }
    wm_wipe(tag, sizeof tag);
    return status;
}

static void give(const wm_tinysec_receiver *receiver, wm_tinysec_message *message)
{
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
    } else if (receiver->mode == WM_TINYSEC_PLAIN) {
        at += TINYSEC_GROUP;
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
    if (status == WM_OK && receiver->mode == WM_TINYSEC_AE && node->replay != NULL) {
        status = wm_tinysec_hear(node->replay, receiver);
    }
    if (status >= WM_OK) {
        give(receiver, message);
    }
    wm_wipe(receiver, sizeof *receiver);
    return status;
}
