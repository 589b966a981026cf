/* SPDX-License-Identifier: BSD-3-Clause */
#include "serial.h"
#include <wardmote/octets.h>
#include "crc.h"
#include "tinysec_block.h"
#include "usart.h"

#define FLAG 0x7Eu
#define ESCAPE 0x7Du
#define ESCAPED 0x20u
#define NO_ACK 0x42u
#define HEADER 6u /* with NO_ACK */
#define CRC 2u

static struct {
    uint8_t octet[HEADER + WM_TINYSEC_DATA_MAX + CRC];
    uint8_t end;
    uint8_t at; /* the next octet and 1; 0: the flag in front; end + 1: the one behind */
    volatile bool busy;
    bool escaped; /* the escape of the next octet has been sent */
} frame;

bool serial_give(const wm_tinysec_message *message)
{
    if (frame.busy || message->len > WM_TINYSEC_DATA_MAX) {
        return false;
    }
    frame.octet[0] = NO_ACK;
    wm_store_le16(frame.octet + 1, message->dst);
    frame.octet[3] = message->type;
    frame.octet[4] = tinysec_setup_block.group;
    frame.octet[5] = message->len;
    __builtin_memcpy(frame.octet + HEADER, message->data, message->len);
    frame.end = (uint8_t)(HEADER + message->len);
    uint16_t crc = 0;
    for (uint8_t i = 0; i < frame.end; i++) {
        crc = crc_with(crc, frame.octet[i]);
    }
    wm_store_le16(frame.octet + frame.end, crc);
    frame.end += CRC;
    frame.at = 0;
    frame.busy = true;
    usart_send();
    return true;
}

bool usart_next(uint8_t *octet)
{
    const uint8_t at = frame.at;
    if (at == 0 || at > frame.end) {
        *octet = FLAG;
        frame.at = (uint8_t)(at + 1u);
        frame.busy = at <= frame.end + 1u; /* false: behind the flag behind */
        return frame.busy;
    }
    *octet = frame.octet[at - 1u];
    if (frame.escaped) {
        *octet ^= ESCAPED;
        frame.escaped = false;
    } else if (*octet == FLAG || *octet == ESCAPE) {
        *octet = ESCAPE;
        frame.escaped = true;
        return true;
    }
    frame.at = (uint8_t)(at + 1u);
    return true;
}
