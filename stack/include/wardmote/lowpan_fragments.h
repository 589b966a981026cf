/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lowpan_fragments.h
 *  6LoWPAN: packets in fragments (RFC 4944 5.3), cut and put together again. Sizes and offsets are
 *  those of the packet before compression. Every length is in octets.
 *
 *  Reassembly has as many slots as the caller gives it, and gives one sender fewer than all. Only
 *  link-layer security makes senders of the addresses of frames: without it anybody may take the
 *  name, and so the slots, of another one. */
#ifndef WARDMOTE_LOWPAN_FRAGMENTS_H
#define WARDMOTE_LOWPAN_FRAGMENTS_H

#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/lowpan.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_LOWPAN_DATAGRAM_MAX 1280 /**< of a packet that is put together */
#define WM_LOWPAN_SIZE_MAX 2047     /**< of a packet that a fragment can name */
#define WM_LOWPAN_FRAG1_LEN 4       /**< header of a first fragment */
#define WM_LOWPAN_FRAGN_LEN 5       /**< header of another one */
#define WM_LOWPAN_UNITS 20          /**< octets of a bit for each 8 octets */

/** Who makes the octets of a packet what they are to be, just before they go into a frame: IPsec that
 *  works while frames are on the air (ipsec_ahead.h). */
typedef struct wm_lowpan_maker {
    /** Makes the octets up to `end`. No octet leaves after an error */
    wm_status (*make)(void *context, const uint8_t *packet, uint16_t end);
    void *context;
} wm_lowpan_maker;

/** A packet on its way out. Its members are the library's; the packet must stay where it is. */
typedef struct wm_lowpan_sending {
    const wm_lowpan_maker *maker; /**< NULL: the packet is what it is to be */
    const uint8_t *packet;
    uint16_t len;
    uint16_t at; /**< octets sent */
    uint16_t tag;
} wm_lowpan_sending;

/** Begins to send a packet: writes what the first frame carries into `frame` of `size` octets, and
 *  its length into `frame_len`. It is the whole packet if that fits, and else a first fragment.
 *  `tag` must differ from those of the packets before to the same destination. For the other
 *  parameters see wm_lowpan_compress.
 *  @retval WM_ERR_PARAM           as wm_lowpan_compress
 *  @retval WM_ERR_FRAME_TOO_LONG  the headers do not fit a first fragment, or the packet is longer
 *                                 than WM_LOWPAN_SIZE_MAX and does not fit one frame */
WM_NODISCARD wm_status wm_lowpan_send(wm_lowpan_sending *sending, const wm_lowpan *net,
                                      const wm_lowpan_link *link, const uint8_t *packet,
                                      uint16_t len, bool elide_checksum, uint16_t tag,
                                      uint8_t *frame, uint16_t size, uint16_t *frame_len);

/** The same for a packet whose octets behind its headers are made by `maker`, which must outlive it.
 *  Headers that are compressed are there before.
 *  @retval  also what `maker` answers, here and from wm_lowpan_send_next: the packet is over */
WM_NODISCARD wm_status wm_lowpan_send_made(wm_lowpan_sending *sending, const wm_lowpan_maker *maker,
                                           const wm_lowpan *net, const wm_lowpan_link *link,
                                           const uint8_t *packet, uint16_t len, bool elide_checksum,
                                           uint16_t tag, uint8_t *frame, uint16_t size,
                                           uint16_t *frame_len);

/** Writes what the next frame carries; `*frame_len` is 0 when all was sent.
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` is less than 13 octets */
WM_NODISCARD wm_status wm_lowpan_send_next(wm_lowpan_sending *sending, uint8_t *frame,
                                           uint16_t size, uint16_t *frame_len);

/** A packet that is kept as it came, in fragments: its first octets are what the next hop's first
 *  fragment carries, and from `from` on they are those of the packet. */
typedef struct wm_lowpan_kept {
    uint16_t first; /**< octets of the first fragment, its header left out; 0: it is not kept */
    uint16_t from;  /**< where the fragments behind it begin */
    /** octets of the packet that the first fragment stands for at least: 40, and what is behind
     *  LOWPAN_IPHC */
    uint16_t least;
    uint16_t next; /**< who passes it on says what this is: the next hop */
} wm_lowpan_kept;

/** Begins to send such a packet of `total` octets, more than `kept->from`; wm_lowpan_send_next goes on.
 *  Each frame has as many octets as it can, whatever those had that came. The packet must stay where
 *  it is.
 *  @retval WM_ERR_FRAME_TOO_LONG  its first fragment does not fit `size` */
WM_NODISCARD wm_status wm_lowpan_send_kept(wm_lowpan_sending *sending, const uint8_t *packet,
                                           uint16_t total, const wm_lowpan_kept *kept, uint16_t tag,
                                           uint8_t *frame, uint16_t size, uint16_t *frame_len);

