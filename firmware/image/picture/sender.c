/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a picture, a packet at a time: the next one is made when the one before was acknowledged. A
 * packet that the MAC has given up is sent again as it is, in a new frame. */
#include <wardmote/octets.h>
#include "../ipsec-node/time.h"
#include "crypt.h"
#include "led.h"
#include "role.h"
#include "serial.h"
#include "vector.h"

#define RESENDS 100u /* then the receiver is gone */
#define ASKS_MOST (SERIAL_ROOM / PICTURE_CHUNK)

static const picture_setup *setup;
static uint8_t frame[FRAME_MAX];
static uint8_t chain[PICTURE_BLOCK];
static uint8_t len; /* of the data of the packet on its way */
static uint8_t frames, packets, resends;
static uint32_t made, taken; /* octets of data: in packets; from the serial line */
static bool rests, begun;

bool role_start(const picture_setup *from)
{
    setup = from;
    if (setup->blocks == 0 || setup->blocks > PICTURE_BLOCKS_MAX ||
        setup->octets % PICTURE_BLOCK != 0 || !frame_head(frame, setup)) {
        return false;
    }
    if (setup->source == PICTURE_SERIAL) {
        serial_start();
    }
    crypt_key(setup->key);
    return vector_start(setup, chain, frame + FRAME_HEAD);
}

static void stop(void)
{
    picture_report_block.state = PICTURE_STOPPED;
}

static void send(uint8_t cluster)
{
    frame_number(frame, frames++, packets, cluster);
    if (wm_csma_send(&mac, frame, (wm_psdu_len)(FRAME_HEAD + (len == 0 ? PICTURE_BLOCK : len))) !=
        WM_OK) {
        stop();
    }
}

/* Two chunks are on their way at most. */
static void ask(void)
{
    static const uint8_t octet = PICTURE_ASK;
    while (picture_report_block.asked * PICTURE_CHUNK < setup->octets &&
           picture_report_block.asked * PICTURE_CHUNK - taken <= SERIAL_ROOM - PICTURE_CHUNK) {
        picture_report_block.asked++;
        serial_give(&octet, 1);
    }
}

/* Data of the mote's own: the number of the block, and zeros. */
static void invent(uint8_t *data)
{
    for (uint8_t at = 0; at < len; at++) {
        data[at] = 0;
    }
    for (uint8_t at = 0; at < len; at = (uint8_t)(at + PICTURE_BLOCK)) {
        wm_store_le32(data + at, (made + at) / PICTURE_BLOCK);
    }
}

/* The data of the next packet.
 * @retval false  they are not there */
static bool fetch(void)
{
    const uint8_t most = (uint8_t)(setup->blocks * PICTURE_BLOCK);
    const uint32_t left = setup->octets - made;
    len = setup->octets != 0 && left < most ? (uint8_t)left : most;
    if (setup->source == PICTURE_SERIAL) {
        ask();
        if (serial_have() < len) {
            return false;
        }
        led_on(PICTURE_LED_PACKET);
        serial_take(frame + FRAME_HEAD, len);
        taken += len;
        ask();
    } else {
        led_on(PICTURE_LED_PACKET);
        invent(frame + FRAME_HEAD);
    }
    return true;
}

bool role_work(void)
{
    if (time_due(TIME_CLIENT)) {
        rests = false;
    }
    if (picture_report_block.state != PICTURE_RUNNING || rests || wm_csma_sending(&mac)) {
        return false;
    }
    if (!begun) {
        const vector_found found = vector_take(chain, frame + FRAME_HEAD);
        if (found != VECTOR_THERE) {
            if (found == VECTOR_WRONG) {
                stop();
            }
            return false;
        }
        begun = true;
        len = 0;
        send(FRAME_BEGIN);
        return true;
    }
    if (setup->octets != 0 && made == setup->octets) {
        picture_report_block.state = PICTURE_DONE;
        return false;
    }
    if (!fetch()) {
        return false;
    }
    if (crypt_data(chain, frame + FRAME_HEAD, len) == WM_OK) {
        made += len;
        packets++;
        send(FRAME_DATA);
    } else {
        stop();
    }
    return true;
}

bool role_waits(void)
{
    return setup->source == PICTURE_SERIAL && picture_report_block.state == PICTURE_RUNNING &&
           !rests && !wm_csma_sending(&mac) && serial_have() >= setup->blocks * PICTURE_BLOCK;
}

void wm_port_csma_done(wm_csma *of, wm_csma_result result)
{
    picture_report_block.retries = of->retries;
    if (result != WM_CSMA_SENT) {
        picture_report_block.resent++;
        resends++;
        if (resends == RESENDS) {
            stop();
        } else {
            send(len == 0 ? FRAME_BEGIN : FRAME_DATA);
        }
        return;
    }
    led_off(PICTURE_LED_PACKET);
    resends = 0;
    picture_report_block.packets++;
    picture_report_block.octets += len;
    rests = setup->rest != 0 && len != 0;
    if (rests) {
        time_set(TIME_CLIENT, setup->rest);
    }
}

void role_take(const frame_packet *packet)
{
    (void)packet; /* nobody sends to a sender */
}
