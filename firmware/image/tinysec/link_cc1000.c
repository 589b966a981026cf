/* SPDX-License-Identifier: BSD-3-Clause */
/* See link.h. link_octet runs in the handler of an octet, the rest in events. */
#include "link.h"
#include <wardmote/tinysec.h>
#include "cpu.h"
#include "draw.h"
#include "loop.h"
#include "octet_radio.h"
#include "protect.h"
#include "tinysec_block.h"

#define PREAMBLE 0xAAu
#define PREAMBLE_SHIFTED 0x55u /* the same, when the receiver's octets begin between its bits */
#define SYNC 0x33CCu
#define PRECURSOR 2u     /* octets of preamble that are chance; with one more a packet begins */
#define SYNC_PATIENCE 3u /* octets that are neither preamble nor sync before it was no packet */
#define FLUSH 4u
#define SAMPLES 5u
#define SAMPLES_IN_OCTET 3u /* a conversion takes 113 us, and an octet 417 */
#define BACKOFF_FIRST 0x1Fu
#define BACKOFF_CONGESTED 0x0Fu

typedef enum link_state { LINK_LISTEN, LINK_SYNC, LINK_RECEIVE, LINK_PASS, LINK_SEND } link_state;

static struct {
    volatile uint8_t state; /* a link_state */
    uint8_t preambles;
    uint8_t patience;
    uint8_t shift;       /* bits by which an octet ends before the receiver's */
    uint32_t window;     /* the last bits, the newest lowest */
    uint8_t octets;      /* of the packet that is coming in, or of what is sent */
    uint8_t backoff;     /* octet times until the channel is looked at */
    uint8_t samples;     /* that found the channel in use; 0 again with each back-off */
    uint8_t pass;        /* octets that are not wanted, until the packet ends */
    volatile bool waits; /* a packet waits for the channel */
    uint8_t rest;
    uint16_t random;
    const uint8_t *packet;
    uint8_t packet_octets;
    volatile bool ready;
    bool begun; /* the first octet of the ring begins a packet */
    volatile uint8_t put, got;
    uint8_t ring[LINK_RING];
} link;

static void back_off(uint8_t mask)
{
    link.backoff = (uint8_t)((draw(&link.random) & mask) + 1u);
    link.samples = 0;
}

bool link_boot(void)
{ /* the crystal runs; the radio's pins are set when it starts */
    return true;
}

bool link_open(void)
{
    return octet_radio_start(tinysec_setup_block.power);
}

void link_start(void)
{
    link.random = draw_seed(tinysec_setup_block.seed);
    link.state = LINK_LISTEN;
}

uint32_t link_now(void)
{
    return octet_radio_now();
}

void link_step(void)
{ /* the handler of an octet has done it */
}

bool link_waits(void)
{
    return false;
}

bool link_send(void)
{
    bool free;
    cpu_irq_disable();
    free = !link.waits;
    if (free) {
        back_off(BACKOFF_FIRST);
        link.waits = true;
    }
    cpu_irq_enable();
    return free;
}

void link_packet(const uint8_t *packet, uint8_t octets)
{
    link.packet = packet;
    link.packet_octets = octets;
    link.ready = true;
}

void link_rest(uint8_t octets)
{
    link.rest = octets == 0 ? 1 : octets;
}

bool link_take(uint8_t *octet, bool *begins)
{
    uint8_t got = link.got;
    if (got == link.put) {
        return false;
    }
    *octet = link.ring[got % LINK_RING];
    cpu_irq_disable();
    *begins = link.begun;
    link.begun = false;
    link.got = (uint8_t)(got + 1);
    cpu_irq_enable();
    return true;
}

static void forget(void)
{
    link.got = link.put;
    link.begun = false;
}

/* With interrupts disabled. */
static void listen(void)
{
    link.state = LINK_LISTEN;
    link.preambles = 0;
    forget();
}

void link_taken(uint8_t octets)
{
    cpu_irq_disable();
    if (link.state == LINK_RECEIVE && octets > link.octets) {
        link.state = LINK_PASS;
        link.pass = (uint8_t)(octets - link.octets);
        forget();
    } else if (link.state == LINK_RECEIVE) {
        listen();
    }
    cpu_irq_enable();
}

