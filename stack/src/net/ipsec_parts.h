/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sources of IPsec share. Offsets are from the first octet of the packet. */
#ifndef WM_NET_IPSEC_PARTS_H
#define WM_NET_IPSEC_PARTS_H

#include <wardmote/ipsec.h>
#include <wardmote/ipv6.h>

#define IPV6_PAYLOAD_LENGTH 4u
#define IPV6_NEXT_HEADER 6u
#define IPV6_SOURCE 8u
#define IPV6_DESTINATION 24u

/** A header of the packet: where it begins, its protocol, and where that is written. */
typedef struct wm_ipsec_place {
    uint16_t at, named_at;
    uint8_t next;
} wm_ipsec_place;

/** A packet, and what a walk through its headers found. */
typedef struct wm_ipsec_map {
    uint8_t *packet;
    uint16_t end;          /**< of the packet */
    wm_ipsec_place inside; /**< what AH and ESP protect */
    wm_ipsec_place upper;  /**< the first that is not options or routing: AH, ESP, upper layer */
} wm_ipsec_map;

/** Walks through the headers of the packet, to which `end` octets belong at most.
 *  @retval WM_ERR_MALFORMED  see wm_ipsec_secure */
wm_status wm_ipsec_walk(wm_ipsec_map *map);

/** The option at `at` of a header of options, in which it is whole: octets, and those of them that are
 *  data. */
static inline uint16_t wm_ipsec_option(const uint8_t *option, uint8_t *data)
{
    *data = option[0] == 0 ? 0 : option[1]; /* Pad1 is one octet */
    return (uint16_t)(option[0] == 0 ? 1u : 2u + option[1]);
}

/** Octets of a header of options or of routing. */
static inline uint16_t wm_ipsec_extension(const uint8_t *header)
{
    return (uint16_t)((header[1] + 1u) * 8u);
}

/** The packet has another end, and another header where `place` is. */
void wm_ipsec_set(wm_ipsec_map *map, const wm_ipsec_place *place, uint8_t next, uint16_t end);

/** The policy of a packet whose remote address is at `remote_at`.
 *  @retval WM_ERR_MALFORMED  the upper layer's header is too short to tell, or a packet that is sent
 *                            has AH or ESP
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  one that came has AH or ESP left
 *  @retval WM_ERR_UNAVAILABLE_SECURITY_LEVEL  it is discarded */
wm_status wm_ipsec_find_policy(const wm_ipsec *ipsec, const wm_ipsec_map *map, uint8_t remote_at,
                               const wm_ipsec_policy **policy);

#define WM_IPSEC_AH_ICV 12u     /* where it stands in AH */
#define WM_IPSEC_ESP_TRAILER 2u /* octets of pad length and next header */

/** What a SA puts around a payload of so many octets. */
void wm_ipsec_shape_of(const wm_ipsec_sa *sa, uint16_t payload, wm_ipsec_shape *shape);

/** Where the SPI stands in the header of a protocol; the sequence number follows. */
static inline uint8_t wm_ipsec_spi_at(uint8_t number)
{
    return number == WM_IPV6_AH ? 4 : 0;
}

/** Whether a SA can be used, for receiving or for sending. */
wm_status wm_ipsec_check_sa(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, bool receives);

/** Whether it can, and goes on from where its counter is. */
bool wm_ipsec_usable(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, bool receives);

/** Makes the ICV of the packet's AH or ESP at `at`, which stands `icv` octets behind. */
wm_status wm_ipsec_make_icv(const wm_ipsec_sa *sa, const wm_ipsec_map *map, uint16_t at,
                            uint16_t icv);

/** Takes the SA's state out of its counter. */
void wm_ipsec_restore(wm_ipsec_sa *sa);

/** The next sequence number is used from now on, whatever happens: sa->sequence.
 *  @retval WM_ERR_COUNTER  there is none */
wm_status wm_ipsec_use_sequence(wm_ipsec_sa *sa);

/** Whether a sequence number can be new: it is in the window and has not come, or is above it. If it
 *  `came`, for the ICV was right, the window moves.
 *  @retval WM_ERR_COUNTER  it cannot
 *  @retval WM_ERR_STORAGE  the packet must not be released */
wm_status wm_ipsec_window(wm_ipsec_sa *sa, uint32_t sequence, bool came);

#endif
