/* SPDX-License-Identifier: BSD-3-Clause */
/* MAC header of IEEE 802.15.4: octets to values and back.
 *
 * References: IEEE 802.15.4-2015 7.2 (MHR), table 7-2 (PAN ID compression), 7.3.1 (beacon),
 * 7.3.4 (command), 7.4.2 (header IEs), 9.4 (Auxiliary Security Header); 2011 5.2 for versions 0
 * and 1.
 * Invariant: no octet is read before its offset was compared with the end of the frame. */
#include <wardmote/ieee802154.h>
#include <wardmote/octets.h>
#include <wardmote/ie.h>
#include "../util/octets8.h"

/* First octet of the FCF. */
#define FCF0_TYPE 0x07
#define FCF0_SECURITY 0x08
#define FCF0_PENDING 0x10
#define FCF0_ACK_REQUEST 0x20
#define FCF0_COMPRESSION 0x40
/* Second octet. */
#define FCF1_SEQ_SUPPRESSED 0x01
#define FCF1_IE_PRESENT 0x02
#define FCF1_DST_SHIFT 2
#define FCF1_VERSION_SHIFT 4
#define FCF1_SRC_SHIFT 6
/* Security Control. */
#define ASH_LEVEL 0x07
#define ASH_MODE_SHIFT 3
#define ASH_SUPPRESSED 0x20
#define ASH_ASN 0x40

static const uint8_t addr_len[4] = {0, 0, 2, 8};   /* by addressing mode */
static const uint8_t key_id_len[4] = {0, 1, 5, 9}; /* by KeyIdMode: Key Source and Key Index */
static const uint8_t mic_len[4] = {0, 4, 8, 16};   /* by the low bits of the level */

uint8_t wm_level_mic_len(uint8_t level)
{
    return mic_len[level & 3u];
}

uint8_t wm_ash_len(const wm_ash *ash)
{
    return (uint8_t)(1u + (ash->counter_suppressed ? 0u : 4u) + key_id_len[ash->key_id_mode & 3u]);
}

typedef struct pan_fields {
    bool dst, src;
} pan_fields;

/* Which PAN identifiers the header carries: 2015 table 7-2; versions 0 and 1: every address has
 * one, the source's gives way when compression is set, which then takes two addresses. False: no
 * such combination. */
static bool derive_pan_fields(const wm_mhr *mhr, pan_fields *pan)
{
    const bool dst = mhr->dst.mode != WM_ADDR_NONE;
    const bool src = mhr->src.mode != WM_ADDR_NONE;
    const bool compressed = mhr->pan_id_compression;

    pan->dst = dst;
    pan->src = src && !compressed;
    if (mhr->version < WM_VERSION_2015) {
        return !compressed || (dst && src);
    }
    if (dst && src) {
        if (mhr->dst.mode == WM_ADDR_EXT && mhr->src.mode == WM_ADDR_EXT) {
            pan->dst = !compressed;
            pan->src = false;
        }
    } else if (!src) {
        pan->dst = dst != compressed;
    }
    return true;
}

/* Addresses are most significant octet last on the air. */
static const uint8_t *load_addr(wm_addr *addr, const uint8_t *p)
{
    if (addr->mode == WM_ADDR_EXT) {
        wm_reverse8(addr->octet, p);
        return p + 8;
    }
    if (addr->mode == WM_ADDR_SHORT) {
        addr->octet[1] = p[0];
        addr->octet[0] = p[1];
        return p + 2;
    }
    return p;
}

static uint8_t *store_addr(const wm_addr *addr, uint8_t *p)
{
    if (addr->mode == WM_ADDR_EXT) {
        wm_reverse8(p, addr->octet);
        return p + 8;
    }
    if (addr->mode == WM_ADDR_SHORT) {
        p[0] = addr->octet[1];
        p[1] = addr->octet[0];
        return p + 2;
    }
    return p;
}

static uint8_t addressing_len(const wm_mhr *mhr, pan_fields pan)
{
    return (uint8_t)(2u + (mhr->seq_suppressed ? 0u : 1u) + (pan.dst ? 2u : 0u) +
                     (pan.src ? 2u : 0u) + addr_len[mhr->dst.mode] + addr_len[mhr->src.mode]);
}

