/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec with the cipher that is linked. */
#include <wardmote/counter_cells.h>
#include "cipher.h"
#include "protect.h"
#include "tinysec_block.h"

/* IVs that a reset may skip. A write to EEPROM takes 0.05 s, and there is one in as many packets. */
#define BLOCK 1024
#define TAG WM_TINYSEC_TAG_LEN
#define CRC 2u

static wm_counter_cells store;

static wm_counter_cells store;
static wm_tinysec node;
static wm_tinysec_receiver receiver;
static uint8_t packet[WM_TINYSEC_PACKET_MAX];

/* Whoever programs the image, and with it its keys, leaves the EEPROM erased: this is how a mote
 * that was never used is told from one whose counter is lost, because the store fails on anything
 * else. */
static wm_status open_store(void)
{
    wm_status status = wm_counter_cells_open(&store, 0, BLOCK);
    if (status == WM_ERR_NO_STORE) {
        status = wm_counter_cells_create(0);
        if (status == WM_OK) {
            status = wm_counter_cells_open(&store, 0, BLOCK);
        }
    }
    return status;
}

bool protect_start(void)
{
    const tinysec_setup *setup = &tinysec_setup_block;
    node.encryption = cipher_make(CIPHER_ENCRYPTION, setup->key);
    node.mac = cipher_make(CIPHER_MAC, setup->key + CIPHER_KEY_OCTETS);
    node.address = setup->address;
    node.group = setup->group;
    node.profile = (wm_tinysec_profile)setup->profile;
    node.send = (wm_tinysec_mode)setup->mode;
    node.accept = (wm_tinysec_accept)setup->accept;
    if (node.send == WM_TINYSEC_AE) {
        if (open_store() != WM_OK) {
            return false;
        }
        node.store = &store.counter;
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
