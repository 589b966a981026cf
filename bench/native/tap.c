/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference: IEEE 802.15.4 TAP link type specification: version 1, reserved 1, length 2 (of header
 * and TLVs), then TLVs: type 2, length 2, value padded to four octets; all least significant octet
 * first. Unknown TLVs, and known ones of another length, are passed over. */
#include <string.h>
#include <wardmote/octets.h>
#include "tap.h"

#define HEADER 4u
#define TLV_HEADER 4u
#define PADDED(length) (((length) + 3u) & ~3u)

enum { TLV_FCS = 0, TLV_RSS = 1, TLV_CHANNEL = 3, TLV_ASN = 7, TLV_LQI = 10 };

static float load_float(const uint8_t *octets)
{
    const uint32_t bits = wm_load_le32(octets);
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static frames_reason read_tlv(uint32_t type, const uint8_t *value, uint32_t length, psdu *found)
{
    if (type == TLV_FCS && length >= 1) {
        if (value[0] > FRAMES_FCS_32) {
            return FRAMES_FCS_KIND;
        }
        found->fcs = value[0];
    } else if (type == TLV_RSS && length == 4) {
        found->has_rss = true;
        found->rss = load_float(value);
    } else if (type == TLV_CHANNEL && length == 3) {
        found->has_channel = true;
        found->channel = wm_load_le16(value);
        found->page = value[2];
    } else if (type == TLV_ASN && length == 8) {
        found->has_asn = true;
        found->asn = wm_load_le32(value) | (uint64_t)wm_load_le32(value + 4) << 32;
    } else if (type == TLV_LQI && length == 1) {
        found->has_lqi = true;
        found->lqi = value[0];
    }
    return FRAMES_NO_REASON;
}

frames_reason tap_read(const uint8_t *octets, uint32_t len, psdu *found)
{
    if (len < HEADER || octets[0] != 0) {
        return FRAMES_TAP;
    }
    const uint32_t end = wm_load_le16(octets + 2);
    if (end < HEADER || end > len) {
        return FRAMES_TAP;
    }
    uint32_t at = HEADER;
    while (end - at >= TLV_HEADER) {
        const uint32_t type = wm_load_le16(octets + at), length = wm_load_le16(octets + at + 2);
        at += TLV_HEADER;
        if (length > end - at) {
            return FRAMES_TAP;
        }
        const frames_reason reason = read_tlv(type, octets + at, length, found);
        if (reason != FRAMES_NO_REASON) {
            return reason;
        }
        at += PADDED(length) < end - at ? PADDED(length) : end - at;
    }
    found->head_len = end;
    return FRAMES_NO_REASON;
}

static uint32_t put_tlv(uint8_t *out, uint16_t type, uint16_t length, uint32_t value)
{
    wm_store_le16(out, type);
    wm_store_le16(out + 2, length);
    wm_store_le32(out + TLV_HEADER, value);
    return TLV_HEADER + PADDED(length);
}

uint32_t tap_write(const psdu *found, uint8_t *out)
{
    uint32_t at = HEADER;

    at += put_tlv(out + at, TLV_FCS, 1, found->fcs == FRAMES_FCS_CHIP ? FRAMES_FCS_16 : found->fcs);
    if (found->has_channel) {
        at += put_tlv(out + at, TLV_CHANNEL, 3, found->channel | (uint32_t)found->page << 16);
    }
    if (found->has_lqi) {
        at += put_tlv(out + at, TLV_LQI, 1, found->lqi);
    }
    wm_store_le16(out, 0);
    wm_store_le16(out + 2, (uint16_t)at);
    return at;
}