/** Room for one packet. The caller sets `packet`, and everything else to zero. */
typedef struct wm_lowpan_slot {
    uint8_t *packet;             /**< as many octets as wm_lowpan_reassembly says */
    wm_lowpan_link link;         /**< the library's, like all that follows */
    wm_lowpan_expanded expanded; /**< of the first fragment */
    uint32_t since;              /**< when the first one of the fragments came */
    uint16_t total;              /**< datagram_size; 0: the slot is free */
    uint16_t tag;                /**< datagram_tag */
    uint16_t first;              /**< octets of the first fragment as it came; 0: not there */
    uint16_t digest;             /**< of those octets */
    /** The caller may set it: octets at the beginning of `packet` that it changes before the packet is
     *  whole. A fragment there that comes twice is not compared, so that it tells nobody what they are
     *  now: whoever changes them has to find out that they are of one packet */
    uint16_t changed;
    wm_lowpan_kept kept;
    uint8_t left;                   /**< units that are missing */
    uint8_t there[WM_LOWPAN_UNITS]; /**< units that are there */
    uint8_t begin[WM_LOWPAN_UNITS]; /**< units that a fragment began with */
} wm_lowpan_slot;

/** Octets at the beginning of a slot's packet that are there without a gap, and do not change any
 *  more; 0: the slot is free, or a UDP checksum is missing until the packet is whole. */
uint16_t wm_lowpan_have(const wm_lowpan_slot *slot);

/** Where packets are put together. The caller sets everything. */
typedef struct wm_lowpan_reassembly {
    wm_lowpan_slot *slots;
    uint32_t timeout;   /**< in units of the caller's clock; RFC 4944: at most 60 s */
    uint16_t size;      /**< octets of a slot's packet, at most WM_LOWPAN_DATAGRAM_MAX */
    uint8_t count;      /**< slots, at least 2 */
    uint8_t per_sender; /**< packets of one sender at a time: at least 1, less than count */
    /** Told of a slot before its packet, which is not whole, is dropped. NULL: nobody is told */
    void (*dropped)(void *context, const wm_lowpan_slot *slot);
    /** Asked about what a first fragment carries that comes before the others of its packet: does the
     *  packet go on to another node as it is? If so, it writes what the next hop's first fragment is
     *  to carry to `slot->packet`, at most `slot->total` octets, sets `least` and `next` of
     *  `slot->kept`, and answers how many octets it wrote. 0: the packet is expanded. NULL: all are */
    uint16_t (*pass)(void *context, const wm_lowpan_link *link, const uint8_t *in, uint16_t len,
                     wm_lowpan_slot *slot);
    void *context;
} wm_lowpan_reassembly;

/** Takes a fragment: `in` begins with its fragment header, `link` has the addresses of its frame,
 *  and `now` is the caller's clock, which may wrap. When it was the last one missing, `*packet` and
 *  `*packet_len` are the packet, which lies there until the next call; else `*packet` is NULL.
 *
 *  A fragment that is there already changes nothing. One that overlaps others in another way, or has
 *  other octets, ends its packet, of which nothing is kept; so does a first fragment that cannot be expanded. A sender
 *  that begins one packet too many loses its oldest one.
 *
 *  Nothing of a packet that `pass` has kept is looked at but what `pass` reads; `kept` of its slot tells
 *  what to send. How much of it the first fragment stands for follows from the others: it is whole
 *  when these reach from its end to that of the packet. That end is where compressed headers behind
 *  the IPv6 header have grown by less than 64 octets: one IPv6 header more, say, and one of UDP.
 *  @retval WM_ERR_MALFORMED       cut, empty, past the end of its packet, not a multiple of 8 octets
 *                                 unless it is the last one, overlapping, or as wm_lowpan_expand
 *  @retval WM_ERR_NOT_FOR_US      no fragment (a mesh or broadcast header is none), or as
 *                                 wm_lowpan_expand
 *  @retval WM_ERR_FRAME_TOO_LONG  its packet is longer than a slot
 *  @retval WM_ERR_STATE           every slot holds a packet of another sender
 *  @retval WM_ERR_PARAM           a `reassembly` or a `net` that is none */
WM_NODISCARD wm_status wm_lowpan_reassemble(wm_lowpan_reassembly *reassembly, const wm_lowpan *net,
                                            const wm_lowpan_link *link, const uint8_t *in,
                                            uint16_t len, uint32_t now, const uint8_t **packet,
                                            uint16_t *packet_len);

/** Drops packets whose time is over; wm_lowpan_reassemble does so too. */
void wm_lowpan_expire(const wm_lowpan_reassembly *reassembly, uint32_t now);

WM_C_END

#endif
