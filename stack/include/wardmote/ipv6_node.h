/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipv6_node.h
 *  A node of IPv6 with one interface to a 6LoWPAN (RFC 8200, RFC 4443, RFC 768): it takes whole
 *  packets, answers echo requests and errors, gives UDP datagrams to the application and sends its
 *  answers, and passes packets for others on by static routes. A packet lies in one buffer, and its
 *  answer takes its place.
 *
 *  Header compression may leave out what follows from the link addresses of a hop, so a relay expands
 *  and compresses the IPv6 header anew; wm_ipv6_passes tells of what that is enough.
 *
 *  IPsec is asked about each packet for this node and from it, by the functions that the caller
 *  names; what is named is linked. A packet that IPsec refuses is never answered. An answer to a
 *  packet that came protected goes out protected, or not at all. */
#ifndef WARDMOTE_IPV6_NODE_H
#define WARDMOTE_IPV6_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ipsec.h>
#include <wardmote/ipv6.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_IPV6_HOP_LIMIT 64   /**< of packets that this node sends */
#define WM_IPV6_ERROR_BURST 10 /**< errors that may follow each other without a pause */

/** @name ICMPv6 types and codes (RFC 4443) that the node sends.
 *  @{ */
#define WM_ICMPV6_UNREACHABLE 1
#define WM_ICMPV6_NO_ROUTE 0
#define WM_ICMPV6_BEYOND_SCOPE 2
#define WM_ICMPV6_NO_PORT 4
#define WM_ICMPV6_TOO_BIG 2
#define WM_ICMPV6_TIME_EXCEEDED 3
#define WM_ICMPV6_PARAMETER_PROBLEM 4
#define WM_ICMPV6_BAD_FIELD 0
#define WM_ICMPV6_BAD_NEXT_HEADER 1
#define WM_ICMPV6_BAD_OPTION 2
#define WM_ICMPV6_ECHO_REQUEST 128
#define WM_ICMPV6_ECHO_REPLY 129
/** @} */

/** A static route. Of the routes that name an address the one with the longest prefix counts. */
typedef struct wm_ipv6_route {
    uint8_t to[WM_IPV6_ADDR_LEN]; /**< bits behind `prefix` are not looked at */
    uint8_t prefix;               /**< bits: 0 to 128. 0: the default route */
    uint16_t next;                /**< short address of the next hop */
} wm_ipv6_route;

/** A UDP datagram for this node. */
typedef struct wm_udp_datagram {
    const uint8_t *src; /**< address of the sender, and of this node's that it was sent to */
    const uint8_t *dst;
    uint16_t src_port, dst_port;
    uint8_t *data; /**< may be changed; an answer lies here */
    uint16_t len;  /**< octets; of the answer: at most `room` */
    uint16_t room;
    bool secured; /**< IPsec says who sent it: false too under WM_IPSEC_STUDY without integrity */
} wm_udp_datagram;

/** What became of a datagram. */
typedef enum wm_udp_verdict {
    WM_UDP_NO_PORT, /**< nobody listens: an ICMPv6 error says so */
    WM_UDP_TAKEN,   /**< no answer */
    WM_UDP_ANSWER   /**< `data` and `len` are the answer. To port 0 none is sent (RFC 768) */
} wm_udp_verdict;

/** One node. The caller sets it to zeros, then what is above the line. */
typedef struct wm_ipv6_node {
    uint8_t address[WM_IPV6_ADDR_LEN];    /**< of this node */
    uint8_t link_local[WM_IPV6_ADDR_LEN]; /**< fe80::/64 */
    const wm_ipv6_route *routes;
    uint8_t route_count;
    uint16_t mtu; /**< octets of the longest packet that goes out: 1280 or more */
    wm_ipsec *ipsec;
    /** wm_ipsec_secure and wm_ipsec_unsecure, or functions that call them. Both NULL, and `ipsec`
     *  too: everything goes in clear. Else, with one of them NULL: nothing goes that way */
    wm_status (*secure)(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len);
    wm_status (*unsecure)(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len);
    /** Gets the datagrams. NULL: no port has a listener */
    wm_udp_verdict (*udp)(void *context, wm_udp_datagram *datagram);
    void *context;
    /** units of the caller's clock for each error message, in the long run. 0: no errors are sent */
    uint16_t error_interval;
    /* ------ */
    uint32_t error_since; /**< when errors_left was last one more */
    uint8_t errors_sent;  /**< of WM_IPV6_ERROR_BURST */
} wm_ipv6_node;

/** What is to be done with a packet. */
typedef enum wm_ipv6_verdict {
    WM_IPV6_DROPPED, /**< bad, or nowhere to send it */
    WM_IPV6_REFUSED, /**< by IPsec, which has wiped it */
    WM_IPV6_TAKEN,   /**< it was for this node, and there is no answer */
    WM_IPV6_FORWARD, /**< it is to be sent to the next hop */
    WM_IPV6_ANSWER   /**< so is what lies in its place: an answer or an error */
} wm_ipv6_verdict;

/** Takes a packet that came over the link.
 *  @param packet  the packet; afterwards what is to be sent
 *  @param size    octets there is room for: 1280 or more let errors quote as much as they may
 *  @param len     octets of it
 *  @param now     the caller's clock, which may wrap
 *  @param to_all  its frame was for all: then only a packet for all nodes is taken, and no other one
 *                 goes on or is answered, else one frame would have an answer of each neighbour
 *  @param next    short address of the hop that it is to be sent to */
WM_NODISCARD wm_ipv6_verdict wm_ipv6_receive(wm_ipv6_node *node, uint8_t *packet, uint16_t size,
                                             uint16_t *len, uint32_t now, bool to_all,
                                             uint16_t *next);

/** Whether a packet with this header goes on to another node as it is, with one hop less:
 *  wm_ipv6_receive would answer WM_IPV6_FORWARD, if its length is right and not over the MTU. Else
 *  give the whole packet to wm_ipv6_receive: it may be for this node, or there is an error to
 *  send. */
bool wm_ipv6_passes(const wm_ipv6_node *node, const uint8_t header[WM_IPV6_HEADER_LEN], bool to_all,
                    uint16_t *next);

/** Makes a UDP datagram of this node, secured as its policy has it. `len` octets of data lie at
 *  `packet` + 48; `*total` gets the octets of the packet.
 *  @retval WM_OK, WM_NOT_SECURED  to be sent to `*next`
 *  @retval WM_ERR_FRAME_TOO_LONG  over `size`, or over the MTU
 *  @retval WM_ERR_NOT_FOR_US      there is no route
 *  Otherwise as wm_ipsec_secure. */
WM_NODISCARD wm_status wm_ipv6_send_udp(wm_ipv6_node *node, const uint8_t to[WM_IPV6_ADDR_LEN],
                                        uint16_t src_port, uint16_t dst_port, uint8_t *packet,
                                        uint16_t size, uint16_t len, uint16_t *total,
                                        uint16_t *next);

/** Whether an address of 16 octets is one of the node's two. */
bool wm_ipv6_is_own(const wm_ipv6_node *node, const uint8_t *address);

/** The next hop to an address: of an address of fe80::/64 with an IID of a short address it is that
 *  address; else by the routes.
 *  @retval false  there is none, or it is 0xFFFE or 0xFFFF, the short addresses of no single node */
bool wm_ipv6_next_hop(const wm_ipv6_node *node, const uint8_t to[WM_IPV6_ADDR_LEN], uint16_t *next);

WM_C_END

#endif
