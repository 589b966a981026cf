/* SPDX-License-Identifier: BSD-3-Clause */
/* One frame, one key: nonce, a-data and m-data, CCM*.
 *
 * References: IEEE 802.15.4-2015 9.2.2 (outgoing), 9.2.4 (incoming), 9.3.3 (nonce), 9.3 (a-data and
 * m-data), 6.3.6 (Enhanced Beacons are never encrypted); 2011 7.3 for level 4; Annex B (CCM*). */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/link_security.h>
#include <wardmote/octets.h>
#include "../mode/bound.h"
#include "../util/octets8.h"

#define LEVEL_ENCRYPTED 4u /* levels 4..7 encrypt */
#define LEVEL_ENC 4u       /* and this one does nothing else */

static void copy_asn(uint8_t *to, const uint8_t asn[5])
{
    to[0] = asn[0];
    to[1] = asn[1];
    to[2] = asn[2];
    to[3] = asn[3];
    to[4] = asn[4];
}

/* Extended address for the nonce: of the frame, or as the caller knows it. */
static const uint8_t *source_ext(const wm_mhr *mhr, const wm_security *sec)
{
    return mhr->src.mode == WM_ADDR_EXT ? mhr->src.octet : sec->src_ext;
}

/* 2015 9.3.3.1: source extended address 8 | frame counter 4 | level 1. */
static wm_status counter_nonce(const wm_mhr *mhr, const wm_security *sec, uint8_t nonce[13])
{
    const uint8_t *ext = source_ext(mhr, sec);

    if (mhr->ash.counter_suppressed || mhr->ash.asn_in_nonce) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (ext == NULL) {
        return WM_ERR_PARAM;
    }
    if (mhr->ash.frame_counter == UINT32_MAX) {
        return WM_ERR_COUNTER;
    }
    wm_copy8(nonce, ext);
    wm_store_be32(nonce + 8, mhr->ash.frame_counter);
    nonce[12] = mhr->ash.level;
    return WM_OK;
}

/* 2015 9.3.3.2: source extended address 8, or BA 55 EC (the CID of IEEE 802.15) 00 | PAN identifier
 * 2 | short address 2, then ASN 5. The level is not in it: it is bound by a-data and B_0 alone. */
static wm_status asn_nonce(const wm_mhr *mhr, const wm_security *sec, uint8_t nonce[13])
{
    if (!mhr->ash.counter_suppressed || !mhr->ash.asn_in_nonce) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (mhr->src.mode == WM_ADDR_SHORT) {
        if (!mhr->src_pan_present && !mhr->dst_pan_present) {
            return WM_ERR_PARAM;
        }
        nonce[0] = 0xBA;
        nonce[1] = 0x55;
        nonce[2] = 0xEC;
        nonce[3] = 0x00;
        wm_store_be16(nonce + 4, mhr->src_pan);
        nonce[6] = mhr->src.octet[0];
        nonce[7] = mhr->src.octet[1];
    } else {
        const uint8_t *ext = source_ext(mhr, sec);
        if (ext == NULL) {
            return WM_ERR_PARAM;
        }
        wm_copy8(nonce, ext);
    }
    if ((sec->asn[0] & sec->asn[1] & sec->asn[2] & sec->asn[3] & sec->asn[4]) == 0xFF) {
        return WM_ERR_COUNTER;
    }
    copy_asn(nonce + 8, sec->asn);
    return WM_OK;
}

wm_status wm_frame_nonce(const wm_mhr *mhr, const wm_security *sec, uint8_t nonce[13])
{
    return sec->nonce_form == WM_NONCE_ASN ? asn_nonce(mhr, sec, nonce)
                                           : counter_nonce(mhr, sec, nonce);
}

/* Whether a frame with this header can be secured at its level at all. */
static wm_status level_allowed(const wm_mhr *mhr, wm_profile profile)
{
    const uint8_t level = mhr->ash.level;

    if (level == 0 || level > 7 || (level == LEVEL_ENC && profile != WM_PROFILE_2011)) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (mhr->version < WM_VERSION_2015) {
        /* an Imm-Ack has no ASH */
        return mhr->type == WM_FRAME_ACK ? WM_ERR_UNSUPPORTED_SECURITY : WM_OK;
    }
    /* 2015 6.3.6: a joining node must be able to read an Enhanced Beacon. */
    return mhr->type == WM_FRAME_BEACON && level >= LEVEL_ENCRYPTED ? WM_ERR_UNSUPPORTED_SECURITY
                                                                    : WM_OK;
}

