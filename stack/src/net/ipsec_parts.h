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

/** What a walk through the headers of a packet found. */
typedef struct wm_ipsec_map {
    uint16_t end;          /**< of the packet */
    wm_ipsec_place inside; /**< what AH and ESP protect */
    wm_ipsec_place upper;  /**< the first that is not options or routing: AH, ESP, upper layer */
} wm_ipsec_map;

/** Walks through the headers of `len` octets.
 *  @retval WM_ERR_MALFORMED  see wm_ipsec_secure */
wm_status wm_ipsec_walk(const uint8_t *packet, uint16_t len, wm_ipsec_map *map);

/** The option at `at` of a header of options, in which it is whole: octets, and those of them that are
 *  data. */
static inline uint16_t wm_ipsec_option(const uint8_t *option, uint8_t *data)
{
    *data = option[0] == 0 ? 0 : option[1]; /* Pad1 is one octet */
    return (uint16_t)(option[0] == 0 ? 1u : 2u + option[1]);
}

/** Writes the payload length of a packet that ends at `end`. */
void wm_ipsec_set_end(uint8_t *packet, uint16_t end);

/** Moves octets up, or down: the strings may overlap. */
void wm_ipsec_move_up(uint8_t *from, uint16_t octets, uint16_t by);
void wm_ipsec_move_down(uint8_t *to, uint16_t octets, uint16_t by);

/** The policy of a packet whose remote address is at `remote_at`.
 *  @param policy  NULL: discard
 *  @retval WM_ERR_MALFORMED  the upper layer's header is too short to tell */
wm_status wm_ipsec_find_policy(const wm_ipsec *ipsec, const uint8_t *packet,
                               const wm_ipsec_map *map, uint16_t remote_at,
                               const wm_ipsec_policy **policy);

/** Octets of the ICV of a SA's packets; 0: none. */
static inline uint8_t wm_ipsec_icv_octets(const wm_ipsec_sa *sa)
{
    return sa->integrity != NULL
               ? sa->integrity->icv_octets
               : (uint8_t)(sa->encryption != NULL ? sa->encryption->icv_octets : 0);
}

/** Whether a SA can be used, for receiving or for sending. */
wm_status wm_ipsec_check_sa(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, bool receives);

/** Takes the SA's state out of the store. */
void wm_ipsec_restore(const wm_ipsec *ipsec, wm_ipsec_sa *sa);

/** The next sequence number is used from now on, whatever happens: sa->sequence.
 *  @retval WM_ERR_COUNTER  there is none */
wm_status wm_ipsec_use_sequence(wm_ipsec_sa *sa, wm_counter_store *store);

/** Whether a sequence number can be new: it is in the window and has not come, or is above it.
 *  @retval WM_ERR_COUNTER  it cannot */
wm_status wm_ipsec_is_new(const wm_ipsec_sa *sa, uint32_t sequence);

/** Moves the window: the ICV was right.
 *  @retval WM_ERR_STATE, WM_ERR_STORAGE  the packet must not be released */
wm_status wm_ipsec_came(wm_ipsec_sa *sa, wm_counter_store *store, uint32_t sequence);

#endif
