/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of TinyOS 1.x without TinySec:
 *
 *     dst 2 | type 1 | group 1 | length 1 | data 0..29 | CRC 2 */
#include <wardmote/octets.h>
#include "crc.h"
#include "protect.h"
#include "tinysec_block.h"

#define HEADER 5u
#define CRC 2u

static struct {
    uint8_t octet[HEADER + WM_TINYSEC_DATA_MAX + CRC];
    uint8_t have;
    uint16_t crc; /* of what is there, but for the CRC itself */
    wm_status status;
} in;
static uint8_t out[sizeof in.octet];

bool protect_start(void)
{
    return tinysec_setup_block.mode == WM_TINYSEC_PLAIN;
}

bool protect_prepare(void)
{
    return true;
}

uint8_t protect_make(const wm_tinysec_message *message, const uint8_t **packet)
{
    uint8_t end = HEADER;
    uint16_t crc = 0;
    if (message->len > WM_TINYSEC_DATA_MAX) {
        return 0;
    }
    wm_store_le16(out, message->dst);
    out[2] = message->type;
    out[3] = tinysec_setup_block.group;
    out[4] = message->len;
    for (uint8_t i = 0; i < message->len; i++) {
        out[end++] = message->data[i];
    }
    for (uint8_t i = 0; i < end; i++) {
        crc = crc_with(crc, out[i]);
    }
    wm_store_le16(out + end, crc);
    *packet = out;
    return (uint8_t)(end + CRC);
}

void protect_begin(void)
{
    in.have = 0;
    in.crc = 0;
    in.status = WM_ERR_MALFORMED;
}

/* What the header says. */
static wm_status judge(void)
{
    const uint16_t dst = wm_load_le16(in.octet);
    if (in.octet[4] > WM_TINYSEC_DATA_MAX) {
        return WM_ERR_MALFORMED;
    }
    return in.octet[3] == tinysec_setup_block.group &&
                   (dst == tinysec_setup_block.address || dst == WM_TINYSEC_BROADCAST)
               ? WM_OK
               : WM_ERR_NOT_FOR_US;
}

/* As TinyOS does, the CRC is taken of each octet when it comes, so that the last one leaves nothing to
 * do but to compare. */
bool protect_take(uint8_t octet)
{
    if (in.have < HEADER || in.have < HEADER + in.octet[4]) {
        in.crc = crc_with(in.crc, octet);
    }
    in.octet[in.have++] = octet;
    if (in.have < HEADER) {
        return true;
    }
    if (in.have == HEADER) {
        in.status = judge();
        return in.status == WM_OK;
    }
    return in.have < HEADER + CRC + in.octet[4];
}

uint8_t protect_octets(void)
{
    const bool known = in.have >= HEADER && in.octet[4] <= WM_TINYSEC_DATA_MAX;
    return known ? (uint8_t)(HEADER + CRC + in.octet[4]) : 0;
}

wm_status protect_end(wm_tinysec_message *message)
{
    const uint8_t len = in.octet[4], end = (uint8_t)(HEADER + len);
    if (in.status != WM_OK) {
        return in.status;
    }
    if (in.have != end + CRC || wm_load_le16(in.octet + end) != in.crc) {
        return WM_ERR_FCS;
    }
    message->dst = wm_load_le16(in.octet);
    message->src = WM_TINYSEC_NOBODY;
    message->type = in.octet[2];
    message->len = len;
    message->mode = WM_TINYSEC_PLAIN;
    for (uint8_t i = 0; i < len; i++) {
        message->data[i] = in.octet[HEADER + i];
    }
    return WM_NOT_SECURED;
}
