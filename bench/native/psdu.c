/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the frame of a record lies, and its FCS. References: IEEE 802.15.4 TAP link type
 * specification (header, TLVs 0 and 7); IEEE 802.15.4-2015 7.2.11 (FCS). */
#include <wardmote/ieee802154.h>
#include <wardmote/octets.h>
#include "psdu.h"

#define TAP_HEADER 4u
#define TLV_HEADER 4u
#define TLV_FCS 0u
#define TLV_ASN 7u
#define TLV_ASN_LEN 8u
#define FCS_NONE 0u
#define FCS_16 1u
#define FCS_REFLECTED 0x8408u /* x^16 + x^12 + x^5 + 1, least significant bit first */

/* TLVs of the header of `len` octets: type 2, length 2, value padded to four octets. */
static frames_reason read_tap(const uint8_t *tap, uint32_t len, psdu *found)
{
    uint32_t at = TAP_HEADER;

    while (len - at >= TLV_HEADER) {
        const uint32_t type = wm_load_le16(tap + at), length = wm_load_le16(tap + at + 2);
        const uint32_t padded = (length + 3u) & ~3u;
        at += TLV_HEADER;
        if (length > len - at) {
            return FRAMES_TAP;
        }
        if (type == TLV_FCS && length >= 1) {
            if (tap[at] > FCS_16) {
                return FRAMES_FCS_KIND;
            }
            found->fcs_len = tap[at] == FCS_16 ? WM_FCS_LEN : 0;
        } else if (type == TLV_ASN && length == TLV_ASN_LEN) {
            found->has_asn = true;
            found->asn = wm_load_le32(tap + at) | (uint64_t)wm_load_le32(tap + at + 4) << 32;
        }
        at += padded < len - at ? padded : len - at;
    }
    return FRAMES_NO_REASON;
}

frames_reason psdu_find(uint32_t link_type, const uint8_t *octets, const frames_record *record,
                        psdu *found)
{
    uint32_t len = record->captured;

    *found = (psdu){.head = octets,
                    .frame = octets,
                    .fcs_len = link_type == FRAMES_LINK_WITH_FCS ? WM_FCS_LEN : 0};
    if (link_type == FRAMES_LINK_TAP) {
        if (len < TAP_HEADER || octets[0] != 0) {
            return FRAMES_TAP;
        }
        found->head_len = wm_load_le16(octets + 2);
        if (found->head_len < TAP_HEADER || found->head_len > len) {
            return FRAMES_TAP;
        }
        const frames_reason reason = read_tap(octets, found->head_len, found);
        if (reason != FRAMES_NO_REASON) {
            return reason;
        }
    }
    found->frame += found->head_len;
    len -= found->head_len;
    if (record->captured < record->original) {
        return FRAMES_NOT_WHOLE;
    }
    if (len < found->fcs_len) {
        return FRAMES_SHORT_FCF;
    }
    len -= found->fcs_len;
    if (len > WM_FRAME_MAX) {
        return FRAMES_TOO_LONG;
    }
    found->len = (uint8_t)len;
    return FRAMES_NO_REASON;
}

void fcs_prepare(fcs_tables *tables)
{
    for (uint32_t octet = 0; octet < 256; octet++) {
        uint16_t remainder = (uint16_t)octet;
        for (uint8_t bit = 0; bit < 8; bit++) {
            remainder = (uint16_t)(remainder >> 1 ^ ((remainder & 1) != 0 ? FCS_REFLECTED : 0));
        }
        tables->of[0][octet] = remainder;
    }
    for (uint32_t place = 1; place < 8; place++) {
        for (uint32_t octet = 0; octet < 256; octet++) {
            const uint16_t before = tables->of[place - 1][octet];
            tables->of[place][octet] = (uint16_t)(before >> 8 ^ tables->of[0][before & 0xFF]);
        }
    }
}

/* Of eight octets, octet i is followed by 7 - i more: its table holds remainders that include
 * those. */
uint16_t fcs_of(const fcs_tables *tables, const uint8_t *octets, uint32_t len)
{
    uint16_t remainder = 0;

    for (; len >= 8; len -= 8, octets += 8) {
        remainder = (uint16_t)(tables->of[7][(octets[0] ^ remainder) & 0xFF] ^
                               tables->of[6][(octets[1] ^ remainder >> 8) & 0xFF] ^
                               tables->of[5][octets[2]] ^ tables->of[4][octets[3]] ^
                               tables->of[3][octets[4]] ^ tables->of[2][octets[5]] ^
                               tables->of[1][octets[6]] ^ tables->of[0][octets[7]]);
    }
    for (; len != 0; len--, octets++) {
        remainder = (uint16_t)(remainder >> 8 ^ tables->of[0][(remainder ^ *octets) & 0xFF]);
    }
    return remainder;
}
