/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the packets of many senders, each in the order of its numbers. One that comes again is
 * dropped. Behind one that was lost the first block is wrong, as CBC has it, and the others are right. */
#include <stddef.h>
#include "crypt.h"
#include "led.h"
#include "role.h"
#include "serial.h"
#include "vector.h"

typedef struct source {
    uint8_t chain[PICTURE_BLOCK];
    uint16_t address;
    uint8_t number; /* of its last packet */
    bool known;
} source;

static const picture_setup *setup;
static source sources[PICTURE_SENDERS];

bool role_start(const picture_setup *from)
{
    setup = from;
    if (setup->source == PICTURE_SERIAL) {
        serial_start();
    }
    crypt_key(setup->key);
    return true;
}

/* The place of a sender, or a free one.
 * @return NULL: there is none */
static source *place_of(uint16_t address)
{
    for (uint8_t n = 0; n < PICTURE_SENDERS; n++) {
        if (!sources[n].known || sources[n].address == address) {
            return &sources[n];
        }
    }
    return NULL;
}

static void begin(source *from, const frame_packet *packet)
{
    __builtin_memcpy(from->chain, packet->data, PICTURE_BLOCK);
    from->address = packet->from;
    from->number = packet->number;
    from->known = true;
    vector_came(packet->data);
}

static void decrypt(source *from, const frame_packet *packet)
{
    if (crypt_data(from->chain, packet->data, packet->len) != WM_OK) {
        picture_report_block.refused++;
        return;
    }
    picture_report_block.packets++;
    picture_report_block.octets += packet->len;
    if (setup->source == PICTURE_SERIAL) {
        serial_give(packet->data, packet->len);
    }
}

void role_take(const frame_packet *packet)
{
    source *from = place_of(packet->from);
    if (from == NULL || (!from->known && packet->cluster == FRAME_DATA)) {
        picture_report_block.refused++;
    } else if (packet->cluster == FRAME_BEGIN) {
        begin(from, packet);
    } else if (packet->number == from->number) {
        picture_report_block.duplicates++;
    } else {
        picture_report_block.gaps += packet->number != (uint8_t)(from->number + 1u);
        from->number = packet->number;
        led_on(PICTURE_LED_PACKET);
        decrypt(from, packet);
        led_off(PICTURE_LED_PACKET);
    }
}

bool role_work(void)
{
    return false;
}

bool role_waits(void)
{
    return false;
}

void wm_port_csma_done(wm_csma *of, wm_csma_result result)
{
    (void)of; /* a receiver sends nothing but acks, which its radio makes */
    (void)result;
}
