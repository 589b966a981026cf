/* SPDX-License-Identifier: BSD-3-Clause */
#include "serial.h"
#include <wardmote/octets.h>
#include "crc.h"
#include "loop.h"
#include "tinysec_block.h"
#include "usart.h"

#define HEADER (1u + SERIAL_HEADER)

static struct {
    uint8_t octet[HEADER + WM_TINYSEC_DATA_MAX + SERIAL_CRC];
    uint8_t end;
    uint8_t at; /* the next octet and 1; 0: the flag in front; end + 1: the one behind */
    volatile bool busy;
    volatile bool wanted; /* somebody waits until it is sent */
    bool escaped;         /* the escape of the next octet has been sent */
} frame;

uint16_t serial_crc(const uint8_t *octets, uint8_t len)
{
    uint16_t crc = 0;
    for (uint8_t i = 0; i < len; i++) {
        crc = crc_with(crc, octets[i]);
    }
    return crc;
}

/* The CRC behind `end` octets, and off it goes. */
static void begin(uint8_t end)
{
    wm_store_le16(frame.octet + end, serial_crc(frame.octet, end));
    frame.end = (uint8_t)(end + SERIAL_CRC);
    frame.at = 0;
    frame.busy = true;
    usart_send();
}

bool serial_give(const wm_tinysec_message *message)
{
    if (frame.busy || message->len > WM_TINYSEC_DATA_MAX) {
        return false;
    }
    frame.octet[0] = SERIAL_NO_ACK;
    wm_store_le16(frame.octet + 1, message->dst);
    frame.octet[3] = message->type;
    frame.octet[4] = tinysec_setup_block.group;
    frame.octet[5] = message->len;
    __builtin_memcpy(frame.octet + HEADER, message->data, message->len);
    begin((uint8_t)(HEADER + message->len));
    return true;
}

bool serial_busy(void)
{
    frame.wanted = true; /* before the look: the end of the frame then posts, or was seen */
    return frame.busy;
}

void serial_acknowledge(uint8_t token)
{
    frame.octet[0] = SERIAL_ACK;
    frame.octet[1] = token;
    begin(2);
}

bool usart_next(uint8_t *octet)
{
    const uint8_t at = frame.at;
    if (at == 0 || at > frame.end) {
        *octet = SERIAL_FLAG;
        frame.at = (uint8_t)(at + 1u);
        if (at > frame.end + 1u) { /* behind the flag behind */
            frame.busy = false;
            loop_posted[LOOP_SENT] |= frame.wanted;
            frame.wanted = false;
        }
        return frame.busy;
    }
    *octet = frame.octet[at - 1u];
    if (frame.escaped) {
        *octet ^= SERIAL_ESCAPED;
        frame.escaped = false;
    } else if (*octet == SERIAL_FLAG || *octet == SERIAL_ESCAPE) {
        *octet = SERIAL_ESCAPE;
        frame.escaped = true;
        return true;
    }
    frame.at = (uint8_t)(at + 1u);
    return true;
}