static wm_status load_fcf(wm_mhr *mhr, uint8_t fcf0, uint8_t fcf1)
{
    pan_fields pan;

    mhr->type = fcf0 & FCF0_TYPE;
    if (mhr->type > WM_FRAME_COMMAND) {
        return mhr->type == 4 ? WM_ERR_MALFORMED : WM_ERR_NOT_FOR_US;
    }
    mhr->security_enabled = (fcf0 & FCF0_SECURITY) != 0;
    mhr->frame_pending = (fcf0 & FCF0_PENDING) != 0;
    mhr->ack_request = (fcf0 & FCF0_ACK_REQUEST) != 0;
    mhr->pan_id_compression = (fcf0 & FCF0_COMPRESSION) != 0;
    mhr->seq_suppressed = (fcf1 & FCF1_SEQ_SUPPRESSED) != 0;
    mhr->ie_present = (fcf1 & FCF1_IE_PRESENT) != 0;
    mhr->version = (fcf1 >> FCF1_VERSION_SHIFT) & 3u;
    mhr->dst.mode = (fcf1 >> FCF1_DST_SHIFT) & 3u;
    mhr->src.mode = (uint8_t)(fcf1 >> FCF1_SRC_SHIFT);

    if (mhr->version > WM_VERSION_2015 || mhr->dst.mode == 1 || mhr->src.mode == 1) {
        return WM_ERR_MALFORMED;
    }
    if (mhr->version < WM_VERSION_2015 && (mhr->seq_suppressed || mhr->ie_present)) {
        return WM_ERR_MALFORMED;
    }
    if (mhr->version == WM_VERSION_2003 && mhr->security_enabled) {
        return WM_ERR_UNSUPPORTED_LEGACY;
    }
    if (!derive_pan_fields(mhr, &pan)) {
        return WM_ERR_MALFORMED;
    }
    mhr->dst_pan_present = pan.dst;
    mhr->src_pan_present = pan.src;
    return WM_OK;
}

uint8_t wm_frame_addressing_len(const uint8_t fcf[2])
{
    wm_mhr mhr;

    if (load_fcf(&mhr, fcf[0], fcf[1]) != WM_OK) {
        return 0;
    }
    return addressing_len(&mhr, (pan_fields){mhr.dst_pan_present, mhr.src_pan_present});
}

/* `p` has addressing_len octets from the start of the frame behind it; 2 of them are the FCF. */
static void load_addressing(wm_mhr *mhr, const uint8_t *p)
{
    mhr->seq = 0;
    if (!mhr->seq_suppressed) {
        mhr->seq = *p++;
    }
    mhr->dst_pan = 0;
    if (mhr->dst_pan_present) {
        mhr->dst_pan = wm_load_le16(p);
        p += 2;
    }
    p = load_addr(&mhr->dst, p);
    mhr->src_pan = mhr->dst_pan;
    if (mhr->src_pan_present) {
        mhr->src_pan = wm_load_le16(p);
        p += 2;
    }
    (void)load_addr(&mhr->src, p);
}

/* 2015 9.4.3: 4 octets with KeyIdMode 2, 8 with KeyIdMode 3. */
static void copy_key_source(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (len == 8) {
        wm_copy8(to, from);
    } else if (len == 4) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        to[3] = from[3];
    }
}

/* 2015 9.4. `left` octets are there; `*used` of them are the ASH. */
static wm_status load_ash(wm_mhr *mhr, const uint8_t *p, wm_psdu_len left, uint8_t *used)
{
    wm_ash *ash = &mhr->ash;
    uint8_t control;

    if (left == 0) {
        return WM_ERR_MALFORMED;
    }
    control = *p++;
    /* 2006 and 2011 reserve bits 5 and 6; later editions change the layout with them. */
    if (mhr->version < WM_VERSION_2015 && (control & (ASH_SUPPRESSED | ASH_ASN)) != 0) {
        return WM_ERR_MALFORMED;
    }
    ash->level = control & ASH_LEVEL;
    ash->key_id_mode = (control >> ASH_MODE_SHIFT) & 3u;
    ash->counter_suppressed = (control & ASH_SUPPRESSED) != 0;
    ash->asn_in_nonce = (control & ASH_ASN) != 0;
    *used = wm_ash_len(ash);
    if (left < *used) {
        return WM_ERR_MALFORMED;
    }
    ash->frame_counter = 0;
    if (!ash->counter_suppressed) {
        ash->frame_counter = wm_load_le32(p);
        p += 4;
    }
    ash->key_index = 0;
    if (ash->key_id_mode != 0) {
        const uint8_t source = (uint8_t)(key_id_len[ash->key_id_mode] - 1u);
        copy_key_source(ash->key_source, p, source);
        ash->key_index = p[source];
        /* 2015 9.4.3: indices are all different from 0 */
        return ash->key_index == 0 ? WM_ERR_MALFORMED : WM_OK;
    }
    return WM_OK;
}

