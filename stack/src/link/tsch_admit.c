/* SPDX-License-Identifier: BSD-3-Clause */
/* Policy: which received frames may be unsecured, and with which key.
 *
 * References: IEEE 802.15.4-2015 9.2.4 (incoming frame security), 9.3.3 (nonce), 6.3.6 (joining by
 * an EB). A node of this engine has one neighbour and expects one kind of frame at a time, so the
 * tables of the standard reduce to comparisons with the configuration; each gives the status that
 * the standard's procedure gives. Nothing is stored here: a counter counts only after the MIC was
 * right (wm_tsch_receive). */
#include <wardmote/octets.h>
#include <wardmote/eb.h>
#include "../util/octets8.h"
#include "tsch_engine.h"
#include "tsch_time.h"

/* Type of the frame that the state expects; WM_FRAME_COMMAND stands for none. */
static uint8_t expected_type(const wm_tsch *tsch)
{
    switch (tsch->state) {
    case WM_TSCH_SCAN:
        return WM_FRAME_BEACON;
    case WM_TSCH_RX_FRAME:
        return tsch->config.role == WM_TSCH_LEAF ? WM_FRAME_BEACON : WM_FRAME_DATA;
    case WM_TSCH_ACK_FRAME:
        return WM_FRAME_ACK;
    default:
        return WM_FRAME_COMMAND;
    }
}

static wm_status check_addressing(const wm_tsch *tsch, const wm_mhr *mhr)
{
    if (!mhr->dst_pan_present || mhr->dst_pan != tsch->config.pan ||
        mhr->src_pan != tsch->config.pan || mhr->src.mode != WM_ADDR_EXT ||
        !wm_same8(mhr->src.octet, tsch->config.peer)) {
        return WM_ERR_NOT_FOR_US;
    }
    if (mhr->type == WM_FRAME_BEACON) {
        return mhr->dst.mode == WM_ADDR_SHORT && (mhr->dst.octet[0] & mhr->dst.octet[1]) == 0xFF
                   ? WM_OK
                   : WM_ERR_NOT_FOR_US;
    }
    if (mhr->dst.mode != WM_ADDR_EXT || !wm_same8(mhr->dst.octet, tsch->config.eui64) ||
        mhr->seq_suppressed) {
        return WM_ERR_NOT_FOR_US;
    }
    /* An Enh-Ack answers the frame just sent (2015 6.7.4.2). */
    return mhr->type == WM_FRAME_ACK && mhr->seq != tsch->seq ? WM_ERR_NOT_FOR_US : WM_OK;
}

static uint8_t index_of(const wm_tsch_config *config, uint8_t key_slot)
{
    return key_slot == WM_KEY_DATA ? config->data_key_index : config->beacon_key_index;
}

/* KeyIdMode 0 names the key by sender and receiver; the other modes must name our key. */
uint8_t wm_tsch_find_key(const wm_tsch_config *config, const wm_ash *ash, uint8_t usual)
{
    if (ash->key_id_mode != config->key_id_mode) {
        return WM_KEY_NONE;
    }
    if (ash->key_id_mode == 0) {
        return usual;
    }
    if (ash->key_id_mode == 3 && !wm_same8(ash->key_source, config->key_source)) {
        return WM_KEY_NONE;
    }
    if (ash->key_id_mode == 2 &&
        wm_load_be32(ash->key_source) != wm_load_be32(config->key_source)) {
        return WM_KEY_NONE;
    }
    if (ash->key_index == index_of(config, usual)) {
        return usual;
    }
    const uint8_t other = usual == WM_KEY_DATA ? WM_KEY_BEACON : WM_KEY_DATA;
    return ash->key_index == index_of(config, other) ? other : WM_KEY_NONE;
}

static wm_status check_key(const wm_tsch_config *config, const wm_ash *ash, uint8_t key_slot)
{
    const uint8_t found = wm_tsch_find_key(config, ash, key_slot);

    if (found == WM_KEY_NONE) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    return found == key_slot ? WM_OK : WM_ERR_IMPROPER_KEY_TYPE;
}

static wm_status check_security(const wm_tsch *tsch, const wm_frame_job *job)
{
    const wm_tsch_config *config = &tsch->config;
    const wm_ash *ash = &job->mhr.ash;
    const bool beacon = job->key_slot == WM_KEY_BEACON;
    wm_status status;

    /* Exactly the level we use. "At least" would let a sender choose. */
    if (ash->level != (beacon ? WM_EB_LEVEL : config->level)) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    status = check_key(config, ash, job->key_slot);
    if (status != WM_OK) {
        return status;
    }
    /* The form of the nonce is our mode of operation; the bits only have to agree. */
    if (ash->counter_suppressed == config->counter_carried ||
        ash->asn_in_nonce == config->counter_carried) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (config->counter_carried && (ash->frame_counter < tsch->rx_counter[job->key_slot] ||
                                    ash->frame_counter == UINT32_MAX)) {
        return WM_ERR_COUNTER;
    }
    return WM_OK;
}

/* ASN for the nonce: our own. A scanning leaf has none, so it believes the EB until the MIC proves
 * it wrong. */
static wm_status choose_asn(const wm_tsch *tsch, wm_frame_job *job)
{
    const uint8_t *asn = tsch->asn;

    if (tsch->state == WM_TSCH_SCAN) {
        const wm_psdu_len start = job->map.private_payload;
        const uint8_t mic = job->mhr.security_enabled ? wm_level_mic_len(job->mhr.ash.level) : 0;
        const wm_status status =
            wm_eb_asn(job->frame + start, (wm_psdu_len)(job->len - mic - start), job->asn);
        if (status != WM_OK) {
            return status;
        }
        /* A slot number used before would repeat nonces of ours. */
        /* One far ahead would shut us out of the network. */
        return wm_asn_less(job->asn, asn) || wm_asn_less(tsch->config.join_asn_max, job->asn)
                   ? WM_ERR_COUNTER
                   : WM_OK;
    }
    job->asn[0] = asn[0];
    job->asn[1] = asn[1];
    job->asn[2] = asn[2];
    job->asn[3] = asn[3];
    job->asn[4] = asn[4];
    return WM_OK;
}

wm_status wm_tsch_admit(const wm_tsch *tsch, wm_frame_job *job)
{
    const wm_mhr *mhr = &job->mhr;
    const bool secured = tsch->config.level != 0;
    wm_status status;

    if (mhr->version != WM_VERSION_2015 || mhr->type == WM_FRAME_COMMAND ||
        mhr->type != expected_type(tsch) || mhr->ie_present != (mhr->type != WM_FRAME_DATA)) {
        return WM_ERR_NOT_FOR_US;
    }
    status = check_addressing(tsch, mhr);
    if (status != WM_OK) {
        return status;
    }
    if (mhr->security_enabled != secured) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    job->key_slot = mhr->type == WM_FRAME_BEACON ? WM_KEY_BEACON : WM_KEY_DATA;
    job->profile = (wm_profile)tsch->config.profile;
    job->nonce_form = tsch->config.counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    job->src_ext = tsch->config.peer;
    if (secured) {
        status = check_security(tsch, job);
        if (status != WM_OK) {
            return status;
        }
    }
    status = choose_asn(tsch, job);
    return status == WM_OK ? wm_port_admits(tsch, job) : status;
}
