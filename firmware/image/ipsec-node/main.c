/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `ipsec-node`: a mote with an IPv6 address, IPsec or not, that echoes UDP datagrams, answers
 * pings, and passes on what is for others, over a MAC that listens all the time. */
#include "ahead.h"
#include "board.h"
#include "csma_radio.h"
#include "cycles.h"
#include "flash.h"
#include "ipsec_node_block.h"
#include "link.h"
#include "net.h"
#include "phase.h"
#include "protect.h"
#include "time.h"
#include "udp.h"

#define STORE_BLOCK 64u
#define LINK_LOCAL_SHORT_AT 11u
#define ERROR_TICKS (TIME_HZ / 10u) /* ten ICMPv6 errors a second */

/* An observer reads this from outside, so link-time optimisation must keep it. */
#define WATCHED __attribute__((used))
WATCHED ipsec_node_report ipsec_node_report_block;

_Static_assert(sizeof(ipsec_node_setup) <= IPSEC_NODE_SETUP_OCTETS, "setup.S has the room");

static wm_counter_store store;
static uint32_t limits[LINK_SLOTS];
static wm_ipv6_node node;

_Noreturn void ipsec_node_stop(void);

WATCHED __attribute__((noinline)) _Noreturn void ipsec_node_stop(void)
{
    ipsec_node_report_block.state = IPSEC_NODE_STOPPED;
    cpu_stop();
}

static void need(wm_status status, ipsec_node_step step)
{
    if (status != WM_OK) {
        ipsec_node_report_block.why = (uint8_t)step;
        ipsec_node_report_block.status = (int8_t)status;
        ipsec_node_stop();
    }
}

static wm_status truth(bool right)
{
    return right ? WM_OK : WM_ERR_PARAM;
}

/* A node that secures nothing needs no store.
 *  @param[out] tag  of the first packet in fragments. Whoever secures takes a counter for each packet or
 *                   for each of its frames, so the sum of all counters is behind every tag from before
 *                   a reset: no fragment of then fits one of now. In clear nothing outlives a reset */
static wm_status open_store(const ipsec_node_setup *setup, uint16_t *tag)
{
    *tag = 0;
    if (setup->sas == 0 && setup->link_level == 0) {
        return WM_OK;
    }
    flash_start(setup->clock_hz);
    wm_status status =
        wm_counter_store_open(&store, &FLASH_COUNTERS, NULL, limits, LINK_SLOTS, STORE_BLOCK);
    for (uint8_t n = 0; n < LINK_SLOTS; n++) {
        *tag = (uint16_t)(*tag + limits[n]);
    }
    return status;
}

static wm_status make_node(const ipsec_node_setup *setup)
{
    if (setup->routes > IPSEC_NODE_ROUTES) {
        return WM_ERR_PARAM;
    }
    __builtin_memcpy(node.address, setup->ipv6, WM_IPV6_ADDR_LEN);
    node.link_local[0] = 0xFE; /* fe80::ff:fe00: and the short address */
    node.link_local[1] = 0x80;
    node.link_local[LINK_LOCAL_SHORT_AT] = 0xFF;
    node.link_local[LINK_LOCAL_SHORT_AT + 1u] = 0xFE;
    node.link_local[14] = (uint8_t)(setup->address >> 8);
    node.link_local[15] = (uint8_t)setup->address;
    node.routes = setup->route;
    node.route_count = setup->routes;
    node.mtu = IPSEC_NODE_DATAGRAM;
    node.error_interval = ERROR_TICKS;
    return WM_OK;
}

/* Whatever waits, frames first: an ack may be among them. */
static bool work(void)
{
    link_frame frame;
    if (csma_radio_waits()) {
        (void)phase_enter(IPSEC_NODE_RECEIVE);
        if (link_take(&frame) == WM_OK) {
            net_take(&frame);
        }
    } else if (time_due(TIME_MAC)) {
        (void)phase_enter(IPSEC_NODE_SEND);
        link_on_alarm();
    } else if (time_due(TIME_CLIENT)) {
        (void)phase_enter(PHASE_NONE);
        udp_on_alarm();
    } else if (time_due(TIME_FRAGMENTS)) {
        net_on_alarm();
    } else if (!ahead_work()) {
        return false;
    }
    (void)phase_enter(PHASE_NONE);
    return true;
}

static _Noreturn void run(void)
{
    cpu_irq_enable();
    for (;;) {
        wm_port_mark_begin(WM_MARK_SLOT);
        while (work()) {
        }
        wm_port_mark_end(WM_MARK_SLOT);
        if (time_arm()) {
            csma_radio_rest();
        }
    }
}

int main(void)
{
    const ipsec_node_setup *setup = &ipsec_node_setup_block;
    uint16_t tag;

    board_pins();
    need(truth(setup->magic == IPSEC_NODE_MAGIC && clock_valid(setup->clock_hz) &&
               setup->channel >= 11 && setup->channel <= 26),
         IPSEC_NODE_AT_BLOCK);
    need(truth(clock_start(setup->clock_hz)), IPSEC_NODE_AT_CLOCK);
    need(truth(board_start()), IPSEC_NODE_AT_RADIO); /* with the AES engine that keys may need */
    need(open_store(setup, &tag), IPSEC_NODE_AT_STORE);
    need(make_node(setup), IPSEC_NODE_AT_BLOCK);
    need(link_start(setup, &store), IPSEC_NODE_AT_BLOCK);
    need(net_start(setup, &node, tag), IPSEC_NODE_AT_BLOCK);
    need(protect_start(setup, &store, &node), IPSEC_NODE_AT_SAS);
    cycles_start();
    udp_start(setup, &node);
    csma_radio_start(setup->channel, setup->pan, setup->address);
    ipsec_node_report_block.state = IPSEC_NODE_RUNNING;
    run();
}
