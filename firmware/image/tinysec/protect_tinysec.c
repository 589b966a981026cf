/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec with the cipher that is linked. */
#include "cipher.h"
#include "iv_store.h"
#include "protect.h"
#include "tinysec_block.h"

#define TAG WM_TINYSEC_TAG_LEN
#define CRC 2u

static wm_tinysec node;
static wm_tinysec_receiver receiver;
static uint8_t packet[WM_TINYSEC_PACKET_MAX];

bool protect_start(void)
{
    const tinysec_setup *setup = &tinysec_setup_block;
    node.encryption = cipher_make(CIPHER_ENCRYPTION, setup->key[0]);
    node.mac = cipher_make(CIPHER_MAC, setup->key[1]);
    node.address = setup->address;
    node.group = setup->group;
    node.profile = (wm_tinysec_profile)setup->profile;
    node.send = (wm_tinysec_mode)setup->mode;
    node.accept = (wm_tinysec_accept)setup->accept;
    if (node.send == WM_TINYSEC_AE) {
        if (iv_store_open() != WM_OK) {
            return false;
        }
        node.store = iv_store;
    }
    return wm_tinysec_start(&node) == WM_OK;
}

bool protect_prepare(void)
{
    return wm_tinysec_prepare(&node) == WM_OK;
}

uint8_t protect_make(const wm_tinysec_message *message, const uint8_t **made)
{
    uint8_t octets;
    if (wm_tinysec_secure(&node, message, packet, sizeof packet, &octets) < WM_OK) {
        return 0;
    }
    *made = packet;
    return octets;
}

void protect_begin(void)
{
    (void)wm_tinysec_receive(&receiver, &node);
}

bool protect_take(uint8_t octet)
{
    return wm_tinysec_take(&receiver, &octet, 1) != 0;
}

uint8_t protect_octets(void)
{
    if (receiver.tag_at == 0 || receiver.status == WM_ERR_MALFORMED) {
        return 0;
    }
    return (uint8_t)(receiver.tag_at + (receiver.mode < WM_TINYSEC_PLAIN ? TAG : CRC));
}

wm_status protect_end(wm_tinysec_message *message)
{
    return wm_tinysec_accept_packet(&node, &receiver, message);
}