/* 2015 9.3, 2011 7.3 at level 4; `len` octets without MIC, not below map->private_payload. */
static void split_at_level(const wm_mhr *mhr, const wm_frame_map *map, wm_psdu_len len,
                           wm_frame_split *split)
{
    const uint8_t level = mhr->ash.level;

    split->mic_len = wm_level_mic_len(level);
    split->m_start = level < LEVEL_ENCRYPTED ? len : map->private_payload;
    split->m_len = (wm_psdu_len)(len - split->m_start);
    split->a_len = level == LEVEL_ENC ? 0 : split->m_start;
}

wm_status wm_frame_split_clear(const wm_mhr *mhr, const wm_frame_map *map, wm_profile profile,
                               wm_psdu_len len, wm_frame_split *split)
{
    const wm_status status = level_allowed(mhr, profile);

    if (status != WM_OK) {
        return status;
    }
    if (len > WM_FRAME_MAX - wm_level_mic_len(mhr->ash.level)) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (len < map->private_payload) {
        return WM_ERR_MALFORMED;
    }
    split_at_level(mhr, map, len, split);
    return WM_OK;
}

wm_status wm_frame_split_secured(const wm_mhr *mhr, const wm_frame_map *map, wm_profile profile,
                                 wm_psdu_len len, wm_frame_split *split)
{
    const wm_status status = level_allowed(mhr, profile);
    const uint8_t mic = wm_level_mic_len(mhr->ash.level);

    if (status != WM_OK) {
        return status;
    }
    if (len < mic || (wm_psdu_len)(len - mic) < map->private_payload) {
        return WM_ERR_MALFORMED;
    }
    split_at_level(mhr, map, (wm_psdu_len)(len - mic), split);
    return WM_OK;
}

wm_status wm_frame_secure_as(const wm_security *sec, const wm_mhr *mhr, const wm_frame_map *map,
                             uint8_t *frame, wm_psdu_len size, wm_psdu_len *len)
{
    wm_frame_split split;
    uint8_t nonce[13];
    wm_status status;

    if (!mhr->security_enabled) {
        return *len > WM_FRAME_MAX ? WM_ERR_FRAME_TOO_LONG : WM_NOT_SECURED;
    }
    status = wm_frame_split_clear(mhr, map, sec->profile, *len, &split);
    if (status != WM_OK) {
        return status;
    }
    if (*len + split.mic_len > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (!wm_cipher_ready(sec->cipher)) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    status = wm_frame_nonce(mhr, sec, nonce);
    if (status != WM_OK) {
        return status;
    }
    status = wm_ccm_seal(sec->cipher, nonce, frame, split.a_len, frame + split.m_start, split.m_len,
                         frame + *len, split.mic_len);
    if (status == WM_OK) {
        *len = (wm_psdu_len)(*len + split.mic_len);
    }
    return status;
}

wm_status wm_frame_secure(const wm_security *sec, uint8_t *frame, wm_psdu_len size,
                          wm_psdu_len *len)
{
    wm_mhr mhr;
    wm_frame_map map;
    const wm_status status = wm_frame_parse_clear(frame, *len, &mhr, &map);

    return status == WM_OK ? wm_frame_secure_as(sec, &mhr, &map, frame, size, len) : status;
}

wm_status wm_frame_unsecure_as(const wm_security *sec, const wm_mhr *mhr, const wm_frame_map *map,
                               uint8_t *frame, wm_psdu_len *len)
{
    wm_frame_split split;
    uint8_t nonce[13];
    wm_status status;

    if (!mhr->security_enabled) {
        return WM_NOT_SECURED;
    }
    status = wm_frame_split_secured(mhr, map, sec->profile, *len, &split);
    if (status != WM_OK) {
        return status;
    }
    if (!wm_cipher_ready(sec->cipher)) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    status = wm_frame_nonce(mhr, sec, nonce);
    if (status != WM_OK) {
        return status;
    }
    status = wm_ccm_open(sec->cipher, nonce, frame, split.a_len, frame + split.m_start, split.m_len,
                         frame + split.m_start + split.m_len, split.mic_len);
    if (status == WM_ERR_SECURITY || status == WM_ERR_ENGINE) {
        /* Levels 1..3 left the payload in a: nothing behind the ASH may be used by mistake. */
        wm_wipe(frame + map->header_ie, (size_t)(*len - map->header_ie));
    }
    if (status >= 0) {
        *len = (wm_psdu_len)(*len - split.mic_len);
    }
    return status;
}

wm_status wm_frame_unsecure(const wm_security *sec, uint8_t *frame, wm_psdu_len *len)
{
    wm_mhr mhr;
    wm_frame_map map;
    const wm_status status = wm_frame_parse(frame, *len, &mhr, &map);

    return status == WM_OK ? wm_frame_unsecure_as(sec, &mhr, &map, frame, len) : status;
}
