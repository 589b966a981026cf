/* SPDX-License-Identifier: BSD-3-Clause */
/* ZigBee's auxiliary header and CCM*.
 * References: 05-3474-22 4.3.1 and 4.4.1 (what is protected), 4.5.1 (auxiliary header), 4.5.2.2
 * (nonce). Invariant: the level bits of a frame that leaves here are zeros. */
#include "zigbee_frame.h"
#include <wardmote/ccm.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/octets8.h"

#define KEY_ID 0x18u
#define KEY_ID_AT 3
#define EXTENDED_NONCE 0x20u

#define EXT 8u

#define LEVEL_ENC 4u /* levels 4..7 encrypt, and this one does nothing else */

uint8_t wm_zigbee_mic_len(uint8_t level)
{
    static const uint8_t len[4] = {0, 4, 8, 16};
    return len[level & 3u];
}

uint8_t wm_zigbee_aux_parse(const uint8_t *octets, uint8_t len, wm_zigbee_aux *aux)
{
    uint8_t need = ZIGBEE_AUX_LEAST;
    if (len < need) {
        return 0;
    }
    const uint8_t control = octets[0];
    aux->level_bits = control & ZIGBEE_LEVEL;
    aux->key_id = (control & KEY_ID) >> KEY_ID_AT;
    aux->source_present = (control & EXTENDED_NONCE) != 0;
    aux->counter = wm_load_le32(octets + 1);
    aux->sequence = 0;
    need = (uint8_t)(need + (aux->source_present ? EXT : 0) +
                     (aux->key_id == WM_ZIGBEE_KEY_NETWORK ? 1 : 0));
    if (len < need) {
        return 0;
    }
    if (aux->source_present) {
        wm_reverse8(aux->source, octets + ZIGBEE_AUX_LEAST);
    }
    if (aux->key_id == WM_ZIGBEE_KEY_NETWORK) {
        aux->sequence = octets[need - 1];
    }
    return need;
}

uint8_t wm_zigbee_aux_build(uint8_t *octets, const wm_zigbee_aux *aux)
{
    uint8_t len = ZIGBEE_AUX_LEAST;
    octets[0] = (uint8_t)((unsigned)aux->key_id << KEY_ID_AT);
    octets[0] |= aux->source_present ? EXTENDED_NONCE : 0u;
    wm_store_le32(octets + 1, aux->counter);
    if (aux->source_present) {
        wm_reverse8(octets + len, aux->source);
        len += EXT;
    }
    if (aux->key_id == WM_ZIGBEE_KEY_NETWORK) {
        octets[len++] = aux->sequence;
    }
    return len;
}

void wm_zigbee_insert(uint8_t *frame, uint8_t len, uint8_t at, uint8_t gap)
{
    while (len > at) {
        len--;
        frame[len + gap] = frame[len];
    }
}

void wm_zigbee_remove(uint8_t *frame, uint8_t len, uint8_t at, uint8_t gap)
{
    for (; at + gap < len; at++) {
        frame[at] = frame[at + gap];
    }
}

/* Puts the level where nonce and a have it, and makes the nonce (4.5.2.2): source 8 | counter 4 |
 * control 1. */
static void begin(const wm_zigbee_layout *layout, uint8_t *frame, uint8_t nonce[WM_CCM_NONCE_LEN])
{
    uint8_t *control = frame + layout->aux_at;
    *control = (uint8_t)((*control & ~ZIGBEE_LEVEL) | layout->level);
    wm_reverse8(nonce, layout->source);
    wm_store_le32(nonce + EXT, layout->counter);
    nonce[WM_CCM_NONCE_LEN - 1] = *control;
}

/* Where m begins; a is all before it, except at level 4, which authenticates nothing. */
static uint8_t m_at(const wm_zigbee_layout *layout)
{
    return layout->level < LEVEL_ENC ? layout->end : layout->payload_at;
}

static uint8_t a_len(const wm_zigbee_layout *layout)
{
    return layout->level == LEVEL_ENC ? 0 : m_at(layout);
}

wm_status wm_zigbee_seal(const wm_zigbee_layout *layout, uint8_t *frame)
{
    uint8_t nonce[WM_CCM_NONCE_LEN];
    const uint8_t m = m_at(layout), end = layout->end;
    begin(layout, frame, nonce);
    wm_status status = wm_ccm_seal(layout->cipher, nonce, frame, a_len(layout), frame + m,
                                   (size_t)(end - m), frame + end, layout->mic_len);
    frame[layout->aux_at] &= (uint8_t)~ZIGBEE_LEVEL;
    return status;
}

wm_status wm_zigbee_open(const wm_zigbee_layout *layout, uint8_t *frame)
{
    uint8_t nonce[WM_CCM_NONCE_LEN];
    const uint8_t m = m_at(layout), end = layout->end;
    begin(layout, frame, nonce);
    wm_status status = wm_ccm_open(layout->cipher, nonce, frame, a_len(layout), frame + m,
                                   (size_t)(end - m), frame + end, layout->mic_len);
    frame[layout->aux_at] &= (uint8_t)~ZIGBEE_LEVEL;
    if (status < WM_OK) {
        wm_wipe(frame + layout->aux_at, (size_t)(end + layout->mic_len - layout->aux_at));
    }
    return status;
}

wm_status wm_zigbee_use_counter(wm_counter *counter, uint32_t *next)
{
    if (*next == UINT32_MAX) {
        return WM_ERR_COUNTER;
    }
    if (!counter->ops->continues(counter, *next)) {
        return WM_ERR_STATE;
    }
    wm_status status = counter->ops->advance(counter, *next + 1);
    if (status == WM_OK) {
        ++*next;
    }
    return status;
}
