/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of LOWPAN_IPHC.
 *
 * References: RFC 6282 3.1.1 (modes), 3.2.2 (IIDs of the encapsulating header), 3.2.3 and 3.2.4
 * (multicast). A mode is M AC AM, four bits, as the second octet of LOWPAN_IPHC has them for the
 * destination; a source has M = 0. For each mode a table says which octets of the address are in
 * line; the rest follows from the mode. */
#include "lowpan_parts.h"

#define LINK_LOCAL_0 0xFEu
#define LINK_LOCAL_1 0x80u
#define UNIVERSAL_LOCAL 0x02u /* bit of an EUI-64 that is inverted in an IID */
#define MULTICAST 0xFFu
#define SCOPE_LINK_LOCAL 0x02u
#define MULTICAST_PREFIX_MAX 64u /* bits: RFC 3306 4 */
#define AM_MASK 3u
#define AM_SHORT 2u
#define AM_ELIDED 3u

const uint8_t wm_lowpan_eid_protocol[WM_EIDS] = {
    WM_IPV6_HOP_BY_HOP, WM_IPV6_ROUTING, WM_IPV6_FRAGMENT, WM_IPV6_DESTINATION, WM_IPV6_MOBILITY};

/* Places in an address of the octets in line. Unicast takes the last 16, 8 or 2 of `all`. */
static const uint8_t all[WM_IPV6_ADDR_LEN] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t multicast_48[6] = {1, 11, 12, 13, 14, 15};
static const uint8_t multicast_32[4] = {1, 13, 14, 15};
static const uint8_t multicast_context[6] = {1, 2, 12, 13, 14, 15};

typedef struct in_line {
    const uint8_t *at;
    uint8_t len;
} in_line;

static const in_line table[16] = {{all, 16},
                                  {all + 8, 8},
                                  {all + 14, 2},
                                  {all, 0}, /* unicast */
                                  {all, 0},
                                  {all + 8, 8},
                                  {all + 14, 2},
                                  {all, 0}, /* with a context */
                                  {all, 16},
                                  {multicast_48, 6},
                                  {multicast_32, 4},
                                  {all + 15, 1},
                                  {multicast_context, 6},
                                  {all, WM_IPHC_RESERVED},
                                  {all, WM_IPHC_RESERVED},
                                  {all, WM_IPHC_RESERVED}};

uint8_t wm_iphc_in_line(uint8_t mode, const uint8_t **at)
{
    *at = table[mode & 15u].at;
    return table[mode & 15u].len;
}

static void short_iid(uint8_t iid[8])
{
    iid[0] = iid[1] = iid[2] = 0;
    iid[3] = 0xFF;
    iid[4] = 0xFE;
    iid[5] = 0;
}

static bool iid_of(const wm_lowpan_addr *addr, uint8_t iid[8])
{
    if (addr->len == 8) {
        wm_lowpan_copy(iid, addr->octet, 8);
        iid[0] ^= UNIVERSAL_LOCAL;
    } else if (addr->len == 2) {
        short_iid(iid);
        iid[6] = addr->octet[0];
        iid[7] = addr->octet[1];
    }
    return addr->len == 8 || addr->len == 2;
}

void wm_lowpan_iids_of_link(const wm_lowpan_link *link, wm_lowpan_iids *iids)
{
    iids->has_src = iid_of(&link->src, iids->src);
    iids->has_dst = iid_of(&link->dst, iids->dst);
}

void wm_lowpan_iids_of_ip(const uint8_t ip[WM_IPV6_HEADER_LEN], wm_lowpan_iids *iids)
{
    wm_lowpan_copy(iids->src, ip + WM_IP_SRC + 8, 8);
    wm_lowpan_copy(iids->dst, ip + WM_IP_DST + 8, 8);
    iids->has_src = iids->has_dst = true;
}

/* The bits of a context stand for those of the address. */
static void put_prefix(const wm_lowpan_context *context, uint8_t *addr)
{
    const uint8_t whole = (uint8_t)(context->prefix_len >> 3);
    const uint8_t mask = (uint8_t)(0xFF00u >> (context->prefix_len & 7u));

    wm_lowpan_copy(addr, context->prefix, whole);
    if (mask != 0) {
        addr[whole] = (uint8_t)((context->prefix[whole] & mask) | (addr[whole] & (uint8_t)~mask));
    }
}

/* What a mode of unicast says besides the octets in line. */
static bool unicast(uint8_t mode, const wm_lowpan_context *context, const uint8_t *iid,
                    uint8_t addr[WM_IPV6_ADDR_LEN])
{
    if ((mode & AM_MASK) == AM_SHORT) {
        short_iid(addr + 8);
    } else if ((mode & AM_MASK) == AM_ELIDED) {
        if (iid == NULL) {
            return false;
        }
        wm_lowpan_copy(addr + 8, iid, 8);
    }
    if ((mode & WM_IPHC_CONTEXT) == 0) {
        if (mode != 0) {
            addr[0] = LINK_LOCAL_0;
            addr[1] = LINK_LOCAL_1;
        }
    } else {
        put_prefix(context, addr);
    }
    return true;
}

/* RFC 3306 4: the length of a network's prefix, and the prefix. */
static bool multicast_of_prefix(const wm_lowpan_context *context, uint8_t addr[WM_IPV6_ADDR_LEN])
{
    if (context->prefix_len > MULTICAST_PREFIX_MAX) {
        return false;
    }
    addr[3] = context->prefix_len;
    put_prefix(context, addr + 4);
    return true;
}

wm_status wm_iphc_address(uint8_t mode, const wm_lowpan_context *context, const uint8_t *iid,
                          wm_lowpan_source *in, uint8_t addr[WM_IPV6_ADDR_LEN])
{
    const uint8_t *at;
    const uint8_t len = wm_iphc_in_line(mode, &at);
    const uint8_t *octets;
    bool right = true;
    uint8_t i;

    if (len == WM_IPHC_RESERVED) {
        return WM_ERR_MALFORMED;
    }
    octets = wm_lowpan_take(in, len);
    if (octets == NULL) {
        return WM_ERR_MALFORMED;
    }
    for (i = 0; i < WM_IPV6_ADDR_LEN; i++) {
        addr[i] = 0;
    }
    for (i = 0; i < len; i++) {
        addr[at[i]] = octets[i];
    }
    if ((mode & WM_IPHC_M) == 0) {
        right = mode == WM_IPHC_UNSPECIFIED || unicast(mode, context, iid, addr);
    } else if (mode != WM_IPHC_M) { /* else all 16 octets are in line */
        addr[0] = MULTICAST;
        if ((mode & WM_IPHC_CONTEXT) != 0) {
            right = multicast_of_prefix(context, addr);
        } else if ((mode & AM_MASK) == AM_ELIDED) {
            addr[1] = SCOPE_LINK_LOCAL;
        }
    }
    return right ? WM_OK : WM_ERR_MALFORMED;
}