/* The channel is ours. */
static void win(void)
{
    link.state = LINK_SEND;
    link.octets = 1;
    link.ready = false;
    octet_radio_send(PREAMBLE);
    loop_post(LOOP_MAKE);
}

/* The back-off is over: is the channel clear? */
static void look(void)
{
    for (uint8_t n = 0; n < SAMPLES_IN_OCTET && link.samples < SAMPLES; n++) {
        link.samples++;
        if (octet_radio_level() > tinysec_setup_block.clear) {
            win();
            return;
        }
    }
    if (link.samples == SAMPLES) {
        tinysec_report_block.congested++;
        back_off(BACKOFF_CONGESTED);
    }
}

/* Listening: a preamble, or a step of the back-off. */
static void step_listen(uint8_t received)
{
    if (received == PREAMBLE || received == PREAMBLE_SHIFTED) {
        if (link.samples != 0) { /* somebody was faster */
            back_off(BACKOFF_CONGESTED);
        }
        link.preambles++;
        if (link.preambles > PRECURSOR) {
            link.state = LINK_SYNC;
            link.patience = SYNC_PATIENCE;
        }
        return;
    }
    link.preambles = 0;
    if (!link.waits) {
        return;
    }
    if (link.backoff != 0) {
        link.backoff--;
    }
    if (link.backoff == 0) {
        look();
    }
}

/* In a preamble: the sync word at any bit, or the end of what was no packet. */
static void step_sync(uint8_t received)
{
    for (uint8_t shift = 0; shift < 8; shift++) {
        if ((uint16_t)(link.window >> shift) == SYNC) {
            link.state = LINK_RECEIVE;
            link.shift = shift;
            link.octets = 0;
            link.got = link.put;
            link.begun = true;
            return;
        }
    }
    if (received == PREAMBLE || received == PREAMBLE_SHIFTED) {
        link.patience = SYNC_PATIENCE;
    } else if (--link.patience == 0) {
        listen();
    }
}

static void step_receive(void)
{
    if ((uint8_t)(link.put - link.got) == LINK_RING || link.octets == PROTECT_MOST) {
        tinysec_report_block.overrun++;
        listen();
        return;
    }
    link.ring[link.put % LINK_RING] = (uint8_t)(link.window >> link.shift);
    link.put++;
    link.octets++;
    loop_post(LOOP_TAKE);
}

static void step_pass(void)
{
    link.pass--;
    if (link.pass == 0) {
        listen();
    }
}

static void sent(void)
{
    octet_radio_listen();
    listen();
    link.waits = false;
    loop_post(LOOP_SENT);
}

/* The octet of the start symbol, of the packet or behind it whose turn it is. */
static uint8_t step_send(void)
{
    uint8_t at = link.octets;
    const uint8_t preamble = tinysec_setup_block.preamble;
    if (at < preamble) {
        link.octets++;
        return PREAMBLE;
    }
    at = (uint8_t)(at - preamble);
    if (at < 2) {
        link.octets++;
        return at == 0 ? SYNC >> 8 : SYNC & 0xFFu;
    }
    if (!link.ready || link.packet_octets == 0) {
        tinysec_report_block.late += !link.ready;
        sent();
        return PREAMBLE;
    }
    at = (uint8_t)(at - 2);
    if (at < link.packet_octets) {
        link.octets++;
        return link.packet[at];
    }
    if (at < link.packet_octets + FLUSH) {
        link.octets++;
        return link.packet[link.packet_octets - 1u];
    }
    tinysec_report_block.sent++;
    sent();
    return PREAMBLE;
}

uint8_t link_octet(uint8_t received)
{
    uint8_t next = PREAMBLE;
    if (link.rest != 0 && --link.rest == 0) {
        loop_post(LOOP_REST);
    }
    link.window = link.window << 8 | received;
    if (link.state == LINK_SEND) {
        next = step_send();
    } else if (link.state == LINK_RECEIVE) {
        step_receive();
    } else if (link.state == LINK_PASS) {
        step_pass();
    } else if (link.state == LINK_SYNC) {
        step_sync(received);
    } else {
        step_listen(received);
    }
    return next;
}