/* Open payload of a version 0 or 1 beacon, 2011 5.2.2.1: superframe specification 2 | GTS 1 (+
 * directions 1 and 3 a descriptor) | pending addresses 1 (+ 2 a short, 8 an extended one). */
static wm_status skip_beacon_fields(const uint8_t *frame, wm_psdu_len *pos, wm_psdu_len end)
{
    wm_psdu_len left = (wm_psdu_len)(end - *pos);
    const uint8_t *p = frame + *pos;
    uint8_t descriptors;
    uint8_t need = 4; /* superframe specification, both specification octets */

    if (left < need) {
        return WM_ERR_MALFORMED;
    }
    descriptors = p[2] & 7u;
    if (descriptors != 0) {
        need = (uint8_t)(need + 1u + descriptors + descriptors + descriptors);
    }
    if (left < need) {
        return WM_ERR_MALFORMED;
    }
    need = (uint8_t)(need + (p[need - 1u] & 7u) * 2u + ((p[need - 1u] >> 4) & 7u) * 8u);
    if (left < need) {
        return WM_ERR_MALFORMED;
    }
    *pos = (wm_psdu_len)(*pos + need);
    return WM_OK;
}

/* Boundaries behind the ASH. `end` is where the MIC begins. In version 2 there is no open part: the
 * private payload begins after the header IEs, and the identifier of a command is private. */
static wm_status find_boundaries(const wm_mhr *mhr, const uint8_t *frame, wm_psdu_len end,
                                 wm_frame_map *map)
{
    wm_status status = WM_OK;

    map->open = map->header_ie;
    if (mhr->ie_present) {
        status = wm_header_ies_end(frame, map->header_ie, end, &map->open);
    }
    map->private_payload = map->open;
    if (mhr->version < WM_VERSION_2015) {
        if (mhr->type == WM_FRAME_BEACON) {
            status = skip_beacon_fields(frame, &map->private_payload, end);
        } else if (mhr->type == WM_FRAME_COMMAND) {
            if (map->open == end) {
                return WM_ERR_MALFORMED;
            }
            map->private_payload++; /* 2011 5.2.2.4: command frame identifier */
        }
    }
    return status;
}

static wm_status parse(const uint8_t *frame, wm_psdu_len len, bool on_air, wm_mhr *mhr,
                       wm_frame_map *map)
{
    wm_status status;
    uint8_t used = 0;
    wm_psdu_len end = len;

    if (len > WM_FRAME_MAX) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (len < 2) {
        return WM_ERR_MALFORMED;
    }
    status = load_fcf(mhr, frame[0], frame[1]);
    if (status != WM_OK) {
        return status;
    }
    map->ash = addressing_len(mhr, (pan_fields){mhr->dst_pan_present, mhr->src_pan_present});
    if (len < map->ash) {
        return WM_ERR_MALFORMED;
    }
    load_addressing(mhr, frame + 2);
    if (mhr->security_enabled) {
        status = load_ash(mhr, frame + map->ash, (wm_psdu_len)(len - map->ash), &used);
        if (status != WM_OK) {
            return status;
        }
    }
    map->header_ie = (wm_psdu_len)(map->ash + used);
    if (on_air && mhr->security_enabled) {
        const uint8_t mic = mic_len[mhr->ash.level & 3u];
        if ((wm_psdu_len)(len - map->header_ie) < mic) {
            return WM_ERR_MALFORMED;
        }
        end = (wm_psdu_len)(len - mic);
    }
    return find_boundaries(mhr, frame, end, map);
}

