/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames taken apart without keys: header, boundaries, a-data and m-data, nonce. */
#include <stddef.h>
#include <string.h>
#include <wardmote/octets.h>
#include <wardmote/security_pib.h>
#include "psdu.h"
#include "where.h"

#define ASN_MAX ((UINT64_C(1) << 40) - 1)

static void show_header(const wm_mhr *mhr, frames_shown *shown)
{
    shown->type = mhr->type;
    shown->version = mhr->version;
    shown->security_enabled = mhr->security_enabled;
    shown->frame_pending = mhr->frame_pending;
    shown->ack_request = mhr->ack_request;
    shown->pan_id_compression = mhr->pan_id_compression;
    shown->seq_suppressed = mhr->seq_suppressed;
    shown->ie_present = mhr->ie_present;
    shown->seq = mhr->seq;
    shown->dst_pan_present = mhr->dst_pan_present;
    shown->src_pan_present = mhr->src_pan_present;
    shown->dst_pan = mhr->dst_pan;
    shown->src_pan = mhr->src_pan;
    shown->dst_mode = mhr->dst.mode;
    shown->src_mode = mhr->src.mode;
    memcpy(shown->dst, mhr->dst.octet, sizeof shown->dst);
    memcpy(shown->src, mhr->src.octet, sizeof shown->src);
}

static void show_ash(const wm_ash *ash, frames_shown *shown)
{
    shown->level = ash->level;
    shown->key_id_mode = ash->key_id_mode;
    shown->counter_suppressed = ash->counter_suppressed;
    shown->asn_in_nonce = ash->asn_in_nonce;
    shown->frame_counter = ash->frame_counter;
    shown->key_index = ash->key_index;
    memcpy(shown->key_source, ash->key_source, sizeof shown->key_source);
}

/* Finds the extended address of a source that the frame names by another address. */
static const uint8_t *known_ext(const frames_job *job, const wm_mhr *mhr)
{
    for (uint32_t i = 0; mhr->src.mode == WM_ADDR_SHORT && i < job->device_count; i++) {
        if (job->devices[i].pan == mhr->src_pan &&
            job->devices[i].short_addr == wm_load_be16(mhr->src.octet)) {
            return job->devices[i].ext_addr;
        }
    }
    return mhr->src.mode == WM_ADDR_NONE && job->has_ext_addr != 0 ? job->ext_addr : NULL;
}

static void show_nonce(const frames_job *job, const wm_mhr *mhr, frames_shown *shown)
{
    wm_security sec = {.nonce_form = WM_NONCE_COUNTER, .src_ext = known_ext(job, mhr)};

    if (mhr->ash.counter_suppressed || mhr->ash.asn_in_nonce) {
        if (!shown->has_asn || shown->asn > ASN_MAX) {
            return;
        }
        sec.nonce_form = WM_NONCE_ASN;
        sec.asn[0] = (uint8_t)(shown->asn >> 32);
        wm_store_be32(sec.asn + 1, (uint32_t)shown->asn);
    }
    shown->has_nonce = wm_frame_nonce(mhr, &sec, shown->nonce) == WM_OK;
}

static wm_status take_apart(const frames_job *job, const psdu *found, frames_shown *shown)
{
    wm_mhr mhr = {0};
    wm_frame_map map = {0};
    wm_frame_split split;
    wm_status status = wm_frame_parse(found->frame, found->len, &mhr, &map);

    if (status == WM_OK && mhr.version == WM_VERSION_2015 && job->edition > WM_EDITION_2012E) {
        status = WM_ERR_MALFORMED;
    }
    if (status != WM_OK) {
        return status;
    }
    show_header(&mhr, shown);
    shown->ash = map.ash;
    shown->header_ie = map.header_ie;
    shown->open = map.open;
    shown->private_payload = map.private_payload;
    if (!mhr.security_enabled) {
        return WM_OK;
    }
    shown->result.secured = 1;
    show_ash(&mhr.ash, shown);
    shown->mic_len = wm_level_mic_len(mhr.ash.level);
    show_nonce(job, &mhr, shown);
    status = wm_frame_split_secured(
        &mhr, &map, job->edition == WM_EDITION_2015 ? WM_PROFILE_2015 : WM_PROFILE_2011, found->len,
        &split);
    if (status == WM_OK) {
        shown->a_len = split.a_len;
        shown->m_start = split.m_start;
        shown->m_len = split.m_len;
    }
    return status;
}

/* The record's statements about its frame. */
static void show_record(const frames_job *job, const psdu *found, uint64_t number,
                        frames_shown *shown)
{
    shown->at = found->head_len;
    shown->len = found->len;
    shown->fcs_len = fcs_octets(found->fcs);
    shown->has_asn = found->has_asn || job->asn_source == FRAMES_ASN_COUNTED;
    shown->asn = job->asn_source == FRAMES_ASN_COUNTED ? job->asn + number : found->asn;
    shown->has_channel = found->has_channel;
    shown->channel = found->channel;
    shown->page = found->page;
    shown->has_rss = found->has_rss;
    shown->rss = found->rss;
    shown->has_lqi = found->has_lqi;
    shown->lqi = found->lqi;
}

static wm_status show(const frames_job *job, const fcs_tables *fcs, const psdu *found,
                      uint64_t number, frames_shown *shown)
{
    show_record(job, found, number, shown);
    switch (shown->result.reason) {
    case FRAMES_NO_REASON:
        break;
    case FRAMES_TOO_LONG:
        return WM_ERR_FRAME_TOO_LONG;
    case FRAMES_FOREIGN:
        return WM_OK;
    default:
        return WM_ERR_MALFORMED;
    }
    const wm_status status = take_apart(job, found, shown);
    if (status == WM_OK && job->any_fcs == 0 &&
        !fcs_right(fcs, found->fcs, found->frame, found->len)) {
        shown->result.reason = FRAMES_BAD_FCS;
        return WM_ERR_FCS;
    }
    return status;
}

void frames_show(const frames_job *job, const uint8_t *file, const frames_record *records,
                 uint64_t count, frames_shown *shown)
{
    fcs_tables fcs;
    psdu found;

    fcs_prepare(&fcs);
    for (uint64_t i = 0; i < count; i++) {
        frames_shown *one = shown + i;
        *one = (frames_shown){0};
        one->result.reason = (uint8_t)psdu_find(job, file + records[i].at, records + i, &found);
        one->result.status = (int8_t)show(job, &fcs, &found, i, one);
        if (one->result.reason == FRAMES_NO_REASON) {
            find_where(found.frame, found.len, job->edition, &one->result);
        }
    }
}
