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

/** A packet on its way out. Its members are the library's; the packet must stay where it is. */
typedef struct wm_lowpan_sending {
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

/** Writes what the next frame carries; `*frame_len` is 0 when all was sent.
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` is less than 13 octets */
WM_NODISCARD wm_status wm_lowpan_send_next(wm_lowpan_sending *sending, uint8_t *frame,
                                           uint16_t size, uint16_t *frame_len);

/** Room for one packet. The caller sets `packet`, and everything else to zero. */
typedef struct wm_lowpan_slot {
    uint8_t *packet;                /**< as many octets as wm_lowpan_reassembly says */
    wm_lowpan_link link;            /**< the library's, like all that follows */
    wm_lowpan_expanded expanded;    /**< of the first fragment */
    uint32_t since;                 /**< when the first one of the fragments came */
    uint16_t total;                 /**< datagram_size; 0: the slot is free */
    uint16_t tag;                   /**< datagram_tag */
    uint16_t first;                 /**< octets of the first fragment as it came; 0: not there */
    uint16_t digest;                /**< of those octets */
    uint8_t left;                   /**< units that are missing */
    uint8_t there[WM_LOWPAN_UNITS]; /**< units that are there */
    uint8_t begin[WM_LOWPAN_UNITS]; /**< units that a fragment began with */
} wm_lowpan_slot;

/** Where packets are put together. The caller sets everything. */
typedef struct wm_lowpan_reassembly {
    wm_lowpan_slot *slots;
    uint32_t timeout;   /**< in units of the caller's clock; RFC 4944: at most 60 s */
    uint16_t size;      /**< octets of a slot's packet, at most WM_LOWPAN_DATAGRAM_MAX */
    uint8_t count;      /**< slots, at least 2 */
    uint8_t per_sender; /**< packets of one sender at a time: at least 1, less than count */
} wm_lowpan_reassembly;

/** Takes a fragment: `in` begins with its fragment header, `link` has the addresses of its frame,
 *  and `now` is the caller's clock, which may wrap. When it was the last one missing, `*packet` and
 *  `*packet_len` are the packet, which lies there until the next call; else `*packet` is NULL.
 *
 *  A fragment that is there already changes nothing. One that overlaps others in another way, or has
 *  other octets, ends its packet, of which nothing is kept; so does a first fragment that cannot be expanded. A sender
 *  that begins one packet too many loses its oldest one.
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

WM_C_END

#endif
