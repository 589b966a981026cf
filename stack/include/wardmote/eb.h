/* SPDX-License-Identifier: BSD-3-Clause */
/** @file eb.h
 *  What an Enhanced Beacon of a TSCH network says: the IEs behind its header (IEEE 802.15.4-2015
 *  6.3.6, 7.4.4). For a node that joins: wm_frame_parse finds where they begin, wm_eb_asn gives the
 *  ASN for the nonce, and wm_eb_parse says the rest once the beacon is authenticated. A beacon under
 *  the public K1 of RFC 8180 is authenticated by nobody: see tsch.h. */
#ifndef WARDMOTE_EB_H
#define WARDMOTE_EB_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/tsch.h>

WM_C_BEGIN

#define WM_EB_LEN_MAX 56 /**< octets that wm_eb_build needs at most, HT1 included */

/** Content of an Enhanced Beacon. */
typedef struct wm_eb {
    uint8_t asn[5]; /**< of the slot it is sent in, most significant octet first */
    uint8_t join_metric;
    uint8_t hopping_id;        /**< 0: default sequence */
    uint16_t slotframe_length; /**< slots */
    /** parse: the default template where the EB names template 0 only */
    wm_tsch_template timing;
} wm_eb;

/** Writes header termination 1 and the MLME IE: TSCH Synchronization, Timeslot with its whole
 *  template, Channel Hopping by identifier, one slotframe with one link (slot 0, receive and
 *  timekeeping, as a joining node sees it). `out` has `size` octets; it needs 54, or WM_EB_LEN_MAX
 *  where TsMaxTx or the slot is longer than 65 535 us. `*len`: octets written.
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` too small; nothing written
 *  @retval WM_ERR_PARAM           a guard time longer than what is before it: TsRxOffset or
 *                                 TsRxAckDelay would be negative; nothing written */
WM_NODISCARD wm_status wm_eb_build(const wm_eb *eb, uint8_t *out, wm_psdu_len size,
                                   wm_psdu_len *len);

/** Reads the payload IEs behind header termination 1; `len` octets without MIC. IEs it does not
 *  know are passed over.
 *  @retval WM_ERR_MALFORMED  an IE passes the end of its list or is shorter than its own fields, or
 *                            one of the four is missing or there twice
 *  @retval WM_ERR_PARAM      well formed, but asks for what we cannot follow: a template or hopping
 *                            sequence that it does not carry, more than one slotframe, values
 *                            beyond 16 bits of ticks, a guard time as above */
WM_NODISCARD wm_status wm_eb_parse(const uint8_t *payload, wm_psdu_len len, wm_eb *eb);

/** Only the ASN, for the nonce of an EB that is not verified yet.
 *  @retval WM_ERR_MALFORMED  as above */
WM_NODISCARD wm_status wm_eb_asn(const uint8_t *payload, wm_psdu_len len, uint8_t asn[5]);

WM_C_END

#endif
