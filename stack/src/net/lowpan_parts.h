/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lowpan_parts.h
 *  What compression and expansion of 6LoWPAN headers share: a place to write that has an end, IIDs
 *  of the encapsulating header, LOWPAN_IPHC both ways. */
#ifndef WM_NET_LOWPAN_PARTS_H
#define WM_NET_LOWPAN_PARTS_H

#include <stddef.h>
#include <wardmote/lowpan.h>

/* Octets of an IPv6 header: RFC 8200 3. */
#define WM_IP_PAYLOAD_LEN 4
#define WM_IP_NEXT_HEADER 6
#define WM_IP_HOP_LIMIT 7
#define WM_IP_SRC 8
#define WM_IP_DST 24

/* LOWPAN_IPHC: RFC 6282 3.1.1. */
#define WM_IPHC_DISPATCH 0x60u /**< 011 TF(2) NH HLIM(2) */
#define WM_IPHC_DISPATCH_MASK 0xE0u

/* LOWPAN_NHC: RFC 6282 4.2 and 4.3. */
#define WM_NHC_EXT 0xE0u /**< 1110 EID(3) NH */
#define WM_NHC_EXT_MASK 0xF0u
#define WM_NHC_NH 0x01u
#define WM_NHC_UDP 0xF0u /**< 11110 C P(2) */
#define WM_NHC_UDP_MASK 0xF8u
#define WM_NHC_UDP_CHECKSUM 0x04u
#define WM_UDP_PORTS_8 0xF000u /**< ports of which 8 bits are sent */
#define WM_UDP_PORTS_4 0xF0B0u /**< ports of which 4 bits are sent */
#define WM_UDP_CHECKSUM_AT 6u  /**< in a UDP header */
#define WM_UDP_LENGTH_AT 4u    /**< in a UDP header */
#define WM_EID_IPV6 7u         /**< IPv6 in IPv6 */
#define WM_EID_IPSEC 5u        /**< AH and ESP; 6 is taken for it too */
#define WM_EIDS 5u             /**< EIDs 0..4 are extension headers */

/** The protocols of EIDs 0 to 4. */
extern const uint8_t wm_lowpan_eid_protocol[WM_EIDS];

/** IIDs that LOWPAN_IPHC may leave out: of the frame's addresses, or of the IPv6 header around. */
typedef struct wm_lowpan_iids {
    uint8_t src[8];
    uint8_t dst[8];
    bool has_src;
    bool has_dst;
} wm_lowpan_iids;

/** Octets to be read: never past the end. */
typedef struct wm_lowpan_source {
    const uint8_t *at;
    uint16_t left;
} wm_lowpan_source;

/** Octets being written: what does not fit is left out, and `full` says so. */
typedef struct wm_lowpan_sink {
    uint8_t *at;
    uint16_t left;
    bool full;
} wm_lowpan_sink;

/** The next `n` octets, NULL if there are fewer. */
static inline const uint8_t *wm_lowpan_take(wm_lowpan_source *source, uint16_t n)
{
    const uint8_t *at = source->at;

    if (source->left < n) {
        return NULL;
    }
    source->at += n;
    source->left = (uint16_t)(source->left - n);
    return at;
}

/** Copies octets; from and to may not overlap. */
static inline void wm_lowpan_copy(uint8_t *to, const uint8_t *from, uint16_t n)
{
    while (n-- != 0) {
        *to++ = *from++;
    }
}

/** Writes `n` octets, all or none. */
static inline void wm_lowpan_put(wm_lowpan_sink *sink, const uint8_t *from, uint16_t n)
{
    if (sink->left < n) {
        sink->full = true;
        sink->left = 0; /* nothing shorter behind it either */
        return;
    }
    wm_lowpan_copy(sink->at, from, n);
    sink->at += n;
    sink->left = (uint16_t)(sink->left - n);
}

/** Writes an octet. */
static inline void wm_lowpan_put1(wm_lowpan_sink *sink, uint8_t octet)
{
    wm_lowpan_put(sink, &octet, 1);
}

/** Is this a configuration? */
static inline bool wm_lowpan_usable(const wm_lowpan *net)
{
    return net->context_count <= WM_LOWPAN_CONTEXTS &&
           (net->context_count == 0 || net->contexts != NULL) &&
           net->ipsec <= WM_LOWPAN_IPSEC_DRAFT;
}

/** An AH or ESP header as LOWPAN_NHC has it. */
typedef struct wm_lowpan_ipsec {
    const uint8_t *icv; /**< of an AH */
    uint16_t icv_len;
    uint8_t protocol;
    uint8_t next, ah_len; /**< of an AH */
    bool nh;              /**< LOWPAN_NHC follows, and `next` is not known */
    uint8_t fields[8];    /**< SPI and sequence number */
} wm_lowpan_ipsec;

/** Octets of the AH or ESP header at `at` if LOWPAN_NHC makes it shorter; 0 if not. */
uint16_t wm_lowpan_ipsec_len(const wm_lowpan *net, uint8_t protocol, const uint8_t *at,
                             uint16_t left);

/** Writes such a header, the octet of the extension header included. */
void wm_lowpan_ipsec_put(const wm_lowpan *net, uint8_t protocol, const uint8_t *at, bool nh,
                         wm_lowpan_sink *sink);

/** Reads such a header behind the octet of the extension header. */
WM_NODISCARD wm_status wm_lowpan_ipsec_take(const wm_lowpan *net, wm_lowpan_source *in,
                                            wm_lowpan_ipsec *found);

/** IIDs of the addresses of a frame: RFC 6282 3.2.2. */
void wm_lowpan_iids_of_link(const wm_lowpan_link *link, wm_lowpan_iids *iids);

/** IIDs of an IPv6 header, for the one inside. */
void wm_lowpan_iids_of_ip(const uint8_t ip[WM_IPV6_HEADER_LEN], wm_lowpan_iids *iids);

/** Writes an IPv6 header as LOWPAN_IPHC; with `nh` a LOWPAN_NHC header follows. */
void wm_iphc_put(const wm_lowpan *net, const wm_lowpan_iids *iids,
                 const uint8_t ip[WM_IPV6_HEADER_LEN], bool nh, wm_lowpan_sink *sink);

/** Reads a LOWPAN_IPHC, first octet included, as an IPv6 header whose Payload Length is 0, and its
 *  Next Header too if a LOWPAN_NHC header follows (`*nh`). */
WM_NODISCARD wm_status wm_iphc_take(const wm_lowpan *net, const wm_lowpan_iids *iids,
                                    wm_lowpan_source *in, uint8_t ip[WM_IPV6_HEADER_LEN], bool *nh);

/** Reads one address as LOWPAN_IPHC has it: `mode` is the low nibble of its second octet, M AC AM,
 *  and `context` the context if AC is set. */
WM_NODISCARD wm_status wm_iphc_address(uint8_t mode, const wm_lowpan_context *context,
                                       const uint8_t *iid, wm_lowpan_source *in,
                                       uint8_t addr[WM_IPV6_ADDR_LEN]);

/** Octets in line of a mode of an address, and where each stands in the address: `at` is of that
 *  many. WM_IPHC_RESERVED: no such mode. */
uint8_t wm_iphc_in_line(uint8_t mode, const uint8_t **at);

#define WM_IPHC_RESERVED 0xFFu
#define WM_IPHC_M 0x08u       /**< of a mode: multicast */
#define WM_IPHC_CONTEXT 0x04u /**< of a mode: SAC or DAC */
/** Mode of the source address: the unspecified one. */
#define WM_IPHC_UNSPECIFIED WM_IPHC_CONTEXT

#endif
