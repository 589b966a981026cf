/* SPDX-License-Identifier: BSD-3-Clause */
/* The outgoing frame security procedure.
 *
 * References: IEEE 802.15.4-2006 7.5.8.2.1, 2011 7.2.1, 2012e (counter suppression), 2015 9.2.2.
 * Invariant: the frame is untouched until everything was checked and the store keeps the
 * counter; from then on only the cipher can fail, and the counter is used up. */
#include <stddef.h>
#include <wardmote/ct.h>
#include "../mode/bound.h"
#include "../util/octets8.h"
#include "security_tables.h"

#define ALL_ONES UINT32_MAX

/* One frame while it is processed. */
typedef struct outgoing {
    wm_mhr mhr;
    wm_frame_map map;
    wm_psdu_len clear_len; /* with the ASH that is still to come */
    const wm_key_descriptor *key;
    wm_frame_counter *counter; /* NULL: the ASN takes its place */
} outgoing;

static wm_status check_params(const wm_security_pib *pib, const wm_security_params *params,
                              const wm_mhr *mhr)
{
    if (mhr->security_enabled || params->level > 7 ||
        (mhr->version == WM_VERSION_2015 && pib->edition > WM_EDITION_2012E)) {
        return WM_ERR_PARAM;
    }
    if (params->level == 0) {
        return WM_OK;
    }
    return params->key_id_mode > 3 || (params->key_id_mode != 0 && params->key_index == 0)
               ? WM_ERR_PARAM
               : WM_OK;
}

/* Header of the frame as it will be. Steps a to c of 2015 9.2.2 but for level 0; 2006 7.2.1.1.7:
 * version 1 at least. */
static wm_status plan(const wm_security_pib *pib, const wm_security_params *params, wm_psdu_len len,
                      wm_psdu_len size, outgoing *out)
{
    wm_mhr *mhr = &out->mhr;
    wm_ash *ash = &mhr->ash;
    wm_frame_split split;
    uint8_t gap;
    wm_status status;

    if (pib->security_disabled) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    mhr->security_enabled = true;
    mhr->version = mhr->version == WM_VERSION_2003 ? WM_VERSION_2006 : mhr->version;
    if (pib->nonce_form == WM_NONCE_ASN && mhr->version != WM_VERSION_2015) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    ash->level = params->level;
    ash->key_id_mode = params->key_id_mode;
    ash->counter_suppressed = pib->nonce_form == WM_NONCE_ASN;
    ash->asn_in_nonce = ash->counter_suppressed;
    wm_copy8(ash->key_source, params->key_source);
    ash->key_index = params->key_index;
    gap = wm_ash_len(ash);
    out->map.header_ie = (wm_psdu_len)(out->map.header_ie + gap);
    out->map.open = (wm_psdu_len)(out->map.open + gap);
    out->map.private_payload = (wm_psdu_len)(out->map.private_payload + gap);
    out->clear_len = (wm_psdu_len)(len + gap); /* at most WM_FRAME_MAX + 14 */
    status = wm_frame_split_clear(mhr, &out->map, wm_profile_of(pib), out->clear_len, &split);
    if (status != WM_OK) {
        return status;
    }
    return out->clear_len + split.mic_len > size ? WM_ERR_FRAME_TOO_LONG : WM_OK;
}

static wm_status find_key(const wm_security_pib *pib, outgoing *out)
{
    const wm_ash *ash = &out->mhr.ash;
    wm_station other;
    uint16_t index;

    wm_station_destination(pib, &out->mhr, &other);
    index = wm_key_lookup(pib, ash->key_id_mode, ash->key_source, ash->key_index, &other);
    if (index == WM_NO_INDEX || !wm_cipher_ready(pib->keys[index].cipher)) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    out->key = &pib->keys[index];
    return WM_OK;
}

static wm_frame_counter *counter_of(wm_security_pib *pib, const wm_key_descriptor *key)
{
    return pib->edition == WM_EDITION_2015 && key->counter != NULL ? key->counter : &pib->counter;
}

static wm_status check_counter(const wm_security_pib *pib, const wm_frame_counter *counter)
{
    if (pib->nonce_form != WM_NONCE_ASN) {
        return counter->next == ALL_ONES ? WM_ERR_COUNTER : WM_OK;
    }
    return pib->asn_used || wm_asn_used_up(pib->asn) ? WM_ERR_COUNTER : WM_OK;
}

/* 2006 to 2012e look at the counter before the key (2011 7.2.1 c, d); 2015 may have one in the
 * key. */
