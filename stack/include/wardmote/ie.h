/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ie.h
 *  Information Elements (IEEE 802.15.4-2015 7.4): lists of header IEs and of the IEs nested in the
 *  MLME payload IE, and the Time Correction IE. Identifiers are those of 7.4.2.1, 7.4.3.1 and
 *  7.4.4.1. */
#ifndef WARDMOTE_IE_H
#define WARDMOTE_IE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ieee802154.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_IE_TIME_CORRECTION 0x1E  /**< header IE */
#define WM_IE_HT1 0x7E              /**< header termination 1: payload IEs follow */
#define WM_IE_HT2 0x7F              /**< header termination 2: payload follows */
#define WM_IE_GROUP_MLME 0x1        /**< payload IE */
#define WM_IE_GROUP_TERMINATION 0xF /**< payload IE: payload follows */
#define WM_IE_TSCH_SYNC 0x1A        /**< nested, short */
#define WM_IE_SLOTFRAME_LINK 0x1B   /**< nested, short */
#define WM_IE_TSCH_TIMESLOT 0x1C    /**< nested, short */
#define WM_IE_CHANNEL_HOPPING 0x09  /**< nested, long */

#define WM_TIME_CORRECTION_LEN 4 /**< octets of the whole Time Correction IE */
#define WM_TIME_CORRECTION_MIN (-2048)
#define WM_TIME_CORRECTION_MAX 2047

/** One IE of a list: its content is `len` octets at `content`. `content` is NULL when the list is
 *  over. */
typedef struct wm_ie {
    const uint8_t *content;
    uint16_t len;
    uint8_t id;       /**< Element, Group or Sub-ID */
    bool long_format; /**< nested IEs: identifier is of the long format */
} wm_ie;

/** What is left of a list of IEs. */
typedef struct wm_ie_list {
    const uint8_t *at;
    wm_psdu_len left;
} wm_ie_list;

/** Takes the next IE of a list of header IEs, terminations included.
 *  @retval WM_ERR_MALFORMED  it passes the end of the list */
WM_NODISCARD wm_status wm_ie_next_header(wm_ie_list *list, wm_ie *ie);

/** Takes the next payload IE.
 *  @retval WM_ERR_MALFORMED  it passes the end of the list */
WM_NODISCARD wm_status wm_ie_next_payload(wm_ie_list *list, wm_ie *ie);

/** Takes the next IE nested in an MLME IE.
 *  @retval WM_ERR_MALFORMED  it passes the end of the list */
WM_NODISCARD wm_status wm_ie_next_nested(wm_ie_list *list, wm_ie *ie);

/** Where the header IEs that begin at offset `pos` of a frame end: after HT1 or HT2, or at `end`
 *  without either.
 *  @retval WM_ERR_MALFORMED an IE passes `end`, a termination has content, or a payload IE stands
 *      among them */
WM_NODISCARD wm_status wm_header_ies_end(const uint8_t *frame, wm_psdu_len pos, wm_psdu_len end,
                                         wm_psdu_len *after);

/** Writes a Time Correction IE, WM_TIME_CORRECTION_LEN octets, into `out` of `size` octets; `us` is
 *  cut to -2048..2047.
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` too small; nothing written */
WM_NODISCARD wm_status wm_time_correction_build(uint8_t *out, wm_psdu_len size, int16_t us,
                                                bool nack);

/** Finds the Time Correction IE in `len` octets of header IEs.
 *  @retval WM_ERR_MALFORMED none there, of another length, or the list is broken */
WM_NODISCARD wm_status wm_time_correction_parse(const uint8_t *list, wm_psdu_len len, int16_t *us,
                                                bool *nack);

WM_C_END

#endif
