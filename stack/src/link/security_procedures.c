/* SPDX-License-Identifier: BSD-3-Clause */
/* What the outgoing and the incoming procedure share.
 *
 * References: IEEE 802.15.4-2012e (5-octet frame counter), 2015 9.3.3 (nonce), 6.7.2 (security of
 * an Enh-Ack). */
#include <stddef.h>
#include <wardmote/octets.h>
#include "../util/octets8.h"
#include "security_tables.h"

wm_header_saved wm_nonce_view(const wm_security_pib *pib, wm_mhr *mhr)
{
    const wm_header_saved saved = {mhr->src.mode, mhr->src_pan_present, mhr->src_pan};

    if (pib->nonce_form == WM_NONCE_ASN && mhr->src.mode == WM_ADDR_SHORT) {
        if (pib->edition != WM_EDITION_2015) {
            mhr->src.mode = WM_ADDR_NONE;
        } else if (!mhr->src_pan_present && !mhr->dst_pan_present) {
            mhr->src_pan_present = true;
            mhr->src_pan = pib->pan;
        }
    }
    return saved;
}

void wm_nonce_unview(wm_mhr *mhr, wm_header_saved saved)
{
    mhr->src.mode = saved.src_mode;
    mhr->src_pan_present = saved.src_pan_present;
    mhr->src_pan = saved.src_pan;
}

wm_profile wm_profile_of(const wm_security_pib *pib)
{
    return pib->edition != WM_EDITION_2015 ? WM_PROFILE_2011 : WM_PROFILE_2015;
}

/* Moves a counter from `now` to `next`, unless it has no slot or was not restored: its values may
 * have been used. */
static wm_status advance(const wm_security_pib *pib, uint8_t slot, uint32_t now, uint32_t next)
{
    const uint8_t number = (uint8_t)(slot - 1u);

    if (slot == WM_SLOT_VOLATILE) {
        return WM_OK;
    }
    return pib->store != NULL && slot != 0 && wm_counter_store_continues(pib->store, number, now) &&
                   wm_counter_store_advance(pib->store, number, next) == WM_OK
               ? WM_OK
               : WM_ERR_STORAGE;
}

/* Whether no PIB of the store has kept this step. */
static bool is_new_step(const wm_security_pib *pib, uint32_t step)
{
    const uint32_t limit = wm_counter_store_limit(pib->store, (uint8_t)(pib->asn_slot - 1u));

    return step >= limit && limit != UINT32_MAX;
}

wm_status wm_counter_keep(const wm_security_pib *pib, const wm_frame_counter *counter,
                          uint32_t next)
{
    return advance(pib, counter->slot, counter->next, next);
}

wm_status wm_asn_keep(wm_security_pib *pib, const uint8_t asn[5])
{
    const uint32_t step = wm_load_be32(asn);
    /* The last step can never be left again: it is used up, like 0xFFFFFFFF. */
    const uint32_t next = step == UINT32_MAX ? step : step + 1u;
    /* In a step that this PIB has used already the counter of steps stands behind it. */
    const uint32_t now = pib->asn_kept == next ? next : step;
    wm_status status = WM_ERR_STORAGE;

    /* A PIB that has kept nothing may be a second one since the store was opened. */
    if (pib->asn_kept != 0 || pib->asn_slot == WM_SLOT_VOLATILE ||
        (pib->store != NULL && is_new_step(pib, step))) {
        status = advance(pib, pib->asn_slot, now, next);
    }
    if (status == WM_OK) {
        pib->asn_kept = next;
    }
    return status;
}

void wm_ack_params(const wm_incoming *received, wm_security_params *params)
{
    const wm_ash *ash = &received->mhr.ash;

    params->level = received->level;
    params->key_id_mode = received->key_id_mode;
    params->key_index = 0;
    if (received->level != 0) {
        params->key_index = ash->key_index;
        wm_copy8(params->key_source, ash->key_source);
    }
}
