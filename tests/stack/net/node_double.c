/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_double.h"

static int8_t unsecures_says, secures_says;
static uint8_t secured_datagrams;
static wm_ipsec some; /* never looked at */

void node_double_says(int8_t unsecures, int8_t secures)
{
    unsecures_says = unsecures;
    secures_says = secures;
}

static wm_status unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    (void)ipsec;
    (void)packet;
    (void)len;
    return (wm_status)unsecures_says;
}

static wm_status secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len)
{
    (void)ipsec;
    (void)packet;
    (void)size;
    (void)len;
    return (wm_status)secures_says;
}

static wm_udp_verdict udp(void *context, wm_udp_datagram *datagram)
{
    (void)context;
    secured_datagrams = (uint8_t)(secured_datagrams + datagram->secured);
    switch (datagram->dst_port) {
    case 7:
        return WM_UDP_ANSWER;
    case 8:
        datagram->len = (uint16_t)(datagram->room + 1u);
        return WM_UDP_ANSWER;
    case 9:
        return WM_UDP_TAKEN;
    default:
        return WM_UDP_NO_PORT;
    }
}

void node_double_wire(wm_ipv6_node *node, uint8_t with_udp, uint8_t secures, uint8_t unsecures)
{
    node->udp = with_udp != 0 ? udp : NULL;
    node->secure = secures != 0 ? secure : NULL;
    node->unsecure = unsecures != 0 ? unsecure : NULL;
}

void node_double_forgets(wm_ipv6_node *node)
{
    node->ipsec = &some;
}

uint8_t node_double_secured(void)
{
    return secured_datagrams;
}