wm_status wm_frame_parse(const uint8_t *frame, wm_psdu_len len, wm_mhr *mhr, wm_frame_map *map)
{
    return parse(frame, len, true, mhr, map);
}

wm_status wm_frame_parse_clear(const uint8_t *frame, wm_psdu_len len, wm_mhr *mhr,
                               wm_frame_map *map)
{
    return parse(frame, len, false, mhr, map);
}

/* Building refuses what parsing would refuse. */
static bool expressible(const wm_mhr *mhr)
{
    const wm_ash *ash = &mhr->ash;

    if (mhr->type > WM_FRAME_COMMAND || mhr->version > WM_VERSION_2015 ||
        mhr->dst.mode > WM_ADDR_EXT || mhr->src.mode > WM_ADDR_EXT || mhr->dst.mode == 1 ||
        mhr->src.mode == 1) {
        return false;
    }
    if (mhr->version < WM_VERSION_2015 && (mhr->seq_suppressed || mhr->ie_present)) {
        return false;
    }
    if (!mhr->security_enabled) {
        return true;
    }
    if (mhr->version < WM_VERSION_2015 && (ash->counter_suppressed || ash->asn_in_nonce)) {
        return false;
    }
    return mhr->version != WM_VERSION_2003 && ash->level <= 7 && ash->key_id_mode <= 3 &&
           (ash->key_id_mode == 0 || ash->key_index != 0);
}

static void store_ash(const wm_ash *ash, uint8_t *p)
{
    *p++ = (uint8_t)(ash->level | ash->key_id_mode << ASH_MODE_SHIFT |
                     (ash->counter_suppressed ? ASH_SUPPRESSED : 0) |
                     (ash->asn_in_nonce ? ASH_ASN : 0));
    if (!ash->counter_suppressed) {
        wm_store_le32(p, ash->frame_counter);
        p += 4;
    }
    if (ash->key_id_mode != 0) {
        const uint8_t source = (uint8_t)(key_id_len[ash->key_id_mode] - 1u);
        copy_key_source(p, ash->key_source, source);
        p[source] = ash->key_index;
    }
}

static void store_addressing(const wm_mhr *mhr, pan_fields pan, uint8_t *p)
{
    *p++ = (uint8_t)(mhr->type | (mhr->security_enabled ? FCF0_SECURITY : 0) |
                     (mhr->frame_pending ? FCF0_PENDING : 0) |
                     (mhr->ack_request ? FCF0_ACK_REQUEST : 0) |
                     (mhr->pan_id_compression ? FCF0_COMPRESSION : 0));
    *p++ = (uint8_t)((mhr->seq_suppressed ? FCF1_SEQ_SUPPRESSED : 0) |
                     (mhr->ie_present ? FCF1_IE_PRESENT : 0) | mhr->dst.mode << FCF1_DST_SHIFT |
                     mhr->version << FCF1_VERSION_SHIFT | mhr->src.mode << FCF1_SRC_SHIFT);
    if (!mhr->seq_suppressed) {
        *p++ = mhr->seq;
    }
    if (pan.dst) {
        wm_store_le16(p, mhr->dst_pan);
        p += 2;
    }
    p = store_addr(&mhr->dst, p);
    if (pan.src) {
        wm_store_le16(p, mhr->src_pan);
        p += 2;
    }
    (void)store_addr(&mhr->src, p);
}

wm_status wm_mhr_build(const wm_mhr *mhr, uint8_t *frame, wm_psdu_len size, wm_psdu_len *len)
{
    pan_fields pan;
    uint8_t ash;
    uint8_t need;

    if (!expressible(mhr) || !derive_pan_fields(mhr, &pan)) {
        return WM_ERR_PARAM;
    }
    ash = addressing_len(mhr, pan);
    need = (uint8_t)(ash + (mhr->security_enabled ? wm_ash_len(&mhr->ash) : 0u));
    if (need > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    store_addressing(mhr, pan, frame);
    if (mhr->security_enabled) {
        store_ash(&mhr->ash, frame + ash);
    }
    *len = need;
    return WM_OK;
}
