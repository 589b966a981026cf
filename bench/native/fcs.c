/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference: IEEE 802.15.4-2015 7.2.11. Both polynomials are written least significant bit first,
 * as the bits go on the air. */
#include <wardmote/octets.h>
#include "fcs.h"

#define REFLECTED_16 0x8408u     /* x^16 + x^12 + x^5 + 1 */
#define REFLECTED_32 0xEDB88320u /* ANSI X3.66 */
#define LEAST_32 4u              /* shorter frames are calculated as if zeros followed */
#define CHIP_RIGHT 0x80u

void fcs_prepare(fcs_tables *tables)
{
    for (uint32_t octet = 0; octet < 256; octet++) {
        uint16_t remainder = (uint16_t)octet;
        uint32_t remainder32 = octet;
        for (uint8_t bit = 0; bit < 8; bit++) {
            remainder = (uint16_t)(remainder >> 1 ^ ((remainder & 1) != 0 ? REFLECTED_16 : 0));
            remainder32 = remainder32 >> 1 ^ ((remainder32 & 1) != 0 ? REFLECTED_32 : 0);
        }
        tables->of16[0][octet] = remainder;
        tables->of32[octet] = remainder32;
    }
    for (uint32_t place = 1; place < 8; place++) {
        for (uint32_t octet = 0; octet < 256; octet++) {
            const uint16_t before = tables->of16[place - 1][octet];
            tables->of16[place][octet] = (uint16_t)(before >> 8 ^ tables->of16[0][before & 0xFF]);
        }
    }
}

/* Of eight octets, octet i is followed by 7 - i more: its table holds remainders that include
 * those. */
static uint16_t crc16(const fcs_tables *tables, const uint8_t *octets, uint32_t len)
{
    const uint16_t (*const of)[256] = tables->of16;
    uint16_t remainder = 0;

    for (; len >= 8; len -= 8, octets += 8) {
        remainder = (uint16_t)(of[7][(octets[0] ^ remainder) & 0xFF] ^
                               of[6][(octets[1] ^ remainder >> 8) & 0xFF] ^ of[5][octets[2]] ^
                               of[4][octets[3]] ^ of[3][octets[4]] ^ of[2][octets[5]] ^
                               of[1][octets[6]] ^ of[0][octets[7]]);
    }
    for (; len != 0; len--, octets++) {
        remainder = (uint16_t)(remainder >> 8 ^ of[0][(remainder ^ *octets) & 0xFF]);
    }
    return remainder;
}

static uint32_t crc32(const fcs_tables *tables, const uint8_t *octets, uint32_t len)
{
    uint32_t remainder = 0xFFFFFFFFu;

    for (uint32_t i = 0; i < len || i < LEAST_32; i++) {
        const uint8_t octet = i < len ? octets[i] : 0;
        remainder = remainder >> 8 ^ tables->of32[(remainder ^ octet) & 0xFF];
    }
    return ~remainder;
}

uint8_t fcs_octets(uint8_t kind)
{
    switch (kind) {
    case FRAMES_FCS_16:
    case FRAMES_FCS_CHIP:
        return 2;
    case FRAMES_FCS_32:
        return 4;
    default:
        return 0;
    }
}

bool fcs_right(const fcs_tables *tables, uint8_t kind, const uint8_t *frame, uint32_t len)
{
    switch (kind) {
    case FRAMES_FCS_16:
        return crc16(tables, frame, len) == wm_load_le16(frame + len);
    case FRAMES_FCS_32:
        return crc32(tables, frame, len) == wm_load_le32(frame + len);
    case FRAMES_FCS_CHIP:
        return (frame[len + 1] & CHIP_RIGHT) != 0;
    default:
        return true;
    }
}

uint8_t fcs_put(const fcs_tables *tables, uint8_t kind, uint8_t *frame, uint32_t len)
{
    if (kind == FRAMES_FCS_32) {
        wm_store_le32(frame + len, crc32(tables, frame, len));
    } else if (kind != FRAMES_FCS_NONE) {
        wm_store_le16(frame + len, crc16(tables, frame, len));
    }
    return fcs_octets(kind);
}
