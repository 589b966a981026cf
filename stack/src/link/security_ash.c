/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting an Auxiliary Security Header into a frame in clear, and taking it out again.
 *
 * References: IEEE 802.15.4-2006 7.2.1.1.7 (a secured frame has version 1 at least), 2015 7.2.1.3,
 * 9.4. */
#include "security_tables.h"

#define FCF0_SECURITY 0x08u
/* FCF 2, sequence number 1, two PAN identifiers 4, two addresses 16 */
#define MHR_MAX (23 + WM_ASH_MAX)

/* Octets from `begin` to `end` go `by` octets towards the end, last one first. */
static void shift_up(uint8_t *frame, wm_psdu_len begin, wm_psdu_len end, wm_psdu_len by)
{
    while (end > begin) {
        end--;
        frame[(wm_psdu_len)(end + by)] = frame[end];
    }
}

wm_status wm_ash_insert(uint8_t *frame, wm_psdu_len size, wm_psdu_len *len, const wm_ash *ash)
{
    wm_mhr mhr;
    wm_frame_map map;
    uint8_t header[MHR_MAX];
    wm_psdu_len header_len;
    wm_psdu_len need;
    wm_psdu_len i;
    wm_status status = wm_frame_parse_clear(frame, *len, &mhr, &map);

    if (status != WM_OK) {
        return status;
    }
    if (mhr.security_enabled) {
        return WM_ERR_PARAM;
    }
    mhr.security_enabled = true;
    mhr.version = mhr.version == WM_VERSION_2003 ? WM_VERSION_2006 : mhr.version;
    mhr.ash = *ash;
    status = wm_mhr_build(&mhr, header, sizeof header, &header_len);
    if (status != WM_OK) {
        return status;
    }
    need = (wm_psdu_len)(header_len - map.ash);
    if (*len + need > size || *len + need > WM_FRAME_MAX) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    shift_up(frame, map.ash, *len, need);
    for (i = 0; i < header_len; i++) {
        frame[i] = header[i];
    }
    *len = (wm_psdu_len)(*len + need);
    return WM_OK;
}

wm_status wm_ash_remove(uint8_t *frame, wm_psdu_len *len)
{
    wm_mhr mhr;
    wm_frame_map map;
    wm_psdu_len gap;
    wm_psdu_len i;
    const wm_status status = wm_frame_parse_clear(frame, *len, &mhr, &map);

    if (status != WM_OK || !mhr.security_enabled) {
        return status;
    }
    gap = (wm_psdu_len)(map.header_ie - map.ash);
    *len = (wm_psdu_len)(*len - gap);
    for (i = map.ash; i < *len; i++) {
        frame[i] = frame[(wm_psdu_len)(i + gap)];
    }
    frame[0] &= (uint8_t)~FCF0_SECURITY;
    return WM_OK;
}
