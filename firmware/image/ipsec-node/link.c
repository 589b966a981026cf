/* SPDX-License-Identifier: BSD-3-Clause */
/* Secured frames have KeyIdMode 1 and key 1, a frame counter of this node, and short addresses; the
 * extended address in the nonce is the block's prefix and the short address. A frame that came is
 * taken at the level of the block only, from a neighbour of the block, with a counter that is new. */
#include "link.h"
#include <wardmote/aes128.h>
#include <wardmote/link_security.h>
#include <wardmote/octets.h>
#include "board.h"
#include "csma_radio.h"
#include "phase.h"

#define KEY_INDEX 1u
#define KEY_ID_MODE 1u
#define SHORT_AT 6u /* in an extended address */

static const ipsec_node_setup *setup;
static wm_counter_store *store;
static wm_csma mac;
static wm_aes128_tab_key key;
static uint8_t outgoing[WM_PSDU_MAX], incoming[WM_PSDU_MAX];
static uint8_t header_len, sequence;
static uint32_t counter;
static uint32_t accepted[IPSEC_NODE_NEIGHBOURS]; /* the next from each */

static void make_header(wm_mhr *mhr, uint16_t to)
{
    mhr->type = WM_FRAME_DATA;
    mhr->version = setup->link_level != 0 ? WM_VERSION_2006 : WM_VERSION_2003;
    mhr->security_enabled = setup->link_level != 0;
    mhr->ack_request = to != WM_CSMA_BROADCAST;
    mhr->pan_id_compression = true;
    mhr->seq = sequence;
    mhr->dst_pan = mhr->src_pan = setup->pan;
    mhr->dst.mode = mhr->src.mode = WM_ADDR_SHORT;
    wm_store_be16(mhr->dst.octet, to);
    wm_store_be16(mhr->src.octet, setup->address);
    mhr->ash.level = setup->link_level;
    mhr->ash.key_id_mode = KEY_ID_MODE;
    mhr->ash.key_index = KEY_INDEX;
    mhr->ash.frame_counter = counter;
}

static bool level_valid(uint8_t level)
{
    return level <= 7 && level != 4;
}

wm_status link_start(const ipsec_node_setup *from, wm_counter_store *counters)
{
    wm_mhr mhr = {0};
    setup = from;
    store = counters;
    if (!level_valid(setup->link_level) || setup->neighbours > IPSEC_NODE_NEIGHBOURS) {
        return WM_ERR_PARAM;
    }
    wm_aes128_tab_init(&key, setup->link_key);
    if (setup->link_level != 0) {
        counter = wm_counter_store_limit(store, LINK_SLOT_OUT);
        for (uint8_t n = 0; n < setup->neighbours; n++) {
            accepted[n] = wm_counter_store_limit(store, (uint8_t)(LINK_SLOT_IN + n));
        }
    }
    sequence = (uint8_t)setup->seed;
    make_header(&mhr, 0);
    wm_status status = wm_mhr_build(&mhr, outgoing, sizeof outgoing, &header_len);
    return status == WM_OK ? wm_csma_init(&mac, setup->pan, setup->address, setup->seed) : status;
}

bool link_sending(void)
{
    return wm_csma_sending(&mac);
}

uint8_t *link_payload(uint8_t *room)
{
    *room = (uint8_t)(WM_FRAME_MAX - header_len - wm_level_mic_len(setup->link_level));
    return outgoing + header_len;
}

static void security_of(wm_security *security, uint8_t ext[8], uint16_t address)
{
    __builtin_memcpy(ext, setup->ext_prefix, sizeof setup->ext_prefix);
    wm_store_be16(ext + SHORT_AT, address);
    security->cipher = &key.cipher;
    security->profile = WM_PROFILE_2015;
    security->nonce_form = WM_NONCE_COUNTER;
    security->src_ext = ext;
}

static wm_status seal(uint8_t *len)
{
    wm_security security = {0};
    uint8_t ext[8];
    wm_status status = wm_counter_store_advance(store, LINK_SLOT_OUT, counter + 1u);
    if (status != WM_OK) {
        return status;
    }
    counter++;
    security_of(&security, ext, setup->address);
    wm_port_mark_begin(WM_MARK_SEC3);
    status = wm_frame_secure(&security, outgoing, sizeof outgoing, len);
    wm_port_mark_end(WM_MARK_SEC3);
    return status;
}