static wm_status find_key_and_counter(wm_security_pib *pib, outgoing *out)
{
    wm_status status = WM_OK;

    if (pib->edition != WM_EDITION_2015) {
        status = check_counter(pib, &pib->counter);
    }
    if (status == WM_OK) {
        status = find_key(pib, out);
    }
    if (status != WM_OK) {
        return status;
    }
    out->counter = counter_of(pib, out->key);
    return check_counter(pib, out->counter);
}

/* The nonce is taken: persistent before it is used, used up before the frame exists. */
static wm_status take_nonce(wm_security_pib *pib, outgoing *out)
{
    uint32_t counter;

    if (pib->nonce_form == WM_NONCE_ASN) {
        const wm_status status = wm_asn_keep(pib, pib->asn);
        pib->asn_used = status == WM_OK;
        return status;
    }
    counter = out->counter->next;
    if (wm_counter_keep(pib, out->counter, counter + 1u) != WM_OK) {
        return WM_ERR_STORAGE;
    }
    out->counter->next = counter + 1u;
    out->mhr.ash.frame_counter = counter;
    return WM_OK;
}

static wm_status protect(const wm_security_pib *pib, outgoing *out, uint8_t *frame,
                         wm_psdu_len size, wm_psdu_len *len)
{
    const wm_psdu_len clear_len = *len;
    wm_security security;
    wm_status status;

    security.cipher = out->key->cipher;
    security.profile = wm_profile_of(pib);
    security.nonce_form = (wm_nonce_form)pib->nonce_form;
    security.src_ext = pib->ext_addr;
    wm_copy5(security.asn, pib->asn);
    status = wm_ash_insert(frame, size, len, &out->mhr.ash);
    if (status == WM_OK) {
        (void)wm_nonce_view(pib, &out->mhr);
        status = wm_frame_secure_as(&security, &out->mhr, &out->map, frame, size, len);
    }
    if (status != WM_OK) {
        wm_wipe(frame, *len); /* else it has an ASH, and looks secured */
        *len = clear_len;
    }
    return status;
}

wm_status wm_outgoing_secure(wm_security_pib *pib, const wm_security_params *params, uint8_t *frame,
                             wm_psdu_len size, wm_psdu_len *len)
{
    outgoing out;
    wm_status status = wm_frame_parse_clear(frame, *len, &out.mhr, &out.map);

    if (status == WM_OK) {
        status = check_params(pib, params, &out.mhr);
    }
    if (status != WM_OK) {
        return status;
    }
    if (params->level == 0) {
        return WM_NOT_SECURED;
    }
    status = plan(pib, params, *len, size, &out);
    if (status == WM_OK) {
        status = find_key_and_counter(pib, &out);
    }
    if (status == WM_OK) {
        status = take_nonce(pib, &out);
    }
    return status == WM_OK ? protect(pib, &out, frame, size, len) : status;
}

wm_status wm_outgoing_build(wm_security_pib *pib, const wm_security_params *params,
                            const wm_mhr *mhr, const uint8_t *body, wm_psdu_len body_len,
                            uint8_t *frame, wm_psdu_len size, wm_psdu_len *len)
{
    wm_psdu_len built;
    wm_psdu_len i;
    wm_status status;

    if (mhr->security_enabled) {
        return WM_ERR_PARAM;
    }
    status = wm_mhr_build(mhr, frame, size, &built);
    if (status != WM_OK) {
        return status;
    }
    /* The sum comes second: in an int of 16 bits it could wrap. */
    if (body_len > WM_FRAME_MAX - built || built + body_len > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    for (i = 0; i < body_len; i++) {
        frame[(wm_psdu_len)(built + i)] = body[i];
    }
    built = (wm_psdu_len)(built + body_len);
    status = wm_outgoing_secure(pib, params, frame, size, &built);
    if (status >= 0) {
        *len = built;
    }
    return status;
}

wm_status wm_outgoing_admit(wm_security_pib *pib, const wm_mhr *mhr, uint16_t *key)
{
    outgoing out;
    wm_status status;

    if (pib->security_disabled ||
        (pib->nonce_form == WM_NONCE_ASN && mhr->version != WM_VERSION_2015)) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    out.mhr = *mhr;
    status = find_key_and_counter(pib, &out);
    if (status == WM_OK) {
        *key = (uint16_t)(out.key - pib->keys);
    }
    return status;
}

wm_status wm_outgoing_take(wm_security_pib *pib, const wm_mhr *mhr, uint16_t key)
{
    outgoing out;
    wm_status status;

    out.key = &pib->keys[key];
    out.counter = counter_of(pib, out.key);
    if (pib->nonce_form != WM_NONCE_ASN && mhr->ash.frame_counter != out.counter->next) {
        return WM_ERR_COUNTER;
    }
    status = check_counter(pib, out.counter);
    return status == WM_OK ? take_nonce(pib, &out) : status;
}
