/* SPDX-License-Identifier: BSD-3-Clause */
/* The handler only keeps octets: while a base sends, the radio's handler has to come within the time
 * of a bit. */
#include <wardmote/octets.h>
#include "loop.h"
#include "serial.h"
#include "tinysec_block.h"
#include "usart.h"

#define RING 64u /* a power of 2 */
#define HEAD_MAX (2u + SERIAL_HEADER)
#define LENGTH 4u /* in the header */
#define GROUP 3u

static volatile uint8_t ring[RING];
static volatile uint8_t put, got;

static struct {
    uint8_t octet[HEAD_MAX + WM_TINYSEC_DATA_MAX + SERIAL_CRC];
    uint8_t have;
    bool begun; /* there was a flag, and what followed was right so far */
    bool escaped;
    bool whole;
} frame;

void usart_take(uint8_t octet)
{
    if ((uint8_t)(put - got) < RING) {
        ring[put % RING] = octet;
        put++;
    }
    loop_post(LOOP_SENT);
}

/* Octets before the header: 0 if what came begins otherwise. */
static uint8_t head(void)
{
    return frame.octet[0] == SERIAL_NO_ACK ? 1 : frame.octet[0] == SERIAL_WITH_ACK ? 2 : 0;
}

/* At a flag: whether all of a frame stands before it. */
static bool valid(void)
{
    const uint8_t before = head(), *header = frame.octet + before;
    return frame.begun && !frame.escaped && before != 0 &&
           frame.have >= before + SERIAL_HEADER + SERIAL_CRC &&
           header[LENGTH] <= WM_TINYSEC_DATA_MAX &&
           frame.have == before + SERIAL_HEADER + header[LENGTH] + SERIAL_CRC &&
           header[GROUP] == tinysec_setup_block.group &&
           wm_load_le16(frame.octet + frame.have - SERIAL_CRC) ==
               serial_crc(frame.octet, (uint8_t)(frame.have - SERIAL_CRC));
}

static void restart(void)
{
    frame.have = 0;
    frame.begun = true;
    frame.escaped = false;
}

static void add(uint8_t octet)
{
    if (frame.have == sizeof frame.octet) {
        frame.begun = false;
        return;
    }
    frame.octet[frame.have++] = octet;
}

static void feed(uint8_t octet)
{
    if (octet == SERIAL_FLAG) {
        frame.whole = valid();
        if (!frame.whole) {
            restart();
        }
    } else if (octet == SERIAL_ESCAPE) {
        frame.escaped = true;
    } else {
        add(frame.escaped ? (uint8_t)(octet ^ SERIAL_ESCAPED) : octet);
        frame.escaped = false;
    }
}

bool serial_first(wm_tinysec_message *message)
{
    while (!frame.whole && got != put) {
        feed(ring[got % RING]);
        got++;
    }
    if (!frame.whole) {
        return false;
    }
    const uint8_t *header = frame.octet + head();
    message->dst = wm_load_le16(header);
    message->type = header[2];
    message->len = header[LENGTH];
    __builtin_memcpy(message->data, header + SERIAL_HEADER, message->len);
    return !(frame.octet[0] == SERIAL_WITH_ACK && serial_busy());
}

void serial_drop(void)
{
    if (frame.octet[0] == SERIAL_WITH_ACK) {
        serial_acknowledge(frame.octet[1]);
    }
    frame.whole = false;
    restart();
}