wm_status link_send(uint16_t to, uint8_t len)
{
    wm_mhr mhr = {0};
    wm_status status;
    sequence++;
    make_header(&mhr, to);
    status = wm_mhr_build(&mhr, outgoing, sizeof outgoing, &header_len);
    len = (uint8_t)(len + header_len);
    if (status == WM_OK && setup->link_level != 0) {
        uint8_t phase = phase_enter(IPSEC_NODE_FRAME_SEAL);
        status = seal(&len);
        (void)phase_enter(phase);
    }
    if (status == WM_OK) {
        uint8_t phase = phase_enter(IPSEC_NODE_SEND);
        status = wm_csma_send(&mac, outgoing, len);
        (void)phase_enter(phase);
        ipsec_node_report_block.frames_out++;
    }
    return status;
}

void wm_port_csma_done(wm_csma *of, wm_csma_result result)
{
    ipsec_node_report_block.retries = of->retries;
    ipsec_node_report_block.unsent += result != WM_CSMA_SENT;
    link_done(result == WM_CSMA_SENT);
}

void link_on_alarm(void)
{
    wm_csma_on_alarm(&mac);
}

static uint8_t neighbour_of(uint16_t address)
{
    uint8_t n = 0;
    while (n < setup->neighbours && setup->neighbour[n] != address) {
        n++;
    }
    return n;
}

static wm_status open_frame(const wm_mhr *mhr, const wm_frame_map *map, uint8_t *len)
{
    wm_security security = {0};
    uint8_t ext[8];
    uint16_t src = wm_load_be16(mhr->src.octet);
    uint8_t from = neighbour_of(src);
    if (!mhr->security_enabled || mhr->ash.level != setup->link_level ||
        mhr->ash.key_id_mode != KEY_ID_MODE || mhr->ash.key_index != KEY_INDEX) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (from == setup->neighbours || mhr->src_pan != setup->pan) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    if (mhr->ash.counter_suppressed || mhr->ash.frame_counter < accepted[from]) {
        return WM_ERR_COUNTER;
    }
    security_of(&security, ext, src);
    wm_port_mark_begin(WM_MARK_SEC3);
    wm_status status = wm_frame_unsecure_as(&security, mhr, map, incoming, len);
    wm_port_mark_end(WM_MARK_SEC3);
    if (status == WM_OK) {
        accepted[from] = mhr->ash.frame_counter + 1u;
        status = wm_counter_store_advance(store, (uint8_t)(LINK_SLOT_IN + from), accepted[from]);
    }
    return status;
}

/* A frame of data with short addresses, as this network has them. */
static wm_status admit(const wm_mhr *mhr, const wm_frame_map *map, uint8_t *len)
{
    if (mhr->type != WM_FRAME_DATA || mhr->src.mode != WM_ADDR_SHORT || mhr->seq_suppressed) {
        return WM_ERR_NOT_FOR_US;
    }
    if (setup->link_level == 0) {
        return mhr->security_enabled ? WM_ERR_UNSUPPORTED_SECURITY : WM_OK;
    }
    uint8_t phase = phase_enter(IPSEC_NODE_FRAME_OPEN);
    wm_status status = open_frame(mhr, map, len);
    (void)phase_enter(phase);
    return status;
}

static wm_status take(uint8_t *len)
{
    bool overflowed;
    wm_status status = csma_radio_take(incoming, len, &overflowed);
    if (overflowed) {
        ipsec_node_report_block.overflows++;
    }
    if (status != WM_OK) {
        ipsec_node_report_block.damaged++;
    }
    return status;
}

wm_status link_take(link_frame *frame)
{
    wm_mhr mhr;
    wm_frame_map map;
    uint8_t len;
    wm_status status = take(&len);
    if (status == WM_OK) {
        status = wm_csma_receive(&mac, incoming, len, &mhr, &map);
    }
    if (status != WM_OK) {
        return status;
    }
    ipsec_node_report_block.frames_in++;
    status = admit(&mhr, &map, &len);
    if (status == WM_OK && wm_csma_repeated(&mac, &mhr)) {
        ipsec_node_report_block.repeated++;
        return WM_ERR_COUNTER;
    }
    if (status != WM_OK) {
        ipsec_node_report_block.frames_refused++;
        return status;
    }
    frame->payload = incoming + map.private_payload;
    frame->len = (uint8_t)(len - map.private_payload);
    frame->src = wm_load_be16(mhr.src.octet);
    frame->dst = wm_load_be16(mhr.dst.octet);
    return WM_OK;
}
