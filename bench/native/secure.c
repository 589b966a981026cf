/* SPDX-License-Identifier: BSD-3-Clause */
/* One frame through the outgoing frame security procedure (IEEE 802.15.4-2015 9.2.2), which the
 * stack follows. */
#include <string.h>
#include <wardmote/octets.h>
#include "act.h"

/* Finds the extended address for the nonce of a frame that does not carry it. A frame that cannot
 * be secured needs none. */
static frames_reason set_own_address(const batch *run, const wm_mhr *mhr)
{
    wm_security_pib *pib = &run->state->pib;
    uint16_t device = WM_NO_INDEX;

    if (mhr->type == WM_FRAME_ACK && mhr->version < WM_VERSION_2015) {
        return FRAMES_NO_REASON;
    }
    if (mhr->src.mode == WM_ADDR_EXT ||
        (mhr->src.mode == WM_ADDR_SHORT && pib->nonce_form == WM_NONCE_ASN)) {
        return FRAMES_NO_REASON;
    }
    if (mhr->src.mode == WM_ADDR_SHORT) {
        device = state_find_short(run->state, mhr->src_pan, wm_load_be16(mhr->src.octet));
    }
    if (device == WM_NO_INDEX && run->job->has_ext_addr == 0) {
        return FRAMES_NO_SOURCE;
    }
    memcpy(pib->ext_addr,
           device == WM_NO_INDEX ? run->job->ext_addr : run->state->devices[device].ext_addr, 8);
    return FRAMES_NO_REASON;
}

/* Octets of the FCS that the frame has, or that a radio will give it. */
static uint8_t fcs_of_radio(const psdu *found)
{
    const uint8_t octets = fcs_octets(found->fcs);

    return octets != 0 ? octets : WM_FCS_LEN;
}

wm_status act_secure(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                     wm_psdu_len *len, frames_result *result)
{
    wm_security_params params = {.level = run->job->level,
                                 .key_id_mode = run->job->key_id_mode,
                                 .key_index = run->job->key_index};
    wm_mhr mhr;
    wm_frame_map map;
    wm_status status = wm_frame_parse_clear(found->frame, *len, &mhr, &map);

    memcpy(frame, found->frame, *len);
    if (status != WM_OK) {
        return status;
    }
    memcpy(params.key_source, run->job->key_source, sizeof params.key_source);
    result->reason = FRAMES_ALREADY_SECURED;
    if (!mhr.security_enabled) {
        const bool asn_form = run->state->pib.nonce_form == WM_NONCE_ASN;
        result->reason = (uint8_t)state_set_nonce(run->state, run->job, asn_form, found, number);
    }
    if (result->reason == FRAMES_NO_REASON) {
        result->reason = (uint8_t)set_own_address(run, &mhr);
    }
    if (result->reason != FRAMES_NO_REASON) {
        return WM_ERR_PARAM;
    }
    const wm_psdu_len room = (wm_psdu_len)(run->job->psdu_max - fcs_of_radio(found));
    status = wm_outgoing_secure(&run->state->pib, &params, frame, room, len);
    result->secured = status == WM_OK;
    return status;
}
