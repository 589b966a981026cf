/* SPDX-License-Identifier: BSD-3-Clause */
/* See link.h and frame.h. All of it runs in the loop. */
#include "cc2420.h"
#include "cc2420_pins.h"
#include "draw.h"
#include "frame.h"
#include "link.h"
#include "loop.h"
#include "node.h"
#include "tick.h"
#include "tinysec_block.h"

#define CHANNEL 26
#define BE_MIN 3u
#define BE_MAX 5u
/* Times in sixteenths of a tick, so that up to 255 of them have 16 bits. */
#define SIXTEENTHS(us) ((uint16_t)((16ul * TICK_HZ * (us) + 500000ul) / 1000000ul))
#define BACKOFF_PERIOD SIXTEENTHS(320u) /* 20 symbols */
#define OCTET_TIME SIXTEENTHS(417u)

/* A moment less than 2^15 ticks ahead. */
typedef struct due_at {
    uint16_t tick;
    bool set;
} due_at;

static struct {
    bool wanted; /* a packet is to be sent */
    bool sends;
    uint8_t exponent;
    uint8_t sequence;
    uint16_t random;
    due_at backoff, rest;
    uint32_t time;
} link;

/* What was received last: from `at` to `end` it was not taken yet. */
static struct {
    uint8_t frame[FRAME_MAX + FRAME_FCS];
    uint8_t at, end;
    bool begins;
} in;

static void set(due_at *due, uint8_t count, uint16_t sixteenths)
{
    due->tick = (uint16_t)(tick_now() + ((uint16_t)(count * sixteenths) + 8u) / 16u);
    due->set = true;
}

static bool passed(due_at *due)
{
    if (!due->set || (int16_t)(tick_now() - due->tick) < 0) {
        return false;
    }
    due->set = false;
    return true;
}

static void back_off(void)
{
    const uint8_t mask = (uint8_t)((1u << link.exponent) - 1u);
    set(&link.backoff, (uint8_t)(draw(&link.random) & mask), BACKOFF_PERIOD);
}

bool link_boot(void)
{
    return node_boot();
}

bool link_open(void)
{
    return node_start();
}

void link_start(void)
{
    link.random = draw_seed(tinysec_setup_block.seed);
    cc2420_recognise(tinysec_setup_block.group, tinysec_setup_block.address, false);
    cc2420_tune(CHANNEL);
    tick_capture(true);
    cc2420_listen();
}

bool link_send(void)
{
    if (link.wanted) {
        return false;
    }
    link.wanted = true;
    loop_post(LOOP_MAKE);
    return true;
}

static void finish(void)
{
    link.wanted = false;
    link.sends = false;
    link.backoff.set = false;
    loop_post(LOOP_SENT);
}

void link_packet(const uint8_t *packet, uint8_t octets)
{
    uint8_t head[FRAME_HEAD];
    if (octets == 0) {
        finish();
        return;
    }
    frame_head(head, packet, link.sequence++);
    cc2420_load((uint8_t)(FRAME_HEAD + octets + FRAME_FCS), head, FRAME_HEAD, packet, octets);
    link.exponent = BE_MIN;
    back_off();
}

void link_rest(uint8_t octets)
{
    set(&link.rest, octets == 0 ? 1 : octets, OCTET_TIME);
}

uint32_t link_now(void)
{
    link.time += (uint16_t)(tick_now() - (uint16_t)link.time);
    return link.time;
}

bool link_take(uint8_t *octet, bool *begins)
{
    if (in.at == in.end) {
        return false;
    }
    *octet = in.frame[in.at++];
    *begins = in.begins;
    in.begins = false;
    return true;
}

/* The frame has come whole: what of it is not wanted is dropped. */
void link_taken(uint8_t octets)
{
    (void)octets;
    in.at = in.end;
}

/* One that is longer than ours can be is dropped with all behind it, and so is what an overflow has
 * left. */
static void receive(void)
{
    if (!cc2420_pin_fifo()) {
        tinysec_report_block.overrun++;
        cc2420_flush_rx();
        return;
    }
    const uint8_t octets = cc2420_read_octet();
    if (octets > sizeof in.frame || octets < FRAME_FCS) {
        cc2420_flush_rx();
        return;
    }
    cc2420_read(in.frame, octets);
    const uint8_t end = (uint8_t)(octets - FRAME_FCS);
    const uint8_t at = frame_packet(in.frame, end);
    if (at != 0 && (in.frame[end + 1u] & CC2420_FCS_RIGHT) != 0) {
        in.at = at;
        in.end = end;
        in.begins = true;
        loop_post(LOOP_TAKE);
    }
}

/* The back-off is over, and the packet is there. A frame that comes in is received to its end. */
static void look(void)
{
    if (!cc2420_pin_cca() || cc2420_pin_sfd()) {
        tinysec_report_block.congested++;
        link.exponent = link.exponent < BE_MAX ? (uint8_t)(link.exponent + 1u) : BE_MAX;
        back_off();
        return;
    }
    cc2420_send();
    link.sends = cc2420_sent();
    tick_capture(true); /* 352 us before our own SFD: edges of what was cut off are forgotten */
}

/* SFD falls at the end of a frame. */
static bool frame_ended(void)
{
    bool fell = false;
    tick_edge edge;
    while (tick_edge_first(&edge)) {
        tick_edge_drop();
        fell |= !edge.high;
    }
    return fell;
}

/* The alarm for the nearer of the two moments.
 * @retval false  it has come */
static bool arm(void)
{
    const uint16_t now = tick_now();
    const due_at *next = link.backoff.set ? &link.backoff : &link.rest;
    if (link.backoff.set && link.rest.set &&
        (int16_t)(link.rest.tick - now) < (int16_t)(link.backoff.tick - now)) {
        next = &link.rest;
    }
    return !next->set || tick_alarm(next->tick);
}

static void step(void)
{
    if (frame_ended() && link.sends) {
        tinysec_report_block.sent++;
        finish();
    }
    /* the application takes one packet before the next is begun, which waits in RXFIFO */
    if (in.at == in.end && !loop_posted[LOOP_RECEIVED] && cc2420_pin_fifop()) {
        receive();
    }
    /* a frame that waits in RXFIFO would be lost by sending */
    if (!cc2420_pin_fifop() && passed(&link.backoff)) {
        look();
    }
    if (passed(&link.rest)) {
        loop_post(LOOP_REST);
    }
}

void link_step(void)
{
    tick_alarm_clear();
    step();
    while (!cc2420_pin_fifop() && !arm()) {
        step();
    }
}

bool link_waits(void)
{
    uint16_t tick;
    tick_edge edge;
    return tick_alarm_due(&tick) || tick_edge_first(&edge) || cc2420_pin_fifop();
}
