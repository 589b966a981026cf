/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets under an AEAD of today, with the fields of TinySec's AE:
 *
 *     dst 2 | type 1 | length 1 | src 2 | ctr 2 | ciphertext 0..29 | tag
 *
 * dst, type and length are associated data, and all that stands before the ciphertext is the nonce:
 * src and ctr never come twice under one key, for a counter that is used up ends sending. A packet that is sent again is taken
 * again, as TinySec does it without its table. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "aead.h"
#include "iv_store.h"
#include "protect.h"
#include "tinysec_block.h"

#define COUNTERS 0x10000u /* a counter on the air has 16 bits */
#define LENGTH_AT 3u
#define SRC_AT 4u
#define CTR_AT 6u

static struct {
    uint32_t counter; /* of the next packet that nothing has been prepared for */
    bool prepared;
    uint8_t packet[PROTECT_MOST];
} out;

static struct {
    uint8_t packet[PROTECT_MOST];
    uint8_t have;
    wm_status status;
} in;

bool protect_start(void)
{
    if (tinysec_setup_block.mode != WM_TINYSEC_AE || iv_store_open() != WM_OK) {
        return false;
    }
    out.counter = iv_store->ops->limit(iv_store);
    aead_start(tinysec_setup_block.key[0]);
    return true;
}

bool protect_prepare(void)
{
    if (!out.prepared && out.counter < COUNTERS &&
        iv_store->ops->continues(iv_store, out.counter) &&
        iv_store->ops->advance(iv_store, out.counter + 1) == WM_OK) {
        out.counter++;
        out.prepared = true;
    }
    return out.prepared;
}

uint8_t protect_make(const wm_tinysec_message *message, const uint8_t **packet)
{
    uint8_t *data = out.packet + AEAD_HEADER;
    const uint8_t len = message->len;
    if (len > WM_TINYSEC_DATA_MAX || !protect_prepare()) {
        return 0;
    }
    out.prepared = false;
    wm_store_le16(out.packet, message->dst);
    out.packet[2] = message->type;
    out.packet[LENGTH_AT] = len;
    wm_store_le16(out.packet + SRC_AT, tinysec_setup_block.address);
    wm_store_le16(out.packet + CTR_AT, (uint16_t)(out.counter - 1u));
    __builtin_memcpy(data, message->data, len);
    if (aead_begin(AEAD_MAKE, out.packet, len) != WM_OK ||
        aead_pass(AEAD_MAKE, data, len) != WM_OK || aead_end(AEAD_MAKE, data + len) != WM_OK) {
        wm_wipe(out.packet, sizeof out.packet);
        return 0;
    }
    *packet = out.packet;
    return (uint8_t)(AEAD_HEADER + len + aead_tag());
}

void protect_begin(void)
{
    in.have = 0;
    in.status = WM_ERR_MALFORMED;
}

/* What the header says. */
static wm_status judge(void)
{
    const uint16_t dst = wm_load_le16(in.packet), own = tinysec_setup_block.address;
    if (in.packet[LENGTH_AT] > WM_TINYSEC_DATA_MAX) {
        return WM_ERR_MALFORMED;
    }
    if (dst != own && dst != WM_TINYSEC_BROADCAST) {
        return WM_ERR_NOT_FOR_US;
    }
    if (wm_load_le16(in.packet + SRC_AT) == own) {
        return WM_ERR_COUNTER; /* somebody sends it back */
    }
    return aead_begin(AEAD_TAKE, in.packet, in.packet[LENGTH_AT]);
}

bool protect_take(uint8_t octet)
{
    uint8_t *place = &in.packet[in.have++];
    *place = octet;
    if (in.have < AEAD_HEADER) {
        return true;
    }
    if (in.have == AEAD_HEADER) {
        in.status = judge();
    } else if (in.have <= AEAD_HEADER + in.packet[LENGTH_AT]) {
        in.status = aead_pass(AEAD_TAKE, place, 1);
    }
    return in.status == WM_OK && in.have < protect_octets();
}

uint8_t protect_octets(void)
{
    const uint8_t len = in.packet[LENGTH_AT];
    const bool known = in.have >= AEAD_HEADER && len <= WM_TINYSEC_DATA_MAX;
    return known ? (uint8_t)(AEAD_HEADER + len + aead_tag()) : 0;
}

wm_status protect_end(wm_tinysec_message *message)
{
    const uint8_t len = in.packet[LENGTH_AT];
    if (in.status != WM_OK) {
        return in.status;
    }
    if (in.have < AEAD_HEADER || in.have != protect_octets()) {
        return WM_ERR_MALFORMED;
    }
    in.status = aead_end(AEAD_TAKE, in.packet + AEAD_HEADER + len);
    if (in.status == WM_OK) {
        message->dst = wm_load_le16(in.packet);
        message->src = wm_load_le16(in.packet + SRC_AT);
        message->type = in.packet[2];
        message->len = len;
        message->mode = WM_TINYSEC_AE;
        __builtin_memcpy(message->data, in.packet + AEAD_HEADER, len);
    }
    wm_wipe(in.packet, sizeof in.packet);
    return in.status;
}
