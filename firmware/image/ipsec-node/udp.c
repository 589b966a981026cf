/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp.h"
#include "net.h"
#include "time.h"

#define ECHO_PORT 7u
#define ECHO_PORT_SHORT 0xF0B7u
#define CLIENT_PORT 0xF0B1u
#define FRONT (WM_IPV6_HEADER_LEN + WM_UDP_HEADER_LEN)

static const ipsec_node_setup *setup;
static wm_ipv6_node *node;
static uint8_t number; /* of the client's datagram: its octets begin with it */

static bool is_answer(const wm_udp_datagram *datagram)
{
    bool right = datagram->len == setup->client_octets;
    for (uint16_t n = 0; n < datagram->len; n++) {
        right = right && datagram->data[n] == (uint8_t)(number + n);
    }
    return right;
}

static bool is_echo(uint16_t port)
{
    return port == ECHO_PORT || port == ECHO_PORT_SHORT;
}

/* Two echo servers would answer each other for ever: what comes from the port of one has no answer. */
static wm_udp_verdict take(void *context, wm_udp_datagram *datagram)
{
    (void)context;
    if (is_echo(datagram->dst_port)) {
        return is_echo(datagram->src_port) ? WM_UDP_TAKEN : WM_UDP_ANSWER;
    }
    if (setup->client_ms == 0 || datagram->dst_port != CLIENT_PORT) {
        return WM_UDP_NO_PORT;
    }
    if (is_answer(datagram)) {
        ipsec_node_report_block.answers++;
    } else {
        ipsec_node_report_block.answers_wrong++;
    }
    return WM_UDP_TAKEN;
}

static void rest(void)
{
    time_set(TIME_CLIENT, (uint32_t)setup->client_ms * TIME_HZ / 1000u);
}

void udp_start(const ipsec_node_setup *from, wm_ipv6_node *own)
{
    setup = from;
    node = own;
    node->udp = take;
    if (setup->client_ms != 0) {
        rest();
    }
}

void udp_on_alarm(void)
{
    uint8_t *packet = net_room();
    uint16_t len = 0, next = 0;
    rest();
    if (packet == NULL || setup->client_octets > IPSEC_NODE_DATAGRAM - FRONT) {
        return;
    }
    number++;
    for (uint16_t n = 0; n < setup->client_octets; n++) {
        packet[FRONT + n] = (uint8_t)(number + n);
    }
    wm_status status =
        wm_ipv6_send_udp(node, setup->client_to, CLIENT_PORT, setup->client_port, packet,
                         IPSEC_NODE_DATAGRAM, setup->client_octets, &len, &next);
    ipsec_node_report_block.asked += status >= 0;
    net_send(status < 0 ? 0 : len, next);
}
